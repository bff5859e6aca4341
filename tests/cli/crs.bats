#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Coordinate reference systems (CRS): which one points, queries and polygons are in, and the way
# into another. Places are checked against gdaltransform.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    # A square kilometre of the Netherlands in RD New, and the same places in degrees.
    awk 'BEGIN { srand(7); print "x,y,z"; for (i = 0; i < 60; i++) { x = 180000 + 1000 * rand()
        y = 333000 + 1000 * rand(); printf "%.3f,%.3f,%.4f\n", x, y, x / 1000 - y / 900 } }' > rd.csv
    { echo "lon,lat,z"; to_degrees rd.csv | paste -d, - <(tail -n +2 rd.csv | cut -d, -f3); } > ll.csv
    printf 'x,y\n180200,333300\n180500,333500\n180700.5,333900\n' > q.csv
    { echo "lon,lat"; to_degrees q.csv; } > qll.csv
}

# to_degrees CSV: "longitude,latitude" of RD New places in the first two columns, by GDAL itself.
to_degrees() {
    tail -n +2 "$1" | cut -d, -f1,2 | tr , ' ' |
        gdaltransform -s_srs EPSG:28992 -t_srs EPSG:4326 -output_xy | tr ' ' ,
}

f() { echo "$BATS_FILE_TMPDIR/$1"; }

needs_gdal() { needs gdaltransform gdalinfo ogr2ogr python3; }

# make_layer CSV FILE [OPTION...]: a layer of points.
make_layer() {
    local from="$1" to="$2"
    shift 2
    ogr2ogr -q -oo "X_POSSIBLE_NAMES=x,lon" -oo "Y_POSSIBLE_NAMES=y,lat" -oo AUTODETECT_TYPE=YES \
        "$@" "$to" "$from"
}

# near A B LIMIT: columns of numbers that differ by less.
near() {
    paste "$1" "$2" | awk -v limit="$3" 'NF != 2 { bad = 1 } { d = $1 - $2; if (!(d * d < limit ^ 2)) bad = 1 }
        END { exit bad || !NR }' || { paste "$1" "$2"; false; }
}

predictions() { tail -n +2 "$1" | sed 's/.*,//'; }

@test "query columns lon and lat are transformed to the CRS of the data" {
    needs_gdal
    "$SHEPARD" points -q -a idw:precision=double:eps=0 -s_srs EPSG:28992 "$(f rd.csv)" "$(f q.csv)" plain.csv
    "$SHEPARD" points -q -a idw:precision=double:eps=0 -s_srs EPSG:28992 "$(f rd.csv)" "$(f qll.csv)" o.csv
    near <(predictions plain.csv) <(predictions o.csv) 1e-6
    if "$SHEPARD" points -q --json=s.json -s_srs EPSG:28992 "$(f rd.csv)" "$(f qll.csv)" o.csv; then
        [[ "$(item s.json 'd["layers"][0]["srs"]')" == *"RD New"* ]]
        [[ "$(item s.json 'd["query_srs"]')" == *"WGS 84"* ]]
        [ "$(item s.json 'd["query_transformed"], d["layers"][0]["transformed"]')" = "(True, False)" ]
    fi
    # As GeoPackage, which names its CRS itself; the output keeps the query's coordinates and CRS.
    make_layer "$(f rd.csv)" rd.gpkg -a_srs EPSG:28992
    "$SHEPARD" points -q -a idw:precision=double:eps=0 -zfield z rd.gpkg "$(f qll.csv)" o.gpkg
    ogr2ogr -f CSV -lco GEOMETRY=AS_XY back.csv o.gpkg
    near <(predictions plain.csv) <(predictions back.csv) 1e-6
    near <(cut -d, -f1 back.csv | tail -n +2) <(cut -d, -f1 "$(f qll.csv)" | tail -n +2) 1e-12
    [ "$(gdalsrsinfo -o epsg o.gpkg | tr -d '[:space:]')" = "EPSG:4326" ]
}

@test "columns lon and lat of the data are EPSG:4326, and the query follows" {
    needs_gdal
    "$SHEPARD" grid -q -outsize 4 4 "$(f ll.csv)" o.tif
    [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *'ID["EPSG",4326]]'* ]]
    make_layer "$(f q.csv)" q.gpkg -a_srs EPSG:28992
    make_layer "$(f qll.csv)" qll.gpkg -a_srs EPSG:4326
    "$SHEPARD" points -q -a idw:precision=double:eps=0 "$(f ll.csv)" q.gpkg a.csv
    "$SHEPARD" points -q -a idw:precision=double:eps=0 "$(f ll.csv)" qll.gpkg b.csv
    near <(predictions a.csv) <(predictions b.csv) 1e-6
}

@test "-s_srs and -q_srs override what layers say" {
    needs_gdal
    make_layer "$(f rd.csv)" wrong.gpkg -a_srs EPSG:32631
    make_layer "$(f qll.csv)" qwrong.gpkg -a_srs EPSG:32631
    "$SHEPARD" points -q -zfield z -a idw:precision=double:eps=0 -s_srs EPSG:28992 -q_srs EPSG:4326 \
        wrong.gpkg qwrong.gpkg o.csv
    "$SHEPARD" points -q -a idw:precision=double:eps=0 "$(f rd.csv)" "$(f q.csv)" plain.csv
    near <(predictions plain.csv) <(predictions o.csv) 1e-6
    "$SHEPARD" grid -q -zfield z -s_srs EPSG:28992 -outsize 3 3 wrong.gpkg o.tif
    [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *"RD New"* ]]
    fails_with "-s_srs: \"EPSG:abc\"" "$SHEPARD" grid -s_srs EPSG:abc "$(f rd.csv)" o2.tif
    fails_with "-q_srs: \"nonsense\"" "$SHEPARD" points -q_srs nonsense "$(f rd.csv)" "$(f q.csv)" o2.csv
}

@test "grid -t_srs: the points are transformed, the raster is in it" {
    needs_gdal
    keys=idw:precision=double:eps=0
    place="-txe 180000 181000 -tye 333000 334000 -tr 100 100"
    "$SHEPARD" grid -q -a $keys $place "$(f rd.csv)" plain.tif
    "$SHEPARD" grid -q -a $keys $place -t_srs EPSG:28992 "$(f ll.csv)" o.tif
    same_cells plain.tif o.tif 1e-6
    [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *"RD New"* ]]
    "$SHEPARD" grid -q -s_srs EPSG:28992 -t_srs EPSG:4326 -outsize 2 2 "$(f rd.csv)" o.tif
    # The extent is that of the transformed points; x is longitude.
    cut -d, -f1 "$(f ll.csv)" | tail -n +2 | sort -g | head -1 > west
    about o.tif 'd["geoTransform"][0]' > found
    near west found 1e-9
    fails_with "-t_srs: the coordinate system of layer \"rd\" is unknown" \
        "$SHEPARD" grid -t_srs EPSG:4326 "$(f rd.csv)" o2.tif
    fails_with "-a_srs and -t_srs exclude each other" \
        "$SHEPARD" grid -a_srs EPSG:28992 -t_srs EPSG:28992 "$(f ll.csv)" o2.tif
}

@test "points -t_srs: predicted in it, and the output is in it" {
    needs_gdal
    "$SHEPARD" points -q -a idw:precision=double:eps=0 "$(f rd.csv)" "$(f q.csv)" plain.csv
    for query in "$(f qll.csv)" qll.gpkg; do
        [ "$query" != qll.gpkg ] || make_layer "$(f qll.csv)" qll.gpkg -a_srs EPSG:4326
        "$SHEPARD" points -q -a idw:precision=double:eps=0 -t_srs EPSG:28992 "$(f ll.csv)" "$query" o.gpkg
        [ "$(gdalsrsinfo -o epsg o.gpkg | tr -d '[:space:]')" = "EPSG:28992" ]
        rm -f back.csv
        ogr2ogr -f CSV -lco GEOMETRY=AS_XY back.csv o.gpkg
        near <(predictions plain.csv) <(predictions back.csv) 1e-6
        near <(cut -d, -f2 back.csv | tail -n +2) <(cut -d, -f2 "$(f q.csv)" | tail -n +2) 1e-3
    done
    # Queries without a CRS are in that of the data, before -t_srs.
    sed '1s/.*/x,y/' "$(f qll.csv)" > qxy.csv
    "$SHEPARD" points -q -a idw:precision=double:eps=0 -t_srs EPSG:28992 "$(f ll.csv)" qxy.csv o.csv
    near <(predictions plain.csv) <(predictions o.csv) 1e-6
}

@test "degrees against unknown lengths are an error, a query far away is noted" {
    needs_gdal
    fails_with "give it with -s_srs" "$SHEPARD" points "$(f rd.csv)" "$(f qll.csv)" o.csv
    fails_with "give it with -q_srs" "$SHEPARD" points "$(f ll.csv)" "$(f q.csv)" o.csv
    [ ! -e o.csv ]
    sed '1s/.*/x,y/' "$(f qll.csv)" > qxy.csv
    run --separate-stderr "$SHEPARD" points -s_srs EPSG:28992 --json=s.json "$(f rd.csv)" qxy.csv o.csv
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"no query point lies within the data's extent"* ]]
    [[ "$(item s.json 'd["notes"]')" == *"no query point lies"* ]]
}

@test "-a_srs that contradicts the data is an error" {
    needs_gdal
    make_layer "$(f ll.csv)" ll.gpkg -a_srs EPSG:4326
    make_layer "$(f rd.csv)" rd.gpkg -a_srs EPSG:28992
    sed '1s/.*/x,y,z/' "$(f ll.csv)" > xy.csv
    for source in ll.gpkg "$(f ll.csv)" xy.csv; do
        for srs in EPSG:28992 EPSG:3857; do
            fails_with "-t_srs $srs" "$SHEPARD" grid -zfield z -a_srs $srs "$source" o.tif
        done
    done
    for source in rd.gpkg "$(f rd.csv)"; do
        fails_with "-t_srs EPSG:4326" "$SHEPARD" grid -zfield z -a_srs EPSG:4326 "$source" o.tif
    done
    [ ! -e o.tif ]
    # A label that may be right is taken: no CRS before, another projected one, a wrong label.
    make_layer "$(f rd.csv)" wrong.gpkg -a_srs EPSG:4326
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -a_srs EPSG:28992 "$(f rd.csv)" o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -a_srs EPSG:7415 rd.gpkg o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -a_srs EPSG:28992 wrong.gpkg o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -a_srs EPSG:4258 "$(f ll.csv)" o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z -a_srs EPSG:4258 xy.csv o.tif
    # The fix that the message names.
    "$SHEPARD" grid -q -outsize 2 2 -s_srs EPSG:4326 -t_srs EPSG:28992 xy.csv o.tif
}

@test "a local grid near (0, 0): -s_srs puts it into a projected CRS, as the message says" {
    needs python3 gdalinfo ogrinfo
    printf 'x,y,z\n0,0,1\n80,40,2\n10,70,3\n' > local.csv
    for code in 3857 3395 6933; do
        fails_with "say so with -s_srs EPSG:$code;" \
            "$SHEPARD" grid -a_srs "EPSG:$code" local.csv o.tif
        "$SHEPARD" grid -q -outsize 2 2 -s_srs "EPSG:$code" local.csv o.tif
        [[ "$(about o.tif 'd["coordinateSystem"]["wkt"]')" == *"\"EPSG\",$code]]" ]]
        "$SHEPARD" grid -q -outsize 2 2 -s_srs "EPSG:$code" -a_srs "EPSG:$code" local.csv o.tif
        "$SHEPARD" grid -q -s_srs "EPSG:$code" -like o.tif local.csv like.tif
        "$SHEPARD" points -q -s_srs "EPSG:$code" local.csv local.csv o.gpkg
        [[ "$(ogrinfo -so -al o.gpkg)" == *"ID[\"EPSG\",$code]]"* ]]
    done
}

@test "polygons of -clipsrc in another CRS are transformed" {
    needs_gdal
    printf 'WKT,n\n"POLYGON ((180200 333200,180800 333200,180800 333800,180200 333800,180200 333200))",1\n' > c.csv
    ogr2ogr -q -a_srs EPSG:28992 c.gpkg c.csv
    ogr2ogr -q -t_srs EPSG:4326 c4326.gpkg c.gpkg
    place="-txe 180000 181000 -tye 333000 334000 -outsize 9 9 -s_srs EPSG:28992"
    "$SHEPARD" grid -q $place -clipsrc 180200 333200 180800 333800 "$(f rd.csv)" plain.tif
    "$SHEPARD" grid -q $place -clipsrc c4326.gpkg "$(f rd.csv)" o.tif
    cmp <(cells plain.tif) <(cells o.tif)
    # Before -t_srs, so with the extent of the same points.
    "$SHEPARD" grid -q -s_srs EPSG:28992 -t_srs EPSG:32631 -clipsrc c.gpkg "$(f rd.csv)" a.tif
    "$SHEPARD" grid -q -t_srs EPSG:32631 -clipsrc c.gpkg "$(f ll.csv)" b.tif
    same_cells a.tif b.tif 1e-5
    # A CRS that is missing is taken to be the other, with a note.
    run --separate-stderr "$SHEPARD" grid -clipsrc c.gpkg "$(f rd.csv)" o.tif
    [[ "$stderr" == *"the coordinate system of the data is unknown"*"-clipsrc"* ]]
    run --separate-stderr "$SHEPARD" grid -s_srs EPSG:28992 -clipsrc c.csv "$(f rd.csv)" o.tif
    [[ "$stderr" == *"the coordinate system of -clipsrc is unknown"* ]]
    run --separate-stderr "$SHEPARD" grid -clipsrc c.csv "$(f rd.csv)" o.tif
    [ -z "$stderr" ]
}

@test "edges of -clipsrc are straight in their own CRS" {
    needs_gdal
    # A parallel from 0 to 40 degrees east bends north by 3 degrees in EPSG:3035 seen as a chord.
    printf 'WKT,n\n"POLYGON ((0 50,40 50,40 60,0 60,0 50))",1\n' > c.csv
    ogr2ogr -q -a_srs EPSG:4326 c.gpkg c.csv
    { echo "x,y,z"; for y in 49.9 50.1 59.9 60.1; do echo "20 $y"; done |
        gdaltransform -s_srs EPSG:4326 -t_srs EPSG:3035 -output_xy | tr ' ' , |
        awk '{ print $0 "," NR }'; } > p.csv
    "$SHEPARD" points -q -a idw:k=1 -s_srs EPSG:3035 -clipsrc c.gpkg p.csv p.csv o.csv
    [ "$(predictions o.csv | tr '\n' ' ')" = "2 2 3 3 " ]
}

@test "a GeoPackage of undefined CRS has none" {
    needs_gdal
    needs gdalsrsinfo
    make_layer "$(f rd.csv)" u.gpkg
    for id in 0 -1; do
        python3 - $id <<'EOF'
import sqlite3, sys
db = sqlite3.connect("u.gpkg")
for table in ("gpkg_contents", "gpkg_geometry_columns"):
    for trigger in [r[0] for r in db.execute("select name from sqlite_master where type = 'trigger'")]:
        db.execute(f'drop trigger "{trigger}"')
    db.execute(f"update {table} set srs_id = ?", (sys.argv[1],))
db.commit()
EOF
        run --separate-stderr "$SHEPARD" grid -zfield z -outsize 3 3 u.gpkg o.tif
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [ "$(about o.tif 'd.get("coordinateSystem", {}).get("wkt", "")')" = "" ]
        # Its points are in the CRS of the other side.
        make_layer "$(f rd.csv)" rd.gpkg -a_srs EPSG:28992
        "$SHEPARD" points -q -zfield z -a idw:k=1 rd.gpkg u.gpkg o.csv
        near <(predictions o.csv) <(predictions "$(f rd.csv)") 1e-4
        "$SHEPARD" points -q -zfield z -a idw:k=1 u.gpkg rd.gpkg o.csv
        near <(predictions o.csv) <(predictions "$(f rd.csv)") 1e-4
        rm rd.gpkg o.csv
    done
}

@test "columns called lon and lat that hold lengths are no degrees" {
    needs_gdal
    sed '1s/.*/lon,lat,z/' "$(f rd.csv)" > named.csv
    run --separate-stderr "$SHEPARD" grid -outsize 3 3 named.csv o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"hold no degrees"*"-s_srs"* ]]
    [[ "$stderr" != *"treated as plane"* ]]
    run --separate-stderr "$SHEPARD" grid -s_srs EPSG:28992 -outsize 3 3 named.csv o.tif
    [ -z "$stderr" ]
}

@test "points that -t_srs has no coordinates for are skipped and counted" {
    needs_gdal
    { cat "$(f ll.csv)"; echo "5.7,190,3"; } > far.csv
    run --separate-stderr "$SHEPARD" grid -t_srs EPSG:3857 -outsize 3 3 --json=s.json far.csv o.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"skipped 1 that -t_srs has no coordinates for"* ]]
    [ "$(item s.json 'd["layers"][0]["skipped"]["not_transformed"], d["layers"][0]["points_read"]')" = "(1, 60)" ]
}

@test "meuse: places in degrees meet the samples" {
    needs_gdal
    data="${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/data/meuse/meuse.csv"
    cut -d, -f1-3 "$data" > rd.csv
    { echo "lon,lat,zinc"; to_degrees rd.csv | paste -d, - <(tail -n +2 rd.csv | cut -d, -f3); } > at.csv
    "$SHEPARD" points -q -zfield zinc -a idw:k=1 -s_srs EPSG:28992 rd.csv at.csv o.csv
    awk -F, 'NR > 1 && $3 != $4 { exit 1 } END { exit NR != 156 }' o.csv
}
