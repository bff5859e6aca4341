# SPDX-License-Identifier: MIT
"""Checks of what estimators are given; messages are those that users of scikit-learn know."""
import math
import numbers
import sys
import warnings
from typing import Any, Optional

import numpy as np

from . import _errors
from ._arrays import FLOAT32, FLOAT64, on_host


def _numbers(name: str, source: Any) -> np.ndarray:
    array = on_host(source)
    if array.dtype is FLOAT64:
        return array
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real")
    if array.dtype not in (FLOAT64, FLOAT32):
        array = array.astype(np.float64)
    return array


def _check_finite(name: str, array: np.ndarray) -> None:
    # Sums of squares pass on NaN and infinity; they are also infinite where they overflow.
    if math.isfinite(np.vdot(array, array)) or np.isfinite(array).all():
        return
    if np.isnan(array).any():
        raise ValueError(f"Input {name} contains NaN: leave out or fill what is missing")
    raise ValueError(f"Input {name} contains infinity or a value too large for {array.dtype}")


def features(source: Any, estimator: str) -> np.ndarray:
    """X of fit and predict: finite numbers [n, features]."""
    X = _numbers("X", source)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: "
                         "a row for each place, with x and y as columns")
    if len(X) == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is "
                         f"required by {estimator}.")
    _check_finite("X", X)
    return X


def target(source: Any, rows: int, estimator: str) -> np.ndarray:
    """y of fit: finite numbers [n] or [n, columns]."""
    if source is None:
        raise ValueError(f"{estimator} requires y to be passed, but the target y is None")
    y = _numbers("y", source)
    if y.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d or 2d array, got an array of shape {y.shape} instead.")
    _check_rows("y", y, rows)
    _check_finite("y", y)
    return y


def weights(source: Any, rows: int) -> Optional[np.ndarray]:
    """sample_weight: finite numbers [n], each >= 0."""
    if source is None:
        return None
    if isinstance(source, numbers.Real):
        return np.full(rows, float(source))
    found = _numbers("sample_weight", source)
    if found.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar, got "
                         f"{found.ndim}D array. Expected either a scalar or a 1D array.")
    _check_rows("sample_weight", found, rows)
    _check_finite("sample_weight", found)
    if not found.any():
        raise ValueError("Sample weights are all zero: no point would be left")
    return found


def _check_rows(name: str, array: np.ndarray, rows: int) -> None:
    if len(array) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X has "
                         f"{rows}, {name} has {len(array)}")


def names(source: Any) -> Optional[np.ndarray]:
    """The names of the columns of a data frame, if all are text."""
    if type(source) is np.ndarray:
        return None
    columns = getattr(source, "columns", None)
    if columns is None or not hasattr(source, "shape"):
        return None
    found = np.asarray(columns, dtype=object)
    if len(found) and all(isinstance(name, str) for name in found):
        return found
    if any(isinstance(name, str) for name in found):
        raise TypeError("Feature names are only supported if all input features have string names, "
                        "but your input has names of several types: convert them to str")
    return None


def check_names(source: Any, fitted: Optional[np.ndarray], estimator: str) -> None:
    """Columns have the names and the order that they had at fit."""
    given = names(source)
    if given is None and fitted is None:
        return
    if given is None:
        warnings.warn(f"X does not have valid feature names, but {estimator} was fitted with "
                      "feature names", UserWarning, stacklevel=4)
    elif fitted is None:
        warnings.warn(f"X has feature names, but {estimator} was fitted without feature names",
                      UserWarning, stacklevel=4)
    elif list(given) != list(fitted):
        raise ValueError(_difference(sorted(set(given) - set(fitted)),
                                     sorted(set(fitted) - set(given))))


def _difference(unseen: list, missing: list) -> str:
    lines = ["The feature names should match those that were passed during fit."]
    for title, found in (("Feature names unseen at fit time:", unseen),
                         ("Feature names seen at fit time, yet now missing:", missing)):
        if found:
            lines += [title] + [f"- {name}" for name in found[:5]] + ["- ..."] * (len(found) > 5)
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


def not_fitted(estimator: str) -> Exception:
    """scikit-learn's error where that is loaded, so that its callers recognise it."""
    known = sys.modules.get("sklearn.exceptions")
    kind = known.NotFittedError if known else _errors.NotFittedError
    return kind(f"This {estimator} instance is not fitted yet. Call 'fit' with appropriate "
                "arguments before using this estimator.")
