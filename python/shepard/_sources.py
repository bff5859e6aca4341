# SPDX-License-Identifier: MIT
"""Points of files, read in batches: LAS and LAZ, Parquet, and all that OGR reads."""
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Sequence

import numpy as np

from . import _crs
from ._extras import need
from ._frame import places_of

# Points at once: about 10 MB of them, small next to what is predicted from them.
BATCH = 1 << 18
_HEIGHT = "z"
_NUMBERS = ("int", "uint", "float")
# Texts for a value that is missing, as the command reads them (man shepard).
_MISSING = ["", "na", "n/a", "n.a.", "#n/a", "#nv", "nan", "null", "none", "nodata", "no data", "-",
            "--"]


@dataclass(frozen=True)
class Query:
    """What to read of a file; see grid_file."""

    columns: Optional[Sequence[str]]
    x: Optional[str] = None
    y: Optional[str] = None
    layer: Optional[str] = None
    where: Optional[str] = None
    classes: Optional[Sequence[int]] = None

    def refuse(self, names: Sequence[str], kind: str) -> None:
        """What means nothing for this kind of file must not be given."""
        for name in names:
            if getattr(self, name) is not None:
                raise ValueError(f"{name} is given, which {kind} does not have")


class PointSet(NamedTuple):
    """Points of a file: x and y [n], values [n, columns] with names, CRS or None."""

    x: np.ndarray
    y: np.ndarray
    values: np.ndarray
    names: list
    crs: Any


def read_points(path: Any, query: Query) -> PointSet:
    """Reads a file; what decides is the end of its name."""
    suffix = Path(path).suffix.lower()
    if suffix in (".las", ".laz"):
        return _read_las(path, query)
    if suffix in (".parquet", ".geoparquet", ".pq"):
        return _read_parquet(path, query)
    return _read_ogr(path, query)


def _gathered(batches: Iterator[tuple], expected: int, columns: int) -> tuple:
    """Batches of x, y and values as one array of each, which grow where more come than expected."""
    x, y, values = np.empty(expected), np.empty(expected), np.empty((expected, columns))
    count = 0
    for batch in batches:
        end = count + len(batch[0])
        if end > len(x):
            size = max(end, 2 * len(x))
            x, y = (np.concatenate([part[:count], np.empty(size - count)]) for part in (x, y))
            values = np.concatenate([values[:count], np.empty((size - count, columns))])
        x[count:end], y[count:end], values[count:end] = batch
        count = end
    return x[:count], y[:count], values[:count]


def _check_columns(wanted: Sequence[str], there: Sequence[str], path: Any) -> None:
    for name in wanted:
        if name not in there:
            raise ValueError(f"{path} has no column {name!r}: one of "
                             f"{', '.join(map(repr, there))} is needed")


def _chosen(query: Query, numeric: list, there: Sequence[str], path: Any) -> list:
    """The columns to read: those asked for, or the only one of numbers."""
    if query.columns is not None:
        return list(query.columns)
    if len(numeric) != 1:
        raise ValueError(f"{path} has {len(numeric)} columns of numbers: name those to predict in "
                         f"`columns`, of {', '.join(map(repr, there))}")
    return numeric


# ---- LAS and LAZ, by laspy


def _read_las(path: Any, query: Query) -> PointSet:
    laspy = need("laspy", "laz")
    query.refuse(("x", "y", "layer", "where"), "a LAS file")
    names = list(query.columns or [_HEIGHT])
    with laspy.open(path) as reader:
        header = reader.header
        there = [_HEIGHT, *(name for name in header.point_format.dimension_names
                            if name not in ("X", "Y", "Z"))]
        _check_columns(names, there, path)
        crs = _crs.of(header.parse_crs(), "laz")
        found = _gathered(_las_batches(reader, names, query.classes), header.point_count,
                          len(names))
    return PointSet(*found, names, crs)


def _las_batches(reader: Any, names: list, classes: Optional[Sequence[int]]) -> Iterator[tuple]:
    for points in reader.chunk_iterator(BATCH):
        keep: Any = slice(None)
        if classes is not None:
            keep = np.isin(np.asarray(points.classification), classes)
        values = [np.asarray(points[name], dtype=np.float64)[keep] for name in names]
        yield np.asarray(points.x)[keep], np.asarray(points.y)[keep], np.column_stack(values)


# ---- Parquet, by pyarrow


def _read_parquet(path: Any, query: Query) -> PointSet:
    parquet = need("pyarrow.parquet", "geo")
    query.refuse(("layer", "where", "classes"), "a Parquet file")
    with parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        geometry, crs = _geometry_of(schema, query, path)
        placed = [geometry] if geometry else [query.x or "x", query.y or "y"]
        names = _chosen(query, [field.name for field in schema if field.name not in placed and
                                _is_number(field.type)], schema.names, path)
        _check_columns([*placed, *names], schema.names, path)
        batches = file.iter_batches(BATCH, columns=list(dict.fromkeys([*placed, *names])))
        found = _gathered((_of_batch(batch, placed, names, path) for batch in batches),
                          file.metadata.num_rows, len(names))
    return PointSet(*found, names, crs)


def _geometry_of(schema: Any, query: Query, path: Any) -> tuple:
    """The primary column of GeoParquet (https://geoparquet.org) and its CRS; None: x and y."""
    told = json.loads((schema.metadata or {}).get(b"geo", b"{}"))
    if not told or query.x is not None or query.y is not None:
        return None, None
    name = told["primary_column"]
    column = told["columns"][name]
    if column.get("encoding", "WKB").upper() != "WKB":
        raise ValueError(f"{path}: the column {name!r} is encoded as {column['encoding']}: WKB is "
                         "needed, or x and y")
    # Without the key longitude and latitude are meant; null is an unknown CRS.
    return name, _crs.of(column.get("crs", "OGC:CRS84"), "geo")


def _is_number(kind: Any) -> bool:
    types = need("pyarrow.types", "geo")
    return types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)


def _of_batch(batch: Any, placed: list, names: list, path: Any) -> tuple:
    """x, y and values of an Arrow batch; placed is a column of WKB, or two of numbers."""
    if len(placed) == 1:
        shapely = need("shapely", "geo")
        wkb = batch.column(placed[0]).to_numpy(zero_copy_only=False)
        x, y = places_of(shapely.from_wkb(wkb), str(path)).T
    else:
        x, y = (_floats(batch, name, path) for name in placed)
    return x, y, np.column_stack([_floats(batch, name, path) for name in names])


def _floats(batch: Any, name: str, path: Any) -> np.ndarray:
    """A column as float64; null is NaN. Text is read as numbers."""
    arrow, compute = need("pyarrow", "geo"), need("pyarrow.compute", "geo")
    column = batch.column(name)
    try:
        if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
            text = compute.utf8_lower(compute.utf8_trim_whitespace(column))
            missing = compute.is_in(text, value_set=arrow.array(_MISSING, text.type))
            column = compute.if_else(missing, None, text)
        return column.cast(arrow.float64(), safe=False).to_numpy(zero_copy_only=False)
    except arrow.ArrowException as error:
        raise ValueError(f"{path}: the column {name!r} does not hold numbers ({error})") from error


# ---- What OGR reads, by pyogrio


def _read_ogr(path: Any, query: Query) -> PointSet:
    pyogrio, raw = need("pyogrio", "geo"), need("pyogrio.raw", "geo")
    need("pyarrow", "geo")
    query.refuse(("classes",), "a file of OGR")
    try:
        info = pyogrio.read_info(path, layer=query.layer, force_feature_count=True)
    except pyogrio.errors.DataSourceError as error:
        raise OSError(str(error)) from error
    there = list(info["fields"])
    located = info["geometry_type"] is not None and query.x is None and query.y is None
    placed = [] if located else [query.x or "x", query.y or "y"]
    names = _chosen(query, [str(name) for name, kind in zip(there, info["dtypes"])
                            if name not in placed and kind.startswith(_NUMBERS)], there, path)
    _check_columns([*placed, *names], there, path)
    # Drivers without SQL of their own, such as CSV, test a condition on the columns that they read.
    asked = list(dict.fromkeys([*placed, *names])) if query.where is None else None
    opened = raw.open_arrow(path, layer=query.layer, where=query.where, columns=asked,
                            read_geometry=located, batch_size=BATCH, use_pyarrow=True)
    with opened as (meta, reader):
        placed = placed or [meta["geometry_name"] or "wkb_geometry"]
        expected = max(info["features"], 0) if query.where is None else 0
        found = _gathered((_of_batch(batch, placed, names, path) for batch in reader), expected,
                          len(names))
    if query.where is None and len(found[0]) < info["features"]:
        raise ValueError(f"{path}: {len(found[0])} of {info['features']} features could be read: "
                         "the file is damaged")
    return PointSet(*found, names, _crs.of(meta["crs"] if located else None, "geo"))
