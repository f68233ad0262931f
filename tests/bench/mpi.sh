#!/bin/sh
# Two processes of one thread against one process of two threads, by the clock, the best of
# several. Run by `make MPI=1 bench BENCH=mpi`.
. tests/mpi.sh

# rows × dims of random int8 in some languages, as $scratch/NAME.npy and .csv.
random_set() { # name languages ids dims
    npy_head '|i1' False "$(($2 * $3)), $4" >"$scratch/$1.npy"
    head -c $(($2 * $3 * $4)) /dev/urandom >>"$scratch/$1.npy"
    awk -v k="$2" -v n="$3" 'BEGIN { print "lang,id"; for (l = 1; l <= k; l++) for (i = 0; i < n; i++) print "l" l "," i }' >"$scratch/$1.csv"
}

# Of a training: milliseconds of a batch, the fastest epoch's.
batch_time() { # ranks threads
    ranks "$1"
    rm -rf "$scratch/run"
    run train "$scratch/wide.npy" --epochs 6 --valid 0 --threads "$2" --json --quiet --out "$scratch/run"
    [ $status -eq 0 ] || { told >&2 && exit 1; }
    sed -n 's/.*"pairs_per_second": *\([0-9.e+]*\).*/\1/p' "$out" | awk '$1 > best { best = $1 } END { printf "%.2f\n", 512e3 / best }'
}

# Of an evaluation: milliseconds, the fastest of three, with the start of the processes.
eval_time() { # ranks threads
    ranks "$1"
    for turn in 1 2 3; do
        : "$turn"
        began=$(date +%s%N)
        run eval "$scratch/eight.npy" --measures retrieval,geometry --threads "$2" --json --quiet
        [ $status -eq 0 ] || { told >&2 && exit 1; }
        echo $(($(date +%s%N) - began))
    done | sort -n | awk 'NR == 1 { printf "%.0f\n", $1 / 1e6 }'
}

random_set wide 2 8192 768
random_set eight 8 4000 256
for what in batch_time eval_time; do
    case $what in
    batch_time) name='seed, 768 dimensions, a batch of 512' ;;
    eval_time) name='eval of 32,000 rows in 8 languages' ;;
    esac
    one=$($what 0 2) two=$($what 2 1)
    echo "$one $two" | awk -v name="$name" '{
        printf "%-40s  2 threads %8s ms   2 processes %8s ms   ratio %.2f\n", name, $1, $2, $2 / $1 }'
done
