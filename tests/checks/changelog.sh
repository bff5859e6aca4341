#!/bin/sh
# SPDX-License-Identifier: MIT
# Fails where the declarations of a public header have changed since CHANGELOG.md was last touched,
# or the changelog has no word about unreleased work. Comments do not count.
#
#   changelog.sh ROOT
set -eu
cd "$1"

declarations() { # a header on standard input
    cc -fpreprocessed -dD -E -P - 2>/dev/null | tr -s ' \t\n' ' '
}

if ! awk '/^## \[Unreleased\]/ {on = 1; next} /^## / {on = 0} on && /^- / {found = 1}
          END {exit !found}' CHANGELOG.md; then
    echo 'changelog: CHANGELOG.md has no entry under [Unreleased]'
    exit 1
fi

since=$(git log -1 --format=%H -- CHANGELOG.md)
[ -z "$(git status --porcelain -- CHANGELOG.md)" ] || since=''
for header in include/shepard/*.h; do
    [ -n "$since" ] || break # the changelog is being written
    old=$(git show "$since:$header" 2>/dev/null | declarations)
    if [ "$old" != "$(declarations <"$header")" ]; then
        echo "changelog: $header declares other things than at the changelog's last change"
        echo '           say in CHANGELOG.md, under [Unreleased], what users will notice'
        exit 1
    fi
done
echo 'changelog: up to date'
