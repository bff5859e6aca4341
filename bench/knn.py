#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nearest neighbours beside other libraries: one thread, build and search, the same cloud.

knn.py BIN_DIR WORK_DIR OUT.json [--repeat R] [--points N]

BIN_DIR holds bench_core and the peers that were built. Runs take turns, ours and each peer's, so
that other work on the machine falls on all alike; the figures are medians, in processor seconds.
"""
import argparse
import json
import pathlib

import runs

KINDS = ("uniform", "clustered")
NEIGHBOURS = (10, 15)


def find_peers(bin_dir):
    """Name of each peer and the command before FILE K; those missing with the reason."""
    here = pathlib.Path(__file__).parent
    peers, missing = {}, {}
    for name, package in (("cgal", "libcgal-dev"), ("nanoflann", "libnanoflann-dev")):
        program = bin_dir / f"peer_{name}"
        if program.exists():
            peers[name] = [program]
        else:
            missing[name] = f"not built: {package} was not found"
    python = runs.find_scipy()
    if python:
        peers["scipy"] = [python, here / "peer_scipy.py"]
    else:
        missing["scipy"] = "no python3 with SciPy (python3-scipy)"
    return peers, missing


def run_ours(bin_dir, work_dir, kind, k, points):
    """Our search once; its record."""
    file = work_dir / "knn_once.json"
    runs.run([bin_dir / "bench_core", "knn", "--data", kind, "--k", str(k), "--repeat", "1",
              "--points", str(points), "--targets", str(points), "--json", file])
    record = json.loads(file.read_text(encoding="utf-8"))[0]
    return {"wall": record["wall"][0], "cpu": record["cpu"][0]}, record


def measure(bin_dir, work_dir, repeat, points):
    peers, missing = find_peers(bin_dir)
    measured = runs.Runs()
    for kind in KINDS:
        cloud = work_dir / f"{kind}.bin"
        runs.run([bin_dir / "bench_core", "draw", kind, cloud, "--points", str(points),
                  "--targets", str(points)])
        for turn in range(repeat):
            runs.say(f"knn: {kind}, turn {turn + 1} of {repeat}")
            for k in NEIGHBOURS:
                key = {"case": "knn", "data": kind, "k": k}
                seconds, ours = run_ours(bin_dir, work_dir, kind, k, points)
                measured.add(dict(key, tool="shepard"), seconds, checksum=ours["checksum"],
                             checked=ours["checked"], wrong=ours["wrong"], agrees=True)
                for name, command in peers.items():
                    line = json.loads(runs.run(command + [cloud, str(k)]))
                    off = abs(line["checksum"] - ours["checksum"]) / ours["checksum"]
                    measured.add(dict(key, tool=name), line, checksum=line["checksum"],
                                 agrees=off < 1e-12)
    return measured.finish(), missing


def print_table(results, missing):
    print("Nearest neighbours, one thread, build and search; processor seconds (median, least) "
          "and wall\ndata         k tool           cpu    least     wall   x ours")
    ours = {}
    for r in results:
        if r["tool"] == "shepard":
            ours[r["data"], r["k"]] = r["cpu_median"]
        ratio = r["cpu_median"] / ours[r["data"], r["k"]]
        print(f"{r['data']:10} {r['k']:3} {r['tool']:10} {r['cpu_median']:8.3f} {r['cpu_min']:8.3f} "
              f"{r['wall_median']:8.3f} {ratio:8.2f}" + ("" if r["agrees"] else "  OTHER ANSWER"))
    for name, reason in missing.items():
        print(f"{name} skipped: {reason}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir", type=pathlib.Path)
    parser.add_argument("work_dir", type=pathlib.Path)
    parser.add_argument("out")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--points", type=int, default=1024000)
    args = parser.parse_args()
    results, missing = measure(args.bin_dir, args.work_dir, args.repeat, args.points)
    print_table(results, missing)
    skipped = [{"case": "skipped", "tool": name, "reason": why} for name, why in missing.items()]
    runs.write(results + skipped, args.out)


if __name__ == "__main__":
    main()
