#!/bin/sh
# Themes with the real program on a real terminal: one that tells its background, one that
# does not, the option, and keys pressed before the answer.
. tests/screen.sh

# tmux answers for the background of its windows, where that is set.
paper() { # colour, or default
    tmux_ set-option -g window-style "bg=$1"
}

# The program's own background is the terminal's: what tells a theme is the mark of the
# panel in focus, 75 of 256 on dark and 25 on light.
inks() { tmux_ capture-pane -p -e -t : | grep -q -e "38;5;$1m"; }
inked() { # name number
    becomes "$1" inks "$2"
}
leave() {
    keys q
    await '^ready> *$'
}

terminal 80 24
settings before
paper '#fdf6e3'
type_in 'isogloss tests/scenes/data/planted.csv'
inked 'a light terminal has the light theme' 25
leave

paper '#101010'
type_in 'isogloss tests/scenes/data/planted.csv'
inked 'a dark terminal has the dark theme' 75
leave

# Keys that are there before the answer is.
paper '#ffffff'
tmux_ send-keys -t : -l 'isogloss tests/scenes/data/planted.csv'
tmux_ send-keys -t : Enter z '?'
shows 'keys before the answer are kept' '┌ help'
keys Escape
gone 'in their order' '┌ loss'
inked 'beside the answer' 25
leave

type_in 'isogloss tests/scenes/data/planted.csv --theme dark'
inked 'the option is what was chosen' 75
leave
mkdir -p "$scratch/config/isogloss"
echo 'theme = light' >"$scratch/config/isogloss/config"
type_in 'isogloss tests/scenes/data/planted.csv'
inked 'the configuration file chooses one' 25
leave
rm "$scratch/config/isogloss/config"

type_in 'isogloss tests/scenes/data/planted.csv --colour none'
shows 'no colours where none are wanted' 'map .*PC1'
no_offence 'and none are there' "$(tmux_ capture-pane -p -e -t : | grep '[34]8;5;')"
leave
terminal_is_sane "and the terminal is as before"

# A terminal that does not answer.
terminal 80 24 xterm-256color
type_in 'isogloss tests/scenes/data/planted.csv'
inked 'it is taken for dark' 75
leave
type_in 'COLORFGBG="0;15" isogloss tests/scenes/data/planted.csv'
inked 'but for light where COLORFGBG says so' 25
keys q
shows 'and nothing is left behind' '^ready> *$'

# The Linux console is not asked, and has no braille.
terminal 80 24 linux
type_in 'isogloss tests/scenes/data/planted.csv'
shows 'it opens on the Linux console' 'map .*PC1'
no_offence 'without braille' "$(screen | LC_ALL=C grep "$(printf '\342[\240-\243]')")"
leave
type_in 'isogloss --glyphs braille tests/scenes/data/planted.csv'
shows 'which can be chosen' '┌ map'
keys q
shows 'and the prompt has a line of its own' '^ready> *$'
finish
