# SPDX-License-Identifier: MIT
"""Times of the authors' published program, from papers/hecbench.sh."""
from errors import ReportError
from results import load_json
from tables import number_text, table


class Published:
    def __init__(self, data):
        self.source, self.commit, self.gpu = data["source"], data["commit"], data["gpu"]
        self.runs = [(run["flags"], run["n"], run["naive"], run["tiled"]) for run in data["runs"]]

    @classmethod
    def load(cls, path):
        try:
            return cls(load_json(path))
        except (KeyError, TypeError) as error:
            raise ReportError(f"{path} has no results of papers/hecbench.sh: {error}") from error

    def table(self):
        """Milliseconds of its kernels."""
        rows = [[f"`{flags}`", f"{n:,}", *(number_text(1e3 * seconds) for seconds in (naive, tiled))]
                for flags, n, naive, tiled in self.runs]
        return table(["compiler options", "n = m", "naive, ms", "tiled, ms"], rows)
