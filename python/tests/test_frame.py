# SPDX-License-Identifier: MIT
"""Frames of GeoPandas in and out."""
import sys

import numpy as np
import pytest
from brute_force import idw

import shepard

geopandas = pytest.importorskip("geopandas")


def frame_of(places, crs="EPSG:28992", **columns):
    return geopandas.GeoDataFrame(columns, geometry=geopandas.points_from_xy(*places.T), crs=crs)


@pytest.fixture
def data(sites, rng):
    """A frame with gaps of their own in two columns, and places to predict at."""
    points, z = sites
    gaps = rng.random((2, len(z))) < 0.3
    frame = frame_of(points, a=np.where(gaps[0], np.nan, z), b=np.where(gaps[1], np.nan, z**2),
                     label="text")
    frame["c"] = frame.b.round().astype("Int64")
    return frame, rng.uniform(-50, 150, (80, 2))


def test_each_column_misses_its_own_values(data):
    frame, at = data
    places = np.column_stack([frame.geometry.x, frame.geometry.y])
    found = shepard.predict_frame(frame, frame_of(at), columns=["c", "a", "b"], method="idw:k=7")
    assert list(found.columns) == ["c", "a", "b", "geometry"]
    for name in "abc":
        column = frame[name].to_numpy(float, na_value=np.nan)
        there = ~np.isnan(column)
        expected = idw(at, places[there], column[there], k=7)
        assert (abs(found[name] - expected) <= 1e-11 * np.ptp(column[there])).all()


@pytest.mark.parametrize("method", ["idw:k=12", "krige"])
def test_columns_together_are_columns_alone(data, method):
    frame, at = data
    outputs = ("values", "sd")
    both = shepard.predict_frame(frame, frame_of(at), method=method, outputs=outputs)
    assert list(both.columns) == ["a", "b", "c", "a_sd", "b_sd", "c_sd", "geometry"]
    one = shepard.predict_frame(frame, frame_of(at), "b", method, outputs=outputs)
    np.testing.assert_array_equal(both[["b", "b_sd"]], one[["b", "b_sd"]])
    texts = both.attrs["shepard_parameters"]
    assert (texts[1] if method == "krige" else texts) == one.attrs["shepard_parameters"]


def test_index_geometry_and_crs_are_those_of_the_targets(data):
    frame, at = data
    targets = frame_of(at).set_index(np.arange(len(at))[::-1] * 3)
    expected = shepard.predict_frame(frame, targets, "a", "idw:smoothing=1")
    degrees = targets.to_crs(4326)
    found = shepard.predict_frame(frame, degrees.geometry, "a", "idw:smoothing=1")
    assert found.index.equals(targets.index) and found.crs == degrees.crs
    assert found.geometry.geom_equals(degrees.geometry).all()
    assert (abs(found.a - expected.a) <= 1e-3 * np.ptp(expected.a)).all()  # there and back again
    far = shepard.predict_frame(frame.to_crs(4326), degrees, "a")  # great circles
    near = shepard.predict_frame(frame, targets, "a")
    assert (abs(far.a - near.a) <= 0.02 * np.ptp(near.a)).all()
    plane = shepard.predict_frame(frame.to_crs(4326), degrees, "a", metric="plane")
    assert (far.a != plane.a).any()


def test_missing_geometries(data):
    frame, at = data
    at = frame_of(at)
    expected = shepard.predict_frame(frame.iloc[9:], at, "a")
    frame.loc[:8, "geometry"] = None
    at.loc[3, "geometry"] = None
    found = shepard.predict_frame(frame, at, "a")
    assert np.isnan(found.a[3])
    np.testing.assert_array_equal(found.a.drop(3), expected.a.drop(3))
    assert len(shepard.predict_frame(frame, at.iloc[:0], "a")) == 0


def test_weights_are_a_column_or_an_array(data, rng):
    frame, at = data
    frame["w"] = rng.uniform(0.5, 2, len(frame))
    one = shepard.predict_frame(frame, frame_of(at), "a", weights="w")
    two = shepard.predict_frame(frame, frame_of(at), "a", weights=frame.w.to_numpy())
    np.testing.assert_array_equal(one.a, two.a)
    assert (one.a != shepard.predict_frame(frame, frame_of(at), "a").a).any()


def test_what_frames_must_be(data):
    frame, at = data
    at = frame_of(at)
    for arguments, message in (
            ((frame, at, ["a", "zinc"]), "'zinc'.*'a', 'b'"), ((frame, at, "label"), "'label'.*numbers"),
            ((frame[["label", "geometry"]], at), "no column of numbers"),
            ((frame, at.set_crs(None, allow_override=True)), "has none"),
            ((frame.set_geometry(frame.buffer(1)), at, "a"), "frame holds a Polygon"),
            ((frame, at.buffer(1), "a"), "at holds a Polygon")):
        with pytest.raises(ValueError, match=message):
            shepard.predict_frame(*arguments)
    with pytest.raises(TypeError, match="GeoDataFrame is needed"):
        shepard.predict_frame(frame, np.zeros((3, 2)), "a")


def test_the_extra_is_named(data, monkeypatch):
    frame, at = data
    monkeypatch.setitem(sys.modules, "geopandas", None)
    with pytest.raises(ImportError, match=r"pip install shepard\[geo\]"):
        shepard.predict_frame(frame, frame_of(at), "a")
