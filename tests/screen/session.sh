#!/bin/sh
# A whole session with the real program: start, train, pause, search, help, resize, leave;
# and the terminal is as it was before. The run has no end of its own, so that nothing
# depends on how fast it is.
. tests/screen.sh

terminal 100 30
settings before

type_in "isogloss data/demo.npy --method seed --lr 1e-3 --epochs 1000000 --patience 0"
shows 'it opens' 'demo .*4,800 rows.*8 languages'
shows 'with a map of the originals' 'map original .*PC1'
shows 'the legend names the languages' '■ en ■ de ■ fr ■ es ■ ru ■ ar ■ ja ■ zh'
shows 'the neighbours of the first sentence' 'Two cars collided'
if matches_not 'epoch [0-9]'; then pass 'nothing trains yet'; else fail 'nothing trains yet'; fi

keys Space
shows 'Space trains' 'seed ▸ epoch [1-9]'
first=$(number 'epoch \([0-9][0-9]*\)')
becomes 'epochs follow one another' number_above 'epoch \([0-9][0-9]*\)' "${first:-0}"
shows 'the map shows meanings and languages' 'map joint'
shows 'the curves have grown' ' valid│'
keys Space
shows 'space pauses' '‖ epoch'
paused=$(number 'epoch \([0-9][0-9]*\)')

# While it is paused everything answers, and no epoch passes.
keys v
shows 'another space' 'map original'
keys v
shows 'and another' 'map meaning'
keys '?'
shows 'help' '┌ help'
keys Escape
gone 'Esc closes the help' '┌ help'
keys /
keys -l 'nobody laughed'
shows 'a text is found while it is typed' 'neighbours of #113 en'
keys Enter
shows 'and stays found' 'He told a joke'
keys /
keys -l 'zzzzqqqq'
shows 'what is nowhere is told' 'zzzzqqqq.*no text contains it'
keys Escape
shows 'and Esc keeps the sentence there was' 'He told a joke'
if [ "$(number 'epoch \([0-9][0-9]*\)')" = "$paused" ]; then
    pass 'the pause held'
else
    fail 'the pause held' "$(screen)"
fi
keys Space
becomes 'training goes on' number_above 'epoch \([0-9][0-9]*\)' "$paused"

# Any size at any time.
resize 200 60
shows 'a large screen' 'd 256.*seed ▸ epoch'
resize 60 20
shows 'a smaller screen' 'isogloss.*epoch'
resize 20 6
shows 'twenty columns' '[a-z]'
resize 1 1
resize 2 3
resize 80 24
shows 'and back' 'map .*┌ curves'
keys z
gone 'one panel takes the screen' '┌ curves'
keys z
shows 'and gives it back' '┌ curves'

keys C-c
shows 'Ctrl-C stops the training' 'seed ✓ best epoch [0-9]'
keys q
shows 'q asks for a run that is not written' 'not written'
keys Escape
gone 'Esc stays' 'not written'
keys q
shows 'q asks again' 'not written'
keys q
shows 'q leaves' '^ready> *$'
gone 'and the screen is the shell again' '┌ map'
terminal_is_sane 'the terminal is as before'

# Quitting saves the session, where that is asked for; it comes back without DATA.
session=$scratch/kept.json
type_in "isogloss tests/screen/data/planted.csv --session $session"
shows 'a session that is to be kept' 'planted .*40 rows'
keys B
shows 'a bookmark' 'has a bookmark'
keys q
shows 'it is left' '^ready> *$'
type_in "isogloss --session $session"
shows 'and opened without its data being said' 'planted .*40 rows'
keys "'"
shows 'with the bookmark' '┌ bookmarks'
keys Escape q
shows 'and left again' '^ready> *$'

# A signal that ends the program is no reason to lose it.
for signal in TERM HUP; do
    rm "$session"
    type_in "isogloss tests/screen/data/planted.csv --session $session"
    shows "a session before SIG$signal" 'planted .*40 rows'
    keys B
    shows 'with a bookmark' 'has a bookmark'
    kill -s $signal "$(program_pid)"
    shows "SIG$signal ends it" '^ready> *$'
    if grep -q '"bookmarks": *\[{"row": 0}\]' "$session"; then
        pass 'and it is written'
    else
        fail 'and it is written' "$(cat "$session" 2>&1)"
    fi
done

# Data through a pipe, keys from the terminal.
type_in 'isogloss - <tests/screen/data/planted.csv'
shows 'data through a pipe' 'isogloss  *stdin'
keys q
shows 'and keys that reach it' '^ready> *$'

# A terminal that has grown since the program began: nothing of it stays on the shell's
# screen. (At 40 columns the header has no room for the number of rows.)
terminal 40 10
type_in 'isogloss tests/screen/data/planted.csv'
shows 'a small terminal' '┌ map'
resize 100 30
shows 'that grows' '┌ neighbours'
keys q
shows 'is left' '^ready> *$'
if matches '[┌│└├]'; then fail 'without a line of the last frame' "$(screen)"; else
    pass 'without a line of the last frame'; fi
finish
