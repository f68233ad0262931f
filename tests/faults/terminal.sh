#!/bin/sh
# The explorer on a terminal that takes nothing, and on one while calls fail: it ends, by
# a sentence when it cannot go on, and the terminal is as it was.
. tests/faults/faults.sh

on_terminal=$built/terminal
TERM=xterm-256color
EDITOR=true VISUAL=true
export TERM EDITOR VISUAL

# Runs the explorer in a copy of the world: $status, out.
explore() { # deaf|keys, signal|string, variables...
    rm -rf "$work" "$scratch/log"
    cp -R "$world" "$work"
    explore_how=$1 explore_what=$2
    shift 2
    (cd "$work" && "$on_terminal" "$explore_how" "$explore_what" env "$@" "$ISOGLOSS" \
        set.npy --epochs "$epochs" --patience 0 --threads 2 >"$scratch/out" 2>"$scratch/err")
    status=$(sed -n 's/^status //p' "$scratch/out")
}

what_is_wrong() { # statuses that are right...
    case " $* " in *" $status "*) ;; *) echo "status $status" && tail -c 300 "$scratch/out" | cat -v ;; esac
    ! grep -q '^modes differ' "$scratch/out" || echo 'the terminal is not as it was'
    [ "$status" != 1 ] || grep -q 'isogloss: .' "$scratch/out" || {
        echo 'it ends without a sentence'
        tail -c 300 "$scratch/out" | cat -v
    }
}

make_world
epochs=10000000
for signal in 15 1 3 0; do
    for pause in 0 400; do
        PAUSE=$pause
        export PAUSE
        explore deaf $signal
        offence=$(what_is_wrong 129 130 131 143)
        no_offence "a full terminal, signal $signal after $pause ms" "$offence"
    done
done

# Opens panels, trains, searches, writes, and quits from wherever it stands.
epochs=2
keys=$(printf ' v\tu\t/small\r:method meat\r:write new\r\003\033\003\003qqq')

under() { # name, FAULT, FAULT_ERROR, more variables...
    under_name=$1 what=$2 error=$3
    shift 3
    explore keys "$keys" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$what" FAULT_LOG="$scratch/log"
    total=$(sed -n "s/^calls \([0-9]*\).*/\1/p" "$scratch/log")
    tried=0 found=$(what_is_wrong 0)
    for n in $(sample "$total" $((FAULTS * 5))); do
        explore keys "$keys" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$what" FAULT_AT="$n" \
            FAULT_ERROR="$error" FAULT_LOG="$scratch/log" "$@"
        tried=$((tried + 1))
        offence=$(what_is_wrong 0 1 130 143)
        [ -z "$offence" ] || found="$found
$n of $total ($(sed -n 's/^hit [0-9]* //p' "$scratch/log")): $offence"
    done
    no_offence "on a terminal, $under_name: $tried of $total" "$found"
}

under 'one piece of memory is refused' memory ''
under 'no more memory' memory '' FAULT_ON=1
under 'calls are interrupted' 'open read write poll' 4
under 'a broken disk' 'open read write sync close rename' 5
under 'a signal' 'open read write poll' term

# When curses has no memory, it ends the program, or reads an address through NULL.
what_is_wrong() {
    ! grep -q '^modes differ' "$scratch/out" || echo 'the terminal is not as it was'
}
FAULT_WITH="ncurses libtinfo"
export FAULT_WITH
under 'no more memory, for curses neither' memory '' FAULT_ON=1
finish
