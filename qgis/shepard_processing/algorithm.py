# SPDX-License-Identifier: MIT
"""What the algorithms share: the data points and the method."""
import warnings
from contextlib import contextmanager

import numpy as np
from qgis.core import (QgsFeatureRequest, QgsProcessing, QgsProcessingAlgorithm,
                       QgsProcessingException, QgsProcessingParameterDefinition,
                       QgsProcessingParameterDistance, QgsProcessingParameterEnum,
                       QgsProcessingParameterFeatureSource, QgsProcessingParameterField,
                       QgsProcessingParameterNumber, QgsProcessingParameterString)

from .library import missing, shepard, watch


class ShepardAlgorithm(QgsProcessingAlgorithm):
    """Data points, a numeric field, errors as Processing reports them.

    Subclasses have `title`, `search_words`, `help_text`, `add_parameters(self)`, and
    `compute(self, parameters, context, feedback)`.
    """

    INPUT, FIELD = "INPUT", "FIELD"

    def name(self):
        return self.title.split()[0].lower()

    def displayName(self):
        return self.title

    def group(self):
        return "Interpolation"

    def groupId(self):
        return "interpolation"

    def tags(self):
        return self.search_words

    def shortHelpString(self):
        return self.help_text

    def createInstance(self):
        return type(self)()

    def canExecute(self):
        return shepard is not None, missing

    def initAlgorithm(self, _configuration=None):
        self.addParameter(QgsProcessingParameterFeatureSource(
            self.INPUT, "Data points", [QgsProcessing.TypeVectorPoint]))
        self.addParameter(QgsProcessingParameterField(
            self.FIELD, "Measured value", parentLayerParameterName=self.INPUT,
            type=QgsProcessingParameterField.Numeric))
        self.add_parameters()

    def add_advanced(self, parameter):
        parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
        self.addParameter(parameter)

    def processAlgorithm(self, parameters, context, feedback):
        if shepard is None:
            raise QgsProcessingException(missing)
        try:
            with _notices(feedback):
                return self.compute(parameters, context, feedback)
        except shepard.CancelledError:
            return {}
        except (shepard.Error, ValueError) as error:
            raise QgsProcessingException(str(error)) from error

    def read_data(self, parameters, context, feedback):
        """Source, places [n, 2] and values [n] of the data points; points without a value count
        as left out."""
        source = self.parameterAsSource(parameters, self.INPUT, context)
        if source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, self.INPUT))
        field = self.parameterAsString(parameters, self.FIELD, context)
        request = QgsFeatureRequest().setSubsetOfAttributes([field], source.fields())
        places, values, empty = [], [], 0
        for feature in source.getFeatures(request):
            value = number(feature[field])
            vertices = [] if np.isnan(value) else list(feature.geometry().vertices())
            empty += not vertices
            for vertex in vertices:
                places.append((vertex.x(), vertex.y()))
                values.append(value)
            if feedback.isCanceled():
                raise shepard.CancelledError("cancelled")
        if not values:
            raise QgsProcessingException(
                f"No point has a value in the field {field}: choose another field or layer.")
        feedback.pushInfo(f"{len(values)} values" +
                          (f", {empty} features without a value or a place left out" if empty
                           else ""))
        self._warn(parameters, context, feedback, source, field)
        return source, np.array(places), np.array(values)

    def _warn(self, parameters, context, feedback, source, field):
        """Says what makes a surface that nobody wants: the first numeric field of many layers is
        their key."""
        layer = self.parameterAsVectorLayer(parameters, self.INPUT, context)
        if layer and source.fields().lookupField(field) in layer.primaryKeyAttributes():
            feedback.pushWarning(f"The field {field} is the number of the feature, not a "
                                 "measurement: choose the field of the measured value.")
        if source.sourceCrs().isGeographic():
            feedback.pushWarning(
                "The layer has longitude and latitude, and distances are computed from degrees: "
                "project it first (Reproject layer), for example to UTM.")

    def choose(self, parameters, context, feedback, data, targets):
        """The text of the method with the least error at targets, of those tried in time."""
        seconds = self.parameterAsInt(parameters, MethodParameters.SECONDS, context)
        best = shepard.tune(*data, kind="stars", targets=targets, seconds=seconds,
                            progress=watch(feedback, 0, 20))
        feedback.pushInfo(f"The best of {len(best.trials)} trials; expected error at the places "
                          f"to predict (RMSE): {best.honest_rmse:.4g}")
        return best.parameters.text


class MethodParameters:
    """The widgets of a method, and the text that they stand for."""

    METHOD, NEIGHBOURS, POWER, RADIUS, TEXT, SECONDS = (
        "METHOD", "NEIGHBOURS", "POWER", "RADIUS", "TEXT", "SECONDS")
    NAMES = ["Automatic: the best of a hundred, tried on data that are held out",
             "Kriging, fitted to the data",
             "Inverse distance weighting (IDW)",
             "Adaptive inverse distance weighting (AIDW)",
             "IDW with slopes: weighted planes (degree 1)"]
    AUTOMATIC, KRIGE, IDW, AIDW, PLANES = range(5)
    # The text of each method, its key for the number of points, and its neighbourhood where that
    # number is not given; the key k of aidw is another number.
    FORMS = {KRIGE: ("krige", "k", []),
             IDW: ("idw", "k", ["k=12"]),
             AIDW: ("aidw", "max_points", ["sectors=8", "max_points_per_sector=2"]),
             PLANES: ("idw:degree=1", "k", ["sectors=4", "max_points_per_sector=2"])}

    NEIGHBOURHOODS = """<b>Nearest points used</b>, where not set: with IDW the nearest 12; with kriging and AIDW the nearest 2 in each of 8 sectors, with slopes the nearest 2 in each of 4, so that points of one cluster do not crowd out the others."""

    @classmethod
    def add(cls, algorithm):
        """The parameters that each run looks at."""
        algorithm.addParameter(QgsProcessingParameterEnum(
            cls.METHOD, "Method", cls.NAMES, defaultValue=cls.KRIGE))
        algorithm.addParameter(QgsProcessingParameterNumber(
            cls.NEIGHBOURS, "Nearest points used (not set: as the method needs, see the help)",
            optional=True, minValue=1))

    @classmethod
    def add_details(cls, algorithm):
        """The parameters that most runs leave alone."""
        algorithm.add_advanced(QgsProcessingParameterNumber(
            cls.POWER, "Power of the distance, for IDW (not set: 2)", optional=True,
            type=QgsProcessingParameterNumber.Double, minValue=0))
        algorithm.add_advanced(QgsProcessingParameterDistance(
            cls.RADIUS, "Search radius (not set: no limit)", optional=True, minValue=0,
            parentParameterName=algorithm.INPUT))
        algorithm.add_advanced(QgsProcessingParameterString(
            cls.TEXT, "Method as text, instead of all above; for example idw:k=12:sectors=4",
            optional=True))
        algorithm.add_advanced(QgsProcessingParameterNumber(
            cls.SECONDS, "Time limit of Automatic, in seconds", defaultValue=60,
            minValue=1))

    @classmethod
    def text(cls, algorithm, parameters, context):
        """The method as the command shepard takes it with -a; None: automatic."""
        given = algorithm.parameterAsString(parameters, cls.TEXT, context).strip()
        if given:
            return given
        numbers = {name: f"{algorithm.parameterAsDouble(parameters, name, context):.17g}"
                   for name in (cls.NEIGHBOURS, cls.POWER, cls.RADIUS)
                   if parameters.get(name) is not None}
        method = algorithm.parameterAsEnum(parameters, cls.METHOD, context)
        cls._check(method, numbers)
        return None if method == cls.AUTOMATIC else cls._joined(method, numbers)

    @classmethod
    def _check(cls, method, numbers):
        if method == cls.AUTOMATIC and numbers:
            raise ValueError("The automatic method finds the neighbourhood and the power itself: "
                             "leave them empty, or choose a method.")
        if method in (cls.KRIGE, cls.AIDW) and cls.POWER in numbers:
            raise ValueError("Kriging has no power and AIDW finds it itself: leave it empty, or "
                             "choose IDW.")

    @classmethod
    def _joined(cls, method, numbers):
        name, count_key, neighbourhood = cls.FORMS[method]
        parts = [name] + ([] if cls.NEIGHBOURS in numbers else neighbourhood)
        keys = ((cls.NEIGHBOURS, count_key), (cls.POWER, "power"), (cls.RADIUS, "radius"))
        return ":".join(parts + [f"{key}={numbers[widget]}" for widget, key in keys
                                 if widget in numbers])


def number(value):
    """A value of a field as a float; NaN where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


@contextmanager
def _notices(feedback):
    """Warnings of the package go to the log of the algorithm."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", shepard.Notice)
        try:
            yield
        finally:
            for warning in caught:
                feedback.pushWarning(str(warning.message))
