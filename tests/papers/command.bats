#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# shepard_papers at sizes that take no time: what it measures, its JSON, its errors. PAPERS is the
# program.
load ../cli/common

papers() { "$PAPERS" "$@"; }

@test "--help lists the options, the methods, and why a method cannot run here" {
    run papers --help
    [ "$status" -eq 0 ]
    for word in "--budget SECONDS" "--json FILE" original-serial new-aidw-1e-5; do
        [[ "$output" == *"$word"* ]]
    done
    if [ "$PAPERS_TEST_CUDA" = OFF ]; then
        [[ "$output" == *"idw-tiled "*"not here: built without CUDA"* ]]
    fi
}

@test "a line for each measurement" {
    papers --study aidw --size 1K --runs 1 --method original-serial,new > out
    [ "$(grep -c ' n=1024 m=1024 columns=1: measured [0-9.e-]* s, error [0-9.e+-]*$' out)" -eq 3 ]
    papers --study idw --size 1K --runs 1 --method idw2-serial > out
    [ "$(grep -c '^idw2-serial  *n=1024 m=1024 columns=1 power=2: measured' out)" -eq 1 ]
}

@test "sizes: 1K is 1024, each once, rising" {
    needs python3
    papers --study aidw --method new-aidw-1e-4 --runs 1 --size 2K,1024 --size 1K,512 --json o.json > out
    [ "$(item o.json '[r["n"] for r in d["measurements"]]')" = "[512, 1024, 2048]" ]
    [ "$(item o.json 'd["settings"]["sizes"]')" = "[512, 1024, 2048]" ]
}

@test "the budget: serial methods are extrapolated, others skipped, and both say so" {
    needs python3
    papers --study aidw --size 1K,16K --runs 1 --budget 0.0001 --method original-serial,new-aidw-1e-5 \
        --json o.json > out
    grep -qE "^original-serial .*extrapolated, about [0-9.e-]+ s" out
    grep -qE "^new-aidw-1e-5 .*skipped, about [0-9.e-]+ s" out
    [ "$(item o.json 'sorted({r["state"] for r in d["measurements"]})')" = "['extrapolated', 'skipped']" ]
    [ "$(item o.json 'all(r["error"] is None and r["runs"] == 0 and list(r["seconds"]) == ["total"]
        for r in d["measurements"])')" = True ]
    # 256 times the pairs, from one pilot run or from two, whose times scatter.
    item o.json '[r["seconds"]["total"] for r in d["measurements"] if r["method"] == "original-serial"]'
    [ "$(item o.json '60 < (lambda t: t[1] / t[0])([r["seconds"]["total"]
        for r in d["measurements"] if r["method"] == "original-serial"]) < 1000')" = True ]
}

@test "within the budget the same is measured" {
    needs python3
    papers --study aidw --size 1K --runs 2 --method original-serial,new-aidw-1e-5 --json o.json > out
    [ "$(item o.json '{(r["state"], r["runs"]) for r in d["measurements"]}')" = "{('measured', 2)}" ]
    [ "$(item o.json 'all(0 <= r["error"] <= r["error_limit"] <= 1e-4 for r in d["measurements"])')" = True ]
}

@test "JSON: settings, machine, series, measurements" {
    needs python3
    papers --size 1K --runs 1 --seed 3 --threads 1 --commit 'a"b\c' --json o.json > out
    [ "$(item o.json '(d["program"], d["commit"], {k: v for k, v in d["settings"].items() if k != "arrays"}, d["machine"]["threads"])')" = \
"('shepard_papers', 'a\"b\\\\c', {'budget': 60, 'runs': 1, 'seed': 3, 'studies': ['aidw', 'idw', 'joint'], 'sizes': [1024]}, 1)" ]
    [ "$(item o.json 'd["settings"]["arrays"] == ("pinned" if d["machine"]["gpu"] else "pageable")')" = True ]
    [ "$(item o.json 'all(d["machine"][k] for k in ("processor", "compiler", "isa"))')" = True ]
    [ "$(item o.json 'all(k in d["machine"] for k in ("gpu", "driver", "cuda_runtime",
        "cuda_compiler")) and d["version"] is not None')" = True ]
    [ "$(item o.json '{tuple(r) for r in d["measurements"]}')" = "{('method', 'power', 'n', 'm', 'columns', 'sets', 'calls', 'state', 'seconds', 'runs', 'error', 'error_limit', 'message')}" ]
    [ "$(item o.json '{tuple(r["seconds"]) for r in d["measurements"]}')" = "{('total', 'mean', 'prepare', 'upload', 'grid', 'neighbours', 'weighting', 'download')}" ]
    [ "$(item o.json 'all(r["seconds"]["mean"] == r["seconds"]["total"] for r in d["measurements"])')" = True ]
    # Each method and case once; each case of each series has measurements.
    [ "$(item o.json '(lambda t: len(t) == len(set(t)))([(r["method"], r["power"], r["n"], r["m"], r["columns"], r["sets"], r["calls"])
        for r in d["measurements"]])')" = True ]
    [ "$(item o.json 'all(any(all(r[k] == c[k] for k in c) for r in d["measurements"])
        for s in d["series"] for c in s["cases"])')" = True ]
    [ "$(item o.json 'max(r["columns"] for r in d["measurements"])')" = 64 ]
    [ "$(item o.json 'all(e["reason"] for e in d["left_out"])')" = True ]
}

@test "another seed gives other data, the same seed the same" {
    needs python3
    for seed in 5 5 6; do
        papers --study aidw --size 1K --runs 1 --method new-aidw-1e-4 --seed $seed --json o.json > out
        item o.json 'd["measurements"][0]["error"]' >> errors
    done
    cat errors
    [ "$(sed -n 1p errors)" = "$(sed -n 2p errors)" ]
    [ "$(sed -n 1p errors)" != "$(sed -n 3p errors)" ]
}

@test "wrong arguments" {
    fails_with "'0' is not a size" papers --size 0
    fails_with "'10Q' is not a size" papers --size 10Q
    fails_with "'-5' is not a size" papers --size=-5
    fails_with "'' is not a size" papers --size 1K,
    fails_with "'9999999K' is not a size" papers --size 9999999K
    fails_with "at most 24 sizes" papers --size "$(seq -s, 1 25)"
    fails_with "there is no method 'quux'" papers --method quux
    fails_with "there is no study 'aidv'" papers --study aidv
    fails_with "they are aidw" papers --study xyzzyx
    fails_with "greater than 0" papers --budget 0
    fails_with "greater than 0" papers --budget nan
    fails_with "from 1 to 100" papers --runs 0
    fails_with "from 1 to 100" papers --runs 101
    fails_with "from 1 to 4096" papers --threads -2
    fails_with "from 1 to" papers --seed 1e3
    fails_with "shepard_papers --help" papers --budgte 3
    fails_with "there are options only" papers papers
}

@test "methods that cannot run here" {
    [ "$PAPERS_TEST_CUDA" = OFF ] || skip "built with CUDA"
    fails_with "none of these can run here: built without CUDA" papers --method improved
    fails_with "none of these can run here: built without CUDA" papers --method gpu
}

@test "an output that cannot be written fails before anything is measured" {
    run papers --study aidw --size 1K --json nowhere/o.json
    [ "$status" -eq 1 ]
    [[ "$output" == *"--json: cannot write nowhere/o.json"* ]]
    [[ "$output" != *measured* ]]
    [ -z "$(ls -A)" ]
}

@test "JSON replaces a file whole; an interrupt leaves the old one" {
    needs python3
    echo precious > o.json
    papers --study aidw --size 64K --method original-serial --budget 100000 --json o.json > log 2>&1 3>&- &
    local pid=$! code=0
    sleep 1
    kill -INT "$pid" || kill -TERM "$pid"
    kill -TERM "$pid" || true # a shell without job control starts it with SIGINT ignored
    wait "$pid" || code=$?
    [ "$code" -gt 128 ]
    [ "$(cat o.json)" = precious ]
    [ "$(ls -A | xargs)" = "log o.json" ]
    papers --study aidw --size 1K --runs 1 --method new --json o.json > log
    [ "$(item o.json 'd["program"]')" = shepard_papers ]
    [ "$(ls -A | xargs)" = "log o.json" ]
}
