#!/bin/sh
# Files that become shorter or change while they are read: the set's matrix, its table,
# weights and history of a run, before a sample of the system calls that a command makes.
#
# Of a file that was cut to nothing or to a part, a command tells, or it had read it
# before and the result is that of an undisturbed run. What a changed file holds is as
# good as any: there, it must end as always, and say in a sentence what it refuses.
. tests/faults/faults.sh

commands='
eval|eval wide.npy --run wide
train|train wide.npy --method meat --epochs 2 --out new
transform|transform wide.npy --run wide --out arrays
report|eval wide.npy --run wide --report report.html
search|search wide.npy --row 3 --json
project|project wide.npy --run wide
explore|render wide.npy --run wide --keys "n:method centre<enter>"'

# A changed file: how it ends, not with what.
judge_changed() { # name
    case $status in
    0 | 1) ;;
    124 | 137) echo "it did not end" && return ;;
    *) echo "exit status $status" && head -n 5 "$scratch/err" && return ;;
    esac
    [ $status -eq 0 ] || grep -q '^isogloss: .' "$scratch/err" || echo 'without a sentence'
    ! LC_ALL=C grep -q "$(printf '\033')" "$scratch/err" || echo 'raw bytes in the sentence'
    snapshot "$work" | sed -n 's/^.*\.tmp-.*/left: &/p'
}

disturb() { # command, what, FAULT_ERROR, file, size
    count_calls "$1" "$calls"
    if [ -z "$total" ]; then
        fail "$1, $4 $2" "the calls were not counted: $(cat "$scratch/err")"
        return
    fi
    tried=0 refused=0 found=
    for n in $(sample "$total" "$FAULTS"); do
        perform "$1" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$calls" FAULT_AT="$n" FAULT_ERROR="$3" \
            FAULT_FILE="$4" FAULT_SIZE="$5" FAULT_LOG="$scratch/log"
        tried=$((tried + 1))
        [ $status -eq 0 ] || refused=$((refused + 1))
        cp "$world/$4" "$work/$4" # that is the fault, not an output
        if [ "$3" = change ]; then offence=$(judge_changed "$1"); else offence=$(judge "$1"); fi
        [ -z "$offence" ] || found="$found
$n of $total: $offence"
    done
    told="$1, $4 $2: $tried of $total, $refused end with a sentence"
    no_offence "$told" "$found"
}

calls='open read close stat map write'
make_world
(
    cd "$world" || exit
    {
        npy_head '<f2' False '120, 256'
        for language in 0 1 2; do
            tail -c +$((129 + language * 600 * 512)) "$OLDPWD/tests/golden/mixed.npy" | head -c $((40 * 512))
        done
    } >wide.npy
    awk 'NR == 1 || NR < 1802 && (NR - 2) % 600 < 40' "$OLDPWD/data/demo.csv" >wide.csv
    "$ISOGLOSS" train wide.npy --epochs 2 --out wide -q
) || { echo 'Bail out! no world' && exit 1; }
for command in ${COMMANDS:-$(all_commands)}; do
    reference "$command" || continue
    disturb "$command" 'is emptied' cut wide.npy 0
    disturb "$command" 'is cut' cut wide.npy 30000
    disturb "$command" 'changes' change wide.npy 60000
    disturb "$command" 'is emptied' cut wide.csv 0
    disturb "$command" 'changes' change wide.csv 9000
    case $command in
    transform | project | explore)
        disturb "$command" 'is cut' cut wide/meaning.weight.npy 70000
        disturb "$command" 'changes' change wide/run.json 500 ;;
    esac
done
finish
