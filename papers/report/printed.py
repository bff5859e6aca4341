# SPDX-License-Identifier: MIT
"""The numbers that the papers print, from printed.json."""
import json
from pathlib import Path

from errors import ReportError
from results import Workload, serial_method

UNITS = {"s": 1.0, "ms": 1e-3}


class Printed:
    def __init__(self, path=Path(__file__).with_name("printed.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        self.papers = data["papers"]
        self.tables = {table["id"]: table for table in data["tables"]}
        self.claims = {claim["id"]: claim for claim in data["claims"]}
        self._seconds, self._speedups, self._rows = {}, {}, {}
        for table in data["tables"]:
            for row in table["rows"]:
                for method in row["methods"]:
                    self._add_row(table, row, method)
        self._speedups_of_power = {(method, claim["power"]): claim["low"]
                                   for claim in data["claims"] for method in claim.get("methods", [])}
        self._ratios = {tuple(pair): (claim["low"], claim["high"])
                        for claim in data["claims"] for pair in claim.get("ratios", [])}

    def _add_row(self, table, row, method):
        for case, value in zip(self.cases(table), row["values"], strict=True):
            place = self._place(method, case)
            if row.get("unit") == "times":
                self._speedups.setdefault(place, {})[table["series"]] = value
            else:
                self._seconds[place, table["part"]] = value * UNITS[table["unit"]]
                self._rows[place, table["part"]] = table["id"], row["row"]

    @staticmethod
    def cases(table):
        return [Workload(table["power"], n, m, 1) for n, m in zip(table["n"], table["m"], strict=True)]

    @staticmethod
    def _place(method, case):
        return (method, case.power, case.n, case.m) if case.columns == case.sets == case.calls == 1 else None

    def claim(self, name):
        """(low, high) of a number in a text or figure. A bound that the paper does not give is None."""
        if name not in self.claims:
            raise ReportError(f"printed.json has no claim {name}")
        return self.claims[name].get("low"), self.claims[name].get("high")

    def seconds(self, method, case, part="total"):
        return self._seconds.get((self._place(method, case), part))

    def speedup(self, method, series, case):
        """As printed; of [AIDW15] and [AIDW16] the quotient of printed times; None if the papers do not say."""
        if series.study == "idw":
            return self._speedups_of_power.get((method, case.power))
        if series.study == "joint":
            of_tables = self._speedups.get(self._place(method, case), {})
            only = next(iter(of_tables.values())) if len(of_tables) == 1 else None
            return of_tables.get(series.id, only)  # two tables share a case, and print two numbers
        serial, own = self.seconds(serial_method(case.power), case), self.seconds(method, case)
        return serial / own if serial and own else None

    def ratio(self, above, below, series, case):
        """(low, high) of the time of one method in units of another's; None if the papers do not say. Two programs
        here may be one of the paper's, which has no ratio to itself."""
        if series.study == "idw":
            return self._ratios.get((above, below))
        rows = [self._rows.get((self._place(method, case), "total")) for method in (above, below)]
        if rows[0] == rows[1]:
            return None
        first, second = self.seconds(above, case), self.seconds(below, case)
        return (first / second,) * 2 if first and second else None
