#!/bin/sh
# Sessions: what is saved comes back, to the same bytes; paths are those of the session's
# own folder; runs that are not written are named; what is wrong is refused in a sentence.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
here=$PWD
mkdir "$scratch/d" "$scratch/s" "$scratch/elsewhere"
cp tests/screen/data/topics.csv "$scratch/d/"
cd "$scratch" || exit 1

# render KEYS SET [OPTIONS]: a frame to $out
frame() {
    keys=$1
    shift
    [ -z "$keys" ] || set -- "$@" --keys "$keys"
    run render "$@" --size 120x40 --threads 1
}
same() { # name file file
    if cmp -s "$2" "$3"; then pass "$1"; else fail "$1" "$(diff "$2" "$3")"; fi
}

all=':write d/r1<Enter>:method oracle<Enter>:write d/r2<Enter>:method inter<Enter>'
all=$all':row 12<Enter>B:bookmark the old door<Enter>:row 2<Enter>B:space meaning<Enter>'
all=$all':colour topic<Enter>:language ar<Enter>:gloss de<Enter>:select topic=home<Enter>i'
all=$all':axis x en de<Enter>/the<Enter>/brucke<Tab><Esc>:to de,ja<Enter>:set seed 7<Enter>'
all=$all':sort -loss<Enter>:panel runs<Enter>kk<Enter>kC:leakage meaning<Enter>++H:save s/a.json<Enter>'
frame "<space>$all" d/topics.csv --epochs 3 --lr 0.01
exits 'a session is saved' 0
says 'that is said, and what is left out' "$out" \
    'session written to s/a.json; left out, not written: run 3 inter'
says 'paths are those from its folder' s/a.json '"data": \["\.\./d/topics\.csv"\]'
says 'of runs, too' s/a.json '"runs": \["\.\./d/r1", "\.\./d/r2"\]'
says 'the order of the runs' s/a.json '"sort": "-loss"'
says 'the options of the next run' s/a.json '"epochs": 3, "lr": 0\.01'

frame ':save s/b.json<Enter>' s/a.json
exits 'it is opened again' 0
says 'with its runs, side by side' "$out" '1 seed meaning.*2 oracle'
says 'with its panel' "$out" '\[leakage: meaning top-1\]'
says 'with its gloss' "$out" 'neighbours of #2 en in de, ja, in de'
same 'and saved to the same bytes' s/a.json s/b.json
frame '' s/a.json
cp "$out" "$scratch/first"
frame '' s/b.json
same 'with the same frame' "$scratch/first" "$out"
frame "'" s/a.json
says 'the bookmarks' "$out" '#12 de the old door Sie streicht die alte T'
frame '/<Up>' s/a.json
says 'the searches' "$out" '^/the   6 matches   accents count'

cd elsewhere || exit 1
frame ':save ../s/c.json<Enter>' ../s/a.json
same 'from another folder' ../s/a.json ../s/c.json
frame ':save d.json<Enter>' ../s/a.json
says 'to another folder' d.json '"data": \["\.\./d/topics\.csv"\]'
cd .. || exit 1
mv s/a.json a.json
sed 's,"\.\./d/,"d/,g' a.json >moved.json
frame ':save moved2.json<Enter>' moved.json
same 'a session beside its data' moved.json moved2.json
frame ':save<Enter>' moved.json
says 'without a name: to its own file' "$out" 'session written to moved.json'
frame ':save d/topics.csv<Enter>' moved.json
says 'never over the data' "$out" 'd/topics.csv'
if grep -q isogloss d/topics.csv; then fail 'which stay' "$(head -3 d/topics.csv)"; else pass 'which stay'; fi

# --session is written on quitting: never over what is no session. Nothing but that is
# wrong here: without a terminal the explorer reads its data, and says why it cannot go on.
cp d/topics.csv d/other.csv
echo '{"kind": "run"}' >d/other.json
for file in d/topics.csv d/other.csv d/other.json; do
    cp $file before
    run d/topics.csv --session $file
    exits "--session $file" 2
    says 'is refused' "$err" "$file.*: nothing .*written over it"
    same 'and the file stays' $file before
done
run d/topics.csv --session s/a.json
exits 'a session may be written over' 1
says 'where there is a terminal' "$err" 'terminal'

# Options are kept, and the command line has the last word.
frame ':save limited.json<Enter>' d/topics.csv --limit 4 --dims 3 --column id=id
exits 'options of the data' 0
says 'are kept' limited.json '"--dims", "3", "--limit", "4"'
frame '' limited.json
says 'and hold' "$out" 'topics · 16 rows · 4 languages · d 3'
frame '' limited.json --dims 2
says 'but for those that are said' "$out" 'd 2'
cat d/topics.csv | "$ISOGLOSS" render - --size 120x40 --keys ':save piped.json<Enter>' >"$out" 2>"$err"
says 'data of a pipe cannot be opened again' "$out" 'data from standard input cannot be opened again'

# Guests are encoded anew, and have their names.
frame ':ask de Brot geht über Nacht auf.<Enter>:rename 1 bread<Enter>:ask She paints the old door.<Enter>:save guests.json<Enter>' \
    d/topics.csv --encoder npy:d/topics.csv
says 'guests are saved' guests.json '{"text": "Brot geht über Nacht auf.", "lang": "de", "name": "bread"}'
frame ':save guests2.json<Enter>' guests.json
same 'and come back' guests.json guests2.json
sed 's/"name": "bread"/"name": 7/' guests.json >wrong.json
fails 'a name that is none' 1 "guests: name must be a short text, not '7'" render wrong.json --size 80x24
frame ':save short<Enter>' d/topics.csv
says 'a name without an ending gets one' "$out" 'session written to short.json'
frame ':save short.txt<Enter>' d/topics.csv
says 'another ending is refused' "$out" 'short.txt: a session ends in .json'
fails 'a session stands alone' 2 'short.json is a session, which stands alone' render short.json d/topics.csv

# Axes through guests are laid again when these have come, whatever their numbers are.
frame ':ask He sold his first boat.<Enter>:ask de Brot geht über Nacht auf.<Enter>:ask She paints the old door.<Enter>:axis x g2 g3<Enter>:forget 1<Enter>:save axes.json<Enter>' \
    d/topics.csv --encoder npy:d/topics.csv
says 'an axis through guests is saved' axes.json '"axes": \["g1 g2", 1\]'
frame ':save axes2.json<Enter>' axes.json
same 'and comes back' axes.json axes2.json
frame '' axes.json
says 'it is laid' "$out" 'guest 1 → guest 2'
sed 's/, "--encoder", "[^"]*"//' axes.json >waits.json
frame ':save waits2.json<Enter>' waits.json
same 'it waits for guests that cannot come' waits.json waits2.json
sed 's/"g1 g2"/"g1 g3"/' axes.json >wrong.json
fails 'a guest that is not there' 1 'wrong.json: view: axes must be axes through guests that the session has' \
    render wrong.json --size 80x24

# A session may be anybody's: a program in it is not started. Guests wait in it.
awk '/She paints/ { for (i = 0; i < 31; i++) print $0 "," } { print }' guests.json >many.json
fails 'more guests than there may be' 1 'many.json: guests: 33 of them, where 32 are most' \
    render many.json --size 80x24
sed 's,npy:d/topics.csv,touch ran; cat,' guests.json >program.json
frame '' program.json
exits 'a session whose encoder is a program' 0
says 'tells it' "$out" "the session's encoder is a program: give --encoder to start it; the session keeps its guests"
frame ':save program2.json<Enter>' program.json
same 'and is kept as it is' program.json program2.json
if [ -e ran ]; then fail 'nothing was started' "$(cat program.json)"; else pass 'nothing was started'; fi
frame ':save guests3.json<Enter>' program.json --encoder npy:d/topics.csv
same 'the command line has the last word' guests.json guests3.json
run render program.json --size 80x24 --encoder 'touch ran; cat'
if [ -e ran ]; then pass 'and starts it'; else fail 'and starts it' "$(cat "$out" "$err")"; fi
sed 's/, "--encoder", "[^"]*"//' guests.json >quiet.json
frame '' quiet.json
says 'without an encoder' "$out" 'there is no encoder; the session keeps its guests'
frame ':save quiet2.json<Enter>' quiet.json
says 'guests stay in the session' quiet2.json '"text": "Brot geht über Nacht auf.", "lang": "de", "name": "bread"}'

# A file that is none, or says what cannot be.
wrong() { # name text sed-command
    sed "$3" moved.json >wrong.json
    fails "$1" 1 "$2" render wrong.json --size 80x24
}
echo '{}' >none.json
fails 'no session' 1 'none.json is no session: one has "isogloss": "session"' render none.json
echo '{"isogloss": "session", "version": 1,' >cut.json
fails 'no JSON' 1 'cut.json:' render cut.json
fails 'not there' 1 'nothing.json' render nothing.json
wrong 'another version' 'wrong.json: version must be 1, which this program writes, not '"'2'" 's/"version": 1/"version": 2/'
wrong 'an unknown key' "there is no 'views' in a session" 's/"view"/"views"/'
wrong 'an unknown thing of the view' "there is no 'rows' in view" 's/"row": 2,/"rows": 0,/'
wrong 'a row that is no number' "view: row must be the number of a row, not 'x'" 's/"row": 2,/"row": "x",/'
wrong 'a space' "view: space must be a space of the map (original, meaning" 's/"meaning",/"moon",/'
wrong 'a panel' "view: side must be the name of a panel beside the map (curves, leakage), not 'moon'" 's/"side": "[a-z]*"/"side": "moon"/'
wrong 'an entry' "runs: entry 2 must be a text, not '7'" 's,"d/r2",7,'
wrong 'a run' "view: shown must be a number of the runs, 0 for the newest, not '9'" 's/"shown": 1/"shown": 9/'
wrong 'an axis' 'view: axes must be two components of the set' 's/"en de"/"en xx"/'
wrong 'a selection' 'selection must be a list of [first, last] rows' 's/"selection": \[\[1,/"selection": [[99,/'
wrong 'a bookmark' "bookmarks: row must be the number of a row, not 'x'" 's/"row": 12, /"row": "x", /'
wrong 'an option' "options: a session keeps no '--keys'" 's/"--seed"/"--keys"/'
wrong 'its value' "wrong.json: --seed must be a whole number" 's/"--seed", "1"/"--seed", "x"/'
wrong 'a training option' "there is no 'rate' in training" 's/"lr"/"rate"/'
wrong 'its value, too' "training: lr must be a number above 0" 's/"lr": 0.01/"lr": -1/'
wrong 'no data' 'data names no file' 's/"data": \["[^]]*\]/"data": []/'
wrong 'data that have gone' 'd/gone.csv' 's,d/topics.csv,d/gone.csv,'

# What is named and not there is left out, and stays in the file.
sed -e 's,"d/r1","lost/r1",' -e 's/"row": 12, /"row": 120, /' moved.json >partly.json
frame ':save s/partly.json<Enter>' partly.json
exits 'a run and a bookmark that have gone' 0
frame '' partly.json
says 'are named' "$out" 'left out of the session: run lost/r1'
says 'both of them' "$out" '1 bookmark beyond the 40 rows'
says 'the rest is there' "$out" 'oracle ✓ best epoch'
says 'the run stays in the file' s/partly.json '"runs": \["\.\./lost/r1", "\.\./d/r2"\]'
says 'and the bookmark' s/partly.json '{"row": 120, "name": "the old door"}'
frame ':save partly2.json<Enter>' s/partly.json
says 'once more' partly2.json '"runs": \["lost/r1", "d/r2"\]'
says 'with the place of the run compared' partly2.json '"compared": 2'
frame '' moved.json --limit 2
says 'fewer rows' "$out" '8 rows'
fails 'a run that the command line names must be there' 1 'lost/r1' render moved.json --run lost/r1
cd "$here" || exit 1

finish
