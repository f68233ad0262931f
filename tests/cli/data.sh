#!/bin/sh
# Sets that can be opened, and what is said about those that cannot.
. tests/cli.sh
root=$PWD
cd "$scratch" || exit 1

# Two languages, three sentences each, in two dimensions.
good() {
    { npy_head '<f4' False '6, 2' && floats 1 0 0 1 1 1 2 0 0 2 2 3; } >set.npy
    cat >set.csv <<'EOF'
lang,id,text
en,a,one
en,b,"two, quoted"
en,c,three
de,a,eins
de,b,zwei
de,c,drei
EOF
}

good
works 'a matrix with its table' project set.npy
says 'coordinates have a header' "$out" '^row,lang,space,pc1,pc2'
says 'and one line a row' "$out" '^5,de,original,'
sed 's/$/\r/; 1s/^/\xef\xbb\xbf/' set.csv >crlf.csv
works 'a table with BOM and CRLF' project set.npy --meta crlf.csv
tr , '\t' <set.csv >tabs.tsv
sed 's/"two	 quoted"/two/' tabs.tsv >set.tsv
rm set.csv
works 'a tsv next to the matrix' project set.npy
rm set.tsv
fails 'no table next to the matrix' 1 'set.csv' project set.npy

good
{ npy_head '<f4' False '3, 2' && floats 1 0 0 1 1 1; } >en.npy
{ npy_head '<f4' False '3, 2' && floats 2 0 0 2 2 3; } >de.npy
printf 'one\ntwo\nthree\n' >en.txt
printf 'eins\nzwei\ndrei\n' >de.txt
works 'one language an argument' project en=en.npy,en.txt de=de.npy,de.txt
says 'the rows follow one another' "$out" '^3,de,original,'
works 'and without texts' project en=en.npy de=de.npy
printf 'eins\nzwei\n' >short.txt
fails 'a text short of a line' 1 'short.txt' project en=en.npy,en.txt de=de.npy,short.txt
{ npy_head '<f4' False '2, 3' && floats 1 0 0 1 1 1; } >wide.npy
fails 'two widths' 1 'wide.npy' project en=en.npy de=wide.npy

# The example errors of the manual.
sed '3s/$/,more/' set.csv >fields.csv
fails 'a field too many' 1 'isogloss: fields.csv:3: expected 3 fields as in the header, got 4' \
    project set.npy --meta fields.csv
sed '$d' set.csv >rows.csv
fails 'a row too few' 1 'isogloss: set.npy has 6 rows but rows.csv has 5' \
    project set.npy --meta rows.csv
{ npy_head '<f4' False '6, 2' && floats 1 0 0 1 1 nan 2 0 0 2 2 3; } >nan.npy
fails 'a value that is not finite' 1 \
    'isogloss: nan.npy: row 2 holds a value that is not finite (column 1)' \
    project nan.npy --meta set.csv

double_1e300='\234u\000\210<\3447~'
{ npy_head '<f8' False '6, 1' && printf '\0\0\0\0\0\0\0\0' && printf "$double_1e300" &&
    head -c 32 /dev/zero; } >large.npy
fails 'a value that no float holds' 1 \
    'isogloss: large.npy: row 1 holds 1e+300, which is too large for a float (column 0)' \
    project large.npy --meta set.csv
cp set.npy a=b.npy
cp set.csv a=b.csv
works 'a file with = in its name' project a=b.npy --components 1
printf '1.000e+00 2.000e+00\n3.000e+00 4.000e+00\n' >savetxt.txt
works 'the output of numpy.savetxt is no list of words' project en=savetxt.txt
says 'but a matrix' "$out" '^1,en,original,1'
for i in $(seq 16); do echo "$i 1.5"; done >numbers.vec
echo '17 1.5 2' >>numbers.vec
fails 'which a line of another length ends' 1 'numbers.vec:17: expected 2 fields as in the first line, got 3' \
    project en=numbers.vec
printf '1 2\n3 x\n' >savetxt.raw
fails 'and a word' 1 'savetxt.raw' project en=savetxt.raw
printf ' \t \nthe 1 2\n\n  \ncat 3 4\n' >blank.vec
works 'word vectors with blank lines' project en=blank.vec --components 1

fails 'no such file' 1 'nowhere.npy' project nowhere.npy
sed '1s/lang/tongue/' set.csv >nolang.csv
fails 'a table without languages' 1 'lang' project set.npy --meta nolang.csv
head -c 140 set.npy >cut.npy
fails 'a file cut short' 1 'cut.npy' project cut.npy --meta set.csv
{ npy_head '<f4' False '9999999999, 9999999999' && floats 1 0; } >lie.npy
fails 'a false header' 1 'lie.npy' project lie.npy --meta set.csv
{ npy_head '<i4' False '6, 2' && floats 1 0 0 1 1 1 2 0 0 2 2 3; } >int.npy
fails 'integers' 1 "'i4'" project int.npy --meta set.csv
{ npy_head '<f4' False '6, 2, 1' && floats 1 0 0 1 1 1 2 0 0 2 2 3; } >cube.npy
fails 'three dimensions' 1 'cube.npy' project cube.npy --meta set.csv
echo 'this is not a matrix' >text.npy
fails 'not a .npy' 1 'text.npy' project text.npy --meta set.csv
: >empty.npy
fails 'an empty file' 1 'empty.npy' project empty.npy --meta set.csv
: >empty.csv
fails 'an empty table' 1 'empty.csv' project set.npy --meta empty.csv
printf 'lang,id\nen,a\nd\377,b\n' >utf8.csv
{ npy_head '<f4' False '2, 2' && floats 1 0 0 1; } >two.npy
fails 'a language that is not UTF-8' 1 'utf8.csv:3' project two.npy --meta utf8.csv

# Odd, and right.
{ npy_head '<f4' False '3, 2' && floats 1 0 0 0 0 1; } >zero.npy
printf 'lang,id,text\nen,a,\nde,a,\nfr,a,lonely\n' >zero.csv
works 'a zero vector, an empty text, a language with one row' project zero.npy
# What gzip packed is read as it was.
printf 'lang,id,text,v0,v1\nen,a,one,1,0\nen,b,two,0,1\nde,a,eins,1,1\nde,b,zwei,2,1\n' >rows.csv
works 'a table' project rows.csv
mv "$out" plain
gzip -k rows.csv
works 'the same packed' project rows.csv.gz
says_same() { # name
    if cmp -s plain "$out"; then pass "$1"; else fail "$1" "$(diff plain "$out" | head)"; fi
}
says_same 'is the same'
head -n 3 rows.csv | gzip >two.gz
tail -n +4 rows.csv | gzip >>two.gz
mv two.gz twice.csv.gz
works 'packed in two pieces' project twice.csv.gz
says_same 'is the same, too'
"$ISOGLOSS" project - <rows.csv.gz >"$out" 2>"$err"
status=$?
exits 'and through a pipe' 0
tr , '\t' <rows.csv >any.name
works 'a table under another name' project any.name
says_same 'is the same as well'
head -c 60 rows.csv.gz >cut.csv.gz
fails 'packed data cut short' 1 'cut.csv.gz: the packed data is cut short' project cut.csv.gz
{ head -c 30 rows.csv.gz && printf '\377\377\377\377\377\377\377\377' && tail -c +39 rows.csv.gz; } >bad.csv.gz
fails 'packed data that is damaged' 1 'bad.csv.gz: the packed data is damaged' project bad.csv.gz
good
gzip <set.npy >packed.npy.gz
works 'a packed array' project packed.npy.gz --meta set.csv
cd "$root" || exit 1
finish
