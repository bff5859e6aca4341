#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# grid --resume: what was finished survives kill -9, and the raster is that of a run without a stop.
load common
load parts

teardown() {
    [ -z "${pid-}" ] || kill -KILL "$pid" 2> log || true
}

# A raster that takes a second or two, of 400 blocks.
slow=(-co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=32 -outsize 620 640 -a idw:power=2.5:eps=0)

# begin OPTIONS...: starts a run and kills it once it has finished some blocks, but not all.
begin() {
    mkdir -p out
    "$SHEPARD" grid --resume "$@" out/o.tif > log 2>&1 3>&- &
    pid=$!
    wait_until is_logged '^0\.\.\.10'
    kill -KILL "$pid"
    wait "$pid" || true
    pid=
    [ -d out/.shepard-resume.o.tif ]
    [ ! -e out/o.tif ]
}

@test "a run that nothing stops makes the same file: layouts, masks, several fields, parts" {
    needs gdal_translate gdalinfo python3
    local q layout
    q="$(file q.csv)"
    check() {
        is_left_out && return
        echo "$*"
        "$SHEPARD" grid -q "$@" plain.tif
        "$SHEPARD" grid -q --resume "$@" kept.tif
        cmp <(raw plain.tif) <(raw kept.tif)
        diff <(blocks plain.tif) <(blocks kept.tif)
        diff <(gdalinfo plain.tif | grep -v ^Files) <(gdalinfo kept.tif | grep -v ^Files)
        [ -z "$(ls -d .shepard* 2> log)" ]
    }
    for layout in INTERLEAVE=BAND INTERLEAVE=PIXEL COMPRESS=NONE BIGTIFF=YES; do
        check "${small[@]}" -co "$layout" -a_srs EPSG:31467 -zfield z,b -outsize 90 170 -a idw:k=4:radius=60 "$q"
    done
    check -co TILED=NO -zfield z -outsize 90 100 -a idw:k=4 "$q"
    check -co TILED=NO -co BLOCKYSIZE=7 -zfield z -outsize 90 100 -a idw "$q"
    check "${small[@]}" -zfield z,b -tr 9 7 -mask "$(file mask.geojson)" -a aidw:max_points=9 --diagnostics alpha "$q"
    check "${small[@]}" -ot Byte -zfield z -tr 9 7 -a krige --diagnostics sd --threads 3 "$q"
    # One block is larger than what a run computes at a time otherwise.
    check -co TILED=NO -co BLOCKYSIZE=3000 -ot Byte -zfield z -outsize 3000 3000 -a idw:k=1 "$q"
    check "${small[@]}" --part 2/3 -zfield z -tr 9 7 -a idw:k=4:radius=60 "$q"
    check --part 3/3 -zfield z -outsize 300 20 -a idw:k=4 "$q"
}

@test "killed at random moments, and resumed each time: the same cells, and what was finished counts" {
    needs gdal_translate
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    [ -z "${SHEPARD_TEST_ONE_IN-}" ] || [ -n "${SHEPARD_TEST_LONG-}" ] || skip 'tested in full elsewhere'
    local kills=0 wanted=5 before=0 now ended=0
    [ -z "${SHEPARD_TEST_LONG-}" ] || wanted=50
    random_points 3000 4 > many.csv
    "$SHEPARD" grid -q "${slow[@]}" many.csv whole.tif
    mkdir out
    while ((kills < wanted)); do
        "$SHEPARD" grid --resume "${slow[@]}" --threads $((1 + RANDOM % 3)) many.csv out/o.tif > log 2>&1 3>&- &
        pid=$!
        sleep "$(printf '0.%03d' $((RANDOM % 250)))"
        if kill -KILL "$pid" 2> /dev/null; then
            kills=$((kills + 1))
        fi
        wait "$pid" || true
        pid=
        now="$(sed -n 's/.*had finished \([0-9]*\) of 400 blocks.*/\1/p' log)"
        echo "kill $kills: ${now:-none}"
        if [ -e out/o.tif ]; then
            # It came to its end before: once more from the beginning.
            cmp <(raw whole.tif) <(raw out/o.tif)
            rm -rf out
            mkdir out
            before=0
            ended=$((ended + 1))
            continue
        fi
        [ -z "$now" ] || { [ "$now" -ge "$before" ]; before="$now"; }
        # What is unfinished is in its folder and nowhere else. Where it can be made is tried before
        # anything is computed, in a folder that the next run sweeps.
        [ "$(find out -mindepth 1 -maxdepth 1 ! -name '.shepard.??????' ! -name .shepard-resume.o.tif | wc -l)" -eq 0 ]
    done
    "$SHEPARD" grid -q --resume "${slow[@]}" many.csv out/o.tif
    cmp <(raw whole.tif) <(raw out/o.tif)
    [ "$(ls -A out)" = o.tif ]
    echo "$kills kills, $ended runs came to their end between"
}

@test "damaged journals and blocks: what is not whole is computed again" {
    needs gdal_translate python3
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    random_points 3000 4 > many.csv
    "$SHEPARD" grid -q "${slow[@]}" many.csv whole.tif
    begin "${slow[@]}" many.csv
    cp -r out kept
    local how file size start trials=6
    [ -z "${SHEPARD_TEST_LONG-}" ] || trials=40
    for how in $(seq $trials); do
        is_left_out && continue
        rm -rf out
        cp -r kept out
        file=out/.shepard-resume.o.tif/scratch/journal
        ((how % 2)) || file=out/.shepard-resume.o.tif/o.tif
        size="$(stat -c %s "$file")"
        # The first tags GDAL made, and the disk had them at once.
        start=$((how % 2 ? 0 : 12000))
        if ((how % 3)); then
            python3 -IS -c 'import sys; f = open(sys.argv[1], "r+b"); at = int(sys.argv[2]); f.seek(at); b = f.read(1)[0]; f.seek(at); f.write(bytes([b ^ 255]))' \
                "$file" $((start + (RANDOM * 32768 + RANDOM) % (size - start)))
        else
            truncate -s $((start + (RANDOM * 32768 + RANDOM) % (size - start))) "$file"
        fi
        "$SHEPARD" grid --resume "${slow[@]}" many.csv out/o.tif > log 2>&1
        echo "$how $file: $(grep 'had finished' log)"
        cmp <(raw whole.tif) <(raw out/o.tif)
    done
}

@test "other data or parameters are an error that names them; the run can still go on" {
    needs gdal_translate
    random_points 3000 4 > many.csv
    cp "$(file mask.geojson)" mask.geojson
    "$SHEPARD" grid -q "${slow[@]}" -mask mask.geojson many.csv whole.tif
    begin "${slow[@]}" -mask mask.geojson many.csv
    other() {
        local text="$1"
        shift
        fails_with "was begun with other data or parameters: $text" "$SHEPARD" grid -q --resume "$@" out/o.tif
        [[ "$output" == *'remove "out/.shepard-resume.o.tif" to begin anew'* ]]
    }
    local same=("${slow[@]}" -mask mask.geojson)
    sed '77s/.$/7/' many.csv > more.csv
    cp more.csv kept.csv
    cp many.csv original.csv
    cp more.csv many.csv
    other 'points and backend has "' "${same[@]}" many.csv
    cp original.csv many.csv
    other 'SHEPARD_PARAMETERS has "power=2.25:' "${slow[@]}" -mask mask.geojson -a idw:power=2.25:eps=0 many.csv
    other 'raster has "621 x 640' "${same[@]}" -outsize 621 640 many.csv
    other 'type has "Float32" now and had "Float64"' "${same[@]}" -ot Float32 many.csv
    other 'creation option has "' "${same[@]}" -co PREDICTOR=2 -co COMPRESS=LZW many.csv
    other 'SHEPARD_' "${same[@]}" --part 1/2 many.csv
    other 'SHEPARD_METHOD has "SHEPARD_METHOD=idw" now and had "-mask=' "${slow[@]}" many.csv
    touch -d '2 hours ago' mask.geojson
    other '-mask has "' "${same[@]}" many.csv
    touch -r "$(file mask.geojson)" mask.geojson
    rm -rf out
    begin "${same[@]}" many.csv
    "$SHEPARD" grid --resume "${same[@]}" many.csv out/o.tif 2>&1 | grep 'note: goes on with a run that had finished'
    cmp <(raw whole.tif) <(raw out/o.tif)
}

@test "SIGTERM keeps what is finished; an existing output stays until the new one is whole" {
    needs gdal_translate
    random_points 3000 4 > many.csv
    "$SHEPARD" grid -q "${slow[@]}" many.csv whole.tif
    mkdir out
    echo precious > out/o.tif
    "$SHEPARD" grid --resume "${slow[@]}" many.csv out/o.tif > log 2>&1 3>&- &
    pid=$!
    local code=0
    wait_until is_logged '^0\.\.\.10'
    # Meanwhile another run may not.
    fails_with "another run is writing" "$SHEPARD" grid -q --resume "${slow[@]}" many.csv out/o.tif
    kill -TERM "$pid"
    wait "$pid" || code=$?
    pid=
    cat log
    [ "$code" -eq 143 ]
    grep -q 'note: finished blocks are kept: the same command goes on with them' log
    [ "$(cat out/o.tif)" = precious ]
    # A run without --resume sweeps only what belongs to no --resume, and says what is there.
    "$SHEPARD" grid -outsize 3 3 many.csv out/o.tif 2> notes
    cat notes
    grep -q '.shepard-resume.o.tif" holds what an interrupted run has finished' notes
    "$SHEPARD" grid --resume "${slow[@]}" many.csv out/o.tif 2>&1 | grep 'goes on with a run that had finished'
    cmp <(raw whole.tif) <(raw out/o.tif)
    [ "$(ls -A out)" = o.tif ]
}

@test "killed between the end and the cleaning up: nothing is computed again" {
    needs strace gdal_translate
    local options=(-outsize 300 300 -a idw:k=4 "$(file p.csv)")
    "$SHEPARD" grid -q "${options[@]}" whole.tif
    mkdir out
    # Killed where it would put the file in its place, then where it would remove the journal.
    strace -f -o trace -P out/.shepard-resume.o.tif/o.tif -e trace=rename -e inject=rename:signal=KILL \
        "$SHEPARD" grid -q --resume "${options[@]}" out/o.tif > log 2>&1 || true
    grep -q 'rename(' trace
    [ ! -e out/o.tif ]
    strace -f -o trace -P out/.shepard-resume.o.tif/scratch/journal -e trace=unlink -e inject=unlink:signal=KILL \
        "$SHEPARD" grid --resume "${options[@]}" out/o.tif > log 2>&1 || true
    grep -q 'unlink(' trace
    grep -q 'had finished 4 of 4 blocks' log
    [ -d out/.shepard-resume.o.tif ]
    cmp <(raw whole.tif) <(raw out/o.tif)
    local inode
    inode="$(stat -c %i out/o.tif)"
    "$SHEPARD" grid --resume "${options[@]}" out/o.tif 2>&1 | grep 'note: an earlier run had finished already'
    [ "$(stat -c %i out/o.tif)" = "$inode" ]
    [ "$(ls -A out)" = o.tif ]
    # Once the folder is gone a run begins anew.
    "$SHEPARD" grid -q --resume "${options[@]}" out/o.tif
    [ "$(stat -c %i out/o.tif)" != "$inode" ]
    cmp <(raw whole.tif) <(raw out/o.tif)
}

@test "counts in the summary are those of the whole raster" {
    needs python3
    random_points 3000 4 > many.csv
    run --separate-stderr "$SHEPARD" grid -q "${slow[@]}" -mask "$(file mask.geojson)" --json=whole.json many.csv whole.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    begin "${slow[@]}" -mask "$(file mask.geojson)" many.csv
    "$SHEPARD" grid -q --resume "${slow[@]}" -mask "$(file mask.geojson)" --json=kept.json many.csv out/o.tif
    local what='{k: v for k, v in d["raster"]["bands"][0].items() if k != "mean"}'
    item whole.json "$what"
    [ "$(item whole.json "$what")" = "$(item kept.json "$what")" ]
}

@test "after a full disk the run goes on" {
    needs gdal_translate
    local options=(-co COMPRESS=NONE -co TILED=YES -outsize 700 700 -a idw:k=4 "$(file p.csv)")
    "$SHEPARD" grid -q "${options[@]}" whole.tif
    mkdir out
    (ulimit -f 2000; fails_with '"out/o.tif"' "$SHEPARD" grid --resume "${options[@]}" out/o.tif)
    [ "$(ls -A out)" = .shepard-resume.o.tif ]
    [ "$(find out -name 'probe*' | wc -l)" -eq 0 ]
    "$SHEPARD" grid --resume "${options[@]}" out/o.tif 2>&1 | grep 'note: goes on with a run that had finished'
    cmp <(raw whole.tif) <(raw out/o.tif)
}

@test "what cannot be resumed" {
    local p
    p="$(file p.csv)"
    fails_with "only GeoTIFF" "$SHEPARD" grid -q --resume -of COG "$p" o.tif
    fails_with "only GeoTIFF" "$SHEPARD" grid -q --resume "$p" o.nc
    fails_with "cannot be resumed" "$SHEPARD" grid -q --resume "$p" -
    fails_with "cannot be resumed" "$SHEPARD" grid -q --resume "$p" /vsimem/o.tif
    fails_with "linear is computed by GDAL" "$SHEPARD" grid -q --resume -a linear "$p" o.tif
    fails_with "-a auto" "$SHEPARD" grid -q --resume -a auto "$p" o.tif
    fails_with "--report" "$SHEPARD" grid -q --resume --report o.html "$p" o.tif
    [ -z "$(ls -A)" ]
}
