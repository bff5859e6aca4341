# SPDX-License-Identifier: MIT
"""Results of several runs of shepard_papers on one kind of machine as those of one run.

Where two files have a method and a case, the time with more runs is used, then that of the file that comes first. A
scaled time has no runs; it is computed from what all files have measured: see scale."""
from errors import ReportError

SAME = ("processor", "processors", "gpu")
KEYS = ("method", "power", "n", "m", "columns", "sets", "calls")


def merge(found):
    """found: (path, data), at least one; machine, settings, version and commit are the first's. "files" says of each
    how many measurements are its."""
    for path, data in found[1:]:
        check_machine(found[0], (path, data))
    chosen = {}
    for path, data in found:
        for item in data["measurements"]:
            key = tuple(item.get(name, 1) for name in KEYS)
            if key not in chosen or item["runs"] > chosen[key][1]["runs"]:
                chosen[key] = path, item
    files = [describe(path, data, [item for source, item in chosen.values() if source is path])
             for path, data in found]
    missing = [item for item in found[0][1]["left_out"]
               if all(item["method"] != measured["method"] for _, measured in chosen.values())]
    return {**found[0][1], "files": files, "left_out": missing, "series": merge_series(found),
            "measurements": scale([item for _, item in chosen.values()])}


def describe(path, data, used):
    """A file, how many measurements are its, and how many runs those have that were measured."""
    return {"name": path.name, **{key: data[key] for key in ("version", "commit", "settings")}, "used": len(used),
            "runs": sorted({item["runs"] for item in used if item["state"] == "measured"})}


def scale(measurements):
    """Each scaled time from the measured case of the same program that is nearest in number of pairs, where there is
    one: a run scales what its own process has measured, which may be less."""
    measured = {}
    for item in measurements:
        if item["state"] == "measured":
            measured.setdefault(program(item), []).append(item)
    return [scaled_from(measured[program(item)], item)
            if item["state"] == "extrapolated" and program(item) in measured else item for item in measurements]


def scaled_from(known, item):
    """Of cases with as many pairs, the first."""
    source = min(known, key=lambda other: max(pairs(other), pairs(item)) / min(pairs(other), pairs(item)))
    return {**item, "seconds": {"total": source["seconds"]["total"] * pairs(item) / pairs(source)}}


def program(item):
    return item["method"], item["power"], item.get("columns", 1), item.get("calls", 1)


def pairs(item):
    return item["n"] * item["m"] * item.get("sets", 1)


def check_machine(first, other):
    """A run of serial programs alone names no GPU."""
    for key in SAME:
        one, two = first[1]["machine"][key], other[1]["machine"][key]
        if one != two and not (key == "gpu" and two is None):
            raise ReportError(f"{other[0]} is of another machine than {first[0]}: {key} '{two}' instead of '{one}';"
                              " give results of one kind of machine")


def merge_series(found):
    """Each series with the cases of all files, rising in what varies."""
    merged = {}
    for path, data in found:
        for series in data["series"]:
            known = merged.setdefault(series["id"], {**series, "cases": []})
            known["cases"] += [case for case in series["cases"] if case not in known["cases"]]
            check_fixed(path, known)
    for series in merged.values():
        series["cases"].sort(key=lambda case: order(series["variable"], case))
    return list(merged.values())


def check_fixed(path, series):
    """What a series keeps is the same in all its cases."""
    fixed = {"points": "m", "targets": "n"}.get(series["variable"])
    if fixed and len({case[fixed] for case in series["cases"]}) > 1:
        raise ReportError(f"{path}: series {series['id']} has another {fixed} than in the files before; measure it with"
                          " sizes whose largest is not less")


def order(variable, case):
    if variable == "ratio":
        return case["n"] / case["m"]
    return case[{"size": "n", "points": "n", "targets": "m"}.get(variable, variable)]
