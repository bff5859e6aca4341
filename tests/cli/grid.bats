#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What grid writes: place, size, bands, values, metadata, summary.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    # A gap in b only, one in c only, and one point without coordinates.
    cat > p.csv <<'EOF'
x,y,a,b,c
0,0,1,10,5
1005,0,2,20,NaN
0,1003,3,,7
1005,1003,4,40,8
500,500,5,50,9
,7,6,60,10
EOF
    # The same points with one column each, its gaps taken out.
    awk -F, 'NR > 1 && $1 != "" && $4 != "" { print $1 "," $2 "," $4 } NR == 1 { print "x,y,b" }' \
        p.csv > b.csv
    awk -F, 'NR > 1 && $1 != "" { print $1 "," $2 "," $3 } NR == 1 { print "x,y,a" }' p.csv > a.csv
}

points() { echo "$BATS_FILE_TMPDIR/p.csv"; }

grid() { "$SHEPARD" grid -q "$@"; }

@test "default size and edges: 256 x 256 cells, edges at the extent, north up" {
    needs gdalinfo python3
    grid -zfield a "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[256, 256]" ]
    [ "$(about o.tif 'd["geoTransform"]')" = "[0.0, 3.92578125, 0.0, 1003.0, 0.0, -3.91796875]" ]
    [ "$(about o.tif 'd["bands"][0]["type"]')" = Float64 ]
    [ "$(about o.tif 'd["driverShortName"]')" = GTiff ]
}

@test "-tr is kept exactly and the extent grows to whole cells" {
    needs gdalinfo python3
    grid -zfield a -tr 10 10 "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[101, 101]" ]
    [ "$(about o.tif 'd["geoTransform"]')" = "[0.0, 10.0, 0.0, 1003.0, 0.0, -10.0]" ]
    # 0.3 / 0.1 is a little less than 3, 0.7 / 0.1 a little less than 7: still 3 and 7 cells.
    grid -zfield a -tr 0.1 0.1 -txe 0 0.3 -tye 0 0.7 "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[3, 7]" ]
    [ "$(about o.tif 'd["geoTransform"][1]')" = 0.1 ]
    grid -zfield a -tr 3000 3000 "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[1, 1]" ]
}

@test "-tap puts edges at multiples of the cell size, outward" {
    needs gdalinfo python3
    grid -zfield a -tr 100 100 -tap -txe -5 995 -tye 1 999 "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[11, 10]" ]
    [ "$(about o.tif 'd["geoTransform"]')" = "[-100.0, 100.0, 0.0, 1000.0, 0.0, -100.0]" ]
    grid -zfield a -tr 50 50 -tap -txe 100 200 -tye -200 -100 "$(points)" o.tif
    [ "$(about o.tif 'd["geoTransform"]')" = "[100.0, 50.0, 0.0, -100.0, 0.0, -50.0]" ]
    [ "$(about o.tif 'd["size"]')" = "[2, 2]" ]
}

@test "north is up: the first row lies at the largest y" {
    needs gdal_translate
    printf 'x,y,z\n0,0,1\n0,100,9\n' > ns.csv
    for tye in "0 100" "100 0"; do
        grid -txe -1 1 -tye $tye -outsize 1 4 ns.csv o.tif
        cells o.tif > values
        [ "$(wc -l < values)" -eq 4 ]
        sort -rg values | cmp - values
        awk 'NR == 1 && !($1 > 8) { exit 1 } END { if (!($1 < 2)) exit 1 }' values
    done
}

@test "a cell centre on a data point has its value, and a constant field stays constant" {
    needs gdal_translate
    grid -zfield a -outsize 3 3 -txe -5 15 -tye -5 5 "$(points)" o.tif
    grid -zfield a -outsize 1 1 -txe -5 5 -tye -5 5 "$(points)" o.tif
    [ "$(cells o.tif)" = 1 ]
    grid -zfield a -z_multiply 0 -z_increase 3 "$(points)" o.tif
    [ "$(cells o.tif | sort -u)" = 0 ]
}

@test "-z_increase comes before -z_multiply" {
    needs gdal_translate
    grid -zfield a -outsize 1 1 -txe -5 5 -tye -5 5 -z_increase 2 -z_multiply 10 "$(points)" o.tif
    [ "$(cells o.tif)" = 30 ]
}

@test "bands are named after the fields, in the order asked for" {
    needs gdalinfo python3
    grid -outsize 9 9 -zfield c,a -zfield b "$(points)" o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = "['c', 'a', 'b']" ]
}

@test "a value missing in one column takes no point from another" {
    needs gdal_translate
    grid -a idw:power=3:precision=double:eps=0 -outsize 9 9 -zfield a,b,c "$(points)" all.tif
    grid -a idw:power=3:precision=double:eps=0 -outsize 9 9 -txe 0 1005 -tye 0 1003 -zfield b \
        "$BATS_FILE_TMPDIR/b.csv" b.tif
    grid -a idw:power=3:precision=double:eps=0 -outsize 9 9 -zfield a "$BATS_FILE_TMPDIR/a.csv" a.tif
    same_cells all.tif a.tif 1e-14 1 1
    same_cells all.tif b.tif 1e-14 2 1
}

@test "NULL, NaN and points without coordinates are skipped and counted" {
    needs python3
    run --separate-stderr "$SHEPARD" grid -zfield a,b,c --json=s.json "$(points)" o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"note: "*"skipped 1 "* ]]
    [ "$(item s.json 'd["layers"][0]["points_read"]')" = 5 ]
    [ "$(item s.json 'sum(d["layers"][0]["skipped"].values())')" = 1 ]
    [ "$(item s.json '[f["skipped_null"] + f["skipped_not_finite"] for f in d["layers"][0]["fields"]]')" \
        = "[0, 1, 1]" ]
    [ "$(item s.json '[m["points"] for m in d["models"]]')" = "[5, 4, 4]" ]
    # -q keeps the note back.
    run --separate-stderr grid -zfield a,b "$(points)" o.tif
    [ -z "$stderr" ]
    [ -z "$output" ]
}

@test "columns with the same gaps share a model" {
    needs python3
    awk -F, -v OFS=, 'NR == 1 { print $0, "d" } NR > 1 { print $0, ($4 == "" ? "" : 2 * $4) }' \
        "$(points)" > d.csv
    run --separate-stderr "$SHEPARD" grid -q -zfield a,b,d --json=s.json d.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$(item s.json '[m["fields"] for m in d["models"]]')" = "[['a'], ['b', 'd']]" ]
    [ "$(item s.json 'd["results"]')" = "['a', 'b', 'd']" ]
}

@test "nodata is flagged in the file: -9999, or as given" {
    needs gdalinfo python3
    grid -zfield a "$(points)" o.tif
    [ "$(about o.tif 'd["bands"][0]["noDataValue"]')" = -9999.0 ]
    grid -zfield a -a invdist:nodata=-1 "$(points)" o.tif
    [ "$(about o.tif 'd["bands"][0]["noDataValue"]')" = -1.0 ]
    grid -zfield a -ot Float32 -a idw:nodata=nan "$(points)" o.tif
    [ "$(about o.tif 'str(d["bands"][0]["noDataValue"]).lower()')" = nan ]
    grid -zfield a -ot Byte "$(points)" o.tif
    [ "$(about o.tif 'd["bands"][0]["noDataValue"]')" = 255.0 ]
    grid -zfield a -ot UInt16 "$(points)" o.tif
    [ "$(about o.tif 'd["bands"][0]["noDataValue"]')" = 65535.0 ]
}

@test "cells out of reach get nodata, and only those" {
    needs gdal_translate
    grid -zfield a -a idw:radius=50 -outsize 3 3 -txe -10 2000 -tye -10 2000 "$(points)" o.tif
    # Of the nine centres only (995, 995) has a point within 50, the one at (1005, 1003).
    [ "$(cells o.tif | tr '\n' ' ')" = "-9999 -9999 -9999 -9999 4 -9999 -9999 -9999 -9999 " ]
    grid -zfield a -a idw:radius=50:nodata=-7 -outsize 2 1 -txe -10 30 -tye -10 10 "$(points)" o.tif
    [ "$(cells o.tif | tr '\n' ' ')" = "1 1 " ]
    grid -zfield a -a idw:radius=50:min_points=2:nodata=-7 -outsize 2 1 -txe -10 30 -tye -10 10 \
        "$(points)" o.tif
    [ "$(cells o.tif | tr '\n' ' ')" = "-7 -7 " ]
}

@test "metadata: method, parameters, source, version" {
    needs gdalinfo python3
    grid -zfield a -a aidw:k=3:alphas=1,2,3,4,5 "$(points)" o.tif
    [ "$(about o.tif 'd["metadata"][""]["SHEPARD_METHOD"]')" = aidw ]
    parameters="$(about o.tif 'd["metadata"][""]["SHEPARD_PARAMETERS"]')"
    [[ "$parameters" == k=3:alphas=1,2,3,4,5:rmin=0:rmax=2:area=auto:expect=auto:* ]]
    [[ "$(about o.tif 'd["metadata"][""]["SHEPARD_SOURCE"]')" == *p.csv ]]
    [[ "$(about o.tif 'd["metadata"][""]["SHEPARD_VERSION"]')" == [0-9]*.[0-9]*GDAL* ]]
}

@test "diagnostics are further, named bands in the order asked for" {
    needs gdalinfo gdal_translate python3
    grid -zfield a -a idw:power=2:radius=600 -outsize 1 1 -txe 400 600 -tye 390 590 \
        --diagnostics count,nearest,alpha,deviation,effective "$(points)" o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = \
        "['a', 'count', 'nearest', 'alpha', 'a_deviation', 'effective']" ]
    # The cell centre is (500, 490): only (500, 500) lies within 600, at distance 10.
    [ "$(for band in 1 2 3 4 5 6; do cells o.tif $band; done | tr '\n' ' ')" = "5 1 10 2 0 1 " ]
    grid -zfield a -a idw:radius=600 -outsize 1 1 -txe 400 600 -tye 390 590 \
        --diagnostics effective,nearest,effective,count "$(points)" o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = \
        "['a', 'effective', 'nearest', 'count']" ]
    [ "$(for band in 1 2 3 4; do cells o.tif $band; done | tr '\n' ' ')" = "5 1 10 1 " ]
}

@test "diagnostics of columns with different gaps have different names" {
    needs gdalinfo python3
    grid -zfield a,b --diagnostics count "$(points)" o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = \
        "['a', 'b', 'a_count', 'b_count']" ]
    needs gdal_translate
    [ "$(cells o.tif 3 | sort -u)" = 5 ]
    [ "$(cells o.tif 4 | sort -u)" = 4 ]
}

@test "-ot, -of, -co, -a_srs" {
    needs gdalinfo python3
    grid -zfield a -ot Float32 -of GTiff -co COMPRESS=DEFLATE -co TILED=YES -a_srs EPSG:32632 \
        "$(points)" o.dat
    [ "$(about o.dat 'd["bands"][0]["type"], d["bands"][0]["block"]')" = "('Float32', [256, 256])" ]
    [ "$(about o.dat 'd["metadata"]["IMAGE_STRUCTURE"]["COMPRESSION"]')" = DEFLATE ]
    [[ "$(about o.dat 'd["coordinateSystem"]["wkt"]')" == *"UTM zone 32N"* ]]
    grid -zfield a -ot Float32 -outsize 3 2 "$(points)" o.asc
    [ "$(about o.asc 'd["driverShortName"]')" = AAIGrid ]
}

@test "a large raster in strips equals a small window of it" {
    needs gdal_translate gdalinfo
    # Three bands of 1600 x 1800 cells need more than one strip; the window lies across the cut.
    grid -zfield a -a idw:power=2:precision=double:k=3 -outsize 1600 1800 -txe 0 1600 -tye 0 1800 \
        --diagnostics count,nearest -ot Float32 "$(points)" large.tif
    gdal_translate -q -srcwin 700 1710 40 40 large.tif window.tif
    grid -zfield a -a idw:power=2:precision=double:k=3 -outsize 40 40 -txe 700 740 -tye 50 90 \
        -ot Float32 "$(points)" small.tif
    same_cells window.tif small.tif 0
}

@test "--json holds every note, printed or not, and what the values range over" {
    needs python3
    printf 'lon,lat,a\n0,0,1.5\n1,0,300\n0,1,\n1,1,-2\n' > p.csv
    for quiet in '' -q; do
        run --separate-stderr "$SHEPARD" grid $quiet --json=s.json -zfield a -ot Byte \
            -a idw:radius=55600 -outsize 9 9 p.csv o.tif
        [ "$status" -eq 0 ]
        [ -n "$quiet" ] && [ -n "$stderr" ] && return 1
        [ "$(item s.json 'any("1 points without a value" in n for n in d["notes"])')" = True ]
        [ "$(item s.json 'any("longitude and latitude" in n for n in d["notes"])')" = True ]
        [ "$(item s.json 'any("cells have too few points" in n for n in d["notes"])')" = True ]
        [ "$(item s.json 'any("clamped: 30" in n for n in d["notes"])')" = True ]
        [ "$(item s.json 'd["layers"][0]["fields"][0]["min"], d["layers"][0]["fields"][0]["max"]')" = \
            "(-2, 300)" ]
        [ -n "$quiet" ] || [ "$(item s.json 'len(d["notes"])')" -eq "$(grep -c note: <<<"$stderr")" ]
    done
}

@test "formats that take a raster by its place are written where gdal_translate writes them" {
    needs gdalinfo python3
    printf 'lon,lat,z\n5,50,1\n5.1,50,200\n5,50.1,90\n5.1,50.1,40\n' > l.csv
    grid -planar -ot Byte -outsize 40 30 l.csv l.tif
    for format in GRIB=l.grb2 KMLSUPEROVERLAY=l.kmz MBTiles=l.mbtiles; do
        gdalinfo --formats | grep -q "^ *${format%=*} .*(rw" || continue
        grid -planar -ot Byte -outsize 40 30 -of "${format%=*}" l.csv "${format#*=}"
        gdal_translate -q -of "${format%=*}" l.tif "t${format#*=}"
        expression='d["driverShortName"], d["size"], [round(c, 6) for c in d["geoTransform"]], [b["checksum"] for b in d["bands"]]'
        gdalinfo -json -checksum "${format#*=}" > ours.json
        gdalinfo -json -checksum "t${format#*=}" > theirs.json
        [ "$(item ours.json "$expression")" = "$(item theirs.json "$expression")" ]
    done
    # A folder of tiles next to the file of an earlier run: named, not removed.
    gdalinfo --formats | grep -q '^ *KMLSUPEROVERLAY .*(rw' || return 0
    grid -planar -ot Byte -outsize 40 30 -of KMLSUPEROVERLAY l.csv l.kml
    fails_with ": 0: " "$SHEPARD" grid -q -planar -ot Byte -outsize 40 30 -of KMLSUPEROVERLAY l.csv l.kml
}

@test "results do not depend on the number of threads" {
    grid -zfield a --threads 1 "$(points)" one.tif
    grid -zfield a --threads 3 "$(points)" three.tif
    cmp one.tif three.tif
}

@test "backends agree" {
    needs gdal_translate
    grid -zfield a -a idw:precision=double:k=4 --backend ref "$(points)" ref.tif
    grid -zfield a -a idw:precision=double:k=4 --backend cpu "$(points)" cpu.tif
    same_cells ref.tif cpu.tif 1e-12
}

@test "auto takes the CPU for a small job, and a method of GDAL's needs no backend" {
    needs gdal_translate
    grid -zfield a --backend auto "$(points)" auto.tif
    grid -zfield a --backend cpu "$(points)" cpu.tif
    cmp auto.tif cpu.tif
    grid -zfield a -a average --backend cuda "$(points)" average.tif
    cells average.tif | grep -q .
}

@test "aidw with one power everywhere is idw with that power" {
    needs gdal_translate
    grid -zfield a -a aidw:k=3:alphas=3,3,3,3,3:precision=double:eps=0 --diagnostics alpha \
        "$(points)" aidw.tif
    grid -zfield a -a idw:power=3:precision=double:eps=0 "$(points)" idw.tif
    same_cells aidw.tif idw.tif 1e-12
    [ "$(cells aidw.tif 2 | sort -u)" = 3 ]
    # With different powers, all of them within the bounds, and not all the same.
    grid -zfield a -a aidw:k=2 --diagnostics alpha -txe -2000 3000 -tye -2000 3000 "$(points)" aidw.tif
    cells aidw.tif 2 | awk '$1 < 1.5 || $1 > 3.5 { bad++ } !seen[$1]++ { kinds++ }
        END { exit !(NR > 0 && !bad && kinds > 3) }'
}

@test "degree=1 without ridge and damping keeps a plane" {
    needs gdal_translate
    awk 'BEGIN { srand(4); print "x,y,z"; for (i = 0; i < 60; i++) { x = 100 * rand()
        y = 100 * rand(); printf "%.12g,%.12g,%.15g\n", x, y, 2 * x - 3 * y + 7 } }' > plane.csv
    grid -a idw:k=12:degree=1:ridge=0:damping=0:precision=double -txe 10 90 -tye 10 90 -outsize 8 8 \
        plane.csv o.tif
    cells o.tif | awk '{ j = (NR - 1) % 8; i = int((NR - 1) / 8)
        d = $1 - (2 * (15 + 10 * j) - 3 * (85 - 10 * i) + 7)
        if (d > 1e-6 || d < -1e-6) bad++ } END { exit !(NR == 64 && !bad) }'
}

@test "a comma in a locale changes nothing" {
    needs locale
    name="$(locale -a | grep -m1 -iE '^(de|fr|es|it|ru)_.*utf' || true)"
    [ -n "$name" ] || skip "no locale with a decimal comma"
    grid -zfield a -a idw:power=2.5 -tr 100.5 100.5 "$(points)" plain.tif
    LC_ALL="$name" grid -zfield a -a idw:power=2.5 -tr 100.5 100.5 "$(points)" comma.tif
    cmp plain.tif comma.tif
}

@test "CSV on standard input, raster on standard output" {
    needs gdal_translate
    grid -zfield a "$(points)" file.tif
    cat "$(points)" | "$SHEPARD" grid -q -zfield a - pipe.tif
    same_cells file.tif pipe.tif 0
    "$SHEPARD" grid -zfield a -of GTiff "$(points)" /vsistdout/ > stdout.tif
    same_cells file.tif stdout.tif 0
}

@test "progress on stdout, as GDAL draws it" {
    run --separate-stderr "$SHEPARD" grid -zfield a "$(points)" o.tif
    [[ "$output" == *"0...10...20...30...40...50...60...70...80...90...100 - done."* ]]
}

@test "on a terminal the progress of a long run shows the time left, elsewhere it does not" {
    needs script
    random_points 1500 3 > many.csv
    local command="$SHEPARD grid -zfield z -a idw:power=2.3 --backend ref --threads 1 -outsize 200 200 many.csv"
    script -qec "$command o.tif" terminal < /dev/null > /dev/null
    grep -qE '\[0:00:[0-9][0-9] left, 0\.[0-9e-]+ million cells/s\]' terminal
    # Erased in the end: what stands on the screen is GDAL's bar.
    grep -q '100 - done' terminal
    $command p.tif > file
    ! grep -q left file
    cmp o.tif p.tif
}

@test "--json: the summary and nothing else on stdout" {
    needs python3
    run --separate-stderr "$SHEPARD" grid --json -zfield a -a idw:power=3 "$(points)" o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    echo "$output" > s.json
    [ "$(item s.json 'd["method"], d["parameters"]["power"]')" = "('idw', 3)" ]
    [ "$(item s.json 'd["output"]["bytes"]')" = "$(stat -c %s o.tif)" ]
    [ "$(item s.json 'set(d["seconds"]) == {"read", "build", "predict", "write", "total"}')" = True ]
    [ "$(item s.json 'abs(sum(v for k, v in d["seconds"].items() if k != "total") - d["seconds"]["total"]) < 1e-6')" = True ]
    [ "$(item s.json '1e6 < d["peak_memory_bytes"] < 1e10')" = True ]
    [ "$(item s.json 'd["models"][0]["backend"], d["models"][0]["device_bytes"]')" = "('cpu', 0)" ]
    [ "$(item s.json 'd["notes"], sum(d["gpu_seconds"].values())')" = \
        "(['layer p: skipped 1 without geometry or coordinate'], 0)" ]
    [ "$(item s.json 'd["layers"][0]["extent"] == {"x_min": 0, "y_min": 0, "x_max": 1005, "y_max": 1003}')" = True ]
    # The name behind --json is its file where there is one name too many.
    "$SHEPARD" grid -q --json t.json -zfield a "$(points)" o.tif
    [ "$(item t.json 'd["raster"]["columns"]')" = 256 ]
    "$SHEPARD" grid -q "$(points)" o.tif -zfield a --json - > u.json
    [ "$(item u.json 'd["raster"]["rows"]')" = 256 ]
}

@test "options in any letter case, with one dash or two, and from --optfile" {
    needs gdalinfo python3
    printf '%s\n' '# a comment' '-outsize 7 5' '--ZFIELD a' > options.txt
    grid --optfile options.txt "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[7, 5]" ]
}

@test "existing output is replaced" {
    needs gdalinfo python3
    grid -zfield a "$(points)" o.tif
    grid -zfield a -outsize 3 3 "$(points)" o.tif
    [ "$(about o.tif 'd["size"]')" = "[3, 3]" ]
    [ "$(ls -A)" = "about.json"$'\n'"o.tif" ]
}

@test "-where, -spat, -clipsrc and -sql choose points" {
    needs gdal_translate
    place="-outsize 1 1 -txe 400 600 -tye 390 590"
    grid $place -zfield a -where "a < 2" "$(points)" o.tif
    [ "$(cells o.tif)" = 1 ]
    grid $place -zfield a -spat 400 400 600 600 "$(points)" o.tif
    [ "$(cells o.tif)" = 5 ]
    grid $place -zfield a -clipsrc 400 400 600 600 "$(points)" o.tif
    [ "$(cells o.tif)" = 5 ]
    grid $place -zfield a -clipsrc "POLYGON ((900 -9, 1100 -9, 1100 9, 900 9, 900 -9))" \
        "$(points)" o.tif
    [ "$(cells o.tif)" = 2 ]
    grid $place -zfield v -sql "SELECT x, y, a + 1 AS v FROM p WHERE a = 3" -oo AUTODETECT_TYPE=YES \
        "$(points)" o.tif
    [ "$(cells o.tif)" = 4 ]
}

@test "-like takes place, size and coordinate system of a raster" {
    needs gdalinfo gdal_translate python3
    # reference FILE OPTION...: a raster of 4 x 3 cells of 250 x 300.
    reference() {
        local file="$1"
        shift
        grid -zfield a -outsize 4 3 -txe 10 1010 -tye 50 950 "$(points)" plain.tif
        gdal_translate -q "$@" plain.tif "$file"
    }
    reference ref.tif -a_srs EPSG:28992
    grid -zfield a -s_srs EPSG:28992 -like ref.tif -co COMPRESS=NONE "$(points)" o.tif
    cmp <(cells plain.tif) <(cells o.tif)
    diff <(gdalinfo -json ref.tif | grep -vE 'description|files|tif|band|SHEPARD' | sed -n '/"size"/,/"cornerC/p') \
        <(gdalinfo -json o.tif | grep -vE 'description|files|tif|band|SHEPARD' | sed -n '/"size"/,/"cornerC/p')
    # A system that is missing on one side is that of the other.
    run --separate-stderr "$SHEPARD" grid -zfield a -like ref.tif "$(points)" o.tif
    [[ "$stderr" == *"of the points is unknown"*"ref.tif"* ]]
    [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *"RD New"* ]]
    run --separate-stderr "$SHEPARD" grid -zfield a -s_srs EPSG:28992 -like plain.tif "$(points)" o.tif
    [[ "$stderr" == *"of plain.tif is unknown"* ]]
    [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *"RD New"* ]]
    # South up: the same cells, rows the other way round.
    reference south.tif -a_ullr 10 50 1010 950
    for how in idw nearest; do
        grid -zfield a -a $how -like plain.tif "$(points)" north.tif
        grid -zfield a -a $how -like south.tif "$(points)" o.tif
        [ "$(about o.tif 'd["geoTransform"]')" = "[10.0, 250.0, 0.0, 50.0, 0.0, 300.0]" ]
        cmp <(cells north.tif) <(cells o.tif | tac | paste -d ' ' - - - - | awk '{ print $4; print $3; print $2; print $1 }')
    done
}

@test "-like: what cannot be taken" {
    needs gdal_translate
    grid -zfield a -outsize 4 3 -s_srs EPSG:28992 "$(points)" ref.tif
    for option in "-txe 0 1" "-tye 0 1" "-tr 1 1" "-tr 1 1 -tap" "-outsize 2 2"; do
        fails_with "leave out -txe" "$SHEPARD" grid -like ref.tif $option "$(points)" o.tif
    done
    fails_with "-t_srs EPSG:28992" "$SHEPARD" grid -zfield a -s_srs EPSG:32631 -like ref.tif "$(points)" o.tif
    grid -zfield a -s_srs EPSG:32631 -t_srs EPSG:28992 -like ref.tif "$(points)" o.tif
    rm o.tif
    gdal_translate -q -of PNG -ot Byte -co WORLDFILE=NO ref.tif bare.png
    rm -f bare.png.aux.xml
    fails_with "no georeference" "$SHEPARD" grid -zfield a -like bare.png "$(points)" o.tif
    gdal_translate -q -of VRT ref.tif turned.vrt
    sed -i 's|<GeoTransform>.*</GeoTransform>|<GeoTransform>0,1,0.5,0,0.5,-1</GeoTransform>|' turned.vrt
    fails_with "is rotated" "$SHEPARD" grid -zfield a -like turned.vrt "$(points)" o.tif
    fails_with "cannot be read as a raster" "$SHEPARD" grid -zfield a -like "$(points)" "$(points)" o.tif
    fails_with "nowhere.tif" "$SHEPARD" grid -zfield a -like nowhere.tif "$(points)" o.tif
    cp ref.tif before.tif
    fails_with "both input" "$SHEPARD" grid -zfield a -like ref.tif "$(points)" ./ref.tif
    cmp ref.tif before.tif
    [ ! -e o.tif ]
}

@test "a raster of one cell, or without a data point, is noted" {
    needs python3
    run --separate-stderr "$SHEPARD" grid -zfield a -tr 3000 3000 --json=s.json "$(points)" o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"single cell of 3000 x 3000"* ]]
    [[ "$(item s.json 'd["notes"]')" == *"single cell"* ]]
    run --separate-stderr "$SHEPARD" grid -zfield a -outsize 1 1 -txe 2000 3000 --json=s.json "$(points)" o.tif
    [[ "$stderr" == *"no data point lies within the raster (x 2000 to 3000, y 0 to 1003)"* ]]
    [[ "$stderr" != *"single cell"* ]]
    [[ "$(item s.json 'd["notes"]')" == *"no data point lies"* ]]
    # A point on the edge is within.
    run --separate-stderr "$SHEPARD" grid -zfield a -outsize 3 3 -txe 1005 3000 "$(points)" o.tif
    [[ "$stderr" != *"no data point"* ]]
    grid -zfield a -outsize 2 2 -txe 2000 3000 -tye 5000 6000 "$(points)" ref.tif
    run --separate-stderr "$SHEPARD" grid -zfield a -like ref.tif "$(points)" o.tif
    [[ "$stderr" == *"no data point"* ]]
}

@test "-xfield and -yfield name the coordinates" {
    needs gdal_translate
    sed '1s/x,y/right,up/' "$(points)" > named.csv
    grid -zfield a "$(points)" plain.tif
    grid -zfield a -xfield right -yfield up named.csv named.tif
    same_cells plain.tif named.tif 0
    fails_with "go together" "$SHEPARD" grid -xfield right named.csv o.tif
}

@test "-wfield weights the points" {
    needs gdal_translate
    printf 'x,y,z,w\n-1,0,0,1\n1,0,8,3\n' > w.csv
    grid -a idw:precision=double:eps=0 -outsize 1 1 -txe -9 9 -tye -9 9 -zfield z w.csv o.tif
    [ "$(cells o.tif)" = 4 ]
    grid -a idw:precision=double:eps=0 -outsize 1 1 -txe -9 9 -tye -9 9 -zfield z -wfield w w.csv o.tif
    [ "$(cells o.tif)" = 6 ]
}

@test "longitude and latitude with a method of GDAL: a note, unless -planar or -q" {
    needs ogr2ogr
    printf 'x,y,z\n9,50,1\n10,51,2\n' > ll.csv
    ogr2ogr -q -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
        -a_srs EPSG:4326 ll.gpkg ll.csv
    run --separate-stderr "$SHEPARD" grid -a nearest -zfield z ll.gpkg o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"longitude and latitude"*"-planar"* ]]
    run --separate-stderr "$SHEPARD" grid -planar -a nearest -zfield z ll.gpkg o.tif
    [ -z "$stderr" ]
    run --separate-stderr "$SHEPARD" grid -zfield z ll.gpkg o.tif
    [[ "$stderr" == *"distances are great circles in metres;"*"-planar"* ]]
}

@test "valid cells never become nodata in a type of whole numbers, and clamped ones are counted" {
    needs python3
    # Each cell centre is a data point: 0 0 | 255 256 | 254 -1 | 300 7.4 in rows from the top.
    printf 'x,y,z\n0.5,3.5,0\n1.5,3.5,0.4\n0.5,2.5,255\n1.5,2.5,256\n' > p.csv
    printf '0.5,1.5,254\n1.5,1.5,-1\n0.5,0.5,254.7\n1.5,0.5,7.4\n' >> p.csv
    local place="-tr 1 1 -txe 0 2 -tye 0 4"
    run --separate-stderr "$SHEPARD" grid $place -ot Byte --json=s.json p.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [ "$(cells o.tif | tr '\n' ' ')" = "0 0 254 254 254 0 254 7 " ]
    [[ "$stderr" == *"cells outside the range of Byte, clamped: 2"* ]]
    [[ "$stderr" == *"cells with the value 255, which is nodata, changed to the next number: 2"* ]]
    [ "$(item s.json '[d["raster"]["bands"][0][k] for k in ("name", "cells_clamped",
        "cells_moved_off_nodata", "cells_without_prediction")]')" = "['z', 2, 2, 0]" ]
    # Nodata at the lower end: up is the only way.
    "$SHEPARD" grid -q $place -ot Byte -a invdist:nodata=0 p.csv o.tif
    [ "$(cells o.tif | tr '\n' ' ')" = "1 1 255 255 254 1 255 7 " ]
    # Nodata in the middle: to the side from which the value comes.
    printf 'x,y,z\n0.5,1.5,3.4\n1.5,1.5,2.6\n0.5,0.5,3\n1.5,0.5,9\n' > mid.csv
    "$SHEPARD" grid -q -tr 1 1 -txe 0 2 -tye 0 2 -ot Int16 -a invdist:nodata=3 mid.csv o.tif
    [ "$(cells o.tif | tr '\n' ' ')" = "4 2 2 9 " ]
    # In wider types nothing happens, and nothing is said.
    run --separate-stderr "$SHEPARD" grid $place -ot Int16 p.csv o.tif
    [ -z "$stderr" ]
    [ "$(cells o.tif | tr '\n' ' ')" = "0 0 255 256 254 -1 255 7 " ]
    # A type of broken numbers keeps the value and says so; -q says nothing.
    run --separate-stderr "$SHEPARD" grid $place -a invdist:nodata=255 p.csv o.tif
    [[ "$stderr" == *"cells with the value 255, which is nodata: 1"* ]]
    run --separate-stderr "$SHEPARD" grid -q $place -ot Byte p.csv o.tif
    [ -z "$stderr" ]
}

@test "cells without enough points are counted" {
    needs python3
    printf 'x,y,z\n0.5,0.5,1\n' > p.csv
    local place="-tr 1 1 -txe 0 3 -tye 0 1"
    run --separate-stderr "$SHEPARD" grid $place -a idw:radius=1.2 --diagnostics count \
        --json=s.json p.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$(cells o.tif 1 | tr '\n' ' ')" = "1 1 -9999 " ]
    [ "$(cells o.tif 2 | tr '\n' ' ')" = "1 1 0 " ]
    [ "$(grep -c 'band z: 1 of 3 cells have too few points within reach: nodata' <<< "$stderr")" -eq 1 ]
    [ "$(item s.json '[b["cells_without_prediction"] for b in d["raster"]["bands"]]')" = "[1, 0]" ]
    # Counts of 0 stay 0 where 0 is nodata.
    "$SHEPARD" grid -q $place -ot Byte -a idw:radius=1.2:nodata=0 --diagnostics count p.csv o.tif
    [ "$(cells o.tif 2 | tr '\n' ' ')" = "1 1 0 " ]
}

@test "points without a weight are counted" {
    needs python3
    printf 'x,y,z,w\n0,0,1,1\n0,1,2,\n1,0,3,x\n1,1,4,2\n' > w.csv
    run --separate-stderr "$SHEPARD" grid -zfield z -wfield w --skip-invalid --json=s.json w.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [[ "$stderr" == *"field w: skipped 1 points without a value"* ]]
    [[ "$stderr" == *'field w: skipped 1 text that is not a number, first "x" in row 3'* ]]
    [ "$(item s.json '[d["layers"][0]["skipped"][k] for k in ("weight_null", "weight_not_finite")]')" = "[1, 1]" ]
    [ "$(item s.json 'd["models"][0]["points"]')" = 2 ]
    [ "$(item s.json '[d["layers"][0]["fields"][0][k] for k in ("points_used", "skipped_text")]')" = "[2, 0]" ]
    [[ "$output" == *"2 of 4 points, 256 x 256 cells"* ]]
}

@test "a value that may stand for missing ones is noted, -a_nodata_in leaves it out" {
    needs python3 gdal_translate
    random_points 40 8 > clean.csv
    awk -F, -v OFS=, 'NR % 10 == 5 { $3 = -9999 } { print }' clean.csv > stray.csv
    awk -F, 'NR % 10 != 5' clean.csv > rest.csv
    place=$(awk -F, 'NR > 1 { print $1, $2 }' clean.csv | awk '
        NR == 1 { a = b = $1; c = d = $2 } { a = $1 < a ? $1 : a; b = $1 > b ? $1 : b
        c = $2 < c ? $2 : c; d = $2 > d ? $2 : d } END { print "-txe", a, b, "-tye", c, d }')
    run --separate-stderr "$SHEPARD" grid $place -outsize 3 3 stray.csv o.tif
    [[ "$stderr" == *"field z: the value -9999 occurs 4 times, far from the others ("*"use -a_nodata_in -9999" ]]
    "$SHEPARD" grid -q $place -outsize 3 3 rest.csv rest.tif
    for values in "-z_multiply 1" "-z_increase 5 -z_multiply 2"; do
        "$SHEPARD" grid -q $place $values -outsize 3 3 rest.csv rest.tif
        run --separate-stderr "$SHEPARD" grid $place $values -a_nodata_in -9999 -outsize 3 3 \
            stray.csv left.tif
        [[ "$stderr" == *"field z: skipped 4 points without a value" ]]
        [[ "$output" == "36 of 40 points, "* ]]
        same_cells rest.tif left.tif 0
    done
    # One such value, or one that is no farther than the others, is a measurement.
    awk -F, -v OFS=, 'NR == 5 { $3 = 9999 } { print }' clean.csv > once.csv
    awk -F, -v OFS=, 'NR == 5 || NR == 6 { $3 = 0 } { print }' clean.csv > near.csv
    for name in clean once near; do
        run --separate-stderr "$SHEPARD" grid -outsize 3 3 $name.csv o.tif
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
    done
}

@test "the default field of a table is named" {
    needs python3
    for name in z point_z z_coord elevation elev altitude alt height depth value val rain; do
        [ $name = rain ] || tr ',\n' '  ' < "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/docs/man/shepard.1" | grep -q " $name "
        printf "x,y,note,$name\n0,0,a,1\n1,1,b,2\n" > p.csv
        run --separate-stderr "$SHEPARD" grid -outsize 2 2 p.csv o.tif
        [[ "$output" == "2 points, field $name (by default), 2 x 2 cells"* ]]
    done
    run --separate-stderr "$SHEPARD" grid -outsize 2 2 -zfield rain --json p.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$(item <(echo "$output") 'd["layers"][0]["fields"][0]["by_default"]')" = False ]
    run --separate-stderr "$SHEPARD" points p.csv p.csv o.csv
    [[ "$output" == "2 points, field rain (by default), 2 query points"* ]]
}

@test "a range of fields, and a field with a comma in its name" {
    needs python3
    printf 'x,y,"Pb, mg",d09,d10\n0,0,1,2,3\n1,1,2,3,4\n' > p.csv
    grid -outsize 2 2 -zfield "Pb, mg" -zfield d09-d10 p.csv o.tif
    [ "$(about o.tif '[b["description"] for b in d["bands"]]')" = "['Pb, mg', 'd09', 'd10']" ]
}

@test "a shapefile whose .dbf is too short is noted" {
    needs ogr2ogr python3
    random_points 20 3 > p.csv
    ogr2ogr -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES p.shp p.csv 2> /dev/null
    run --separate-stderr "$SHEPARD" grid -zfield z -outsize 3 3 p.shp o.tif
    [ -z "$stderr" ]
    python3 -c 'b = bytearray(open("p.dbf", "rb").read()); b[4:8] = (7).to_bytes(4, "little")
open("p.dbf", "wb").write(b)'
    run --separate-stderr "$SHEPARD" grid -zfield z -outsize 3 3 p.shp o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"the .shp file has 20 shapes, the .dbf file says that it has 7 records; only 7 can be used"* ]]
    [[ "$output" == "7 points, "* ]]
}

# with_commas SEPARATOR FILE: the CSV file with decimal commas, values in quotes between commas.
with_commas() {
    python3 -c 'import csv, sys
rows = [[v.replace(".", ",") for v in row] for row in csv.reader(open(sys.argv[2]))]
csv.writer(sys.stdout, delimiter=sys.argv[1], lineterminator="\n").writerows(rows)' "$1" "$2"
}

@test "decimal commas are read: coordinates, values and weights" {
    needs python3 gdal_translate
    random_points 60 5 > plain.csv
    awk -F, -v OFS=, '{ print $0, NR == 1 ? "w" : NR / 8 }' plain.csv > p.csv
    "$SHEPARD" grid -q -outsize 5 4 -wfield w p.csv plain.tif
    with_commas ';' p.csv > semicolons.csv
    with_commas $'\t' p.csv > tabs.csv
    with_commas ',' p.csv > quotes.csv
    for name in semicolons tabs quotes; do
        run --separate-stderr "$SHEPARD" grid -outsize 5 4 -wfield w "$name.csv" "$name.tif"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [[ "$output" == "60 points, "* ]]
        same_cells plain.tif "$name.tif" 0
    done
    # Whole numbers and points stand next to commas.
    printf 'x;y;z\n0;0;1,5\n0;1;2\n1;0;2.5\n1;1;-3,25e0\n' > mixed.csv
    printf 'x,y,z\n0,0,1.5\n0,1,2\n1,0,2.5\n1,1,-3.25\n' > plain.csv
    "$SHEPARD" grid -q -outsize 5 4 mixed.csv mixed.tif
    "$SHEPARD" grid -q -outsize 5 4 plain.csv plain.tif
    same_cells plain.tif mixed.tif 0
}

@test "a comma before three digits is a decimal sign where the file shows it" {
    needs gdal_translate
    printf 'x,y,z\n0,0,1.234\n1,1,2.5\n' > plain.csv
    "$SHEPARD" grid -q -outsize 2 2 plain.csv plain.tif
    printf 'x,y,z\n0,0,"1,234"\n1,1,"2,5"\n' > shown.csv
    "$SHEPARD" grid -outsize 2 2 shown.csv shown.tif 2> said
    [ ! -s said ]
    same_cells plain.tif shown.tif 0
    printf 'x,y,z\n0,0,1.234\n1,1,2.500\n' > plain.csv
    "$SHEPARD" grid -q -outsize 2 2 plain.csv plain.tif
    printf 'x;y;z\n0;0;1,234\n1;1;2,500\n' > semicolons.csv
    "$SHEPARD" grid -outsize 2 2 semicolons.csv semicolons.tif 2> said
    grep -q 'field z: "1,234" is read with a decimal comma' said
    same_cells plain.tif semicolons.tif 0
    printf 'x,y,z\n0,0,"1,234"\n1,1,"2,500"\n' > quoted.csv
    "$SHEPARD" grid -decimal comma -outsize 2 2 quoted.csv quoted.tif 2> said
    [ ! -s said ]
    same_cells plain.tif quoted.tif 0
    run "$SHEPARD" grid -decimal point -outsize 2 2 quoted.csv quoted.tif
    [ "$status" -eq 1 ]
    [[ "$output" == *'it holds text such as "1,234"'* ]]
}

@test "longitude and latitude are noted by -a_srs and by the columns' names" {
    printf 'lon,lat,z\n1,2,3\n4,5,6\n' > lonlat.csv
    printf 'x,y,z\n1,2,3\n4,5,6\n' > xy.csv
    run --separate-stderr "$SHEPARD" grid -outsize 3 3 lonlat.csv o.tif
    [[ "$stderr" == *"layer lonlat has longitude and latitude"* ]]
    run --separate-stderr "$SHEPARD" grid -a_srs EPSG:4326 -outsize 3 3 xy.csv o.tif
    [[ "$stderr" == *"-a_srs has longitude and latitude"* ]]
    run --separate-stderr "$SHEPARD" grid -a_srs EPSG:32632 -outsize 3 3 xy.csv o.tif
    [ -z "$stderr" ]
    run --separate-stderr "$SHEPARD" grid -planar -a_srs EPSG:4326 -outsize 3 3 lonlat.csv o.tif
    [ -z "$stderr" ]
}

@test "a file that is replaced keeps its mode" {
    printf 'x,y,z\n1,2,3\n4,5,6\n' > p.csv
    echo old > o.tif
    chmod 640 o.tif
    "$SHEPARD" grid -q -outsize 3 3 p.csv o.tif
    [ "$(ls -l o.tif | cut -c 1-10)" = "-rw-r-----" ]
    umask 022
    "$SHEPARD" grid -q -outsize 3 3 p.csv new.tif
    [ "$(ls -l new.tif | cut -c 1-10)" = "-rw-r--r--" ]
}

@test "--json is UTF-8, whatever the names are in" {
    needs python3
    printf 'x,y,h\366he\n0,0,1\n1,1,2\n' > latin1.csv
    printf 'x,y,h\303\266he\n0,0,1\n1,1,2\n' > utf8.csv
    for file in latin1.csv utf8.csv; do
        "$SHEPARD" grid -q -zfield "$(head -1 "$file" | cut -d, -f3)" --json=s.json "$file" o.tif 2> said || true
        grep -q "built without cJSON" said && skip "built without cJSON"
        [ "$(item s.json 'd["models"][0]["fields"][0] == "h\u00f6he"')" = True ]
    done
    cp latin1.csv "$(printf 'g\354\355.csv')"
    "$SHEPARD" grid -q -zfield "$(printf 'h\366he')" --json=s.json "$(printf 'g\354\355.csv')" o.tif
    [ "$(item s.json '"g\u00ec\u00ed.csv" in str(d)')" = True ]
}

@test "threads that compress blocks leave the same file" {
    awk 'BEGIN { srand(11); print "x,y,z"; for (i = 0; i < 500; i++) print rand() "," rand() "," rand() }' > f.csv
    local options option
    for options in "" "-co COMPRESS=ZSTD" "-co COMPRESS=LZW -co PREDICTOR=2 -ot Int16" "-of COG"; do
        for option in 1 5; do
            "$SHEPARD" grid -q -a idw:k=5 -outsize 700 900 $options --threads $option f.csv $option.tif
        done
        cmp 1.tif 5.tif
        GDAL_NUM_THREADS=3 "$SHEPARD" grid -q -a idw:k=5 -outsize 700 900 $options f.csv 3.tif
        cmp 1.tif 3.tif
    done
    "$SHEPARD" grid -q -outsize 7 9 -a idw:k=5 -co NUM_THREADS=2 f.csv o.tif
}

@test "kriging writes what it has fitted into the raster" {
    needs gdalinfo
    seq 60 | awk 'BEGIN { print "x,y,a,b" } { x = $1 * 37 % 61; y = $1 * 23 % 59
        print x "," y "," sin(x / 9) + y / 40 "," cos(y / 5) }' > f.csv
    "$SHEPARD" grid -q -a krige -zfield a -outsize 9 7 f.csv one.tif
    gdalinfo one.tif > info
    grep -q 'SHEPARD_METHOD=krige' info
    text=krige:$(sed -n 's/.*SHEPARD_PARAMETERS=//p' info)
    [[ "$text" == *psill=* && "$text" != *psill=auto* && "$text" == *sd=local* ]]
    "$SHEPARD" grid -q -a "$text" -zfield a -outsize 9 7 f.csv again.tif
    cmp one.tif again.tif
    "$SHEPARD" grid -q -a krige -zfield a,b -outsize 9 7 f.csv two.tif
    gdalinfo two.tif > info
    grep -q 'SHEPARD_FIT_1=krige:model=stable:psill=' info
    grep -q 'SHEPARD_FIT_2=krige:model=stable:psill=' info
}
