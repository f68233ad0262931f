#!/bin/sh
# isogloss info DATA: what a set holds, as text and as JSON; and sets that are none.
. tests/cli.sh
root=$PWD
cd "$scratch" || exit 1

works 'a table with vectors' info "$root/tests/screen/data/topics.csv"
says 'its name' "$out" '^dataset  *topics$'
says 'its rows' "$out" '^rows  *40$'
says 'its dimensions' "$out" '^dimensions 5$'
says 'what its vectors take' "$out" '^vectors  *800 bytes$'
says 'its file' "$out" '^files .*/topics.csv: 40 x 5, float32, read into memory$'
says 'how many languages' "$out" '^languages  *4$'
says 'the rows of each' "$out" '^  *en 10, de 10, ar 10, ja 10$'
says 'its ids' "$out" '^ids  *10$'
says 'their pairs' "$out" '^pairs  *30 of 10 meanings: en with the others$'
says 'its texts' "$out" '^texts  *40$'
says 'its labels' "$out" '^labels  *topic (4 values)$'
if grep -q '^note\|^map\|^encoder' "$out"; then fail 'nothing else' "$(cat "$out")"; else pass 'nothing else'; fi
works 'some of it' info "$root/tests/screen/data/topics.csv" --limit 5 --dims 3 --pairing de-ja
says 'a sample' "$out" '^rows  *20, sampled from 40$'
says 'the first columns' "$out" '^dimensions 3, the first of 5$'
says 'the pairs that are asked for' "$out" '^pairs  *5 of 5 meanings$'
works 'rows without ids' info "$root/tests/screen/data/unpaired.csv"
says 'no ids' "$out" '^ids  *none$'
says 'why there are no pairs' "$out" '^pairs  *none: unpaired has no ids'
works 'sixty languages' info "$root/tests/screen/data/many.csv"
says 'their list is wrapped' "$out" '^  *kbc_Latn 3, lbc_Latn 3, .*,$'
if awk 'length > 79' "$out" | grep -v '^files' | grep -q .; then fail 'a line fits 80 columns' "$(cat "$out")"; else
    pass 'a line fits 80 columns'; fi

# A matrix in its own file, with everything that is worth a note.
{ npy_head '<f4' False '5, 2' && floats 1 0 0 0 1 1 2 0 0 2; } >set.npy
printf 'lang,id,text,x,y\nen,a,one,1,2\nen,a,,1,2\nde,a,eins,3,4\nde,b,zw\344i,5,6\nja,c,san,1,1\n' >set.csv
printf '{"isogloss": "encode", "encoder": "http://localhost/v1", "model": "m1", "prefix": "query: "}\n' >set.json
works 'a matrix with its table' info set.npy
says 'its path is unchanged' "$out" '^files  *set.npy: 5 x 2, float32$'
says 'its encoder' "$out" '^encoder  *m1$'
says 'a row that is zero' "$out" '^note  *1 row is a zero vector$'
says 'a text that is empty' "$out" '^note  *1 row has an empty text$'
says 'a text that is Latin-1' "$out" '^note  *1 row has a text that is not UTF-8$'
says 'an id twice' "$out" '^note  *1 row repeats an id of its language$'
says 'a language of one row' "$out" '^note  *1 language has a single row$'
says 'a ready map' "$out" '^map  *columns x, y$'
if [ -s "$err" ]; then fail 'and all of it once' "$(cat "$err")"; else pass 'and all of it once'; fi
works 'as JSON' info set.npy --json
says 'rows' "$out" '^  "rows": 5,$'
says 'the file and its type' "$out" '"type": "float32"'
says 'languages as eval has them' "$out" '^ *"languages": {"en": 2, "de": 2, "ja": 1},\{0,1\}$'
says 'pairs' "$out" '^  "pairs": 2,$'
says 'zero vectors' "$out" '^  "zero_vectors": 1,$'
"$ISOGLOSS" info - <"$root/tests/screen/data/topics.csv" >"$out" 2>"$err"
status=$?
exits 'a set through a pipe' 0
says 'is described, too' "$out" '^rows  *40$'

# Names that would drive a terminal are made visible there, and long ones do no harm.
long=$(printf '%0300d' 0)
printf 'lang,text,v0\n%s,a,1\n\033]0;x\007,b,2\n' "$long" >long.csv
works 'names with control characters' info long.csv
says 'they are visible' "$out" "^  *␛]0;x␇ 1\$"
says 'and long ones whole' "$out" "^  *$long 1,\$"

{ npy_head '<f4' False '5, 2' && floats 1 0 nan 0 1 1 2 0 0 2; } >nan.npy
fails 'a value that is not finite' 1 'nan.npy: row 1 holds a value that is not finite (column 0)' \
    info nan.npy --meta set.csv
fails 'a file that is not there' 1 'gone.npy: No such file or directory' info gone.npy
{ npy_head '<f4' False '500, 2' && floats 1; } >false.npy
fails 'a false header' 1 'false.npy' info false.npy --meta set.csv
: >empty.csv
fails 'an empty table' 1 'empty.csv' info empty.csv
fails 'a folder' 1 "$scratch" info "$scratch"
mkdir run
: >run/run.json
fails 'a run' 1 'isogloss: run is a run directory, which --run expects; DATA is a dataset' info run
finish
