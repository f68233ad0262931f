#!/bin/sh
# What is written about the program is what it does: keys, options, presets, files.
. tests/cli.sh

found=$(assets/tools/manual --check "$ISOGLOSS" assets/isogloss.1 2>&1)
if [ -z "$found" ]; then
    pass 'the man page has the keys and training options of the program'
else
    fail 'the man page has the keys and training options of the program' "$found"
fi

sed 's/\\-/-/g; s/\\f.//g' assets/isogloss.1 >"$scratch/man"
commands=$("$ISOGLOSS" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
for command in explorer $commands; do
    if [ "$command" = explorer ]; then run --help; else run "$command" --help; fi
    options=$(grep -o -e '^  .*--[a-z][a-z0-9-]*' "$out" | grep -o -e '--[a-z][a-z0-9-]*' | sort -u)
    absent=
    for option in $options; do
        grep -q -e "$option\\([^a-z-]\\|\$\\)" "$scratch/man" || absent="$absent $option"
    done
    if [ -n "$options" ] && [ -z "$absent" ]; then
        pass "the man page has the options of $command"
    else
        fail "the man page has the options of $command" "missing:$absent"
    fi
done

for option in $(grep -o -e '^\.B[IR]* .*--[a-z][a-z-]*' "$scratch/man" | grep -o -e '--[a-z][a-z-]*' | sort -u); do
    found=
    for command in '' $commands; do
        # shellcheck disable=SC2086 # no command is none
        "$ISOGLOSS" $command --help | grep -q -e "$option" && found=yes && break
    done
    if [ -n "$found" ]; then
        pass "$option of the man page exists"
    else
        fail "$option of the man page exists"
    fi
done

# What bash would offer after some words.
offers() { # expected, words...
    expected=$1
    shift
    bash --norc -c '
        PATH=$1:$PATH; shift
        . assets/completions/isogloss.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _isogloss
        printf "%s\n" "${COMPREPLY[@]}"' bash "$(dirname "$ISOGLOSS")" isogloss "$@" >"$out" 2>"$err"
    says "bash offers $expected after: $*" "$out" "^$expected\$"
    if [ -s "$err" ]; then fail "without a word of its own after: $*" "$(cat "$err")"; fi
}
if command -v bash >/dev/null 2>&1; then
    offers train ''
    offers --epochs train --ep
    offers next train --partner ''
    offers language search --space l
    offers oracle-code train --method or
    offers data data
    offers eval e
    offers valid eval --split v
    offers sweep help sw
fi

for file in assets/objectives/*.objective; do
    name=$(basename "$file" .objective)
    for page in README.md "$scratch/man"; do
        if grep -q "\(^\|[ \`]\)$name\(\$\|[ ,\`]\)" "$page"; then
            pass "${page##*/} has $name"
        else
            fail "${page##*/} has $name"
        fi
    done
done
lines=$(wc -l <README.md)
if [ "$lines" -le 180 ]; then pass 'README is a front page'; else fail 'README is a front page' "$lines lines"; fi
for path in $(grep -o '](\([A-Za-z][A-Za-z/.-]*\))' README.md | sed 's/](\(.*\))/\1/'); do
    if [ -f "$path" ]; then pass "README's $path is there"; else fail "README's $path is there"; fi
done
if [ "$("$ISOGLOSS" --version)" = "$(sed -n 's/^\.TH .* "\(isogloss [0-9.]*\)" .*/\1/p' assets/isogloss.1)" ]; then
    pass 'the man page is of this version'
else
    fail 'the man page is of this version'
fi
finish
