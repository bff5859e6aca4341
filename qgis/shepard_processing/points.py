# SPDX-License-Identifier: MIT
"""Points to other points."""
import numpy as np
from qgis.core import (QgsCoordinateTransform, QgsFeature, QgsFeatureSink, QgsField, QgsFields,
                       QgsProcessing, QgsProcessingException, QgsProcessingParameterBoolean,
                       QgsProcessingParameterFeatureSink, QgsProcessingParameterFeatureSource)
from qgis.PyQt.QtCore import QVariant

from .algorithm import MethodParameters, ShepardAlgorithm
from .library import shepard, watch


class PointsAlgorithm(ShepardAlgorithm):
    """Interpolates at the points of another layer."""

    title = "Points (values at given places)"
    search_words = ["interpolation", "inverse distance weighting", "idw", "aidw", "kriging"]
    help_text = f"""Interpolates measurements at the points of another layer, whose attributes are kept. The value goes into a field named after the measured one, its standard deviation into a field with _sd behind.

The methods are those of Grid; Automatic holds data out as far from the others as the points of the second layer are. That layer may have another coordinate system.

{MethodParameters.NEIGHBOURHOODS}

A point without enough data within the search radius has NULL."""
    TARGETS, SD, OUTPUT = "TARGETS", "SD", "OUTPUT"

    def add_parameters(self):
        self.addParameter(QgsProcessingParameterFeatureSource(
            self.TARGETS, "Points to predict at", [QgsProcessing.TypeVectorPoint]))
        MethodParameters.add(self)
        self.addParameter(QgsProcessingParameterBoolean(
            self.SD, "Standard deviation as a second field", defaultValue=False))
        MethodParameters.add_details(self)
        self.addParameter(QgsProcessingParameterFeatureSink(self.OUTPUT, "Predictions"))

    def compute(self, parameters, context, feedback):
        source, places, values = self.read_data(parameters, context, feedback)
        targets = self.parameterAsSource(parameters, self.TARGETS, context)
        if targets is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, self.TARGETS))
        features, at = _read_targets(targets, source.sourceCrs(), context, feedback)
        text = (MethodParameters.text(self, parameters, context)
                or self.choose(parameters, context, feedback, (places, values), at))
        surface = shepard.Interpolator(places, values, text, progress=watch(feedback, 20, 40))
        feedback.pushInfo(f"Method: {surface.parameters.text}")
        with_sd = self.parameterAsBoolean(parameters, self.SD, context)
        found = surface(at, return_std=with_sd, progress=watch(feedback, 40, 90))
        name = self.parameterAsString(parameters, self.FIELD, context)
        columns = {_free_name(name, targets.fields()): found[0] if with_sd else found}
        if with_sd:
            columns[_free_name(name + "_sd", targets.fields())] = found[1]
        return {self.OUTPUT: self._write(parameters, context, targets, features, columns)}

    def _write(self, parameters, context, targets, features, columns):
        fields = QgsFields(targets.fields())
        for name in columns:
            fields.append(QgsField(name, QVariant.Double))
        sink, path = self.parameterAsSink(parameters, self.OUTPUT, context, fields,
                                          targets.wkbType(), targets.sourceCrs())
        if sink is None:
            raise QgsProcessingException(self.invalidSinkError(parameters, self.OUTPUT))
        for i, feature in enumerate(features):
            written = QgsFeature(fields)
            written.setGeometry(feature.geometry())
            numbers = [None if np.isnan(column[i]) else float(column[i])
                       for column in columns.values()]
            written.setAttributes(feature.attributes() + numbers)
            sink.addFeature(written, QgsFeatureSink.FastInsert)
        return path


def _read_targets(targets, crs, context, feedback):
    """The features and their places [m, 2] in a coordinate system; NaN where there is none."""
    transform = QgsCoordinateTransform(targets.sourceCrs(), crs, context.transformContext())
    features, at = [], []
    for feature in targets.getFeatures():
        if feedback.isCanceled():
            raise shepard.CancelledError("cancelled")
        features.append(feature)
        if feature.hasGeometry():
            place = transform.transform(feature.geometry().centroid().asPoint())
            at.append((place.x(), place.y()))
        else:
            at.append((float("nan"), float("nan")))
    if not features:
        raise QgsProcessingException("The layer of the points to predict at is empty.")
    return features, np.array(at)


def _free_name(name, fields):
    """A name that none of the fields has."""
    free, count = name, 1
    while fields.lookupField(free) >= 0:
        count += 1
        free = f"{name}_{count}"
    return free
