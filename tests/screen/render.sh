#!/bin/sh
# Frames of the explorer beside the files in tests/screen/golden, without a terminal.
#
#   REFRESH=1 tests/screen/render.sh     write them anew (then look at the difference)
#
# The set is small and its languages lie far apart, so that every machine puts its points
# into the same cells. What a training finds differs in the last digits from machine to
# machine: frames named trained-… show no map, their dots are blanked and their digits
# made alike. Frames named dots-… are drawn with colours, which are taken out again:
# without any the map is drawn with letters. Frames named demo-… are both.
. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")/../.." || exit 1

isogloss=${ISOGLOSS:-build/isogloss}
golden=tests/screen/golden
set=tests/screen/data/planted.csv
drawn=$(mktemp "${TMPDIR:-/tmp}/isogloss-frame.XXXXXX") || exit 1
trap 'rm -f "$drawn"' EXIT

# Braille becomes blank, every digit 9, and a minus a blank; a speed is that of the machine.
layout() {
    LC_ALL=C sed "s/$(printf '\342')[$(printf '\240')-$(printf '\243')][$(printf '\200')-$(printf '\277')]/ /g
        s/$(printf '\342\210\222')/ /g; s/[0-9]/9/g
        s|[0-9,]\{1,\} pairs/s *|9 pairs/s |g"
}

plain() {
    LC_ALL=C sed "s/$(printf '\033')\[[0-9;]*m//g"
}

frame() { # name size keys [options]
    name=$1 size=$2 keys=$3
    shift 3
    [ -z "$keys" ] || set -- --keys "$keys" "$@"
    if ! "$isogloss" render "$set" --size "$size" --threads 1 "$@" >"$drawn" 2>&1; then
        fail "$name" "$(cat "$drawn")"
        return
    fi
    case $name in
    trained-*) layout <"$drawn" >"$drawn.2" && mv "$drawn.2" "$drawn" ;;
    demo-*) plain <"$drawn" | layout >"$drawn.2" && mv "$drawn.2" "$drawn" ;;
    dots-*) plain <"$drawn" >"$drawn.2" && mv "$drawn.2" "$drawn" ;;
    esac
    if [ -n "${REFRESH:-}" ]; then
        cp "$drawn" "$golden/$name.txt"
    fi
    if cmp -s "$drawn" "$golden/$name.txt"; then
        pass "$name"
    else
        fail "$name" "$(diff "$golden/$name.txt" "$drawn" 2>&1)"
    fi
}

# The dashboard, then each panel by itself, at every size.
for size in 80x24 120x40 200x60 20x6; do
    frame "map-$size" $size ''
    frame "run-$size" $size ':panel runs<Enter>'
    frame "data-$size" $size ':panel data<Enter>'
    frame "neighbours-$size" $size ':panel neighbours<Enter>z'
    frame "verdict-$size" $size ']'
    frame "leakage-$size" $size ':leakage meaning<Enter>'
    frame "sentences-$size" $size ':leakage original<Enter><Enter>)'
    frame "trained-curves-$size" $size '<space>:panel curves<Enter>z' --epochs 3 --seed 7
done

frame map-alone 80x24 z
frame map-raw 80x24 u
frame map-zoomed 80x24 '++'
frame axis 80x24 ':axis x en de<Enter>z'
frame axis-two 80x24 ':axis x ar en<Enter>:axis y probe ja<Enter>'
frame axis-ascii 80x24 ':axis y #3 12<Enter>ux' --glyphs ascii
frame axis-off 80x24 ':axis x en de<Enter>:axis off<Enter>'
frame axis-key 80x24 ':axis x en de<Enter>x'
frame axis-refused 80x24 ':axis x en xx<Enter>'
frame axis-complete 80x24 ':axis x <Tab>'
frame map-ascii 80x24 '' --glyphs ascii
frame dots-braille 80x24 '' --colour 256
frame dots-blocks 80x24 o --colour 16
frame dots-halves 80x24 oo --colour 16
frame hidden-language 80x24 2
frame cursor 80x24 'lj'
frame leakage-alone 120x40 ':leakage xsim<Enter>z<End><Left>'
frame leakage-probe 80x24 ':leakage probe-m<Enter><Down>'
frame leakage-ascii 80x24 ':leakage meaning<Enter><Down>' --glyphs ascii
frame leakage-summary 120x40 ':leakage summary<Enter>jj'
frame leakage-summary-narrow 80x24 ':leakage summary<Enter><End>'
frame verdict-behind 80x24 ']jj<Enter>'
frame verdict-ascii 80x24 ']z<Down>' --glyphs ascii
frame sentences-none 80x24 ':leakage probe-original<Enter><Enter>'
frame sentences-write 80x24 ':leakage original<Enter><Enter>w'
frame neighbours-others 80x24 ':panel neighbours<Enter>&others<Enter>'
frame neighbours-languages 80x24 ':panel neighbours<Enter>&de,xy<Enter>'
frame neighbours-command 120x40 ':to de,ja<Enter>:panel neighbours<Enter>z'
frame neighbours-table 80x24 ':panel neighbours<Enter>z<Right>j'
frame neighbours-narrow 40x20 ':panel neighbours<Enter>z'
frame neighbours-ascii 80x24 ':panel neighbours<Enter>z' --glyphs ascii
frame match 80x24 '/the<Enter>n'
frame match-left 80x24 '/the<Enter>n<Esc>'
frame places-back 80x24 '/the<Enter>n{{'
frame places-forth 80x24 ':row 7<Enter>:row 9<Enter>{{}'
frame places-none 80x24 '}'
for size in 80x24 120x40 200x60; do
    frame "dots-linked-$size" $size ':panel neighbours<Enter>jj' --colour 256
    frame "dots-linked-search-$size" $size '/the' --colour 16
done
frame linked-ascii 120x40 ':panel neighbours<Enter>jj' --glyphs ascii
for size in 80x24 120x40 200x60; do
    frame "inspect-$size" $size I
done
frame bookmarks 80x24 "B:row 12<Enter>:bookmark the old door<Enter>'"
frame bookmarks-120x40 120x40 ":row 12<Enter>:bookmark the old door<Enter>:panel neighbours<Enter>jB'"
frame bookmarks-none 80x24 "BB'"
frame bookmark-inspected 80x24 ':bookmark here it began<Enter>I'
frame inspect-end 80x24 'I<End>'
frame inspect-gloss 80x24 ':gloss de<Enter>I'
frame inspect-neighbour 80x24 ':panel neighbours<Enter>jI'
frame inspect-match 120x40 '/lamp<Enter>I'
frame inspect-small 10x3 I
frame inspect-ascii 80x24 'I<PgDn>' --glyphs ascii
frame help 80x24 '?'
frame help-end 80x24 '?<Right><Right><End>'
frame help-120x40 120x40 '?'
frame help-commands 80x24 '?<Left><Left><Left>'
frame help-settings 80x24 '?<Left><Left>'
frame help-filter 80x24 '?epoch'
frame help-ascii 80x24 '?' --glyphs ascii
for panel in map curves neighbours leakage runs data; do
    frame "what-$panel" 80x24 ":panel $panel<Enter>W"
done
frame help-narrow 40x12 '?'
for size in 80x24 120x40; do
    frame "tour-$size" $size ':tour<Enter>'
    frame "tour-fourth-$size" $size ':tour<Enter><Enter><Enter><Enter>'
done
frame tour-ascii 80x24 ':tour<Enter>' --glyphs ascii
frame methods 80x24 m
frame search 80x24 '/harb'
frame search-nowhere 80x24 '/zzz'
frame search-walked 120x40 '/the<Down><Down>'
frame search-accents 80x24 '/zuge'
frame search-exact 80x24 '/zuge<Tab>'
frame search-gloss 120x40 ':gloss en<Enter>/brucke'
frame search-past 80x24 '/the<Enter>/brot<Enter>/<Up><Up>'
frame search-kept 120x40 '/the<Enter>:panel matches<Enter>jj'
frame search-small 20x6 '/the<Down>'
frame command 80x24 ':set lr 1e-3'
for size in 80x24 120x40; do
    frame "palette-$size" $size :
    frame "palette-fits-$size" $size ':pan'
done
frame palette-chosen 80x24 ':set v<Down><Down>'
frame palette-ascii 80x24 ':orac' --glyphs ascii
frame palette-small 20x6 ':pan'
frame command-wrong 80x24 ':set lr x<Enter>'
frame write 80x24 w
frame write-120x40 120x40 w
frame write-ascii 80x24 'w<Ctrl-U>x.html' --glyphs ascii
frame write-refused 80x24 'w<Ctrl-U>map.jpg<Enter>'
frame small 1x1 ''
# Colours and selections, on the same set with a label.
set=tests/screen/data/topics.csv
for size in 80x24 120x40; do
    frame "topic-$size" $size c
    frame "dots-topic-$size" $size c --colour 256
done
frame axis-label 80x24 ':axis x topic=travel topic=home<Enter>'
frame topic-ascii 80x24 c --glyphs ascii
frame topic-hidden 80x24 'c1:language de<Enter>'
frame alignment 80x24 ':colour alignment<Enter>'
frame rank-ascii 120x40 ':colour rank<Enter>' --glyphs ascii
frame box 120x40 'bHHHHJJ'
frame box-selected 120x40 'bHHHHJJ<Enter>'
frame gloss 120x40 ':gloss de<Enter>:panel neighbours<Enter>'
frame gloss-sentences 80x24 ':leakage original<Enter>l<Enter>r)'
frame isolated 120x40 ':select topic=home<Enter>i'
frame filtered 80x24 '&THE'
frame filtered-ascii 120x40 '&bread<Enter>i_' --glyphs ascii
frame write-selection 80x24 ':select lang=de<Enter>w'

# Many languages: letters beyond the palette, names that hide nothing, a legend in parts,
# codes that begin alike.
set=tests/screen/data/many.csv
for size in 80x24 120x40 200x60; do
    frame "dots-many-$size" $size uzt --colour 256
done
frame many-next 80x24 'uzt;'
frame many-ascii 120x40 uzt --glyphs ascii

# Without ids there are no pairs: the matrices of pairs say so, and are stepped over.
set=tests/screen/data/unpaired.csv
frame unpaired-first 80x24 ']'
frame unpaired-matrix 80x24 ':leakage meaning<Enter>'
frame unpaired-step 120x40 ']]'

set=tests/golden/mixed.npy
for size in 80x24 120x40; do
    frame "demo-topic-$size" $size c --colour 256
done

# Themes, and fewer colours down to none, with the colours in the frames: half of each
# language is mixed with the others, half is an island; marks dim all else; figures stand
# on heat. Places are the set's own columns, the same on every machine.
set=tests/screen/data/mixed.csv
for size in 80x24 120x40 200x60; do
    for theme in dark light; do
        frame "theme-$theme-$size" $size ':space xy<Enter>z' --colour 256 --theme $theme
    done
    frame "theme-16-$size" $size ':space xy<Enter>z' --colour 16 --theme light
    frame "theme-ascii-$size" $size ':space xy<Enter>z' --colour 16 --glyphs ascii
done
for theme in contrast-dark contrast-light colour-blind-dark colour-blind-light; do
    frame "theme-$theme" 80x24 ':space xy<Enter>z' --colour 256 --theme $theme
done
frame theme-8 80x24 ':space xy<Enter>z' --colour 8
frame theme-none 80x24 ':space xy<Enter>z' --colour none
frame theme-halves 80x24 ':space xy<Enter>z' --colour 256 --glyphs halves
frame theme-marks-none 80x24 ':space xy<Enter>/bread<Enter>z' --colour none
for colour in 256 16 8; do
    set=tests/screen/data/mixed.csv
    frame "theme-marks-$colour" 80x24 ':space xy<Enter>/bread<Enter>z' --colour $colour
    frame "theme-light-marks-$colour" 80x24 ':space xy<Enter>/bread<Enter>z' --colour $colour \
        --theme light
    set=tests/screen/data/planted.csv
    frame "theme-leakage-$colour" 80x24 ':leakage original<Enter>z' --colour $colour
    frame "theme-light-leakage-$colour" 80x24 ':leakage original<Enter>z' --colour $colour \
        --theme light
done

frame trained-narration 80x24 '<space>:panel curves<Enter>zTj' --epochs 3 --seed 7
frame trained-quit 80x24 '<space>:panel curves<Enter>zq' --epochs 3 --seed 7
frame trained-again 80x24 '<space>:panel curves<Enter>z<space>' --epochs 3 --seed 7
for size in 80x24 120x40; do
    frame "trained-runs-selected-$size" $size '<space>:method oracle<Enter>:panel runs<Enter>zk' --epochs 3 --seed 7
done
frame trained-runs-sorted 80x24 '<space>:method oracle<Enter>:panel runs<Enter>z:sort loss<Enter>k' --epochs 3 --glyphs ascii
for size in 80x24 120x40; do
    frame "trained-versus-$size" $size '<space>:method centre<Enter>C:leakage versus<Enter>za' --epochs 3 --seed 7
done
frame trained-versus-ascii 120x40 '<space>:method centre<Enter>C:leakage verdict<Enter>za' --epochs 3 --seed 7 --glyphs ascii
frame versus-none 80x24 ':leakage versus<Enter>'
frame trained-replay 80x24 '<space>:panel curves<Enter>zp' --epochs 3 --seed 7
frame trained-replay-ascii 120x40 '<space>:panel curves<Enter>zp.p' --epochs 3 --seed 7 --glyphs ascii
frame trained-quit-runs 120x40 '<space>:method oracle<Enter>:panel curves<Enter>zq' --epochs 3 --seed 7

finish
