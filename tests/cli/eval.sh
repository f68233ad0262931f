#!/bin/sh
# isogloss eval: the demo set with runs and splits, sets small enough to reckon by hand,
# data that lack something, and the same figures in the table, JSON and CSV.
. tests/cli.sh

# What the last run said, lines that were wrapped for their length in one again.
unwrapped() {
    awk '/^           [^ ]/ { sub(/^ +/, " "); line = line $0; next }
         NR > 1 { print line }
         { line = $0 }
         END { print line }' "$out" >"$scratch/unwrapped"
    echo "$scratch/unwrapped"
}

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
small_demo 90
demo=$scratch/demo.npy
runs=$scratch/runs
json=$scratch/json
csv=$scratch/csv

# The rows of the JSON in $json as lines of CSV: space,measure,from,to,n,value,low,high.
json_rows() {
    sed -n '/^  "figures": \[/,/^  \]/p' "$json" | tr -d '\n' | sed 's/}/}\n/g' |
        sed -n 's/^.*"space": "\([^"]*\)", *"measure": "\([^"]*\)", *"from": \([^,]*\), *"to": \([^,]*\), *"n": \([^,]*\), *"value": \([^,]*\), *"chance": \([^,]*\), *"low": \([^,]*\), *"high": \([^,]*\),.*/\1,\2,\3,\4,\5,\6,\7,\8,\9/p' |
        sed 's/null//g; s/"//g'
}

# A figure of the last --json kept in $json.
in_json() { # space measure [from to]
    json_rows | awk -F, -v s="$1" -v m="$2" -v f="$3" -v t="$4" \
        '$1 == s && $2 == m && $3 == f && $4 == t { print $6 == "" ? "null" : $6; exit }'
}

# A member of the data in $json.
in_data() { # key
    sed -n "s/^    \"$1\": \([^,]*\),*\$/\1/p" "$json" | head -n 1
}

# The last CSV, by the columns space,measure,from,to: the value, or another column.
in_csv() { # space measure [from to [column]]
    awk -F, -v s="$1" -v m="$2" -v f="$3" -v t="$4" -v c="${5:-8}" \
        '$3 == s && $4 == m && $5 == f && $6 == t { print $c }' "$csv"
}

# A cell of the table in $out: the value of a line in a column.
in_table() { # label column
    sed -n "s/^$1  *\\([^ ].*\\)/\\1/p" "$out" | sed 's/↑//g; s/↓//g' |
        awk -v c="$2" '{ print $c; exit }'
}

# Two figures are one, but for rounding, and for 1.0 and 1; null is an empty one.
same() { # name one other
    if [ "${2:-null}" = null ] && [ -z "$3" ]; then
        pass "$1"
    elif [ -n "$2" ] && [ -n "$3" ] && awk -v a="$2" -v b="$3" 'BEGIN {
        exit !((a - b) ^ 2 <= 1e-12 * (1 + a ^ 2)) }'; then
        pass "$1"
    else
        fail "$1" "'$2' and '$3'"
    fi
}

lacks() { # name file pattern
    if grep -q -e "$3" "$2"; then fail "$1" "$(grep -e "$3" "$2")"; else pass "$1"; fi
}

# --- the original space, by hand -------------------------------------------------------------
# en (1,0) (0,1) (1,1), de (2,0) (0,3) (0,0): the third translation is a zero row.
tiny=$scratch/tiny.npy
npy_head '<f4' False '6, 2' >"$tiny"
floats 1 0 0 1 1 1 2 0 0 3 0 0 >>"$tiny"
printf 'lang,id,text\nen,a,One\nen,b,two\nen,c,three\nde,a,Eins\nde,b,zwei\nde,c,drei\n' >"$scratch/tiny.csv"
works 'the original space alone' eval "$tiny" --json -q
cp "$out" "$json"
is 'rows' 6 "$(in_data rows)"
# Distances 0, 0 and 1 (to the zero row).
same 'alignment' 0.33333333333333331 "$(in_json original alignment)"
# en c finds a and b before c (cosine 0): rank 3; de c ties with all: rank 1.
same 'top-1 from en' 0.66666666666666663 "$(in_json original top1 en de)"
same 'mean of both ways' 0.83333333333333337 "$(in_json original top1)"
same 'the zero row is counted' 1 "$(in_data zero_rows)"
lacks 'no other space' "$json" '"space": "meaning"'
lacks 'no scores, no similarity' "$json" '"pearson"'
works 'its table' eval "$tiny"
says 'what was measured' "$out" '^measured   all rows; 3 pairs of 3 meanings (all languages)$'
is 'a share' '83.3%' "$(in_table 'retrieval top-1' 1)"
says 'a note of the zero row' "$out" '^note       1 row is a zero vector (kept)$'
says 'of few candidates' "$out" '^note       2 of 2 directions have fewer than 20 candidates (minimum 3)'
if [ -s "$err" ]; then fail 'notes are said once' "$(cat "$err")"; else pass 'notes are said once'; fi
says 'a matrix' "$out" '^en  *66\.7  *66\.7$'

# --- runs, and three forms of the same figures ---------------------------------------------------
works 'a run' train $demo --lr 1e-3 --epochs 3 --out "$runs/seed" -q
works 'a run in JSON' eval $demo --run "$runs/seed" --json -q
cp "$out" "$json"
works 'in CSV' eval $demo --run "$runs/seed" --format csv -q
cp "$out" "$csv"
works 'as a table' eval $demo --run "$runs/seed" --measures all -q
is 'the header of the CSV' 'run,version,space,measure,from,to,n,value,chance,low,high,reason' "$(head -n 1 "$csv")"
says 'the run' "$json" '"epoch": 3,'
says 'the shape of the JSON' "$json" '^  "isogloss": 1,$'

# Every row is the same in CSV and JSON; every figure of the whole in the table, Markdown and
# a report.
tail -n +2 "$csv" | cut -d, -f3-11 >"$scratch/rows"
json_rows >"$scratch/rows.json"
if [ "$(wc -l <"$scratch/rows")" -gt 3000 ] && paste -d, "$scratch/rows" "$scratch/rows.json" | awk -F, 'NF != 18 { exit 1 }
    { for (i = 1; i < 10; i++) if (($i == "") != ($(i + 9) == "") ||
        (i < 5 ? $i != $(i + 9) : ($i - $(i + 9)) ^ 2 > 1e-24 * (1 + $i ^ 2))) exit 1 }'; then pass 'every row in JSON and CSV'; else
    fail 'every row in JSON and CSV' "$(diff "$scratch/rows" "$scratch/rows.json" | head)"; fi
cp "$out" "$scratch/table"
works 'in Markdown' eval $demo --run "$runs/seed" --format markdown -q --measures all --report "$scratch/all.html"
cp "$out" "$scratch/markdown"
works 'in LaTeX' eval $demo --run "$runs/seed" --format latex --measures all -q
says 'the package that it needs' "$out" '^% .usepackage{booktabs}$'
says 'a tabular' "$out" '^.begin{tabular}{lrrr}$'
lacks 'a minus that LaTeX may not know' "$out" −
sed -n '/midrule/,/bottomrule/p' "$out" | sed '1d; $d; s/ \\\\$//; s/ & /;/g; s/\\//g; s/;--/;–/g; s/[$]-[$]/−/g' >"$scratch/latex"
sed '1,2d; s/^| //; s/ |$//; s/ | /;/g; s/\\//g' "$scratch/markdown" >"$scratch/unquoted"
if cmp -s "$scratch/unquoted" "$scratch/latex"; then pass 'has the figures of Markdown'; else
    fail 'has the figures of Markdown' "$(diff "$scratch/unquoted" "$scratch/latex" | head)"; fi
tr -d '\n' <"$scratch/all.html" | sed 's/<tr>/\n/g; s/<[^>]*>/ /g' >"$scratch/report"
column=4
for space in original meaning language; do
    # label,value as it is written; the label and the decimals are those of the table of measures
    awk -F' *[|] *' -v c=$((column - 1)) 'NR > 2 { print $2 "|" $c }' "$scratch/markdown" >"$scratch/cells"
    wrong=$(while IFS='|' read -r label cell; do
        number=${cell%\\%}
        number=$(printf '%s' "${number%%%}" | sed 's/−/-/g; s/^–//')
        case $label in \\*) continue ;; esac # |cos(m, l)|
        grep -F -e "$label " "$scratch/table" | sed 's/−/-/g' | grep -qF -e "$number" || echo "$label: $cell not in the table"
        grep -F -e " $label " "$scratch/report" | sed 's/−/-/g' | grep -qF -e "$number" || echo "$label: $cell not in the report"
    done <"$scratch/cells")
    is "every figure of $space in the table, Markdown and a report" '' "$wrong"
    # … and rounded from the CSV.
    is "top-1 of $space" "$(in_csv $space top1 | awk '{ printf "%.1f%%", 100 * $1 }')" \
        "$(sed -n 's/^retrieval top-1|//p' "$scratch/cells")"
    is "IsoScore of $space" "$(in_csv $space isoscore | awk '{ printf "%.3f", $1 }')" \
        "$(sed -n 's/^IsoScore|//p' "$scratch/cells")"
    column=$((column + 1))
done
cp "$scratch/table" "$out"
says 'means of the directions out of a language' "$out" '^mean  *[0-9.]*  *[0-9.]*  *[0-9.]*'
same 'and into one' "$(awk -F, '$3 == "meaning" && $4 == "top1" && $6 == "en" && $5 != "" {
    sum += $8; n++ } END { print sum / n }' "$csv" | cut -c1-6)" "$(in_csv meaning top1 '' en | cut -c1-6)"
is 'all directions' 56 "$(awk -F, '$3 == "language" && $4 == "xsim" && $5 != "" && $6 != ""' "$csv" | wc -l | tr -d ' ')"
# The mean of the directions is the mean.
same 'their mean' "$(awk -F, '$3 == "meaning" && $4 == "mean_rank" && $5 != "" && $6 != "" { s += $8; n++ }
    END { printf "%.12g", s / n }' "$csv")" "$(in_csv meaning mean_rank | awk '{ printf "%.12g", $1 }')"
same 'live alignment is that of the pairs trained on' "$(tail -n 1 "$runs/seed/epochs.csv" | cut -d, -f4 | cut -c 1-6)" \
    "$("$ISOGLOSS" eval $demo --run "$runs/seed" --split valid --pairing pivot --format csv -q |
        awk -F, '$3 == "meaning" && $4 == "alignment" { print substr($8, 1, 6) }')"
# Sums differ in the last digits, and ranks where two rows are that near.
works 'one thread' eval $demo --run "$runs/seed" --format csv -q --threads 1
if awk -F, 'NR == FNR { a[FNR] = $8; next } FNR > 1 && (a[FNR] - $8) ^ 2 > 1e-5 * (1 + $8 ^ 2) { bad = 1 }
    END { exit bad }' "$csv" "$out"; then pass 'has the same figures'; else
    fail 'has the same figures' "$(diff "$csv" "$out" | head)"; fi

# What is held out is read by a probe that learned from all the rest.
works 'held-out ids' eval $demo --run "$runs/seed" --split valid --json -q
cp "$out" "$json"
csv=$scratch/held.csv
works 'in CSV' eval $demo --run "$runs/seed" --split valid --format csv -q
cp "$out" "$csv"
is 'are tested' "$(in_csv original probe '' '' 7)" "$(in_data measured_rows)"
csv=$scratch/csv

# --- intervals -----------------------------------------------------------------------------------
# Figures are what they were without, and those that have an interval lie in it.
works 'with intervals in CSV' eval $demo --run "$runs/seed" --format csv --ci -q
if awk -F, 'FNR == NR { is[$3 "," $4 "," $5 "," $6] = $8; next }
        FNR == 1 { next }
        is[$3 "," $4 "," $5 "," $6] != $8 { bad = 1 }
        $10 != "" { n++; if ($10 > $8 + 1e-6 || $11 < $8 - 1e-6) bad = 1 }
        END { exit bad || n < 200 }' "$csv" "$out"; then
    pass 'figures are within their intervals'
else
    fail 'figures are within their intervals' "$(head "$out")"
fi
lacking=$(awk -F, 'NR > 1 && $8 != "" && $10 == "" &&
    $4 !~ /^(cka.*|isoscore|probe_read|pool_nearest|candidates|eigenvalue|mining_.*|mean_rank|median_rank|overlap5|hubness10|tied|probe_shuffled|zero_shot.*|reversible.*)$/ { print $3, $4, $5, $6 }' "$out")
is 'every figure has one' '' "$lacking"
low=$(awk -F, '$3 == "meaning" && $4 == "pool_mrr" { print $10 }' "$out")
works 'the main figures alone' eval $demo --run "$runs/seed" -q
is 'in the table' 'multilingual top-1|same-language neighbours|purity@10|retrieval top-1|CSLS top-1|CKA between languages|debiased CKA|probe, unit rows|probe, raw rows' \
    "$(sed -n 's/^\([a-zA-Z][^0-9]*[^ 0-9]\(@10\|-1\)\{0,1\}\)  .*[0-9%] [↑↓].*/\1/p' "$out" | sed 's/  *$//' | paste -sd '|' -)"
says 'and where the others are' "$out" '^more  *--measures all'
works 'with intervals in JSON' eval $demo --run "$runs/seed" --json --ci -q
cp "$out" "$json"
same 'the same in JSON' "$low" "$(json_rows | awk -F, '$1 == "meaning" && $2 == "pool_mrr" { print $8 }')"
works 'with intervals as a table' eval $demo --run "$runs/seed" --ci -q
says 'they are below' "$out" '^  *[0-9.]*–[0-9.]*  *[0-9.]*–[0-9.]*  *[0-9.]*–[0-9.]*$'
says 'and are explained' "$out" '^intervals  95%'
works 'and in a report' eval $demo --run "$runs/seed" --ci -q --report "$scratch/ci.html"
says 'below a figure' "$scratch/ci.html" '<br><small>[0-9.]*–[0-9.]*</small>'

# With a part of the data, one family alone, ids kept apart, rows without ids.
within() { # what: each figure of the whole in $out has an interval and is within it
    wrong=$(awk -F, 'NR > 1 && $5 == "" && $6 == "" {
            n++
            if ($4 ~ /^(cka.*|isoscore|mining_.*|mean_rank|median_rank|overlap5|hubness10|tied|probe_shuffled|zero_shot.*)$/) next
            if ($10 == "" || $10 > $8 + 1e-6 || $11 < $8 - 1e-6) if ($12 == "") print $3, $4
        }
        END { if (!n) print "nothing" }' "$out")
    is "$1" '' "$wrong"
}
works 'intervals of a sample' eval $demo --limit 60 --method centre --measures relative_alignment,uniformity,median_rank --format csv --ci -q
within 'every figure is within its own'
works 'of ids that were kept apart' eval $demo --limit 60 --method seed --epochs 2 --holdout 0.3 --split holdout \
    --measures retrieval,probe,zero_shot_transfer --format csv --ci -q
within 'every figure is within its own'
printf 'lang,v0,v1\nen,1,0\nde,1,1\nen,0,1\nde,0.2,1\n' >"$scratch/four.csv"
works 'of four rows without ids' eval "$scratch/four.csv" --format csv --ci -q
within 'every figure is within its own'

# What two runs differ by: nothing, when they are one run; and from the original space.
works 'two runs with intervals' eval $demo --run "$runs/seed" --run "$runs/seed" --json --ci -q \
    --measures pool,retrieval
if sed -n '/^  "differences": \[/,$p' "$out" | tr -d '\n' | sed 's/}/}\n/g' | awk '
        /"less": null/ { n++; if ($0 !~ /"value": 0[,.]0*,*/) apart++ }
        /"less": "/ { n++; if ($0 !~ /"value": 0(\.0)?,/) bad = 1 }
        END { exit bad || n < 20 || apart < 8 }'; then
    pass 'a run differs from the original space, and not from itself'
else
    fail 'a run differs from the original space, and not from itself' "$(sed -n '/"differences"/,$p' "$out" | head -40)"
fi
for seed in 1 2; do
    works "seed $seed" train $demo --seed $seed --epochs 2 --out "$runs/short$seed" -q
done
works 'seeds of a method' eval $demo --run "$runs/short1" --run "$runs/short2" --run "$runs/seed" \
    --method centre --ci -q --measures top1,similarity_gap --split valid
says 'are one' "$out" '^3 seed minus seed (2 seeds), by meaning (these runs only)$'
says 'and differ from what has none' "$out" '^4 centre minus seed (2 seeds), by meaning$'
works 'a method alone' eval $demo --run "$runs/short1" --run "$runs/short2" --ci -q --measures top1 --split valid
says 'is compared with the original' "$out" '^seed (2 seeds) minus original, by meaning$'
works 'as a table' eval $demo --run "$runs/seed" --method centre --ci -q --measures pool,top1
says 'says what is less what' "$out" '^2 centre minus 1 seed, by meaning (these two runs only)$'
says 'whether it is significant' "$out" '^multilingual top-1  *[0-9.]*%  *[0-9.]*–[0-9.]*  *better$'
says 'and in how many directions' "$out" '^retrieval top-1 .*+[0-9]* -[0-9]* of 56$'
works 'in JSON' eval $demo --run "$runs/seed" --method centre --ci -q --measures pool,top1 --json
says 'every two' "$out" '"parts_greater": '

# --- a sample ------------------------------------------------------------------------------------
# 30 of the 90 ids: figures that they estimate have intervals, are near those of all rows,
# and what is not estimated is what it was.
works 'a sample in CSV' eval $demo --run "$runs/seed" --format csv --sample 240 -q
wrong=$(awk -F, 'FNR == NR { is[$3 "," $4 "," $5 "," $6] = $8; next }
    FNR == 1 || $5 != "" || $6 != "" || $4 == "tied" { next }
    { all = is[$3 "," $4 ",,"] }
    $4 ~ /^(csls|ratio_margin_top1|xsim|top1_worst|hubness10|mining_)/ { if ($8 != "" || $0 !~ /sample/) print $0; next }
    $4 ~ /^(uniformity|pool|purity|top|language_top|mean_rank|median_rank|similarity_gap|overlap)/ {
        n++; if ($11 == "") { if ((all - $8) ^ 2 > 0.04 * all ^ 2) print $0, "not", all; next }
        if ((all - $8) ^ 2 > 9 * ($11 - $10) ^ 2 + 1e-9 || $11 - $10 > 1 + $8 ^ 2) print $0, "not", all; next }
    $8 != "" { m++; if (($8 - all) ^ 2 > 1e-12) print $0, "not", all }
    END { if (n < 25 || m < 20) print n, "estimates,", m, "others" }' "$csv" "$out")
is 'estimates are near, the rest is what it was' '' "$wrong"
same 'queries are those of the sample' 30 "$(awk -F, '$4 == "top1" && $5 == "en" && $6 == "de" { print $7; exit }' "$out")"
same 'candidates are all' 90 "$(awk -F, '$4 == "candidates" { print $8; exit }' "$out")"
works 'of some measures' eval $demo --format csv --sample 240 -q --measures pool
cp "$out" "$scratch/again.csv"
works 'again' eval $demo --format csv --sample 240 -q --measures pool
if cmp -s "$out" "$scratch/again.csv"; then pass 'the same sample'; else fail 'the same sample'; fi
works 'with another seed' eval $demo --format csv --sample 240 --seed 2 -q --measures pool
if cmp -s "$out" "$scratch/again.csv"; then fail 'another sample'; else pass 'another sample'; fi
works 'a sample in JSON' eval $demo --json --sample 240 -q --measures pool,retrieval
tr -d '\n' <"$out" | tr -s ' ' >"$scratch/flat"
says 'says of what' "$scratch/flat" \
    '"sample": { *"queries": 240, "of_rows": 720, "meanings": 30, "of_meanings": 90, "seed": 1 *}'
says 'reasons' "$scratch/flat" '"reason": "needs the nearest neighbours of every candidate'
works 'a sample as a table' eval $demo --sample 240 -q --measures pool,retrieval,mining \
    --report "$scratch/sample.html"
says 'says of what' "$out" '^sample     240 of 720 rows are queries, of 30 of 90 meanings (seed 1),'
says 'intervals below the figures' "$out" '^  *0\.[0-9]*–0\.[0-9]*$'
says 'what is left out' "$out" '^missing  *mining F1, mining precision, mining recall: needs'
says 'a matrix of directions all the same' "$out" '^mean  *[0-9]'
says 'in a report, too' "$scratch/sample.html" '<br><small>[0-9.]*–[0-9.]*</small>'
says 'which says of what' "$scratch/sample.html" 'Sample: 240 of 720 rows are queries'
# As many rows as there are, or more: no sample, the same bytes.
for form in --json '--format csv' ''; do
    works 'without a sample' eval $demo --run "$runs/seed" --measures pool,retrieval,mining $form -q
    cp "$out" "$scratch/whole"
    works 'a sample of all' eval $demo --run "$runs/seed" --measures pool,retrieval,mining $form -q --sample 720
    if cmp -s "$out" "$scratch/whole"; then pass 'is none'; else fail 'is none' "$(diff "$scratch/whole" "$out")"; fi
done
works 'a sample of the held-out ids' eval $demo --run "$runs/seed" --split valid --sample 60 --json -q --measures pool,retrieval,probe
cp "$out" "$json"
same 'is drawn among them' "$(in_data measured_rows)" "$(sed -n 's/.*"of_rows": \([0-9]*\),.*/\1/p' "$json")"
works 'a sample of a sample' eval $demo --limit 60 --sample 160 -q --measures pool
says 'is drawn of what is left' "$out" '^sample     160 of 480 rows are queries, of 20 of 60 meanings'
works 'of pairs alone' eval $demo --sample 60 --pairing en-de --measures retrieval -q
says 'of the rows that occur in them' "$out" '^sample     60 of 180 rows are queries, of 30 of 90 meanings'
fails 'no rows' 2 '--sample' eval $demo --sample 0
fails 'no number' 2 '--sample' eval $demo --sample many
fails 'a sweep measures all' 2 '--sample' sweep $demo --sample 240

# --- several runs ------------------------------------------------------------------------------------
works 'two runs and a method' eval $demo --run "$runs/seed" --run "$runs/seed" --method centre
says 'are numbered' "$out" '^run 3      centre, trained now'
says 'are columns of one table' "$out" '^measure  *better  original  1 seed  2 seed  3 centre  chance$'
same 'the same run twice' "$(in_table 'retrieval top-1' 2)" "$(in_table 'retrieval top-1' 3)"
tr -s '\n ' ' ' <"$out" >"$json" # a list of figures takes several lines
says 'ties are no success' "$json" 'missing retrieval top-1, CSLS top-1'
says 'they are a reason' "$json" 'of centre): all candidates tie'
works 'a table of runs' eval $demo --run "$runs/seed" --method centre --measures top1 --format markdown -q
is 'names them by method' '| measure | original | meaning of seed | language of seed | meaning of centre | language of centre |' "$(sed -n 1p "$out")"
cp -r "$runs/seed" "$scratch/other"
works 'equal methods and seeds' eval $demo --run "$runs/seed" --run "$scratch/other" --measures top1 --format markdown -q
says 'by directory' "$out" 'meaning of other'
works 'in JSON' eval $demo --run "$runs/seed" --method centre --json -q
cp "$out" "$json"
says 'a list of runs' "$json" '^  "runs": \[$'
says 'by their paths' "$json" "\"run\": \"$runs/seed\","
tr -d '\n' <"$out" | tr -s ' ' >"$json"
says 'what ties decide is null, with the reason' "$json" \
    '"run": "centre", "version": null, "space": "language", "measure": "top1", "from": null, "to": null, "n": [0-9]*, "value": null, "chance": [0-9.]*, "low": null, "high": null, "reason": "all candidates tie'
works 'in CSV' eval $demo --run "$runs/seed" --method centre --format csv -q
says 'empty for the original' "$out" '^,,original,alignment,,,[0-9]*,0\.'
says 'what ties decide is empty' "$out" '^centre,,language,top1,,,[0-9]*,,0\.[0-9]*,,,'
works 'a run without language embeddings' eval $demo --method baseline --json -q
lacks 'has no row of these' "$out" '"space": "language"'
works 'and no column' eval $demo --method baseline -q
says 'but a note' "$out" '^note       baseline (identity) has no language embeddings$'

# --- splits -------------------------------------------------------------------------------------------
ids=$(($(wc -l <"$runs/seed/valid.csv") - 1))
works 'the held-out ids' eval $demo --run "$runs/seed" --split valid --json -q
cp "$out" "$json"
is 'are those of valid.csv' "$((8 * ids)) $((28 * ids)) $ids" "$(in_data measured_rows) $(in_data pairs) $(in_data meanings)"
same 'alone are candidates' $ids "$(in_json original candidates en de)"
works 'the others' eval $demo --run "$runs/seed" --split train --json -q
cp "$out" "$scratch/one"
cp "$out" "$json"
is 'are the rest' $((720 - 8 * ids)) "$(in_data measured_rows)"
works 'of a method trained now' eval $demo --method seed --lr 1e-3 --epochs 3 --split train --json -q
# The same training gives the same figures.
sed '/"run":/d' "$out" >"$scratch/a" && sed '/"run":/d' "$scratch/one" >"$scratch/b"
if cmp -s "$scratch/a" "$scratch/b"; then pass 'as of a run that was read'; else
    fail 'as of a run that was read' "$(diff "$scratch/a" "$scratch/b" | head)"; fi
fails 'a split of other data' 1 "the run $runs/seed was trained on other data (demo, checksum" \
    eval tests/golden/mixed.npy --run "$runs/seed" --split valid
fails 'a sample is other data' 1 'was trained on other data' \
    eval $demo --limit 80 --run "$runs/seed" --split valid
works 'another seed' train $demo --split-seed 2 --epochs 1 --out "$runs/two" -q
fails 'runs of two splits' 1 "$runs/seed and $runs/two have different splits" \
    eval $demo --run "$runs/seed" --run "$runs/two" --split valid
mkdir "$scratch/weights" && cp "$runs/seed/"meaning.* "$scratch/weights"
works 'weights without run.json' eval $demo --run "$scratch/weights" -q
fails 'have no split' 1 'has no run.json: its data and split are unknown' \
    eval $demo --run "$scratch/weights" --split valid
works 'nothing held out' train $demo --valid 0 --epochs 1 --out "$runs/none" -q
fails 'is no split' 1 "the run $runs/none held nothing out" eval $demo --run "$runs/none" --split valid
fails 'nor of a method' 1 'seed has no ids in this split (--valid 0)' \
    eval $demo --method seed --epochs 1 --valid 0 --split valid -q
printf 'left,right\n' >"$scratch/pairs.csv"
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i,$((90 + i))"; done >>"$scratch/pairs.csv"
works 'pairs of a file' train $demo --pairs "$scratch/pairs.csv" --epochs 1 --valid 0.2 --out "$runs/file" -q
works 'are measured' eval $demo --pairs "$scratch/pairs.csv" --run "$runs/file" --split valid
says 'as far as they are held out' "$(unwrapped)" '^measured   16 of 720 rows, the ids that .*'
fails 'and are needed for its split' 1 'its split needs the same --pairs' \
    eval $demo --run "$runs/file" --split valid

# --- scores ---------------------------------------------------------------------------------------------
# Cosines of en a with de a, b: 1, 0; en b with de b: 1; en c with de a: 0.707.
printf 'left,right,score,pair\n0,3,5,x\n0,4,1,x\n1,4,5,y\n2,3,5,y\n' >"$scratch/scores.csv"
works 'scores' eval "$tiny" --scores "$scratch/scores.csv" --json -q
cp "$out" "$json"
same 'all pairs are one item' 1 "$(json_rows | awk -F, '$2 == "pearson" && $3 == "" { print $5 }')"
same 'two pairs are in line' 1 "$(in_json original pearson x)"
is 'constant scores have none' null "$(in_json original pearson y)"
same 'the mean is over those that have one' 1 "$(in_json original mean_pearson)"
works 'in the table' eval "$tiny" --scores "$scratch/scores.csv"
says 'kinds of pairs' "$out" '^· x   *1\.000 ↑$'
works 'in CSV' eval "$tiny" --scores "$scratch/scores.csv" --format csv -q
says 'by the kind' "$out" '^,,original,pearson,x,,1,[01]\.*[09]*[89]*,'
says 'and why one is missing' "$out" '^,,original,pearson,y,,1,,,,,the scores'
printf 'left,right,score\n0,3,5\n0,4,5\n' >"$scratch/flat.csv"
works 'constant scores' eval "$tiny" --scores "$scratch/flat.csv"
is 'no correlation' '' "$(in_table 'Pearson, pooled' 1)"
says 'but the reason' "$out" '^missing  *Pearson, pooled, Spearman, pooled.*: the scores'
printf 'left,right,score\n0,6,5\n' >"$scratch/beyond.csv"
fails 'a row that does not exist' 1 'beyond.csv:2' eval "$tiny" --scores "$scratch/beyond.csv"
fails 'no scores file' 1 'nowhere.csv' eval "$tiny" --scores "$scratch/nowhere.csv"
works 'scores of a split' eval "$demo" --run "$runs/seed" --split valid --scores "$scratch/scores.csv"
says 'are those of its rows' "$(unwrapped)" '^scores     .*scores.csv, [0-3] of 4 pairs$'

# --- data that lack something -----------------------------------------------------------------------------
npy_head '<f4' False '4, 2' >"$scratch/four.npy"
floats 1 0 0 1 1 1 2 1 >>"$scratch/four.npy"
four() { # table...
    printf '%s\n' "$@" >"$scratch/four.csv"
}
four lang,id en,a en,b en,c en,d
works 'one language' eval "$scratch/four.npy"
is 'no line of retrieval' '' "$(in_table 'retrieval top-1' 1)"
says 'but its reason' "$out" '^missing    retrieval top-1, CSLS top-1'
is 'no probe' '' "$(in_table 'probe, unit rows' 1)"
says 'and why' "$out" '^note       four has no pairs: no id occurs in two languages'
# Without ids the rows of each language are counted: the probe is fitted on rows 0 and 2;
# 1 is on the side of 2, and so is 3.
four lang en en de de
works 'no ids, no texts' eval "$scratch/four.npy"
says 'is reported' "$out" '^note       four has no ids, from which pairs follow'
is 'and measured' '50.0%' "$(in_table 'probe, unit rows' 1)"
works 'in JSON' eval "$scratch/four.npy" --json -q
cp "$out" "$json"
is 'figures are null' null "$(in_json original alignment)"
says 'with a reason' "$out" '"reason": "no pairs"'
fails 'pairs that were asked for' 1 'four has no ids' eval "$scratch/four.npy" --pairing pivot
four lang,id en,a de,a ja,a fr,a
works 'one row a language' eval "$scratch/four.npy"
says 'is reported' "$out" '^note       4 languages have a single row$'
is 'one candidate alone is no retrieval' '' "$(in_table 'retrieval top-1' 1)"
tr -s '\n ' ' ' <"$out" >"$json"
says 'and why' "$json" 'only one candidate: no ranking is possible'
is 'there is no similarity gap' '' "$(in_table 'similarity gap' 1)"
four lang,id en,a en,a de,a de,b
works 'repeated ids' eval "$scratch/four.npy"
says 'are counted' "$out" '^note       1 row repeats an id within its language: all are candidates$'
printf 'left,right\n' >"$scratch/nothing.csv"
fails 'a file without pairs' 1 'nothing.csv: has a header and no pairs' eval "$scratch/four.npy" --pairs "$scratch/nothing.csv"
works 'other data than the run' eval "en=$demo" "de=$demo" --run "$runs/seed"
says 'are measured all the same' "$(unwrapped)" '^run  .*epoch 3, trained on demo$'
fails 'other dimensions are not' 1 'dimensions' eval "$tiny" --run "$runs/seed"

# --- usage ----------------------------------------------------------------------------------------------
fails 'no data' 2 'usage: isogloss eval' eval
fails 'two forms' 2 '--json cannot be combined with another --format' eval "$tiny" --json --format csv
fails 'a split of nothing' 2 '--split valid needs --run RUN or --method NAME' eval "$tiny" --split valid
fails 'no such split' 2 "--split must be all|valid|train|holdout, not 'test'" eval "$tiny" --split test
fails 'no such run' 1 "$scratch/nowhere" eval "$tiny" --run "$scratch/nowhere"
fails 'no such method' 2 "nosuch" eval "$tiny" --method nosuch
mkdir -p "$XDG_CONFIG_HOME/isogloss"
echo 'method = seed' >"$XDG_CONFIG_HOME/isogloss/config"
works 'a method in the config file' eval "$tiny" --json -q
lacks 'is not trained' "$out" '"space": "meaning"'
rm "$XDG_CONFIG_HOME/isogloss/config"

# --- ended early, lost output -----------------------------------------------------------------------------
start_until '^epoch' eval $demo --method seed --epochs 1000000 --patience 0
end_by TERM
exits 'SIGTERM' 143
if [ -s "$out" ]; then fail 'prints nothing' "$(head "$out")"; else pass 'prints nothing'; fi
if [ -c /dev/full ]; then
    "$ISOGLOSS" eval "$tiny" >/dev/full 2>"$err"
    status=$?
    : >"$out"
    exits 'a full disk' 1
fi
# --- languages that a run was not trained on --------------------------------------------
works 'two languages' train "$scratch/demo.npy" --method seed --lr 1e-3 --epochs 3 --pairing en-de --out "$scratch/ende" -q
says 'are recorded' "$scratch/ende/run.json" '"trained_languages": \["en", "de"\]'
works 'applied to eight' eval "$scratch/demo.npy" --run "$scratch/ende" --measures top1 --format csv -q
seen=$(awk -F, '$3 == "meaning" && $4 == "top1" && ($5 == "en" && $6 == "de" || $5 == "de" && $6 == "en") { s += $8 } END { printf "%.6f", s / 2 }' "$out")
unseen=$(awk -F, '$3 == "meaning" && $4 == "top1" && $5 != "" && $6 != "" && !($5 == "en" && $6 == "de" || $5 == "de" && $6 == "en") { s += $8; n++ } END { printf "%.6f", s / n }' "$out")
if [ "$(awk -F, '$3 == "meaning" && $4 == "top1" && $5 ~ /^(un)*seen$/ { printf "%.6f ", $8 }' "$out")" = "$seen $unseen " ]; then
    pass 'seen and unseen apart'
else
    fail 'seen and unseen apart' "not $seen $unseen: $(grep seen "$out")"
fi
works 'as JSON' eval "$scratch/demo.npy" --run "$scratch/ende" --measures top1 --json -q
says 'they are named' "$out" '"unseen_languages": \["fr", "es", "ru", "ar", "ja", "zh"\]'
says 'with their means' "$out" '"from": "unseen",'
works 'as a table' eval "$scratch/demo.npy" --run "$scratch/ende" --measures top1
says 'in a sentence' "$out" '^unseen  *.* was not trained on fr'
works 'as a report' eval "$scratch/demo.npy" --run "$scratch/ende" --measures top1 --report "$scratch/ende.html" -q
says 'they are named' "$scratch/ende.html" 'was not trained on fr, es, ru'
says 'in two lines' "$scratch/ende.html" '>· unseen<'
works 'a run on all languages' eval "$scratch/demo.npy" --method centre --measures top1
if grep -q '^unseen' "$out"; then fail 'has none' "$(cat "$out")"; else pass 'has none'; fi

# --- ids that nothing in the training saw -----------------------------------------------
for seed in 1 2; do
    run train "$scratch/demo.npy" --method seed --lr 1e-3 --epochs 2 --seed $seed --split-seed 5 --holdout 0.2 --out "$scratch/kept$seed" -q
done
if cmp -s "$scratch/kept1/holdout.csv" "$scratch/kept2/holdout.csv" && cmp -s "$scratch/kept1/valid.csv" "$scratch/kept2/valid.csv"; then
    pass 'one --split-seed, one split'
else
    fail 'one --split-seed, one split' "$(head "$scratch/kept1/holdout.csv" "$scratch/kept2/holdout.csv")"
fi
if cmp -s "$scratch/kept1/meaning.weight.npy" "$scratch/kept2/meaning.weight.npy"; then
    fail 'and another start'
else
    pass 'and another start'
fi
works 'the holdout' eval "$scratch/demo.npy" --run "$scratch/kept1" --run "$scratch/kept2" --split holdout --measures top1 --json -q
cp "$out" "$json"
is 'as many ids as that' '144 504 18' "$(in_data measured_rows) $(in_data pairs) $(in_data meanings)"
if grep -qx -f "$scratch/kept1/valid.csv" "$scratch/kept1/holdout.csv" 2>/dev/null &&
    [ "$(grep -cx -f "$scratch/kept1/valid.csv" "$scratch/kept1/holdout.csv")" -gt 1 ]; then
    fail 'none is of both'
else
    pass 'none is of both'
fi
works 'of a run trained now' eval "$scratch/demo.npy" --method centre --holdout 0.2 --split holdout --measures top1 --json -q
cp "$out" "$json"
is 'as many' 144 "$(in_data measured_rows)"
fails 'a run without one' 1 'centre has no ids in this split (--holdout 0)' eval "$scratch/demo.npy" --method centre --split holdout
fails 'nothing to train on' 1 'leave nothing to train on' train "$scratch/demo.npy" --valid 0.5 --holdout 0.5 --out "$scratch/nothing"

# --- some measures alone --------------------------------------------------------------
works '--measures' eval "$scratch/demo.npy" --measures geometry,top1 --format csv
if [ "$(cut -d, -f4 "$out" | sort -u | tr '\n' ' ')" = 'alignment measure top1 uniformity ' ]; then
    pass 'those measures and groups alone'
else
    fail 'those measures and groups alone' "$(cut -d, -f4 "$out" | sort -u)"
fi
works 'as a table' eval "$scratch/demo.npy" --measures geometry
if grep -q 'retrieval\|probe, unit' "$out"; then fail 'of these only' "$(cat "$out")"; else pass 'of these only'; fi
works 'as JSON and a report' eval "$scratch/demo.npy" --method centre --measures isotropy --json --report "$scratch/some.html"
says 'the group' "$out" '"measure": "isoscore"'
if grep -q 'top1\|"probe"' "$out"; then fail 'and no other' "$(cat "$out")"; else pass 'and no other'; fi
fails 'a measure that is not there' 2 "unknown measure 'nothing'" eval "$scratch/demo.npy" --measures nothing
fails 'a measure mistyped' 2 "unknown measure 'top-1'; did you mean top1?" eval "$scratch/demo.npy" --measures top-1
works 'labels of another language' eval "$scratch/demo.npy" --method centre --measures zero_shot_transfer --format csv -q
if [ "$(cut -d, -f3-6 "$out" | grep -c '^meaning,zero_shot_transfer[a-z_]*,,$')" -eq 3 ]; then pass 'have their figures'; else fail 'have their figures' "$(cat "$out")"; fi
cut -d, -f1-2 "$scratch/demo.csv" >"$scratch/bare.csv"
fails 'a set without labels' 1 'has no column of labels that repeat' eval "$scratch/demo.npy" --meta "$scratch/bare.csv" --measures zero_shot_transfer
fails 'similarity without scores' 2 'similarity needs --scores FILE' eval "$scratch/demo.npy" --measures similarity
# Rows without a partner: mining looks at all rows of two languages, by the products that
# the pool has formed or by its own.
cp "$scratch/demo.npy" "$scratch/lone.npy"
awk -F, 'NR == 1 { print "lang,id" } NR > 1 { print $1 "," ($1 != "en" && NR % 7 == 0 ? 10000 + NR : $2) }' \
    "$scratch/demo.csv" >"$scratch/lone.csv"
works 'mining alone' eval "$scratch/lone.npy" --measures mining --format csv -q
grep ',mining' "$out" >"$scratch/mined"
works 'mining after the pool' eval "$scratch/lone.npy" --measures retrieval,pool,mining --format csv -q
grep ',mining' "$out" >"$scratch/mined-too"
if [ -s "$scratch/mined" ] && cmp -s "$scratch/mined" "$scratch/mined-too"; then pass 'finds the same'; else
    fail 'finds the same' "$(diff "$scratch/mined" "$scratch/mined-too" | head)"; fi
# --- several translations of a meaning, and a split ----------------------------------------
# Two rows per id in every language but English; the figures of the held-out ids are those of
# a dataset that has no other ids.
awk 'BEGIN { srand(7); print "lang,id,v0,v1,v2,v3"
    for (i = 0; i < 40; i++) { for (k = 0; k < 4; k++) m[k] = rand() - .5
        for (r = 0; r < 5; r++) { printf "%s,%d", r == 0 ? "en" : r < 3 ? "de" : "fr", i
            for (k = 0; k < 4; k++) printf ",%.4f", m[k] + .3 * (rand() - .5) + (r + 1) / 2 * (k == 1) / 4
            print "" } } }' >"$scratch/five.csv"
works 'five rows per id' train "$scratch/five.csv" --method baseline --valid .5 --out "$runs/five" -q
awk -F, 'NR == FNR { if (FNR > 1) held[$1]; next } FNR == 1 || $2 in held' "$runs/five/valid.csv" "$scratch/five.csv" >"$scratch/held.csv"
is 'half of the ids' 101 "$(wc -l <"$scratch/held.csv" | tr -d ' ')"
whole_figures() { # the figures of the original that no row outside of the measured ones changes
    awk -F, '$3 == "original" && $4 !~ /^(probe|read|mining)/ { print $4, $5, $6, $7, $9, ($8 == "" ? "-" : sprintf("%.9f", $8)), $10 == "" ? "-" : sprintf("%.6f", $10) }' "$1"
}
list=geometry,relative_alignment,pool,retrieval,isotropy,cka
works 'the held-out ids of it' eval "$scratch/five.csv" --run "$runs/five" --split valid --measures $list --ci --format csv -q
whole_figures "$out" >"$scratch/of-split"
works 'a dataset of them alone' eval "$scratch/held.csv" --measures $list --ci --format csv -q
whole_figures "$out" >"$scratch/of-alone"
if [ "$(wc -l <"$scratch/of-split")" -gt 50 ] && cmp -s "$scratch/of-split" "$scratch/of-alone"; then pass 'has the same figures'; else
    fail 'has the same figures' "$(diff "$scratch/of-split" "$scratch/of-alone" | head -20)"; fi
sed 's/\(,-\{0,1\}[0-9.]*\)\{4\}$//' "$scratch/five.csv" | awk -F, 'NR == 1 { print "lang,id,v0,v1"; next } { print $0 "," cos($2) "," sin($2) }' >"$scratch/perfect.csv"
works 'a perfect encoder' eval "$scratch/perfect.csv" --method baseline --valid .5 --split valid --measures top1,pool_translation --format csv -q
is 'finds any translation' '1 1 ' "$(awk -F, '$3 == "meaning" && $5 == "" && $6 == "" && $4 ~ /^(top1|pool_translation)$/ { printf "%s ", $8 }' "$out")"

# --- probes of groups of seeds --------------------------------------------------------------
for seed in 1 2 3; do
    works "seed $seed" train "$scratch/demo.npy" --method seed --lr 1e-3 --epochs 2 --seed $seed --out "$runs/seed-$seed" -q
    works "dream, seed $seed" train "$scratch/demo.npy" --method dream --lr 1e-3 --epochs 2 --seed $seed --out "$runs/dream-$seed" -q
done
groups="--run $runs/seed-1 --run $runs/seed-2 --run $runs/seed-3 --run $runs/dream-1 --run $runs/dream-2 --run $runs/dream-3"
# shellcheck disable=SC2086 # several options
works 'probes of two methods' eval "$scratch/demo.npy" $groups --split valid --measures probe,probe_raw --ci --json -q
cp "$out" "$scratch/groups.json"
# shellcheck disable=SC2086
works 'their figures' eval "$scratch/demo.npy" $groups --split valid --measures probe,probe_raw --format csv -q
for measure in probe probe_raw; do
    is "the difference of $measure is that of the means over the seeds" \
        "$(awk -F, -v m=$measure '$3 == "meaning" && $4 == m && $5 == "" && $6 == "" { sum[$1 ~ /dream/] += $8 / 3 } END { printf "%.6f 3 3", sum[1] - sum[0] }' "$out")" \
        "$(tr -d '\n ' <"$scratch/groups.json" | tr '{' '\n' | awk -F '[:,]' -v m="\"$measure\"" '
            $3 == "\"less\"" && $4 != "null" && $6 == "\"meaning\"" && $8 == m { printf "%.6f %d %d", $10, $16, $18 }')"
done

# --- tables at 80 columns: none cuts a number or an interval ------------------------------
# An interval with a minus sign is "-3.6…-3.5": an ellipsis without a number on both sides
# is one that was cut.
whole() { # name, words of eval
    name=$1
    shift
    LC_ALL=C.UTF-8 run eval "$@" -q
    exits "$name" 0
    if [ "$(grep -c '[0-9]–[0-9]\|[0-9]…-\{0,1\}[0-9]' "$out")" -gt 10 ] &&
        ! grep '…[^-0-9]\|…$\|[^0-9]…\|[0-9][–.]\( \|$\)\|….*[0-9]-\( \|$\)' "$out" | grep -q .; then
        pass 'is whole'
    else
        fail 'is whole' "$(grep '…[^-0-9]\|…$\|[^0-9]…\|[0-9][–.]\( \|$\)' "$out" | head)"
    fi
}
awk 'BEGIN { print "left,right,score"; for (i = 0; i < 60; i++) print i "," 60 + i % 60 "," i % 7 }' >"$scratch/wide.csv"
whole 'the default table' "$scratch/demo.npy" --method centre --ci
whole 'all measures' "$scratch/demo.npy" --method dream --epochs 2 --measures all --scores "$scratch/wide.csv" --positive 3 --ci
whole 'several runs with differences' $demo --run "$runs/short1" --run "$runs/short2" --run "$runs/seed" --method centre --ci --measures all --split valid
whole 'versions' --versions layer-1="$scratch/demo.npy" layer-2="$scratch/lone.npy" layer-12="$scratch/demo.npy" --meta "$scratch/demo.csv" --ci --method centre
finish
