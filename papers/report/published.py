# SPDX-License-Identifier: MIT
"""Times of the authors' program as HeCBench has adapted it, from hecbench.sh."""
from errors import ReportError
from results import Workload, load_json
from tables import NOT_MEASURED, number_text, table

# The program here whose weighting stage computes the same, by the compiler's options.
COUNTERPARTS = {"-O3": "plain-improved-tiled", "-O3 --use_fast_math": "improved-tiled"}


class Published:
    def __init__(self, data):
        self.commit, self.gpu, self.runs = data["commit"], data["gpu"], data["runs"]
        self.points, self.targets = data["points"], data["targets"]
        self.measurements = [(item["flags"], item["kernel"], item["seconds"]) for item in data["measurements"]]

    @classmethod
    def load(cls, path):
        try:
            return cls(load_json(path))
        except (KeyError, TypeError) as error:
            raise ReportError(f"{path} has no results of hecbench.sh: {error}") from error

    def link(self, file):
        return f"https://github.com/zjin-lcf/HeCBench/blob/{self.commit}/src/aidw-cuda/{file}"

    def pairs(self, results):
        """(options, kernel, seconds, method, seconds of its weighting stage at the same size) of each measurement.
        The last two are None where there is no such program or time."""
        case = Workload(None, self.points, self.targets)
        for flags, kernel, seconds in self.measurements:
            method = COUNTERPARTS.get(flags)
            yield flags, kernel, seconds, method, method and results.seconds(method, case, "weighting")

    def ratios(self, results):
        """(options, method, time of the program in units of the method's weighting stage)."""
        return [(flags, method, seconds / own) for flags, _, seconds, method, own in self.pairs(results) if own]

    def table(self, results):
        """Milliseconds of its kernels beside the weighting stages here, and where they are from."""
        rows = [[f"`{flags}`", kernel, number_text(1e3 * seconds), f"`{method}`" if method else "-",
                 number_text(1e3 * own) if own else NOT_MEASURED, number_text(seconds / own) if own else "-"]
                for flags, kernel, seconds, method, own in self.pairs(results)]
        source = (f"HeCBench at commit {self.commit[:8]}, {self.gpu}; {self.points:,} data points,"
                  f" {self.targets:,} targets, mean of {self.runs} runs\n")
        head = ["compiler options", "its kernel", "ms", "weighting stage here", "ms", "its time / ours"]
        return table(head, rows, text_columns=2) + "\n" + source
