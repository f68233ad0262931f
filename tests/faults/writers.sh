#!/bin/sh
# Two and four writers of one output at once: one at least ends well, another is refused only
# because of a writer, and what stands there is what one of them wrote, whole and alone.
. tests/faults/faults.sh

rounds=$((FAULTS * 2))

# Writers differ by their seed (and by their data, where there is no training).
commands='
train|train set.npy --epochs 2 --out new --overwrite --seed $writer
replace|train set.npy --epochs 2 --out run --overwrite --seed $writer
svg|project set.npy --dims $((writer + 2)) --svg map.svg --overwrite
report|eval set.npy --dims $((writer + 2)) --report report.html
sweep|sweep set.npy --method seed --epochs 1 --seed $writer,$((writer + 1)) --out sweep --overwrite'

together() { # command, how many
    for writer in $(seq "$2"); do
        perform "$1"
        snapshot "$work" >"$scratch/alone.$writer"
    done
    found=
    for round in $(seq $rounds); do
        rm -rf "$work"
        cp -R "$world" "$work"
        cd "$work" || exit
        children=
        rm -f "$scratch"/status.*
        for writer in $(seq "$2"); do
            eval "set -- \"$1\" \"$2\" \"\$ISOGLOSS\" $(arguments "$1") -q --threads 2"
            (
                shift 2
                timeout -k 1 "$LIMIT_EACH" "$@" >/dev/null 2>"$scratch/err.$writer"
                echo $? >"$scratch/status.$writer"
            ) &
            children="$children $!"
        done
        # shellcheck disable=SC2086 # process numbers
        wait $children
        cd "$OLDPWD" || exit
        snapshot "$work" >"$scratch/now"
        grep -qx 0 "$scratch"/status.* || found="$found
round $round: no writer ends well"
        for writer in $(seq "$2"); do
            [ "$(cat "$scratch/status.$writer")" = 0 ] ||
                grep -q 'another process is writing it' "$scratch/err.$writer" ||
                found="$found
round $round: writer $writer ends with $(cat "$scratch/status.$writer"): $(cat "$scratch/err.$writer")"
        done
        if [ "$1" = sweep ]; then
            # Each of the runs is that of a writer.
            cat "$scratch"/alone.* | sort -u >"$scratch/any"
            odd=$(sort -u "$scratch/now" | comm -23 - "$scratch/any")
        else
            odd="what no writer wrote:
$(diff "$scratch/alone.1" "$scratch/now" | head -n 5)"
            for writer in $(seq "$2"); do
                ! cmp -s "$scratch/alone.$writer" "$scratch/now" || odd=
            done
        fi
        [ -z "$odd" ] || found="$found
round $round: $odd"
    done
    rm -f "$scratch"/alone.*
    no_offence "$1, $2 writers: $rounds rounds" "$found"
}

make_world
for command in ${COMMANDS:-$(all_commands)}; do
    together "$command" 2
    together "$command" 4
done
finish
