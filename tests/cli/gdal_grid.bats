#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The same command line given to gdal_grid and to shepard grid gives the same raster, wherever
# gdal_grid's semantics are kept.
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    load common
    random_points 300 1 > p.csv
    random_points 200 2 > q.csv
    as_vrt p.csv > p.vrt
    as_vrt p.csv q.csv > pq.vrt
}

# both TOLERANCE SOURCE ARGUMENTS...: runs the two programs and compares band 1. gdal_grid's SIMD
# paths work in single precision on unshifted coordinates and are switched off.
both() {
    local tolerance="$1" source="$BATS_FILE_TMPDIR/$2"
    shift 2
    gdal_grid -q --config GDAL_USE_AVX NO --config GDAL_USE_SSE NO "$@" "$source" theirs.tif
    # Keys that only shepard knows come with the algorithm.
    local ours=() word
    for word in "$@"; do
        case "$word" in invdist*) word="$word:precision=double:eps=0" ;; esac
        ours+=("$word")
    done
    "$SHEPARD" grid -q "${ours[@]}" "$source" ours.tif
    same_cells theirs.tif ours.tif "$tolerance"
    diff <(gdalinfo theirs.tif | grep -E 'Size|Origin|Pixel') \
        <(gdalinfo ours.tif | grep -E 'Size|Origin|Pixel')
}

setup_both() { needs gdal_grid gdal_translate gdalinfo; }

@test "invdist: all points" {
    setup_both
    both 1e-10 p.vrt -outsize 40 30 -a invdist:nodata=-9999
    # The defaults are single precision and a tolerance of 1e-4.
    both 1e-4 p.vrt -outsize 40 30
}

@test "invdist: power and smoothing" {
    setup_both
    for keys in power=1 power=3 power=2.7 power=0.5 smoothing=20 power=3.5:smoothing=35; do
        both 1e-10 p.vrt -outsize 20 30 -a "invdist:$keys:nodata=-9999"
    done
}

@test "invdist: radius, ellipse, angle, min_points" {
    setup_both
    for keys in radius1=150:radius2=150 radius1=200:radius2=80 radius1=200:radius2=80:angle=30 \
        radius1=90:radius2=90:min_points=6 radius1=120:radius2=60:angle=-75:power=3:smoothing=9; do
        both 1e-10 p.vrt -outsize 30 20 -a "invdist:$keys:nodata=-9999"
    done
    # The last comparison must have had cells of both kinds.
    cells ours.tif | awk '$1 == -9999 { gaps++ } $1 != -9999 { values++ }
        END { exit !(gaps > 0 && values > 0) }'
}

@test "invdistnn: radius, max_points, min_points" {
    setup_both
    for keys in radius=400 radius=60 radius=80:max_points=4 radius=300:max_points=1 \
        radius=70:min_points=5:max_points=9 radius=150:power=3.3:smoothing=12; do
        both 1e-10 p.vrt -outsize 30 20 -a "invdistnn:$keys:nodata=-9999"
    done
}

@test "invdistnn: quadrants" {
    setup_both
    # Whole rounds of the quadrants: gdal_grid fills one that max_points cuts short by quadrant
    # number.
    for keys in max_points_per_quadrant=2 min_points_per_quadrant=1:max_points=4 \
        max_points_per_quadrant=3:min_points_per_quadrant=2:max_points=8 \
        max_points_per_quadrant=1:min_points=4; do
        both 1e-10 p.vrt -outsize 30 20 -a "invdistnn:radius=130:$keys:nodata=-9999"
    done
    cells ours.tif | awk '$1 == -9999 { gaps++ } $1 != -9999 { values++ }
        END { exit !(gaps > 0 && values > 0) }'
}

@test "edges and sizes: -txe, -tye in either order, -tr" {
    setup_both
    keys=invdist:power=3:nodata=-9999
    both 1e-10 p.vrt -txe 448100 448700 -tye 5263200 5263900 -outsize 25 35 -a $keys
    both 1e-10 p.vrt -txe 448100 448700 -tye 5263900 5263200 -outsize 25 35 -a $keys
    both 1e-10 p.vrt -txe 448100 448700 -tye 5263200 5263900 -tr 20 50 -a $keys
    both 1e-10 p.vrt -txe 448100 448700 -outsize 25 35 -a $keys
}

@test "-z_increase, -z_multiply, -zfield, -where, -spat, -clipsrc" {
    setup_both
    keys=invdist:power=3:nodata=-9999
    both 1e-10 p.vrt -outsize 20 20 -z_increase 3.5 -z_multiply -2 -a $keys
    both 1e-10 p.vrt -outsize 20 20 -zfield z -a $keys
    edges="-txe 448000 449000 -tye 5263000 5264000"
    both 1e-10 p.vrt $edges -outsize 20 20 -zfield z -where "z > 5" -a $keys
    both 1e-10 p.vrt $edges -outsize 20 20 -spat 448200 5263200 448800 5263700 -a $keys
    both 1e-10 p.vrt $edges -outsize 20 20 -clipsrc 448200 5263200 448800 5263700 -a $keys
}

@test "several layers: one band each, the first one's extent" {
    setup_both
    both 1e-10 pq.vrt -l p -l q -outsize 20 20 -a invdist:power=3:nodata=-9999
    same_cells theirs.tif ours.tif 1e-10 2 2
    both 1e-10 pq.vrt -l q -outsize 20 20 -a invdist:power=3:nodata=-9999
}

@test "what GDAL computes is GDAL's, to the last bit" {
    setup_both
    for keys in nearest nearest:radius1=50:radius2=30:angle=20 average:radius1=120:radius2=90 \
        minimum:radius1=90:radius2=90 maximum:radius1=90:radius2=90 \
        range:radius1=90:radius2=90:min_points=3 count:radius1=80:radius2=80 \
        average_distance:radius1=100:radius2=100 average_distance_pts:radius1=60:radius2=60 \
        linear linear:radius=0; do
        both 0 p.vrt -outsize 20 20 -a "$keys:nodata=-9999"
    done
}

@test "several fields of GDAL's methods" {
    setup_both
    awk -F, -v OFS=, 'NR == 1 { print $0, "v" } NR > 1 { print $0, 2 * $3 }' \
        "$BATS_FILE_TMPDIR/p.csv" > v.csv
    "$SHEPARD" grid -q -outsize 20 20 -zfield z,v -a average:radius=150 v.csv o.tif
    "$SHEPARD" grid -q -outsize 20 20 -zfield v -a average:radius=150 v.csv v.tif
    same_cells o.tif v.tif 0 2 1
    gdal_grid -q -outsize 20 20 -a average:radius1=150:radius2=150:nodata=-9999 \
        "$BATS_FILE_TMPDIR/p.vrt" theirs.tif
    same_cells theirs.tif o.tif 0
}

@test "radius wins over radius1 and radius2, whatever the order" {
    setup_both
    for keys in radius=300:radius1=150:radius2=50 radius1=150:radius=300:radius2=50; do
        both 1e-10 p.vrt -outsize 20 20 -a "invdist:$keys:nodata=-9999"
    done
}

@test "all points, power 2: the sum itself, not in GDAL's single precision" {
    setup_both
    "$SHEPARD" grid -q -outsize 1 1 -txe 448400 448600 -tye 5263400 5263600 -a invdist:precision=double:eps=0 \
        "$BATS_FILE_TMPDIR/p.csv" ours.tif
    cells ours.tif > ours
    awk -F, 'NR > 1 { d2 = ($1 - 448500)^2 + ($2 - 5263500)^2; w += 1 / d2; z += $3 / d2 }
        END { printf "%.17g\n", z / w }' "$BATS_FILE_TMPDIR/p.csv" |
        paste - ours | awk '{ d = $1 - $2; exit !(d * d < 1e-20) }'
}

@test "invdist max_points takes the nearest, invdistnn agrees" {
    setup_both
    both_keys=radius=300:max_points=5
    "$SHEPARD" grid -q -outsize 20 20 -a "invdist:$both_keys" "$BATS_FILE_TMPDIR/p.csv" a.tif
    gdal_grid -q -outsize 20 20 -a "invdistnn:$both_keys:nodata=-9999" "$BATS_FILE_TMPDIR/p.vrt" b.tif
    same_cells a.tif b.tif 1e-10
}
