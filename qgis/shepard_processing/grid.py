# SPDX-License-Identifier: MIT
"""Points to a raster."""
import math
import os

from osgeo import gdal
from qgis.core import (QgsProcessingException, QgsProcessingParameterBoolean,
                       QgsProcessingParameterDistance, QgsProcessingParameterExtent,
                       QgsProcessingParameterRasterDestination, QgsRasterFileWriter)

from .algorithm import MethodParameters, ShepardAlgorithm
from .library import shepard, watch
from .style import style_when_loaded

NODATA = -9999.0
# Cells computed at a time: a few MB.
BLOCK = 1 << 19
CELLS = 250


class GridAlgorithm(ShepardAlgorithm):
    """Interpolates a raster from points."""

    title = "Grid (IDW, AIDW, kriging)"
    search_words = ["interpolation", "inverse distance weighting", "surface", "raster"]
    help_text = f"""Interpolates a raster from measurements at points.

<b>Automatic</b> holds data out as far from the others as the cells are, tries about a hundred methods, and takes the one with the least error. <b>Kriging</b> fits its covariance to the data; on most data it is the best single method. <b>IDW</b> is the classic weighted mean; <b>AIDW</b> adapts the power to the density of the points; <b>IDW with slopes</b> fits planes.

{MethodParameters.NEIGHBOURHOODS}

<b>Standard deviation</b> adds a band that says how sure each value is: about 95 % of new measurements lie within 1.96 times it.

The log has the parameters used, as text that <i>Method as text</i> and the command <code>shepard grid -a</code> take. Cells without enough points within the search radius have no data.

Coordinates should be projected: distances are those of the plane."""
    CELL, EXTENT, SD, OUTPUT = "CELL_SIZE", "EXTENT", "SD", "OUTPUT"

    def add_parameters(self):
        MethodParameters.add(self)
        self.addParameter(QgsProcessingParameterDistance(
            self.CELL, f"Cell size (not set: {CELLS} cells along the longer side)", optional=True,
            parentParameterName=self.INPUT, minValue=0))
        self.addParameter(QgsProcessingParameterExtent(
            self.EXTENT, "Extent (not set: that of the points)", optional=True))
        self.addParameter(QgsProcessingParameterBoolean(
            self.SD, "Standard deviation as a second band", defaultValue=False))
        MethodParameters.add_details(self)
        self.addParameter(QgsProcessingParameterRasterDestination(self.OUTPUT, "Surface"))

    def compute(self, parameters, context, feedback):
        source, places, values = self.read_data(parameters, context, feedback)
        raster = self._raster(parameters, context, source)
        text = (MethodParameters.text(self, parameters, context)
                or self.choose(parameters, context, feedback, (places, values), raster))
        surface = shepard.Interpolator(places, values, text, progress=watch(feedback, 20, 40))
        feedback.pushInfo(f"Method: {surface.parameters.text}")
        path = self.parameterAsOutputLayer(parameters, self.OUTPUT, context)
        with_sd = self.parameterAsBoolean(parameters, self.SD, context)
        _write(path, raster, source.sourceCrs(), surface, with_sd, feedback)
        style_when_loaded(path, context)
        return {self.OUTPUT: path, "PARAMETERS": surface.parameters.text}

    def _raster(self, parameters, context, source):
        extent = self.parameterAsExtent(parameters, self.EXTENT, context, source.sourceCrs())
        if extent.isNull():
            extent = source.sourceExtent()
        cell = (self.parameterAsDouble(parameters, self.CELL, context)
                or max(extent.width(), extent.height()) / CELLS)
        if not cell > 0:
            raise QgsProcessingException("The points have no extent: give a cell size.")
        columns = max(1, math.ceil(extent.width() / cell - 1e-9))
        rows = max(1, math.ceil(extent.height() / cell - 1e-9))
        return shepard.Raster(extent.xMinimum(), extent.yMaximum(), cell, -cell, columns, rows)


def _write(path, raster, crs, surface, with_sd, feedback):
    """Computes blocks of rows and writes them; the file is removed where this does not end well."""
    format_name = QgsRasterFileWriter.driverForExtension(path.rpartition(".")[2])
    driver = gdal.GetDriverByName(format_name)
    options = ["COMPRESS=DEFLATE", "TILED=YES", "BIGTIFF=IF_SAFER"] if format_name == "GTiff" else []
    file = driver and driver.Create(path, raster.columns, raster.rows, 1 + with_sd,
                                    gdal.GDT_Float64, options)
    if not file:
        raise QgsProcessingException(f"Cannot create {path}: choose a folder that can be written "
                                     "and a name that ends in .tif.")
    try:
        file.SetGeoTransform((raster.x0, raster.dx, 0, raster.y0, 0, raster.dy))
        file.SetProjection(crs.toWkt())
        file.SetMetadataItem("SHEPARD_PARAMETERS", surface.parameters.text)
        _write_bands(file, raster, surface, with_sd, feedback)
        file.FlushCache()
    except BaseException:
        file = None  # closes it
        if os.path.exists(path):
            os.remove(path)
        raise


def _write_bands(file, raster, surface, with_sd, feedback):
    bands = [file.GetRasterBand(1 + i) for i in range(1 + with_sd)]
    for band, name in zip(bands, ("value", "standard deviation")):
        band.SetNoDataValue(NODATA)
        band.SetDescription(name)
    height = max(1, BLOCK // raster.columns)
    for row in range(0, raster.rows, height):
        rows = min(height, raster.rows - row)
        report = watch(feedback, 40 + 60 * row / raster.rows, 40 + 60 * (row + rows) / raster.rows)
        window = shepard.Window(raster, 0, row, raster.columns, rows)
        found = surface(window, return_std=with_sd, progress=report)
        for band, block in zip(bands, found if with_sd else [found]):
            block[block != block] = NODATA
            band.WriteArray(block.reshape(rows, raster.columns), 0, row)
