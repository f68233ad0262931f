#!/bin/sh
# What is written about the program is what it does: keys, options, presets, files.
. tests/cli.sh

pages='assets/isogloss.1 assets/isogloss-explorer.7 assets/isogloss-measures.7'
# shellcheck disable=SC2086 # a list of pages
no_offence 'the generated parts of the man pages are those of the program' \
    "$(assets/tools/manual --check "$ISOGLOSS" $pages 2>&1)"
if command -v mandoc >/dev/null 2>&1; then
    for page in $pages; do
        no_offence "$page: no warning of mandoc" "$(mandoc -T lint -W warning "$page" 2>&1)"
    done
else
    pass 'mandoc is absent: no lint # SKIP'
fi
for bound in isogloss.1:4000 isogloss-explorer.7:3000 isogloss-measures.7:4500; do
    words=$(grep -v '^\.\\"' "assets/${bound%:*}" | sed 's/^\.[A-Za-z]*//' | wc -w)
    succeeds "words of $bound: $words" [ "$words" -le "${bound#*:}" ]
done

# The pages as text, without fonts and escapes; and their examples, a command a line.
# shellcheck disable=SC2086
sed "s/\\\\-/-/g; s/\\\\f.//g; s/\\\\(aq/'/g; s/\\\\(dq/\"/g; s/\\\\(ti/~/g; s/\\\\e/\\\\/g" $pages >"$scratch/man"
awk '/^  +isogloss / || part != "" {
        gsub(/^ +/, "")
        part = part $0
        if (!sub(/ *\\$/, " ", part)) { print part; part = "" }
    }' "$scratch/man" README.md data/README.md | sed 's/ [|>] .*//' | sort -u >"$scratch/examples"
count=0
while read -r example; do
    count=$((count + 1))
    # It parses: with --help the options are read, and nothing is run.
    eval "set -- ${example#isogloss }"
    works "parses: $example" "$@" --help
done <"$scratch/examples"
succeeds "examples are found: $count" [ $count -ge 25 ]

wide=$(for page in $pages; do MANWIDTH=80 LC_ALL=C.UTF-8 man -l "$page" | LC_ALL=C.UTF-8 grep -n '.\{81\}'; done)
no_offence 'the man pages fit a terminal of 80 columns' "$wide"

commands=$("$ISOGLOSS" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
for command in explorer $commands; do
    if [ "$command" = explorer ]; then run --help; else run "$command" --help; fi
    cat "$out" >>"$scratch/help"
    options=$(grep -o -e '--[a-z][a-z0-9-]*' "$out" | sort -u)
    absent=
    for option in $options; do
        grep -q -e "$option\\([^a-z-]\\|\$\\)" "$scratch/man" || absent="$absent $option"
    done
    succeeds "there are options of $command" [ -n "$options" ]
    no_offence "the man pages have the options of $command" "$absent"
done

for option in $(grep -v 'mpirun\|srun' "$scratch/man" | grep -o -e '--[a-z][a-z-]*' | sort -u); do
    succeeds "$option of the man pages exists" grep -q -e "$option" "$scratch/help"
done

# What bash and fish would offer after some words.
offers() { # expected, words...
    expected=$1
    shift
    bash --norc -c '
        . assets/completions/isogloss.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _isogloss
        printf "%s\n" "${COMPREPLY[@]}"' bash isogloss "$@" >"$out" 2>"$err"
    says "bash offers $expected after: $*" "$out" "^$expected\$"
    no_offence "without a word of its own after: $*" "$(cat "$err")"
    command -v fish >/dev/null 2>&1 || return 0
    line="isogloss $(echo "$*" | sed 's/ = /=/')" fish --no-config -c '
        source assets/completions/isogloss.fish
        complete -C $line' >"$out" 2>"$err"
    says "fish offers $expected after: $*" "$out" "^\(--method=\)\?$expected\(/\|	.*\)\?\$"
}
PATH=$(dirname "$ISOGLOSS"):$PATH
if command -v bash >/dev/null 2>&1; then
    offers train ''
    offers demo-layers info demo-
    offers --epochs train --ep
    offers next train --partner ''
    offers language search --space l
    offers oracle-code train --method or
    offers data data
    offers eval e
    offers original,meaning eval --space original,m
    offers sweep help sw
    offers layers demo ''
    offers cka,top1 eval --measures cka,top
    offers oracle-code train --method = or
fi
if command -v fish >/dev/null 2>&1; then
    fish --no-config -c '
        source assets/completions/isogloss.fish
        complete -C "isogloss eval --spl"
        complete -C "isogloss eval --split "' >"$out" 2>"$err"
    says 'fish describes options' "$out" '^--split	measure only'
    succeeds 'fish offers no files after --split' test "$(grep -vc -- '^--' "$out")" -eq 4
fi

for file in assets/objectives/*.objective; do
    name=$(basename "$file" .objective)
    for page in assets/docs/methods.md "$scratch/man"; do
        succeeds "${page##*/} has $name" grep -q "\(^\|[ \`]\)$name\(\$\|[ ,\`]\)" "$page"
    done
done
method=$(sed -n 's/^Recommended: `\([a-z]*\)`.*/\1/p' README.md)
run render data/demo.npy --size 80x24 --keys m
says "m recommends $method, as README does" "$out" "Recommended: $method,"
run render data/demo.npy --size 80x24 --epochs 1 --keys ' '
says "the demo trains $method" "$out" " $method finished"
lines=$(wc -l <README.md)
succeeds "README is a front page: $lines lines" [ "$lines" -le 110 ]
for page in README.md assets/docs/*.md assets/python/README.md data/README.md; do
    absent=
    for path in $(grep -o '](\([A-Za-z.][A-Za-z/._-]*\))' "$page" | sed 's/](\(.*\))/\1/'); do
        [ -f "$(dirname "$page")/$path" ] || absent="$absent $path"
    done
    no_offence "the files that $page links to are there" "$absent"
done
absent=
for path in $(grep -o '`[a-z]*/[a-z_/]*[.][ch]`' src/README.md | tr -d '`' | sort -u); do
    [ -f "src/$path" ] || [ -f "$path" ] || absent="$absent $path"
done
no_offence 'the files that src/README names are there' "$absent"
# shellcheck disable=SC2086
version=$(sed -n 's/^\.TH .* "\(isogloss [0-9.]*\)" .*/\1/p' $pages | sort -u)
succeeds "the man pages are of this version: $version" [ "$("$ISOGLOSS" --version)" = "$version" ]
finish
