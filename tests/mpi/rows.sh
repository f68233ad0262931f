#!/bin/sh
# Ranks that share the rows of a search, a map and a transform: what one rank finds.
. tests/mpi.sh
small_demo
set=$scratch/demo.npy

ranks 0
works 'a run' train "$set" --epochs 2 --batch 64 --out "$scratch/run"
each 'a row' search "$set" --row 5 --k 20 --json
each 'a row of meanings' search "$set" --run "$scratch/run" --row 7 --json
each 'a text' search "$set" --text broke --json
each 'a map' project "$set"
each 'a map of unit rows' project "$set" --run "$scratch/run" --unit --components 3
each 'a map as JSON' project "$set" --run "$scratch/run" --json

ranks 0
works 'transformed by one' transform "$set" --run "$scratch/run" --out "$scratch/t1"
works 'one file by one' transform "$set" --run "$scratch/run" --out "$scratch/t1.csv"
for n in 2 3 4; do
    ranks $n
    works "transformed by $n" transform "$set" --run "$scratch/run" --out "$scratch/t$n"
    for file in meaning.npy language.npy meta.csv; do
        same "$n ranks: the same $file" "$scratch/t1/$file" "$scratch/t$n/$file"
    done
done
works 'one file by 4' transform "$set" --run "$scratch/run" --out "$scratch/t4.csv"
same 'the same one file' "$scratch/t1.csv" "$scratch/t4.csv"

# Where all fail alike one speaks; a folder that cannot be written ends all.
ranks 3
run search "$scratch/none.npy" --row 1
says 'a file that is not there is missed' "$err" 'none.npy'
if [ "$(grep -c '^isogloss: ' "$err")" -eq 1 ]; then pass 'once'; else fail 'once' "$(cat "$err")"; fi
ranks 2
: >"$scratch/file"
run transform "$set" --run "$scratch/run" --out "$scratch/file/t"
if [ $status -ne 0 ]; then pass 'no folder there'; else fail 'no folder there'; fi
says 'and that is said' "$err" "^isogloss: .*/file: exists"
finish
