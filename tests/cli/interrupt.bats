#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# An interrupted or killed run, and one that may not write, leave nothing behind or are cleaned up.
load common

# A test that fails leaves no run of hours behind.
teardown() {
    [ -z "${pid-}" ] || kill -KILL "$pid" 2> log || true
}

# interrupted SIGNAL CODE: starts a run of hours, interrupts it while it computes, checks the code.
interrupted() {
    random_points 20000 3 > p.csv
    mkdir -p out
    "$SHEPARD" grid -a idw:power=2.5:eps=0 -outsize 12000 12000 -ot Byte p.csv out/o.tif \
        > log 2>&1 3>&- &
    pid=$!
    wait_until has_begun
    kill "-$1" "$pid"
    local code=0
    wait "$pid" || code=$?
    cat log
    [ "$code" -eq "$2" ]
    grep -q 'interrupted; nothing was written' log
    [ -z "$(ls -A out)" ]
}

@test "SIGTERM: exit code 143, no output" { interrupted TERM 143; }

@test "SIGINT: exit code 130, no output" {
    # A shell starts background jobs with SIGINT ignored; the command catches it all the same.
    interrupted INT 130
}

@test "an interrupted run leaves an existing output as it was" {
    mkdir out
    echo precious > out/o.tif
    random_points 20000 3 > p.csv
    "$SHEPARD" grid -q -a idw:power=2.5:eps=0 -outsize 12000 12000 -ot Byte p.csv out/o.tif > log 2>&1 3>&- &
    pid=$!
    sleep 1
    kill -TERM "$pid"
    local code=0
    wait "$pid" || code=$?
    [ "$code" -eq 143 ]
    [ "$(cat out/o.tif)" = precious ]
    [ "$(ls -A out)" = o.tif ]
}

@test "SIGHUP: exit code 129, no output" { interrupted HUP 129; }

# begin_long_run FOLDER: starts a run of hours into the folder; its process is $pid.
begin_long_run() {
    [ -e p.csv ] || random_points 20000 3 > p.csv
    mkdir -p "$1"
    rm -f log # of an earlier run
    "$SHEPARD" grid -a idw:power=2.5:eps=0 -outsize 12000 12000 -ot Byte p.csv "$1/o.tif" \
        > log 2>&1 3>&- &
    pid=$!
    wait_until has_begun
}

@test "what a killed run left is removed by the next one, what a living one has stays" {
    begin_long_run out
    kill -KILL "$pid"
    wait "$pid" || true
    left="$(echo out/.shepard.*)"
    [ -d "$left" ]
    begin_long_run living
    mv "$left" living/
    alive="$(ls -d living/.shepard.* | grep -v "${left#out/}")"
    [ -d "$alive" ]
    "$SHEPARD" grid -outsize 3 3 p.csv living/new.tif 2> notes
    cat notes
    grep -q "note: removed \"living/${left#out/}\", left by a run that was killed" notes
    [ "$(grep -c shepard. notes)" -eq 1 ]
    [ ! -e "living/${left#out/}" ]
    [ -d "$alive" ]
    kill -TERM "$pid"
    wait "$pid" || true
    [ "$(ls -A living)" = new.tif ]
}

@test "links in what a killed run left are removed, not followed" {
    mkdir -p kept/deeper
    echo precious | tee kept/file > kept/deeper/file
    begin_long_run out
    kill -KILL "$pid"
    wait "$pid" || true
    local left
    left="$(echo out/.shepard.*)"
    ln -s "$PWD/kept" "$left/folder"
    ln -s "$PWD/kept/file" "$left/file"
    ln -s nowhere "$left/dangling"
    "$SHEPARD" grid -outsize 3 3 p.csv out/new.tif 2> notes
    cat notes
    grep -q "note: removed \"$left\"" notes
    [ "$(ls -A out)" = new.tif ]
    [ "$(cat kept/file kept/deeper/file)" = $'precious\nprecious' ]
}

@test "what a run on another host may use is only named" {
    random_points 20 3 > p.csv
    mkdir -p out/.shepard.abcdef out/.shepard.ghijkl out/.shepard.mnopqr out/.shepard.short
    printf 'elsewhere 0123-4567' > out/.shepard.abcdef/.shepard-owner
    touch out/.shepard.ghijkl/o.tif out/.shepard.mnopqr/o.tif
    touch -d '2 hours ago' out/.shepard.ghijkl
    "$SHEPARD" grid -outsize 3 3 p.csv out/o.tif 2> notes
    cat notes
    grep -q '"out/.shepard.abcdef" belongs to a run on the host "elsewhere"' notes
    grep -q '"out/.shepard.ghijkl" was left by a run that was killed' notes
    [ "$(grep -c note: notes)" -eq 2 ]
    [ -e out/.shepard.abcdef/.shepard-owner ]
    [ "$(ls -A out | wc -l)" -eq 5 ]
}

@test "what a run left that was killed before it had a lock is removed; a living one makes another folder" {
    random_points 20 3 > p.csv
    mkdir -p out/.shepard.abcdef out/.shepard.ghijkl
    touch out/.shepard.ghijkl/.shepard-owner.part
    touch -d '2 hours ago' out/.shepard.ghijkl
    "$SHEPARD" grid -outsize 3 3 p.csv out/o.tif 2> notes
    cat notes
    grep -q 'note: removed "out/.shepard.ghijkl", left by a run that was killed' notes
    [ "$(grep -c note: notes)" -eq 1 ]
    [ "$(ls -A out)" = o.tif ]
    # Runs side by side sweep while others make their folders.
    local i n pids=()
    for i in 1 2 3 4; do
        for ((n = 0; n < 10; n++)); do
            "$SHEPARD" grid -q -outsize 3 3 p.csv "out/$i.tif" 3>&- || exit
        done &
        pids+=($!)
    done
    for i in "${pids[@]}"; do
        wait "$i"
    done
    [ "$(ls -A out | wc -l)" -eq 5 ]
}

@test "a limit of the size of files is a write error" {
    random_points 3000 3 > p.csv
    mkdir out
    local name
    for name in o.csv o.shp o.geojson o.gpkg; do
        (ulimit -f 40; fails_with "\"out/$name\"" "$SHEPARD" points -q -a idw:k=1 p.csv p.csv out/$name)
        [ -z "$(ls -A out)" ]
    done
    (ulimit -f 40; fails_with '"out/o.tif"' "$SHEPARD" grid -q -a idw:k=1 p.csv out/o.tif)
    [ -z "$(ls -A out)" ]
    # What keeps within the limit is written.
    (ulimit -f 40; "$SHEPARD" grid -q -outsize 9 9 -a idw:k=1 p.csv out/o.tif)
    [ -s out/o.tif ]
}

@test "under nohup SIGHUP is ignored" {
    random_points 2000 3 > p.csv
    # A second or more, on one core of any machine.
    nohup "$SHEPARD" grid -a idw:power=2.5:eps=0 --threads 1 -outsize 1000 1000 -ot Byte p.csv o.tif > log 2>&1 3>&- &
    pid=$!
    wait_until has_begun
    kill -HUP "$pid"
    wait "$pid"
    [ -s o.tif ]
}
