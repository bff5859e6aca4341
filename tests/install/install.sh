#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the build into a folder of its own, builds the examples against that, runs them, and looks
# which library they load.
#
#   install.sh cmake|pkg_config shared|static ON|OFF      ON: with libshepard_io
#
# Environment: CC, CMAKE, PKG_CONFIG, READELF; SOURCE and BUILD, the folders.
set -eu
tool=$1 kind=$2 io=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix

fail() {
    echo "install: $*"
    exit 1
}

build_with_cmake() {
    "$CMAKE" -S "$SOURCE/tests/install/consumer" -B "$folder" -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$SOURCE/examples" -DKIND="$kind" -DIO="$io" &&
        "$CMAKE" --build "$folder"
}

# Where the shared library is installed too, -lshepard would take it.
build_with_pkg_config() { # package, example
    static=''
    [ "$kind" = shared ] || static=--static
    options=$("$PKG_CONFIG" $static --cflags --libs "$1")
    [ "$kind" = shared ] || options=$(echo " $options " | sed 's/ -lshepard / -l:libshepard.a /')
    # shellcheck disable=SC2086 # several words
    "$CC" -std=c17 "$SOURCE/examples/$2.c" -o "$folder/$2" $options
}

# The program must load the shared library, by its soname, if that is what it was linked with.
check_loads() {
    loaded=$("$READELF" -d "$folder/$1" | sed -n 's/.*(NEEDED).*\[\(libshepard.*\)\]/\1/p')
    [ "$kind" = shared ] && wanted=$soname || wanted=''
    [ "$loaded" = "$wanted" ] || fail "$1, $kind: loads '$loaded', not '$wanted'"
}

"$CMAKE" --install "$BUILD" --prefix "$prefix" >"$folder/log"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name shepard.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
version=$("$PKG_CONFIG" --modversion shepard)
case $version in
0.*) soname=libshepard.so.${version%.*} ;;
*) soname=libshepard.so.${version%%.*} ;;
esac

case $tool in
cmake) build_with_cmake ;;
pkg_config)
    build_with_pkg_config shepard predict_points
    [ "$io" = OFF ] || build_with_pkg_config shepard_io grid_file
    ;;
*) fail "no tool '$tool'" ;;
esac

"$folder/predict_points" | grep -F 'depth at (430, 280): 9.60 m' || fail 'predict_points: wrong value'
check_loads predict_points
[ "$io" = OFF ] && exit
"$folder/grid_file" "$SOURCE/data/meuse/meuse.csv" zinc "$folder/zinc.tif" | grep 'zinc\.tif' ||
    fail 'grid_file wrote nothing'
check_loads grid_file
