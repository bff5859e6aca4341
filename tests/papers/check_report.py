#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of papers/report: the page in docs agrees with its results, printed numbers with one another,
tables with results made up here. check_printed.py holds the printed numbers themselves.

    check_report.py ROOT
"""
import copy
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "papers/report"))
sys.dont_write_bytecode = True

from errors import ReportError  # noqa: E402
from page import Page  # noqa: E402
from paper_tables import PaperTables  # noqa: E402
from printed import Printed  # noqa: E402
from published import Published  # noqa: E402
from results import Results, Workload, files_of_page  # noqa: E402
from tables import Tables, number_text  # noqa: E402
from verdicts import Verdicts, compare_with_published, flatness, growth, judge, sentence, size_of_factor  # noqa: E402

H200, *MORE = files_of_page(ROOT / "bench/results")
TEMPLATE = ROOT / "papers/report/papers.md"
SIZES = [10240, 51200, 102400, 512000, 1024000]
PUBLISHED = {"commit": "0123abcdef", "gpu": "g", "points": 1024, "targets": 2048, "runs": 3,
             "measurements": [{"flags": "-O3", "kernel": "tiled", "seconds": 0.0125}]}
MACHINE = dict.fromkeys(("processor", "processors", "threads", "isa", "gpu", "driver", "cuda_runtime",
                         "compiler", "cuda_compiler"), "x")


def measurement(method, n, seconds, *, state="measured", error=1e-9, power=None, columns=1):
    parts = ("prepare", "upload", "grid", "neighbours", "weighting", "download")
    times = {"total": seconds, **({part: seconds / 8 for part in parts} if state == "measured" else {})}
    return {"method": method, "power": power, "n": n, "m": n, "columns": columns, "state": state,
            "seconds": times, "runs": 3, "error": error if state == "measured" else None,
            "error_limit": 1e-5, "message": "no memory" if state == "failed" else None}


def data(measurements):
    cases = []
    for item in measurements:
        case = {key: item[key] for key in ("power", "n", "m", "columns")}
        if case not in cases:
            cases.append(case)
    return {"program": "shepard_papers", "version": "0", "commit": None, "machine": MACHINE,
            "settings": {"budget": 1, "runs": 3, "seed": 1}, "left_out": [],
            "series": [{"study": "aidw", "id": "aidw", "variable": "size", "cases": cases}],
            "measurements": measurements}


def idw_data(times):
    """times: of methods at 1000 and 3000 points, power 2 where the name says so, else 3."""
    made = data([measurement(method, n, time, power=2 if "idw2" in method else 3)
                 for method, pair in times.items() for n, time in zip((1000, 3000), pair)])
    cases = made["series"][0]["cases"]
    made["series"] = [{"study": "idw", "id": f"idw-p{power}", "variable": "size", "cases": of_power}
                      for power in (2, 3) if (of_power := [case for case in cases if case["power"] == power])]
    return made


def rows_of(text):
    """The cells of a Markdown table by the text of the first column."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return {line[0].strip("`"): line[1:] for line in lines}


def report(*arguments):
    return subprocess.run([sys.executable, "-B", ROOT / "papers/report", *arguments],
                          capture_output=True, text=True, check=False)


class PrintedNumbers(unittest.TestCase):
    """Numbers of the papers' texts follow from those of their tables."""

    def setUp(self):
        self.printed = Printed()
        self.cases = [Workload(None, size, size, 1) for size in SIZES]
        self.series = Results.load(H200, *MORE).series

    def ratios(self, above, below):
        return [self.printed.ratio(above, below, self.series["aidw"], case)[0] for case in self.cases]

    def test_speedup_of_up_to_1017(self):
        found = self.printed.speedup("improved-tiled", self.series["aidw"], self.cases[-1])
        self.assertEqual(round(found), self.printed.claim("aidw16-speedup")[0])

    def test_speedups_of_100_to_400(self):
        low, high = self.printed.claim("aidw15-speedup")
        found = [self.printed.speedup(f"original-{name}", self.series["aidw"], case)
                 for name in ("naive", "naive-aoas", "tiled", "tiled-aoas") for case in self.cases]
        self.assertEqual((round(min(found), -2), round(max(found), -2)), (low, high))

    def test_tiling_and_layout_of_aidw15_are_means_of_its_table(self):
        def mean(above, below):
            return sum(self.ratios(above, below)) / len(self.cases)
        self.assertEqual(round(mean("original-naive", "original-tiled"), 1),
                         self.printed.claim("aidw15-tiling-section-5")[0])
        self.assertEqual(round(self.ratios("original-naive", "original-tiled")[3], 2),
                         self.printed.claim("aidw15-tiling-section-4")[0])
        for scheme in ("naive", "tiled"):
            found = mean(f"original-{scheme}-aoas", f"original-{scheme}")
            self.assertAlmostEqual(found, self.printed.claim("aidw15-layout")[0], delta=2e-3)

    def test_stages_add_up(self):
        for method in ("improved-naive", "improved-tiled"):
            for case in self.cases:
                parts = sum(self.printed.seconds(method, case, part) for part in ("neighbours", "weighting"))
                total = self.printed.seconds(method, case)
                self.assertLessEqual(abs(parts - total), 1.01e-3, (method, case))

    def test_original_search_is_total_less_improved_weighting(self):
        for scheme in ("naive", "tiled"):
            for case in self.cases:
                search = self.printed.seconds(f"original-{scheme}", case, "neighbours")
                total = self.printed.seconds(f"original-{scheme}", case)
                weighting = self.printed.seconds(f"improved-{scheme}", case, "weighting")
                self.assertLessEqual(abs(total - weighting - search), 1.01e-3, (scheme, case))

    def test_grid_at_least_2_02_and_2_54_times_as_fast(self):
        for scheme in ("naive", "tiled"):
            found = min(self.ratios(f"original-{scheme}", f"improved-{scheme}"))
            self.assertEqual(round(found, 2), self.printed.claim(f"aidw16-figure-8-{scheme}")[0])

    def test_tiling_1_33_to_1_87(self):
        found = self.ratios("improved-naive", "improved-tiled")
        self.assertEqual((round(min(found), 2), round(max(found), 2)), self.printed.claim("aidw16-tiling"))
        weighting = [self.printed.seconds("improved-naive", case, "weighting")
                     / self.printed.seconds("improved-tiled", case, "weighting") for case in self.cases]
        self.assertEqual((round(min(weighting), 2), round(max(weighting), 2)),
                         self.printed.claim("aidw16-tiling-weighting"))

    def test_search_below_one_per_cent_at_a_million(self):
        _, most = self.printed.claim("aidw16-figure-9")
        for scheme in ("naive", "tiled"):
            improved, original = (self.printed.seconds(f"{kind}-{scheme}", self.cases[-1], "neighbours")
                                  for kind in ("improved", "original"))
            self.assertLess(100 * improved / original, most)

    def test_joint_speedups_are_those_printed(self):
        for name, wanted in (("joint-points", [1.4, 8.4, 15.6, 17.1, 17.9]),
                             ("joint-targets", [1.2, 8.2, 17.5, 20.6])):
            series = self.series[name]
            found = [self.printed.speedup("idw2-tiled", series, case) for case in series.cases]
            self.assertEqual(found, wanted)
            for case, value in zip(series.cases, wanted):  # quotients of times with one to four digits
                quotient = (self.printed.seconds("idw2-serial", case)
                            / self.printed.seconds("idw2-tiled", case))
                self.assertLess(abs(quotient / value - 1), 0.2, (name, case))

    def test_ratio_series_have_the_printed_speedups_and_not_quotients(self):
        series = self.series["joint-ratio-1e6"]
        found = {(case.n, case.m): self.printed.speedup("idw2-tiled", series, case) for case in series.cases}
        self.assertEqual({case: value for case, value in found.items() if value is not None},
                         {(100, 10000): 1.4, (1000, 1000): 1.2})

    def test_a_program_of_a_paper_has_no_ratio_to_itself(self):
        def ratio(above, below):
            return self.printed.ratio(above, below, self.series["aidw"], self.cases[0])
        for scheme in ("naive", "tiled"):
            self.assertIsNone(ratio(f"improved-{scheme}-own-grid", f"improved-{scheme}"))
            self.assertIsNone(ratio(f"plain-improved-{scheme}", f"improved-{scheme}"))
        self.assertAlmostEqual(ratio("improved-naive-own-grid", "improved-tiled")[0], 27.9 / 21)

    def test_only_its_own_cases(self):
        self.assertIsNone(self.printed.seconds("original-serial", Workload(None, 1024000, 1000000, 1)))
        self.assertIsNone(self.printed.seconds("idw2-serial", Workload(2, 1000, 10000, 2)))
        self.assertIsNone(self.printed.seconds("idw2-tiled-double", Workload(2, 1000, 10000, 1)))


class TablesOfResults(unittest.TestCase):
    def make(self, measurements):
        results = Results(data(measurements))
        return Tables(results, Printed()), results.series["aidw"], results

    def test_times_speedups_and_ratios_at_random(self):
        seed = random.randrange(10**9)
        print("seed", seed, file=sys.stderr)
        chance = random.Random(seed)
        methods = ["original-serial", "improved-naive", "improved-tiled", "improved-tiled-double"]
        times = {(method, n): chance.uniform(1e-4, 1e3) for method in methods for n in (1000, 3000)}
        tables, series, _ = self.make([measurement(method, n, time) for (method, n), time in times.items()])
        value = lambda cell: float(cell.split(" ")[0].replace(",", ""))  # noqa: E731
        found = rows_of(tables.times(series)), rows_of(tables.speedups(series)), rows_of(tables.ratios(series))
        for i, n in enumerate((1000, 3000)):
            for method in methods:
                time = times[method, n]
                self.assertAlmostEqual(value(found[0][method][i]) / (1e3 * time), 1, delta=6e-3)
                if method != "original-serial":
                    self.assertAlmostEqual(value(found[1][method][i]) / (times["original-serial", n] / time),
                                           1, delta=6e-3)
            self.assertAlmostEqual(value(found[2]["improved-naive` / `improved-tiled"][i])
                                   / (times["improved-naive", n] / times["improved-tiled", n]), 1, delta=6e-3)
        self.assertIn("improved-tiled-double` / `improved-tiled", rows_of(tables.ratios(series, "double")))

    def test_states_and_faults(self):
        tables, series, results = self.make([
            measurement("original-serial", 1000, 7000, state="extrapolated"),
            measurement("improved-tiled", 1000, 2, error=2e-5),
            measurement("improved-naive", 1000, None, state="failed"),
            measurement("original-tiled", 1000, 9, state="skipped"),
            measurement("original-naive", 1000, 2, error=None)])
        rows = rows_of(tables.times(series))
        self.assertEqual(rows["original-serial"][0], "~7,000,000")
        self.assertEqual(rows["improved-tiled"], ["2,000 !", "2.0e-05"])
        self.assertEqual(rows["improved-naive"], ["failed !", "-"])
        self.assertEqual(rows["original-tiled"], ["skipped", "-"])
        self.assertEqual(rows["original-naive"][0], "2,000 !")
        self.assertEqual(rows_of(tables.speedups(series))["improved-tiled"][0], "~3,500")
        self.assertEqual(len(results.wrong()), 3)
        for words in ("improved-tiled", "above 1e-05", "failed: no memory", "error NaN"):
            self.assertIn(words, tables.faults())

    def test_incomplete_results_have_no_limit_and_serial_programs_no_speedup(self):
        incomplete = measurement("improved-naive", 1000, 2, error=None)
        incomplete["error_limit"] = None
        tables, series, results = self.make([measurement("original-serial", 1000, 7), incomplete,
                                             measurement("idw-serial-single", 1000, 5)])
        self.assertEqual(results.wrong(), [])
        self.assertEqual(rows_of(tables.times(series))["improved-naive"], ["2,000", "-"])
        self.assertEqual(set(rows_of(tables.speedups(series))) & {"improved-naive", "idw-serial-single"},
                         {"improved-naive"})

    def test_printed_numbers_beside(self):
        tables, series, _ = self.make([measurement("improved-tiled", 1024000, 0.5),
                                       measurement("original-serial", 1024000, 20000)])
        self.assertEqual(rows_of(tables.times(series))["improved-tiled"][0], "500 (66,338)")
        self.assertEqual(rows_of(tables.speedups(series))["improved-tiled"][0], "40,000 (1,017)")
        self.assertEqual(rows_of(tables.stages(series))["improved-tiled` neighbours"][0], "62.5 (917)")

    def test_paper_tables_have_printed_and_own_numbers(self):
        size, results = 1024000, Results.load(H200, *MORE)
        text = PaperTables(results, Printed()).table("aidw16-table-3", library=["new-aidw-1e-4"])
        case = Workload(None, size, size, 1)
        cells = rows_of(text)["original naive"]  # the last of the rows of that name
        original = results.find("original-naive", case).total
        weighting = results.find("improved-naive", case).seconds["weighting"]
        self.assertEqual(cells[0], "`original-naive`")
        self.assertEqual(cells[-2:], ["127,137", number_text(1e3 * (original - weighting))])
        parts = results.find("improved-tiled", case).seconds
        lines = [line for line in text.splitlines() if "`improved-tiled`" in line]
        self.assertTrue(lines[0].endswith(f"| {number_text(1e3 * (parts['grid'] + parts['neighbours']))} |"))
        table_2 = rows_of(PaperTables(results, Printed()).table("hap11-table-2"))
        self.assertEqual(table_2["CPU"][-2], "5,154")
        self.assertEqual(table_2["speed-up, times"][-2], "20.6")

    def test_tables_of_hap11_have_the_medians_of_their_speedups(self):
        made = [{**measurement(method, 100, seconds, power=2), "m": 10000}
                for method, seconds in (("idw2-serial", 3), ("idw2-tiled", 2))]
        text = PaperTables(Results(data(made)), Printed()).table("hap11-table-1")
        made[0]["seconds"]["mean"], made[1]["seconds"]["mean"] = None, 1
        results = Results(data(made))
        rows = rows_of(PaperTables(results, Printed()).table("hap11-table-1"))
        self.assertEqual([rows[name][2] for name in ("CPU", "GPU", "speed-up, times")], ["3,000", "2,000", "1.50"])
        self.assertEqual(results.speedup("idw2-tiled", Workload(2, 100, 10000)), 1.5)
        self.assertEqual(rows["GPU"][4], "not measured")
        self.assertEqual(rows["ms"][1:3], ["100 paper", "100 x"])

    def test_what_a_paper_prints_once_has_a_column(self):
        results = Results(idw_data({"idw-naive": (2, 3), "idw-tiled": (1, 1), "idw-serial-single": (500, 900)}))
        tables, series = Tables(results, Printed()), results.series["idw-p3"]
        self.assertEqual(rows_of(tables.speedups(series, "single"))["idw-tiled"], ["500", "900", "670"])
        self.assertEqual(rows_of(tables.ratios(series))["idw-naive` / `idw-tiled"], ["2.00", "3.00", "2"])
        self.assertEqual(rows_of(tables.speedups_of(series, ["idw-naive"]))["idw-naive"][-1], "-")  # over double

    def test_series_leave_out_single_values_that_another_has_among_several(self):
        made = data([*(measurement(method, n, 1, power=2) for method in ("idw2-naive", "idw2-tiled")
                     for n in (2000, 3000)), measurement("idw2-nested", 3000, 1, power=2)])
        made["measurements"] += [measurement(method, 2000, 2, power=2, columns=4)
                                 for method in ("idw2-naive", "idw2-serial")]
        made["series"].append({"study": "joint", "id": "joint-columns", "variable": "columns",
                               "cases": [made["series"][0]["cases"][0],
                                         {"power": 2, "n": 2000, "m": 2000, "columns": 4}]})
        results = Results(made)
        tables = Tables(results, Printed())
        found = [set(rows_of(tables.times(series))) - {"ms", "---"} for series in results.series.values()]
        self.assertEqual(found, [{"idw2-naive", "idw2-tiled", "idw2-nested"}, {"idw2-naive", "idw2-serial"}])
        self.assertNotIn("idw2-tiled", rows_of(tables.growth(results.series["joint-columns"])))

    def test_number_text(self):
        for value, text in ((0, "0"), (1e-5, "1.00e-05"), (0.01234, "0.0123"), (9.999, "10.0"), (1.5, "1.50"),
                            (99.96, "100"), (123.4, "123"), (1234567, "1,234,567")):
            self.assertEqual(number_text(value), text)


class Pages(unittest.TestCase):
    def test_docs_page_agrees_with_its_results(self):
        found = report("--docs", "--check")
        self.assertEqual((found.returncode, found.stderr), (0, ""))

    def test_docs_page_links_each_figure_that_there_is(self):
        text = (ROOT / "docs/papers.md").read_text(encoding="utf-8")
        links = re.findall(r"\((images/papers-[\w-]*\.svg)\)", text)
        files = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs/images").glob("papers-*")]
        self.assertEqual(sorted(links), sorted(files))

    def test_docs_page_has_every_printed_table_and_claim(self):
        template = (ROOT / "papers/report/papers.md").read_text(encoding="utf-8")
        printed = Printed()
        for name in [*printed.tables, *printed.claims]:
            self.assertIn(f'"{name}"', template)

    def test_page_notices_another_number(self):
        changed = json.loads(H200.read_text(encoding="utf-8"))
        of_page = [item for item in changed["measurements"] if item["method"] == "improved-tiled"]
        random.choice(of_page)["seconds"]["total"] *= 1.5
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "r.json"
            path.write_text(json.dumps(changed), encoding="utf-8")
            found = report(path, *MORE, "--docs", "--check")
        self.assertEqual(found.returncode, 1)
        self.assertIn("must be", found.stderr)

    def test_all_measurements_are_in_the_report(self):
        results = Results.load(H200)
        text = report(H200).stdout
        for series in results.series.values():
            self.assertIn(f"### {series.title}\n", text)
        for method, _ in results.measurements:
            self.assertIn(f"`{method}`", text)

    def test_faults_of_templates_name_the_expression(self):
        results = Results.load(H200)
        page = Page(results, Printed())
        for text, words in (('{{times("quux")}}', "no series quux"), ('{{verdict("x")}}', "no verdict x"),
                            ('{{ms("aidw", "x", 7)}}', "no case 7"), ('{{claim("x")}}', "no claim x"),
                            ("{{open('x')}}", "NameError"),
                            ("{{1 +}}", "SyntaxError")):
            with self.assertRaisesRegex(ReportError, words):
                page.fill(text)

    def test_inputs_that_are_no_results(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, words in (("{", "cannot read"), ("[1]", "no results of shepard_papers"),
                                ('{"program": "shepard_papers"}', "another version")):
                path = Path(folder) / "r.json"
                path.write_text(text, encoding="utf-8")
                found = report(path)
                self.assertEqual(found.returncode, 1)
                self.assertIn(words, found.stderr)
                self.assertNotIn("Traceback", found.stderr)

    def test_times_of_the_published_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "p.json"
            path.write_text(json.dumps(PUBLISHED), encoding="utf-8")
            published = Published.load(path)
            text = published.table(Results(data([])))
            self.assertEqual(rows_of(text)["-O3"], ["tiled", "12.5", "`plain-improved-tiled`", "not measured", "-"])
            self.assertTrue(published.link("a.h").endswith("/0123abcdef/src/aidw-cuda/a.h"))
            self.assertIn("commit 0123abcd, g; 1,024 data points, 2,048 targets, mean of 3 runs", text)
            path.write_text("{}", encoding="utf-8")
            with self.assertRaisesRegex(ReportError, "no results of hecbench.sh"):
                Published.load(path)

    def test_published_program_beside_weighting_stages_of_its_size(self):
        chance = random.Random(seed := random.randrange(10**9))
        print("seed", seed, file=sys.stderr)
        own = {name: chance.uniform(1, 9) for name in ("plain-improved-tiled", "improved-tiled")}
        results = Results(data([measurement(name, n, 8 * n / 2048 * seconds)  # an eighth is the weighting
                                for n in (1024, 2048) for name, seconds in own.items()]))
        ratios = chance.choice([(1.04, 0.97), (0.96, 1.02)]), chance.choice([(1.2, 0.5), (0.9, 3)])
        for pair in ratios:
            found = [{"flags": flags, "kernel": "tiled", "seconds": ratio * seconds} for flags, ratio, seconds in
                     zip(("-O3", "-O3 --use_fast_math"), pair, own.values())]
            made = Published({**PUBLISHED, "points": 2048, "measurements": found})
            for (_, name, ratio), wanted, wanted_name in zip(made.ratios(results), pair, own, strict=True):
                self.assertEqual(name, wanted_name)
                self.assertAlmostEqual(ratio, wanted)
            self.assertEqual(Published({**PUBLISHED, "measurements": found}).ratios(results), [])  # other targets
        words = compare_with_published([("-a", "x", 1.03), ("-b", "y", 1.2), ("-c", "z", 0.5)])
        self.assertEqual(words, "Its kernel takes with `-a` as long as `x` (1.03 times), with `-b` slightly longer than"
                                " `y` (1.20 times) and with `-c` less time than `z` (0.500 times).")

    def test_serial_times_that_are_too_long_are_said(self):
        chance = random.Random(seed := random.randrange(10**9))
        print("seed", seed, file=sys.stderr)
        sizes = [50, 100, 200, 400, 800, 1600]
        for slow in (None, *sizes[1:]):
            made = data([measurement("idw2-serial", n, n * n * 1e-9 * (2 if n in (50, slow) else chance.uniform(1, 1.1)),
                                     power=2) for n in sizes])  # 50 is too few, and does not count
            made["series"][0]["id"] = "joint-points"
            page = Page(Results(made), Printed())
            if slow is None:
                self.assertEqual(page.serial_scatter() + page.slow_serial("joint-points"), "")
                continue
            self.assertIn(f"2.00 at n = {slow:,}, m = {slow:,}.", page.serial_scatter())
            self.assertTrue(page.slow_serial("joint-points").startswith(f" At {slow:,} the serial"))
            self.assertEqual(page.slow_serial("joint-targets"), "")

    def test_together(self):
        chance = random.Random(seed := random.randrange(10**9))
        print("seed", seed, file=sys.stderr)
        counts, times = (1, 4, 16), {}
        for method, ways in (("idw2-tiled", "one calls"), ("gpu-idw-1e-4", "calls"), ("idw2-serial", "one")):
            for count in counts:
                for way in ways.split():
                    times[method, count, count if way == "calls" else 1] = chance.uniform(0.1, 0.9)
        made = data([{**measurement(method, 1024, time, power=2), "sets": sets, "calls": calls}
                     for (method, sets, calls), time in times.items()])
        made["series"] = [{"study": "joint", "id": "joint-sets", "variable": "sets", "cases":
                           [{"power": 2, "n": 1024, "m": 1024, "columns": 1, "sets": count} for count in counts]}]
        lines = Page(Results(made), Printed()).together("sets").splitlines()

        def line(method, what, values):
            return f"| `{method}` | {what} | " + " | ".join(map(number_text, values)) + " |"
        one, calls = ([1e3 * times["idw2-tiled", count, count * way or 1] for count in counts] for way in (0, 1))
        of_library = [1e3 * times["gpu-idw-1e-4", count, count] for count in counts]
        self.assertEqual(lines[2:], [
            line("idw2-tiled", "one call", one), line("idw2-tiled", "calls", calls),
            line("idw2-tiled", "calls / one call", [part / whole for whole, part in zip(one, calls)]),
            line("gpu-idw-1e-4", "calls", of_library)])

    def test_what_was_not_measured_is_said(self):
        results = Results(data([measurement("improved-naive", 10240, 1)]))
        text = Page(results, Printed()).fill(
            '{{verdict("aidw16-tiling")}} {{ratio("aidw", "improved-naive", "improved-tiled")}} {{times("idw-p2")}} '
            '{{speedups_of("aidw", "improved-naive")}} {{power_ratio("serial")}} {{together("sets")}} '
            '{{published_table()}} {{published_verdict()}}')
        self.assertEqual(text, "Not measured. " + " ".join(["not measured"] * 6) + " Not measured.")

    def test_page_of_a_measurement_with_everything(self):
        results = Results.load(H200, *MORE)
        published = Published({**PUBLISHED, "points": SIZES[-1], "targets": SIZES[-1]})
        text = Page(results, Printed(), published).fill(TEMPLATE.read_text(encoding="utf-8"))
        lines = [line for line in text.splitlines() if "not measured" in line.lower() and "no verdict" not in line]
        self.assertEqual(lines, [])


class Merged(unittest.TestCase):
    """Several files as one."""

    def load(self, *found):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{i}.json" for i in range(len(found))]
            for path, item in zip(paths, found):
                path.write_text(json.dumps(item), encoding="utf-8")
            return Results.load(*paths)

    def test_measured_counts_before_scaled_and_more_runs_before_fewer(self):
        chance = random.Random(seed := random.randrange(10**9))
        print("seed", seed, file=sys.stderr)
        for all_runs in ((0, 3, 3, 1), (0, 3, 3, 25)):
            made = [{**measurement("original-serial", 10240, chance.uniform(1, 9),
                                   state="measured" if runs else "extrapolated"), "runs": runs} for runs in all_runs]
            chance.shuffle(made)
            results = self.load(*(data([item]) for item in made))
            wanted = max(made, key=lambda item: item["runs"])  # the first of them
            found = results.find("original-serial", Workload(None, 10240, 10240))
            self.assertEqual((found.total, found.runs), (wanted["seconds"]["total"], wanted["runs"]))
            self.assertEqual([file["used"] for file in results.files], [int(item is wanted) for item in made])

    def test_scaled_times_are_of_the_nearest_case_in_any_file(self):
        chance = random.Random(seed := random.randrange(10**9))
        print("seed", seed, file=sys.stderr)
        times = [chance.uniform(1, 9) for _ in range(3)]

        def scaled(method, n):
            return {**measurement(method, n, chance.uniform(100, 900), state="extrapolated"), "runs": 0}
        kept = scaled("idw-serial", 100000)
        own = [measurement("original-serial", 1000, times[0]), scaled("original-serial", 100000), kept]
        other = [measurement("original-serial", n, time) for n, time in zip((4000, 2000), times[1:])]
        far = measurement("original-serial", 90000, 1, power=2)  # another program
        for files in ((own, [*other, far]), ([*other, far], own)):
            results = self.load(*map(data, files))
            found = results.find("original-serial", Workload(None, 100000, 100000))
            self.assertAlmostEqual(found.total / (times[1] * 25**2), 1)
            self.assertEqual(found.state, "extrapolated")
            self.assertEqual(results.seconds("idw-serial", Workload(None, 100000, 100000)), kept["seconds"]["total"])

    def test_runs_of_a_file_are_those_of_its_measured_times(self):
        made = [{**measurement("original-serial", n, 1, state="measured" if runs else "extrapolated"), "runs": runs}
                for n, runs in ((1000, 3), (2000, 1), (3000, 3), (4000, 0))]
        results = self.load(data(made))
        self.assertEqual(results.files[0]["runs"], [1, 3])
        self.assertIn("; runs: 1 or 3, budget", Page(results, Printed()).run_list())

    def test_cases_of_a_series_are_joined_and_rise(self):
        results = self.load(data([measurement("improved-tiled", size, 1) for size in (3000, 9000)]),
                            data([measurement("improved-tiled", size, 1) for size in (1000, 9000, 5000)]))
        self.assertEqual([case.n for case in results.series["aidw"].cases], [1000, 3000, 5000, 9000])

    def test_other_machines_and_other_sizes_are_refused(self):
        one = data([measurement("improved-tiled", 1000, 1)])
        other = copy.deepcopy(one)
        other["machine"]["gpu"] = "y"
        with self.assertRaisesRegex(ReportError, "another machine"):
            self.load(one, other)
        for item, m in ((one, 7), (other := copy.deepcopy(one), 8)):
            item["series"] = [{"study": "idw", "id": "idw-p2-points", "variable": "points",
                               "cases": [{"power": 2, "n": 5, "m": m, "columns": 1}]}]
        with self.assertRaisesRegex(ReportError, "another m than"):
            self.load(one, other)


class Judged(unittest.TestCase):
    """Verdicts follow from times by their rules."""

    def verdict(self, name, times):
        """times: of methods at 1000 and 3000 points."""
        results = Results(data([measurement(method, n, time) for method, pair in times.items()
                                for n, time in zip((1000, 3000), pair)]))
        return Verdicts(results, Printed()).text(name)

    def test_words(self):
        self.assertEqual(judge([("10K", 1), ("50K", 3)], lambda value: value > 0), "holds")
        self.assertEqual(judge([("10K", 1), ("50K", 3)], lambda value: value > 9), "does not hold")
        self.assertEqual(judge([("10K", 1), ("50K", 3), ("100K", 4)], lambda value: value > 2),
                         "holds at 50K and 100K, not at 10K")
        self.assertEqual(sentence([("a", "holds"), ("b", "holds")]), "Holds.")
        self.assertEqual(sentence([("a", "holds"), ("b", "does not hold")]), "A: holds; b: does not hold.")
        self.assertEqual(size_of_factor([3, 4], 1, 2), " The factor is larger than printed.")
        self.assertEqual(size_of_factor([1, 4], 2, 3), "")
        self.assertEqual(size_of_factor([1.9, 3.2], 2, 3), " The factor is as printed.")

    def test_tiling_is_judged_on_plain_programs_alone(self):
        times = {f"{prefix}improved-{scheme}": pair for prefix, naive in (("", (9, 9)), ("plain-", (1.04, 1.15)))
                 for scheme, pair in (("naive", naive), ("tiled", (1, 1)))}
        self.assertEqual(self.verdict("aidw16-tiling", times),
                         "Holds at 3,000, not at 1,000. The factor is smaller than printed.")
        with self.assertRaises(ReportError):
            self.verdict("aidw16-tiling", {name: pair for name, pair in times.items() if "plain" not in name})

    def test_layouts(self):
        times = {f"plain-original-{scheme}": (1, 1) for scheme in ("naive", "tiled")}
        found = self.verdict("aidw15-layout", {**times, "plain-original-naive-aoas": (1.2, 0.8),
                                               "plain-original-tiled-aoas": (1.02, 0.97)})
        self.assertEqual(found, "Naive: does not hold (arrays are faster at 1,000, structures are faster at 3,000);"
                                " tiled: holds, the two are alike.")
        found = self.verdict("aidw15-layout", {**times, "plain-original-naive-aoas": (1.2, 1),
                                               "plain-original-tiled-aoas": (1, 1)})
        self.assertTrue(found.startswith("Naive: holds at 3,000, not at 1,000 (arrays are"), found)

    def test_nested_launches_are_judged_against_the_program_with_the_same_weights(self):
        times = {f"{prefix}{system}-{scheme}": pair for system in ("idw2", "idw")
                 for prefix, scheme, pair in (("", "nested", (5, 5.5)), ("", "naive", (1, 1)), ("plain-", "naive", (9, 9)))}
        verdict = Verdicts(Results(idw_data(times)), Printed()).text
        self.assertEqual(verdict("idw14-nesting"), "Holds. The factor is as printed.")
        with self.assertRaises(ReportError):
            Verdicts(Results(idw_data({name: pair for name, pair in times.items() if name[:5] == "plain"
                                       or "nested" in name})), Printed()).text("idw14-nesting")

    def test_speedups_of_idw14_are_those_of_plain_programs(self):
        times = {"idw-serial-single": (700, 700), "plain-idw-naive": (1, 1), "plain-idw-tiled": (2, 1),
                 "idw-naive": (9, 9), "idw-tiled": (0.1, 0.1), "idw-nested": (5, 5)}
        self.assertEqual(Verdicts(Results(idw_data(times)), Printed()).text("idw14-speedup-p3"),
                         "At least the printed factor: naive: holds; tiled: holds at 3,000, not at 1,000;"
                         " nested: holds.")

    def test_waiting_for_nested_launches_is_judged_on_the_nearest_pair(self):
        for longest, judgement in ((1.08, "does not hold."), (2, "power 2: does not hold; power 3: holds.")):
            times = {f"{system}-nested-{what}": pair for system, tail in (("idw2", (1.02, 1.01)), ("idw", (longest,) * 2))
                     for what, pair in (("tail", tail), ("open", (1, 1)))}
            found = Verdicts(Results(idw_data(times)), Printed()).text("idw14-figure-8")
            self.assertEqual(found, "The barrier cannot be measured here. For the nearest pair: "
                                    f"{judgement} Waiting takes at most {longest:.2f} times as long.")

    def test_growth(self):
        self.assertEqual(growth([("1K", 1.06), ("2K", 2)]), "grows at every step")
        self.assertEqual(growth([("1K", 0.96), ("2K", 0.94), ("3K", 2)]), "grows (but alike at 1K, less at 2K)")

    def test_flatness(self):
        def of(*seconds):
            return flatness(list(zip("abcdef", seconds)))
        self.assertEqual(of(1.24, 1, 1.2, 1.1), "holds")
        self.assertEqual(of(1, 1.6, 1.2, 1.1), "holds (without the outlier at b)")
        self.assertEqual(of(2, 1.2, 1, 1.6, 1.2, 1.3),
                         "holds from n/m = b to e, up to 2.0 times the least elsewhere (without the outlier at d)")
        self.assertEqual(of(1, 1.4, 1.5), "holds from n/m = a to a, up to 1.5 times the least elsewhere")

    def test_double(self):
        times = {f"original-{scheme}{layout}-double": pair for layout in ("", "-aoas")
                 for scheme, pair in (("naive", (1.02, 1.2)), ("tiled", (1, 1)))}
        self.assertEqual(self.verdict("aidw15-tiling-double", times), "Holds at 1,000, not at 3,000.")
        for serial, words in ((8, "Holds."), (800, "Does not hold. It is a property")):
            self.assertTrue(self.verdict("aidw15-speedup-double", {
                "original-serial": (serial, serial), "original-naive-double": (1, 1),
                "original-tiled-double": (1, 1)}).startswith(words))


unittest.main(verbosity=0)
