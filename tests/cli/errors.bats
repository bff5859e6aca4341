#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The errors a user meets first: each says what is wrong and what to do, and leaves no output.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    printf 'x,y,zinc,lead,note\n0,0,1,5,a\n10,0,2,6,b\n0,10,3,7,c\n10,10,4,8,d\n' > p.csv
}

points() { echo "$BATS_FILE_TMPDIR/p.csv"; }

# refuses TEXT ARGUMENTS...: grid fails with the text and leaves nothing in the folder.
refuses() {
    local text="$1"
    shift
    mkdir -p out
    fails_with "$text" "$SHEPARD" grid "$@" out/o.tif
    [ -z "$(ls -A out)" ]
}

@test "no such file" {
    refuses "nowhere.csv" nowhere.csv
}

@test "a file that is no vector data" {
    echo "just some words" > words.txt
    refuses '"words"' words.txt
}

@test "no points" {
    printf 'x,y,z\n' > empty.csv
    refuses "point" empty.csv
}

@test "all values missing" {
    printf 'x,y,z\n1,2,\n3,4,NaN\n' > missing.csv
    refuses "no value" -zfield z missing.csv
    printf 'x,y,a,z,q\n1,2,1,,1\n3,4,2,,1\n5,6,3,7,0\n' > one.csv
    refuses "field z: no point of 3 has a value and a usable weight" -zfield a -zfield z -wfield q one.csv
}

@test "no such field names the nearest" {
    refuses "zinc" -zfield zink "$(points)"
    refuses "lead" -zfield zinc,laed "$(points)"
}

@test "no such layer names the nearest" {
    cp "$(points)" places.csv
    refuses 'did you mean "places"?' -l place places.csv
}

@test "a wrong option names the nearest" {
    refuses "did you mean -zfield?" -zfeild zinc "$(points)"
    refuses "did you mean -outsize?" -outsise 3 3 "$(points)"
    refuses "unknown option" -quux "$(points)"
}

@test "an option without its arguments" {
    fails_with "-tr xres yres" "$SHEPARD" grid "$(points)" o.tif -tr 1
}

@test "an option with a text where a number belongs" {
    refuses "'one' is not a number" -tr one 1 "$(points)"
    refuses "greater than 0" -tr 0 1 "$(points)"
    refuses "greater than 0" -tr -1 1 "$(points)"
    refuses "whole numbers" -outsize 2.5 3 "$(points)"
    refuses "whole numbers" --threads 0 "$(points)"
    refuses "'0x10' is not a number" -z_increase 0x10 "$(points)"
    refuses "'1,5' is not a number" -z_increase 1,5 "$(points)"
}

@test "too few or too many names" {
    fails_with "2 names (SRC DST), 1 given" "$SHEPARD" grid "$(points)"
    fails_with "2 names (SRC DST), 3 given" "$SHEPARD" grid "$(points)" b c
}

@test "a wrong algorithm names the nearest" {
    refuses "did you mean invdistnn?" -a invdistnm -zfield zinc "$(points)"
    refuses "did you mean aidw?" -a adiw -zfield zinc "$(points)"
    refuses "did you mean krige?" -a kriging -zfield zinc "$(points)"
    refuses "unknown algorithm" -a spline -zfield zinc "$(points)"
}

@test "a wrong key names the nearest" {
    refuses "did you mean power?" -a invdist:pwoer=3 -zfield zinc "$(points)"
    refuses "did you mean max_points?" -a invdistnn:maxpoints=3 -zfield zinc "$(points)"
    refuses "its keys are k, alphas" -a aidw:quux=3 -zfield zinc "$(points)"
    refuses "key=value" -a idw:power -zfield zinc "$(points)"
}

@test "a value that is no number, or out of range" {
    refuses "'abc' is not a number" -a invdist:power=abc -zfield zinc "$(points)"
    refuses "'' is not a number" -a invdist:power= -zfield zinc "$(points)"
    refuses "'2x' is not a number" -a idw:power=2x -zfield zinc "$(points)"
    refuses "greater than 0" -a idw:power=0 -zfield zinc "$(points)"
    refuses "at most 100" -a idw:power=101 -zfield zinc "$(points)"
    refuses "at least 0" -a idw:smoothing=-1 -zfield zinc "$(points)"
    refuses "whole number" -a idw:k=2.5 -zfield zinc "$(points)"
    refuses "1|4|8" -a idw:sectors=3 -zfield zinc "$(points)"
    refuses "single|double" -a idw:precision=triple -zfield zinc "$(points)"
    refuses "five numbers" -a aidw:alphas=1,2 -zfield zinc "$(points)"
    refuses "at least 1" -a aidw:k=0 -zfield zinc "$(points)"
    refuses "smaller than rmax" -a aidw:rmin=3 -zfield zinc "$(points)"
    refuses "go together" -a idw:radius1=3 -zfield zinc "$(points)"
}

@test "a precision that cannot reach the tolerance" {
    refuses "double" -a idw:eps=1e-9 -zfield zinc "$(points)"
}

@test "no extent: one place, one line" {
    printf 'x,y,z\n5,7,1\n5,7,2\n' > place.csv
    printf 'x,y,z\n5,1,1\n5,7,2\n' > line.csv
    refuses "all points have x = 5; give -txe xmin xmax" place.csv
    refuses "all points have x = 5; give -txe xmin xmax" -tye 0 9 line.csv
    refuses "all points have y = 7; give -tye ymin ymax" -txe 0 9 place.csv
    "$SHEPARD" grid -q -txe 0 9 line.csv given.tif
    [ -s given.tif ]
}

@test "edges that are equal" {
    refuses "-txe: both edges are 3" -txe 3 3 -zfield zinc "$(points)"
}

@test "-tr and -outsize exclude each other; -tap needs -tr" {
    refuses "exclude each other" -tr 1 1 -outsize 3 3 -zfield zinc "$(points)"
    refuses "-tap needs -tr" -tap -zfield zinc "$(points)"
}

@test "a raster that is too large" {
    refuses "too large" -tr 1e-10 1e-10 -zfield zinc "$(points)"
    refuses "" -outsize 2147483647 2147483647 -zfield zinc "$(points)"
}

@test "an unknown type, and nodata that does not fit" {
    refuses "did you mean Float32?" -ot Flaot32 -zfield zinc "$(points)"
    refuses "does not fit into -ot Byte" -ot Byte -a idw:nodata=-1 -zfield zinc "$(points)"
    refuses "does not fit into -ot Int16" -ot Int16 -a idw:nodata=nan -zfield zinc "$(points)"
}

@test "an unknown format, coordinate system, diagnostic, backend" {
    refuses "GTif" -of GTif -zfield zinc "$(points)"
    refuses "EPSG:99999999" -a_srs EPSG:99999999 -zfield zinc "$(points)"
    refuses "did you mean nearest?" --diagnostics neares -zfield zinc "$(points)"
    refuses "see \`shepard info\`" --backend quantum -zfield zinc "$(points)"
}

@test "backends: a mistyped one, a device of one that has none, no device" {
    refuses "did you mean cuda?" --backend cud -zfield zinc "$(points)"
    refuses "did you mean auto?" --backend atuo -zfield zinc "$(points)"
    refuses "'cpu:1' names a device, which only cuda has" --backend cpu:1 -zfield zinc "$(points)"
    refuses "'auto:all' names a device" --backend auto:all -zfield zinc "$(points)"
    for device in x 1x -1 +1 "" " 1" 0x1 all2; do
        refuses "'$device' is not a device; write cuda:0" --backend "cuda:$device" -zfield zinc "$(points)"
    done
}

@test "backend cuda where there is no device says why, before anything is read" {
    [ ! -e /dev/nvidiactl ] || skip "there is a device"
    why="cuda cannot be used here: no "
    [ "$SHEPARD_TEST_CUDA" != OFF ] || why="cuda cannot be used here: this build has no CUDA"
    for backend in cuda CUDA cuda:0 cuda:7 cuda:all cuda:ALL cuda:99999999999999999999; do
        refuses "$why" --backend "$backend" -zfield zinc "$(points)"
    done
    fails_with "$why" "$SHEPARD" grid -q --backend cuda not_there.csv o.tif
    fails_with "$why" "$SHEPARD" points -q --backend cuda "$(points)" "$(points)" o.csv
    [ ! -e o.tif ] && [ ! -e o.csv ]
}

@test "backend cuda: a device that is not there" {
    [ -e /dev/nvidiactl ] && [ "$SHEPARD_TEST_CUDA" != OFF ] || skip "no device"
    refuses "there is no device 99, only 0 to" --backend cuda:99 -zfield zinc "$(points)"
}

@test "diagnostics and weights are not for GDAL's methods" {
    refuses "computed by GDAL" -a average --diagnostics count -zfield zinc "$(points)"
    refuses "computed by GDAL" -a average -wfield lead -zfield zinc "$(points)"
}

@test "source and output are the same" {
    cp "$(points)" same.csv
    fails_with "both input" "$SHEPARD" grid -zfield zinc -of CSV same.csv same.csv
    fails_with "both input" "$SHEPARD" grid -zfield zinc -of GTiff same.csv ./same.csv
    ln same.csv link.csv
    fails_with "both input" "$SHEPARD" grid -zfield zinc -of GTiff same.csv "$PWD/link.csv"
    fails_with "both input" "$SHEPARD" points -zfield zinc "$(points)" same.csv ./link.csv
    cmp same.csv "$(points)"
}

# spares FILE COMMAND...: the command fails, names the file and the input that it belongs to, and
# leaves the folder as it was.
spares() {
    local file="$1" before
    shift
    before="$(cksum ./*)"
    fails_with "is both input (" "$@"
    [[ "$output" == *"$file\" is both"* || "$output" == *"$file/"*"is both"* ]]
    [ "$(cksum ./*)" = "$before" ]
}

@test "inputs behind prefixes and chains of handlers are not written over" {
    needs gzip tar python3
    cp "$(points)" in.csv
    gzip -k in.csv
    python3 -m zipfile -c in.zip in.csv
    python3 -m zipfile -c outer.zip in.zip
    tar cf in.tar in.csv
    local grid="$SHEPARD grid -q -zfield zinc -of GTiff -outsize 3 3" source
    for source in CSV:in.csv "/vsisubfile/0_9999,in.csv" "CSV:/vsisubfile/0_9999,$PWD/in.csv"; do
        spares in.csv $grid "$source" in.csv
        spares in.csv $grid "$source" "$PWD/in.csv"
    done
    spares in.csv.gz $grid /vsigzip/in.csv.gz in.csv.gz
    spares in.csv.gz $grid "/vsigzip/$PWD/in.csv.gz" ./in.csv.gz
    spares in.csv.gz $grid "/vsisubfile/0_9999,/vsigzip/in.csv.gz" in.csv.gz
    spares in.zip $grid /vsizip/in.zip/in.csv in.zip
    spares in.zip $grid "/vsizip/{in.zip}/in.csv" in.zip
    spares in.zip $grid /vsizip/in.zip/in.csv /vsizip/in.zip/o.tif
    spares outer.zip $grid "/vsizip/{/vsizip/{outer.zip}/in.zip}/in.csv" outer.zip
    spares in.tar $grid /vsitar/in.tar/in.csv in.tar
    spares in.csv "$SHEPARD" points -q -zfield zinc -f CSV "$(points)" CSV:in.csv in.csv
    spares in.csv "$SHEPARD" points -q -zfield zinc -f CSV CSV:in.csv "$(points)" in.csv
    # Another file next to it is written.
    $grid "/vsizip/{/vsizip/{outer.zip}/in.zip}/in.csv" in.csv.tif
    $grid CSV:in.csv in.csv.tif
}

@test "inputs named by virtual datasets, options, option files and SQL are not written over" {
    cp "$(points)" in.csv
    as_vrt in.csv | sed 's/"z"/"zinc"/g' > in.vrt
    sed "s,<SrcDataSource>.*</SrcDataSource>,<SrcDataSource relativeToVRT=\"1\">in.csv</SrcDataSource>," \
        in.vrt > relative.vrt
    echo "<OGRVRTDataSource><OGRVRTUnionLayer name=\"u\">$(sed -n '/<OGRVRTLayer/,/<.OGRVRTLayer/p' in.vrt)" \
        "</OGRVRTUnionLayer></OGRVRTDataSource>" > union.vrt
    printf -- '-zfield zinc\n' > options
    printf 'id,WKT\n1,"POLYGON((-1 -1,11 -1,11 11,-1 11,-1 -1))"\n' > area.csv
    printf '"Integer","WKT"\n' > area.csvt
    printf 'PROJCS["x",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],UNIT["metre",1]]' > srs.wkt
    printf '"Real","Real","Real","Real","String"\n' > in.csvt
    local grid="$SHEPARD grid -q -of GTiff -outsize 3 3" vrt
    for vrt in in.vrt relative.vrt union.vrt "$(cat in.vrt)"; do
        spares "in.csv" $grid -zfield zinc "$vrt" in.csv
    done
    spares union.vrt $grid -zfield zinc union.vrt union.vrt
    spares in.csvt $grid -zfield zinc in.csv in.csvt
    spares options $grid --optfile options in.csv options
    spares area.csv $grid -zfield zinc -clipsrc area.csv in.csv area.csv
    spares area.csv $grid -zfield zinc -clipsrc CSV:area.csv in.csv area.csv
    spares srs.wkt $grid -zfield zinc -a_srs srs.wkt in.csv srs.wkt
    spares area.csv $grid -zfield zinc in.csv area.csv \
        -sql "SELECT * FROM \"in\" LEFT JOIN 'area.csv'.area ON in.zinc = area.id"
}

@test "an output's side-car files do not replace inputs" {
    needs ogr2ogr
    ogr2ogr -q -f "ESRI Shapefile" in.dbf "$(points)" -oo AUTODETECT_TYPE=YES
    before="$(cksum in.dbf)"
    # Before anything is computed: the line about the points comes first.
    fails_with '"in.dbf" is both input ("in.dbf") and output' \
        "$SHEPARD" points -xfield x -yfield y -zfield zinc in.dbf "$(points)" in.shp
    [[ "$output" != *"query points"* ]]
    [ "$(cksum in.dbf)" = "$before" ]
    [ "$(ls -A)" = in.dbf ]
    # Files that only show once the source is open, and those that an option makes.
    ogr2ogr -q -a_srs EPSG:28992 s.shp "$(points)" -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES
    tr , '\t' < "$(points)" > t.tsv
    echo '"Integer","Integer","Real","Real","String"' > t.csvt
    before="$(cksum ./*)"
    fails_with '"s.prj" is both input ("s.shp") and output' "$SHEPARD" grid -zfield zinc s.shp s.asc
    [[ "$output" != *"4 points"* ]]
    fails_with '"t.csvt" is both input ("t.tsv") and output' \
        "$SHEPARD" points -zfield zinc -lco CREATE_CSVT=YES t.tsv "$(points)" t.csv
    [[ "$output" != *"query points"* ]]
    "$SHEPARD" grid -q -zfield zinc s.shp s.tif
    rm s.tif
    "$SHEPARD" points -q -zfield zinc t.tsv "$(points)" t.csv
    rm t.csv
    [ "$(cksum ./*)" = "$before" ]
}

@test "a GeoPackage that holds something else is replaced only with -overwrite" {
    needs ogr2ogr ogrinfo gdalinfo
    as_vrt "$(points)" > p.vrt
    ogr2ogr -q roads.gpkg p.vrt
    cp roads.gpkg before.gpkg
    local grid="$SHEPARD grid -q -zfield zinc -ot Float32 -outsize 3 3"
    fails_with "holds 1 layer" $grid -of GTiff "$(points)" roads.gpkg
    [[ "$output" == *"roads.gpkg"*"-overwrite"* ]]
    fails_with "holds 1 layer" $grid -of GPKG "$(points)" roads.gpkg
    fails_with "holds 1 layer" "$SHEPARD" points -q -zfield zinc "$(points)" "$(points)" roads.gpkg
    cmp roads.gpkg before.gpkg
    # What an earlier run made is replaced, by one of the same kind.
    $grid -of GPKG "$(points)" made.gpkg
    $grid -of GPKG "$(points)" made.gpkg
    $grid -of GTiff "$(points)" made.gpkg
    $grid -of GPKG -overwrite "$(points)" roads.gpkg
    gdalinfo roads.gpkg | grep -q 'Size is 3, 3'
    fails_with "holds 1 raster" "$SHEPARD" points -q -zfield zinc "$(points)" "$(points)" roads.gpkg
    "$SHEPARD" points -q -overwrite -zfield zinc "$(points)" "$(points)" roads.gpkg
    "$SHEPARD" points -q -zfield zinc "$(points)" "$(points)" roads.gpkg
    # But no input, whatever is said.
    fails_with "is both input (" "$SHEPARD" points -q -overwrite -zfield zinc "$(points)" roads.gpkg roads.gpkg
}

@test "a summary over a source or an output" {
    cp "$(points)" same.csv
    fails_with "another name" "$SHEPARD" grid -q -zfield zinc --json=./same.csv same.csv o.tif
    fails_with "another name" "$SHEPARD" grid -q -zfield zinc --json=o.tif same.csv ./o.tif
    fails_with "another name" "$SHEPARD" points -q -zfield zinc --json=same.csv "$(points)" same.csv o.csv
    for source in CSV:same.csv /vsisubfile/0_9999,same.csv; do
        fails_with "--json: " "$SHEPARD" grid -q -zfield zinc --json=same.csv "$source" o.tif
        [[ "$output" == *"is both input (\"$source\")"* ]]
    done
    cmp same.csv "$(points)"
    [ "$(ls -A)" = same.csv ]
}

@test "standard input that cannot be read" {
    refuses "standard input cannot be read" - < /tmp
}

@test "a list that names nothing" {
    refuses "-zfield: '' names nothing" -zfield "" "$(points)"
    refuses "-zfield: ',' names nothing" -zfield zinc -zfield , "$(points)"
    refuses "option --diagnostics: ',' names nothing" --diagnostics , "$(points)"
}

@test "-clipsrc takes a data source whose name begins with a digit" {
    refuses "2024_area.gpkg" -clipsrc 2024_area.gpkg -zfield zinc -q -outsize 3 3 "$(points)"
    [[ "$output" != *"is not a number"* ]]
}

@test "a folder that does not exist, and one that cannot be written" {
    fails_with "nowhere" "$SHEPARD" grid -q -zfield zinc "$(points)" nowhere/o.tif
    # Not even root may make files there.
    [ ! -d /proc/self ] || fails_with "/proc" "$SHEPARD" grid -q -zfield zinc "$(points)" /proc/o.tif
    # Before anything is read.
    fails_with "nofolder" "$SHEPARD" grid -q nowhere.csv nofolder/o.tif
    fails_with "nofolder" "$SHEPARD" points -q nowhere.csv nowhere.csv nofolder/o.csv
    fails_with 'did you mean "GPKG"?' "$SHEPARD" points -q -f GPKGX nowhere.csv nowhere.csv o.csv
    fails_with "COMPRESS" "$SHEPARD" grid -q -co COMPRESS=NOSUCH nowhere.csv o.tif
    [ -z "$(ls -A)" ]
    [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
    mkdir locked
    chmod a-w locked
    fails_with "locked" "$SHEPARD" grid -q -zfield zinc "$(points)" locked/o.tif
    chmod u+w locked
    [ -z "$(ls -A locked)" ]
}

@test "a failed run leaves an existing output as it was" {
    echo precious > o.tif
    fails_with "" "$SHEPARD" grid -q -zfield nope "$(points)" o.tif
    [ "$(cat o.tif)" = precious ]
    fails_with "" "$SHEPARD" grid -q -co COMPRESS=NOSUCH -co QUUX -zfield zinc "$(points)" o.tif
    [ "$(cat o.tif)" = precious ]
    [ "$(ls -A)" = o.tif ]
}

@test "a summary that cannot be written" {
    fails_with "nowhere/s.json" "$SHEPARD" grid -q -zfield zinc --json=nowhere/s.json "$(points)" o.tif
    [ -z "$(ls -A)" ]
}

@test "without a field, z or geometry: says how to choose" {
    printf 'x,y,a,b\n0,0,1,5\n1,1,2,6\n' > fields.csv
    refuses "-zfield" fields.csv
}

@test "an output that is no file: neither opened nor replaced" {
    needs mkfifo python3 timeout
    mkfifo fifo
    mkdir folder
    python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
    local names="fifo folder socket" name shown
    mknod device c 1 3 2>/dev/null && names="$names device"
    ls -lnd $names > before
    for name in $names; do
        shown=$name
        [ "$name" != folder ] || shown='"folder"'
        fails_with "cannot write $shown: it is a " \
            timeout 10 "$SHEPARD" grid -q -zfield zinc "$(points)" "$name"
        fails_with "cannot write $shown: it is a " \
            timeout 10 "$SHEPARD" points -q -zfield zinc "$(points)" "$(points)" "$name"
        run timeout 10 "$SHEPARD" grid -q -zfield zinc --json="$name" "$(points)" o.tif
        [[ "$output" == *"built without cJSON"* ]] && skip "built without cJSON"
        [ "$status" -eq 1 ]
        [[ "$output" == *"--json: cannot write $name"* ]]
        [ ! -e o.tif ]
    done
    # The reason comes before the source is read.
    fails_with "it is a FIFO" timeout 10 "$SHEPARD" grid -q nowhere.csv fifo
    ls -lnd $names | cmp - before
}

@test "a folder in which nothing can be made is not called missing" {
    [ -d /proc/self ] || skip "no /proc"
    run "$SHEPARD" grid -q -zfield zinc "$(points)" /proc/o.tif
    [ "$status" -eq 1 ]
    [[ "$output" != *"there is no folder"* ]]
    fails_with "there is no folder" "$SHEPARD" grid -q -zfield zinc "$(points)" nowhere/o.tif
}

@test "the library's errors name keys and options" {
    printf 'x,y,z\n0,0,1\n0,1,2\n' > line.csv
    refuses "give area= in -a" -a aidw -txe 0 1 line.csv
    [[ "$output" != *options.* ]]
    refuses "min_points is 5: it must be at most k" -a idw:k=3:min_points=5 -zfield zinc "$(points)"
    refuses "at most max_points" -a invdist:max_points=3:min_points=5 -zfield zinc "$(points)"
    refuses "at most max_points_per_quadrant" \
        -a invdist:max_points_per_quadrant=1:min_points_per_quadrant=2 -zfield zinc "$(points)"
    refuses "at most max_points_per_sector" \
        -a idw:sectors=4:max_points_per_sector=1:min_points_per_sector=2 -zfield zinc "$(points)"
    refuses "error: eps 1e-09 is below" -a idw:eps=1e-9 -zfield zinc "$(points)"
    refuses "from 1 to 4096" --threads 4097 -zfield zinc "$(points)"
    "$SHEPARD" grid -q --threads 4 -zfield zinc "$(points)" o.tif
}

@test "habits from other programs: what to write instead" {
    refuses "write -txe xmin xmax -tye ymin ymax" -te 0 0 1 1 -zfield zinc "$(points)"
    refuses "write -outsize columns rows" -ts 3 3 -zfield zinc "$(points)"
    refuses "nodata=VALUE in -a" -a_nodata 0 -zfield zinc "$(points)"
    run "$SHEPARD" grid -overwrite -q -zfield zinc "$(points)" o.tif
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a key that is given twice" {
    refuses "the key is given twice" -a idw:k=3:power=2:K=4 -zfield zinc "$(points)"
}

@test "an empty file, texts, columns of one name" {
    : > empty.csv
    refuses '"empty.csv" is empty' empty.csv
    printf 'x;y;z\n1;2;a,b\n4;5;c\n' > text.csv
    refuses 'it holds text such as "a,b" in row 1' -zfield z text.csv
    printf 'x,y,a,A\n0,0,1,2\n1,1,3,4\n' > twice.csv
    refuses 'two columns called "a" (columns 3 and 4' -zfield a twice.csv
    printf 'x,y,x,a\n0,0,1,2\n1,1,3,4\n' > twice.csv
    refuses 'two columns called "x" (columns 1 and 3' -zfield a twice.csv
    # A pair that nobody asks for does no harm.
    printf 'x,y,a,b,b\n0,0,1,2,3\n1,1,3,4,5\n' > twice.csv
    "$SHEPARD" grid -q -zfield a twice.csv o.tif
}

@test "commas that may separate thousands" {
    # Nothing else in the file shows what the comma is.
    printf 'x,y,z\n1,2,"1,234"\n4,5,"2,345"\n' > group.csv
    refuses '"1,234" in row 1: the comma may be a decimal sign or separate thousands' group.csv
    [[ "$output" == *"use -decimal comma"* ]]
    printf 'x\ty\tz\n1\t2\t3\n4\t5\t-2,345\n' > group.tsv
    refuses '"-2,345" in row 2' group.tsv
    # Another text of the column shows that it separates thousands.
    printf 'x;y;z\n1;2;1,234\n4;5;1,234,567\n' > group.csv
    refuses '"1,234" in row 1, and "1,234,567" in row 2' group.csv
    printf 'x;y;z\n1;2;999,5\n4;5;1.234\n' > group.csv
    refuses '"1.234" in row 2, and "999,5" in row 1: the point may be' group.csv
    refuses "it takes auto|comma|point" -decimal komma group.csv
    # Decimal commas between commas give rows that are longer than the header.
    printf 'x,y,z\n1,5,2,5,3,5\n4,5,5,5,6,5\n' > long.csv
    refuses "has 3 columns and the second line 6 values" long.csv
}

@test "commas that conditions and SQL would read as decimal signs" {
    needs gdal_translate
    printf 'x;y;z;w\n1;2;999,5;1\n4;5;1.100;2\n7;9;3,25;3\n' > mixed.csv
    said='the field "z" holds "1.100" in row 2, and "999,5" in row 1: the point may be'
    refuses "$said" -zfield z mixed.csv
    refuses "$said" -zfield z -where "x >= 0" mixed.csv
    refuses "$said" -zfield z -sql "SELECT * FROM mixed" mixed.csv
    refuses "$said" -zfield v -sql "SELECT x, y, 2 * Z AS v FROM mixed" mixed.csv
    refuses "$said" -zfield w -where '"z" > 2' mixed.csv
    refuses "$said" -zfield w -sql "SELECT x, y, w FROM mixed WHERE z<1000" mixed.csv
    fails_with "$said" "$SHEPARD" points -zfield zinc -qwhere "z > 2" "$(points)" mixed.csv o.csv
    # Rows that the condition leaves out are read by it too; columns that it does not name are not.
    refuses "$said" -zfield z -where "x <> 4" mixed.csv
    "$SHEPARD" grid -q -outsize 2 2 -zfield w -where "x >= 0" mixed.csv o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield w -sql "SELECT x, y, w FROM mixed" mixed.csv o.tif
    # The way out that the message names.
    printf 'x,y,z\n1,2,999.5\n4,5,1.1\n7,9,3.25\n' > plain.csv
    "$SHEPARD" grid -q -outsize 2 2 -zfield z plain.csv plain.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -decimal comma -where "x >= 0" mixed.csv o.tif
    same_cells plain.tif o.tif 0
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -decimal comma -sql "SELECT * FROM mixed" mixed.csv o.tif
    same_cells plain.tif o.tif 0
    # No comma may be a decimal sign.
    refuses '"999,5" in row 1: conditions and SQL read the comma as a decimal sign' \
        -zfield z -decimal point -where "x >= 0" mixed.csv
    "$SHEPARD" grid -q -outsize 2 2 -zfield w -decimal point -where "x >= 0" mixed.csv o.tif
    # Clear commas are read, unclear ones are noted once.
    printf 'x;y;z\n0,5;2;1,234\n4;5;2,345\n' > group.csv
    run --separate-stderr "$SHEPARD" grid -outsize 2 2 -zfield z -where "z > 1" group.csv o.tif
    [ "$status" -eq 0 ]
    [ "$(grep -c 'read with a decimal comma' <<< "$stderr")" -eq 0 ]
    sed -i 's/0,5/1/' group.csv
    run --separate-stderr "$SHEPARD" grid -outsize 2 2 -zfield z -where "z > 1" group.csv o.tif
    [ "$status" -eq 0 ]
    [ "$(grep -c 'field z: "1,234" is read with a decimal comma' <<< "$stderr")" -eq 1 ]
}

@test "two fields that may be the default" {
    printf 'x,y,elev,zinc,Z\n0,0,1,2,3\n1,1,2,3,4\n' > two.csv
    refuses 'the fields "Z" and "elev" of layer "two" may both hold the values: choose one with -zfield' two.csv
    "$SHEPARD" grid -q -outsize 2 2 -zfield elev two.csv o.tif
}

@test "texts among numbers" {
    awk 'BEGIN { print "x,y,z,w"; for (i = 0; i < 100; i++)
        printf "%d,%d,%s,%s\n", i, i % 7, i == 41 || i == 77 ? "<0.5" : i, i == 9 ? "w" : 1 }' > text.csv
    refuses '2 of the 100 values of the field "z" are text that is not a number' text.csv
    [[ "$output" == *'"<0.5" in row 42; correct the file, or use --skip-invalid'* ]]
    awk -F, -v OFS=, 'NR > 2 && NR < 98 { $3 = "NA" } { print }' text.csv > missing.csv
    sed -i 's/^0,0,0/0,0,none such/' missing.csv
    refuses '1 of the 5 values of the field "z"' missing.csv
    # One of a hundred is left out, and -q says so, in one line.
    run --separate-stderr "$SHEPARD" grid -q -outsize 2 2 -zfield x -wfield w text.csv o.tif
    [ "$status" -eq 0 ]
    [ "$stderr" = 'shepard: note: layer text, field w: skipped 1 text that is not a number, first "w" in row 10' ]
    run --separate-stderr "$SHEPARD" grid -q -outsize 2 2 --skip-invalid -wfield w text.csv o.tif
    [ "$status" -eq 0 ]
    [ "$stderr" = 'shepard: note: layer text, field z: skipped 2 texts that are not a number, first "<0.5" in row 42, and 1 in other fields' ]
    sed 's/^[1-9][0-9],/east,/' text.csv > place.csv
    refuses '90 of the 100 values of the field "x"' -zfield y place.csv
    fails_with '90 of the 100 values of the field "x"' \
        "$SHEPARD" points -zfield zinc "$(points)" place.csv o.csv
}

@test "anisotropy out of range" {
    refuses "-a: anisotropy_ratio=0 is out of range" -zfield zinc -a idw:anisotropy_ratio=0 "$(points)"
    refuses "-a: anisotropy_ratio=2e6 is out of range" -zfield zinc -a aidw:anisotropy_ratio=2e6 "$(points)"
    refuses "'inf' is not a number" -zfield zinc -a invdist:anisotropy_angle=inf "$(points)"
    refuses "did you mean anisotropy_ratio?" -zfield zinc -a idw:anisotropy_rato=2 "$(points)"
}

@test "keys of other algorithms are named" {
    refuses "here it is called k" -a idw:max_points=12 "$(points)"
    refuses "here it is called max_points" -a invdist:k=12 "$(points)"
    refuses "here it is called max_points_per_sector" -a aidw:max_points_per_quadrant=2 "$(points)"
    refuses "here it is called max_points_per_sector" -a idw:max_points_per_quadrant=2 "$(points)"
}

@test "help of a verb" {
    run "$SHEPARD" help grid
    [ "$status" -eq 0 ]
    [[ "$output" == *"-outsize columns rows"* ]]
    fails_with "did you mean grid?" "$SHEPARD" help grit
}

@test "text in columns of even width: read, or it says what to take off" {
    needs gdal_translate
    printf 'x      y    z\n0      0    1\n10     0    2\n0    100    3\n' > even.txt
    printf 'x,y,z\n0,0,1\n10,0,2\n0,100,3\n' > plain.csv
    "$SHEPARD" grid -q -outsize 3 3 even.txt even.tif
    "$SHEPARD" grid -q -outsize 3 3 plain.csv plain.tif
    [ "$(cells even.tif)" = "$(cells plain.tif)" ]
    sed 's/^/   /' even.txt > indented.txt
    refuses "begin with blanks" indented.txt
}

@test "links that lead to no file" {
    ln -s loop loop
    ln -s nowhere dangling
    refuses '"loop" cannot be read: it is a link that leads back to itself' loop
    refuses '"dangling" cannot be read: it is a link to a file that is not there' dangling
    local name why
    for name in loop dangling; do
        why="a link that leads back to itself"
        [ $name = loop ] || why="a link to a file that is not there"
        fails_with "$name: it is $why" "$SHEPARD" grid -q -zfield zinc "$(points)" $name
        fails_with "$name: it is $why" \
            "$SHEPARD" points -q -zfield zinc -f CSV "$(points)" "$(points)" $name
        run "$SHEPARD" grid -q -zfield zinc --json=$name "$(points)" out/o.tif
        [[ "$output" == *"built without cJSON"* ]] && skip "built without cJSON"
        [ "$status" -eq 1 ]
        [[ "$output" == *"--json: cannot write $name: it is $why"* ]]
        [ -L $name ]
    done
    [ ! -e nowhere ]
}

@test "a link into a folder that may not be entered" {
    [ "$(id -u)" -eq 0 ] || skip "only root can become another user"
    needs setpriv
    chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
    mkdir -m 700 shut
    mkdir -m 777 open
    touch shut/o.tif
    ln -s shut/o.tif o.tif
    local other="setpriv --reuid=4321 --regid=8765 --clear-groups $SHEPARD"
    $other info || skip "the command cannot be run by others"
    fails_with "cannot write o.tif: it is a link into a folder that you may not enter" \
        $other grid -q -zfield zinc "$(points)" o.tif
    fails_with '"o.tif" cannot be read: it is a link into a folder that you may not enter' \
        $other grid -q o.tif open/p.tif
}

@test "a replaced file keeps its owner and group, or its group loses its permissions" {
    [ "$(id -u)" -eq 0 ] || skip "only root gives files away"
    needs setpriv
    chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
    local grid="$SHEPARD grid -q -zfield zinc -outsize 3 3"
    touch o.tif s.json
    chown 1234:5678 o.tif s.json
    chmod 660 o.tif s.json
    $grid --json=s.json "$(points)" o.tif || skip "built without cJSON"
    [ "$(stat -c '%u:%g %a' o.tif)" = "1234:5678 660" ]
    [ "$(stat -c '%u:%g %a' s.json)" = "1234:5678 660" ]
    [ -s s.json ]
    # Not in the group 5678 any more.
    mkdir open
    chmod 777 open
    mv o.tif s.json open
    setpriv --reuid=4321 --regid=8765 --clear-groups \
        $grid --json=open/s.json "$(points)" open/o.tif || skip "the command cannot be run by others"
    [ "$(stat -c '%u:%g %a' open/o.tif)" = "4321:8765 600" ]
    [ "$(stat -c '%u:%g %a' open/s.json)" = "4321:8765 600" ]
}

# make_damaged NAME CSV: a GeoPackage of the CSV, whose second full page of data is no page any more.
make_damaged() {
    ogr2ogr -q -f GPKG "$1" "$2" -oo AUTODETECT_TYPE=YES -oo X_POSSIBLE_NAMES=x \
        -oo Y_POSSIBLE_NAMES=y -oo KEEP_GEOM_COLUMNS=NO -lco SPATIAL_INDEX=NO -nln layer
    python3 - "$1" <<'EOF'
import sys
page, leaf = 4096, 13
data = bytearray(open(sys.argv[1], "rb").read())
cells = lambda i: data[i] == leaf and int.from_bytes(data[i + 3:i + 5], "big")
pages = range(page, len(data), page)
most = max(cells(i) for i in pages)
assert most > 20, most
data[[i for i in pages if cells(i) > most // 2][1]] = 0
open(sys.argv[1], "wb").write(data)
EOF
}

@test "a damaged file ends with the error, however it is read" {
    needs ogr2ogr python3 timeout
    awk 'BEGIN { print "x,y,z,note"; for (i = 0; i < 400; i++)
        printf "%d,%d,%d,some words that fill the page %d\n", i % 20, int(i / 20), i % 7, i }' > p.csv
    awk 'BEGIN { print "id,WKT"; for (i = 0; i < 400; i++)
        printf "%d,\"POLYGON((%d 0,%d 9,%d 9,%d 0))\"\n", i, 2*i, 2*i, 2*i+1, 2*i }' > a.csv
    make_damaged p.gpkg p.csv
    make_damaged a.gpkg a.csv
    mkdir out
    local grid="timeout 60 $SHEPARD grid -q -outsize 3 3" points="timeout 60 $SHEPARD points -q"
    fails_with malformed $grid -zfield z p.gpkg out/o.tif
    fails_with malformed $grid -zfield note,z p.gpkg out/o.tif
    fails_with malformed $grid -zfield z -where "z < 9" p.gpkg out/o.tif
    fails_with malformed $grid -zfield z -spat -1 -1 50 50 p.gpkg out/o.tif
    fails_with malformed $grid -zfield z -sql "SELECT * FROM layer" p.gpkg out/o.tif
    fails_with malformed $grid -zfield z -sql "SELECT geom, z FROM layer WHERE z < 9" p.gpkg out/o.tif
    fails_with malformed $grid -zfield z -clipsrc a.gpkg p.csv out/o.tif
    fails_with malformed $points -zfield z p.csv p.gpkg out/o.csv
    fails_with malformed $points -zfield z -qsql "SELECT * FROM layer" p.csv p.gpkg out/o.csv
    fails_with malformed $points -zfield z p.gpkg p.csv out/o.csv
    [ -z "$(ls -A out)" ]
    shared="${SHEPARD_TEST_DATA:-$BATS_TEST_DIRNAME/../../../shared/data}/damaged.gpkg"
    [ -e "$shared" ] || skip "$shared is not there"
    fails_with malformed $grid "$shared" out/o.tif
    fails_with malformed $points p.csv "$shared" out/o.csv
}

@test "an SQL statement that writes is refused" {
    needs ogr2ogr
    as_vrt "$(points)" | sed 's/"z"/"zinc"/g' > p.vrt
    ogr2ogr -q p.gpkg p.vrt
    for statement in "VACUUM INTO 'out/copy.gpkg'" "ATTACH 'out/copy.gpkg' AS a" " -- SELECT
        vacuum into 'out/copy.gpkg'" "/* */ PRAGMA user_version"; do
        refuses "must only read" -sql "$statement" p.gpkg
        refuses "must only read" -zfield zinc -clipsrc p.gpkg -clipsrcsql "$statement" "$(points)"
        fails_with "must only read" "$SHEPARD" points -q -zfield zinc -qsql "$statement" "$(points)" p.gpkg out/o.csv
    done
    [ -z "$(ls -A out)" ]
    "$SHEPARD" grid -q -outsize 3 3 -zfield zinc -sql "-- all
        with a as (select * from p) select * from a" p.gpkg o.tif
}

@test "data do not use the network unless the command names an address" {
    needs python3 timeout
    cp "$(points)" p.csv
    python3 - > port 2> requests 3>&- <<'EOF' &
import http.server, socketserver
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
server = Server(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print(server.server_port, flush=True)
server.serve_forever()
EOF
    local server=$! i
    for ((i = 0; i < 50; i++)); do [ -s port ] && break; sleep 0.1; done
    local site="http://127.0.0.1:$(cat port)"
    echo "<OGRVRTDataSource><OGRVRTLayer name=\"p\"><SrcDataSource>/vsicurl/$site/p.csv</SrcDataSource>
        </OGRVRTLayer></OGRVRTDataSource>" > remote.vrt
    printf '{"type":"FeatureCollection","crs":{"type":"link","properties":{"href":"%s/crs","type":"ogcwkt"}},"features":[{"type":"Feature","properties":{"zinc":1},"geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","properties":{"zinc":2},"geometry":{"type":"Point","coordinates":[2,3]}}]}' "$site" > link.geojson
    run timeout 30 "$SHEPARD" grid -q -outsize 3 3 -zfield zinc remote.vrt o.tif
    [ "$status" -eq 1 ]
    run timeout 30 "$SHEPARD" grid -outsize 3 3 -zfield zinc link.geojson o.tif
    echo "$output"
    [[ "$output" == *"$site/crs"*"is not fetched"* ]]
    cat requests
    local quiet="$(wc -c < requests)"
    run timeout 30 "$SHEPARD" grid -q -outsize 3 3 -zfield zinc "/vsicurl/$site/p.csv" named.tif
    echo "$output"
    cat requests
    kill "$server"
    [ "$quiet" -eq 0 ]
    [ -s requests ] || skip "this GDAL has no network access"
    [ -s named.tif ]
}

# writes COMMAND...: the bytes of each write to stderr, one a line, and whether a line ends there.
writes() {
    python3 -IS -c '
import socket, subprocess, sys
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
subprocess.run(sys.argv[1:], stderr=theirs)
ours.setblocking(False)
try:
    while True:
        text = ours.recv(1 << 16)
        print(len(text), text.endswith(b"\n"))
except BlockingIOError:
    pass' "$@"
}

@test "a message is one write, so that those of several processes do not mix; a long one is whole" {
    needs python3
    local long
    [ "$(writes "$SHEPARD" grid --backend fast "$(points)" o.tif | cut -d ' ' -f 2)" = True ]
    long="$(printf 'x%.0s' {1..9000})"
    fails_with "'$long'" "$SHEPARD" grid -txe "$long" 1 "$(points)" o.tif
}
