#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a user of the Debian packages does: installs those of a folder in a bare Debian 12, runs the
# command, compiles an example against the library, imports the Python module, removes them. Needs root,
# lintian and mmdebstrap.
#
#   deb.sh FOLDER SOURCE      the *.deb; the source tree, for data
set -euo pipefail
folder=$1 source=$2
mapfile -t packages < <(printf '%s\n' "$folder"/*.deb | sed 's|.*/||; s|_.*||')
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT

fail() {
    echo "deb: $*"
    exit 1
}

# in_root COMMAND...: in the bare system; output is shown only when it fails.
in_root() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        chroot "$root" "$@" >"$root/log" 2>&1 || { cat "$root/log"; fail "'$*' failed"; }
}

# The shell of the bare system expands patterns.
install_in_root() {
    in_root sh -c "apt-get -y -q --no-install-recommends -o Acquire::Retries=3 \
        -o DPkg::Options::=--force-unsafe-io install $*"
}

lintian --allow-root --fail-on error,warning "$folder"/*.deb

mmdebstrap --quiet --variant=apt --skip=cleanup/apt/lists bookworm "$root"
[ -z "$(find "$root" -xdev -name '*shepard*')" ] || fail 'the bare system is not bare'
mkdir "$root/packages"
cp "$folder"/*.deb "$source/data/meuse/meuse.csv" "$root/packages"

# Alone first: the command must bring all that it runs on.
install_in_root '/packages/shepard_*.deb'
in_root shepard info
grep '^backend   cpu   usable' "$root/log" || fail 'info: no CPU'
in_root shepard grid -q -zfield zinc -tr 40 40 -a idw:k=12 /packages/meuse.csv /packages/zinc.tif
gdalinfo -stats "$root/packages/zinc.tif" | grep 'STATISTICS_MEAN=' || fail 'grid: no raster'

# shellcheck disable=SC2016 # the shell of the bare system replaces it
in_root bash -c 'source /usr/share/bash-completion/completions/shepard
    COMP_LINE="shepard poi" COMP_POINT=11; _shepard shepard; [ "${COMPREPLY[*]}" = points ]'

install_in_root '/packages/*.deb' gcc libc6-dev pkg-config
# shellcheck disable=SC2016 # the shell of the bare system replaces it
in_root sh -c 'cd /packages && cc /usr/share/doc/libshepard-dev/examples/predict_points.c -o example \
    $(pkg-config --cflags --libs shepard) && ./example && ldd ./example'
grep -F 'depth at (430, 280): 9.60 m' "$root/log" || fail 'the example: wrong value'
grep 'libshepard\.so\..* => /' "$root/log" || fail 'the example does not load the shared library'

# The Python of the system finds the module, and that the library of the system.
in_root python3 -c 'import numpy, shepard
X = numpy.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
print("mean:", shepard.IDW(k=2).fit(X, [1.0, 3.0, 5.0]).predict([[1.0, 0.0]])[0])
from importlib.metadata import version
assert version("shepard") == shepard.__version__
print("library:", shepard._library.lib._name)'
grep -F 'mean: 2.0' "$root/log" || fail 'Python: wrong value'
grep 'library: libshepard\.so\.' "$root/log" || fail 'Python does not load the shared library'

in_root apt-get -y -q purge "${packages[@]}"
left=$(find "$root" -xdev -name '*shepard*' -not -path "$root/packages/*" -not -path "$root/var/log/*")
[ -z "$left" ] || fail "left behind: $left"
