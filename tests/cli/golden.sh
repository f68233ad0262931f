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
    # The pooled form of ORACLE, which the golden values were computed with.
    [ -f "$golden/$method.objective" ] && file=$golden/$method.objective
    run train "$golden/batch.npy" --pairs "$golden/batch-pairs.csv" --method "$file" \
        --init "$initial" --partner next --order sequential --valid 0 --batch 24 \
        --lr 1e-2 --weight-decay 0 --epochs 5 --out "$scratch/$method" --quiet
    if [ $status -ne 0 ]; then
        fail "$method from given weights" "$(last_output)"
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

# ORACLE at a high rate: hinges shut, language embeddings gathered in one point.
small_demo 60
works 'oracle' train "$scratch/demo.npy" --method oracle --lr 1e-2 --epochs 210 --patience 0 \
    --out "$scratch/oracle" --overwrite
says 'what is nearly one point is noted' "$out" \
    '^notes*  *the language embeddings are nearly one point (live uniformity'
works 'seed' train "$scratch/demo.npy" --method seed --lr 1e-3 --epochs 2 --out "$scratch/noted" --json
says 'there are no notes' "$out" '"notes": \[\]'
finish
