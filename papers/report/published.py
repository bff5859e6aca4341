# SPDX-License-Identifier: MIT
"""Times of the authors' published program, from hecbench.sh."""
from errors import ReportError
from results import load_json
from tables import number_text, table


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

    def table(self):
        """Milliseconds of its kernels, and where they are from."""
        rows = [[f"`{flags}`", kernel, number_text(1e3 * seconds)] for flags, kernel, seconds in self.measurements]
        source = (f"HeCBench at commit {self.commit[:8]}, {self.gpu}; {self.points:,} data points,"
                  f" {self.targets:,} targets, mean of {self.runs} runs\n")
        return table(["compiler options", "kernel", "ms"], rows, text_columns=2) + "\n" + source
