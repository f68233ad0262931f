#!/bin/sh
# Everything twice, with the same seed and threads: the same bytes, but for times. With
# RANKS=N also by N ranks, whose sums are made in another order than one rank's.
. tests/mpi.sh

RANKS=${RANKS:-0}
small_demo 60
set=$scratch/demo.npy
ranks "$RANKS"
# Ranks have threads of their own number (tests/mpi.sh).
if [ "$RANKS" -gt 0 ]; then threads=; else threads='--threads 2'; fi

# What two runs hold, without the seconds that they took.
show() { # directory
    for file in "$1"/*; do
        echo "== ${file##*/}"
        case $file in
        */epochs.csv) cut -d, -f1-5,8- "$file" ;;
        */run.json) sed '/"seconds":/d' "$file" ;;
        *) cksum <"$file" ;;
        esac
    done
}

# A command twice: what it prints, and the file or folder OUT that it writes.
twice() { # name, OUT or "", arguments...
    twice_name=$1 twice_out=$2
    shift 2
    for time in 1 2; do
        # shellcheck disable=SC2086 # a word, or none
        works "$twice_name, $time" "$@" $threads -q
        sed '/"seconds": {/,/}/d; s/"seconds[a-z_]*": [^,}]*//g; /"pairs_per_second":/d' "$out" >"$scratch/said$time"
        [ -z "$twice_out" ] || mv "$twice_out" "$scratch/wrote$time" || return
    done
    same "$twice_name: the same words" "$scratch/said1" "$scratch/said2"
    [ -n "$twice_out" ] || return 0
    if [ -d "$scratch/wrote1" ]; then
        show "$scratch/wrote1" >"$scratch/said1"
        show "$scratch/wrote2" >"$scratch/said2"
    else
        for time in 1 2; do # a PDF tells when it was made
            LC_ALL=C sed -e /CreationDate/d -e '/^%<!-- isogloss/d' "$scratch/wrote$time" >"$scratch/said$time"
        done
    fi
    succeeds "$twice_name: is written" [ -s "$scratch/said1" ]
    same "$twice_name: the same bytes" "$scratch/said1" "$scratch/said2"
    rm -rf "$scratch/wrote1" "$scratch/wrote2"
}

# A width that no kernel of a BLAS divides, and batches whose last is not full.
forms='svg png pdf'
methods=$("$program" objectives | awk '{ print $1 }')
# One rank alone fits closed forms and draws.
[ "$RANKS" -eq 0 ] || methods='seed dream meat oracle structure centre' forms=svg
for method in $methods; do
    twice "$method" "$scratch/run" train "$set" --dims 67 --method "$method" --epochs 2 \
        --batch 100 --json --out "$scratch/run"
done

works 'a run' train "$set" --epochs 2 --batch 100 --out "$scratch/kept" -q
by="--run $scratch/kept"
# shellcheck disable=SC2086 # two words
{
    twice 'eval' '' eval "$set" $by --json --ci
    twice 'eval of a training' '' eval "$set" --method seed --epochs 1 --format csv
    twice 'the report' "$scratch/r.html" eval "$set" $by --report "$scratch/r.html" --format csv
    twice 'project' '' project "$set" $by
    twice 'project, rows of length 1' '' project "$set" $by --unit --components 5 --json
    for form in $forms; do
        twice "project to $form" "$scratch/map.$form" project "$set" $by --$form "$scratch/map.$form"
    done
    twice 'search' '' search "$set" $by --row 3 --json
    twice 'transform' "$scratch/split" transform "$set" $by --out "$scratch/split"
    for form in jsonl csv; do
        twice "transform to $form" "$scratch/split.$form" transform "$set" $by --out "$scratch/split.$form"
    done
}
if [ "$RANKS" -eq 0 ]; then
    twice 'sweep' "$scratch/sweep/seed-lr=1e-3-s2" sweep "$set" --method seed --lr 1e-3,1e-4 \
        --seed 1,2 --epochs 2 --json --overwrite --out "$scratch/sweep"
    works 'render' render "$set" --epochs 2 --keys '<space>' --size 100x30 --threads 2
    cp "$out" "$scratch/said1"
    works 'render again' render "$set" --epochs 2 --keys '<space>' --size 100x30 --threads 2
    cp "$out" "$scratch/said2"
    same 'render: the same frame' "$scratch/said1" "$scratch/said2"
fi
finish
