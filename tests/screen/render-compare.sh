#!/bin/sh
# Several runs in the explorer: their table, their curves, one beside another, run
# directories read. Frames without a terminal; figures are not looked at.
. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")/../.." || exit 1

isogloss=${ISOGLOSS:-build/isogloss}
set=tests/scenes/data/planted.csv
scratch=$(mktemp -d "${TMPDIR:-/tmp}/isogloss-compare.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
frame=$scratch/frame

draw() { # size keys [options]
    size=$1 keys=$2
    shift 2
    "$isogloss" render "$set" --size "$size" --threads 1 --epochs 3 --keys "$keys" "$@" >"$frame" 2>&1
}
shows() { # name pattern
    if grep -q -e "$2" "$frame"; then pass "$1"; else fail "$1" "no /$2/ in:
$(cat "$frame")"; fi
}
hides() { # name pattern
    if grep -q -e "$2" "$frame"; then fail "$1" "/$2/ in:
$(cat "$frame")"; else pass "$1"; fi
}

three=' :method oracle<Enter>:set seed 7<Enter>:method centre<Enter>'

# --- the table ------------------------------------------------------------------------------
draw 120x30 "$three:panel runs<Enter>z"
shows 'the columns' 'run method .* lr seed  dims epochs  best   loss live alignment live uniformity state *saved'
shows 'the first run' ' 1 seed .* 0\.0001    1     5      3 .* finished *no'
shows 'the second' ' 2 oracle .* 1e-05    1     5      3 .* finished *no'
shows 'the newest is shown' '▸3 centre .* 7     5 '
shows 'its facts below' 'method  *centre'
shows 'the header has its number' '3 centre ✓'
draw 60x20 "$three:panel runs<Enter>z"
shows 'narrow: the figures stay' 'run method .* loss live alignment live uniformity'
hides 'the options go' 'seed *dims'
draw 40x10 "$three:panel runs<Enter>z"
shows 'small: a line a run' '3 centre'

draw 120x30 "$three:panel runs<Enter>kk<Enter>"
shows 'Enter shows a run' '▸1 seed'
shows 'in the header, too' '1 seed ✓ best epoch 3 of 3'
draw 120x30 "$three:panel runs<Enter>kk<Enter>m<Esc><space><space>z"
shows 'a new run is shown' '▸4 '
draw 120x30 "$three:panel runs<Enter>zkk"
shows 'the selected run is told of' 'run  *1, selected; run 3 is shown, Enter: show this run'
shows 'with what sets it apart' 'differs from 3  *seed 1, not 7  *│'
shows 'and where it is' 'directory  *not saved'
draw 120x30 "$three:panel runs<Enter>zkkjjjjj"
shows 'the lines below are of the run that the cursor was on last' 'method  *centre'
draw 80x24 "$three:panel runs<Enter>:sort loss<Enter>"
shows 'the table says what it is sorted by' '\[runs by loss\]'
shows 'the cursor stays on its run' '▸3 centre'
draw 120x30 "$three:panel runs<Enter>z:sort loss<Enter>"
shows 'its head stays' 'run method'
if [ "$(sed -n 's/^│ *▸*\([123]\) [a-z]* .*/\1/p' "$frame" | head -n 3 | tr -d '\n')" = 213 ]; then
    pass 'by loss, without one last'
else
    fail 'by loss, without one last' "$(cat "$frame")"
fi
draw 120x30 "$three:panel runs<Enter>z:sort -loss<Enter>gd"
shows 'what is deleted is what is selected' 'Run 1 seed is not saved'
draw 120x30 "$three:panel runs<Enter>z:sort loss<Enter>g<Enter>"
shows 'what is shown, too' '▸2 oracle'
draw 120x30 "$three:sort colour<Enter>"
shows 'a column that is none' 'sort keys: run, method, lr, seed'
draw 120x30 "$three:panel runs<Enter>zSS"
shows 'a key sorts by the next column' '\[runs by lr\]'
draw 120x30 "$three:panel runs<Enter>kd"
shows 'an unwritten run is not deleted unasked' 'Run 2 oracle is not saved\.'
draw 120x30 "$three:panel runs<Enter>kd<Esc>"
shows 'it can stay' ' 2 oracle'
draw 120x30 "$three:panel runs<Enter>kdd"
hides 'it can go' '2 oracle .* finished'
shows 'it is said' 'run 2 deleted'
draw 120x30 "$three:panel neighbours<Enter>d"
shows 'in other panels nothing is deleted' 'select a run in the runs panel'
draw 120x30 "${three}q"
shows 'leaving asks for all' '3 runs are not saved\.'

# --- the curves ---------------------------------------------------------------------------------
draw 120x40 ' :method oracle<Enter>:method inter<Enter>:panel curves<Enter>z'
shows 'a legend of all runs' '1 seed ┄ 2 oracle ┄'
shows 'a number at the end of a curve' ' [12] *│$'
draw 40x20 ' :method oracle<Enter>:method inter<Enter>:panel curves<Enter>z'
shows 'narrow: by their numbers' '1 seed ┄ 2 oracle ┄'
draw 80x24 "$three:panel curves<Enter>z"
shows 'beside a run without a loss' '1 seed ┄ 2 oracle'

draw 120x40 ' :method centre<Enter>:method oracle<Enter>:panel curves<Enter>z'
if [ "$(grep -c '2 centre ┄' "$frame")" -eq 2 ]; then
    pass 'a run without a loss is in the legends of its curves alone'
else
    fail 'a run without a loss is in the legends of its curves alone' "$(cat "$frame")"
fi

# --- one beside another ----------------------------------------------------------------------------
two=' :method oracle<Enter>'
draw 120x30 "$two:panel runs<Enter>kC"
shows 'two maps, each with its run' '^┌ 2 oracle joint unit ─*┬ 1 seed ─* epoch 3 ┐'
shows 'it is marked in the table' '│  =1 seed'
shows 'and said' 'comparing run 1 with run 2'
if [ "$(grep -o '●' "$frame" | wc -l)" -eq 2 ]; then pass 'the cursor in both'; else fail 'the cursor in both' "$(cat "$frame")"; fi
draw 120x30 "$two:panel neighbours<Enter>C"
shows 'neighbours of both' '2 oracle meaning ✓ [0-9] of 3 .*  1 seed meaning ✓ [0-9] of 3'
draw 120x30 "$two:panel neighbours<Enter>Clj<Enter>"
shows 'the second list can be chosen from' '2 oracle meaning'
draw 120x30 "${two}CC"
hides 'and away again' '1 seed ─'
draw 120x30 "${two}C:panel runs<Enter>k<Enter>"
shows 'they change places' '^┌ 1 seed joint unit ─.*┬ 2 oracle ─* epoch 3 ┐'
draw 120x30 "${two}C:panel runs<Enter>kdd"
hides 'until one of them is deleted' '┬ 1 seed'
draw 40x10 "${two}C"
hides 'small: one alone' '1 seed'
draw 120x30 ' C'
shows 'one run cannot be compared' 'comparing needs two runs'
draw 120x30 "${two}C" --init "$scratch/nothing"
hides 'no run at all' '┬ 1'

# --- written and read ----------------------------------------------------------------------------
draw 120x30 " w<Ctrl-U>$scratch/runs/a<Enter>"
hides 'no folder, no run' 'run written'
mkdir "$scratch/runs"
draw 120x30 " :write $scratch/runs/a<Enter>:method oracle<Enter>:panel runs<Enter>w"
shows 'another name for another run' 'save to: run-2'
{
    printf 'left,right\n'
    seq 0 19 | awk '{ print $1 "," $1 + 20 }'
} >"$scratch/pairs.csv"
draw 120x30 " :write $scratch/runs/paired<Enter>" --pairs "$scratch/pairs.csv"
if grep -q '"pairing": "file"' "$scratch/runs/paired/run.json"; then
    pass 'pairs of a file are recorded as such'
else
    fail 'pairs of a file are recorded as such' "$(grep pairing "$scratch/runs/paired/run.json")"
fi
if "$isogloss" eval "$set" --run "$scratch/runs/paired" --pairs "$scratch/pairs.csv" --split valid -q \
    >"$frame" 2>&1; then
    pass 'and who was held out is found again'
else
    fail 'and who was held out is found again' "$(cat "$frame")"
fi
draw 120x30 "<space>:load $scratch/runs/a<Enter>:panel runs<Enter>z"
shows 'a run read beside one trained' ' 2 seed .* read *yes'
draw 120x30 ":panel runs<Enter>z" --run "$scratch/runs/a" --run "$scratch/runs/a"
shows 'two runs read at the start' '▸2 seed .* read *yes'
shows 'with its terms' '^│pull m(x) m(y)  '
shows 'with its state' '^│state  *all epochs done'
rm "$scratch/runs/a/run.json" "$scratch/runs/a/epochs.csv"
draw 120x30 ":panel runs<Enter>" --run "$scratch/runs/a"
shows 'weights alone, as PyTorch may have written them' '▸1 weights'
shows 'have no curves' 'no training history'
shows 'and a map' '^┌ map joint unit'
"$isogloss" sweep "$set" --method seed,oracle --dims 3,5 --epochs 2 --out "$scratch/swept" -q >/dev/null
draw 120x30 ":panel runs<Enter>z" --runs "$scratch/swept"
shows 'a sweep in the order of names' '1 oracle .* 1     3      2'
shows 'one of its runs is shown' '▸4 seed .* 1     5      2'
draw 120x30 ":panel runs<Enter>zk<Enter>" --runs "$scratch/swept"
shows 'one of the first dimensions alone is shown as well' '▸3 seed .* 1     3      2'
draw 120x30 ":panel runs<Enter>kC" --runs "$scratch/swept"
shows 'and stands beside another' 'run 3 with run 4'
shows 'with its map' '1 seed\|3 seed'
draw 120x30 ":panel runs<Enter>zj<Enter>" --dims 3 --runs "$scratch/swept"
shows 'one of more dimensions has no map' 'run 4 was trained on 5 dimensions, not 3'
draw 120x30 ":load $scratch/swept/seed-d3<Enter>"
shows 'it is not read by itself' 'has 5 dimensions but the run .*seed-d3 has 3'
draw 120x30 ":load $scratch/nothing<Enter>"
shows 'a run that is not there' 'nothing'
for bad in "--run $scratch/swept/seed-d3" "--run $scratch" "--runs $scratch/runs/a" "--runs $scratch/none"; do
    # shellcheck disable=SC2086 # an option and its value
    if draw 120x30 '' $bad; then
        fail "refused: $bad" "$(cat "$frame")"
    else
        shows "refused: ${bad%% *}" '^isogloss: '
    fi
done
# --- panels by name ---------------------------------------------------------------------------
draw 120x30 ':panel leaks<Enter>'
shows 'a panel that is none' "unknown panel 'leaks' (expected map, curves, neighbours, leakage"
draw 120x30 ':panel sentences<Enter>'
shows 'a list without sentences' 'no sentences listed'
finish
