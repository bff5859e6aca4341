# SPDX-License-Identifier: MIT
"""Targets: places to predict at, as a list or as the cells of a raster."""
import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

from . import _structs
from ._arrays import Matrix, Places
from ._library import sized
from ._structs import TargetKind


@dataclass(frozen=True)
class Raster:
    """A raster of cells; predictions are made at cell centres.

    x of column j is ``x0 + (j + 0.5) dx``, y of row i is ``y0 + (i + 0.5) dy``.

    Attributes
    ----------
    x0, y0 : float
        Outer corner of the first cell, in the coordinates' unit.
    dx, dy : float
        Cell size with sign; dy < 0 for north-up rasters.
    columns, rows : int
        Size of the raster.
    z : float, default 0
        Of all cells, with points of the metric ``space``.
    """

    x0: float
    y0: float
    dx: float
    dy: float
    columns: int
    rows: int
    z: float = 0.0

    @classmethod
    def covering(cls, region: Sequence[float], spacing: Any) -> "Raster":
        """The north-up raster that covers a region with whole cells, from its north-west corner.

        Parameters
        ----------
        region : (west, east, south, north)
            Outer edges, in the coordinates' unit, as verde orders them.
        spacing : float or (x, y)
            Cell size, in the coordinates' unit.

        Returns
        -------
        Raster
            Its east and south edges lie outside the region where that holds no whole number of
            cells.

        Raises
        ------
        ValueError
            The region is empty or not finite, or the spacing is not positive.

        Examples
        --------
        >>> import shepard
        >>> shepard.Raster.covering((0, 100, 0, 50), 20)
        Raster(x0=0.0, y0=50.0, dx=20.0, dy=-20.0, columns=5, rows=3, z=0.0)
        """
        west, east, south, north = map(float, region)
        dx, dy = cell_size(spacing)
        if not (np.isfinite([west, east, south, north]).all() and west <= east and south <= north):
            raise ValueError(f"region is {tuple(region)}: (west, east, south, north) with west <= "
                             "east and south <= north is needed")
        columns, rows = _cells(east - west, dx), _cells(north - south, dy)
        if max(columns, rows) >= 2**31:
            raise ValueError(f"spacing is {spacing}: {columns} x {rows} cells are too many")
        return cls(west, north, dx, -dy, columns, rows)

    @property
    def x(self) -> np.ndarray:
        """x of the cell centres, [columns]."""
        return self.x0 + (np.arange(self.columns) + 0.5) * self.dx

    @property
    def y(self) -> np.ndarray:
        """y of the cell centres, [rows]."""
        return self.y0 + (np.arange(self.rows) + 0.5) * self.dy

    def struct(self) -> _structs.Raster:
        """As the library reads it."""
        return _structs.Raster(self.x0, self.y0, self.dx, self.dy, self.columns, self.rows)


def cell_size(spacing: Any) -> tuple:
    """Of a number or a pair x and y, finite and positive."""
    dx, dy = spacing if np.ndim(spacing) else (spacing, spacing)
    if not (0 < dx < np.inf and 0 < dy < np.inf):
        raise ValueError(f"spacing is {spacing}: a number above 0 is needed, or two of x and y")
    return float(dx), float(dy)


def _cells(extent: float, size: float) -> int:
    """How many cover it, at least one; a millionth of a cell beyond the last is rounding."""
    return max(1, int(np.ceil(extent / size - 1e-6)))


@dataclass(frozen=True)
class Window:
    """A part of a raster; a cell has the same value whatever window it is asked for with.

    Attributes
    ----------
    raster : Raster
        The whole.
    column, row : int
        First cell.
    columns, rows : int
        Extent.
    """

    raster: Raster
    column: int
    row: int
    columns: int
    rows: int


@dataclass(frozen=True)
class LeaveOneOut:
    """The places of the data points, each predicted from the others.

    Attributes
    ----------
    indices : uint32 array [m], optional
        Points, as indices into the coordinates; None: all.
    keep_coincident : bool, default False
        Leave out a point alone, not with all others at its place.
    """

    indices: Optional[np.ndarray] = None
    keep_coincident: bool = False


_SIZE, _LIST = ctypes.sizeof(_structs.Targets), int(TargetKind.LIST)


class Targets:
    """What is given as targets, as the library reads it.

    shape is that of the results, before that of the columns.
    """

    __slots__ = ("struct", "count", "shape", "like", "source", "_dimensions")

    like: Optional[Matrix]
    shape: tuple

    def __init__(self, at: Any, points: Any = None, dimensions: int = 2) -> None:
        self.like = None
        self.source = at
        self._dimensions = dimensions if points is None else points.dimensions
        if type(at) is np.ndarray:
            self._of_places(at)
        elif isinstance(at, Raster):
            self._set(at.rows, at.columns, kind=TargetKind.RASTER, raster=at.struct(),
                      raster_z=at.z)
        elif isinstance(at, Window):
            window = _structs.Window(at.column, at.row, at.columns, at.rows)
            self._set(at.rows, at.columns, kind=TargetKind.WINDOW, raster=at.raster.struct(),
                      window=window, raster_z=at.raster.z)
        elif isinstance(at, LeaveOneOut):
            self._of_leave_one_out(at, points)
        else:
            self._of_places(at)

    def _of_places(self, at: Any) -> None:
        places = Places(at, self._dimensions)
        self.like = places.like
        self.source = places
        self.count = places.count
        self.shape = (self.count,)
        self.struct = _structs.Targets(_SIZE, _LIST, self.count, places.x, places.y, places.z)
        self.struct.memory = places.memory

    def _of_leave_one_out(self, at: LeaveOneOut, points: Any) -> None:
        indices = None
        count = points.rows
        if at.indices is not None:
            self.source = indices = np.ascontiguousarray(at.indices, dtype=np.uint32)
            count = len(indices)
        self._set(count, kind=TargetKind.LEAVE_ONE_OUT, count=count,
                  indices=None if indices is None else indices.ctypes.data,
                  keep_coincident=at.keep_coincident)

    def _set(self, *shape: int, **members: Any) -> None:
        self.struct = sized(_structs.Targets, **members)
        self.shape = shape
        self.count = shape[0] if len(shape) == 1 else shape[0] * shape[1]
