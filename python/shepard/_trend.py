# SPDX-License-Identifier: MIT
"""Trends: what of the values depends on covariates, such as the height of the ground."""
import ctypes
from ctypes import byref
from typing import Any

import numpy as np

from . import _structs
from ._arrays import matrix
from ._call import run
from ._field import struct_of
from ._library import lib, sized
from ._parameters import Parameters
from ._points import Points


def fit_trend(points: Points, values: np.ndarray, weights: Any, covariates: np.ndarray,
              parameters: Parameters) -> tuple:
    """Coefficients [columns, p], and the residuals in the shape of the values.

    The fit is that of shepard_trend_fit (docs/math/trend.md).
    """
    described, known = matrix(values), matrix(covariates)
    coefficients = np.empty((described.columns, known.columns))
    residuals = np.empty(values.shape)
    written = matrix(residuals)
    struct = sized(_structs.Covariates, count=known.columns, column_stride=known.column_stride)
    struct.columns = ctypes.pointer(known.column(0))
    trend = sized(_structs.Trend, coefficients=coefficients.ctypes.data,
                  residuals_stride=written.column_stride)
    trend.residuals = ctypes.pointer(written.output())
    values_struct = struct_of(described, None if weights is None else matrix(weights))
    run(lib.shepard_trend_fit, points.handle, byref(values_struct), byref(struct),
        byref(parameters.struct), byref(trend))
    return coefficients, residuals
