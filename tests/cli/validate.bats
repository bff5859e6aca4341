#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Errors of methods on data that they do not use.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    random_points 300 1 > p.csv
    # Held-out measurements of the same surface.
    random_points 200 2 > truth.csv
}

src() { echo "$BATS_FILE_TMPDIR/p.csv"; }
truth() { echo "$BATS_FILE_TMPDIR/truth.csv"; }
meuse() { echo "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/data/meuse/meuse.csv"; }

# json FILE...: validates into FILE, quietly.
json() { "$SHEPARD" validate -q --json="$1" "${@:2}"; }

# The scores of r.csv's columns, by their definitions, against those of v.json.
check_scores() {
    python3 - <<'PY'
import csv, json, math
rows = list(csv.DictReader(open("r.csv")))
table = json.load(open("v.json"))["validations"][0]["scores"]
def close(a, b): assert abs(a - b) <= 1e-9 * max(1, abs(b)), (a, b)
def phi(t): return math.exp(-t * t / 2) / math.sqrt(2 * math.pi)
def Phi(t): return (1 + math.erf(t / math.sqrt(2))) / 2
for number, scores in enumerate(table):
    end = "_%d" % (number + 1) if number else ""
    z = [float(row["observed"]) for row in rows]
    p = [float(row["predicted" + end]) for row in rows]
    e = [b - a for a, b in zip(z, p)]
    assert len(rows) == scores["n"] > 0
    close(scores["me"], sum(e) / len(e))
    close(scores["mae"], sum(map(abs, e)) / len(e))
    close(scores["rmse"], math.sqrt(sum(d * d for d in e) / len(e)))
    for row, d in zip(rows, e): close(float(row["residual" + end]), -d)
    sd = [float(row["sd" + end]) for row in rows]
    close(scores["coverage_95"],
          sum(abs(d) <= 1.959963984540054 * s for d, s in zip(e, sd)) / len(e))
    crps = [s * (d / s * (2 * Phi(d / s) - 1) + 2 * phi(d / s) - 1 / math.sqrt(math.pi))
            for d, s in zip(e, sd)]
    close(scores["crps"], sum(crps) / len(crps))
PY
}

@test "leave-one-out is the mean over all points, each predicted from the others" {
    needs python3
    json v.json -zfield zinc -a idw:k=3:power=3 --residuals r.csv "$(meuse)"
    check_scores
    python3 - "$(meuse)" <<'PY'
import csv, sys
data = [(float(r["x"]), float(r["y"]), float(r["zinc"])) for r in csv.DictReader(open(sys.argv[1]))]
for i, row in enumerate(csv.DictReader(open("r.csv"))):
    x, y, z = data[i]
    assert (float(row["X"]), float(row["Y"]), float(row["observed"])) == (x, y, z)
    near = sorted(((a - x) ** 2 + (b - y) ** 2, a, b, c)
                  for j, (a, b, c) in enumerate(data) if j != i)[:3]
    w = [n[0] ** -1.5 for n in near]
    p = sum(a * n[3] for a, n in zip(w, near)) / sum(w)
    assert abs(float(row["predicted"]) - p) < 1e-9 * p, (i, p, row)
    assert abs(float(row["nearest"]) - near[0][0] ** 0.5) < 1e-9 * float(row["nearest"])
assert i == 154
PY
}

@test "several algorithms have a row each, in their order" {
    needs python3
    json v.json -a idw:k=12 -a aidw -a krige:psill=9:range=300:nugget=0.1:p=1 \
        -a idw:k=8:anisotropy_ratio=3:anisotropy_angle=20 --residuals r.csv "$(src)"
    check_scores
    [ "$(item v.json "[s['algorithm'] for s in d['validations'][0]['scores']]")" = "['idw:k=12', 'aidw', 'krige:psill=9:range=300:nugget=0.1:p=1', 'idw:k=8:anisotropy_ratio=3:anisotropy_angle=20']" ]
    # Skill is 1 - MSE / MSE of idw:k=12.
    [ "$(item v.json "d['validations'][0]['scores'][0]['skill']")" = 0 ]
    [ "$(item v.json "abs(d['validations'][0]['scores'][1]['skill'] - 1 + (d['validations'][0]['scores'][1]['rmse'] / d['validations'][0]['scores'][0]['rmse']) ** 2) < 1e-12")" = True ]
    json round.json -a idw:k=8 "$(src)"
    [ "$(item v.json "d['validations'][0]['scores'][3]['rmse']")" != "$(item round.json "d['validations'][0]['scores'][0]['rmse']")" ]
    # A row of its own gives the same numbers: what came before leaves nothing behind.
    json alone.json -a idw:k=8:anisotropy_ratio=3:anisotropy_angle=20 "$(src)"
    [ "$(item v.json "d['validations'][0]['scores'][3]['rmse']")" = "$(item alone.json "d['validations'][0]['scores'][0]['rmse']")" ]
}

@test "what kriging leaves open is fitted to all data of the column" {
    needs python3
    # The figures of docs/accuracy.md: leave-one-out RMSE of zinc and altitude.
    json v.json -zfield zinc -a krige -a idw:k=12 "$(meuse)"
    [ "$(item v.json "d['validations'][0]['scores'][0]['rmse'] < 226 and d['validations'][0]['scores'][0]['crps'] < 115")" = True ]
    # The fit is that of the other verbs, and can be repeated by its text.
    text="$(item v.json "d['validations'][0]['scores'][0]['fitted']")"
    "$SHEPARD" points -zfield zinc -a krige "$(meuse)" "$(meuse)" o.csv > out
    grep -qF -- "-a $text" out
    "$SHEPARD" validate -q -zfield zinc -a krige "$(meuse)" > table
    grep -qF "krige: fitted to all data, -a $text" table
    json again.json -zfield zinc -a "$text" "$(meuse)"
    [ "$(item again.json "'fitted' in d['validations'][0]['scores'][0]")" = False ]
    [ "$(item v.json "d['validations'][0]['scores'][0]['rmse']")" = "$(item again.json "d['validations'][0]['scores'][0]['rmse']")" ]
    # Each column has its own; with folds and withheld data too.
    json two.json -zfield zinc,lead -a krige --folds 5 "$(meuse)"
    [ "$(item two.json "d['validations'][0]['scores'][0]['fitted']")" = "$text" ]
    [ "$(item two.json "d['validations'][1]['scores'][0]['fitted']")" != "$text" ]
    json held.json -a krige --truth "$(truth)" "$(src)"
    [ "$(item held.json "d['validations'][0]['scores'][0]['n_sd']")" = 200 ]
}

@test "the table shows what the summary says" {
    needs python3
    json v.json -a idw:k=12 -a krige:psill=9:range=300:nugget=0.1:p=1 "$(src)"
    "$SHEPARD" validate -q -a idw:k=12 -a krige:psill=9:range=300:nugget=0.1:p=1 "$(src)" > table
    cat table
    python3 - <<'PY'
import json
lines = open("table").read().splitlines()
assert lines[0].startswith("layer p, field z: 300 points; leave-one-out"), lines[0]
assert lines[1].split() == "algorithm n ME MAE RMSE CRPS in 95% skill seconds".split()
for line, s in zip(lines[2:], json.load(open("v.json"))["validations"][0]["scores"]):
    words = line.split()
    keys = ["me", "mae", "rmse", "crps"]
    assert words[0] == s["algorithm"] and int(words[1]) == s["n"]
    for word, key in zip(words[2:], keys):
        assert word == ("-" if s[key] is None else "%.4g" % s[key]), (key, word, s[key])
    assert words[7] == "%.3f" % s["skill"]
assert len(lines) == 4
PY
}

@test "folds and blocks hold out each point once, by the seed" {
    needs python3
    json v.json -a idw:k=12 --folds 7 --seed 3 --residuals r.csv "$(src)"
    check_scores
    python3 - <<'PY'
import csv, collections
rows = list(csv.DictReader(open("r.csv")))
assert len({(r["X"], r["Y"]) for r in rows}) == 300
folds = collections.Counter(r["fold"] for r in rows)
assert len(folds) == 7 and max(folds.values()) - min(folds.values()) <= 1, folds
# The nearest datum is one of another fold.
p = [(float(r["X"]), float(r["Y"]), r["fold"]) for r in rows]
for (x, y, f), r in zip(p, rows):
    d = min((x - a) ** 2 + (y - b) ** 2 for a, b, g in p if g != f) ** 0.5
    assert abs(float(r["nearest"]) - d) < 1e-5, (r, d)
PY
    cp r.csv first.csv
    json v.json -a idw:k=12 --folds 7 --seed 3 --residuals r.csv "$(src)"
    cmp r.csv first.csv
    json v.json -a idw:k=12 --folds 7 --seed 4 --residuals r.csv "$(src)"
    run ! cmp -s r.csv first.csv
    json v.json -a idw:k=12 --blocks 250 --residuals r.csv "$(src)"
    check_scores
    [ "$(item v.json "d['validations'][0]['kind'], d['validations'][0]['folds'], d['validations'][0]['block_size']")" = "('blocks', 5, 250)" ]
}

@test "withheld measurements are compared with what points predicts there" {
    needs python3
    json v.json -a idw:k=5 -a krige:psill=9:range=300:nugget=0.1:p=1 --truth "$(truth)" --residuals r.csv "$(src)"
    check_scores
    [ "$(item v.json "d['validations'][0]['kind'], d['validations'][0]['held_out']")" = "('withheld', 200)" ]
    "$SHEPARD" points -q -a idw:k=5 --diagnostics sd "$(src)" "$(truth)" o.csv
    python3 - <<'PY'
import csv
for a, b in zip(csv.DictReader(open("r.csv")), csv.DictReader(open("o.csv"))):
    assert a["predicted"] == b["z_pred"] and float(a["observed"]) == float(b["z"]), (a, b)
    assert a["sd"] == b["z_sd"] and float(a["sd"]) > 0, (a, b)
PY
    # One datum predicts, and has no residuals.
    head -2 "$(src)" > one.csv
    json one.json -a idw:k=5 --truth "$(truth)" one.csv
    [ "$(item one.json "d['validations'][0]['scores'][0]['n'], d['validations'][0]['scores'][0]['n_sd']")" = "(200, 0)" ]
    # A layer of SRC.
    needs ogr2ogr
    for name in p truth; do
        ogr2ogr -q -update -append -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
            all.gpkg "$BATS_FILE_TMPDIR/$name.csv" -nln "$name" -a_srs EPSG:32632 ||
        ogr2ogr -q -f GPKG -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
            all.gpkg "$BATS_FILE_TMPDIR/$name.csv" -nln "$name" -a_srs EPSG:32632
    done
    json layer.json -l p -zfield z -a idw:k=5 --truth truth all.gpkg
    [ "$(item layer.json "d['validations'][0]['scores'][0]['rmse']")" = "$(item v.json "d['validations'][0]['scores'][0]['rmse']")" ]
}

@test "each field of each layer has its own table" {
    needs python3
    json v.json -zfield zinc,cadmium,om -a idw:k=12 "$(meuse)"
    [ "$(item v.json "[(v['field'], v['data']) for v in d['validations']]")" = "[('zinc', 155), ('cadmium', 155), ('om', 153)]" ]
}

@test "residuals go to vector formats and to standard output" {
    needs python3 ogrinfo
    json v.json -a idw:k=12 --residuals r.gpkg "$(src)"
    ogrinfo -so r.gpkg r > about
    grep -q "predicted: Real" about
    grep -q "Feature Count: 300" about
    "$SHEPARD" validate -a idw:k=12 --residuals /vsistdout/ "$(src)" > out.csv
    [ "$(head -1 out.csv)" = "X,Y,observed,nearest,predicted,residual,sd" ]
    [ "$(wc -l < out.csv)" -eq 301 ]
    # Nothing that is read is replaced.
    cp "$(src)" mine.csv
    fails_with "mine.csv" "$SHEPARD" validate -a idw:k=12 --residuals mine.csv mine.csv
    cmp mine.csv "$(src)"
}

@test "what cannot be validated is said" {
    validate() { "$SHEPARD" validate -q "$@"; }
    fails_with "no field \"zinK\"" validate -zfield zinK "$(meuse)"
    printf 'x,y,z\n0,0,1\n1,0,2\n0,1,3\n' > few.csv
    fails_with "too few for 4 folds" validate --folds 4 few.csv
    fails_with "too few for 5 folds" validate --blocks 10 few.csv
    fails_with "--folds 1 leaves nothing" validate --folds 1 few.csv
    printf 'x,y,z\n0,0,7\n1,0,7\n0,1,7\n' > same.csv
    fails_with "field z: every value is 7" validate same.csv
    printf 'x,y,z\n5,5,7\n5,5,8\n' > place.csv
    fails_with "data at two places or more" validate place.csv
    fails_with "neither a number greater than 0 nor auto" validate --blocks -3 few.csv
    fails_with "give the targets" validate --blocks auto few.csv
    fails_with "computed by GDAL" validate -a linear few.csv
    printf 'x,y,z,w\n0,0,1,1\n1,0,2,2\n0,1,3,1\n' > weighted.csv
    fails_with "-a krige: " validate -a krige -zfield z -wfield w weighted.csv
    fails_with "did you mean" validate -a idw:k=3 -a idv few.csv
    fails_with "leave it out" validate --folds 2 --at few.csv few.csv
    fails_with "leave out the options of a raster" validate --at few.csv -tr 1 1 few.csv
    fails_with "--truth goes" validate -l a -l b --truth few.csv few.csv
    fails_with "--truth: " validate --truth missing.csv few.csv
    fails_with "takes one field" validate -zfield zinc,lead --residuals r.csv "$(meuse)"
    fails_with "0 to 2147483647" validate --seed -1 few.csv
    [ ! -e r.csv ]
}
