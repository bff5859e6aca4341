# SPDX-License-Identifier: MIT
"""Points: coordinates, sorted and in a tree."""
import ctypes
import warnings
from ctypes import byref
from typing import Any, Optional

import numpy as np

from . import _device, _structs
from ._arrays import Places, Result
from ._call import Progress, check, run
from ._errors import Notice
from ._library import Handle, initialised, lib, member_types, sized
from ._structs import Backend
from ._targets import Targets



# Of the data and targets of each metric.
DIMENSIONS = {"plane": 2, "sphere": 2, "space": 3}


def dimensions_of(metric: str) -> int:
    """How many coordinates places have."""
    if metric not in DIMENSIONS:
        raise ValueError(f"metric is {metric!r}: one of {', '.join(DIMENSIONS)} is needed")
    return DIMENSIONS[metric]


def options(anisotropy_ratio: float = 1.0, anisotropy_angle: float = 0.0, metric: str = "plane",
            vertical_factor: float = 1.0, sphere_radius: Optional[float] = None,
            backend: str = "auto", device: int = 0, threads: Optional[int] = None,
            memory_limit: Optional[int] = None, expected_targets: int = 0, expected_columns: int = 0) -> _structs.PointsOptions:
    """The struct of these options; see Points."""
    made = initialised(_structs.PointsOptions, lib.shepard_points_options_init_sized)
    names = [member.name.lower() for member in Backend]
    if backend not in names:
        raise ValueError(f"backend is {backend!r}: one of {', '.join(names)} is needed")
    made.anisotropy_ratio, made.anisotropy_angle = anisotropy_ratio, anisotropy_angle
    made.metric = list(DIMENSIONS).index(metric)
    made.vertical_factor = vertical_factor
    if sphere_radius is not None:
        made.sphere_radius = sphere_radius
    made.backend = names.index(backend)
    made.device = device
    made.threads = threads or 0
    if memory_limit is not None:
        made.memory_limit = memory_limit
    made.expected_targets, made.expected_columns = expected_targets, expected_columns
    return made


def struct_of(places: Places) -> _structs.Coordinates:
    """Places as the coordinates of points."""
    return sized(_structs.Coordinates, count=places.count, x=places.x, y=places.y, z=places.z,
                 memory=places.memory)


def of_info(struct: Any) -> dict:
    """The members of a struct with information, as a dictionary."""
    found = {}
    for name in list(member_types(type(struct)))[1:]:
        value = getattr(struct, name)
        if isinstance(value, ctypes.Structure):
            value = {part: getattr(value, part) for part in member_types(type(value))}
        found[name] = value.decode() if isinstance(value, bytes) else value
    return found


class Points:
    """Data points, ready for searches and for fields of values.

    Parameters
    ----------
    coordinates : array [n, 2] or [n, 3], or tuple of two or three arrays [n]
        x and y in any one planar unit; with the metric ``sphere`` longitude and latitude in
        degrees, with ``space`` x, y and z. float32 and float64 are read where they lie, with any
        strides; other numbers are copied. Arrays of a CUDA device and Arrow's are taken, too.
        Points with a NaN or infinite coordinate are left out.
    anisotropy_ratio : float, default 1
        Distances along the angle are divided by it; 1e-6 to 1e6.
    anisotropy_angle : float, default 0
        Degrees counter-clockwise from +x.
    metric : {"plane", "sphere", "space"}
        How distances are measured: in the plane of x and y; along great circles, in metres unless
        sphere_radius has another unit; in the space of x, y and z. What the last two do not do,
        such as kriging, is an error.
    vertical_factor : float, default 1
        In space z is multiplied with it.
    sphere_radius : float, optional
        Of the sphere; None: 6371008.8, the Earth's mean radius in metres.
    backend : {"auto", "cpu", "cuda", "ref"}
        Where to compute. ``auto`` takes a GPU where an estimate says that it is worth it.
    device : int, default 0
        Number of the GPU; -1: all of the machine.
    threads : int, optional
        1 to 4096; None: as many as OpenMP starts.
    memory_limit : int, optional
        Bytes of prepared data that each field keeps; None: no limit.
    expected_targets, expected_columns : int, default 0
        For ``auto``: how many predictions will be made; 0: as many as there are points, of one
        column.

    Raises
    ------
    ArgumentError
        No point is usable, or an option is out of its range.
    OutOfMemoryError, BackendError

    Notes
    -----
    Any number of threads may use one object at once. Pickles hold the coordinates as they are when
    they are pickled: do not change arrays in between.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> points = shepard.Points(np.array([[0.0, 0.0], [3.0, 4.0], [10.0, 0.0]]))
    >>> len(points)
    3
    >>> distances, indices = points.nearest(np.array([[3.0, 3.0]]), k=2)
    >>> distances.round(3).tolist(), indices.tolist()
    ([[1.0, 4.243]], [[1, 0]])
    """

    def __init__(self, coordinates: Any, *, anisotropy_ratio: float = 1.0,
                 anisotropy_angle: float = 0.0, metric: str = "plane",
                 vertical_factor: float = 1.0, sphere_radius: Optional[float] = None,
                 backend: str = "auto", device: int = 0, threads: Optional[int] = None,
                 memory_limit: Optional[int] = None,
                 expected_targets: int = 0, expected_columns: int = 0) -> None:
        self.options: dict[str, Any] = dict(
            anisotropy_ratio=anisotropy_ratio, anisotropy_angle=anisotropy_angle, metric=metric,
            vertical_factor=vertical_factor, sphere_radius=sphere_radius, backend=backend, device=device,
            threads=threads, memory_limit=memory_limit,
            expected_targets=expected_targets, expected_columns=expected_columns)
        self.dimensions = dimensions_of(metric)
        places = Places(coordinates, self.dimensions)
        pointer = ctypes.c_void_p()
        check(lib.shepard_points_create, byref(struct_of(places)), byref(options(**self.options)),
              byref(pointer))
        self.handle = Handle(pointer, lib.shepard_points_free)
        self.coordinates = places.source
        self.rows = places.count
        notice = self.info["notice"]
        if notice:
            warnings.warn(notice, Notice, stacklevel=2)

    @property
    def info(self) -> dict:
        """What the points hold: counts, bounding box, memory in bytes, backend, times in s."""
        info = sized(_structs.PointsInfo)
        lib.shepard_points_get_info(self.handle, byref(info))
        return of_info(info)

    def __len__(self) -> int:
        """Points in use."""
        return self.info["points"]

    def nearest(self, at: Any, k: int = 1, *, progress: Progress = None) -> tuple:
        """The k nearest points of each target, exact, nearest first.

        Parameters
        ----------
        at : array [m, 2] or [m, 3], tuple of as many arrays [m], or Raster
            Where to look. Arrays of a CUDA device are read there, and the results are on that
            device.
        k : int
            How many; at least 1.
        progress : callable, optional
            Called with a fraction from 0 to 1; False cancels.

        Returns
        -------
        distances : float64 array [m, k]
            In the coordinates' unit; NaN where there are fewer than k points.
        indices : uint32 array [m, k]
            Into the coordinates that were given; 2**32 - 1 where there is none. Points at equal
            distances are ordered by smaller x, then y, then index.
        """
        targets = Targets(at, self)
        if k < 1:
            raise ValueError(f"k is {k}: at least 1 is needed")
        distances = Result(targets.count * k, None, targets.like, np.float64)
        indices, pointer = _indices((targets.count, k), targets.like)
        output = sized(_structs.NearestOutput, indices=pointer, distances=distances.output,
                       memory=distances.memory)
        run(lib.shepard_nearest, self.handle, byref(targets.struct), k, byref(output),
            progress=progress)
        return distances.array.reshape(indices.shape), indices

    def __reduce__(self) -> tuple:
        return _restore, (self.coordinates, self.options)

    def __repr__(self) -> str:
        info = self.info
        return f"<Points: {info['points']} points, {info['skipped']} left out, {info['backend']}>"


def _indices(shape: tuple, like: Any) -> tuple:
    """An array on the device of `like`, and where it lies."""
    if like is None or like.device is None:
        made = np.empty(shape, np.uint32)
        return made, made.ctypes.data
    made = _device.empty_like(like.device.source, shape, "uint32")
    return made, _device.find(made).pointer


def _restore(coordinates: Any, given: dict) -> Points:
    return Points(coordinates, **given)
