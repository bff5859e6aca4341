#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes 1,024,000 points with x, y, z to FOLDER (default /tmp/shepard-read) as CSV, GeoPackage,
# FlatGeobuf and Shapefile, for read_time. Needs awk and ogr2ogr.
set -eu
folder=${1:-/tmp/shepard-read}
mkdir -p "$folder"
cd "$folder"
awk 'BEGIN {
  srand(7); print "x,y,z"
  for (i = 0; i < 1024000; i++)
    printf "%.3f,%.3f,%.4f\n", 500000 + 10000 * rand(), 5300000 + 10000 * rand(), 100 * rand()
}' > points.csv
for target in points.gpkg points.fgb points.shp; do
  ogr2ogr -overwrite -a_srs EPSG:32632 "$target" points.csv -oo AUTODETECT_TYPE=YES \
    -oo X_POSSIBLE_NAMES=x -oo Y_POSSIBLE_NAMES=y -oo KEEP_GEOM_COLUMNS=NO -lco SPATIAL_INDEX=NO
done
