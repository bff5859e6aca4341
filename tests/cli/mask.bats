#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# -mask: which cells count, what they hold, how polygons are chosen.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    LC_ALL=C awk 'BEGIN { srand(5); print "x,y,z"
        for (i = 0; i < 300; i++) printf "%.4f,%.4f,%.4f\n", 1000 * rand(), 800 * rand(), 9 * rand() }' > p.csv
}

points() { echo "$BATS_FILE_TMPDIR/p.csv"; }

grid() { "$SHEPARD" grid -q -s_srs EPSG:32632 -txe 0 1000 -tye 0 800 "$@"; }

# polygons SEED: stars with a hole, one of them a MultiPolygon, which overlap. As GeoJSON.
polygons() {
    python3 -IS - "$1" <<'EOP'
import json, math, random, sys
random.seed(int(sys.argv[1]))

def ring(x, y, size):
    n = random.randint(3, 40)
    angles = sorted(random.uniform(0, 2 * math.pi) for _ in range(n))
    sizes = [size * random.uniform(0.5, 1) for _ in range(n)]
    points = [[x + s * math.cos(a), y + s * math.sin(a)] for a, s in zip(angles, sizes)]
    return points + points[:1]

def star():
    x, y, size = random.uniform(-100, 1100), random.uniform(-100, 900), random.uniform(20, 300)
    return [ring(x, y, size), ring(x, y, size / 3)]

shapes = [{"type": "Polygon", "coordinates": star()} for _ in range(random.randint(1, 4))]
shapes.append({"type": "MultiPolygon", "coordinates": [star(), star()]})
print(json.dumps({"type": "FeatureCollection",
    "crs": {"type": "name", "properties": {"name": "EPSG:32632"}},
    "features": [{"type": "Feature", "properties": {"n": i}, "geometry": g} for i, g in enumerate(shapes)]}))
EOP
}

@test "cells whose centre is in a polygon, and no others, have a value: the one without a mask" {
    needs python3 gdal_translate
    local seed
    for seed in $RANDOM $RANDOM; do
        echo "seed $seed"
        polygons "$seed" > m.geojson
        grid -a idw:k=5 -outsize 100 80 -mask m.geojson "$(points)" m.tif
        grid -a idw:k=5 -outsize 100 80 "$(points)" all.tif
        paste <(cells m.tif) <(cells all.tif) > both
        python3 -IS - m.geojson both <<'EOP'
import json, sys

# Crossings of a ray; rings of a polygon, holes too, change sides.
def inside(polygon, x, y):
    odd = False
    for ring in polygon:
        for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                odd = not odd
    return odd

polygons = []
for feature in json.load(open(sys.argv[1]))["features"]:
    geometry = feature["geometry"]
    parts = geometry["coordinates"]
    polygons += parts if geometry["type"] == "MultiPolygon" else [parts]
rows = [line.split() for line in open(sys.argv[2])]
assert len(rows) == 8000
for i, (masked, whole) in enumerate(rows):
    x, y = (i % 100 + 0.5) * 10, 800 - (i // 100 + 0.5) * 10
    wanted = whole if any(inside(p, x, y) for p in polygons) else "-9999"
    assert masked == wanted, (x, y, masked, wanted)
EOP
    done
}

@test "inside the mask every method gives the bits that it gives without one" {
    needs python3 gdal_translate
    polygons 11 > m.geojson
    local method
    # The second one sums over all points of a fine raster; the last one is GDAL's.
    for method in idw:k=4 invdist "aidw --diagnostics count" average:radius=90; do
        grid -a $method -outsize 200 160 "$(points)" all.tif
        grid -a $method -outsize 200 160 -mask m.geojson "$(points)" m.tif
        paste <(cells m.tif) <(cells all.tif) | awk '
            $1 == -9999 { out++; next } $1 != $2 { exit 1 } { n++ }
            END { exit !(n > 3000 && out > 3000) }'
    done
}

@test "a raster of several strips, some outside, and --json counts the cells outside" {
    needs python3 gdal_translate
    printf 'id,WKT\n1,"POLYGON((300 100,309.9 100,309.9 700,300 700,300 100))"\n' > m.csv
    run grid -a idw:k=3 --diagnostics count,nearest --json=s.json -outsize 1250 1000 -mask m.csv \
        "$(points)" m.tif
    [[ "$output" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    # 12 columns have their centre between 300 and 309.9, 750 rows between 100 and 700.
    [ "$(item s.json '[b["cells_outside_mask"] for b in d["raster"]["bands"]]')" = \
        "[1241000, 1241000, 1241000]" ]
    [ "$(item s.json 'd["raster"]["bands"][0]["cells_without_prediction"]')" = 1241000 ]
    gdal_translate -q -srcwin 370 120 20 40 m.tif w.tif
    [ "$(cells w.tif 2 | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" = "380 -9999 420 3 " ]
}

@test "polygons that share an edge leave no gap, also where it runs through centres" {
    needs gdal_translate
    cat > m.csv <<'EOP'
id,WKT
1,"POLYGON((105 105,405 105,405 405,105 405,105 105))"
2,"POLYGON((405 105,705 105,705 405,405 405,405 105))"
3,"POLYGON((105 405,405 405,405 605,105 605,105 405))"
4,"POLYGON((405 405,705 405,705 605,405 605,405 405))"
EOP
    grid -a idw:k=1 -outsize 100 80 -mask m.csv "$(points)" m.tif
    # Without the outer edges: 59 columns and 49 rows.
    gdal_translate -q -srcwin 11 20 59 49 m.tif w.tif
    [ "$(cells w.tif | wc -l)" -eq 2891 ]
    run ! grep -qx -e -9999 <(cells w.tif)
}

@test "the polygons are transformed to the coordinate system of the raster" {
    needs ogr2ogr gdal_translate python3
    polygons 7 > m.geojson
    awk -F, 'NR == 1 { print } NR > 1 { printf "%.4f,%.4f,%s\n", 500000 + $1, 5600000 + $2, $3 }' \
        "$(points)" > utm.csv
    sed 's/EPSG:32632/EPSG:9999999/' m.geojson > bad.geojson
    python3 -IS - <<'EOP'
import json
d = json.load(open("m.geojson"))
def shift(c):
    return [c[0] + 500000, c[1] + 5600000] if isinstance(c[0], (int, float)) else [shift(p) for p in c]
for f in d["features"]:
    f["geometry"]["coordinates"] = shift(f["geometry"]["coordinates"])
json.dump(d, open("utm.geojson", "w"))
EOP
    ogr2ogr -q -t_srs EPSG:4326 -f GPKG ll.gpkg utm.geojson
    local place="-a idw:k=1 -s_srs EPSG:32632 -txe 500000 501000 -tye 5600000 5600800 -outsize 200 160"
    "$SHEPARD" grid -q $place -mask utm.geojson utm.csv a.tif
    "$SHEPARD" grid -q $place -mask ll.gpkg utm.csv b.tif
    paste <(cells a.tif) <(cells b.tif) | awk '$1 != $2 { d++ } $1 != -9999 { n++ }
        END { print n, d + 0; exit !(n > 1000 && d <= 3) }'
    # One system is unknown: a note.
    ogr2ogr -q -f CSV -lco GEOMETRY=AS_WKT unknown.csv utm.geojson
    run --separate-stderr "$SHEPARD" grid $place -mask unknown.csv utm.csv c.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"coordinate system of -mask is unknown"* ]]
    same_cells a.tif c.tif 0
}

@test "-masklayer, -maskwhere and -masksql choose polygons" {
    needs ogr2ogr gdal_translate
    cat > a.csv <<'EOP'
id,WKT
1,"POLYGON((0 0,500 0,500 800,0 800,0 0))"
2,"POLYGON((500 0,1000 0,1000 800,500 800,500 0))"
EOP
    printf 'id,WKT\n1,"POINT(1 1)"\n' > b.csv
    ogr2ogr -q -a_srs EPSG:32632 -nln points m.gpkg b.csv
    ogr2ogr -q -a_srs EPSG:32632 -nln halves -update m.gpkg a.csv
    fails_with "it holds a POINT, not only polygons; choose them with -masklayer or -maskwhere" \
        grid -a idw:k=1 -outsize 4 4 -mask m.gpkg "$(points)" o.tif
    grid -a idw:k=1 -outsize 4 4 -mask m.gpkg -masklayer halves "$(points)" o.tif
    [ "$(cells o.tif | grep -cx -e -9999)" -eq 0 ]
    grid -a idw:k=1 -outsize 4 4 -mask m.gpkg -masklayer halves -maskwhere "id = '2'" "$(points)" o.tif
    [ "$(cells o.tif | awk '{ printf "%s", ($1 == -9999) }')" = 1100110011001100 ]
    grid -a idw:k=1 -outsize 4 4 -mask m.gpkg -masksql "SELECT * FROM halves WHERE id = '1'" "$(points)" o.tif
    [ "$(cells o.tif | awk '{ printf "%s", ($1 == -9999) }')" = 0011001100110011 ]
    rm o.tif
    fails_with 'no layer "halfs"' grid -mask m.gpkg -masklayer halfs "$(points)" o.tif
    fails_with "need -mask" grid -maskwhere "id = '1'" "$(points)" o.tif
    fails_with "has no polygon for -mask" grid -mask m.gpkg -masklayer halves -maskwhere "id = '7'" \
        "$(points)" o.tif
    fails_with "nowhere.shp" grid -mask nowhere.shp "$(points)" o.tif
    [ ! -e o.tif ]
    fails_with "both input" grid -mask a.csv -of GTiff "$(points)" a.csv
}

@test "a raster outside of the mask: all cells are nodata, with a note" {
    needs gdal_translate
    printf 'id,WKT\n1,"POLYGON((5000 0,5010 0,5010 800,5000 0))"\n' > m.csv
    run --separate-stderr "$SHEPARD" grid -txe 0 1000 -tye 0 800 -outsize 9 9 -mask m.csv "$(points)" o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"no cell has its centre in the polygons of -mask (x 5000 to 5010, y 0 to 800)"* ]]
    [[ "$stderr" != *"too few points"* ]]
    [ "$(cells o.tif | sort -u)" = -9999 ]
}

@test "covariates are missed inside the mask only" {
    needs gdal_translate python3
    # The covariate covers the western half, which the mask is.
    grid -a idw:k=1 -outsize 10 8 -txe 0 520 "$(points)" c.tif
    printf 'id,WKT\n1,"POLYGON((0 0,500 0,500 800,0 800,0 0))"\n' > m.csv
    run --separate-stderr "$SHEPARD" grid -s_srs EPSG:32632 -txe 0 1000 -tye 0 800 -outsize 20 16 \
        -a idw:k=4 -trend c.tif -where 'CAST(x AS float) < 500' -mask m.csv "$(points)" o.tif
    echo "$stderr"
    [ "$status" -eq 0 ]
    [[ "$stderr" != *"lack a covariate"* ]]
    [ "$(cells o.tif | grep -cx -e -9999)" -eq 160 ]
}
