#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Barriers: -barrier.
load common

# p.csv: z is 1 west of x = 500000, 2 east of it. wall.geojson: that line, in WGS 84 the central
# meridian of UTM zone 32; ring.geojson: a square.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    python3 - <<'PY'
import json, random
random.seed(20261123)
with open("p.csv", "w") as f, open("q.csv", "w") as q:
    f.write("x,y,z\n")
    q.write("x,y\n")
    for i in range(300):
        x, y = 499000 + 2000 * random.random(), 5400000 + 2000 * random.random()
        f.write(f"{x!r},{y!r},{1 if x < 500000 else 2}\n")
        q.write(f"{499000 + 2000 * random.random()!r},{5400000 + 2000 * random.random()!r}\n")
def layer(name, kind, coordinates, crs):
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": kind, "coordinates": coordinates}}
    data = {"type": "FeatureCollection", "features": [feature]}
    if crs:
        data["crs"] = {"type": "name", "properties": {"name": crs}}
    json.dump(data, open(name, "w"))
utm = "urn:ogc:def:crs:EPSG::32632"
layer("wall.geojson", "LineString", [[500000, 5390000], [500000, 5400500], [500000, 5410000]], utm)
layer("meridian.geojson", "LineString", [[9, 48], [9, 49.5]], None)
layer("ring.geojson", "Polygon", [[[499500, 5400500], [500500, 5400500], [500500, 5401500], [499500, 5401500], [499500, 5400500]]], utm)
layer("point.geojson", "Point", [500000, 5400000], utm)
PY
}

# check_sides DST: each prediction is that of the data on its side of the wall.
check_sides() {
    python3 - "$1" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 300
for row in rows:
    x, z = float(row["x"]), float(row["z_pred"])
    assert abs(z - (1 if x < 500000 else 2)) < 1e-9, row
PY
}

@test "points: what lies behind a line is not used, in its own system or another" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/* .
    "$SHEPARD" points -s_srs EPSG:32632 -q_srs EPSG:32632 -a idw:k=12 -barrier wall.geojson --json=j.json p.csv q.csv a.csv
    check_sides a.csv
    python3 -c 'import json; b = json.load(open("j.json"))["barriers"]; assert (b["lines"], b["segments"]) == (1, 2), b'
    "$SHEPARD" points -s_srs EPSG:32632 -q_srs EPSG:32632 -a krige:psill=1:range=500:nugget=0:p=1 -barrier meridian.geojson p.csv q.csv b.csv
    check_sides b.csv
    "$SHEPARD" points -s_srs EPSG:32632 -q_srs EPSG:32632 -a idw:k=12 p.csv q.csv c.csv
    run ! check_sides c.csv
}

@test "grid, validate and tune: a ring separates inside from outside" {
    cp "$BATS_FILE_TMPDIR"/* .
    "$SHEPARD" grid -q -s_srs EPSG:32632 -outsize 20 20 -a idw:k=8 -barrier ring.geojson p.csv ring.tif
    "$SHEPARD" grid -q -s_srs EPSG:32632 -outsize 20 20 -a idw:k=8 p.csv plain.tif
    run ! same_cells ring.tif plain.tif 1e-6
    "$SHEPARD" validate -q -s_srs EPSG:32632 -a idw:k=8 -a krige:psill=1:range=500:nugget=0:p=1 -barrier wall.geojson --json=v.json p.csv
    python3 -c 'import json
for column in json.load(open("v.json"))["validations"]:
    for row in column["scores"]: assert row["rmse"] < 1e-9, row' || { cat v.json; false; }
    "$SHEPARD" tune -q -s_srs EPSG:32632 -a idw:k=8 -a aidw:max_points=8 -barrier wall.geojson p.csv
}

# Nearest neighbours with values that vary on both sides, against what points predicts.
@test "validate --truth with a barrier has the errors of what points predicts" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/* .
    awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 += sin($2 / 200) } { print }' p.csv > waves.csv
    head -201 waves.csv > data.csv
    { head -1 waves.csv; tail -100 waves.csv; } > truth.csv
    "$SHEPARD" validate -q -s_srs EPSG:32632 -q_srs EPSG:32632 -zfield z -a idw:k=9 -barrier wall.geojson --json=v.json --truth truth.csv data.csv
    "$SHEPARD" points -q -s_srs EPSG:32632 -q_srs EPSG:32632 -zfield z -a idw:k=9 -barrier wall.geojson data.csv truth.csv o.csv
    "$SHEPARD" points -q -s_srs EPSG:32632 -q_srs EPSG:32632 -zfield z -a idw:k=9 data.csv truth.csv open.csv
    python3 - <<'PY'
import csv, json, math
def rmse(name):
    rows = list(csv.DictReader(open(name)))
    assert len(rows) == 100
    return math.sqrt(sum((float(row["z_pred"]) - float(row["z"])) ** 2 for row in rows) / len(rows))
score = json.load(open("v.json"))["validations"][0]["scores"][0]
assert score["n"] == 100 and abs(score["rmse"] / rmse("o.csv") - 1) < 1e-9, score
assert abs(score["rmse"] / rmse("open.csv") - 1) > 1e-3, "the barrier changes nothing"
PY
}

@test "what cannot be a barrier is an error that says why" {
    cp "$BATS_FILE_TMPDIR"/* .
    fails_with "barriers need a neighbourhood" \
        "$SHEPARD" grid -s_srs EPSG:32632 -barrier wall.geojson p.csv o.tif
    fails_with "is computed by GDAL, which has no barriers" \
        "$SHEPARD" grid -s_srs EPSG:32632 -a nearest -barrier wall.geojson p.csv o.tif
    fails_with "holds a POINT, not only lines and polygons" \
        "$SHEPARD" grid -s_srs EPSG:32632 -a idw:k=8 -barrier point.geojson p.csv o.tif
    fails_with "none.gpkg" \
        "$SHEPARD" grid -s_srs EPSG:32632 -a idw:k=8 -barrier none.gpkg p.csv o.tif
    fails_with 'no layer "fence"' \
        "$SHEPARD" grid -s_srs EPSG:32632 -a idw:k=8 -barrier wall.geojson -barrier_layer fence p.csv o.tif
    fails_with "-barrier_layer needs -barrier" \
        "$SHEPARD" grid -s_srs EPSG:32632 -a idw:k=8 -barrier_layer wall p.csv o.tif
    [ ! -e o.tif ]
}
