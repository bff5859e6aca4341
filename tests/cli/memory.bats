#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# grid --memory: points on disk predict the cells that points in memory predict.
load common
load parts

teardown() {
    [ -z "${pid-}" ] || kill -KILL "$pid" 2> log || true
}

# same FILE OPTIONS...: with points on disk as with all of them in memory.
same() {
    local file="$1"
    shift
    is_left_out && return
    echo "$file $*"
    "$SHEPARD" grid -q "$@" "$file" plain.tif
    "$SHEPARD" grid -q --memory 16M --temp temp "$@" "$file" disk.tif
    cmp <(raw plain.tif) <(raw disk.tif)
    diff <(gdalinfo plain.tif | grep -v ^Files) <(gdalinfo disk.tif | grep -v ^Files)
    [ -z "$(ls -A temp)" ]
}

@test "points on disk predict the same cells, bit by bit" {
    needs gdal_translate gdalinfo
    local seed="${SHEPARD_TEST_SEED:-$$}" algorithm
    echo "SHEPARD_TEST_SEED=$seed"
    mkdir temp
    clustered 60000 "$seed" > c.csv
    for algorithm in idw:k=12 idw:k=1:radius=30 idw:k=50:degree=1 idw:k=8:smoothing=3:min_points=3:radius=9 \
        idw:k=8:radius1=30:radius2=9:angle=30 \
        aidw:max_points=20 aidw:max_points=9:k=15:degree=1 aidw:max_points=9:radius=5 \
        idw:max_points_per_sector=3:sectors=4:radius=20 krige:psill=800:nugget=50:range=80:p=1:k=12; do
        same c.csv -zfield z -outsize 70 90 -a "$algorithm"
    done
    clustered 40000 "$seed" > d.csv
    same d.csv -zfield z -where "z <> ''" -outsize 70 90 \
        -a krige:model=exponential:psill=800:nugget=0:range=80:k=10:anisotropy_ratio=2:anisotropy_angle=30
    same c.csv -zfield z -wfield w -outsize 70 90 -a idw:k=12
    same c.csv -zfield z -outsize 70 90 -a idw:k=12 --diagnostics nearest,count,deviation,effective
    same c.csv -zfield z -s_srs EPSG:25832 -t_srs EPSG:3035 -outsize 70 90 -a idw:k=12
    same c.csv -zfield z -txe 4000 7000 -tye 9000 6500 -outsize 90 80 -a idw:k=12
    same c.csv -zfield z -outsize 300 300 -ot Float32 -co TILED=YES -spat 5000 7000 5700 7700 -a idw:k=12
    # Tiles much larger than a bucket, with many points beyond them.
    random_points 200000 "$seed" > many.csv
    same many.csv -outsize 500 500 -a idw:k=50
    # The first run of the sort knows a small part of the extent only.
    awk -v seed="$seed" 'BEGIN { srand(seed); print "x,y,z"
        for (i = 0; i < 400000; i++) { s = i < 200000 ? 1 : 20; print 500 + s * rand() "," 500 + s * rand() "," rand() } }' > grows.csv
    same grows.csv -txe 504 505 -tye 504 505 -outsize 20 20 -a idw:k=12
    random_points 700 5 > few.csv
    same few.csv -outsize 90 80 -a idw:k=12
    same few.csv -outsize 90 80 -a idw:k=2000
    same few.csv -outsize 90 80 -mask "$(file mask.geojson)" -a idw:k=12
}

@test "methods that need all points have them on disk, and predict the same cells" {
    needs gdal_translate gdalinfo
    local seed="${SHEPARD_TEST_SEED:-$$}" algorithm
    echo "SHEPARD_TEST_SEED=$seed"
    mkdir temp
    # More points than are sorted at once; the memory is less than they take in arrays.
    clustered 150000 "$seed" > c.csv
    # A place without a value beyond all others has its part in the frame.
    echo 6100.5,8123.25,,1 >> c.csv
    for algorithm in idw aidw idw:smoothing=3:power=3.3 idw:degree=1 aidw:eps=1e-7:precision=double \
        idw:radius=60:min_points=3 idw:max_points_per_sector=3:sectors=4; do
        same c.csv -zfield z -outsize 50 60 -a "$algorithm"
    done
    same c.csv -zfield z -wfield w -outsize 50 60 -a aidw --diagnostics nearest,alpha,deviation,effective
    same c.csv -zfield z -where "z <> ''" -outsize 50 60 -a aidw:anisotropy_ratio=2:anisotropy_angle=30
    head -20001 c.csv > d.csv
    same d.csv -zfield z -outsize 30 20 -a idw:eps=0
    parts 3 "${small[@]}" --memory 16M --temp temp --resume -zfield z -outsize 200 210 -a aidw d.csv
    "$SHEPARD" grid -q "${small[@]}" -zfield z -outsize 200 210 -a aidw d.csv plain.tif
    cmp <(raw plain.tif) <(raw whole.tif)
}

# fields EMPTY: the table on standard input with b, whose every EMPTY-th value is missing, 0: none, and c, which
# misses those of z.
fields() {
    awk -F, -v OFS=, -v empty="$1" 'NR == 1 { print $0, "b", "c" }
        NR > 1 { print $0, (empty && NR % empty == 0 ? "" : $1 - 5000 + ($4 + 1) * $2 / 9), ($3 == "" ? "" : 90 - $3) }'
}

@test "several fields on disk predict the same cells" {
    needs gdal_translate gdalinfo
    local seed="${SHEPARD_TEST_SEED:-$$}" algorithm
    echo "SHEPARD_TEST_SEED=$seed"
    mkdir temp
    clustered 60000 "$seed" | awk -F, '$3 != ""' | fields 0 > c.csv
    local three=(-zfield z,b -zfield c -outsize 40 60)
    for algorithm in idw:k=12 idw:k=50:degree=1 aidw:max_points=20 krige:psill=800:nugget=50:range=80:p=1:k=12 \
        idw aidw idw:degree=1 idw:radius=60:min_points=3; do
        same c.csv "${three[@]}" -a "$algorithm"
    done
    same c.csv "${three[@]}" -wfield w -a idw:k=12 --diagnostics nearest,count,deviation
    same c.csv "${three[@]}" -wfield w -a aidw --diagnostics deviation,alpha
    head -30001 c.csv > d.csv
    same d.csv "${three[@]}" -a krige:model=exponential:psill=800:nugget=0:range=80:k=10:anisotropy_ratio=2 --diagnostics sd
    same c.csv "${three[@]}" -t_srs EPSG:3035 -s_srs EPSG:25832 -a idw:k=12
    random_points 700 5 | awk -F, -v OFS=, '{ print $0, (NR > 1 ? -$3 : "b") }' > few.csv
    same few.csv -zfield z,b -outsize 90 80 -mask "$(file mask.geojson)" -a idw:k=12
    # All miss their values at the same points.
    clustered 60000 "$seed" | fields 0 > same.csv
    same same.csv -zfield z,c -outsize 40 60 -a idw:k=12 --diagnostics nearest,count
    same same.csv -zfield z,c -outsize 40 60 -a aidw
}

@test "several fields with gaps on disk predict the same cells" {
    needs gdal_translate gdalinfo
    local seed="${SHEPARD_TEST_SEED:-$$}" algorithm
    echo "SHEPARD_TEST_SEED=$seed"
    mkdir temp
    { clustered 60000 "$seed" && echo 6100.5,8123.25,,1; } | fields 7 > c.csv
    local three=(-zfield z,b,c -outsize 40 60)
    for algorithm in idw:k=12 idw:k=12:radius=30 aidw:max_points=9:k=15:degree=1 idw:max_points_per_sector=3:sectors=4:radius=20 \
        krige:psill=800:nugget=50:range=80:p=1:k=12 idw aidw idw:degree=1 idw:radius=60:min_points=3; do
        same c.csv "${three[@]}" -a "$algorithm"
    done
    same c.csv "${three[@]}" -wfield w -a idw:k=12 --diagnostics deviation
    same c.csv "${three[@]}" -wfield w -a aidw --diagnostics deviation
    same c.csv -zfield b -outsize 40 60 -a idw:k=12
    local used='^[0-9]+ to [0-9]+ of 60001 points'
    diff <("$SHEPARD" grid "${three[@]}" -a idw:k=12 c.csv o.tif | grep -Eo "$used") \
        <("$SHEPARD" grid --memory 16M --temp temp "${three[@]}" -a idw:k=12 c.csv o.tif | grep -Eo "$used")
    rm o.tif
    # A diagnostic of all fields.
    for algorithm in idw:k=12 aidw; do
        fails_with "run once for each field" "$SHEPARD" grid -q --memory 16M --temp temp -zfield z,b -a "$algorithm" \
            --diagnostics count c.csv o.tif
    done
    fails_with "each point needs a value and a weight" "$SHEPARD" grid -q --memory 16M --temp temp -zfield z,b \
        -a idw:anisotropy_ratio=2 c.csv o.tif
    # Each field has a value, but one of them none with a weight.
    printf 'x,y,z,b,w\n0,0,1,,1\n9,1,2,4,0\n5,5,1,,1\n' > p.csv
    fails_with "field b: no point of 3 has a value and a usable weight" "$SHEPARD" grid -q --memory 16M --temp temp \
        -zfield z,b -wfield w -a idw:k=1 p.csv o.tif
    [ -z "$(ls -A temp)" ]
    [ ! -e o.tif ]
}

# has_cells: whether the second bar of a run, that of its cells, is at 30 percent.
has_cells() { [ "$(grep -c '^0' log)" = 2 ] && tail -n 1 log | grep -q '^0.*30'; }

@test "parts and resumed runs of several fields on disk" {
    needs gdal_translate gdalinfo
    mkdir temp
    clustered 20000 3 | fields 7 > gaps.csv
    awk -F, '$3 != "" && $5 != ""' gaps.csv > c.csv
    local file algorithm
    for file in c.csv gaps.csv; do
        for algorithm in idw:k=12 aidw; do
            is_left_out && continue
            parts 3 "${small[@]}" --memory 16M --temp temp --resume -zfield z,b -outsize 100 110 -a "$algorithm" "$file"
            "$SHEPARD" grid -q "${small[@]}" -zfield z,b -outsize 100 110 -a "$algorithm" "$file" plain.tif
            "$SHEPARD" mosaic -q mosaic.tif part1.tif part2.tif part3.tif
            cmp <(raw plain.tif) <(raw whole.tif)
            cmp <(raw plain.tif) <(raw mosaic.tif)
        done
    done
    # Killed, and resumed.
    local slow=("${small[@]}" --memory 16M --temp temp --resume -zfield z,b -outsize 700 900 -a idw:k=500 c.csv o.tif)
    "$SHEPARD" grid "${slow[@]}" > log 2>&1 3>&- &
    pid=$!
    wait_until has_cells
    kill -KILL "$pid"
    wait "$pid" || true
    pid=
    [ ! -e o.tif ]
    "$SHEPARD" grid "${slow[@]}" 2>&1 | grep 'goes on with a run that had finished'
    "$SHEPARD" grid -q "${small[@]}" -zfield z,b -outsize 700 900 -a idw:k=500 c.csv plain.tif
    cmp <(raw plain.tif) <(raw o.tif)
    [ -z "$(ls -A temp)" ]
}

@test "the room that several fields take is known" {
    mkdir temp
    local i algorithm
    # There is room for 49932 points of one field. On disk: 4 numbers a point.
    random_points 100000 5 | awk -F, -v OFS=, '{ print $0, (NR > 1 ? -$3 : "b") }' > p.csv
    fails_with "and there is room for 43690; give more memory, fewer fields, fewer neighbours" \
        "$SHEPARD" grid -q --memory 16M --temp temp -zfield z,b -a idw:k=90000 -outsize 20 20 p.csv o.tif
    run "$SHEPARD" grid --dry-run --memory 16M --temp nowhere -zfield z,b -outsize 500 500 -a idw:k=12 p.csv o.tif
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"disk: 3.2 MB of points"* ]]
    # There is no room for what is sorted; then for that, yet not for the arrays.
    for i in 3000 9000; do
        algorithm=idw:k=12
        [ $i = 3000 ] || algorithm=aidw
        run bash -c 'ulimit -f '$i'; "$0" grid -q --memory 16M --temp temp -zfield z,b -a '$algorithm' p.csv o.tif' "$SHEPARD"
        echo "$output"
        [ "$status" -eq 1 ]
        [[ "$output" == *"no room for temporary files"*"--temp"* ]]
        [ -z "$(ls -A temp)" ]
        [ ! -e o.tif ]
    done
}

@test "of arrays on disk little is in memory; where there is no room that is said" {
    needs python3
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip 'a sanitizer has memory of its own'
    mkdir temp
    random_points 3000000 7 > p.csv
    # Some 400 MB of arrays. What is resident is looked at while threads write, so that it may be more for a moment, and is where other
    # work keeps the thread that looks from its core: one of three runs counts.
    python3 - "$SHEPARD" <<'END'
import os, sys

def peak(*options):
    """MiB of one run, as the system counted them."""
    pid = os.spawnl(os.P_NOWAIT, sys.argv[1], sys.argv[1], "grid", "-q", *options, "-a", "aidw",
                    "-outsize", "30", "30", "p.csv", "o.tif")
    _, status, usage = os.wait4(pid, 0)
    assert status == 0
    os.remove("o.tif")
    return usage.ru_maxrss / 1024

in_memory = peak()
for _ in range(3):
    on_disk = peak("--memory", "32M", "--temp", "temp")
    print(f"peak: {in_memory:.0f} MiB in memory, {on_disk:.0f} on disk")
    if on_disk <= .6 * in_memory:
        sys.exit(0)
sys.exit(1)
END
    [ -z "$(ls -A temp)" ]
    # For the points, yet not for their arrays.
    run bash -c 'ulimit -f 160000; "$0" grid -q --memory 16M --temp temp -a aidw p.csv o.tif' "$SHEPARD"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == "shepard: error: no room for temporary files"*"--temp"* ]]
    [ "${#lines[@]}" -eq 1 ]
    [ -z "$(ls -A temp)" ]
    [ ! -e o.tif ]
    run "$SHEPARD" grid --dry-run --memory 16M --temp nowhere -a aidw -outsize 500 500 p.csv o.tif
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" =~ disk:\ [34][0-9][0-9]\ MB\ of\ points ]]
    [ ! -e o.tif ]
}

@test "LAS files on disk: classes and several files" {
    [ -n "${SHEPARD_TEST_MAKE_LAS-}" ] || skip "no make_las"
    needs gdal_translate gdalinfo
    mkdir temp
    "$SHEPARD_TEST_MAKE_LAS" a.las 1.4 6 150000
    same a.las -class 1,2 -outsize 300 40 -a idw:k=12
}

@test "parts and resumed runs with points on disk are the raster of one run" {
    needs gdalbuildvrt gdal_translate gdalinfo
    mkdir temp
    clustered 20000 3 > c.csv
    parts 3 "${small[@]}" --memory 16M --temp temp --resume -zfield z -outsize 200 210 -a idw:k=12 c.csv
    "$SHEPARD" grid -q "${small[@]}" -zfield z -outsize 200 210 -a idw:k=12 c.csv plain.tif
    gdalbuildvrt -q -resolution highest parts.vrt part*.tif
    cmp <(raw plain.tif) <(raw whole.tif)
    cmp <(raw plain.tif) <(raw parts.vrt)
    "$SHEPARD" mosaic -q mosaic.tif part1.tif part2.tif part3.tif
    cmp <(raw plain.tif) <(raw mosaic.tif)
    # One part with the points in memory.
    "$SHEPARD" grid -q "${small[@]}" --part 2/3 -zfield z -outsize 200 210 -a idw:k=12 c.csv part2.tif
    "$SHEPARD" mosaic -q mosaic.tif part1.tif part2.tif part3.tif
    cmp <(raw plain.tif) <(raw mosaic.tif)
    # Blocks whose rows are not a part of 64, and blocks that are more than a strip has room for.
    local blocks
    for blocks in "TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=48" "TILED=NO -co BLOCKYSIZE=7" \
        "TILED=NO -co BLOCKYSIZE=1000" "TILED=YES -co BLOCKXSIZE=1024 -co BLOCKYSIZE=512"; do
        "$SHEPARD" grid -q -zfield z -outsize 600 1000 -a idw:k=2 c.csv -co $blocks plain.tif
        "$SHEPARD" grid -q --memory 16M --temp temp --resume -zfield z -outsize 600 1000 -a idw:k=2 c.csv -co $blocks disk.tif
        cmp <(raw plain.tif) <(raw disk.tif)
    done
}

@test "what a killed run left is removed by the next one; no room is said" {
    needs python3
    mkdir temp
    clustered 200000 4 > c.csv
    "$SHEPARD" grid --memory 16M --temp temp -zfield z -outsize 2000 2000 -a idw:k=60 c.csv o.tif > log 2>&1 3>&- &
    pid=$!
    wait_until has_begun
    kill -KILL "$pid"
    wait "$pid" || true
    pid=
    [ -n "$(ls -A temp)" ]
    [ ! -e o.tif ]
    run "$SHEPARD" grid --memory 16M --temp temp -zfield z -outsize 20 20 -a idw:k=12 c.csv o.tif
    [ "$status" -eq 0 ]
    [[ "$output" == *"left by a run that was killed"* ]]
    [ -z "$(ls -A temp)" ]
    rm o.tif
    run bash -c 'ulimit -f 1000; "$0" grid -q --memory 16M --temp temp -zfield z -a idw:k=12 c.csv o.tif' "$SHEPARD"
    [ "$status" -eq 1 ]
    [[ "$output" == *"no room for temporary files"*"--temp"* ]]
    [ -z "$(ls -A temp)" ]
    [ ! -e o.tif ]
}

@test "what there is no room for is said before the first cell; a dry run writes no points" {
    # Many in the south; rows of the north come first.
    awk 'BEGIN { srand(5); print "x,y,z"
        for (i = 0; i < 60000; i++) { s = i < 55000 ? 10 : 1000; print s * rand() "," s * rand() "," rand() } }' > p.csv
    run "$SHEPARD" grid --memory 16M --temp . -a idw:k=60000:radius=40 -outsize 20 20 p.csv o.tif
    echo "$output"
    [ "$status" -eq 1 ]
    [[ "$output" == *"60000 points sorted on disk in "*" million a second"* ]]
    [[ "$output" =~ a\ part\ of\ the\ raster\ needs\ [56][0-9]{4}\ points,\ and\ there\ is\ room\ for\ 49932 ]]
    [ "$(grep -c '^0' <<< "$output")" -eq 1 ]
    run "$SHEPARD" grid --dry-run --memory 16M --temp nowhere -outsize 500 500 -a idw:k=12 p.csv o.tif
    [ "$status" -eq 0 ]
    [[ "$output" == *"points (60000 used)"* || "$output" == *"60000 points"* ]]
    [[ "$output" == *"disk: 1.44 MB of points"* ]]
    [ ! -e o.tif ]
}

@test "what needs all points is refused, and what to do is said" {
    random_points 100 5 > p.csv
    # refuses TEXT OPTIONS...
    refuses() {
        local text="$1"
        shift
        echo "$*"
        run "$SHEPARD" grid -q "$@" p.csv o.tif
        echo "$output"
        [ "$status" -eq 1 ]
        [[ "$output" == *"$text"* ]]
        [ ! -e o.tif ]
    }
    refuses "fit of parameters" --memory 1G -a krige:k=9
    refuses "-trend needs all points" --memory 1G -a idw:k=9 -trend a.tif
    refuses "sd of this method needs all points" --memory 1G -a idw:k=9 --diagnostics sd
    refuses "is no size" --memory much -a idw:k=9
    refuses "16M or more" --memory 1M -a idw:k=9
    refuses "--temp needs --memory" --temp . -a idw:k=9
    refuses "another one with --temp" --memory 1G --temp nowhere -a idw:k=9
    refuses "area of all points is not known" --memory 1G -a aidw:max_points=9:anisotropy_ratio=2
    # The frame of an anisotropy follows from places without a value, too.
    echo 700.5,-333.25, >> p.csv
    refuses "each point needs a value and a weight, and 1 have none" --memory 1G -a idw:k=5:anisotropy_ratio=2
    printf 'x,y,z,w\n0,0,1,1\n9,1,2,-3\n5,5,1,1\n' > p.csv
    refuses "the point at 9, 1 has the weight -3: weights must not be negative" --memory 1G -a idw:k=1 -wfield w
    # More points than are handed over at a time.
    random_points 400000 5 > p.csv
    refuses "the coordinate system of layer \"p\" is unknown" --memory 1G -t_srs EPSG:3857 -a idw:k=1
    printf 'x,y,z\n0,700,1\n9,800,2\n' > p.csv
    refuses "none of the 2 points of layer \"p\" can be transformed" --memory 1G -s_srs EPSG:4326 -t_srs EPSG:3031 -a idw:k=1
}
