# SPDX-License-Identifier: MIT
"""What the algorithms share: the data points and the method."""
import warnings
from contextlib import contextmanager

import numpy as np
from qgis.core import (QgsFeatureRequest, QgsProcessing, QgsProcessingAlgorithm,
                       QgsProcessingException, QgsProcessingParameterDefinition,
                       QgsProcessingParameterDistance, QgsProcessingParameterFeatureSource,
                       QgsProcessingParameterField, QgsProcessingParameterNumber,
                       QgsProcessingParameterString)

from .library import missing, shepard


class ShepardAlgorithm(QgsProcessingAlgorithm):
    """Data points, a numeric field, errors as Processing reports them.

    Subclasses have `title`, `help_text`, `add_parameters(self)`, and
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
        if source.sourceCrs().isGeographic():
            feedback.pushWarning(
                "The layer has longitude and latitude, and distances are computed from degrees: "
                "project it first (Reproject layer), for example to UTM.")
        return source, np.array(places), np.array(values)


class MethodParameters:
    """The widgets of a method, and the text that they stand for."""

    METHOD, NEIGHBOURS, POWER, RADIUS, TEXT = ("METHOD", "NEIGHBOURS", "POWER", "RADIUS", "TEXT")
    NAMES = ["Automatic: the best of a hundred, tried on data that are held out",
             "Kriging, fitted to the data",
             "Inverse distance weighting (IDW)",
             "Adaptive inverse distance weighting (AIDW)",
             "IDW with slopes: weighted planes (degree 1)"]
    AUTOMATIC, KRIGE, IDW, AIDW, PLANES = range(5)

    @classmethod
    def number_of_points(cls):
        return QgsProcessingParameterNumber(
            cls.NEIGHBOURS, "Nearest points used (empty: 12, or the method's own neighbourhood)",
            optional=True, minValue=1)

    @classmethod
    def add_details(cls, algorithm):
        """The parameters that most runs leave alone."""
        algorithm.add_advanced(QgsProcessingParameterNumber(
            cls.POWER, "Power of the distance (IDW; empty: 2)", optional=True,
            type=QgsProcessingParameterNumber.Double, minValue=0))
        algorithm.add_advanced(QgsProcessingParameterDistance(
            cls.RADIUS, "Search radius (empty: no limit)", optional=True, minValue=0,
            parentParameterName=algorithm.INPUT))
        algorithm.add_advanced(QgsProcessingParameterString(
            cls.TEXT, "Method as text, instead of all above; for example idw:k=12:sectors=4",
            optional=True))

    @classmethod
    def text(cls, algorithm, parameters, context):
        """The method as the command shepard takes it with -a; None: automatic."""
        given = algorithm.parameterAsString(parameters, cls.TEXT, context).strip()
        method = algorithm.parameterAsEnum(parameters, cls.METHOD, context)
        if given:
            return given
        keys = {}
        for key, name in (("k", cls.NEIGHBOURS), ("power", cls.POWER), ("radius", cls.RADIUS)):
            if parameters.get(name) is not None:
                keys[key] = f"{algorithm.parameterAsDouble(parameters, name, context):.17g}"
        if method == cls.AUTOMATIC:
            return cls._none_of(keys)
        if method in (cls.KRIGE, cls.AIDW):
            keys.pop("power", None)
        return ":".join([cls._default(method, "k" in keys)] +
                        [f"{key}={value}" for key, value in keys.items()])

    @classmethod
    def _default(cls, method, with_k):
        if method == cls.PLANES:
            around = "" if with_k else ":sectors=4:max_points_per_sector=2"
            return "idw:degree=1" + around
        if method == cls.KRIGE:
            return "krige"
        return ("aidw" if method == cls.AIDW else "idw") + ("" if with_k else ":k=12")

    @staticmethod
    def _none_of(keys):
        if keys:
            raise ValueError("The automatic method finds the neighbourhood and the power itself: "
                             "leave them empty, or choose a method.")


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
