#!/bin/sh
# isogloss sweep: every combination once, figures as train has them, means over the seeds,
# runs that fail, weights of terms, being interrupted.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
demo=tests/golden/mixed.npy
runs=$scratch/runs

column() { # name, of the CSV in $out: the values, one a line
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$out"
}
# Some sentences of the demo in three languages as a set NAME.npy, NAME.csv.
small_set() { # name sentences
    npy_head '<f2' False "$((3 * $2)), 256" >"$1.npy"
    for language in 0 1 2; do
        tail -c +$((129 + language * 600 * 512)) tests/golden/mixed.npy | head -c $(($2 * 512))
    done >>"$1.npy"
    awk -v n="$2" 'NR == 1 || (NR < 1802 && (NR - 2) % 600 < n)' data/demo.csv >"$1.csv"
}

small_set "$scratch/set" 40

# --- a grid -------------------------------------------------------------------------------
works 'a grid' sweep $demo --method seed,baseline --dims 16,256 --seed 1,2 --set lr=1e-2,1e-3 --epochs 2 --out "$runs"
is 'its header' 'method,dims,seed,lr,epochs,best_epoch,train_loss,valid_loss,top1_meaning,top1_language,alignment_meaning,alignment_language,uniformity_meaning,uniformity_language,seconds,status' "$(head -n 1 "$out")"
is 'a line a run' 17 "$(wc -l <"$out" | tr -d ' ')"
is 'all different' 16 "$(tail -n +2 "$out" | cut -d, -f1-4 | sort -u | wc -l | tr -d ' ')"
is 'the seed varies fastest' '1 2 1 2' "$(column seed | head -n 4 | tr '\n' ' ' | sed 's/ $//')"
is 'all done' ok "$(column status | sort -u)"
says 'progress' "$err" '^16/16 baseline-d256-lr=1e-3-s2 '
is 'a directory a run' 16 "$(find "$runs" -name run.json | wc -l | tr -d ' ')"
says 'as it was run' "$runs/seed-d16-lr=1e-2-s2/run.json" '"seed": 2'
says 'with its rate' "$runs/seed-d16-lr=1e-2-s2/run.json" '"lr": 0.01'
says 'with its dimensions' "$runs/seed-d16-lr=1e-2-s2/run.json" '"dims": 16'
says 'the baseline has no losses and no language' "$out" '^baseline,16,1,1e-2,0,0,,,0\.[0-9]*,,[01][0-9.]*,,-[0-9.]*,,0,ok$'

# The same run alone has the same figures.
grep '^seed,256,2,1e-3' "$out" | cut -d, -f7-8 >"$scratch/swept"
works 'the same run alone' train $demo --seed 2 --lr 1e-3 --epochs 2 --out "$scratch/alone" -q
is 'has the same losses' "$(tail -n 1 "$scratch/alone/epochs.csv" | cut -d, -f2-3)" "$(cat "$scratch/swept")"
if cmp -s "$scratch/alone/meaning.weight.npy" "$runs/seed-d256-lr=1e-3-s2/meaning.weight.npy"; then
    pass 'and the same weights'
else
    fail 'and the same weights'
fi
if cp "$runs/seed-d256-lr=1e-3-s2/run.json" "$scratch/kept" && [ -s "$scratch/kept" ]; then
    works 'its run can be applied' search $demo --run "$runs/seed-d256-lr=1e-3-s2" --row 0 --k 1
fi

# --- one name, one figure ------------------------------------------------------------------------
# What eval prints of each run, in each space, on the ids that the run held out.
same_as_eval() { # name, split, words of both commands
    name=$1 split=$2
    shift 2
    rm -rf "$scratch/same"
    works "sweep $name" sweep "$scratch/set.npy" "$@" --out "$scratch/same" -q
    cp "$out" "$scratch/same.csv"
    case $name in *scores) with="--scores $scratch/same-scores.csv --positive 3" ;; *) with= ;; esac
    case $name in *pivot) with="--pairing pivot" ;; esac
    tail -n +2 "$scratch/same.csv" | cut -d, -f1 >"$scratch/same.methods"
    for i in 1 2; do
        # shellcheck disable=SC2086 # several words
        works "eval of run $i" eval "$scratch/set.npy" --run "$scratch/same/$(sed -n ${i}p "$scratch/same.methods")" --split "$split" --measures all --format csv -q $with
        awk -F, -v line=$i '
        NR == FNR && FNR == 1 { for (c = 1; c <= NF; c++) name[c] = $c; next }
        NR == FNR { if (FNR == line + 1) for (c = 1; c <= NF; c++) swept[name[c]] = $c; next }
        FNR > 1 && $5 == "" && $6 == "" && $8 != "" && ($4 "_" $3) in swept {
            n++
            if (($8 - swept[$4 "_" $3]) ^ 2 > 1e-14 * $8 ^ 2) print $4 "_" $3 ": " $8 " and " swept[$4 "_" $3]
        }
        END { if (n < 20) print "only " n + 0 " figures" }' "$scratch/same.csv" "$out" >"$scratch/differ"
        if [ -s "$scratch/differ" ]; then fail 'has the same figures' "$(cat "$scratch/differ")"; else pass 'has the same figures'; fi
    done
}
awk 'BEGIN { print "left,right,score"; for (i = 0; i < 40; i++) print i "," 40 + (i * 3) % 40 "," i % 6 }' >"$scratch/same-scores.csv"
list=geometry,relative_alignment,pool,top1,top5,csls_top1,xsim,similarity_gap,isotropy,probe,reversibility
same_as_eval 'of validation ids' valid --method seed,centre --epochs 3 --valid .3 --measures $list
same_as_eval 'of test ids' holdout --method dream,leace --epochs 3 --valid .1 --holdout .3 --seed 2 --measures $list
same_as_eval 'by pivot' valid --method seed,lir --epochs 3 --valid .3 --pairing pivot --measures $list
same_as_eval 'with scores' valid --method seed,abtt --epochs 3 --valid .5 --scores "$scratch/same-scores.csv" --positive 3 --measures $list,similarity
if grep -q '^[^,]*live_\|,alignment,\|,uniformity,\|,retrieval' "$scratch/same.csv"; then fail 'no figure of the training has the name of a measure'; else pass 'no figure of the training has the name of a measure'; fi
says 'live figures have names of their own' "$scratch/same/seed/epochs.csv" '^epoch,train_loss,valid_loss,live_alignment,live_uniformity,'
sed '1s/live_//g' "$scratch/same/seed/epochs.csv" >"$scratch/old" && cp "$scratch/old" "$scratch/same/seed/epochs.csv"
works 'a run of an older version' eval "$scratch/set.npy" --run "$scratch/same/seed" --split valid --measures top1 --report "$scratch/old.html" -q

# --- means over the seeds ---------------------------------------------------------------------
works 'runs to take the mean of' sweep $demo --seed 1,2,3 --lr 1e-2 --epochs 2 -q
if [ -s "$err" ]; then fail 'quiet is quiet' "$(cat "$err")"; else pass 'quiet is quiet'; fi
expected=$(column alignment_meaning | awk '{ s += $1; q += $1 * $1; n++ }
    END { m = s / n; printf "%.5f %.5f", m, sqrt((q - n * m * m) / (n - 1)) }')
works '--summary' sweep $demo --seed 1,2,3 --lr 1e-2 --epochs 2 --summary -q
is 'one line' 2 "$(wc -l <"$out" | tr -d ' ')"
says 'its columns' "$out" '^method,dims,epochs_mean,epochs_std,.*,seconds_mean,seconds_std,n$'
is 'mean and deviation' "$expected" "$(printf '%.5f %.5f' "$(column alignment_meaning_mean)" "$(column alignment_meaning_std)")"
is 'of so many' 3 "$(column n)"
works '--format table' sweep $demo --method centre,baseline --set epochs=2,3 --seed 1,2 --measures top1 --ci -q --format table
says 'its columns' "$out" '^method  *epochs  seeds  *top1_meaning'
is 'a row a configuration, with the number of seeds' 'centre 2 2, centre 3 2, baseline 2 2, baseline 3 2, ' "$(awk '/%/ && !/mean over/ { printf "%s %s %s, ", $1, $2, $3 }' "$out")"
says 'mean and interval' "$out" '^centre  *2  *2  *[0-9.]*% [0-9.]*[–-][0-9.]*  '
says 'of what' "$out" '^mean over the seeds, 95% interval'
fails 'two formats' 2 '--json cannot be combined' sweep $demo --json --format table
works 'epochs are swept' sweep $demo --method centre --set epochs=2,3 -q
is 'no column twice' '' "$(head -n 1 "$out" | tr , '\n' | sort | uniq -d)"
is 'the epochs of the run' '1 1 ' "$(column epochs_trained | tr '\n' ' ')"
works 'one seed has no deviation' sweep $demo --epochs 1 --summary -q
is 'it is empty' '' "$(column alignment_meaning_std)"

# --- notes ----------------------------------------------------------------------------------------
works 'terms that begin too late' sweep "$scratch/set.npy" --method structure --epochs 4
says 'are printed' "$err" '^isogloss: note: structure: topology m(x) m(y) never counts: it begins with epoch 6, and --epochs is 4'
if grep -q isotropy "$err"; then fail 'the others are not' "$(cat "$err")"; else pass 'the others are not'; fi

# --- ties ---------------------------------------------------------------------------------------
# All rows of one language are equal: what is searched there ties, and says nothing.
awk 'BEGIN { print "lang,id,v0,v1"; for (i = 0; i < 12; i++) { print "en," i ",1,0"; print "de," i ",1," i } }' >"$scratch/tied.csv"
works 'a direction without ranks' sweep "$scratch/tied.csv" --method baseline --valid 0 -q
swept=$(column top1_meaning)
works 'the same by eval' eval "$scratch/tied.csv" --method baseline --format csv -q
is 'one rule for ties' "$(awk -F, '$3 == "meaning" && $4 == "top1" && $5 == "" && $6 == "" { print $8 }' "$out" | cut -c 1-9)" "$(printf '%s' "$swept" | cut -c 1-9)"

# --- JSON ---------------------------------------------------------------------------------------
works '--json' sweep $demo --seed 1,2 --lr 1e-2,1e-3 --epochs 1 --json -q
says 'runs' "$out" '"method": "seed", "dims": 256, "settings": {"lr": "1e-2"}\|^  *"settings": {"lr": "1e-2"}'
is 'four runs' 4 "$(grep -c '"status": "ok"' "$out")"
is 'two means' 2 "$(grep -c '"n": 2' "$out")"

# --- weights of terms -----------------------------------------------------------------------------
printf 'extractor residual\nlr 1e-2\nepochs 2\npull 1 m(x) m(y) name=together\npush 1 m(x) m(x'\'')\n' >"$scratch/mine.objective"
works 'a weight' sweep $demo --method "$scratch/mine.objective" --set weight:together=0,2 --out "$runs/w" -q
says 'its column' "$out" '^method,dims,seed,weight:together,epochs'
says 'the objective as run' "$runs/w/mine-together=2/objective" '^pull 2 m(x) m(y) name=together'
if [ "$(column train_loss | sed -n 1p)" != "$(column train_loss | sed -n 2p)" ]; then
    pass 'it counts'
else
    fail 'it counts' "$(cat "$out")"
fi
works 'terms by their kind' sweep $demo --method "$scratch/mine.objective" --set weight:push=3 --epochs 1 --out "$runs/k" -q
says 'weighs' "$runs/k/mine-push=3/objective" "^push 3 m(x) m(x')"
fails 'a term that is not there' 2 "mine has no term 'topology'; its terms: together, push m(x) m(x')" \
    sweep $demo --method "$scratch/mine.objective" --set weight:topology=1
mkdir "$scratch/b" && sed 's/push 1/push 2/' "$scratch/mine.objective" >"$scratch/b/mine.objective"
works 'two objectives of one name' sweep $demo --method "$scratch/mine.objective,$scratch/b/mine.objective" --epochs 1 --out "$runs/two" -q
is 'two directories' 'mine mine~2' "$(ls "$runs/two" | tr '\n' ' ' | sed 's/ $//')"

# --- refused at once ----------------------------------------------------------------------------
fails 'an unknown method' 2 "there is no method 'sead'" sweep $demo --method seed,sead
fails 'a value out of range' 2 "--seed must be a whole number from 0, not 'x'" sweep $demo --seed 1,x
fails 'an empty value' 2 "--dims has an empty value in '16,,32'" sweep $demo --dims 16,,32
fails 'an unknown key' 2 "--set: unknown training option 'epoch'; did you mean epochs?" sweep $demo --set epoch=1,2
fails 'no number for a weight' 2 "--set weight:x must be a number, not 'y'" sweep $demo --set weight:x=1,y
fails 'no such file' 1 nothing.npy sweep en=nothing.npy --seed 1,2
: >"$scratch/file"
fails 'a file where runs are to go' 1 'exists and is not a directory' sweep $demo --out "$scratch/file"
fails 'lists are for sweeps' 2 "--seed must be a whole number from 0, not '1,2'" train $demo --seed 1,2 --out "$runs/x"

# --- other sets, measures by name ---------------------------------------------------------------
small_set "$scratch/other" 25
awk 'BEGIN { print "left,right,score"; for (i = 0; i < 25; i++) print i "," 25 + i "," i % 6 }' >"$scratch/other-scores.csv"
works 'another set' sweep "$scratch/set.npy" --method centre --train "$scratch/set.npy" -q --measures similarity_gap \
    --test "$scratch/other.npy" --scores "$scratch/other-scores.csv" --test "$scratch/other.npy" --test-meta "$scratch/other.csv"
says 'its columns' "$out" 'valid_loss,similarity_gap_meaning,similarity_gap_language,other.similarity_gap_meaning,other.similarity_gap_language,other~2.similarity_gap_meaning,other~2.similarity_gap_language,seconds,'
swept=$(column other.similarity_gap_meaning)
is 'DATA in whole with --train' 1 "$(column similarity_gap_meaning | grep -c '^[0-9]')"
works 'the same by eval' eval "$scratch/other.npy" --method centre --train "$scratch/set.npy" --measures similarity_gap --format csv -q
is 'has the same figure' "$(awk -F, '$3 == "meaning" && $4 == "similarity_gap" && $5 == "" && $6 == "" { print $8 }' "$out" | cut -c 1-8)" "$(printf '%s' "$swept" | cut -c 1-8)"
works 'what is asked of a set with scores' sweep "$scratch/set.npy" --method centre -q \
    --test "$scratch/other.npy" --scores "$scratch/other-scores.csv"
says 'the correlations' "$out" 'uniformity_language,other.pearson_meaning,other.pearson_language,other.spearman_meaning'
swept=$(column other.pearson_meaning)
works 'the same by eval' eval "$scratch/other.npy" --method centre --train "$scratch/set.npy" --scores "$scratch/other-scores.csv" --format csv -q
is 'has the same figure' "$(awk -F, '$3 == "meaning" && $4 == "pearson" && $5 == "" && $6 == "" { print $8 }' "$out" | cut -c 1-8)" "$(printf '%s' "$swept" | cut -c 1-8)"
works 'and of one without' sweep "$scratch/set.npy" --method centre -q --test "$scratch/other.npy"
says 'top-1' "$out" 'uniformity_language,other.top1_meaning,other.top1_language,seconds'
works 'scores of DATA' sweep "$scratch/set.npy" --method centre -q --scores "$scratch/other-scores.csv" --valid 0
says 'are columns' "$out" 'uniformity_language,pearson_meaning,.*mean_kendall_language,seconds'
# --- intervals --------------------------------------------------------------------------------------
# With --train SET, DATA is measured in whole, as eval does it.
works '--ci' sweep "$scratch/set.npy" --method centre --train "$scratch/set.npy" -q --ci --measures top1,similarity_gap,pearson,pool_mrr \
    --test "$scratch/other.npy" --scores "$scratch/other-scores.csv"
says 'the ends of intervals next to each figure' "$out" 'valid_loss,top1_meaning,top1_meaning_low,top1_meaning_high,top1_language,top1_language_low,top1_language_high,similarity_gap_meaning,similarity_gap_meaning_low,similarity_gap_meaning_high,'
says 'of tests, too' "$out" ',other.pearson_meaning,other.pearson_meaning_low,other.pearson_meaning_high,.*,seconds,status$'
if grep -q 'loss_low\|epochs_low\|seconds_low' "$out"; then fail 'none of the training'; else pass 'none of the training'; fi
swept=$(for end in low high; do for of in top1 similarity_gap; do column ${of}_meaning_$end | cut -c 1-8; done; done | tr '\n' ' ')
tested=$(for end in low high; do column other.pearson_meaning_$end | cut -c 1-8; done | tr '\n' ' ')
works 'the same by eval' eval "$scratch/set.npy" --method centre --train "$scratch/set.npy" --ci --format csv -q
is 'has the same intervals' "$(for of in 10,top1 10,similarity_gap 11,top1 11,similarity_gap; do awk -F, -v m="${of#*,}" -v c="${of%,*}" '$3 == "meaning" && $4 == m && $5 == "" && $6 == "" { print $c }' "$out" | cut -c 1-8; done | tr '\n' ' ')" "$swept"
works 'another set by eval' eval "$scratch/other.npy" --method centre --train "$scratch/set.npy" --scores "$scratch/other-scores.csv" --ci --format csv -q
is 'has the same intervals' "$(for of in 10 11; do awk -F, -v c=$of '$3 == "meaning" && $4 == "pearson" && $5 == "" { print $c }' "$out" | cut -c 1-8; done | tr '\n' ' ')" "$tested"
works '--ci --summary' sweep "$scratch/set.npy" --seed 1,2 --lr 1e-2 --epochs 2 -q --ci --summary --test "$scratch/other.npy" --scores "$scratch/other-scores.csv"
says 'intervals of the means' "$out" ',other.pearson_meaning_mean,other.pearson_meaning_mean_low,other.pearson_meaning_mean_high,other.pearson_meaning_std,'
is 'hold them' 1 "$(paste -d ' ' "$out" /dev/null | sed 1d | wc -l | tr -d ' ')"
mean=$(for of in mean_low mean mean_high; do column other.pearson_meaning_$of; done | tr '\n' ' ')
if printf '%s' "$mean" | awk '{ exit !($1 < $2 && $2 < $3) }'; then pass 'low, mean, high'; else fail 'low, mean, high' "$mean"; fi
works 'few ids' sweep $demo --limit 16 --seed 1,2 --epochs 1 -q --ci --summary --measures top1
is 'the interval of a mean share ends at 1' 1 "$(column top1_meaning_mean_high)"
fails 'a seed twice' 2 'seed names 1 twice' sweep $demo --seed 1,2,1
works '--ci --json' sweep "$scratch/set.npy" --seed 1,2 --lr 1e-2 --epochs 2 -q --ci --json --test "$scratch/other.npy" --scores "$scratch/other-scores.csv"
is 'of two runs and their mean' 3 "$(grep -c '"ci": {' "$out")"
is 'of each figure' 3 "$(tr -d '\n ' <"$out" | grep -o '"other.pearson_meaning":\[-\{0,1\}[0-9.e-]*,-\{0,1\}[0-9.e-]*\]' | wc -l | tr -d ' ')"
is 'the same mean' "$(printf '%s' "$mean" | cut -d ' ' -f 1)" "$(tr -d '\n ' <"$out" | grep -o '"other.pearson_meaning":\[-\{0,1\}[0-9.e-]*,' | sed 's/.*\[//; s/,//' | tail -n 1)"
fails 'no such measure' 2 "unknown measure 'top2'" sweep $demo --measures top1,top2
fails 'similarity to nothing' 2 'similarity needs --scores FILE' sweep $demo --measures pearson --test $demo
fails 'a table of no set' 2 'must follow its --test SET' sweep $demo --test-meta data/demo.csv
fails 'a test that is not there' 1 nothing.npy sweep $demo --test nothing.npy
fails 'a table of no --train' 2 '--train-meta FILE needs --train SET' sweep $demo --train-meta data/demo.csv

# --- the recipes of the man page: as they are written, on a small set, with fewer epochs ----------
recipes=$scratch/recipes
mkdir "$recipes"
small_set "$recipes/set" 60
small_set "$recipes/parallel" 40
small_set "$recipes/sts" 30
small_set "$recipes/qe" 30
awk 'BEGIN { print "left,right,score"; for (i = 0; i < 30; i++) print i "," 30 + i "," (i * 7) % 11 }' >"$recipes/sts-scores.csv"
awk 'BEGIN { print "left,right,score,pair"; for (i = 0; i < 60; i++) print i % 30 "," 30 + i "," (i * 7) % 11 "," (i < 30 ? "en-de" : "en-fr") }' >"$recipes/qe-scores.csv"
case $ISOGLOSS in /*) program=$ISOGLOSS ;; *) program=$PWD/$ISOGLOSS ;; esac
recipe() { # a word of its comment: run it; the CSV is in $out
    {
        cat <<END
isogloss() {
    if [ "\$1" = sweep ]; then "$program" "\$@" --seed 1,2 --lr 1e-2 --epochs $2 --valid 0.3 -q; else "$program" "\$@"; fi
}
END
        sed "s/\\\\(aq/'/g; s/\\\\-/-/g; s/\\\\e\$/\\\\/; s/\\\\f.//g" assets/isogloss-measures.7 | awk -v word="$1" '
            /^\.nf/ { block = ""; inside = 1; next }
            /^\.fi/ { if (inside && index(block, word)) printf "%s", block; inside = 0; next }
            inside { block = block $0 "\n" }' | sed 's/64,128,256,512,768/8,64/'
    } >"$scratch/recipe.sh"
    (cd "$recipes" && sh -eu "$scratch/recipe.sh") >"$out" 2>"$err" </dev/null
    status=$?
    exits "the recipe of $1" 0
}
varies() { # column, runs, different values at least
    values=$(column "$1" | grep -c '^-\{0,1\}[0-9.]')
    different=$(column "$1" | sort -u | wc -l | tr -d ' ')
    if [ "$values" -eq "$2" ] && [ "$different" -ge "$3" ]; then
        pass "$1 varies"
    else
        fail "$1 varies" "$values values, $different different: $(cat "$out")"
    fi
}
recipe 'fig. 5' 2
varies qe.mean_pearson_meaning_mean 8 8
recipe 'fig. 3' 7
varies top1_meaning_mean 5 1
varies top5_meaning_mean 5 1
varies similarity_gap_meaning_mean 5 5
recipe 'table 4' 2
varies sts.pearson_meaning_mean 4 4
varies top1_meaning_mean 4 1
is 'with and without each' '00 01 10 11 ' "$(tail -n +2 "$out" | cut -d , -f 3-4 | tr -d , | tr '\n' ' ')"
recipe 'table 5' 2
varies qe.mean_pearson_meaning_mean 4 4
is 'a row of each' 'seed meaning+language.objective meaning+cross.objective language+cross.objective ' "$(column method | tr '\n' ' ')"
recipe 'tested on two others' 2
varies sts.pearson_meaning_mean 10 9
varies qe.mean_pearson_meaning_mean 10 9

# --- runs that fail -------------------------------------------------------------------------------
run sweep $demo --dims 999,16 --epochs 1
exits 'one of two fails' 1
says 'why' "$err" '^isogloss: seed-d999: --dims 999: .*mixed.npy has 256 dimensions'
says 'its line is empty' "$out" '^seed,999,1,,,,,,,,,,,,failed$'
says 'the other is there' "$out" '^seed,16,1,1,.*,ok$'
run sweep $demo --lr 1e38,1e-3 --epochs 1
exits 'a loss that is not finite' 1
says 'where' "$err" '^isogloss: seed-lr=1e38: the training loss is not finite in epoch 1'
is 'the next run continues' 'failed ok' "$(column status | tr '\n' ' ' | sed 's/ $//')"

# --- interrupted ------------------------------------------------------------------------------------
start_until '^1/2' sweep $demo --set epochs=1,1000000 --patience 0 --lr 1e-3
end_by TERM
exits 'SIGTERM' 143
says 'it says how far it came' "$err" '^isogloss: interrupted; 1 of 2 runs are done'
is 'the line so far' 2 "$(wc -l <"$out" | tr -d ' ')"

if [ -c /dev/full ]; then
    "$ISOGLOSS" sweep $demo --seed 1,2,3 --epochs 1 >/dev/full 2>"$err"
    status=$?
    : >"$out"
    exits 'a full disk' 1
    says 'is reported' "$err" 'cannot write to standard output: No space left on device'
    if grep -q '^3/3' "$err"; then fail 'and ends the sweep'; else pass 'and ends the sweep'; fi
fi
finish
