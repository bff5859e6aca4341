#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the weighting of the authors' published program, as HeCBench has adapted it (github.com/zjin-lcf/HeCBench):
#
#   papers/hecbench.sh HECBENCH FILE      HECBENCH: a checkout; FILE: bench/results/hecbench-aidw-nvidia-h200.json
#
# 1000K data points and targets, mean of 3 runs, with and without the compiler's fast mathematics.
set -eu
[ $# -eq 2 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
sources=$1/src/aidw-cuda
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Seconds that a kernel's line ends with.
seconds_of() {
    awk -v kernel="$1" '$5 == kernel { print $6; found = 1 } END { exit !found }' "$work/output" ||
        { echo "hecbench.sh: the program has printed no time of $1" >&2; exit 1; }
}

runs=
for flags in "-O3" "-O3 --use_fast_math"; do
    # shellcheck disable=SC2086
    nvcc $flags -arch=native -o "$work/aidw" "$sources/main.cu"
    "$work/aidw" 1000 0 3 > "$work/output"
    naive=$(seconds_of AIDW_Kernel)
    tiled=$(seconds_of AIDW_Kernel_Tiled)
    runs="$runs${runs:+, }{\"flags\": \"$flags\", \"n\": 1024000, \"naive\": $naive, \"tiled\": $tiled}"
done
cat > "$2" <<END
{"source": "https://github.com/zjin-lcf/HeCBench/tree/master/src/aidw-cuda",
 "commit": "$(git -C "$1" rev-parse HEAD 2>/dev/null || echo "not recorded")",
 "gpu": "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)",
 "runs": [$runs]}
END
