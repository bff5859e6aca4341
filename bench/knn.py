# SPDX-License-Identifier: MIT
"""Nearest neighbours, ours and other libraries': one thread, build and search, the same dataset. Runs
take turns, so that other work on the machine falls on all alike."""
import json

import runs

NEIGHBOURS = (10, 15)


def find_peers(job):
    """Name of each peer and the command before FILE K."""
    peers = {}
    for name, package in (("cgal", "libcgal-dev"), ("nanoflann", "libnanoflann-dev")):
        program = job.bench / f"peer_{name}"
        if program.exists():
            peers[name] = [program]
        else:
            job.skipped[name] = f"not built: {package} was not found"
    python = job.find_scipy()
    if python:
        peers["scipy"] = [python, runs.HERE / "peer_scipy.py", "knn"]
    return peers


def run_ours(job, kind, k):
    """Our search once."""
    return json.loads(runs.run([job.bench / "bench_core", "knn", "--data", kind, "--k", str(k),
                                "--repeat", "1", "--points", str(job.points),
                                "--targets", str(job.points)]))


def turn(job, peers, kind, measured):
    for k in NEIGHBOURS:
        key = {"case": "knn", "data": kind, "k": k}
        ours = run_ours(job, kind, k)
        measured.add(dict(key, tool="shepard"), {"wall": ours["wall"][0], "cpu": ours["cpu"][0]},
                     checksum=ours["checksum"], checked=ours["checked"], wrong=ours["wrong"],
                     agrees=True)
        for name, command in peers.items():
            line = json.loads(runs.run([*command, job.work / f"{kind}.bin", str(k)]))
            off = abs(line["checksum"] - ours["checksum"]) / ours["checksum"]
            measured.add(dict(key, tool=name), line, checksum=line["checksum"], agrees=off < 1e-12)


def measure(job):
    peers, measured = find_peers(job), runs.Runs()
    for kind in ("uniform", "clustered"):
        job.draw(kind, job.points)
        for number in range(job.turns):
            runs.say(f"knn: {kind}, turn {number + 1} of {job.turns}")
            turn(job, peers, kind, measured)
    results = measured.finish()
    runs.show("Nearest neighbours, one thread, build and search; seconds", results, "data", "k",
              "tool", "cpu_median", "cpu_min", "wall_median", "agrees")
    return results
