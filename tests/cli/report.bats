#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The page of --report: its numbers, its pictures, and that a browser shows it.
load common

grid() { "$SHEPARD" grid -q "$@"; }

page() { python3 "$BATS_TEST_DIRNAME/page.py" "$@"; }

setup_file() {
    [ "$SHEPARD_TEST_IO" != OFF ] || skip "built without GDAL"
}

# krige NAME OPTIONS...: values and their sd from random points, with a page and a summary.
krige() {
    local name="$1"
    shift
    random_points 200 7 > points.csv
    grid -zfield z -a_srs EPSG:32632 -tr 10 10 \
        -a krige:model=exponential:psill=8:range=100:nugget=0.1 --diagnostics sd \
        --report "$name.html" --json="$name.json" "$@" points.csv "$name.tif"
}

# browse PAGE WIDTH: what a browser says of a page, and how wide it becomes; WIDTH.png.
browse() {
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --user-data-dir="$BATS_TEST_TMPDIR/browser" --window-size="$2",900 \
        --screenshot="$BATS_TEST_TMPDIR/$2.png" "file://$(realpath "$1")" 2>&1 | grep CONSOLE || true
    page frame "$1" "$2" frame.html
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$BATS_TEST_TMPDIR/browser" --allow-file-access-from-files \
        --virtual-time-budget=5000 --dump-dom "file://$PWD/frame.html" 2>/dev/null | grep -o '<title>[^<]*</title>' | head -n 1
}

@test "every number of the page is that of the summary" {
    needs python3
    krige a
    run page numbers a.html a.json
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${output%% *}" -gt 30 ]
    grep -q '"leave_one_out.0.rmse"' a.html
    grep -q '"raster.bands.1.max"' a.html
    # Minimum, mean and maximum of the summary are those of the file.
    cells a.tif | awk '{ s += $1; if (NR == 1 || $1 < l) l = $1; if (NR == 1 || $1 > h) h = $1 }
        END { printf "%.9g %.9g %.9g\n", l, s / NR, h }' > of_file
    item a.json '"%.9g %.9g %.9g" % tuple(d["raster"]["bands"][0][k] for k in ("min", "mean", "max"))' > of_summary
    diff of_file of_summary
}

@test "a browser shows it at 1400 and at 400 pixels without a message, as wide as the window" {
    needs chromium python3
    krige a
    for width in 1400 400; do
        run browse a.html "$width"
        echo "$output"
        [ "$output" = "<title>width $width of $width</title>" ]
        [ "$(about "$width.png" 'd["size"][0]')" = "$width" ]
    done
    # An error would be seen.
    sed 's|</body>|<script>nothing.there</script></body>|' a.html > wrong.html
    run browse wrong.html 400
    [[ "$output" == *"nothing is not defined"* ]]
}

@test "leave-one-out is what predictions without each point are" {
    needs python3
    random_points 60 11 > points.csv
    grid -zfield z -outsize 5 5 -a idw:k=4:power=3:precision=double --report a.html --json=a.json points.csv a.tif
    python3 - a.json <<'EOF'
import csv, json, math, sys
points = [tuple(map(float, row)) for row in list(csv.reader(open("points.csv")))[1:]]
def predict(x, y, others):
    near = sorted((math.hypot(x - p[0], y - p[1]), p[2]) for p in others)[:4]
    weights = [d ** -3 for d, _ in near]
    return sum(w * z for w, (_, z) in zip(weights, near)) / sum(weights)
errors = [predict(x, y, points[:i] + points[i + 1:]) - z for i, (x, y, z) in enumerate(points)]
found = json.load(open(sys.argv[1]))["leave_one_out"][0]
expected = {"me": sum(errors) / len(errors), "mae": sum(map(abs, errors)) / len(errors),
            "rmse": math.sqrt(sum(e * e for e in errors) / len(errors))}
assert found["predicted"] == found["tried"] == found["points"] == len(points)
for key, value in expected.items():
    print(key, value, found[key])
    assert abs(found[key] - value) < 1e-9
EOF
}

@test "pictures are the raster: colours rise with values, nodata is transparent" {
    needs python3 gdal_translate
    random_points 300 13 > points.csv
    grid -zfield z -tr 7 11 -a idw:k=5:radius=45 --report a.html points.csv a.tif
    page picture a.html 0 a.png
    [ "$(about a.png 'd["size"]')" = "$(about a.tif 'd["size"]')" ]
    paste <(cells a.tif) <(cells a.png) | awk '
        ($1 == -9999) != ($2 == 0) { print "nodata", $0; bad = 1 } $1 == -9999 { empty++; next }
        { print > "pairs" } END { exit bad || !empty }'
    sort -g pairs | awk '$2 < last { print; bad = 1 } { last = $2 } END { exit bad || NR < 1000 || last < 250 }'
    [ "$(about a.png 'd["bands"][0]["colorTable"]["entries"][0][3]')" = 0 ]
}

@test "pictures of large rasters are means of cells, and north is up whatever the raster's rows" {
    needs python3 gdal_translate
    random_points 300 17 > points.csv
    grid -zfield z -outsize 2400 1800 -a idw:k=5 --report a.html points.csv a.tif
    page picture a.html 0 a.png
    gdal_translate -q -r average -outsize 800 600 a.tif mean.tif
    paste <(cells mean.tif) <(cells a.png) | sort -g |
        awk '$2 < last { print; bad = 1 } { last = $2 } END { exit bad || NR != 480000 || last < 250 }'
    # The same places from south to north.
    grid -zfield z -outsize 120 90 -txe 448000 448900 -tye 5263000 5263900 -a idw:k=5 --report n.html points.csv n.tif
    gdal_translate -q -a_ullr 448000 5263000 448900 5263900 n.tif up.tif
    grid -zfield z -like up.tif -a idw:k=5 --report s.html points.csv s.tif
    page picture n.html 0 n.png
    page picture s.html 0 s.png
    cmp <(cells n.png) <(cells s.png)
}

@test "scale bars are true, in degrees in the middle of the map" {
    needs python3
    random_points 50 19 > points.csv
    grid -zfield z -tr 10 10 -txe 440000 460000 -tye 5260000 5270000 -a_srs EPSG:32632 -a idw --report a.html points.csv a.tif
    page bars a.html | awk 'NR == 1 { print; exit !($2 == "km" && ($1 / $3 - 20) ^ 2 < 0.01) }'
    printf 'lon,lat,z\n5,59,1\n9,61,2\n' > degrees.csv
    grid -zfield z -tr 0.1 0.1 -txe 5 9 -tye 59 61 -a idw --report b.html degrees.csv b.tif
    # Half of the equator's length at 60 degrees.
    page bars b.html | awk 'NR == 1 { print; exit !($2 == "km" && ($1 / $3 / (4 * 111.3195 / 2) - 1) ^ 2 < 1e-4) }'
}

@test "the command on the page repeats the run" {
    needs python3
    random_points 80 23 > "it's a  file.csv"
    grid -zfield z -where 'z > 3' -outsize 40 30 -a idw:k=3 --report a.html --json=a.json "it's a  file.csv" a.tif
    mv a.html first.html
    mv a.tif first.tif
    page command first.html > command
    sed "s|^shepard|$SHEPARD|" command > again
    bash again
    cmp first.tif a.tif
    diff <(sed '/seconds\./d' first.html) <(sed '/seconds\./d' a.html)
}

@test "names are texts, not markup" {
    needs python3
    printf 'x,y,"<script>alert(1)</script>&"\n0,0,1\n1,0,2\n0,1,3\n' > names.csv
    grid -outsize 9 9 -zfield '<script>alert(1)</script>&' -a idw --report a.html --json=a.json names.csv a.tif
    run ! grep -q '<script' a.html
    grep -q '&lt;script&gt;alert(1)&lt;/script&gt;&amp;' a.html
    page numbers a.html a.json
}

@test "one point, no prediction, a constant, several fields, GDAL's methods: a page each" {
    needs python3
    printf 'x,y,a,b\n0,0,5,1e-200\n1,0,5,\n1,1,5,3e-200\n' > p.csv
    sed -n 1,2p p.csv > one.csv
    for run in "-a idw one.csv" "-a idw p.csv" "-a nearest p.csv" "-a idw:radius=0.001 p.csv" \
        "-a aidw --diagnostics count,nearest,alpha,deviation,effective p.csv"; do
        # shellcheck disable=SC2086 # several words
        grid -zfield a,b -txe 0 2 -tye 0 2 -tr 0.25 0.25 --report a.html --json=a.json $run a.tif
        page numbers a.html a.json
        run ! grep -qE '[^a-z](nan|inf)[^a-z]' a.html
    done
}

@test "a page that cannot be written is said before the work, and replaces no input or output" {
    random_points 20 29 > points.csv
    cp points.csv copy.csv
    fails_with "--report: " grid -zfield z -a idw --report points.csv points.csv o.tif
    cmp points.csv copy.csv
    fails_with "another name" grid -zfield z -a idw --report o.tif points.csv o.tif
    fails_with "another name" grid -zfield z -a idw --report s --json=./s points.csv o.tif
    fails_with "needs a file" grid -zfield z -a idw --report - points.csv o.tif
    fails_with "nowhere/a.html" grid -zfield z -a idw --report nowhere/a.html points.csv o.tif
    mkdir folder
    fails_with "folder" grid -zfield z -a idw --report folder points.csv o.tif
    [ "$(ls)" = "$(printf 'copy.csv\nfolder\npoints.csv')" ]
}

@test "a validation's page: its numbers are those of the summary, and a browser shows it" {
    needs python3
    random_points 150 31 > points.csv
    "$SHEPARD" validate -q -zfield z -a_nodata_in 1e9 --folds 5 -a idw:k=12 -a "idw:k=4:power=3" -a krige \
        --report a.html --json=a.json points.csv
    page numbers a.html a.json
    grep -q '"validations.0.scores.1.rmse"' a.html
    fitted="$(item a.json 'd["validations"][0]["scores"][2]["fitted"]')"
    grep -qF "fitted to all data, <code>-a ${fitted//:/:<wbr>}</code>" a.html
    # The figures are of the better one.
    best="$(item a.json 'min(d["validations"][0]["scores"], key=lambda s: s["rmse"])["algorithm"]')"
    grep -qF "The figures show <code>${best//:/:<wbr>}</code>" a.html
    needs chromium
    run browse a.html 400
    echo "$output"
    [ "$output" = "<title>width 400 of 400</title>" ]
}

@test "tune's page: every trial and the choice are those of the summary, and a browser shows it" {
    needs python3
    random_points 150 37 > points.csv
    random_points 40 38 > "at 'these'.csv"
    "$SHEPARD" tune -q -zfield z --at "at 'these'.csv" --report a.html --json=a.json points.csv > table
    page numbers a.html a.json
    for key in trials rmse honest_rmse sd_ratio skill_reference_rmse; do
        grep -qF "data-key=\"$key\"" a.html
    done
    # What the honest error is times is on the page, in the summary and in the text.
    [ "$(item a.json 'd["kind"] == "stars" and d["sd_ratio"] != 1')" = True ]
    grep -qF "with the factor $(item a.json '"%.4g" % d["sd_ratio"]'), sd of kriging at the targets" table
    # A row for each trial, its seconds included.
    trials="$(item a.json 'len(d["scores"])')"
    [ "$trials" -gt 60 ]
    [ "$(grep -c 'data-key="scores\.[0-9]*\.seconds"' a.html)" -eq "$trials" ]
    choice="$(tail -n 1 table)"
    grep -qF "The figures show <code>${choice//:/:<wbr>}</code>, the choice" a.html
    for title in "Observed against predicted" "Residuals" "Histogram of the residuals" "Error by distance"; do
        grep -qF "<h3>$title</h3>" a.html
    done
    page command a.html > command
    sed "s|^shepard|$SHEPARD|" command > again
    cp a.json first.json
    bash again > /dev/null
    [ "$(item a.json 'd["choice"], d["rmse"], d["honest_rmse"]')" = "$(item first.json 'd["choice"], d["rmse"], d["honest_rmse"]')" ]
    fails_with "points.csv" "$SHEPARD" tune -q --report points.csv points.csv
    needs chromium
    for width in 1400 400; do
        run browse a.html "$width"
        echo "$output"
        [ "$output" = "<title>width $width of $width</title>" ]
    done
}

@test "fitted kriging and trends stand on the page as in the summary, of each field and layer" {
    needs python3 gdal_translate
    random_points 90 41 > a.csv
    random_points 60 43 > b.csv
    "$SHEPARD" grid -q -zfield z -tr 20 20 -txe 447900 449100 -tye 5262900 5264100 -a idw:k=3 b.csv cover.tif
    # Values of the second field are missing here and there.
    awk -F, 'NR == 1 { print $0 ",w"; next } { print $0 "," (NR % 5 ? $3 * $3 : "") }' a.csv > points.csv
    grid -zfield z,w -tr 50 50 -a krige -trend cover.tif --report a.html --json=a.json points.csv a.tif
    page numbers a.html a.json
    for key in models.0.fit.psill models.1.fit.range models.1.fit.anisotropy_angle \
        trends.0.covariates.0.coefficient trends.1.covariates.0.standard_error trends.1.rmse_leave_one_out; do
        grep -qF "data-key=\"$key\"" a.html
    done
    text="$(item a.json 'd["models"][1]["fit"]["parameters"]')"
    grep -qF "${text//:/:<wbr>}" a.html
    # Nothing where nothing was fitted.
    grid -zfield z,w -tr 50 50 -a idw --report b.html --json=b.json points.csv b.tif
    run ! grep -qE 'models\.|trends\.|Fitted|Trend' b.html
}

@test "distances of an anisotropy are called so" {
    random_points 60 53 > points.csv
    grid -zfield z -outsize 9 9 -a idw:k=5 --report a.html points.csv a.tif
    grep -q '>distance to the nearest other point' a.html
    grid -zfield z -outsize 9 9 -a idw:k=5:anisotropy_ratio=3:anisotropy_angle=40 --report b.html points.csv b.tif
    grep -q '>anisotropic distance to the nearest other point' b.html
}

@test "pages of validate and tune show the trend, and errors of whole values" {
    needs python3
    random_points 120 47 > a.csv
    # z depends on c, and its mean is far from that of what c leaves.
    awk -F, 'NR == 1 { print $0 ",c"; next } { c = sin(NR); printf "%s,%s,%.6f,%.6f\n", $1, $2, $3 + 500 + 50 * c, c }' \
        a.csv > points.csv
    for verb in tune validate; do
        "$SHEPARD" "$verb" -q -zfield z -trend c -a idw:k=6 --report $verb.html --json=$verb.json points.csv > table
        page numbers $verb.html $verb.json
        # The residuals' size on the page is that of the table: a predicted rest would be 500 off.
        python3 - $verb <<'EOF'
import json, re, sys
page, d = open(sys.argv[1] + ".html").read(), json.load(open(sys.argv[1] + ".json"))
scores = (d if sys.argv[1] == "tune" else d["validations"][0])["scores"]
map = page[page.index("Map: Residuals"):]
ticks = [abs(float(t)) for t in re.findall(r'middle">([-0-9.e]+)<', map[map.index('class="legend"'):map.index("</svg>")])]
print(scores[0]["rmse"], ticks)
assert scores[0]["rmse"] < 5 and max(ticks) < 10, ticks
EOF
    done
    grep -qF 'data-key="trend.covariates.0.coefficient"' tune.html
    grep -qF 'data-key="validations.0.scores.0.trend.covariates.0.standard_error"' validate.html
}
