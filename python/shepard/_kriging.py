# SPDX-License-Identifier: MIT
"""Kriging."""
from typing import Any, Optional

from ._estimator import Estimator


class Kriging(Estimator):
    """Kriging (Matheron 1963), whose covariance is fitted to the data by maximum likelihood.

    Parameters
    ----------
    covariance : {"stable", "exponential", "spherical", "matern32", "gaussian", "linear"}
        gstat's models, with their definition of the range.
    kind : {"ordinary", "simple", "universal"}
        What is known of the mean: nothing, all (`mean`), or that it is a plane of x and y.
    psill, range, nugget, p : float, optional
        Partial sill and nugget in squared units of the values, range in the coordinates' unit, the
        exponent of the stable model. None: fitted; what is given is held.
    mean : float, optional
        Of simple kriging. None: fitted.
    sd : {"auto", "model", "local"}
        Whether standard deviations follow how much the values vary nearby. ``auto``: they do where
        psill or nugget are fitted.
    k : int, optional
        Only the k nearest points. Without k and radius: the 2 nearest points of each octant.
    radius : float, optional
        Only points within it, in the coordinates' unit.
    radius1, radius2 : float, optional
        Semi-axes of an ellipse instead.
    sectors : {1, 4, 8}, optional
        Quadrants or octants, for the limits that follow.
    max_points_per_sector, min_points_per_sector : int, optional
        Limits of each sector.
    min_points : int, optional
        Fewer points used: NaN.
    anisotropy_ratio, anisotropy_angle : float, optional
        The range along the angle (degrees counter-clockwise from +x) over that across it. None:
        fitted; not where a range is given.
    metric : {"plane", "sphere", "space"}
        How distances are measured: X begins with x and y; with longitude and latitude in degrees,
        distances in metres; or with x, y and z.
    trend : bool, default False
        Columns of X after these are covariates, such as the height of the ground; what a
        linear trend of them leaves of y is interpolated.
    seed : int, default 0
        Of the sample of points that the likelihood is computed from.
    backend : {"auto", "cpu", "cuda", "ref"}
        Where to compute.
    device : int, default 0
        Number of the GPU; -1: all of the machine.
    threads : int, optional
        None: as many as OpenMP starts.

    Attributes
    ----------
    parameters_ : Parameters, or a list of them
        Complete; one for each column of a y [n, columns].
    coef_ : array [columns, covariates] or None
        Of the trend.
    n_features_in_ : int
        Columns of X at fit.
    feature_names_in_ : array of str [n_features_in_]
        Names of these columns; only where X has names that are all text.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(0, 100, (200, 2))
    >>> model = shepard.Kriging().fit(X, np.sin(X[:, 0] / 20))
    >>> value, sd = model.predict([[50.0, 50.0]], return_std=True)
    >>> bool(abs(value[0] - np.sin(2.5)) < 0.1), bool(sd[0] > 0)
    (True, True)
    """

    _method = "krige"

    def __init__(self, covariance: str = "stable", kind: str = "ordinary", *,
                 psill: Optional[float] = None, range: Optional[float] = None,
                 nugget: Optional[float] = None, p: Optional[float] = None,
                 mean: Optional[float] = None, sd: str = "auto", k: Optional[int] = None,
                 radius: Optional[float] = None, radius1: Optional[float] = None,
                 radius2: Optional[float] = None, sectors: Optional[int] = None,
                 max_points_per_sector: Optional[int] = None,
                 min_points_per_sector: Optional[int] = None, min_points: Optional[int] = None,
                 anisotropy_ratio: Optional[float] = None,
                 anisotropy_angle: Optional[float] = None, metric: str = "plane",
                 trend: bool = False, seed: int = 0,
                 backend: str = "auto", device: int = 0, threads: Optional[int] = None) -> None:
        self.covariance = covariance
        self.kind = kind
        self.psill = psill
        self.range = range
        self.nugget = nugget
        self.p = p
        self.mean = mean
        self.sd = sd
        self.k = k
        self.radius = radius
        self.radius1 = radius1
        self.radius2 = radius2
        self.sectors = sectors
        self.max_points_per_sector = max_points_per_sector
        self.min_points_per_sector = min_points_per_sector
        self.min_points = min_points
        self.anisotropy_ratio = anisotropy_ratio
        self.anisotropy_angle = anisotropy_angle
        self.metric = metric
        self.trend = trend
        self.seed = seed
        self.backend = backend
        self.device = device
        self.threads = threads

    def fit(self, X: Any, y: Any) -> "Kriging":
        """Takes the data, and fits the covariance, each column's own.

        Parameters
        ----------
        X : array [n, n_features]
            x and y in any one planar unit, or what the metric says, and the covariates with a
            trend. Finite numbers; float32 and float64 are read where they lie.
        y : array [n] or [n, columns]
            Values. Kriging takes no weights of points.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            An array or a parameter is not as described; the message says which, and what to do.
        MemoryError
        """
        self._fit(X, y, None)
        return self
