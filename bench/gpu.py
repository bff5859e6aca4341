#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the backend cuda and PyTorch, and prints the thresholds next to the measured figures.

  bench/gpu.py BENCH_CUDA [--json FILE] [--commit TEXT] [--quick] [--several] [--runs N] [--skip-large]

BENCH_CUDA: the program. --json: where all results go. --commit: what they say of the source measured;
default: the commit of this folder. --several: what all devices of the machine do beside one. The rest
is for the program; with --quick only errors are judged.
Ends with 1 where a threshold was missed or a measurement failed, with 2 for a wrong command, with 77
where no device can be used.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import stages
import summary
import tables

HERE = pathlib.Path(__file__).parent


def read_command():
    parser = argparse.ArgumentParser(description="Measures the backend cuda and PyTorch.")
    parser.add_argument("program", metavar="BENCH_CUDA")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--commit", metavar="TEXT", default=summary.describe_commit(HERE))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--several", action="store_true")
    return parser.parse_known_args()


# ---- results --------------------------------------------------------------------------------------

def complete(result, results, commit):
    """Adds what follows from earlier results."""
    if result["case"] == "machine":
        result["commit"] = commit
    elif result["case"] == "stage":
        stages.add_least(result, results.one(case="roofline"),
                         results.one(case="end_to_end", run=result["run"]))
    elif result["case"] == "device_arrays":
        result["pinned_milliseconds"] = milliseconds(results, "aidw-1m")


def measure(command, commit):
    """Results of the program, printed as they come, and its exit status."""
    results, table = summary.Results([]), tables.Table()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        for line in program.stdout:
            result = json.loads(line)
            complete(result, results, commit)
            results.all.append(result)
            table.add(result)
    return results, program.returncode


def measure_torch(size):
    """Brute force by PyTorch in a process of its own; an empty list, with the reason, without it."""
    done = subprocess.run([sys.executable, HERE / "torch_brute.py", str(size), str(size)],
                          stdout=subprocess.PIPE, text=True, check=False)
    last = done.stdout.strip().split("\n")[-1]
    if done.returncode:
        print(f"PyTorch: left out: {last or 'torch_brute.py failed'}")
        return []
    found = json.loads(last)
    peer = {"case": "peer", "points": found["points"], "targets": found["targets"],
            "wall_seconds": found["seconds"], "sums_device_seconds": None, "error": found["error"],
            "version": found["version"], "peer": "pytorch-brute-force"}
    tables.Table().add(peer)
    return [peer]


# ---- thresholds -----------------------------------------------------------------------------------

def milliseconds(results, run):
    seconds = results.get("wall_median", case="end_to_end", run=run)
    return None if seconds is None else 1e3 * seconds


def stage_milliseconds(results, *names):
    """Of the run aidw-1m; None where no stage took place."""
    found = [results.get("device_seconds", case="stage", run="aidw-1m", stage=name) for name in names]
    return 1e3 * sum(s or 0 for s in found) if any(found) else None


def largest_error(runs):
    """An error that is not a number is written as null, and is as bad as any."""
    return max((float("inf") if r["error"] is None else r["error"] for r in runs), default=None)


def error_over_eps(run):
    return largest_error([run]) / run["eps"]


def error_figures(results):
    runs = results.of("end_to_end")
    sums = [r for r in runs if r["eps"] and not r["run"].startswith("idw-raster")]
    yield ("sums within eps: largest error over eps", 1, None,
           max((error_over_eps(r) for r in sums), default=None))
    yield ("12 nearest: largest error over the value range", 1e-6, None,
           largest_error([r for r in runs if r["run"].startswith("idw-raster")]))
    beside = results.of("beside_cpu")
    planes = [r for r in beside if r["run"].startswith("planes-")]
    yield ("neighbourhoods: largest difference from the cpu over the value range", 1e-10, None,
           largest_error([r for r in beside if r not in planes]))
    yield ("planes: largest difference from the cpu over the value range, over 2 eps", 1, None,
           largest_error(planes) and largest_error(planes) / 2e-4)


def time_figures(results):
    """Text, at most, aim (better), measured."""
    def ms(run):
        return milliseconds(results, run)

    def ratio(run, other):
        return summary.quotient(ms(run), ms(other))

    def beside_cpu(run):
        seconds = results.get("wall_median", case="beside_cpu", run=run)
        return None if seconds is None else 1e3 * seconds

    def over_plane(metric):
        return max((1 / r["speed"] for r in results.of("distances") if r["metric"] == metric),
                   default=None)

    def cell_over_dense(method, part):
        """A cell's time of searches and sums, over that of one of as many cells as points: points
        are prepared by the prediction, too."""
        def seconds_a_cell(run):
            cells = results.get("targets", case="end_to_end", run=run)
            stage = [results.get("device_seconds", case="stage", run=run, stage=s)
                     for s in ("nearest", "sums")]
            return sum(s or 0 for s in stage) / cells if cells and any(stage) else None
        return summary.quotient(seconds_a_cell(f"{method}-cells-{part}"),
                                seconds_a_cell(f"{method}-cells-all"))

    def left_out(way):
        return results.get("ratio", case="leave_one_out", way=way)
    yield "AIDW 1,024,000 x 1,024,000, ms", 10, 5, ms("aidw-1m")
    yield ("  of which sort, tree, moments, ms", 1.5, 1,
           stage_milliseconds(results, "sort", "tree", "moments"))
    yield "  of which kNN (k = 10), ms", 1.5, 1, stage_milliseconds(results, "nearest")
    yield "  of which sums, ms", 4, 2, stage_milliseconds(results, "sums")
    yield "AIDW 1,024,000 x 1,024,000, memory not pinned, ms", 9, None, ms("aidw-1m-pageable")
    yield "AIDW 10,240,000 x 10,240,000, ms", 110, 55, ms("aidw-10m")
    yield "AIDW 100,000,000 x 100,000,000, ms", 1300, 650, ms("aidw-100m")
    yield "IDW k = 12, 10,240,000 points to 10,000 x 10,000 cells, ms", 200, 80, ms("idw-raster")
    yield "IDW, 2 of each octant, 1,024,000 x 1,024,000, ms", 20, 10, beside_cpu("idw-octants")
    yield ("kriging with sd, 2 of each octant, 1,024,000 x 1,024,000, ms", 60, 20,
           beside_cpu("krige-octants"))
    for metric, name in (("sphere", "on the sphere"), ("space", "in space")):
        if results.of("distances"):
            yield (f"every pair {name}, over the plane, 102,400 x 102,400", 2.5, None,
                   over_plane(metric))
    yield ("AIDW at the points, each left out, over other targets, 1,024,000", 1.15, None,
           left_out("aidw"))
    yield ("12 nearest at the points, each left out, over other targets, 1,024,000", 1.15, None,
           left_out("idw-k12"))
    yield "clustered over uniform, 1,024,000", 1.5, 1, ratio("aidw-1m-clustered", "aidw-1m")
    yield "clustered over uniform, 10,240,000", 1.5, 1, ratio("aidw-10m-clustered", "aidw-10m")
    yield ("targets 10 % beyond the data over within, 10,240,000", 1.5, 1,
           ratio("aidw-10m-beyond", "aidw-10m"))
    yield ("25 nearest over 24 nearest, 1,024,000 x 1,024,000", 3, None,
           summary.quotient(beside_cpu("idw-k25"), beside_cpu("idw-k24")))
    yield ("all points of a circle, 64 on average, over the 64 nearest, 1,024,000 x 1,024,000", 3,
           None, summary.quotient(beside_cpu("idw-circle64"), beside_cpu("idw-k64")))
    yield ("64 nearest in an ellipse over the 64 nearest, 1,024,000 x 1,024,000", 3, None,
           summary.quotient(beside_cpu("idw-ellipse64"), beside_cpu("idw-k64")))
    yield ("64 of each quadrant over the 256 nearest, 1,024,000 x 1,024,000", 3, None,
           summary.quotient(beside_cpu("idw-quadrants64"), beside_cpu("idw-k256")))
    yield ("planes over degree 0, AIDW, 1,024,000", 4, None,
           summary.quotient(beside_cpu("planes-aidw"), ms("aidw-1m")))
    for shape in ("decades", "line", "speck", "outside"):
        yield f"{shape} over uniform, 1,024,000", 3, None, ratio(f"aidw-1m-{shape}", "aidw-1m")
    for method in ("aidw", "idw"):
        for part, limit in (("tenth", 1.3), ("hundredth", 2)):
            yield (f"{method.upper()} of 10,240,000 points to a {part} of as many cells: searches and sums "
                   "of a cell, over those of one of all", limit, None, cell_over_dense(method, part))
    yield "with smoothing over without, 1,024,000", 3, 1.2, ratio("aidw-1m-smoothed", "aidw-1m")
    yield "eps 1e-5 over 1e-4, 1,024,000", 3, None, ratio("aidw-1m-double", "aidw-1m")
    yield ("eps 1e-5 with smoothing over without, 1,024,000", 3, 1.2,
           ratio("aidw-1m-double-smoothed", "aidw-1m-double"))
    yield "time(10n) / time(n), n = 1,024,000", 12, None, ratio("aidw-10m", "aidw-1m")
    yield "time(10n) / time(n), n = 10,240,000", 12, None, ratio("aidw-102m", "aidw-10m")


def several_figures(results):
    """Text, at least, aim, measured: asked of four devices."""
    raster = "10,240,000 points to 10,000 x 10,000 cells"
    for run, text, at_least in (("aidw-10m", "AIDW 10,240,000 x 10,240,000", 2.5),
                                ("aidw-51m", "AIDW 51,200,000 x 51,200,000", 3),
                                ("aidw-raster", f"AIDW, {raster}", 3.7)):
        speed = summary.quotient(milliseconds(results, run), milliseconds(results, f"{run}-all"))
        yield f"all devices, times as fast as one: {text}", at_least, speed


def verdict_of(measured, is_met):
    if measured is None:
        return "not measured"
    return "pass" if is_met(measured) else "MISS"


def judge(text, at_most, aim, measured):
    return {"case": "figure", "at_most": at_most, "aim": aim, "measured": measured,
            "verdict": verdict_of(measured, lambda m: m <= at_most), "figure": text}


def judge_speed(text, at_least, measured):
    return {"case": "figure", "at_least": at_least, "measured": measured,
            "verdict": verdict_of(measured, lambda m: m >= at_least), "figure": text}


def judge_all(results, asked):
    judged = [judge(*figure) for figure in error_figures(results)]
    if not asked.quick and asked.several:
        judged += [judge_speed(*figure) for figure in several_figures(results)]
    elif not asked.quick:
        judged += [judge(*figure) for figure in time_figures(results)]
    table = tables.Table()
    for figure in judged:
        table.add(figure)
    return judged


def write(file, results):
    """An array, a result a line; a number that JSON does not have becomes null."""
    finite = [{k: None if v == float("inf") else v for k, v in r.items()} for r in results]
    file.write_text("[\n  " + ",\n  ".join(map(json.dumps, finite)) + "\n]\n", "utf-8")


def main():
    asked, more = read_command()
    chosen = [f"--{name}" for name in ("quick", "several") if getattr(asked, name)]
    results, status = measure([asked.program, *chosen, *more], asked.commit)
    if status in (2, 77):
        sys.exit(status)
    figures = judge_all(results, asked)
    if asked.json:  # before PyTorch, which may take long
        write(asked.json, results.all + figures)
    size = results.get("points", case="end_to_end", run="aidw-1m")
    results.all += measure_torch(size) if size and not asked.several else []
    if asked.json:
        write(asked.json, results.all + figures)
    missed = any(f["verdict"] == "MISS" for f in figures)
    sys.exit(1 if status or missed else 0)


if __name__ == "__main__":
    main()
