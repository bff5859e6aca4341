#!/bin/sh
# SPDX-License-Identifier: MIT
# The papers' GPU engines under compute-sanitizer, small jobs: reads and writes out of bounds, races,
# reads of what nothing wrote. The last two do not see kernels that kernels launch.
#
#   sanitize.sh TEST_ENGINES
set -eu
test=$1

run() { # tool, arguments of the test
    tool=$1
    shift
    echo "== $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 1 "$test" gpu --small "$@" | tail -n 2
}

# The exit code of a pipe is its last one's: the summary line says what the tool found.
clean=$(run memcheck; run racecheck --flat; run initcheck --flat)
echo "$clean"
[ "$(echo "$clean" | grep -c 'SUMMARY: 0 \(errors\|hazards\)')" = 3 ]
