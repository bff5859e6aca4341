#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Predictions at the points of another layer.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    printf 'x,y,zinc,lead\n0,0,1,10\n10,0,2,20\n0,10,3,\n10,10,4,40\n' > p.csv
    printf 'name,x,y\nthird,10,10\nmiddle,5,5\nfirst,0,0\n"with, comma",3,4\n' > q.csv
}

src() { echo "$BATS_FILE_TMPDIR/p.csv"; }
query() { echo "$BATS_FILE_TMPDIR/q.csv"; }

# column FILE NAME: a column of a CSV file.
column() {
    python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])): print(row[sys.argv[2]])' "$1" "$2"
}

@test "adds a prediction, keeps attributes and order" {
    needs python3
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.csv
    [ "$(column o.csv name)" = $'third\nmiddle\nfirst\nwith, comma' ]
    # On a data point its value; in the middle of the square the mean of the four.
    column o.csv zinc_pred | awk 'NR == 1 && $1 != 4 || NR == 2 && ($1 - 2.5) ^ 2 > 1e-9 ||
        NR == 3 && $1 != 1 || NR == 4 && !($1 > 1 && $1 < 4) { exit 1 } END { exit NR != 4 }'
}

@test "a prediction is the formula's" {
    needs python3
    "$SHEPARD" points -q -zfield zinc -a idw:power=3:precision=double:eps=0 "$(src)" "$(query)" o.csv
    column o.csv zinc_pred > predicted
    python3 - <<'EOF'
points = [(0, 0, 1), (10, 0, 2), (0, 10, 3), (10, 10, 4)]
w = [((3 - x) ** 2 + (4 - y) ** 2) ** -1.5 for x, y, _ in points]
exact = sum(a * z for a, (_, _, z) in zip(w, points)) / sum(w)
assert abs(float(open("predicted").read().split()[3]) - exact) < 1e-12, exact
EOF
}

@test "anisotropy is the formula's" {
    needs python3
    "$SHEPARD" points -q -zfield zinc \
        -a idw:power=3:precision=double:eps=0:anisotropy_ratio=2.5:anisotropy_angle=30 \
        "$(src)" "$(query)" o.csv
    column o.csv zinc_pred > predicted
    python3 - <<'EOF'
from math import cos, sin, radians
points = [(0, 0, 1), (10, 0, 2), (0, 10, 3), (10, 10, 4)]
c, s = cos(radians(30)), sin(radians(30))
def counted(dx, dy): return ((dx * c + dy * s) / 2.5) ** 2 + (dy * c - dx * s) ** 2
w = [counted(x - 3, y - 4) ** -1.5 for x, y, _ in points]
exact = sum(a * z for a, (_, _, z) in zip(w, points)) / sum(w)
assert abs(float(open("predicted").read().split()[3]) - exact) < 1e-12, exact
EOF
}

@test "several fields, each with its own gaps" {
    needs python3
    "$SHEPARD" points -q -zfield zinc,lead "$(src)" "$(query)" o.csv
    [ "$(head -1 o.csv | grep -c 'zinc_pred.*lead_pred')" -eq 1 ]
    # The mean of the three leads at equal distance, and of all four zincs.
    column o.csv lead_pred | awk 'NR == 2 && ($1 - 70 / 3) ^ 2 > 1e-7 { exit 1 }'
    column o.csv zinc_pred | awk 'NR == 2 && ($1 - 2.5) ^ 2 > 1e-9 { exit 1 }'
}

@test "diagnostics are columns" {
    needs python3
    "$SHEPARD" points -q -zfield zinc -a idw:radius=6:min_points=1 \
        --diagnostics count,nearest,alpha,deviation,effective "$(src)" "$(query)" o.csv
    [ "$(column o.csv count | tr '\n' ' ')" = "1 0 1 1 " ]
    [ "$(column o.csv nearest | tr '\n' ' ')" = "0  0 5 " ]
    [ "$(column o.csv zinc_pred | tr '\n' ' ')" = "4  1 1 " ]
    [ "$(column o.csv zinc_dev | tr '\n' ' ')" = "0  0 0 " ]
    [ "$(column o.csv alpha | tr '\n' ' ')" = "2  2 2 " ]
    [ "$(column o.csv effective | tr '\n' ' ')" = "1  1 1 " ]
}

@test "z of the geometry becomes z_pred" {
    needs python3 ogr2ogr
    ogr2ogr -q -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo Z_POSSIBLE_NAMES=zinc \
        -oo AUTODETECT_TYPE=YES -f GeoJSON p.geojson "$(src)"
    "$SHEPARD" points -q p.geojson "$(query)" o.csv
    [ "$(column o.csv z_pred | head -1)" = 4 ]
}

@test "other formats, options, layers" {
    needs python3 ogrinfo ogr2ogr
    ogr2ogr -q -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
        -a_srs EPSG:32632 q.gpkg "$(query)" -nln places
    "$SHEPARD" points -q -zfield zinc -ql places -f GeoJSON -lco COORDINATE_PRECISION=2 \
        "$(src)" q.gpkg o.json
    [ "$(item o.json '[f["properties"]["name"] for f in d["features"]]')" = \
        "['third', 'middle', 'first', 'with, comma']" ]
    [ "$(item o.json 'd["features"][0]["properties"]["zinc_pred"]')" = 4.0 ]
    "$SHEPARD" points -q -zfield zinc "$(src)" q.gpkg o.gpkg
    [ "$(ogrinfo -so -al o.gpkg | grep -c 'Feature Count: 4')" -eq 1 ]
}

@test "standard input and output" {
    needs python3
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.csv
    "$SHEPARD" points -zfield zinc "$(src)" - - < "$(query)" > piped.csv
    cmp o.csv piped.csv
    "$SHEPARD" points -zfield zinc - "$(query)" /vsistdout/ < "$(src)" > piped.csv
    cmp o.csv piped.csv
    fails_with "cannot both be standard input" "$SHEPARD" points - - o2.csv
}

@test "a query point without coordinates gets no prediction, and is counted" {
    needs python3
    printf 'name,x,y\na,1,1\nb,,\nc,2,2\n' > gap.csv
    run --separate-stderr "$SHEPARD" points -zfield zinc --json=s.json "$(src)" gap.csv o.csv
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"1 of 3 query points"* ]]
    [ "$(column o.csv zinc_pred | sed -n 2p)" = "" ]
    [ "$(column o.csv name | tr '\n' ' ')" = "a b c " ]
    [ "$(item s.json 'd["targets"], d["targets_without_point"]')" = "(3, 1)" ]
}

@test "errors: files, fields, GDAL's methods, same names" {
    fails_with "nowhere.csv" "$SHEPARD" points -zfield zinc "$(src)" nowhere.csv o.csv
    fails_with "zinc" "$SHEPARD" points -zfield zinx "$(src)" "$(query)" o.csv
    fails_with "computed by GDAL" "$SHEPARD" points -zfield zinc -a nearest "$(src)" "$(query)" o.csv
    fails_with "3 names (SRC QUERY DST), 2 given" "$SHEPARD" points "$(src)" "$(query)"
    cp "$(query)" q.csv
    fails_with "both input and output" "$SHEPARD" points -zfield zinc "$(src)" q.csv q.csv
    cmp q.csv "$(query)"
    [ "$(ls -A)" = q.csv ]
}

@test "no two columns of a CSV have one name" {
    needs ogr2ogr
    ogr2ogr -q -f GPKG -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo KEEP_GEOM_COLUMNS=YES \
        -oo AUTODETECT_TYPE=YES q.gpkg "$(query)"
    run --separate-stderr "$SHEPARD" points -zfield zinc "$(src)" q.gpkg o.csv
    [ "$status" -eq 0 ]
    [ "$(head -1 o.csv)" = "X,Y,name,x_2,y_2,zinc_pred" ]
    [[ "$stderr" == *'is called "x_2"'* ]]
    [ "$(sed -n 3p o.csv)" = "5,5,middle,5,5,2.5" ]
    printf 'x,y,a,a\n0,0,1,2\n' > twice.csv
    "$SHEPARD" points -q -zfield zinc "$(src)" twice.csv o.csv
    [ "$(cat o.csv)" = $'x,y,a,a_2,zinc_pred\n0,0,1,2,1' ]
}

@test "query points of no coordinate system are in that of the data" {
    needs ogr2ogr gdalsrsinfo
    ogr2ogr -q -f GPKG -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
        -a_srs EPSG:32632 s.gpkg "$(src)"
    "$SHEPARD" points -q -zfield zinc s.gpkg "$(query)" o.gpkg
    [ "$(gdalsrsinfo -o epsg o.gpkg | tr -d '[:space:]')" = "EPSG:32632" ]
}

@test "query points without enough points are counted" {
    needs python3
    run --separate-stderr "$SHEPARD" points -zfield zinc -a idw:radius=1 --json=s.json \
        "$(src)" "$(query)" o.csv
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [[ "$stderr" == *"2 of 4 query points have too few points within reach"* ]]
    [ "$(item s.json 'd["targets_without_prediction"]')" = 2 ]
}

@test "a value of -9999 is a value" {
    needs python3
    printf 'x,y,z\n0,0,-9999\n10,10,5\n' > low.csv
    "$SHEPARD" points -q -zfield z low.csv "$(query)" o.csv
    [ "$(column o.csv z_pred | sed -n 3p)" = -9999 ]
}
