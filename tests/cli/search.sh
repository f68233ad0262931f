#!/bin/sh
# isogloss search: neighbours, margins and ranks of a set that can be reckoned by hand,
# then spaces, texts and languages of the demo set.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
demo=tests/golden/mixed.npy
run=$scratch/run

# Two languages, three meanings: en (1,0) (0,1) (1,1), de (2,0) (0,3) (0,0).
tiny=$scratch/tiny.npy
npy_head '<f4' False '6, 2' >"$tiny"
floats 1 0 0 1 1 1 2 0 0 3 0 0 >>"$tiny"
printf 'lang,id,text\nen,a,One\nen,b,two\nen,c,three\nde,a,Eins\nde,b,zwei\nde,c,"dr,ei ""3"""\n' >"$scratch/tiny.csv"

works 'search --row' search "$tiny" --row 0 --json
says 'a zero vector is reported' "$err" 'note: tiny: 1 row is a zero vector, kept'
says 'the query' "$out" '"query": {"row": 0, "lang": "en", "text": "One"}'
says 'the space' "$out" '"space": "original"'
# en 0 against de: cosines 1, 0, 0, mean 1/3. de 3 against en: 1, 0, sqrt(1/2), mean 0.569.
# margin 1 / ((0.333333 + 0.569036) / 2) = 2.21639.
found=$(tr -d ' \n' <"$out")
case $found in
*'{"rank":1,"row":3,"lang":"de","text":"Eins","cosine":1.0,"margin":2.21638'*'"translation":true},{"rank":2,"row":4,'*'"cosine":0.0,"margin":0.0,"translation":false}'*)
    pass 'neighbours with cosine and margin' ;;
*) fail 'neighbours with cosine and margin' "$(cat "$out")" ;;
esac
says 'the rank of the translation' "$out" '"translation_rank": {"de": 1}'

works 'the query itself is no neighbour' search "$tiny" --row 1 --to en,de --k 50 --json -q
if [ "$(grep -c '"rank"' "$out")" -eq 5 ]; then pass 'all other rows are'; else
    fail 'all other rows are' "$(cat "$out")"; fi
case $(tr -d ' \n' <"$out") in
*'"cosine":0.70710677,'*) pass 'cosines as floats, in their shortest form' ;;
*) fail 'cosines as floats, in their shortest form' "$(cat "$out")" ;;
esac
# All cosines among these are 0: nothing to divide by.
works 'a zero vector as the query' search "$tiny" --row 5 --to de --k 1 --json -q
says 'has no margin' "$out" '"margin": null'
says 'a text that needs escaping' "$out" '"text": "dr,ei \\"3\\""'

fails 'a row that is not there' 1 '--row 6: ' render "$tiny" --row 6 --keys q
works 'a table' search "$tiny" --row 0 -q
says 'its query' "$out" '^row 0  en  One$'
says 'its head' "$out" '^rank  cosine  margin  *row  *lang  text$'
says 'the translation is marked' "$out" '^   1   1\.000   2\.216 *3  = de    Eins$'
says 'others are not' "$out" '^   2   0\.000   0\.000 *4    de    zwei$'
says 'ranks' "$out" 'rank among the rows of its language: de 1$'

# All rows alike: nothing is nearer than anything.
npy_head '<f4' False '6, 2' >"$scratch/flat.npy"
floats 1 1 1 1 1 1 1 1 1 1 1 1 >>"$scratch/flat.npy"
cp "$scratch/tiny.csv" "$scratch/flat.csv"
works 'rows that are all the same' search "$scratch/flat.npy" --row 0
says 'have no rank' "$out" 'rank among the rows of its language: de -$'
says 'and it is said' "$out" '^all these rows are equally near: their order is arbitrary'
works 'in JSON' search "$scratch/flat.npy" --row 0 --json
says 'they are tied' "$out" '"tied": true,'
says 'the rank is null' "$out" '"translation_rank": {"de": null}'
works 'the others' search "$tiny" --row 0 --json -q
says 'are not' "$out" '"tied": false,'
# Of the three German rows those of a, b and c point the same way now; the English do not.
npy_head '<f4' False '6, 2' >"$scratch/half.npy"
floats 1 0 0 1 1 1 2 0 2 0 3 0 >>"$scratch/half.npy"
cp "$scratch/tiny.csv" "$scratch/half.csv"
works 'one of their languages' search "$scratch/half.npy" --row 1 --to en,de
says 'has none' "$out" 'rank among the rows of its language: de -$'
says 'and that is said, too' "$out" '^- all rows of the language are equally near'

# --- texts ------------------------------------------------------------------------------------
works 'an exact text' search "$tiny" --text One --json -q
says 'is found' "$out" '"query": {"row": 0,'
works 'a part, in another case' search "$tiny" --text ZWE --json -q
says 'is found, too' "$out" '"query": {"row": 4,'
works 'several' search "$tiny" --text e
says 'the others are counted' "$err" "note: 4 other rows match 'e' as well; row 0 is the first"
works 'and in JSON' search "$tiny" --text e --json -q
says 'all that match' "$out" '"matches": 5,'
works 'one alone' search "$tiny" --text One --json -q
says 'is one' "$out" '"matches": 1,'
works 'a row' search "$tiny" --row 0 --json -q
if grep -q matches "$out"; then fail 'matches nothing' "$(cat "$out")"; else pass 'matches nothing'; fi
fails 'no such text' 1 "no text of tiny contains 'four'" search "$tiny" --text four
printf '\033[31mred\007\n' >"$scratch/wild.txt"
npy_head '<f4' False '1, 2' >"$scratch/wild.npy"
floats 1 2 >>"$scratch/wild.npy"
works 'a text of escapes' search "en=$scratch/wild.npy,$scratch/wild.txt" "de=$scratch/wild.npy,$scratch/wild.txt" --row 0
if grep -q "$(printf '[\033\007]')" "$out"; then fail 'is made visible' "$(cat -v "$out")"; else
    pass 'is made visible'; fi
works 'a set without texts' search "en=$scratch/wild.npy" "de=$scratch/wild.npy" --row 0 --json
says 'has null for it' "$out" '"text": null'
fails 'and nothing to find' 1 "has no texts to match 'x'" search "en=$scratch/wild.npy" --text x
works 'one language alone' search "en=$tiny" --row 0 -q
says 'is searched itself' "$out" '^   1 .* en '

# --- texts of no row, by an encoder -----------------------------------------------------------
npy_head '<f4' False '2, 2' >"$scratch/words.npy"
floats 2 2 1 0.5 >>"$scratch/words.npy"
printf 'lang,text\nxx,four\nxx,One\n' >"$scratch/words.csv"
works 'a new text' search "$tiny" --text four --encoder "npy:$scratch/words.npy" --k 1 --json -q
says 'is encoded' "$out" '"query": {"row": null, "nearest_lang": "en", "text": "four"}'
says 'and finds its neighbour' "$out" '"row": 2,'
works 'a new text, as a table' search "$tiny" --text four --encoder "npy:$scratch/words.npy" --k 1
says 'is printed' "$out" '^encoded, nearest to en  four$'
works 'a text that a row has' search "$tiny" --text One --encoder "npy:$scratch/words.npy" --k 1 --json -q
says 'is that row' "$out" '"query": {"row": 0,'
fails 'an encoder that does not know it' 1 "has no text 'five'" search "$tiny" --text five --encoder "npy:$scratch/words.npy"
fails 'an encoder of other dimensions' 1 'the encoder gives 256 dimensions, but tiny has 2' \
    search "$tiny" --text 'She slipped on the ice and broke her arm.' --encoder npy:$demo
echo '{"encoder": "npy:'"$scratch"'/words.npy", "prefix": "fo"}' >"$scratch/tiny.json"
works 'the encoder of the set, with its prefix' search "$tiny" --text ur --k 1 --json -q
says 'serves too' "$out" '"row": null'
echo '{"encoder": "touch '"$scratch"'/run-by-a-file"}' >"$scratch/tiny.json"
fails 'a command that a file names' 2 'a command runs only if --encoder names it' search "$tiny" --text four
if [ -e "$scratch/run-by-a-file" ]; then fail 'is not run'; else pass 'is not run'; fi
works 'and does not matter for a row' search "$tiny" --text One -q
rm "$scratch/tiny.json"

# --- spaces -----------------------------------------------------------------------------------
works 'a run to search by' train $demo --lr 1e-3 --epochs 40 --out "$run" -q
works 'meaning is the default with a run' search $demo --row 113 --run "$run" --json --k 3
says 'its name' "$out" '"space": "meaning"'
says 'three neighbours' "$out" '"rank": 3'
grep '"cosine"' "$out" >"$scratch/meaning"
works 'original' search $demo --row 113 --run "$run" --space original --json --k 3
if grep '"cosine"' "$out" | cmp -s - "$scratch/meaning"; then fail 'is another space'; else
    pass 'is another space'; fi
works 'language' search $demo --row 113 --run "$run" --space language --to en,ja --k 5
says 'is in the heading' "$out" "^language space of $run, epoch [0-9]"
says 'language embeddings find their own language' "$out" '^   1 .* en  '
works 'threads' search $demo --row 113 --run "$run" --json --k 3 --threads 1
cp "$out" "$scratch/one"
works 'do not matter' search $demo --row 113 --run "$run" --json --k 3 --threads 2
if sed 's/\(cosine\|margin\)": [0-9.]*/\1/' "$out" >"$scratch/b" &&
    sed 's/\(cosine\|margin\)": [0-9.]*/\1/' "$scratch/one" | cmp -s - "$scratch/b"; then
    pass 'the same neighbours'
else
    fail 'the same neighbours' "$(diff "$out" "$scratch/one")"
fi

# A run of other data, and one of other dimensions.
works 'a run on other data' search "en=$demo" "de=$demo" --run "$run" --row 0 --k 1 --json
says 'applies all the same' "$out" '"row": 4800,'

fails 'other dimensions' 1 'dimensions' search "$tiny" --run "$run" --row 0
works 'a run without a language space' train $demo --method baseline --out "$scratch/base" -q
fails 'language of the baseline' 1 "the run $scratch/base (identity) has no language space" \
    search $demo --run "$scratch/base" --space language --row 0

# --- many queries -------------------------------------------------------------------------------
finds() { # name, query:rank:cosine:row...
    found=$(awk 'NR > 1 { printf " %s:%s:%s:%s", $1, $2, $3, $4 }' "$out")
    if [ "$found" = " $2" ]; then pass "$1"; else fail "$1" "$found"; fi
}
# Vectors are of no row: en 0, de 3 and others are 1, 1 and 0.707 from (2, 0).
npy_head '<f4' False '2, 2' >"$scratch/queries.npy"
floats 2 0 1 1 >>"$scratch/queries.npy"
works 'vectors as queries' search "$tiny" --queries "$scratch/queries.npy" --k 3 -q
finds 'each has its nearest rows' '0:1:1.000:0 0:2:1.000:3 0:3:0.707:2 1:1:1.000:2 1:2:0.707:0 1:3:0.707:1'
works 'as JSON' search "$tiny" --queries "$scratch/queries.npy" --k 1 --to de --json -q
says 'a line each' "$out" '^  {"query": {"number": 1}, "neighbours": \[{"rank": 1, "row": 3, "lang": "de", "text": "Eins", "cosine": 0.70710677}\]}$'
printf 'zwei\nOne\n' >"$scratch/queries.txt"
works 'texts as queries' search "$tiny" --queries "$scratch/queries.txt" --k 1 -q
finds 'other languages than their own' '4:1:1.000:1 0:1:1.000:3'
{
    npy_head '<f2' False '100, 256'
    tail -c +129 $demo | head -c 51200
} >"$scratch/hundred.npy"
works 'many by one thread' search $demo --run "$run" --queries "$scratch/hundred.npy" --threads 1 -q
cp "$out" "$scratch/one"
works 'many by several' search $demo --run "$run" --queries "$scratch/hundred.npy" --threads 3 -q
if cmp -s "$scratch/one" "$out" && [ "$(wc -l <"$out")" -eq 1001 ]; then pass 'find the same'; else fail 'find the same' "$(last_output)"; fi
printf 'One\nnothing\n' >"$scratch/queries.txt"
fails 'a text that is not there' 1 "queries.txt:2: no text of tiny contains 'nothing'" search "$tiny" --queries "$scratch/queries.txt"
fails 'vectors of other dimensions' 1 'hundred.npy has 256 columns, but tiny has 2 dimensions' search "$tiny" --queries "$scratch/hundred.npy"

# --- wrong usage --------------------------------------------------------------------------------
fails 'no query' 2 'search needs a query: --row N, --text STRING, --vector FILE.npy or --queries FILE' search $demo
fails 'two queries' 2 'search takes only one of --row, --text, --vector and --queries' search $demo --row 1 --text x
fails 'meaning without a run' 2 'the meaning space needs --run RUN' search $demo --row 1 --space meaning
fails 'a row that is not there' 1 '--row 4800: mixed has rows 0 to 4799' search $demo --row 4800
fails 'a language that is not there' 1 "--to: mixed has no language 'xx'; it has en, de, fr" search $demo --row 0 --to de,xx
fails 'a run that is not there' 1 "$scratch/nowhere" search $demo --row 0 --run "$scratch/nowhere"
finish
