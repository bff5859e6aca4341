# SPDX-License-Identifier: MIT
"""Fits what parameters of kriging leave open, by maximum likelihood."""
import ctypes
from ctypes import byref
from typing import Any, Optional

from . import _structs
from ._arrays import Places, matrix
from ._call import Progress, run
from ._field import check_rows, struct_of
from ._library import lib, sized
from ._parameters import Parameters
from ._points import (dimensions_of, of_info, options as points_options,
                      struct_of as coordinates_struct)
from ._structs import FitForm


def fit_parameters(coordinates: Any, values: Any, parameters: Any = "krige", *, column: int = 0,
                   seed: int = 0, metric: str = "plane", vertical_factor: float = 1.0,
                   sphere_radius: Optional[float] = None, threads: Optional[int] = None,
                   progress: Progress = None) -> tuple:
    """Completes parameters of kriging from data.

    Parameters
    ----------
    coordinates : array [n, 2], or tuple of two arrays [n]; of the metric ``space`` three
        Where the values were measured.
    values : array [n] or [n, columns]
        NaN: missing.
    parameters : Parameters or str, default "krige"
        What is left out of psill, range, nugget, p, mean and the anisotropy is fitted; what is
        given is held.
    column : int, default 0
        Whose values.
    seed : int, default 0
        Of the sample of points that the likelihood is computed from.
    metric, vertical_factor, sphere_radius : optional
        As of Points. On a sphere the range is a length along the chord.
    threads : int, optional
        None: as many as OpenMP starts.
    progress : callable, optional
        Called with a fraction from 0 to 1; False cancels.

    Returns
    -------
    parameters : Parameters
        Complete.
    info : dict
        What the fit has done: ``form``, ``fitted``, ``anisotropic``, ``points``, ``clipped``,
        ``evaluations``, ``objective``, ``mean``, ``range_along``, ``range_across``,
        ``nugget_part``, ``seconds``.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(1)
    >>> at = rng.uniform(0, 100, (200, 2))
    >>> z = np.sin(at[:, 0] / 20) + 0.1 * rng.standard_normal(200)
    >>> parameters, info = shepard.fit_parameters(at, z)
    >>> parameters.is_complete, info["fitted"], info["points"]
    (True, True, 200)
    """
    given = Parameters.of(parameters)
    places, described = Places(coordinates, dimensions_of(metric)), matrix(values)
    check_rows("values", described.rows, places.count)
    struct, options = _structs.Parameters(), _structs.PointsOptions()
    ctypes.pointer(struct)[0], ctypes.pointer(options)[0] = given.struct, given.options
    space = points_options(metric=metric, vertical_factor=vertical_factor,
                           sphere_radius=sphere_radius)
    options.metric, options.vertical_factor = space.metric, space.vertical_factor
    options.sphere_radius, options.threads = space.sphere_radius, threads or 0
    data = sized(_structs.FitData, coordinates=ctypes.pointer(coordinates_struct(places)),
                 values=ctypes.pointer(struct_of(described, None)), column=column, seed=seed)
    info = sized(_structs.FitInfo)
    run(lib.shepard_fit, byref(data), byref(struct), byref(options), byref(info),
        progress=progress)
    plane = points_options()
    options.metric, options.vertical_factor = plane.metric, plane.vertical_factor
    options.sphere_radius, options.threads = plane.sphere_radius, 0
    found = of_info(info)
    found["form"] = FitForm(found["form"]).name.lower()
    return Parameters.of_structs(struct, options), found
