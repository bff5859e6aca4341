#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every verb on bad data, bad parameters and bad places for its output: exit code 1, a message that
# names the thing and what to do, and whatever stood at the destination before stands there still.
# What is no fault, only unusual data, gives the numbers that it should.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    printf 'x,y,z,note\n0,0,1,a\n10,0,2,b\n0,10,3,c\n10,10,4,d\n3,4,2.5,e\n' > p.csv
    mkdir kept
    local name
    for name in o.tif o.csv r.csv best.txt; do echo precious > kept/$name; done
}

f() { echo "$BATS_FILE_TMPDIR/$1"; }

# long: the rest of the test takes seconds or minutes, and runs in cli_faults_long.
long() { [ "${SHEPARD_TEST_LONG-}" = ON ] || skip "long: ctest -R cli_faults_long"; }

# A test that fails leaves no disk behind.
teardown() { umount small 2> log || true; }

kept_all() {
    [ "$(ls -A "$(f kept)" | tr '\n' ' ')" = "best.txt o.csv o.tif r.csv " ]
    [ "$(cat "$(f kept)"/* | sort -u)" = precious ]
}

# refused TEXT SOURCE [OPTION...]: all verbs refuse the source or the options, with the text. Where
# tests are to be short one verb does, another one each time.
refused() {
    local text="$1" source="$2" kept verbs=(grid points validate tune) verb
    kept="$(f kept)"
    shift 2
    turn=$((${turn-BATS_TEST_NUMBER} + 1))
    [ "${SHEPARD_TEST_LONG-}" = ON ] || verbs=("${verbs[turn % 4]}")
    for verb in "${verbs[@]}"; do
        case $verb in
        grid) fails_with "$text" "$SHEPARD" grid -q -outsize 3 3 "$@" "$source" "$kept/o.tif" ;;
        points) fails_with "$text" "$SHEPARD" points -q "$@" "$source" "$(f p.csv)" "$kept/o.csv" ;;
        validate) fails_with "$text" "$SHEPARD" validate -q "$@" --residuals "$kept/r.csv" "$source" ;;
        tune) fails_with "$text" "$SHEPARD" tune -q "$@" --write "$kept/best.txt" "$source" ;;
        esac
    done
    kept_all
}

# predictions SOURCE TARGETS [OPTION...]: one a line.
predictions() {
    local source="$1" targets="$2"
    shift 2
    "$SHEPARD" points -q "$@" "$source" "$targets" - | awk -F, 'NR > 1 { print $NF }'
}

# near A B SHARE: as many numbers, differing by at most the share of B's largest.
near() {
    paste "$1" "$2" | awk -v share="$3" '
        NF != 2 { bad = 1 }
        { d = $1 - $2; d = d < 0 ? -d : d; if (!(d <= worst)) worst = d
          size = $2 < 0 ? -$2 : $2; if (size > most) most = size }
        END { print NR " numbers, worst difference " worst ", largest " most
              exit bad || NR == 0 || !(worst <= share * most) }'
}

@test "no file, a folder, an empty file, no points" {
    mkdir folder
    : > empty.csv
    printf 'x,y,z\n' > none.csv
    refused 'no such file: "nowhere.csv"' nowhere.csv
    refused '"folder" is a folder without vector data; name a file in it' folder
    refused '"empty.csv" is empty' empty.csv
    refused 'no usable point in layer "none" of "none.csv": it has no features' none.csv
}

@test "a file that may not be read" {
    local command="$SHEPARD"
    if [ "$(id -u)" -eq 0 ]; then
        needs setpriv
        chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
        command="setpriv --reuid=4321 --regid=8765 --clear-groups $SHEPARD"
        $command info > log || skip "the command cannot be run by others"
    fi
    cp "$(f p.csv)" shut.csv
    chmod 0 shut.csv
    mkdir -m 777 open
    fails_with 'cannot read "shut.csv" (Permission denied)' $command grid -q shut.csv open/o.tif
    fails_with 'cannot read "shut.csv" (Permission denied)' $command points -q "$(f p.csv)" shut.csv open/o.csv
    [ -z "$(ls -A open)" ]
}

@test "no such layer or field, text in a column of numbers" {
    refused 'did you mean "p"?' "$(f p.csv)" -l pp
    refused 'no field "zz" in layer "p"; did you mean "z"?' "$(f p.csv)" -zfield zz
    refused 'it holds text such as "a" in row 1' "$(f p.csv)" -zfield note
}

@test "parameters out of range are named, with the range" {
    local each
    for each in idw:power=0 idw:power=-2 idw:power=101 krige:nugget=-1; do
        refused "${each#*:} is out of range, it must be " "$(f p.csv)" -zfield z -a $each
    done
    long
    for each in idw:k=-1 idw:radius=-1 idw:smoothing=-1 idw:eps=2 krige:range=0; do
        fails_with " is out of range, it must be " "$SHEPARD" grid -q -zfield z -a $each "$(f p.csv)" o.tif
    done
    for each in idw:power=nan idw:power=inf idw:radius=nan idw:k=nan krige:psill=nan; do
        refused "'${each#*=}' is not a number" "$(f p.csv)" -zfield z -a $each
    done
    refused "did you mean power?" "$(f p.csv)" -zfield z -a idw:powr=2
    refused "range is 1e-300, which is too small relative to the extent" "$(f p.csv)" -zfield z -a krige:range=1e-300
}

@test "k of 0 or beyond all points, and a radius of 0, mean all points" {
    long
    local each
    printf 'x,y\n4,5\n-3,7.5\n' > q.csv
    predictions "$(f p.csv)" q.csv -zfield z -a idw:eps=0:precision=double > all
    for each in k=0 k=5 k=4000000000 radius=0; do
        predictions "$(f p.csv)" q.csv -zfield z -a idw:eps=0:precision=double:$each > some
        near some all 1e-14
    done
}

@test "values and places that are NaN, infinite or NULL are left out and counted" {
    printf 'x,y,z\n0,0,1\nnan,0,2\n0,inf,3\n10,10,4\n5,,1\n4,4,nan\n4,5,-inf\n6,6,\n0,10,2\n' > holes.csv
    printf 'x,y,z\n0,0,1\n10,10,4\n0,10,2\n' > whole.csv
    printf 'x,y\n4,5\n-3,7.5\n0,0\n' > q.csv
    predictions holes.csv q.csv > holes
    predictions whole.csv q.csv > whole
    cmp holes whole
    run --separate-stderr "$SHEPARD" points holes.csv q.csv o.csv
    [ "$status" -eq 0 ]
    echo "$stderr"
    [[ "$stderr" == *"skipped 2 without geometry or coordinate, 1 with a coordinate that is not a finite number"* ]]
    [[ "$stderr" == *"skipped 2 points without a value, 1 with one that is not finite"* ]]
}

@test "one point, one place, a line, duplicates" {
    long
    printf 'x,y,z\n5,7,1.5\n' > one.csv
    printf 'x,y,z\n5,7,1\n5,7,2\n5,7,6\n' > place.csv
    printf 'x,y,z\n0,0,1\n0,0,2\n10,10,3\n10,10,8\n' > twice.csv
    printf 'x,y,z\n0,0,1.5\n10,10,5.5\n' > means.csv
    printf 'x,y\n4,5\n-3,7.5\n0,0\n10,10\n1e9,5\n' > q.csv
    local how
    for how in idw idw:k=3 aidw:area=100 krige:model=exponential:range=5:psill=1:nugget=0; do
        [ "$(predictions one.csv q.csv -a $how | sort -u)" = 1.5 ]
        [ "$(predictions place.csv q.csv -a idw | sort -u)" = 3 ]
    done
    predictions twice.csv q.csv -a idw:eps=0:precision=double > twice
    predictions means.csv q.csv -a idw:eps=0:precision=double > means
    near twice means 1e-14
    fails_with "all points have x = 5; give -txe xmin xmax" "$SHEPARD" grid -q one.csv o.tif
    for how in validate tune; do
        fails_with "every value is 1.5" "$SHEPARD" $how -q one.csv
        fails_with "data at two places or more" "$SHEPARD" $how -q place.csv
    done
    # On a line each prediction is that of distances along it.
    printf 'x,y,z\n0,0,1\n2,2,2\n8,8,3\n9,9,7\n' > line.csv
    printf 'x,y\n3,3\n-1,-1\n8.5,8.5\n' > along.csv
    predictions line.csv along.csv -a idw:eps=0:precision=double > line
    awk -F, 'NR == FNR { if (FNR > 1) { x[++n] = $1; z[n] = $3 } next }
        FNR > 1 { a = b = 0; for (i = 1; i <= n; i++) { w = 1 / ($1 - x[i]) ^ 2; a += w * z[i]; b += w }
                  printf "%.17g\n", a / b }' line.csv along.csv > expected
    near line expected 1e-12
}

@test "numbers near the ends of double scale like others" {
    long
    awk 'BEGIN { srand(11); print "x,y,z"; for (i = 0; i < 40; i++) printf "%.9f,%.9f,%.9f\n", rand(), rand(), rand() }' > p.csv
    awk 'BEGIN { srand(12); print "x,y"; for (i = 0; i < 20; i++) printf "%.9f,%.9f\n", rand(), rand() }' > q.csv
    local how power
    for how in idw idw:k=7:degree=1; do
        predictions p.csv q.csv -a $how:eps=0:precision=double > plain
        for power in e300 e-300; do
            sed "2,\$s/\\([0-9.]*\\),\\([0-9.]*\\),/\\1$power,\\2$power,/" p.csv > far.csv
            sed "2,\$s/\\([0-9.]*\\),\\([0-9.]*\\)/\\1$power,\\2$power/" q.csv > farq.csv
            predictions far.csv farq.csv -a $how:eps=0:precision=double > far
            near far plain 1e-9
            sed "2,\$s/\$/$power/" p.csv > high.csv
            sed "s/\$/$power/" plain > expected
            predictions high.csv q.csv -a $how:eps=0:precision=double > high
            near high expected 1e-9
        done
    done
    # What a type of cells cannot hold is said.
    printf 'x,y,z\n0,0,1e300\n9,9,2e300\n0,9,1e300\n' > high.csv
    run --separate-stderr "$SHEPARD" grid -ot Float32 -outsize 3 3 high.csv o.tif
    [[ "$stderr" == *"cells outside the range of Float32, clamped: 9; choose another -ot"* ]]
}

@test "an extent upside down has the same cells, in the other order" {
    long
    needs gdal_translate
    local edges
    for edges in "0 8 0 9" "8 0 0 9" "0 8 9 0" "8 0 9 0"; do
        set -- $edges
        "$SHEPARD" grid -q -zfield z -a idw:k=4 -outsize 4 3 -txe $1 $2 -tye $3 $4 "$(f p.csv)" o.tif
        gdal_translate -q -of XYZ o.tif /vsistdout/ 2> log | sort > "cells $edges"
        [ "$(wc -l < "cells $edges")" -eq 12 ]
        cmp "cells 0 8 0 9" "cells $edges"
    done
}

@test "a raster of no cell, and of 10^12" {
    mkdir out
    fails_with "-outsize: 0 is not allowed, it takes whole numbers from 1" "$SHEPARD" grid -q -zfield z -outsize 0 5 "$(f p.csv)" out/o.tif
    fails_with '1000000 x 1000000 cells' "$SHEPARD" grid -q -zfield z -outsize 1000000 1000000 "$(f p.csv)" out/o.tif
    fails_with "too large" "$SHEPARD" grid -q -zfield z -tr 1e-12 1e-12 "$(f p.csv)" out/o.tif
    [ -z "$(ls -A out)" ]
}

@test "an output in no folder, or in one that may not be written: all verbs say so" {
    long
    local out=nowhere
    fails_with nowhere "$SHEPARD" grid -q -zfield z "$(f p.csv)" $out/o.tif
    fails_with nowhere "$SHEPARD" points -q -zfield z "$(f p.csv)" "$(f p.csv)" $out/o.csv
    fails_with nowhere "$SHEPARD" validate -q -zfield z --residuals $out/r.csv "$(f p.csv)"
    fails_with nowhere "$SHEPARD" tune -q -zfield z --write $out/best.txt "$(f p.csv)"
    [ ! -e nowhere ]
    [ "$(id -u)" -eq 0 ] && needs setpriv
    mkdir -m 755 shut
    echo precious > shut/o.tif
    local command="$SHEPARD"
    if [ "$(id -u)" -eq 0 ]; then
        chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
        command="setpriv --reuid=4321 --regid=8765 --clear-groups $SHEPARD"
        $command info > log || skip "the command cannot be run by others"
    else
        chmod 555 shut
    fi
    local why='(Permission denied)'
    fails_with "$why" $command grid -q -zfield z "$(f p.csv)" shut/o.tif
    fails_with "$why" $command points -q -zfield z "$(f p.csv)" "$(f p.csv)" shut/o.csv
    fails_with "$why" $command validate -q -zfield z --residuals shut/r.csv "$(f p.csv)"
    fails_with "Permission denied" $command tune -q -zfield z --seconds 0.1 --write shut/best.txt "$(f p.csv)"
    chmod 755 shut
    [ "$(ls -A shut)" = o.tif ]
    [ "$(cat shut/o.tif)" = precious ]
}

@test "a full disk: every format of rasters, every verb" {
    long
    mkdir small
    mount -t tmpfs -o size=64k tmpfs small 2> log || skip "no tmpfs can be mounted here: $(cat log)"
    echo precious | tee small/o.tif small/o.asc > small/o.nc
    local name code=0 said="" files
    files="$(ls small)"
    for name in o.tif o.asc o.nc "o.tif -co COMPRESS=DEFLATE"; do
        run "$SHEPARD" grid -q -zfield z -outsize 300 300 "$(f p.csv)" small/$name
        said+="$name: $status $output"$'\n'
        [ "$status" -eq 1 ] && [[ "$output" == *"small/${name% -co*}\": No space left on device; make room"* ]] || code=1
        [ "$(ls -A small)" = "$files" ] || code=1
    done
    # Not even a small output finds room.
    head -c 60000 /dev/zero > small/fill 2> log || true
    run "$SHEPARD" validate -q -zfield z --residuals small/r.csv "$(f p.csv)"
    said+="validate: $status $output"$'\n'
    [ "$status" -eq 1 ] && [[ "$output" == *"No space left on device"* ]] || code=1
    run "$SHEPARD" tune -q -zfield z -a idw -a aidw --write small/best.txt "$(f p.csv)"
    said+="tune: $status $output"$'\n'
    [ "$status" -eq 1 ] && [[ "$output" == *"No space left on device"* ]] || code=1
    [ "$(ls -A small | sort | tr '\n' ' ')" = "fill o.asc o.nc o.tif " ] || code=1
    [ "$(cat small/o.*)" = $'precious\nprecious\nprecious' ] || code=1
    umount small
    echo "$said"
    [ "$code" -eq 0 ]
}

@test "standard output on a full disk" {
    [ -c /dev/full ] || skip "no /dev/full"
    for verb in "grid -q -outsize 3 3 -zfield z $(f p.csv) -" "points -q -zfield z $(f p.csv) $(f p.csv) -" \
        "validate -q -zfield z $(f p.csv)" "tune -q -zfield z -a idw -a aidw $(f p.csv)" info; do
        local code=0
        "$SHEPARD" $verb > /dev/full 2> said || code=$?
        cat said
        [ "$code" -eq 1 ]
        grep -q "cannot write to standard output" said
    done
}

@test "files that were cut off" {
    needs ogr2ogr
    random_points 3000 5 > p.csv
    local options="-oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo KEEP_GEOM_COLUMNS=NO -oo AUTODETECT_TYPE=YES"
    ogr2ogr -q -f GPKG p.gpkg p.csv $options
    ogr2ogr -q -f FlatGeobuf p.fgb p.csv $options
    head -c 300000 p.gpkg > cut.gpkg
    refused 'it may be damaged or cut off; take a whole copy' cut.gpkg
    # Between two features, where GDAL sees the end of the layer.
    python3 - <<'EOF'
data = open("p.fgb", "rb").read()
at = len(data)
while int.from_bytes(data[at:at + 4], "little") + at + 4 != len(data):
    at -= 1
open("cut.fgb", "wb").write(data[:at])
EOF
    fails_with '"cut.fgb" ends before the last of the 3000 features of layer "p": it is damaged or cut off' \
        "$SHEPARD" grid -q -zfield z cut.fgb o.tif
    fails_with 'ends before the last' "$SHEPARD" points -q -zfield z p.csv cut.fgb o.csv
    fails_with 'ends before the last' "$SHEPARD" grid -q -zfield z -where "z > 0" cut.fgb o.tif
    "$SHEPARD" grid -q -outsize 2 2 -zfield z p.fgb o.tif
    # A number in the middle of which a text ends looks like another number.
    head -c -3 p.csv > cut.csv
    run --separate-stderr "$SHEPARD" grid -outsize 2 2 cut.csv o.tif
    [ "$status" -eq 0 ]
    [[ "$stderr" == *'the last line of "cut.csv" has no line break: if the file was cut off, the last value is wrong'* ]]
    run --separate-stderr "$SHEPARD" grid -outsize 2 2 p.csv o.tif
    [[ "$stderr" != *"line break"* ]]
}

@test "wrong and mixed coordinate systems" {
    refused 'EPSG:99999999' "$(f p.csv)" -zfield z -s_srs EPSG:99999999
    long
    needs ogr2ogr
    refused 'nosuch' "$(f p.csv)" -zfield z -s_srs nosuch
    local options="-oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo AUTODETECT_TYPE=YES"
    ogr2ogr -q -f GPKG mixed.gpkg "$(f p.csv)" -nln a -a_srs EPSG:28992 $options
    ogr2ogr -q -f GPKG -update mixed.gpkg "$(f p.csv)" -nln b -a_srs EPSG:31370 $options
    local said="layers a and b have different coordinate systems; predict from one of them at a time, or transform both with -t_srs"
    fails_with "$said" "$SHEPARD" grid -q -zfield z -l a -l b mixed.gpkg o.tif
    fails_with "$said" "$SHEPARD" points -q -zfield z -l a -l b mixed.gpkg "$(f p.csv)" o.csv
    fails_with "$said" "$SHEPARD" validate -q -zfield z -l a -l b mixed.gpkg
    [ ! -e o.tif ] && [ ! -e o.csv ]
}

@test "10^7 points at one place" {
    long
    # On a line from 1 to 3 their mean is 2. The table takes long to read: it is read once.
    { echo x,y,z; yes $'5,7,1\n5,7,3' | head -n 10000000; } > place.csv
    printf 'x,y\n4,5\n5,7\n1e6,2\n' > q.csv
    between() { awk '!($1 >= 1 && $1 <= 3) { exit 1 } END { exit NR != 3 }'; }
    predictions place.csv q.csv -a idw:k=12 | between
    yes $'500005,100007,1,1,1,1,2\n500005,100007,3,1,1,1,2' | head -n 10000000 > las.csv
    "$SHEPARD_TEST_MAKE_LAS" place.las 1.4 6 las.csv > /dev/null
    printf 'x,y\n500004,100005\n500005,100007\n1e6,2\n' > q.csv
    for how in idw idw:sectors=4:max_points_per_sector=3; do
        predictions place.las q.csv -a $how | between
    done
    [ "$(predictions place.las q.csv -a idw:eps=0:precision=double | sort -u)" = 2 ]
}

@test "an allocation of the command's own that fails: an error or the same output" {
    long
    [ -n "$SHEPARD_TEST_FAIL_MALLOC" ] || skip "no library that fails allocations in this build"
    needs timeout
    cp "$(f p.csv)" p.csv
    mkdir out temp
    local how allocations i code disk="--memory 16M --temp temp -zfield z,x"
    for how in "grid -q -zfield z -outsize 3 3 p.csv out/o" "grid -q $disk -outsize 3 3 -a idw:k=2 p.csv out/o" \
        "grid -q $disk -outsize 3 3 p.csv out/o" "points -q -zfield z p.csv p.csv out/o.csv" \
        "validate -q -zfield z --folds 2 p.csv" "tune -q -zfield z -a idw:k=2 -a aidw p.csv"; do
        how="$how --backend cpu" # CUDA's runtime is in the command's own code
        fail_at() {
            rm -f out/*
            timeout 20 env FAIL_OWN=1 FAIL_COUNT=count FAIL_AT="$1" \
                LD_PRELOAD="$SHEPARD_TEST_FAIL_MALLOC" "$SHEPARD" $how > said 2>&1
        }
        fail_at 0
        cat out/* > whole 2> log || true
        allocations="$(cat count)"
        echo "$how: $allocations allocations"
        [ "$allocations" -gt 20 ]
        for ((i = 1; i <= allocations; i++)); do
            is_left_out && continue
            code=0
            fail_at "$i" || code=$?
            if [ "$code" -eq 0 ]; then
                cat out/* 2> log | cmp - whole
            else
                [ "$code" -eq 1 ] && [ -z "$(ls -A out)" ] && grep -q "shepard: error: ." said ||
                    { echo "allocation $i of $allocations: exit code $code"; cat said; ls -A out; false; }
            fi
            [ -z "$(ls -A temp)" ]
        done
    done
}

@test "a system that gives no threads for compressing: the raster of one thread, and no wait" {
    needs strace timeout
    # Under strace a sanitizer cannot look for leaks.
    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
    local options=(-q --threads 2 -outsize 300 300 -co COMPRESS=DEFLATE -zfield z -a idw:k=2 "$(f p.csv)")
    "$SHEPARD" grid "${options[@]}" whole.tif
    for i in 1 2; do
        timeout -k 5 60 strace -f -o trace -e trace=clone,clone3 -e inject=clone,clone3:error=EAGAIN:when=$i \
            "$SHEPARD" grid "${options[@]}" o.tif
        grep -q 'EAGAIN.*INJECTED' trace
        cmp whole.tif o.tif
    done
}
