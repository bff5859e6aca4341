# SPDX-License-Identifier: MIT
"""Loads the C library. Each call of it releases the global interpreter lock."""
import ctypes
import sys
from pathlib import Path
from typing import Any

from . import _structs

_NAMES = {"darwin": "libshepard.dylib", "win32": "libshepard.dll"}
_SYSTEM_NAME = f"libshepard.so.{_structs.VERSION_MAJOR}.{_structs.VERSION_MINOR}"


def _load() -> ctypes.CDLL:
    """The library in the package; without one, that of the system with the same interface."""
    bundled = Path(__file__).with_name(_NAMES.get(sys.platform, "libshepard.so"))
    name = str(bundled) if bundled.exists() else _SYSTEM_NAME
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(
            f"cannot load the shepard library ({error}): install the wheel of this platform "
            f"(pip install shepard), or {_SYSTEM_NAME} where the loader finds it") from error
    for function, (result, parameters) in _structs.FUNCTIONS.items():
        prototype = getattr(library, function)
        prototype.restype = result
        prototype.argtypes = parameters
    return library


lib = _load()
version: str = lib.shepard_version().decode()


def sized(struct: type, **members: Any) -> Any:
    """A struct whose size is set, the members given, and 0 elsewhere."""
    return struct(size=ctypes.sizeof(struct), **members)


def initialised(struct: type, function: Any) -> Any:
    """A struct with the library's defaults."""
    made = struct()
    function(ctypes.byref(made), ctypes.sizeof(struct))
    return made


def member_types(struct: type) -> dict[str, Any]:
    """Of each member of a struct its type."""
    return {member[0]: member[1] for member in struct._fields_}  # type: ignore[attr-defined]


class Handle:
    """An object of the library, freed with the last reference to it, and before its parents."""

    __slots__ = ("_as_parameter_", "_free", "parents")

    def __init__(self, pointer: ctypes.c_void_p, free: Any, *parents: Any) -> None:
        self._as_parameter_ = pointer
        self._free = free
        self.parents = parents

    def __del__(self) -> None:
        self._free(self._as_parameter_)
