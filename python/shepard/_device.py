# SPDX-License-Identifier: MIT
"""Arrays in the memory of a CUDA device: CuPy's, PyTorch's, Numba's and others'.

Read through __cuda_array_interface__ (https://numba.readthedocs.io, "CUDA Array Interface") or
DLPack (https://dmlc.github.io/dlpack), which describe memory without importing what owns it.
"""
import ctypes
import importlib
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any, NamedTuple, Optional

from ._arrow import is_arrow

_CUDA, _CUDA_MANAGED = 2, 13  # kDLCUDA, kDLCUDAManaged
_DLPACK_FLOAT = 2


class _Tensor(Structure):
    """DLTensor"""
    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
        ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class DeviceArray(NamedTuple):
    """Where an array lies. strides are in bytes; stream is that of pending work, 0 the default."""

    pointer: int
    dtype: str
    shape: tuple
    strides: tuple
    stream: int
    source: Any
    owner: Any


def _dense(shape: tuple, size: int) -> tuple:
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def _owner(source: Any) -> str:
    return type(source).__module__.partition(".")[0]


def _current_stream(source: Any) -> int:
    """That of work that is not done, where the interface does not say; PyTorch's does not."""
    if _owner(source) != "torch":
        return 0
    return importlib.import_module("torch").cuda.current_stream(source.device).cuda_stream


def _from_interface(source: Any) -> DeviceArray:
    told = source.__cuda_array_interface__
    if told.get("mask") is not None:
        raise TypeError("a device array with a mask cannot be read: put NaN where values miss")
    dtype = told["typestr"].lstrip("<|=")
    shape = tuple(told["shape"])
    strides = told.get("strides") or _dense(shape, int(dtype[1:]))
    # 1 is the legacy default stream, which the library calls NULL; 2 is cudaStreamPerThread.
    stream = told.get("stream") or _current_stream(source)
    return DeviceArray(told["data"][0] or 0, dtype, shape, tuple(strides),
                       0 if stream == 1 else stream, source, source)


def _from_dlpack(source: Any) -> DeviceArray:
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = c_void_p
    get_pointer.argtypes = [ctypes.py_object, c_char_p]
    capsule = source.__dlpack__(stream=1)
    tensor = _Tensor.from_address(get_pointer(capsule, b"dltensor"))
    if tensor.lanes != 1 or tensor.code != _DLPACK_FLOAT:
        raise TypeError("a device array must hold float32 or float64: convert it")
    size = tensor.bits // 8
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = _dense(shape, size)
    if tensor.strides:
        strides = tuple(step * size for step in tensor.strides[:tensor.ndim])
    return DeviceArray((tensor.data or 0) + tensor.byte_offset, f"f{size}", shape, strides, 0,
                       source, capsule)


def find(source: Any) -> Optional[DeviceArray]:
    """Where the array of a device lies; None for one of the host.

    Arrow's arrays may have DLPack, too, and fail to describe one with nulls.
    """
    if hasattr(source, "__cuda_array_interface__"):
        return _from_interface(source)
    if hasattr(source, "__dlpack_device__") and not is_arrow(source):
        if int(source.__dlpack_device__()[0]) in (_CUDA, _CUDA_MANAGED):
            return _from_dlpack(source)
    return None


def empty_like(source: Any, shape: tuple, dtype: str) -> Any:
    """An array of the library that owns source, on the same device, not filled."""
    owner = _owner(source)
    if owner == "torch":
        torch = importlib.import_module("torch")
        return torch.empty(shape, dtype=getattr(torch, dtype), device=source.device)
    if owner == "numba":
        return importlib.import_module("numba.cuda").device_array(shape, dtype=dtype)
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        raise TypeError(f"arrays of {owner} on a GPU can be read, but results need CuPy, PyTorch "
                        "or Numba: install CuPy, or copy the array to the host") from None
    device = getattr(source, "device", None)
    if isinstance(device, cupy.cuda.Device):
        with device:
            return cupy.empty(shape, dtype=dtype)
    return cupy.empty(shape, dtype=dtype)
