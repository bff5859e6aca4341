# SPDX-License-Identifier: MIT
"""The result figures of the papers with matplotlib: measured curves, printed ones dashed."""
from dataclasses import dataclass

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: after the choice of backend

# Text stays text, nothing depends on its extent, and the same results make the same bytes.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "shepard", "font.size": 9, "path.simplify": False,
                            "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True})

# Colours that the colour-blind tell apart (Okabe & Ito 2008).
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
MARKERS = ["o", "s", "^", "D"]
VARIABLES = {"size": "data points = targets", "points": "data points", "targets": "targets",
             "ratio": "data points / targets"}
SCHEMES = ("naive", "tiled")


@dataclass
class Curve:
    """Functions of a case give numbers, or None where a case has no point; is_estimate: the measured one is scaled;
    plain: of the plain program beside a tuned one."""
    label: str
    measured: object
    printed: object = lambda case: None
    plain: object = lambda case: None
    is_estimate: object = lambda case: False


class Figures:
    """draw(name) makes a figure, or None if the results have nothing for it."""

    def __init__(self, results, printed):
        self.results, self.printed = results, printed
        self.makers = {
            "aidw15-single": lambda: self._aidw15("", "single precision"),
            "aidw15-double": lambda: self._aidw15("-double", "double precision, Fig. 5"),
            "aidw16-speedup": self._aidw16_speedups,
            "aidw16-tiling": self._aidw16_tiling,
            "aidw16-figure-8": self._aidw16_figure_8,
            "aidw16-figure-9": self._aidw16_figure_9,
            "idw14-power-2": lambda: self._idw14("idw2", 2),
            "idw14-power-3": lambda: self._idw14("idw", 3),
            "idw14-figure-8": self._idw14_figure_8,
            "hap11-tables": self._hap11_tables,
            "hap11-figures-3-4": self._hap11_ratios,
        }

    def draw(self, name):
        return self.makers[name]()

    def save_all(self, folder, form):
        """The names of the figures that there are; files papers-NAME."""
        names = []
        for name in self.makers:
            figure = self.draw(name)
            if figure:
                metadata = {"Date": None} if form == "svg" else None
                figure.savefig(folder / f"papers-{name}.{form}", metadata=metadata)
                pyplot.close(figure)
                names.append(name)
        return names

    # ---- panels

    def _figure(self, title, label, panels, *, log=True):
        """panels: (heading, series, curves), side by side with the same y axis."""
        panels = [(heading, self.results.series.get(name), curves) for heading, name, curves in panels]
        if any(series is None for _, series, _ in panels):
            return None
        width = 2.6 + 3.2 * len(panels)
        figure, axes = pyplot.subplots(1, len(panels), figsize=(width, 3.6), sharey=True, squeeze=False)
        figure.subplots_adjust(left=0.8 / width, right=1 - 1.8 / width, bottom=0.15, top=0.8, wspace=0.12)
        has_estimates = False
        for panel, (heading, series, curves) in zip(axes[0], panels):
            has_estimates |= self._panel(panel, heading, series, curves)
        axes[0][0].set_ylabel(label)
        if log:
            axes[0][0].set_yscale("log")
            axes[0][0].yaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        else:
            axes[0][0].set_ylim(bottom=0)
        axes[0][0].yaxis.set_label_coords(-0.16, 0.5)
        self._legend(axes[0][-1], panels[-1][2])
        styles = {line.get_linestyle() for line in axes[0][0].lines}
        notes = [note for style, note in (("--", "dashed: printed"), (":", "dotted: plain programs"))
                 if style in styles]
        notes += ["open points: time of the serial program scaled"] if has_estimates else []
        figure.suptitle(title + ("\n" + "; ".join(notes) if notes else ""), x=0.8 / width, ha="left", fontsize=10)
        return figure if any(panel.lines for panel in axes[0]) else None

    @staticmethod
    def _legend(axes, curves):
        """To the right of the axes, at places that do not depend on the font."""
        for i, curve in enumerate(curves):
            y = 0.95 - 0.08 * i
            axes.plot([1.04, 1.12], [y, y], color=COLOURS[i], marker=MARKERS[i], markersize=5, markevery=[0],
                      transform=axes.transAxes, clip_on=False, scalex=False, scaley=False)
            axes.text(1.15, y, curve.label, transform=axes.transAxes, verticalalignment="center")

    def _panel(self, axes, heading, series, curves):
        """Whether points are estimates."""
        has_estimates = False
        for curve, colour, marker in zip(curves, COLOURS, MARKERS):
            points = [(series.value(case), value, curve.is_estimate(case))
                      for case in series.cases if (value := curve.measured(case)) is not None]
            axes.plot([x for x, _, _ in points], [y for _, y, _ in points], color=colour, marker=marker,
                      markersize=5, label=curve.label)
            guesses = [(x, y) for x, y, is_estimate in points if is_estimate]
            if guesses:
                axes.plot(*zip(*guesses), color=colour, marker=marker, markersize=5, markerfacecolor="white",
                          linestyle="none")
                has_estimates = True
            for values, style in ((curve.printed, "--"), (curve.plain, ":")):
                points = [(series.value(case), value) for case in series.cases if (value := values(case)) is not None]
                if points:
                    axes.plot(*zip(*points), color=colour, linestyle=style, linewidth=1.2)
        axes.set_title(heading, fontsize=9)
        axes.set_xlabel(VARIABLES[series.variable])
        axes.xaxis.set_label_coords(0.5, -0.13)
        axes.set_xscale("log")
        labelled = series.cases[::2] if len(series.cases) > 7 else series.cases
        axes.set_xticks([series.value(case) for case in labelled], [series.label(case) for case in labelled])
        axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        return has_estimates

    def _speedup(self, method, label, series, printed=None):
        own = self.results.as_in_paper(method, series)
        return self._speedup_of(own, label, printed or self._printed_speedup(method, series))

    def _printed_speedup(self, method, series):
        chosen = self.results.series.get(series)
        return lambda case: self.printed.speedup(method, chosen, case)

    def _speedup_of(self, own, label, printed, precision="double", **more):
        return Curve(label, lambda case: self.results.speedup(own, case, precision), printed,
                     is_estimate=lambda case: self.results.is_speedup_estimated(own, case, precision), **more)

    def _ratio(self, above, below, label):
        series = self.results.series.get("aidw")
        own = self._alike(above, below)

        def printed(case):
            ends = self.printed.ratio(above, below, series, case)
            return ends and ends[0]
        return Curve(label, lambda case: self.results.ratio(*own, case), printed)

    def _alike(self, *methods):
        """The plain programs, if all of them were measured."""
        plain = [self.results.as_in_paper(method) for method in methods]
        return plain if all(name.startswith("plain-") for name in plain) else methods

    def _plain(self, method):
        return ", plain programs" if self.results.as_in_paper(method) != method else ""

    # ---- the figures

    def _aidw15(self, precision, title):
        level = self.printed.claim("aidw15-speedup-double")[0] if precision else None
        curves = [self._speedup(f"original-{scheme}{layout}{precision}", f"{scheme}, {name}", "aidw",
                                (lambda case: level) if precision else None)
                  for scheme in SCHEMES for layout, name in (("", "arrays"), ("-aoas", "structures"))]
        title += self._plain(f"original-naive{precision}")
        return self._figure(f"[AIDW15] Speed-up over the serial program, {title}", "speed-up", [("", "aidw", curves)])

    def _aidw16_speedups(self):
        curves = [self._speedup(f"improved-{scheme}", f"improved {scheme}", "aidw") for scheme in SCHEMES]
        return self._figure(f"[AIDW16] Speed-up over the serial program{self._plain('improved-naive')}", "speed-up",
                            [("", "aidw", curves)])

    def _aidw16_tiling(self):
        def weighting(seconds, methods):
            def ratio(case):
                naive, tiled = (seconds(method, case, "weighting") for method in methods)
                return naive / tiled if naive and tiled else None
            return ratio
        methods = [f"improved-{scheme}" for scheme in SCHEMES]
        curves = [self._ratio(*methods, "whole time"),
                  Curve("weighting", weighting(self.results.seconds, self._alike(*methods)),
                        weighting(self.printed.seconds, methods))]
        return self._figure(f"[AIDW16] Naive over tiled, improved program{self._plain('improved-naive')}",
                            "ratio of times", [("", "aidw", curves)], log=False)

    def _aidw16_figure_8(self):
        curves = [self._ratio(f"original-{scheme}", f"improved-{scheme}", scheme) for scheme in SCHEMES]
        return self._figure(f"[AIDW16] Fig. 8: original over improved program{self._plain('improved-naive')}",
                            "ratio of times", [("", "aidw", curves)], log=False)

    def _aidw16_figure_9(self):
        def share(methods, seconds):
            def per_cent(case):
                improved, original = (seconds(method, case) for method in methods)
                return 100 * improved / original if improved and original else None
            return per_cent

        def curve(scheme):
            methods = f"improved-{scheme}", f"original-{scheme}"
            return Curve(scheme, share(self._alike(*methods), self.results.search_seconds),
                         share(methods, lambda method, case: self.printed.seconds(method, case, "neighbours")))
        curves = [curve(scheme) for scheme in SCHEMES]
        return self._figure("[AIDW16] Fig. 9: neighbour search, improved in per cent of original", "per cent",
                            [("", "aidw", curves)])

    def _idw14(self, system, power):
        """Over the serial program in single precision, as the paper has it, if that was measured."""
        single = self.results.is_measured(f"{system}-serial-single")
        precision = "single" if single else "double"

        def curves(series):
            return [curve(f"{system}-{scheme}", label, series) for scheme, label in (
                ("naive", "naive, tuned"), ("tiled", "tiled, tuned"), ("nested", "nested launches"))]

        def curve(method, label, series):
            return self._speedup_of(method, label, self._printed_speedup(method, series), precision,
                                    plain=lambda case: self.results.speedup(f"plain-{method}", case, precision))
        headings = {f"idw-p{power}": "n = m", f"idw-p{power}-targets": "100K data points",
                    f"idw-p{power}-points": "100K targets"}
        printed = "" if single else " (printed: single)"
        return self._figure(f"[IDW14] Speed-up over the serial program in {precision}{printed}, power {power}",
                            "speed-up", [(heading, name, curves(name)) for name, heading in headings.items()])

    def _idw14_figure_8(self):
        """The paper's bars have no printed numbers."""
        def curves(system):
            return [Curve(label, lambda case, method=f"{system}-nested{ending}": self.results.seconds(method, case))
                    for ending, label in (("-tail", "waits for the grids"), ("-open", "does not wait"),
                                          ("", "last block adds"))]
        if not self.results.is_measured("idw2-nested-open"):
            return None
        return self._figure("[IDW14] Fig. 8: nested launches, with and without waiting; n = m", "seconds",
                            [("power 2", "idw-p2", curves("idw2")), ("power 3", "idw-p3", curves("idw"))])

    def _hap11_tables(self):
        def curves(series):
            naive = self._speedup("idw2-naive", "naive", series)
            return [naive, self._speedup("idw2-tiled", "tiled", series, lambda case: None)]
        return self._figure("[HAP11] Speed-up over the serial program", "speed-up",
                            [("Table 1: 10,000 targets", "joint-points", curves("joint-points")),
                             ("Table 2: 1,000 data points", "joint-targets", curves("joint-targets"))])

    def _hap11_ratios(self):
        def curves(name):
            return [Curve(label, lambda case, method=method: self.results.seconds(method, case))
                    for method, label in (("idw2-serial", "CPU, one thread"), ("idw2-naive", "GPU, naive"),
                                          ("idw2-tiled", "GPU, tiled"))]
        return self._figure("[HAP11] Figs. 3 and 4: time where data points times targets stay the same", "seconds",
                            [(heading, name, curves(name)) for name, heading in (
                                ("joint-ratio-1e6", "n m = 10^6"), ("joint-ratio-1e7", "n m = 10^7"),
                                ("joint-ratio-5e7", "n m = 5 x 10^7"))])
