# SPDX-License-Identifier: MIT
# Loaded by the tests of parts and mosaics.

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    random_points 700 5 > p.csv
    # A field with gaps, and a hole in the data.
    awk -F, -v OFS=, 'NR == 1 { print $0, "b" } NR > 1 && !($1 > 448600 && $2 > 5263500) {
        print $0, (NR % 3 ? $3 * 2 : "") }' p.csv > q.csv
    cat > mask.geojson <<'JSON'
{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":
{"type":"Polygon","coordinates":[[[448100,5263100],[448900,5263150],[448500,5263900],[448100,5263100]]]}}]}
JSON
}

file() { echo "$BATS_FILE_TMPDIR/$1"; }

# raw RASTER: all cells of all bands as they are stored, and which of them are no nodata.
raw() {
    local folder bands b
    folder="$(mktemp -d -p "$BATS_RUN_TMPDIR")"
    gdal_translate -q -of ENVI -co INTERLEAVE=BSQ "$1" "$folder/cells" >&2
    cat "$folder/cells"
    bands="$(gdalinfo "$1" | grep -c '^Band ')"
    for ((b = 1; b <= bands; b++)); do
        gdal_translate -q -of ENVI -b "mask,$b" "$1" "$folder/mask" >&2
        cat "$folder/mask"
    done
    rm -rf "$folder"
}

# clustered N SEED: points in clusters, many at one place, with an empty middle, some without a value.
clustered() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed); print "x,y,z,w"
        for (i = 0; i < n; i++) {
            x = 1000 * rand(); y = 1000 * rand()
            if (i % 3 == 0) { x = 300 + 20 * rand(); y = 600 + 20 * rand() }
            if (i % 3 && x > 400 && x < 600) x = 400
            if (i % 10 == 0) { x = int(x); y = int(y) }
            printf "%.9g,%.9g,%s,%d\n", 5000 + x, 7000 + y, i % 97 ? 100 * rand() : "", i % 4
        }
    }'
}

# parts N OPTIONS...: the whole raster as whole.tif, and its N parts as part1.tif, ...
parts() {
    local n="$1" i
    shift
    rm -f whole.tif part*.tif
    "$SHEPARD" grid -q "$@" whole.tif
    for ((i = 1; i <= n; i++)); do
        "$SHEPARD" grid -q --part "$i/$n" "$@" "part$i.tif"
    done
}

small=(-co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=48)

# blocks TIFF: number, size and checksum of each block that the file has, as they are coded.
blocks() {
    python3 -IS - "$1" <<'PY'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
order = "<" if data[:2] == b"II" else ">"
big = struct.unpack_from(order + "H", data, 2)[0] == 43
count_form, entry_form, word = ("Q", "HHQQ", 8) if big else ("H", "HHII", 4)
at = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)[0]
start = at + struct.calcsize(count_form)
size = struct.calcsize(order + entry_form)
found = {}
for entry in range(struct.unpack_from(order + count_form, data, at)[0]):
    place = start + entry * size
    tag, kind, count, value = struct.unpack_from(order + entry_form, data, place)
    form = {3: "H", 4: "I", 16: "Q"}.get(kind)
    if tag in (273, 279, 324, 325):
        inline = count * struct.calcsize(form) <= word
        found[tag] = struct.unpack_from(f"{order}{count}{form}", data, place + size - word if inline else value)
offsets, sizes = found.get(324) or found[273], found.get(325) or found[279]
for i, (offset, length) in enumerate(zip(offsets, sizes)):
    if offset:
        print(i, length, zlib.crc32(data[offset:offset + length]))
PY
}
