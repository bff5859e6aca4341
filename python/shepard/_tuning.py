# SPDX-License-Identifier: MIT
"""Tuning: which method and parameters predict held-out data best."""
import ctypes
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

from . import _structs
from ._call import keep, run
from ._library import initialised, lib, member_types, sized
from ._parameters import Parameters
from ._progress import ProgressArgument, shown
from ._validation import Holdout, scores_of

_TRIAL = member_types(_structs.Tuning)["trial"]


@dataclass(frozen=True)
class Trial:
    """A candidate, validated.

    Attributes
    ----------
    text : str
        The parameters.
    scores : dict or None
        As of ValidationResult; None after an error.
    message : str
        Why it is out; empty if it is not.
    seconds : float
        It took.
    best : bool
        Of all until then.
    """

    text: str
    scores: Optional[dict]
    message: str
    seconds: float
    best: bool


@dataclass(frozen=True, repr=False)
class TuningResult:
    """What a tuning has found.

    Attributes
    ----------
    parameters : Parameters
        The choice, complete.
    scores : dict
        Its scores, as of ValidationResult.
    honest_rmse : float
        RMSE of choosing so, in the values' unit: each tenth of the held-out data is scored with
        what the other nine tenths choose, times sd_ratio. The least of many RMSE is too small for
        itself.
    sd_ratio : float
        With targets the standard deviation that kriging states there over that at the held-out
        data; else 1.
    trials : list of Trial
        In their order.
    complete : bool
        All that there is to try was tried.
    """

    parameters: Parameters
    scores: dict
    honest_rmse: float
    sd_ratio: float
    trials: list
    complete: bool

    def __repr__(self) -> str:
        return (f"<TuningResult: {self.parameters.text}: RMSE {self.honest_rmse:.6g}, "
                f"{len(self.trials)} trials>")


def _trial(struct: _structs.Trial) -> Trial:
    scores = scores_of(struct.scores[0]) if struct.scores else None
    return Trial(struct.text.decode(), scores, struct.message.decode(errors="replace"),
                 struct.seconds, struct.best)


def tune(coordinates: Any, values: Any, *, candidates: Optional[Sequence] = None,
         seconds: Optional[float] = None, kind: str = "leave_one_out", targets: Any = None,
         weights: Any = None, samples: int = 0, folds: int = 0, block_size: float = 0.0,
         seed: int = 0, metric: str = "plane", vertical_factor: float = 1.0,
         sphere_radius: Optional[float] = None, backend: str = "auto", threads: Optional[int] = None,
         progress: ProgressArgument = None,
         trial: Optional[Callable[[Trial], Any]] = None) -> TuningResult:
    """Finds the method and the parameters that predict held-out data best.

    Of candidates that are given it is the one with the least RMSE. Else it is kriging with the
    fitted covariance, unless another one is better by two standard errors of the difference.

    Parameters
    ----------
    coordinates : array [n, 2], or tuple of two arrays [n]; of the metric ``space`` three
        Where the values were measured.
    values : array [n]
        NaN: missing.
    candidates : sequence of str, Parameters or estimators, optional
        What to try; None: some hundred, of all methods, and variants of the best ones.
    seconds : float, optional
        No trial begins later; None: no limit.
    kind, targets, weights, samples, folds, block_size, seed, metric, vertical_factor,
    sphere_radius, backend, threads
        As of `validate`.
    progress : bool or callable, optional
        As of `validate`.
    trial : callable, optional
        Called with each Trial; False ends the search, with the best until then.

    Returns
    -------
    TuningResult

    Examples
    --------
    >>> import numpy as np, shepard
    >>> rng = np.random.default_rng(0)
    >>> at = rng.uniform(0, 1, (100, 2))
    >>> found = shepard.tune(at, at[:, 0], candidates=["idw:k=1", "idw:k=8", "idw:k=8:degree=1"])
    >>> found.parameters["degree"], len(found.trials), found.complete
    ('1', 3, True)
    """
    holdout = Holdout(coordinates, values, weights=weights, kind=kind, targets=targets,
                      samples=samples, folds=folds, block_size=block_size, seed=seed,
                      metric=metric, vertical_factor=vertical_factor,
                      sphere_radius=sphere_radius, backend=backend, threads=threads)
    trials: list = []

    def note(pointer: Any, _user: Any) -> bool:
        try:
            trials.append(_trial(pointer[0]))
            return trial is None or trial(trials[-1]) is not False
        except BaseException as error:
            keep(error)
            return False

    tuning = initialised(_structs.Tuning, lib.shepard_tuning_init_sized)
    tuning.trial = _TRIAL(note)
    tuning.seconds = seconds or 0.0
    if candidates is not None:
        texts = [Parameters.of(one).given.encode() for one in candidates]
        tuning.candidates = (ctypes.c_char_p * len(texts))(*texts)
        tuning.candidate_count = len(texts)
    parameters, options = _structs.Parameters(), initialised(
        _structs.PointsOptions, lib.shepard_points_options_init_sized)
    ctypes.pointer(parameters)[0] = Parameters("idw").struct
    result = sized(_structs.TuningResult, parameters=ctypes.pointer(parameters),
                   options=ctypes.pointer(options))
    with shown(progress, "tune") as report:
        run(lib.shepard_tune, holdout.handle, byref(tuning), byref(result), progress=report)
    return TuningResult(Parameters(result.text.decode()), scores_of(result.scores),
                        result.honest_rmse, result.sd_ratio, trials, result.complete)
