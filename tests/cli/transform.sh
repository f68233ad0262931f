#!/bin/sh
# isogloss transform: the arrays of a run that can be reckoned by hand, the table, and
# what may not be written over.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
set=$scratch/set.npy

# The mean of en is (2, 0), that of de (0, 2).
npy_head '<f4' False '4, 2' >"$set"
floats 1 0 3 0 0 1 0 3 >>"$set"
printf 'lang,id,text,topic\nen,a," x, ""y""",1\nen,b,,2\nde,a,"zwei\nZeilen",1\nde,b,ü,2\n' \
    >"$scratch/set.csv"
works 'a run' train "$set" --method centre --valid 0 --out "$scratch/run" -q

works 'transform' transform "$set" --run "$scratch/run" --out "$scratch/split"
says 'it is printed' "$out" 'meaning.npy, language.npy and meta.csv, 4 rows by centre'
works 'the meanings open' project "$scratch/split/meaning.npy" --meta "$scratch/split/meta.csv" --components 1
npy_head '<f4' False '4, 2' >"$scratch/want"
floats -1 0 1 0 0 -1 0 1 >>"$scratch/want"
tail -c 32 "$scratch/want" >"$scratch/want.values"
tail -c 32 "$scratch/split/meaning.npy" >"$scratch/got.values"
if cmp -s "$scratch/want.values" "$scratch/got.values"; then pass 'meanings by hand'; else
    fail 'meanings by hand' "$(od -f "$scratch/got.values")"; fi
floats 2 0 2 0 0 2 0 2 >"$scratch/want.values"
tail -c 32 "$scratch/split/language.npy" >"$scratch/got.values"
if cmp -s "$scratch/want.values" "$scratch/got.values"; then pass 'language embeddings by hand'; else
    fail 'language embeddings by hand' "$(od -f "$scratch/got.values")"; fi
works 'halves' transform "$set" --run "$scratch/run" --out "$scratch/halves" --dtype f16
{
    npy_head '<f2' False '4, 2'
    printf '\000\274\000\000\000\074\000\000\000\000\000\274\000\000\000\074'
} | tail -c 16 >"$scratch/want.values"
tail -c 16 "$scratch/halves/meaning.npy" >"$scratch/got.values"
if cmp -s "$scratch/want.values" "$scratch/got.values"; then pass 'halves by hand'; else
    fail 'halves by hand' "$(od -x "$scratch/got.values")"; fi
works 'halves open' project "$scratch/halves/language.npy" --meta "$scratch/halves/meta.csv" --components 1
fails 'halves of one file' 2 '--dtype f16 needs a folder' transform "$set" --run "$scratch/run" --out "$scratch/one.csv" --dtype f16

# What the meanings leave of the vectors comes with them, by one product.
for i in 1 2 3 4 5 6 7 8 9 10; do
    printf 'en,%s,%s,%s\nde,%s,%s,%s\n' $i $i $((i * i % 7)) $i $((i % 3)) $((i * 5 % 11))
done | { echo lang,id,v0,v1; cat; } >"$scratch/ten.csv"
works 'a run with weights' train "$scratch/ten.csv" --epochs 2 --batch 4 --out "$scratch/linear" -q
works 'its arrays' transform "$scratch/ten.csv" --run "$scratch/linear" --out "$scratch/sum"
for space in meaning language; do
    od -An -v -tf4 -w8 -j128 "$scratch/sum/$space.npy" >"$scratch/$space.txt"
done
paste "$scratch/meaning.txt" "$scratch/language.txt" |
    awk '{ printf "%.3f %.3f\n", $1 + $3, $2 + $4 }' | sed 's/-0.000/0.000/g' >"$scratch/got.txt"
awk -F, 'NR > 1 { printf "%.3f %.3f\n", $3, $4 }' "$scratch/ten.csv" >"$scratch/want.txt"
if cmp -s "$scratch/want.txt" "$scratch/got.txt"; then pass 'meanings and the rest are the vectors'; else
    fail 'meanings and the rest are the vectors' "$(paste "$scratch/want.txt" "$scratch/got.txt")"; fi

if cmp -s "$scratch/set.csv" "$scratch/split/meta.csv"; then pass 'the table is the same'; else
    fail 'the table is the same' "$(diff "$scratch/set.csv" "$scratch/split/meta.csv")"; fi
works '--json' transform "$set" --run "$scratch/run" --out "$scratch/json" --json
says 'rows' "$out" '"rows": 4'

# One file of all, by its ending.
for name in t.npz t.tsv; do
    fails "no $name" 2 "$name: transform writes a folder of .npy files, or one .jsonl or .csv" \
        transform "$set" --run "$scratch/run" --out "$scratch/$name"
done
works 'meaning embeddings' search "$scratch/json/meaning.npy" --meta "$scratch/json/meta.csv" --row 0 --json
mv "$out" "$scratch/wanted"
for ending in jsonl csv; do
    works ".$ending" transform "$set" --run "$scratch/run" --out "$scratch/t.$ending"
    works 'it opens' search "$scratch/t.$ending" --row 0 --json
    if cmp -s "$scratch/wanted" "$out"; then pass 'the same rows'; else
        fail 'the same rows' "$(diff "$scratch/wanted" "$out")"; fi
done
says 'an embedding as numbers' "$scratch/t.jsonl" \
    '^{"lang": "en", .*"embedding": \[-1, 0\], "language": \[2, 0\]}$'
rm -f "$scratch"/t.*

fails 'no run' 2 'transform needs --run RUN' transform "$set" --out "$scratch/none"
fails 'no folder' 2 'transform needs --out DIR' transform "$set" --run "$scratch/run"
fails 'a folder with other things' 1 "$scratch/split" \
    transform "$set" --run "$scratch/run" --out "$scratch/split"
fails 'a run that is none' 1 'nowhere' transform "$set" --run "$scratch/nowhere" --out "$scratch/none"
if [ -e "$scratch/none" ]; then fail 'nothing is left behind' "$(ls "$scratch")"; else
    pass 'nothing is left behind'; fi

works 'a run without language embeddings' train "$set" --method baseline --out "$scratch/base" -q
works 'its meanings alone' transform "$set" --run "$scratch/base" --out "$scratch/alone"
if [ -e "$scratch/alone/language.npy" ]; then fail 'no language.npy'; else pass 'no language.npy'; fi

# A path of an objective that is longer than a name: in the explorer as everywhere.
deep=$scratch/$(printf 'd%.0s' $(seq 150))/$(printf 'e%.0s' $(seq 150))
mkdir -p "$deep"
cp assets/objectives/seed.objective "$deep/own.objective"
works 'a long path of an objective' render "$set" --method "$deep/own.objective" --epochs 1 \
    --keys ' ' --size 100x24
says 'is trained' "$out" 'epoch 1'
finish
