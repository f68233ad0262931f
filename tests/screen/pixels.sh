#!/bin/sh
# Maps in pixels: xterm with sixel graphics on a screen of its own, by what colours it
# shows; and what has no graphics.
set -u
. tests/screen.sh

terminal 80 24
type_in "clear; isogloss '$PWD/data/demo.npy' --glyphs pixels"
shows 'tmux has no pixels, and says so' 'no pixels: the terminal has no graphics'
keys o
shows 'and draws with braille' 'drawn with blocks'
keys q

# Under load xterm may lose a key: on demand only.
[ "${XTERM:-}" ] || { skip 'pixels in xterm' 'run with XTERM=1'; finish; }
for program in xterm Xvfb xdotool import; do
    command -v $program >/dev/null || { skip 'pixels in xterm' "no $program"; finish; }
done
grep -q chafa_canvas_new "$ISOGLOSS" || { skip 'pixels in xterm' 'built without libchafa'; finish; }

Xvfb -displayfd 3 -screen 0 1200x700x24 3>"$scratch/display" >/dev/null 2>&1 &
server=$!
trap 'kill $server; tmux_ kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
wait_for test -s "$scratch/display" || { fail 'Xvfb starts'; finish; }
DISPLAY=:$(cat "$scratch/display")
export DISPLAY
env -u TMUX -u STY -u SSH_CONNECTION xterm -ti vt340 -xrm 'XTerm*decTerminalID: vt340' -fn 7x13 \
    -bg black -fg white -geometry 150x50+0+0 -e env TERM=xterm-256color \
    sh -c "'$ISOGLOSS' '$PWD/data/demo.npy'; exec sleep 600" 2>"$scratch/xterm" &
xdotool mousemove 40 40 # it has the keyboard

# Text has some dozen colours; points that are blended have more. A larger image than xterm
# takes at once is in parts.
colours() { import -window root "$scratch/shot.png" && convert "$scratch/shot.png" -unique-colors -format %w info:; }
drawn() { [ "$(colours)" -gt 30 ]; }
plain() { n=$(colours) && [ "$n" -le 20 ] && [ "$n" -gt 4 ]; }
blank() { [ "$(colours)" -le 2 ]; }
becomes() { # name, what; keys...
    name=$1 what=$2
    shift 2
    [ $# -eq 0 ] || xdotool key "$@" 2>/dev/null
    if wait_for "$what"; then pass "$name"; else fail "$name" "$(colours) colours"; fi
}
becomes 'a terminal with sixels shows points in pixels' drawn
becomes 'an overlay hides the image and all of it' plain question
becomes 'and it returns' drawn Escape
becomes 'a larger map than xterm takes' drawn z
becomes 'o draws with characters' plain o
becomes 'and with pixels again' drawn o o o o
becomes 'nothing is left behind' blank q
finish
