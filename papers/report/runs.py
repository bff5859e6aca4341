# SPDX-License-Identifier: MIT
"""What was run to measure the results, and what was not."""
from comparisons import is_serial
from verdicts import join

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

    def missing(self, has_published):
        """What these results lack; "" if nothing."""
        words = [text for name, text in OPTIONAL
                 if name not in self.results.series and not self.results.is_measured(name)]
        words += [] if has_published else ["the authors' published kernel"]
        return f"Not measured in these results: {'; '.join(words)}." if words else ""

    def _cases(self, name):
        series = self.results.series.get(name)
        return set(series.cases) if series else set()
