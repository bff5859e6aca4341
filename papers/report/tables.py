# SPDX-License-Identifier: MIT
"""Markdown tables of results, with printed numbers in brackets."""
import json
from dataclasses import replace
from pathlib import Path

import comparisons
from errors import NotMeasured

NOT_MEASURED = "not measured"
PARTS = [("transfers", ("upload", "download")), ("grid", ("grid",)), ("neighbours", ("neighbours",)),
         ("weighting", ("weighting",))]


def number_text(value, digits=3):
    """Some significant digits, without an exponent from 0.001 to 10^9."""
    if value == 0 or abs(value) < 1e-3:
        return f"{value:.{digits - 1}e}" if value else "0"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    decimals = digits - 1 - int(f"{value:.{digits - 1}e}".split("e")[1])
    return f"{value:.{decimals}f}"


def rough_text(value):
    """Three digits, for estimates."""
    return "~" + number_text(float(f"{value:.2e}"))


def with_printed(own, printed):
    return own if printed is None else f"{own} ({printed})"


def bracket_note(rows):
    """Part of a heading, where a cell has a printed number."""
    return " (printed)" if any("(" in cell for row in rows for cell in row) else ""


def prints_one_number(series):
    """[IDW14] prints a speed-up and a ratio for all sizes."""
    return series.study == "idw"


def printed_text(value):
    """A printed number with the digits that the paper has."""
    return f"{value:,.10g}"


def table(head, rows, text_columns=1):
    """A Markdown table; columns of numbers follow the columns of text."""
    lines = [head, ["---"] * text_columns + ["---:"] * (len(head) - text_columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


class Tables:
    """Each table of a series is text, "" if it has no rows."""

    def __init__(self, results, printed):
        self.results, self.printed = results, printed

    def _head(self, series, first, *last, second=None):
        labels = [series.label(case) for case in series.cases]
        of_labels = " at n/m of" if series.variable == "ratio" else ""
        return [first + of_labels, *([second] if second else []), *labels, *last]

    def _own_methods(self, series):
        """Without those that have one case only, which another series has among several of theirs."""
        return [method for method in self.results.methods(series)
                if len(own := self._cases_of(method, series)) > 1
                or not any(own[0] in other and len(other) > 1 for other in
                           (self._cases_of(method, each) for each in self.results.series.values()))]

    def _cases_of(self, method, series):
        return [case for case in series.cases if self.results.find(method, case)]

    def _time_cell(self, method, case, absent="-"):
        found = self.results.find(method, case)
        if found is None:
            return absent
        printed = self.printed.seconds(method, case)
        own = {"failed": lambda: "failed",
               "skipped": lambda: "skipped",
               "extrapolated": lambda: rough_text(1e3 * found.total),
               "measured": lambda: number_text(1e3 * found.total)}[found.state]()
        return with_printed(own + (" !" if found.is_wrong else ""),
                            printed and printed_text(1e3 * printed))

    def _error_cell(self, method, series):
        errors = [found.error for case in series.cases
                  if (found := self.results.find(method, case)) and found.error is not None]
        return f"{max(errors):.1e}" if errors else "-"

    def times(self, series, methods=None):
        """Milliseconds and the largest error, of all methods or of these."""
        absent = NOT_MEASURED if methods else "-"
        rows = [[f"`{method}`", *(self._time_cell(method, case, absent) for case in series.cases),
                 self._error_cell(method, series)] for method in methods or self._own_methods(series)]
        return table(self._head(series, "ms" + bracket_note(rows), "largest error"), rows) if rows else ""

    def _speedup_cell(self, method, series, case, precision, absent="-"):
        value = self.results.speedup(method, case, precision)
        text = rough_text if self.results.is_speedup_estimated(method, case, precision) else number_text
        printed = None if prints_one_number(series) else self.printed.speedup(method, series, case)
        printed_as = printed_text if series.study == "joint" else number_text  # quotients have no end of digits
        return with_printed(absent if value is None else text(value), printed and printed_as(printed))

    def _one_speedup(self, method, series, precision):
        """The cell of what a paper prints once for a whole series; it has single precision."""
        printed = self.printed.speedup(method, series, series.cases[0]) if precision == "single" else None
        return "-" if printed is None else printed_text(printed)

    def speedups(self, series, precision="double"):
        """Over the serial program in a precision; the printed numbers stand where the paper has the same."""
        methods = [method for method in self._own_methods(series) if not comparisons.is_serial(method)
                   and any(self.results.speedup(method, case, precision) for case in series.cases)]
        rows = [[f"`{method}`", *(self._speedup_cell(method, series, case, precision) for case in series.cases)]
                for method in methods]
        first = f"speed-up over serial in {precision}{bracket_note(rows)}"
        ones = [self._one_speedup(method, series, precision) for method in methods]
        return self._with_printed_column(series, first, rows, ones if prints_one_number(series) else [])

    def speedups_of(self, series, methods):
        """Of these methods over the serial program in single, as [IDW14] has it, and in double."""
        rows = [[f"`{method}`", precision,
                 *(self._speedup_cell(method, series, case, precision, NOT_MEASURED) for case in series.cases),
                 self._one_speedup(method, series, precision)]
                for method in methods for precision in ("single", "double")]
        return table(self._head(series, "speed-up of", "printed", second="over serial in"), rows, text_columns=2)

    def _with_printed_column(self, series, first, rows, ones):
        """ones: a cell for each row; the column is left out where a paper prints none of them."""
        if any(cell != "-" for cell in ones):
            return table(self._head(series, first, "printed"), [[*row, cell] for row, cell in zip(rows, ones)])
        return table(self._head(series, first), rows) if rows else ""

    def _printed_ratio(self, above, below, series, case):
        ends = self.printed.ratio(above, below, series, case)
        text = printed_text if prints_one_number(series) else number_text
        return ends and " to ".join(dict.fromkeys(map(text, ends)))

    def _ratio_cell(self, above, below, series, case):
        value = self.results.ratio(above, below, case)
        printed = None if prints_one_number(series) else self._printed_ratio(above, below, series, case)
        return with_printed("-" if value is None else number_text(value), printed)

    def ratios(self, series, kind="paper"):
        """kind: paper, single, double or library, see comparisons.py."""
        chosen = comparisons.KINDS[kind](self.results, series)
        rows = [[f"`{above}` / `{below}`",
                 *(self._ratio_cell(above, below, series, case) for case in series.cases)] for above, below in chosen]
        ones = [self._printed_ratio(*pair, series, series.cases[0]) or "-" for pair in chosen]
        return self._with_printed_column(series, f"ratio of times{bracket_note(rows)}", rows,
                                         ones if prints_one_number(series) else [])

    def growth(self, series):
        """Times in units of the first case's."""
        rows = []
        for method in self._own_methods(series):
            times = [self.results.seconds(method, case) for case in series.cases]
            cells = ["-" if not time or not times[0] else number_text(time / times[0]) for time in times]
            rows.append([f"`{method}`", *cells])
        return table(self._head(series, f"time in units of {series.label(series.cases[0])}"),
                     rows) if rows else ""

    def _stage_cell(self, method, case, part, names):
        found = self.results.find(method, case)
        if not found or found.state != "measured":
            return "-"
        printed = self.printed.seconds(method, case, part)
        return with_printed(number_text(1e3 * sum(found.seconds[name] for name in names)),
                            printed and printed_text(1e3 * printed))

    def stages(self, series, methods=None):
        """Stages of the improved adaptive methods, of all or of these; the printed neighbour search includes the
        grid."""
        found = [method for method in self.results.methods(series) if "improved-" in method]
        rows = []
        for method in methods or found:
            if method in found:
                rows += [[f"`{method}` {part}", *(self._stage_cell(method, case, part, names)
                                                 for case in series.cases)] for part, names in PARTS]
            else:
                rows.append([f"`{method}`", *[NOT_MEASURED] * len(series.cases)])
        return table(self._head(series, "ms" + bracket_note(rows)), rows) if rows else ""

    def together(self, series):
        """Several columns or sets in one call, and the same number of calls one after another. Of a method that takes
        one a call, only the latter."""
        rows = []
        for method in self.results.methods(series):
            pairs = [(self.results.seconds(method, case), self.results.seconds(method, apart(series, case)))
                     for case in series.cases]
            if not any(calls for _, calls in pairs[1:]):
                continue
            cells = [("calls", lambda pair: time_text(pair[1]))]
            if any(one for one, _ in pairs[1:]):
                cells = [("one call", lambda pair: time_text(pair[0])), *cells,
                         ("calls / one call", lambda pair: "-" if None in pair else number_text(pair[1] / pair[0]))]
            rows += [[f"`{method}`", what, *map(cell, pairs)] for what, cell in cells]
        if not rows:
            raise NotMeasured(series.id)
        return table(self._head(series, "ms", second=series.variable), rows, text_columns=2)

    @staticmethod
    def errata():
        """What errata.py has counted."""
        errata = json.loads(Path(__file__).with_name("errata.json").read_text(encoding="utf-8"))
        rows = [[erratum["where"], erratum["printed"].replace("|", "\\|"), erratum["effect"],
                 *(share_text(erratum[key], erratum["tried"])
                   for key in ("wrong_as_printed", "wrong_as_corrected"))] for erratum in errata]
        return table(["where", "as printed", "effect", "wrong as printed", "wrong as corrected"], rows,
                     text_columns=3)

    def machine(self):
        machine, settings = self.results.machine, self.results.settings
        gpu = (f"{machine['gpu']}, driver {machine['driver']}, CUDA runtime {machine['cuda_runtime']}"
               if machine["gpu"] else "none")
        compilers = "; ".join(filter(None, [machine["compiler"], machine["cuda_compiler"]]))
        return "\n".join([
            f"- CPU: {machine['processor']}, {machine['processors']} logical processors;"
            f" {machine['threads']} threads for the library ({machine['isa']}), 1 for serial methods",
            f"- GPU: {gpu}",
            f"- compilers: {compilers}; shepard {self.results.version},"
            f" commit {self.results.commit or 'not recorded'}",
            f"- data: uniform random points and targets in a square of side 1024, seed {settings['seed']};"
            " values: a smooth surface of range 100 with noise, standard deviation 5; 1K = 1024",
            f"- times: wall clock of a whole run, transfers included; median of {settings['runs']} runs (1"
            " if a run takes more than 5 s) after a small untimed run; ~ is extrapolated from smaller sizes"
            f" if a run would take more than {settings['budget']:g} s, other methods are then skipped",
            "- error: largest |value - exact| / value range over up to 1000 targets; exact: all pairs"
            " summed in double; limits: 1e-5 (float; serial and plain: n 2^-24 more), 1e-10 (double), eps"
            " (`new-METHOD-EPS`, the library on the CPU;"
            " `gpu-METHOD-EPS`, on the GPU);"
            " ! is over the limit", *self._left_out()]) + "\n"

    def _left_out(self):
        reasons = {}
        for item in self.results.left_out:
            reasons.setdefault(item["reason"], []).append(item["method"])
        return [f"- left out: {len(methods)} GPU methods: {reason}" for reason, methods in reasons.items()]

    def faults(self):
        """What failed or exceeded its limit; "" if nothing did."""
        lines = []
        for found in self.results.wrong():
            what = (f"failed: {found.message}" if found.state == "failed" else
                    f"error {'NaN' if found.error is None else format(found.error, '.1e')} above"
                    f" {found.error_limit:g}")
            lines.append(f"- `{found.method}`, n = {found.workload.n}, m = {found.workload.m}: {what}\n")
        return "".join(lines)


def time_text(seconds):
    return "-" if seconds is None else number_text(1e3 * seconds)


def apart(series, case):
    """The case with a call for each column or set."""
    return replace(case, calls=series.value(case))


def share_text(part, whole):
    return f"{part:,} of {whole:,}" if whole < 100 else f"{100 * part / whole:.1f} %"
