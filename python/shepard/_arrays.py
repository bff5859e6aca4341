# SPDX-License-Identifier: MIT
"""Arrays of Python as the C interface describes them: address, type and strides, without a copy.

float32 and float64 are read where they lie, in any layout. Other numbers are copied to float64.
"""
import ctypes
from numbers import Number
from typing import Any, Optional

import numpy as np

from . import _arrow, _device, _structs
from ._structs import MemoryKind, Type

# Plain numbers: a look at an enum takes longer than all else that is done with it.
_TYPES = {"f8": int(Type.FLOAT64), "f4": int(Type.FLOAT32)}
_DOUBLE, _SINGLE = _TYPES["f8"], _TYPES["f4"]
FLOAT64, FLOAT32 = np.dtype("f8"), np.dtype("f4")
HOST = _structs.Memory()


class _Interface(ctypes.Structure):
    """PyArrayInterface (NumPy's manual, "The array interface protocol"), up to the address."""
    _fields_ = [("two", ctypes.c_int), ("nd", ctypes.c_int), ("kind", ctypes.c_char),
                ("itemsize", ctypes.c_int), ("flags", ctypes.c_int), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("data", ctypes.c_void_p)]


_interface_of = ctypes.PYFUNCTYPE(ctypes.POINTER(_Interface), ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def address(array: np.ndarray) -> int:
    """array.ctypes.data in a third of its time."""
    capsule = array.__array_struct__
    return _interface_of(capsule, None).contents.data or 0


class Matrix:
    """Numbers in rows and columns, somewhere; strides in bytes.

    source is the array that was given or copied; device is not None if it lies on one.
    """

    __slots__ = ("source", "pointer", "type", "rows", "columns", "row_stride", "column_stride",
                 "ndim", "memory", "device")

    source: Any
    pointer: int
    type: int
    rows: int
    columns: int
    row_stride: int
    column_stride: int
    ndim: int
    memory: _structs.Memory
    device: Optional[_device.DeviceArray]

    def column(self, j: int) -> _structs.Array:
        """Column j, as the library reads it."""
        return _structs.Array(self.pointer + j * self.column_stride, self.type, self.row_stride)

    def output(self) -> _structs.OutputArray:
        """Column 0, as the library writes it."""
        return _structs.OutputArray(self.pointer, self.type, self.row_stride)


def _describe(matrix: Matrix, shape: tuple, strides: tuple) -> Matrix:
    matrix.ndim = len(shape)
    if matrix.ndim == 2:
        matrix.rows, matrix.columns = shape
        matrix.row_stride, matrix.column_stride = strides
    elif matrix.ndim == 1:
        (matrix.rows,), (matrix.row_stride,) = shape, strides
        matrix.columns, matrix.column_stride = 1, 0
    else:
        raise ValueError(f"an array has the shape {tuple(shape)}: one or two dimensions are needed")
    return matrix


def _of_numpy(array: np.ndarray) -> Matrix:
    dtype = array.dtype
    if dtype is not FLOAT64 and dtype is not FLOAT32 and dtype not in (FLOAT64, FLOAT32):
        array = _floats(array)
        dtype = array.dtype
    if 0 in array.strides and array.size or not array.flags.aligned:
        array = np.array(array, order="C")  # broadcast arrays, and members of packed records
    matrix = Matrix()
    matrix.source = array
    matrix.pointer = address(array)
    matrix.type = _DOUBLE if dtype.itemsize == 8 else _SINGLE
    matrix.memory = HOST
    matrix.device = None
    return _describe(matrix, array.shape, array.strides)


def _of_device(found: _device.DeviceArray) -> Matrix:
    matrix = Matrix()
    if found.dtype not in _TYPES:
        raise TypeError(f"a device array of {found.dtype} cannot be read: convert it to float32 "
                        "or float64")
    matrix.source = found.source
    matrix.pointer = found.pointer
    matrix.type = _TYPES[found.dtype]
    matrix.memory = _structs.Memory(MemoryKind.CUDA, found.stream)
    matrix.device = found
    return _describe(matrix, found.shape, found.strides)


def _floats(array: np.ndarray) -> np.ndarray:
    """Other numbers as float64."""
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: interpolate the real and imaginary parts")
    if array.dtype.kind not in "fiubO":
        raise ValueError(f"an array of {array.dtype} cannot be read: numbers are needed")
    return array.astype(np.float64)


def _of_masked(array: Any) -> np.ndarray:
    return np.asarray(array.astype(np.float64).filled(np.nan))


def _of_arrow(source: Any) -> np.ndarray:
    columns = _arrow.columns(source)
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def on_host(source: Any) -> np.ndarray:
    """Any array of the host as NumPy's."""
    if type(source) is np.ndarray:
        return source
    if isinstance(source, np.ma.MaskedArray):
        return _of_masked(source)
    if isinstance(source, np.ndarray):
        return source.view(np.ndarray)
    if hasattr(source, "toarray"):
        raise TypeError(f"sparse data ({type(source).__name__}) cannot be read: use .toarray()")
    if not hasattr(source, "__array__") and _arrow.is_arrow(source):
        return _of_arrow(source)
    return np.asarray(source)


def matrix(source: Any) -> Matrix:
    """An array of one or two dimensions; one is a column."""
    if type(source) is np.ndarray:
        return _of_numpy(source)
    found = None if isinstance(source, np.ndarray) else _device.find(source)
    return _of_device(found) if found else _of_numpy(on_host(source))


class Result:
    """A new array [rows] or [rows, columns] for the library to write, on the device of `like`."""

    __slots__ = ("array", "output", "column_stride", "memory")

    def __init__(self, rows: int, columns: Optional[int], like: Optional[Matrix],
                 dtype: Any) -> None:
        shape = (rows,) if columns is None else (rows, columns)
        if like is not None and like.device is not None:
            made = _device.empty_like(like.device.source, shape, np.dtype(dtype).name)
            described = matrix(made)
            self.array: Any = made
            self.output, self.memory = described.output(), described.memory
            self.column_stride = described.column_stride
            return
        made = np.empty(shape, dtype)
        size = made.itemsize
        self.array = made
        self.output = _structs.OutputArray(address(made), _DOUBLE if size == 8 else _SINGLE,
                                           0 if columns is None else columns * size)
        self.column_stride = 0 if columns is None else size
        self.memory = HOST


class Places:
    """x and y of places, in space z too: of an array [n, 2] or [n, 3], or of a tuple of arrays."""

    __slots__ = ("x", "y", "z", "count", "memory", "like", "source")

    def __init__(self, source: Any, dimensions: int = 2) -> None:
        self.source = source
        if (type(source) is tuple and len(source) == dimensions
                and not isinstance(source[0], Number)):
            self._of_arrays([matrix(_flat(part)) for part in source])
            return
        all_ = matrix(source)
        if all_.ndim != 2 or all_.columns != dimensions:
            shape = (all_.rows, all_.columns)[:all_.ndim]
            names, number = ("x and y", "two") if dimensions == 2 else ("x, y and z", "three")
            raise ValueError(f"places have the shape {shape}: give an array [n, {dimensions}] of "
                             f"{names}, or a tuple of {number} arrays")
        self._set(all_, [all_.column(j) for j in range(dimensions)])

    def _of_arrays(self, parts: list) -> None:
        first = parts[0]
        for name, part in zip("xyz", parts):
            if part.rows != first.rows:
                raise ValueError(f"x has {first.rows} elements and {name} {part.rows}: they must "
                                 "be equally long")
            if (part.device is None) != (first.device is None):
                raise ValueError("x and y must both lie on the host, or both on one device")
        self.source = tuple(part.source for part in parts)
        self._set(first, [part.column(0) for part in parts])

    def _set(self, like: Matrix, columns: list) -> None:
        self.x, self.y = columns[:2]
        self.z = columns[2] if len(columns) == 3 else _structs.Array()
        self.count = like.rows
        self.memory, self.like = like.memory, like
        if type(self.source) is not tuple:
            self.source = like.source


def _flat(part: Any) -> Any:
    return part.ravel() if isinstance(part, np.ndarray) and part.ndim > 1 else part
