# SPDX-License-Identifier: MIT
"""Coordinate reference systems (CRS), as pyproj knows them."""
from typing import Any, Optional

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


def metric(given: Optional[str], crs: Any) -> str:
    """How distances are measured, of Points: great circles where coordinates are degrees."""
    if given is not None:
        return given
    return "sphere" if crs is not None and crs.is_geographic else "plane"
