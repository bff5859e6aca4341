#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of papers/report: a file for each, with the curves of its data. Exit code 77 without matplotlib.

    check_figures.py ROOT
"""
import sys
import unittest
from pathlib import Path

try:
    import matplotlib
except ImportError:
    print(f"skipped: no matplotlib for {sys.executable} (Debian: apt-get install python3-matplotlib)")
    sys.exit(77)

ROOT = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "papers/report"))
sys.dont_write_bytecode = True

import json  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import xml.etree.ElementTree as tree  # noqa: E402

from figures import Figures  # noqa: E402
from printed import Printed  # noqa: E402
from results import Results  # noqa: E402

H200 = ROOT / "bench/results/papers-nvidia-h200.json"


def draw(name, kind):
    results = Results.load(H200)
    series = results.series[name]
    return results, series, Figures(results, Printed()).draw(series, kind).axes[0]


def curves(axes):
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


class Drawn(unittest.TestCase):
    def tearDown(self):
        matplotlib.pyplot.close("all")

    def test_times(self):
        results, series, axes = draw("aidw", "time")
        found = curves(axes)
        self.assertEqual(set(found), {method for method in results.methods(series)
                                      if not method.endswith("-double")})
        for method, line in found.items():
            self.assertEqual(list(line.get_xdata()), [case.n for case in series.cases])
            self.assertEqual(list(line.get_ydata()),
                             [results.seconds(method, case) for case in series.cases])
        open_points = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
        self.assertEqual(sum(len(line.get_xdata()) for line in open_points), 4)  # extrapolated

    def test_printed_times_are_dashed_in_the_colour_of_the_method(self):
        _, series, axes = draw("aidw", "time")
        colour = curves(axes)["improved-tiled"].get_color()
        dashed, = (line for line in axes.lines
                   if line.get_linestyle() == "--" and line.get_color() == colour)
        for found, wanted in zip(dashed.get_ydata(), [0.021, 0.233, 0.771, 16.797, 66.338], strict=True):
            self.assertAlmostEqual(found, wanted)

    def test_speedups_and_ratios(self):
        results, series, axes = draw("idw-p3", "speedup")
        line = curves(axes)["idw-tiled"]
        self.assertEqual(list(line.get_ydata()), [results.speedup("idw-tiled", case) for case in series.cases])
        results, series, axes = draw("aidw", "ratio")
        line = curves(axes)["original-naive / original-tiled"]
        self.assertEqual(list(line.get_ydata()), [results.ratio("original-naive", "original-tiled", case)
                                                  for case in series.cases])

    def test_stages_are_shares_of_the_whole(self):
        results, series, axes = draw("aidw", "stages")
        self.assertEqual(len(axes.containers), 4)
        tops = [sum(bars[i].get_height() for bars in axes.containers) for i in range(len(axes.containers[0]))]
        self.assertTrue(all(0 < top <= 100 for top in tops))
        case = series.cases[-1]
        of_case = results.find("improved-tiled", case)
        labels = [label.get_text() for label in axes.get_xticklabels()]
        weighting = axes.containers[3][labels.index("improved-tiled, 1000K")].get_height()
        self.assertAlmostEqual(weighting, 100 * of_case.seconds["weighting"] / of_case.total)

    def test_files_and_links(self):
        results = json.loads(H200.read_text(encoding="utf-8"))
        wanted = {"aidw": 5, "idw-p2": 4, "joint-points": 2}  # figures of each series
        results["series"] = [series for series in results["series"] if series["id"] in wanted]
        with tempfile.TemporaryDirectory() as folder:
            path, page = Path(folder) / "results.json", Path(folder) / "page.md"
            path.write_text(json.dumps(results), encoding="utf-8")
            subprocess.run([sys.executable, "-B", ROOT / "papers/report", path, "--figures",
                            Path(folder) / "figures", "--output", page], check=True)
            files = sorted((Path(folder) / "figures").iterdir())
            text = page.read_text(encoding="utf-8")
            self.assertEqual(len(files), sum(wanted.values()))
            for path in files:
                root = tree.parse(path).getroot()
                self.assertTrue(root.tag.endswith("}svg"), path)
                words = " ".join(element.text or "" for element in root.iter()
                                 if element.tag.endswith("}text"))
                self.assertRegex(words, "seconds|speed-up|ratio of times|per cent")
                self.assertIn(f"(figures/{path.name})", text)


unittest.main(verbosity=0)
