#!/bin/sh
# Versions: the same rows with other vectors, from files, from the matrices of one file,
# and from a folder; each is opened as if it were alone.
. tests/cli.sh
root=$PWD
files=$PWD/tests/fuzz/corpus/files
golden=$PWD/tests/golden
cd "$scratch" || exit 1
printf 'lang,id,text\nen,1,one\nen,2,two\nde,1,eins\nde,2,zwei\n' >set.csv
printf 'lang,id,text,v0,v1\nen,1,one,1,0\nen,2,two,0,1\nde,1,eins,1,1\nde,2,zwei,2,1\n' >rows.csv
cp "$files"/versions.* .
search() { # options...
    "$ISOGLOSS" search "$@" --meta set.csv --row 0 --json -q >"$out" 2>"$err" </dev/null
    status=$?
}
search versions.npy --only 1
exits 'a version of an array of three dimensions' 0
mv "$out" one
search versions.npy --only 0
mv "$out" zero
if cmp -s zero one; then fail 'versions differ' "$(cat zero)"; else pass 'versions differ'; fi
same() { # name, file, options...
    same_name=$1 wanted=$2
    shift 2
    search "$@"
    if [ $status -eq 0 ] && cmp -s "$wanted" "$out"; then
        pass "$same_name"
    else
        fail "$same_name" "$(last_output; diff "$wanted" "$out")"
    fi
}
same 'matrices of an .npz: the first' zero versions.npz --only 'layer 2'
same 'and the second' one versions.npz --only 'layer 10'
same 'matrices of a .safetensors: the first' zero versions.safetensors --only b
same 'and the second' one versions.safetensors --only a

# Files: the rows of the second and later ones come from the first.
npy() { # shape, bytes to skip, FILE
    printf "\223NUMPY\001\000v\000%-117s\n" "{'descr': '<f2', 'fortran_order': False, 'shape': $1, }" >"$3"
    tail -c +$((129 + $2)) versions.npy | head -c 16 >>"$3"
}
mkdir run folder
npy '(4, 2)' 0 run/step-9-mean.npy
npy '(4, 2)' 16 run/step-10-mean.npy
same 'files are named by what differs' zero --versions run/step-9-mean.npy \
    run/step-10-mean.npy --only 9
works 'a dataset of files' info --versions run/step-9-mean.npy run/step-10-mean.npy --meta set.csv
says 'is called by their folder' "$out" 'dataset *run$'
same 'the second, too' one --versions run/step-9-mean.npy run/step-10-mean.npy --only 10
same 'names that are given' one --versions e5=run/step-9-mean.npy \
    labse=run/step-10-mean.npy --only labse
same 'a table is a version, too' one --versions run/step-10-mean.npy rows.csv --only \
    step-10-mean
cp set.csv run/meta.csv
"$ISOGLOSS" search run --row 0 --only 10 --json -q >"$out" 2>"$err" </dev/null
status=$?
if cmp -s one "$out"; then pass 'a folder with its table'; else fail 'a folder with its table' "$(last_output)"; fi

works 'all are described' info run
says 'by name' "$out" '^ *10: run/step-10-mean.npy: 4 x 2, float16$'

# What is asked for must be there, and be clear.
fails 'transform needs one' 2 'DATA has 2 versions; --only NAME chooses one: 9, 10' \
    transform run --run none --out new
fails 'train, too' 2 'DATA has 2 versions; --only NAME chooses one: 9, 10' train run --out new
fails 'a picture, too' 2 'a picture shows one version of DATA' project run --svg x.svg
fails 'a vector is of one' 2 '--vector goes with one version of DATA' search run --vector v.npy
fails 'a version that is not there' 2 '--only 11: the versions are 9, 10' search run --row 0 --only 11
fails 'one dataset has none' 2 'none, it is one dataset' search run/step-9-mean.npy \
    --meta set.csv --row 0 --only 9
fails 'two of one name' 2 'two versions are called a: ' search --versions a=run/step-9-mean.npy \
    a=run/step-10-mean.npy --meta set.csv --row 0
fails 'some names' 2 'either all files have a name (NAME=FILE) or none' search --versions \
    a=run/step-9-mean.npy run/step-10-mean.npy --meta set.csv --row 0
npy '(2, 4)' 0 run/step-11-mean.npy
fails 'other rows' 1 'step-11-mean.npy has 2 rows but run/step-9-mean.npy has 4' \
    info --versions run/step-9-mean.npy run/step-11-mean.npy --meta set.csv
fails 'a number that an array has not' 2 '--only 2: the versions are 0, 1' info versions.npy \
    --meta set.csv --only 2

# A version has the figures that it has alone, also where features meet.
eval_as() { # FILE, options...
    eval_file=$1
    shift
    "$ISOGLOSS" eval demo-layers --limit 60 --format csv -q "$@" 2>>"$err" |
        awk -F, 'NR == 1 || $2 == 4' >"$eval_file"
}
alone() { # name, options...
    alone_name=$1
    shift
    : >"$err"
    eval_as all.csv "$@"
    eval_as one.csv --only 4 "$@"
    if [ "$(wc -l <one.csv)" -gt 20 ] && cmp -s all.csv one.csv; then
        pass "$alone_name"
    else
        fail "$alone_name" "$(cat "$err"; diff all.csv one.csv | head -n 10)"
    fi
}
alone 'with intervals' --ci --measures top1,pool_translation,uniformity
alone 'of a sample' --sample 20 --measures top1,pool_translation
alone 'trained on each, held out' --method centre --split valid --measures top1,probe
alone 'trained on each' --method seed --epochs 2 --measures top1,uniformity

# A report has all versions, then the last one.
works 'a report' eval demo-layers --limit 20 --method centre --measures top1 --report layers.html -q
says 'names the last' layers.html 'What follows shows the last version, 12\.'
says 'with its data' layers.html '<dt dir="auto">version</dt><dd dir="auto">12</dd>'
found=$(grep -c '<figcaption.*Shares over the versions' layers.html)
if [ "$found" -eq 2 ]; then pass 'with curves of both spaces'; else fail 'with curves of both spaces' "$found"; fi
works 'in Markdown' eval demo-layers --limit 20 --method centre --measures top1 --report layers.md \
    --format csv -q
first=$(awk -F '[|%]' '/^### meaning/ { here = 1 } here && /top-1/ { print $4 + 0; exit }' layers.md)
csv=$(awk -F, '$2 == 0 && $3 == "meaning" && $4 == "top1" && $5 $6 == "" { printf "%.1f", 100 * $8 }' "$out" | awk '{ print $1 + 0 }')
if [ -n "$csv" ] && [ "$first" = "$csv" ]; then pass 'the figures of the first'; else fail 'the figures of the first' "$first, not $csv"; fi

# Every command: what it prints of a version is what it prints of it alone.
each() { # name, column of the version, commands that reduce lines, command...
    each_name=$1 column=$2 reduce=$3
    shift 3
    "$ISOGLOSS" "$@" --limit 60 -q 2>"$err" >all.csv
    head -n 1 all.csv >all.one
    awk -F, -v c="$column" '$c == "4"' all.csv >>all.one
    "$ISOGLOSS" "$@" --limit 60 -q --only 4 2>>"$err" >one.csv
    for f in all.one one.csv; do sed "$reduce" "$f" >"$f.same"; done
    if [ "$(wc -l <one.csv)" -gt 1 ] && cmp -s all.one.same one.csv.same &&
        [ "$(grep -c . all.csv)" -gt "$(grep -c . one.csv)" ]; then
        pass "$each_name"
    else
        fail "$each_name" "$(cat "$err"; diff all.one.same one.csv.same | head -n 10)"
    fi
}
each 'project: coordinates' 1 's/^version,//;s/^4,\([0-9]*,[a-z]*,[a-z]*,\)/\1/' project demo-layers
each 'project: a neighbour layout' 1 's/^version,//;s/^4,\([0-9]*,[a-z]*,[a-z]*,\)/\1/' \
    project demo-layers --layout neighbours
each 'sweep: a run for each' 1 \
    's/^version,//;s/^4,\([a-z]\)/\1/;s/,[^,]*,ok$/,ok/' \
    sweep demo-layers --method centre,seed --epochs 2 --seed 1,2
each 'sweep: means of the seeds' 1 \
    's/^version,//;s/^4,\([a-z]\)/\1/;s/,[^,]*,[^,]*,2$/,2/' \
    sweep demo-layers --method centre,seed --epochs 2 --seed 1,2 --summary

# JSON, by a member of the same name.
printf 'mayor\nbirthday\n' >queries.txt
json() { # name, count, command...
    json_name=$1 wanted=$2
    shift 2
    "$ISOGLOSS" "$@" --json -q >"$out" 2>"$err"
    found=$(grep -o '"version": "[0-9]*"' "$out" | sort -u | wc -l)
    all=$(grep -o '"version": "[0-9]*"' "$out" | wc -l)
    if [ "$found $all" = "13 $wanted" ]; then
        pass "$json_name"
    else
        fail "$json_name" "$found versions, $all members: $(cat "$err")"
    fi
}
json 'search --row' 13 search demo-layers --row 94
json 'search --text' 13 search demo-layers --text 'The mayor'
json 'search --queries' 26 search demo-layers --queries queries.txt
json 'project' 13 project demo-layers --limit 20
json 'sweep, of runs and summaries' 26 sweep demo-layers --method centre --limit 20
"$ISOGLOSS" search demo-layers --queries queries.txt --json -q | grep '"version": "4"' |
    sed 's/"version": "4", //;s/,$//' >all.one
"$ISOGLOSS" search demo-layers --queries queries.txt --json -q --only 4 | grep '"query"' |
    sed 's/,$//' >one.csv
if [ -s one.csv ] && cmp -s all.one one.csv; then pass 'searched as alone'; else fail 'searched as alone' "$(diff all.one one.csv)"; fi
works 'search, a table' search demo-layers --row 94 --k 1
says 'with a column' "$out" '^version  rank  cosine '
says 'a line of each' "$out" '^11 *1  '
says 'and ranks' "$out" '^11 *de 1, '

# A run is of the version that it was trained on.
works 'a run of a version' train demo-layers --only 4 --method seed --epochs 2 --out r4 -q
works 'and of another' train demo-layers --only 7 --method centre --out r7 -q
says 'which its directory knows' r4/run.json '"version": "4"'
run eval demo-layers --run r4 --run r7 --measures top1 --format csv -q
cut -d, -f1-3 "$out" | sort -u | grep -v original | tr '\n' ' ' >runs
if [ "$(cat runs)" = 'r4,4,language r4,4,meaning r7,7,language r7,7,meaning run,version,space ' ]; then
    pass 'eval applies runs to theirs'
else
    fail 'eval applies runs to theirs' "$(cat runs)"
fi
run eval demo-layers --only 4 --run r4 --measures top1 --format csv -q
grep '^r4,' "$out" >one.csv
run eval demo-layers --run r4 --measures top1 --format csv -q
grep '^r4,' "$out" >all.one
if [ -s one.csv ] && cmp -s one.csv all.one; then pass 'as alone'; else fail 'as alone' "$(diff one.csv all.one)"; fi
run eval demo-layers --only 5 --run r4 --measures top1 --format csv -q
says 'to another if it is asked for' "$out" '^r4,5,meaning,top1,'
works 'search takes its version' search demo-layers --run r4 --row 94 --json
says 'and says so' "$err" 'note: version 4, which r4 was trained on'
mv "$out" all.one
works 'alone' search demo-layers --run r4 --row 94 --json --only 4
if cmp -s all.one "$out"; then pass 'with the same neighbours'; else fail 'with the same neighbours' "$(last_output)"; fi
works 'so does project' project demo-layers --run r4
works 'and transform, with --only' transform demo-layers --only 4 --run r4 --out moved
works 'what it writes is a folder of versions' info moved
says 'meaning embeddings' "$out" 'meaning: moved/meaning.npy: 1,600 x 384'
sed 's/"version": "4"/"version": "44"/; s/"checksum": "[0-9a-f]*"/"checksum": "0"/' r4/run.json >x
mv x r4/run.json
fails 'of a version that is not there' 1 \
    'r4: was trained on demo-layers, version 44, which is no version of DATA; --only NAME' \
    eval demo-layers --run r4 --measures top1
fails 'whichever the command' 1 'which is no version of DATA' project demo-layers --run r4
fails 'a split is of one version' 2 '--split valid with --run goes with one version of DATA' \
    eval demo-layers --run r7 --split valid

# An independent computation in double precision on the float16 vectors; these are int8.
"$ISOGLOSS" eval demo-layers --format csv -q \
    --measures pool_translation,pool_same_language,purity10,top1,uniformity,alignment,cka >layers.csv 2>"$err"
awk -F, -v tolerance=.005 '
    function check(measure, value) { wanted[$1 "," measure] = value }
    FNR == NR && FNR > 1 {
        check("pool_translation", $2); check("pool_same_language", $3); check("top1", $4)
        check("purity10", $5); check("uniformity", $6); check("alignment", $7); check("cka", $8)
    }
    FNR < NR && ($2 "," $4) in wanted && $5 $6 == "" {
        d = $8 - wanted[$2 "," $4]
        if (d > tolerance || d < -tolerance)
            print "# version " $2 ": " $4 " is " $8 ", not " wanted[$2 "," $4]
        found++
    }
    END { if (found != 13 * 7) print "# " found + 0 " figures, not 91" }
' "$golden/layers.csv" layers.csv >wrong
if [ -s wrong ]; then fail 'the layers of an encoder' "$(cat wrong)"; else pass 'the layers of an encoder'; fi

# On the screen: the strip, the map and the neighbours follow; a run belongs to its version.
demo=$root/data/demo.npy meta=$root/data/demo.csv
draw() { # keys, options...
    draw_keys=$1
    shift
    run render demo-layers --row 94 --size 100x30 --glyphs ascii --keys "$draw_keys" "$@"
}
draw '}}'
says 'the next version is shown' "$out" 'version 2 .* no run'
says 'below the map' "$out" ' 0  1  2  3 .* 11  12 '
says 'in the first layers a sentence is near its language' "$out" '[0-9]   en The mayor promised'
draw ':version 11<Enter>'
says 'by name' "$out" 'version 11 .* no run'
says 'later near its translations' "$out" '= fr Les femmes ont obtenu'
draw ':version 13<Enter>' --limit 24
says 'an unknown one is refused' "$out" "unknown version '13' (expected 0, 1, "
draw '{' --limit 24
says 'there is none before the first' "$out" '0 is the first version'
draw '<Space>' --method centre --limit 24
says 'a run is of a version' "$out" 'version 0 .* centre'
draw '<Space>}' --method centre --limit 24
says 'another has none' "$out" 'version 1 .* no run'
says 'and shows its own vectors' "$out" '^+ map original unit'
draw '<Space>}{' --method centre --limit 24
says 'which comes back' "$out" 'version 0 .* centre'

# The panel of versions: figures of each, the cursor on the one shown, languages by choice.
draw ':version 11<Enter>'
says 'figures of the version' "$out" 'nearest: translation  *0\.8[89]'
says 'their change' "$out" 'nearest: same language  *0\.1[01][0-9]  *-0\.2'
says 'with all versions on the axis' "$out" ' 0  *1  *2 .* 12|'
draw ':version 11<Enter>:panel versions<Enter>&de ja<Enter>'
says 'of two languages' "$out" 'versions: de and ja'
says 'what is one figure for all' "$out" 'purity of ten nearest  *-'
draw ':panel versions<Enter>&xx<Enter>' --limit 24
says 'of none' "$out" "has no language 'xx'; it has en"
draw ":panel versions<Enter>:save $PWD/versions-out.csv<Enter>" --limit 24
says 'as a table' versions-out.csv '^version,pool_translation,.*,uniformity$'
if [ "$(wc -l <versions-out.csv)" -eq 14 ]; then pass 'of all versions'; else fail 'of all versions' "$(cat versions-out.csv)"; fi

# Two versions side by side, and the sentences that moved.
draw ':version 6<Enter>:version 11<Enter>C'
says 'two maps' "$out" '^+ version 11 original .*+ version 6 '
says 'and both lists of neighbours' "$out" 'version 11 original .* version 6 original '
draw ':version 11<Enter>:compare 6<Enter>D'
says 'movers' "$out" 'movers: 6 to 11'
says 'the farthest first' "$out" '1\.00 *en'
says 'which the cursor follows' "$out" 'neighbours of #42 en'
says 'what is measured' "$out" 'moved: share of 10 nearest changed'
draw ':version 11<Enter>:compare 6<Enter>D}' --limit 24
says 'they follow the version' "$out" 'movers: 6 to 12'
draw ':version 11<Enter>:compare 10<Enter>D{' --limit 24
says 'onto the version compared' "$out" 'movers: 11 to 10'
draw ':version 11<Enter>:compare 6<Enter>DC' --limit 24
says 'no longer compared' "$out" '^+ map original unit'
draw D --limit 24
says 'movers of one version' "$out" 'C compares them'
draw ':compare 13<Enter>' --limit 24
says 'with an unknown one' "$out" "unknown version '13'"
"$ISOGLOSS" render --versions "a=$demo" "b=$demo" --meta "$meta" --size 100x30 --keys CD >"$out" 2>"$err"
says 'a version and its copy' "$out" '^.*0\.00 *en'
draw ':method centre<Enter>:version 2<Enter>:method centre<Enter>C' --limit 24
says 'runs of two versions' "$out" '^+ 2 centre (2) .*+ 1 centre (0) '
says 'their neighbours' "$out" '2 centre (2) meaning .*  1 centre (0) meaning '

# Every key, in every panel, with two versions compared; it must not fail.
for panel in map versions leakage neighbours runs data; do
    draw "C:panel $panel<Enter>}{jkhl<Enter><Esc>])(;01vuxXctb<Esc>_+-HJKLI<Esc>npf{}DCoz<Tab>" --limit 24
    exits "keys in the panel $panel" 0
done

rm -f run/step-11-mean.npy
finish
