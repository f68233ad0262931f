#!/bin/sh
# isogloss train: the run directory, its figures, starting from weights, being
# interrupted, and everything that is refused before training.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
demo=tests/golden/mixed.npy
runs=$scratch/runs

# --- a run directory ----------------------------------------------------------------------
works 'train' train $demo --lr 1e-3 --epochs 3 --out "$runs/seed"
says 'the best epoch is printed' "$out" '^best  *epoch 3 of 3'
says 'so are the measures' "$out" '^live alignment  *original 0\.847 -> meaning'
says 'and where it is' "$out" "^saved  *$runs/seed\$"
says 'progress in lines where there is no terminal' "$err" '^epoch 3/3  train [0-9.]*  valid [0-9.]*'
found=$(ls "$runs/seed" | tr '\n' ' ')
if [ "$found" = 'epochs.csv meaning.bias.npy meaning.weight.npy objective run.json valid.csv ' ]; then
    pass 'what a run directory holds'
else
    fail 'what a run directory holds' "$found"
fi
says 'the header of epochs.csv' "$runs/seed/epochs.csv" \
    "^epoch,train_loss,valid_loss,live_alignment,live_uniformity,seconds,pairs_per_second,pull m(x) m(y),push m(x) m(x'),"
if [ "$(wc -l <"$runs/seed/epochs.csv")" -eq 5 ]; then pass 'epochs 0 to 3'; else
    fail 'epochs 0 to 3' "$(cut -c 1-70 "$runs/seed/epochs.csv")"; fi
says 'epoch 0 is the state before training' "$runs/seed/epochs.csv" '^0,[0-9.]*,[0-9.]*,[0-9.]*,-[0-9.]*,[0-9.e-]*,nan,'
"$ISOGLOSS" objectives seed >"$scratch/objective"
if cmp -s "$scratch/objective" "$runs/seed/objective"; then pass 'the objective as run'; else
    fail 'the objective as run'; fi
says 'weights are float32' "$runs/seed/meaning.weight.npy" "'<f4'.*(256, 256)"
if ls -d "$runs"/*.tmp-* >/dev/null 2>&1; then
    fail 'nothing temporary stays' "$(ls "$runs")"
else
    pass 'nothing temporary stays'
fi

# --- JSON -----------------------------------------------------------------------------------
works 'train --json' train $demo --lr 1e-3 --epochs 3 --out "$runs/again" --json --quiet
cp "$out" "$scratch/again.json"
if [ -s "$err" ]; then fail 'quiet is quiet' "$(cat "$err")"; else pass 'quiet is quiet'; fi
says 'the best epoch' "$out" '^  "best": 3,$'
says 'the path' "$out" "^  \"path\": \"$runs/again\"\$"
says 'rounded nowhere: the learning rate' "$out" '"lr": 0.001,'
# Losses are those of epochs.csv, to the digit.
csv=$(cut -d, -f1-5 "$runs/again/epochs.csv" | tail -n +2 | tr ',' ' ')
json=$(awk '/"(epoch|train_loss|valid_loss|live_alignment|live_uniformity)": [-0-9.e]+,$/ {
    gsub(/[,"]/, ""); line = line (line == "" ? "" : " ") $2
    if ($1 == "live_uniformity:") { print line; line = "" } }' "$out")
if [ "$csv" = "$json" ]; then pass 'figures as in epochs.csv'; else
    fail 'figures as in epochs.csv' "$csv
$json"; fi
figures() { # of a run, without the columns of time
    cut -d, -f1-5,8- "$1/epochs.csv"
}
if [ "$(figures "$runs/seed")" = "$(figures "$runs/again")" ] &&
    cmp -s "$runs/seed/meaning.weight.npy" "$runs/again/meaning.weight.npy"; then
    pass 'same seed, same bytes'
else
    fail 'same seed, same bytes' "$(diff "$runs/seed/epochs.csv" "$runs/again/epochs.csv")"
fi
works 'another seed' train $demo --lr 1e-3 --epochs 3 --out "$runs/other" --seed 2 -q
if [ "$(figures "$runs/seed")" = "$(figures "$runs/other")" ]; then
    fail 'another seed, another run'
else
    pass 'another seed, another run'
fi

# --- starting from weights ------------------------------------------------------------------
# Epoch 0 of a run from the best weights of another measures what that one ended with.
works '--init' train $demo --lr 1e-3 --epochs 1 --init "$runs/seed" --out "$runs/more" -q
end=$(tail -n 1 "$runs/seed/epochs.csv" | cut -d, -f4,5)
start=$(sed -n 2p "$runs/more/epochs.csv" | cut -d, -f4,5)
if [ "$end" = "$start" ]; then pass 'it starts where that ended'; else
    fail 'it starts where that ended' "$end
$start"; fi
works '--init and --order sequential once' train $demo --init "$runs/seed" --order sequential --partner next \
    --epochs 2 --out "$runs/i1" -q
works 'and again' train $demo --init "$runs/seed" --set order=sequential --set partner=next --epochs 2 --out "$runs/i2" -q
if [ "$(figures "$runs/i1")" = "$(figures "$runs/i2")" ]; then pass 'the same losses'; else
    fail 'the same losses'; fi
fails '--init without weights' 1 'language.weight.npy' train $demo --method oracle --init "$runs/seed" --out "$runs/x"
fails '--init of nothing' 1 'meaning.weight.npy' train $demo --init "$scratch" --out "$runs/x"

# --- other methods and options ----------------------------------------------------------------
works 'centre' train $demo --method centre --out "$runs/centre"
says 'in closed form' "$out" '(closed form)'
works 'baseline' train $demo --method baseline --out "$runs/baseline"
works 'oracle' train $demo --method oracle --epochs 1 --out "$runs/oracle"
says 'both weights' "$runs/oracle/run.json" '"extractor": "twin"'
printf 'extractor residual\nlr 1e-3\nepochs 2\npull 1 m(x) m(y) name=together\npush 1 m(x) m(x'\'')\n' >"$scratch/mine.objective"
works 'an own objective' train $demo --method "$scratch/mine.objective" --out "$runs/mine"
says 'its name' "$out" '^method  *mine on mixed'
says 'its epochs' "$out" '^best  *epoch 2 of 2'
says 'its term in epochs.csv' "$runs/mine/epochs.csv" ",together,push m(x) m(x')\$"
works 'all pairs, no validation' train $demo --pairing all --valid 0 --epochs 1 --out "$runs/all"
says 'measured on training pairs' "$out" '16,800 training pairs'
works 'two languages' train $demo --pairing en-ja --epochs 1 --out "$runs/two" --json
says '600 pairs' "$out" '"pairs": 600,'
printf 'left,right\n0,600\n1,601\n2,602\n3,603\n' >"$scratch/pairs.csv"
works 'pairs from a file' train $demo --pairs "$scratch/pairs.csv" --epochs 1 --out "$runs/four"
says 'the batch shrinks, and it is said' "$out" '^note  *the batch shrank from 512 to [34]'
works 'a sample' train $demo --limit 50 --epochs 1 --out "$runs/few"
says 'it is said to be one' "$err" 'note: mixed: sampled 400 of 4,800 rows'
fails 'a run is not replaced unasked' 1 "$runs/few already contains a run: --overwrite replaces it" \
    train $demo --epochs 1 --out "$runs/few"
says 'and stays' "$runs/few/run.json" '"rows": 400,'
fails 'nor under another name' 1 'few/ already contains a run' train $demo --epochs 1 --out "$runs/../runs/few/"
works 'when asked it is' train $demo --epochs 1 --out "$runs/few" --overwrite
says 'with the new one' "$runs/few/run.json" '"rows": 4800,'

# A set without ids has no pairs; a method without weights needs none.
npy_head '<f4' False '4, 2' >"$scratch/plain.npy"
floats 1 0 0 1 2 1 1 2 >>"$scratch/plain.npy"
printf 'lang\nen\nen\nde\nde\n' >"$scratch/plain.csv"
works 'no pairs: centre' train "$scratch/plain.npy" --method centre --out "$runs/plain"
says 'nothing is measured' "$out" '^measured  *nothing: no pairs'
fails 'no pairs: seed' 1 'plain' train "$scratch/plain.npy" --out "$runs/x"

# --- refused before anything is trained ---------------------------------------------------------
fails 'no --out' 2 'train needs --out RUN, the run directory to write' train $demo
mkdir "$runs/mine2" && echo hello >"$runs/mine2/letter"
fails 'something else stands there' 1 "$runs/mine2: exists and is not a run directory" train $demo --out "$runs/mine2"
says 'and stays' "$runs/mine2/letter" hello
: >"$runs/file"
fails 'a file stands there' 1 "$runs/file: exists and is not a directory" train $demo --out "$runs/file"
fails 'a file stands above it' 1 "$runs/file: exists and is not a directory" train $demo --out "$runs/file/run"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$runs/locked" && chmod a-w "$runs/locked"
    fails 'a folder that cannot be written' 1 'Permission denied' train $demo --out "$runs/locked/run"
fi
fails 'an unknown method' 2 "there is no method 'sead'" train $demo --method sead --out "$runs/x"
fails 'an unknown language' 1 'xx' train $demo --pairing en-xx --out "$runs/x"
npy_head '<f4' False '2, 2' >"$scratch/nan.npy"
floats 1 nan 0 1 >>"$scratch/nan.npy"
printf 'lang,id\nen,1\nde,1\n' >"$scratch/nan.csv"
fails 'a value that is not finite' 1 'nan.npy: row 0 holds a value that is not finite (column 1)' \
    train "$scratch/nan.npy" --out "$runs/x"
if [ -e "$runs/x" ]; then fail 'nothing is written'; else pass 'nothing is written'; fi

# --- names that are no UTF-8 --------------------------------------------------------------------
odd=$(printf 'odd\377')
if cp $demo "$scratch/$odd.npy" 2>/dev/null; then
    cp "${demo%.npy}.csv" "$scratch/$odd.csv"
    works 'data of such a name' train "$scratch/$odd.npy" --limit 60 --epochs 1 --out "$runs/$odd" -q
    works 'weights of such a name' train $demo --limit 60 --epochs 1 --init "$runs/$odd" --out "$runs/of-odd" -q
    says 'they are recorded' "$runs/of-odd/run.json" '"init": ".*odd�"'
fi

# --- ended early ----------------------------------------------------------------------------------
run train $demo --lr 1e38 --epochs 50 --out "$runs/far"
exits 'a loss that is not finite' 1
says 'epoch and batch' "$err" 'isogloss: the training loss is not finite in epoch 1, batch [0-9]'
says 'what is written' "$err" "$runs/far contains the best epoch before that, 0"
says 'the run is there' "$runs/far/run.json" '"best_epoch": 0'
start_until '^epoch [1-9]' train $demo --lr 1e-3 --epochs 1000 --patience 0 --out "$runs/cut"
end_by TERM
exits 'SIGTERM' 143
says 'it says what is written' "$err" "interrupted in epoch [0-9]*; $runs/cut contains the best epoch, [0-9]"
says 'the run is complete' "$runs/cut/run.json" '"best_epoch": [1-9]'
works 'and can be used' train $demo --init "$runs/cut" --epochs 1 --out "$runs/after" -q

# --- one writer at a time -------------------------------------------------------------------------
# Three at once: one trains, two are refused; whoever comes later finds the run.
for one in 1 2 3; do
    "$ISOGLOSS" train $demo --lr 1e-3 --epochs 3 --out "$runs/three" >"$scratch/out$one" 2>"$scratch/err$one" &
    eval "child$one=\$!"
done
ended=
for one in 1 2 3; do
    eval "wait \$child$one"
    ended="$ended$?"
done
case $ended in
011 | 101 | 110) pass 'of three writers one is served' ;;
*) fail 'of three writers one is served' "exit statuses $ended: $(cat "$scratch"/err[123])" ;;
esac
refused=$(cat "$scratch"/err[123] | grep -cE "three: (process [0-9]+ on .* has been|another process is) writing it|three already contains a run")
if [ "$refused" -eq 2 ]; then pass 'two are refused'; else fail 'two are refused' "$(cat "$scratch"/err[123])"; fi
says 'the run is whole' "$runs/three/run.json" '"best_epoch"'
if [ -e "$runs/three.lock" ]; then fail 'its lock is gone'; else pass 'its lock is gone'; fi

# While one trains, a second one is refused; what appears in its place stays.
start_until '^epoch 0' train $demo --lr 1e-3 --epochs 1000000 --patience 0 --out "$runs/held"
"$ISOGLOSS" train $demo --epochs 1 --overwrite --out "$runs/held/" >"$scratch/out2" 2>"$scratch/err2"
if [ $? -eq 1 ]; then pass 'a second writer is refused'; else fail 'a second writer is refused' "$(cat "$scratch/err2")"; fi
says 'with the first one' "$scratch/err2" "held: process $child on .* has been writing it since .* ($runs/held.lock)"
cp -r "$runs/three" "$runs/held"
end_by TERM
exits 'what appears meanwhile is an error' 1
says 'of which run' "$err" "held: another program changed it meanwhile; the new files are kept in $runs/held.tmp-0, rename it"
if cmp -s "$runs/three/run.json" "$runs/held/run.json"; then pass 'it stays, to the byte'; else fail 'it stays, to the byte'; fi
says 'and what was trained is kept' "$runs/held.tmp-0/run.json" '"ending": "interrupted"'

# A lock that a killed training left.
start_until '^epoch 0' train $demo --lr 1e-3 --epochs 1000000 --patience 0 --out "$runs/dead"
end_by KILL
if [ -e "$runs/dead.lock" ]; then pass 'its lock is left'; else fail 'its lock is left'; fi
works 'the next one takes it' train $demo --epochs 1 --out "$runs/dead"
if [ -e "$runs/dead.lock" ]; then fail 'and removes it'; else pass 'and removes it'; fi

# --- lost output ------------------------------------------------------------------------------------
if [ -c /dev/full ]; then
    "$ISOGLOSS" train $demo --epochs 1 --out "$runs/full" --json >/dev/full 2>"$err"
    status=$?
    : >"$out"
    exits 'a full disk' 1
    says 'is reported' "$err" 'cannot write to standard output: No space left on device'
    says 'the run is there all the same' "$runs/full/run.json" best_epoch
fi
# --- the same with any number of threads ------------------------------------------------
# Few rows and a width that no kernel of a BLAS divides; epochs.csv but for the times.
small_demo
for method in meat dream+oracle structure seed procrustes inlp; do
    for threads in 1 2 3; do
        run train "$scratch/demo.npy" --dims 130 --method $method --epochs 1 --batch 300 \
            --overwrite --threads $threads --out "$runs/$threads" -q
        [ $status -eq 0 ] || fail "$method with $threads threads" "$(last_output)"
        cut -d, -f1-5,8- "$runs/$threads/epochs.csv" >"$runs/$threads/losses"
    done
    different=$(for other in 2 3; do
        for file in "$runs/1"/*.npy "$runs/1/losses"; do
            cmp -s "$file" "$runs/$other/${file##*/}" || echo "$other: ${file##*/}"
        done
    done)
    if [ -z "$different" ]; then pass "$method gives the same bytes with 1, 2 and 3 threads"; else
        fail "$method gives the same bytes with 1, 2 and 3 threads" "$different"; fi
done
for threads in 1 3; do
    run transform "$scratch/demo.npy" --dims 130 --run "$runs/1" --threads $threads \
        --out "$scratch/rows$threads" -q
done
different=$(for file in "$scratch/rows1"/*.npy; do
    cmp -s "$file" "$scratch/rows3/${file##*/}" || echo "${file##*/}"
done)
if [ -z "$different" ] && [ -s "$scratch/rows3/meaning.npy" ]; then pass 'and so does transform'; else
    fail 'and so does transform' "$different $(ls "$scratch/rows3")"; fi

# --- checkpoints ------------------------------------------------------------------------
# A training that is killed after a checkpoint leaves a run.
set_of="$scratch/demo.npy --dims 32"
cut_off() { # run, signal
    # shellcheck disable=SC2086 # words
    "$ISOGLOSS" train $set_of --lr 1e-3 --patience 0 --batch 64 --partner next \
        --checkpoint 2 --epochs 1000000 --out "$1" -q >"$out" 2>"$err" </dev/null &
    child=$!
    until grep -q '^[2-9],' "$1/epochs.csv" 2>/dev/null || ! kill -0 $child 2>/dev/null; do
        sleep 0.05
    done
    end_by "$2"
}
cut_off "$runs/killed" KILL
says 'its ending is a checkpoint' "$runs/killed/run.json" '"ending": "checkpoint"'
last=$(tail -n 1 "$runs/killed/epochs.csv" | cut -d, -f1)
if [ $((last % 2)) -eq 0 ]; then pass 'every second epoch'; else fail 'every second epoch' "$last"; fi
# shellcheck disable=SC2086 # words
{
    works 'it is a run already' eval $set_of --run "$runs/killed" --measures alignment --format csv -q
    # A checkpoint of a version that saved the state of training, too.
    echo state >"$runs/killed/checkpoint"
    best=$(sed -n 's/.*"best_epoch": \([0-9]*\).*/\1/p' "$runs/killed/run.json")
    loss=$(sed -n "s/^$best,[^,]*,\([^,]*\),.*/\1/p" "$runs/killed/epochs.csv")
    works 'another training begins from it' train $set_of --epochs 1 --batch 64 --partner next \
        --init "$runs/killed" --out "$runs/killed" --overwrite -q
    says 'with its weights' "$runs/killed/epochs.csv" "^0,[^,]*,$loss,"
    if [ ! -e "$runs/killed/checkpoint" ]; then pass 'and replaces it whole'; else fail 'and replaces it whole' "$(ls "$runs/killed")"; fi
    works 'no epochs, no checkpoints' train $set_of --method centre --checkpoint 1 --out "$runs/centre" --overwrite
    says 'is reported' "$err" 'note: centre has a single step and no checkpoints'
}
cut_off "$runs/ctrl" TERM
exits 'SIGTERM keeps the best epoch, too' 143
says 'as a run' "$runs/ctrl/run.json" '"ending": "interrupted"'
fails 'resuming is gone' 2 'train --init RUN continues from the weights' train "$scratch/demo.npy" --resume "$runs/ctrl"
finish
