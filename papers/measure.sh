#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures what docs/papers.md is made of, on one GPU and with all CPU cores:
#
#   papers/measure.sh PROGRAM PREFIX      build/release/papers/shepard_papers bench/results/papers-nvidia-h200
#
# It writes PREFIX.json (the papers' sizes), PREFIX-joint.json ([HAP11], means of 25 runs) and PREFIX-serial.json
# (the serial programs at 50K and 100K, which take about 20 minutes of one core, without the GPU).
set -eu
[ $# -eq 2 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
commit=$(git -C "$(dirname "$0")" rev-parse HEAD 2>/dev/null || true)
measure() {
    file=$1
    shift
    "$program" "$@" ${commit:+--commit "$commit"} --json "$file"
}
program=$1
measure "$2.json" --study aidw,idw --budget 12
measure "$2-joint.json" --study joint --runs 25 --budget 60
measure "$2-serial.json" --study aidw,idw --size 50K,100K --runs 1 --budget 300 \
    --method original-serial,idw-serial,idw2-serial,idw-serial-single,idw2-serial-single
