#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the public program nearest to that of [AIDW15]: src/aidw-cuda of HeCBench
# (https://github.com/zjin-lcf/HeCBench), which others adapted from the authors'. It has no neighbour
# search, its distances are random numbers, and times its tiled kernel alone, without transfers. Nothing
# of it is here: DIR is a checkout of it.
#
#   hecbench.sh DIR JSON             builds it with nvcc and runs it
#   hecbench.sh --build DIR FOLDER   only builds it, into FOLDER, for a machine without nvcc
#   hecbench.sh --run FOLDER JSON    runs what --build has left
#
# NVCC, ARCH, POINTS, RUNS: the compiler (nvcc), its architecture (native), thousands of 1024 points
# and targets (1000), runs of the kernel, whose mean the program prints (3).
set -eu

fail() { # why
    echo "hecbench.sh: error: $*" >&2
    exit 1
}

build() { # checkout, folder
    nvcc=${NVCC:-nvcc}
    source=$1/src/aidw-cuda
    [ -f "$source/main.cu" ] || fail "$source/main.cu is not there: give a checkout of HeCBench"
    command -v "$nvcc" > /dev/null || fail "there is no $nvcc: install CUDA, or set NVCC"
    mkdir -p "$2"
    git -C "$1" rev-parse HEAD > "$2/commit" 2> /dev/null || echo unknown > "$2/commit"
    if [ -n "$(git -C "$1" status --porcelain -- src/aidw-cuda 2> /dev/null)" ]; then
        echo "$(cat "$2/commit") with changes" > "$2/commit"
    fi
    "$nvcc" --version | sed -n 's/^Cuda compilation.* V/nvcc /p' > "$2/compiler"
    for flags in "-O3" "-O3 --use_fast_math"; do
        program=$2/aidw$(echo "$flags" | tr -d ' ')
        # shellcheck disable=SC2086 # flags are words
        "$nvcc" $flags -arch="${ARCH:-native}" "$source/main.cu" -o "$program"
    done
}

measure() { # folder, flags, points, runs
    "$1/aidw$(echo "$2" | tr -d ' ')" "$3" 0 "$4" > "$1/output" || fail "the program failed: $(cat "$1/output")"
    seconds=$(sed -n 's/^Average kernel execution time \([0-9.]*\) (s)$/\1/p' "$1/output")
    [ -n "$seconds" ] || fail "the program prints no time, but: $(cat "$1/output")"
    echo "$2: $seconds s" >&2
    printf '    {"flags": "%s", "kernel": "tiled", "seconds": %s}' "$2" "$seconds"
}

device() { # what to ask for
    nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader || fail "nvidia-smi does not know the GPU"
}

run() { # folder, JSON
    points=${POINTS:-1000} runs=${RUNS:-3}
    plain=$(measure "$1" "-O3" "$points" "$runs")
    fast=$(measure "$1" "-O3 --use_fast_math" "$points" "$runs")
    name=$(device name)
    driver=$(device driver_version)
    cat > "$2" << END
{
  "program": "HeCBench src/aidw-cuda",
  "commit": "$(cat "$1/commit")",
  "gpu": "$name",
  "driver": "$driver",
  "compiler": "$(cat "$1/compiler")",
  "points": $((points * 1024)),
  "targets": $((points * 1024)),
  "runs": $runs,
  "measurements": [
$plain,
$fast
  ]
}
END
}

case $#,${1:-} in
3,--build) build "$2" "$3" ;;
3,--run) run "$2" "$3" ;;
2,-*) fail "there is no option $1, see the head of this file" ;;
2,*)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    build "$1" "$folder"
    run "$folder" "$2"
    ;;
*) fail "give DIR and JSON, see the head of this file" ;;
esac
