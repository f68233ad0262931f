#!/bin/sh
# The closed forms as commands: fitted, applied, and measured as the golden values say.
. tests/cli.sh

golden=tests/golden

# The closed forms, fitted to the whole demo set and measured on it, in one evaluation of
# nine run directories. (The entries of m(e) are in unit/train/closed.)
forms=
fitted() { # method, its name in the table
    run train tests/golden/mixed.npy --method "$1" --valid 0 --out "$scratch/closed/$2" --quiet
    exits "$2 is fitted" 0
    forms="$forms$2|"
}
near() { # number, number, most between them
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN {
        exit !(a != "" && b != "" && a - b <= most && b - a <= most) }'
}
figure() { # run, figure
    awk -F, -v run="$1" -v key="$2" '$1 == run && $3 == "meaning" && $4 == key && $5 == "" && $6 == "" {
        print $8 }' "$out"
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
    "$ISOGLOSS" eval "$OLDPWD/tests/golden/mixed.npy" "$@" --method leace --valid 0 \
        --measures retrieval,pool --format csv --quiet
) >"$out" 2>"$err"
while [ -n "$forms" ]; do
    form=${forms%%|*} forms=${forms#*|}
    for key in top1 pool_translation pool_same_language pool_mrr hubness10; do
        golden_key=$key
        [ $key = top1 ] && golden_key=retrieval_top1
        [ $key = pool_same_language ] && golden_key=pool_own_language
        want=$(awk -F, -v name="$form" -v key=$golden_key \
            '$1 == name && $2 == key { print $3 }' "$golden/baselines.csv")
        if near "$(figure "$form" $key)" "$want" 0.001; then
            pass "$form has the $key that it should"
        else
            fail "$form has the $key that it should" "$(figure "$form" $key), not $want"
        fi
    done
done
# The second run of that name is the method's own.
sed -n 's/^leace,//p' "$out" >"$scratch/both"
half=$(($(wc -l <"$scratch/both") / 2))
if [ $half -gt 0 ] && [ "$(head -n $half "$scratch/both")" = "$(tail -n $half "$scratch/both")" ]; then
    pass 'a run directory gives what the method gives'
else
    fail 'a run directory gives what the method gives' "$(head -n 3 "$scratch/both")"
fi
# CSLS, the margin ratio and mining, of the original space and of centred vectors.
run eval tests/golden/mixed.npy --method centre --measures retrieval,mining --format csv --quiet
while IFS=, read -r method key want; do
    space=meaning
    [ "$method" = method ] && continue
    [ "$method" = original ] && space=original
    case $key in # as the golden file has them
    margin_top1*) key=ratio_$key ;;
    margin) key=similarity_gap ;;
    esac
    got=$(awk -F, -v s=$space -v m=$key '$3 == s && $4 == m && $5 == "" && $6 == "" { print $8 }' "$out")
    if near "$got" "$want" 0.001; then
        pass "$method has the $key that it should"
    else
        fail "$method has the $key that it should" "$got, not $want"
    fi
done <"$golden/retrieval.csv"
works 'a closed form is transformed with' transform tests/golden/mixed.npy \
    --run "$scratch/closed/lir k=3" --out "$scratch/split"
works 'and projected' project tests/golden/mixed.npy --run "$scratch/closed/lir k=3"

# Fitted to one set, measured on another: here the same one by another name, with its
# languages in another order and one that the first set has not.
small_demo
works 'closed forms are swept' sweep "$scratch/demo.npy" --method leace,procrustes,seed \
    --epochs 1 --out "$scratch/sweep" --quiet
mkdir "$scratch/other"
cp "$scratch/demo.npy" "$scratch/other/demo.npy"
sed 's/^zh,/xx,/; s/,zh,/,xx,/; s/,zh$/,xx/' "$scratch/demo.csv" >"$scratch/other/demo.csv"
for method in procrustes leace; do
    run eval "$scratch/demo.npy" --method $method --valid 0 --quiet
    grep '^retrieval top-1' "$out" >"$scratch/on-itself"
    says "$method on its own rows is marked" "$out" 'fitted to rows that are measured'
    run eval "$scratch/demo.npy" --train "$scratch/demo.npy" --method $method --valid 0 --quiet
    grep '^retrieval top-1' "$out" >"$scratch/elsewhere"
    if cmp -s "$scratch/on-itself" "$scratch/elsewhere"; then
        pass "$method fitted by --train is the same"
    else
        fail "$method fitted by --train is the same" "$(last_output)"
    fi
    if grep -q transductive "$out"; then
        fail "$method by --train is not marked" "$(last_output)"
    else
        pass "$method by --train is not marked"
    fi
done
works 'a language that the other set has not' eval "$scratch/other/demo.npy" \
    --train "$scratch/demo.npy" --method centre+whiten --quiet
says 'is reported' "$out" '1 of 8 languages are unknown to the run centre+whiten'
cp "$scratch/demo.npy" "$scratch/other/bare.npy"
works 'a table of its own' eval "$scratch/demo.npy" --train "$scratch/other/bare.npy" \
    --train-meta "$scratch/other/demo.csv" --method centre+whiten --quiet
says 'says the languages' "$out" '1 of 8 languages are unknown to the run centre+whiten'
works 'seed on another set' eval "$scratch/other/demo.npy" --train "$scratch/demo.npy" \
    --method seed --epochs 1 --json --quiet
fails '--train needs a method' 2 '--train SET needs --method NAME' eval "$scratch/demo.npy" \
    --train "$scratch/demo.npy"
fails '--train has no split' 2 'another dataset' eval "$scratch/demo.npy" \
    --train "$scratch/demo.npy" --method leace --split valid
fails '--train of other dimensions' 1 'dimensions' eval "$scratch/demo.npy" \
    --train "$golden/batch.npy" --method centre --quiet
finish
