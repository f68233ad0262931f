#!/bin/sh
# Bytes that are no single keys: pastes, Esc with a key, and sequences that come in parts.
. tests/screen.sh

paste() { # text, marked as the program asks for
    printf "$1" >"$scratch/paste"
    tmux_ load-buffer "$scratch/paste" \; paste-buffer -p -r -t :
}

terminal 80 24
settings before
type_in 'isogloss tests/scenes/data/planted.csv; echo status $?'
shows 'a small set opens' '^. *map'
paste 'q:save never\nm\nq\n'
shows 'a paste without a line is dropped' 'pasted text is ignored: / or : first'
keys ':'
shows 'a line opens' '^:'
paste 'isol\tate\n\033q\n\nq'
shows 'which takes the first line, without control characters' '^:isolate *$'
keys C-u
awk 'BEGIN { for (i = 0; i < 20000; i++) print "q quit, and a line of fifty characters in all" }' \
    >"$scratch/paste"
tmux_ load-buffer "$scratch/paste" \; paste-buffer -p -r -t :
shows 'a paste of a megabyte has one line, too' '^:q quit, and a line of fifty characters in all *$'
keys Escape
gone 'and the line closes' '^:'
tmux_ send-keys -l "$(printf '\033[200~q')"
shows 'a paste without an end' 'pasted text is ignored'
sleep 1.5
keys '?'
shows 'ends by a pause' '┌ help'
tmux_ send-keys -l "$(printf '\033\033[200~q\nq\n')" # Esc, and at once a paste
sleep 0.3
tmux_ send-keys -l "$(printf 'q\nq\033[20')"
tmux_ send-keys -l "$(printf '1~')"
shows 'one that comes in parts is one' 'pasted text is ignored'
keys q
shows 'and q quits' '^status 0'
terminal_is_sane 'the terminal after pastes'
type_in clear
paste 'echo plain'
shows 'which marks no pastes any more' '^ready> echo plain *$'

type_in 'clear; ESCDELAY=5000 isogloss tests/scenes/data/planted.csv; echo status $?'
shows 'the set opens again' '^. *map'
tmux_ send-keys -l ':row 12'
tmux_ send-keys -l "$(printf '\033:row 123')"
shows 'Esc and a colon at once are two keys' '^:row 123 *$'
tmux_ send-keys -l "$(printf '\033')"
sleep 0.3
tmux_ send-keys -l "$(printf 'OD4')"
shows 'an arrow in two parts is an arrow' '^:row 1243 *$'
keys C-c q
shows 'and q quits again' '^status 0'
finish
