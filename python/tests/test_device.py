# SPDX-License-Identifier: MIT
"""Descriptions of device arrays are read right; memory of the host stands in for a device's."""
import numpy as np
import pytest

import shepard
from shepard import _device
from shepard._arrays import matrix
from shepard._structs import MemoryKind


class CudaArray:
    """What CuPy, Numba and PyTorch offer, of a NumPy array."""

    def __init__(self, array, **told):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "version": 3, "strides": None,
            "data": (array.ctypes.data, False), **told}


class DlpackArray:
    """An array that says it lies on a CUDA device."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        assert stream == 1  # the legacy default stream
        return self.array.__dlpack__()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_interface_of_cuda_arrays(dtype):
    array = np.zeros((5, 3), dtype)
    read = matrix(CudaArray(array, stream=7))
    assert (read.pointer, read.rows, read.columns) == (array.ctypes.data, 5, 3)
    assert (read.row_stride, read.column_stride) == array.strides
    assert (read.memory.kind, read.memory.stream) == (MemoryKind.CUDA, 7)
    part = array[::2, 1]
    read = matrix(CudaArray(part, strides=part.strides, stream=1))
    assert (read.pointer, read.row_stride, read.memory.stream) == (
        part.ctypes.data, part.strides[0], None)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_dlpack(dtype):
    array = np.zeros((6, 4), dtype)[::2, 1:3]
    read = matrix(DlpackArray(array))
    assert (read.pointer, read.rows, read.columns) == (array.ctypes.data, 3, 2)
    assert (read.row_stride, read.column_stride) == array.strides
    assert read.memory.kind == MemoryKind.CUDA


def test_what_a_device_array_must_be():
    with pytest.raises(TypeError, match="float32 or float64"):
        matrix(CudaArray(np.zeros(3, int)))
    with pytest.raises(TypeError, match="float32 or float64"):
        matrix(DlpackArray(np.zeros(3, int)))
    with pytest.raises(TypeError, match="mask"):
        matrix(CudaArray(np.zeros(3), mask=CudaArray(np.zeros(3))))
    assert _device.find(np.zeros(3)) is None
    with pytest.raises(ValueError, match="both"):
        shepard.Points((CudaArray(np.zeros(3)), np.zeros(3)))


def test_memory_of_the_host_is_refused_as_that_of_a_device():
    with pytest.raises(shepard.Error):
        shepard.Points(CudaArray(np.random.default_rng(0).random((9, 2))))
