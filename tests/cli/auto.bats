#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# -a auto: a method is chosen for the targets, then it predicts.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    random_points 100 1 > p.csv
    random_points 60 2 > at.csv
}

src() { echo "$BATS_FILE_TMPDIR/p.csv"; }
at() { echo "$BATS_FILE_TMPDIR/at.csv"; }
meuse() { echo "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/data/meuse/meuse.csv"; }

# values N [VALUE]: points in a row, of few values or of one.
values() {
    awk -v n="$1" -v value="$2" 'BEGIN { print "x,y,z"
        for (i = 0; i < n; i++) printf "%d,%d,%s\n", 10 * i, (i * i) % 7, value != "" ? value : i % 3 }'
}

@test "the raster's choice is that of tune, and reads back" {
    needs python3
    "$SHEPARD" tune -q --json=t.json -zfield zinc -tr 40 40 "$(meuse)" > /dev/null
    "$SHEPARD" grid --json=g.json --report g.html -zfield zinc -tr 40 40 -a auto "$(meuse)" g.tif > printed
    cat printed
    [ "$(item g.json "d['automatic_choice']['algorithm']")" = "$(item t.json "d['choice']")" ]
    for key in rmse honest_rmse sd_ratio kind held_out held_out_nearest target_nearest complete; do
        [ "$(item g.json "d['automatic_choice']['$key']")" = "$(item t.json "d['$key']")" ]
    done
    [ "$(item g.json "d['automatic_choice']['trials']")" = "$(item t.json "len(d['scores'])")" ]
    grep -qxF "$(item t.json "d['choice']")" printed
    grep -q '^-a auto by field zinc: the best of .* RMSE' printed
    # The same raster, by the choice and by what the metadata say.
    "$SHEPARD" grid -q -zfield zinc -tr 40 40 -a "$(item t.json "d['choice']")" "$(meuse)" a.tif
    same_cells g.tif a.tif 0
    local metadata='d["metadata"][""]'
    "$SHEPARD" grid -q -zfield zinc -tr 40 40 \
        -a "$(about g.tif "$metadata['SHEPARD_METHOD'] + ':' + $metadata['SHEPARD_PARAMETERS']")" "$(meuse)" b.tif
    same_cells g.tif b.tif 0
    [[ "$(about g.tif "$metadata['SHEPARD_AUTO']")" == "zinc: the best of "*"RMSE"* ]]
    [ "$(about a.tif "'SHEPARD_AUTO' in $metadata")" = False ]
    [ "$(item g.json "d['method']")" = "$(about g.tif "$metadata['SHEPARD_METHOD']")" ]
    python3 "$BATS_TEST_DIRNAME/page.py" numbers g.html g.json
    grep -q '"automatic_choice.honest_rmse"' g.html
    grep -q '"automatic_choice.sd_ratio"' g.html
}

@test "the choice for query points is that of tune --at, for any number of threads" {
    needs python3
    "$SHEPARD" tune -q --json=t.json --at "$(at)" --seed 5 "$(src)" > /dev/null
    for run in 1 2; do
        "$SHEPARD" points -q --json=$run.json --seed 5 --threads $run -a auto "$(src)" "$(at)" $run.csv
        [ "$(item $run.json "d['automatic_choice']['algorithm'], d['automatic_choice']['rmse']")" = \
            "$(item t.json "d['choice'], d['rmse']")" ]
    done
    cmp 1.csv 2.csv
    "$SHEPARD" points -q -a "$(item t.json "d['choice']")" "$(src)" "$(at)" a.csv
    cmp 1.csv a.csv
    # Another seed holds out other data.
    "$SHEPARD" points -q --json=s.json --seed 6 -a auto "$(src)" "$(at)" s.csv
    [ "$(item s.json "d['automatic_choice']['rmse']")" != "$(item 1.json "d['automatic_choice']['rmse']")" ]
}

@test "nodata is kept, and the other options of a prediction go with the choice" {
    needs python3
    "$SHEPARD" grid -q --json=g.json --backend ref --diagnostics sd,count -outsize 9 9 -a auto:nodata=-5 "$(src)" g.tif
    [ "$(about g.tif 'd["bands"][0]["noDataValue"]')" = -5.0 ]
    [ "$(item g.json "d['parameters']['nodata'], d['results'], d['models'][0]['backend']")" = "(-5, ['z', 'z_sd', 'count'], 'ref')" ]
    "$SHEPARD" grid -q --json=b.json -ot Byte -outsize 9 9 -a auto "$(src)" b.tif
    [ "$(item b.json "d['parameters']['nodata']")" = 255 ]
}

@test "several fields share the method and the neighbourhood, and have their own fits" {
    needs python3
    "$SHEPARD" grid -q --json=g.json -zfield zinc,lead -tr 80 80 -a auto "$(meuse)" g.tif
    "$SHEPARD" grid -q --json=one.json -zfield zinc -tr 80 80 -a auto "$(meuse)" one.tif
    python3 - <<'PY'
import json
g, one = json.load(open("g.json")), json.load(open("one.json"))
chosen, first = g["automatic_choice"]["algorithm"].split(":"), one["automatic_choice"]["algorithm"].split(":")
# The data are known to be kriged best.
assert chosen[0] == first[0] == "krige" and g["automatic_choice"]["field"] == "zinc"
fitted = {"psill", "range", "nugget", "p", "anisotropy_ratio", "anisotropy_angle"}
assert {k.split("=")[0] for k in first} - {k.split("=")[0] for k in chosen} == fitted
assert set(chosen) < set(first), (chosen, first)
psills = [m["fit"]["parameters"].split("psill=")[1].split(":")[0] for m in g["models"]]
assert len(psills) == 2 and abs(float(psills[0]) / float(psills[1])) > 5, psills
PY
}

@test "what cannot be compared is predicted all the same, with a note" {
    needs python3
    values 5 > few.csv
    run "$SHEPARD" grid --json=few.json -outsize 3 3 -a auto few.csv few.tif
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"field z has too few points with a value (5) to compare methods, which takes 10; krige is taken"* ]]
    [ "$(item few.json "d['method'], d['automatic_choice']['searched']")" = "('krige', False)" ]
    [[ "$(about few.tif 'd["metadata"][""]["SHEPARD_AUTO"]')" == "z: nothing to compare" ]]
    values 20 7 > same.csv
    run "$SHEPARD" grid -outsize 3 3 -a auto same.csv same.tif
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"every value of field z is 7, which each method predicts; krige is taken"* ]]
    [ "$(cells same.tif | sort -u)" = 7 ]
    printf 'x,y,name\n,,a\n' > nowhere.csv
    run "$SHEPARD" points -a auto "$(src)" nowhere.csv nowhere_pred.csv
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"no target with coordinates"* ]]
    # Targets far outside: errors among the data choose.
    printf 'x,y\n1e9,1e9\n' > far.csv
    run "$SHEPARD" points --json=far.json -a auto "$(src)" far.csv far_pred.csv
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"-a auto: no datum can stand for a target"* ]]
    [ "$(item far.json "d['automatic_choice']['kind']")" = leave-one-out ]
}

@test "bad input to auto is said" {
    grid() { "$SHEPARD" grid -q -outsize 5 5 "$@" "$(src)" o.tif; }
    fails_with "auto takes no key but nodata" grid -a auto:k=12
    fails_with "nodata is given twice" grid -a auto:nodata=1:nodata=2
    fails_with "'x' is not a number" grid -a auto:nodata=x
    fails_with "did you mean auto?" grid -a atuo
    fails_with "too short for one trial" grid -a auto --seconds 1e-9
    fails_with "greater than 0" grid -a auto --seconds 0
    fails_with "--seconds is an option of -a auto" grid --seconds 5
    fails_with "--seed is an option of -a auto" grid --seed 5 -a idw
    fails_with "validate compares methods that are named" "$SHEPARD" validate -a auto "$(src)"
    [ ! -e o.tif ]
}
