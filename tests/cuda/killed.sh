#!/bin/sh
# SPDX-License-Identifier: MIT
# A GPU that is lost in mid-run: the command ends with an error that says so, and leaves no file, or,
# where all was computed before, with the file that it makes undisturbed.
#
#   killed.sh COMMAND KILL_CONTEXT [POINTS [SIDE]]
#
# COMMAND: shepard, or a script that becomes it by exec. KILL_CONTEXT: the library of kill_context.c.
# Exit: 0; 1 where something was wrong; 77 where no device can be used.
set -u
command=$1 library=$2 points=${3:-2000000} side=${4:-10000}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

"$command" info >about 2>&1
if ! grep -q '^backend  *cuda  *usable' about; then
    echo 'skipped: no device can be used:'
    grep '^backend  *cuda' about || cat about
    exit 77
fi

fault() {
    echo "FAULT: $*"
    cat log
    exit 1
}

# grid DELAY: into out/; the delay in milliseconds, none: undisturbed. Sets status.
grid() {
    rm -f fired
    status=0
    if [ -n "$1" ]; then
        env LD_PRELOAD="$library" SHEPARD_KILL_AFTER="$1" SHEPARD_KILL_TOLD="$folder/fired" \
            "$command" grid -q --backend cuda -a aidw:eps=1e-4 -outsize "$side" "$side" -ot Float32 \
            points.csv out/o.tif >log 2>&1 </dev/null || status=$?
    else
        "$command" grid -q --backend cuda -a aidw:eps=1e-4 -outsize "$side" "$side" -ot Float32 \
            points.csv out/o.tif >log 2>&1 </dev/null || status=$?
    fi
}

awk -v n="$points" 'BEGIN {
    srand(1); print "x,y,z"
    for (i = 0; i < n; i++) {
        x = 10000 * rand(); y = 10000 * rand()
        printf "%.4f,%.4f,%.4f\n", 500000 + x, 5400000 + y, sin(x / 1500) * cos(y / 2000) + rand()
    }
}' >points.csv || exit 1

mkdir out
grid ''
[ "$status" = 0 ] || fault "undisturbed: exit status $status"
[ "$(ls -A out)" = o.tif ] || fault "undisturbed: these files: $(ls -A out)"
mv out/o.tif whole.tif

# check DELAY EXISTING: whether a disturbed run left what it should; counts in lost those that were
# lost. EXISTING: what stands in the output file before; empty: there is none.
lost=0
check() {
    delay=$1 existing=$2
    rm -rf out
    mkdir out
    [ -z "$existing" ] || echo "$existing" >out/o.tif
    grid "$delay"
    if [ -e fired ] && grep -q '^failed' fired; then
        fault "after $delay ms: $(cat fired)"
    fi
    if [ "$status" = 0 ]; then
        [ "$(ls -A out)" = o.tif ] || fault "after $delay ms: these files: $(ls -A out)"
        cmp -s out/o.tif whole.tif || fault "after $delay ms: exit status 0, and another file"
        echo "after $delay ms: the run was over, its file whole"
        return
    fi
    [ -e fired ] || fault "after $delay ms: exit status $status, but the device was not lost yet"
    [ "$status" = 1 ] || fault "after $delay ms: exit status $status"
    grep -q 'device was lost' log || fault "after $delay ms: no word of the device"
    if [ -n "$existing" ]; then
        [ "$(ls -A out)" = o.tif ] || fault "after $delay ms: these files: $(ls -A out)"
        [ "$(cat out/o.tif)" = "$existing" ] || fault "after $delay ms: the file there is another"
    else
        [ -z "$(ls -A out)" ] || fault "after $delay ms: it left $(ls -A out)"
    fi
    lost=$((lost + 1))
    echo "after $delay ms: exit status $status, $(grep 'device was lost' log | tail -n 1)"
}

for delay in 0 2 10 30 100 300 800; do
    check "$delay" ''
done
check 0 precious
check 30 precious
echo "$lost of 9 runs lost the device"
[ "$lost" -ge 4 ] || fault "too few runs lost the device: SIDE is too small"
