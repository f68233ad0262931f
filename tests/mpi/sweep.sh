#!/bin/sh
# Ranks that take a run of a sweep each: the table of one process, in its order.
. tests/mpi.sh
small_demo
# All but the seconds, which are a column by name.
timeless() { # table
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) skip[i] = $i ~ /second/ } { line = ""; for (i = 1; i <= NF; i++) if (!skip[i]) line = line $i ","; print line }' "$1"
}

ranks 0
works 'by one' sweep "$scratch/demo.npy" --method seed,meat --seed 1,2,3 --epochs 1 --batch 64 --ci --format csv --out "$scratch/one"
timeless "$out" >"$scratch/expected"
for n in 2 4; do
    ranks $n
    works "by $n" sweep "$scratch/demo.npy" --method seed,meat --seed 1,2,3 --epochs 1 --batch 64 --ci --format csv --out "$scratch/by$n"
    timeless "$out" >"$scratch/table"
    same "by $n: the same table" "$scratch/expected" "$scratch/table"
done
same 'the runs are those of one process' "$scratch/one/meat-s3/meaning.weight.npy" "$scratch/by4/meat-s3/meaning.weight.npy"

# A table by language pair: the values of every run, in the order of one process.
for n in 0 3; do
    ranks $n
    works "by pair by $n" sweep "$scratch/demo.npy" --method seed,meat --seed 1,2 --epochs 1 --batch 64 --by pair --format csv -q
    cp "$out" "$scratch/pairs.$n"
done
same 'the same table by pair' "$scratch/pairs.0" "$scratch/pairs.3"

# A run that fails is told by the first rank, and the others go on.
run sweep "$scratch/demo.npy" --lr 1e-4,1e30 --seed 1,2 --epochs 1 --batch 64 --format csv
exits 'one that fails' 1
says 'is told' "$err" '^isogloss: .*is not finite in epoch'
if [ "$(grep -c '^' "$out")" -eq 5 ]; then pass 'and has its row'; else fail 'and has its row' "$(cat "$out")"; fi

# Versions: each is measured, and trained on, as by one process.
for n in 0 3; do
    ranks $n
    works "all versions measured by $n" eval demo-layers --dims 16 --measures top1,uniformity --format csv -q
    cp "$out" "$scratch/eval.$n"
    works "and trained on" sweep demo-layers --dims 16 --method centre,seed --epochs 1 --format csv -q
    timeless "$out" >"$scratch/sweep.$n"
done
for table in eval sweep; do
    same "$table: the same of versions" "$scratch/$table.0" "$scratch/$table.3"
done
says '13 versions' "$scratch/sweep.3" '^seed,12,'
finish
