# SPDX-License-Identifier: MIT
"""What was run to measure the results, and what was not."""
from statistics import median

from comparisons import is_serial
from results import serial_method
from tables import number_text
from verdicts import FLAT, join

# What a page needs beyond the programs that all results have: a method or series, and its name.
OPTIONAL = [
    ("idw2-serial-single", "the serial program of [IDW14] in single precision"),
    ("plain-original-naive", "plain programs, which do no more than the papers', and targets in aligned structures"),
    ("improved-tiled-own-grid", "the grid of [AIDW16], a quarter of a point a cell and over the queries too"),
    ("idw2-nested-tail", "nested launches that wait for their child grids, and that do not (Fig. 8 of [IDW14])"),
    ("joint-sets", "separate data sets in one call"),
    ("joint-calls", "a call for each column or data set"),
    ("gpu-aidw-1e-4", "this library on the GPU in these runs"),
]
# Series of the serial program of [HAP11], whose times are pairs times a constant from so many points and targets on.
PAIRED = ("joint-points", "joint-targets", "joint-ratio-1e6", "joint-ratio-1e7", "joint-ratio-5e7")
PAIRED_LEAST = 100
SERIALS = ("original-serial", "idw-serial", "idw2-serial", "idw-serial-single", "idw2-serial-single")


class Runs:
    def __init__(self, results):
        self.results = results

    def files(self):
        """A line for each file of results."""
        return "".join(self._line(file) for file in self.results.files)

    @staticmethod
    def _line(file):
        settings = file["settings"]
        chosen = ", ".join(settings["studies"]) if settings.get("studies") else "all"
        commit = f"commit {file['commit'][:7]}" if file["commit"] else "commit not recorded"
        runs = " or ".join(map(str, file["runs"]))
        return (f"- `bench/results/{file['name']}`: {file['used']} of the measurements; studies {chosen}; runs: "
                f"{runs or 'none'}, budget {settings['budget']:g} s; shepard {file['version']}, {commit}\n")

    def arrays(self):
        """In which memory the arrays of a call lie."""
        found = {file["settings"].get("arrays", "pageable") for file in self.results.files}
        return " or ".join(sorted(found))

    def joint(self):
        """Runs of a time in the tables of [HAP11]."""
        serial, gpu = (max((found.runs for (method, case), found in self.results.measurements.items()
                            if found.state == "measured" and method.startswith("idw2-")
                            and is_serial(method) == wanted and case in self._cases("joint-points")), default=0)
                       for wanted in (True, False))
        return f"medians of {gpu} runs, of the serial program of {serial}"

    def scaled(self):
        """Where the serial programs were measured, and where their times are scaled; n = m."""
        methods = {}
        for method in SERIALS:
            methods.setdefault(self._states(method), []).append(f"`{method}`")
        return "; ".join(f"{join(names)} {states}" for states, names in methods.items() if states)

    def _states(self, method):
        labels = {"measured": [], "extrapolated": []}
        for name in ("aidw", "idw-p2", "idw-p3"):
            series = self.results.series.get(name)
            for case in series.cases if series else ():
                found = self.results.find(method, case)
                if found and found.state in labels:
                    labels[found.state].append(series.label(case))
        return ", ".join(f"{word} {join(labels[state])}" for state, word in (
            ("measured", "measured at"), ("extrapolated", "scaled to")) if labels[state])

    def _seconds_a_pair(self):
        """{case: seconds} of the serial program of [HAP11], where it measured enough points and targets."""
        cases = {case for name in PAIRED for case in self._cases(name) if min(case.n, case.m) >= PAIRED_LEAST}
        return {case: found.total / (case.n * case.m) for case in cases
                if (found := self.results.find(serial_method(2), case)) and found.state == "measured"}

    def slow_cases(self):
        """[(case, seconds a pair in units of the median)] of cases that took too long, the longest first."""
        seconds = self._seconds_a_pair()
        usual = median(seconds.values()) if seconds else None
        slow = [(case, time / usual) for case, time in seconds.items() if time > FLAT * usual]
        return sorted(slow, key=lambda pair: -pair[1])

    def scatter(self):
        """What a reader must know of times that are too long; "" if none is."""
        slow, seconds = self.slow_cases(), self._seconds_a_pair()
        if not slow:
            return ""
        names = [f"{number_text(1e9 * seconds[case])} at n = {case.n:,}, m = {case.m:,}" for case, _ in slow]
        rest = [1e9 * time for case, time in seconds.items() if case not in dict(slow)]
        ends = " to ".join(dict.fromkeys(number_text(end, 2) for end in (slow[-1][1], slow[0][1])))
        return (f" So the serial times of [HAP11]'s cases scatter: with n and m at least {PAIRED_LEAST} a pair takes"
                f" {number_text(min(rest))} to {number_text(max(rest))} ns, but {join(names)}. There the serial time"
                f" is {ends} times the median of all, and speed-ups are as much too large.")

    def slow_in(self, name):
        """The same for one series."""
        slow, series = dict(self.slow_cases()), self.results.series.get(name)
        labels = [series.label(case) for case in series.cases if case in slow] if series else []
        return (f" At {join(labels)} the serial time is too long, and the speed-up too large"
                " (see [above](#how-the-numbers-are-made))." if labels else "")

    def missing(self, has_published):
        """What these results lack; "" if nothing."""
        words = [text for name, text in OPTIONAL
                 if name not in self.results.series and not self.results.is_measured(name)]
        words += [] if has_published else ["the authors' published kernel"]
        return f"Not measured in these results: {'; '.join(words)}." if words else ""

    def _cases(self, name):
        series = self.results.series.get(name)
        return set(series.cases) if series else set()
