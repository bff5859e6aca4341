#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Help, version, verbs, and what needs no file.
load common

@test "--version gives a version number" {
    run "$SHEPARD" --version
    [ "$status" -eq 0 ]
    [[ "$output" =~ ^shepard\ [0-9]+\.[0-9]+\.[0-9]+ ]]
}

@test "--help names every verb" {
    run "$SHEPARD" --help
    [ "$status" -eq 0 ]
    for verb in grid points info; do
        [[ "$output" == *"  $verb "* ]]
    done
}

@test "no verb is an error" {
    fails_with "verb is missing" "$SHEPARD"
}

@test "a wrong verb names the nearest" {
    fails_with "did you mean grid?" "$SHEPARD" gird a b
    fails_with "did you mean points?" "$SHEPARD" point
    fails_with "the verbs are" "$SHEPARD" xyzzyx
    fails_with "the program shepard_papers" "$SHEPARD" bench papers --table aidw
}

@test "info says version, threads and backends" {
    run "$SHEPARD" info
    [ "$status" -eq 0 ]
    [[ "$output" == *"version   "[0-9]* ]]
    [[ "$output" =~ threads\ +[1-9] ]]
    [[ "$output" =~ backend\ +ref\ +usable ]]
    [[ "$output" =~ backend\ +cpu\ +usable,\ [a-z] ]]
    [[ "$output" =~ auto\ is\ +cpu ]]
    if [ "$SHEPARD_TEST_CUDA" = OFF ]; then
        [[ "$output" =~ backend\ +cuda\ +not\ usable:\ this\ build\ has\ no\ CUDA ]]
    elif [ -e /dev/nvidiactl ]; then
        [[ "$output" =~ backend\ +cuda\ +usable ]]
        [[ "$output" =~ auto\ is\ +cpu.*\;\ cuda\ where ]]
    else
        [[ "$output" =~ backend\ +cuda\ +not\ usable:\ no\  ]]
        [[ ! "$output" =~ auto\ is\ .*cuda ]]
    fi
}

@test "info --help" {
    run "$SHEPARD" info --help
    [ "$status" -eq 0 ]
    [[ "$output" == *"Usage: shepard info"* ]]
}

@test "info --json is JSON with the same facts" {
    needs python3
    run --separate-stderr "$SHEPARD" info --json
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    [ "$status" -eq 0 ]
    echo "$output" > info.json
    [ "$(item info.json '[b["usable"] for b in d["backends"] if b["name"] == "ref"]')" = "[True]" ]
    [ "$(item info.json '[b["name"] for b in d["backends"]]')" = "['ref', 'cpu', 'cuda']" ]
    [ "$(item info.json 'd["backends"][2]["usable"] == d["cuda"]["usable"]')" = True ]
    "$SHEPARD" info --json file.json
    [ "$(item file.json 'd["threads"] >= 1')" = True ]
}

@test "info says what there is of CUDA, or why it cannot be used" {
    run "$SHEPARD" info
    [ "$status" -eq 0 ]
    if [ "$SHEPARD_TEST_CUDA" = OFF ]; then
        [[ "$output" == *"CUDA      not usable: built without CUDA"* ]]
    elif [ -e /dev/nvidiactl ]; then
        [[ "$output" =~ CUDA\ +[1-9][0-9]+\.[0-9],\ driver\ for\ [0-9.]+,\ usable ]]
        [[ "$output" =~ device\ +0:\ .*GiB ]]
    else
        [[ "$output" =~ CUDA\ +[1-9][0-9]+\.[0-9],.*not\ usable:\ n ]]
        [[ "$output" != *"device "* ]]
    fi
}

@test "info --json says the same of CUDA" {
    needs python3
    run --separate-stderr "$SHEPARD" info --json
    [[ "$stderr" == *"built without cJSON"* ]] && skip "built without cJSON"
    echo "$output" > info.json
    [ "$(item info.json 'd["cuda"]["built"]')" = "$([ "$SHEPARD_TEST_CUDA" = OFF ] && echo False || echo True)" ]
    [ "$(item info.json 'd["cuda"]["usable"] == (len(d["cuda"]["devices"]) > 0)')" = True ]
    [ "$(item info.json 'd["cuda"]["usable"] == (d["cuda"]["reason"] == "")')" = True ]
}

@test "SHEPARD_ISA=scalar shows in info" {
    SHEPARD_ISA=scalar run "$SHEPARD" info
    [ "$status" -eq 0 ]
    [[ "$output" == *scalar* ]]
}

@test "info takes no names and knows its options" {
    fails_with "0 names" "$SHEPARD" info something
    fails_with "did you mean --json?" "$SHEPARD" info --jsn
}

@test "without GDAL the file verbs say so" {
    [ "$SHEPARD_TEST_IO" = OFF ] || skip "this build has GDAL"
    fails_with "libgdal-dev" "$SHEPARD" grid a.csv b.tif
    fails_with "libgdal-dev" "$SHEPARD" points a.csv b.csv c.csv
}

@test "the help of each verb lists options and algorithms" {
    [ "$SHEPARD_TEST_IO" != OFF ] || skip "built without GDAL"
    for verb in grid points; do
        run "$SHEPARD" "$verb" --help
        [ "$status" -eq 0 ]
        for word in "-zfield FIELD" "--threads N" "--json" "-a ALGORITHM" "aidw:k=10:" \
            "invdistnn:power=2"; do
            [[ "$output" == *"$word"* ]] || { echo "$verb lacks $word"; false; }
        done
    done
    [[ "$("$SHEPARD" grid --help)" == *"-outsize columns rows"*"average_distance_pts"* ]]
    [[ "$("$SHEPARD" points --help)" != *"average_distance_pts"* ]]
    [[ "$("$SHEPARD" points --help)" == *"-lco NAME=VALUE"* ]]
}

@test "GDAL's general options work" {
    [ "$SHEPARD_TEST_IO" != OFF ] || skip "built without GDAL"
    run "$SHEPARD" grid --formats
    [ "$status" -eq 0 ]
    [[ "$output" == *GTiff* ]]
}

@test "info: a wrong SHEPARD_ISA makes the backend cpu unusable, and grid an error that says so" {
    SHEPARD_ISA=avx1024 run "$SHEPARD" info
    [ "$status" -eq 0 ]
    [[ "$output" == *"not usable"*"SHEPARD_ISA"*": scalar portable"* ]]
    [[ "$output" == *"auto is   none"* ]]
    [ "$SHEPARD_TEST_IO" != OFF ] || return 0
    printf 'x,y,z\n0,0,1\n1,1,2\n' > p.csv
    fails_with "SHEPARD_ISA" env SHEPARD_ISA=avx1024 "$SHEPARD" grid -q p.csv o.tif
    [ ! -e o.tif ]
}
