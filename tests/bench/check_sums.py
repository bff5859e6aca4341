#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benchmark's cases of sums within a tolerance on few points.

    check_sums.py BENCH_CORE BENCH_FOLDER

Fails where a case fails, a result is missing or contradicts itself, or the summary does not find
what it promises.
"""
import json
import subprocess
import sys

POINTS = 2000
SIDE = 45  # the least with 2000 cells or more
METHODS = ("idw", "aidw")
MOST = 2048

# case, data, points, targets, columns
EXPECTED = {("sums", "uniform", POINTS, POINTS, 1), ("sums", "clustered", POINTS, POINTS, 1),
            ("raster", "uniform", POINTS, SIDE * SIDE, 1),
            ("raster", "uniform", POINTS, SIDE * SIDE, 8)} | {
                ("growth", "uniform", n, n, 1) for n in (MOST // 16, MOST // 4, MOST)}
COARSE = [("coarse", data, POINTS, cells * cells, 1)
          for data in ("uniform", "clustered") for _ in METHODS for cells in (SIDE, 15, 5)]
# without and with, of two methods
CHANGED = [(case, "uniform", POINTS, POINTS, 1) for case in ("smoothing", "planes")] * 4
SHAPES = ("decades", "line", "speck", "outside")
# uniform data first
OF_SHAPES = [("shapes", "uniform", POINTS, POINTS, 1)] * (1 + len(SHAPES))


def measure(bench_core):
    done = subprocess.run([bench_core, "sums", "raster", "coarse", "smoothing", "planes",
                           "shapes", "growth",
                           "--points", str(POINTS), "--targets", str(POINTS), "--most", str(MOST), "--repeat", "1"],
                          stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, f"bench_core: exit {done.returncode}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_result(r):
    assert 0 <= r["error"] <= r["eps"] == 1e-4, "the error is above eps"
    assert min(64, r["targets"]) <= r["checked"] <= r["targets"], "too few targets are checked"
    work = r["pairs_per_target"], r["nodes_per_target"]
    assert 0 <= min(work) and 0 < sum(work), "no work is counted"
    assert work[0] <= r["points"], "more pairs than there are"
    assert 0 < r["create_wall"] and 0 < r["predict_wall"], "a stage took no time"
    assert abs(r["create_wall"] + r["predict_wall"] - r["wall_median"]) < 1e-9, "stages miss"
    assert r["model_bytes_per_point"] >= 24, "two coordinates and a value take more"


def check_ratios(ratios):
    assert {r["points"] for r in ratios} == {MOST // 4, MOST}, f"ratios of {ratios}"
    assert min(r["ratio"] for r in ratios) > 0, "no time passed"


def check_coarse(results, ratios):
    assert [(r["data"], r["method"]) for r in ratios] == [
        (data, method) for data in ("uniform", "clustered") for method in METHODS], \
        f"ratios of {ratios}"
    works = [tuple(x["pairs_per_target"] for x in results
                   if (x["data"], x["method"]) == (r["data"], r["method"])) for r in ratios]
    assert len(set(works)) == len(ratios), f"two of them take the same work: {works}"
    assert min(min(r["tenth"], r["hundredth"]) for r in ratios) > 0, "no time passed"


def check_changed(ratios):
    assert [r["method"] for r in ratios] == list(METHODS), f"ratios of {ratios}"
    assert min(r["ratio"] for r in ratios) > 0, "no time passed"


def check_smoothing(results):
    smoothed = [r["smoothing"] > 0 for r in results]
    assert smoothed == [False, True, False, True], f"results of {results}"


def check_planes(results):
    means, planes = results[::2], results[1::2]
    assert all(m["nodes_per_target"] != p["nodes_per_target"] for m, p in zip(means, planes)), \
        f"planes take the work of means: {results}"


def check_shapes(results, ratios):
    assert len(ratios) == 1, f"ratios of {ratios}"
    assert min(ratios[0][shape] for shape in SHAPES) > 0, "no time passed"
    works = {(r["pairs_per_target"], r["nodes_per_target"]) for r in results}
    assert len(works) == len(results), f"two shapes take the same work: {results}"


def check_results(results):
    keys = ("case", "data", "points", "targets", "columns")
    found = [tuple(r[key] for key in keys) for r in results]
    assert sorted(found) == sorted([*EXPECTED, *COARSE, *CHANGED, *OF_SHAPES]), f"results of {found}"
    for r in results:
        try:
            check_result(r)
        except AssertionError as error:
            sys.exit(f"{r}: {error}")


def check_summary(folder, results):
    sys.path.insert(0, folder)
    import summary  # pylint: disable=import-error,import-outside-toplevel
    sizes = {"sums": POINTS, "large": POINTS, "raster": (POINTS, SIDE * SIDE),
             "growth": MOST // 16}
    limits = summary.BY_ISA["avx2"]
    assert all(of.keys() == limits.keys() for of in summary.BY_ISA.values()), "a limit is missing"
    assert summary.list_figures(summary.Results(results), "avx512"), "no figures"
    figures = list(summary.tolerance_figures(summary.Results(results), limits, sizes))
    assert len(figures) == 16 + len(SHAPES), f"{len(figures)} figures"
    missing = [f.text for f in figures if f.measured is None]
    assert not missing, f"no results for {missing}"
    assert figures[-1].passed(), "the error is above eps"


def main():
    bench_core, folder = sys.argv[1:]
    results = measure(bench_core)
    check_ratios([r for r in results if r["case"] == "growth_ratio"])
    check_coarse([r for r in results if r["case"] == "coarse"],
                 [r for r in results if r["case"] == "coarse_ratio"])
    check_changed([r for r in results if r["case"] == "smoothing_ratio"])
    check_changed([r for r in results if r["case"] == "planes_ratio"])
    check_smoothing([r for r in results if r["case"] == "smoothing"])
    check_planes([r for r in results if r["case"] == "planes"])
    check_shapes([r for r in results if r["case"] == "shapes"],
                 [r for r in results if r["case"] == "shapes_ratio"])
    check_results([r for r in results if not r["case"].endswith("_ratio")])
    check_summary(folder, results)
    wrong = subprocess.run([bench_core, "growth", "--most", "0"], stderr=subprocess.DEVNULL,
                           check=False)
    assert wrong.returncode == 2, f"a wrong command: exit {wrong.returncode}"


if __name__ == "__main__":
    main()
