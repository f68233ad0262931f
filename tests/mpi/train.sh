#!/bin/sh
# Ranks that train together: as one rank with the same batch, and the same bytes again.
. tests/mpi.sh
small_demo
set=$scratch/demo.npy
all='seed dream meat intra inter dream+oracle-code oracle structure'
means='seed dream meat intra inter' # whose terms are means over rows

# The first difference of a column of losses or measures between two runs that is over
# 1e-5. The bias of `inter` cancels out of its terms, so that rounding alone leads it, and
# the measures of meanings with it.
apart() { # run run
    paste -d, "$1/epochs.csv" "$2/epochs.csv" | awk -F, -v bias="$(grep -c '"method": "inter"' "$1/run.json")" '
    NR == 1 { n = NF / 2; for (i = 1; i <= n; i++) name[i] = $i; next }
    { for (i = 1; i <= n; i++) {
        if (name[i] ~ /second/ || $i == $(i + n)) continue
        if (bias && name[i] ~ /^live_/) continue
        d = $i - $(i + n); d = d < 0 ? -d : d
        s = $i < 0 ? -$i : $i
        if (d > 1e-5 * (s > 1 ? s : 1)) { print "epoch " $1 ", " name[i] ": " $i " and " $(i + n); exit }
    } }'
}

# What is in a run but for the clock.
timeless() { # run
    cut -d, -f1-5,8- "$1/epochs.csv"
}

for method in $means; do
    ranks 0
    works "$method alone" train "$set" --overwrite --method "$method" --epochs 3 --batch 100 --threads 1 --out "$scratch/one"
    for n in $([ $method != seed ] || echo 2) 3; do
        ranks $n
        works "$method by $n" train "$set" --overwrite --method "$method" --epochs 3 --batch 100 --out "$scratch/by$n"
        rule "$method by $n as alone" apart "$scratch/one" "$scratch/by$n"
    done
done
if cmp -s "$scratch/one/meaning.weight.npy" "$scratch/by3/meaning.weight.npy"; then
    fail 'sums in another order have other bytes' 'is it one rank that trains?'
else
    pass 'sums in another order have other bytes'
fi

# Terms over a batch are taken within a rank.
for method in $all; do
    case " $means " in *" $method "*) continue ;; esac
    ranks 3
    works "$method by 3" train "$set" --overwrite --method "$method" --epochs 2 --batch 60 --out "$scratch/by3"
    says "$method: of each rank" "$out" 'taken within each of 3'
done

# The same again, and with threads.
ranks 3
works 'once more' train "$set" --overwrite --method meat --epochs 3 --batch 100 --out "$scratch/again"
works 'and again' train "$set" --overwrite --method meat --epochs 3 --batch 100 --out "$scratch/by3"
for file in "$scratch/again"/*.npy; do
    same "the same bytes of ${file##*/}" "$file" "$scratch/by3/${file##*/}"
done
rule 'the same figures' cmp "$(timeless "$scratch/again" >"$scratch/a" && echo "$scratch/a")" "$(timeless "$scratch/by3" >"$scratch/b" && echo "$scratch/b")"
says 'the run tells its ranks' "$scratch/again/run.json" '"ranks": 3'
ranks 2 OMP_NUM_THREADS=2
works 'two threads each' train "$set" --overwrite --epochs 2 --batch 64 --out "$scratch/threads"
ranks 0
works 'alone' train "$set" --overwrite --epochs 2 --batch 64 --out "$scratch/one"
rule 'as alone' apart "$scratch/one" "$scratch/threads"

# More ranks than pairs of the last batches, and closed forms.
ranks 4
works 'a batch of 3 pairs by 4' train "$set" --overwrite --epochs 1 --batch 3 --out "$scratch/few"
ranks 0
works 'by one' train "$set" --overwrite --epochs 1 --batch 3 --out "$scratch/one"
rule 'as by one' apart "$scratch/one" "$scratch/few"
for method in centre lir leace; do
    ranks 3
    works "$method by 3" train "$set" --overwrite --method $method --out "$scratch/closed"
    ranks 0
    works "$method by one" train "$set" --overwrite --method $method --out "$scratch/one"
    rule "$method as by one" apart "$scratch/one" "$scratch/closed"
done

# One that diverges ends on all.
ranks 3
run train "$set" --overwrite --lr 1e30 --epochs 3 --batch 100 --out "$scratch/wild"
says 'a loss that is not finite' "$err" 'is not finite in epoch'
finish
