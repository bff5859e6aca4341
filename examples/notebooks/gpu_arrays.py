# SPDX-License-Identifier: MIT

# %% [markdown]
# # Arrays on a GPU
#
# Arrays of CuPy, PyTorch or Numba are read where they lie, through `__cuda_array_interface__` or DLPack.
# Results lie on the same device. The package must be built with CUDA:
# `pip install . -C cmake.define.SHEPARD_WITH_CUDA=ON`.

# %%
import importlib
import sys
import time

import numpy as np
import shepard


def device_arrays():
    """A function that puts an array on the GPU, one that waits for the GPU, and their package."""
    for name in ("cupy", "torch"):
        try:
            package = importlib.import_module(name)
            if name == "cupy" and package.cuda.runtime.getDeviceCount():
                return package.asarray, package.cuda.runtime.deviceSynchronize, name
            if name == "torch" and package.cuda.is_available():
                return lambda array: package.from_numpy(array).cuda(), package.cuda.synchronize, name
        except Exception:  # not installed, or installed without a driver
            continue
    return None


def reason():
    """Why there is nothing to show; None if there is something."""
    try:
        shepard.Points(np.zeros((1, 2)), backend="cuda")
    except shepard.BackendError as error:
        return str(error)
    return None if device_arrays() else "neither CuPy nor PyTorch finds a GPU"


why = reason()
if why:
    print(f"skipped, there is no GPU to use: {why}")
    sys.exit(0)

# %%
on_device, synchronize, package = device_arrays()
rng = np.random.default_rng(0)
n = 1_000_000
points, at = rng.random((n, 2)), rng.random((n, 2))
values = np.sin(9 * points[:, 0]) * points[:, 1]

# %% [markdown]
# The same calls with arrays of the host and of the device.

# %%
for title, arrays in (("host", (points, values, at)),
                      ("device", tuple(map(on_device, (points, values, at))))):
    field = shepard.Field(shepard.Points(arrays[0], backend="cuda"), arrays[1])
    field.predict(arrays[2], "idw:k=12")
    synchronize()
    started = time.perf_counter()
    found = field.predict(arrays[2], "idw:k=12")
    synchronize()
    print(f"{title:6} arrays: {1e3 * (time.perf_counter() - started):7.2f} ms, result: "
          f"{type(found).__module__}.{type(found).__name__}")

# %% [markdown]
# They are the same predictions; the CPU's, too.

# %%
cpu = shepard.Field(shepard.Points(points, backend="cpu"), values).predict(at[:1000], "idw:k=12")
gpu = found.get() if package == "cupy" else found.cpu().numpy()
print(f"largest difference from the CPU: {abs(gpu[:1000] - cpu).max():.1e}")
