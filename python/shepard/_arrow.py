# SPDX-License-Identifier: MIT
"""Columns of Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html).

Floats without nulls in one chunk are read where they lie; all else is copied to doubles, nulls
being NaN.
"""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Iterator

import numpy as np


class Schema(Structure):
    """struct ArrowSchema"""


Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)), ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private_data", c_void_p)]


class Array(Structure):
    """struct ArrowArray"""


Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)), ("release", CFUNCTYPE(None, POINTER(Array))),
    ("private_data", c_void_p)]


class Stream(Structure):
    """struct ArrowArrayStream"""


Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]

_DTYPES = {b"f": "f4", b"g": "f8", b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4",
           b"I": "u4", b"l": "i8", b"L": "u8", b"e": "f2"}

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = c_void_p
_get_pointer.argtypes = [ctypes.py_object, c_char_p]


class _Owner:
    """Keeps a struct of the interface, whose memory the capsule holds, until nobody reads it."""

    def __init__(self, capsule: Any, array: Array) -> None:
        self._capsule = capsule
        self.array = array


class _Moved:
    """An array that a stream has given; released with the last reference."""

    def __init__(self) -> None:
        self.array = Array()

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


class _Buffer:
    """Memory of an owner as NumPy's array interface describes it."""

    def __init__(self, address: int, dtype: str, count: int, owner: Any) -> None:
        self.__array_interface__ = {"version": 3, "shape": (count,), "typestr": dtype,
                                    "data": (address, True), "strides": None}
        self._owner = owner


def _valid(array: Array, owner: Any) -> Any:
    """Which elements are there: a boolean array; None: all."""
    if array.null_count == 0 or not array.buffers[0]:
        return None
    count = (array.offset + array.length + 7) // 8
    bits = np.asarray(_Buffer(array.buffers[0], "|u1", count, owner))
    flags = np.unpackbits(bits, bitorder="little")
    return flags[array.offset:array.offset + array.length].astype(bool)


def _column(array: Array, schema: Schema, owner: Any) -> np.ndarray:
    dtype = _DTYPES.get(schema.format)
    if dtype is None:
        raise TypeError(f"an Arrow column of the format {schema.format.decode()!r} holds no plain "
                        "numbers: cast it to float64")
    dtype = np.dtype(dtype).str
    if array.length == 0:
        return np.empty(0)
    size = np.dtype(dtype).itemsize
    values = np.asarray(_Buffer(array.buffers[1] + array.offset * size, dtype, array.length, owner))
    valid = _valid(array, owner)
    if valid is None:
        return values
    values = values.astype(np.float64)
    values[~valid] = np.nan
    return values


def _columns(array: Array, schema: Schema, owner: Any) -> list:
    """The columns of a struct array (a table's batch), or the one of a plain array."""
    if schema.format != b"+s":
        return [_column(array, schema, owner)]
    if array.offset or (array.null_count > 0):
        raise TypeError("an Arrow struct array with an offset or nulls cannot be read: "
                        "give a table or a record batch")
    return [_column(array.children[j][0], schema.children[j][0], owner)
            for j in range(schema.n_children)]


def _batches(stream: Stream) -> Iterator[_Moved]:
    while True:
        batch = _Moved()
        if stream.get_next(ctypes.byref(stream), ctypes.byref(batch.array)):
            text = stream.get_last_error(ctypes.byref(stream))
            raise ValueError("an Arrow stream fails: " + (text or b"no reason given").decode())
        if not batch.array.release:
            return
        yield batch


def _read_stream(source: Any) -> list:
    capsule = source.__arrow_c_stream__()
    stream = Stream.from_address(_get_pointer(capsule, b"arrow_array_stream"))
    schema = Schema()
    if stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)):
        raise ValueError("an Arrow stream gives no schema")
    try:
        batches = [_columns(batch.array, schema, batch) for batch in _batches(stream)]
        width = schema.n_children if schema.format == b"+s" else 1
    finally:
        schema.release(ctypes.byref(schema))
    if len(batches) == 1:
        return batches[0]
    return [np.concatenate([batch[j] for batch in batches] or [np.empty(0)]) for j in range(width)]


def _read_array(source: Any) -> list:
    schema_capsule, array_capsule = source.__arrow_c_array__()
    schema = Schema.from_address(_get_pointer(schema_capsule, b"arrow_schema"))
    array = Array.from_address(_get_pointer(array_capsule, b"arrow_array"))
    return _columns(array, schema, _Owner(array_capsule, array))


def is_arrow(source: Any) -> bool:
    """Whether an object describes its memory as Arrow's C data interface does."""
    return hasattr(source, "__arrow_c_array__") or hasattr(source, "__arrow_c_stream__")


def columns(source: Any) -> list:
    """The columns of an object with __arrow_c_array__ or __arrow_c_stream__, as NumPy arrays."""
    if hasattr(source, "__arrow_c_array__"):
        return _read_array(source)
    return _read_stream(source)
