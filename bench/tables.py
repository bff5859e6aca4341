#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints results as tables while they are measured: one JSON object a line, as bench_core writes.

    bench_core sums | bench/tables.py
"""
import json
import sys

# Members that a table leaves out, with those that are lists.
DETAILS = {"case", "threads", "neighbours", "eps", "create_cpu", "predict_cpu", "first_wall", "checked"}


def cell(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Table:
    """Rows below their columns, which are printed again where they change."""

    def __init__(self):
        self.head = None

    def add(self, result):
        shown = {key: cell(value) for key, value in result.items()
                 if key not in DETAILS and not isinstance(value, list)}
        widths = [max(len(key), 9) for key in shown]
        head = result["case"], list(shown)
        if head != self.head:
            self.head = head
            print(f"\n{result['case']}\n" + "  ".join(k.rjust(w) for k, w in zip(shown, widths)))
        print("  ".join(text.rjust(w) for text, w in zip(shown.values(), widths)), flush=True)


def show_lines(lines):
    """Prints the results as they come, and returns them."""
    table, results = Table(), []
    for line in lines:
        results.append(json.loads(line))
        table.add(results[-1])
    return results


if __name__ == "__main__":
    show_lines(sys.stdin)
