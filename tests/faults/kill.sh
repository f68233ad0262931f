#!/bin/sh
# Commands that write are ended by a signal: before the N-th system call that changes a
# file, and at random moments. Old or new, every output is whole; what was left beside it
# is gone after the next run, and that writes what an undisturbed one does.
. tests/faults/faults.sh

changes='open write sync rename mkdir remove truncate'

# Of a killed writer only temporary files and its lock may be left with old and new. A caught
# SIGTERM or SIGHUP has the status of one that kills.
judge_ended() { # name
    case $status in
    0 | 1) judge "$1" && return ;;
    124) echo 'it did not end' && return ;;
    129 | 137 | 143) ;;
    *) echo "exit status $status" && head -n 5 "$scratch/err" && return ;;
    esac
    snapshot "$work" >"$scratch/now"
    grep -v '^\./\(sweep/\)\{0,1\}[^/	]*\.\(tmp\|old\)-[0-9]*[/	]' "$scratch/now" >"$scratch/named"
    mv "$scratch/named" "$scratch/now"
    old_or_new "$1"
    recovers "$1"
}

# A signal before each of some calls.
at_calls() { # command, signal
    count_calls "$1" "$changes"
    tried=0 found=
    for n in $(sample "$total" "$FAULTS"); do
        perform "$1" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$changes" FAULT_AT="$n" \
            FAULT_ERROR="$2" FAULT_LOG="$scratch/log"
        tried=$((tried + 1))
        offence=$(judge_ended "$1")
        [ -z "$offence" ] || found="$found
$n of $total: $offence"
    done
    no_offence "$1, $2 before a call: $tried of $total" "$found"
}

# A signal at moments that are spread over the time the command takes, and a little more.
at_moments() { # command, signal, how many
    began=$(date +%s%N)
    perform "$1"
    took=$(($(date +%s%N) - began))
    tried=0 found=
    for part in $(sample 1300 "$3"); do
        moment=$(awk "BEGIN { printf \"%.5f\", $took * $part / 1e12 }")
        ended_after=$moment ended_by=$2
        perform "$1"
        ended_after=
        tried=$((tried + 1))
        offence=$(judge_ended "$1")
        [ -z "$offence" ] || found="$found
after $moment s: $offence"
    done
    no_offence "$1, $2 at a moment: $tried" "$found"
}

make_world
for command in ${COMMANDS:-report svg transform train replace sweep explore}; do
    reference "$command" || continue
    at_calls "$command" kill
    at_calls "$command" term
    for signal in KILL TERM HUP; do
        at_moments "$command" $signal $((FAULTS / 2))
    done
done

# A training without an end keeps its best epoch, and replaces the run that was there.
commands="$commands
endless|train set.npy --epochs 1000000 --patience 0 --out run --overwrite"
cp "$scratch/before" "$scratch/after.endless"
found=
for moment in $(sample 1000 "$FAULTS"); do
    ended_after=$(awk "BEGIN { print $moment / 1000 }") ended_by=TERM
    perform endless
    ended_after=
    snapshot "$work" >"$scratch/now"
    offence=$(old_or_new endless)
    [ $status -eq 143 ] && [ -z "$offence" ] || found="$found
after $moment ms: exit status $status: $offence"
done
no_offence 'a training that is ended keeps a run' "$found"

# A training that is killed leaves its last checkpoint, from whose weights another begins in
# the same directory; before the first there is no run.
commands="$commands
checkpoints|train set.npy --epochs 4 --checkpoint 1 --out new
restart|train set.npy --epochs 4 --init new --out new --overwrite"
names() { cut -f 1 "$1" | sort -u; }
if reference checkpoints; then
    names "$scratch/after.checkpoints" >"$scratch/names"
    perform checkpoints LD_PRELOAD="$FAULT_LIBRARY" FAULT="$changes" FAULT_LOG="$scratch/log"
    total=$(sed -n "s/^calls \([0-9]*\).*/\1/p" "$scratch/log")
    tried=0 restarted=0 found=
    for n in $(sample "$total" $((4 * FAULTS))); do
        perform checkpoints LD_PRELOAD="$FAULT_LIBRARY" FAULT="$changes" FAULT_AT="$n" \
            FAULT_ERROR=kill FAULT_LOG="$scratch/log"
        tried=$((tried + 1))
        [ -d "$work/new" ] || { [ $status -eq 137 ] && continue; }
        perform_again restart
        restarted=$((restarted + 1))
        snapshot "$work" >"$scratch/now"
        [ $status -eq 0 ] && names "$scratch/now" | cmp -s - "$scratch/names" || found="$found
$n of $total: $(cat "$scratch/err"; names "$scratch/now" | diff "$scratch/names" -)"
    done
    name="a training begins from a checkpoint: $restarted of $tried"
    if [ -z "$found" ] && [ $restarted -gt 0 ]; then pass "$name"; else fail "$name" "$found"; fi
fi
finish
