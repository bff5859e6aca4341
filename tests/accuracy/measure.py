#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of docs/accuracy.md.

    measure.py SHEPARD DATA [TABLE...]

SHEPARD is the command, DATA the folder of the open data sets, TABLE errors, gaps, halves or tuning; without
any all are made. Leave-one-out is by `shepard validate`; withheld values are compared with what `shepard
points --diagnostics sd` predicts there.
"""
import csv
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

METHODS = {
    "all points": "invdist",
    "k=12": "idw:k=12",
    "aidw": "aidw",
    "aidw 8x2": "aidw:sectors=8:max_points_per_sector=2:expect=knn",
    "planes 4x2": "idw:degree=1:sectors=4:max_points_per_sector=2",
    "krige": "krige",
}
LOCAL = ("k=12", "aidw 8x2", "planes 4x2", "krige")
Z95 = 1.959963984540054
SEED = 1
TRUTH_MOST = 5000  # values that the choice of tune is compared at


# ---- data ----------------------------------------------------------------------------------------

def read(path, field, keep=lambda row: True):
    with open(path, newline="", encoding="utf-8") as file:
        return [(float(row["x"]), float(row["y"]), float(row[field]))
                for row in csv.DictReader(file) if row[field] != "" and keep(row)]


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("x", "y", "z"), *rows])
    return path


def split(rows, part):
    """A random part of the rows, and the others."""
    rows = random.Random(SEED).sample(rows, len(rows))
    n = round(part * len(rows))
    return rows[:n], rows[n:]


def cut_discs(rows, count, radius, part):
    """A random part of the rows outside of discs round random rows, and the rows inside."""
    draw = random.Random(SEED)
    centres = draw.sample(rows, count)
    data, gaps = [], []
    for row in rows:
        if any(math.dist(row[:2], centre[:2]) < radius for centre in centres):
            gaps.append(row)
        elif draw.random() < part:
            data.append(row)
    return data, gaps


def two_halves(n):
    """Noise beside hills, the same mean and variance in both."""
    draw = random.Random(SEED)
    rows = []
    for _ in range(n):
        x, y = draw.uniform(0, 1000), draw.uniform(0, 1000)
        hills = 100 * math.sin(x / 60) * math.cos(y / 60)
        rows.append((x, y, hills if x < 500 else draw.gauss(0, 50)))
    return rows


# ---- scores --------------------------------------------------------------------------------------

def crps(error, sd):
    """Of a normal distribution (Eq. 91); of a value that is sure, as at a data point, the error."""
    if sd == 0:
        return abs(error)
    t = error / sd
    return sd * (t * math.erf(t / math.sqrt(2)) +
                 math.sqrt(2 / math.pi) * math.exp(-t * t / 2) - 1 / math.sqrt(math.pi))


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def scores_of(rows):
    """Of rows of observed, predicted, sd."""
    return {"rmse": math.sqrt(mean((p - z) ** 2 for z, p, _ in rows)),
            "crps": mean(crps(p - z, sd) for z, p, sd in rows),
            "coverage": mean(abs(p - z) <= Z95 * sd for z, p, sd in rows)}


# ---- runs ----------------------------------------------------------------------------------------

class Command:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def run(self, verb, *words):
        summary = self.folder / "summary.json"
        subprocess.run([self.program, verb, "-q", f"--json={summary}", "-zfield", "z", *map(str, words)],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(summary.read_text(encoding="utf-8"))

    def predict(self, algorithm, data, truth):
        """Rows of observed, predicted and sd, in the order of the truth, and the run's summary."""
        out = self.folder / "out.csv"
        out.unlink(missing_ok=True)
        summary = self.run("points", "-a", algorithm, "--diagnostics", "sd", data, truth, out)
        with open(out, newline="", encoding="utf-8") as file:
            rows = [tuple(float(row[name]) for name in ("z", "z_pred", "z_sd"))
                    for row in csv.DictReader(file)]
        return rows, summary

    def fitted(self, algorithm, data):
        """An algorithm whose parameters are all given, and the seconds of the fit."""
        if algorithm != "krige":
            return algorithm, 0
        one = self.folder / "one.csv"
        one.write_text("".join(Path(data).read_text(encoding="utf-8").splitlines(True)[:2]),
                       encoding="utf-8")
        fit = self.predict(algorithm, data, one)[1]["models"][0]["fit"]
        return fit["parameters"], fit["seconds"]

    def validate(self, algorithm, data, *words):
        algorithm, seconds = self.fitted(algorithm, data)
        got = self.run("validate", "-a", algorithm, *words, data)["validations"][0]["scores"][0]
        return {"rmse": got["rmse"], "crps": got["crps"], "coverage": got["coverage_95"],
                "seconds": got["seconds"] + seconds}

    def compare(self, algorithm, data, truth):
        rows, summary = self.predict(algorithm, data, truth)
        seconds = summary["seconds"]["build"] + summary["seconds"]["predict"]
        return {**scores_of(rows), "seconds": seconds}


# ---- tables --------------------------------------------------------------------------------------

def show(number, digits=3):
    if number is None:
        return "-"
    return f"{number:.{max(0, digits - 1 - math.floor(math.log10(abs(number))))}f}" if number else "0"


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def sets_of(data):
    """Name, values that are known, values to predict; without these leave-one-out."""
    meuse = data / "meuse/meuse.csv"
    volcano = read(data / "volcano/volcano.csv", "z")
    ground = read(data / "lidar/autzen_trim.csv", "z", lambda row: float(row["classification"]) == 2)
    return [
        ("zinc, LOO", read(meuse, "zinc"), None),
        ("log zinc, LOO", [(x, y, math.log(z)) for x, y, z in read(meuse, "zinc")], None),
        ("altitude, LOO", read(data / "meuse/meuse_alt.csv", "alt"), None),
        ("volcano, LOO", volcano, None),
        ("mvk, LOO", read(data / "lidar/mvk_thin.csv", "z"), None),
        ("walker", read(data / "walker/walker.csv", "v"),
         read(data / "walker/walker_exhaustive.csv", "v")),
        ("volcano 10 %", *split(volcano, 0.1)),
        ("autzen ground 80 %", *split(ground, 0.8)),
    ]


def print_errors(command, sets):
    scores = {}
    for name, known, unknown in sets:
        data = write(command.folder / "data.csv", known)
        truth = write(command.folder / "truth.csv", unknown or [])
        for method, algorithm in METHODS.items():
            scores[name, method] = (command.compare(algorithm, data, truth) if unknown
                                    else command.validate(algorithm, data))
    for title, key, digits in (("RMSE", "rmse", 4), ("CRPS", "crps", 3),
                               ("Coverage of 95 %", "coverage", 3), ("Seconds", "seconds", 2)):
        print(f"### {title}\n")
        rows = [[name, f"{len(known)} -> {len(unknown)}" if unknown else str(len(known)),
                 *(show(scores[name, method][key], digits) for method in METHODS)]
                for name, known, unknown in sets
                if any(scores[name, method][key] is not None for method in METHODS)]
        if key == "rmse":
            relative = {method: math.exp(mean(math.log(scores[name, method][key] /
                                                       scores[name, "k=12"][key])
                                              for name, *_ in sets)) for method in METHODS}
            rows.append(["geometric mean, relative to k=12", "",
                         *(f"{relative[method]:.3f}" for method in METHODS)])
        table(["set", "n", *METHODS], rows)


def print_gaps(command, known, unknown):
    print("### Gaps\n")
    data = write(command.folder / "data.csv", known)
    truth = write(command.folder / "truth.csv", unknown)
    rows = []
    for method in LOCAL:
        each = command.validate(METHODS[method], data)["rmse"]
        stars = command.validate(METHODS[method], data, "--at", truth)["rmse"]
        true = command.compare(METHODS[method], data, truth)["rmse"]
        rows.append([method, show(true), f"{show(each)} ({each / true:.2f})",
                     f"{show(stars)} ({stars / true:.2f})"])
    table(["method", "RMSE in the gaps", "leave-one-out states", "star hold-out states"], rows)


def print_halves(command, known, unknown):
    print("### Two halves\n")
    data = write(command.folder / "data.csv", known)
    truth = write(command.folder / "truth.csv", unknown)
    rows = []
    for method in LOCAL:
        found = command.predict(METHODS[method], data, truth)[0]
        row = [method]
        for inside in (lambda x: x < 500, lambda x: x >= 500):
            half = scores_of([at for at, place in zip(found, unknown) if inside(place[0])])
            row += [show(half["rmse"]), show(half["coverage"])]
        rows.append(row)
    table(["method", "hills: RMSE", "coverage", "noise: RMSE", "coverage"], rows)


def tuning_sets_of(data):
    """Name, values that are known, values to predict: half of those sets that are left out one by one, and
    targets in gaps and between lines."""
    for name, known, unknown in sets_of(data):
        yield (name, known, unknown) if unknown else (name.replace("LOO", "half"), *split(known, 0.5))
    volcano = read(data / "volcano/volcano.csv", "z")
    yield ("volcano, gaps", *cut_discs(volcano, 6, 80, 0.3))
    yield ("volcano, lines", [row for row in volcano if row[0] % 80 == 0],
           [row for row in volcano if row[0] % 80 != 0])
    yield ("mvk, gaps", *cut_discs(read(data / "lidar/mvk_thin.csv", "z"), 12, 150, 1))
    ground = read(data / "lidar/autzen_trim.csv", "z", lambda row: float(row["classification"]) == 2)
    yield ("autzen ground, gaps", *cut_discs(ground, 12, 25, 1))


def tuning_row(command, name, known, unknown):
    data = write(command.folder / "data.csv", known)
    truth = write(command.folder / "truth.csv", split(unknown, min(1, TRUTH_MOST / len(unknown)))[0])
    found = command.run("tune", "--seconds", "600", "--at", truth, data)
    texts = [trial["algorithm"] for trial in found["scores"] if trial["rmse"] is not None]
    words = [word for text in texts for word in ("-a", text)]
    true = {score["algorithm"]: score["rmse"] for score in
            command.run("validate", *words, "--truth", truth, data)["validations"][0]["scores"]}
    chosen = true[found["choice"]]
    return [name, f"{len(known)} -> {len(unknown)}", str(len(texts)), found["choice"].split(":model")[0],
            show(chosen, 4), f"{chosen / min(true.values()):.3f}", f"{found['honest_rmse'] / chosen:.2f}",
            "yes" if found["representative"] else "no"]


def print_tuning(command, sets):
    """The choice of tune against all its candidates at the targets, and its estimate against the truth."""
    print("### Tuning\n")
    table(["set", "n", "trials", "choice", "RMSE", "over the best trial's", "estimate over truth",
           "can tell"], (tuning_row(command, *each) for each in sets))


TABLES = {
    "errors": lambda command, data: print_errors(command, sets_of(data)),
    "gaps": lambda command, data: print_gaps(
        command, *cut_discs(read(data / "volcano/volcano.csv", "z"), 6, 80, 0.3)),
    "halves": lambda command, data: print_halves(command, *split(two_halves(2000), 0.5)),
    "tuning": lambda command, data: print_tuning(command, tuning_sets_of(data)),
}


def main():
    if len(sys.argv) < 3 or not TABLES.keys() >= set(sys.argv[3:]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        command = Command(sys.argv[1], folder)
        for name in sys.argv[3:] or TABLES:
            TABLES[name](command, Path(sys.argv[2]))


main()
