# SPDX-License-Identifier: MIT
"""SciPy's cKDTree on a cloud that `bench_core draw` wrote: FILE K.

Build and search with one worker, as its users call it; prints one line of JSON.
"""
import json
import sys
import time

import numpy
from scipy.spatial import cKDTree


def read_cloud(name):
    n, m = numpy.fromfile(name, numpy.uint64, 2)
    values = numpy.fromfile(name, numpy.float64, 2 * int(n + m), offset=16)
    points = numpy.column_stack(numpy.split(values[: 2 * int(n)], 2))
    targets = numpy.column_stack(numpy.split(values[2 * int(n):], 2))
    return points, targets


def main():
    points, targets = read_cloud(sys.argv[1])
    k = int(sys.argv[2])
    wall, cpu = time.perf_counter(), time.process_time()
    tree = cKDTree(points)
    distances, _ = tree.query(targets, k=k, workers=1)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"case": "knn", "tool": "scipy", "k": k, "wall": wall, "cpu": cpu,
                      "checksum": float(distances[:, k - 1].sum())}))


main()
