#!/bin/sh
# Ranks that share an evaluation: the figures of one rank.
. tests/mpi.sh
small_demo 60
set=$scratch/demo.npy

ranks 0
works 'a run' train "$set" --epochs 2 --batch 64 --out "$scratch/run"
several='2 3'
each 'all measures' eval "$set" --run "$scratch/run" --split all --ci --json --quiet
several=
each 'of the held-out' eval "$set" --run "$scratch/run" --json --quiet
each 'with columns' eval "$set" --format csv --quiet
each 'a sample' eval "$set" --run "$scratch/run" --split all --sample 200 --json --quiet
ranks 3 OMP_NUM_THREADS=2
works 'threads' eval "$set" --run "$scratch/run" --split all --ci --json --quiet
ranks 0
cp "$out" "$scratch/threads"
works 'alone' eval "$set" --run "$scratch/run" --split all --ci --json --quiet
rule 'threads of ranks as alone' differ "$out" "$scratch/threads"

# A report is the first rank's.
ranks 2
works 'a report' eval "$set" --run "$scratch/run" --report "$scratch/report.html" --quiet
says 'written whole' "$scratch/report.html" '</html>'

# Two languages.
{
    npy_head '<f2' False '120, 256'
    tail -c +$((129 + $(npy_head '<f2' False '480, 256' | wc -c) - 128)) "$set" | head -c $((120 * 512))
} >"$scratch/two.npy"
head -n 121 "$scratch/demo.csv" >"$scratch/two.csv"
each 'two languages' eval "$scratch/two.npy" --json --quiet
finish
