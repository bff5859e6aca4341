# SPDX-License-Identifier: MIT
"""Errors of the library as exceptions, with its text."""
from . import _structs
from ._structs import Status


class Error(Exception):
    """An error of the library. Its subclasses are also those of Python that fit.

    Attributes
    ----------
    argument : str
        What is wrong, as the C interface names it, for example ``parameters.power``; may be empty.
    """

    argument = ""


class ArgumentError(Error, ValueError):
    """An argument is missing or outside its range, no point is usable, or the like."""


class OutOfMemoryError(Error, MemoryError):
    """The library did not get the memory that it needs."""


class BackendError(Error, RuntimeError):
    """The backend is not built in, cannot be used here, or was lost."""


class CancelledError(Error, RuntimeError):
    """A progress callback returned False."""


_CLASSES = {
    Status.ERROR_MEMORY: OutOfMemoryError,
    Status.ERROR_BACKEND: BackendError,
    Status.ERROR_CANCELLED: CancelledError,
}


def exception(error: _structs.Error) -> Error:
    """The exception of a call that has failed."""
    made = _CLASSES.get(error.status, ArgumentError)(error.message.decode(errors="replace"))
    made.argument = error.argument.decode(errors="replace")
    return made


class Notice(UserWarning):
    """The library does something differently from what was asked, for example on the CPU."""


class NotFittedError(ValueError, AttributeError):
    """An estimator is used before fit. scikit-learn's own, where that is loaded."""
