# SPDX-License-Identifier: MIT
"""Predictions from and for frames of GeoPandas."""
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _crs
from ._arrays import on_host
from ._call import Progress
from ._columns import layers_of, numbers
from ._extras import need
from ._model import Model
from ._parameters import Parameters

_POINT, _NONE = 0, -1  # of shapely.get_type_id


def is_frame(source: Any) -> bool:
    """Whether it is a frame or a series of GeoPandas."""
    return hasattr(source, "geometry") and hasattr(source, "crs")


def places_of(geometry: Any, what: str, extra: str = "geo") -> np.ndarray:
    """x and y of points, [n, 2]; of a geometry that is missing or empty NaN."""
    shapely = need("shapely", extra)
    geometry = np.asarray(geometry, dtype=object)
    kinds = shapely.get_type_id(geometry)
    other = np.flatnonzero((kinds != _POINT) & (kinds != _NONE))
    if len(other):
        raise ValueError(f"{what} holds a {geometry[other[0]].geom_type}: points are needed "
                         "(representative_point() makes them)")
    return np.column_stack([shapely.get_x(geometry), shapely.get_y(geometry)])


def values_of(frame: Any, columns: Union[None, str, Sequence[str]]) -> tuple:
    """Values [n, columns] and their names; None: all columns of numbers."""
    if not hasattr(frame, "columns"):
        raise TypeError("the points are a GeoSeries, which has no columns: give a GeoDataFrame")
    if isinstance(columns, str):
        columns = [columns]
    if columns is None:
        columns = list(frame.select_dtypes("number").columns)
    if not len(columns):
        raise ValueError("there is no column of numbers: name those to predict in `columns`")
    return numbers(frame, columns), [str(name) for name in columns]


def predict_frame(frame: Any, at: Any, columns: Union[None, str, Sequence[str]] = None,
                  method: Any = "idw:k=12", *, outputs: Union[str, Sequence[str]] = "values",
                  weights: Any = None, seed: int = 0, metric: Optional[str] = None,
                  backend: str = "auto", device: int = 0, threads: Optional[int] = None, progress: Progress = None, **keys: Any) -> Any:
    """Predicts columns of a GeoDataFrame at the points of another.

    Parameters
    ----------
    frame : GeoDataFrame of n points
        Where values were measured. A row without a geometry is left out.
    at : GeoDataFrame or GeoSeries of m points
        Where to predict. In another CRS than that of `frame`, its coordinates are transformed.
    columns : str or sequence of str, optional
        Columns of numbers, n values each; None: all. A value that is missing is left out of its
        column only.
    method : str, Parameters or estimator, default "idw:k=12"
        As of Interpolator. What kriging leaves open is fitted, to each column alone.
    outputs : str or sequence of str, default "values"
        As of Field.predict.
    weights : str or array [n], optional
        Weights of the points, each >= 0, or the column that holds them.
    seed : int, default 0
        Of the sample of points that kriging is fitted to.
    metric : {"plane", "sphere"}, optional
        How distances are measured, as of Points; None: along great circles where the CRS is
        geographic, and then lengths such as `radius` are metres; else in the plane.
    backend, device, threads : optional
        As of Points.
    progress : callable, optional
        Called with a fraction from 0 to 1; False cancels.
    **keys
        Further keys of the method, as of Parameters.

    Returns
    -------
    GeoDataFrame of m points
        The geometry and the index of `at`. Predictions have the name of their column and its unit,
        standard deviations and deviations that name with ``_sd`` or ``_deviation`` behind it; other
        outputs their own. NaN where there is no prediction. ``attrs["shepard_parameters"]``: the
        text of the parameters, or a list of one a column.

    Raises
    ------
    ImportError
        GeoPandas is not installed (``pip install shepard[geo]``).
    ValueError
        A geometry is no point, a column is missing or holds no numbers, or one of the two has no
        CRS and the other has one.

    Examples
    --------
    >>> import geopandas, shepard
    >>> at = geopandas.points_from_xy([0.0, 2.0, 0.0], [0.0, 0.0, 2.0])
    >>> wells = geopandas.GeoDataFrame({"level": [1.0, 3.0, 5.0], "iron": [None, 0.2, 0.4]},
    ...                                geometry=at, crs="EPSG:28992")
    >>> sites = geopandas.GeoSeries.from_xy([1.0], [0.0], index=["A"], crs="EPSG:28992")
    >>> shepard.predict_frame(wells, sites, ["level", "iron"], "idw:k=1")[["level", "iron"]]
       level  iron
    A    1.0   0.2
    """
    geopandas = need("geopandas", "geo")
    for what, given in (("frame", frame), ("at", at)):
        if not is_frame(given):
            raise TypeError(f"{what} is a {type(given).__name__}: a GeoDataFrame is needed")
    values, names = values_of(frame, columns)
    layers = layers_of(names, outputs)
    parameters = Parameters.of(method, **keys)
    if isinstance(weights, str):
        weights = numbers(frame, [weights])[:, 0]
    targets = places_of(_in_crs(at, frame.crs).geometry, "at")
    model = Model(places_of(frame.geometry, "frame"), values, parameters, weights, seed=seed,
                  progress=progress, metric=_crs.metric(metric, frame.crs), backend=backend,
                  device=device, threads=threads)
    found = model.predict(targets, {layer.output for layer in layers}, progress=progress)
    made = geopandas.GeoDataFrame({layer.name: on_host(layer.of(found)) for layer in layers},
                                  index=at.index, geometry=at.geometry.values, crs=at.crs)
    made.attrs["shepard_parameters"] = texts_of(model.parameters)
    return made


def texts_of(parameters: Any) -> Any:
    """The text of parameters; a list of it, where each column has its own."""
    if not isinstance(parameters, list):
        return parameters.text
    return [one.text for one in parameters] if len(parameters) > 1 else parameters[0].text


def _in_crs(at: Any, crs: Any) -> Any:
    if (at.crs is None) != (crs is None):
        raise ValueError("one of frame and at has a CRS and the other has none: say which it is "
                         "in with set_crs")
    return at if at.crs == crs else at.to_crs(crs)
