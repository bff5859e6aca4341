# SPDX-License-Identifier: MIT
"""Distances on the sphere and in space, against formulas over all points."""
import pickle

import numpy as np
import pytest

import shepard

RADIUS = 6371008.8


def great_circles(a, b):
    """[m, n], by the haversine formula."""
    (p, q), (r, s) = (np.radians(a.T[:, :, None]), np.radians(b.T[:, None, :]))
    h = np.sin((s - q) / 2) ** 2 + np.cos(q) * np.cos(s) * np.sin((r - p) / 2) ** 2
    return 2 * RADIUS * np.arcsin(np.minimum(1, np.sqrt(h)))


def idw(distances, values, k):
    near = np.argsort(distances, axis=1)[:, :k]
    weights = np.take_along_axis(distances, near, 1) ** -2.0
    return (weights * values[near]).sum(axis=1) / weights.sum(axis=1)


@pytest.fixture
def globe():
    rng = np.random.default_rng(5)
    places = [np.column_stack([rng.uniform(-180, 180, n), rng.uniform(low, 90, n)])
              for n, low in ((300, -90), (100, 88), (80, -90), (20, 89))]
    return np.vstack(places[:2]), rng.normal(size=400), np.vstack(places[2:])


def test_great_circles(globe):
    X, z, at = globe
    d = great_circles(at, X)
    expected = idw(d, z, 7)
    np.testing.assert_allclose(shepard.IDW(k=7, metric="sphere").fit(X, z).predict(at), expected,
                               rtol=0, atol=1e-9)
    f = shepard.Interpolator(X, z, "idw:k=7", metric="sphere")
    np.testing.assert_allclose(f(at), expected, rtol=0, atol=1e-9)
    points = shepard.Points(X, metric="sphere", sphere_radius=1.0)
    distances, _ = points.nearest(at, 3)
    np.testing.assert_allclose(distances, np.sort(d, axis=1)[:, :3] / RADIUS, rtol=1e-9)
    again = pickle.loads(pickle.dumps(points))
    np.testing.assert_array_equal(again.nearest(at, 3)[0], distances)


def test_space():
    rng = np.random.default_rng(6)
    X, z, at = rng.uniform(size=(200, 3)), rng.normal(size=200), rng.uniform(size=(50, 3))
    expected = idw(np.linalg.norm(at[:, None] - X, axis=2), z, 7)
    model = shepard.IDW(k=7, metric="space").fit(X, z)
    np.testing.assert_allclose(model.predict(at), expected, rtol=0, atol=1e-9)
    points = shepard.Points(tuple((X * [1, 1, 0.25]).T), metric="space", vertical_factor=4.0)
    field = shepard.Field(points, z)
    found = field.predict(at * [1, 1, 0.25], "idw:k=7")
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    raster = shepard.Raster(0, 1, 0.5, -0.5, 2, 2, z=0.125)
    centres = np.array([[x, y, 0.5] for y in raster.y for x in raster.x])
    np.testing.assert_allclose(field.predict(raster, "idw:k=7").ravel(),
                               model.predict(centres), rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="minimum of 3.*x, y and z"):
        shepard.IDW(metric="space").fit(X[:, :2], z)
    with pytest.raises(ValueError, match=r"an array \[n, 3\] of x, y and z"):
        points.nearest(at[:, :2])


def test_what_a_metric_does_not_do(globe):
    X, z, _ = globe
    with pytest.raises(ValueError, match="plane, sphere, space"):
        shepard.Points(X, metric="globe")
    with pytest.raises(shepard.ArgumentError, match="eps"):
        shepard.IDW(k=None, metric="sphere").fit(X, z).predict(X[:2])


def chords(a, b):
    """[m, n], straight through the sphere."""
    return 2 * RADIUS * np.sin(great_circles(a, b) / 2 / RADIUS)


def krige(between, to, values, psill, nugget, length):
    """Ordinary kriging from all points, exponential."""
    n = len(values)

    def rise(h):
        return np.where(h > 0, nugget + psill * -np.expm1(-h / length), 0)

    a = np.ones((n + 1, n + 1))
    a[:n, :n], a[n, n] = rise(between), 0
    np.fill_diagonal(a, 0)
    b = np.vstack([rise(to).T, np.ones(len(to))])
    return np.linalg.solve(a, b)[:n].T @ values


def test_kriging():
    rng = np.random.default_rng(7)
    model = dict(covariance="exponential", psill=2.0, nugget=0.3, k=60, anisotropy_ratio=1.0)
    X = np.column_stack([rng.uniform(-180, 180, 60), rng.uniform(-90, 90, 60)])
    z, at = rng.normal(size=60), np.array([[0.0, 90.0], [179.9, 3.0], [12.0, -45.0]])
    expected = krige(chords(X, X), chords(at, X), z, 2.0, 0.3, 3e6)
    found = shepard.Kriging(range=3e6, metric="sphere", **model).fit(X, z)
    np.testing.assert_allclose(found.predict(at), expected, rtol=0, atol=1e-9)
    X, at = rng.uniform(size=(60, 3)), rng.uniform(size=(5, 3))
    d, to = (np.linalg.norm(p[:, None] - X, axis=2) for p in (X, at))
    found = shepard.Kriging(range=0.4, metric="space", **model).fit(X, z)
    np.testing.assert_allclose(found.predict(at), krige(d, to, z, 2.0, 0.3, 0.4), rtol=0,
                               atol=1e-9)


def test_fit_and_validation():
    """A small patch of the sphere is a plane, and a plane of space is one."""
    rng = np.random.default_rng(8)
    flat = rng.uniform(-1e4, 1e4, (400, 2))
    z = np.sin(flat[:, 0] / 3e3) + np.cos(flat[:, 1] / 2e3) + 0.1 * rng.normal(size=400)
    degrees = np.degrees(flat / RADIUS)
    upright = np.column_stack([flat, np.full(400, 7.0)])
    wanted, _ = shepard.fit_parameters(flat, z, "krige:anisotropy_ratio=1")
    for X, metric in ((degrees, "sphere"), (upright, "space")):
        found, info = shepard.fit_parameters(X, z, "krige:anisotropy_ratio=1", metric=metric)
        assert info["fitted"]
        for key in ("psill", "range", "nugget", "p"):
            assert float(found[key]) == pytest.approx(float(wanted[key]), rel=2e-3)
        plane = shepard.validate(flat, z, ["idw:k=8", wanted], kind="k_fold")
        there = shepard.validate(X, z, ["idw:k=8", found], kind="k_fold", metric=metric)
        for a, b in zip(plane, there):
            np.testing.assert_array_equal(np.sort(a.indices), np.sort(b.indices))
            assert b.rmse == pytest.approx(a.rmse, rel=0.05)
        targets = X[:50] + 1e-4
        stars = shepard.validate(X, z, "idw:k=8", kind="stars", targets=targets, metric=metric)
        assert stars.scores["count"] > 0
        tuned = shepard.tune(X, z, metric=metric, seconds=20)
        assert "anisotropy_ratio=2" not in tuned.parameters.text or metric == "space"
