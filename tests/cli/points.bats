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

@test "query points with decimal commas" {
    needs python3
    printf 'name;x;y\na;3,5;4\nb;2,25;7,125\n' > comma.csv
    printf 'name,x,y\na,3.5,4\nb,2.25,7.125\n' > point.csv
    "$SHEPARD" points -q -zfield zinc "$(src)" comma.csv comma_out.csv
    "$SHEPARD" points -q -zfield zinc "$(src)" point.csv point_out.csv
    [ "$(column comma_out.csv zinc_pred)" = "$(column point_out.csv zinc_pred)" ]
    [ "$(column comma_out.csv x)" = $'3,5\n2,25' ]
    printf 'name\tx\ty\na\t3,500\t4\n' > group.csv
    fails_with '"3,500" in row 1' "$SHEPARD" points -zfield zinc "$(src)" group.csv o.csv
}

@test "tables without a header, or with one behind #" {
    needs python3
    tail -n +2 "$(src)" > plain.csv
    { printf '# '; cat "$(query)"; } > comment.csv
    run --separate-stderr "$SHEPARD" points plain.csv comment.csv - 
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"layer plain has no header: its columns field_1, field_2 and field_3 are taken as x, y and z"* ]]
    echo "$output" > o.csv
    [ "$(head -1 o.csv)" = "name,x,y,z_pred" ]
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" named.csv
    [ "$(column o.csv z_pred)" = "$(column named.csv zinc_pred)" ]
    # Not even under another name.
    cp comment.csv before.csv
    ln comment.csv link.csv
    fails_with "both input" "$SHEPARD" points -q plain.csv comment.csv link.csv
    cmp comment.csv before.csv
}

@test "a first line that is a comment without any separator" {
    needs python3
    printf 'x,y,z\n100,200,5\n300,250,6\n50,80,8\n' > plain.csv
    "$SHEPARD" points -q plain.csv "$(query)" expected.csv
    { echo '#comment'; cat plain.csv; } > header.csv
    { echo '#comment'; tail -n +2 plain.csv; } > bare.txt
    { echo '#comment'; tail -n +2 plain.csv | tr , ';'; } > semicolons.csv
    { printf '## made by X\n# x y z\n'; tail -n +2 plain.csv | tr , ' '; } > named.xyz
    { printf '##\n#x,y,z\n'; tail -n +2 plain.csv; } > named.csv
    { printf '\xEF\xBB\xBF#comment\r\n'; sed 's/$/\r/' plain.csv; } > marked.csv
    for name in header.csv bare.txt semicolons.csv named.xyz named.csv marked.csv CSV:header.csv; do
        "$SHEPARD" points -q "$name" "$(query)" o.csv
        cmp o.csv expected.csv
    done
    "$SHEPARD" points -q - "$(query)" o.csv < header.csv
    cmp o.csv expected.csv
    # As the query, and by -where, which goes by the types of the columns.
    { echo '#comment'; cat "$(query)"; } > q.csv
    "$SHEPARD" points -q -where "z > 5.5" -qwhere "x < 4" header.csv q.csv o.csv
    "$SHEPARD" points -q -where "z > 5.5" -qwhere "x < 4" plain.csv "$(query)" expected.csv
    cmp o.csv expected.csv
    before="$(cksum header.csv)"
    fails_with "both input" "$SHEPARD" points -q -overwrite header.csv "$(query)" header.csv
    [ "$(cksum header.csv)" = "$before" ]
    # Still no vector data.
    printf '#comment\nword\nword\n' > words.txt
    fails_with "cannot be read as vector data" "$SHEPARD" points words.txt "$(query)" o.csv
}

@test "headers that are easily misread" {
    needs python3
    # A column named #, or without a name, keeps its place.
    for separator in , ';' $'\t'; do
        for name in '#' ''; do
            printf "$name,x,y,z\n1,100,200,5\n2,300,250,6\n3,50,80,8\n" | tr , "$separator" > h.csv
            "$SHEPARD" points -q h.csv h.csv o.csv
            python3 - <<'PYTHON'
import csv
text = open("o.csv").read()
rows = list(csv.reader(text.splitlines(), delimiter=next(c for c in ";\t," if c in text)))
assert [r[-1] for r in rows] == ["z_pred", "5", "6", "8"], rows
assert [r[1:4] for r in rows[1:]] == [["100", "200", "5"], ["300", "250", "6"], ["50", "80", "8"]], rows
PYTHON
        done
    done
    # Blanks before commas do not make them decimal signs.
    printf '1000 ,2000 ,7\n900 ,2100 ,8\n800 ,2050 ,9\n' > blanks.csv
    printf 'x,y\n1000,2000\n800,2050\n' > q.csv
    "$SHEPARD" points -q blanks.csv q.csv o.csv
    [ "$(column o.csv z_pred | tr '\n' ' ')" = "7 9 " ]
    # A year is a name above numbers.
    { echo id,e_rd,n_rd,2001; seq 200 | awk '{ print $1 "," 7 * $1 "," $1 * $1 "," 3 }'; } > year.csv
    fails_with "-xfield" "$SHEPARD" points -q year.csv q.csv o.csv
    "$SHEPARD" points -q -xfield e_rd -yfield n_rd -zfield 2001 year.csv q.csv o.csv
    [ "$(column o.csv 2001_pred | sort -u)" = 3 ]
}

@test "a database whose log is not empty is not replaced" {
    needs python3
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.gpkg
    cp o.gpkg before.gpkg
    echo log > o.gpkg-wal
    fails_with "is open in another program" "$SHEPARD" points -q -overwrite -zfield zinc "$(src)" "$(query)" o.gpkg
    cmp o.gpkg before.gpkg
    rm o.gpkg-wal
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.gpkg
}

@test "a nodata value of floats, and markers of missing values" {
    needs python3 ogr2ogr
    printf 'x,y,z\n0,0,-9999.9\n10,0,2\n0,10,2\n5,5,#N/A\n7,7,nodata\n8,8,--\n' > f.csv
    "$SHEPARD" points -q -a_nodata_in -9999.9 f.csv f.csv o.csv
    [ "$(column o.csv z_pred | sort -u)" = 2 ]
    printf '"Real","Real","Real(Float32)"\n' > f.csvt
    sed -i '/[a-z-]$/d; /#/d' f.csv; printf 'x,y,z\n' | cat - f.csv > g.csv; cp f.csvt g.csvt
    ogr2ogr -q f.gpkg g.csv -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y
    "$SHEPARD" points -q -zfield z -a_nodata_in -9999.9 f.gpkg f.gpkg o.csv
    [ "$(column o.csv z_pred | sort -u)" = 2 ]
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

@test "kriging has an sd for each field" {
    needs python3
    "$SHEPARD" points -q -zfield zinc -zfield lead -a krige:model=linear:psill=1:range=1:nugget=0 \
        --diagnostics sd,alpha "$(src)" "$(query)" o.csv
    # On a data point its value; in the middle of the square the mean of the four.
    [ "$(column o.csv zinc_pred | sed -n '1p;3p' | tr '\n' ' ')" = "4 1 " ]
    [ "$(column o.csv zinc_sd | sed -n '1p;3p' | tr '\n' ' ')" = "0 0 " ]
    column o.csv zinc_pred | awk 'NR == 2 && ($1 - 2.5) ^ 2 > 1e-20 { exit 1 }'
    column o.csv lead_sd | awk 'NR == 2 && !($1 > 0) { exit 1 }'
    run "$SHEPARD" points -q -zfield zinc -a krige:model=linear:kind=simple:psill=1:range=1:nugget=0:mean=1 \
        "$(src)" "$(query)" o.csv
    [ "$status" -ne 0 ] && [[ $output == *" model is linear"* && $output != *parameters.* ]]
}

@test "kriging fits what is not given, each field its own; the text can be reused" {
    needs python3
    seq 60 | awk 'BEGIN { print "x,y,a,b" } { x = $1 * 37 % 61; y = $1 * 23 % 59
        print x "," y "," sin(x / 9) + y / 40 "," (($1 % 7) ? cos(y / 5) : "") }' > f.csv
    run --separate-stderr "$SHEPARD" points -zfield a,b -a krige --diagnostics sd --json=s.json f.csv f.csv o.csv
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [ "$(grep -c -- ': fitted to .* points in .* s, -a krige:' <<< "$output")" -eq 2 ]
    [[ "$output" == *"b: fitted to 52 points"* && "$output" != *"psill=auto"* ]]
    text=$(item s.json 'd["models"][0]["fit"]["parameters"]')
    [[ "$output" == *"-a $text"* && "$text" == *sd=local* ]]
    [ "$(item s.json 'd["models"][1]["fit"]["form"]')" = likelihood ]
    [ "$(item s.json 'd["models"][0]["fit"]["psill"] == float("'"$text"'".split("psill=")[1].split(":")[0])')" = True ]
    # All given: the same predictions, nothing fitted, and one search for both fields.
    run "$SHEPARD" points -zfield a,b -a "$text" --diagnostics sd f.csv f.csv again.csv
    [ "$status" -eq 0 ] && [[ "$output" != *"fitted to"* ]]
    [ "$(column o.csv a_pred)" = "$(column again.csv a_pred)" ]
    [ "$(column o.csv a_sd)" = "$(column again.csv a_sd)" ]
    # In part: what is given stays.
    run "$SHEPARD" points -zfield a -a krige:model=matern32:range=20:nugget=0 f.csv f.csv part.csv
    [[ "$output" == *"model=matern32:psill="*":range=20:nugget=0:"*"anisotropy_ratio=1:"* ]]
    # Too few points for a fit.
    head -6 f.csv > few.csv
    run --separate-stderr "$SHEPARD" points -zfield a -a krige few.csv f.csv few_out.csv
    [ "$status" -eq 0 ] && [[ "$stderr" == *"too few points (5)"* && "$output" == *"model=linear"* ]]
    fails_with "does not use weights" "$SHEPARD" points -zfield a -wfield x -a krige f.csv f.csv w.csv
}

@test "other methods have an sd for each field, from held-out data" {
    # Few data: one sd everywhere, the root mean square of what is held out.
    "$SHEPARD" points -q -zfield zinc,lead -a idw --diagnostics sd "$(src)" "$(query)" o.csv
    [ "$(column o.csv zinc_sd | awk '$1 > 0' | sort -u | wc -l)" = 1 ]
    [ "$(column o.csv lead_sd | awk '$1 > 0' | sort -u | wc -l)" = 1 ]
    # Enough data, twice the same; farther from them sd is larger.
    awk 'BEGIN { srand(3); print "x,y,z"
        for (i = 0; i < 400; i++) { x = rand(); y = rand(); print x "," y "," sin(9 * x) * cos(7 * y) } }' > many.csv
    printf 'x,y\n0.5,0.5\n3,3\n' > at.csv
    for method in idw:k=12 aidw idw:degree=1:k=12; do
        "$SHEPARD" points -q -a "$method" --diagnostics sd many.csv at.csv o.csv
        column o.csv z_sd | awk 'NR == 1 { near = $1 } END { exit !(near > 0 && $1 > 1.2 * near && NR == 2) }'
        "$SHEPARD" points -q -a "$method" --diagnostics sd --threads 1 many.csv at.csv again.csv
        cmp o.csv again.csv
    done
    printf 'x,y\n3,3\n' > far.csv
    run "$SHEPARD" points -a idw:k=12 --diagnostics sd many.csv far.csv o.csv
    [ "$status" -eq 0 ] && [[ $output == *"sd of field z: no datum can stand for a target"* ]]
    column o.csv z_sd | awk '!($1 > 0) { exit 1 }'
    printf 'x,y,z\n1,1,1\n1,1,2\n' > one.csv
    run "$SHEPARD" points -q -a idw --diagnostics sd one.csv at.csv o.csv
    [ "$status" -ne 0 ] && [[ $output == *"--diagnostics sd of field z: "* ]]
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
    fails_with "both input" "$SHEPARD" points -zfield zinc "$(src)" q.csv q.csv
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

# Whole numbers in the first megabyte, from which OGR guesses types; fractions behind it.
late_fractions() {
    awk 'BEGIN {
        print "x,y,z"
        for (i = 0; i < 120000; i++) print i % 1000 "," int(i / 1000) * 3 "," i % 9
        print "2000.5,2000.5,7.5"; print "2001.5,2001.5,900.25"
    }' > big.csv
    printf 'x,y\n2000.5,2000.5\n2001.5,2001.5\n' > two.csv
}

@test "fractions late in a CSV survive conditions and SQL" {
    late_fractions
    expected=$'x,y,z_pred\n2000.5,2000.5,7.5\n2001.5,2001.5,900.25'
    for how in "1=1" "z<>4" "z > 7.25"; do
        "$SHEPARD" points -q -zfield z -a idw:k=1:precision=double -where "$how" big.csv two.csv o.csv
        [ "$(cat o.csv)" = "$expected" ]
    done
    "$SHEPARD" points -q -zfield z -a idw:k=1:precision=double -sql "select * from big" big.csv two.csv o.csv
    [ "$(cat o.csv)" = "$expected" ]
    "$SHEPARD" points -q -zfield z -a idw:k=1:precision=double -qwhere "x > 1999.5" big.csv big.csv o.csv
    [ "$(cat o.csv)" = $'x,y,z,z_pred\n2000.5,2000.5,7.5,7.5\n2001.5,2001.5,900.25,900.25' ]
}

@test "attributes of a CSV reach other formats whole" {
    needs ogr2ogr
    late_fractions
    "$SHEPARD" points -q -zfield z -a idw:k=1 big.csv big.csv o.gpkg
    ogr2ogr -f CSV -where "x > 1999.5" -select x,y,z back.csv o.gpkg
    [ "$(tail -2 back.csv)" = $'2000.5,2000.5,7.5\n2001.5,2001.5,900.25' ]
}

@test "columns called as a GeoPackage's own are kept under other names, and the order" {
    needs ogr2ogr
    printf 'fid,geom,x,y\n7,a,10,10\n3.5,b,5,5\n3,c,0,0\n' > own.csv
    run --separate-stderr "$SHEPARD" points -zfield zinc "$(src)" own.csv o.gpkg
    [ "$status" -eq 0 ]
    [[ "$stderr" == *'is called "fid_2"'* ]]
    ogr2ogr -f CSV -select fid_2,geom_2,zinc_pred back.csv o.gpkg
    [ "$(cat back.csv)" = $'fid_2,geom_2,zinc_pred\n7,a,4\n3.5,b,2.5\n3,c,1' ]
}

@test "spreadsheets" {
    needs ogr2ogr ogrinfo
    for format in ods xlsx; do
        ogrinfo --formats | grep -qi "^ *$format .*(rw" || continue
        "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" "o.$format"
        ogr2ogr -f CSV back.csv "o.$format"
        [[ "$(sed -n 3p back.csv)" == middle,*,2.5 ]]
    done
}

@test "an output must not be one of the inputs, whatever their names" {
    needs ogr2ogr
    mkdir folder
    ogr2ogr -q folder/p.shp "$(src)" -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES
    cp -r folder before
    fails_with "both input" "$SHEPARD" points -q -zfield zinc folder "$(query)" folder/p.shp
    fails_with "both input" "$SHEPARD" points -q -zfield zinc folder/p.shp "$(query)" folder/p.dbf -f CSV
    fails_with "both input" "$SHEPARD" points -q -zfield zinc "$(src)" folder folder/p.shp
    fails_with "both input" "$SHEPARD" grid -q -zfield zinc -of GTiff folder folder/p.shp
    diff -r folder before
    echo 'WKT
"POLYGON ((-1 -1,11 -1,11 11,-1 11,-1 -1))"' > c.csv
    cp c.csv before.csv
    fails_with "both input" "$SHEPARD" points -q -zfield zinc -clipsrc c.csv "$(src)" "$(query)" ./c.csv
    fails_with "both input" "$SHEPARD" grid -q -zfield zinc -clipsrc c.csv -of GTiff "$(src)" ./c.csv
    cmp c.csv before.csv
}

@test "a file of several layers is not replaced" {
    needs ogr2ogr
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.gpkg
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" o.gpkg
    ogr2ogr -q -update o.gpkg "$(src)" -nln more
    cp o.gpkg before.gpkg
    fails_with "holds 2 layers" "$SHEPARD" points -q -zfield zinc -nln more "$(src)" "$(query)" o.gpkg
    fails_with "holds 2 layers" "$SHEPARD" grid -q -of GPKG -zfield zinc "$(src)" o.gpkg
    cmp o.gpkg before.gpkg
    "$SHEPARD" grid -q -of GPKG -ot Float32 -outsize 3 3 -zfield zinc "$(src)" r.gpkg
    "$SHEPARD" grid -q -of GPKG -ot Float32 -outsize 3 3 -zfield zinc "$(src)" r.gpkg
    "$SHEPARD" grid -q -of GPKG -ot Float32 -outsize 3 3 -zfield zinc -co APPEND_SUBDATASET=YES \
        -co RASTER_TABLE=two "$(src)" r.gpkg
    fails_with "holds 2 rasters" "$SHEPARD" grid -q -of GPKG -ot Float32 -outsize 3 3 -zfield zinc "$(src)" r.gpkg
    fails_with "holds 2 rasters" "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" r.gpkg
}

@test "formats of several files do not go to standard output" {
    run "$SHEPARD" points -q -f "ESRI Shapefile" -zfield zinc "$(src)" "$(query)" -
    [ "$status" -eq 1 ]
    [[ "$output" == *"the format makes "*"files"* ]]
}

@test "a reader that goes away: an error, and nothing stays" {
    mkdir tmp
    random_points 20000 5 > many.csv
    set +o pipefail
    TMPDIR="$PWD/tmp" "$SHEPARD" points -q -a idw:k=1 many.csv many.csv - 2> said | head -c 10 > /dev/null
    [ -z "$(ls -A tmp)" ]
    grep -q "cannot write to standard output" said
}

@test "a FIFO is read as standard input is" {
    mkfifo fifo
    cat "$(src)" > fifo &
    timeout 20 "$SHEPARD" points -q -zfield zinc fifo "$(query)" o.csv
    "$SHEPARD" points -q -zfield zinc "$(src)" "$(query)" expected.csv
    cmp o.csv expected.csv
}

@test "a full disk is noticed, and the old file stays" {
    mkdir small
    mount -t tmpfs -o size=64k tmpfs small 2> /dev/null || skip "no tmpfs can be mounted here"
    echo precious > small/o.geojson
    random_points 2000 5 > many.csv
    run "$SHEPARD" points -q -a idw:k=1 many.csv many.csv small/o.geojson
    local kept files
    kept="$(cat small/o.geojson)" files="$(ls -A small)"
    umount small
    echo "$output"
    [ "$status" -eq 1 ]
    [ "$kept" = precious ]
    [ "$files" = o.geojson ]
}

@test "query points all outside the data are noted" {
    printf 'x,y\n1000,5\n' > far.csv
    run --separate-stderr "$SHEPARD" points -zfield zinc "$(src)" far.csv o.csv
    [[ "$stderr" == *"same coordinate system?"* ]]
    run --separate-stderr "$SHEPARD" points -zfield zinc "$(src)" "$(query)" o.csv
    [[ "$stderr" != *"same coordinate system?"* ]]
}

@test "polygons and lines: an error that names the option, which then works" {
    needs ogr2ogr
    printf 'WKT,z\n"LINESTRING (0 0,10 0)",1\n"LINESTRING (0 10,10 10)",3\n' > lines.csv
    printf 'WKT,n\n"POLYGON ((4 4,6 4,6 6,4 6,4 4))",a\n' > areas.csv
    fails_with "-geometry vertices" "$SHEPARD" grid -zfield z lines.csv o.tif
    fails_with "-qgeometry centroids" "$SHEPARD" points -zfield zinc "$(src)" areas.csv o.csv
    fails_with "-qgeometry centroids" "$SHEPARD" points -geometry vertices -zfield z lines.csv areas.csv o.csv
    fails_with "vertices and centroids" "$SHEPARD" grid -geometry middle lines.csv o.tif
    for how in "-geometry vertices -qgeometry centroids" "-geometry centroids"; do
        "$SHEPARD" points -q $how --diagnostics count -a idw:radius=20 -zfield z lines.csv areas.csv o.csv
        cat o.csv
        tail -1 o.csv >> found
    done
    # Equally far from both lines: from their 4 vertices, and from their 2 centroids.
    [ "$(sed 's/.*",//' found)" = $'a,2,4\na,2,2' ]
}

@test "at a data point its value, to the last digit" {
    printf 'x,y,z\n0,0,7.9\n10,0,900.25\n0,10,-3.3\n10,10,0.1\n' > odd.csv
    for backend in cpu ref; do
        for how in idw:k=1 idw:k=3 idw:k=1:sectors=4 idw:k=2:sectors=8 idw idw:power=2.5:eps=0 \
            aidw; do
            "$SHEPARD" points -q --backend "$backend" -a "$how" odd.csv odd.csv o.csv
            awk -F, 'NR > 1 && $3 "" != $4 "" { exit 1 }' o.csv || { cat o.csv; echo "$backend $how"; false; }
        done
    done
}

@test "a text of the query that there is no memory for: an error, with -t_srs too" {
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip "no library that fails allocations in this build"
    needs ogr2ogr
    # No other allocation has the size of this text.
    printf 'x,y,z,name\n8,50,1,%04999d\n8.1,50,2,beta\n8,50.1,3,gamma\n' 7 > q.csv
    ogr2ogr -q -f GeoJSON -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y q.geojson q.csv
    mkdir out
    local how allocations i
    for how in "q.csv out/o.csv" "-t_srs EPSG:25832 q.geojson out/o.gpkg" \
        "-t_srs EPSG:25832 q.geojson out/o.csv"; do
        fail_at() {
            FAIL_SIZE=5000 FAIL_COUNT=count FAIL_AT="$1" LD_PRELOAD="$SHEPARD_TEST_FAIL_MALLOC" \
                "$SHEPARD" points -q -zfield z -s_srs EPSG:4326 -q_srs EPSG:4326 q.csv $how
        }
        fail_at 0
        allocations="$(cat count)"
        [ "$allocations" -gt 0 ]
        for ((i = 1; i <= allocations; i++)); do
            rm -f out/o.*
            echo "$how, allocation $i of $allocations"
            fails_with "cannot allocate" fail_at "$i"
            [ -z "$(ls -A out)" ]
        done
    done
}

@test "an allocation of GDAL's that fails while it writes: an error and no output, or the same output" {
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip "no library that fails allocations in this build"
    printf 'x,y,z,name\n0,0,1,alpha\n10,0,2,beta\n0,10,3,gamma\n3,4,1,a text longer than others\n' > q.csv
    mkdir out
    fail_at() {
        rm -f out/o.csv
        FAIL_COUNT=count FAIL_AT="$1" LD_PRELOAD="$SHEPARD_TEST_FAIL_MALLOC" \
            "$SHEPARD" points -q -zfield z q.csv q.csv out/o.csv > log 2>&1
    }
    fail_at 0
    mv out/o.csv whole.csv
    allocations="$(cat count)"
    [ "$allocations" -gt 100 ]
    local failed=0 i code
    # GDAL itself may end the process where it has no memory left.
    for ((i = 1; i <= allocations; i += allocations / 50)); do
        code=0
        fail_at "$i" || code=$?
        echo "allocation $i of $allocations: exit code $code"
        if [ "$code" -eq 0 ]; then
            cmp out/o.csv whole.csv
        else
            [ ! -e out/o.csv ]
            failed=$((failed + 1))
        fi
    done 2>/dev/null
    [ "$failed" -gt 0 ]
}
