#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Vector formats, in and out: points read from each give the same cells, and predictions written to
# each are those of the formula. PostGIS has a file of its own.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    LC_ALL=C awk 'BEGIN { srand(6); print "x,y,zinc,name"
        for (i = 0; i < 150; i++) printf "%.3f,%.3f,%.4f,n%d\n", 180000 + 900 * rand(), 330000 + 700 * rand(), 9 * rand(), i }' > p.csv
}

points() { echo "$BATS_FILE_TMPDIR/p.csv"; }

# in_and_out FORMAT EXTENSION
in_and_out() {
    ogrinfo --formats | grep -q "^ *$1 .*(rw" || skip "this GDAL does not write $1"
    ogr2ogr -q -f "$1" -a_srs EPSG:28992 -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y \
        -oo AUTODETECT_TYPE=YES in.$2 "$(points)"
    local method="-a idw:k=1 -zfield zinc -s_srs EPSG:28992"
    "$SHEPARD" grid -q $method -outsize 30 20 "$(points)" a.tif
    "$SHEPARD" grid -q $method -outsize 30 20 in.$2 b.tif
    same_cells a.tif b.tif 1e-12
    # The nearest point of a point is itself: predictions are the values.
    "$SHEPARD" points -q $method -f "$1" in.$2 in.$2 out.$2
    ogr2ogr -q -f CSV -lco GEOMETRY=AS_XY back.csv out.$2
    ogr2ogr -q -f CSV -lco GEOMETRY=AS_XY wanted.csv in.$2
    python3 -IS - back.csv wanted.csv <<'EOP'
import csv, sys
back, wanted = [list(csv.DictReader(open(name))) for name in sys.argv[1:]]
assert len(back) == len(wanted) == 150
# Some formats store features in an order of their own.
for a, b in zip(*[sorted(rows, key=lambda r: r["name"]) for rows in (back, wanted)]):
    assert float(a["zinc_pred"]) == float(a["zinc"]) == float(b["zinc"]), (a, b)
    assert all(abs(float(a[c]) - float(b[c])) < 1e-6 for c in "XY"), (a, b)
EOP
}

@test "GeoPackage" {
    needs ogr2ogr python3 gdal_translate
    in_and_out GPKG gpkg
}

@test "FlatGeobuf" {
    needs ogr2ogr python3 gdal_translate
    in_and_out FlatGeobuf fgb
}

@test "Shapefile" {
    needs ogr2ogr python3 gdal_translate
    in_and_out "ESRI Shapefile" shp
}

@test "GeoJSON" {
    needs ogr2ogr python3 gdal_translate
    # RFC 7946 would have longitude and latitude.
    in_and_out GeoJSON json
}

@test "Geoconcept, whose layers begin again behind their end" {
    needs ogr2ogr
    ogrinfo --formats | grep -q "^ *Geoconcept .*(rw" || skip "this GDAL does not write Geoconcept"
    ogr2ogr -q -f Geoconcept -a_srs EPSG:28992 -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y q.gxt "$(points)" -select name
    for threads in 1 2; do
        "$SHEPARD" points -q --threads $threads -a idw:k=1 -zfield zinc -s_srs EPSG:28992 "$(points)" q.gxt o.csv
        [ "$(wc -l < o.csv)" -eq 151 ]
    done
}

@test "a few long texts: memory for some of them" {
    needs ogr2ogr python3
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip "a sanitizer's memory counts, too"
    python3 -IS - > long.csv <<'EOP'
print("x,y,text")
for i in range(1500):
    print(f"{180000 + i},330000,{'ab' * 50000}")
EOP
    ogr2ogr -q -f GPKG -a_srs EPSG:28992 -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y long.gpkg long.csv
    for threads in 1 2; do
        python3 -IS - "$SHEPARD" points -q --threads $threads -a idw:k=1 -zfield zinc -s_srs EPSG:28992 "$(points)" \
            long.gpkg o.csv <<'EOP'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(most, "kB")
# All texts are 150 MB.
assert most < 140000, most
EOP
    done
}

@test "CSV" {
    needs ogr2ogr python3 gdal_translate
    "$SHEPARD" points -q -a idw:k=1 -zfield zinc "$(points)" "$(points)" out.csv
    paste -d, <(tail -n +2 "$(points)") <(tail -n +2 out.csv | awk -F, '{ print $NF }') |
        awk -F, '$3 != $5 { exit 1 } END { exit NR != 150 }'
}

@test "Parquet" {
    needs ogr2ogr python3 gdal_translate
    in_and_out Parquet parquet
}

@test "README's pipe to gdal_contour" {
    needs gdal_contour ogrinfo
    local line
    line="$(grep -o '^ *shepard grid .*| gdal_contour .*' "$SHEPARD_TEST_ROOT/README.md")"
    line="${line//data\//$SHEPARD_TEST_ROOT/data/}"
    shepard() { "$SHEPARD" "$@"; }
    set -o pipefail
    eval "$line"
    [ "$(ogrinfo -so -al zinc.gpkg | sed -n 's/^Feature Count: //p')" -gt 20 ]
}

@test "GeoTIFF: tiles, compressed, unless -co says otherwise; the same cells" {
    needs gdalinfo gdal_translate
    local place="-q -zfield zinc -a idw:k=3 -outsize 300 30"
    "$SHEPARD" grid $place "$(points)" a.tif
    "$SHEPARD" grid $place -co TILED=NO -co COMPRESS=NONE "$(points)" b.tif
    "$SHEPARD" grid $place -co BLOCKYSIZE=7 -co COMPRESS=LZW "$(points)" c.tif
    [[ "$(gdalinfo a.tif)" == *COMPRESSION=DEFLATE*Block=256x256* ]]
    [[ "$(gdalinfo b.tif)" != *COMPRESSION=* ]]
    [[ "$(gdalinfo b.tif)" == *Block=300x* ]]
    [[ "$(gdalinfo c.tif)" == *COMPRESSION=LZW*Block=300x7* ]]
    same_cells a.tif b.tif 0
    same_cells a.tif c.tif 0
    local type
    for type in Byte Int16 UInt32 Float32; do
        "$SHEPARD" grid $place -ot $type "$(points)" t.tif
        "$SHEPARD" grid $place -ot $type -co COMPRESS=NONE "$(points)" u.tif
        same_cells t.tif u.tif 0
    done
}

@test "COG: its layout, with overviews, and the same cells" {
    needs gdalinfo gdal_translate
    gdalinfo --formats | grep -q '^ *COG ' || skip "this GDAL has no COG"
    local place="-q -zfield zinc -a idw:k=3 -outsize 700 40"
    "$SHEPARD" grid $place "$(points)" a.tif
    "$SHEPARD" grid $place -of COG "$(points)" b.tif
    [[ "$(gdalinfo b.tif)" == *LAYOUT=COG*Overviews:* ]]
    same_cells a.tif b.tif 0
}

# cf_file FILE NAME_OF_VARIABLE: what readers of the CF conventions find there is the GeoTIFF's.
cf_file() {
    "$SHEPARD" grid -q -s_srs EPSG:28992 -zfield zinc -a idw:k=3 --diagnostics nearest -outsize 300 40 \
        "$(points)" "$1"
    about "$2" '[round(v, 6) for v in d["geoTransform"]]' > place
    about a.tif '[round(v, 6) for v in d["geoTransform"]]' | cmp - place
    about "$2" 'd["size"], d["bands"][0]["noDataValue"]' > size
    about a.tif 'd["size"], d["bands"][0]["noDataValue"]' | cmp - size
    [[ "$(gdalsrsinfo -o wkt2 "$2")" == *"Amersfoort / RD New"* ]]
    same_cells a.tif "$2" 0
    gdalmdiminfo "$1" > cf.json
    [ "$(item cf.json '[x["name"] + " " + x["type"] for x in sorted(d["dimensions"], key=lambda x: x["name"])]')" = \
        "['x HORIZONTAL_X', 'y HORIZONTAL_Y']" ]
    [ "$(item cf.json '[d["arrays"][n]["unit"] for n in "yx"]')" = "['m', 'm']" ]
    [ "$(item cf.json '[d["arrays"][n]["attributes"]["long_name"] for n in ("zinc", "nearest")]')" = \
        "['zinc', 'nearest']" ]
    [ "$(item cf.json '[d["arrays"]["zinc"]["dimensions"], d["arrays"]["zinc"]["nodata_value"]]')" = \
        "[['/y', '/x'], -9999]" ]
}

@test "netCDF and Zarr: variables, coordinates, units and nodata as the CF conventions have them" {
    needs gdalmdiminfo gdalsrsinfo gdal_translate python3
    "$SHEPARD" grid -q -s_srs EPSG:28992 -zfield zinc -a idw:k=3 --diagnostics nearest -outsize 300 40 \
        "$(points)" a.tif
    gdalinfo --formats | grep -q '^ *netCDF .*(rw' || skip "this GDAL does not write netCDF"
    cf_file o.nc NETCDF:o.nc:zinc
    gdalinfo NETCDF:o.nc:zinc > info
    grep -q 'NC_GLOBAL#Conventions=CF-1' info
    grep -q 'zinc#grid_mapping=oblique_stereographic' info
    grep -q 'oblique_stereographic#grid_mapping_name=oblique_stereographic' info
    grep -q 'zinc#_FillValue=-9999' info
    grep -q 'x#standard_name=projection_x_coordinate' info
    grep -q 'y#standard_name=projection_y_coordinate' info
    gdalinfo --formats | grep -q '^ *Zarr .*(rw' || skip "this GDAL does not write Zarr"
    cf_file o.zarr 'ZARR:"o.zarr":/zinc'
}

@test "a Zarr replaces a Zarr whole, and no other folder" {
    needs gdalmdiminfo python3
    gdalinfo --formats | grep -q '^ *Zarr .*(rw' || skip "this GDAL does not write Zarr"
    "$SHEPARD" grid -q -zfield zinc -a idw:k=3 --diagnostics nearest -outsize 300 40 "$(points)" o.zarr
    "$SHEPARD" grid -q -zfield zinc -outsize 10 8 "$(points)" o.zarr
    "$SHEPARD" grid -q -zfield zinc -outsize 10 8 "$(points)" new.zarr
    diff -r o.zarr new.zarr
    [ "$(ls -A | grep -v points)" = "$(printf 'new.zarr\no.zarr')" ]
    # A run that fails leaves the old one.
    fails_with "" "$SHEPARD" grid -q -zfield nothing "$(points)" o.zarr
    diff -r o.zarr new.zarr
    # Files that do not belong to it would be lost.
    mkdir new.zarr/notes o2.zarr
    echo precious | tee new.zarr/notes/a > o2.zarr/b
    fails_with "it is a folder" "$SHEPARD" grid -q -zfield zinc "$(points)" new.zarr
    fails_with "remove it" "$SHEPARD" grid -q -zfield zinc "$(points)" o2.zarr
    fails_with "it is a folder" "$SHEPARD" grid -q -zfield zinc -of GTiff "$(points)" o.zarr
    [ "$(cat new.zarr/notes/a o2.zarr/b)" = "$(printf 'precious\nprecious')" ]
}

@test "the extent is that of the selected points, in every format" {
    needs ogr2ogr gdalinfo python3
    awk 'BEGIN { srand(5); print "x,y,z"; for (i = 0; i < 80; i++)
        printf "%.2f,%.2f,%d\n", 100 * rand(), 100 * rand(), i % 4 }' > f.csv
    for format in gpkg fgb shp geojson; do
        ogr2ogr -q -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES \
            "f.$format" f.csv
    done
    printf 'WKT,n\n"POLYGON ((10 10,70 20,40 80,10 10))",1\n' > polygon.csv
    # How points are selected, and the condition in awk that leaves the same.
    for how in "-where z=1|\$3 == 1" "-spat 20 30 75.5 80|\$1 > 20 && \$1 < 75.5 && \$2 > 30 && \$2 < 80" \
        "-clipsrc 20 30 75.5 80|\$1 > 20 && \$1 < 75.5 && \$2 > 30 && \$2 < 80" "-zfield z|1"; do
        awk -F, "NR > 1 && ${how##*|} { print \$1 }" f.csv | sort -g | sed -n '1p;$p' > expected
        awk -F, "NR > 1 && ${how##*|} { print \$2 }" f.csv | sort -g | sed -n '1p;$p' >> expected
        for source in f.csv f.gpkg f.fgb f.shp f.geojson; do
            "$SHEPARD" grid -q -planar -zfield z -outsize 1 1 ${how%%|*} $source o.tif
            about o.tif '"\n".join(str(d["cornerCoordinates"][c][i]) for i in (0, 1)
                for c in ("lowerLeft", "upperRight"))' > found
            paste found expected | awk '{ d = $1 - $2; if (!(d * d < 1e-12)) exit 1 }' ||
                { echo "$how $source"; paste found expected; false; }
        done
    done
    for source in f.csv f.gpkg f.fgb f.shp f.geojson; do
        "$SHEPARD" grid -q -zfield z -outsize 1 1 -clipsrc polygon.csv $source o.tif
        about o.tif 'd["geoTransform"]' >> triangle
    done
    [ "$(sort -u triangle | wc -l)" -eq 1 ]
}
