# SPDX-License-Identifier: MIT
# Loaded by every test file. SHEPARD is the command under test.

bats_require_minimum_version 1.5.0

setup() {
    : "${SHEPARD:=shepard}"
    cd "$BATS_TEST_TMPDIR" || return 1
    export LC_ALL=C
}

needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
}

# is_left_out: asked before each trial of a test. SHEPARD_TEST_ONE_IN=N, for builds that are slow: all but
# the first and each N-th are; which ones is by SHEPARD_TEST_SEED.
is_left_out() {
    trials_asked=$((${trials_asked-0} + 1))
    ((trials_asked > 1 && (trials_asked + ${SHEPARD_TEST_SEED:-$$}) % ${SHEPARD_TEST_ONE_IN:-1} != 0))
}

# wait_until COMMAND...: until it succeeds, a minute at most: slow machines take seconds to begin.
wait_until() {
    local end=$((SECONDS + 60))
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.02
    done
}

# is_logged PATTERN: whether `log` has a line like it.
is_logged() { grep -q "$1" log; }

# has_begun: whether the first mark of a run's bar is in `log`, from where on it computes.
has_begun() { is_logged '^0'; }

# random_points N SEED: "x,y,z" rows at UTM-size coordinates in a square kilometre.
random_points() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed); print "x,y,z"
        for (i = 0; i < n; i++) {
            x = 1000 * rand(); y = 1000 * rand()
            printf "%.6f,%.6f,%.6f\n", 448000 + x, 5263000 + y,
                5 + 4 * sin(x / 150) * cos(y / 200) + rand()
        }
    }'
}

# as_vrt CSV...: a layer of points for each file, which is what gdal_grid needs to read CSV.
as_vrt() {
    local file name
    echo '<OGRVRTDataSource>'
    for file in "$@"; do
        name="$(basename "$file" .csv)"
        cat <<EOF
<OGRVRTLayer name="$name"><SrcDataSource>$(realpath "$file")</SrcDataSource>
<SrcLayer>$name</SrcLayer><GeometryType>wkbPoint25D</GeometryType>
<GeometryField encoding="PointFromColumns" x="x" y="y" z="z"/>
<Field name="z" type="Real"/></OGRVRTLayer>
EOF
    done
    echo '</OGRVRTDataSource>'
}

# cells RASTER [BAND]: one value a line, first row first, all digits. Through raw float64 cells:
# GDAL's XYZ format rounds to float32.
cells() {
    local folder
    folder="$(mktemp -d -p "$BATS_RUN_TMPDIR")"
    gdal_translate -q -of ENVI -ot Float64 -b "${2:-1}" "$1" "$folder/raw" >&2
    od -An -v -w8 -t f8 "$folder/raw" | awk '{ print $1 }'
    rm -rf "$folder"
}

# same_cells A B TOLERANCE [BAND_A BAND_B]: both have cells, and all differ by no more than the
# tolerance of the value range; nodata only at the same places.
same_cells() {
    paste <(cells "$1" "${4:-1}") <(cells "$2" "${5:-1}") | awk -v tolerance="$3" '
        NF != 2 { bad = "different numbers of cells"; exit }
        { n++; d = $1 - $2; d = d < 0 ? -d : d; if (!(d <= worst)) worst = d
          if ($1 != -9999) { if (!m++ || $1 < low) low = $1; if (m == 1 || $1 > high) high = $1 } }
        END {
            if (bad) { print bad; exit 1 }
            limit = tolerance * (m && high > low ? high - low : 1)
            printf "%d cells, %d with data, worst difference %.3g, limit %.3g\n", n, m, worst, limit
            exit !(n > 0 && m > 0 && worst <= limit)
        }'
}

# item FILE EXPRESSION: a value of a JSON file, as a Python expression of d.
item() {
    python3 -IS -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

# about RASTER EXPRESSION: the same of what gdalinfo says.
about() {
    gdalinfo -json "$1" > about.json 2>/dev/null
    item about.json "$2"
}

# fails_with TEXT COMMAND...: exit code 1, TEXT in the messages, no crash report.
fails_with() {
    local text="$1"
    shift
    run "$@"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"$text"* ]]
}
