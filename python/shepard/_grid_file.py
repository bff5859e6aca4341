# SPDX-License-Identifier: MIT
"""Predictions from a file of points to a file of a raster."""
import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _crs
from ._columns import layers_of
from ._errors import CancelledError
from ._extras import need
from ._frame import texts_of
from ._grid import covering_points
from ._library import version
from ._model import Model
from ._parameters import Parameters
from ._progress import ProgressArgument, shown
from ._sources import Query, read_points
from ._targets import Raster, Window, cell_size

# Rows that are predicted and written at once: of two tiles of GeoTIFF.
_ROWS = 512
_CREATION = {"tiled": True, "blockxsize": 256, "blockysize": 256, "compress": "deflate",
             "predictor": 3, "bigtiff": "if_safer"}
_COG = {"compress": "deflate", "predictor": "yes", "bigtiff": "if_safer"}


def grid_file(src: Any, dst: Any, columns: Union[None, str, Sequence[str]] = None,
              method: Any = "idw:k=12", *, region: Optional[Sequence[float]] = None,
              spacing: Any = None, template: Any = None,
              outputs: Union[str, Sequence[str]] = "values", crs: Any = None,
              dtype: Any = np.float64, nodata: float = np.nan, driver: str = "GTiff",
              creation: Optional[dict] = None, x: Optional[str] = None, y: Optional[str] = None,
              layer: Optional[str] = None, where: Optional[str] = None,
              classes: Union[None, int, Sequence[int]] = None, seed: int = 0,
              metric: Optional[str] = None, backend: str = "auto", device: int = 0,
              threads: Optional[int] = None,
              progress: ProgressArgument = None, **keys: Any) -> dict:
    """Predicts from the points of a file at the cells of a raster file.

    Of the points coordinates and values are kept alone, 8 bytes each, and of the raster 512 rows at
    a time. The file appears under its name when it is complete; after an error, nothing is left.

    Parameters
    ----------
    src : path
        Points: ``.las`` and ``.laz`` (laspy), ``.parquet`` (pyarrow; a GeoParquet with WKB, or
        columns x and y), or what OGR reads (pyogrio).
    dst : path
        GeoTIFF to write. A file of this name is replaced.
    columns : str or sequence of str, optional
        What to predict, a band each; None: the height ``z`` of LAS, elsewhere the only column of
        numbers. A value that is missing is left out of its column only.
    method : str, Parameters or estimator, default "idw:k=12"
        As of Interpolator. What kriging leaves open is fitted, to each column alone.
    region, spacing : optional
        As of grid, in the coordinates' unit.
    template : path or Raster, instead of region and spacing
        Predict for the cells of this raster, or raster file; its CRS must be that of the points.
    outputs : str or sequence of str, default "values"
        As of Field.predict; a band each.
    crs : optional
        Of the points, where the file does not say it; what pyproj takes.
    dtype : float64 or float32
        Of the bands. Arithmetic is the same.
    nodata : float, default NaN
        Where there is no prediction.
    driver : {"GTiff", "COG"}
        COG: cloud-optimized, with overviews.
    creation : dict, optional
        Creation options of GDAL's driver, besides or instead of compression by deflate.
    x, y : str, optional
        Columns with the coordinates, of files without geometry; ``x`` and ``y`` by default.
    layer : str, optional
        Of a file with several.
    where : str, optional
        Condition of OGR SQL on the features that are used.
    classes : int or sequence of int, optional
        Classes of LAS points that are used; 2 is ground (LAS 1.4, table 17).
    seed : int, default 0
        Of the sample of points that kriging is fitted to.
    metric : {"plane", "sphere"}, optional
        How distances are measured, as of Points; None: along great circles where the CRS is
        geographic, and then lengths such as `radius` are metres; else in the plane.
    backend, device, threads : optional
        As of Points.
    progress : bool or callable, optional
        As of validate.
    **keys
        Further keys of the method, as of Parameters.

    Returns
    -------
    dict
        ``points`` that were read, ``raster`` (Raster), ``bands`` (their names), ``parameters``
        (text, or a list of one a column), ``crs`` (pyproj.CRS or None).

    Raises
    ------
    ImportError
        A package is not installed; the message says which extra of ``pip install`` has it.
    ValueError
        A column is missing or holds no numbers, a geometry is no point, features cannot be read,
        there is no spacing and no template, or two CRS differ.
    OSError
        A file cannot be opened or written.

    Examples
    --------
    >>> import shepard, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(f"{folder}/wells.csv", "w") as file:
    ...         _ = file.write("x,y,level\\n0,0,1\\n20,0,3\\n0,20,1\\n20,20,3\\n")
    ...     told = shepard.grid_file(f"{folder}/wells.csv", f"{folder}/level.tif", "level",
    ...                              spacing=5)
    >>> told["points"], told["bands"], told["raster"].columns
    (4, ['level'], 4)
    """
    rasterio = need("rasterio", "geo")
    if driver not in ("GTiff", "COG"):
        raise ValueError(f"driver is {driver!r}: GTiff or COG is needed")
    wanted, known = _wanted(rasterio, region, spacing, template)
    parameters = Parameters.of(method, **keys)
    points = read_points(src, Query(_list(columns), x, y, layer, where, _list(classes)))
    layers = layers_of(points.names, outputs)
    crs = _crs.joined(_crs.of(crs, "geo"), points.crs, "crs", str(src))
    crs = _crs.joined(crs, known, str(src), "the template")
    with shown(progress, "grid_file") as report:
        model = Model((points.x, points.y), points.values, parameters, seed=seed,
                      metric=_crs.metric(metric, crs), backend=backend,
                      device=device, threads=threads)
        raster = wanted or covering_points(model.points, spacing)
        told = {"points": len(points.x), "raster": raster, "bands": [one.name for one in layers],
                "parameters": texts_of(model.parameters), "crs": crs}
        tags = {"SHEPARD_PARAMETERS": _text(told["parameters"]), "SHEPARD_VERSION": version,
                "SHEPARD_SOURCE": os.fspath(src)}
        job = _Job(model, raster, layers, np.dtype(dtype), float(nodata), crs, tags)
        _write(rasterio, job, Path(dst), driver, creation or {}, report)
    return told


class _Job(NamedTuple):
    """What to predict, and what is written with it."""

    model: Model
    raster: Raster
    layers: list
    dtype: np.dtype
    nodata: float
    crs: Any
    tags: dict

    @property
    def outputs(self) -> tuple:
        return tuple(dict.fromkeys(layer.output for layer in self.layers))

    def rows(self, start: int) -> np.ndarray:
        """The rows from start on that are predicted at once, [bands, rows, columns]."""
        window = Window(self.raster, 0, start, self.raster.columns,
                        min(_ROWS, self.raster.rows - start))
        found = self.model.predict(window, self.outputs, self.dtype.type)
        bands = np.stack([layer.of(found) for layer in self.layers])
        if not np.isnan(self.nodata):
            bands[np.isnan(bands)] = self.nodata
        return bands


def _list(given: Any) -> Optional[list]:
    if given is None:
        return None
    return [given] if np.ndim(given) == 0 else list(given)


def _text(parameters: Any) -> str:
    return parameters if isinstance(parameters, str) else "\n".join(parameters)


# ---- Cells


def _wanted(rasterio: Any, region: Any, spacing: Any, template: Any) -> tuple:
    """The cells and their CRS, None where they are not known yet."""
    if template is None:
        if spacing is None:
            raise ValueError("there is no spacing and no template: one of them is needed")
        cell_size(spacing)
        return (None if region is None else Raster.covering(region, spacing)), None
    if region is not None or spacing is not None:
        raise ValueError("there are a template and region or spacing: give one or the other")
    if isinstance(template, Raster):
        return template, None
    with rasterio.open(template) as file:
        t = file.transform
        if t.b or t.d:
            raise ValueError(f"{template} is rotated: a raster with rows along x is needed")
        return (Raster(t.c, t.f, t.a, t.e, file.width, file.height),
                _crs.of(file.crs, "geo") if file.crs else None)


# ---- Files


def _write(rasterio: Any, job: _Job, dst: Path, driver: str, creation: dict, report: Any) -> None:
    """Writes into a folder next to dst, and moves the file there when it is complete."""
    with tempfile.TemporaryDirectory(prefix=f".{dst.name}.", dir=dst.parent) as folder:
        made = Path(folder) / "raster.tif"
        _write_rows(rasterio, job, made, {**_CREATION, **(creation if driver == "GTiff" else {})},
                    report)
        if driver == "COG":
            made, source = Path(folder) / "cog.tif", made
            need("rasterio.shutil", "geo").copy(source, made, driver="COG", **{**_COG, **creation})
        os.replace(made, dst)


def _write_rows(rasterio: Any, job: _Job, path: Path, creation: dict, report: Any) -> None:
    raster = job.raster
    affine = rasterio.Affine(raster.dx, 0, raster.x0, 0, raster.dy, raster.y0)
    crs = None if job.crs is None else rasterio.crs.CRS.from_wkt(job.crs.to_wkt())
    with rasterio.open(path, "w", driver="GTiff", width=raster.columns, height=raster.rows,
                       count=len(job.layers), dtype=job.dtype.name, crs=crs, transform=affine,
                       nodata=job.nodata, **creation) as file:
        file.update_tags(**job.tags)
        for band, layer in enumerate(job.layers, 1):
            file.set_band_description(band, layer.name)
        for start in range(0, raster.rows, _ROWS):
            bands = job.rows(start)
            file.write(bands, window=rasterio.windows.Window(0, start, raster.columns,
                                                             bands.shape[1]))
            if report is not None and report((start + bands.shape[1]) / raster.rows) is False:
                raise CancelledError("cancelled by progress")
