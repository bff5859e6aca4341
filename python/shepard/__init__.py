# SPDX-License-Identifier: MIT
"""Surfaces from scattered measurements: inverse distance weighting (IDW), AIDW and kriging.

Estimators with scikit-learn's interface: `IDW`, `AIDW`, `Kriging`. In SciPy's shape: `griddata`,
`Interpolator`. What they stand on: `Points`, `Field`, `Parameters`. How far predictions are off:
`validate`, `tune`. For xarray, GeoPandas and files: `grid`, `predict_frame`, `grid_file`. Arrays
are NumPy's or Arrow's, or those of a CUDA device.
"""
from ._errors import (ArgumentError, BackendError, CancelledError, Error, Notice, NotFittedError,
                      OutOfMemoryError)
from ._estimator import Estimator
from ._field import Field
from ._fit import fit_parameters
from ._frame import predict_frame
from ._grid import grid
from ._grid_file import grid_file
from ._idw import AIDW, IDW
from ._interpolator import Interpolator, griddata
from ._kriging import Kriging
from ._library import version as __version__
from ._parameters import Parameters
from ._points import Points
from ._targets import LeaveOneOut, Raster, Window
from ._tuning import Trial, TuningResult, tune
from ._validation import Holdout, ValidationResult, validate

__all__ = [
    "AIDW", "ArgumentError", "BackendError", "CancelledError", "Error", "Estimator", "Field",
    "Holdout", "IDW", "Interpolator", "Kriging", "LeaveOneOut", "NotFittedError", "Notice",
    "OutOfMemoryError", "Parameters", "Points", "Raster", "Trial", "TuningResult",
    "ValidationResult", "Window", "__version__", "fit_parameters", "grid", "grid_file",
    "griddata", "predict_frame", "tune", "validate",
]

for _error in (Error, ArgumentError, BackendError, CancelledError, NotFittedError, Notice,
               OutOfMemoryError):
    _error.__module__ = __name__
