#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# grid under mpirun: the processes write the raster that one writes.
load common
load parts
load ranks

@test "1 to 7 processes write the cells that one writes, bit by bit" {
    needs_mpi
    local seed="${SHEPARD_TEST_SEED:-$$}"
    echo "SHEPARD_TEST_SEED=$seed"
    clustered 20000 "$seed" > c.csv
    same "1 2 3 4 7" c.csv "${small[@]}" -zfield z -outsize 190 170 -a idw:k=12
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a aidw:max_points=9:k=15:degree=1
    same 3 c.csv "${small[@]}" -zfield z -wfield w -outsize 90 110 -a idw:k=12 --diagnostics nearest,count -mask "$(file mask.geojson)"
    same 3 c.csv "${small[@]}" -zfield z -txe 4000 7000 -tye 9000 6500 -outsize 90 110 -a krige:psill=800:nugget=50:range=80:p=1:k=12
    # Blocks that are rows, and several threads of each process.
    OMP_NUM_THREADS=3 same 3 c.csv -co TILED=NO -co BLOCKYSIZE=7 -zfield z -outsize 90 110 -a idw:k=12
    # More processes than blocks, and than points; none within the radius of most cells.
    random_points 3 5 > few.csv
    same 4 few.csv "${small[@]}" -outsize 60 90 -a idw:k=2:radius=30
}

@test "methods that need all points: each process has all, and computes its cells" {
    needs_mpi
    local seed="${SHEPARD_TEST_SEED:-$$}"
    echo "SHEPARD_TEST_SEED=$seed"
    clustered 3000 "$seed" > c.csv
    same "2 3" c.csv "${small[@]}" -zfield z -outsize 90 110 -a aidw
    same 3 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:radius=60:min_points=3
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:degree=1
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:max_points_per_sector=3:sectors=4
    same 2 c.csv "${small[@]}" -zfield z,w -outsize 90 110 -a idw:k=12
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a krige:k=9
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:k=12 --diagnostics sd
    same 3 c.csv "${small[@]}" -zfield z -outsize 90 110 -a aidw:max_points=9:anisotropy_ratio=2:anisotropy_angle=30
    # That places need all points is known when they are read.
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:k=9:anisotropy_ratio=2
    echo 700.5,-333.25,, >> c.csv
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw:k=9:anisotropy_ratio=2
    printf 'x,y,z\n7.1,51,1\n7.9,51.5,2\n7.4,52,3\n' > degrees.csv
    same 2 degrees.csv "${small[@]}" -s_srs EPSG:4326 -outsize 40 50 -a idw:k=2
}

@test "sums over all points: each process has the points that its cells need" {
    needs_mpi
    local seed="${SHEPARD_TEST_SEED:-$$}"
    echo "SHEPARD_TEST_SEED=$seed"
    clustered 90000 "$seed" | awk -F, -v OFS=, '$3 != "" { print $1, $2, $3, (NR > 1 ? $4 + 1 : $4) }' > c.csv
    same "2 3 4" c.csv "${small[@]}" -zfield z -outsize 190 170 -a aidw
    same "2 7" c.csv "${small[@]}" -zfield z -outsize 190 170 -a idw:power=3
    same 3 c.csv "${small[@]}" -zfield z -wfield w -outsize 90 110 -a idw:smoothing=5:eps=1e-3
    same 3 c.csv "${small[@]}" -zfield z -outsize 90 110 -a aidw:precision=double:eps=1e-7 --diagnostics nearest,count,alpha
    same 2 c.csv "${small[@]}" -zfield z -txe 4000 5100 -tye 7900 6500 -outsize 700 900 -a aidw
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 -a idw --diagnostics effective
    same 3 c.csv "${small[@]}" --resume -zfield z -outsize 190 170 -a aidw
    # Without a value, some beyond all others: the part of a process is no larger.
    clustered 90000 "$seed" > gaps.csv
    printf '9700.5,-3333.25,,\n700,8200,,\n' >> gaps.csv
    same "2 3" gaps.csv "${small[@]}" -zfield z -outsize 190 170 -a aidw
    same 3 gaps.csv "${small[@]}" -zfield z -wfield w -outsize 90 110 -a idw:power=3
    ranks 4 -zfield z -txe 5900 6000 -tye 7000 7100 -outsize 64 64 -a idw:eps=1e-2:power=4 gaps.csv o.tif > log
    cat log
    grep -E "^4 processes, each with at most [1-7][0-9]{4} of [89][0-9]{4} points in memory" log
    ranks 4 -zfield z -txe 5900 6000 -tye 7000 7100 -outsize 64 64 -a idw:eps=1e-2:power=4 c.csv o.tif > log
    cat log
    grep -E "^4 processes, each with at most [1-7][0-9]{4} of [89][0-9]{4} points in memory" log
    # Read by range; a place with a value and no weight lies outermost.
    needs ogr2ogr
    clustered 30000 "$seed" > part.csv
    printf '9700.5,-3333.25,,\n700,8200,4.5,0\n' >> part.csv
    ogr2ogr gaps.gpkg part.csv -oo AUTODETECT_TYPE=YES -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y
    same "2 3" gaps.gpkg "${small[@]}" -zfield z -wfield w -outsize 90 110 -a aidw
}

@test "processes with points on disk" {
    needs_mpi
    mkdir temp
    clustered 20000 9 > c.csv
    same 2 c.csv "${small[@]}" -zfield z -outsize 90 110 --memory 16M --temp temp -a idw:k=12
    same 3 c.csv "${small[@]}" -zfield z -outsize 90 110 --memory 16M --temp temp -a aidw
    same 2 c.csv "${small[@]}" -zfield z,w -outsize 90 110 --memory 16M --temp temp -a idw:k=12
    [ -z "$(ls -A temp)" ]
}

@test "LAS files are read by range" {
    needs_mpi
    [ -n "${SHEPARD_TEST_MAKE_LAS-}" ] || skip "no make_las"
    "$SHEPARD_TEST_MAKE_LAS" a.las 1.4 6 20000
    "$SHEPARD_TEST_MAKE_LAS" b.las 1.2 3 20
    run ranks 3 -class 2 -outsize 20 30 -a idw:k=3 a.las b.las shared.tif
    "$SHEPARD" grid -class 2 -outsize 20 30 -a idw:k=3 a.las b.las plain.tif > plain.txt
    [[ "$output" == *"$(head -n 1 plain.txt)"* ]]
    cmp <(raw plain.tif) <(raw shared.tif)
    fails_with "no point of 0 that -where" ranks 2 -q -class 77 -a idw:k=3 a.las other.tif
}

@test "databases and FlatGeobuf files are read by range" {
    needs_mpi
    needs ogr2ogr
    local file points=(-oo AUTODETECT_TYPE=YES -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y)
    clustered 9000 6 > c.csv
    # 70 places with many values each.
    awk 'BEGIN { srand(2); for (i = 0; i < 9000; i++)
        printf "%d,%d,%.6f,%d\n", 5100 + 100 * int(7 * rand()), 7100 + 50 * int(10 * rand()), rand(), 3 * rand() }' >> c.csv
    ogr2ogr p.fgb c.csv "${points[@]}"
    # No geometry, or an empty one, a value that may mean a missing one, and rows that are gone.
    printf '"POINT (5310 7300)",-9999,2\n"POINT (5400 7350)",-9999,2\n"",3,1\n"POINT EMPTY",4,1\n"POINT (5300 7300)",5,2\n' | sed '1iWKT,z,w' > gaps.csv
    ogr2ogr p.gpkg c.csv "${points[@]}" -nln p
    ogr2ogr -append p.gpkg gaps.csv -oo AUTODETECT_TYPE=YES -nln p
    ogrinfo -q p.gpkg -sql "DELETE FROM p WHERE fid % 5 = 1 AND fid < 9000" > log
    ogr2ogr -f SQLite p.sqlite p.gpkg
    for file in p.gpkg p.sqlite p.fgb; do
        same "1 2 3 4" "$file" "${small[@]}" -zfield z -outsize 90 110 -a idw:k=3
        same 3 "$file" "${small[@]}" -zfield z -wfield w -outsize 90 110 -a idw:k=2
        same 2 "$file" "${small[@]}" -zfield z -where "z > 40 or w = 2" -spat 5100 7100 5800 7700 -outsize 90 110 -a idw:k=3
        "$SHEPARD" grid "${small[@]}" -zfield z -outsize 90 110 -a idw:k=3 "$file" plain.tif > plain.txt 2>&1
        ranks 3 "${small[@]}" -zfield z -outsize 90 110 -a idw:k=3 "$file" shared.tif > shared.txt 2>&1
        diff <(grep -v ^0 plain.txt) <(grep -v ^0 shared.txt)
        [ "$file" = p.fgb ] || grep -q "with an empty geometry" shared.txt
        [ "$file" = p.fgb ] || grep -q "the value -9999 occurs 2 times" shared.txt
    done
    fails_with "no feature passes -where" ranks 2 -q -zfield z -where "w > 90" -a idw:k=3 p.gpkg other.tif
    fails_with 'field "z" has no value at any of' ranks 2 -q -zfield z -where "z is null" -a idw:k=3 p.gpkg other.tif
}

@test "a process that dies ends the job; the next run removes what is left" {
    needs_mpi
    clustered 20000 4 > c.csv
    ranks 3 -zfield z -outsize 3000 3000 -a idw:k=200 c.csv o.tif > log 2>&1 3>&- &
    pid=$!
    local killed
    wait_until has_begun
    kill -KILL "$(pgrep -P "$(pgrep -P "$pid")" | tail -n 1)"
    status=0
    wait "$pid" || status=$?
    pid=
    cat log
    [ "$status" -ne 0 ]
    grep -q "exited on signal 9" log
    [ ! -e o.tif ]
    ranks 3 -q -zfield z -outsize 30 30 -a idw:k=12 c.csv o.tif
    [ -z "$(find . -name '.shepard*')" ]
    gdalinfo o.tif > log
}

@test "the progress bar is that of rank 0, and says so" {
    needs_mpi
    random_points 50 3 > p.csv
    run ranks 2 -zfield z -outsize 90 110 "${small[@]}" -a idw:k=5 p.csv o.tif
    [ "$status" -eq 0 ]
    [[ "$output" == *"100 - done: the cells of rank 0."* ]]
    run ranks 1 -zfield z -outsize 90 110 "${small[@]}" -a idw:k=5 p.csv o.tif
    [[ "$output" == *"100 - done."* ]]
}

@test "what processes cannot share is refused once, and what to do is said" {
    needs_mpi
    random_points 100 5 > p.csv
    # refuses TEXT OPTIONS...
    refuses() {
        local text="$1"
        shift
        echo "$*"
        fails_with "$text" ranks 2 -q "$@" p.csv o.tif
        [ "$(grep -c 'shepard: error' <<< "$output")" -eq 1 ]
        [ ! -e o.tif ]
        [ -z "$(find . -name '.shepard*')" ]
    }
    refuses "mpirun: linear is computed by GDAL" -a linear
    refuses "mpirun: the search of -a auto ends after some time" -a auto
    refuses "mpirun: --report shows what one run computes" -a idw:k=3 --report r.html
    refuses "--memory: the fit of parameters" --memory 1G -a krige:k=3
    refuses "the format PNG cannot hold a part" -of PNG -a idw:k=3
    fails_with "not on standard input" ranks 2 -q -a idw - o.tif < p.csv
    fails_with "there is no folder" ranks 2 -q -a idw:k=3 p.csv nowhere/o.tif
    fails_with "info is done by one process" "$SHEPARD_TEST_MPIRUN" --oversubscribe -n 2 "$SHEPARD" info
}

@test "a build without MPI says so under mpirun" {
    [ -z "${SHEPARD_TEST_MPIRUN-}" ] || skip "built with MPI"
    OMPI_COMM_WORLD_SIZE=2 fails_with "built without MPI" "$SHEPARD" info
}
