# SPDX-License-Identifier: MIT
"""The colours of a surface when QGIS has loaded it."""
from qgis.core import (QgsColorRampShader, QgsProcessingLayerPostProcessorInterface,
                       QgsRasterBandStats, QgsRasterShader, QgsSingleBandPseudoColorRenderer,
                       QgsStyle)

RAMP = "Viridis"
CLASSES = 9
# Processing does not own them.
_kept = []


class _PseudoColour(QgsProcessingLayerPostProcessorInterface):
    def postProcessLayer(self, layer, _context, _feedback):
        provider = layer.dataProvider()
        stats = provider.bandStatistics(1, QgsRasterBandStats.Min | QgsRasterBandStats.Max)
        low, high = stats.minimumValue, stats.maximumValue
        shader = QgsColorRampShader(low, high, QgsStyle.defaultStyle().colorRamp(RAMP),
                                    QgsColorRampShader.Interpolated,
                                    QgsColorRampShader.EqualInterval)
        shader.classifyColorRamp(CLASSES)
        raster_shader = QgsRasterShader(low, high)
        raster_shader.setRasterShaderFunction(shader)
        renderer = QgsSingleBandPseudoColorRenderer(provider, 1, raster_shader)
        renderer.setClassificationMin(low)
        renderer.setClassificationMax(high)
        layer.setRenderer(renderer)
        layer.triggerRepaint()


def style_when_loaded(path, context):
    """Colours the layer of a file, where it is to be loaded."""
    if context.willLoadLayerOnCompletion(path):
        processor = _PseudoColour()
        _kept.append(processor)
        context.layerToLoadOnCompletionDetails(path).setPostProcessor(processor)
