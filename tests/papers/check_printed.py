#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The papers' printed numbers in papers/report/printed.json against a second transcription, made by itself:
by columns instead of rows, seconds as milliseconds, claims as sentences.

    check_printed.py ROOT
"""
import json
import re
import sys
import unittest
from decimal import Decimal
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()
PRINTED = ROOT / "papers/report/printed.json"

# Of each table the rows, then the numbers of each column. Times are milliseconds in all of them.
TABLES = """
aidw15-times  CPU serial, double / naive SoA / naive AoaS / tiled SoA / tiled AoaS
  10K     6791      65.3    66.3    61.3    61.6
  50K     168234    863     875     714     722
  100K    673806    2884    2933    2242    2276
  500K    16852984  63599   64593   43843   44891
  1000K   67471402  250574  254488  168189  172605
aidw16-times  improved naive / improved tiled
  10K     27.9    21.0
  50K     400     233
  100K    1366    771
  500K    31306   16797
  1000K   124353  66338
aidw16-weighting  improved naive / improved tiled
  10K     15.6    8.7
  50K     364     197
  100K    1286    691
  500K    30866   16357
  1000K   123437  65421
aidw16-table-3  original naive / original tiled / improved
  10K     49.7    52.6    12.3
  50K     499     517     36
  100K    1598    1551    81
  500K    32733   27486   440
  1000K   127137  102768  917
hap11-table-1  CPU / GPU / speed-up
  100      5      4     1.4
  1000     52     6     8.4
  10000    513    33    15.6
  100000   5147   301   17.1
  1000000  53180  2974  17.9
hap11-table-2  CPU / GPU / speed-up
  1000     5     5    1.2
  10000    52    6    8.2
  100000   521   30   17.5
  1000000  5154  250  20.6
"""

# Numbers of texts and figures; those that are words in the papers stand as figures.
CLAIMS = {
    "idw14-speedup-naive-p2": "With power 2 the naive program takes 1/60 of the CPU's time.",
    "idw14-speedup-tiled-p2": "With power 2 the tiled program takes 1/120 of it.",
    "idw14-speedup-nested-p2": "With power 2 the program with nested launches takes 1/10 of it.",
    "idw14-speedup-naive-p3": "With power 3 the naive program takes 1/380 of the CPU's time.",
    "idw14-speedup-tiled-p3": "With power 3 the tiled program takes 1/670 of it.",
    "idw14-speedup-nested-p3": "With power 3 the program with nested launches takes 1/78 of it.",
    "idw14-tiling": "Naive takes about 2 times as long as tiled.",
    "idw14-nesting": "Nested launches take 4.8 to 6.0 times as long as naive.",
    "idw14-serial-powers": "On the CPU power 3 takes 7.6 times as long as power 2.",
    "aidw15-speedup": "In single precision the GPU is 100 to 400 times as fast as the CPU in double.",
    "aidw15-speedup-naive": "Abstract: naive is approximately 270 times as fast as the CPU.",
    "aidw15-speedup-tiled": "Abstract: tiled is approximately 400 times as fast.",
    "aidw15-tiling-section-4": "Section 4: tiled is 1.45 times as fast as naive.",
    "aidw15-tiling-section-5": "Section 5: tiled is 1.3 times as fast as naive, on average.",
    "aidw15-layout": "Aligned structures take 1.015 times as long as arrays.",
    "aidw15-speedup-double": "In double precision the GPU is 8 times as fast as the CPU.",
    "aidw17-speedup": "Single precision, on the fastest GPU for it: at most 763 times as fast as the CPU.",
    "aidw17-speedup-double": "Double precision, on the fastest for that: at most 197 times.",
    "aidw16-speedup": "At most 1017 times as fast as the serial program.",
    "aidw16-tiling": "Improved: tiled is 1.33 to 1.87 times as fast as naive.",
    "aidw16-tiling-weighting": "Its weighting alone: 1.79 to 1.89 times.",
    "aidw16-figure-8-naive": "Figure 8: naive, at least 2.02 times as fast as the original.",
    "aidw16-figure-8-tiled": "Figure 8: tiled, at least 2.54 times as fast as the original.",
    "aidw16-figure-9": "Figure 9: at about one million points the search takes less than 1 % of the original's.",
    "hap11-runs": "Each time is the mean of 25 runs.",
}


def second_transcription():
    """{(table, row, column): number}, times in milliseconds."""
    numbers = {}
    for line in TABLES.strip().splitlines():
        first, rest = line.split(maxsplit=1)
        if not line.startswith(" "):
            table, rows = first, rest.split(" / ")
            continue
        for row, number in zip(rows, rest.split(), strict=True):
            numbers[table, row, first] = Decimal(number)
    return numbers


def numbers_of(claim):
    """The numbers of a sentence, less those that say where it stands or what it is about."""
    for words in (r"power \d", r"Section \d:", r"Figure \d:", r"\b1/"):
        claim = re.sub(words, "", claim, flags=re.IGNORECASE)
    return [Decimal(text) for text in re.findall(r"\d+(?:\.\d+)?", claim)]


class PrintedNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = json.loads(PRINTED.read_text(encoding="utf-8"), parse_float=Decimal, parse_int=Decimal)

    def test_tables(self):
        found = {}
        for table in self.data["tables"]:
            for row in table["rows"]:
                scale = {"ms": 1, "s": 1000, "times": 1}[row.get("unit", table["unit"])]
                for column, value in zip(table["columns"], row["values"], strict=True):
                    place = table["id"], row["row"], column
                    self.assertNotIn(place, found)
                    found[place] = value * scale
        self.assertEqual(found, second_transcription())

    def test_claims(self):
        found = {}
        for claim in self.data["claims"]:
            self.assertNotIn(claim["id"], found)
            low, high = claim.get("low"), claim.get("high")
            found[claim["id"]] = sorted({end for end in (low, high) if end is not None})
        self.assertEqual(found, {name: numbers_of(text) for name, text in CLAIMS.items()})

    def test_every_number_says_where_it_stands(self):
        for item in self.data["tables"] + self.data["claims"]:
            self.assertIn(item["paper"], self.data["papers"])
            for key in ("id", "place", "unit"):
                self.assertTrue(item[key], item)

    def test_columns_are_the_sizes(self):
        for table in self.data["tables"]:
            varying = table["m"] if table["id"] == "hap11-table-2" else table["n"]
            sizes = [int(label.removesuffix("K")) * (1024 if label.endswith("K") else 1)
                     for label in table["columns"]]
            self.assertEqual(sizes, varying)
            self.assertEqual(len(table["n"]), len(table["m"]))


unittest.main(verbosity=0)
