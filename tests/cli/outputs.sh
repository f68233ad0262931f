#!/bin/sh
# What is written never costs what was there: inputs, files of others, links, pipes, runs of
# a writer that was killed.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
set=$scratch/set.npy

kept() { # name, file, copy of what it was
    if cmp -s "$2" "$3"; then pass "$1"; else fail "$1" "$2 has changed"; fi
}

npy_head '<f4' False '4, 2' >"$set"
floats 1 0 3 0 0 1 0 3 >>"$set"
printf 'lang,id,text\nen,a,x\nen,b,y\nde,a,zwei\nde,b,drei\n' >"$scratch/set.csv"
cp "$set" "$scratch/set.copy"
cp "$scratch/set.csv" "$scratch/table.copy"

# --- no output is an input, by whatever name -------------------------------------------
fails 'a picture over the set' 2 'its name does not end in .svg' project "$set" --svg "$set"
ln -s set.npy "$scratch/link.svg"
fails 'a picture over the set by a link' 2 'refusing to overwrite it' project "$set" --svg "$scratch/link.svg"
ln "$scratch/set.csv" "$scratch/hard.svg"
fails 'a picture over the table by another name' 2 'refusing to overwrite it' \
    project "$set" --svg "$scratch/hard.svg"
ln -s set.csv "$scratch/report.html"
fails 'a report over the table' 2 'refusing to overwrite it' eval "$set" --report "$scratch/report.html"
kept 'the set is as it was' "$set" "$scratch/set.copy"
kept 'the table is as it was' "$scratch/set.csv" "$scratch/table.copy"

works 'a run' train "$set" --method centre --valid 0 --out "$scratch/run" -q
fails 'transform over its run' 1 'exists and is not empty' \
    transform "$set" --run "$scratch/run" --out "$scratch/run"
fails 'transform over another run' 1 'exists and is not empty' \
    transform "$set" --run "$scratch/run" --out "$(cp -r "$scratch/run" "$scratch/two" && echo "$scratch/two")"
if [ -e "$scratch/run/run.json" ] && [ -e "$scratch/two/run.json" ]; then pass 'the runs are there'; else
    fail 'the runs are there' "$(ls "$scratch")"; fi
works 'the explorer refuses too' render "$set" --size 200x40 --keys ":panel leakage<enter>:write $scratch/set.csv<enter>" -q
says 'and says why' "$out" 'refusing to overwrite it'
works 'its table' render "$set" --keys ":select lang=de<enter>:write $scratch/set.csv<enter>" -q
says 'neither' "$out" 'is an input; ref'
kept 'the table is as it was after all' "$scratch/set.csv" "$scratch/table.copy"

# --- files of others ------------------------------------------------------------------
echo mine >"$scratch/run/notes.txt"
mkdir "$scratch/run/figures"
works 'a run in the place of another' train "$set" --method baseline --valid 0 --out "$scratch/run" --overwrite -q
if [ "$(cat "$scratch/run/notes.txt")" = mine ] && [ -d "$scratch/run/figures" ]; then
    pass 'notes in the directory stay'; else fail 'notes in the directory stay' "$(ls "$scratch/run")"; fi
mkdir "$scratch/taken" "$scratch/taken/run.json"
fails 'a folder in the way is named' 1 'run.json in it was not written by isogloss' \
    train "$set" --method centre --valid 0 --out "$scratch/taken" -q

# --- links, pipes, standard output ----------------------------------------------------
mkdir "$scratch/far"
echo old >"$scratch/far/map.svg"
ln -s far/map.svg "$scratch/near.svg"
works 'through a link' project "$set" --svg "$scratch/near.svg" -q
says 'what it names is written' "$scratch/far/map.svg" '<svg '
if [ -L "$scratch/near.svg" ]; then pass 'the link stays'; else fail 'the link stays'; fi
if "$ISOGLOSS" project "$set" --svg /dev/stdout -q 2>/dev/null | grep -q '<svg '; then
    pass 'to a pipe'; else fail 'to a pipe'; fi
if "$ISOGLOSS" project "$set" --svg - -q 2>/dev/null | grep -q '<svg '; then
    pass 'to standard output'; else fail 'to standard output'; fi
"$ISOGLOSS" project "$set" --svg /dev/stdout -q >"$scratch/out.svg" 2>/dev/null
says 'to a file behind it' "$scratch/out.svg" '<svg '

works 'a run of the demo' train demo --method centre --valid 0 --out "$scratch/wide" -q

# --- a file that may not grow -----------------------------------------------------------
( ulimit -f 4; "$ISOGLOSS" project "$set" --svg "$scratch/long.svg" -q >"$out" 2>"$err" )
status=$?
exits 'a limit of file sizes is an error of writing' 1
says 'of which file, and why' "$err" 'long.svg: File too large'
if [ -e "$scratch/long.svg" ]; then fail 'which is not there'; else pass 'which is not there'; fi
for name in far.csv far.jsonl; do
    ( ulimit -f 1; "$ISOGLOSS" transform data/demo.npy --run "$scratch/wide" --out "$scratch/$name" -q \
        >"$out" 2>"$err" )
    status=$?
    exits "$name may not grow" 1
    says 'it is named, and why' "$err" "$name: File too large"
done
( ulimit -f 1; "$ISOGLOSS" --help >"$scratch/help" 2>"$err" )
status=$?
exits 'nor what standard output goes to' 1
says 'it is named, too, and why' "$err" 'cannot write to standard output: File too large'

# --- a file that becomes shorter --------------------------------------------------------
cp data/demo.npy data/demo.csv "$scratch"
"$ISOGLOSS" train "$scratch/demo.npy" --epochs 1000000 --patience 0 --out "$scratch/cut" \
    >"$out" 2>"$err" </dev/null &
until grep -q '^epoch 0/' "$err"; do sleep 0.1; done
: >"$scratch/demo.npy"
wait $!
status=$?
exits 'training on a file that becomes shorter' 1
says 'it is named' "$err" 'demo.npy became shorter while it was read'
if [ ! -e "$scratch/cut" ]; then pass 'nothing is written'; else fail 'nothing is written'; fi

# --- a writer that was killed ---------------------------------------------------------
mkdir "$scratch/runs"
cp -r "$scratch/two" "$scratch/runs/a.old-0"
cp -r "$scratch/two" "$scratch/runs/b"
cp -r "$scratch/two" "$scratch/runs/b.tmp-0"
: >"$scratch/runs/a.lock" && : >"$scratch/runs/b.lock" # of killed writers: nobody holds them
works "runs that were left" render "$set" --runs "$scratch/runs" -q
rm -f "$scratch/runs"/*.lock
if [ "$(ls "$scratch/runs" | tr '\n' ' ')" = 'a b ' ]; then pass 'one is back, one is gone'; else
    fail 'one is back, one is gone' "$(ls "$scratch/runs")"; fi
finish
