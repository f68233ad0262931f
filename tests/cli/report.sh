#!/bin/sh
# isogloss eval --report: what is kept is there, can be repeated, and is
# whole or absent.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
demo=data/demo.npy
run="$scratch/a run"
html=$scratch/r.html

lacks() { # name file pattern
    if grep -q -e "$3" "$2"; then fail "$1" "$(grep -e "$3" "$2" | cut -c 1-200)"; else pass "$1"; fi
}

works 'a run' train $demo --limit 60 --lr 1e-3 --epochs 3 --seed 7 --out "$run" -q

# --- HTML ------------------------------------------------------------------------------------
works 'a report in HTML' eval $demo --limit 60 --run "$run" --method centre --report "$html" -q
says 'the table is printed as ever' "$out" '^purity@10 '
says 'and where the report is' "$out" "^saved  *$html\$"
says 'it begins as HTML does' "$html" '^<!DOCTYPE html>'
says 'and ends' "$html" '^</html>$'
says 'the data' "$html" '<dd dir="auto">demo</dd>'
says 'what was measured' "$html" 'Measured on all rows; 1,680 pairs of 60 meanings'
says 'the runs by name' "$html" '<th scope="col" dir="auto">2 centre</th>'
says 'a seed' "$html" '<dt dir="auto">seed</dt><dd dir="auto">7</dd>'
says 'the objective' "$html" '^pull 2 m(x) m(y)'
says 'the command, quoted' "$html" "run &#39;$scratch/a run&#39; --method centre --report"
lacks 'no script' "$html" '<script'
lacks 'nothing is fetched' "$html" '\(src\|href\)="\(http\|/\)'
# Four curves, three maps of one space, two of both.
found=$(grep -c '<img alt=' "$html")
if [ "$found" -eq 9 ]; then pass 'nine pictures'; else fail 'nine pictures' "$found"; fi
found=$(grep -c '^<circle.*<title>[a-z][a-z]: .' "$html")
if [ "$found" -eq $((3 * 60 * 8)) ]; then pass 'every point has its sentence'; else
    fail 'every point has its sentence' "$found"; fi
order=$(sed -n 's/^<h2[^>]*>\([A-Za-z]*\).*/\1/p; s/^<details><summary>\([A-Za-z]*\).*/\1/p' "$html" | tr '\n' ' ')
if [ "$order" = 'Findings Maps Measures The Training All By Maps Definitions Data Runs How ' ]; then
    pass 'findings first, methods last'; else fail 'findings first, methods last' "$order"; fi
says 'findings' "$html" '<li dir="auto">Meaning embeddings find [0-9.]*% of all translations'
says 'the worst direction' "$html" '^<h2 dir="auto">The worst direction: [a-z]* to [a-z]*</h2>'
# Figures are those of the table.
top1=$(sed -n '/^retrieval top-1/s/[^0-9]*-1[^0-9]*\([0-9.]*%\).*/\1/p' "$out" | head -n 1)
says 'figures as in the table' "$html" ">retrieval top-1</th>.*<td>$top1</td>"

works 'of all rows' eval $demo --method centre --measures probe --report "$scratch/all.html" -q
size=$(wc -c <"$scratch/all.html" | tr -d ' ')
if [ "$size" -lt 1000000 ]; then pass 'is less than a megabyte'; else fail 'is less than a megabyte' "$size"; fi
works 'again' eval $demo --limit 60 --run "$run" --method centre --report "$scratch/again.html" -q --json
lacks 'JSON stays JSON' "$out" '^written'
if sed 's/again\.html/r.html/' "$scratch/again.html" | sed 's/ -q --json</ -q</' | cmp -s - "$html"; then pass 'same data, same bytes'; else
    fail 'same data, same bytes' "$(sed 's/again\.html/r.html/' "$scratch/again.html" | diff - "$html" | cut -c 1-200 | head)"; fi

# --- the command lines repeat it -------------------------------------------------------------
cp data/demo.npy data/demo.csv "$scratch"
works 'a run of a whole set' train "$scratch/demo.npy" --epochs 2 --batch 64 --lr 3e-4 --partner next --seed 5 \
    --out "$run 2" -q
works 'its report' eval "$scratch/demo.npy" --run "$run 2" --report "$html" -q
line=$(sed -n "s/&#39;/'/g; s/^\(<pre><code>\)*isogloss train /isogloss train /p" "$html")
mv "$run 2" "$run 2 before"
# shellcheck disable=SC2016 # for the inner shell
if (eval "set -- ${line#isogloss}" && "$ISOGLOSS" "$@" -q) >"$out" 2>"$err" &&
    cmp -s "$run 2/meaning.weight.npy" "$run 2 before/meaning.weight.npy"; then
    pass 'the same weights, to the byte'
else
    fail 'the same weights, to the byte' "$line
$(cat "$err")"
fi

# --- Markdown --------------------------------------------------------------------------------
md=$scratch/r.md
works 'a report in Markdown' eval $demo --limit 60 --run "$run" --report "$md" -q
says 'its findings' "$md" '^\* Meaning embeddings find [0-9.]*% of all translations'
top1=$(sed -n '/^retrieval top-1/s/[^0-9]*-1[^0-9]*\([0-9.]*%\).*/\1/p' "$out" | head -n 1)
says 'its figures' "$md" "^| retrieval top-1 | ↑ | $top1 |"
says 'glosses' "$md" '^| .* (It\|^| .* ([A-Z].*) |'
says 'the folded rest' "$md" '^<details><summary>All measures</summary>$'
lacks 'no picture, no HTML tables' "$md" '<img\|<table\|<svg'

# --- little to report ------------------------------------------------------------------------
tiny=$scratch/tiny.npy
npy_head '<f4' False '4, 2' >"$tiny"
floats 1 0 0 1 1 1 2 0 >>"$tiny"
printf 'lang,text\nen,One\n<b>|,two\nen,three\nde,Eins\n' >"$scratch/tiny.csv"
works 'a set without pairs' eval "$tiny" --report "$html" -q
says 'says so' "$html" 'Measured on all rows; there are no pairs'
says 'why a figure is missing' "$html" 'retrieval top-1.*: no pairs'
says 'languages are texts' "$html" '&lt;b&gt;|'
lacks 'no matrix of nothing' "$html" 'Retrieval by language pair'
works 'the same in Markdown' eval "$tiny" --report "$md" -q
says 'marks in texts are escaped' "$md" '\\<b>\\|'

# --- what is refused -------------------------------------------------------------------------
fails 'another ending' 2 \
    'r.txt: unsupported report format (expected .html, .htm or .md)' eval $demo --report r.txt
fails 'no such folder, before anything is measured' 1 \
    '/nowhere/r.html: No such file or directory' eval $demo --report /nowhere/r.html
if [ -w /dev/full ]; then
    ln -s /dev/full "$scratch/full.html"
    run eval "$tiny" --report "$scratch/full.html" -q
    exits 'a full disk' 1
    says 'is reported with its cause' "$err" "^isogloss: $scratch/full.html: No space left on device\$"
    says 'the figures are printed all the same' "$out" '^measure '
else
    skip 'a full disk' 'no /dev/full'
fi
if ls -d "$scratch"/*.tmp-* >/dev/null 2>&1; then
    fail 'nothing temporary stays' "$(ls "$scratch")"
else
    pass 'nothing temporary stays'
fi

# A run that began with weights, of an objective of the user's own, says both.
cp assets/objectives/seed.objective "$scratch/mine.objective"
works 'a run of an own objective' train "$scratch/demo.npy" --epochs 1 --init "$run" \
    --method "$scratch/mine.objective" --out "$scratch/mine" -q
works 'its report' eval "$scratch/demo.npy" --run "$scratch/mine" --report "$scratch/mine.html" -q
says 'the objective' "$scratch/mine.html" "^\(<pre><code>\)*isogloss train .* --method $scratch/mine/objective "
says 'the weights it began with' "$scratch/mine.html" "^\(<pre><code>\)*isogloss train .* --init &#39;$run&#39; "

# A long command line is not truncated.
long=$(dirname "$run")/$(printf './%.0s' $(seq 1500))$(basename "$run")
works 'a long command line' eval $demo --limit 60 --run "$long" --run "$long" --run "$long" --report "$html" -q
says 'it is there' "$html" '^isogloss eval .* -q</code>'
finish
