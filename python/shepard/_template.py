# SPDX-License-Identifier: MIT
"""Templates: arrays of xarray whose cells predictions are made for."""
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _crs
from ._extras import find, need
from ._targets import Raster

_NAMES = (("x", "y"), ("lon", "lat"), ("longitude", "latitude"), ("easting", "northing"))
_STANDARD = ({"projection_x_coordinate", "longitude"}, {"projection_y_coordinate", "latitude"})
# A centre may lie so much of a cell away from where an even spacing has it.
_UNEVEN = 1e-3


class Template(NamedTuple):
    """Cells, and what stands with them.

    names are those of the dimensions of x and y; chunks the sizes along y and x, None: one piece;
    coordinates a Dataset of the template's own, None: there is none.
    """

    raster: Raster
    names: tuple
    chunks: Optional[tuple]
    coordinates: Any
    crs: Any


def of_raster(raster: Raster) -> Template:
    """Cells without a template."""
    return Template(raster, ("x", "y"), None, None, None)


def of_xarray(source: Any) -> Template:
    """The cells of a DataArray or Dataset; what else it has than x and y is not used."""
    names = _dimensions(source)
    x, y = (np.asarray(source[name], dtype=np.float64) for name in names)
    sizes = getattr(source, "chunksizes", {})
    chunks = None
    if any(name in sizes for name in names):
        chunks = tuple(sizes.get(name, (source.sizes[name],)) for name in reversed(names))
    crs = source.rio.crs if find("rioxarray") else None
    own = {name: source.coords[name].variable.copy() for name in (*reversed(names), "spatial_ref")
           if name in source.coords}
    coordinates = need("xarray", "xarray").Dataset(coords=own)
    return Template(_raster(x, y, names), names, chunks, coordinates, _crs.of(crs, "xarray"))


def _dimensions(source: Any) -> tuple:
    found = [_marked(source, *what) for what in zip(("X", "Y"), _STANDARD)]
    if all(found):
        return tuple(found)
    for names in _NAMES:
        if all(name in source.dims and name in source.coords for name in names):
            return names
    raise ValueError(f"the template has the dimensions {tuple(source.dims)}: x and y with "
                     "coordinates are needed, or attributes axis = X and Y of others")


def _marked(source: Any, axis: str, standard: set) -> Optional[str]:
    """The dimension whose CF attributes say that it is this axis."""
    for name in source.dims:
        attributes = source.coords[name].attrs if name in source.coords else {}
        if attributes.get("axis") == axis or attributes.get("standard_name") in standard:
            return str(name)
    return None


def _raster(x: np.ndarray, y: np.ndarray, names: tuple) -> Raster:
    dx, dy = (_step(*axis) for axis in zip((x, y), names))
    if dx is None and dy is None:
        raise ValueError("the template has one cell, whose size is not known: give region and "
                         "spacing")
    dx, dy = abs(dy) if dx is None else dx, -abs(dx) if dy is None else dy
    return Raster(float(x[0] - dx / 2), float(y[0] - dy / 2), dx, dy, len(x), len(y))


def _step(centres: np.ndarray, name: str) -> Optional[float]:
    """Between cells, with sign; None: there is one cell."""
    if len(centres) == 0:
        raise ValueError(f"the template has no cells along {name}")
    if len(centres) == 1:
        return None
    step = float((centres[-1] - centres[0]) / (len(centres) - 1))
    even = centres[0] + step * np.arange(len(centres))
    if not step or not (abs(centres - even) <= _UNEVEN * abs(step)).all():
        raise ValueError(f"the template's {name} is not evenly spaced: use Interpolator, which "
                         "takes any places")
    return step
