# SPDX-License-Identifier: MIT
"""Kriging, two threads: the fit and predictions from sectors with it; from the 50 nearest ours and other
programs', which use one thread, on the same dataset. Runs take turns, so that other work on the machine
falls on all alike."""
import json
import subprocess

import runs

TARGETS, NEIGHBOURS = 50000, 50
# Points that each peer gets: PyKrige makes the matrix of all points first, 20 GB for 50,000.
POINTS = {"gstat": 50000, "pykrige": 5000}


def find_peers(job):
    """Name of each peer and the command before FILE K."""
    gstat = ["Rscript", runs.HERE / "peer_gstat.R"]
    pykrige = [job.build / "peers" / "bin" / "python", runs.HERE / "peer_pykrige.py"]
    tests = {"gstat": (gstat, ["Rscript", "-e", "library(gstat)"], "no R with gstat (r-cran-gstat)"),
             "pykrige": (pykrige, [pykrige[0], "-c", "import pykrige"],
                         f"no PyKrige in {job.build / 'peers'} (bench/README.md says how)")}
    peers = {}
    for name, (command, test, reason) in tests.items():
        try:
            subprocess.run(test, check=True, capture_output=True)
            peers[name] = command
        except (OSError, subprocess.CalledProcessError):
            job.skipped[name] = reason
    return peers


def run_ours(job, points):
    return json.loads(runs.run([job.bench / "bench_core", "krige", "--k", str(NEIGHBOURS), "--points",
                                str(points), "--targets", str(TARGETS), "--repeat", "1"]))


def difference(one, other):
    """The largest of the means' differences, over the mean sd."""
    return max(abs(one[mean] - other[mean]) for mean in ("mean_value", "mean_sd")) / one["mean_sd"]


def turn(job, name, command, measured):
    file, ours = job.work / f"{name}.bin", run_ours(job, POINTS[name])
    key = {"case": "krige_nearest", "points": POINTS[name], "targets": TARGETS, "k": NEIGHBOURS}
    measured.add(dict(key, tool="shepard"), {"wall": ours["wall"][0], "cpu": ours["cpu"][0]},
                 error=ours["error"])
    if command:
        line = json.loads(runs.run([*command, file, str(NEIGHBOURS)]))
        measured.add(dict(key, tool=name), line, difference=difference(ours, line))


def measure(job):
    """All results, and whether our cases succeeded."""
    fitted, good = job.core("krige")
    peers, measured, turns = find_peers(job), runs.Runs(), min(job.turns, 3)
    for name, points in POINTS.items():
        job.draw("uniform", TARGETS, points, name)
        for number in range(turns):
            runs.say(f"krige: {points:,} points, turn {number + 1} of {turns}")
            turn(job, name, peers.get(name), measured)
    results = measured.finish()
    runs.show("Kriging of the 50 nearest, 50,000 targets; seconds", results, "points", "tool",
              "wall_median", "wall_min", "cpu_median", "error", "difference")
    return fitted + results, good
