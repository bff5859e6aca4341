# SPDX-License-Identifier: MIT
"""The provider: the list of the algorithms."""
import os

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .grid import GridAlgorithm
from .points import PointsAlgorithm
from .validate import ValidateAlgorithm


class ShepardProvider(QgsProcessingProvider):
    """Algorithms that the Python package shepard computes."""

    def id(self):
        return "shepard"

    def name(self):
        return "shepard"

    def longName(self):
        return "shepard: interpolation of scattered measurements"

    def icon(self):
        return QIcon(os.path.join(os.path.dirname(__file__), "icon.svg"))

    def loadAlgorithms(self):
        for algorithm in (GridAlgorithm, PointsAlgorithm, ValidateAlgorithm):
            self.addAlgorithm(algorithm())
