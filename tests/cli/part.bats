#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Parts of a raster, computed by runs that do not know each other, against the raster of one run.
load common
load parts

# same_by_vrt: what gdalbuildvrt makes of the parts is the whole raster.
same_by_vrt() {
    # The mean of equal resolutions, its default, may be off by a bit.
    gdalbuildvrt -q -resolution highest parts.vrt part*.tif
    cmp <(raw whole.tif) <(raw parts.vrt)
    diff <(gdalinfo whole.tif | grep -E '^(Size|Origin|Pixel|Lower|Upper|  NoData)') \
        <(gdalinfo parts.vrt | grep -E '^(Size|Origin|Pixel|Lower|Upper|  NoData)')
}

# in_parts N OPTIONS...
in_parts() {
    echo "in $*"
    parts "$@"
    same_by_vrt
}

@test "parts are the raster of one run, bit by bit: methods" {
    needs gdalbuildvrt gdal_translate gdalinfo
    local algorithm
    for algorithm in idw idw:k=12:degree=1 idw:precision=double:eps=1e-9 aidw aidw:max_points=12:sectors=4 \
        krige:k=8 invdistnn:radius=200:max_points=9 invdist:radius=150; do
        in_parts 3 "${small[@]}" -zfield z -outsize 100 130 -a "$algorithm" "$(file q.csv)"
    done
}

@test "parts begin anywhere: rasters much finer than the data, strips of 5 rows" {
    needs gdalbuildvrt gdal_translate gdalinfo
    head -60 "$(file p.csv)" > few.csv
    local algorithm
    for algorithm in idw aidw idw:smoothing=20:power=3; do
        in_parts 6 -co TILED=NO -co BLOCKYSIZE=5 -outsize 400 333 -a "$algorithm" few.csv
    done
}

@test "parts are the raster of one run: trends and barriers" {
    needs gdalbuildvrt gdal_translate gdalinfo
    "$SHEPARD" grid -q -txe 447900 449100 -tye 5262900 5264100 -outsize 50 50 -a idw:k=20:smoothing=90 "$(file p.csv)" height.tif
    cat > wall.geojson <<'JSON'
{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":
{"type":"LineString","coordinates":[[448300,5263100],[448500,5263600],[448700,5263500]]}}]}
JSON
    in_parts 3 "${small[@]}" -zfield z -outsize 100 130 -a idw:k=7 -trend height.tif -barrier wall.geojson "$(file q.csv)"
}

@test "parts are the raster of one run: fits, sd, diagnostics and several fields" {
    needs gdalbuildvrt gdal_translate gdalinfo
    in_parts 4 "${small[@]}" -zfield z,b -outsize 90 110 -a krige --diagnostics sd "$(file q.csv)"
    in_parts 2 "${small[@]}" -zfield z -outsize 90 110 -a idw:k=9 --diagnostics sd,count,nearest "$(file q.csv)"
}

@test "parts are the raster of one run: nodata, masks, types and layouts of the file" {
    needs gdalbuildvrt gdal_translate gdalinfo
    local q layout
    q="$(file q.csv)"
    in_parts 5 "${small[@]}" -zfield z -tr 9 7 -a idw:k=4:radius=60 "$q"
    in_parts 5 "${small[@]}" -zfield z -tr 9 7 -tap -a idw:k=4:radius=60:nodata=nan -ot Float32 "$q"
    in_parts 3 "${small[@]}" -zfield z,b -tr 9 7 -mask "$(file mask.geojson)" -a idw:k=4 "$q"
    in_parts 3 "${small[@]}" -zfield z -tr 9 7 -ot Byte -a idw:k=4:radius=60 "$q"
    # Cells may have the value nodata.
    in_parts 3 "${small[@]}" -zfield z -tr 9 7 -a idw:k=1:nodata=7 -ot Int16 "$q"
    for layout in INTERLEAVE=BAND TILED=NO BLOCKYSIZE=5 COMPRESS=NONE BIGTIFF=YES; do
        in_parts 4 -co "$layout" -zfield z,b -outsize 300 270 -a idw:k=4:radius=60 "$q"
    done
}

@test "random sizes, blocks and numbers of parts" {
    needs gdalbuildvrt gdal_translate gdalinfo
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    local i
    for ((i = 0; i < 4; i++)); do
        in_parts $((1 + RANDOM % 9)) -zfield z -co TILED=YES -co BLOCKXSIZE=$((16 + 16 * (RANDOM % 4))) \
            -co BLOCKYSIZE=$((16 + 16 * (RANDOM % 4))) -outsize $((1 + RANDOM % 150)) $((1 + RANDOM % 150)) \
            -a idw:radius=$((20 + RANDOM % 200)):k=5 "$(file q.csv)"
    done
}

@test "a part has its blocks only: each belongs to one, and numbers differ by one" {
    needs python3 gdalinfo
    parts 7 -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -outsize 90 75 -a idw:k=4 "$(file p.csv)"
    local i
    for ((i = 1; i <= 7; i++)); do
        blocks "part$i.tif" | cut -d' ' -f1 | paste -sd' ' >> found
    done
    cat found
    [ "$(tr ' ' '\n' < found)" = "$(seq 0 29)" ]
    [ "$(awk '{ print NF }' found | sort -u | tr '\n' ' ')" = "4 5 " ]
}

@test "parts say which they are and what they were computed from" {
    needs gdalinfo python3
    parts 2 -outsize 9 9 -a idw:k=4 "$(file p.csv)"
    [ "$(about part2.tif 'd["metadata"][""]["SHEPARD_PART"]')" = 2/2 ]
    about part2.tif 'd["metadata"][""]["SHEPARD_INPUT"]' > second
    [ "$(about part1.tif 'd["metadata"][""]["SHEPARD_INPUT"]')" = "$(cat second)" ]
    sed '9s/.$/7/' "$(file p.csv)" > other.csv
    "$SHEPARD" grid -q --part 2/2 -outsize 9 9 -a idw:k=4 other.csv other.tif
    [ "$(about other.tif 'd["metadata"][""]["SHEPARD_INPUT"]')" != "$(cat second)" ]
    gdalinfo whole.tif > whole
    ! grep -E 'SHEPARD_(PART|INPUT)' whole
}

@test "more parts than blocks: the last ones are empty, valid and noted" {
    needs gdalinfo gdalbuildvrt gdal_translate
    in_parts 3 -outsize 300 20 -a idw:k=4 "$(file p.csv)"
    run --separate-stderr "$SHEPARD" grid --part 3/3 -outsize 300 20 -a idw:k=4 "$(file p.csv)" o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"note: part 3/3 has no block"* ]]
    [ "$(stat -c %s o.tif)" -lt 4000 ]
    run --separate-stderr "$SHEPARD" grid --part 2/3 -outsize 300 20 -a idw:k=4 "$(file p.csv)" o.tif
    [[ "$stderr" != *"no block"* ]]
}

@test "a dry run of a part estimates its share" {
    "$SHEPARD" grid --dry-run --part 2/4 -outsize 300 300 -a idw:k=4 "$(file p.csv)" o.tif > said
    cat said
    grep -q '^part 2/4: time and file of 1/4 of the cells' said
    [ ! -e o.tif ]
}

@test "wrong parts, and what has none" {
    local text
    for text in 0/3 4/3 1/0 2 a/3 1/b -1/3 1/3x ' 1/3' 1/99999999999999999999; do
        fails_with "--part: '$text' is no part; write i/n" "$SHEPARD" grid -q "--part=$text" "$(file p.csv)" o.tif
    done
    fails_with "only GeoTIFF" "$SHEPARD" grid -q --part 1/2 -of COG "$(file p.csv)" o.tif
    fails_with "only GeoTIFF" "$SHEPARD" grid -q --part 1/2 "$(file p.csv)" o.asc
    fails_with "PROFILE" "$SHEPARD" grid -q --part 1/2 -co PROFILE=BASELINE "$(file p.csv)" o.tif
    fails_with "a file of its own" "$SHEPARD" grid -q --part 1/2 "$(file p.csv)" -
    fails_with "a file of its own" "$SHEPARD" grid -q --part 1/2 "$(file p.csv)" /vsistdout/
    fails_with "linear is computed by GDAL" "$SHEPARD" grid -q --part 1/2 -a linear "$(file p.csv)" o.tif
    fails_with "-a auto" "$SHEPARD" grid -q --part 1/2 -a auto "$(file p.csv)" o.tif
    fails_with "--report" "$SHEPARD" grid -q --part 1/2 --report o.html "$(file p.csv)" o.tif
    [ -z "$(ls -A)" ]
}
