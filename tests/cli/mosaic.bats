#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Mosaics of parts against the raster of one run, cell by cell and block by block.
load common
load parts

# same_as_whole: the mosaics of part*.tif are whole.tif; the blocks of the GeoTIFF its very bytes.
same_as_whole() {
    "$SHEPARD" mosaic -q joined.tif part*.tif
    "$SHEPARD" mosaic -q joined.vrt part*.tif
    raw whole.tif > whole.raw
    cmp whole.raw <(raw joined.tif)
    cmp whole.raw <(raw joined.vrt)
    # Blocks without a value are stored by one run, and left out by parts.
    blocks joined.tif > joined.blocks
    blocks whole.tif > whole.blocks
    [ -s joined.blocks ]
    [ -z "$(comm -23 <(sort joined.blocks) <(sort whole.blocks))" ]
    local line='^(Size|Origin|Pixel|Lower|Upper|  NoData|  Description|  COMP|  INTER|  PRED|  SHEPARD_[MPSV]|Band|.*ID)'
    diff <(gdalinfo whole.tif | grep -E "$line") <(gdalinfo joined.tif | grep -E "$line")
    local place='^(Size|Origin|Pixel|Lower|Upper|  NoData|  Description|.*ID)'
    diff <(gdalinfo whole.tif | grep -E "$place") <(gdalinfo joined.vrt | grep -E "$place")
}

# joins N OPTIONS...
joins() {
    echo "joins $*"
    parts "$@"
    same_as_whole
}

# trial N OPTIONS...
trial() { is_left_out || joins "$@"; }

@test "a mosaic is the raster of one run, its blocks byte by byte: layouts of the file" {
    needs gdalinfo gdal_translate python3
    local q layout
    q="$(file q.csv)"
    for layout in INTERLEAVE=BAND INTERLEAVE=PIXEL COMPRESS=NONE COMPRESS=LZW BIGTIFF=YES; do
        trial 4 "${small[@]}" -co "$layout" -a_srs EPSG:31467 -zfield z,b -outsize 90 170 -a idw:k=4:radius=60 "$q"
    done
    # Every block has a value: GDAL 3.6 turns over the bytes of nodata in the others.
    trial 4 "${small[@]}" -co ENDIANNESS=BIG -zfield z,b -outsize 90 170 -a idw:k=4 "$q"
    trial 3 -co TILED=NO -co BLOCKYSIZE=7 -zfield z -outsize 90 100 -a idw:k=4 "$q"
    trial 1 -zfield z -outsize 40 30 -a idw:k=4 "$q"
    trial 2 -zfield z -outsize 300 30 -a idw:k=4 "$q"
}

@test "a mosaic is the raster of one run: types, nodata and masks" {
    needs gdalinfo gdal_translate python3
    local q type
    q="$(file q.csv)"
    for type in Byte Int16 Float32; do
        trial 3 "${small[@]}" -ot "$type" -zfield z -tr 9 7 -a idw:k=4:radius=60 "$q"
    done
    trial 3 "${small[@]}" -ot Float32 -zfield z -tr 9 7 -a idw:k=4:radius=60:nodata=nan "$q"
    trial 5 "${small[@]}" -zfield z,b -tr 9 7 -mask "$(file mask.geojson)" -a idw:k=4 "$q"
    trial 2 "${small[@]}" -ot Byte -co NBITS=4 -zfield z -tr 9 7 -a idw:k=4:nodata=15 "$q"
}

@test "random sizes, blocks and numbers of parts, in any order" {
    needs gdalinfo gdal_translate python3 shuf
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    local i
    for ((i = 0; i < 3; i++)); do
        joins $((1 + RANDOM % 12)) -zfield z -co TILED=YES -co BLOCKXSIZE=$((16 + 16 * (RANDOM % 4))) \
            -co BLOCKYSIZE=$((16 + 16 * (RANDOM % 4))) -outsize $((1 + RANDOM % 150)) $((1 + RANDOM % 150)) \
            -a idw:radius=$((40 + RANDOM % 200)):k=5 "$(file q.csv)"
        # shellcheck disable=SC2046
        "$SHEPARD" mosaic -q shuffled.tif $(printf '%s\n' part*.tif | shuf --random-source="$(file p.csv)")
        cmp <(blocks joined.tif) <(blocks shuffled.tif)
    done
}

@test "a VRT names files below its folder by relative paths, and reads a part only where it has blocks" {
    needs gdalinfo gdal_translate
    parts 4 "${small[@]}" -zfield z -outsize 90 170 -a idw:k=4 "$(file q.csv)"
    mkdir -p jobs/done elsewhere
    mv part*.tif jobs/done/
    "$SHEPARD" mosaic -q jobs/all.vrt jobs/done/part*.tif
    grep -q 'relativeToVRT="1">done/part1.tif' jobs/all.vrt
    "$SHEPARD" mosaic -q elsewhere/all.vrt jobs/done/part*.tif
    grep -q "relativeToVRT=\"0\">$(realpath jobs)/done/part1.tif" elsewhere/all.vrt
    mv jobs moved
    cmp <(raw whole.tif) <(raw moved/all.vrt)
    # Blocks of 32 x 48: rows of three. Six blocks of part 1 are two whole rows.
    [ "$(grep -c '<SimpleSource>' moved/all.vrt)" -le 12 ]
    [ "$(ls -A elsewhere)" = all.vrt ]
}

@test "a COG, with overviews, by GDAL" {
    needs gdalinfo gdal_translate
    gdalinfo --formats | grep -q '^ *COG ' || skip "this GDAL has no COG"
    parts 3 -zfield z -outsize 700 600 -a idw:k=4 "$(file q.csv)"
    "$SHEPARD" mosaic -q -of COG joined.tif part*.tif
    cmp <(raw whole.tif) <(raw joined.tif)
    gdalinfo joined.tif > said
    grep -q LAYOUT=COG said
    grep -q Overviews: said
    grep -q COMPRESSION=DEFLATE said
    "$SHEPARD" mosaic -q -of COG -co COMPRESS=LZW joined.tif part*.tif
    gdalinfo joined.tif | grep -q COMPRESSION=LZW
    fails_with "only a COG takes creation options" "$SHEPARD" mosaic -q -co COMPRESS=LZW o.tif part*.tif
}

@test "standard output, progress and summary" {
    needs gdal_translate python3
    parts 2 -zfield z -outsize 300 30 -a idw:k=4 "$(file q.csv)"
    "$SHEPARD" mosaic - part*.tif > joined.tif
    cmp <(raw whole.tif) <(raw joined.tif)
    "$SHEPARD" mosaic -overwrite joined.tif part*.tif > said
    grep -q '^0\.\.\.10.*100 - done\.' said
    run --separate-stderr "$SHEPARD" mosaic --json joined.tif part*.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    echo "$output" > s.json
    [ "$(item s.json '[d["verb"], d["format"], d["parts"], d["sources"], d["blocks"], d["blocks_missing"]]')" = \
        "['mosaic', 'GTiff', 2, 2, 2, 0]" ]
}

@test "missing, doubled and foreign parts are errors that name the files; nothing is written" {
    parts 3 "${small[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    fails_with "of 3 parts these are missing: 2;" "$SHEPARD" mosaic -q o.tif part1.tif part3.tif
    cp part2.tif again.tif
    fails_with 'both "part2.tif" and "again.tif" are part 2/3' "$SHEPARD" mosaic -q o.tif part?.tif again.tif
    "$SHEPARD" grid -q --part 2/4 "${small[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)" p4.tif
    fails_with "3 and 4 parts" "$SHEPARD" mosaic -q o.vrt part1.tif p4.tif part3.tif
    # A point more, another method, another size, field, place, nodata, type, coding.
    { cat "$(file q.csv)"; echo 448001,5263001,3,4; } > more.csv
    other() { "$SHEPARD" grid -q --part 2/3 "$@" other.tif; }
    differs() { fails_with "$1" "$SHEPARD" mosaic -q o.tif part1.tif other.tif part3.tif; [[ "$output" == *'"part1.tif" and "other.tif"'* ]]; }
    local place=(-txe 448000 449000 -tye 5263000 5264000)
    parts 3 "${small[@]}" "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    other "${small[@]}" "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 more.csv
    differs "SHEPARD_INPUT is"
    other "${small[@]}" "${place[@]}" -zfield z -outsize 90 110 -a idw:k=5 "$(file q.csv)"
    differs 'SHEPARD_PARAMETERS is "k=4:'
    other "${small[@]}" "${place[@]}" -zfield z -outsize 90 111 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the numbers of columns and rows"
    other "${small[@]}" "${place[@]}" -zfield z,b -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the number of bands"
    other "${small[@]}" "${place[@]}" -zfield b -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the names of the bands"
    other "${small[@]}" -txe 448001 449001 -tye 5263000 5264000 -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the georeference"
    other "${small[@]}" "${place[@]}" -a_srs EPSG:31467 -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the coordinate system"
    other "${small[@]}" "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4:nodata=-1 "$(file q.csv)"
    differs "they differ in the nodata value"
    other "${small[@]}" "${place[@]}" -ot Float32 -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the type of the cells"
    other "${small[@]}" -co COMPRESS=LZW "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the compression"
    other "${small[@]}" -co COMPRESS=DEFLATE -co PREDICTOR=2 "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the predictor"
    other -co TILED=YES -co BLOCKXSIZE=48 -co BLOCKYSIZE=48 "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the size of the blocks"
    other "${small[@]}" -co ENDIANNESS=BIG "${place[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    differs "they differ in the byte order"
    [ ! -e o.tif ]
    [ ! -e o.vrt ]
    [ -z "$(ls -d .shepard.* 2> log)" ]
}

@test "GeoTIFFs that are no parts: blocks in two files are an error, those in none are counted" {
    needs gdal_translate gdalinfo python3
    parts 3 "${small[@]}" -zfield z -outsize 90 110 -a idw:k=4 "$(file q.csv)"
    local i
    for i in 1 2 3; do
        gdal_translate -q -co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=48 -co SPARSE_OK=TRUE -co COMPRESS=LZW "part$i.tif" "free$i.tif" -mo SHEPARD_PART=
    done
    run --separate-stderr "$SHEPARD" mosaic joined.tif free1.tif free3.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"3 of 9 blocks are in no source and read as nodata"* ]]
    "$SHEPARD" mosaic -q joined.tif free?.tif
    cmp <(raw whole.tif) <(raw joined.tif)
    cp free1.tif again.tif
    fails_with 'both "free1.tif" and "again.tif" have the block at column 0, row 0' "$SHEPARD" mosaic -q o.tif free1.tif again.tif
}

@test "wrong sources and outputs" {
    parts 2 -zfield z -outsize 300 30 -a idw:k=4 "$(file q.csv)"
    fails_with "takes 2 names (OUT SRC...), 1 given" "$SHEPARD" mosaic -q o.tif
    fails_with '"none.tif" cannot be read as a GeoTIFF' "$SHEPARD" mosaic -q o.tif part1.tif none.tif
    fails_with "cannot be read as a GeoTIFF" "$SHEPARD" mosaic -q o.tif "$(file p.csv)"
    fails_with "a mosaic is a GTiff, a VRT or a COG" "$SHEPARD" mosaic -q o.asc part1.tif part2.tif
    cp part1.tif before.tif
    fails_with "part1.tif" "$SHEPARD" mosaic -q -overwrite part1.tif part1.tif part2.tif
    cmp part1.tif before.tif
    fails_with "there is no folder" "$SHEPARD" mosaic -q nowhere/o.tif part1.tif part2.tif
    # Cut anywhere, and bits turned over: an error, or the cells, but no crash.
    local size i
    size="$(stat -c %s part1.tif)"
    for i in 0 5 8 100 300 $((size - 9)); do
        head -c "$i" part1.tif > cut.tif
        run "$SHEPARD" mosaic -q o.tif cut.tif part2.tif
        echo "$i: $output"
        [ "$status" -eq 1 ]
        [ ! -e o.tif ]
    done
}

@test "a limit of the size of files is a write error" {
    parts 2 -co COMPRESS=NONE -zfield z -outsize 300 200 -a idw:k=4 "$(file q.csv)"
    mkdir out
    (ulimit -f 200; fails_with '"out/o.tif"' "$SHEPARD" mosaic -q out/o.tif part1.tif part2.tif)
    [ -z "$(ls -A out)" ]
}
