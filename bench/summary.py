# SPDX-License-Identifier: MIT
"""The thresholds next to the measured figures, and the machine they were measured on."""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess

# Thresholds that depend on the instruction set: pairs a second and core by power, and seconds of
# AIDW.
BY_ISA = {"avx2": {"2.5": 1.1e9, "aidw": 1.1e9, "2": 6e9, "seconds": 2},
          "avx512": {"2.5": 1.4e9, "aidw": 1.4e9, "2": 6e9, "seconds": 1.6}}

# Points and targets that the thresholds of sums within a tolerance and of kriging are for.
SIZES = {"sums": 1024000, "large": 10240000, "raster": (10000, 100000000), "growth": 262144,
         "krige": (1000000, 1024000)}


def output_of(*command):
    """First line of what a program prints; empty where it is not here."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip().split("\n")[0]


def processor():
    """Its name, family and model: hosts hide the last part of the name, and with it which it is."""
    text = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
    name, family, model = (re.search(rf"^{key}\s*: (.*)$", text, re.M)
                           for key in ("model name", "cpu family", "model"))
    if not (name and family and model):
        return name.group(1) if name else platform.processor() or platform.machine()
    return f"{name.group(1)} (family {family.group(1)}, model {model.group(1)})"


def compiler(build):
    found = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text("utf-8"),
                      re.M)
    return output_of(found.group(1), "--version") if found else ""


def instruction_set(build):
    """The one that the library uses here: the processor's best, or what SHEPARD_ISA limits it to."""
    try:
        done = subprocess.run([build / "cli" / "shepard", "info", "--json"], capture_output=True,
                              text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return json.loads(done.stdout)["isa"]


def describe_commit(folder):
    git = ("git", "-C", folder)
    changes = output_of(*git, "status", "--porcelain", "--untracked-files=no")
    return ((output_of(*git, "rev-parse", "--short=12", "HEAD") or "unknown")
            + (" with changes" if changes else ""))


def describe_host(build, folder):
    """Before the measurements begin, for the load."""
    return {"processor": processor(), "isa": instruction_set(build), "cores": os.cpu_count(),
            "load_at_start": os.getloadavg()[0],
            "system": platform.system() + " " + platform.machine(), "compiler": compiler(build),
            "commit": describe_commit(folder), "date": datetime.date.today().isoformat(),
            "gdal": output_of("gdalinfo", "--version"),
            "grass": output_of("grass", "--version"),
            "scipy": output_of("/usr/bin/python3", "-c", "import scipy; print(scipy.__version__)"),
            "gstat": output_of("Rscript", "-e", "cat(format(packageVersion('gstat')))"),
            "pykrige": output_of(build / "peers" / "bin" / "python", "-c",
                                 "import pykrige; print(pykrige.__version__)")}


class Results:
    """All results, found by their members."""

    def __init__(self, results):
        self.all = results

    def of(self, *cases):
        return [r for r in self.all if r["case"] in cases]

    def one(self, **members):
        """The first result with these members, or an empty one."""
        return next((r for r in self.all
                     if all(r.get(key) == value for key, value in members.items())), {})

    def get(self, name, **members):
        """A member of that result, or None."""
        return self.one(**members).get(name)


class Figure:
    """One threshold: text, limit, measured value (None: not measured), and which side is good."""

    def __init__(self, text, limit, measured, at_least=False):
        self.text, self.limit, self.measured, self.at_least = text, limit, measured, at_least

    def passed(self):
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def ratio(self):
        """How many times as good as the threshold."""
        if self.at_least:
            return self.measured / self.limit
        return self.limit / self.measured if self.measured else None

    def as_json(self):
        return {"figure": self.text, "promised": ("at least " if self.at_least else "at most ")
                + f"{self.limit:g}", "measured": self.measured, "times_as_good": self.ratio(),
                "passed": self.passed()}


def quotient(a, b):
    return None if a is None or b is None else a / b


def knn_figures(results):
    for k in (10, 15):
        def cpu(tool, k=k, data="uniform"):
            return results.get("cpu_median", case="knn", tool=tool, data=data, k=k)
        yield Figure(f"kNN k={k}: times as fast as SciPy", 6,
                     quotient(cpu("scipy"), cpu("shepard")), True)
        for data, limit in (("uniform", 2), ("clustered", 1.7)):
            best = min((s for s in (cpu("cgal", data=data), cpu("nanoflann", data=data)) if s),
                       default=None)
            yield Figure(f"kNN k={k}, {data}: times as fast as the best of CGAL, nanoflann", limit,
                         quotient(best, cpu("shepard", data=data)), True)
        yield Figure(f"kNN k={k}: clustered over uniform", 2,
                     quotient(cpu("shepard", data="clustered"), cpu("shepard")))
    wrong = [r.get("wrong", 0) + (not r.get("agrees", True)) for r in results.of("knn")]
    yield Figure("kNN: wrong answers, and peers with other ones", 0, sum(wrong) if wrong else None)


def grid_figures(results):
    def seconds(tool, clock="wall"):
        return results.get(clock + "_median", case="grid", tool=tool)
    yield Figure("grid: times as fast as gdal_grid, wall", 10,
                 quotient(seconds("gdal_grid"), seconds("shepard")), True)
    yield Figure("grid: times as fast as gdal_grid, processor time", 10,
                 quotient(seconds("gdal_grid", "cpu"), seconds("shepard", "cpu")), True)
    yield Figure("grid: largest difference from gdal_grid", 1e-9,
                 results.get("largest_difference", case="grid", tool="gdal_grid"))
    yield Figure("grid: times as fast as GRASS without its import, wall", 1,
                 quotient(seconds("grass"), seconds("shepard")), True)


def pairs_figures(results, limits):
    for power in ("2.5", "aidw", "2"):
        yield Figure(f"pairs a second and core, single, power {power}", limits[power],
                     results.get("pairs_per_cpu_second", case="pairs", power=power,
                                 precision="single", columns=1), True)
    for precision, limit in (("single", 1e-6), ("double", 1e-12)):
        errors = [r["error"] for r in results.of("pairs") if r["precision"] == precision]
        yield Figure(f"sums in {precision}: largest error over the value range", limit,
                     max(errors, default=None))


def tolerance_figures(results, limits, sizes=None):
    sizes = sizes or SIZES
    n, large, (points, cells) = sizes["sums"], sizes["large"], sizes["raster"]

    def aidw(member, n, data="uniform"):
        return results.get(member, case="sums", method="aidw", data=data, points=n, targets=n)

    def raster(columns):
        return results.get("wall_median", case="raster", points=points, targets=cells,
                           columns=columns)

    seconds = aidw("wall_median", n)
    yield Figure(f"AIDW {n:,} x {n:,}: seconds (aim 0.8)", limits["seconds"], seconds)
    yield Figure(f"AIDW {large:,} x {large:,}: seconds (aim 9)", 18, aidw("wall_median", large))
    yield Figure(f"AIDW {n:,}: clustered over uniform (aim 1)", 1.5,
                 quotient(aidw("wall_median", n, "clustered"), seconds))
    yield Figure(f"AIDW {n:,}: model, bytes a data point (aim 96)", 160,
                 aidw("model_bytes_per_point", n))
    yield Figure(f"IDW p=2, {points:,} to {cells:,} cells: seconds (aim 10)", 60, raster(1))
    yield Figure("the same with 8 columns over 1 column", 2, quotient(raster(8), raster(1)))
    for method in ("idw", "aidw"):
        for part, limit in (("tenth", 1.3), ("hundredth", 2)):
            yield Figure(f"{method.upper()} to a raster with a {part} of {n:,} cells: a cell's time "
                         "over one of all", limit,
                         results.get(part, case="coarse_ratio", data="uniform", method=method))
        yield Figure(f"{method.upper()} of all points, with smoothing: time over that without", 1.2,
                     results.get("ratio", case="smoothing_ratio", method=method))
        yield Figure(f"{method.upper()} of all points, planes: time over that of degree 0", 4,
                     results.get("ratio", case="planes_ratio", method=method))
    for shape in ("decades", "line", "speck", "outside"):
        yield Figure(f"AIDW {n:,}, {shape}: time over that of uniform data", 3,
                     results.get(shape, case="shapes_ratio"))
    least = sizes["growth"]
    growth = {r["points"]: r["ratio"] for r in results.of("growth_ratio")
              if r["points"] >= 4 * least}
    yield Figure(f"AIDW {least:,} to {max(growth, default=0):,}: largest time(4n)/time(n)", 4.6,
                 max(growth.values(), default=None))
    # An error that is not a number is written as null, and is as bad as any.
    errors = [float("inf") if r["error"] is None else r["error"] / r["eps"]
              for r in results.of("sums", "raster", "coarse", "smoothing", "planes", "shapes",
                                  "growth")]
    yield Figure("sums with eps 1e-4: largest error over eps", 1, max(errors, default=None))


def field_figures(results):
    yield Figure("20 parameters on one field, over preparing once and 20 calls", 1.03,
                 results.get("ratio", case="parameters", points=SIZES["sums"]))
    for sectors, k, limit in (("octants", "8 x 2", 2), ("quadrants", "4 x 3", 2)):
        yield Figure(f"sectors, {k}: time over that of the 16 nearest", limit,
                     results.get(sectors, case="sectors", data="uniform"))
    for metric in ("sphere", "space"):
        speeds = [r["speed"] for r in results.of("distances") if r["metric"] == metric]
        yield Figure(f"neighbourhoods, {metric}: least speed, of the plane's", 0.4,
                     min(speeds, default=None), True)
    yield Figure("365 columns with gaps of their own in one call, over a call for each: times as "
                 "fast", 20, results.get("ratio", case="gaps", method="idw"), True)
    held = [r["model_bytes_per_point"] for r in results.of("memory") if r["columns"] == 1]
    yield Figure("model of exact sums: bytes a data point, most of all", 64,
                 max(held, default=None))


def krige_figures(results, sizes=None):
    sizes = sizes or SIZES["krige"]

    def nearest(tool, points):
        return results.get("wall_median", case="krige_nearest", tool=tool, points=points)

    yield Figure(f"kriging, fit to {sizes[0]:,} points: seconds", 0.3,
                 results.get("wall_median", case="krige_fit", points=sizes[0]))
    for each, limit in ((2, 3), (3, 6)):
        yield Figure(f"kriging, 8 x {each}, values and sd of {sizes[1]:,} targets: seconds", limit,
                     results.get("wall_median", case="krige", targets=sizes[1], each=each))
    for tool, points in (("gstat", 50000), ("pykrige", 5000)):
        yield Figure(f"kriging, the 50 nearest: times as fast as {tool}, wall", 20,
                     quotient(nearest(tool, points), nearest("shepard", points)), True)
    # An error that is not a number is written as null, and is as bad as any.
    errors = [float("inf") if r["error"] is None else r["error"]
              for r in results.of("krige", "krige_nearest") if r["tool"] == "shepard"]
    yield Figure("kriging: largest difference from ref, over the root of the sill", 1e-10,
                 max(errors, default=None))
    yield Figure("kriging: largest difference of the means from those of a peer, over the mean sd", 1e-9,
                 max((r["difference"] for r in results.of("krige_nearest") if "difference" in r),
                     default=None))


def list_figures(results, isa):
    limits = BY_ISA.get(isa, BY_ISA["avx2"])
    figures = [*knn_figures(results), *grid_figures(results), *pairs_figures(results, limits),
               *tolerance_figures(results, limits), *field_figures(results),
               *krige_figures(results)]
    return [f for f in figures if f.measured is not None]


def file_name(host):
    words = re.sub(r"\((r|tm)\)", " ", f"{host['processor']} {host['isa']}".lower())
    kind = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    return f"cpu-{kind}-{host['cores']}-cores.json"
