#!/bin/sh
# The screen while the data are read: it says so, takes the keys that help and quit, and
# an error stands on the terminal once the screen is gone. The data come through a pipe
# that is held open, so that nothing depends on how fast they are read.
. tests/screen.sh

mkfifo "$scratch/gate"
held() { # what is written before the gate
    type_in "{ printf 'lang,text,v0,v1\nen,one,1,2\nde,eins,2,1\n'; cat $scratch/gate; } | isogloss -"
}

terminal 100 30
settings before

held
shows 'it says what it reads' 'reading standard input'
shows 'and which keys there are' 'help.*quit'
keys '?'
shows '? lists the keys' 'start, pause and resume training'
keys Escape
gone 'Esc closes the list' 'start, pause and resume training'
resize 60 20
shows 'it follows the size of the terminal' 'reading standard input'
printf 'fr,un,2,2\n' >"$scratch/gate"
shows 'the set is there once it is read' 'stdin .*3 rows'
keys q
await '^ready>'
terminal_is_sane 'the terminal is as it was'

held
await 'reading standard input'
keys q
printf 'fr,un,2,2\n' >"$scratch/gate"
await '^ready>'
terminal_is_sane 'q does not wait for the data'

held
await 'reading standard input'
printf 'fr,un,2,x\n' >"$scratch/gate"
shows 'an error is told when the screen is gone' "^isogloss: -:4: column 4 (v1) is not a number: 'x'"
terminal_is_sane 'and the terminal is as it was'

finish
