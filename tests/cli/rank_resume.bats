#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# grid --resume under mpirun: any number of processes goes on with what any other number has finished.
load common
load parts
load ranks

folder=.shepard-resume.o.tif

# job N OPTIONS...: of one process without mpirun.
job() {
    if [ "$1" -eq 1 ]; then
        shift
        "$SHEPARD" grid "$@"
    else
        ranks "$@"
    fi
}

# start N OPTIONS...: in the background, as $pid.
start() {
    local command=()
    processes="$1"
    shift
    [ "$processes" -eq 1 ] || command=("$SHEPARD_TEST_MPIRUN" --oversubscribe -n "$processes")
    "${command[@]}" "$SHEPARD" grid --resume "$@" o.tif > log 2>&1 3>&- &
    pid=$!
}

# stop: kills the process, or one of mpirun's; mpirun that has none yet ends by itself.
stop() {
    local victim signal=KILL
    victim="$(pgrep -P "$pid" | tail -n 1 || true)"
    [ "$processes" -eq 1 ] || [ -n "$victim" ] || signal=TERM
    kill -$signal "${victim:-$pid}" 2> log2 || true
    wait "$pid" || true
    pid=
    cat log
}

# journaled [FOLDER]: the blocks that journals in it say are finished, one a line.
journaled() {
    find "${1:-$folder}" -name journal -print0 2> log2 | sort -z | xargs -0 python3 -IS -c '
import struct, sys
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    at = 16 + struct.unpack_from("Q", data)[0]
    while at + 16 <= len(data):
        size = struct.unpack_from("Q", data, at)[0]
        if at + 16 + size > len(data):
            break
        first, count = struct.unpack_from("2Q", data, at + 16)
        print(*range(first, first + count), sep="\n")
        at += 16 + size'
}

# has_finished_more COUNT: than so many blocks.
has_finished_more() { [ "$(journaled | wc -l)" -gt "$1" ]; }

# begin N OPTIONS...: a job that is stopped when it has finished some blocks.
begin() {
    local before
    before="$(journaled | wc -l)"
    start "$@"
    wait_until has_finished_more "$before"
    sleep "0.0$((RANDOM % 10))"
    stop
    [ ! -e o.tif ]
}

# said: how many blocks were finished before, as the run says.
said() { sed -n 's/.*had finished \([0-9]*\) of [0-9]* blocks.*/\1/p' log; }

large=("${small[@]}" -zfield z -outsize 700 900 c.csv)
# So many neighbours that a job lasts long enough to be stopped.
slow=idw:k=600

# goes_on METHOD COUNT...: jobs of these numbers of processes, the last of which is not stopped.
goes_on() {
    local method="$1" before=0
    shift
    echo "$method, processes: $*"
    rm -f o.tif
    while [ $# -gt 1 ]; do
        begin "$1" "${large[@]}" -a "$method"
        [ "$(said)" = "${before/#0/}" ]
        before="$(journaled | wc -l)"
        [ "$(journaled | sort -u | wc -l)" -eq "$before" ]
        shift
    done
    # What is removed at the end stays here.
    rm -rf links
    cp -al $folder links
    job "$1" --resume "${large[@]}" -a "$method" o.tif > log 2>&1
    [ "$(said)" = "$before" ]
    cmp <(raw plain.tif) <(raw o.tif)
    diff <(gdalinfo plain.tif | grep -v ^Files) <(gdalinfo o.tif | grep -v ^Files)
    [ -z "$(ls -d .shepard* 2> log)" ]
}

@test "a job that was killed goes on with its finished blocks" {
    needs_mpi
    needs python3
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    clustered 3000 4 > c.csv
    same "2 3" c.csv "${small[@]}" --resume -zfield z -outsize 190 170 -a idw:k=12
    same 2 c.csv "${small[@]}" --resume -co TILED=NO -zfield z,w -outsize 190 170 -mask "$(file mask.geojson)" -a idw
    clustered 20000 5 > c.csv
    "$SHEPARD" grid -q "${large[@]}" -a "$slow" plain.tif
    goes_on "$slow" 3 3 3
    diff <(journaled links | sort -n) <(seq 0 417)
}

@test "any number of processes goes on, and computes what is left, once" {
    needs_mpi
    needs python3
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    local some=$((2 + RANDOM % 3))
    # method FILE ALGORITHM: the raster of one process that nothing stops.
    method() {
        mv "$1" c.csv
        "$SHEPARD" grid -q "${large[@]}" -a "$2" plain.tif
    }
    clustered 20000 5 > gaps.csv
    clustered 40000 5 | sed '/,,/d' > full.csv
    # Points near the cells: to fewer, and to more processes than began.
    method gaps.csv "$slow"
    goes_on "$slow" 3 2
    diff <(journaled links | sort -n) <(seq 0 417)
    goes_on "$slow" 1 "$some"
    # All points; from several to one without mpirun.
    clustered 16000 5 > gaps.csv
    method gaps.csv idw:power=2.5:eps=0
    goes_on idw:power=2.5:eps=0 "$some" 1
    diff <(journaled links | sort -n) <(seq 0 417)
    # Points that sums need, which are fast: as many blocks of more cells.
    large=(-co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=96 -zfield z -outsize 1400 1800 c.csv)
    method full.csv aidw:precision=double:eps=1e-7
    goes_on aidw:precision=double:eps=1e-7 1 4 "$some"
    diff <(journaled links | sort -n) <(seq 0 417)
}

@test "points on disk: any number of processes goes on" {
    needs_mpi
    needs python3
    mkdir temp
    clustered 20000 5 > c.csv
    large+=(--memory 16M --temp temp)
    "$SHEPARD" grid -q "${large[@]}" -a "$slow" plain.tif
    goes_on "$slow" 3 1
    diff <(journaled links | sort -n) <(seq 0 417)
    goes_on "$slow" 1 2
    [ -z "$(ls -A temp)" ]
}

@test "killed at random moments, with another number of processes each time" {
    needs_mpi
    needs python3
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    clustered 20000 5 > c.csv
    "$SHEPARD" grid -q "${large[@]}" -a "$slow" plain.tif
    local kills before=0 now ended=0
    for ((kills = 0; kills < 10; kills++)); do
        start $((1 + RANDOM % 4)) "${large[@]}" -a "$slow"
        sleep "$(printf '0.%03d' $((RANDOM % 900)))"
        stop
        if [ -e o.tif ]; then
            # It came to its end before: once more from the beginning.
            cmp <(raw plain.tif) <(raw o.tif)
            rm -rf o.tif $folder
            ended=$((ended + 1))
        fi
        now="$(journaled | sort -u | wc -l)"
        echo "kill $kills, $processes processes: $now blocks"
        [ "$(journaled | wc -l)" -eq "$now" ]
        [ "$now" -ge "$before" ] || [ "$now" -eq 0 ]
        before="$now"
    done
    job $((1 + RANDOM % 4)) -q --resume "${large[@]}" -a "$slow" o.tif
    cmp <(raw plain.tif) <(raw o.tif)
    [ -z "$(find . -name '.shepard*')" ]
    echo "$ended jobs came to their end between"
}

@test "killed while it takes over, puts together or cleans up" {
    needs_mpi
    needs python3 strace
    RANDOM=${SHEPARD_TEST_SEED:-$$}
    echo "SHEPARD_TEST_SEED=${SHEPARD_TEST_SEED:-$$}"
    clustered 20000 5 > c.csv
    local options=("${small[@]}" -zfield z -outsize 600 700 -a "$slow" c.csv) finished call i
    local calls=(rename ftruncate fsync,fdatasync unlink,unlinkat,rmdir pwrite64)
    "$SHEPARD" grid -q "${options[@]}" plain.tif
    begin 1 "${options[@]}"
    begin 3 "${options[@]}"
    cp -r $folder begun
    finished="$(journaled | wc -l)"
    for call in "${calls[@]}"; do
        rm -rf o.tif $folder
        cp -r begun $folder
        i=$((1 + RANDOM % 8))
        strace -f -o trace -e trace=$call -e inject=$call:signal=KILL:when=$i \
            "$SHEPARD" grid -q --resume "${options[@]}" o.tif > log 2>&1 || true
        [ ! -e o.tif ] || cmp <(raw plain.tif) <(raw o.tif)
        [ -e $folder ] || continue
        job $((1 + RANDOM % 3)) --resume "${options[@]}" o.tif > log 2>&1
        echo "$call $i: $(grep finished log)"
        grep -q "had finished already" log || [ "$(said)" -ge "$finished" ]
        cmp <(raw plain.tif) <(raw o.tif)
        [ -z "$(ls -d .shepard* 2> log2)" ]
    done
}

@test "other parameters, other runs and files that do not fit are errors that say what to do" {
    needs_mpi
    needs python3
    clustered 20000 5 > c.csv
    local n larger=("${small[@]}" -zfield z -outsize 1000 1300 c.csv)
    "$SHEPARD" grid -q "${larger[@]}" -a "$slow" plain.tif
    start 3 "${larger[@]}" -a "$slow"
    wait_until has_finished_more 0
    for n in 1 2; do
        fails_with 'another run is writing "o.tif"' job $n -q --resume "${larger[@]}" -a "$slow" o.tif
    done
    stop
    for n in 1 2 4; do
        fails_with '"o.tif" was begun with other data or parameters: SHEPARD_PARAMETERS' job $n -q --resume "${larger[@]}" -a idw:k=3 o.tif
        [[ "$output" == *"remove \"$folder\" to begin anew"* ]]
    done
    fails_with "was begun with other data or parameters: SHEPARD_" job 1 -q --resume --part 1/2 "${larger[@]}" -a "$slow" o.tif
    # What two jobs leave that did not see each other.
    cp -r $folder/.shepard-resume.part2.tif $folder/.shepard-resume.part7.tif
    mv $folder/.shepard-resume.part7.tif/part{2,7}.tif
    fails_with "what earlier runs have left in \"$folder\" does not fit together: a block is there twice" job 2 -q --resume "${larger[@]}" -a "$slow" o.tif
    [[ "$output" == *"remove this folder to begin anew"* ]]
    rm -r $folder/.shepard-resume.part7.tif
    # A journal that cannot be read, and a file that is gone: what they had is computed again.
    truncate -s 10 $folder/.shepard-resume.part2.tif/scratch/journal
    rm $folder/.shepard-resume.part3.tif/part3.tif
    job 1 -q --resume "${larger[@]}" -a "$slow" o.tif
    cmp <(raw plain.tif) <(raw o.tif)
    [ -z "$(find . -name '.shepard*')" ]
}

@test "what had come to its end is not computed again" {
    needs_mpi
    needs strace
    local options=(-outsize 300 300 -a idw:k=4 "$(file p.csv)") inode
    "$SHEPARD" grid -q "${options[@]}" whole.tif
    # One process, killed where it would remove the journal.
    strace -f -o trace -P $folder/scratch/journal -e trace=unlink -e inject=unlink:signal=KILL \
        "$SHEPARD" grid --resume "${options[@]}" o.tif > log 2>&1 || true
    [ -d $folder ]
    inode="$(stat -c %i o.tif)"
    fails_with "was begun with other data or parameters" ranks 2 -q --resume -outsize 30 30 -a idw:k=4 "$(file p.csv)" o.tif
    ranks 2 --resume "${options[@]}" o.tif 2>&1 | grep 'note: an earlier run had finished already'
    [ "$(stat -c %i o.tif)" = "$inode" ]
    cmp <(raw whole.tif) <(raw o.tif)
    [ -z "$(find . -name '.shepard*')" ]
    # Several, whose files have no room for one of all.
    options=(-co COMPRESS=NONE -co TILED=YES -outsize 2000 2000 -a idw:k=1 "$(file p.csv)")
    "$SHEPARD" grid -q "${options[@]}" whole.tif
    rm o.tif
    fails_with "cannot write" "$SHEPARD_TEST_MPIRUN" --oversubscribe -n 4 \
        bash -c 'ulimit -f 16000; exec "$@"' bash "$SHEPARD" grid -q --resume "${options[@]}" o.tif
    job 1 --resume "${options[@]}" o.tif 2>&1 | grep 'note: an earlier run had finished already'
    cmp <(raw whole.tif) <(raw o.tif)
    [ -z "$(find . -name '.shepard*')" ]
}

@test "counts in the summary are those of the whole raster" {
    needs_mpi
    needs python3
    clustered 20000 5 > c.csv
    large+=(-mask "$(file square.geojson)" -a "$slow")
    cat > "$(file square.geojson)" <<'JSON'
{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
[[[5000,7000],[5900,7000],[5800,7900],[5000,8000],[5000,7000]]]}}
JSON
    run --separate-stderr "$SHEPARD" grid -q --json=whole.json "${large[@]}" plain.tif
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    begin 1 "${large[@]}"
    begin 3 "${large[@]}"
    ranks 2 -q --resume --json=kept.json "${large[@]}" o.tif
    cmp <(raw plain.tif) <(raw o.tif)
    local what='{k: v for k, v in d["raster"]["bands"][0].items() if k != "mean"}'
    item whole.json "$what"
    [ "$(item whole.json "$what")" = "$(item kept.json "$what")" ]
}
