# SPDX-License-Identifier: MIT
"""What the estimators share: scikit-learn's interface, without importing scikit-learn.

scikit-learn asks for methods, not for its base class; its tags are made where it asks for them.
"""
import inspect
from typing import Any, Optional

import numpy as np

from . import _inputs
from ._call import Progress
from ._model import Model
from ._parameters import Parameters
from ._points import dimensions_of
from ._trend import fit_trend

# Parameters of estimators that are no keys of the method.
_OPTIONS = ("metric", "backend", "device", "threads")
_OTHER = _OPTIONS + ("trend", "seed")


class Estimator:
    """Base of IDW, AIDW and Kriging."""

    _method = ""
    trend: bool

    # ---- Parameters

    @classmethod
    def _names(cls) -> list:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict:
        """The parameters, as they were given.

        Returns
        -------
        dict
        """
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> "Estimator":
        """Sets parameters.

        Raises
        ------
        ValueError
            A name is unknown.
        """
        names = self._names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}. "
                                 f"Valid parameters are: {names!r}.")
            setattr(self, name, value)
        return self

    def parameters(self) -> Parameters:
        """The parameters of a prediction, checked; what kriging has to fit is left open."""
        keys = {name: value for name, value in self.get_params().items() if name not in _OTHER}
        return Parameters(self._method, **keys)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [f"{name}={value!r}" for name, value in self.get_params().items()
                 if value is not defaults[name].default and value != defaults[name].default]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags
        return Tags(estimator_type="regressor", regressor_tags=RegressorTags(),
                    input_tags=InputTags(),
                    target_tags=TargetTags(required=True, multi_output=True))

    # ---- Fit

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> "Estimator":
        name = type(self).__name__
        columns = _inputs.names(X)
        X = _inputs.features(X, name)
        self._check_columns(X)
        y = _inputs.target(y, len(X), name)
        weights = _inputs.weights(sample_weight, len(X))
        given = self.parameters()
        options = {option: getattr(self, option) for option in _OPTIONS if hasattr(self, option)}
        self.n_features_in_ = X.shape[1]
        if columns is not None:
            self.feature_names_in_ = columns
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.coef_ = None
        if X.shape[1] > self._dimensions:
            y = self._detrend(X, y, weights, given, options)
        self.model_ = Model(self._places(X), y, given, weights, seed=getattr(self, "seed", 0),
                            **options)
        self.parameters_ = self.model_.parameters
        return self

    def _check_columns(self, X: np.ndarray) -> None:
        name, (n, columns) = type(self).__name__, X.shape
        places = self._dimensions
        what = "x and y" if places == 2 else "x, y and z"
        if columns < places:
            raise ValueError(f"Found array with {columns} feature(s) (shape={X.shape}) while a "
                             f"minimum of {places} is required by {name}: {what}.")
        if columns > places and not self.trend:
            raise ValueError(f"X has {columns} features, but {name} takes {what}. With trend=True "
                             "the others are covariates of a linear trend.")
        if columns > places and n < columns - places + 2:
            raise ValueError(f"n_samples = {n} is too few: a trend of {columns - places} "
                             f"covariates needs {columns - places + 2}.")

    @property
    def _dimensions(self) -> int:
        return dimensions_of(getattr(self, "metric", "plane"))

    def _places(self, X: np.ndarray) -> np.ndarray:
        return X if X.shape[1] == self._dimensions else X[:, :self._dimensions]

    def _detrend(self, X: np.ndarray, y: np.ndarray, weights: Optional[np.ndarray],
                 given: Parameters, options: dict) -> np.ndarray:
        """Fits coef_; what the trend leaves of y."""
        if not given.is_complete:
            first = y if y.ndim == 1 else y[:, 0]
            given = Model(self._places(X), first, given, **options).parameters
        points = Model(self._places(X), y, given, weights, **options).points
        self.coef_, residuals = fit_trend(points, y, weights, X[:, self._dimensions:], given)
        return residuals

    # ---- Predictions

    def _fitted(self, X: Any) -> np.ndarray:
        if not hasattr(self, "model_"):
            raise _inputs.not_fitted(type(self).__name__)
        name = type(self).__name__
        _inputs.check_names(X, getattr(self, "feature_names_in_", None), name)
        X = _inputs.features(X, name)
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {name} is expecting "
                             f"{self.n_features_in_} features as input")
        return X

    def predict(self, X: Any, return_std: bool = False, *, progress: Progress = None) -> Any:
        """Predicts at places.

        Parameters
        ----------
        X : array [m, n_features]
            x and y, and the covariates with a trend.
        return_std : bool, default False
            Return the standard deviations, too: of the difference between the prediction and a new
            measurement. Those of IDW and AIDW come from leave-one-out residuals, and are for
            places among the data. They do not include what is uncertain of a trend.
        progress : callable, optional
            Called with a fraction from 0 to 1; False cancels.

        Returns
        -------
        y : float64 array [m] or [m, columns]
            NaN where the neighbourhood is not met.
        std : float64 array, the same shape
            With return_std only.
        """
        X = self._fitted(X)
        outputs = ("values", "sd") if return_std else ("values",)
        found = self.model_.predict(self._places(X), outputs, progress=progress)
        values = found["values"]
        if self.coef_ is not None:
            trend = X[:, self._dimensions:] @ self.coef_.T
            values = values + trend.reshape(values.shape)
        return (values, found["sd"]) if return_std else values

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Coefficient of determination R^2 of the predictions; of several columns the mean.

        Returns
        -------
        float
            1 at best; 0 for the mean of y everywhere.
        """
        predicted = self.predict(X)
        y = _inputs.target(y, len(predicted), type(self).__name__).reshape(len(predicted), -1)
        weights = _inputs.weights(sample_weight, len(y))
        errors = (y - predicted.reshape(y.shape)) ** 2
        spread = (y - np.average(y, axis=0, weights=weights)) ** 2
        part, whole = (np.average(a, axis=0, weights=weights) for a in (errors, spread))
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.where(whole > 0, 1 - part / whole, np.where(part > 0, 0.0, 1.0))
        return float(scores.mean())

    def kneighbors(self, X: Any = None, n_neighbors: Optional[int] = None,
                   return_distance: bool = True) -> Any:
        """The nearest data points of each place, exact, as KNeighborsRegressor gives them.

        Parameters
        ----------
        X : array [m, n_features], optional
            None: the data points; a point is then no neighbour of its own.
        n_neighbors : int, optional
            None: k, or 12 without.
        return_distance : bool, default True
            Return the distances, too.

        Returns
        -------
        distances : float64 array [m, n_neighbors]
            In the coordinates' unit.
        indices : int64 array [m, n_neighbors]
            Into the X of fit. Points at equal distances are ordered by smaller x, y, index.

        Raises
        ------
        ValueError
            There are fewer data points than neighbours.
        """
        if not hasattr(self, "model_"):
            raise _inputs.not_fitted(type(self).__name__)
        points = self.model_.points
        k = n_neighbors or getattr(self, "k", None) or 12
        at = points.coordinates if X is None else self._places(self._fitted(X))
        most = len(points) - (X is None)
        if k > most:
            raise ValueError(f"Expected n_neighbors <= {most}, the number of data points, but "
                             f"n_neighbors = {k}")
        distances, indices = points.nearest(at, k + (X is None))
        if X is None:
            distances, indices = _without_self(distances, indices)
        indices = indices.astype(np.int64)
        return (distances, indices) if return_distance else indices


def _without_self(distances: np.ndarray, indices: np.ndarray) -> tuple:
    """Rows without the point of the row; where points at its place hide it, without the last."""
    keep = indices != np.arange(len(indices), dtype=indices.dtype)[:, None]
    keep[keep.all(axis=1), -1] = False
    shape = len(indices), indices.shape[1] - 1
    return distances[keep].reshape(shape), indices[keep].reshape(shape)
