#!/bin/sh
# The user's own editor in the real program: it has the terminal while it is open, training
# goes on, and what it leaves is started or its mistake told.
. tests/screen.sh

terminal 100 30
settings before
enter() { # a line of the explorer
    keys :
    keys -l "$1"
    keys Enter
}

# An editor that asks for a line and puts it into the file. By the name of one that takes it,
# it gets the line to begin at, too.
cat >"$scratch/bin/nano" <<'EOF'
#!/bin/sh
printf 'began %s' "$1"
case $1 in +*) begin=${1#+}; shift ;; esac
printf ' at %s\n' "$(sed -n "${begin:-1}p" "$1")"
grep '^lr \|^push ' "$1"
printf 'line> '
read -r line || exit 7
[ -z "$line" ] || printf '%s\n' "$line" >>"$1"
EOF
chmod +x "$scratch/bin/nano"
ln -s nano "$scratch/bin/ask"

type_in "EDITOR=ask TMPDIR=$scratch isogloss data/demo.npy --lr 1e-3 --epochs 1000000 --patience 0"
shows 'it opens' 'demo .*4,800 rows'
keys Space
shows 'it trains' 'seed ▸ epoch [1-9]'

enter edit
shows 'the editor has the terminal' '^line>'
keys C-c
shows 'Ctrl-C was the editor, not the run' 'seed ▸ epoch '
shows 'nothing is started by it' 'failed: exit 130; no run started'

enter edit
shows 'it opens again' '^line>'
type_in 'pull 1 m(x) q(y)'
shows 'a mistake is named by line and column' ':[0-9]*:13\>'
shows 'and the run continues' 'seed ▸ epoch [1-9]'
first=$(number 'epoch \([0-9][0-9]*\)')
becomes 'epochs follow one another' number_above 'epoch \([0-9][0-9]*\)' "${first:-0}"

enter edit
shows 'the refused text opens again, of an editor without line numbers at its begin' '^began /.* at '
shows 'with what was written' '^line>'
type_in 'pull 1 m(x) q(y)'
shows 'it is refused again' ':[0-9]*:13\>'

enter 'edit seed'
shows 'with a method' '^line>'
shows 'and the rate that is used' '^lr 0.001'
type_in 'push 1 m(x) l(x) name=mine'
shows 'what was written is started' '2 seed (mine 1) ▸ epoch [1-9]'
keys e
shows 'with the new term' 'weights mine  *weight 1'
keys -l 'mine 2.5'
keys Enter
shows 'its weight is set' '2 seed (mine 2.5)'

enter edit
shows 'and counts in the editor' '^push 2.5 m(x) l(x) name=mine'
keys Enter
shows 'nothing was changed' 'unchanged; no run started'

keys ,
shows ', looks back while it trains' 'looking at epoch'
first=$(number 'of \([0-9][0-9]*\)')
becomes 'and it continues' number_above 'of \([0-9][0-9]*\)' "${first:-0}"
keys Escape
gone 'Esc looks no longer back' 'looking at'

keys q
shows 'q asks' 'not saved'
keys q
shows 'q leaves' '^ready> *$'

no_offence 'and leaves no copy' "$(ls -d "$scratch"/isogloss-* 2>/dev/null)"

type_in "clear; EDITOR=nano TMPDIR=$scratch isogloss data/demo.npy"
shows 'another editor' 'demo .*4,800 rows'
enter edit
shows 'begins a text at its first line' '^began +1 at '
type_in 'pull 1 m(x) z(y)'
shows 'whose mistake is named' ':[0-9]*:13\>'
enter edit
shows 'and begins the refused text there' '^began +[0-9]* at pull 1 m(x) z(y)'
keys Enter
shows 'which is left as it is' 'unchanged; no run started'
keys q
shows 'without a run q asks nothing' '^ready> *$'
terminal_is_sane 'the terminal is as before'
finish
