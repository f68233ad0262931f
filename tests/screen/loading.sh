#!/bin/sh
# While the data are read: a line says so, Ctrl-C ends it, and an error stands on the
# terminal. The data come through a pipe that is held open, so that nothing depends on how
# fast they are read.
. tests/screen.sh

mkfifo "$scratch/gate"
held() { # what is written before the gate
    type_in "{ printf 'lang,text,v0,v1\nen,one,1,2\nde,eins,2,1\n'; cat $scratch/gate; } | isogloss -"
}

terminal 100 30
settings before

held
shows 'it says what it reads' 'reading standard input'
printf 'fr,un,2,2\n' >"$scratch/gate"
shows 'the set is there once it is read' 'stdin .*3 rows'
keys q
await '^ready>'
terminal_is_sane 'the terminal is as it was'

held
printf 'fr,un,2,x\n' >"$scratch/gate"
shows 'an error is shown' "^isogloss: -:4: column v1 is not a number: 'x'"
terminal_is_sane 'and the terminal is as it was'

type_in 'clear'
held
await 'reading standard input'
keys C-c
type_in 'echo done'
shows 'Ctrl-C ends it' '^\(ready> *\)*done'
terminal_is_sane 'on a sane terminal'
finish
