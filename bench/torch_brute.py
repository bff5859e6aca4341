#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inverse distance weighting by brute force in PyTorch, compiled: what a few lines of Python do.

torch_brute.py POINTS TARGETS

Sums over all points for each target in float32, the power of each target given, a chunk of targets
at a time. Prints one line of JSON: points, targets, the seconds of one pass (compiled before,
without transfers, the best of three), the error against double at 64 targets, over the value range,
and PyTorch's version. Where a pass would take long, fewer targets are summed, and targets says how
many. Ends with 1 and a reason on stdout where PyTorch or a GPU is missing.
"""
import json
import sys
import time

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(1)
if not torch.cuda.is_available():
    print("PyTorch sees no GPU")
    sys.exit(1)

# Pairs of a chunk: where the compiler keeps all pairs in memory, some gigabytes.
CHUNK_PAIRS = 1 << 28
PATIENCE = 5.0


def interpolate(x, y, z, target_x, target_y, power):
    dx = target_x[:, None] - x[None, :]
    dy = target_y[:, None] - y[None, :]
    # A target at a point: the weight is as large as that of a point very near.
    weight = torch.exp2(torch.log2(dx * dx + dy * dy + 1e-30) * (-0.5 * power[:, None]))
    return (weight * z[None, :]).sum(1) / weight.sum(1)


def seconds_of(work):
    torch.cuda.synchronize()
    start = time.perf_counter()
    result = work()
    torch.cuda.synchronize()
    return time.perf_counter() - start, result


def main():
    n, m = int(sys.argv[1]), int(sys.argv[2])
    generator = torch.Generator(device="cuda").manual_seed(1)

    def draw(count):
        return torch.rand(count, generator=generator, device="cuda")

    x, y, z = draw(n), draw(n), draw(n)
    chunk = min(m, 1 << max(0, (CHUNK_PAIRS // n).bit_length() - 1))
    m = m // chunk * chunk
    target_x, target_y, power = draw(m), draw(m), 1.5 + 2 * draw(m)
    compiled = torch.compile(interpolate)

    def run(count):
        parts = [slice(first, first + chunk) for first in range(0, count, chunk)]
        return torch.cat([compiled(x, y, z, target_x[p], target_y[p], power[p]) for p in parts])

    run(chunk)
    one, _ = seconds_of(lambda: run(chunk))
    m = min(m, chunk * max(1, int(PATIENCE / one)))
    results = [seconds_of(lambda: run(m)) for _ in range(3)]
    some = slice(0, min(64, m))
    exact = interpolate(*(v.double() for v in (x, y, z, target_x[some], target_y[some],
                                               power[some])))
    error = ((results[-1][1][some].double() - exact).abs().max() / (z.max() - z.min())).item()
    print(json.dumps({"points": n, "targets": m, "seconds": min(r[0] for r in results),
                      "error": error, "version": torch.__version__}))


main()
