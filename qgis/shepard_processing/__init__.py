# SPDX-License-Identifier: MIT
"""Interpolation of scattered measurements in QGIS's Processing toolbox."""


def classFactory(_iface):
    """What QGIS calls to load the plugin."""
    from .plugin import ShepardPlugin

    return ShepardPlugin()
