# SPDX-License-Identifier: MIT
"""Searches and predictions are those of SciPy and of NumPy's brute force."""
import numpy as np
import pytest
from brute_force import distances, idw, ordinary_kriging

import shepard


def test_nearest_is_that_of_scipy(rng):
    spatial = pytest.importorskip("scipy.spatial")
    for _ in range(20):
        n, m = rng.integers(1, 3000, 2)
        k = int(rng.integers(1, min(n, 40) + 1))
        points, at = rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) * 2
        expected, indices = spatial.cKDTree(points).query(at, [*range(1, k + 1)])
        found = shepard.Points(points).nearest(at, k)
        np.testing.assert_allclose(found[0], expected, rtol=1e-12)
        np.testing.assert_array_equal(found[1], indices)


def test_nearest_fills_rows_where_points_run_out():
    found = shepard.Points(np.zeros((1, 2))).nearest([[3.0, 4.0]], k=2)
    np.testing.assert_array_equal(found[0], [[5.0, np.nan]])
    np.testing.assert_array_equal(found[1], [[0, 2**32 - 1]])


@pytest.mark.parametrize("keys", [
    dict(k=1), dict(k=12), dict(k=40, power=3.5), dict(k=12, smoothing=2.5), dict(eps=0),
    dict(eps=0, power=1.3, precision="double"), dict(eps=1e-9, precision="double"), dict()])
def test_idw_is_that_of_brute_force(sites, rng, keys):
    points, z = sites
    at = np.vstack([rng.uniform(-60, 160, (300, 2)), points[:5]])
    values = np.column_stack([z, z**2, -z])
    weights = rng.uniform(0.5, 2, len(points))
    field = shepard.Field(shepard.Points(points), values, weights)
    found = field.predict(at, shepard.Parameters("idw", **keys))
    plain = {name: value for name, value in keys.items() if name in ("k", "power", "smoothing")}
    expected = idw(at, points, values, weights=weights, **plain)
    tolerance = 1e-12 if keys.get("k") else max(keys.get("eps", 1e-4), 5e-6)
    assert (abs(found - expected) <= tolerance * np.ptp(values, axis=0)).all()


def test_aidw_with_equal_powers_is_idw(sites):
    points, z = sites
    at = points[:200] + 0.5
    field = shepard.Field(shepard.Points(points), z)
    found = field.predict(at, shepard.Parameters("aidw", powers=[3] * 5, max_points=10))
    np.testing.assert_allclose(found, idw(at, points, z, power=3, k=10), rtol=1e-12,
                               atol=1e-12 * np.ptp(z))


def test_kriging_is_that_of_brute_force(sites):
    points, z = (array[:150] for array in sites)
    at = points[:40] + 3.0
    parameters = shepard.Parameters("krige", covariance="exponential", psill=2, range=30,
                                    nugget=0.3, k=150)
    found = shepard.Field(shepard.Points(points), z).predict(at, parameters,
                                                             outputs=("values", "sd"))
    values, sd = ordinary_kriging(at, points, z, lambda h: 2 * np.exp(-h / 30), 0.3, 2)
    np.testing.assert_allclose(found["values"], values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found["sd"], sd, rtol=1e-9)


def test_gaps_leave_points_out_of_their_column_only(sites, rng):
    points, z = sites
    values = np.column_stack([z, z, z])
    values[rng.random(values.shape) < 0.3] = np.nan
    found = shepard.Field(shepard.Points(points), values).predict(points[:100] + 1, "idw:k=6")
    for j in range(3):
        there = ~np.isnan(values[:, j])
        expected = idw(points[:100] + 1, points[there], values[there, j], k=6)
        np.testing.assert_allclose(found[:, j], expected, rtol=1e-11)


def test_outputs(sites):
    points, z = sites
    at = points[:50] + 0.7
    field = shepard.Field(shepard.Points(points), z)
    found = field.predict(at, "idw:k=9", outputs=shepard._field.OUTPUTS)
    near = np.sort(distances(at, points), axis=1)
    np.testing.assert_allclose(found["nearest"], near[:, 0], rtol=1e-12)
    assert (found["count"] == 9).all() and (found["power"] == 2).all()
    assert (found["effective"] >= 1).all() and (found["effective"] <= 9).all()
    w = near[:, :9] ** -2.0
    np.testing.assert_allclose(found["effective"], w.sum(1) ** 2 / (w**2).sum(1), rtol=1e-9)
    assert (found["sd"] > 0).all() and (found["deviation"] >= 0).all()
    with pytest.raises(ValueError, match="unknown"):
        field.predict(at, outputs="alpha")


def test_raster_and_window_have_the_bits_of_each_other(sites):
    points, z = sites
    field = shepard.Field(shepard.Points(points), np.column_stack([z, -z]))
    raster = shepard.Raster(-50, 150, 4, -5, columns=50, rows=40)
    whole = field.predict(raster, "idw")
    assert whole.shape == (40, 50, 2)
    part = field.predict(shepard.Window(raster, 7, 11, 20, 9), "idw")
    np.testing.assert_array_equal(part, whole[11:20, 7:27])
    x, y = np.meshgrid(raster.x, raster.y)
    listed = field.predict((x, y), "idw").reshape(whole.shape)
    assert abs(listed - whole).max() <= 1e-4 * np.ptp(z)


def test_leave_one_out_is_a_prediction_from_the_others(sites):
    points, z = (array[:60] for array in sites)
    found = shepard.Field(shepard.Points(points), z).predict(shepard.LeaveOneOut(), "idw:k=5")
    for i in range(60):
        others = np.arange(60) != i
        expected = idw(points[i:i + 1], points[others], z[others], k=5)
        np.testing.assert_allclose(found[i], expected[0], rtol=1e-12, atol=1e-12 * np.ptp(z))


def test_targets_that_are_not_finite_have_no_prediction(sites):
    points, z = sites
    found = shepard.Field(shepard.Points(points), z).predict([[np.nan, 0], [0, 0]], "idw:k=3")
    assert np.isnan(found[0]) and np.isfinite(found[1])


def test_fit_recovers_a_given_covariance(rng):
    points = rng.uniform(0, 100, (400, 2))
    covariance = 4 * np.exp(-distances(points, points) / 15) + 1e-9 * np.eye(400)
    z = np.linalg.cholesky(covariance) @ rng.standard_normal(400)
    parameters, info = shepard.fit_parameters(points, z, "krige:model=exponential")
    assert parameters.is_complete and info["form"] == "likelihood"
    ratio = float(parameters["psill"]) / float(parameters["range"])
    assert 0.4 < ratio / (4 / 15) < 2.5  # what a likelihood can tell of both


def test_griddata_and_interpolator_have_scipys_shapes(sites):
    interpolate = pytest.importorskip("scipy.interpolate")
    points, z = sites
    x, y = np.mgrid[0:100:7j, 0:100:5j]
    for xi in ((x, y), np.dstack([x, y]), points[:9], (x[:, :1], y[:1])):
        theirs = interpolate.griddata(points, z, xi, "nearest")
        ours = shepard.griddata(points, z, xi, "idw:k=1")
        np.testing.assert_array_equal(ours, theirs)
    for values in (z, z[:, None], np.column_stack([z, -z]), z.reshape(-1, 1, 1)):
        theirs = interpolate.RBFInterpolator(points, values, neighbors=5)(points[:7])
        assert shepard.Interpolator(points, values)(points[:7]).shape == theirs.shape


def test_griddata_rescales_and_fills(sites):
    interpolate = pytest.importorskip("scipy.interpolate")
    points, z = sites
    stretched = points * [1, 1e4]
    at = stretched[:30] + [1, 1e4]
    np.testing.assert_array_equal(
        shepard.griddata(stretched, z, at, "idw:k=1", rescale=True),
        interpolate.griddata(stretched, z, at, "nearest", rescale=True))
    found = shepard.griddata(points, z, [[1e5, 1e5]], "idw", fill_value=-1, radius=5)
    assert found.tolist() == [-1]


@pytest.mark.parametrize("method, keys, complete", [
    ("idw:k=12", {"k": 5}, "idw:k=5"),
    ("idw:K=12:power=3", {"k": 5, "power": None}, "idw:power=3:k=5"),
    ("aidw:alphas=1,2,3,4,5:k=8", {"powers": [3] * 5}, "aidw:k=8:alphas=3,3,3,3,3"),
    ("krige:model=exponential:k=9", {"covariance": "spherical", "n_neighbors": 20},
     "krige:model=spherical:k=20")])
def test_a_key_replaces_that_of_the_method(method, keys, complete):
    assert shepard.Parameters(method, **keys) == shepard.Parameters(complete)
    assert shepard.Parameters.of(shepard.Parameters(method), **keys) == shepard.Parameters(complete)


def test_a_key_replaces_that_of_the_default_method(sites):
    points, z = sites
    at = points[:50] + 0.3
    expected = idw(at, points, z, k=5)
    np.testing.assert_allclose(shepard.Interpolator(points, z, k=5)(at), expected,
                               rtol=0, atol=1e-12 * np.ptp(z))
    np.testing.assert_allclose(shepard.griddata(points, z, at, k=5), expected,
                               rtol=0, atol=1e-12 * np.ptp(z))
