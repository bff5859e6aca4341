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
