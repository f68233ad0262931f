#!/bin/sh
# Commands that a signal ends, several writers of one run, and a file that becomes shorter
# while it is read.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
small_demo 40
here=$PWD
cd "$scratch" || exit 1
endless='--lr 1e-3 --epochs 1000000 --patience 0'

# --- a signal ---------------------------------------------------------------------------
# shellcheck disable=SC2086 # options
{
    start_until '^epoch [1-9]' train demo.npy --lr 1e-3 --epochs 1000 --patience 0 --out cut
    end_by TERM
    exits 'train: SIGTERM' 143
    says 'the best epoch is saved' "$err" 'interrupted in epoch [0-9]*; cut contains the best epoch, [0-9]'
    says 'the run is complete' cut/run.json '"best_epoch": [1-9]'
    works 'and can be used' train demo.npy --init cut --epochs 1 --out after -q
    start_until '^epoch' eval demo.npy --method seed $endless
    end_by TERM
    exits 'eval: SIGTERM' 143
    if [ -s "$out" ]; then fail 'nothing is printed' "$(head "$out")"; else pass 'nothing is printed'; fi
    start_until '^1/2' sweep demo.npy --set epochs=1,1000000 --patience 0 --lr 1e-3
    end_by TERM
    exits 'sweep: SIGTERM' 143
    says 'how many runs are done' "$err" '^isogloss: interrupted; 1 of 2 runs are done'
    is 'their lines are printed' 2 "$(wc -l <"$out" | tr -d ' ')"

    # --- checkpoints ----------------------------------------------------------------------
    "$ISOGLOSS" train demo.npy $endless --checkpoint 2 --out killed -q >"$out" 2>"$err" </dev/null &
    child=$!
    until grep -q '^[2-9],' killed/epochs.csv 2>/dev/null || ! kill -0 $child 2>/dev/null; do sleep 0.05; done
    end_by KILL
    says 'a killed training leaves a checkpoint' killed/run.json '"ending": "checkpoint"'
    works 'which is a run' eval demo.npy --run killed --measures alignment -q
    if [ -e killed.lock ]; then pass 'and its lock'; else fail 'and its lock'; fi
    works 'which the next training takes' train demo.npy --epochs 1 --out killed --overwrite -q
    if [ -e killed.lock ]; then fail 'and removes'; else pass 'and removes'; fi

    # --- one writer at a time -------------------------------------------------------------
    start_until '^epoch 0' train demo.npy $endless --out held
    "$ISOGLOSS" train demo.npy --epochs 1 --overwrite --out held/ >out2 2>err2
    is 'a second writer is refused' 1 $?
    says 'with the name of the lock' err2 "held.lock: another process is writing it"
    end_by TERM
}

# --- a file that becomes shorter, or is replaced --------------------------------------
cp "$here/data/demo.npy" "$here/data/demo.csv" . # small: read
start_until '^epoch 0/' train demo.npy $endless --out small
: >demo.npy
end_by TERM
exits 'a small file may become shorter' 143
works 'and what was trained on it is saved' eval "$here/data/demo.npy" --run small --measures alignment -q

# Large enough to be mapped, by a long header.
enlarge() {
    python3 -c 'd = open("'"$here"'/data/demo.npy", "rb").read(); n = 64 << 20
open("demo.npy", "wb").write(d[:6] + b"\2\0" + n.to_bytes(4, "little") + d[10:128].ljust(n) + d[128:])'
}
enlarge
start_until '^epoch 0/' train demo.npy $endless --out changed
touch -d '2001-01-01' demo.npy
end_by TERM
says 'training on a large file that changes' "$err" 'demo.npy changed after it was opened; open it anew'
if [ ! -e changed ]; then pass 'saves nothing'; else fail 'saves nothing'; fi
: >"$err"
# shellcheck disable=SC2086 # options
"$ISOGLOSS" train demo.npy $endless --out shorter >"$out" 2>"$err" </dev/null &
until grep -q '^epoch 0/' "$err"; do sleep 0.1; done
: >demo.npy
wait $!
status=$?
exits 'training on a file that becomes shorter' 1
says 'it is named' "$err" 'demo.npy became shorter while it was read'
if [ ! -e shorter ]; then pass 'nothing is written'; else fail 'nothing is written'; fi
cd "$here" || exit 1
finish
