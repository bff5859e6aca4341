#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The man page against the command.
load common

page() { echo "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/docs/man/shepard.1"; }

@test "mandoc finds no fault" {
    needs mandoc
    run mandoc -Tlint "$(page)"
    # Which other manuals this machine has is not the page's fault.
    echo "$output" | grep -vE 'outdated mandoc.db|referenced manual not found' > faults || true
    cat faults
    [ ! -s faults ] || [ -z "$(tr -d '[:space:]' < faults)" ]
}

@test "the page names every option and every key of the help" {
    [ "$SHEPARD_TEST_IO" != OFF ] || skip "built without GDAL"
    sed 's/\\-/-/g' "$(page)" > page
    for verb in grid points tune validate; do
        "$SHEPARD" "$verb" --help > help
        grep -oE '^  -[^ ,]+' help | sed 's/^ *-//' > names
        grep -oE '[a-z_0-9]+=' help | sort -u | tr -d = >> names
        [ "$(wc -l < names)" -gt 30 ]
        while read -r name; do
            grep -qE -- "(^|[^a-z0-9_])${name#-}([^a-z0-9_]|\$)" page || { echo "$name is missing"; false; }
        done < names
    done
}
