#!/bin/sh
# A set of several files that are dealt to the ranks, each of which has its own alone.
. tests/mpi.sh
small_demo
shards 4
set="$scratch/set-*.npy"

# What was read, split and measured does not depend on who read it; a method without
# partners has the same loss before the first step.
facts() { # run
    sed -n '/"data"/,/}/p' "$1/run.json"
    head -n 2 "$1/epochs.csv" | cut -d, -f1,3-5
    sort "$1/valid.csv" "$1/holdout.csv"
}
# Numbers that are more than a hundredth apart.
far() { # run run
    paste -d, "$1/epochs.csv" "$2/epochs.csv" | awk -F, 'NR > 1 { d = $3 - $(3 + NF / 2); if (d * d > 1e-4 * $3 * $3) { print; exit } }'
}

# shellcheck disable=SC2086 # what the shell makes of the pattern
{
    ranks 0
    works 'one process reads all' train "$set" --method meat --holdout 0.1 --epochs 3 --batch 96 --checkpoint 1 --out "$scratch/one"
    facts "$scratch/one" >"$scratch/expected"
    for n in 2 3 4; do
        ranks $n
        works "$n ranks" train $set --method meat --holdout 0.1 --epochs 3 --batch 96 --checkpoint 1 --out "$scratch/by$n"
        facts "$scratch/by$n" >"$scratch/facts"
        rule "$n ranks: the same set, split and losses before" differ "$scratch/expected" "$scratch/facts"
        rule "$n ranks: nearly the same losses" far "$scratch/one" "$scratch/by$n"
    done
}
for n in 2 3; do
    ranks $n
    works "again by $n" train "$set" --method meat --holdout 0.1 --epochs 3 --batch 96 --checkpoint 1 --out "$scratch/again$n"
    same 'the same bytes' "$scratch/by$n/meaning.weight.npy" "$scratch/again$n/meaning.weight.npy"
done
for n in 2 0; do
    ranks $n
    works "gone on with by $n" train "$set" --resume "$scratch/by3" --epochs 4 --out "$scratch/on$n"
    says "to the end" "$scratch/on$n/epochs.csv" '^4,'
done

# Maps and rows are those of the whole set.
each 'a map of unit rows' project "$set" --run "$scratch/one" --unit --json
each 'a map' project "$set" --run "$scratch/one"
if [ "$(wc -l <"$out")" -eq 2401 ]; then pass 'of all rows'; else fail 'of all rows' "$(wc -l <"$out")"; fi
ranks 0
works 'rows by one' transform "$set" --run "$scratch/one" --dtype f16 --out "$scratch/t1"
ranks 3
works 'rows by 3' transform "$set" --run "$scratch/one" --dtype f16 --out "$scratch/t3"
for file in meaning.npy language.npy meta.csv; do
    same "the same $file" "$scratch/t1/$file" "$scratch/t3/$file"
done

# The nearest rows of a row that one of them has, and of a vector.
each 'a row' search "$set" --run "$scratch/one" --row 700 --json
{
    npy_head '<f4' False '256,'
    # shellcheck disable=SC2046 # numbers
    floats $(seq 64 | sed "s/.*/1 0.5 -1 2/")
} >"$scratch/v.npy"
each 'a vector' search "$set" --vector "$scratch/v.npy" --json

# A rank has its own files alone, when both train.
start 2 train "$set" --epochs 100000 --patience 0 --batch 64 --out "$scratch/long"
until_true grep -q '^epoch 0/' "$err"
maps=$(grep -h -o 'set-.\.npy' "/proc/$(cat "$scratch/pid.0")/maps" | sort -u | tr '\n' ' ')
others=$(grep -h -o 'set-.\.npy' "/proc/$(cat "$scratch/pid.1")/maps" | sort -u | tr '\n' ' ')
kill_rank 1
if [ "$maps|$others" = 'set-1.npy set-2.npy set-3.npy |set-4.npy ' ] || [ "$maps|$others" = 'set-1.npy set-2.npy |set-3.npy set-4.npy ' ]; then
    pass 'each maps its own'
else
    fail 'each maps its own' "$maps|$others"
fi

# What cannot be dealt.
ranks 4
works 'a method that needs all rows at once' train "$set" --method lir --out "$scratch/lir"
works 'a sample of them' train "$set" --limit 60 --epochs 1 --batch 16 --out "$scratch/limit"
rm "$scratch/set-4.npy"
run train "$set" --out "$scratch/no"
says 'more ranks than files' "$err" '^isogloss: 3 files are dealt to 4 ranks'
ranks 3
sed '/^en,7,/s/^en,7,/en,31,/' "$scratch/set-1.csv" >"$scratch/spread.csv"
mv "$scratch/spread.csv" "$scratch/set-1.csv"
run train "$set" --out "$scratch/no"
says 'an id in two files' "$err" 'set-1.npy and .*set-2.npy both have rows of the id 31: '
head -n 100 "$scratch/set-2.csv" >"$scratch/short" && mv "$scratch/short" "$scratch/set-2.csv"
run train "$set" --out "$scratch/no"
says 'a file that one rank cannot read' "$err" '^isogloss: rank 1 on .*set-2.npy has 240 rows but'
if [ "$(grep -c '^isogloss: ' "$err")" -eq 1 ]; then pass 'said once'; else fail 'said once' "$(cat "$err")"; fi
finish
