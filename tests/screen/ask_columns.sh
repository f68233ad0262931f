#!/bin/sh
# A table without a column lang: which columns hold what is asked on the terminal.
. tests/screen.sh

set=$scratch/set.csv
{
    printf 'satz,nr,sprache,v0,v1\n'
    for i in 1 2 3; do
        printf 'Guten Morgen %s,%s,de,0.5,%s\nGood \033[31mmorning %s,%s,en,%s,0.5\n' $i $i $i $i $i $i
    done
} >"$set"
opens() {
    terminal 150 30
    type_in "isogloss $set"
    await 'the language of each row? \[3, q\]'
}

opens
shows 'the columns are listed with examples' '^ *3 sprache  de, en$'
shows 'control characters are made visible' 'Guten Morgen 1, Good ␛\[31mmorning 1'
keys 9 Enter
shows 'a wrong answer is asked again' 'a number from 1 to 5 or a name'
keys Enter
shows 'values once per language are ids' 'translations of each other? \[2, none\]'
type_in nr
shows 'long values are the sentence' 'the sentence? \[1, none\]'
keys Enter
shows 'the set opens' 'set · 6 rows'
keys q
shows 'and says the command line' 'Next time: isogloss .*set.csv --column lang=sprache --column text=satz --column id=nr'

for key in q Escape C-d; do
    opens
    keys $key
    [ $key = C-d ] || keys Enter
    type_in 'echo status $?'
    shows "$key cancels with the error" 'isogloss: .*no column lang; --column lang=NAME'
    shows "and its status: $key" 'status 1$'
done
type_in "clear; isogloss $set </dev/null; echo status \$?"
shows 'without a terminal nothing is asked' 'status 1$'
gone 'but the error comes' 'Which column'
{
    printf 'sprache'
    for i in $(seq 1000); do printf ',c%s' "$i"; done
    printf '\nde'
    for i in $(seq 1000); do printf ',%s' "$i"; done
    echo
} >"$set"
type_in "clear; isogloss $set"
shows 'of many columns twenty are listed' 'and 981 more, by number or name'
keys q Enter
finish
