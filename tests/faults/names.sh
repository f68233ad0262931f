#!/bin/sh
# Hostile names: of files, runs and outputs, and what is in a table. Each command does with
# them what it does with plain names: arrays, weights and tables are the same byte for byte,
# and what is said on a terminal, or of a failure, has no control characters.
. tests/faults/faults.sh

newline='
'
escape=$(printf '\033')
latin=$(printf 'caf\351')
long=$(awk 'BEGIN { while (i++ < 200) printf "n" }')

commands='
train|train "$set" --method centre --out "$out"
transform|transform "$set" --run "$run" --out "$out"
svg|project "$set" --svg "$out.svg"
project|project "$set"
eval|eval "$set" --run "$world/unit" --format csv
search|search "$set" --row 3 --json
explore|render "$set" --run "$run" --keys ":write list.csv<enter>"'

# A world whose files have that name; what a command makes of it.
of_name() { # command, name
    rm -rf "$work"
    mkdir "$work"
    set=./$2.npy run=./r$2 out=./o$2
    cp "$world/set.npy" "$work/$set"
    cp "$world/set.csv" "$work/./$2.csv"
    cp -R "$world/unit" "$work/$run"
    perform_again "$1"
    find "$work/$out" "$work/$out.svg" -type f ! -name run.json ! -name epochs.csv \
        -exec cat {} + 2>/dev/null | LC_ALL=C cksum >"$scratch/sum"
}

# The rows of a CSV without the columns that name the set.
unnamed() { # file
    python3 -S -c 'if 1:
        import csv, sys
        for row in csv.DictReader(open(sys.argv[1], newline="", errors="surrogateescape")):
            print([value for key, value in row.items() if key not in ("data", "source")])' "$1"
}

make_world
for command in ${COMMANDS:-$(all_commands)}; do
    of_name "$command" plain
    cp "$scratch/sum" "$scratch/sum.plain"
    unnamed "$scratch/out" >"$scratch/out.plain"
    [ $status -eq 0 ] || fail "$command, a plain name" "status $status: $(cat "$scratch/err")"
    found='' tried=0
    for name in "a${newline}b" "${escape}[2J${escape}]0;x" '%s%n%d' "it's \"q\"" '$(touch ran)' \
        '-q' ' ' "$latin" "$long" 'a=b' 'a,b' '<b>&amp;' '..' 'é한‮x'; do
        of_name "$command" "$name"
        tried=$((tried + 1))
        [ $status -eq 0 ] || found="$found
'$name': status $status: $(head -n 2 "$scratch/err")"
        # A picture and a frame show the name; arrays and figures do not.
        case $command in
        svg | explore) ;;
        *) cmp -s "$scratch/sum" "$scratch/sum.plain" || found="$found
'$name': another output" ;;
        esac
        case $command in
        project | eval) unnamed "$scratch/out" | cmp -s "$scratch/out.plain" - || found="$found
'$name': another standard output" ;;
        explore) ! LC_ALL=C grep -q "$escape" "$scratch/out" || found="$found
'$name': an escape sequence in the frame" ;;
        esac
        [ ! -e "$work/ran" ] || found="$found
'$name': it was run as a command"
    done
    no_offence "$command, names: $tried" "$(printf '%s' "$found" | LC_ALL=C tr -d '\033')"
done

# Of a file that is not there, the name is told without what a terminal would obey.
found=
for name in "a${newline}b" "${escape}[2J${escape}]0;x" '%s%n%d' "$latin" "$long"; do
    for arguments in "eval" "project" "train --out r" "transform --out r --run r"; do
        # shellcheck disable=SC2086 # a command and its options
        "$ISOGLOSS" $arguments "./$name.npy" >"$scratch/out" 2>"$scratch/err" </dev/null
        status=$?
        { [ $status -eq 1 ] || [ $status -eq 2 ]; } && [ "$(wc -l <"$scratch/err")" -eq 1 ] &&
            ! LC_ALL=C grep -q "$escape" "$scratch/err" || found="$found
$arguments: status $status: $(LC_ALL=C tr -d '\033' <"$scratch/err")"
    done
done
no_offence 'names of files that are not there' "$found"

# On a terminal, what files hold and are called is made visible.
rm -rf "$work"
cp -R "$world" "$work"
cd "$work" || exit
name="n${escape}[2J${escape}]0;x$(printf '\302\233')31m"
cp set.npy "$name.npy"
sed "s/^\([^,]*,[^,]*\),/\1,${escape}]0;title$(printf '\007')/; 1s/${escape}.*$(printf '\007')//" \
    set.csv >"$name.csv"
found=
for arguments in project 'project --json' 'search --row 3' 'search --row 3 --json' eval \
    'eval --format csv' 'eval --json' 'train --method centre --out new' 'transform --run unit --out arrays' \
    'sweep --method centre --seed 1,2 --out sweep' 'eval --run nowhere'; do
    # shellcheck disable=SC2086 # a command and its options
    TERM=xterm "$built/terminal" keys '' "$ISOGLOSS" $arguments -q "./$name.npy" >"$scratch/out"
    ! LC_ALL=C grep -q "$escape\|$(printf '\302\233')\|$(printf '\007')" "$scratch/out" || found="$found
$arguments: $(cat -v "$scratch/out" | head -n 3)"
done
cd "$OLDPWD" || exit
no_offence 'names and texts on a terminal' "$found"
finish
