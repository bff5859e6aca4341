#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures what docs/papers.md is made of, on one GPU and on CPU cores:
#
#   papers/measure.sh PROGRAM PREFIX [gpu|cpu]  build/release/papers/shepard_papers bench/results/papers-nvidia-h200
#
# gpu: the papers' sizes on the GPU, and the library; about 8 minutes. What takes seconds a run has one run at the largest
# sizes. [HAP11] has 25 runs. cpu: the serial programs, each process on a core of its own, all at once; about 5
# minutes of 8 cores. Neither: first one, then the other. Each part writes files PREFIX*.json.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
program=$1
prefix=$2
commit=$(git -C "$(dirname "$0")" rev-parse HEAD 2>/dev/null || true)

# measure PART OPTION...
measure() {
    part=$1
    shift
    "$program" "$@" ${commit:+--commit "$commit"} --json "$prefix$part.json"
}

# methods WITH WITHOUT: the names that one expression matches and the other does not
methods() {
    "$program" --help | sed '1,/^Methods:/d' | awk '{print $1}' | grep -E -e "$1" | grep -vE -e "$2" | paste -sd, -
}

measure_gpu() {
    long='-double|^plain-|-nested'
    measure '' --study aidw,idw --size 10K,50K,100K --runs 5 --budget 20 --method "$(methods . -serial)"
    measure -large --study aidw,idw --size 500K,1000K --runs 3 --budget 20 --method "$(methods . "-serial|$long")"
    measure -long --study aidw,idw --size 500K,1000K --runs 1 --budget 20 --method "$(methods "$long" -serial)"
    measure -joint --study joint --runs 25 --budget 20 --method "$(methods . -serial)"
}

# start PART OPTION...: measures beside the others
start() {
    measure "$@" &
    jobs="$jobs $!"
}

# Above the budget, times are scaled.
measure_cpu() {
    most=500K,1000K
    jobs=
    start -serial-aidw --study aidw --size 10K,50K,$most --runs 1 --budget 150 --method original-serial
    start -serial-aidw-100K --study aidw --size 100K --runs 1 --budget 600 --method original-serial
    for method in idw-serial idw-serial-single; do
        start -$method --study idw --size 50K,100K,$most --runs 1 --budget 150 --method $method
        start -$method-100K --study idw --size 10K,100K --runs 1 --budget 600 --method $method
    done
    start -idw2-serial --study idw --size 10K,50K,100K,$most --runs 1 --budget 60 \
        --method idw2-serial,idw2-serial-single
    start -serial-joint --study joint --runs 3 --budget 60 --method idw2-serial
    for job in $jobs; do
        wait "$job"
    done
}

for part in ${3:-gpu cpu}; do
    "measure_$part"
done
