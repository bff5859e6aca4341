#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Completions of bash and zsh against the help of the command.
load common

folder() { echo "${SHEPARD_TEST_ROOT:-$BATS_TEST_DIRNAME/../..}/packaging/completion"; }

# replies LINE: what bash completes LINE to, one a line, sorted.
replies() {
    bash --norc -c '
        source "$1/shepard.bash"
        COMP_LINE=$2 COMP_POINT=${#2}
        _shepard "$SHEPARD"
        printf "%s\n" "${COMPREPLY[@]}"' - "$(folder)" "$1" | sort
}

@test "bash: verbs, by their beginning, too" {
    for verb in grid points validate tune mosaic info; do
        replies 'shepard ' | grep -x "$verb"
    done
    [ "$(replies 'shepard poi')" = points ]
}

@test "bash: every option of every verb, both spellings" {
    for verb in grid points validate tune mosaic info; do
        "$SHEPARD" "$verb" --help | grep -oE '^  -[^ ]+( -[^ ]+)?' | tr -s ', ' '\n' | grep . | sort > help
        [ "$(wc -l < help)" -ge 3 ]
        replies "shepard $verb -" > replies
        diff help replies
    done
    [ "$(replies 'shepard grid -q in.csv out.tif --diag')" = --diagnostics ]
}

@test "bash: methods, and every key of each" {
    for verb in grid tune; do
        replies "shepard $verb -a " > methods
        for method in idw aidw krige invdistnn average_distance_pts; do
            grep -x "$method" methods
        done
    done
    while read -r method; do
        # A run that fails names a wrong key only.
        replies "shepard grid -a $method:" > keys
        [ "$(wc -l < keys)" -ge 2 ]
        grep -x 'nodata=' keys
        "$SHEPARD" grid --help | tr -d '\n' | grep -oE "  $method:[^ ]*(     :[^ ]*)*" |
            grep -oE '[a-z_0-9]+=' | sort > help
        diff help keys
    done < methods
    [ "$(replies 'shepard grid -a idw:k=12:deg')" = 'degree=' ]
    [ -z "$(replies 'shepard grid -a krige:pow')" ]
}

@test "bash: words of options; nothing where a file stands" {
    [ "$(replies 'shepard grid --diagnostics count,ef')" = 'count,effective' ]
    [ "$(replies 'shepard grid -decimal c')" = comma ]
    [ "$(replies 'shepard grid --backend c' | tr '\n' ' ')" = 'cpu cuda cuda: cuda:all ' ]
    [ "$(replies 'shepard grid --backend cuda:a')" = all ]
    [ -z "$(replies 'shepard grid -like ras')" ]
    [ -z "$(replies 'shepard grid in')" ]
}

# zsh_replies LINE: what zsh offers at the end of LINE, one a line, sorted.
zsh_replies() {
    cat > inner.zsh <<'INNER'
compadd() {
    local -a found
    # Calls that only sort words into arrays are not offers.
    [[ " ${(j: :)argv[1,(i)(-|--)]} " == *' -'(O|A|D)' '* ]] && { builtin compadd "$@"; return }
    builtin compadd -O found "$@"
    print -l -- $found >> offers
    builtin compadd "$@"
}
INNER
    rm -f offers
    touch offers
    PATH="$(dirname "$SHEPARD"):$PATH" zsh -f -c '
        zmodload zsh/zpty
        zpty inner zsh -f -i
        zpty -w inner "fpath=($1 \$fpath); autoload -U compinit; compinit -D -u; source inner.zsh"
        zpty -w inner "LISTMAX=-1; unsetopt auto_list; bindkey -e; PS1=END\"\"OF\"\"PROMPT"
        zpty -r inner part "*ENDOFPROMPT*"
        zpty -w -n inner "$2"$'"'\\t\\Cu'"'
        zpty -w inner exit
        while zpty -r inner part; do :; done' - "$(folder)" "$1" > /dev/null
    sort -u offers | sed '/^$/d'
}

@test "zsh: verbs, options, methods, keys and words as in bash; files where one stands" {
    needs zsh
    for line in 'shepard ' 'shepard grid -' 'shepard validate -' 'shepard tune -' 'shepard info -' \
        'shepard grid -a ' 'shepard grid -decimal ' 'shepard grid --diagnostics ' 'shepard tune -a krige:k=12:'; do
        replies "$line" > wanted
        [ "$(wc -l < wanted)" -ge 3 ]
        zsh_replies "$line" > got
        echo "$line"
        diff wanted got
    done
    touch raster.tif
    [ "$(zsh_replies 'shepard grid -like ras')" = raster.tif ]
}
