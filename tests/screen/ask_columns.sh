#!/bin/sh
# A table without a column lang: which columns hold what is asked on the terminal.
. tests/screen.sh

set=$scratch/set.csv
{
    printf 'satz,nr,sprache,v0,v1\n'
    for i in 1 2 3; do
        printf 'Guten Morgen %s,%s,de,0.5,%s\nGood \033[31mmorning %s,%s,en,%s,0.5\n' $i $i $i $i $i $i
    done
} >"$set"
opens() {
    terminal 150 30
    type_in "isogloss $set"
    await 'the language of each row? \[3, q\]'
}

opens
shows 'the columns are listed with examples' '^ *3 sprache  *de, en$'
shows 'control characters are made visible' 'Guten Morgen 1, Good ␛\[31m'
keys 9 Enter
shows 'a wrong answer is asked again' 'a number from 1 to 3 or a name'
keys Enter
shows 'values once per language are ids' 'translations of each other? \[2, none\]'
keys 3 Enter
shows 'a column with a role is named' 'a name of another column, as this one is chosen'
type_in nr
shows 'long values are the sentence' 'the sentence? \[1, none\]'
keys Enter
shows 'the set opens' 'set · 6 rows'
keys q
shows 'and says the command line' 'Next time: isogloss .*set.csv --column lang=sprache --column id=nr --column text=satz'

# Records and archives without it are asked about in the same way.
for i in 1 2 3; do
    printf '{"text": "Guten Morgen %s", "sprache": "de", "nr": %s, "embedding": [0.5, %s]}\n' $i $i $i
    printf '{"text": "Good morning %s", "sprache": "en", "nr": %s, "embedding": [%s, 0.5]}\n' $i $i $i
done >"$scratch/rows.jsonl"
python3 - "$scratch/rows" "$scratch/m.npy" <<'END'
import json, sys, zipfile
rows = [json.loads(line) for line in open(sys.argv[1] + ".jsonl")]
def npy(type, shape, data):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (type, shape)
    return b"\x93NUMPY\1\0v\0" + head.ljust(117).encode() + b"\n" + data
matrix = npy("|u1", "(6, 2)", bytes(range(12)))
open(sys.argv[2], "wb").write(matrix)
with zipfile.ZipFile(sys.argv[1] + ".npz", "w") as z:
    z.writestr("m.npy", matrix)
    z.writestr("sprache.npy", npy("|S2", "(6,)", b"deen" * 3))
    z.writestr("nr.npy", npy("|u1", "(6,)", bytes([1, 1, 2, 2, 3, 3])))
END
for file in rows.jsonl rows.npz; do
    terminal 150 30
    type_in "isogloss $scratch/$file"
    await 'the language of each row? \[1, q\]'
    keys Enter
    shows "ids of $file" 'translations of each other? \[2, none\]'
    keys Enter
    [ $file = rows.jsonl ] || keys Enter
    shows "$file opens" 'rows · 6 rows'
    keys q
    shows "with its command line: $file" 'Next time: isogloss .*--column lang=sprache --column id=nr'
done

# A file that the converter reads: asked, and converted by it.
printf 'PAR1....PAR1' >"$scratch/taken.parquet"
{
    echo '#!/bin/sh'
    echo "echo \"ran \${1##*/} \${2##*/} \${3##*/}\"; cp '$scratch/m.npy' \"\$3\"; cp '$scratch/m.csv' '$scratch/taken.csv'"
} >"$scratch/bin/python3"
chmod +x "$scratch/bin/python3"
printf 'lang,id\nen,1\nde,1\nen,2\nde,2\nen,3\nde,3\n' >"$scratch/m.csv"
terminal 300 30
for answer in n y; do
    type_in "clear; isogloss $scratch/taken.parquet"
    shows 'a file of another format is named' 'taken.parquet: is a Parquet file'
    await 'Convert it now, to .*taken.npy? \[n, y\]'
    type_in $answer
    [ $answer = y ] || shows 'no: it ends' '^ready> *$'
done
shows 'it opens when it is converted' 'taken · 6 rows'
keys q
shows 'by the converter, with both files' 'ran convert.py taken.parquet taken.npy$'
printf '\200\004pickle' >"$scratch/any.pkl"
cp "$scratch/any.pkl" "$scratch/a=b.pkl"
mkdir "$scratch/empty"
type_in "clear; isogloss $scratch/any.pkl"
await 'Convert it now, running any code that it holds, to .*any.npy? \[n, y\]'
keys Enter
for word in en=$scratch/any.pkl "$scratch/a=b.pkl" $scratch/empty; do
    type_in "clear; isogloss $word; echo status \$?"
    shows "nothing is asked: ${word##*/}" 'status [12]$'
    gone "nor said: ${word##*/}" 'Convert it now'
done
rm "$scratch/bin/python3"

for key in q Escape C-d; do
    opens
    keys $key
    [ $key = C-d ] || keys Enter
    shows "$key cancels with the error" 'isogloss: .*no column lang; --column lang=NAME'
    type_in 'echo status $?'
    shows "and its status: $key" 'status 1$'
done
type_in "clear; isogloss $set </dev/null; echo status \$?"
shows 'without a terminal nothing is asked' 'status 1$'
gone 'but the error comes' 'Which column'
finish
