#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The choice of a method by its error on held-out data.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    random_points 300 1 > p.csv
    random_points 200 2 > at.csv
}

src() { echo "$BATS_FILE_TMPDIR/p.csv"; }
at() { echo "$BATS_FILE_TMPDIR/at.csv"; }
meuse() { echo "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/data/meuse/meuse.csv"; }

@test "the choice is one of the table that nothing is clearly better than, and validates to the same error" {
    needs python3
    "$SHEPARD" tune -q --json=t.json --write best.txt -zfield zinc "$(meuse)" > table
    tail -2 table
    "$SHEPARD" validate -q --json=v.json -zfield zinc -a @best.txt "$(meuse)" > /dev/null
    python3 - <<'PY'
import json
t, v = json.load(open("t.json")), json.load(open("v.json"))["validations"][0]["scores"][0]
rmse = [s["rmse"] for s in t["scores"]]
assert len(rmse) > 60 and rmse == sorted(rmse) and t["complete"]
(chosen,) = [s for s in t["scores"] if s["algorithm"] == t["choice"]]
assert chosen["rmse"] == t["rmse"] < 1.1 * rmse[0]
assert abs(v["rmse"] - t["rmse"]) < 1e-9 * t["rmse"], (v, t["rmse"])
assert 0.95 * t["rmse"] < t["honest_rmse"] < 1.5 * t["rmse"]
lines = open("table").read().splitlines()
assert lines[-1] == t["choice"]
choice = [line for line in open("best.txt").read().splitlines() if not line.startswith("#")]
assert choice == [t["choice"]]
# Better than what one would use without looking (skill is relative to idw:k=12).
assert chosen["skill"] > 0.2
PY
}

@test "the file of a choice is an algorithm of every verb" {
    printf '# a comment\n\nidw:k=5:power=3\n' > choice.txt
    for a in @choice.txt idw:k=5:power=3; do
        "$SHEPARD" points -q -a "$a" "$(src)" "$(at)" "o_${a:0:1}.csv"
        "$SHEPARD" grid -q -outsize 20 20 -a "$a" "$(src)" "o_${a:0:1}.tif"
    done
    cmp o_@.csv o_i.csv
    same_cells o_@.tif o_i.tif 0
    fails_with "cannot be read" "$SHEPARD" grid -q -a @missing.txt "$(src)" o.tif
    printf '# nothing\n' > empty.txt
    fails_with "no algorithm in this file" "$SHEPARD" grid -q -a @empty.txt "$(src)" o.tif
    # It is an input: nothing replaces it.
    fails_with "choice.txt" "$SHEPARD" points -q -f CSV -a @choice.txt "$(src)" "$(at)" choice.txt
    [ "$(wc -l < choice.txt)" -eq 3 ]
}

@test "the same seed gives the same choice, by targets too" {
    needs python3
    for run in 1 2; do
        "$SHEPARD" tune -q --json=$run.json --at "$(at)" --seed 5 --threads $run "$(src)" > /dev/null
    done
    [ "$(item 1.json "[(s['algorithm'], s['rmse']) for s in d['scores']]")" = "$(item 2.json "[(s['algorithm'], s['rmse']) for s in d['scores']]")" ]
    [ "$(item 1.json "d['kind'], d['held_out'], d['honest_rmse']")" = "$(item 2.json "d['kind'], d['held_out'], d['honest_rmse']")" ]
    [ "$(item 1.json "d['kind']")" = stars ]
}

@test "only the candidates that are named are tried" {
    needs python3
    "$SHEPARD" tune -q --json=t.json -a idw:k=12 -a idw:k=6 -a idw:k=12:degree=1 "$(src)" > /dev/null
    [ "$(item t.json "sorted(s['algorithm'] for s in d['scores'])")" = "['idw:k=12', 'idw:k=12:degree=1', 'idw:k=6']" ]
    "$SHEPARD" tune -q --json=t.json --power 2.5 3.5 --points 8 8 "$(src)" > /dev/null
    [ "$(item t.json "all('k=8' in s['algorithm'] or 'sector=2' in s['algorithm'] or 'sector=1' in s['algorithm'] or s['algorithm'] == 'aidw' for s in d['scores'])")" = True ]
}

@test "what cannot be tuned is said" {
    tune() { "$SHEPARD" tune -q "$@"; }
    fails_with "upside down" tune --power 4 1 "$(src)"
    fails_with "upside down" tune --points 16 8 "$(src)"
    fails_with "too short for one trial" tune --seconds 1e-9 "$(src)"
    fails_with "greater than 0" tune --seconds 0 "$(src)"
    fails_with "tune takes one field" tune -zfield zinc,lead "$(meuse)"
    printf 'x,y,z\n0,0,7\n1,0,7\n0,1,7\n' > same.csv
    fails_with "every value is 7" tune same.csv
    fails_with "idv" tune -a idv "$(src)"
    cp "$(src)" mine.csv
    fails_with "mine.csv" tune --write mine.csv mine.csv
    cmp mine.csv "$(src)"
    # Before any trial.
    fails_with "cannot write" tune --write missing/best.txt "$(src)"
    [[ $output != *"choice of"* ]]
    fails_with "tune takes 1 name (SRC), 2 given" tune "$(src)" out.csv
}
