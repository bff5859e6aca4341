# SPDX-License-Identifier: MIT
"""Coordinate reference systems (CRS), as pyproj knows them."""
import warnings
from typing import Any

from ._errors import Notice
from ._extras import need


def of(source: Any, extra: str) -> Any:
    """A CRS of whatever pyproj understands, of None None; extra is what installs pyproj."""
    if source is None:
        return None
    given = source.to_wkt() if hasattr(source, "to_wkt") else source
    return need("pyproj", extra).CRS.from_user_input(given)


def name(crs: Any) -> str:
    """As messages name it: EPSG:28992, or the name in the definition."""
    found = crs.to_authority()
    return ":".join(found) if found else crs.name


def joined(given: Any, named: Any, what: str, other: str) -> Any:
    """The one of two CRS that is not None; they must not differ."""
    if given is None or named is None:
        return named if given is None else given
    if given != named:
        raise ValueError(f"{what} has the CRS {name(given)}, {other} {name(named)}: transform one "
                         "of them")
    return given


def note_geographic(crs: Any, stacklevel: int = 4) -> None:
    """Warns of coordinates in degrees."""
    if crs is not None and crs.is_geographic:
        warnings.warn(f"{name(crs)} has longitude and latitude, which are treated as plane "
                      "coordinates; transform the data to a projected CRS for true distances "
                      "(GeoPandas: frame.to_crs(frame.estimate_utm_crs()))", Notice,
                      stacklevel=stacklevel)
