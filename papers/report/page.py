# SPDX-License-Identifier: MIT
"""Fills a template: each {{expression}} becomes the text that a function of Page makes of results.

A template has prose and calls such as {{times("aidw")}} or {{ratio("aidw", "original-naive",
"original-tiled")}}; Page says what there is. An expression alone on a line that has no text takes
the line away.
"""
import re

import comparisons
from paper_tables import PaperTables
from results import ReportError
from tables import Tables, number_text, printed_text, rough_text, share_text

EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def range_text(values, digits=3):
    """The least and the largest value, "1.93 to 2.71", or one number if both read the same."""
    low, high = number_text(min(values), digits), number_text(max(values), digits)
    return low if low == high else f"{low} to {high}"


class Page:
    def __init__(self, results, printed, benchmark=None, figures=None):
        """benchmark: of the library on a GPU; figures: a function of a figure's name gives the path as the page
        is to link it, None if there is no such figure."""
        self.results, self.printed, self.benchmark, self.figures = results, printed, benchmark, figures
        self.tables, self.paper_tables = Tables(results, printed), PaperTables(results, printed)

    # ---- what templates call

    def machine(self):
        return self.tables.machine()

    def faults(self):
        return self.tables.faults() or "No method failed; all errors are within their limits.\n"

    def errata(self):
        return self.tables.errata()

    def times(self, series):
        return self.tables.times(self._series(series))

    def speedups(self, series):
        return self.tables.speedups(self._series(series))

    def ratios(self, series, kind="paper"):
        return self.tables.ratios(self._series(series), kind)

    def growth(self, series):
        return self.tables.growth(self._series(series))

    def stages(self, series):
        return self.tables.stages(self._series(series))

    def paper_table(self, *names, library=None):
        return self.paper_tables.table(*names, library=library)

    def figure(self, name, text):
        path = self.figures and self.figures(name)
        return f"![{text}]({path})\n" if path else ""

    def times_of(self, series, *methods):
        return self.tables.times(self._series(series), methods)

    def hardware_of(self, paper):
        """What a paper measured on, and its precisions."""
        machine = self.printed.papers[paper]
        return ", ".join(machine[key] for key in ("gpu", "cpu") if key in machine) + f"; {machine['precision']}"

    def everything(self):
        """All tables of all series under headings."""
        return "\n".join(filter(None, map(self._section, self.results.series.values())))

    def hardware(self, key):
        return self.results.machine[key]

    def ms(self, series, method, size, *parts):
        """Milliseconds of one measurement, or the sum of parts of it; size: what varies, "first" or "last"."""
        case = self._case(series, size)
        seconds = [self.results.seconds(method, case, part) for part in parts or ("total",)]
        if None in seconds:
            raise ReportError(f"no time of {method} in series {series} at {size}")
        text = rough_text if self.results.is_extrapolated(method, case) else number_text
        return text(1e3 * sum(seconds))

    def printed_ms(self, series, method, size, part="total"):
        return printed_text(1e3 * self.printed.seconds(method, self._case(series, size), part))

    def all_ms(self, series, method):
        """Milliseconds of all cases of a series."""
        return ", ".join(self.ms(series, method, self._series(series).value(case))
                         for case in self._series(series).cases)

    def library_ms(self, points):
        """Milliseconds of the library on a GPU, adaptive IDW at as many targets."""
        if not self.benchmark:
            raise ReportError("the template needs --benchmark, the JSON that bench_cuda has written")
        return number_text(1e3 * self.benchmark.seconds(points), 2)

    def per_target_us(self, series, method, size):
        case = self._case(series, size)
        return number_text(1e6 * self.results.seconds(method, case) / case.m, 2)

    def claim(self, name):
        """A number of a paper's text or figure, or its range."""
        ends = [printed_text(end) for end in self.printed.claim(name) if end is not None]
        return " to ".join(dict.fromkeys(ends))

    def search_share(self, scheme, *sizes):
        """Neighbour search of the improved program in per cent of the original's."""
        cases = [self._case("aidw", size) for size in sizes]
        return self._range([100 * self.results.search_seconds(f"improved-{scheme}", case)
                            / self.results.search_seconds(f"original-{scheme}", case) for case in cases])

    def printed_search_share(self, scheme, size):
        return self._printed_share(size, (f"improved-{scheme}", "neighbours"), (f"original-{scheme}", "neighbours"))

    def printed_search_of_original(self, scheme, size):
        return self._printed_share(size, (f"original-{scheme}", "neighbours"), (f"original-{scheme}", "total"))

    def printed_share(self, size):
        """Neighbour search in per cent of the whole improved program, tiled."""
        return self._printed_share(size, ("improved-tiled", "neighbours"), ("improved-tiled", "total"))

    def search_of_original(self, scheme, size):
        """Per cent of the original program's time that is neighbour search."""
        case, method = self._case("aidw", size), f"original-{scheme}"
        return number_text(100 * self.results.search_seconds(method, case)
                           / self.results.seconds(method, case), 2)

    def weighting_ratio(self, above, below):
        cases = self._series("aidw").cases
        return self._range([self.results.seconds(above, case, "weighting")
                            / self.results.seconds(below, case, "weighting") for case in cases])

    def power_ratio(self, scheme):
        """Power 3 over power 2, n = m, measured sizes."""
        pairs = [(self.results.find(f"idw-{scheme}", third), self.results.find(f"idw2-{scheme}", second))
                 for third, second in zip(self._series("idw-p3").cases, self._series("idw-p2").cases)]
        return self._range([third.total / second.total for third, second in pairs
                            if third.state == second.state == "measured"])

    def speedups_of(self, series, method):
        """The range of speed-ups over a series."""
        sizes = [self._series(series).value(case) for case in self._series(series).cases]
        found = sorted(sizes, key=lambda size: self.results.speedup(method, self._case(series, size)))
        return f"{self.speedup(series, method, found[0])} to {self.speedup(series, method, found[-1])}"

    def ratio(self, series, above, below, *sizes):
        """The range of a ratio of times over a series, or over some of its cases."""
        chosen = self._series(series)
        cases = [self._case(series, size) for size in sizes] or chosen.cases
        return self._range([self.results.ratio(above, below, case) for case in cases])

    def printed_ratio(self, series, above, below):
        ends = [self.printed.ratio(above, below, self._series(series), case)
                for case in self._series(series).cases]
        return self._range([value for pair in ends if pair for value in pair])

    def double(self, series, *sizes):
        """The range of double over float of the tiled, naive and nested methods."""
        chosen = self._series(series)
        cases = [self._case(series, size) for size in sizes] or chosen.cases
        return self._range([self.results.ratio(above, below, case) for case in cases
                            for above, below in comparisons.double_pairs(self.results, chosen)])

    def grown(self, series, method, size):
        """A time in units of the series' first case's."""
        chosen = self._series(series)
        first, own = (self.results.seconds(method, case)
                      for case in (chosen.cases[0], self._case(series, size)))
        return number_text(own / first, 3)

    def speedup(self, series, method, size):
        value = self.results.speedup(method, self._case(series, size))
        if value is None:
            raise ReportError(f"no speed-up of {method} in series {series} at {size}")
        is_estimate = self.results.is_speedup_estimated(method, self._case(series, size))
        return (rough_text if is_estimate else number_text)(value)

    def share(self, series, method, size, parts, whole):
        """Per cent that some stages of a run are of others."""
        seconds = self.results.find(method, self._case(series, size)).seconds
        return number_text(100 * sum(seconds[part] for part in parts)
                           / sum(seconds[part] for part in whole), 2)

    def errors(self, kind):
        """The range of errors of the methods in "float" or "double" and of the "library"."""
        of_kind = {"float": lambda method: not (comparisons.is_library(method) or self._is_double(method)),
                   "double": self._is_double, "library": comparisons.is_library}[kind]
        errors = [found.error for found in self.results.measurements.values()
                  if found.state == "measured" and of_kind(found.method)]
        return f"{min(errors):.1e} to {max(errors):.1e}"

    # ---- the page

    def fill(self, template):
        names = {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}

        def evaluate(match):
            try:
                return str(eval(match[1].strip(), {"__builtins__": {}}, names))  # templates are code
            except ReportError as error:
                raise ReportError(f"{match[0]}: {error}") from error
            except Exception as error:
                raise ReportError(f"{match[0]}: {type(error).__name__}: {error}") from error
        return re.sub(r"\n{3,}", "\n\n", EXPRESSION.sub(evaluate, template))

    def _printed_share(self, size, part, whole):
        part, whole = (self.printed.seconds(method, self._case("aidw", size), stage) for method, stage in (part, whole))
        return number_text(100 * part / whole, 2)

    @staticmethod
    def _is_double(method):
        return comparisons.is_double(method) or comparisons.is_serial(method)

    @staticmethod
    def _range(values):
        found = [value for value in values if value is not None]
        if not found:
            raise ReportError("nothing measured to compare")
        return range_text(found)

    def _series(self, name):
        if name not in self.results.series:
            raise ReportError(f"the results have no series {name}")
        return self.results.series[name]

    def _case(self, series, size):
        """The case of a size, or the "first" or "last" of the series."""
        if size in ("first", "last"):
            return self._series(series).cases[0 if size == "first" else -1]
        found = [case for case in self._series(series).cases if self._series(series).value(case) == size]
        if not found:
            raise ReportError(f"series {series} has no case {size}")
        return found[0]

    def _section(self, series):
        tables = self.tables
        parts = [tables.times(series)]
        if series.variable == "columns":
            parts.append(tables.growth(series))
        else:
            parts += [tables.speedups(series), tables.stages(series),
                      *(tables.ratios(series, kind) for kind in comparisons.KINDS)]
        text = "\n".join(filter(None, parts))
        return f"### {series.title}\n\n{text}" if text else ""
