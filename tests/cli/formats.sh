#!/bin/sh
# Files as others write them: archives of numpy, tensors, JSON Lines. What numpy and the
# like wrote is kept as inputs of the fuzzer.
. tests/cli.sh
files=$PWD/tests/fuzz/corpus/files
cd "$scratch" || exit 1

# Four rows in two languages, in every format.
printf 'lang,id,text,v0,v1\nen,1,one,1,0\nen,2,two,0,1\nde,1,eins,1,1\nde,2,dreißig,2,1\n' >rows.csv
printf 'lang,id,text\nen,1,one\nen,2,two\nde,1,eins\nde,2,dreißig\n' >meta.csv
search() { # file, options...
    "$ISOGLOSS" search "$@" --row 0 --json -q >"$out" 2>"$err" </dev/null
    status=$?
}
search rows.csv
exits 'a table' 0
mv "$out" wanted
same() { # name, file, options...
    same_name=$1
    shift
    search "$@"
    if [ $status -eq 0 ] && cmp -s wanted "$out"; then
        pass "$same_name"
    else
        fail "$same_name" "$(last_output; diff wanted "$out")"
    fi
}
cp "$files"/* .
same 'an .npz with all of it, stored' stored.npz
same 'an .npz that is compressed, with texts as bytes' deflated.npz
same 'an .npz with the matrix alone, and a table' alone.npz --meta meta.csv
gzip -c alone.npz >set.npz.gz
cp meta.csv set.csv
same 'what is packed finds the table of its name' set.npz.gz
same 'safetensors of F32' f32.safetensors --meta meta.csv
same 'safetensors of BF16' bf16.safetensors --meta meta.csv
same 'JSON Lines' rows.jsonl
same 'JSON Lines, packed' rows.jsonl.gz
for name in stored.npz rows.jsonl rows.jsonl.gz; do
    cp $name plain
    same "$name under another name" plain
done
cp f32.safetensors plain
same 'and safetensors' plain --meta meta.csv
"$ISOGLOSS" search - --row 0 --json -q <rows.jsonl >"$out" 2>"$err"
status=$?
same_stdin() {
    if [ $status -eq 0 ] && cmp -s wanted "$out"; then pass "$1"; else fail "$1" "$(last_output)"; fi
}
same_stdin 'JSON Lines through a pipe'

# Numbers of a byte or two.
{ npy_head '|i1' False '4, 2' && printf '\001\000\000\001\001\001\002\001'; } >i1.npy
same 'an .npy of int8' i1.npy --meta meta.csv
{ npy_head '|u1' False '4, 2' && printf '\001\000\000\001\001\001\002\001'; } >u1.npy
same 'of uint8' u1.npy --meta meta.csv
bf16='\200\077\000\000\000\000\200\077\200\077\200\077\000\100\200\077'
{ npy_head '<V2' False '4, 2' && printf "$bf16"; } >bf.npy
same 'of bfloat16' bf.npy --meta meta.csv --type bf16
fails 'which nobody said to be it' 1 'bf.npy: its values are two bytes of no type' \
    project bf.npy --meta meta.csv
printf "$bf16" >bf.raw
{ npy_head '<f2' False '4, 2' && printf '\000\074\000\000\000\000\000\074\000\074\000\074\000\100\000\074'; } >f2.npy
same 'of float16' f2.npy --meta meta.csv
same 'which may be said, too' f2.npy --meta meta.csv --type f16
fails 'but not to be another' 2 '--type bf16 is for numbers without a header, but f2.npy says itself that its are float16; what transform and encode write, --dtype says' \
    project f2.npy --meta meta.csv --type bf16
fails 'nor for a table' 2 '--type f16 is for numbers without a header, but rows.csv says' \
    project rows.csv --type f16
works 'bfloat16 without a header' project en=bf.raw --dim 2 --type bf16

# Names that others gave.
sed '1s/lang,id,text/language,key,sentence/' rows.csv >other.csv
same 'columns of other names' other.csv --column lang=language --column text=sentence \
    --column id=key
sed 's/"lang"/"language"/; s/"embedding"/"v"/' rows.jsonl >other.jsonl
same 'keys of other names' other.jsonl --column lang=language --column vector=v
cut -d, -f3- rows.csv >nolang.csv
works 'a set of one language' project nolang.csv --lang fr
says 'has that' "$out" '^3,fr,'
fails 'a column that is not there' 1 'no column tongue, which --column names' \
    project rows.csv --column lang=tongue
fails 'a column that there is not' 2 '--column must be lang=NAME, text=NAME, id=NAME, vector=NAME, x=NAME or y=NAME' \
    project rows.csv --column tongue=lang
tr , ';' <rows.csv >semicolons.csv
fails 'a wrong delimiter' 1 "--delimiter ';'" project semicolons.csv
works 'and the right one' project semicolons.csv --delimiter ';'

# A matrix as text, parted by whatever it is.
printf '# made by numpy.savetxt\n1.0e+00 0.0e+00\n0.0e+00 1.0e+00\n\n 1.0e+00  1.0e+00\n2.0e+00 1.0e+00\n' >m.txt
for between in ',' ';' '\t'; do
    printf '1.0|0.0\n0.0|1.0\n1|1\n2|1\n' | tr '|' "$between" >"m$between.txt"
    same "a matrix parted by '$between'" "m$between.txt" --meta meta.csv
done
same 'a matrix parted by blanks' m.txt --meta meta.csv
fails 'a matrix as text, alone' 1 'no table found' project m.txt
cut -d, -f4- rows.csv | tail -n +2 >own.csv
fails 'is no table foundself' 1 'no table found (looked for own.csv and own.tsv)' project own.csv
printf 'one\ntwo\neins\ndreißig\n' >texts.txt
works 'a matrix with its sentences' search en=m.txt,texts.txt --text drei
says 'finds them' "$out" '^row 3  en  dreißig'
printf 'lang,id,text,embedding\nen,1,one,"[1.0, 0.0]"\nen,2,two,"[0 1]"\nde,1,eins,"[1,1]"\nde,2,dreißig,"[2\n 1]"\n' >list.csv
same 'a column of lists' list.csv
sed '1s/embedding/ada/' list.csv >ada.csv
same 'under another name' ada.csv --column vector=ada
fails 'a column of lists that is not there' 1 'none is named v0, e0, dim_0, 0 or embedding' project ada.csv
sed 's/\[0 1\]/[0 1 2]/' list.csv >long.csv
fails 'a list that is longer' 1 'long.csv:3: column 4 (embedding) has 3 numbers, other than the rows before' project long.csv
sed 's/\[0 1\]/[0 ... 1]/' list.csv >dots.csv
fails 'a list with dots' 1 'dots.csv:3: column 4 (embedding) has the dots of a shortened array' project dots.csv
sed 's/\[0 1\]/[0 one]/' list.csv >word.csv
fails 'a list with a word' 1 'word.csv:3: column 4 (embedding) has something else for number 1' project word.csv
sed 's/\[0 1\]/0 1/' list.csv >open.csv
fails 'a list without brackets' 1 "is no list of numbers in brackets: '0 1'" project open.csv
printf 'one 1 0\ntwo 0 1\n' >few.vec
works 'word vectors with --lang' project few.vec --lang fr
says 'are of that language' "$out" '^1,fr,'

# A map that was made elsewhere: columns x and y.
printf 'lang,id,text,x,y,v0,v1\nen,1,one,-1,0.5,1,0\nen,2,two,1,2,0,1\nde,1,eins,3,4,1,1\n' >xy.csv
works 'columns x and y are a map' project xy.csv --fit xy
says 'as they stand' "$out" '^1,en,xy,1,2$'
works 'which is drawn' project xy.csv --fit xy --svg xy.svg
works 'and a document' project xy.csv --fit xy --json
says 'that names it' "$out" '"fit": "xy"'
works 'principal components are another one' project xy.csv
says 'and come first' "$out" '^row,lang,space,pc1,pc2'
works 'the explorer has both' render xy.csv --size 90x24 --keys v
says 'on a key' "$out" 'map xy .* x  y '
works 'by name' render xy.csv --size 90x24 --keys ':embeddings xy<Enter>'
says 'too' "$out" 'map xy '
works 'and back' render xy.csv --size 90x24 --keys vv
says 'to the components' "$out" 'map original unit'
works 'it stays while one trains' render xy.csv --size 90x24 --keys ':method centre<Enter>:space xy<Enter>'
says 'as it is' "$out" 'map xy '
works 'the spaces of a run come before it' render xy.csv --size 90x24 --keys ':method centre<Enter>v'
says 'and it after them' "$out" 'map xy '
works 'the table' render xy.csv --size 90x40 --keys ':panel table<Enter>z'
says 'names it' "$out" 'map xy  *columns x, y'
sed '1s/x,y/umap1,umap2/' xy.csv >umap.csv
works 'under other names' project umap.csv --fit xy --column x=umap1 --column y=umap2
says 'it is the same' "$out" '^2,de,xy,3,4$'
fails 'a map that there is not' 1 'umap: no columns x and y with a number in every row' project umap.csv --fit xy
fails 'a column for it that there is not' 1 'umap: no column umap3, which --column names' project umap.csv --column x=umap3
sed 's/,3,4,/,3,far,/' xy.csv >far.csv
fails 'a word in it' 1 'far: no columns x and y with a number in every row' project far.csv --fit xy
fails 'a word in what is named' 1 'far: the column y, which --column names, does not hold a number in every row' \
    project far.csv --column y=y
works 'a column y of words is a label' render far.csv --size 90x24 --keys ':embeddings xy<Enter>'
says 'and no map' "$out" "unknown embeddings 'xy'"
fails 'a map and a run' 2 '--fit xy cannot be combined with' project xy.csv --fit xy --components 2
printf '{"lang":"en","embedding":[1,2],"x":1.5,"y":-2}\n{"lang":"en","embedding":[2,2],"x":2.5,"y":1}\n' >xy.jsonl
printf '{"lang":"en","embedding":[1,2],"topic":"a"}\n{"lang":"de","embedding":[2,2],"topic":"b"}\n' >topic.jsonl
works 'a key that every row has' info topic.jsonl
says 'has no empty value' "$out" 'topic (2 values)'
works 'keys x and y' project xy.jsonl --fit xy
says 'are a map, too' "$out" '^0,en,xy,1.5,-2$'

# What cannot be right.
fails 'texts that are Python objects' 1 \
    'the array text holds no plain texts or numbers; np.array(values, dtype=str) does' \
    project objects.npz
head -c 600 stored.npz >cut.npz
fails 'an .npz cut short' 1 'cut.npz: is a damaged zip archive: its directory, at the end' \
    project cut.npz
{ head -c 70 deflated.npz && printf '\377\377\377\377' && tail -c +75 deflated.npz; } >bad.npz
fails 'an .npz with damaged data' 1 'bad.npz: ' project bad.npz
same 'an array of no use is not unpacked' unused.npz
fails 'members in one place' 1 'overlap.npz: is a damaged zip archive: its members overlap' project overlap.npz
fails 'a member that unpacks to more than it says' 1 'more.npz: embedding.npy is damaged: it does not unpack to its 160 bytes' \
    project more.npz
fails 'an array that is longer than its header says' 1 'oversize.npz: embedding: the .npy header promises 32 bytes of values, the file has 36' \
    project oversize.npz
{ npy_head '|b1' False '4, 2' && printf '\001\000\000\001\001\001\000\001'; } >b1.npy
fails 'a matrix of bool' 1 "b1.npy: dtype '|b1' is not supported (expected f2, f4, f8, i1 or u1)" project b1.npy --meta meta.csv
fails 'a table for rows that have one' 2 'says itself what its rows are' \
    project stored.npz --meta meta.csv
head -c 100 f32.safetensors >cut.safetensors
fails 'safetensors cut short' 1 'cut.safetensors' project cut.safetensors --meta meta.csv
sed 's/\[4,2\]/[4,9]/' f32.safetensors >lie.safetensors
fails 'a false shape' 1 'the tensor emb is 4 × 9 of F32 but has 32 bytes' \
    project lie.safetensors --meta meta.csv
sed 's/"bias":{"dtype":"F32","shape":\[2\]/"emb":{"dtype":"F32","shape":[2] /' f32.safetensors >twice.safetensors
fails 'a tensor twice' 1 'twice.safetensors:1:' project twice.safetensors --meta meta.csv
sed 's/F32/I32/' f32.safetensors >type.safetensors
fails 'a type that is no float' 1 'the tensor emb is of type I32' \
    project type.safetensors --meta meta.csv
printf '{"lang": "en", "embedding": [1, 2]}\n{"lang": "en", "embedding": [1]}\n' >short.jsonl
fails 'a vector that is short' 1 'short.jsonl:2: embedding has 1 numbers, the rows before have 2' \
    project short.jsonl
printf '{"lang": "en", "embedding": [1, 2]}\n\n{"lang": "en", "embedding": [1, "x"]}\n' >text.jsonl
fails 'a number that is none' 1 'text.jsonl:3: embedding: number 2 of 2 is a text' project text.jsonl
printf '{"lang": "en", "lang": "de", "embedding": [1, 2]}\n' >twice.jsonl
fails 'a key twice' 1 'twice.jsonl:1:' project twice.jsonl
printf '{"lang": "en", "embedding": [1, 2\n' >open.jsonl
fails 'a line that is not closed' 1 'open.jsonl:1:' project open.jsonl
printf '{"embedding": [1, 2]}\n' >none.jsonl
fails 'no language' 1 "none.jsonl:1: no language in 'lang'; --lang CODE gives one to all lines, --column lang=KEY names another key" project none.jsonl

printf '{"lang": "en", "embedding": null}\n' >null.jsonl
fails 'a vector that is null' 1 'null.jsonl:1: embedding is null, not a list of numbers' project null.jsonl
printf '{"lang": "en", "embedding": [1, null]}\n' >null.jsonl
fails 'a number that is null' 1 'null.jsonl:1: embedding: number 2 of 2 is null' project null.jsonl

# An array of records.
{ printf '[' && sed '/^[[:space:]]*$/d' rows.jsonl | sed '$!s/$/,/' && printf ']\n'; } >array.json
same 'an array of records' array.json
tr -d '\n' <array.json >lined.json
same 'on one line' lined.json
sed '2s/,$//' array.json >comma.json
fails 'without a comma' 1 'comma.json:3: expected a comma or the end of the array' project comma.json

# Columns of usual names.
sed '1s/lang,id,text/Language,pair_id,Sentence/' rows.csv >alias.csv
same 'columns of usual names' alias.csv
works 'are noted' info alias.csv
search alias.csv
"$ISOGLOSS" search alias.csv --row 0 --json >"$out" 2>"$err"
says 'as what they are read' "$err" 'alias: column pair_id is read as id (--column id=NAME names another)'
same 'arrays of usual names' alias.npz
"$ISOGLOSS" search alias.npz --row 0 --json >"$out" 2>"$err"
says 'are noted, too' "$err" 'alias: column Language is read as lang (--column lang=NAME names another)'
works 'an array of bool among them' info alias.npz
if grep -q seen "$out"; then fail 'is no label' "$(last_output)"; else pass 'is no label'; fi
sed 's/"lang"/"locale"/; s/"text"/"content"/; s/"id"/"translation_id"/' rows.jsonl >alias.jsonl
same 'keys of usual names' alias.jsonl
sed '1s/lang,id,text/lang,sentence,content/' rows.csv >two.csv
works 'two candidates' info two.csv
says 'stay labels' "$out" 'sentence'
printf 'lang,pair_id,v0\nen,1,1\nde,2,2\n' >own.csv
works 'ids of one language each' info own.csv
says 'are none' "$out" '^ids  *none'

# A table elsewhere than next to the matrix, or with texts only.
cp i1.npy lone.npy
fails 'a matrix alone' 1 '--lang CODE says the language of all rows' project lone.npy
works 'with its language' project lone.npy --lang fr
says 'has rows of it' "$out" '^3,fr,'
printf 'one\ntwo\neins\ndreißig\n' >texts.tsv
works 'a table of one column without a name' search lone.npy --meta texts.tsv --lang en --text drei
says 'is the texts' "$out" '^row 3  en  dreißig'
printf 'one\ntwo, "really"\n\ndreißig\n' >texts.txt
works 'whatever stands in them' search lone.npy --meta texts.txt --lang en --text two
says 'a line each' "$out" '^row 1  en  two, "really"'
printf 'one\ntwo\n' >texts.txt
fails 'too few texts' 1 'lone.npy has 4 rows but texts.txt has 2' project lone.npy --meta texts.txt --lang en
floats 1 0 0 1 1 1 2 1 >four.raw
same 'a headerless matrix with a table' four.raw --dim 2 --meta meta.csv

# What is recognised and not read: refused with the command that converts it.
foreign() { # what it is, command, first bytes
    printf "$3" >"foreign"
    head -c 64 /dev/zero >>foreign
    fails "$1" 1 "foreign: is $1, which isogloss does not read; convert it: $2" project foreign
}
convert="python3 convert.py 'foreign' set.npy"
foreign 'a Parquet file' "$convert" 'PAR1'
foreign 'an Arrow or Feather file' "$convert" 'ARROW1\000\000'
foreign 'a Feather file' "$convert" 'FEA1'
foreign 'a stream of Arrow' "$convert" '\377\377\377\377\200\001\000\000'
foreign 'an HDF5 file' "$convert" '\211HDF\r\n\032\n'
foreign 'an SQLite database' "$convert" 'SQLite format 3\000'
foreign "fastText's binary file" "$convert" '\272\026O/\014\000\000\000'
foreign "word2vec's binary file" "$convert" '2 4\none \001\002\003\004'
foreign 'a FAISS index' "$convert" 'IxFI\002\000\000\000'
foreign 'a FAISS index' "$convert" 'IHNf\200\001\000\000'
foreign 'a configuration of the TensorBoard projector' "$convert" '{"embeddings": [{"tensorPath": "t.bytes"}]}\n'
foreign 'a configuration of the TensorBoard projector' "$convert" 'embeddings {\n tensor_name: "t"\n}\n'
foreign 'a file of torch.save' "$convert" 'PK\003\004\024\000\000\000\000\000aaaaaaaaaaaaaaaaaaaamodel/data.pkl'
foreign 'a file of torch.save' "$convert" '\200\002\212\nl\374\234F\371 j\250P\031.'
foreign 'a pickle (which can run any code)' "$convert --trust" '\200\004\225abc'
foreign 'packed by zstd' "zstd -d 'foreign'" '(\265/\375'
foreign 'packed by bzip2' "bunzip2 -k 'foreign'" 'BZh91AY&SY'
foreign 'packed by xz' "unxz -k 'foreign'" '\3757zXZ\000'
mv foreign foreign.npy
fails 'as the vectors of a language' 1 'foreign.npy: is packed by xz' project en=foreign.npy
mkdir saved
echo '{}' >saved/dataset_info.json
fails 'a folder of datasets' 1 "saved: is a Hugging Face dataset, which isogloss does not read; convert it: python3 convert.py 'saved' set.npy" project saved

# Latin-1 is named.
printf 'lang,id,text,v0\nen,1,caf\351,1\nen,2,x,2\n' >latin.csv
works 'a text in Latin-1' project latin.csv
says 'is reported' "$err" '1 row has a text that is not UTF-8; if it is Latin-1, iconv'
works 'the explorer opens it' render latin.csv --size 100x40 --keys ':panel table<Enter>z'
says 'and counts it' "$out" '1 text not UTF-8'
sed 's/,1,/,\xe9,/' latin.csv >latin-id.csv
fails 'an id in Latin-1' 1 'latin-id.csv:2: column 2 (id) is not valid UTF-8; if it is Latin-1, iconv' \
    project latin-id.csv

works 'the demo set by its word' search demo --row 3 --k 1 -q
says 'is that' "$out" '^row 3  en  I cut my finger'
works 'other vectors of its sentences' search demo-e5 --row 3 --k 1 -q
says 'with its table' "$out" '^row 3  en  I cut my finger'
works 'to train on and to measure' eval demo-e5 --train demo-e5 --method centre --limit 40 --measures isoscore -q
mkdir demo
fails 'what is there of that name comes first' 1 'demo: ' search demo --row 3
fails 'a demo that there is not' 2 "unknown demo 'e6' (expected e5" demo e6
rmdir demo

# Pairs by words, scores by sentences.
printf 'one 1 0\ntwo 0 1\nthree 1 1\n' >en.vec
printf 'uno 1 0.1\ndos 0.1 1\ntres 1 1\n' >es.vec
printf 'one uno\ntwo dos\nthree tres\nfour cuatro\n' >en-es.0-5.txt
works 'a dictionary as pairs' eval en=en.vec es=es.vec --pairs en-es.0-5.txt --json
says 'has those of its words that there are' "$out" '"pairs": 3,'
says 'and the others are reported' "$err" 'en-es.0-5.txt: 1 line matches no row'
printf 'one uno\nthree\n' >words
fails 'half a line of a dictionary' 1 'words:2: expected two words, or two texts with a tab' \
    eval en=en.vec es=es.vec --pairs words
printf 'uno one\n' >back
fails 'a dictionary the other way round' 1 'back: no line has a word of en and one of es' \
    eval en=en.vec es=es.vec --pairs back
fails 'a dictionary of unknown languages' 1 'words: unknown languages of its words' \
    eval en=en.vec es=es.vec fr=es.vec --pairs words
printf 'lang,text,v0,v1\nen,A cat,1,0\nen,A dog,0,1\nen,A cow,1,1\nen,A cow,1,1.2\n' >sts.csv
printf 'A cat\tA dog\t1.5\nA cow\tA dog\t3\nA cow\tA cow\t5\n' >sts.tsv
works 'sentences and a score a line' eval sts.csv --scores sts.tsv
says 'are measured' "$out" 'Spearman, pooled  *1\.000'
printf 'sentence1,sentence2,score\nA cat,A dog,1.5\n"A cow",A dog,3\nA cow,A cow,5\n' >columns.csv
works 'the same as columns' eval sts.csv --scores columns.csv
says 'are measured, too' "$out" 'Spearman, pooled  *1\.000'
printf 'main\tMSR\t2012\t1\t1.5\tA cat\tA dog\nmain\tMSR\t2012\t2\t3.5\tA cat\tA bull\n' >bench.tsv
fails 'a sentence that no row has' 1 "bench.tsv:2: no row of sts has the text 'A bull'" \
    eval sts.csv --scores bench.tsv
printf 'A cat\tA dog\t1.5\nA cow\tA dog\n' >half.tsv
fails 'a line without a score' 1 'half.tsv:2: expected two sentences and a score' \
    eval sts.csv --scores half.tsv

# A query from elsewhere.
{ npy_head '<f4' False '2' && floats 2 1; } >query.npy
works 'a vector as query' search rows.csv --vector query.npy --k 1 --json
says 'finds the nearest row' "$out" '"row": 3'
{ npy_head '<f4' False '1, 2' && floats 2 1; } >query.npy
works 'one row of a matrix' search rows.csv --vector query.npy --k 1
says 'is named' "$out" '^a vector, nearest to de  query.npy'
{ npy_head '<f4' False '3' && floats 2 1 1; } >long.npy
fails 'a vector of another length' 1 'long.npy has 3 columns, but rows has 2 dimensions' \
    search rows.csv --vector long.npy
fails 'two queries' 2 'search takes only one of' search rows.csv --vector query.npy --row 1
finish
