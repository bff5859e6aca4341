# SPDX-License-Identifier: MIT
"""The plugin: adds the provider to Processing, and takes it away."""
from qgis.core import QgsApplication

from .provider import ShepardProvider


class ShepardPlugin:
    """What QGIS loads; also without a window, as qgis_process does."""

    def __init__(self):
        self.provider = None

    def initProcessing(self):
        self.provider = ShepardProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):
        self.initProcessing()

    def unload(self):
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
