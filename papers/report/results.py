# SPDX-License-Identifier: MIT
"""The results that shepard_papers writes."""
import json
from dataclasses import dataclass, fields

from errors import ReportError
from merge import merge


# The series that shepard_papers knows. Results may lack some.
SERIES = ("aidw", "idw-p2", "idw-p2-targets", "idw-p2-points", "idw-p3", "idw-p3-targets", "idw-p3-points",
          "joint-points", "joint-targets", "joint-ratio-1e6", "joint-ratio-1e7", "joint-ratio-5e7", "joint-columns",
          "joint-calls", "joint-sets", "joint-sets-calls")


@dataclass(frozen=True)
class Workload:
    """One case; power is None where it adapts. n and m are those of each of its data sets."""
    power: float | None
    n: int
    m: int
    columns: int = 1
    sets: int = 1
    calls: int = 1

    @classmethod
    def of(cls, item):
        """Of a case or a measurement of the JSON."""
        return cls(**{field.name: item[field.name] for field in fields(cls) if field.name in item})


@dataclass(frozen=True)
class Measurement:
    method: str
    workload: Workload
    state: str  # measured, extrapolated, skipped or failed
    seconds: dict
    runs: int
    error: float | None  # None: not measured, or a value was NaN
    error_limit: float | None  # None: results are incomplete and not compared
    message: str | None

    @property
    def total(self):
        return self.seconds["total"]

    @property
    def has_time(self):
        return self.state in ("measured", "extrapolated")

    @property
    def is_wrong(self):
        over = self.error_limit is not None and (self.error is None or self.error > self.error_limit)
        return self.state == "failed" or (self.state == "measured" and over)


@dataclass(frozen=True)
class Series:
    study: str
    id: str
    variable: str  # size, points, targets, ratio, columns or sets
    cases: tuple

    @property
    def power(self):
        return self.cases[0].power

    def value(self, case):
        """What varies, in a case."""
        return {"size": case.n, "points": case.n, "targets": case.m, "ratio": case.n / case.m,
                "columns": case.columns, "sets": case.sets}[self.variable]

    def label(self, case):
        if self.variable == "ratio":
            return f"{self.value(case):.1g}" if case.n < case.m else f"{round(self.value(case)):,}"
        return size_text(self.value(case))

    @property
    def title(self):
        first = self.cases[0]
        vary = "vary, a call each" if self.cases[-1].calls > 1 else "in one call vary"
        formula = "Adaptive IDW" if self.power is None else f"IDW, power {self.power:g}"
        return formula + ", " + {
            "size": "n = m",
            "points": f"m = {size_text(first.m)}, n varies",
            "targets": f"n = {size_text(first.n)}, m varies",
            "ratio": f"n m = {float(first.n * first.m):.0e}, n / m varies",
            "columns": f"n = m = {size_text(first.n)}, value columns {vary}",
            "sets": f"n = m = {size_text(first.n)} each, data sets {vary}",
        }[self.variable]


def size_text(size):
    """As the papers write it: 10K is 10240."""
    return f"{size // 1024}K" if size >= 1024 and size % 1024 == 0 else f"{size:,}"


def serial_method(power, precision="double"):
    """The serial program that speed-ups are relative to. [IDW14] has it in single precision."""
    name = {None: "original-serial", 2: "idw2-serial"}.get(power, "idw-serial")
    return name + ("-single" if precision == "single" else "")


def files_of_page(folder):
    """The results that docs/papers.md is made of, the full measurement first."""
    return sorted(folder.glob("papers-nvidia-h200*.json"), key=lambda path: path.stem)


def load_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise ReportError(f"cannot read {path}: {error}") from error


class Results:
    def __init__(self, data):
        self.files = data.get("files", [])  # where they are from, see merge.py
        self.version, self.commit = data["version"], data["commit"]
        self.machine, self.settings, self.left_out = data["machine"], data["settings"], data["left_out"]
        self.series = {}
        for item in data["series"]:
            cases = tuple(Workload.of(case) for case in item["cases"])
            self.series[item["id"]] = Series(item["study"], item["id"], item["variable"], cases)
        self.measurements = {}
        for item in data["measurements"]:
            workload = Workload.of(item)
            kept = {key: item[key] for key in ("method", "state", "seconds", "runs", "error",
                                               "error_limit", "message")}
            self.measurements[item["method"], workload] = Measurement(workload=workload, **kept)

    @classmethod
    def load(cls, *paths):
        """Of one file, or of several of the same machine, see merge.py."""
        found = [(path, cls._load_one(path)) for path in paths]
        return cls(merge(found))

    @classmethod
    def _load_one(cls, path):
        data = load_json(path)
        if not isinstance(data, dict) or data.get("program") != "shepard_papers":
            raise ReportError(f"{path} has no results of shepard_papers; write some with "
                              "`shepard_papers --json FILE`")
        try:
            cls(data)
        except (KeyError, TypeError) as error:
            raise ReportError(f"{path}: results of another version of shepard_papers: {error}") from error
        return data

    def find(self, method, case):
        return self.measurements.get((method, case))

    def methods(self, series):
        """The methods measured on cases of a series, in the program's order."""
        cases = set(series.cases)
        found = {method: None for method, workload in self.measurements if workload in cases}
        return list(found)

    def seconds(self, method, case, part="total"):
        """Measured or extrapolated seconds; None if there are none."""
        found = self.find(method, case)
        return found.seconds.get(part) if found and found.has_time else None

    def search_seconds(self, method, case):
        """The neighbour search of a method. The original programs have one kernel for search and sums;
        theirs is the whole time less the weighting of the improved program, as in [AIDW16] Table 3."""
        if "improved-" in method:
            parts = self.seconds(method, case, "grid"), self.seconds(method, case, "neighbours")
            return None if None in parts else sum(parts)
        total = self.seconds(method, case)
        weighting = self.seconds(method.replace("original-", "improved-"), case, "weighting")
        return None if None in (total, weighting) else total - weighting

    def speedup(self, method, case, precision="double"):
        """Over the serial program of the same case; None if one of the two has no time."""
        serial, own = self.seconds(serial_method(case.power, precision), case), self.seconds(method, case)
        return serial / own if serial and own else None

    def is_extrapolated(self, method, case):
        found = self.find(method, case)
        return found is not None and found.state == "extrapolated"

    def is_speedup_estimated(self, method, case, precision="double"):
        return any(self.is_extrapolated(either, case) for either in (serial_method(case.power, precision), method))

    def is_measured(self, method):
        """Whether any case of a method was measured."""
        return any(found.state == "measured" for found in self.measurements.values() if found.method == method)

    def as_in_paper(self, method, series="aidw"):
        """The plain program, which does no more than the papers' own, where a series has it as often as the method."""
        plain, chosen = f"plain-{method}", self.series.get(series)
        cases = [case for case in chosen.cases if self.seconds(method, case)] if chosen else []
        return plain if cases and all(self.seconds(plain, case) for case in cases) else method

    def ratio(self, above, below, case, part="total"):
        """Time of one method in units of another's, both measured; None if one was not."""
        first, second = self.find(above, case), self.find(below, case)
        if first and second and first.state == second.state == "measured":
            return first.seconds[part] / second.seconds[part]
        return None

    def wrong(self):
        return [found for found in self.measurements.values() if found.is_wrong]
