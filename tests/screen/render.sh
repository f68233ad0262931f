#!/bin/sh
# What frames of the explorer must say, without a terminal.
. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")/../.." || exit 1

isogloss=${ISOGLOSS:-build/isogloss}
set=tests/scenes/data/planted.csv
drawn=$(mktemp "${TMPDIR:-/tmp}/isogloss-frame.XXXXXX") || exit 1
trap 'rm -f "$drawn"' EXIT

render() { # name size keys [options]
    name=$1 size=$2 keys=$3
    shift 3
    [ -z "$keys" ] || set -- --keys "$keys" "$@"
    "$isogloss" render "$set" --size "$size" --threads 1 "$@" >"$drawn" 2>&1 && return
    fail "$name" "$(cat "$drawn")"
    return 1
}

says() { # name size keys pattern [options]
    name=$1 size=$2 keys=$3 pattern=$4
    shift 4
    render "$name" "$size" "$keys" "$@" || return
    if grep -q -e "$pattern" "$drawn"; then pass "$name"; else
        fail "$name" "no /$pattern/ in:
$(cat "$drawn")"; fi
}

# Whole screens.
says 'a letter goes to the next method' 80x24 'ms' 'lr 0.0006, 300 epochs for [0-9]* pairs'
says 'Enter unfolds the ablations' 80x24 'mb<Down><Enter>i' '│ ablations  *inter  *of seed'
says 'Left folds them' 80x24 'mb<Down><Enter>i<Left>' 'variants and ablations …'
says 'Enter starts one' 80x24 'mc<Enter>' 'centre'
says 'a colon types a file' 80x24 'm:' '^:method'
says 'options that are set are used' 80x24 'm' 'lr 0.5, 7 epochs, as set' --lr 0.5 --epochs 7
says 'a run takes what suits its pairs' 80x24 ' :panel runs<Enter>z' 'lr 0.003 '
says 'but the rate of the method where epochs are given' 80x24 ' :panel runs<Enter>z' 'lr 0.0001 ' --epochs 5

# Panels.
says panel-raw-probe 80x24 ':leakage summary<Enter>z' 'probe, raw rows  *[0-9]'

# What is said.
says 'an axis' 80x24 ':axis x en de<Enter>' 'x: en → de'
says 'of a row and an id' 80x24 ':axis y #3 12<Enter>' 'y: '
says 'axes off' 80x24 ':axis x en de<Enter>:axis off<Enter>' 'x: component 1   y: component 2'
says 'islands' 120x40 U 'distances between islands mean nothing'
says 'components again' 80x24 UU 'axes and distances have a meaning'
says 'an axis ends the islands' 80x24 Ux 'PC'
set=data/demo.npy
sed '1s/topic/aтемаодного/' data/demo.csv >"$drawn.csv"
says 'a name cut between characters' 120x40 ':select aтемаодного=travel<Enter>' 'aтемаодного travel 100%' --meta "$drawn.csv"
rm "$drawn.csv"
says 'conditions after &' 120x40 '&lang=ja topic=travel<Enter>' 'selected 12 rows: ja 12'
says 'what sets questions apart' 120x40 '&?<Enter>' 'Sets it apart: ? 80% (all 10%), ？ 20% (all'
says 'the values of a label' 120x40 'c;' 'value accidents  *96 rows'
says 'a value with a colour' 120x40 'c:value food<Enter>' 'topic f food a accidents.*animals'
says 'no such value' 80x24 'c:value silk<Enter>' "unknown value 'silk' (expected "
says 'two conditions' 120x40 ':select lang=ja topic=travel<Enter>' 'selected 12 rows: ja 12'
says 'a rank not measured' 120x40 ':select rank>3<Enter>' 'rank is not measured yet'
says 'a measured condition' 120x40 ':colour rank<Enter>:select lang=zh alignment>0<Enter>' 'selected 600 rows: zh 600'
says 'no number' 120x40 ':select topic>3<Enter>' "cannot compare 'topic' with '3'"
says 'no values' 80x24 ':value food<Enter>' '(expected none)'
set=tests/scenes/data/planted.csv
says 'the next axis' 80x24 ':axis x en de<Enter>x' 'x: component 1   y: component 2'
says 'a wrong axis' 80x24 ':axis x en xx<Enter>' "'xx' is not a language, row, LABEL=VALUE or typed"
says 'the summary' 120x40 ':leakage summary<Enter>' 'main measures'
says 'all measures' 120x40 ':leakage summary<Enter>]' 'hubness@10'
says 'from a finding to its matrix' 80x24 ']jj<Enter>' 'curves │ \['
says 'no sentences' 80x24 ':leakage probe-original<Enter><Enter>' 'no sentences: en read as de from original'
says 'the name of the list' 80x24 ':leakage original<Enter><Enter>w' '^save to: missed-en-de.tsv'
says 'a match' 80x24 '/the<Enter>n' 'match 2 of 6'
says 'back to the sentence before' 80x24 ':row 7<Enter>:row 9<Enter><Backspace>' 'neighbours of #7'
says 'and to the one after' 80x24 ':row 7<Enter>:row 9<Enter><Backspace><Backspace>' 'neighbours of #9'
says 'no previous sentence' 80x24 '<Backspace>' 'no previous sentence'
says 'the card at its end' 80x24 'I<End>' 'Esc close'
says 'a translation in the card' 80x24 ':gloss de<Enter>I' 'Die Brücke ist heute gesperrt'
says 'nothing is found' 80x24 '/zzz' 'no match'
says 'any accents' 80x24 '/zuge' '1 match'
says 'the last search' 80x24 '/the<Enter>/<Up>' '6 matches'
says 'a file that is none' 80x24 'w<Ctrl-U>map.jpg<Enter>' 'unknown file type .jpg'
says 'a note of two lines leaves the border' 80x24 ':leakage silk<Enter>' '^└\(─\)*┘$'
says 'what the list of rows filters by' 80x24 '&' 'words of the texts, or conditions: lang=ja'
says 'the neighbours as a table' 80x24 ':panel neighbours<Enter>w' '^save to: neighbours-0-original.tsv'
says 'marks explained' 80x24 '' '✓ translation   cosine, ratio margin'
says 'errors by ratio margin' 120x40 ':leakage xsim<Enter><Enter>' 'missed by ratio margin, original\] ─* 1/8'
says 'quitting by Ctrl-C is explained' 80x24 '<space>:panel curves<Enter>z<Ctrl-C>' 'q or Ctrl-C again: quit without saving' --epochs 3
says 'cancelled by n' 80x24 '<space>:panel curves<Enter>z<Ctrl-C>n' 'best epoch' --epochs 3
says 'the objective, in whole words' 60x24 '<space>e' 'or on' --epochs 3
for type in svg tex md json tsv; do
    says "saved as $type" 80x24 ":language de<Enter>:panel neighbours<Enter>:save $drawn.$type<Enter>" 'saved to'
done
contains() { # name file pattern
    if grep -q -e "$3" "$2"; then pass "$1"; else fail "$1" "$(head -n 5 "$2")"; fi
    rm -f "$2"
}
rm "$drawn.svg"
contains 'a table for a paper' "$drawn.tex" '^rank & lang & id & similarity & text'
contains 'for a page' "$drawn.md" '^| 1 | en | [0-9]* | 0.99[0-9]\{0,2\} | '
contains 'for a program' "$drawn.json" '^  {"rank": 1, "lang": "en", "id": "[0-9]*", "similarity": 0'
says 'saved for a paper' 80x24 ":leakage measures<Enter>:save $drawn.tex<Enter>" 'saved to'
contains 'a minus and four digits' "$drawn.tex" '^uniformity & [$]-[$][0-9.]\{1,5\} '
contains 'tab-separated' "$drawn.tsv" '^rank	lang	id	similarity	text'
says 'known file types are listed' 80x24 ':save x.docx<Enter>' 'unknown file type .docx (expected .npz.* .json'
says 'no version to compare' 80x24 ':leakage versus<Enter>' 'this view needs two runs'

# Colours and selections, on the same set with a label.
set=tests/scenes/data/topics.csv
says 'an axis of labels' 80x24 ':axis x topic=travel topic=home<Enter>' 'x: travel → home'
says 'alignment' 80x24 ':colour alignment<Enter>' 'mean squared distance to its translations'
says 'rank' 120x40 ':colour rank<Enter>' 'mean rank of its translations' --glyphs ascii
says 'what is in the box' 120x40 'bHHHHJJ<Enter>' 'selection: '
says 'a list in another language' 80x24 ':leakage original<Enter>l<Enter>r)' 'missed by original'
says 'a filter' 80x24 '&THE' '└ selected 6 rows: en 6'
says 'the name of a selection' 80x24 ':select lang=de<Enter>w' '^save to: selection.tsv'

# Many languages: letters beyond the palette, names that hide nothing, a legend in parts,
# codes that begin alike.
set=tests/scenes/data/many.csv
says 'the rest of the legend' 80x24 'uzt;' 'wic_Latn x xic_Latn'

# Without ids there are no pairs: the matrices of pairs say so, and are passed over.
set=tests/scenes/data/unpaired.csv
says 'a method that needs none' 80x24 '<Space>' 'centre ✓'

# Themes, and fewer colours down to none, with the colours in the frames: half of each
# language is mixed with the others, half is an island; marks dim all else; figures stand
# on heat. Places are the set's own columns, the same on every machine.
set=tests/scenes/data/mixed.csv
set=tests/scenes/data/planted.csv

says 'narration' 80x24 '<space>:panel curves<Enter>zTj' 'shows why.' --epochs 3
says 'a search without a match' 80x24 '/zzz<Enter>' '└ no match'
says 'a filter without a match' 80x24 '&zzz<Enter>' '└ no match'
says 'a hidden language is named' 80x24 ':language de<Enter>' 'without de  '
says 'findings are counted' 80x24 ':panel leakage<Enter>' 'findings 1/'
says 'a second run' 80x24 '<space>:panel curves<Enter>z<space>' 'seed' --epochs 3

finish
