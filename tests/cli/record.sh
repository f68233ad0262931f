#!/bin/sh
# isogloss record: a training as a GIF, a run that is trained anew, the
# same frames whenever it is made, and what it refuses; isogloss render --png.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
small_demo
demo=$scratch/demo.npy
gif=$scratch/a.gif

magic() { # file bytes
    head -c "$2" "$1" | od -An -c | tr -d ' \n'
}

works 'a training' record "$demo" --epochs 4 --patience 0 --fps 4 --out "$gif" --size 40x12 --then '<Down>'
is 'says nothing' '' "$(cat "$out" "$err")"
works 'again' record "$demo" --epochs 4 --patience 0 --fps 4 --out "$scratch/b.gif" --size 40x12 --then '<Down>' --threads 1
if cmp -s "$gif" "$scratch/b.gif"; then pass 'the same bytes with one thread'; else
    fail 'the same bytes with one thread' "$(cmp "$gif" "$scratch/b.gif")"; fi
is 'is one' GIF89a "$(magic "$scratch/a.gif" 6)"
works 'a picture' render "$demo" --png "$scratch/a.png" --size 40x12
is 'is a PNG' '211PNG\r\n032\n' "$(magic "$scratch/a.png" 8)"
works 'a closed form has no epochs' record "$demo" --method centre --out "$scratch/c.gif" --size 40x12

# --- a run is trained anew ------------------------------------------------------------------
works 'a run' train "$demo" --method dream --lr 2e-3 --epochs 3 --seed 7 --pairing en-de --out "$scratch/run" -q
works 'its recording' record "$demo" --run "$scratch/run" --out "$scratch/r.gif" --size 40x12
works 'the same by its options' record "$demo" --method dream --lr 2e-3 --epochs 3 --seed 7 --pairing en-de --out "$scratch/o.gif" --size 40x12
if cmp -s "$scratch/r.gif" "$scratch/o.gif"; then pass 'shows the same'; else
    fail 'shows the same' "$(cmp "$scratch/r.gif" "$scratch/o.gif")"; fi
sed 's/^\(cross [^ ]*\).*/\1/' "$scratch/run/objective" >"$scratch/own.objective"
works 'a run of an own objective' train "$demo" --method "$scratch/own.objective" --epochs 1 --out "$scratch/own" -q
works 'its recording too' record "$demo" --run "$scratch/own" --out "$scratch/own.gif" --size 40x12

# --- what it refuses ------------------------------------------------------------------------
fails 'no file' 2 'record needs --out FILE.gif' record "$demo"
fails 'another ending' 2 "--out a.mp4: the name of a recording must end in .gif" record "$demo" --out a.mp4
fails 'a key that is none' 2 "unknown key '<nokey>'" record "$demo" --epochs 1 --then '<nokey>' --out "$scratch/n.gif" --size 40x12
fails 'a method that is none' 1 'nomethod' record "$demo" --method nomethod --out "$scratch/n.gif" --size 40x12
fails 'weights alone' 1 'has no run.json' record "$demo" --run "$scratch" --out "$scratch/n.gif" --size 40x12
fails 'a folder that is not there' 1 "$scratch/none/n.gif: " record "$demo" --epochs 1 --out "$scratch/none/n.gif"
if [ -e "$scratch/n.gif" ]; then fail 'leaves nothing'; else pass 'leaves nothing'; fi
if [ -w /dev/full ]; then
    ln -s /dev/full "$scratch/full.gif"
    fails 'a full disk' 1 'No space left' record "$demo" --epochs 1 --out "$scratch/full.gif"
fi
finish
