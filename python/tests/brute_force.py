# SPDX-License-Identifier: MIT
"""Predictions written a second time, with NumPy, from the equations of docs/math.md."""
import numpy as np


def distances(at, points):
    return np.sqrt(((at[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1))


def idw(at, points, values, power=2.0, k=None, smoothing=0.0, weights=None):
    """IDW of degree 0 from the k nearest points, or from all; values [n] or [n, columns]."""
    apart = distances(at, points)
    chosen = np.argsort(apart, axis=1)[:, :k] if k else np.tile(np.arange(len(points)),
                                                               (len(at), 1))
    d = np.take_along_axis(apart, chosen, axis=1)
    with np.errstate(divide="ignore"):
        w = (d**2 + smoothing**2) ** (-power / 2)
    w = np.where(np.isinf(w).any(axis=1, keepdims=True), np.isinf(w), w)
    if weights is not None:
        w = w * weights[chosen]
    z = values[chosen]
    if z.ndim == 3:
        w = w[..., None]
    return (w * z).sum(axis=1) / w.sum(axis=1)


def ordinary_kriging(at, points, values, covariance, nugget, psill):
    """Values and standard deviations from all points; covariance(h) is psill rho(h)."""
    n = len(points)
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = covariance(distances(points, points)) + nugget * np.eye(n)
    system[n, n] = 0
    right = np.ones((n + 1, len(at)))
    right[:n] = covariance(distances(points, at))
    weights = np.linalg.solve(system, right)
    variance = nugget + psill - (weights * right).sum(axis=0)
    return weights[:n].T @ values, np.sqrt(np.maximum(variance, 0))
