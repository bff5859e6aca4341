#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles each public header alone, and twice over, as C17 and as C++17, with warnings as errors.
#
#   headers.sh CC CXX INCLUDE_DIR
set -u
cc=$1 cxx=$2 include=$3
warnings='-Wall -Wextra -Wpedantic -Werror'
faults=0 count=0

# $1 compiler, $2 language, $3 standard, $4 header
compiles() {
    # shellcheck disable=SC2086 # several words
    if ! printf '#include "%s"\n#include "%s"\n' "$4" "$4" |
        "$1" -x "$2" -std="$3" $warnings -fsyntax-only -I"$include" -; then
        echo "headers: $4 does not compile alone as $3"
        faults=$((faults + 1))
    fi
}

for path in "$include"/shepard/*.h; do
    header=${path#"$include"/}
    compiles "$cc" c c17 "$header"
    compiles "$cxx" c++ c++17 "$header"
    count=$((count + 1))
done
echo "headers: $count headers, $faults faults"
[ "$faults" = 0 ] && [ -f "$include/shepard/shepard.h" ]
