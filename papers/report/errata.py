# SPDX-License-Identifier: MIT
"""The papers' mistakes as counterexamples: the rule as printed and the corrected rule both run, and the
answers that differ from the truth are counted. errata.json has the texts and the counts of seed 1.

    python3 papers/report/errata.py [--seed N]    exit code 1 if one is not as described
    python3 papers/report/errata.py --write       the counts of seed 1 into errata.json

It needs NumPy.
"""
import argparse
import json
import math
import sys
from pathlib import Path

import numpy

TEXTS = Path(__file__).with_name("errata.json")

# Data points, queries, and neighbours of each, as [AIDW16] has them; side of the square.
POINTS, QUERIES, NEIGHBOURS, CLUSTERS, SIDE = 10000, 4000, 15, 20, 1000
STARTS = 100, 150  # of the distances of [AIDW16] Fig. 5; the share of wrong answers depends on them
POWERS = numpy.array([1.5, 2, 2.5, 3, 3.5])


def differs(found, truth):
    """How many differ; NaN does."""
    return int(numpy.sum(~(numpy.abs(found - truth) <= 1e-9 * truth)))


class Stream:
    """The random numbers of src/base/random.h: SplitMix64 (Steele, Lea & Flood 2014)."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        bits = self.state
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & mask
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & mask
        return bits ^ bits >> 31

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def normal(self):
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())


def draw_uniform(stream, count):
    """[2, count]: x and y."""
    return SIDE * numpy.array([stream.uniform() for _ in range(2 * count)]).reshape(count, 2).T


def draw_clustered(stream, clusters, count):
    def place():
        x, y, sigma = clusters[stream.bits() % CLUSTERS]
        return x + sigma * stream.normal(), y + sigma * stream.normal()
    return numpy.array([place() for _ in range(count)]).T


def draw(seed, clustered):
    """Data and queries. Queries are uniform over the square; data too, or in clusters whose standard
    deviations are a thousandth to a hundredth of its side."""
    stream = Stream(seed)
    clusters = [(SIDE * stream.uniform(), SIDE * stream.uniform(), SIDE / 1000 * 10 ** stream.uniform())
                for _ in range(CLUSTERS)]
    data = draw_clustered(stream, clusters, POINTS) if clustered else draw_uniform(stream, POINTS)
    return data, draw_uniform(stream, QUERIES)


def cell_width(data, queries):
    """As [AIDW16] has it: r_exp = 1 / (2 sqrt(n / A))."""
    sides = numpy.ptp(numpy.concatenate([data, queries], axis=1), axis=1)
    return 0.5 * math.sqrt(sides[0] * sides[1] / data.shape[1])


class EvenGrid:
    """The even grid of [AIDW16] and its neighbour search, as printed and as it must be. The search takes
    all cells of a level about the query's own anew, for level after level."""

    def __init__(self, data, queries, width, origin, counts=None):
        """counts: columns and rows; None: as many as cover data and queries."""
        self.data, self.queries, self.width = data, queries, width
        self.origin = numpy.reshape(origin, (2, 1))
        highest = numpy.maximum(data.max(axis=1), queries.max(axis=1))
        self.counts = counts or tuple(int(i) + 1 for i in (highest - self.origin[:, 0]) // width)
        self.cells, self.query_cells = self.cells_of(data), self.cells_of(queries)
        self.known = {}

    @classmethod
    def over(cls, data, queries):
        origin = numpy.minimum(data.min(axis=1), queries.min(axis=1))
        return cls(data, queries, cell_width(data, queries), origin)

    def cells_of(self, places):
        cells = numpy.floor((places - self.origin) / self.width).astype(numpy.int32)
        return numpy.clip(cells, 0, numpy.reshape(self.counts, (2, 1)) - 1)

    def near(self, i, k):
        """Points that a search from query i may reach: their cells' columns and rows relative to the
        query's, and distances. A level has its k points at sqrt(2) (level + 1) w or nearer."""
        if (i, k) not in self.known:
            away = self.cells - self.query_cells[:, i:i + 1]
            levels = numpy.maximum(*abs(away))
            reach = 1.5 * (numpy.partition(levels, k - 1)[k - 1] + 2) + 1
            points = numpy.flatnonzero(levels <= reach)
            self.known[i, k] = (away[:, points], numpy.hypot(*(self.data[:, points] - self.queries[:, i:i + 1])))
        return self.known[i, k]

    def with_wrapped(self, i, away, distance):
        """The same with the points that stand in the column after the last one, which is the next row's first."""
        points = numpy.flatnonzero((self.cells[0] == 0) & (self.cells[1] > 0))
        wrapped = self.cells[:, points] + [[self.counts[0]], [-1]] - self.query_cells[:, i:i + 1]
        far = numpy.hypot(*(self.data[:, points] - self.queries[:, i:i + 1]))
        return numpy.concatenate([away, wrapped], axis=1), numpy.concatenate([distance, far])

    def guaranteed_radius(self, i, level):
        """Every point nearer than this lies in the cells of the level."""
        low = self.queries[:, i] - self.origin[:, 0] - (self.query_cells[:, i] - level) * self.width
        return min(low.min(), ((2 * level + 1) * self.width - low).min())

    def search(self, i, k, *, one_more_level=False, exclusive_loops=False, loose_bounds=False, start=math.inf):
        """Mean distance from query i to the k points found, and the last level. one_more_level: stops a
        level after k points were found; exclusive_loops: levels run from col - level to less than
        col + level; loose_bounds: a column is outside only if i > columns; start: what the k distances
        are before points are found. All are printed; the defaults are right."""
        away, distance = self.near(i, k)
        if loose_bounds:
            away, distance = self.with_wrapped(i, away, distance)
        levels = numpy.maximum(*numpy.maximum(-away, away + exclusive_loops))
        level = int(numpy.partition(levels, k - 1)[k - 1]) + one_more_level
        while True:
            nearest = numpy.partition(distance[levels <= level], k - 1)[:k]
            if one_more_level or nearest[-1] <= self.guaranteed_radius(i, level):
                return numpy.minimum(nearest, start).mean(), level
            level += 1

    def search_all(self, k, **rule):
        """Means and last levels of all queries."""
        found = [self.search(i, k, **rule) for i in range(self.queries.shape[1])]
        return numpy.array([mean for mean, _ in found]), numpy.array([level for _, level in found])

    def means(self, k, **rule):
        return self.search_all(k, **rule)[0]

    def true_means(self, k):
        """By a look at all points."""
        squares = ((self.data[0] - x)**2 + (self.data[1] - y)**2 for x, y in self.queries.T)
        return numpy.array([numpy.sqrt(numpy.partition(square, k - 1)[:k]).mean() for square in squares])

    def strays(self, levels, *, loose):
        """Number of queries whose last level has cells that are not in the grid. loose: a column is
        outside only if i > columns, a row likewise, as printed."""
        counts = numpy.reshape(self.counts, (2, 1))
        last = numpy.minimum(self.query_cells + levels, counts - 1 + loose)
        return numpy.sum((last >= counts).any(axis=0))


def erratum(name, tried, printed, corrected):
    return {"id": name, "tried": tried, "wrong_as_printed": int(printed), "wrong_as_corrected": int(corrected)}


def try_counterexample():
    """The smallest case: w = 1, k = 1, the nearer point two cells away."""
    grid = EvenGrid(numpy.array([[5.95, 3.95], [5.95, 5.05]]), numpy.array([[5.0], [5.05]]), 1, (0, 0), (10, 10))
    truth = 5 - 3.95
    return erratum("stop-counterexample", 1, differs(grid.means(1, one_more_level=True), truth),
                   differs(grid.means(1), truth))


def try_stop(name, grid, truth, means):
    printed = grid.means(NEIGHBOURS, one_more_level=True)
    return erratum(name, QUERIES, differs(printed, truth), differs(means, truth))


def try_start(name, grid, truth, means, start):
    """The search is right but for what its k distances begin with; a point nearer than that replaces one."""
    return erratum(name, QUERIES, differs(grid.means(NEIGHBOURS, start=start), truth), differs(means, truth))


def try_figure_5(grid, truth, means):
    """The listing with its stopping rule, its loops and its bounds."""
    printed = grid.means(NEIGHBOURS, one_more_level=True, exclusive_loops=True, loose_bounds=True)
    return erratum("figure-5", QUERIES, differs(printed, truth), differs(means, truth))


def try_bounds(grid, levels):
    return erratum("bounds", QUERIES, grid.strays(levels, loose=True), grid.strays(levels, loose=False))


def try_cast(name, grid, unit):
    """unit: size of the square in the data's unit of length."""
    width = grid.width * unit / SIDE
    x = grid.data[0] * unit / SIDE - grid.origin[0] * unit / SIDE

    def misplaced(offset):
        cell, slack = numpy.trunc(offset / width), 1e-9 * width
        return numpy.sum((x < cell * width - slack) | (x >= (cell + 1) * width + slack))
    return erratum(name, POINTS, misplaced(numpy.trunc(x)), misplaced(x))


def power_by_lines(mu, as_printed):
    """[AIDW15] Fig. 3: the lines between powers a1 to a5; the third begins with a1 instead of a2."""
    a = POWERS
    starts = [a[0], a[0] if as_printed else a[1], a[2], a[3]]
    lines = [start * (1 - 5 * (mu - begin)) + 5 * end * (mu - begin)
             for begin, start, end in zip((0.1, 0.3, 0.5, 0.7), starts, a[1:])]
    return numpy.select([mu <= bound for bound in (0.1, 0.3, 0.5, 0.7, 0.9)], [a[0], *lines], a[4])


def try_power(seed):
    stream = Stream(seed)
    mu = numpy.array([stream.uniform() for _ in range(POINTS)])
    truth = numpy.interp(mu, [0.1, 0.3, 0.5, 0.7, 0.9], POWERS)  # Eq. 6
    return erratum("alpha", POINTS, differs(power_by_lines(mu, True), truth),
                   differs(power_by_lines(mu, False), truth))


def try_saturation(grid, k=10, r_max=2):
    """Whether the mean R is at least r_max. r_exp is that of the nearest point as printed, that of the mean of
    k as corrected."""
    density = grid.data.shape[1] / numpy.prod(numpy.ptp(grid.data, axis=1))
    of_nearest = 1 / (2 * math.sqrt(density))
    of_k = sum(math.gamma(j + 0.5) / math.gamma(j) for j in range(1, k + 1)) / k / math.sqrt(math.pi * density)
    mean = grid.means(k).mean()
    return erratum("saturation", 1, mean / of_nearest >= r_max, mean / of_k >= r_max)


def try_data_point(grid):
    """IDW of power 2 at its own data points: weights as printed, or relative to the nearest point, which
    alone counts where the query lies on it."""
    count = 200
    places, values = grid.data[:, :count], grid.queries[0, :count]
    distance = numpy.hypot(*(places[:, :, None] - places[:, None, :]))
    with numpy.errstate(divide="ignore", invalid="ignore"):
        printed = 1 / distance**2
        found = (printed @ values) / printed.sum(axis=1)
    nearest = distance.min(axis=1, keepdims=True)
    weights = numpy.where(distance > nearest, (nearest / numpy.fmax(distance, 1e-300))**2, 1)
    return erratum("data-point", count, differs(found, values),
                   differs((weights @ values) / weights.sum(axis=1), values))


def count_all(seed):
    """Every erratum of errata.json, in its order."""
    clustered = EvenGrid.over(*draw(seed, clustered=True))
    clustered_truth, clustered_means = clustered.true_means(NEIGHBOURS), clustered.means(NEIGHBOURS)
    uniform = EvenGrid.over(*draw(seed, clustered=False))
    truth, (means, levels) = uniform.true_means(NEIGHBOURS), uniform.search_all(NEIGHBOURS)
    return [try_counterexample(),
            try_stop("stop-clustered", clustered, clustered_truth, clustered_means),
            try_stop("stop-uniform", uniform, truth, means), try_figure_5(uniform, truth, means),
            *(try_start(f"start-value-{start:g}", clustered, clustered_truth, clustered_means, start) for start in STARTS),
            try_start("start-zero", uniform, truth, means, 0),
            try_bounds(uniform, levels), try_cast("cast-1000", uniform, SIDE), try_cast("cast-1", uniform, 1),
            try_power(seed), try_saturation(uniform), try_data_point(uniform)]


def shows(found):
    return 0 < found["wrong_as_printed"] <= found["tried"] and found["wrong_as_corrected"] == 0


def main(argv):
    parser = argparse.ArgumentParser(prog="papers/report/errata.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the data; default 1")
    parser.add_argument("--write", action="store_true", help="the counts of seed 1 into errata.json")
    arguments = parser.parse_args(argv)
    found = count_all(1 if arguments.write else arguments.seed)
    for item in found:
        print(f"{item['id']:28} {item['tried']} tried: {item['wrong_as_printed']} wrong as printed,"
              f" {item['wrong_as_corrected']} as corrected")
    if arguments.write:
        texts = json.loads(TEXTS.read_text(encoding="utf-8"))
        TEXTS.write_text(json.dumps([{**text, **item} for text, item in zip(texts, found, strict=True)],
                                    indent=2) + "\n", encoding="utf-8")
    return 0 if all(map(shows, found)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
