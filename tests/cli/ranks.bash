# SPDX-License-Identifier: MIT
# Loaded by the tests of several processes.

teardown() {
    [ -z "${pid-}" ] || kill -TERM "$pid" 2> log || true
}

needs_mpi() {
    [ -n "${SHEPARD_TEST_MPIRUN-}" ] || skip "built without MPI"
    needs gdal_translate gdalinfo
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
}

# ranks N OPTIONS...
ranks() {
    local n="$1"
    shift
    "$SHEPARD_TEST_MPIRUN" --oversubscribe -n "$n" "$SHEPARD" grid "$@"
}

# same COUNTS FILE OPTIONS...: from so many processes as from one; nothing else stays.
same() {
    local counts="$1" file="$2" n
    shift 2
    "$SHEPARD" grid -q "$@" "$file" plain.tif
    raw plain.tif > plain.raw
    gdalinfo plain.tif | grep -v ^Files > plain.txt
    for n in $counts; do
        echo "$n ranks: $file $*"
        ranks "$n" -q "$@" "$file" shared.tif
        raw shared.tif | cmp - plain.raw
        gdalinfo shared.tif | grep -v ^Files | diff - plain.txt
    done
    [ -z "$(find . -name '.shepard*')" ]
}
