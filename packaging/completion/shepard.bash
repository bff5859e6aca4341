# SPDX-License-Identifier: MIT
# bash completion of shepard. Verbs, options, methods and keys are read from --help, so that they are
# those of the command installed.
# shellcheck shell=bash

# _shepard_verbs COMMAND: one a line.
_shepard_verbs() {
    "$1" --help 2>/dev/null | sed -n '/^Verbs:$/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# _shepard_options COMMAND VERB: one a line, each spelling: "NAME OPERANDS".
_shepard_options() {
    "$1" "$2" --help 2>/dev/null | sed -n '/^  -/{
        s/^  //; s/   *.*//; s/^\([^ ,]*\), \([^ ,]*\)\(.*\)/\1\3\n\2\3/; p
    }'
}

# _shepard_methods COMMAND: the forms of -a, one a line: "NAME:KEY=DEFAULT:...".
_shepard_methods() {
    "$1" grid --help 2>/dev/null | sed -n '/^Algorithms/,/^$/{
        /^  [a-z_]*:/{s/^ *//;H;}; /^     :/{s/^ *//;H;}; /^$/{x;s/\n:/:/g;s/^\n//;p;}
    }'
}

# _shepard_diagnostics COMMAND
_shepard_diagnostics() {
    "$1" grid --help 2>/dev/null | sed -n '/^  --diagnostics /s/.*: //p'
}

# _shepard_algorithm COMMAND TEXT: what TEXT, of -a, can go on to: a method, or one of its keys.
_shepard_algorithm() {
    local text=$2 form
    if [[ $text != *:* ]]; then
        _shepard_methods "$1" | sed 's/:.*//'
        return
    fi
    form=$(_shepard_methods "$1" | grep "^${text%%:*}:")
    tr : '\n' <<<"${form#*:}" | sed -n "s|^\\([a-z_0-9]*=\\).*|${text%:*}:\\1|p"
}

# _shepard_words COMMAND VERB OPTION TEXT: what TEXT, behind OPTION, can be; nothing: a file.
_shepard_words() {
    local operands
    case $3 in
    -a) _shepard_algorithm "$1" "$4" ;;
    --diagnostics)
        local before=
        [[ $4 == *,* ]] && before=${4%,*},
        _shepard_diagnostics "$1" | tr ' ' '\n' | sed "s/^/$before/"
        ;;
    --backend) printf '%s\n' auto ref cpu cuda cuda: cuda:all ;;
    *)
        operands=$(_shepard_options "$1" "$2" | sed -n "s/^$3 //p")
        [[ $operands =~ ^[a-z]+(\|[a-z]+)*$ ]] && tr '|' '\n' <<<"$operands"
        ;;
    esac
}

_shepard() {
    local line=${COMP_LINE:0:COMP_POINT} words verb option text prefix
    read -ra words <<<"$line"
    [[ $line == *[[:blank:]] ]] && words+=('')
    text=${words[-1]} verb=${words[1]} option=${words[-2]}
    local candidates
    if ((${#words[@]} == 2)); then
        candidates="$(_shepard_verbs "$1") --help --version"
    elif [[ $text == -* ]]; then
        candidates=$(_shepard_options "$1" "$verb" | sed 's/ .*//')
    elif [[ $option == -* ]]; then
        candidates=$(_shepard_words "$1" "$verb" "$option" "$text")
    fi
    candidates=$(compgen -W "$candidates" -- "$text") || return 0
    mapfile -t COMPREPLY <<<"$candidates"
    # What the shell takes for the word begins behind the last of its word breaks.
    for prefix in : =; do
        [[ $COMP_WORDBREAKS == *$prefix* && $text == *$prefix* ]] || continue
        text=${text##*"$prefix"}
    done
    prefix=${words[-1]%"$text"}
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -o default -F _shepard shepard
