#!/bin/sh
# Ranks of one thread each, by one and by two of them, the best of several times; and from
# that, on paper, what nodes of many would do. Run by `make MPI=1 bench BENCH=mpi`.
. tests/mpi.sh
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
bench=${program%/*}/bench

# rows × dims of random int8, in some languages, as $scratch/NAME.npy and .csv.
random_set() { # name languages ids dims first-id
    npy_head '|i1' False "$(($2 * $3)), $4" >"$scratch/$1.npy"
    head -c $(($2 * $3 * $4)) /dev/urandom >>"$scratch/$1.npy"
    awk -v k="$2" -v n="$3" 'BEGIN { print "lang,id"; for (l = 1; l <= k; l++) for (i = 0; i < n; i++) print "l" l "," i + '"${5:-0}"' }' >"$scratch/$1.csv"
}

# Of a training: seconds of a batch, the fastest epoch's.
batch_time() { # ranks batch set
    ranks "$1"
    rm -rf "$scratch/run"
    run train "$3" --epochs 4 --batch "$2" --valid 0 --json --quiet --out "$scratch/run"
    [ $status -eq 0 ] || { told >&2 && exit 1; }
    sed -n 's/.*"pairs_per_second": *\([0-9.e+]*\).*/\1/p' "$out" | awk -v b="$2" '$1 > best { best = $1 } END { printf "%.6f\n", b / best }'
}

# Of a command: seconds, the fastest of three.
seconds() { # ranks arguments...
    ranks "$1"
    shift
    for turn in 1 2 3; do
        : "$turn"
        began=$(date +%s%N)
        run "$@"
        [ $status -eq 0 ] || { told >&2 && exit 1; }
        echo $(($(date +%s%N) - began))
    done | sort -n | awk 'NR == 1 { printf "%.3f\n", $1 / 1e9 }'
}

sums() { # environment...
    # shellcheck disable=SC2086 # words of a command
    env "$@" $MPIRUN $job -n 2 "$bench" mpi | grep '^sum'
}

dims=1024
random_set wide 2 8192 $dims
random_set part-1 2 4096 $dims
random_set part-2 2 4096 $dims 4096
random_set two 2 16000 256
random_set eight 8 4000 256
one=$(batch_time 0 512 "$scratch/wide.npy")
two=$(batch_time 2 1024 "$scratch/wide.npy")
dealt=$(batch_time 2 1024 "$scratch/part-*.npy")
echo "a batch of 512 pairs of seed, d = $dims, 1 thread      $one s"
echo "$one $two $dealt" | awk '{
    printf "by 2 ranks of 512 pairs each, of one file             %s s   %.2f times as many pairs a second\n", $2, 2 * $1 / $2
    printf "by 2 ranks of 512 pairs each, of a file each          %s s   %.2f times as many\n", $3, 2 * $1 / $3 }'
for set in two eight; do
    a=$(seconds 0 eval "$scratch/$set.npy" --measures retrieval,geometry --json --quiet)
    b=$(seconds 2 eval "$scratch/$set.npy" --measures retrieval,geometry --json --quiet)
    echo "$set $a $b" | awk '{ printf "eval of 32,000 rows of %s languages, 1 rank and 2     %s s and %s s: %.2f times as fast\n", $1, $2, $3, $2 / $3 }'
done
echo "of that, to start and to end: $(seconds 0 info --json) s and $(seconds 2 info --json) s"
sums "IG=memory" >"$scratch/memory"
sums OMPI_MCA_btl=tcp,self >"$scratch/tcp"
for way in memory tcp; do
    awk -v way=$way '{ printf "a sum of %d floats over 2 ranks by %-6s          %.2f ms   %.2f GB/s\n", $2, way, 1e3 * $3, 4e-9 * $2 / $3 }' "$scratch/$way"
done
sync "$scratch/wide.npy"
dd if="$scratch/wide.npy" of=/dev/null bs=4M iflag=direct 2>&1 | tail -n 1 | sed 's/^/reading a file past the cache: /'

# Nodes of two sockets of 16 such cores, a rank each with 512 pairs of its own files; 0.8 of
# what 16 threads would do at their best; a network of 10 GB/s a node; a gradient is summed
# in a ring of the nodes, 2 (N - 1) / N of it, after one sum in memory.
echo "$one $(awk '$2 == 1048576 { print $3 }' "$scratch/memory")" | awk '{
    for (nodes = 1; nodes <= 64; nodes *= nodes == 1 ? 16 : 4) {
        work = $1 / (0.8 * 16)
        sum = $2 + 2 * (nodes - 1) / nodes * 4 * 1024 * 1025 / 1e10
        rate = nodes * 1024 / (work + sum)
        printf "%2d nodes: a batch of %6d pairs: products %.1f ms, sum %.1f ms; %.2f million pairs a second, %.1f GB/s read a node; an epoch of 1e7 %.0f s, 1e8 %.0f s, 1e9 %.0f s\n", \
            nodes, nodes * 1024, 1e3 * work, 1e3 * sum, rate / 1e6, rate / nodes * 4096 / 1e9, 1e7 / rate, 1e8 / rate, 1e9 / rate
    }
}'
