#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of papers/report: the curves are the measured and the printed numbers, and the committed files are what the
committed results make. Exit code 77 without matplotlib.

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
import re  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import xml.etree.ElementTree as tree  # noqa: E402

from figures import Figures  # noqa: E402
from printed import Printed  # noqa: E402
from results import Results, files_of_page  # noqa: E402

FILES = files_of_page(ROOT / "bench/results")
IMAGES = ROOT / "docs/images"
RESULTS, PRINTED = Results.load(*FILES), Printed()


def own(method):
    return RESULTS.as_in_paper(method)


def draw(name):
    return Figures(RESULTS, PRINTED).draw(name).axes


def curves(axes):
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def dashed(axes, label):
    """The printed numbers in the colour of a curve."""
    found, = styled(axes, curves(axes)[label].get_color(), "--")
    return found


def styled(axes, colour, style):
    """The numbers of the lines of a colour and style."""
    return [list(line.get_ydata()) for line in axes.lines
            if line.get_linestyle() == style and line.get_color() == colour]


def texts(path):
    """The words of an SVG; raises if it is not an SVG."""
    root = tree.parse(path).getroot()
    if not root.tag.endswith("}svg"):
        raise ValueError(path)
    return [element.text for element in root.iter() if element.tag.endswith("}text")]


class Drawn(unittest.TestCase):
    def setUp(self):
        self.aidw = RESULTS.series["aidw"].cases

    def tearDown(self):
        matplotlib.pyplot.close("all")

    def assert_close(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for one, other in zip(found, wanted):
            self.assertAlmostEqual(one / other, 1, delta=1e-3)

    def test_speedups_of_aidw15(self):
        axes, = draw("aidw15-single")
        line = curves(axes)["tiled, arrays"]
        self.assertEqual(list(line.get_xdata()), [case.n for case in self.aidw])
        self.assertEqual(list(line.get_ydata()), [RESULTS.speedup(own("original-tiled"), case) for case in self.aidw])
        self.assert_close(dashed(axes, "tiled, arrays"), [110.8, 235.6, 300.5, 384.4, 401.2])
        open_points = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
        scaled = sum(RESULTS.is_extrapolated("original-serial", case) for case in self.aidw)
        self.assertEqual([len(line.get_xdata()) for line in open_points], [scaled] * 4)

    def test_double_of_aidw15(self):
        axes, = draw("aidw15-double")
        line = curves(axes)["naive, structures"]
        self.assertEqual(list(line.get_ydata()),
                         [RESULTS.speedup(own("original-naive-aoas-double"), case) for case in self.aidw])
        self.assertEqual(dashed(axes, "naive, structures"), [8] * 5)

    def test_improved_program(self):
        axes, = draw("aidw16-speedup")
        self.assert_close(dashed(axes, "improved tiled"), [323.4, 722.0, 873.9, 1003.3, 1017.1])
        axes, = draw("aidw16-figure-8")
        self.assertEqual(list(curves(axes)["naive"].get_ydata()),
                         [RESULTS.ratio(own("original-naive"), own("improved-naive"), case) for case in self.aidw])
        self.assertAlmostEqual(min(dashed(axes, "naive")), 2.02, places=2)
        axes, = draw("aidw16-tiling")
        self.assertAlmostEqual(max(dashed(axes, "weighting")), 1.89, places=2)

    def test_neighbour_search_is_the_whole_less_the_weighting(self):
        axes, = draw("aidw16-figure-9")
        case = self.aidw[-1]
        improved = RESULTS.find(own("improved-tiled"), case).seconds
        whole = RESULTS.find(own("original-tiled"), case).total
        share = 100 * (improved["grid"] + improved["neighbours"]) / (whole - improved["weighting"])
        self.assertAlmostEqual(curves(axes)["tiled"].get_ydata()[-1], share)
        self.assert_close(dashed(axes, "naive"), [24.75, 7.214, 5.069, 1.344, 0.7213])

    def test_a_panel_for_each_series(self):
        axes = draw("idw14-power-3")
        for panel, name in zip(axes, ("idw-p3", "idw-p3-targets", "idw-p3-points"), strict=True):
            series = RESULTS.series[name]
            line = curves(panel)["nested launches"]
            self.assertEqual(list(line.get_xdata()), [series.value(case) for case in series.cases])
            precision = "single" if RESULTS.is_measured("idw-serial-single") else "double"
            self.assertEqual(list(line.get_ydata()),
                             [RESULTS.speedup("idw-nested", case, precision) for case in series.cases])
            tuned = curves(panel)["tiled, tuned"]
            self.assertEqual(list(tuned.get_ydata()),
                             [RESULTS.speedup("idw-tiled", case, precision) for case in series.cases])
            self.assertEqual(dashed(panel, "tiled, tuned"), [670] * 5)
            plain = [RESULTS.speedup("plain-idw-tiled", case, precision) for case in series.cases]
            self.assertEqual(styled(panel, tuned.get_color(), ":"), [[y for y in plain if y]] if any(plain) else [])
        axes = draw("hap11-figures-3-4")
        self.assertEqual(list(curves(axes[2])["GPU, tiled"].get_ydata()),
                         [RESULTS.seconds("idw2-tiled", case) for case in RESULTS.series["joint-ratio-5e7"].cases])
        axes = draw("hap11-tables")
        self.assertEqual(dashed(axes[1], "naive"), [1.2, 8.2, 17.5, 20.6])

    def test_only_what_was_measured(self):
        data = json.loads(FILES[0].read_text(encoding="utf-8"))
        data["series"] = [series for series in data["series"] if series["id"] == "aidw"]
        figures = Figures(Results(data), PRINTED)
        self.assertEqual([name for name in figures.makers if figures.draw(name)],
                         [name for name in figures.makers if name.startswith("aidw")])


class Files(unittest.TestCase):
    def test_committed_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            Figures(RESULTS, PRINTED).save_all(Path(folder), "svg")
            for path in sorted(Path(folder).iterdir()):
                committed = IMAGES / path.name
                self.assertEqual(texts(committed), texts(path))
                maker = re.search("Matplotlib v[0-9.]+", committed.read_text(encoding="utf-8"))[0]
                if maker == f"Matplotlib v{matplotlib.__version__}":  # another draws the same in other bytes
                    self.assertEqual(committed.read_bytes(), path.read_bytes(), path.name)

    def test_files_and_links(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            subprocess.run([sys.executable, "-B", ROOT / "papers/report", *FILES, "--figures",
                            Path(folder) / "figures", "--output", page], check=True)
            files = sorted((Path(folder) / "figures").iterdir())
            text = page.read_text(encoding="utf-8")
            self.assertEqual([path.stem for path in files], sorted(path.stem for path in IMAGES.glob("papers-*.svg")))
            for path in files:
                self.assertRegex(" ".join(filter(None, texts(path))), "seconds|speed-up|ratio of times|per cent")
                self.assertIn(f"(figures/{path.name})", text)


unittest.main(verbosity=0)
