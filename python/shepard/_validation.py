# SPDX-License-Identifier: MIT
"""Validation: how far predictions are from data that they do not use."""
import ctypes
import warnings
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _structs
from ._arrays import Places, matrix
from ._call import Progress, run
from ._errors import Notice
from ._field import check_rows, struct_of, vector
from ._fit import fit_parameters
from ._library import Handle, initialised, lib, member_types, sized
from ._parameters import Parameters
from ._points import dimensions_of, options, struct_of as coordinates_struct
from ._progress import ProgressArgument, shown
from ._structs import ValidationKind
from ._targets import Targets

KINDS = tuple(member.name.lower() for member in ValidationKind)


def scores_of(struct: _structs.Scores) -> dict:
    """The members of the scores."""
    return {name: getattr(struct, name) for name in member_types(type(struct))}


def _copied(address: Optional[int], count: int, dtype: Any) -> Optional[np.ndarray]:
    if not address:
        return None
    raw = ctypes.string_at(address, count * np.dtype(dtype).itemsize)
    return np.frombuffer(raw, dtype).copy()


@dataclass(frozen=True, repr=False)
class ValidationResult:
    """What a validation has found; m is the number of predictions.

    Attributes
    ----------
    parameters : Parameters
        Complete.
    scores : dict
        ``count``, ``missing``; ``me``, ``mae``, ``rmse`` in the values' unit, errors being
        predicted - observed; of the standard deviations, where the method gives them,
        ``sd_count``, ``crps``, ``coverage`` of the 95 % intervals, ``interval`` (their score).
    indices : uint32 array [m]
        Held-out data, as indices into the coordinates.
    observed, predicted, sd : float64 array [m]
        Of these; NaN where there is none.
    nearest : float64 array [m]
        Distance of the nearest datum that is not held out with it.
    """

    parameters: Parameters
    scores: dict
    indices: np.ndarray
    observed: np.ndarray
    predicted: np.ndarray
    sd: np.ndarray
    nearest: np.ndarray

    @property
    def rmse(self) -> float:
        """Root mean squared error, in the values' unit."""
        return self.scores["rmse"]

    def __repr__(self) -> str:
        return f"<ValidationResult: {self.parameters.text}: RMSE {self.rmse:.6g}>"


class Holdout:
    """Data of which a part is held out; see `validate` for the parameters.

    Data are held out once; any number of methods is then scored at the same data. One call at a
    time may use it.

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(0)
    >>> at = rng.uniform(0, 1, (100, 2))
    >>> holdout = shepard.Holdout(at, at[:, 0], kind="k_fold", folds=5)
    >>> holdout.info["folds"], holdout.info["count"]
    (5, 100)
    >>> holdout.validate("idw:k=8").rmse < holdout.validate("idw:k=1").rmse
    True
    """

    def __init__(self, coordinates: Any, values: Any, *, weights: Any = None,
                 kind: str = "leave_one_out", targets: Any = None, samples: int = 0,
                 folds: int = 0, block_size: float = 0.0, seed: int = 0, metric: str = "plane",
                 vertical_factor: float = 1.0, sphere_radius: Optional[float] = None,
                 backend: str = "auto", threads: Optional[int] = None,
                 progress: Progress = None) -> None:
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}: one of {', '.join(KINDS)} is needed")
        self._space: dict[str, Any] = dict(metric=metric, vertical_factor=vertical_factor,
                                           sphere_radius=sphere_radius)
        self._dimensions = dimensions_of(metric)
        self._places, self._values = Places(coordinates, self._dimensions), matrix(values)
        check_rows("values", self._values.rows, self._places.count)
        self._threads = threads
        struct = initialised(_structs.Validation, lib.shepard_validation_init_sized)
        struct.kind = KINDS.index(kind)
        struct.samples, struct.folds = samples, folds
        struct.block_size, struct.seed = block_size, seed
        wanted = None if targets is None else Targets(targets, dimensions=self._dimensions)
        if wanted is not None:
            struct.targets = ctypes.pointer(wanted.struct)
        pointer = ctypes.c_void_p()
        described = struct_of(self._values, vector("weights", weights, self._places.count))
        made = options(backend=backend, threads=threads, **self._space)
        self._create(described, made, struct, pointer, progress)
        self.handle = Handle(pointer, lib.shepard_holdout_free)
        self.info = self._read_info()
        if self.info["notice"]:
            warnings.warn(self.info["notice"], Notice, stacklevel=2)

    def _create(self, described: Any, made: Any, struct: Any, pointer: Any,
                progress: Progress) -> None:
        # The control stands before the holdout: run puts it behind its arguments.
        def create(control: Any, error: Any) -> int:
            return lib.shepard_holdout_create(
                byref(coordinates_struct(self._places)), byref(described), byref(made),
                byref(struct), control, byref(pointer), error)

        run(create, progress=progress)

    def _read_info(self) -> dict:
        info = sized(_structs.HoldoutInfo)
        lib.shepard_holdout_get_info(self.handle, byref(info))
        count = info.count
        arrays = {"indices": np.uint32, "observed": np.float64, "nearest": np.float64,
                  "fold": np.uint32}
        found: dict = {}
        for name in list(member_types(type(info)))[1:]:
            value = getattr(info, name)
            if name in arrays:
                value = _copied(value, count, arrays[name])
            found[name] = value.decode() if isinstance(value, bytes) else value
        found["kind"] = KINDS[info.kind]
        return found

    def complete(self, parameters: Any, progress: Progress = None) -> Parameters:
        """Parameters whose open ones are fitted, once, to all data."""
        given = Parameters.of(parameters)
        if given.is_complete:
            return given
        return fit_parameters(self._places.source, self._values.source, given,
                              threads=self._threads, progress=progress, **self._space)[0]

    def validate(self, parameters: Any = "idw:k=12", *, progress: Progress = None) -> Any:
        """Predicts the held-out data, and scores the predictions.

        Parameters
        ----------
        parameters : Parameters, str or estimator
            What kriging leaves open is fitted, once, to all data.
        progress : callable, optional
            Called with a fraction from 0 to 1; False cancels.

        Returns
        -------
        ValidationResult
        """
        given = self.complete(parameters)
        count = self.info["count"]
        predicted, sd = np.empty(count), np.empty(count)
        result = sized(_structs.ValidationResult, values=predicted.ctypes.data,
                       sds=sd.ctypes.data)
        run(lib.shepard_holdout_validate, self.handle, byref(given.struct), byref(given.options),
            byref(result), progress=progress)
        return ValidationResult(given, scores_of(result.scores), self.info["indices"],
                                self.info["observed"], predicted, sd, self.info["nearest"])


def validate(coordinates: Any, values: Any, method: Any = "idw:k=12", *,
             kind: str = "leave_one_out", targets: Any = None, weights: Any = None,
             samples: int = 0, folds: int = 0, block_size: float = 0.0, seed: int = 0,
             metric: str = "plane", vertical_factor: float = 1.0,
             sphere_radius: Optional[float] = None, backend: str = "auto", threads: Optional[int] = None,
             progress: ProgressArgument = None) -> Any:
    """States how far predictions are from data that they do not use.

    Parameters
    ----------
    coordinates : array [n, 2], or tuple of two arrays [n]; of the metric ``space`` three
        Where the values were measured. Data at one place are held out together.
    values : array [n]
        NaN: missing.
    method : Parameters, str or estimator, or a list of them
        What kriging leaves open is fitted, once, to all data.
    kind : {"leave_one_out", "k_fold", "blocks", "stars"}
        What is held out: one place at a time; places dealt to folds at random; squares of the map
        dealt to folds; what is nearer than the data of the targets are (needs `targets`). The
        first suffices to choose among methods where the targets lie among the data.
    targets : array [m, 2], tuple of two arrays, Raster or Window, optional
        Where predictions are wanted.
    weights : array [n], optional
        Weights of the points, each >= 0.
    samples : int, default 0
        Of leave_one_out and stars: held-out data; 0: all, 2000 stars.
    folds : int, default 0
        Of k_fold and blocks; 0: 10, of blocks 5.
    block_size : float, default 0
        Of blocks: side of a square, in the coordinates' unit, with the metric ``sphere`` in
        metres; 0: found from the targets.
    seed : int, default 0
        Of random numbers.
    metric, vertical_factor, sphere_radius, backend, threads : optional
        As of Points.
    progress : bool or callable, optional
        None: tqdm's bar where it is installed and stderr is a terminal; True: that bar; a
        callable is called with a fraction from 0 to 1, False cancels.

    Returns
    -------
    ValidationResult, or a list of them where method is a list

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(0)
    >>> at = rng.uniform(0, 1, (200, 2))
    >>> one, two = shepard.validate(at, at[:, 0], ["idw:k=12", "idw:k=12:degree=1"])
    >>> two.rmse < one.rmse
    True
    """
    methods = method if isinstance(method, (list, tuple)) else [method]
    with shown(progress, "validate") as report:
        holdout = Holdout(coordinates, values, weights=weights, kind=kind, targets=targets,
                          samples=samples, folds=folds, block_size=block_size, seed=seed,
                          metric=metric, vertical_factor=vertical_factor,
                          sphere_radius=sphere_radius, backend=backend, threads=threads)
        found = [holdout.validate(one, progress=_part(report, i, len(methods)))
                 for i, one in enumerate(methods)]
    return found if isinstance(method, (list, tuple)) else found[0]


def _part(report: Progress, i: int, count: int) -> Progress:
    """Progress of part i of count."""
    if report is None:
        return None
    return lambda fraction: report((i + fraction) / count)
