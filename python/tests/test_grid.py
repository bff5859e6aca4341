# SPDX-License-Identifier: MIT
"""Datasets of xarray: cells, chunks, coordinates and CRS."""
import pickle
import sys

import numpy as np
import pytest
from brute_force import idw

import shepard

xarray = pytest.importorskip("xarray")


def centres(dataset, x="x", y="y"):
    return np.column_stack([part.ravel() for part in np.meshgrid(dataset[x], dataset[y])])


@pytest.mark.parametrize("keys", [dict(k=9), dict(k=5, power=3.2, smoothing=1.5)])
def test_cells_are_those_of_brute_force(sites, rng, keys):
    points, z = sites
    values = {"a": z, "b": np.where(rng.random(len(z)) < 0.3, np.nan, z**2)}
    found = shepard.grid(points, values, "idw", region=(-50, 150, -40, 160), spacing=(4, 10), **keys)
    assert dict(found.sizes) == {"y": 20, "x": 50}
    assert (found.x[[0, -1]] == [-48, 148]).all() and (found.y[[0, -1]] == [155, -35]).all()
    for name, column in values.items():
        there = ~np.isnan(column)
        expected = idw(centres(found), points[there], column[there], **keys)
        assert (abs(found[name].values.ravel() - expected) <= 1e-11 * np.ptp(expected)).all()


def test_without_a_region_the_cells_cover_the_points(rng):
    for _ in range(50):
        points = rng.normal(size=(20, 2)) * 10.0 ** rng.integers(-3, 6)
        spacing = float(np.ptp(points[:, 0]) / rng.integers(1, 30))
        found = shepard.grid(points, points[:, 0], spacing=spacing)
        for name, column in zip("xy", points.T):
            edges = found[name].min() - spacing / 2, found[name].max() + spacing / 2
            slack = 1e-5 * spacing
            assert edges[0] - slack <= column.min() < edges[0] + spacing + slack
            assert edges[1] - spacing - slack < column.max() <= edges[1] + slack
            np.testing.assert_allclose(np.array(edges) / spacing, np.round(np.array(edges) / spacing),
                                       atol=1e-6)


METHODS = ["idw:k=12", "idw", "aidw", "krige:psill=1:range=40:nugget=0.1:p=1", "krige"]


@pytest.mark.parametrize("method", METHODS)
def test_chunks_have_the_bits_of_one_piece(sites, rng, method):
    """300 x 280 cells, much finer than the data: the library sums over tiles of them."""
    pytest.importorskip("dask")
    points, z = (array[:300] for array in sites)
    outputs = ("values", "sd", "nearest", "effective")
    values = np.column_stack([z, -z])
    whole = shepard.grid(points, values, method, region=(-50, 150, -50, 150), outputs=outputs,
                         spacing=(200 / 300, 200 / 280))
    template = whole.values_0.chunk({"x": int(rng.integers(40, 300)), "y": int(rng.integers(40, 280))})
    lazy = shepard.grid(points, values, method, template=template, outputs=outputs)
    assert set(lazy) == {"values_0", "values_1", "values_0_sd", "values_1_sd", "nearest", "effective"}
    for name, array in lazy.items():
        assert array.chunks == template.chunks
        np.testing.assert_array_equal(array.compute(scheduler="threads"), whole[name])
    part = lazy.values_1[30:70, 50:90]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(part)).compute(), whole.values_1[30:70, 50:90])


def test_every_kind_of_template(sites):
    points, z = sites
    raster = shepard.Raster(-50, 150, 8, -10, columns=25, rows=20)
    expected = shepard.Field(shepard.Points(points), z).predict(raster, "idw:k=12")
    x, y = raster.x, raster.y
    time = xarray.DataArray(np.zeros((3, 20, 25)), {"time": [1, 2, 3], "y": y, "x": x},
                            ("time", "y", "x"))
    lon = xarray.Dataset(coords={"lon": x, "lat": y})
    marked = xarray.Dataset(coords={"e": ("e", x, {"axis": "X"}), "n": ("n", y, {"axis": "Y"})})
    south_up = xarray.Dataset(coords={"x": x, "y": y[::-1]})
    for template, names in ((raster, "yx"), (time, "yx"), (time.T.to_dataset(name="t"), "yx"),
                            (lon, ("lat", "lon")), (marked, "ne"), (south_up, "yx")):
        found = shepard.grid(points, z, template=template, names="z").z
        assert found.dims == tuple(names)
        array = found.values if found[names[0]][0] > found[names[0]][1] else found.values[::-1]
        np.testing.assert_allclose(array, expected, rtol=1e-11, atol=1e-11)
    row = xarray.Dataset(coords={"x": x, "y": y[:1]})
    found = shepard.grid(points, z, template=row)["values"]
    np.testing.assert_allclose(found.values, idw(centres(found), points, z, k=12)[None], rtol=1e-11, atol=1e-11)


def test_the_template_stays_as_it_is(sites):
    template = xarray.Dataset(coords={"x": [1.0, 2.0], "y": [3.0, 4.0]})
    found = shepard.grid(*sites, template=template)
    assert found.x.attrs["axis"] == "X" and template.x.attrs == {}


def test_parameters_read_back(sites):
    points, z = sites
    found = shepard.grid(points, {"a": z, "b": z**2}, "krige", spacing=20, outputs=("values", "sd"))
    assert found.a.attrs["shepard_parameters"] != found.b.attrs["shepard_parameters"]
    again = shepard.grid(points, z, found.a.attrs["shepard_parameters"], template=found)
    np.testing.assert_array_equal(again["values"], found.a)
    assert found.a_sd.attrs["long_name"].startswith("standard deviation of a")


def test_names(sites):
    pandas = pytest.importorskip("pandas")
    points, z = sites
    frame = pandas.DataFrame({"a": z, "b": pandas.array(z.round().astype(int)).astype("Int64")})
    frame.loc[:5, "b"] = pandas.NA
    whole = shepard.grid(points, frame, spacing=20)
    assert list(whole) == ["a", "b"]
    for given, names in ((frame.b, None), (frame.b.to_numpy(float, na_value=np.nan), "b"),
                         ({"b": frame.b.to_numpy(float, na_value=np.nan)}, None),
                         (frame[["b"]].astype(float).rename(columns={"b": "c"}), ["b"])):
        one = shepard.grid(points, given, names=names, spacing=20)
        np.testing.assert_array_equal(one.b, whole.b)
    assert list(shepard.grid(points, z, spacing=20)) == ["values"]
    with pytest.raises(ValueError, match="names has 1"):
        shepard.grid(points, frame, names="a", spacing=20)
    with pytest.raises(ValueError, match="same name"):
        shepard.grid(points, frame, names=["count", "b"], spacing=20, outputs=("values", "count"))


def test_crs_and_cf_coordinates(sites, tmp_path):
    pytest.importorskip("rioxarray")
    points, z = sites
    found = shepard.grid(points, z, spacing=20, crs="EPSG:28992")
    assert found.rio.crs.to_epsg() == 28992 and found.x.attrs["units"] == "metre"
    assert found.x.attrs["standard_name"] == "projection_x_coordinate"
    assert found.rio.bounds() == (-60, -60, 160, 160)
    assert found.rio.transform()[:6] == (20, 0, -60, 0, -20, 160)
    again = shepard.grid(points, z, template=found["values"])
    assert again.rio.crs == found.rio.crs
    with pytest.raises(ValueError, match="EPSG:31370.*EPSG:28992"):
        shepard.grid(points, z, template=found, crs=31370)
    degrees = shepard.grid(points / 10, z, spacing=2, crs=4326)
    sphere = shepard.grid(points / 10, z, spacing=2, crs=4326, metric="sphere")
    np.testing.assert_array_equal(degrees["values"], sphere["values"])
    assert degrees.y.attrs["units"] == "degrees_north"


def test_frames_of_geopandas(sites):
    geopandas = pytest.importorskip("geopandas")
    points, z = sites
    frame = geopandas.GeoDataFrame({"a": z, "name": "x", "b": -z}, crs=28992,
                                   geometry=geopandas.points_from_xy(*points.T))
    found = shepard.grid(frame, spacing=20)
    assert list(found) == ["a", "b"] and found.rio.crs.to_epsg() == 28992
    np.testing.assert_array_equal(shepard.grid(frame, "b", spacing=20).b, found.b)
    np.testing.assert_array_equal(shepard.grid(points, z, spacing=20)["values"], found.a)


def test_what_a_grid_must_be(sites):
    points, z = sites
    for keys, message in (
            ({}, "no spacing and no template"), (dict(region=(0, 1, 0, 1)), "no spacing"),
            (dict(spacing=0), "above 0"), (dict(spacing=np.nan), "above 0"),
            (dict(spacing=1, region=(1, 0, 0, 1)), "west <= east"),
            (dict(spacing=1, template=xarray.Dataset()), "one or the other"),
            (dict(template=xarray.Dataset()), "x and y with coordinates"),
            (dict(template=xarray.Dataset(coords={"x": [1.0], "y": [1.0]})), "one cell"),
            (dict(template=xarray.Dataset(coords={"x": [0, 1.0, 2.01], "y": [1.0, 2]})),
             "x is not evenly spaced"),
            (dict(spacing=10, outputs="alpha"), "alpha"), (dict(spacing=10, k=-1), "k")):
        with pytest.raises(ValueError, match=message):
            shepard.grid(points, z, "idw", **keys)


@pytest.mark.parametrize("module, call", [
    ("xarray", lambda points, z: shepard.grid(points, z, spacing=50)),
    ("pyproj", lambda points, z: shepard.grid(points, z, spacing=50, crs=28992))])
def test_the_extra_is_named(sites, monkeypatch, module, call):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install shepard\[xarray\]"):
        call(*sites)


def test_without_rioxarray_the_crs_is_an_attribute(sites, monkeypatch):
    pytest.importorskip("pyproj")
    monkeypatch.setitem(sys.modules, "rioxarray", None)
    found = shepard.grid(*sites, spacing=50, crs=28992)
    assert found.attrs["crs"] == "EPSG:28992" and "spatial_ref" not in found.coords
