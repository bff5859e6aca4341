#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How distances are measured: great circles between longitudes and latitudes, in space with -zdim.
# Predictions are compared with formulas over all points.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    # Longitudes beyond the date line, latitudes up to the pole; heights; a value of each place.
    awk 'BEGIN { srand(11); print "lon,lat,z,v"
        for (i = 0; i < 300; i++) printf "%.9f,%.9f,%.6f,%.6f\n", 360 * rand() - 180,
            i < 100 ? 90 - 3 * rand() : 180 * rand() - 90, 40 * rand(), 10 * rand() }' > ll.csv
    awk 'BEGIN { srand(12); print "lon,lat,z"; print "0,90,5"; print "180,10,5"; print "-180,10,5"
        for (i = 0; i < 60; i++) printf "%.9f,%.9f,%.6f\n", 360 * rand() - 180,
            i < 20 ? 90 - 3 * rand() : 180 * rand() - 90, 40 * rand() }' > qll.csv
    sed '1s/.*/x,y,z,v/' ll.csv > xyz.csv
    sed '1s/.*/x,y,z/' qll.csv > qxyz.csv
}

f() { echo "$BATS_FILE_TMPDIR/$1"; }

# idw DISTANCE K POINTS QUERY: predictions of power 2 from the K nearest of all, a line each.
idw() {
    python3 -IS - "$@" <<'EOF'
import csv, math, sys
from math import asin, cos, radians, sin, sqrt

def sphere(a, b):
    (p, q), (r, s) = map(radians, a[:2]), map(radians, b[:2])
    h = sin((s - q) / 2) ** 2 + cos(q) * cos(s) * sin((r - p) / 2) ** 2
    return 2 * 6371008.8 * asin(min(1, sqrt(h)))

def space(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (factor * (a[2] - b[2])) ** 2)

def rows(name):
    with open(name, encoding="utf-8") as file:
        return [[float(text) for text in row] for row in list(csv.reader(file))[1:]]

name, _, text = sys.argv[1].partition(":")
factor = float(text or 1)
points, k = rows(sys.argv[3]), int(sys.argv[2])
for q in rows(sys.argv[4]):
    near = sorted((globals()[name](p, q), p[3]) for p in points)[:k or None]
    weights = [1 / d ** 2 for d, _ in near]
    print(repr(sum(w * v for w, (_, v) in zip(weights, near)) / sum(weights)))
EOF
}

# agree A B: columns of numbers that differ by less than 1e-9 of the values' range.
agree() {
    paste "$1" "$2" | awk 'NF != 2 { bad = 1 } { d = $1 - $2; if (!(d * d < 1e-16)) bad = 1 } END { exit bad || !NR }' ||
        { paste "$1" "$2" | head -5; false; }
}

predictions() { tail -n +2 "$1" | sed 's/.*,//'; }

@test "longitude and latitude: great circles, over the poles and the date line" {
    needs python3
    "$SHEPARD" points -q -zfield v -a idw:k=7 "$(f ll.csv)" "$(f qll.csv)" o.csv
    agree <(predictions o.csv) <(idw sphere 7 "$(f ll.csv)" "$(f qll.csv)")
    # One place has one prediction, whichever side of the date line it is named from.
    [ "$(predictions o.csv | sed -n 2p)" = "$(predictions o.csv | sed -n 3p)" ]
    # All points: every pair, without being asked for.
    "$SHEPARD" points -q -zfield v -a idw "$(f ll.csv)" "$(f qll.csv)" all.csv
    agree <(predictions all.csv) <(idw sphere 0 "$(f ll.csv)" "$(f qll.csv)")
    "$SHEPARD" points -q -planar -zfield v -a idw:k=7 "$(f ll.csv)" "$(f qll.csv)" plane.csv
    ! cmp -s o.csv plane.csv
}

@test "a raster of longitude and latitude has the predictions at its cells" {
    needs python3 gdal_translate gdalinfo
    "$SHEPARD" grid -q -zfield v -a idw:k=7 -txe -180 180 -tye -90 90 -outsize 12 6 --json=s.json "$(f ll.csv)" o.tif
    [ "$(item s.json 'd["metric"]')" = sphere ]
    awk 'BEGIN { print "lon,lat,z"; for (r = 0; r < 6; r++) for (c = 0; c < 12; c++) print c * 30 - 165 "," 75 - 30 * r ",0" }' > cells.csv
    agree <(cells o.tif) <(idw sphere 7 "$(f ll.csv)" cells.csv)
    # The coordinate system may be named late.
    "$SHEPARD" grid -q -zfield v -a_srs EPSG:4326 -a idw:k=7 -txe -180 180 -tye -90 90 -outsize 12 6 "$(f xyz.csv)" x.tif
    agree <(cells o.tif) <(cells x.tif)
}

@test "a radius on the sphere is in metres, and a note says so" {
    run --separate-stderr "$SHEPARD" points -zfield v -a idw:radius=500000 "$(f ll.csv)" "$(f qll.csv)" o.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"the radius is in metres"*"-planar"* ]]
    run --separate-stderr "$SHEPARD" grid -zfield v -a nearest -outsize 4 4 "$(f ll.csv)" o.tif
    [[ "$stderr" == *"GDAL's nearest treats as plane coordinates"* ]]
    fails_with "eps" "$SHEPARD" grid -q -zfield v -a idw:eps=1e-4 "$(f ll.csv)" o.tif
}

@test "-zdim: distances in space, with a factor of the height" {
    needs python3
    "$SHEPARD" points -q -zfield v -zdim z -a idw:k=7 "$(f xyz.csv)" "$(f qxyz.csv)" o.csv
    agree <(predictions o.csv) <(idw space 7 "$(f xyz.csv)" "$(f qxyz.csv)")
    "$SHEPARD" points -q -zfield v -zdim z -zfactor 3 -a idw "$(f xyz.csv)" "$(f qxyz.csv)" o.csv
    agree <(predictions o.csv) <(idw space:3 0 "$(f xyz.csv)" "$(f qxyz.csv)")
}

@test "-zlevels: a band at each height" {
    needs python3 gdal_translate gdalinfo
    "$SHEPARD" grid -q -zfield v -zdim z -zlevels 5,20.5 -a idw:k=7 -txe -180 180 -tye -90 90 -outsize 4 3 "$(f xyz.csv)" o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = "['v_z5', 'v_z20.5']" ]
    for band in 1 2; do
        awk -v z="$([ $band = 1 ] && echo 5 || echo 20.5)" 'BEGIN { print "x,y,z"
            for (r = 0; r < 3; r++) for (c = 0; c < 4; c++) print c * 90 - 135 "," 60 - 60 * r "," z }' > cells.csv
        agree <(cells o.tif $band) <(idw space 7 "$(f xyz.csv)" cells.csv)
    done
}

@test "-zlevels: netCDF and Zarr have a variable on z, y and x" {
    needs python3 gdal_translate gdalinfo gdalmdiminfo
    gdalinfo --formats | grep -q '^ *netCDF .*(rw' || skip "this GDAL does not write netCDF"
    stack() {
        "$SHEPARD" grid -q -zfield v -zdim z -zlevels 20.5,5,9 -a idw:k=7 --diagnostics count -txe -180 180 -tye -90 90 -outsize 4 3 "$(f xyz.csv)" "$@"
    }
    stack o.tif
    stack o.nc
    item() { gdalmdiminfo "$1" | python3 -c "import json, sys; d = json.load(sys.stdin); print($2)"; }
    [ "$(item o.nc '[(n["name"], n["size"], n.get("type")) for n in d["dimensions"]]')" = \
        "[('z', 3, 'VERTICAL'), ('y', 3, 'HORIZONTAL_Y'), ('x', 4, 'HORIZONTAL_X')]" ]
    [ "$(item o.nc '[d["arrays"][n]["dimensions"] for n in ("v", "count")]')" = "[['/z', '/y', '/x'], ['/z', '/y', '/x']]" ]
    [ "$(item o.nc 'd["arrays"]["z"]["attributes"]')" = "{'axis': 'Z', 'positive': 'up'}" ]
    gdalinfo NETCDF:o.nc:v > info
    grep -q 'NETCDF_DIM_z_VALUES={5,9,20.5}' info
    # Heights rise in the file; bands of the GeoTIFF are as given, those of count behind those of v.
    for bands in 1:3:v 2:1:v 3:2:v 4:3:count 5:1:count; do
        IFS=: read -r of_tif of_nc name <<< "$bands"
        agree <(cells o.tif "$of_tif") <(cells "NETCDF:o.nc:$name" "$of_nc")
    done
    gdalinfo --formats | grep -q '^ *Zarr .*(rw' || skip "this GDAL does not write Zarr"
    stack -co BLOCKSIZE=2,3 o.zarr
    [ "$(item o.zarr '[d["arrays"]["v"][n] for n in ("dimensions", "block_size")]')" = "[['/z', '/y', '/x'], [1, 2, 3]]" ]
    agree <(cells o.tif 1) <(cells 'ZARR:"o.zarr":/v:2' 1)
}

@test "-zdim: the geometry's Z; points without it are left out and counted" {
    needs ogr2ogr
    printf 'x,y,z,v\n0,0,1,1\n1,0,2,2\n0,1,,3\n1,1,4,4\n' > some.csv
    ogr2ogr -q -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo Z_POSSIBLE_NAMES=z -oo AUTODETECT_TYPE=YES some.gpkg some.csv
    printf 'x,y,h\n0.5,0.5,1\n' > q.csv
    run --separate-stderr "$SHEPARD" points -zfield v -zdim z -qzdim h -a idw:k=2 some.csv q.csv o.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"skipped 1 without a third coordinate"* ]]
    "$SHEPARD" points -q -zfield v -zdim Z -qzdim h -a idw:k=2 some.gpkg q.csv geometry.csv
    [ "$(predictions o.csv)" = "$(predictions geometry.csv)" ]
}

@test "options of the third coordinate that do not go together" {
    fails_with "-zlevels" "$SHEPARD" grid -q -zfield v -zdim z "$(f xyz.csv)" o.tif
    fails_with "-zlevels needs -zdim" "$SHEPARD" grid -q -zfield v -zlevels 1 "$(f xyz.csv)" o.tif
    fails_with "given twice" "$SHEPARD" grid -q -zfield v -zdim z -zlevels 1,1.0 "$(f xyz.csv)" o.tif
    fails_with "not a number" "$SHEPARD" grid -q -zfield v -zdim z -zlevels 1,b "$(f xyz.csv)" o.tif
    fails_with "-zfactor needs -zdim" "$SHEPARD" grid -q -zfield v -zfactor 2 "$(f xyz.csv)" o.tif
    fails_with "-t_srs" "$SHEPARD" grid -q -zfield v -zdim z -zlevels 1 "$(f ll.csv)" o.tif
    fails_with "-zfield" "$SHEPARD" grid -q -zdim z -zlevels 1 "$(f xyz.csv)" o.tif
    fails_with "height" "$SHEPARD" grid -q -zfield v -zdim height -zlevels 1 "$(f xyz.csv)" o.tif
    fails_with "GDAL" "$SHEPARD" grid -q -zfield v -zdim z -zlevels 1 -a nearest "$(f xyz.csv)" o.tif
    [ ! -e o.tif ]
}

# The formula of the nearest seven by great circles, of residuals from a trend whose coefficients are
# those that validate states.
@test "validate --truth with a trend along great circles" {
    needs python3
    awk -F, 'BEGIN { OFS = "," } { $4 = NR == 1 ? "v" : $4 / 10 + 3 * $3 } { print }' "$(f ll.csv)" > trend.csv
    head -241 trend.csv > data.csv
    { head -1 trend.csv; tail -60 trend.csv; } > truth.csv
    "$SHEPARD" validate -q -zfield v -trend z -a idw:k=7 --json=v.json --truth truth.csv data.csv
    "$SHEPARD" points -q -zfield v -trend z -a idw:k=7 --json=p.json data.csv truth.csv o.csv
    [ "$(item p.json 'd["metric"]')" = sphere ]
    slope=$(item v.json "d['validations'][0]['scores'][0]['trend']['covariates'][0]['coefficient']")
    awk -F, -v b="$slope" 'BEGIN { OFS = "," } NR > 1 { $4 = sprintf("%.17g", $4 - b * $3) } { print }' data.csv > rest.csv
    idw sphere 7 rest.csv truth.csv > by_formula
    python3 - "$slope" <<'PY'
import csv, json, math, sys
b = float(sys.argv[1])
truth = list(csv.DictReader(open("truth.csv")))
def rmse(predicted):
    return math.sqrt(sum((p - float(row["v"])) ** 2 for p, row in zip(predicted, truth, strict=True)) / 60)
score = json.load(open("v.json"))["validations"][0]["scores"][0]
points = rmse([float(row["v_pred"]) for row in csv.DictReader(open("o.csv"))])
formula = rmse([float(line) + b * float(row["z"]) for line, row in zip(open("by_formula"), truth)])
assert score["n"] == 60 and abs(score["rmse"] / points - 1) < 1e-9, (score, points)
assert abs(score["rmse"] / formula - 1) < 1e-6, (score, formula)
PY
}
