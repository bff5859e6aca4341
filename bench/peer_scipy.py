# SPDX-License-Identifier: MIT
"""SciPy's cKDTree on a dataset that `bench_core draw` wrote, as its users call it.

peer_scipy.py knn FILE K                       build and search with one worker
peer_scipy.py idw FILE K OUT CELLS WORKERS     inverse distance weighting, power 2, at the centres of
    CELLS x CELLS cells, north-up, over the dataset's square; OUT: the raster as doubles

Prints one line of JSON: seconds without reading, the sum of the K-th distances.
"""
import json
import sys
import time

import numpy
from scipy.spatial import cKDTree

X0, Y0, SIDE = 500000.0, 5400000.0, 10000.0


def read_dataset(name):
    n, m = (int(count) for count in numpy.fromfile(name, numpy.uint64, 2))
    x, y, target_x, target_y, z = numpy.split(
        numpy.fromfile(name, numpy.float64, 3 * n + 2 * m, offset=16),
        [n, 2 * n, 2 * n + m, 2 * n + 2 * m])
    return numpy.column_stack((x, y)), numpy.column_stack((target_x, target_y)), z


def centres(cells):
    step = SIDE / cells
    x = X0 + step * (numpy.arange(cells) + 0.5)
    y = Y0 + SIDE - step * (numpy.arange(cells) + 0.5)
    return numpy.column_stack((numpy.tile(x, cells), numpy.repeat(y, cells)))


def interpolate(distances, values):
    with numpy.errstate(divide="ignore"):
        weights = distances ** -2.0
    at_point = numpy.isinf(weights)
    hit = at_point.any(axis=1)
    weights[hit] = at_point[hit]
    return (weights * values).sum(axis=1) / weights.sum(axis=1)


def main():
    what, name, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
    points, targets, z = read_dataset(name)
    wall, cpu = time.perf_counter(), time.process_time()
    if what == "idw":
        targets = centres(int(sys.argv[5]))
    distances, indices = cKDTree(points).query(targets, k=k,
                                               workers=int(sys.argv[6]) if what == "idw" else 1)
    if what == "idw":
        raster = interpolate(distances, z[indices])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if what == "idw":
        raster.tofile(sys.argv[4])
    print(json.dumps({"wall": wall, "cpu": cpu, "checksum": float(distances[:, k - 1].sum())}))


main()
