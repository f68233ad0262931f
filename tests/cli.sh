# shellcheck shell=sh
# Commands without a screen: run the program, check exit status and output.
# Sourced by tests/cli/*.sh.
#
#   run train x.npy --out r        sets $status; output in $out, errors in $err
#   exits NAME STATUS              of the last run
#   says NAME FILE PATTERN         FILE ($out, $err or another) has a line that matches
#   works NAME ARGS...             exit 0
#   fails NAME STATUS TEXT ARGS... exit STATUS, TEXT among the errors, nothing on stdout
. tests/tap.sh

ISOGLOSS=${ISOGLOSS:-$PWD/build/isogloss}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
out=$scratch/out
err=$scratch/err
status=0

run() {
    "$ISOGLOSS" "$@" >"$out" 2>"$err" </dev/null
    status=$?
}

last_output() { # of the last run, for a failed test
    echo "exit status $status"
    sed 's/^/stdout: /' "$out" | head -n 20
    sed 's/^/stderr: /' "$err" | head -n 20
}

exits() { # name status
    if [ $status -eq "$2" ]; then pass "$1"; else fail "$1" "not $2: $(last_output)"; fi
}

says() { # name file pattern
    if grep -q -e "$3" "$2"; then pass "$1"; else fail "$1" "no /$3/ in:
$(head -n 40 "$2")"; fi
}

works() { # name arguments...
    works_name=$1
    shift
    run "$@"
    exits "$works_name" 0
}

fails() { # name status text arguments...
    fails_name=$1 fails_status=$2 fails_text=$3
    shift 3
    run "$@"
    if [ $status -ne "$fails_status" ]; then
        fail "$fails_name" "not $fails_status: $(last_output)"
    elif ! grep -qF -e "$fails_text" "$err"; then
        fail "$fails_name" "not \"$fails_text\": $(last_output)"
    elif [ -s "$out" ]; then
        fail "$fails_name" "something on stdout: $(last_output)"
    else
        pass "$fails_name"
    fi
}

# The head of a .npy file: "<f4" False "3, 2"
npy_head() { # dtype fortran shape
    dict="{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
    length=$(((${#dict} + 1 + 10 + 63) / 64 * 64 - 10))
    # shellcheck disable=SC2059 # an octal escape on purpose
    printf '\223NUMPY\001\000'"\\$(printf %03o $((length % 256)))\\$(printf %03o $((length / 256)))"
    printf "%-$((length - 1))s\n" "$dict"
}

# A part of the demo set, as $scratch/demo.npy and demo.csv: the first of 600 sentences in
# each of its 8 languages.
small_demo() { # sentences, 150 unless said
    npy_head '<f2' False "$((8 * ${1:-150})), 256" >"$scratch/demo.npy"
    for language in 0 1 2 3 4 5 6 7; do
        tail -c +$((129 + language * 600 * 512)) tests/golden/mixed.npy | head -c $((${1:-150} * 512))
    done >>"$scratch/demo.npy"
    awk -v n="${1:-150}" 'NR == 1 || (NR - 2) % 600 < n' data/demo.csv >"$scratch/demo.csv"
}
