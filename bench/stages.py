# SPDX-License-Identifier: MIT
"""The least time that a GPU's limits allow for what a stage has to do in any case."""

# Bytes of a point (coordinates and a value), a place, a key and a number, a box, a result; points of
# a leaf.
POINT, PLACE, LABEL, BOX, RESULT, LEAF = 24, 16, 12, 32, 8, 16

# Of a node: numbers of an expansion of the order that stands for all (SHEPARD_TERMS of
# src/kernel/node.h), in two charges, 4 bytes each; bytes of what else it holds; operations for its
# weight.
TERMS, NODE, WEIGHT = 2 * 21, 48, 60

# Operations: of a search, 96 distances of 5, in double; of a pair, of which two special ones.
SEARCH, PAIR, SPECIAL = 96 * 5, 10, 2


def find_least(roofline, run):
    """Seconds and what limits them, by stage of a result `end_to_end`:

    - upload, download: the caller's arrays, once, over the bus.
    - sort: points and targets read once and written once with their keys and numbers.
    - tree: coordinates read once, boxes written.
    - moments: points read once, two charges written for each of n / 8 nodes.
    - nearest: as the sort, or the searches.
    - sums: the pairs and nodes that the run counted; special functions and others go on at the same
      time, so the longer counts.

    The cells of a raster are not listed: nothing of them is uploaded or read.
    """
    n, m = run["points"], run["targets"]
    listed = 0 if run["run"] == "idw-raster" else m
    given = n * POINT + listed * PLACE
    pairs, nodes = run["pairs_per_target"] * m, run["nodes_per_target"] * m
    summed = pairs * PAIR + nodes * (TERMS + WEIGHT)

    def copying(size):
        return size / roofline["copy_bytes_per_second"], "copy bandwidth"
    return {
        "upload": (given / roofline["to_device_bytes_per_second"], "host to device"),
        "sort": copying(2 * given + (n + listed) * LABEL),
        "tree": copying(n * PLACE + n / LEAF * BOX),
        "moments": copying(n * POINT + 2 * n / LEAF * (NODE + TERMS * 4)),
        "nearest": max(copying(given + m * 2 * RESULT),
                       (m * SEARCH / roofline["fma_double_per_second"], "operations in double")),
        "sums": max(((pairs + nodes) * SPECIAL / roofline["special_per_second"], "special functions"),
                    (summed / roofline["fma_single_per_second"], "operations in single")),
        "download": (m * RESULT / roofline["from_device_bytes_per_second"], "device to host"),
    }


def add_least(stage, roofline, run):
    """Adds to a result `stage` the least seconds, their share of those it took, and the limit."""
    least, limit = find_least(roofline, run)[stage["stage"]]
    stage.update(least_seconds=least, share=least / stage["device_seconds"], limit=limit)
