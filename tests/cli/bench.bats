#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `shepard bench papers` at sizes that take no time: the tables, their JSON, the figures, errors.
# The answers are judged by the command itself against exact sums; here the judging is tried.
load common

papers() { "$SHEPARD" bench papers "$@"; }

needs_json() {
    needs python3
    papers --json=try.json --table errata > /dev/null 2> said || true
    if grep -q "built without cJSON" said; then skip "built without cJSON"; fi
}

@test "bench alone says what there is" {
    fails_with "shepard bench papers" "$SHEPARD" bench
    fails_with "did you mean papers?" "$SHEPARD" bench paper
    fails_with "only papers" "$SHEPARD" bench quux
    run "$SHEPARD" bench --help
    [ "$status" -eq 0 ]
    for word in "--budget SECONDS" "--plot DIR" original-serial new-aidw-1e-5; do
        [[ "$output" == *"$word"* ]]
    done
}

@test "the head says machine, threads, seed, and what errors are" {
    run papers --size 1K --engine new --table new --threads 1 --seed 7 --repeat 1
    [ "$status" -eq 0 ]
    for word in "processor  " "threads    1 for" "seed 7" "median of 1" "largest |engine - exact|"; do
        [[ "$output" == *"$word"* ]] || { echo "no $word"; false; }
    done
}

@test "every table has its heading, and no line is longer than 100" {
    papers --size 1K,2K --repeat 1 > out
    for table in aidw stages idw joint double new errata; do
        grep -q "^==== $table: " out
    done
    grep -q "^n = 2K, m = 2K" out
    grep -qE "^  original-serial +[0-9.]+ " out
    grep -qE "^  new-aidw-1e-5 +[0-9.]+ +- +~?[0-9.]+ +- +[0-9.]+e-[0-9]+" out
    awk 'length > 100 { print; long = 1 } END { exit long }' out
}

@test "--table makes only that table" {
    papers --size 1K --repeat 1 --table new > out
    [ "$(grep -c '^====' out)" -eq 1 ]
}

@test "sizes: 1K is 1024, each once, rising" {
    papers --size 2K,1024,1K --repeat 1 --table new --engine new-idw-1e-5 > out
    [ "$(grep -c '^n = 1K, m = 1K' out)" -eq 1 ]
    [ "$(grep '^n = ' out | head -1)" = "n = 1K, m = 1K" ]
    [ "$(grep -c '^n = 2K, m = 2K' out)" -eq 1 ]
}

@test "the papers' numbers stand beside ours at their sizes" {
    papers --size 10K --repeat 1 --table aidw --engine original-serial > out
    grep -qE "^  original-serial +~?[0-9.]+ +6\.791 " out
    papers --size 100,1000,10000 --repeat 1 --table joint > out
    # m = 10000: 0.005, 0.052 and 0.513 seconds.
    [ "$(awk '/^-- /{ on = /m = 10000, n varies/ } on && $1 ~ /^idw2?-serial$/ { print $3 }' out | xargs)" \
        = "0.00500 0.05200 0.513" ]
}

@test "the budget: serial engines are extrapolated, others skipped, and both say so" {
    needs_json
    papers --size 1K,16K --repeat 1 --budget 0.0001 --table new --engine original-serial,new-aidw-1e-5 \
        --json o.json > out
    grep -qE "^  original-serial +~[0-9.e-]+ " out
    grep -qE "^  new-aidw-1e-5 +skipped: about [0-9.e-]+ s" out
    [ "$(item o.json 'sorted({r["state"] for s in d["series"] for r in s["records"]})')" \
        = "['extrapolated', 'skipped']" ]
    [ "$(item o.json 'all(r["estimated"] and r["error"] is None and r["runs"] == 0
        for s in d["series"] for r in s["records"])')" = True ]
    # By n m: 16 times the points and targets, 256 times the pairs, from one and the same pilot run
    # or from two of them, whose times scatter.
    item o.json '[r["seconds"]["total"] for r in d["series"][0]["records"] if r["engine"] == "original-serial"]'
    [ "$(item o.json '60 < (lambda t: t[1] / t[0])([r["seconds"]["total"]
        for r in d["series"][0]["records"] if r["engine"] == "original-serial"]) < 1000')" = True ]
}

@test "within the budget the same is measured" {
    needs_json
    papers --size 1K --repeat 2 --table new --engine original-serial,new-aidw-1e-5 --json o.json > out
    [ "$(item o.json '{(r["state"], r["runs"]) for s in d["series"] for r in s["records"]}')" \
        = "{('measured', 2)}" ]
    [ "$(item o.json 'all(0 <= r["error"] <= r["error_limit"] <= 1e-4 and not r["wrong"]
        for s in d["series"] for r in s["records"])')" = True ]
}

@test "JSON: the promised fields" {
    needs_json
    papers --size 1K --repeat 1 --seed 3 --threads 1 --commit abc123 --json o.json > out
    [ "$(item o.json '(d["command"], d["commit"], d["settings"]["seed"], d["settings"]["repeat"],
        d["settings"]["budget"], d["settings"]["sizes"], d["machine"]["threads"])')" \
        = "('bench papers', 'abc123', 3, 1, 60, [1024], 1)" ]
    [ "$(item o.json 'all(d["machine"][k] for k in ("processor", "compiler", "isa"))')" = True ]
    [ "$(item o.json 'all(k in d["machine"] for k in ("gpu", "driver", "cuda_runtime",
        "cuda_compiler")) and d["version"] is not None')" = True ]
    [ "$(item o.json 'all(k in r for s in d["series"] for r in s["records"] for k in ("engine", "method",
        "power", "n", "m", "columns", "state", "estimated", "skipped", "seconds", "runs", "error",
        "error_limit", "wrong", "speedup", "printed"))')" = True ]
    [ "$(item o.json 'all(k in r["seconds"] for s in d["series"] for r in s["records"]
        if r["state"] == "measured" for k in ("total", "prepare", "upload", "grid", "neighbours",
        "weighting", "download"))')" = True ]
    [ "$(item o.json 'len({s["id"] for s in d["series"]}) == len(d["series"]) > 15')" = True ]
    [ "$(item o.json 'max(r["columns"] for s in d["series"] for r in s["records"])')" = 64 ]
    [ "$(item o.json 'all(e["reason"] for e in d["left_out"])')" = True ]
}

@test "JSON alone on standard output" {
    needs_json
    papers --size 1K --repeat 1 --table new --engine new --json > o.json
    [ "$(item o.json 'd["right"]')" = True ]
}

@test "speed-ups are quotients of the times beside them" {
    needs_json
    papers --size 1K,2K --repeat 1 --table new --json o.json > out
    [ "$(item o.json '[abs(r["speedup"] * r["seconds"]["total"] - s["seconds"]["total"])
        < 1e-9 for x in d["series"] for r in x["records"] for s in x["records"]
        if s["n"] == r["n"] and s["engine"].endswith("-serial") and r["engine"].startswith("new")
        ].count(True)')" = 8 ]
}

@test "errata: wrong as printed, right as corrected" {
    needs_json
    for seed in 1 $RANDOM $RANDOM; do
        echo "seed $seed"
        papers --table errata --seed $((seed + 1)) --json o.json
        [ "$(item o.json '[(e["id"]) for e in d["errata"]
            if not (0 < e["wrong_as_printed"] <= e["tried"] and e["wrong_as_corrected"] == 0)]')" = "[]" ]
    done
    [ "$(item o.json 'len(d["errata"])')" -ge 9 ]
    [ "$(item o.json 'all(e["printed"] and e["effect"] and e["where"] for e in d["errata"])')" = True ]
}

@test "another seed gives other data, the same seed the same" {
    needs_json
    for seed in 5 5 6; do
        papers --size 1K --repeat 1 --table new --engine new-aidw-1e-4 --seed $seed --json o.json > out
        item o.json 'd["series"][0]["records"][0]["error"]' >> errors
    done
    cat errors
    [ "$(sed -n 1p errors)" = "$(sed -n 2p errors)" ]
    [ "$(sed -n 1p errors)" != "$(sed -n 3p errors)" ]
}

@test "engines by name, and by the beginning of names" {
    papers --size 1K --repeat 1 --table new --engine new-idw > out
    grep -q "^  new-idw-1e-4 " out
    run ! grep -q "new-aidw-1e-4 " out
    papers --size 1K --repeat 1 --table new --engine new-idw-1e-5 > out
    run ! grep -q "^  new-idw-1e-4 " out
}

@test "wrong arguments" {
    fails_with "'0' is not a size" papers --size 0
    fails_with "'10Q' is not a size" papers --size 10Q
    fails_with "'-5' is not a size" papers --size=-5
    fails_with "'9999999K' is not a size" papers --size 9999999K
    fails_with "at most 24 sizes" papers --size "$(seq -s, 1 25)"
    fails_with "did you mean original-serial?" papers --engine orignal-serial
    fails_with "there is no engine 'quux'" papers --engine quux
    fails_with "did you mean errata?" papers --table erata
    fails_with "they are aidw" papers --table xyzzyx
    fails_with "greater than 0" papers --budget 0
    fails_with "from 1 to 2147483647" papers --repeat 0
    fails_with "did you mean --budget?" papers --budgte 3
}

@test "an output that cannot be written fails before anything is measured" {
    needs_json
    run papers --table errata --json=nowhere/o.json
    [ "$status" -eq 1 ]
    [[ "$output" == *"--json: cannot write nowhere/o.json"* ]]
    [[ "$output" != *erratum* ]]
    rm -rf ./*
    mkdir folder
    fails_with "it is a folder" papers --table errata --json=folder
    [ "$(ls -A)" = folder ]
}

@test "JSON replaces a file whole, keeps its mode, follows a link" {
    needs_json
    rm -f ./*
    echo precious > o.json
    chmod 666 o.json
    ln -s o.json link.json
    papers --table errata --json=link.json > /dev/null
    [ -L link.json ]
    [ "$(stat -c %a o.json)" = 666 ]
    [ "$(item o.json 'd["command"]')" = "bench papers" ]
    [ "$(ls -A | xargs)" = "link.json o.json" ]
}

@test "interrupted while it writes: outputs are whole, then it ends" {
    needs_json
    needs gnuplot
    rm -f ./*
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = --version ] || { touch "%s/drawing"; sleep 0.3; }\nexec "%s" "$@"\n' \
        "$PWD" "$(command -v gnuplot)" > bin/gnuplot
    chmod +x bin/gnuplot
    PATH="$PWD/bin:$PATH" "$SHEPARD" bench papers --table joint --size 1K --repeat 1 --json=o.json \
        --plot figures > log 2>&1 3>&- &
    local pid=$! i code=0
    for ((i = 0; i < 600; i++)); do
        [ ! -e drawing ] || break
        sleep 0.1
    done
    kill -INT "$pid"
    wait "$pid" || code=$?
    cat log
    [ "$code" -eq 130 ]
    [ "$(ls -A)" = "$(printf 'bin\ndrawing\nfigures\nlog\no.json')" ]
    [ "$(item o.json 'd["command"]')" = "bench papers" ]
    [ "$(ls -A figures | wc -l)" -gt 0 ]
    [ "$(ls -A figures | grep -vc '\.svg$')" -eq 0 ]
}

@test "more runs than are kept" {
    fails_with "at most 100 runs" papers --repeat 101
}

@test "figures are SVG, and stand alone in the folder" {
    needs gnuplot python3
    papers --size 1K,2K --repeat 1 --table aidw,joint,new --plot figures > out
    grep -q "figures in figures" out
    [ "$(ls -A figures | grep -vc '\.svg$')" -eq 0 ]
    [ "$(ls figures | wc -l)" -eq "$(sed -n 's/ figures in figures//p' out)" ]
    for name in aidw-time new-aidw-speedup joint-columns-ratio; do
        [ -s "figures/$name.svg" ]
    done
    python3 - <<'PYTHON'
import glob
import xml.etree.ElementTree as tree
for name in glob.glob("figures/*.svg"):
    root = tree.parse(name).getroot()
    assert root.tag.endswith("}svg"), name
    assert sum(1 for e in root.iter() if e.tag.endswith("}path")) > 10, name
    assert any("seconds" in (e.text or "") or "speed-up" in (e.text or "") or "ratio" in (e.text or "")
               for e in root.iter() if e.tag.endswith("}text") or e.tag.endswith("}tspan")), name
PYTHON
}

@test "without gnuplot --plot says how to get it, and measures nothing" {
    mkdir empty
    run env PATH="$PWD/empty" "$SHEPARD" bench papers --table errata --plot figures
    [ "$status" -eq 1 ]
    [[ "$output" == *"apt-get install gnuplot-nox"* ]]
    [[ "$output" != *erratum* ]]
    [ ! -e figures ]
}

@test "--plot into what can be no folder is refused before anything is measured" {
    mkdir bin
    printf '#!/bin/sh\nexit 0\n' > bin/gnuplot
    chmod +x bin/gnuplot
    echo precious > file
    for folder in file file/figures nowhere/figures; do
        run -1 env PATH="$PWD/bin:$PATH" "$SHEPARD" bench papers --table errata --plot "$folder"
        [[ "$output" == *"--plot: cannot"*"$folder"* ]]
        [[ "$output" != *erratum* ]]
    done
    [ "$(cat file)" = precious ]
    [ ! -e nowhere ]
}

@test "a gnuplot that fails leaves no figures and no folder" {
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "broken here" >&2\nexit 3\n' > bin/gnuplot
    chmod +x bin/gnuplot
    run env PATH="$PWD/bin:$PATH" "$SHEPARD" bench papers --size 1K --repeat 1 --table new --plot figures
    [ "$status" -eq 1 ]
    [[ "$output" == *"broken here"* ]]
    [ ! -e figures ]
    mkdir figures
    echo precious > figures/new-aidw-time.svg
    run -1 env PATH="$PWD/bin:$PATH" "$SHEPARD" bench papers --size 1K --repeat 1 --table new --plot figures
    [ "$(ls -A figures)" = new-aidw-time.svg ]
    [ "$(cat figures/new-aidw-time.svg)" = precious ]
}

@test "an interrupt ends it at once, and leaves nothing" {
    mkdir out
    cd out
    "$SHEPARD" bench papers --size 64K --engine original-serial --table aidw --budget 100000 > ../log 2>&1 3>&- &
    local pid=$! i
    for ((i = 0; i < 100; i++)); do
        grep -q '^n = 64K' ../log && break
        sleep 0.1
    done
    sleep 0.5
    kill -INT "$pid"
    local code=0
    wait "$pid" || code=$?
    [ "$code" -eq 130 ]
    grep -q 'interrupted' ../log
    [ -z "$(ls -A)" ]
}
