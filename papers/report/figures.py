# SPDX-License-Identifier: MIT
"""Figures of results with matplotlib."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: after the choice of backend

import comparisons  # noqa: E402
from tables import PARTS  # noqa: E402

# Text stays text, and the same results make the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "shepard", "font.size": 10,
                            "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True})

# Colours that the colour-blind tell apart (Okabe & Ito 2008), and three more; black is serial.
SERIAL = "#000000"
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777", "#8b4513", "#332288"]
MARKERS = ["o", "s", "^", "D"]
VARIABLES = {"size": "data points = targets", "points": "data points", "targets": "targets",
             "ratio": "data points / targets", "columns": "value columns"}


class Figures:
    """draw(series, kind) makes a figure, None if there is nothing to draw."""

    def __init__(self, results, printed):
        self.results, self.printed = results, printed
        self.kinds = {"time": self._times, "speedup": self._speedups, "ratio": self._ratios,
                      "double": self._doubles, "stages": self._stages}

    def draw(self, series, kind):
        figure, axes = pyplot.subplots(figsize=(10, 5.6), layout="constrained")
        if not self.kinds[kind](axes, series):
            pyplot.close(figure)
            return None
        return figure

    def save_all(self, folder, form):
        """The names of the files, in the order of the series."""
        names = []
        for series in self.results.series.values():
            for kind in self.kinds:
                figure = self.draw(series, kind)
                if figure:
                    names.append(f"{series.id}-{kind}.{form}")
                    metadata = {"Date": None} if form == "svg" else None
                    figure.savefig(folder / names[-1], metadata=metadata)
                    pyplot.close(figure)
        return names

    @staticmethod
    def _legend(axes):
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)

    # ---- curves over what varies

    def _finish(self, axes, series, title, label, *, log, dashed, open_points=False):
        notes = (["dashed: printed by the paper"] if dashed else []) + (
            ["open points: extrapolated serial times"] if open_points else [])
        axes.set_title(f"{series.title}: {title}" + ("\n" + "; ".join(notes) if notes else ""))
        axes.set_xlabel(VARIABLES[series.variable])
        axes.set_ylabel(label)
        axes.set_xscale("log")
        axes.set_xticks([series.value(case) for case in series.cases],
                        [series.label(case) for case in series.cases])
        axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        if log:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        self._legend(axes)
        return True

    def _methods(self, series):
        """Methods in double have a figure of their own."""
        return [method for method in self.results.methods(series) if not comparisons.is_double(method)]

    @staticmethod
    def _plot(axes, points, label, colour, marker):
        """points: (x, y, whether y is an estimate)."""
        x, y = [point[0] for point in points], [point[1] for point in points]
        axes.plot(x, y, color=colour, marker=marker, markersize=5, label=label)
        guesses = [point for point in points if point[2]]
        axes.plot([point[0] for point in guesses], [point[1] for point in guesses], color=colour,
                  marker=marker, markersize=5, markerfacecolor="white", linestyle="none")

    @staticmethod
    def _plot_printed(axes, points, colour):
        """One point makes no line."""
        if len(points) > 1:
            axes.plot(*zip(*points), color=colour, linestyle="--", linewidth=1.2)
        return len(points) > 1

    def _curves(self, axes, series, methods, own, printed, is_estimate):
        """The functions take a method and a case; own and printed return None for no value."""
        style, dashed, open_points = 0, False, False
        for method in methods:
            points = [(series.value(case), value, is_estimate(method, case))
                      for case in series.cases if (value := own(method, case)) is not None]
            if not points:
                continue
            colour = SERIAL if comparisons.is_serial(method) else COLOURS[style % len(COLOURS)]
            self._plot(axes, points, method, colour, MARKERS[style % len(MARKERS)])
            dashed |= self._plot_printed(axes, [(series.value(case), value) for case in series.cases
                                                if (value := printed(method, case)) is not None], colour)
            open_points |= any(point[2] for point in points)
            style += 0 if comparisons.is_serial(method) else 1
        return {"dashed": dashed, "open_points": open_points} if axes.lines else None

    def _times(self, axes, series):
        notes = self._curves(axes, series, self._methods(series), self.results.seconds,
                             self.printed.seconds, self.results.is_extrapolated)
        return notes and self._finish(axes, series, "time", "seconds", log=True, **notes)

    def _speedups(self, axes, series):
        methods = [method for method in self._methods(series) if not comparisons.is_serial(method)]
        notes = self._curves(axes, series, methods, self.results.speedup,
                             lambda method, case: self.printed.speedup(method, series, case),
                             self.results.is_speedup_estimated)
        return notes and self._finish(axes, series, "speed-up over the serial program", "speed-up",
                                      log=True, **notes)

    # ---- ratios

    def _pairs(self, axes, series, pairs, title):
        dashed = False
        for style, (above, below) in enumerate(pairs):
            colour = COLOURS[style % len(COLOURS)]
            self._plot(axes, [(series.value(case), value, False) for case in series.cases
                              if (value := self.results.ratio(above, below, case)) is not None],
                       f"{above} / {below}", colour, MARKERS[style % len(MARKERS)])
            ranges = [(series.value(case), value) for case in series.cases
                      if (value := self.printed.ratio(above, below, series, case)) is not None]
            for end in (0, 1):
                dashed |= self._plot_printed(axes, [(x, value[end]) for x, value in ranges], colour)
        return bool(pairs) and self._finish(axes, series, title, "ratio of times", log=False,
                                            dashed=dashed)

    def _ratios(self, axes, series):
        return self._pairs(axes, series, comparisons.paper_pairs(self.results, series), "times compared")

    def _doubles(self, axes, series):
        return self._pairs(axes, series, comparisons.double_pairs(self.results, series),
                           "double over float")

    # ---- stages

    def _stages(self, axes, series):
        """Stacked shares of the whole time, a group of bars for each method."""
        bars = [(method, case, found) for method in self._methods(series)
                if method.startswith("improved-") for case in series.cases
                if (found := self.results.find(method, case)) and found.state == "measured"]
        if not bars:
            return False
        bottom = [0.0] * len(bars)
        for (part, names), colour in zip(PARTS, COLOURS):
            shares = [100 * sum(found.seconds[name] for name in names) / found.total
                      for _, _, found in bars]
            axes.bar(range(len(bars)), shares, bottom=bottom, color=colour, label=part)
            bottom = [below + share for below, share in zip(bottom, shares)]
        axes.set_xticks(range(len(bars)), [f"{method}, {series.label(case)}" for method, case, _ in bars],
                        rotation=45, ha="right")
        axes.set_ylabel("per cent of the whole run")
        axes.set_ylim(0, 100)
        axes.set_title(f"{series.title}: shares of the whole time\n"
                       "above the bars: allocation, conversion, waiting")
        self._legend(axes)
        return True
