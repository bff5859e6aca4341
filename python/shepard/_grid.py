# SPDX-License-Identifier: MIT
"""Predictions for the cells of a raster, as a Dataset of xarray."""
from functools import partial
from typing import Any, Optional, Sequence, Union
from uuid import uuid4

import numpy as np

from . import _crs, _frame
from ._columns import columns_of, layers_of
from ._extras import find, need
from ._library import version
from ._model import Model
from ._parameters import Parameters
from ._progress import ProgressArgument, shown
from ._targets import Raster, Window, cell_size
from ._template import Template, of_raster, of_xarray


def grid(points: Any, values: Any = None, method: Any = "idw:k=12", *,
         region: Optional[Sequence[float]] = None, spacing: Any = None, template: Any = None,
         outputs: Union[str, Sequence[str]] = "values",
         names: Union[None, str, Sequence[str]] = None, crs: Any = None, dtype: Any = np.float64,
         weights: Any = None, seed: int = 0, metric: Optional[str] = None,
         backend: str = "auto", device: int = 0, threads: Optional[int] = None, progress: ProgressArgument = None, **keys: Any) -> Any:
    """Predicts at the centres of the cells of a raster.

    Parameters
    ----------
    points : array [n, 2], tuple of two arrays [n], or GeoDataFrame of n points
        x and y in any one planar unit.
    values : array [n] or [n, columns], dict of arrays [n], Series or DataFrame
        One or more values at each point; NaN: missing. With a GeoDataFrame its columns, by name;
        None: all that hold numbers.
    method : str, Parameters or estimator, default "idw:k=12"
        As of Interpolator. What kriging leaves open is fitted, to each column alone.
    region : (west, east, south, north), optional
        Outer edges of the cells, in the coordinates' unit; None: the bounding box of the points,
        widened to whole multiples of the spacing.
    spacing : float or (x, y)
        Cell size, in the coordinates' unit. See Raster.covering.
    template : DataArray, Dataset or Raster, instead of region and spacing
        Predict for its cells: evenly spaced dimensions x and y, of these names, lon and lat,
        longitude and latitude, easting and northing, or marked by CF attributes. If it is chunked
        (dask), the result is, too: nothing is predicted before it is computed, chunk by chunk, with
        the same bits as in one piece.
    outputs : str or sequence of str, default "values"
        As of Field.predict.
    names : str or sequence of str, optional
        Of the columns. None: those of a frame, a series or a dictionary; ``values``, or
        ``values_0``, ``values_1`` and so on, of arrays.
    crs : optional
        What pyproj takes; None: that of the GeoDataFrame or of the template.
    dtype : float64 or float32
        Of the results. Arithmetic is the same.
    weights : array [n], optional
        Weights of the points, each >= 0. Kriging takes none.
    seed : int, default 0
        Of the sample of points that kriging is fitted to.
    metric : {"plane", "sphere"}, optional
        How distances are measured, as of Points; None: along great circles where the CRS is
        geographic, and then lengths such as `radius` are metres; else in the plane.
    backend, device, threads : optional
        As of Points.
    progress : bool or callable, optional
        As of validate; not while chunks are computed.
    **keys
        Further keys of the method, as of Parameters.

    Returns
    -------
    xarray.Dataset
        Variables [y, x]: of each column the predictions, by its name, and with ``_sd`` or
        ``_deviation`` behind it; other outputs by theirs. NaN where there is no prediction. CF
        coordinates (https://cfconventions.org); with a CRS ``spatial_ref``, as rioxarray writes
        it, or without rioxarray the attribute ``crs``. The attribute ``shepard_parameters`` of each
        variable is the text of its parameters, those of kriging as they were fitted, which
        Parameters and the command read.

    Raises
    ------
    ImportError
        xarray is not installed (``pip install shepard[xarray]``).
    ValueError
        There is no spacing and no template, cells are not evenly spaced, or two CRS differ.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> at = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0], [20.0, 20.0]])
    >>> surface = shepard.grid(at, [1.0, 3.0, 1.0, 3.0], spacing=10, names="level")
    >>> surface.level.round(2).values.tolist()
    [[1.41, 2.59], [1.41, 2.59]]
    >>> surface.x.values.tolist(), surface.y.values.tolist()
    ([5.0, 15.0], [15.0, 5.0])
    >>> shepard.Parameters(surface.level.attrs["shepard_parameters"])["k"]
    '12'
    """
    xarray = need("xarray", "xarray")
    cells = None if template is None and region is None else _cells(region, spacing, template)
    if cells is None:
        cell_size(spacing if spacing is not None else _no_cells())
    crs = _crs.of(crs, "xarray")
    if _frame.is_frame(points):
        crs = _crs.joined(crs, points.crs, "crs", "the frame")
        values, own = _frame.values_of(points, values)
        columns = columns_of(values, own if names is None else names)
        points = _frame.places_of(points.geometry, "the frame")
    else:
        columns = columns_of(values, names)
    if cells is not None:
        crs = _crs.joined(crs, cells.crs, "crs or frame", "the template")
    layers = layers_of(columns.names, outputs)
    parameters = Parameters.of(method, **keys)
    with shown(progress, "grid") as report:
        model = Model(points, columns.values, parameters, weights, seed=seed, progress=report,
                      metric=_crs.metric(metric, crs), backend=backend, device=device,
                      threads=threads)
        cells = cells or of_raster(covering_points(model.points, spacing))
        arrays = _predict(model, cells, layers, dtype, report)
    made = _dataset(xarray, cells, layers, arrays, _texts(model, len(columns.names)))
    return made if crs is None else _with_crs(made, cells, crs)


def _no_cells() -> Any:
    raise ValueError("there is no spacing and no template: one of them is needed")


def _cells(region: Any, spacing: Any, template: Any) -> Template:
    if template is None:
        return of_raster(Raster.covering(region, _no_cells() if spacing is None else spacing))
    if region is not None or spacing is not None:
        raise ValueError("there are a template and region or spacing: give one or the other")
    return of_raster(template) if isinstance(template, Raster) else of_xarray(template)


def covering_points(points: Any, spacing: Any) -> Raster:
    """The raster of cells at multiples of the spacing that covers the points."""
    dx, dy = cell_size(spacing)
    info = points.info
    west, east = dx * np.floor(info["x_min"] / dx), dx * np.ceil(info["x_max"] / dx)
    south, north = dy * np.floor(info["y_min"] / dy), dy * np.ceil(info["y_max"] / dy)
    return Raster.covering((west, east, south, north), spacing)


# ---- Predictions


def _predict(model: Model, cells: Template, layers: list, dtype: Any, report: Any) -> list:
    """An array [y, x] of each layer."""
    outputs = tuple(dict.fromkeys(layer.output for layer in layers))
    if cells.chunks is None:
        found = model.predict(cells.raster, outputs, dtype, report)
        return [layer.of(found) for layer in layers]
    dask = need("dask.array", "xarray")
    model.prepare(outputs)
    chunks = ((len(layers),),) + cells.chunks
    # The name is new: dask would make one of all data otherwise.
    stacked = dask.map_blocks(partial(_predict_block, model, cells.raster, layers, outputs, dtype),
                              chunks=chunks, dtype=dtype, meta=np.empty((0, 0, 0), dtype),
                              name=f"shepard-{uuid4().hex}")
    return [stacked[i] for i in range(len(layers))]


def _predict_block(model: Model, raster: Raster, layers: list, outputs: tuple, dtype: Any,
                   block_info: Any = None) -> np.ndarray:
    """The part [layers, y, x] of the raster that dask asks for."""
    _, (top, bottom), (left, right) = block_info[None]["array-location"]
    found = model.predict(Window(raster, left, top, right - left, bottom - top), outputs, dtype)
    return np.stack([layer.of(found) for layer in layers])


# ---- Dataset


def _texts(model: Model, columns: int) -> list:
    """Of each column the text of its parameters."""
    texts = _frame.texts_of(model.parameters)
    return texts if isinstance(texts, list) else [texts] * columns


def _dataset(xarray: Any, cells: Template, layers: list, arrays: list, texts: list) -> Any:
    x_name, y_name = cells.names
    made = cells.coordinates
    if made is None:
        made = xarray.Dataset(coords={y_name: cells.raster.y, x_name: cells.raster.x})
    for name, axis in zip(cells.names, "XY"):
        made[name].attrs.setdefault("axis", axis)
    for layer, array in zip(layers, arrays):
        attributes = {"long_name": layer.title, "shepard_parameters": texts[layer.column or 0]}
        made[layer.name] = ((y_name, x_name), array, attributes)
    made.attrs = {"Conventions": "CF-1.8", "source": f"shepard {version}"}
    return made


def _with_crs(made: Any, cells: Template, crs: Any) -> Any:
    if not find("rioxarray"):
        return made.assign_attrs(crs=_crs.name(crs))
    x_name, y_name = cells.names
    raster = cells.raster
    affine = need("affine", "xarray").Affine(raster.dx, 0, raster.x0, 0, raster.dy, raster.y0)
    made = made.rio.set_spatial_dims(x_name, y_name).rio.write_crs(crs.to_wkt())
    return made.rio.write_transform(affine).rio.write_coordinate_system()
