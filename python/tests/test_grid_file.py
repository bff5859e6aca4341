# SPDX-License-Identifier: MIT
"""Files of points in, files of rasters out."""
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import shepard

rasterio = pytest.importorskip("rasterio")
REGION = (-50, 150, -50, 150)


@pytest.fixture
def table(sites, rng):
    """x, y, a and b with gaps of their own, and what grid makes of them: 100 x 80 cells."""
    pytest.importorskip("xarray")
    points, z = sites
    values = {"a": np.where(rng.random(len(z)) < 0.2, np.nan, z),
              "b": np.where(rng.random(len(z)) < 0.2, np.nan, z**2)}
    expected = shepard.grid(points, values, region=REGION, spacing=(2, 2.5))
    return points, values, expected


def write_csv(folder, points, values):
    path = folder / "points.csv"
    missing = ["", "NA", " nan ", "--", "No Data"]
    rows = ["x,y,a,b,kind"]
    for i, (x, y) in enumerate(points.tolist()):
        texts = [missing[i % 5] if np.isnan(column[i]) else repr(float(column[i]))
                 for column in values.values()]
        rows.append(f"{x!r},{y!r},{','.join(texts)},{'odd' if i % 2 else 'even'}")
    path.write_text("\n".join(rows) + "\n")
    return path


def write_ogr(folder, points, values):
    geopandas = pytest.importorskip("geopandas")
    path = folder / "points.gpkg"
    frame = geopandas.GeoDataFrame(values, geometry=geopandas.points_from_xy(*points.T), crs=28992)
    frame.to_file(path, engine="pyogrio")
    return path


def write_geoparquet(folder, points, values):
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("pyarrow")
    path = folder / "geo.parquet"
    geopandas.GeoDataFrame(values, geometry=geopandas.points_from_xy(*points.T), crs=28992).to_parquet(
        path, row_group_size=300)
    return path


def write_parquet(folder, points, values):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = folder / "plain.parquet"
    columns = {"x": points[:, 0], "y": points[:, 1], **values}
    parquet.write_table(pyarrow.table({name: pyarrow.array(column, from_pandas=True)
                                       for name, column in columns.items()}), path)
    return path


WRITERS = [write_csv, write_ogr, write_geoparquet, write_parquet]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("batch", [1 << 18, 150])
def test_formats_are_read_as_they_are(table, tmp_path, monkeypatch, write, batch):
    pytest.importorskip("pyogrio")
    points, values, expected = table
    monkeypatch.setattr("shepard._sources.BATCH", batch)
    told = shepard.grid_file(write(tmp_path, points, values), tmp_path / "out.tif", ["a", "b"],
                             region=REGION, spacing=(2, 2.5))
    assert told["points"] == len(points) and told["bands"] == ["a", "b"]
    with rasterio.open(tmp_path / "out.tif") as file:
        for band, name in enumerate("ab", 1):
            np.testing.assert_array_equal(file.read(band), expected[name])
        assert file.descriptions == ("a", "b") and file.bounds == (-50, -50, 150, 150)
        assert (file.crs is not None) == (write in (write_ogr, write_geoparquet))
        assert shepard.Parameters(file.tags()["SHEPARD_PARAMETERS"])["k"] == "12"


def write_las(path, points, z, **dimensions):
    laspy = pytest.importorskip("laspy")
    header = laspy.LasHeader(point_format=6, version="1.4")
    header.scales, header.offsets = [1e-3] * 3, [0, 0, 0]
    las = laspy.LasData(header)
    las.x, las.y, las.z = *points.T, z
    for name, array in dimensions.items():
        las[name] = array
    las.write(path)


@pytest.mark.parametrize("suffix, batch", [("las", 1 << 18), ("laz", 300)])
def test_las_is_read_in_batches_and_by_classes(sites, rng, tmp_path, monkeypatch, suffix, batch):
    if suffix == "laz":
        pytest.importorskip("lazrs")
    points, z = (array.round(3) for array in sites)
    kind = rng.integers(1, 6, len(z))
    path = tmp_path / f"cloud.{suffix}"
    write_las(path, points, z, classification=kind, intensity=(z * 100 + 5000).astype(int))
    monkeypatch.setattr("shepard._sources.BATCH", batch)
    told = shepard.grid_file(path, tmp_path / "out.tif", region=REGION, spacing=5, classes=[2, 3],
                             method="idw:k=5")
    ground = (kind == 2) | (kind == 3)
    assert told["points"] == ground.sum() and told["bands"] == ["z"]
    raster = shepard.Raster.covering(REGION, 5)
    expected = shepard.Field(shepard.Points(points[ground]), z[ground]).predict(raster, "idw:k=5")
    with rasterio.open(tmp_path / "out.tif") as file:
        np.testing.assert_allclose(file.read(1), expected, rtol=1e-9, atol=1e-9)
    shepard.grid_file(path, tmp_path / "all.tif", "intensity", region=REGION, spacing=5,
                      method="idw:k=1")
    expected = shepard.Field(shepard.Points(points), z).predict(raster, "idw:k=1")
    with rasterio.open(tmp_path / "all.tif") as file:
        assert abs(file.read(1) - expected * 100 - 5000).max() <= 1


@pytest.mark.parametrize("driver", ["GTiff", "COG"])
def test_rasters_in_strips_are_whole(table, tmp_path, driver):
    """1,300 rows are written in three parts; sums over all points have the bits of one call."""
    points, values, _ = table
    raster = shepard.Raster(-50, 150, 10, -200 / 1300, columns=20, rows=1300)
    seen = []
    shepard.grid_file(write_parquet(tmp_path, points, values), tmp_path / "out.tif", "a", "idw",
                      template=raster, driver=driver, nodata=-1, dtype=np.float32, crs=28992,
                      outputs=("values", "nearest"), creation={"compress": "lzw"}, radius=3,
                      progress=seen.append)
    expected = shepard.grid(points, values["a"], "idw", template=raster, radius=3, dtype=np.float32,
                            outputs=("values", "nearest"))
    with rasterio.open(tmp_path / "out.tif") as file:
        assert file.nodata == -1 and file.dtypes[0] == "float32" and file.crs.to_epsg() == 28992
        assert file.compression.name == "lzw" and file.block_shapes[0][0] in (256, 512)
        assert (file.tags(ns="IMAGE_STRUCTURE").get("LAYOUT") == "COG") == (driver == "COG")
        for band, name in ((1, "values"), (2, "nearest")):
            assert np.isnan(expected[name]).any()
            np.testing.assert_array_equal(file.read(band), expected[name].fillna(-1))
    assert seen == sorted(seen) and seen[-1] == 1 and len(seen) == 3
    assert sorted(os.listdir(tmp_path)) == ["out.tif", "plain.parquet"]


def test_a_raster_file_is_a_template(table, tmp_path):
    points, values, _ = table
    one = shepard.grid_file(write_ogr(tmp_path, points, values), tmp_path / "one.tif", "a", spacing=7)
    two = shepard.grid_file(tmp_path / "points.gpkg", tmp_path / "two.tif", "a",
                            template=tmp_path / "one.tif")
    assert two["raster"] == one["raster"] and two["crs"].to_epsg() == 28992
    with rasterio.open(tmp_path / "one.tif") as first, rasterio.open(tmp_path / "two.tif") as second:
        assert str(first.profile) == str(second.profile)
        np.testing.assert_array_equal(first.read(), second.read())
    write_parquet(tmp_path, points, values)
    with pytest.raises(ValueError, match="EPSG:31370.*EPSG:28992"):
        shepard.grid_file(tmp_path / "plain.parquet", tmp_path / "no.tif", "a", crs=31370,
                          template=tmp_path / "one.tif")


def test_conditions_choose_features(table, tmp_path, monkeypatch):
    """How many there are is known after the last batch."""
    pytest.importorskip("pyogrio")
    monkeypatch.setattr("shepard._sources.BATCH", 150)
    points, values, _ = table
    path = write_csv(tmp_path, points, values)
    told = shepard.grid_file(path, tmp_path / "out.tif", "b", region=REGION, spacing=10,
                             where="kind = 'odd'")
    assert told["points"] == len(points) // 2
    expected = shepard.grid(points[1::2], values["b"][1::2], region=REGION, spacing=10)
    with rasterio.open(tmp_path / "out.tif") as file:
        np.testing.assert_array_equal(file.read(1), expected["values"])


def test_nothing_is_left_after_an_error(table, tmp_path):
    points, values, _ = table
    path = write_parquet(tmp_path, points, values)
    (tmp_path / "out.tif").write_text("the former file")

    def fails(fraction):
        raise LookupError("of the caller")

    with pytest.raises(LookupError):
        shepard.grid_file(path, tmp_path / "out.tif", "a", spacing=10, progress=fails)
    with pytest.raises(shepard.CancelledError):
        shepard.grid_file(path, tmp_path / "out.tif", "a", spacing=10, driver="COG",
                          progress=lambda fraction: False)
    assert (tmp_path / "out.tif").read_text() == "the former file"
    assert sorted(os.listdir(tmp_path)) == ["out.tif", "plain.parquet"]


@pytest.mark.parametrize("driver", ["GTiff", "COG"])
def test_a_full_disk_is_an_error(table, tmp_path, driver):
    """In a process of its own, whose files cannot become larger than 200 kB."""
    points, values, _ = table
    write_parquet(tmp_path, points, values)
    program = textwrap.dedent(f"""
        import resource, shepard
        resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
        try:
            shepard.grid_file("plain.parquet", "out.tif", "a", spacing=0.25, driver="{driver}")
        except (OSError, RuntimeError) as error:
            print("refused")
    """)
    found = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True,
                           text=True)
    assert found.stdout == "refused\n", found.stderr
    assert os.listdir(tmp_path) == ["plain.parquet"]


def test_damaged_files_are_errors(table, tmp_path):
    """A feature count says that features are missing, where a read just ends."""
    pytest.importorskip("pyogrio")
    points, values, _ = table
    path = write_ogr(tmp_path, points, values)
    whole = bytearray(path.read_bytes())
    page = int.from_bytes(whole[16:18], "big")
    for start in range(8 * page, len(whole), page):
        if whole[start] == 13:  # a leaf of a table
            whole[start] = 77
    path.write_bytes(whole)
    with pytest.raises((ValueError, OSError, RuntimeError)):
        shepard.grid_file(path, tmp_path / "out.tif", "a", spacing=10)
    assert os.listdir(tmp_path) == ["points.gpkg"]


def test_what_files_must_be(table, tmp_path):
    pytest.importorskip("pyogrio")
    points, values, _ = table
    csv, parquet = write_csv(tmp_path, points, values), write_parquet(tmp_path, points, values)
    for path, keys, message in (
            (csv, dict(columns="zinc"), "'zinc'.*'a', 'b'"), (csv, {}, "0 columns of numbers"),
            (csv, dict(columns="kind"), "'kind' does not hold numbers"),
            (parquet, {}, "2 columns of numbers.*'a', 'b'"),
            (parquet, dict(columns="a", where="b > 0"), "where is given"),
            (csv, dict(columns="a", classes=2), "classes is given"),
            (parquet, dict(columns="a", x="east"), "'east'"),
            (parquet, dict(columns="a", driver="PNG"), "GTiff or COG"),
            (parquet, dict(columns="a", spacing=None), "no spacing"),
            (parquet, dict(columns="a", template="x.tif"), "one or the other")):
        with pytest.raises(ValueError, match=message):
            shepard.grid_file(path, tmp_path / "out.tif", **{"spacing": 10, **keys})
    with pytest.raises(OSError):
        shepard.grid_file(tmp_path / "none.gpkg", tmp_path / "out.tif", "a", spacing=10)
    with pytest.raises(OSError):
        shepard.grid_file(parquet, tmp_path / "none" / "out.tif", "a", spacing=10)


@pytest.mark.parametrize("module, extra, name", [
    ("rasterio", "geo", "points.csv"), ("pyogrio", "geo", "points.csv"), ("laspy", "laz", "a.las"),
    ("pyarrow.parquet", "geo", "plain.parquet")])
def test_the_extra_is_named(tmp_path, monkeypatch, module, extra, name):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pip install shepard\[{extra}\]"):
        shepard.grid_file(tmp_path / name, tmp_path / "out.tif", "a", spacing=10)
