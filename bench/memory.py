# SPDX-License-Identifier: MIT
"""Points beyond memory: `shepard grid` with and without --memory from a LAS file of random points.

    python3 bench/memory.py BUILD FOLDER POINTS [MEMORY]      as build/release /big 10000000 2G

Makes the file with tests/io/make_las of the build, in FOLDER, where the points go to disk, too. Each
line is one run: seconds by the clock and of the CPU, and the peak of resident memory, of which what
is mapped from files (libraries; LAS files are read, not mapped) is said apart. The rasters are
compared byte by byte.
"""
import filecmp
import os
import pathlib
import subprocess
import sys
import time

METHODS = ("idw:k=12", "aidw:max_points=12", "aidw")
INTERVAL = 0.02  # seconds between two looks at the memory


def memory_of(pid):
    """Resident MiB: without files, and of files."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0, 0
    sizes = dict(line.split(":", 1) for line in lines)
    return tuple(int(sizes.get(key, "0 kB").split()[0]) / 1024 for key in ("RssAnon", "RssFile"))


def run(command):
    """Seconds, CPU seconds, and the peaks of memory without files and of files."""
    start, before, peak = time.monotonic(), os.times(), (0, 0)
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
    with subprocess.Popen([str(part) for part in command], env=environment) as process:
        while process.poll() is None:
            peak = tuple(map(max, peak, memory_of(process.pid)))
            time.sleep(INTERVAL)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed")
    now = os.times()
    cpu = now.children_user + now.children_system - before.children_user - before.children_system
    return time.monotonic() - start, cpu, *peak


def show(name, figures):
    seconds, cpu, anonymous, mapped = figures
    print(f"{name:32} {seconds:8.1f} s {cpu:8.1f} s of CPU {anonymous:8.0f} MiB, "
          f"{mapped:4.0f} MiB of files", flush=True)


def main():
    build, folder, points = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    memory = sys.argv[4] if len(sys.argv) > 4 else "2G"
    source, shepard = folder / f"points-{points}.las", build / "cli" / "shepard"
    if not source.exists():
        subprocess.run([build / "tests" / "io" / "make_las", source, "1.2", "0", str(points)],
                       check=True)
    for method in METHODS:
        grid = [shepard, "grid", "-q", "-tr", "0.5", "0.5", "-a", method]
        all_points, on_disk = folder / "memory.tif", folder / "disk.tif"
        show(method, run([*grid, source, all_points]))
        show(f"{method} --memory {memory}",
             run([*grid, "--memory", memory, "--temp", folder, source, on_disk]))
        if not filecmp.cmp(all_points, on_disk, shallow=False):
            sys.exit(f"{method}: the rasters differ")


if __name__ == "__main__":
    main()
