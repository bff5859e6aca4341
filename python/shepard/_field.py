# SPDX-License-Identifier: MIT
"""Fields: values at points, ready for predictions."""
import ctypes
from ctypes import byref
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _structs
from ._arrays import FLOAT32, FLOAT64, Matrix, Result, matrix
from ._call import Progress, check, run
from ._library import Handle, lib, sized
from ._parameters import Parameters
from ._points import Points, of_info
from ._structs import Method
from ._targets import LeaveOneOut, Targets

# Names of outputs, and the members of struct shepard_output that they go to.
_COLUMNS = {"values": "values", "deviation": "deviations", "sd": "sds"}
_TARGETS = ("count", "nearest", "power", "effective")
COLUMN_OUTPUTS = tuple(_COLUMNS)
OUTPUTS = COLUMN_OUTPUTS + _TARGETS
# About as many residuals are enough for a model of the standard deviation (shepard.h).
_SD_SAMPLES = 2000


def struct_of(values: Matrix, weights: Optional[Matrix]) -> _structs.Values:
    """Values, and weights of the points, as the library reads them."""
    struct = sized(_structs.Values, column_count=values.columns,
                   column_stride=values.column_stride, memory=values.memory)
    struct.columns = ctypes.pointer(values.column(0))
    if weights is not None:
        struct.weights = weights.column(0)
    return struct


def check_rows(what: str, count: int, rows: int) -> None:
    """Arrays of the points are as long as these."""
    if count != rows:
        raise ValueError(f"{what} has {count} rows and the coordinates have {rows}: "
                         "they must be equally long")


def vector(what: str, source: Any, rows: int) -> Optional[Matrix]:
    """An array [n] that may be left out."""
    if source is None:
        return None
    found = matrix(source)
    if found.ndim != 1:
        raise ValueError(f"{what} must be 1D: it has {found.ndim} dimensions")
    check_rows(what, found.rows, rows)
    return found


class Field:
    """Values at points, ready for predictions with any parameters.

    Parameters
    ----------
    points : Points
        Where the values were measured.
    values : array [n] or [n, columns]
        In the order of the coordinates. A value that is NaN or infinite is missing: its point is
        left out in that column only.
    weights : array [n], optional
        Weights of the points, each >= 0; 0 leaves a point out.

    Raises
    ------
    ArgumentError
        A column has no usable value, or a weight is negative.
    OutOfMemoryError, BackendError

    Notes
    -----
    Any number of threads may predict from one field at once.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> points = shepard.Points(np.array([[0.0, 0.0], [2.0, 0.0]]))
    >>> field = shepard.Field(points, np.array([1.0, 3.0]))
    >>> field.predict(np.array([[1.0, 0.0], [0.0, 0.0]]), "idw:power=2").tolist()
    [2.0, 1.0]
    """

    def __init__(self, points: Points, values: Any, weights: Any = None) -> None:
        self.points = points
        self._values = matrix(values)
        check_rows("values", self._values.rows, points.rows)
        self._weights = vector("weights", weights, points.rows)
        pointer = ctypes.c_void_p()
        check(lib.shepard_field_create, points.handle,
              byref(struct_of(self._values, self._weights)), byref(pointer))
        self.handle = Handle(pointer, lib.shepard_field_free, points.handle)
        self.columns = self._values.columns
        self._ndim = self._values.ndim

    @property
    def info(self) -> dict:
        """What the field holds: columns, searches, memory in bytes, times in s."""
        info = sized(_structs.FieldInfo)
        lib.shepard_field_get_info(self.handle, byref(info))
        return of_info(info)

    @property
    def counts(self) -> list:
        """Of each column the points with a usable value."""
        return [lib.shepard_field_count(self.handle, j) for j in range(self.columns)]

    def predict(self, at: Any, parameters: Any = "idw", *,
                outputs: Union[str, Sequence[str]] = "values", dtype: Any = np.float64,
                sd_models: Any = None, progress: Progress = None) -> Any:
        """Predicts at targets.

        Parameters
        ----------
        at : array [m, 2], tuple of two arrays [m], Raster, Window or LeaveOneOut
            Where. A target with a NaN or infinite coordinate gets nodata. Arrays of a CUDA device
            are read there, and the results are on that device.
        parameters : Parameters or str, default "idw"
            Their anisotropy is not used: it is that of the points.
        outputs : str or sequence of str, default "values"
            ``values``; ``sd``, standard deviation of the difference between the prediction and a
            new measurement; ``deviation``, weighted standard deviation of the data used;
            ``count``, data points used; ``nearest``, distance of the nearest of them; ``power``;
            ``effective``, the effective sample size.
        dtype : float64 or float32
            Of the results. Arithmetic is the same.
        sd_models : optional
            Of ``sd`` of other methods than kriging: what `fit_sd` has returned; None: it is called
            each time.
        progress : callable, optional
            Called with a fraction from 0 to 1; False cancels.

        Returns
        -------
        array, or dict of arrays where outputs is no str
            [m], or [rows, columns] of a raster; with values [n, columns] those of columns are
            [..., columns].

        Raises
        ------
        ArgumentError, OutOfMemoryError, CancelledError, BackendError
        """
        given = parameters if type(parameters) is Parameters else Parameters.of(parameters)
        if dtype is not np.float64 and np.dtype(dtype) not in (FLOAT32, FLOAT64):
            raise ValueError(f"dtype is {np.dtype(dtype)}: float64 or float32 is needed")
        targets = Targets(at, self.points)
        wanted = (outputs,) if type(outputs) is str else outputs
        struct = sized(_structs.Output)
        made = {}
        for name in wanted:
            made[name] = self._add(struct, name, targets, dtype)
        if "sd" in made and given.struct.method != Method.KRIGE:
            models = self.fit_sd(given) if sd_models is None else sd_models
            struct.sd_models = (_structs.SdModel * self.columns)(*models)
        run(lib.shepard_predict, self.handle, byref(given.struct), byref(targets.struct),
            byref(struct), progress=progress)
        if len(targets.shape) > 1:
            made = {name: array.reshape(targets.shape + array.shape[1:])
                    for name, array in made.items()}
        return made[outputs] if type(outputs) is str else made

    def _add(self, struct: _structs.Output, name: str, targets: Targets, dtype: Any) -> Any:
        """Makes the array of an output, and enters it in the struct."""
        if name in _COLUMNS:
            result = Result(targets.count, None if self._ndim == 1 else self.columns,
                            targets.like, dtype)
            member = _COLUMNS[name]
            setattr(struct, member, ctypes.pointer(result.output))
            setattr(struct, member + "_stride", result.column_stride)
        elif name in _TARGETS:
            result = Result(targets.count, None, targets.like, dtype)
            setattr(struct, name, result.output)
        else:
            raise ValueError(f"output {name!r} is unknown: one of {', '.join(OUTPUTS)} is needed")
        struct.memory = result.memory
        return result.array

    def fit_sd(self, parameters: Any, *, samples: int = _SD_SAMPLES, seed: int = 0) -> list:
        """Models of the standard deviation of predictions with these parameters, one a column.

        Fitted to the leave-one-out residuals of a random sample of the points
        (docs/math/standard-deviation.md). They are for targets that lie among the data.

        Returns
        -------
        list of SdModel
            Plain numbers, for ``predict(..., outputs="sd", sd_models=...)``.
        """
        given = Parameters.of(parameters)
        if self.columns > 1 and self.info["searches"] > 1:
            return [self._column_field(j).fit_sd(given, samples=samples, seed=seed)[0]
                    for j in range(self.columns)]
        indices = np.arange(self.points.rows, dtype=np.uint32)
        if len(indices) > samples:
            chosen = np.random.default_rng(seed).choice(len(indices), samples, replace=False)
            indices = np.sort(chosen).astype(np.uint32)
        found = self.predict(LeaveOneOut(indices), given,
                             outputs=("values", "nearest", "deviation"))
        shape = len(indices), self.columns
        observed = np.asarray(self._values.source)[indices].reshape(shape)
        residuals = observed - found["values"].reshape(shape)
        deviations = found["deviation"].reshape(shape)
        return [_fit_sd(residuals[:, j], found["nearest"], deviations[:, j])
                for j in range(self.columns)]

    def _column_field(self, j: int) -> "Field":
        weights = None if self._weights is None else self._weights.source
        return Field(self.points, self._values.source[:, j], weights)

    def __reduce__(self) -> tuple:
        weights = None if self._weights is None else self._weights.source
        return Field, (self.points, self._values.source, weights)

    def __repr__(self) -> str:
        return f"<Field: {self.columns} columns on {self.points!r}>"


def _fit_sd(residuals: np.ndarray, nearest: np.ndarray, deviations: np.ndarray) -> Any:
    arrays = [matrix(array).column(0) for array in (residuals, nearest, deviations)]
    struct = sized(_structs.SdResiduals, count=len(residuals), residuals=arrays[0],
                   nearest=arrays[1], deviation=arrays[2])
    model = _structs.SdModel()
    check(lib.shepard_sd_model_fit_sized, byref(struct), byref(model), ctypes.sizeof(model))
    return model
