#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# An interrupted run leaves nothing behind.
load common

# interrupted SIGNAL CODE: starts a run of hours, interrupts it while it computes, checks the code.
interrupted() {
    random_points 20000 3 > p.csv
    mkdir -p out
    "$SHEPARD" grid -a idw:power=2.5:eps=0 -outsize 12000 12000 -ot Byte p.csv out/o.tif \
        > log 2>&1 3>&- &
    local pid=$! i
    for ((i = 0; i < 100; i++)); do
        # The bar's first mark stands there as soon as computing goes on.
        grep -q '^0' log && break
        sleep 0.1
    done
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
    local pid=$!
    sleep 1
    kill -TERM "$pid"
    local code=0
    wait "$pid" || code=$?
    [ "$code" -eq 143 ]
    [ "$(cat out/o.tif)" = precious ]
    [ "$(ls -A out)" = o.tif ]
}

@test "SIGHUP: exit code 129, no output" { interrupted HUP 129; }

@test "under nohup SIGHUP is ignored" {
    random_points 2000 3 > p.csv
    nohup "$SHEPARD" grid -a idw:power=2.5:eps=0 -outsize 2000 2000 -ot Byte p.csv o.tif > log 2>&1 3>&- &
    local pid=$! i
    for ((i = 0; i < 100; i++)); do
        grep -q '^0' log && break
        sleep 0.1
    done
    kill -HUP "$pid"
    wait "$pid"
    [ -s o.tif ]
}
