#!/bin/sh
# y on a real terminal: what it copies comes into tmux's own clipboard.
. tests/screen.sh

buffer() { tmux_ show-buffer 2>/dev/null; }
holds() { [ "$(buffer)" = "$1" ]; }
set='tests/scenes/data/planted.csv'

terminal 80 24
tmux_ set-option -s set-clipboard on
type_in "isogloss $set"
shows 'the explorer' 'neighbours of #0 en'
keys y
shows 'says what it copied' 'copied.*: The bridge is closed'
becomes 'the clipboard holds it' holds 'The bridge is closed today.'
shows 'the neighbours are found' 'en Nobody heard the bell\.'
tmux_ send-keys -t : -l "$(printf '\033[M *4\033[M#*4')" # pressed and released at once
shows 'a click selects one' 'Enter show '
keys y
shows 'a neighbour' 'copied.*: Nobody heard the bell\.'
becomes 'is copied as well' holds 'Nobody heard the bell.'
gone 'nothing of it is seen on the screen' ']52;'
keys q
shows 'the shell is back' '^ready>'

terminal 80 24 linux
tmux_ set-option -s set-clipboard on
type_in "isogloss $set"
shows 'a terminal without a clipboard' 'neighbours of #0 en'
keys y
shows 'says so' 'copy failed'
keys q
shows 'and lives on' '^ready>'
finish
