# SPDX-License-Identifier: MIT
"""How far off methods are."""
import html

from qgis.core import (QgsProcessingOutputNumber, QgsProcessingOutputString,
                       QgsProcessingParameterDistance, QgsProcessingParameterEnum,
                       QgsProcessingParameterFileDestination, QgsProcessingParameterNumber,
                       QgsProcessingParameterString)

from .algorithm import ShepardAlgorithm
from .library import shepard, watch

METHODS = ["krige", "aidw:sectors=8:max_points_per_sector=2",
           "idw:degree=1:sectors=4:max_points_per_sector=2", "idw:k=12", "idw"]
SCORES = [("count", "n", "d"), ("me", "ME", ".4g"), ("mae", "MAE", ".4g"),
          ("rmse", "RMSE", ".4g"), ("crps", "CRPS", ".4g"), ("coverage", "in 95 %", ".3f")]


class ValidateAlgorithm(ShepardAlgorithm):
    """Scores methods at data that they do not use."""

    title = "Validate (errors of methods)"
    search_words = ["interpolation", "cross-validation", "leave-one-out", "RMSE", "idw", "kriging"]
    help_text = """Predicts data from the others, and states how far off the predictions are: mean error (ME), mean absolute error (MAE), root mean square error (RMSE), all in the unit of the values; the continuous ranked probability score (CRPS), which judges value and standard deviation together; and how many measurements lie in the 95 % interval.

<b>Each point in turn</b> suits surfaces whose cells lie among the data. <b>Folds</b> leave out a tenth of the points at random. <b>Blocks</b> leave out whole squares of the map and suit surfaces with gaps."""
    KINDS = ["leave_one_out", "k_fold", "blocks"]
    METHODS, TEXT, KIND, FOLDS, BLOCK, OUTPUT = ("METHODS", "TEXT", "KIND", "FOLDS", "BLOCK_SIZE",
                                                 "OUTPUT")

    def add_parameters(self):
        self.addParameter(QgsProcessingParameterEnum(
            self.METHODS, "Methods", METHODS, allowMultiple=True,
            defaultValue=list(range(len(METHODS) - 1))))
        self.addParameter(QgsProcessingParameterEnum(
            self.KIND, "What is held out", ["Each point in turn", "Folds", "Blocks"],
            defaultValue=0))
        self.addParameter(QgsProcessingParameterDistance(
            self.BLOCK, "Side of a block (needed for Blocks)", optional=True,
            parentParameterName=self.INPUT, minValue=0))
        self.add_advanced(QgsProcessingParameterNumber(
            self.FOLDS, "Number of folds (not set: 10; for Blocks: 5)", optional=True, minValue=2))
        self.add_advanced(QgsProcessingParameterString(
            self.TEXT, "A further method as text, for example idw:k=8:power=3", optional=True))
        self.addParameter(QgsProcessingParameterFileDestination(
            self.OUTPUT, "Table of errors", "HTML files (*.html)"))
        self.addOutput(QgsProcessingOutputString("BEST", "Method with the least RMSE"))
        self.addOutput(QgsProcessingOutputNumber("RMSE", "Its RMSE"))

    def compute(self, parameters, context, feedback):
        _, places, values = self.read_data(parameters, context, feedback)
        wanted = [METHODS[i] for i in self.parameterAsEnums(parameters, self.METHODS, context)]
        further = self.parameterAsString(parameters, self.TEXT, context).strip()
        wanted += [further] if further else []
        if not wanted:
            raise ValueError("No method is chosen: choose at least one.")
        kind = self.KINDS[self.parameterAsEnum(parameters, self.KIND, context)]
        block = parameters.get(self.BLOCK) and self.parameterAsDouble(parameters, self.BLOCK, context)
        if kind == "blocks" and not block:
            raise ValueError("Blocks need the side of a block: give about the width of the gaps "
                             "in the data.")
        folds = parameters.get(self.FOLDS) and self.parameterAsInt(parameters, self.FOLDS, context)
        results = shepard.validate(places, values, wanted, kind=kind, folds=folds or 0,
                                   block_size=block or 0.0, progress=watch(feedback))
        for text, result in zip(wanted, results):
            feedback.pushInfo(f"{text}: RMSE {result.rmse:.4g}")
        path = self.parameterAsFileOutput(parameters, self.OUTPUT, context)
        with open(path, "w", encoding="utf-8") as file:
            file.write(_page(wanted, results))
        best = min(range(len(results)), key=lambda i: results[i].rmse)
        return {self.OUTPUT: path, "BEST": wanted[best], "RMSE": results[best].rmse}


def _page(texts, results):
    heads = "".join(f"<th>{name}</th>" for _, name, _ in SCORES)
    rows = []
    for text, result in sorted(zip(texts, results), key=lambda pair: pair[1].rmse):
        cells = "".join(f"<td>{format(result.scores[key], form)}</td>" for key, _, form in SCORES)
        rows.append(f"<tr><td>{html.escape(text)}</td>{cells}</tr>")
    return ("<html><head><meta charset='utf-8'><title>Errors of methods</title></head><body>"
            f"<table border='1' cellpadding='4'><tr><th>method</th>{heads}</tr>"
            + "".join(rows) + "</table></body></html>\n")
