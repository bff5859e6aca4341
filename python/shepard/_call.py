# SPDX-License-Identifier: MIT
"""Calls that take long: progress, cancellation by Ctrl-C, notices.

The library calls progress on the calling thread. In the main thread SIGINT is noted while a call
runs, progress then cancels the call, and the handler that was there before runs after it: an
exception inside a callback of C could not be passed on.
"""
import _signal  # without the enums of signal, which take longer than a short prediction
import threading
import warnings
from ctypes import byref
from typing import Any, Callable, Optional

from . import _errors, _structs
from ._library import member_types, sized

Progress = Optional[Callable[[float], Any]]

_PROGRESS, _NOTICE = map(member_types(_structs.Control).__getitem__, ("progress", "notice"))
_SIGINT = 2
_MAIN = threading.main_thread().ident


# SIGINTs noted during the calls that run in the main thread: a call inside a callback is the last.
_noted: list[list] = []


def _note(number: int, frame: Any) -> None:
    _noted[-1].append((number, frame))


class _State(threading.local):
    """What callbacks of the running call have raised."""

    raised: Optional[BaseException] = None


_state = _State()


def _keep_going(_fraction: float, _user: Any) -> bool:
    return not (_noted and _noted[-1])


def _warn(text: bytes, _user: Any) -> None:
    try:
        warnings.warn(text.decode(errors="replace"), _errors.Notice, stacklevel=5)
    except BaseException as error:  # a filter has made an error of the warning
        _state.raised = error


# Made once: a callback is a piece of code that ctypes writes into memory.
_notice = _NOTICE(_warn)
_main_control = sized(_structs.Control, progress=_PROGRESS(_keep_going), notice=_notice)
_thread_control = sized(_structs.Control, notice=_notice)


def _watching(progress: Callable[[float], Any]) -> _structs.Control:
    def report(fraction: float, user: Any) -> bool:
        try:
            return progress(fraction) is not False and _keep_going(fraction, user)
        except BaseException as error:
            _state.raised = error
            return False

    return sized(_structs.Control, progress=_PROGRESS(report), notice=_notice)


def raise_kept() -> None:
    """Raises what a callback has raised, if any."""
    raised, _state.raised = _state.raised, None
    if raised is not None:
        raise raised


def keep(error: BaseException) -> None:
    """Keeps the exception of a callback until the call has ended."""
    _state.raised = error


def check(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is the error, and raises that."""
    error = _structs.Error()
    if function(*arguments, byref(error)):
        raise _errors.exception(error)


def _controlled(function: Any, arguments: tuple, control: _structs.Control) -> None:
    error = _structs.Error()
    status = function(*arguments, byref(control), byref(error))
    if _state.raised is not None:
        raise_kept()
    if status:
        raise _errors.exception(error)


def run(function: Any, *arguments: Any, progress: Progress = None) -> None:
    """Calls a function whose last parameters are the control and the error."""
    main = threading.get_ident() == _MAIN
    if progress is not None:
        control = _watching(progress)
    else:
        control = _main_control if main else _thread_control
    before = _signal.getsignal(_SIGINT) if main else None
    if callable(before):
        _interruptible(function, arguments, control, before)
    else:
        _controlled(function, arguments, control)


def _interruptible(function: Any, arguments: tuple, control: _structs.Control,
                   before: Callable[..., Any]) -> None:
    """Puts off what the handler of SIGINT does until the call has ended."""
    _noted.append([])
    _signal.signal(_SIGINT, _note)
    try:
        _controlled(function, arguments, control)
    finally:
        _signal.signal(_SIGINT, before)
        for number, frame in _noted.pop()[:1]:
            before(number, frame)
