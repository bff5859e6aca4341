#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# papers/hecbench.sh with a compiler and a program made up here, without a GPU. HECBENCH is the script.
load ../cli/common

hecbench() { PATH="$PWD/bin:$PATH" "$HECBENCH" "$@"; }

# tool NAME: standard input becomes a command of the path.
tool() { cat > "bin/$1" && chmod +x "bin/$1"; }

# A checkout, and a compiler whose program prints $1 and, with --use_fast_math, $2.
make_checkout() {
    mkdir -p bin there/src/aidw-cuda
    echo "int main;" > there/src/aidw-cuda/main.cu
    tool nvidia-smi <<< 'case $2 in *name*) echo "Some GPU" ;; *) echo 1.2 ;; esac'
    tool nvcc << END
#!/bin/sh
if [ "\$1" = --version ]; then echo "Cuda compilation tools, release 9.8, V9.8.7"; exit; fi
for last; do :; done
case "\$*" in *fast_math*) line='$2' ;; *) line='$1' ;; esac
printf '#!/bin/sh\necho "Size: \$1 \$2 \$3"\necho "%s"\n' "\$line" > "\$last"
chmod +x "\$last"
END
}

time_line() { echo "Average kernel execution time $1 (s)"; }

@test "builds twice, runs both, and writes commit, flags and seconds" {
    needs python3 git
    make_checkout "$(time_line 3.280001)" "$(time_line 0.563)"
    git -C there init -q
    git -C there -c user.name=a -c user.email=a@b commit -q --allow-empty -m a
    POINTS=2 RUNS=5 hecbench there o.json 2> log
    grep -qx -- "-O3: 3.280001 s" log
    [ "$(item o.json '[(r["flags"], r["seconds"]) for r in d["measurements"]]')" = \
        "[('-O3', 3.280001), ('-O3 --use_fast_math', 0.563)]" ]
    [ "$(item o.json '(d["gpu"], d["driver"], d["compiler"], d["points"], d["targets"], d["runs"])')" = \
        "('Some GPU', '1.2', 'nvcc 9.8.7', 2048, 2048, 5)" ]
    [ "$(item o.json 'd["commit"]')" = "$(git -C there rev-parse HEAD) with changes" ]
}

@test "--build and --run do the same in two steps" {
    needs python3
    make_checkout "$(time_line 2)" "$(time_line 1)"
    hecbench --build there built
    rm bin/nvcc
    hecbench --run built o.json
    [ "$(item o.json '[r["seconds"] for r in d["measurements"]]')" = "[2, 1]" ]
}

@test "wrong arguments, and a program that prints no time" {
    make_checkout "nothing" "$(time_line 1)"
    fails_with "give DIR and JSON" hecbench there
    fails_with "there is no option --bild" hecbench --bild there
    fails_with "main.cu is not there" hecbench nowhere o.json
    fails_with "there is no nvxx" env NVCC=nvxx "$HECBENCH" there o.json
    fails_with "prints no time, but: Size: 1000 0 3" hecbench there o.json
    [ ! -e o.json ]
}
