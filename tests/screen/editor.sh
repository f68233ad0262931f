#!/bin/sh
# The user's own editor in the real program: it has the terminal while it is open, training
# goes on, and what it leaves is started or its mistake told.
. tests/screen.sh

terminal 100 30
settings before

# An editor that asks for a line and puts it into the file.
cat >"$scratch/bin/ask" <<'EOF'
#!/bin/sh
grep '^lr ' "$1"
printf 'line> '
read -r line || exit 7
[ -z "$line" ] || printf '%s\n' "$line" >>"$1"
EOF
chmod +x "$scratch/bin/ask"

type_in "EDITOR=ask TMPDIR=$scratch isogloss data/demo.npy --lr 1e-3 --epochs 1000000 --patience 0"
shows 'it opens' 'demo .*4,800 rows'
keys Space
shows 'it trains' 'seed ▸ epoch [1-9]'

keys :
keys -l edit
keys Enter
shows 'the editor has the terminal' '^line>'
keys C-c
shows 'Ctrl-C was the editor, not the run' 'seed ▸ epoch '
shows 'nothing is started by it' 'editor .ask. failed; no run started'

keys :
keys -l edit
keys Enter
shows 'it opens again' '^line>'
type_in 'pull 1 m(x) q(y)'
shows 'a mistake is told with line and column' ':[0-9]*:13: .q(y)'
shows 'and the run goes on' 'seed ▸ epoch [1-9]'
first=$(number 'epoch \([0-9][0-9]*\)')
becomes 'epochs follow one another' number_above 'epoch \([0-9][0-9]*\)' "${first:-0}"

keys :
keys -l 'edit seed'
keys Enter
shows 'with a method' '^line>'
shows 'and the rate that is used' '^lr 0.001'
type_in 'push 1 m(x) l(x) name=mine'
shows 'what was written is started' '2 seed (mine 1) ▸ epoch [1-9]'
keys e
shows 'with the new term' 'weights mine  *weight 1'
keys Escape
gone 'Esc closes the command line' 'weights mine'

keys ,
shows ', looks back while it trains' 'looking at epoch'
first=$(number 'of \([0-9][0-9]*\)')
becomes 'and it goes on' number_above 'of \([0-9][0-9]*\)' "${first:-0}"
keys Escape
gone 'Esc looks no longer back' 'looking at'

keys q
shows 'q asks' 'not saved'
keys q
shows 'q leaves' '^ready> *$'
terminal_is_sane 'the terminal is as before'
finish
