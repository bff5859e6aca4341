#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Trends on covariates: -trend.
load common

# height.asc: 60 x 50 cells of 20 units, a hilly ground. p.csv and q.csv: points inside it, each
# with its own height and with z = 5 + 2 height + waves.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    python3 - <<'PY'
import math, random
random.seed(20261123)
def height(x, y): return 100 + 30 * math.sin(x / 90) * math.cos(y / 70) + 10 * math.sin(x / 17)
with open("height.asc", "w") as f:
    f.write("ncols 60\nnrows 50\nxllcorner 1000\nyllcorner 2000\ncellsize 20\nNODATA_value -9999\n")
    for i in range(50):
        f.write(" ".join(repr(height(1000 + 20 * j + 10, 3000 - 20 * i - 10)) for j in range(60)) + "\n")
def place(): return 1030 + 1140 * random.random(), 2030 + 940 * random.random()
with open("p.csv", "w") as f:
    f.write("x,y,h,steep,z,flat\n")
    for _ in range(80):
        x, y = place()
        h, s = height(x, y), random.random()
        f.write(f"{x!r},{y!r},{h!r},{s!r},{5 + 2 * h - 7 * s + 3 * math.sin(x / 200)!r},1\n")
with open("q.csv", "w") as f:
    f.write("name,x,y,steep,h\n")
    for i in range(20):
        x, y = place()
        f.write(f"q{i},{x!r},{y!r},{random.random()!r},{height(x, y)!r}\n")
PY
}

column() {
    python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])): print(row[sys.argv[2]])' "$1" "$2"
}

@test "fields: predictions, coefficients and standard errors are the definition's" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/*.csv .
    "$SHEPARD" points -zfield z -trend h,steep -a idw:eps=0:precision=double p.csv q.csv o.csv --json=o.json > out
    cat out
    python3 - <<'PY'
import csv, json
def table(name): return [{k: v if k == "name" else float(v) for k, v in r.items()} for r in csv.DictReader(open(name))]
p, q, o = table("p.csv"), table("q.csv"), table("o.csv")
def idw(data, value, x, y):
    w = [1 / ((d["x"] - x) ** 2 + (d["y"] - y) ** 2) for d in data]
    return sum(a * value(d) for a, d in zip(w, data)) / sum(w)
def left(value): return [value(d) - idw(p[:i] + p[i + 1:], value, d["x"], d["y"]) for i, d in enumerate(p)]
ez, e1, e2 = (left(lambda d, k=k: d[k]) for k in ("z", "h", "steep"))
dot = lambda a, b: sum(s * t for s, t in zip(a, b))
det = dot(e1, e1) * dot(e2, e2) - dot(e1, e2) ** 2
b1 = (dot(ez, e1) * dot(e2, e2) - dot(ez, e2) * dot(e1, e2)) / det
b2 = (dot(ez, e2) * dot(e1, e1) - dot(ez, e1) * dot(e1, e2)) / det
rest = [a - b1 * s - b2 * t for a, s, t in zip(ez, e1, e2)]
variance = dot(rest, rest) / (len(p) - 2)
trend, = json.load(open("o.json"))["trends"]
got = trend["covariates"]
near = lambda a, b, what: abs(a - b) <= 1e-8 * abs(b) or exit(f"{what}: {a}, not {b}")
near(got[0]["coefficient"], b1, "b1")
near(got[1]["coefficient"], b2, "b2")
near(got[0]["standard_error"], (variance * dot(e2, e2) / det) ** 0.5, "se1")
near(got[1]["standard_error"], (variance * dot(e1, e1) / det) ** 0.5, "se2")
near(trend["rmse_leave_one_out"], (dot(rest, rest) / len(p)) ** 0.5, "rmse")
near(trend["rmse_leave_one_out_without"], (dot(ez, ez) / len(p)) ** 0.5, "rmse without")
assert [c["name"] for c in got] == ["h", "steep"] and trend["points"] == 80, trend
assert trend["estimator"] == "least squares of leave-one-out errors", trend
for r in o:
    want = idw(p, lambda d: d["z"] - b1 * d["h"] - b2 * d["steep"], r["x"], r["y"]) + b1 * r["h"] + b2 * r["steep"]
    near(r["z_pred"], want, r["name"])
PY
    grep -E '^trend of z: h [0-9.]+ \([0-9.]+\), steep -[0-9.]+ \([0-9.]+\); leave-one-out RMSE' out
}

@test "rasters: cells and points have the same surface, in strips too" {
    needs python3 gdal_translate gdalinfo
    cp "$BATS_FILE_TMPDIR"/{p.csv,height.asc} .
    "$SHEPARD" grid -q -zfield z -trend height.asc -a idw:k=12 -txe 1000 2200 -tye 3000 2000 \
        -outsize 40 25 p.csv g.tif
    [ "$(about g.tif "d['metadata']['']['SHEPARD_TREND'].split()[:2]")" = "['z:', 'height.asc']" ]
    python3 -c 'print("x,y")
for i in range(25):
    for j in range(40): print(1000 + 30 * j + 15, 3000 - 40 * i - 20, sep=",")' > q.csv
    "$SHEPARD" points -q -zfield z -trend height.asc -a idw:k=12 p.csv q.csv o.csv
    paste <(cells g.tif) <(column o.csv z_pred) | awk '{ d = $1 - $2; if (d * d > 1e-18) exit 1 } END { exit NR != 1000 }'
    # What is a trend and nothing else comes back, whatever the strips.
    awk -F, -v OFS=, 'NR == 1 { print "x,y,t" } NR > 1 { print $1, $2, "" }' p.csv > t.csv
    python3 - <<'PY'
rows = [l.split() for l in open("height.asc")][6:]
def bilinear(x, y):
    c, r = (x - 1000) / 20 - 0.5, (3000 - y) / 20 - 0.5
    j, i = int(c), int(r); u, v = c - j, r - i
    at = lambda i, j: float(rows[i][j])
    return (1 - v) * ((1 - u) * at(i, j) + u * at(i, j + 1)) + v * ((1 - u) * at(i + 1, j) + u * at(i + 1, j + 1))
lines = [l.strip().split(",") for l in open("t.csv")][1:]
with open("t.csv", "w") as f:
    f.write("x,y,t\n" + "".join(f"{x},{y},{5 + 2 * bilinear(float(x), float(y))!r}\n" for x, y, _ in lines))
PY
    "$SHEPARD" grid -q -zfield t -trend height.asc -a idw:k=4 -txe 1010 2190 -tye 2990 2010 \
        -outsize 1100 1050 t.csv t.tif
    cells t.tif > values
    python3 - <<'PY'
rows = [[float(t) for t in l.split()] for l in open("height.asc").readlines()[6:]]
values = [float(t) for t in open("values")]
assert len(values) == 1100 * 1050
for k, value in enumerate(values):
    c, r = (10 + 1180 * (k % 1100 + 0.5) / 1100) / 20 - 0.5, (10 + 980 * (k // 1100 + 0.5) / 1050) / 20 - 0.5
    j, i = int(c), int(r)
    u, v = c - j, r - i
    above = (1 - u) * rows[i][j] + u * rows[i][j + 1]
    below = (1 - u) * rows[i + 1][j] + u * rows[i + 1][j + 1]
    want = 5 + 2 * ((1 - v) * above + v * below)
    assert abs(value - want) < 1e-4, (k, value, want)  # cells are float32
PY
}

@test "missing covariates are counted gaps" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/*.csv .
    # Five data points and two targets without a height.
    awk -F, -v OFS=, 'NR > 1 && NR <= 6 { $3 = "" } 1' p.csv > gaps.csv
    awk 'NR == 1 || NR > 6' p.csv > part.csv
    awk -F, -v OFS=, 'NR == 3 || NR == 9 { $5 = "" } 1' q.csv > qgaps.csv
    "$SHEPARD" points -zfield z -trend h -a idw:k=9 --diagnostics deviation,count gaps.csv qgaps.csv o.csv --json=o.json > out 2>&1
    cat out
    grep -q '5 of 80 points lack a covariate and are left out (without one: h 5)' out
    grep -q '2 of 20 query points lack a covariate: no prediction' out
    grep -q '^75 of 80 points' out
    [ "$(item o.json "d['targets_without_covariate'], d['targets_without_prediction'], d['trends'][0]['points_without_covariate'], d['trends'][0]['points']")" = "(2, 0, 5, 75)" ]
    "$SHEPARD" points -q -zfield z -trend h -a idw:k=9 part.csv q.csv part_o.csv
    paste <(column o.csv z_pred) <(column part_o.csv z_pred) | awk -F'\t' '
        NR == 2 || NR == 8 { if ($1 != "") exit 1; next }
        { d = $1 - $2; if (d * d > 1e-16) exit 1 } END { exit NR != 20 }'
    column o.csv z_dev | awk 'NR == 2 || NR == 8 { if ($1 != "") exit 1; next } $1 == "" { exit 1 }'
    column o.csv count | awk '$1 != 9 { exit 1 }'
}

@test "a raster that does not cover leaves gaps" {
    needs python3 gdalinfo gdal_translate
    cp "$BATS_FILE_TMPDIR"/{p.csv,height.asc} .
    gdal_translate -q -projwin 1000 3000 1600 2000 height.asc west.tif
    "$SHEPARD" grid -zfield z -trend west.tif -a idw:k=9 -txe 1000 2200 -tye 3000 2000 -outsize 12 10 \
        p.csv g.tif --json=g.json > out 2>&1
    cat out
    grep -qE '[0-9]+ of 80 points lack a covariate' out
    grep -q '60 of 120 cells lack a covariate: nodata' out
    [ "$(item g.json "d['raster']['bands'][0]['cells_without_covariate']")" = 60 ]
    cells g.tif | awk '{ gap = (NR - 1) % 12 >= 6; if (gap != ($1 == -9999)) exit 1 }'
    gdal_translate -q -a_ullr 0 10 10 0 height.asc away.tif
    fails_with 'no point of layer p has a value of every covariate' "$SHEPARD" grid -zfield z -trend away.tif p.csv o.tif
    [ ! -e o.tif ]
}

@test "a raster in another coordinate system" {
    needs python3 gdal_translate gdalwarp
    cp "$BATS_FILE_TMPDIR"/{p.csv,height.asc} .
    awk -F, -v OFS=, 'NR > 1 { $1 += 500000; $2 += 5300000 } 1' OFMT=%.9f CONVFMT=%.9f p.csv > utm.csv
    gdal_translate -q -a_srs EPSG:32632 -a_ullr 501000 5303000 502200 5302000 height.asc utm.tif
    gdalwarp -q -t_srs EPSG:4326 -r bilinear -tr 0.00005 0.00005 utm.tif degrees.tif
    for raster in utm degrees; do
        "$SHEPARD" grid -q -zfield z -s_srs EPSG:32632 -trend $raster.tif -a idw:k=9 \
            -txe 501100 502100 -tye 5302900 5302100 -outsize 20 16 utm.csv $raster.out.tif
    done
    same_cells utm.out.tif degrees.out.tif 0.02
}

@test "wrong covariates are errors that say what to do" {
    needs gdal_translate
    cp "$BATS_FILE_TMPDIR"/{p.csv,q.csv,height.asc} .
    gdal_translate -q -b 1 -b 1 height.asc two.tif
    fails_with 'no field "hight"' "$SHEPARD" points -zfield z -trend hight p.csv q.csv o.csv
    fails_with 'the query points need the fields too: no field "z"' \
        "$SHEPARD" points -zfield h -trend z p.csv q.csv o.csv
    fails_with 'the covariate flat is constant' "$SHEPARD" points -zfield z -trend flat p.csv p.csv o.csv
    fails_with 'linear function of the covariates before it' \
        "$SHEPARD" points -zfield z -trend h,h p.csv q.csv o.csv
    fails_with 'h is no raster that can be read' "$SHEPARD" grid -zfield z -trend h p.csv o.tif
    fails_with 'has 2 bands' "$SHEPARD" grid -zfield z -trend two.tif p.csv o.tif
    fails_with 'computed by GDAL' "$SHEPARD" grid -zfield z -trend height.asc -a average p.csv o.tif
    fails_with 'height.asc' "$SHEPARD" grid -zfield z -trend height.asc p.csv height.asc
    head -3 p.csv > few.csv
    fails_with 'field steep: a trend on 1 covariate needs at least 3 points' \
        "$SHEPARD" points -zfield steep,z -trend h -a idw:k=3 few.csv q.csv o.csv
    fails_with 'krige: only model=stable uses p' \
        "$SHEPARD" points -zfield z -a krige:model=spherical:p=1 p.csv q.csv o.csv
    fails_with 'names nothing' "$SHEPARD" grid -zfield z -trend , p.csv o.tif
    [ ! -e o.tif ] && [ ! -e o.csv ]
    "$SHEPARD" grid -q -zfield z -trend 'vrt://two.tif?bands=2' -outsize 4 4 p.csv o.tif
}

@test "a layer and an SQL result, several fields and Z" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/*.csv .
    "$SHEPARD" points -q -zfield z,steep -trend h -a idw:k=9 p.csv q.csv both.csv
    "$SHEPARD" points -q -zfield z -trend h -a idw:k=9 -sql 'SELECT * FROM p' p.csv q.csv sql.csv
    [ "$(column both.csv z_pred)" = "$(column sql.csv z_pred)" ]
    "$SHEPARD" points -q -zfield steep -trend h -a idw:k=9 -z_increase 4 -z_multiply 2 p.csv q.csv twice.csv
    paste <(column both.csv steep_pred) <(column twice.csv steep_pred) |
        awk '{ d = 2 * ($1 + 4) - $2; if (d * d > 1e-16) exit 1 } END { exit NR != 20 }'
}

@test "kriging: what is fitted is fitted to the rest" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/*.csv .
    "$SHEPARD" points -zfield z -trend h -a krige p.csv q.csv fitted.csv > out
    cat out
    parameters="$(grep -o 'krige:[^ ]*' out)"
    grep -q '^trend of z: h ' out
    # The parameters that were found have the same trend and the same surface.
    "$SHEPARD" points -zfield z -trend h -a "$parameters" p.csv q.csv given.csv > again
    [ "$(grep '^trend' out)" = "$(grep '^trend' again)" ]
    paste <(column fitted.csv z_pred) <(column given.csv z_pred) |
        awk '{ d = $1 - $2; if (d * d > 1e-16 * $1 * $1) exit 1 } END { exit NR != 20 }'
    # They are not those of the values, whose sill is that of the heights, 4 * 450.
    [ "$(sed 's/.*psill=\([0-9]*\).*/\1/' <<< "$parameters")" -lt 300 ]
}

@test "the report's leave-one-out has the trend in it" {
    needs python3
    cp "$BATS_FILE_TMPDIR"/{p.csv,height.asc} .
    run "$SHEPARD" grid -q -zfield z -tr 20 20 -a idw:k=12 -trend height.asc --report r.html --json=r.json p.csv r.tif
    [ "$status" -eq 0 ]
    python3 -c 'import json
d = json.load(open("r.json"))
held_out, = d["leave_one_out"]
trend, = d["trends"]
assert abs(held_out["rmse"] / trend["rmse_leave_one_out"] - 1) < 1e-9, (held_out, trend)'
}

p() { echo "$BATS_FILE_TMPDIR/p.csv"; }

@test "validation with a trend: leave-one-out is the trend's own error, folds predict what it leaves" {
    needs python3
    "$SHEPARD" validate -q --json=loo.json -trend h,steep -a idw:k=6:precision=double -a aidw:eps=0:precision=double "$(p)" > printed
    cat printed
    python3 - <<'PY'
import json
for s in json.load(open("loo.json"))["validations"][0]["scores"]:
    t = s["trend"]
    assert abs(s["rmse"] - t["rmse_leave_one_out"]) < 1e-9 * s["rmse"], s
    # z = 5 + 2 h - 7 steep + 3 sin(x / 200)
    b = {c["name"]: (c["coefficient"], c["standard_error"]) for c in t["covariates"]}
    assert abs(b["h"][0] - 2) < 4 * b["h"][1] and abs(b["steep"][0] + 7) < 4 * b["steep"][1], b
    assert s["rmse"] < 0.1 * t["rmse_leave_one_out_without"]
PY
    grep -q '^trend of idw:k=6:precision=double: h ' printed
    "$SHEPARD" validate -q --json=folds.json --residuals r.csv --folds 4 -trend h -a idw:k=6:precision=double "$(p)" > /dev/null
    python3 - "$(p)" <<'PY'
import csv, json, math, sys
data = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1]))]
out = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("r.csv"))]
s = json.load(open("folds.json"))["validations"][0]["scores"][0]
b = s["trend"]["covariates"][0]["coefficient"]
apart = lambda p, r: math.hypot(p["x"] - r["X"], p["y"] - r["Y"])
fold = {id(p): min(out, key=lambda r: apart(p, r))["fold"] for p in data}
square = 0
for r in out:
    here = min(data, key=lambda p: apart(p, r))
    near = sorted((apart(p, {"X": here["x"], "Y": here["y"]}), p["z"] - b * p["h"])
                  for p in data if fold[id(p)] != r["fold"])[:6]
    w = [d ** -2 for d, _ in near]
    z = sum(a * v for a, (_, v) in zip(w, near)) / sum(w) + b * here["h"]
    assert abs(z - r["predicted"]) < 1e-9 * abs(z) and abs(r["observed"] - here["z"]) < 1e-9, (z, r)
    square += (z - here["z"]) ** 2
assert abs(math.sqrt(square / len(out)) - s["rmse"]) < 1e-9 * s["rmse"]
PY
}

@test "tuning with a trend chooses for what it leaves, and -a auto takes that" {
    needs python3
    local height="$BATS_FILE_TMPDIR/height.asc" box="-txe 1040 2160 -tye 2040 2960 -outsize 20 20"
    "$SHEPARD" tune -q --json=t.json $box -trend "$height" "$(p)" > printed
    head -3 printed
    grep -q '^trend of z: .*height.asc ' printed
    # The same search on values less the trend at the points.
    "$SHEPARD" tune -q --json=h.json $box -trend h "$(p)" > /dev/null
    "$SHEPARD" validate -q --json=k.json -trend h -a krige "$(p)" > /dev/null
    [ "$(item h.json "d['trend']['covariates']")" = "$(item k.json "d['validations'][0]['scores'][0]['trend']['covariates']")" ]
    python3 - "$(p)" <<'PY'
import csv, json, sys
b = json.load(open("h.json"))["trend"]["covariates"][0]["coefficient"]
with open("rest.csv", "w") as f:
    f.write("x,y,z\n")
    for r in csv.DictReader(open(sys.argv[1])):
        f.write(f"{r['x']},{r['y']},{float(r['z']) - b * float(r['h'])!r}\n")
PY
    "$SHEPARD" tune -q --json=rest.json $box rest.csv > /dev/null
    item h.json "d['choice'], d['rmse'], d['honest_rmse']"
    [ "$(item h.json "d['choice'], '%.9g' % d['rmse'], '%.9g' % d['honest_rmse']")" = \
        "$(item rest.json "d['choice'], '%.9g' % d['rmse'], '%.9g' % d['honest_rmse']")" ]
    "$SHEPARD" grid -q --json=g.json $box -trend "$height" -a auto "$(p)" g.tif
    [ "$(item g.json "d['automatic_choice']['algorithm'], d['automatic_choice']['rmse']")" = "$(item t.json "d['choice'], d['rmse']")" ]
    "$SHEPARD" grid -q $box -trend "$height" -a "$(item t.json "d['choice']")" "$(p)" a.tif
    same_cells g.tif a.tif 0
    [[ "$(about g.tif 'd["metadata"][""]["SHEPARD_TREND"]')" == *height.asc* ]]
}

@test "points without a covariate are left out of a validation, and bad covariates are said" {
    needs python3
    awk -F, 'BEGIN { OFS = "," } NR == 4 || NR == 9 { $3 = "" } { print }' "$(p)" > gaps.csv
    run "$SHEPARD" validate --json=v.json -trend h -a idw:k=6 gaps.csv
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"2 of 80 points lack a covariate and are left out"* ]]
    [ "$(item v.json "d['validations'][0]['scores'][0]['n'], d['validations'][0]['scores'][0]['trend']['points_without_covariate']")" = "(78, 2)" ]
    fails_with "-trend: the covariate flat is constant" "$SHEPARD" validate -q -trend flat "$(p)"
    fails_with "-trend: the covariate flat is constant" "$SHEPARD" tune -q -trend flat "$(p)"
    fails_with "missing" "$SHEPARD" tune -q -trend missing "$(p)"
}

# truth.csv: the places of q.csv with values, the fourth without the field h.
truth() {
    python3 - "$BATS_FILE_TMPDIR/q.csv" <<'PY'
import csv, math, sys
with open("truth.csv", "w") as f:
    f.write("x,y,steep,h,z\n")
    for i, q in enumerate(csv.DictReader(open(sys.argv[1]))):
        x, h, s = float(q["x"]), float(q["h"]), float(q["steep"])
        f.write(f"{x!r},{q['y']},{s!r},{'' if i == 3 else repr(h)},{5 + 2 * h - 7 * s + 3 * math.sin(x / 200)!r}\n")
PY
}

# r.csv, of validate, against o.csv, of points.
same_predictions() {
    python3 - "$1" <<'PY'
import csv, json, math, sys
square = missing = 0
for r, o in zip(csv.DictReader(open("r.csv")), csv.DictReader(open("o.csv")), strict=True):
    assert r["predicted"] == o["z_pred"] and r["sd"] == o["z_sd"], (r, o)
    if r["predicted"]:
        square += (float(r["predicted"]) - float(o["z"])) ** 2
    else:
        missing += 1
s = json.load(open("v.json"))["validations"][0]["scores"][0]
assert (s["n"], missing) == (20 - int(sys.argv[1]), int(sys.argv[1])), (s, missing)
assert abs(math.sqrt(square / s["n"]) / s["rmse"] - 1) < 1e-9, (square, s)
assert s["rmse"] < 3 < s["trend"]["rmse_leave_one_out_without"], s
PY
}

@test "withheld measurements are predicted with the trend, as points does it" {
    needs python3
    local height="$BATS_FILE_TMPDIR/height.asc" algorithm
    truth
    for algorithm in idw:k=6 aidw krige; do
        "$SHEPARD" validate -q --json=v.json --residuals r.csv -zfield z -trend h,steep -a "$algorithm" --truth truth.csv "$(p)" > /dev/null
        "$SHEPARD" points -q -zfield z -trend h,steep -a "$algorithm" --diagnostics sd "$(p)" truth.csv o.csv > /dev/null
        same_predictions 1
        rm r.csv o.csv
    done
    # A raster is known at every place.
    "$SHEPARD" validate -q --json=v.json --residuals r.csv -zfield z -trend "$height" -trend steep -a idw:k=6 --truth truth.csv "$(p)" > /dev/null
    "$SHEPARD" points -q -zfield z -trend "$height" -trend steep -a idw:k=6 --diagnostics sd "$(p)" truth.csv o.csv > /dev/null
    same_predictions 0
}

@test "covariates of withheld measurements that are not there are said" {
    needs python3
    truth
    run "$SHEPARD" validate -zfield z -trend h -a idw:k=6 --truth truth.csv "$(p)"
    echo "$output"
    [ "$status" -eq 0 ] && [[ $output == *"layer truth: 1 of 20 points lack a covariate and are left out"* ]]
    cut -d, -f1-3,5 truth.csv > without.csv
    fails_with "fields of SRC have to be fields of the withheld layer, too" \
        "$SHEPARD" validate -q -zfield z -trend h --residuals r.csv --truth without.csv "$(p)"
    awk -F, 'BEGIN { OFS = "," } NR > 1 { $1 += 1e5 } { print }' truth.csv > far.csv
    fails_with "no point of layer far has a value of every covariate" \
        "$SHEPARD" validate -q -zfield z -trend "$BATS_FILE_TMPDIR/height.asc" --residuals r.csv --truth far.csv "$(p)"
    [ ! -e r.csv ]
}
