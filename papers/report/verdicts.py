# SPDX-License-Identifier: MIT
"""Whether the papers' claims hold in the results: a rule for each claim."""
from errors import NotMeasured, ReportError
from results import serial_method
from tables import number_text

ALIKE = 0.05  # times that differ by less are alike
SLIGHT = 1.3  # slightly more is at most this many times
MUCH = 1.5  # much more is at least this many times
FLAT = 1.25  # times are flat if the longest is at most this many times the shortest
SCHEMES = ("naive", "tiled")
PRODUCTS = (("joint-ratio-1e6", "10^6"), ("joint-ratio-1e7", "10^7"), ("joint-ratio-5e7", "5 x 10^7"))


def join(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def judge(found, holds):
    """found: (where, value), at least one; where it holds."""
    good = [where for where, value in found if holds(value)]
    bad = [where for where, value in found if not holds(value)]
    if not bad:
        return "holds"
    return f"holds at {join(good)}, not at {join(bad)}" if good else "does not hold"


def sentence(parts):
    """parts: (of what, judgement); one sentence if all judgements are the same."""
    judgements = {judgement for _, judgement in parts}
    if len(judgements) == 1:
        text = judgements.pop()
    else:
        text = "; ".join(f"{what}: {judgement}" for what, judgement in parts)
    return text[0].upper() + text[1:] + "."


def size_of_factor(values, low, high):
    """Measured factors beside the printed ones; "" if some are larger and some smaller."""
    if min(values) > 1.1 * high:
        return " The factor is larger than printed."
    if max(values) < 0.9 * low:
        return " The factor is smaller than printed."
    if min(values) >= 0.9 * low and max(values) <= 1.1 * high:
        return " The factor is as printed."
    return ""


def times_text(found):
    return ", ".join(f"{what} {number_text(value, 2)} times" for what, value in found)


def is_faster(ratio):
    return ratio > 1 + ALIKE


def is_alike(ratio):
    return abs(ratio - 1) <= ALIKE


class Verdicts:
    """text(name) is what a page says; NotMeasured if the results cannot decide."""

    def __init__(self, results, printed):
        self.results, self.printed = results, printed
        self.rules = {
            "aidw15-speedup": lambda: self._speedup("aidw15-speedup", ("original-naive", "original-tiled")),
            "aidw15-tiling": self._aidw15_tiling,
            "aidw15-layout": lambda: self._layout("plain-{}".format),
            "aidw15-speedup-double": self._aidw15_speedup_double,
            "aidw15-tiling-double": self._aidw15_tiling_double,
            "aidw15-layout-double": lambda: self._layout(
                lambda method: self.results.as_in_paper(f"{method}-double")),
            "aidw16-speedup": lambda: self._speedup("aidw16-speedup", ("improved-tiled",), last=True),
            "aidw16-figure-8": self._aidw16_figure_8,
            "aidw16-tiling": self._aidw16_tiling,
            "aidw16-figure-9": self._aidw16_figure_9,
            "aidw16-search": self._aidw16_search,
            "idw14-speedup-p2": lambda: self._idw14_speedup("idw2", 2),
            "idw14-speedup-p3": lambda: self._idw14_speedup("idw", 3),
            "idw14-tiling": self._idw14_tiling,
            "idw14-nesting": self._idw14_nesting,
            "idw14-serial-powers": self._idw14_serial_powers,
            "idw14-gpu-powers": self._idw14_gpu_powers,
            "idw14-figure-8": self._idw14_figure_8,
            "hap11-points": self._hap11_points,
            "hap11-targets": self._hap11_targets,
            "hap11-least": self._hap11_least,
            "hap11-flat": self._hap11_flat,
            "hap11-overtakes": self._hap11_overtakes,
        }

    def text(self, name):
        if name not in self.rules:
            raise ReportError(f"there is no verdict {name}")
        return self.rules[name]()

    # ---- what rules look at

    def _series(self, name):
        if name not in self.results.series:
            raise NotMeasured(name)
        return self.results.series[name]

    def _found(self, name, value_of):
        """(label, value) of the cases of a series that have one."""
        series = self._series(name)
        found = [(series.label(case), value) for case in series.cases if (value := value_of(case)) is not None]
        if not found:
            raise NotMeasured(name)
        return found

    def _ratios(self, name, above, below, part="total"):
        return self._found(name, lambda case: self.results.ratio(above, below, case, part))

    def _last(self, name):
        return self._series(name).cases[-1]

    # ---- [AIDW15]

    def _speedup(self, claim, methods, last=False):
        """At least the lowest printed speed-up; last: at the largest size."""
        low, high = self.printed.claim(claim)
        programs = [self.results.as_in_paper(method) for method in methods]
        found = []
        for method in programs:
            found += self._found("aidw", lambda case, of=method: self.results.speedup(of, case))[-1 if last else 0:]
        text = sentence([("", judge(found, lambda value: value >= low))])
        return text + size_of_factor([value for _, value in found], low, high)

    def _aidw15_tiling(self):
        pairs = {"arrays": "", "structures": "-aoas"}
        found = {what: self._ratios("aidw", f"plain-original-naive{layout}", f"plain-original-tiled{layout}")
                 for what, layout in pairs.items()}
        low = self.printed.claim("aidw15-tiling-section-5")[0]
        high = self.printed.claim("aidw15-tiling-section-4")[0]
        return (sentence([(what, judge(ratios, is_faster)) for what, ratios in found.items()])
                + size_of_factor([value for ratios in found.values() for _, value in ratios], low, high))

    def _layout(self, program):
        found = {scheme: self._ratios("aidw", program(f"original-{scheme}-aoas"), program(f"original-{scheme}"))
                 for scheme in SCHEMES}
        text = sentence([(scheme, self._judge_layout(ratios)) for scheme, ratios in found.items()])
        if any(value < 1 - ALIKE for ratios in found.values() for _, value in ratios):
            text += " Where structures are faster, one wide load does the work of three narrow ones."
        return text

    @staticmethod
    def _judge_layout(ratios):
        """Where the two differ, which is faster."""
        if all(is_alike(value) for _, value in ratios):
            return "holds, the two are alike"
        parts = [f"{which} are faster at {join(where)}" for which, where in (
            ("arrays", [label for label, value in ratios if value > 1 + ALIKE]),
            ("structures", [label for label, value in ratios if value < 1 - ALIKE])) if where]
        same = [label for label, value in ratios if is_alike(value)]
        return ", ".join(([f"alike at {join(same)}"] if same else ["does not hold"]) + parts)

    def _aidw15_speedup_double(self):
        printed = self.printed.claim("aidw15-speedup-double")[0]
        found = [pair for scheme in SCHEMES for pair in self._found(
            "aidw", lambda case, method=self.results.as_in_paper(f"original-{scheme}-double"):
            self.results.speedup(method, case))]
        text = sentence([("", judge(found, lambda value: value <= 2 * printed))])
        if text == "Does not hold.":
            text += (" It is a property of the GPU: this one does half as many operations in double as in single, that"
                     " one far fewer.")
        return text

    def _aidw15_tiling_double(self):
        parts = []
        for what, layout in (("arrays", ""), ("structures", "-aoas")):
            pair = (self.results.as_in_paper(f"original-{scheme}{layout}-double") for scheme in SCHEMES)
            parts.append((what, judge(self._ratios("aidw", *pair), is_alike)))
        return sentence(parts)

    # ---- [AIDW16]

    def _aidw16_figure_8(self):
        parts, below = [], False
        for scheme in SCHEMES:
            least = self.printed.claim(f"aidw16-figure-8-{scheme}")[0]
            found = self._ratios("aidw", f"plain-original-{scheme}", f"plain-improved-{scheme}")
            parts.append((scheme, judge(found, lambda value, least=least: value >= least)))
            below |= any(value < least for _, value in found)
        if not below:
            return sentence(parts)
        naive = "plain-original-naive", self._last("aidw")
        own = 100 * self.results.search_seconds(*naive) / self.results.seconds(*naive)
        printed = 100 * self.printed.seconds(*naive, "neighbours") / self.printed.seconds(*naive)
        return sentence(parts) + (f" The brute-force search is {number_text(own, 2)} % of the original's time at the"
                                  f" largest size (naive), where it was {number_text(printed, 2)} %.")

    def _aidw16_tiling(self):
        parts = []
        for what, part, claim in (("whole", "total", "aidw16-tiling"),
                                  ("weighting", "weighting", "aidw16-tiling-weighting")):
            found = self._ratios("aidw", "plain-improved-naive", "plain-improved-tiled", part)
            parts.append((what, judge(found, is_faster), [value for _, value in found], self.printed.claim(claim)))
        text = sentence([(what, judgement) for what, judgement, _, _ in parts])
        return text + size_of_factor(parts[0][2], *parts[0][3])

    def _aidw16_figure_9(self):
        case, most = self._last("aidw"), self.printed.claim("aidw16-figure-9")[1]
        parts = []
        for scheme in SCHEMES:
            improved, original = (self.results.search_seconds(self.results.as_in_paper(f"{kind}-{scheme}"), case)
                                  for kind in ("improved", "original"))
            if None in (improved, original):
                raise NotMeasured("search")
            parts.append((scheme, judge([("", 100 * improved / original)], lambda share: share < most)))
        return sentence(parts)

    def _aidw16_search(self):
        def share(case):
            method = self.results.as_in_paper("improved-tiled")
            search, total = self.results.search_seconds(method, case), self.results.seconds(method, case)
            return search / total if search and total else None
        found = [value for _, value in self._found("aidw", share)]
        return sentence([("", judge([("", found[-1])], lambda last: last < found[0] and last < ALIKE))])

    # ---- [IDW14]

    def _idw14_speedup(self, system, power):
        """The order tiled, naive, nested at every size, and the factors over the program in single."""
        case_speedups = self._found(f"idw-p{power}", lambda case: self._speedups_over_single(system, case))
        parts = [("the order tiled, naive, nested",
                  judge(case_speedups, lambda values: values[1] > values[0] > values[2])),
                 ("the factors", judge(case_speedups, lambda values: all(
                     value >= self.printed.claim(f"idw14-speedup-{scheme}-p{power}")[0]
                     for scheme, value in zip(("naive", "tiled", "nested"), values))).replace(
                         "holds", "as large as printed or larger").replace("does not hold", "smaller than printed"))]
        return sentence(parts)

    def _speedups_over_single(self, system, case):
        values = [self.results.speedup(f"{system}-{scheme}", case, "single")
                  for scheme in ("naive", "tiled", "nested")]
        return None if None in values else values

    def _idw14_tiling(self):
        parts, values = [], []
        for power, system in ((2, "idw2"), (3, "idw")):
            found = self._ratios(f"idw-p{power}", f"plain-{system}-naive", f"plain-{system}-tiled")
            parts.append((f"power {power}", judge(found, is_faster)))
            values += [value for _, value in found]
        text = sentence(parts).replace("Holds.", "Tiled is faster at every size.")
        printed = self.printed.claim("idw14-tiling")[0]
        return text + size_of_factor(values, 0.8 * printed, 1.2 * printed).replace("as printed", "about that")

    def _idw14_nesting(self):
        parts, values = [], []
        for power, system in ((2, "idw2"), (3, "idw")):
            series = f"idw-p{power}"
            found = self._ratios(series, f"{system}-nested", self.results.as_in_paper(f"{system}-naive", series))
            parts.append((f"power {power}", judge(found, is_faster)))
            values += [value for _, value in found]
        return sentence(parts) + size_of_factor(values, *self.printed.claim("idw14-nesting"))

    def power_ratios(self, scheme, precision=""):
        """Power 3 over power 2, n = m, where both were measured."""
        pairs = zip(self._series("idw-p3").cases, self._series("idw-p2").cases)
        names = [f"{system}-{scheme}{precision}" for system in ("idw", "idw2")]
        plain = [self.results.as_in_paper(name, series) for name, series in zip(names, ("idw-p3", "idw-p2"))]
        if all(name.startswith("plain-") for name in plain):
            names = plain
        found = []
        for third, second in pairs:
            above, below = self.results.find(names[0], third), self.results.find(names[1], second)
            if above and below and above.state == below.state == "measured":
                found.append((self._series("idw-p3").label(third), above.total / below.total))
        if not found:
            raise NotMeasured(scheme)
        return found

    def _idw14_serial_powers(self):
        found = self.power_ratios("serial", "-single")
        printed = self.printed.claim("idw14-serial-powers")[0]
        return (sentence([("", judge(found, lambda value: value >= MUCH))])
                + size_of_factor([value for _, value in found], printed, printed))

    def _idw14_gpu_powers(self):
        return sentence([(scheme, judge(self.power_ratios(scheme), lambda value: value <= SLIGHT))
                         for scheme in ("naive", "tiled", "nested")])

    def _idw14_figure_8(self):
        parts = [(f"power {power}",
                  judge(self._ratios(f"idw-p{power}", f"{system}-nested-tail", f"{system}-nested-open"),
                        lambda value: value >= MUCH))
                 for power, system in ((2, "idw2"), (3, "idw"))]
        return sentence(parts)

    # ---- [HAP11]

    def _grown(self, name, method):
        """Where the speed-up is less than at the size before."""
        found = self._found(name, lambda case: self.results.speedup(method, case))
        fallen = [(label, value) for (_, before), (label, value) in zip(found, found[1:])
                  if value < before * (1 - ALIKE)]
        return found, fallen

    def _hap11_points(self):
        texts, idle = [], ""
        for scheme in SCHEMES:
            found, fallen = self._grown("joint-points", f"idw2-{scheme}")
            growth = found[-1][1] / found[-2][1]
            text = f"falls at {join([label for label, _ in fallen])}" if fallen else "grows throughout"
            text += (", levels off" if growth <= 1 + 2 * ALIKE else
                     f", grows {number_text(growth, 2)} times in the last step and does not level off")
            texts.append(f"{scheme}: {text}")
            if fallen and scheme == "naive":
                idle = (" Where naive falls, a thread a target leaves most of the GPU idle: 10,000 targets are fewer"
                        " threads than it has places.")
        return "; ".join(texts).capitalize() + "." + idle

    def _hap11_targets(self):
        return sentence([(scheme, "holds" if not fallen else f"falls at {join([label for label, _ in fallen])}")
                         for scheme in SCHEMES for _, fallen in [self._grown("joint-targets", f"idw2-{scheme}")]])

    def ratio_times(self, name, method):
        """(n / m, seconds) of a series with a constant product."""
        series = self._series(name)
        found = [(series.value(case), seconds) for case in series.cases
                 if (seconds := self.results.seconds(method, case)) is not None]
        if len(found) < len(series.cases):
            raise NotMeasured(method)
        return found

    def _hap11_least(self):
        places, many, few = [], [], []
        for scheme in SCHEMES:
            found = self.ratio_times("joint-ratio-5e7", f"idw2-{scheme}")
            place, least = min(found, key=lambda pair: pair[1])
            places.append((scheme, place))
            many.append((scheme, found[-1][1] / least))
            few.append((scheme, found[0][1] / least))
        return " ".join([
            f"Least near n = m: {judge(places, lambda place: 0.09 < place < 11)}.",
            f"Much more for n > m: {judge(many, lambda value: value >= MUCH)} ({times_text(many)}).",
            f"Slightly more for n << m: {judge(few, lambda value: value <= SLIGHT)} ({times_text(few)})."])

    def _hap11_flat(self):
        found = []
        for name, product in PRODUCTS:
            seconds = [value for _, value in self.ratio_times(name, serial_method(2))]
            found.append((f"n m = {product}", max(seconds) / min(seconds)))
        return sentence([("", judge(found, lambda value: value <= FLAT))])

    def _hap11_overtakes(self):
        parts = []
        for scheme in SCHEMES:
            found = []
            for name, product in PRODUCTS:
                cpu, gpu = (self.ratio_times(name, method)[-1][1] for method in (serial_method(2), f"idw2-{scheme}"))
                found.append((f"n m = {product}", gpu / cpu))
            parts.append((scheme, judge(found, lambda value: value > 1)))
        return sentence(parts)
