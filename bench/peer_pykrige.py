# SPDX-License-Identifier: MIT
"""PyKrige's ordinary kriging of the K nearest on a dataset that `bench_core draw` wrote, with the
covariance of case_krige.c.

peer_pykrige.py FILE K

Prints one line of JSON: seconds of execute() alone, the means of values and standard deviations.
"""
import json
import sys
import time

import numpy
from pykrige.ok import OrdinaryKriging

FEW = 100
PARAMETERS = {"psill": 500.0, "range": 3 * 2000.0, "nugget": 25.0}  # 95 % of the sill at its range


def main():
    n, m = (int(count) for count in numpy.fromfile(sys.argv[1], numpy.uint64, 2))
    x, y, target_x, target_y, z = numpy.split(
        numpy.fromfile(sys.argv[1], numpy.float64, 3 * n + 2 * m, offset=16),
        [n, 2 * n, 2 * n + m, 2 * n + 2 * m])
    # It computes all distances between the points it is made of, which do not fit into memory, and uses
    # none of them where the parameters are given.
    kriging = OrdinaryKriging(x[:FEW], y[:FEW], z[:FEW], variogram_model="exponential",
                              variogram_parameters=PARAMETERS)
    kriging.X_ADJUSTED, kriging.Y_ADJUSTED, kriging.Z = x, y, z
    wall, cpu = time.perf_counter(), time.process_time()
    values, variances = kriging.execute("points", target_x, target_y, backend="C",
                                        n_closest_points=int(sys.argv[2]))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"wall": wall, "cpu": cpu, "mean_value": float(values.mean()),
                      "mean_sd": float(numpy.sqrt(variances).mean())}))


main()
