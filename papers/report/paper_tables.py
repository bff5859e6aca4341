# SPDX-License-Identifier: MIT
"""The tables of the papers, each printed number followed by the one measured here."""
from printed import UNITS
from tables import NOT_MEASURED, number_text, printed_text, rough_text, table


class PaperTables:
    def __init__(self, results, printed):
        self.results, self.printed = results, printed

    def table(self, *names, library=()):
        """Tables of printed.json with the same columns as one, in milliseconds; library: methods for the last
        rows."""
        tables = [self.printed.tables[name] for name in names]
        rows = [line for chosen in tables for row in chosen["rows"] for line in self._lines(chosen, row)]
        rows += [self._line(tables[0], f"this library, {'GPU' if method.startswith('gpu-') else 'CPU'}", method,
                            {"values": [None] * len(tables[0]["columns"])}) for method in library]
        labels = [f"{int(label):,}" if label.isdigit() else label for label in tables[0]["columns"]]
        here = self.results.machine["gpu"] and self.results.machine["gpu"].removeprefix("NVIDIA ")
        head = ["ms", "program here", *(f"{label} {where}" for label in labels for where in ("paper", here or "here"))]
        return table(head, rows, text_columns=2)

    def _lines(self, chosen, row):
        return [self._line(chosen, row["row"], method, row) for method in row["methods"]]

    def _line(self, chosen, label, method, row):
        cells = []
        for case, value in zip(self.printed.cases(chosen), row["values"], strict=True):
            scale = 1 if row.get("unit") == "times" else 1e3 * UNITS[chosen["unit"]]
            cells += ["-" if value is None else printed_text(scale * value), self._own(chosen, row, method, case)]
        unit = ", times" if row.get("unit") == "times" else ""
        return [label + unit, f"`{method}`", *cells]

    def _own(self, chosen, row, method, case):
        if row.get("unit") == "times":
            value, estimated = self.results.speedup(method, case), self.results.is_speedup_estimated(method, case)
        else:
            value, estimated = self._seconds(chosen, method, case), self.results.is_extrapolated(method, case)
            value = value and 1e3 * value
        text = rough_text if estimated else number_text
        return NOT_MEASURED if value is None else text(value)

    def _seconds(self, chosen, method, case):
        if chosen["part"] == "neighbours":
            return self.results.search_seconds(method, case)
        return self.results.seconds(method, case, chosen["part"])
