# SPDX-License-Identifier: MIT
"""Arrays of CuPy and PyTorch on a GPU: read and written where they lie, on their streams.

Skipped without a GPU."""
import importlib

import numpy as np
import pytest

import shepard


class CuPy:
    def __init__(self):
        self.cupy = importlib.import_module("cupy")
        if self.cupy.cuda.runtime.getDeviceCount() < 1:
            raise RuntimeError("no GPU")
        self.type = self.cupy.ndarray
        self.put, self.get = self.cupy.asarray, self.cupy.asnumpy
        self.stream = lambda: self.cupy.cuda.Stream(non_blocking=True)

    def late(self, array):
        """The array, by work that has only been started."""
        late = self.cupy.asarray(array)
        wide = self.cupy.ones((4096, 4096))
        for _ in range(20):
            wide = wide @ wide / 4096
        return late * wide[0, 0]


class PyTorch:
    def __init__(self):
        self.torch = importlib.import_module("torch")
        if not self.torch.cuda.is_available():
            raise RuntimeError("no GPU")
        self.type = self.torch.Tensor
        self.stream = lambda: self.torch.cuda.stream(self.torch.cuda.Stream())

    def put(self, array):
        return self.torch.from_numpy(np.ascontiguousarray(array)).cuda()

    def get(self, array):
        return array.cpu().numpy()

    def late(self, array):
        late = self.put(array)
        wide = self.torch.ones((4096, 4096), dtype=self.torch.float64, device="cuda")
        for _ in range(20):
            wide = wide @ wide / 4096
        return late * wide[0, 0]


@pytest.fixture(params=[CuPy, PyTorch], scope="module")
def device(request):
    try:
        shepard.Points(np.zeros((1, 2)), backend="cuda")
        return request.param()
    except (ImportError, RuntimeError, shepard.BackendError) as error:
        pytest.skip(f"no arrays of {request.param.__name__} on a GPU: {error}")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(20)
    return rng.random((20_000, 2)), rng.random((20_000, 3)), rng.random((5_000, 2))


@pytest.mark.parametrize("parameters", ["idw:k=12", "aidw", "idw:power=2.5:eps=1e-5",
                                        "krige:model=exponential:psill=1:range=0.2:nugget=0.1"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_arrays_of_the_device_give_the_bits_of_those_of_the_host(device, data, parameters, dtype):
    points, values, at = (array.astype(dtype) for array in data)
    put = device.put
    host = shepard.Field(shepard.Points(points, backend="cuda"), values)
    there = shepard.Field(shepard.Points(put(points), backend="cuda"), put(values))
    want = host.predict(at, parameters, outputs=("values", "nearest"), dtype=dtype)
    got = there.predict(put(at), parameters, outputs=("values", "nearest"), dtype=dtype)
    for name, array in got.items():
        assert isinstance(array, device.type)
        assert np.array_equal(device.get(array), want[name])
    cpu = shepard.Field(shepard.Points(points, backend="cpu"), values).predict(at, parameters)
    assert abs(device.get(got["values"]) - cpu).max() < 2e-4


def test_strides_rows_and_mixed_memory(device, data):
    points, values, at = data
    field = shepard.Field(shepard.Points(points, backend="cuda"), values[:, 1])
    want = field.predict(at[::3], "idw:k=5")
    assert np.array_equal(device.get(field.predict(device.put(at)[::3], "idw:k=5")), want)
    there = device.put(at)
    both = field.predict((there[:, 0][::3], there[:, 1][::3]), "idw:k=5")
    assert np.array_equal(device.get(both), want)


def test_nearest_points(device, data):
    points, _, at = data
    want = shepard.Points(points, backend="cuda").nearest(at, 4)
    got = shepard.Points(device.put(points), backend="cuda").nearest(device.put(at), 4)
    for mine, theirs in zip(got, want):
        assert np.array_equal(device.get(mine) if isinstance(mine, device.type) else mine, theirs)


def test_work_that_is_not_done_is_waited_for(device, data):
    points, values, at = data
    want = shepard.Field(shepard.Points(points, backend="cuda"), values).predict(at, "idw:k=12")
    with device.stream():
        places = shepard.Points(device.late(points), backend="cuda")
        field = shepard.Field(places, device.late(values))
        got = field.predict(device.late(at), "idw:k=12")
        assert np.array_equal(device.get(got), want)
