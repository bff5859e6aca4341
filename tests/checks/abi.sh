#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the binary interface of the shared library (functions, structs, enums, soname) with the
# stored one; with --store, stores it. Exits with 77, and a reason, where it cannot.
#
#   abi.sh LIBRARY STORED INCLUDE_DIR READELF [--store]
set -u
library=$1 stored=$2 include=$3 readelf=$4

skip() {
    echo "abi: skipped: $*"
    exit 77
}

# Only what the headers define; without places in files.
describe() {
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --exported-interfaces-only \
        --drop-private-types --headers-dir "$include" --out-file "$1" "$library"
}

command -v abidw >/dev/null && command -v abidiff >/dev/null || skip 'no abidiff (package abigail-tools)'
[ "$(uname -m)" = x86_64 ] || skip 'the stored interface is that of x86_64'
"$readelf" --wide --sections "$library" | grep -q debug_info ||
    skip 'the library has no debug information (the preset ci has it)'

if [ "${5:-}" = --store ]; then
    # Names of files from the tree's root, wherever it lies.
    describe "$stored" && sed -i "s#path='[^']*/\(src\|include\)/#path='\1/#" "$stored"
    exit
fi
new=$(mktemp)
trap 'rm -f "$new"' EXIT
describe "$new" || exit 1
abidiff "$stored" "$new"
status=$?
[ $status = 0 ] && echo "abi: as in ${stored##*/}" && exit 0
[ $((status & 3)) = 0 ] || exit 1 # abidiff itself failed
echo "abi: the interface is not the stored one. If programs built with a release would break, raise the
     version first (while the major one is 0, the minor one). Then store the new interface:
     $0 $library $stored $include $readelf --store"
exit 1
