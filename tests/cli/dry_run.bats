#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --dry-run: what it says holds for the run itself, and nothing is written.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    LC_ALL=C awk 'BEGIN { srand(5); print "x,y,a,b"
        for (i = 0; i < 20000; i++) printf "%.3f,%.3f,%.3f,%.3f\n", 1000 * rand(), 800 * rand(), 9 * rand(), rand() }' > p.csv
}

points() { echo "$BATS_FILE_TMPDIR/p.csv"; }

needs_json() {
    needs python3
    run "$SHEPARD" grid -q --dry-run --json=s.json -zfield a -outsize 2 2 "$(points)" o.tif
    [[ "$output" != *"built without cJSON"* ]] || skip "built without cJSON"
    rm s.json
}

@test "says what would be done, and leaves the folder as it was" {
    mkdir folder
    cd folder || return 1
    echo old > old.tif
    run --separate-stderr "$SHEPARD" grid --dry-run -zfield a,b -a idw:k=3 --diagnostics count -tr 10 10 \
        -txe 0 1000 -tye 0 800 --report page.html "$(points)" new.tif
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"20000 points"*"raster: 100 x 80 cells of 10 x 10, x 0 to 1000, y 0 to 800"* ]]
    [[ "$output" == *"bands: a, b, count; Float64, nodata -9999"*"method: idw:"*"k=3"* ]]
    [[ "$output" == *"backend: cpu"*"output: new.tif, GTiff, "*"COMPRESS="*"time: about "*"memory: about "* ]]
    run -0 "$SHEPARD" grid --dry-run -q -zfield a -co COMPRESS=LZW "$(points)" old.tif
    [[ "$output" == *"COMPRESS=LZW"* ]]
    [ "$(cat old.tif)" = old ]
    [ "$(ls -A)" = old.tif ]
}

@test "fails where the run would" {
    fails_with "aa" "$SHEPARD" grid --dry-run -zfield aa "$(points)" o.tif
    fails_with "there is no folder" "$SHEPARD" grid --dry-run -zfield a "$(points)" nowhere/o.tif
    fails_with "cannot hold" "$SHEPARD" grid --dry-run -zfield a -of PNG "$(points)" o.png
    cp "$(points)" p.csv
    fails_with "both input" "$SHEPARD" grid --dry-run -zfield a -of GTiff p.csv ./p.csv
}

@test "memory is estimated within a factor of 1.5" {
    needs_json
    local job
    for job in "-zfield a -a idw:k=1 -outsize 20 20|small.tif" "-zfield a -a idw:k=1 -outsize 1500 1200|large.tif" \
        "-zfield a,b -a idw:k=2 --diagnostics count -ot Float32 -outsize 900 800|bands.tif" \
        "-zfield a -a idw:k=1 -of COG -outsize 1200 900|cog.tif" "-zfield a -a idw:k=1 -outsize 900 900|o.nc"; do
        "$SHEPARD" grid -q --dry-run --json=dry.json ${job%|*} "$(points)" "${job#*|}"
        [ ! -e "${job#*|}" ]
        "$SHEPARD" grid -q --json=real.json ${job%|*} "$(points)" "${job#*|}"
        echo "$job: memory $(item dry.json 'd["estimate"]["memory_bytes"] / 1e6') of \
            $(item real.json 'd["peak_memory_bytes"] / 1e6') MB, file \
            $(item dry.json 'd["estimate"]["file_bytes"] / 1e6') of $(item real.json 'd["output"]["bytes"] / 1e6') MB"
        python3 -IS - <<'EOP'
import json
dry, real = json.load(open("dry.json")), json.load(open("real.json"))
assert dry["raster"]["columns"] == real["raster"]["columns"] and dry["results"] == real["results"]
ratio = dry["estimate"]["memory_bytes"] / real["peak_memory_bytes"]
assert 1 / 1.5 < ratio < 1.5, ratio
EOP
    done
}

@test "a mask, and a method that is to be chosen" {
    needs_json
    printf 'id,WKT\n1,"POLYGON((0 0,500 0,500 800,0 0))"\n' > m.csv
    local job="-q -zfield a -outsize 200 160 -mask m.csv"
    "$SHEPARD" grid $job -a idw:k=1 --dry-run --json=dry.json "$(points)" o.tif
    "$SHEPARD" grid $job -a idw:k=1 --json=real.json "$(points)" o.tif
    [ "$(item dry.json 'd["estimate"]["cells"]')" = \
        "$(item real.json '200 * 160 - d["raster"]["bands"][0]["cells_outside_mask"]')" ]
    "$SHEPARD" grid $job -a auto --seconds 50 --dry-run --json=dry.json "$(points)" o.tif
    [ "$(item dry.json 'd["estimate"]["seconds_search"]')" = 50 ]
    [ "$(item dry.json '50 < d["estimate"]["seconds"] < 60')" = True ]
}

@test "a raster larger than memory is allowed to be: a bound that does not grow with it" {
    needs_json
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip "a sanitizer's memory counts, too"
    # All but a few of 240 million cells lie outside the mask. As doubles they are 1.9 GB.
    printf 'id,WKT\n1,"POLYGON((500 0,501 0,501 800,500 0))"\n' > m.csv
    "$SHEPARD" grid -q --json=s.json -zfield a -a idw:k=1 -ot Byte -mask m.csv -outsize 40000 6000 \
        "$(points)" o.tif
    [ "$(item s.json 'd["peak_memory_bytes"] < 2**29')" = True ]
}

@test "points: says what would be done, and leaves the folder as it was" {
    mkdir folder
    cd folder || return 1
    run --separate-stderr "$SHEPARD" points --dry-run -zfield a,b -a idw:k=3 --diagnostics count "$(points)" "$(points)" o.csv
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"20000 points, 20000 query points"*"columns: a_pred, b_pred, count"*"method: idw:"*"k=3"* ]]
    [[ "$output" == *"backend: cpu"*"output: o.csv, CSV, about "*"time: about "*"memory: about "*"Nothing was written." ]]
    printf 'x,y\n1,2\n' > one.csv
    printf 'x,y\n' > none.csv
    for query in one none; do
        "$SHEPARD" points --dry-run -q -zfield a "$(points)" $query.csv o.gpkg
    done
    fails_with "aa" "$SHEPARD" points --dry-run -zfield aa "$(points)" one.csv o.csv
    fails_with "there is no folder" "$SHEPARD" points --dry-run -zfield a "$(points)" one.csv nowhere/o.csv
    [ "$(ls -A | tr '\n' ' ')" = "none.csv one.csv " ]
}

@test "points: memory and size are estimated within a factor of 1.5" {
    needs_json
    LC_ALL=C awk 'BEGIN { srand(6); print "x,y,name"
        for (i = 0; i < 200000; i++) printf "%.3f,%.3f,n%d\n", 1000 * rand(), 800 * rand(), i % 100 }' > q.csv
    local job
    for job in "-zfield a -a idw:k=3|o.csv" "-zfield a,b -a idw:k=12 --diagnostics count|o.gpkg" "-zfield a -a idw:k=3|o.fgb"; do
        "$SHEPARD" points -q --dry-run --json=dry.json ${job%|*} "$(points)" q.csv "${job#*|}"
        [ ! -e "${job#*|}" ]
        "$SHEPARD" points -q --json=real.json ${job%|*} "$(points)" q.csv "${job#*|}"
        python3 -IS - "$job" <<'EOP'
import json, sys
dry, real = json.load(open("dry.json")), json.load(open("real.json"))
assert dry["targets"] == real["targets"] and dry["results"] == real["results"]
for what, a, b in (("memory", dry["estimate"]["memory_bytes"], real["peak_memory_bytes"]),
                   ("file", dry["estimate"]["file_bytes"], real["output"]["bytes"])):
    print(sys.argv[1], what, a, b)
    assert 1 / 1.5 < a / b < 1.5
EOP
    done
}
