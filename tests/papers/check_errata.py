#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The papers' errata: the even grid's search against a look at every point, the counts in errata.json,
another seed. Exit code 77 without NumPy.

    check_errata.py ROOT
"""
import json
import random
import sys
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:
    print(f"skipped: no NumPy for {sys.executable} (Debian: apt-get install python3-numpy)")
    sys.exit(77)

ROOT = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "papers/report"))
sys.dont_write_bytecode = True

import errata  # noqa: E402


class Errata(unittest.TestCase):
    def setUp(self):
        self.seed = random.randrange(2, 2**53)
        print("seed", self.seed, file=sys.stderr)

    def test_stream_is_splitmix64(self):
        stream = errata.Stream(1234567)  # numbers of the authors' program
        self.assertEqual([stream.bits() for _ in range(5)],
                         [6457827717110365317, 3203168211198807973, 9817491932198370423,
                          4593380528125082431, 16408922859458223821])

    def test_search_finds_the_nearest(self):
        chance = numpy.random.default_rng(self.seed)
        data = numpy.array([20 * chance.random(300)**3, 13 * chance.random(300)])
        queries = numpy.array([[20], [13]]) * chance.random((2, 500))
        grid = errata.EvenGrid(data, queries, 0.9, (0, 0), (23, 15))
        found = grid.means(7)
        for query, mean in zip(queries.T, found):
            distances = sorted(((data - query[:, None])**2).sum(axis=0)**0.5)
            self.assertAlmostEqual(mean, sum(distances[:7]) / 7, delta=1e-12 * mean)
        numpy.testing.assert_allclose(grid.true_means(7), found, rtol=1e-12)

    def test_start_value_stands_in_for_farther_neighbours(self):
        chance = numpy.random.default_rng(self.seed)
        data, queries = (10 * chance.random((2, count)) for count in (90, 50))
        grid = errata.EvenGrid(data, queries, 1.1, (0, 0), (10, 10))
        for query, found, zero in zip(queries.T, grid.means(5, start=0.7), grid.means(5, start=0)):
            slots = [0.7] * 5
            for distance in numpy.hypot(*(data - query[:, None])):
                if distance < slots[-1]:
                    slots = sorted([*slots[:-1], distance])
            self.assertAlmostEqual(found, sum(slots) / 5, delta=1e-12)
            self.assertEqual(zero, 0)

    def test_listing_as_printed(self):
        chance = numpy.random.default_rng(self.seed)
        data, queries = (numpy.array([[4], [13]]) * chance.random((2, count)) for count in (60, 200))
        grid, k = errata.EvenGrid(data, queries, 0.9, (0, 0), (5, 15)), 20  # narrow: rows end early
        found = grid.means(k, one_more_level=True, exclusive_loops=True, loose_bounds=True)
        columns, rows = grid.counts
        cells = [[] for _ in range(columns * rows)]
        for point, (column, row) in zip(data.T, grid.cells.T):
            cells[row * columns + column].append(point)

        def points_of(column, row, level):
            return [point for j in range(row - level, row + level) for i in range(column - level, column + level)
                    if not (i < 0 or j < 0 or i > columns or j > rows) and j * columns + i < len(cells)
                    for point in cells[j * columns + i]]
        for query, (column, row), mean in zip(queries.T, grid.query_cells.T, found):
            level = 0
            while len(points_of(column, row, level)) < k:
                level += 1
            distances = sorted(numpy.hypot(*(point - query)) for point in points_of(column, row, level + 1))
            self.assertAlmostEqual(mean, sum(distances[:k]) / k, delta=1e-12 * mean)

    def test_counts_of_seed_1_are_those_in_the_file(self):
        keys = ("id", "tried", "wrong_as_printed", "wrong_as_corrected")
        texts = json.loads(errata.TEXTS.read_text(encoding="utf-8"))
        self.assertEqual([{key: text[key] for key in keys} for text in texts], errata.count_all(1))
        self.assertTrue(all(map(errata.shows, texts)))

    def test_wrong_as_printed_and_right_as_corrected(self):
        found = errata.count_all(self.seed)
        self.assertGreaterEqual(len(found), 13)
        for item in found:
            self.assertTrue(errata.shows(item), item)
        wrong = {item["id"]: item["wrong_as_printed"] for item in found}
        self.assertLess(wrong["start-value-150"], wrong["start-value-100"])


unittest.main(verbosity=0)
