# SPDX-License-Identifier: MIT
"""Interpolators in the shape of SciPy's RBFInterpolator, and griddata in that of SciPy's."""
from typing import Any, Optional

import numpy as np

from ._arrays import matrix
from ._call import Progress
from ._model import Model
from ._parameters import Parameters


class Interpolator:
    """Interpolates values at points, as scipy.interpolate.RBFInterpolator.

    Parameters
    ----------
    points : array [n, 2], or tuple of two arrays [n]
        x and y in any one planar unit.
    values : array [n, ...]
        One or more values at each point; NaN: missing.
    method : str, Parameters or estimator, default "idw:k=12"
        ``idw``, ``aidw`` or ``krige``, with keys behind it or not; ``idw`` alone uses all points.
        What kriging leaves open is fitted.
    weights : array [n], optional
        Weights of the points, each >= 0. Kriging takes none.
    seed : int, default 0
        Of the sample of points that kriging is fitted to.
    metric, backend, device, threads : optional
        As of Points.
    **keys
        Further keys, as of Parameters: ``k=5`` replaces the 12 of the default method.

    Attributes
    ----------
    parameters : Parameters, or a list of them
        Complete.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> at = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    >>> f = shepard.Interpolator(at, [1.0, 3.0, 5.0], "idw:k=2", power=3)
    >>> f([[1.0, 0.0], [2.0, 0.0]]).tolist()
    [2.0, 3.0]
    """

    def __init__(self, points: Any, values: Any, method: Any = "idw:k=12", *, weights: Any = None,
                 seed: int = 0, metric: str = "plane", backend: str = "auto", device: int = 0,
                 threads: Optional[int] = None, progress: Progress = None, **keys: Any) -> None:
        self._shape: tuple = ()
        if isinstance(values, (list, np.ndarray)):
            values = np.asarray(values)
            self._shape = values.shape[1:]
            values = values.reshape(len(values), -1) if values.ndim > 1 else values
        else:
            described = matrix(values)
            self._shape = (described.columns,) if described.ndim == 2 else ()
        self._model = Model(points, values, Parameters.of(method, **keys), weights, seed=seed,
                            progress=progress, metric=metric, backend=backend, device=device,
                            threads=threads)
        self.parameters = self._model.parameters

    def __call__(self, xi: Any, *, return_std: bool = False, progress: Progress = None) -> Any:
        """Interpolates at places.

        Parameters
        ----------
        xi : array [..., 2], tuple of two arrays, Raster or Window
            Where.
        return_std : bool, default False
            Return the standard deviations, too: of the difference between the prediction and a new
            measurement.
        progress : callable, optional
            Called with a fraction from 0 to 1; False cancels.

        Returns
        -------
        values : float64 array
            The shape of the places, then that of the values of a point.
        std : float64 array, the same shape
            With return_std only.
        """
        at, shape = _places(xi)
        outputs = ("values", "sd") if return_std else ("values",)
        found = self._model.predict(at, outputs, progress=progress)
        arrays = [found[name] for name in outputs]
        if shape is None:
            shape = arrays[0].shape[:-1] if self._shape else arrays[0].shape
        arrays = [array.reshape(shape + self._shape) for array in arrays]
        return tuple(arrays) if return_std else arrays[0]


def _places(xi: Any) -> tuple:
    """Places as Field.predict takes them, and their shape; None: that of the results."""
    if type(xi) is tuple and len(xi) == 2:
        x, y = np.broadcast_arrays(*xi)
        return (x.ravel(), y.ravel()), x.shape
    if isinstance(xi, (list, np.ndarray)):
        xi = np.asarray(xi)
        if xi.ndim != 2 and xi.shape[-1:] == (2,):
            return xi.reshape(-1, 2), xi.shape[:-1]
    return xi, None


def griddata(points: Any, values: Any, xi: Any, method: Any = "idw:k=12",
             fill_value: float = np.nan, rescale: bool = False, **options: Any) -> np.ndarray:
    """Interpolates scattered data, as scipy.interpolate.griddata.

    Parameters
    ----------
    points : array [n, 2], or tuple of two arrays [n]
        x and y in any one planar unit.
    values : array [n] or [n, columns]
        NaN: missing.
    xi : array [..., 2], or tuple of two arrays that broadcast to one shape
        Where.
    method : str, Parameters or estimator, default "idw:k=12"
        As of Interpolator.
    fill_value : float, default NaN
        Instead of a prediction where the neighbourhood is not met.
    rescale : bool, default False
        Divide x and y by the extent of the points along them first, as for units that differ.
    **options
        As of Interpolator.

    Returns
    -------
    float64 array
        The shape of the places, then that of the values of a point.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> at = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> x, y = np.mgrid[0:2:3j, 0:2:3j]
    >>> shepard.griddata(at, [1.0, 3.0, 1.0, 3.0], (x, y))[:, 1].round(2).tolist()
    [1.33, 2.0, 2.67]
    """
    if rescale:
        points, xi = _rescaled(points, xi)
    found = Interpolator(points, values, method, **options)(xi)
    if not np.isnan(fill_value):
        found[np.isnan(found)] = fill_value
    return found


def _rescaled(points: Any, xi: Any) -> tuple:
    def columns(places: Any) -> Any:
        if type(places) is tuple:
            return tuple(np.asarray(part, dtype=float) for part in places)
        array = np.asarray(places, dtype=float)
        return array[..., 0], array[..., 1]

    from_points = columns(points)
    extents = [float(np.ptp(part)) or 1.0 for part in from_points]
    return tuple(tuple(part / extent for part, extent in zip(places, extents))
                 for places in (from_points, columns(xi)))
