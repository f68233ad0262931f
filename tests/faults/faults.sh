# shellcheck shell=sh
# Campaigns of faults: a command runs again and again, each time with one fault more, and
# what comes of it is compared with what an undisturbed run leaves. Sourced by the
# campaigns beside it; README.md is their map.
#
# What is asked of a run, whatever the fault:
#   it ends by itself, not by a signal and not by the clock
#   exit 0      all outputs and standard output are those of an undisturbed run
#   exit 1      one sentence, "isogloss: …", that names the file (or says that it was
#               memory); every output is whole: the one that was there before, or the new
#               one; nothing else was left
#
# FAULTS says how many faults of a kind each command meets (all, when there are fewer).
. tests/tap.sh

case ${BUILD:-build} in /*) built=$BUILD ;; *) built=$PWD/${BUILD:-build} ;; esac
ISOGLOSS=${ISOGLOSS:-$built/isogloss}
FAULT_LIBRARY=$built/libfault.so
FAULTS=${FAULTS:-2}
LIMIT_EACH=${LIMIT_EACH:-60} # seconds: it hangs
ended_after= # seconds: it gets the signal $ended_by
scratch=$(mktemp -d "${TMPDIR:-/tmp}/faults.XXXXXX") || exit 1
work=$scratch/work # where commands run
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME ISOGLOSS
unset ISOGLOSS_DATA

# --- commands ---------------------------------------------------------------------------
# name | arguments; a run that is written replaces `run`, where it says so
commands='
info|info --json
eval|eval set.npy --run run --scores scores.csv
eval-csv|eval set.npy --method seed --epochs 2 --format csv
eval-json|eval set.npy --method centre --run run --json
report|eval set.npy --run run --report report.html
search|search set.npy --text small --run run
search-json|search set.npy --row 3 --k 30 --json
project|project set.npy --run run
svg|project set.npy --svg map.svg --overwrite
pdf|project table.csv --vectors a-d --pdf map.pdf --overwrite
png|project en=words.vec --png map.png --overwrite
transform|transform set.npy --run unit --out arrays --overwrite
train|train set.npy --method meat+oracle --epochs 2 --out new --overwrite
replace|train set.npy --method seed --epochs 2 --normalize --out run --overwrite --json
sweep|sweep set.npy --method seed,centre --seed 1,2 --epochs 2 --out sweep --overwrite
explore|render set.npy --epochs 2 --keys "<space>:write new<enter>y:write map.svg<enter>y:write report.html<enter>y"
explore-run|render set.npy --run run --size 120x40 --keys ":panel leakage<enter>]]]<enter>:search small<enter>n:write list.csv<enter>:panel leakage<enter>"
explore-map|render set.npy --run run --size 100x30 --keys "vuxXct:colour alignment<enter>"
explore-select|render set.npy --run run --keys "&small<enter>"
explore-method|render set.npy --glyphs ascii --size 100x30 --epochs 2 --keys ":method meat<enter>"
explore-compare|render set.npy --run runs/one --run runs/two --size 100x30 --keys "C"
explore-help|render set.npy --glyphs ascii --keys "?"'

all_commands() { printf '%s' "$commands" | sed -n 's/|.*//p'; }
arguments() { printf '%s' "$commands" | sed -n "s/^$1|//p"; }

# What a sentence must name.
named='memory|thread|a pipe:|standard output|(set|table|scores)\.(npy|csv)|words\.vec|(map|report|list)\.'
named="$named|wide|(run|runs|unit|new|arrays|sweep)(\.isogloss-lock)?[/:]"

# --- what they read ---------------------------------------------------------------------
# The demo set's first 20 sentences of three languages, 16 columns of each vector.

npy_head() { # dtype fortran shape
    dict="{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "$dict"
}

cut_demo() { # rows of each language
    npy_head '<f2' False "$(($1 * 3)), 16"
    for language in 0 1 2; do
        for row in $(seq 0 $(($1 - 1))); do
            tail -c +$((129 + (language * 600 + row) * 512)) tests/golden/mixed.npy | head -c 32
        done
    done
}

make_world() {
    world=$scratch/world
    mkdir "$world" "$world/runs"
    cut_demo 20 >"$world/set.npy"
    awk 'NR == 1 || NR < 1802 && (NR - 2) % 600 < 20' data/demo.csv >"$world/set.csv"
    awk 'BEGIN { print "left,right,score"
        for (i = 0; i < 30; i++) print i "," (i * 7 + 20) % 60 "," (i * 13) % 11 / 2 }' \
        >"$world/scores.csv"
    awk 'BEGIN { print "lang,id,text,a,b,c,d"
        for (i = 0; i < 24; i++)
            print (i % 2 ? "de" : "en") "," int(i / 2) ",\"text, " i "\"," i % 5 "," i % 7 "," \
                i * i % 11 "," 1 }' >"$world/table.csv"
    awk 'BEGIN { print "12 4"
        for (i = 0; i < 12; i++) print "w" i, i % 5, i % 7 / 2, i * i % 11, 1 }' \
        >"$world/words.vec"
    (
        cd "$world" || exit
        "$ISOGLOSS" train set.npy --epochs 3 --out run -q &&
            "$ISOGLOSS" train set.npy --method centre --normalize --out unit -q &&
            "$ISOGLOSS" train set.npy --method abtt --out runs/one -q &&
            "$ISOGLOSS" train set.npy --epochs 1 --out runs/two -q
    ) || { echo "Bail out! no runs" && exit 1; }
}

# --- one run ----------------------------------------------------------------------------

# What a folder holds, a line of a file each, but for the lock of a killed writer; without what tells of the clock.
snapshot() { # folder
    (
        cd "$1" || exit
        find . -type f \( -name epochs.csv -o -name run.json -o -name '*.html' \) \
            -exec awk -F, -v OFS=, '
                /"seconds":|"date":/ { next }
                FNR == 1 { hide = FILENAME ~ /epochs\.csv$/ }
                hide { $6 = $7 = "" }
                { print FILENAME "\t" $0 }' {} +
        find . -name '*.pdf' -exec sh -c '
            LC_ALL=C sed "s/CreationDate ([^)]*)//; s/^%<!-- isogloss .*//" "$1" | cksum | sed "s|^|$1	|"' sh {} \;
        find . \( -type f ! -name '*-lock' ! -name '*.pdf' ! -name epochs.csv ! -name run.json ! -name '*.html' \
            -exec cksum {} + \) -o \( -type d -exec printf '%s\tfolder\n' {} + \) |
            awk '/\t/ { print; next } { print $3 "\t" $1 " " $2 }'
    ) | LC_ALL=C sort -s -t "$(printf '\t')" -k 1,1
}

# What a campaign does before each run.
prepare() { :; }

# A run of a command in a copy of the world: $status, work/, out, err.
perform() { # name, variables...
    rm -rf "$work" "$scratch/log"
    cp -R "$world" "$work"
    prepare
    perform_again "$@"
}

# A run where the last one was; on every machine it makes the same calls.
perform_again() { # name, variables...
    perform_name=$1
    shift
    eval "set -- \"\$@\" \"\$ISOGLOSS\" $(arguments "$perform_name") -q --threads 2"
    cd "$work" || exit
    if [ -n "$ended_after" ]; then
        set -- timeout --preserve-status -s "$ended_by" -k 20 "$ended_after" env "$@"
    else
        set -- timeout -k 1 "$LIMIT_EACH" env "$@"
    fi
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    cd "$OLDPWD" || exit
}

# What the last run left under temporary names is gone after the next one, and what that
# writes is whole.
recovers() { # name
    perform_again "$1"
    [ $status -eq 0 ] || echo "the next run fails: $(cat "$scratch/err")"
    snapshot "$work" | cmp -s "$scratch/after.$1" - ||
        echo "after the next run:
$(snapshot "$work" | diff "$scratch/after.$1" - | head -n 8)"
}

# The undisturbed run of a command, twice: before, after and frame are compared with.
reference() { # name
    [ -f "$scratch/before" ] || snapshot "$world" >"$scratch/before"
    perform "$1"
    snapshot "$work" >"$scratch/after.$1"
    clock "$scratch/out" >"$scratch/out.$1"
    reference_status=$status
    perform "$1"
    snapshot "$work" >"$scratch/now"
    clock "$scratch/out" | cmp -s "$scratch/out.$1" - && [ $reference_status -eq 0 ] &&
        [ $status -eq 0 ] && cmp -s "$scratch/now" "$scratch/after.$1" && return
    fail "$1: undisturbed, it repeats" "status $reference_status, $status
$(cat "$scratch/err"; diff "$scratch/now" "$scratch/after.$1")"
    return 1
}

# Standard output without what tells of the clock, and without how the maps of explore and
# explore-method lie in their plane: each map is turned to lie as the one before, so where
# one between is refused the last lies otherwise, and other shares fall to its axes.
clock() { # file
    map=
    [ "$perform_name" != explore ] || map='s/^│.*│\(│\|├\)/\1/'
    sed -e "$map" -e 's/^|[^|]\{48,50\}|\([|+]\)/|\1/' -e '/^+ map/s/axis . [0-9.]*%//g' \
        -e '/"seconds":/d' -e '/"pairs_per_second":/d' \
        -e 's/,[^,]*\(,[^,]*,[^,]*,ok\)$/\1/' "$1"
}

reasons='memory|Permission denied|allocate|space left|output error|open files|nterrupted|too large|written|failed|shorter'

# The outputs that are whole by what they hold: what the explorer writes shows what went
# wrong before, and a training that fails keeps its best epoch and tells how it ended.
ends() { # name of a command
    for output in * sweep/*; do
        case $1:$output in
        explore*:*.svg) tail -n 2 "$output" | grep -q '^</svg>' && echo "$output" ;; # a mark follows
        explore*:*.html) [ "$(tail -n 1 "$output")" = '</html>' ] && echo "$output" ;;
        explore*:*.csv) [ -z "$(tail -c 1 "$output")" ] && echo "$output" ;;
        *:*.tmp-* | *:*.old-*) ;;
        *:new | *:run | *:sweep/*)
            if grep -qE "\"ending\": \".*($reasons)" "$output/run.json" 2>/dev/null &&
                "$ISOGLOSS" transform set.npy --run "$output" --out "$scratch/try" -q; then
                rm -r "$scratch/try"
                echo "$output"
            fi ;;
        esac
    done
}

# Outputs that are neither what was there nor what an undisturbed run writes: of what
# stands in the folder (snapshot: now), and of what stands in that of a sweep.
old_or_new() { # name
    awk -v ends="$(cd "$work" && ends "$1")" -v failed="$status" -F '\t' '
        { split($1, p, "/"); unit = p[2]; if (unit == "sweep" && p[3]) unit = unit "/" p[3]
          if ($1 == "./sweep") next
          text[FILENAME, unit] = text[FILENAME, unit] $0 "\n"; units[unit] }
        END {
            n = split(ends, e, "\n")
            for (i = 1; i <= n; i++) whole[e[i]]
            for (u in units) {
                if (u in whole) continue
                if (failed && u ~ /\.tmp-0$/) continue # for the user, or the next writer
                now = text[ARGV[3], u]
                if (now == text[ARGV[1], u] || now == text[ARGV[2], u]) continue
                print u ": " (now == "" ? "is gone" : "is neither the old nor the new one")
            }
        }' "$scratch/before" "$scratch/after.$1" "$scratch/now"
}

# What is wrong with the last run, or nothing.
judge() { # name
    case $status in
    0 | 1) ;;
    124 | 137) echo "it did not end" && return ;;
    *) echo "exit status $status" && sed 's/^/  stderr: /' "$scratch/err" | head -n 5 && return ;;
    esac
    if [ $status -eq 0 ] && ! clock "$scratch/out" | cmp -s "$scratch/out.$1" -; then
        case $1 in
        # A list that did not open, or a run that did not start, gave its reason, which later
        # keys have cleared.
        explore*) grep -qE "$reasons|\[leakage: |no run: " "$scratch/out" || {
            echo "exit 0, and the frame is another without a reason"
            diff "$scratch/out.$1" "$scratch/out" | sed 's/^/  /' | head -n 12
        } ;;
        *) echo "exit 0, and standard output differs" ;;
        esac
    fi
    # A sweep has one for each run that failed, others may add what that means.
    [ "$1" = sweep ] && most=9 || most=2
    if [ $status -ne 0 ] && ! awk -v most=$most '!/^isogloss: ./ { bad = 1 }
        END { exit bad || NR < 1 || NR > most }' "$scratch/err"; then
        echo "exit $status without a sentence"
        sed 's/^/  stderr: /' "$scratch/err" | head -n 5
    fi
    if grep -q 'in full' "$scratch/err" "$scratch/out"; then
        echo "no reason is told: $(grep -h 'in full' "$scratch/err" "$scratch/out")"
    fi
    if [ $status -ne 0 ] && ! grep -qE "$named" "$scratch/err"; then
        echo "no file is named: $(cat "$scratch/err")"
    fi
    snapshot "$work" >"$scratch/now"
    # What cannot be removed, looked at or listed may stay for the next run; a folder is
    # not removed without memory.
    if grep -q 'hit [0-9]* \(remove\|stat\|list\|memory\)' "$scratch/log" 2>/dev/null &&
        grep -q '^\./[^	]*\.\(tmp\|old\)-[0-9]*	' "$scratch/now"; then
        recovers "$1"
    elif [ $status -eq 0 ] && case $1 in explore*) false ;; esac; then
        cmp -s "$scratch/now" "$scratch/after.$1" || echo "exit 0, and the outputs differ:
$(diff "$scratch/after.$1" "$scratch/now" | head -n 8)"
    else
        old_or_new "$1"
    fi
}

# A run that claims success though a file that it wrote may not be on the disk.
judge_synced() { # name
    case $status:$1:$(cat "$scratch/log") in
    0:explore*) ;;
    0:*' sync'*-folder*) ;;
    0:*' sync'*) echo 'exit 0 though a file was not synced' ;;
    esac
}

# --- many runs --------------------------------------------------------------------------

# Numbers from 1 to a total: all, or one at random in each of as many equal parts.
sample() { # total, how many
    awk -v total="$1" -v most="$2" 'BEGIN {
        if (total <= most) { for (i = 1; i <= total; i++) print i; exit }
        x = 20240229
        for (i = 0; i < most; i++) {
            x = (x * 69069 + 1) % 4294967296
            from = int(i * total / most); to = int((i + 1) * total / most)
            print from + 1 + int(x / 4294967296 * (to - from))
        }
    }'
}

# How many calls of some kinds an undisturbed run makes; $total, "" where it was not counted. One run
# of a command counts all kinds.
count_calls() { # command, FAULT
    case $2 in
    memory) counted_what=memory ;;
    *) counted_what='open read write close sync rename mkdir remove truncate stat list lock dup map' ;;
    esac
    counted=$scratch/total.$1.${counted_what%% *}
    if [ ! -f "$counted" ]; then
        perform "$1" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$counted_what" FAULT_LOG="$scratch/log"
        mv "$scratch/log" "$counted"
    fi
    total=$(awk -v what=" $2 " '$1 == "kind" && index(what, " " $3 " ") { sum += $2 }
        $1 == "calls" { all = $2; ended = 1 }
        END { if (ended) print what == " memory " ? all : sum + 0 }' "$counted")
}

# Every sampled call of a kind fails, one a run.
each_call() { # command, name of the fault, FAULT, FAULT_ERROR, more variables...
    each_name=$1 each_fault=$2 each_what=$3 each_error=$4
    shift 4
    count_calls "$each_name" "$each_what"
    if [ -z "$total" ]; then
        fail "$each_name, $each_fault" "the calls were not counted: status $status
$(cat "$scratch/err")"
        return
    fi
    tried=0 refused=0 found=
    for n in $(sample "$total" "$FAULTS"); do
        perform "$each_name" LD_PRELOAD="$FAULT_LIBRARY" FAULT="$each_what" FAULT_AT="$n" \
            FAULT_ERROR="$each_error" FAULT_LOG="$scratch/log" "$@"
        tried=$((tried + 1))
        [ $status -eq 0 ] || refused=$((refused + 1))
        offence=$(judge "$each_name"; judge_synced "$each_name")
        [ -z "$offence" ] || found="$found
$n of $total ($(sed -n 's/^hit [0-9]* //p' "$scratch/log")): $offence"
    done
    each_told="$each_name, $each_fault: $tried of $total, $refused end with a sentence"
    no_offence "$each_told" "$found"
}
