#!/bin/sh
# A set that is larger than the memory: each command works on it. What a command takes for a small set of the same width is
# found first, as the least limit it works under; for a set of 68 MB (135 MB as floats), which is mapped, it
# gets MORE than that, and so may hold no copy of the rows.
. tests/cli.sh

MORE=49152 # KiB: what is measured of a training, at most 3,000 pairs, is 24 MB
WIDTH=256
case $(uname -s) in
Linux) ;; # elsewhere the limit is not of what is mapped to be written
*) echo '1..0 # SKIP ulimit -d limits the memory of a process on Linux' && exit 0 ;;
esac

# The demo set's values, several rows of 256 as one, again and again; $2 ids in 4 languages.
make_set() { # name, ids
    npy_head '<f2' False "$(($2 * 4)), $WIDTH" >"$scratch/$1.npy"
    bytes=$(($2 * 4 * WIDTH * 2))
    while [ "$bytes" -gt 0 ]; do
        tail -c +129 tests/golden/mixed.npy | head -c "$bytes"
        bytes=$((bytes - 2457600))
    done >>"$scratch/$1.npy"
    awk -v ids="$2" 'BEGIN { print "lang,id"; split("en de fr ja", l, " ")
        for (k = 1; k <= 4; k++) for (i = 0; i < ids; i++) print l[k] "," i }' >"$scratch/$1.csv"
}

within() { # KiB, arguments...
    (
        # shellcheck disable=SC3045 # the shells of Linux have it
        ulimit -d "$1" || exit 99
        shift
        exec "$ISOGLOSS" "$@" --threads 2 -q
    ) >"$out" 2>"$err" </dev/null
    status=$?
}

# The least limit, to eight mebibytes, under which a command works on the small set; $least. It is
# looked for around that of the last command.
least=131072
find_least() { # arguments, SET for the set...
    low=65536 high=1048576 step=8192
    while [ $((high - low)) -gt 8192 ]; do
        rm -rf "$scratch/made" "$scratch/made".*
        attempt "$least" small "$@"
        if [ $status -eq 0 ]; then high=$least least=$((least - step)); else
            low=$least least=$((least + step)); fi
        step=$((step * 4))
        if [ $low -gt 65536 ] && [ $high -lt 1048576 ] || [ $least -le $low ] || [ $least -ge $high ]; then
            least=$(((low + high) / 2))
        fi
    done
    least=$high
}

attempt() { # KiB, set, arguments...
    attempt_limit=$1 attempt_set=$scratch/$2.npy
    shift 2
    for word; do
        shift
        case $word in
        SET) set -- "$@" "$attempt_set" ;;
        RUN) set -- "$@" "$scratch/run" ;;
        MADE*) set -- "$@" "$scratch/made${word#MADE}" ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    within "$attempt_limit" "$@"
}

holds() { # name arguments...
    holds_name=$1
    shift
    find_least "$@"
    rm -rf "$scratch/made" "$scratch/made".*
    attempt $((least + MORE)) large "$@"
    if [ $status -eq 0 ]; then pass "$holds_name ($((least / 1024)) MiB and $((MORE / 1024)))"; else
        fail "$holds_name ($((least / 1024)) MiB and $((MORE / 1024)))" "$(last_output)"; fi
}

within 65536 search tests/golden/mixed.npy --row 0
if [ $status -eq 1 ] && grep -q 'matrix products need .* GB in each of 2 threads' "$err"; then
    pass 'too little is told'; else fail 'too little is told' "$(last_output)"; fi

make_set small 200
make_set large 33000
works 'a run' train "$scratch/small.npy" --epochs 1 --out "$scratch/run" -q
holds 'search' search SET --row 5
holds 'search of a run' search SET --run RUN --row 5
holds 'project' project SET
holds 'project of a run, rows of length 1' project SET --run RUN --unit --json
holds 'project to svg' project SET --run RUN --svg MADE.svg
holds 'transform' transform SET --run RUN --out MADE
for method in dream centre centre+whiten abtt lir lsar leace inlp procrustes; do
    holds "train $method" train SET --method $method --epochs 1 --out MADE
done
holds 'sweep' sweep SET --method centre,lsar --holdout 0.05
holds 'render' render SET --size 100x30
holds 'render of a run' render SET --run RUN --keys '3' --size 100x30

# All pairs of rows are measured: a scan holds the rows as floats, once, and what is kept of
# each takes more than of a small dataset, but less than another copy.
# Of the same size, wider rows have fewer pairs.
MORE=229376 WIDTH=8192
make_set small 12
make_set large 940
measures=retrieval,pool,geometry,relative_alignment,mining
holds 'eval of a sample' eval SET --measures $measures --sample 400
holds 'eval' eval SET --measures $measures
finish
