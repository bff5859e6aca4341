#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# LAS files as SRC. SHEPARD_TEST_MAKE_LAS makes them of tables.
load common

# table N: the first N returns of a flight, or made up ones.
table() {
    local real="$SHEPARD_TEST_DATA/lidar/autzen_trim.csv"
    if [ -f "$real" ]; then
        head -n "$(($1 + 1))" "$real"
    else
        awk -v n="$1" 'BEGIN {
            srand(3); print "x,y,z,intensity,return_number,number_of_returns,classification"
            for (i = 0; i < n; i++)
                printf "%.2f,%.2f,%.2f,%d,%d,2,%d\n", 637000 + 300 * rand(), 849000 + 300 * rand(),
                    400 + 20 * rand(), 200 * rand(), 1 + int(2 * rand()), 1 + int(3 * rand())
        }'
    fi
}

# las NAME TABLE [VERSION FORMAT EPSG]: NAME.las, and NAME.csv of the points as it stores them.
las() {
    "$SHEPARD_TEST_MAKE_LAS" "$1.las" "${3:-1.4}" "${4:-6}" "$2" ${5:+"$5"} >"$1.csv"
}

# all.las, all.csv, and their points in t1.las, t2.las and t3.las, of three formats.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    table 1500 >table.csv
    las all table.csv 1.4 6 2994
    for i in 1 2 3; do
        awk -v i="$i" 'NR == 1 || int((NR - 2) / 500) == i - 1' table.csv >part.csv
        las "t$i" part.csv 1.4 "$((3 * i - 2))" 2994
    done
}

tiles() { cp "$BATS_FILE_TMPDIR"/*.las "$BATS_FILE_TMPDIR"/all.csv .; }

# grid NAME ARGUMENT...: the cells of NAME, by the 12 nearest points, and nothing else.
grid() {
    local name="$1"
    shift
    "$SHEPARD" grid -q -of ENVI -a idw:k=12 -outsize 40 30 "$@" "$name"
}

same() { [ -s "$1" ] && cmp "$1" "$2"; }

@test "the surface of a LAS file is that of its points in a table, bit for bit" {
    tiles
    grid a all.las
    grid b -zfield z -s_srs EPSG:2994 all.csv
    same a b
    grid c -zfield intensity all.las
    grid d -zfield intensity all.csv
    same c d
}

@test "several files and a pattern are one layer" {
    tiles
    grid all all.las
    grid names t1.las t2.las t3.las
    grid pattern 't?.las'
    grid both t1.las 't[23].las'
    same all names
    same all pattern
    same all both
    "$SHEPARD" grid -q -a idw:k=12 -outsize 4 3 t1.las t2.las t3.las o.tif
    gdalinfo o.tif >info
    grep -q 'SHEPARD_SOURCE=t1.las and 2 more' info
    grep -q 'ID\["EPSG",2994\]' info
}

@test "classes and returns are those of the table" {
    tiles
    awk -F, 'NR == 1 || ($7 == 2 && $5 == $6)' all.csv >chosen.csv
    grid a -class 2 -return last all.las
    grid b -zfield z chosen.csv
    same a b
    awk -F, 'NR == 1 || ($7 <= 2 && $5 == 1)' all.csv >chosen.csv
    grid a -class 0-1,2 -return FIRST all.las
    grid b -zfield z chosen.csv
    same a b
}

@test "an extent leaves out what lies outside" {
    tiles
    read -r x y < <(awk -F, 'NR > 1 { x += $1; y += $2 } END { printf "%.3f %.3f\n", x / (NR - 1), y / (NR - 1) }' all.csv)
    awk -F, -v x="$x" -v y="$y" 'NR == 1 || ($1 < x && $2 < y)' all.csv >chosen.csv
    grid a -clipsrc 0 0 "$x" "$y" all.las
    grid b -zfield z chosen.csv
    same a b
}

@test "every verb reads LAS files" {
    tiles
    "$SHEPARD" validate -q --folds 3 -a idw:k=8 --json t1.las t2.las t3.las >several.json
    "$SHEPARD" validate -q --folds 3 -a idw:k=8 --json all.las >one.json
    grep '"rmse"' several.json | cmp - <(grep '"rmse"' one.json)
    "$SHEPARD" validate -q --folds 3 -a idw:k=8 -zfield z -trend intensity all.las | grep -q -i rmse
    "$SHEPARD" tune -q --seconds 1 -a idw t1.las | grep -q idw
    table 20 >places.csv
    "$SHEPARD" points -q -a idw:k=4 -q_srs EPSG:2994 't?.las' places.csv out.csv
    [ "$(wc -l <out.csv)" -eq 21 ]
    fails_with "places to predict at" "$SHEPARD" points all.las all.las out.csv
}

@test "from standard input" {
    tiles
    grid a all.las
    grid b - <all.las
    same a b
}

@test "what is wrong with the options is said" {
    tiles
    fails_with "'256' is no class" "$SHEPARD" grid -class 256 all.las o.tif
    fails_with "'3-' is no class" "$SHEPARD" grid -class 2,3- all.las o.tif
    fails_with "'0' is no return" "$SHEPARD" grid -return 0 all.las o.tif
    fails_with "choose points of LAS files" "$SHEPARD" grid -class 2 -zfield z all.csv o.tif
    fails_with "its dimensions: \"x\"" "$SHEPARD" grid -zfield red all.las o.tif
    fails_with "-where is not for LAS files" "$SHEPARD" grid -where 'z > 1' all.las o.tif
    fails_with "no such file: \"u?.las\"" "$SHEPARD" grid t1.las 'u?.las' o.tif
    fails_with "named twice" "$SHEPARD" grid t1.las 't?.las' o.tif
    [ ! -e o.tif ]
}

@test "no LAS file is taken for the file of a summary, or written over" {
    tiles
    cp t1.las before
    "$SHEPARD" grid -q --json t1.las t2.las o.tif | grep -q '"t1.las and 1 more"'
    cmp t1.las before
    run "$SHEPARD" grid -q t2.las t1.las
    [ "$status" -eq 1 ]
    cmp t1.las before
    "$SHEPARD" grid -q --json told.json t1.las t2.las o.tif
    grep -q '"t1.las and 1 more"' told.json
}

@test "a file that is cut off says how many points are missing" {
    tiles
    head -c 20000 all.las >cut.las
    fails_with "points, and its header promises 1500" "$SHEPARD" grid cut.las o.tif
    [ ! -e o.tif ]
}

@test "a compressed file says what to install" {
    [ "$SHEPARD_TEST_LASZIP" = OFF ] || skip "built with LASzip"
    tiles
    printf '\x86' | dd of=all.las bs=1 seek=104 conv=notrunc status=none
    mv all.las all.laz
    fails_with "liblaszip-dev" "$SHEPARD" grid all.laz o.tif
    fails_with "shepard.grid_file" "$SHEPARD" grid all.laz o.tif
}
