# SPDX-License-Identifier: MIT
"""The numbers that the papers print, from printed.json."""
import json
from pathlib import Path

from results import serial_method

UNITS = {"s": 1.0, "ms": 1e-3}


class Printed:
    def __init__(self, path=Path(__file__).with_name("printed.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        self.papers = data["papers"]
        self._seconds, self._speedups = {}, {}
        for table in data["times"]:
            for row in table["rows"]:
                for method in row["methods"]:
                    self._add_row(table, row, method)
        self._speedups_of_power = {(item["method"], item["power"]): item["value"]
                                   for item in data["speedups"]}
        self._ratios = {(item["above"], item["below"], item["power"]): (item["low"], item["high"])
                        for item in data["ratios"]}

    def _add_row(self, table, row, method):
        speedups = row.get("speedups", [None] * len(row["values"]))
        for n, m, value, speedup in zip(table["n"], table["m"], row["values"], speedups, strict=True):
            place = method, table["power"], n, m
            self._seconds[place, table["part"]] = value * UNITS[table["unit"]]
            if speedup is not None:
                self._speedups[table["series"], place] = speedup  # two tables share a case

    @staticmethod
    def _place(method, case):
        return (method, case.power, case.n, case.m) if case.columns == 1 else None

    def seconds(self, method, case, part="total"):
        return self._seconds.get((self._place(method, case), part))

    def speedup(self, method, series, case):
        """As printed; else the quotient of printed times; None if there are none."""
        if series.study == "idw":
            return self._speedups_of_power.get((method, case.power))
        if (series.id, self._place(method, case)) in self._speedups:
            return self._speedups[series.id, self._place(method, case)]
        serial, own = self.seconds(serial_method(case.power), case), self.seconds(method, case)
        return serial / own if serial and own else None

    def ratio(self, above, below, series, case):
        """(low, high) of the time of one method in units of another's; None if there is none."""
        if series.study == "idw":
            return self._ratios.get((above, below, case.power))
        first, second = self.seconds(above, case), self.seconds(below, case)
        return (first / second,) * 2 if first and second else None
