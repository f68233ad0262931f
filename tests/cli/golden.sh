#!/bin/sh
# A run that began elsewhere: with the initial weights of an independent implementation
# (written by numpy.save), `--partner next --order sequential --valid 0` gives its losses
# epoch by epoch, and its final weights go back out as they should (tests/golden).
. tests/cli.sh

golden=tests/golden
initial=$scratch/initial
mkdir "$initial"
for file in "$golden"/init.*.npy; do
    cp "$file" "$initial/${file#"$golden/init."}"
done
# The golden run of `structure` has all its stages on from the first step.
"$ISOGLOSS" objectives structure | sed 's/ from=[0-9]*//' >"$scratch/structure.objective"

# The losses of epochs 1 to 5, each within 1e-4 of the golden one.
same_losses() { # method run
    awk -F, -v method="$1" '
        FNR == NR { if ($1 == method) want[$2 + 1] = $3; next }
        FNR > 1 && $1 > 0 {
            off = ($2 - want[$1]) / want[$1]
            if (off < 0) off = -off
            if (off > 1e-4) { print "epoch " $1 ": " $2 ", not " want[$1]; bad = 1 }
            n++
        }
        END { exit bad || n != 5 }' "$golden/losses.csv" "$2/epochs.csv"
}

for method in seed intra inter dream meat oracle dream+oracle meat+oracle oracle-code \
    structure; do
    file=$method
    [ "$method" = structure ] && file=$scratch/structure.objective
    run train "$golden/batch.npy" --pairs "$golden/batch-pairs.csv" --method "$file" \
        --init "$initial" --partner next --order sequential --valid 0 --batch 24 \
        --lr 1e-2 --weight-decay 0 --epochs 5 --out "$scratch/$method" --quiet
    if [ $status -ne 0 ]; then
        fail "$method from given weights" "$(told)"
    elif why=$(same_losses "$method" "$scratch/$method"); then
        pass "$method from given weights repeats the golden losses"
    else
        fail "$method from given weights repeats the golden losses" "$why"
    fi
done

# What was written is what was reached: one more run from it begins at the sixth loss.
run train "$golden/batch.npy" --pairs "$golden/batch-pairs.csv" --method meat \
    --init "$scratch/meat" --partner next --order sequential --valid 0 --batch 24 \
    --lr 1e-2 --epochs 1 --out "$scratch/again" --quiet
exits 'a run directory is weights to start from, the discriminator included' 0

# A term with from= begins anew what the best epoch is sought among; run.json tells.
printf 'extractor residual\npull 1 m(x) m(y)\nmse 90 x m(x) name=late from=4\n' \
    >"$scratch/stage.objective"
works 'an objective with a stage is trained' train data/demo.npy \
    --method "$scratch/stage.objective" --patience 1 --epochs 6 \
    --out "$scratch/stage" --quiet
says 'run.json says what began' "$scratch/stage/run.json" '"term": "late"'
says 'and since when the best epoch is sought' "$scratch/stage/run.json" \
    '"best_since": 4,'

# ORACLE at a high rate: hinges shut, language embeddings gathered in one point.
works 'oracle' train data/demo.npy --method oracle --lr 1e-2 --epochs 40 --patience 0 \
    --out "$scratch/oracle"
says 'what nothing trains is told' "$out" \
    '^note  *nothing trains the meaning embeddings at epoch [0-9]*: the terms that see'
says 'and what is nearly one point' "$out" \
    '^note  *the language embeddings are nearly one point (uniformity -0.0'
works 'seed' train data/demo.npy --method seed --epochs 2 --out "$scratch/told" --json
says 'there is nothing to tell of' "$out" '"notes": \[\]'

# The closed forms, fitted to the whole demo set and measured on it, in one evaluation of
# nine run directories. (The entries of m(e) are in unit/learn/closed.)
forms=
fitted() { # method, its name in the table
    run train data/demo.npy --method "$1" --valid 0 --out "$scratch/closed/$2" --quiet
    exits "$2 is fitted" 0
    forms="$forms$2|"
}
near() { # number, number, most between them
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN {
        exit !(a != "" && b != "" && a - b <= most && b - a <= most) }'
}
top1() { # run
    awk -F, -v run="$1" '$1 == run && $2 == "meaning" && $3 == "top1" && $4 == "" {
        print $6 }' "$out"
}
mkdir "$scratch/closed"
fitted centre centre
fitted centre+whiten centre+whiten
fitted abtt 'abtt k=2'
fitted lir 'lir k=1'
fitted lsar lsar
fitted leace leace
fitted procrustes procrustes
fitted inlp 'inlp n=4'
echo 'extractor lir k=3' >"$scratch/lir3.objective"
fitted "$scratch/lir3.objective" 'lir k=3'
(
    cd "$scratch/closed" || exit 1
    set --
    for form in *; do set -- "$@" --run "$form"; done
    "$ISOGLOSS" eval "$OLDPWD/data/demo.npy" "$@" --method leace --valid 0 --csv --quiet
) >"$out" 2>"$err"
while [ -n "$forms" ]; do
    form=${forms%%|*} forms=${forms#*|}
    share=$(awk -F, -v name="$form" '$1 == name && $2 == "retrieval_top1" { print $3 }' \
        "$golden/baselines.csv")
    if near "$(top1 "$form")" "$share" 0.001; then
        pass "$form finds as many translations as it should"
    else
        fail "$form finds as many translations as it should" "$(top1 "$form"), not $share"
    fi
done
# The second run of that name is the method's own.
sed -n 's/^leace,//p' "$out" >"$scratch/both"
half=$(($(wc -l <"$scratch/both") / 2))
if [ $half -gt 0 ] && [ "$(head -n $half "$scratch/both")" = "$(tail -n $half "$scratch/both")" ]; then
    pass 'a run directory gives what the method gives'
else
    fail 'a run directory gives what the method gives' "$(head -n 3 "$scratch/both")"
fi
works 'a closed form is transformed with' transform data/demo.npy \
    --run "$scratch/closed/lir k=3" --out "$scratch/split"
works 'and projected' project data/demo.npy --run "$scratch/closed/lir k=3"
works 'and swept' sweep data/demo.npy --method leace,procrustes,seed --epochs 1 \
    --out "$scratch/sweep" --quiet

# Fitted to one set, measured on another: here the same one by another name, with its
# languages in another order and one that the first set has not.
mkdir "$scratch/other"
cp data/demo.npy "$scratch/other/demo.npy"
sed 's/^zh,/xx,/; s/,zh,/,xx,/; s/,zh$/,xx/' data/demo.csv >"$scratch/other/demo.csv"
for method in procrustes leace; do
    run eval data/demo.npy --method $method --valid 0 --quiet
    grep '^retrieval top-1' "$out" >"$scratch/on-itself"
    says "$method on its own rows is marked" "$out" 'fitted to rows that are measured'
    run eval data/demo.npy --train data/demo.npy --method $method --valid 0 --quiet
    grep '^retrieval top-1' "$out" >"$scratch/elsewhere"
    if cmp -s "$scratch/on-itself" "$scratch/elsewhere"; then
        pass "$method fitted by --train is the same"
    else
        fail "$method fitted by --train is the same" "$(told)"
    fi
    if grep -q transductive "$out"; then
        fail "$method by --train is not marked" "$(told)"
    else
        pass "$method by --train is not marked"
    fi
done
works 'a language that the other set has not' eval "$scratch/other/demo.npy" \
    --train data/demo.npy --method centre+whiten --quiet
says 'is told' "$out" '1 of 8 languages were not in the run centre+whiten'
cp data/demo.npy "$scratch/other/bare.npy"
works 'a table of its own' eval data/demo.npy --train "$scratch/other/bare.npy" \
    --train-meta "$scratch/other/demo.csv" --method centre+whiten --quiet
says 'says the languages' "$out" '1 of 8 languages were not in the run centre+whiten'
works 'seed on another set' eval "$scratch/other/demo.npy" --train data/demo.npy \
    --method seed --epochs 1 --json --quiet
fails '--train needs a method' 2 'it needs one' eval data/demo.npy --train data/demo.npy
fails '--train has no split' 2 'another set' eval data/demo.npy --train data/demo.npy \
    --method leace --split valid
fails '--train of other dimensions' 1 'dimensions' eval data/demo.npy \
    --train "$golden/batch.npy" --method centre --quiet

{
    echo lang
    i=0
    while [ $i -lt 24 ]; do
        echo l0
        i=$((i + 1))
    done
} >"$scratch/one.csv"
printf 'left,right\n0,1\n2,3\n4,5\n' >"$scratch/one-pairs.csv"
fails 'a discriminator needs two languages' 1 \
    'meat tells languages apart, but the set has one language, l0' \
    train "$golden/x.npy" --meta "$scratch/one.csv" --pairs "$scratch/one-pairs.csv" \
    --method meat --out "$scratch/one" --quiet
finish
