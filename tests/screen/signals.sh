#!/bin/sh
# Ways to end or leave the explorer, wanted and unwanted: the terminal must be as it was
# before after each of them. Training has no end of its own, so that it is always under way.
. tests/screen.sh

endless='--epochs 1000000 --patience 0'

open_demo() {
    type_in "clear; isogloss demo $endless; echo status \$?"
    shows "the demo opens and trains ($1)" '▸ epoch [1-9]'
}

terminal 80 24
settings before

open_demo q
shows 'the demo says what happens' 'training separates'
keys T
gone 'and keeps quiet when T asks for it' 'training separates'
keys q
shows 'q leaves it without a question' '^status 0'
terminal_is_sane 'the terminal after q'

open_demo Ctrl-C
# One may cancel what is being measured, so each is pressed again.
stopped() { matches 'finished, best epoch\|stopped at epoch\|^status [0-9]' || { keys C-c; sleep 3; return 1; }; }
becomes 'Ctrl-C stops the training' stopped
interrupted() { matches '^status [0-9]' || { keys C-c; sleep 3; return 1; }; }
becomes 'and then the program' interrupted
terminal_is_sane 'the terminal after Ctrl-C'

open_demo SIGTERM
kill -TERM "$(program_pid)"
shows 'SIGTERM ends it' '^status 143'
terminal_is_sane 'the terminal after SIGTERM'

# The run of a set of one's own is saved, under a name that is free.
mkdir "$scratch/run"
type_in "clear; cd $scratch; isogloss \$OLDPWD/tests/scenes/data/planted.csv $endless; echo status \$?; cd -"
shows 'a set of its own opens (SIGHUP)' '^. *map'
keys Space
shows 'and trains (SIGHUP)' 'seed .*epoch [1-9]'
kill -HUP "$(program_pid)"
shows 'SIGHUP ends it' '^status 129'
shows 'and says where the run is' '^isogloss: run 1 seed is saved in run-2$'
succeeds 'which has all of it' test -s "$scratch/run-2/run.json" -a ! -e "$scratch/run/run.json" -a ! -e run
terminal_is_sane 'the terminal after SIGHUP'

# Also while its editor has the terminal, and if another signal follows at once.
type_in "clear; cd $scratch; EDITOR=\"sh -c 'touch opened; exec sleep 1000'\" isogloss \$OLDPWD/tests/scenes/data/planted.csv $endless; echo status \$?; cd -"
shows 'a set of its own opens (editor)' '^. *map'
keys Space
shows 'and trains (editor)' 'seed .*epoch [1-9]'
type_in ':edit'
becomes 'its editor opens' test -e "$scratch/opened"
pid=$(program_pid)
kill -HUP "$pid"
kill -TERM "$pid"
shows 'signals end it (editor)' '^status 1'
shows 'and the run is saved (editor)' '^isogloss: run 1 seed is saved in run-3$'
terminal_is_sane 'the terminal after its editor'

# A terminal that takes nothing any more: the thread that writes to it waits.
wrote() { sed -n 's/^wchar: //p' "/proc/$pid/task/$pid/io" 2>/dev/null; }
writes_no_more() {
    before=$(wrote)
    sleep 0.5
    [ "$(wrote)" = "$before" ]
}
ended() { ! kill -0 "$pid" 2>/dev/null; }
if [ -r /proc/self/io ]; then
    type_in "clear; cd $scratch; isogloss \$OLDPWD/tests/scenes/data/planted.csv $endless; echo status \$?; cd -"
    shows 'a set of its own opens (full terminal)' '^. *map'
    keys Space
    shows 'and trains (full terminal)' 'seed .*epoch [1-9]'
    pid=$(program_pid)
    server=$(tmux_ display-message -p '#{pid}')
    keys -N 300 C-l # whole screens
    kill -STOP "$server"
    wait_for writes_no_more
    kill -TERM "$pid"
    succeeds 'SIGTERM ends it' wait_for ended
    kill -CONT "$server"
    shows 'as one that waits for nothing' '^status 143'
    shows 'and its run is saved' '^isogloss: run 1 seed is saved in run-4$'
    type_in '' # ends a line of the keys that the program did not read
    terminal_is_sane 'the terminal that took nothing'
fi

type_in "clear; isogloss demo $endless"
shows 'the demo opens and trains (suspend)' '▸ epoch [1-9]'
keys C-z
shows 'Ctrl-Z suspends' 'Stopped\|Suspended'
terminal_is_sane 'the terminal while it is suspended'
type_in 'clear; fg; echo status $?'
shows 'fg brings it back' '▸ epoch [1-9]'
keys q
shows 'and it still leaves' '^status 0'
terminal_is_sane 'the terminal after that'

open_demo 'suspended and ended'
keys C-z
shows 'Ctrl-Z suspends' 'Stopped\|Suspended'
type_in 'kill %1; kill -CONT %1' # which bash sends by itself
waited() { type_in 'clear; wait %1; echo status $?'; sleep 1; matches '^status 143'; }
becomes 'kill ends it' waited
terminal_is_sane 'the terminal after kill'

# A file that becomes shorter while it is explored: named, and the terminal is sane.
python3 -c 'd = open("data/demo.npy", "rb").read(); n = 64 << 20 # a header that makes it large enough to be mapped
open("'"$scratch"'/demo.npy", "wb").write(d[:6] + b"\2\0" + n.to_bytes(4, "little") + d[10:128].ljust(n) + d[128:])'
cp data/demo.csv "$scratch"
type_in "clear; (cd $scratch; isogloss demo.npy --epochs 1000000 --patience 0); echo status \$?"
shows 'a set of its own opens' '^. *map'
keys Space
shows 'and trains' 'seed .*epoch [1-9]'
: >"$scratch/demo.npy"
shows 'a file that becomes shorter ends it' '^status 1'
shows 'and is named' '^isogloss: demo.npy became shorter while it was read'
terminal_is_sane 'the terminal after that file'

# Every other signal that ends a program, crashes among them, ends it at once.
type_in 'ulimit -c 0'
for signal in QUIT USR1 ALRM ABRT FPE SEGV BUS XCPU; do
    type_in "clear; isogloss tests/scenes/data/planted.csv; echo status \$?"
    shows "a small set opens (SIG$signal)" '^. *map'
    kill -s $signal "$(program_pid)"
    shows "SIG$signal ends it" '^status [1-9]'
    terminal_is_sane "the terminal after SIG$signal"
done

# A terminal that nobody knows, and one that can do little.
type_in 'clear; TERM=no-such-terminal isogloss demo; echo status $?'
shows 'an unknown TERM is named' 'terminal no-such-terminal is unknown'
shows 'and falls back' 'epoch [1-9]'
keys q
shows 'and leaves' '^status 0'
terminal_is_sane 'the terminal after an unknown TERM'
type_in 'clear; NO_COLOR=1 isogloss demo --glyphs ascii; echo status $?'
shows 'ASCII alone' '^+ map'
no_offence 'no braille in it' "$(screen | grep '⣿\|⡇\|⠤')"
keys q
shows 'ASCII leaves' '^status 0'
terminal_is_sane 'the terminal after that, too'
type_in 'clear; LC_ALL=C isogloss tests/scenes/data/planted.csv'
shows 'a locale without letters' '^+ map'
shows 'says so' 'locale C shows ? for other scripts'
keys -l '/Wölfe'
shows 'and skips a letter that it lacks' '^:search Wlfe'
keys C-c
gone 'and the line closes' '^:search'
keys ']'
shows 'has the ASCII form of what it cannot show' '95%: [0-9.]*-[0-9.]*%'
keys q
finish
