# SPDX-License-Identifier: MIT
"""Which methods are compared with which, in a series."""

AIDW_PAIRS = [
    ("original-naive", "original-tiled"),
    ("original-naive-aoas", "original-tiled-aoas"),
    ("improved-naive", "improved-tiled"),
    ("original-naive-aoas", "original-naive"),
    ("original-tiled-aoas", "original-tiled"),
    ("original-naive", "improved-naive"),
    ("original-tiled", "improved-tiled"),
]

OWN_GRID_PAIRS = [(f"improved-{scheme}-own-grid", f"improved-{scheme}") for scheme in ("naive", "tiled")]


def is_library(method):
    return method.startswith(("new-", "gpu-"))


def is_serial(method):
    return method.endswith(("-serial", "-serial-single"))


def is_double(method):
    return method.endswith("-double")


def paper_pairs(results, series):
    """The comparisons that the papers make."""
    idw = "idw2" if series.power == 2 else "idw"
    pairs = {"aidw": [*_with_plain(AIDW_PAIRS), *OWN_GRID_PAIRS],
             "idw": [*_with_plain([(f"{idw}-naive", f"{idw}-tiled")]), (f"{idw}-nested", f"plain-{idw}-naive"),
                     (f"{idw}-nested", f"{idw}-naive"), (f"{idw}-nested-tail", f"{idw}-nested-open")]}
    return _measured(results, series, pairs.get(series.study, []))


def single_pairs(results, series):
    """The serial program in double over that in single."""
    return _measured(results, series, [(method.removesuffix("-single"), method)
                                       for method in results.methods(series) if method.endswith("-serial-single")])


def double_pairs(results, series):
    """Each method in double over the same in float."""
    methods = results.methods(series)
    return _measured(results, series, [(method, method.removesuffix("-double"))
                                       for method in methods if is_double(method)])


def library_pairs(results, series):
    """The best of the papers' methods over the library."""
    methods = results.methods(series)
    best = [method for method in methods if method in ("improved-tiled", "idw2-tiled", "idw-tiled")]
    return _measured(results, series, [(above, below) for below in methods if is_library(below)
                                       for above in best])


KINDS = {"paper": paper_pairs, "single": single_pairs, "double": double_pairs, "library": library_pairs}


def _with_plain(pairs):
    return [*((f"plain-{above}", f"plain-{below}") for above, below in pairs), *pairs]


def _measured(results, series, pairs):
    return [pair for pair in pairs
            if any(results.ratio(*pair, case) is not None for case in series.cases)]
