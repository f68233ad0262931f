#!/bin/sh
# isogloss encode: texts of every form, and an encoder that knows them.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
ISOGLOSS_API_KEY=sesame-4711
export XDG_CONFIG_HOME ISOGLOSS_API_KEY
here=$PWD
cd "$scratch" || exit 1
npy_head '<f4' False '5, 2' >know.npy
floats 1 0 0 1 1 1 2 0 0.5 3 >>know.npy
printf 'lang,text\nen,One\nen,two\nen,"th,ree"\nde,Eins\nde,zwei\n' >know.csv
printf 'One\ntwo\nth,ree\n' >en.txt
printf '\357\273\277Eins\r\nzwei\r\n' >de.txt
values() { # file, bytes of its values, in hexadecimal
    tail -c +129 "$1" | od -An -tx1 | tr -d ' \n'
}

works 'texts of two languages' encode --encoder npy:know.npy en=en.txt de=de.txt --out set.npy
says 'what was made' "$out" '^set.npy: 5 rows of 2 dimensions in 2 languages, float32$'
if [ "$(values set.npy)" = "$(values know.npy)" ]; then pass 'the vectors'; else
    fail 'the vectors' "$(values set.npy)"; fi
printf 'lang,id,text\nen,0,One\nen,1,two\nen,2,"th,ree"\nde,0,Eins\nde,1,zwei\n' >wanted
if cmp -s set.csv wanted; then pass 'the table'; else fail 'the table' "$(cat set.csv)"; fi
says 'where they come from' set.json '"encoder": "npy:know.npy"'
says 'when' set.json '"date": "[0-9-]*T[0-9:]*Z"'
works 'the program opens it' search set.npy --row 0 --k 1 --json -q
says 'lines of a number are translations' "$out" '"translation": true'
works 'the explorer opens it' render set.npy --keys ':panel table<Enter>z' --size 80x24
says 'its table has the encoder' "$out" 'encoder  *npy:know.npy'
# --- typed sentences of the explorer ------------------------------------------------------------
ask() { # keys
    run render set.npy --encoder npy:know.npy --size 100x24 --threads 1 --keys "$1"
}
ask ':ask One<Enter>:typed<Enter>'
says 'a sentence is encoded' "$out" ' 1  *en?  *One '
says 'with its nearest rows' "$out" '  1\.000 en  *One '
says 'and its nearest language' "$out" 'original  *0\.582  *de  *nearest language'
ask ':ask de One<Enter>:guests<Enter>'
says 'the new name of a command' "$out" ':guests is now called :typed'
says 'in the named language, under the old name of the command' "$out" ' 1  *de  *One '
ask ':ask two<Enter>z'
says 'it stands on the map' "$out" '★1'
ask ':method centre<Enter>:ask de One<Enter>:typed<Enter>'
says 'in the spaces of the run' "$out" ' language  *[01-][.0-9]* '
ask ':ask two<Enter>:ask One<Enter>:forget 1<Enter>:typed<Enter>'
if grep -q ' 2  *en?  *One ' "$out" && ! grep -q ' 1  *en?  *two ' "$out"; then pass 'one is let go'; else
    fail 'one is let go' "$(cat "$out")"; fi
ask ':forget 7<Enter>'
says 'one that is not there' "$out" "no typed sentence '7'"
ask ':ask two<Enter>:select lang=de<Enter>iz'
says 'next to a single selection' "$out" '★1'
ask ':ask two<Enter>:ask One<Enter>@d'
if grep -q ' 2  *en?  *One ' "$out" && ! grep -q ' en?  *two ' "$out"; then pass 'd lets one go'; else
    fail 'd lets one go' "$(cat "$out")"; fi
ask 'Ade One<Enter>@'
says 'a key asks' "$out" ' 1  *de  *One '
says 'and is among the keys' "$out" '  d delete  '
ask '<Esc>'
says 'where there is an encoder' "$out" ' A ask  '
ask ':axis x 0 3<Enter>'
says 'both ends at one place' "$out" 'x: #0 → #3'
ask ':ask two<Enter>:ask One<Enter>:axis x g1 g2<Enter>'
says 'an axis through two typed sentences' "$out" ' typed 1 → typed 2 '
ask ':ask two<Enter>:axis x en g1<Enter>:forget 1<Enter>z'
says 'and without one' "$out" 'en → typed 1: no typed sentence 1'
run render set.npy --encoder npy:know.npy --dims 1 --size 100x24 --keys ':ask two<Enter>:typed<Enter>'
says 'dimensions that --dims takes are those of a typed sentence' "$out" ' 1  *[a-z]*?  *two'
npy_head '<f4' False '1, 3' >three.npy
floats 1 0 0 >>three.npy
printf 'lang,text\nen,One\n' >three.csv
run render set.npy --encoder npy:three.npy --size 110x24 --keys ':ask One<Enter>'
says 'others are refused' "$out" 'the encoder gives 3 dimensions, but set has 2 '
run render set.npy --encoder npy:three.npy --dims 1 --size 110x24 --keys ':ask One<Enter>'
says 'with --dims, too' "$out" 'the encoder gives 3 dimensions, but set has 2 (of which --dims takes 1)'
ask ':ask nobody<Enter>'
says 'a sentence that the encoder refuses' "$out" "has no text 'nobody'"
ask ':ask one two<Enter>:typed<Enter>'
says 'and no typed sentence of it' "$out" 'no typed sentences: :ask TEXT'
works 'the encoder of the set' render set.npy --size 100x24 --keys ':ask zwei<Enter>:typed<Enter>'
says 'serves too' "$out" ' 1  *de?  *zwei '
works 'another set' encode --encoder npy:know.npy en=en.txt de=de.txt --out p.npy -q
echo '{"encoder": "touch run-by-a-file"}' >p.json
works 'a command that a file names' render p.npy --size 120x24 --keys ':ask One<Enter>'
says 'is reported' "$out" "the encoder 'touch run-by-a-file' is no URL"
if [ -e run-by-a-file ]; then fail 'and not run'; else pass 'and not run'; fi
works 'an invalid JSON file next to a dataset' encode --encoder npy:know.npy en=en.txt de=de.txt --out odd.npy -q
echo 'not json' >odd.json
works 'does not matter' render odd.npy --size 100x24
says 'and is reported' "$out" 'odd.json:1:'
works 'in half precision' encode --encoder npy:know.npy en=en.txt --out half.npy --dtype f16 --json
says 'its type' "$out" '"type": "float16"'
if [ "$(values half.npy)" = 003c00000000003c003c003c ]; then pass 'halves'; else
    fail 'halves' "$(values half.npy)"; fi
if [ -e set.npy.part ] || [ -e half.npy.part ]; then fail 'nothing is left'; else pass 'nothing is left'; fi

# --- tables and JSON Lines ---------------------------------------------------------------------
printf 'id\ttext\ttopic\na\tOne\tn"x\nb\ttwo\t\n' >t.tsv
sed -i.bak 's/n"x/n x/' t.tsv
works 'a table of one language' encode --encoder npy:know.npy en=t.tsv --out t1.npy -q
printf 'lang,id,text,topic\nen,a,One,n x\nen,b,two,\n' >wanted
if cmp -s t1.csv wanted; then pass 'keeps its columns'; else fail 'keeps its columns' "$(cat t1.csv)"; fi
fails 'a table without languages' 1 't.tsv:1: no column lang; --column lang=NAME says which it is, --lang CODE the language of all rows (columns: id, text, topic)' \
    encode --encoder npy:know.npy t.tsv --out x.npy
fails 'a table as its own output' 2 'know.csv is an input; refusing to overwrite it' \
    encode --encoder npy:know.npy know.csv --out know.npy
cp know.csv again.csv
works 'a whole table' encode --encoder npy:know.npy again.csv --out t2.npy -q
if cmp -s t2.csv know.csv && cmp -s t2.npy set.npy; then pass 'is as it was'; else fail 'is as it was' "$(cat t2.csv)"; fi
printf '%s\n' '{"text":"One","lang":"en","id":7,"v":[1]}' '' '{"lang":"de","text":"zwei","id":8}' >t.jsonl
works 'JSON Lines' encode --encoder npy:know.npy t.jsonl --out t3.npy -q
printf 'lang,id,text\nen,7,One\nde,8,zwei\n' >wanted
if cmp -s t3.csv wanted; then pass 'and their table'; else fail 'and their table' "$(cat t3.csv)"; fi
echo '{"lang":"en"}' >bad.jsonl
fails 'no text' 1 'bad.jsonl: no column text; --column text=NAME says which it is' \
    encode --encoder npy:know.npy bad.jsonl --out x.npy
echo '{"text":' >bad.jsonl
fails 'no JSON' 1 'bad.jsonl:1:' encode --encoder npy:know.npy bad.jsonl --out x.npy
printf 'a\nb\377\n' >bad.txt
fails 'no UTF-8' 1 'bad.txt:2: text is not valid UTF-8' encode --encoder npy:know.npy en=bad.txt --out x.npy
: >none.txt
says 'and Latin-1 is named' "$err" 'if it is Latin-1, iconv'
same_set() { # name: x.npy and x.csv are those of the whole table
    if cmp -s x.csv know.csv && cmp -s x.npy set.npy; then pass "$1"; else fail "$1" "$(cat x.csv)"; fi
}
sed '1s/lang,text/language,sentence/' know.csv >names.csv
works 'columns of other names' encode --encoder npy:know.npy names.csv --column lang=language \
    --column text=sentence --out x.npy -q
same_set 'have their own in the set'
printf '%s\n' '{"language":"en","sentence":"One"}' '{"language":"de","sentence":"zwei"}' >names.jsonl
works 'keys of other names' encode --encoder npy:know.npy names.jsonl --column lang=language \
    --column text=sentence --out x.npy -q
if [ "$(sed 2q x.csv)" = "$(printf 'lang,text\nen,One')" ]; then pass 'have theirs'; else fail 'have theirs' "$(cat x.csv)"; fi
fails 'a column that is not there' 1 'names.csv:1: no column tongue, which --column names (columns: language, sentence)' \
    encode --encoder npy:know.npy names.csv --column lang=tongue --out x.npy
gzip -c know.csv >packed.csv.gz
works 'what is packed' encode --encoder npy:know.npy packed.csv.gz --out x.npy -q
same_set 'is the same'
works 'a language for all' encode --encoder npy:know.npy en.txt --lang en --out x.npy -q
if [ "$(sed -n 2p x.csv | cut -d, -f1)" = en ]; then pass 'is in the set'; else fail 'is in the set' "$(cat x.csv)"; fi
rm x.*
fails 'no sentence' 1 'none.txt: holds no sentence' encode --encoder npy:know.npy en=none.txt --out x.npy
fails 'a text file without its language' 2 'given as LANG=en.txt' encode --encoder npy:know.npy en.txt --out x.npy

# --- files that nobody named -------------------------------------------------------------------
echo mine >own.csv
fails 'a table of somebody else' 2 'own.csv exists and was not written by isogloss encode: --overwrite replaces it, or choose another --out' \
    encode --encoder npy:no-such-set.npy en=en.txt --out own.npy
if [ "$(cat own.csv)" = mine ] && [ ! -e own.npy.part ]; then pass 'stays'; else fail 'stays' "$(ls own*)"; fi
mv own.csv own.json
fails 'a JSON file of somebody else' 2 'own.json exists and was not written by isogloss encode' \
    encode --encoder npy:know.npy en=en.txt --out own.npy
echo '{"mine": 1}' >own.json
fails 'and one that is valid JSON' 2 'own.json exists' encode --encoder npy:know.npy en=en.txt --out own.npy
works 'replaced when asked' encode --encoder npy:know.npy en=en.txt --out own.npy --overwrite -q
works 'its own files are replaced' encode --encoder npy:know.npy en=en.txt de=de.txt --out own.npy -q
touch -t 200101010000 own.json
echo 'en,labelled' >>own.csv
fails 'not a table that was edited' 2 'own.csv exists and was changed after isogloss encode wrote it' \
    encode --encoder npy:know.npy en=en.txt --out own.npy
echo mine >m.npy.part
fails 'a partial file of somebody else' 2 'm.npy.part is no part of an encoding' \
    encode --encoder npy:know.npy en=en.txt --out m.npy
if [ "$(cat m.npy.part)" = mine ]; then pass 'stays'; else fail 'stays'; fi
fails 'no server' 1 'http://127.0.0.1:1/v1/models: ' encode --encoder http://127.0.0.1:1/v1 en=en.txt --out x.npy
if [ -e x.npy ] || [ -e x.npy.part ] || [ -e x.csv ]; then fail 'leaves nothing'; else pass 'leaves nothing'; fi

# --- wrong usage, and the key ------------------------------------------------------------------
fails 'no encoder' 2 'encode needs --encoder' encode en=en.txt --out x.npy
fails 'a command' 2 'instead of a command start a server, such as assets/encode.py, and pass its URL to --encoder' \
    encode --encoder 'touch run-by-a-file' en=en.txt --out x.npy
if [ -e run-by-a-file ]; then fail 'is not run'; else pass 'is not run'; fi
fails 'no output' 2 'encode needs --out NAME.npy' encode --encoder npy:know.npy en=en.txt
fails 'an output that is no matrix' 2 'a set is written as NAME.npy' encode --encoder npy:know.npy en=en.txt --out x.csv
fails 'a password in the address' 2 'holds no name and password' encode --encoder http://me:secret@h/v1 en=en.txt --out x.npy
if grep -rlF sesame-4711 "$scratch" >leaks; then fail 'the key is nowhere' "$(cat leaks)"; else pass 'the key is nowhere'; fi
cd "$here" || exit 1
finish
