# SPDX-License-Identifier: MIT
"""IDW and AIDW."""
from typing import Any, Optional, Sequence

from ._estimator import Estimator

_SHARED = """radius : float, optional
        Only points within it, in the coordinates' unit.
    radius1, radius2, angle : float, optional
        Semi-axes of an ellipse instead, radius1 along the angle, in degrees counter-clockwise
        from +x.
    sectors : {1, 4, 8}
        Quadrants or octants, for the two limits that follow.
    min_points : int, optional
        Fewer points used: NaN.
    max_points_per_sector, min_points_per_sector : int, optional
        Limits of each sector.
    degree : {0, 1}
        1 fits a weighted plane instead of the mean, and follows slopes.
    ridge, damping : float, optional
        Of degree 1, on the slopes and on extrapolation; None: 1e-3 and 0.2.
    eps : float, optional
        Tolerance of sums over all points, a fraction of the value range; None: 1e-4; 0: every
        pair is summed.
    precision : {"single", "double"}, optional
        Of sums over all points; None: single.
    anisotropy_ratio, anisotropy_angle : float
        Distances along the angle count 1 / ratio.
    metric : {"plane", "sphere", "space"}
        How distances are measured: X begins with x and y; with longitude and latitude in degrees,
        distances in metres; or with x, y and z.
    trend : bool, default False
        Columns of X after these are covariates, such as the height of the ground; what a
        linear trend of them leaves of y is interpolated.
    backend : {"auto", "cpu", "cuda", "ref"}
        Where to compute.
    device : int, default 0
        Number of the GPU; -1: all of the machine.
    threads : int, optional
        None: as many as OpenMP starts.

    Attributes
    ----------
    parameters_ : Parameters
        Those of the predictions.
    coef_ : array [columns, covariates] or None
        Of the trend.
    n_features_in_ : int
        Columns of X at fit.
    feature_names_in_ : array of str [n_features_in_]
        Names of these columns; only where X has names that are all text."""


class _Weighting(Estimator):
    """What IDW and AIDW share."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Takes the data.

        Parameters
        ----------
        X : array [n, n_features]
            x and y in any one planar unit, or what the metric says, and the covariates with a
            trend. Finite numbers; float32 and float64 are read where they lie.
        y : array [n] or [n, columns]
            Values; several columns share one search.
        sample_weight : array [n] or float, optional
            Weights of the points, each >= 0; 0 leaves a point out.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            An array or a parameter is not as described; the message says which, and what to do.
        MemoryError
        """
        return self._fit(X, y, sample_weight)


class IDW(_Weighting):
    __doc__ = f"""Inverse distance weighting (Shepard 1968).

    ``Z(s) = sum_i w_i z_i / sum_i w_i``, ``w_i = (d(s, s_i)^2 + smoothing^2)^(-power / 2)``.

    Parameters
    ----------
    k : int or None, default 12
        Only the k nearest points; None: all points, in O(log n) a target.
    power : float, default 2
        Exponent of the distance, in (0, 100].
    smoothing : float, default 0
        Added to distances in quadrature, in the coordinates' unit.
    {_SHARED}

    Examples
    --------
    >>> import numpy as np, shepard
    >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    >>> model = shepard.IDW(k=2).fit(X, [1.0, 3.0, 5.0])
    >>> model.predict([[1.0, 0.0], [2.0, 0.0]]).tolist()
    [2.0, 3.0]
    """

    _method = "idw"

    def __init__(self, k: Optional[int] = 12, power: float = 2.0, smoothing: float = 0.0, *,
                 radius: Optional[float] = None, radius1: Optional[float] = None,
                 radius2: Optional[float] = None, angle: Optional[float] = None, sectors: int = 1,
                 min_points: Optional[int] = None, max_points_per_sector: Optional[int] = None,
                 min_points_per_sector: Optional[int] = None, degree: int = 0,
                 ridge: Optional[float] = None, damping: Optional[float] = None,
                 eps: Optional[float] = None, precision: Optional[str] = None,
                 anisotropy_ratio: float = 1.0, anisotropy_angle: float = 0.0,
                 metric: str = "plane", trend: bool = False, backend: str = "auto", device: int = 0, threads: Optional[int] = None) -> None:
        self.k = k
        self.power = power
        self.smoothing = smoothing
        self.radius = radius
        self.radius1 = radius1
        self.radius2 = radius2
        self.angle = angle
        self.sectors = sectors
        self.min_points = min_points
        self.max_points_per_sector = max_points_per_sector
        self.min_points_per_sector = min_points_per_sector
        self.degree = degree
        self.ridge = ridge
        self.damping = damping
        self.eps = eps
        self.precision = precision
        self.anisotropy_ratio = anisotropy_ratio
        self.anisotropy_angle = anisotropy_angle
        self.metric = metric
        self.trend = trend
        self.backend = backend
        self.device = device
        self.threads = threads


class AIDW(_Weighting):
    __doc__ = f"""Adaptive inverse distance weighting (Lu & Wong 2008).

    The power follows the density of the data around each target.

    Parameters
    ----------
    k : int, default 10
        Neighbours that measure the density.
    powers : five floats, optional
        Powers from dense to sparse data; None: 1.5, 2, 2.5, 3, 3.5.
    max_points : int, optional
        Only so many nearest points; None: all points, in O(log n) a target.
    smoothing : float, default 0
        Added to distances in quadrature, in the coordinates' unit.
    r_min, r_max : float, optional
        Relative distances at which the first and the last power are reached; None: 0 and 2.
    area : float, optional
        Of the study, in squared units; None: bounding box of the data.
    expect : {{"auto", "nn", "knn"}}, optional
        Which expected distance the density is compared with.
    {_SHARED}

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(0, 1, (50, 2))
    >>> model = shepard.AIDW().fit(X, X[:, 0])
    >>> bool(abs(model.predict([[0.5, 0.5]])[0] - 0.5) < 0.1)
    True
    """

    _method = "aidw"

    def __init__(self, k: int = 10, powers: Optional[Sequence[float]] = None,
                 max_points: Optional[int] = None, smoothing: float = 0.0, *,
                 r_min: Optional[float] = None, r_max: Optional[float] = None,
                 area: Optional[float] = None, expect: Optional[str] = None,
                 radius: Optional[float] = None, radius1: Optional[float] = None,
                 radius2: Optional[float] = None, angle: Optional[float] = None, sectors: int = 1,
                 min_points: Optional[int] = None, max_points_per_sector: Optional[int] = None,
                 min_points_per_sector: Optional[int] = None, degree: int = 0,
                 ridge: Optional[float] = None, damping: Optional[float] = None,
                 eps: Optional[float] = None, precision: Optional[str] = None,
                 anisotropy_ratio: float = 1.0, anisotropy_angle: float = 0.0,
                 metric: str = "plane", trend: bool = False, backend: str = "auto", device: int = 0, threads: Optional[int] = None) -> None:
        self.k = k
        self.powers = powers
        self.max_points = max_points
        self.smoothing = smoothing
        self.r_min = r_min
        self.r_max = r_max
        self.area = area
        self.expect = expect
        self.radius = radius
        self.radius1 = radius1
        self.radius2 = radius2
        self.angle = angle
        self.sectors = sectors
        self.min_points = min_points
        self.max_points_per_sector = max_points_per_sector
        self.min_points_per_sector = min_points_per_sector
        self.degree = degree
        self.ridge = ridge
        self.damping = damping
        self.eps = eps
        self.precision = precision
        self.anisotropy_ratio = anisotropy_ratio
        self.anisotropy_angle = anisotropy_angle
        self.metric = metric
        self.trend = trend
        self.backend = backend
        self.device = device
        self.threads = threads
