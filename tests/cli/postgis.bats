#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Tables of PostGIS as input and output. The server is the test's own: made in a temporary folder,
# reached by a socket there, and gone at the end. PostgreSQL does not run as root.
load common

as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        "$@"
    fi
}

# What PostgreSQL lacks, or nothing.
missing() {
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { echo postgresql; return; }
    ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 || { echo postgis; return; }
    ogrinfo --formats 2>/dev/null | grep -q 'PostgreSQL' || { echo "GDAL's driver PostgreSQL"; return; }
    if [ "$(id -u)" -eq 0 ] && ! command -v setpriv >/dev/null; then
        echo "setpriv (root cannot run PostgreSQL)"
    fi
}

start() {
    as_user "$PGBIN/pg_ctl" -s -w -D "$PGDIR/data" -l "$PGDIR/log" \
        -o "-c listen_addresses= -c unix_socket_directories=$PGDIR -c fsync=off" start
}

setup_file() {
    [ -z "$(missing)" ] || return 0
    export PGDIR PGBIN PG
    # A socket's path has at most 107 letters; that of bats' own folder may be longer.
    PGDIR="$(mktemp -d /tmp/shepard-pg.XXXXXX)"
    PGBIN="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)"
    PG="PG:host=$PGDIR user=shepard dbname=postgres"
    [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$PGDIR"
    cd "$PGDIR" || return 1
    as_user "$PGBIN/initdb" -N -D "$PGDIR/data" -U shepard -A trust -E UTF8 --locale=C >/dev/null
    start
    "$PGBIN/psql" -q -h "$PGDIR" -U shepard postgres -c 'CREATE EXTENSION postgis'
    cd "$BATS_FILE_TMPDIR" || return 1
    LC_ALL=C awk 'BEGIN { srand(8); print "x,y,z,name"
        for (i = 0; i < 200; i++)
            printf "%.3f,%.3f,%.4f,n%d\n", 180000 + 900 * rand(), 330000 + 700 * rand(), 9 * rand(), i }' > p.csv
    head -40 p.csv | cut -d, -f1,2,4 > q.csv
    ogr2ogr -q -f PostgreSQL "$PG" p.csv -nln samples -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y \
        -oo AUTODETECT_TYPE=YES -a_srs EPSG:28992
}

teardown_file() {
    [ -n "${PGDIR:-}" ] || return 0
    as_user "$PGBIN/pg_ctl" -s -m immediate -D "$PGDIR/data" stop || true
    rm -rf "$PGDIR"
}

setup() {
    local lacking
    cd "$BATS_TEST_TMPDIR" || return 1
    export LC_ALL=C
    lacking="$(missing)"
    [ -z "$lacking" ] || skip "$lacking is not installed"
    needs ogrinfo ogr2ogr gdal_translate
}

csv() { echo "$BATS_FILE_TMPDIR/$1.csv"; }

sql() { "$PGBIN/psql" -q -A -t -h "$PGDIR" -U shepard postgres -c "$1"; }

@test "a table is read as the file that it was made from, with its coordinate system" {
    "$SHEPARD" grid -q -zfield z -a idw:k=5 -outsize 20 20 -s_srs EPSG:28992 "$(csv p)" a.tif
    "$SHEPARD" grid -q -zfield z -a idw:k=5 -outsize 20 20 -l samples "$PG" b.tif
    same_cells a.tif b.tif 0
    [ "$(gdalsrsinfo -o epsg b.tif | tr -d '[:space:]')" = EPSG:28992 ]
}

@test "a query is read, and a condition goes to the server" {
    awk -F, 'NR == 1 || $3 > 4' "$(csv p)" > high.csv
    "$SHEPARD" grid -q -zfield z -a idw:k=5 -outsize 20 20 high.csv a.tif
    "$SHEPARD" grid -q -zfield z -a idw:k=5 -outsize 20 20 \
        -sql 'SELECT wkb_geometry, z::float8 FROM samples WHERE z::float8 > 4' "$PG" b.tif
    "$SHEPARD" grid -q -zfield z -a idw:k=5 -outsize 20 20 -l samples -where 'z::float8 > 4' "$PG" c.tif
    same_cells a.tif b.tif 0
    same_cells a.tif c.tif 0
    fails_with "must only read" "$SHEPARD" grid -q -sql 'DELETE FROM samples' "$PG" d.tif
    [ "$(sql 'SELECT count(*) FROM samples')" = 200 ]
}

@test "points writes a table, with the predictions that a file gets" {
    "$SHEPARD" points -q -zfield z -a idw:k=5 -s_srs EPSG:28992 "$(csv p)" "$(csv q)" o.csv
    "$SHEPARD" points -q -zfield z -a idw:k=5 -s_srs EPSG:28992 -f PostgreSQL -nln predicted \
        "$(csv p)" "$(csv q)" "$PG"
    [ "$(sql 'SELECT count(*), count(z_pred), min(ST_SRID(wkb_geometry)) FROM predicted')" = "39|39|28992" ]
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "name") n = i; if ($i == "z_pred") p = i } }
        NR > 1 { print $n, $p }' o.csv | sort > files
    sql "SELECT name || ' ' || z_pred FROM predicted" | sort > tables
    join files tables | awk '{ d = $2 - $3; if (d * d > 1e-18) exit 1; n++ } END { exit n != 39 }'
}

@test "errors: no such table, field, database, server" {
    fails_with 'did you mean "samples"?' "$SHEPARD" grid -q -l sample "$PG" o.tif
    fails_with 'zz' "$SHEPARD" grid -q -l samples -zfield zz "$PG" o.tif
    fails_with 'does not exist' "$SHEPARD" grid -q "PG:host=$PGDIR user=shepard dbname=nothing" o.tif
    fails_with 'No such file' "$SHEPARD" grid -q "PG:host=/nowhere user=shepard dbname=postgres" o.tif
    fails_with 'samples_none' "$SHEPARD" grid -q -sql 'SELECT * FROM samples_none' "$PG" o.tif
    [ ! -e o.tif ]
}

# Last: it stops the server. Each row takes its time, so that the rows end in the middle.
@test "a server that goes away while it is read: an error, and nothing is written" {
    printf 'old' > o.tif
    "$SHEPARD" grid -q -zfield z -outsize 9 9 -sql \
        'SELECT wkb_geometry, z::float8 AS z, pg_sleep(0.05)::text FROM samples' "$PG" o.tif 2> said &
    local job=$!
    for _ in $(seq 100); do
        [ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(0.05)%' AND state = 'active' AND pid <> pg_backend_pid()")" -gt 0 ] && break
        sleep 0.05
    done
    as_user "$PGBIN/pg_ctl" -s -m immediate -D "$PGDIR/data" stop
    # Not by `run`: its subshell may only ask for jobs that have ended before it.
    local status=0
    wait "$job" || status=$?
    cat said
    [ "$status" -eq 1 ]
    grep -q 'shepard: error: .*server' said
    [ "$(cat o.tif)" = old ]
    [ "$(ls -A | sort | tr '\n' ' ')" = "o.tif said " ]
}
