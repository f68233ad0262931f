#!/bin/sh
# Frames of the objective's editor and of past epochs, without a terminal: what is on the
# screen after some keys, whatever the training's last digits are.
. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")/../.." || exit 1

isogloss=${ISOGLOSS:-build/isogloss}
set=$PWD/tests/scenes/data/planted.csv
scratch=$(mktemp -d "${TMPDIR:-/tmp}/isogloss-edit.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
case $isogloss in /*) ;; *) isogloss=$PWD/$isogloss ;; esac

render() { # keys [options]
    render_keys=$1
    shift
    (cd "$scratch" && "$isogloss" render "$set" --threads 1 --epochs 12 --patience 0 \
        --size 100x30 --keys "$render_keys" "$@" 2>&1)
}

frame() { # name keys pattern...
    name=$1
    drawn=$(render "$2")
    shift 2
    for pattern; do
        if ! printf '%s\n' "$drawn" | grep -q -e "$pattern"; then
            fail "$name" "no /$pattern/ on this screen:
$drawn"
            return
        fi
    done
    pass "$name"
}

# One line of a frame: the same part of two frames is the same text.
title() { # keys
    render "$1" | sed -n 's/.*┌ \[curves: \(loss [0-9.]*\)\] .*/\1/p'
}

frame 'without a run there is nothing to edit' e 'no run to edit'
frame 'the terms, their weights, values and shares' ssse \
    '┌ objective ─' 'term  *weight  *value  *gradient' \
    'pull m(x) m(y)  *2  *[0-9]\.[0-9]*  *[0-9]*%' 'w save'
frame 'a number sets a weight' 'ssse0.25<Enter>' 'pull m(x) m(y)  *0\.25 '
frame 'while it is typed' 'ssse0.2' 'weight: 0\.2'
frame '+ scales it' 'ssse++' 'pull m(x) m(y)  *3\.1 '
frame 'x strikes a term out' 'sssejx' 'off push m(x) m(x.)  *1 .* 0%'
frame 'the next epoch uses it' 'sssejxs<Esc>' 'epoch 3/12'
frame 'and has no value for it' 'sssejxs' "off push m(x) m(x')  *1  *-  *0%"
frame 'x brings it back' 'sssejxx' "  push m(x) m(x')  *1 "
frame 'the run panel tells it' 'sssejxs<Esc>:panel runs<Enter>z' \
    'push m(x) m(x.)  *removed'
frame 'Esc closes it' 'ssse<Esc>' 'Space resume '
frame 'e closes it' 'sssee' 'Space resume '
frame 'a run that is over is edited to be continued' ' e+' 'continue it with the edited objective'
frame 'an editor of texts needs a terminal' 'sss:edit<Enter>' 'needs the terminal'

frame 'w asks where to' 'ssse0.25<Enter>jxw' 'save the objective to: seed.objective'
frame 'and writes it' 'ssse0.25<Enter>jxw<Enter>' 'objective saved to seed.objective'
if grep -q '^pull 0.25 m(x) m(y)' "$scratch/seed.objective" &&
    grep -q "^# off: push 1 m(x) m(x')" "$scratch/seed.objective"; then
    pass 'the file has the weights, and what is out as a comment'
else
    fail 'the file has the weights, and what is out as a comment' \
        "$(cat "$scratch/seed.objective")"
fi
if "$isogloss" train "$set" --method "$scratch/seed.objective" --epochs 1 -q \
    --out "$scratch/run" >"$scratch/log" 2>&1; then
    pass '--method reads it'
else
    fail '--method reads it' "$(cat "$scratch/log")"
fi
rm -rf "$scratch/run"
render 'ssse0.25<Enter>s<Esc>:write run<Enter>' >/dev/null
if grep -q '^# changed at epoch 3: pull m(x) m(y): weight 0.25, was 2' \
    "$scratch/run/objective" && grep -q '"edits": \[' "$scratch/run/run.json"; then
    pass 'a run directory tells of its edits'
else
    fail 'a run directory tells of its edits' "$(cat "$scratch"/run/objective)"
fi

continued=' e0.25<Enter>jx<Esc> c:write '
render "$continued"'more<Enter>' >/dev/null
render "$continued"'again<Enter>' --threads 2 >/dev/null
if grep -q '"init": "run 1 of the session"' "$scratch/more/run.json" &&
    grep -A4 '"edits"' "$scratch/more/run.json" | tr -d '\n ' | grep -q '"epoch":0,"term":"pullm(x)m(y)","weight":0.25' &&
    grep -q "^# changed at epoch 0: push m(x) m(x'): struck out" "$scratch/more/objective"; then
    pass 'a continued run tells of the edits and of its weights'
else
    fail 'a continued run tells of the edits and of its weights' "$(cat "$scratch"/more/run.json)"
fi
if cmp "$scratch/more/meaning.weight.npy" "$scratch/again/meaning.weight.npy" 2>"$scratch/log"; then
    pass 'and is the same for any number of threads'
else
    fail 'and is the same for any number of threads' "$(cat "$scratch/log")"
fi

frame 'the curves mark the epoch of a change' 'sssse+s<Esc>:panel curves<Enter>z' '[│|] *[│|]'
frame ', looks back' 'ssss,' 'seed: looking at epoch 2 of 3' '┌ \[curves'
frame 'and further' 'ssss,,' 'looking at epoch 1 of 3'
frame '. looks on' 'ssss,,.' 'looking at epoch 2 of 3'
frame 'and comes back to what is trained' 'ssss,.' 'epoch 3/12'
frame 'Esc comes back' 'ssss,,,<Esc>' 'epoch 3/12'
frame 'training goes on behind it' 'ssss,,,ss' 'looking at epoch 0 of 5'
frame 'of a run that is over, too' ' >,' 'looking at epoch 11 of 12'
frame 'whose Esc shows the best' ' ,<Esc>' 'best epoch 12 of 12'
frame 'the first epoch is the first' 'ss,,' 'this is the first epoch'
frame 'nothing to look at' , 'no epochs yet'

then=$(title sss)
now=$(title sssss,,)
if [ -n "$then" ] && [ "$then" = "$now" ]; then
    pass 'the figures are those of then'
else
    fail 'the figures are those of then' "then $then, now $now"
fi
finish
