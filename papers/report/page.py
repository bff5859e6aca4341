# SPDX-License-Identifier: MIT
"""Fills a template: each {{expression}} becomes the text that a function of Page makes of results.

A template has prose and calls such as {{times("aidw")}} or {{ratio("aidw", "original-naive",
"original-tiled")}}; Page says what there is. An expression alone on a line that has no text takes
the line away. One whose results were not measured says so.
"""
import re

import comparisons
from errors import NotMeasured, ReportError
from paper_tables import PaperTables
from results import SERIES
from runs import Runs
from tables import NOT_MEASURED, Tables, number_text, printed_text, rough_text
from verdicts import Verdicts, compare_with_published

EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


def range_text(values, digits=3):
    """The least and the largest value, "1.93 to 2.71", or one number if both read the same."""
    low, high = number_text(min(values), digits), number_text(max(values), digits)
    return low if low == high else f"{low} to {high}"


class Page:
    def __init__(self, results, printed, published=None, figures=None):
        """published: times of the authors' public program; figures: a function of a figure's name gives the path
        as the page is to link it, None if there is no such figure."""
        self.results, self.printed, self.published, self.figures = results, printed, published, figures
        self.tables, self.paper_tables = Tables(results, printed), PaperTables(results, printed)
        self.verdicts, self.runs = Verdicts(results, printed), Runs(results)

    # ---- what templates call

    def machine(self):
        return self.tables.machine()

    def faults(self):
        return self.tables.faults() or "No method failed; all errors are within their limits.\n"

    def errata(self):
        return self.tables.errata()

    def times(self, series):
        return self.tables.times(self._series(series))

    def speedups(self, series, precision="double"):
        return self.tables.speedups(self._series(series), precision)

    def speedup_table(self, series, *methods):
        return self.tables.speedups_of(self._series(series), methods)

    def ratios(self, series, kind="paper"):
        return self.tables.ratios(self._series(series), kind)

    def growth(self, series):
        return self.tables.growth(self._series(series))

    def stages(self, series):
        return self.tables.stages(self._series(series))

    def stages_of(self, series, *methods):
        return self.tables.stages(self._series(series), methods)

    def together(self, kind):
        """"sets" or "columns": one call for several, and as many calls for one each."""
        return self.tables.together(self._series(f"joint-{kind}"))

    def paper_table(self, *names, library=()):
        return self.paper_tables.table(*names, library=library)

    def verdict(self, name):
        try:
            return self.verdicts.text(name)
        except NotMeasured:
            return "Not measured."

    def run_list(self):
        return self.runs.files()

    def statistics_of_joint(self):
        return self.runs.joint()

    def arrays(self):
        return self.runs.arrays()

    def scaled_serial(self):
        return self.runs.scaled()

    def serial_scatter(self):
        return self.runs.scatter()

    def slow_serial(self, series):
        return self.runs.slow_in(series)

    def missing(self):
        return self.runs.missing(self.published is not None)

    def published_table(self):
        if not self.published:
            raise NotMeasured("published")
        return self.published.table(self.results)

    def published_link(self, file):
        if not self.published:
            raise NotMeasured("published")
        return self.published.link(file)

    def published_verdict(self):
        ratios = self.published.ratios(self.results) if self.published else []
        return compare_with_published(ratios) if ratios else "Not measured."

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
            raise NotMeasured(f"no time of {method} in series {series} at {size}")
        text = rough_text if self.results.is_extrapolated(method, case) else number_text
        return text(1e3 * sum(seconds))

    def printed_ms(self, series, method, size, part="total"):
        return printed_text(1e3 * self.printed.seconds(method, self._case(series, size), part))

    def all_ms(self, series, method):
        """Milliseconds of all cases of a series."""
        return ", ".join(self.ms(series, method, self._series(series).value(case))
                         for case in self._series(series).cases)

    def per_target_us(self, series, method, size):
        case = self._case(series, size)
        seconds = self.results.seconds(method, case)
        if seconds is None:
            raise NotMeasured(method)
        return number_text(1e6 * seconds / case.m, 2)

    def weighting_us(self, method, n, m):
        """Microseconds of the weighting of a case that is of no series."""
        for (name, case), found in self.results.measurements.items():
            if (name, case.n, case.m) == (method, n, m) and found.state == "measured":
                return number_text(1e6 * found.seconds["weighting"], 2)
        raise NotMeasured(method)

    def claim(self, name):
        """A number of a paper's text or figure, or its range."""
        ends = [printed_text(end) for end in self.printed.claim(name) if end is not None]
        return " to ".join(dict.fromkeys(ends))

    def search_share(self, scheme, *sizes):
        """Neighbour search of the improved program in per cent of the original's."""
        improved, original = (self.results.as_in_paper(f"{kind}-{scheme}") for kind in ("improved", "original"))
        pairs = [(self.results.search_seconds(improved, case), self.results.search_seconds(original, case))
                 for case in (self._case("aidw", size) for size in sizes)]
        return self._range([None if None in pair else 100 * pair[0] / pair[1] for pair in pairs])

    def printed_search_share(self, scheme, size):
        return self._printed_share(size, (f"improved-{scheme}", "neighbours"), (f"original-{scheme}", "neighbours"))

    def printed_search_of_original(self, scheme, size):
        return self._printed_share(size, (f"original-{scheme}", "neighbours"), (f"original-{scheme}", "total"))

    def printed_share(self, size):
        """Neighbour search in per cent of the whole improved program, tiled."""
        return self._printed_share(size, ("improved-tiled", "neighbours"), ("improved-tiled", "total"))

    def search_shares(self, *sizes):
        """Neighbour search with its grid in per cent of the whole improved program, tiled."""
        method = self.results.as_in_paper("improved-tiled")
        pairs = [(self.results.search_seconds(method, case), self.results.seconds(method, case))
                 for case in (self._case("aidw", size) for size in sizes)]
        if any(None in pair for pair in pairs):
            raise NotMeasured(method)
        return ", ".join(number_text(100 * search / total, 2) + " %" for search, total in pairs)

    def printed_quotients(self, name, above, below):
        """Quotients of printed times, row by row, to compare with what the paper prints."""
        rows = {row["row"]: row["values"] for row in self.printed.tables[name]["rows"]}
        return ", ".join(f"{first / second:.4g}" for first, second in zip(rows[above], rows[below]))

    def printed_row(self, name, row):
        rows = {row["row"]: row["values"] for row in self.printed.tables[name]["rows"]}
        return ", ".join(map(printed_text, rows[row]))

    def ratio_of_powers(self, prefix, scheme):
        """Power 3 over power 2 of two programs, n = m."""
        pairs = zip(self._series("idw-p3").cases, self._series("idw-p2").cases)
        seconds = [(self.results.seconds(f"{prefix}idw-{scheme}", third),
                    self.results.seconds(f"{prefix}idw2-{scheme}", second)) for third, second in pairs]
        return self._range([None if None in pair else pair[0] / pair[1] for pair in seconds])

    def printed_range(self, name, row):
        """The first and the last number of a row."""
        rows = {row["row"]: row["values"] for row in self.printed.tables[name]["rows"]}
        return f"{printed_text(rows[row][0])} to {printed_text(rows[row][-1])}"

    def power_ratio(self, scheme, precision=""):
        """Power 3 over power 2, n = m, measured sizes."""
        return range_text([value for _, value in self.verdicts.power_ratios(scheme, precision)])

    def speedups_of(self, series, method, precision="double"):
        """The range of speed-ups over a series."""
        found = [case for case in self._series(series).cases if self.results.speedup(method, case, precision)]
        if not found:
            raise NotMeasured(method)
        ends = (choice(found, key=lambda case: self.results.speedup(method, case, precision)) for choice in (min, max))
        return " to ".join(self._speedup_text(method, case, precision) for case in ends)

    def ratio(self, series, above, below, *sizes, part="total"):
        """The range of a ratio of times over a series, or over some of its cases."""
        chosen = self._series(series)
        cases = [self._case(series, size) for size in sizes] or chosen.cases
        return self._range([self.results.ratio(above, below, case, part) for case in cases])

    def printed_ratio(self, series, above, below):
        ends = [self.printed.ratio(above, below, self._series(series), case)
                for case in self._series(series).cases]
        return self._range([value for pair in ends if pair for value in pair])

    def grown(self, series, method, size):
        """A time in units of the series' first case's."""
        chosen = self._series(series)
        first, own = (self.results.seconds(method, case) for case in (chosen.cases[0], self._case(series, size)))
        if not first or not own:
            raise NotMeasured(method)
        return number_text(own / first, 3)

    def speedup(self, series, method, size, precision="double"):
        case = self._case(series, size)
        if self.results.speedup(method, case, precision) is None:
            raise NotMeasured(f"no speed-up of {method} in series {series} at {size}")
        return self._speedup_text(method, case, precision)

    def share(self, series, method, size, parts, whole):
        """Per cent that some stages of a run are of others."""
        found = self.results.find(method, self._case(series, size))
        if not found or found.state != "measured":
            raise NotMeasured(method)
        return number_text(100 * sum(found.seconds[part] for part in parts)
                           / sum(found.seconds[part] for part in whole), 2)

    def errors(self, kind):
        """The range of errors of the methods in "float" or "double" and of the "library"."""
        of_kind = {"float": lambda method: not (comparisons.is_library(method) or comparisons.is_serial(method)
                                                or comparisons.is_double(method) or method.startswith("plain-")),
                   "plain": lambda method: method.startswith("plain-") and not comparisons.is_double(method),
                   "double": lambda method: comparisons.is_double(method) or method.endswith("-serial"),
                   "serial-single": lambda method: method.endswith("-serial-single"),
                   "library": comparisons.is_library}[kind]
        errors = [found.error for found in self.results.measurements.values()
                  if found.state == "measured" and found.error is not None and of_kind(found.method)]
        if not errors:
            raise NotMeasured(kind)
        return f"{min(errors):.1e} to {max(errors):.1e}"

    # ---- the page

    def fill(self, template):
        names = {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}

        def evaluate(match):
            try:
                return str(eval(match[1].strip(), {"__builtins__": {}}, names))  # templates are code
            except NotMeasured:
                return NOT_MEASURED
            except ReportError as error:
                raise ReportError(f"{match[0]}: {error}") from error
            except Exception as error:
                raise ReportError(f"{match[0]}: {type(error).__name__}: {error}") from error
        return re.sub(r"\n{3,}", "\n\n", EXPRESSION.sub(evaluate, template))

    def _printed_share(self, size, part, whole):
        part, whole = (self.printed.seconds(method, self._case("aidw", size), stage) for method, stage in (part, whole))
        return number_text(100 * part / whole, 2)

    def _speedup_text(self, method, case, precision):
        is_estimate = self.results.is_speedup_estimated(method, case, precision)
        return (rough_text if is_estimate else number_text)(self.results.speedup(method, case, precision))

    @staticmethod
    def _range(values):
        found = [value for value in values if value is not None]
        if not found:
            raise NotMeasured("nothing to compare")
        return range_text(found)

    def _series(self, name):
        if name not in SERIES and name not in self.results.series:
            raise ReportError(f"the results have no series {name}")
        if name not in self.results.series:
            raise NotMeasured(name)
        return self.results.series[name]

    def _case(self, series, size):
        """The case of a size, or the "first", "middle" or "last" of the series."""
        cases = self._series(series).cases
        if size in ("first", "middle", "last"):
            return cases[{"first": 0, "middle": len(cases) // 2, "last": -1}[size]]
        found = [case for case in self._series(series).cases if self._series(series).value(case) == size]
        if not found:
            raise ReportError(f"series {series} has no case {size}")
        return found[0]

    def _section(self, series):
        tables = self.tables
        parts = [tables.times(series)]
        if series.variable == "columns":
            parts.append(tables.growth(series))
        elif series.variable != "sets":
            parts += [tables.speedups(series, "single") if series.study == "idw" else "", tables.speedups(series),
                      tables.stages(series),
                      *(tables.ratios(series, kind) for kind in comparisons.KINDS)]
        text = "\n".join(filter(None, parts))
        return f"### {series.title}\n\n{text}" if text else ""
