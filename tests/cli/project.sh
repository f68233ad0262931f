#!/bin/sh
# isogloss project: components that can be reckoned by hand, the spaces of a run, fits,
# and pictures.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
demo=tests/golden/mixed.npy
run=$scratch/run

# (1,0) (-1,0) (0,0.5) (0,-1) (0,0.5): both axes are components, with variances 0.5 and
# 0.375 (divisor 4), shares 4/7 and 3/7.
cross=$scratch/cross.npy
npy_head '<f4' False '5, 2' >"$cross"
floats 1 0 -1 0 0 0.5 0 -1 0 0.5 >>"$cross"
printf 'lang\nen\nen\nde\nde\n"e,n"\n' >"$scratch/cross.csv"

works 'project' project "$cross"
says 'the header' "$out" '^row,lang,space,pc1,pc2$'
printf 'row,lang,space,pc1,pc2\n0,en,original,1,0\n1,en,original,-1,0\n2,de,original,0,0.5\n3,de,original,0,-1\n4,"e,n",original,0,0.5\n' >"$scratch/want"
sed 's/-0\([,]\)/0\1/g; s/-0$/0/' "$out" >"$scratch/got"
if cmp -s "$scratch/got" "$scratch/want"; then pass 'the coordinates'; else
    fail 'the coordinates' "$(diff "$scratch/want" "$scratch/got")"; fi
works 'one component' project "$cross" --components 1
says 'its header' "$out" '^row,lang,space,pc1$'
works '--json' project "$cross" --json
says 'the shares' "$out" '"explained_variance_ratio": \[0\.57142857[0-9]*, 0\.42857142[0-9]*\]'
says 'the variances' "$out" '"explained_variance": \[0\.5, 0\.375\]'
says 'the fit' "$out" '"fit": "original"'
says 'the rows' "$out" '"fitted_rows": 5'

# --- axes with a meaning --------------------------------------------------------------------------
# From (1,0) to (-1,0): along −x, from the middle (0,0); the component is y, centred already.
works '--axis through two rows' project "$cross" --axis '0 #1'
printf 'row,lang,space,#0 to #1,pc1\n0,en,original,-1,0\n1,en,original,1,0\n2,de,original,0,0.5\n3,de,original,0,-1\n4,"e,n",original,0,0.5\n' >"$scratch/want"
sed 's/-0\([,]\)/0\1/g; s/-0$/0/' "$out" >"$scratch/got"
if cmp -s "$scratch/got" "$scratch/want"; then pass 'lengths from their middle'; else
    fail 'lengths from their middle' "$(diff "$scratch/want" "$scratch/got")"; fi
works '--axis twice, rows of length 1' project "$cross" --axis 'en 1' --axis '"e,n" en' --unit
says 'their names' "$out" '^row,lang,space,en to #1,"e,n to en"$'
# Of length 1, en's rows have the mean (0,0), and so have de's; that of "e,n" is (0,1).
fails 'both ends at one place' 1 '--axis en to de: both ends have the same mean' \
    project "$cross" --axis 'en de' --unit
works 'a cosine' project "$cross" --axis 'en "e,n"' --unit
says 'of the opposite' "$out" '^3,de,original,-1,'
says 'of the same direction' "$out" '^4,"e,n",original,1,'
works 'along a probe' project "$cross" --axis 'probe de' --json
says 'its name' "$out" '"axes": \["probe de"\]'
says 'its share' "$out" '"explained_variance_ratio": \[0\.[0-9]*, 0\.[0-9]*\]'
works 'an axis in a picture' project "$cross" --axis 'en de' --svg "$scratch/axis.svg"
says 'is drawn' "$scratch/axis.svg" '<svg '
works 'through the rows of a run' project $demo --axis 'en de' --limit 60 --fit original
fails 'no such end' 1 "--axis: 'xx' is not a language, row, LABEL=VALUE of cross" project "$cross" --axis 'en xx'
fails 'no such row' 1 'no row 5 (cross has rows 0 to 4)' project "$cross" --axis 'en 5'
fails 'one word' 1 'an axis needs FROM TO' project "$cross" --axis en
fails 'three axes' 2 '--axis may be given 2 times' project "$cross" --axis 'en de' --axis '0 1' --axis '1 2'
fails 'more axes than columns' 2 '2 custom axes need --components 2 or more, not 1' \
    project "$cross" --axis 'en de' --axis '0 1' --components 1

# --- the spaces of a run ------------------------------------------------------------------------
works 'a run' train $demo --lr 1e-3 --epochs 40 --out "$run" -q
works 'project --run' project $demo --run "$run"
lines() { # pattern
    grep -c "$1" "$out"
}
if [ "$(lines ',meaning,')" -eq 4800 ] && [ "$(lines ',language,')" -eq 4800 ] && [ "$(lines ,)" -eq 9601 ]; then
    pass 'meaning and language rows'
else
    fail 'meaning and language rows' "$(lines ,) lines"
fi
# Meaning and language lie apart on the first component of the joint fit.
apart=$(awk -F, '$3 == "meaning" { m += $4 } $3 == "language" { l += $4 } END { d = (m - l) / 4800; print (d > 0.3 || d < -0.3) }' "$out")
if [ "$apart" = 1 ]; then pass 'they lie apart'; else fail 'they lie apart' "$(head "$out")"; fi
# The mean of what a component was fitted to is 0.
centred=$(awk -F, 'NR > 1 { s += $4; t += $5 } END { s /= NR - 1; t /= NR - 1; print (s * s + t * t < 1e-10) }' "$out")
if [ "$centred" = 1 ]; then pass 'the joint fit is centred'; else fail 'the joint fit is centred'; fi
works 'another fit' project $demo --run "$run" --fit meaning --json
says 'is named' "$out" '"fit": "meaning"'
says 'has its rows' "$out" '"fitted_rows": 4800'
works 'the originals' project $demo --run "$run" --fit original
works 'threads' project $demo --run "$run" --threads 1 --json
shares() {
    sed -n 's/.*"explained_variance_ratio": \[0\.\([0-9]\{5\}\)[0-9]*, 0\.\([0-9]\{5\}\).*/\1 \2/p' "$out"
}
one=$(shares)
works 'do not matter' project $demo --run "$run" --threads 2 --json
if [ -n "$one" ] && [ "$one" = "$(shares)" ]; then pass 'the same shares'; else
    fail 'the same shares' "$one, $(shares)"; fi
# Rows that must be computed one by one come to the same as those that need not.
works 'normalised rows' train $demo --normalize --epochs 2 --out "$scratch/unit" -q
works 'of a run' project $demo --run "$scratch/unit" --json
# Unit rows are a linear image of scaled originals: the same as those of the written array.
for space in meaning language; do
    works "rows of length 1, $space" project $demo --run "$run" --fit $space --unit --json
    one=$(shares)
    [ -d "$scratch/split" ] || works 'written' transform $demo --run "$run" --out "$scratch/split" -q
    works 'and read' project "$scratch/split/$space.npy" --meta "$scratch/split/meta.csv" --unit --json
    if [ -n "$one" ] && [ "$one" = "$(shares)" ]; then pass 'are the same map'; else
        fail 'are the same map' "$one, $(shares)"; fi
done
works 'an axis among them' project $demo --run "$run" --fit meaning --unit --axis 'en de'
head -n 1 "$out" >"$scratch/axis" && awk -F, '$3 == "meaning"' "$out" | cut -d, -f4 >>"$scratch/axis"
works 'and among those' project "$scratch/split/meaning.npy" --meta "$scratch/split/meta.csv" --unit --axis 'en de'
if cut -d, -f4 "$out" | paste -d' ' - "$scratch/axis" |
    awk 'NR > 1 && ($1 - $2) ^ 2 > 1e-10 { n++ } END { exit n > 0 || NR < 4800 }'; then
    pass 'has the same places'; else fail 'has the same places'; fi
works 'of centre' train $demo --method centre --out "$scratch/centre" -q
works 'of centre, projected' project $demo --run "$scratch/centre"
works 'of the baseline' train $demo --method baseline --out "$scratch/base" -q
works 'of the baseline, projected' project $demo --run "$scratch/base"
if [ "$(lines ',language,')" -eq 0 ]; then pass 'it has no language rows'; else fail 'it has no language rows'; fi

# --- pictures -----------------------------------------------------------------------------------
works 'pictures' project $demo --run "$run" --svg "$scratch/m.svg" --pdf "$scratch/m.pdf" --png "$scratch/m.png"
if [ -s "$out" ]; then fail 'and no CSV'; else pass 'and no CSV'; fi
says 'an SVG' "$scratch/m.svg" '<svg '
says 'a PDF' "$scratch/m.pdf" '^%PDF-1'
if [ "$(head -c 4 "$scratch/m.png" | od -An -tx1 | tr -d ' \n')" = 89504e47 ]; then pass 'a PNG'; else
    fail 'a PNG'; fi
works 'with JSON' project "$cross" --svg "$scratch/c.svg" --json
says 'the document, too' "$out" '"explained_variance"'

# --- wrong usage and lost output ------------------------------------------------------------------
fails 'a fit without a run' 2 '--fit joint needs --run RUN' project $demo --fit joint
fails 'a picture of one component' 2 'a picture needs 2 components, not 1' project $demo --components 1 --svg x.svg
fails 'too many components' 1 'cross has 2 dimensions, not 3 components' project "$cross" --components 3
npy_head '<f4' False '3, 1' >"$scratch/line.npy"
floats 1 2 0 >>"$scratch/line.npy"
printf 'lang\nen\nen\nde\n' >"$scratch/line.csv"
works 'one dimension has one component' project "$scratch/line.npy"
says 'and one column' "$out" '^row,lang,space,pc1$'
fails 'but no picture' 1 'line has 1 dimension, not 2 components' project "$scratch/line.npy" --svg "$scratch/line.svg"
works 'one space of a run' project $demo --run "$scratch/base" --space original -q
is 'alone' original "$(sed 1d "$out" | cut -d, -f3 | sort -u | tr '\n' ' ' | sed 's/ $//')"
cp "$out" "$scratch/one"
works 'its own components' project $demo -q
if cmp -s "$out" "$scratch/one"; then pass 'are those of the data'; else fail 'are those of the data'; fi
fails 'a space that the run lacks' 1 '(identity) has no language space' project $demo --run "$scratch/base" --space language
fails 'a space of no run' 2 '--space meaning needs --run RUN' project $demo --space meaning
fails 'no such space' 1 "the run $scratch/base (identity) has no language space" \
    project $demo --run "$scratch/base" --fit language
fails 'a picture nowhere' 1 "$scratch/no/x.svg: No such file or directory" project "$cross" --svg "$scratch/no/x.svg"
# By neighbours: one space, the same bytes for any number of threads.
works 'a layout of neighbours' project $demo --run "$run" --layout neighbours
cp "$out" "$scratch/neighbours.csv"
says 'of the meanings, in two dimensions' "$out" '^row,lang,space,x,y$'
says 'from the first row on' "$out" '^0,en,meaning,'
found=$(awk -F, 'NR > 1 && $4 ~ /^-?[0-9]/ && $5 ~ /^-?[0-9]/' "$out" | wc -l)
if [ "$found" -eq 4800 ]; then pass 'finite, of all rows'; else fail 'finite, of all rows' "$found"; fi
works 'on one thread' project $demo --run "$run" --layout neighbours --threads 1
if cmp -s "$out" "$scratch/neighbours.csv"; then pass 'the same bytes'; else fail 'the same bytes'; fi
works 'in JSON' project "$cross" --layout neighbours --json
says 'says so' "$out" '"layout": "neighbours"'
fails 'no axis' 2 '--layout neighbours needs one space' project "$cross" \
    --axis 'en de' --layout neighbours
fails 'nor one dimension' 1 'line has 1 dimension, not 2 components' \
    project "$scratch/line.npy" --layout neighbours

if [ -c /dev/full ]; then
    fails 'a picture on a full disk' 1 'isogloss: /dev/full: ' project "$cross" --png /dev/full
    "$ISOGLOSS" project $demo >/dev/full 2>"$err"
    status=$?
    : >"$out"
    exits 'CSV on a full disk' 1
    says 'is reported with its cause' "$err" 'cannot write to standard output: No space left on device'
fi
"$ISOGLOSS" project $demo 2>"$err" | head -n 1 >"$out"
if [ -s "$err" ]; then fail 'a reader that goes away is no news' "$(cat "$err")"; else
    pass 'a reader that goes away is no news'; fi
finish
