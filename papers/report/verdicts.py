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


def growth(steps):
    """steps: (where, value in units of the one before)."""
    parts = [f"{word} at {join(where)}" for word, where in (
        ("alike", [label for label, step in steps if is_alike(step)]),
        ("less", [label for label, step in steps if step < 1 - ALIKE])) if where]
    return f"grows (but {', '.join(parts)})" if parts else "grows at every step"


def flatness(times):
    """times: (label, seconds), rising in what varies. Where they are flat around the least, and outliers, which are
    left out: times that are longer than FLAT times both beside them."""
    is_out = [0 < i < len(times) - 1 and seconds > FLAT * max(times[i - 1][1], times[i + 1][1])
              for i, (_, seconds) in enumerate(times)]
    kept = [pair for pair, out in zip(times, is_out) if not out]
    least = min(seconds for _, seconds in kept)
    first = last = [seconds for _, seconds in kept].index(least)
    while first > 0 and kept[first - 1][1] <= FLAT * least:
        first -= 1
    while last < len(kept) - 1 and kept[last + 1][1] <= FLAT * least:
        last += 1
    text = "holds"
    if last - first < len(kept) - 1:
        most = max(seconds for _, seconds in kept)
        text = (f"holds from n/m = {kept[first][0]} to {kept[last][0]},"
                f" up to {number_text(most / least, 2)} times the least elsewhere")
    outliers = [label for (label, _), out in zip(times, is_out) if out]
    return text + (f" (without the outlier at {join(outliers)})" if outliers else "")


def is_faster(ratio):
    return ratio > 1 + ALIKE


def is_alike(ratio):
    return abs(ratio - 1) <= ALIKE


def compare_with_published(ratios):
    """ratios: (compiler options, program here, time of the published kernel in units of that program's)."""
    parts = []
    for flags, method, ratio in ratios:
        degree = "slightly " if max(ratio, 1 / ratio) <= SLIGHT else ""
        word = ("as long as" if is_alike(ratio) else f"{degree}longer than" if ratio > 1 else
                f"{degree}less time than")
        parts.append(f"with `{flags}` {word} `{method}` ({number_text(ratio)} times)")
    return f"Its kernel takes {join(parts)}."


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
        return sentence([(scheme, self._judge_layout(ratios)) for scheme, ratios in found.items()])

    @staticmethod
    def _judge_layout(ratios):
        """Where the two differ, which is faster."""
        text = judge(ratios, is_alike)
        if text == "holds":
            return "holds, the two are alike"
        parts = [f"{which} are faster at {join(where)}" for which, where in (
            ("arrays", [label for label, value in ratios if value > 1 + ALIKE]),
            ("structures", [label for label, value in ratios if value < 1 - ALIKE])) if where]
        return f"{text} ({', '.join(parts)})"

    def _aidw15_speedup_double(self):
        printed = self.printed.claim("aidw15-speedup-double")[0]
        found = [pair for scheme in SCHEMES for pair in self._found(
            "aidw", lambda case, method=self.results.as_in_paper(f"original-{scheme}-double"):
            self.results.speedup(method, case))]
        text = sentence([("", judge(found, lambda value: value <= 2 * printed))])
        if text == "Does not hold.":
            text += (" It is a property of the GPU: this one does half as many operations in double as in single, the"
                     " GT 730M does far fewer.")
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
                                  f" largest size (naive); in the paper it is {number_text(printed, 2)} %.")

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
        """Tiled and naive: plain programs. Nested launches have the weights of tuned programs, and no plain one."""
        parts = []
        for scheme, program in (("naive", f"plain-{system}-naive"), ("tiled", f"plain-{system}-tiled"),
                                ("nested", f"{system}-nested")):
            least = self.printed.claim(f"idw14-speedup-{scheme}-p{power}")[0]
            found = self._found(f"idw-p{power}", lambda case, of=program: self.results.speedup(of, case, "single"))
            parts.append((scheme, judge(found, lambda value, least=least: value >= least)))
        text = sentence(parts)
        return f"At least the printed factor: {text[0].lower()}{text[1:]}"

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
        """Over the tuned naive program, whose weights the nested one has."""
        parts, values = [], []
        for power, system in ((2, "idw2"), (3, "idw")):
            found = self._ratios(f"idw-p{power}", f"{system}-nested", f"{system}-naive")
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
        """The barrier itself is not there on this GPU: of the nearest pair of programs."""
        parts, values = [], []
        for power, system in ((2, "idw2"), (3, "idw")):
            found = self._ratios(f"idw-p{power}", f"{system}-nested-tail", f"{system}-nested-open")
            parts.append((f"power {power}", judge(found, lambda value: value >= MUCH)))
            values += [value for _, value in found]
        text = sentence(parts)
        return (f"The barrier cannot be measured here. For the nearest pair: {text[0].lower()}{text[1:]} Waiting takes at"
                f" most {number_text(max(values))} times as long.")

    # ---- [HAP11]

    def _steps(self, name, method):
        """(label, speed-up in units of that at the size before)."""
        found = self._found(name, lambda case: self.results.speedup(method, case))
        return [(label, value / before) for (_, before), (label, value) in zip(found, found[1:])]

    def _hap11_points(self):
        texts = []
        for scheme in SCHEMES:
            steps = self._steps("joint-points", f"idw2-{scheme}")
            last = steps[-1][1]
            end = ("levels off" if last <= 1 + 2 * ALIKE else
                   f"does not level off ({number_text(last, 2)} times in the last step)")
            texts.append((scheme, f"{growth(steps)} and {end}"))
        return sentence(texts)

    def _hap11_targets(self):
        return sentence([(scheme, growth(self._steps("joint-targets", f"idw2-{scheme}")).replace(
            "grows at every step", "holds")) for scheme in SCHEMES])

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
        return sentence([(f"at n m = {product}", flatness(self._labelled_times(name, serial_method(2))))
                         for name, product in PRODUCTS])

    def _labelled_times(self, name, method):
        labels = map(self._series(name).label, self._series(name).cases)
        return [(label, seconds) for label, (_, seconds) in zip(labels, self.ratio_times(name, method))]

    def _hap11_overtakes(self):
        parts = []
        for scheme in SCHEMES:
            found = []
            for name, product in PRODUCTS:
                cpu, gpu = (self.ratio_times(name, method)[-1][1] for method in (serial_method(2), f"idw2-{scheme}"))
                found.append((f"n m = {product}", gpu / cpu))
            parts.append((scheme, judge(found, lambda value: value > 1)))
        return sentence(parts)
