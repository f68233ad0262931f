# shellcheck shell=sh
# The real program on a real terminal: a private tmux server with one pane, keys in,
# screen out. Sourced by tests/screen/*.sh.
#
#   terminal 80 24                 a fresh pane of that size with a shell in it
#   type_in 'isogloss demo'        a line for the shell (isogloss is the program under test)
#   keys '/' Enter C-c             keys, by tmux's names
#   shows NAME PATTERN             passes once the screen matches; fails at the deadline
#   gone NAME PATTERN              passes once it matches no more
#   number PATTERN                 the number on the screen at \( \) of the pattern
#   resize 60 20
#
# There are no fixed delays: the screen is polled until it matches, or until the deadline,
# which only a hanging program reaches.
. tests/tap.sh

ISOGLOSS=${ISOGLOSS:-$PWD/build/isogloss}
DEADLINE=${DEADLINE:-300} # seconds
scratch=$(mktemp -d "${TMPDIR:-/tmp}/screen.XXXXXX") || exit 1
mkdir -p "$scratch/bin" "$scratch/config"
ln -s "$ISOGLOSS" "$scratch/bin/isogloss"
trap 'tmux_ kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

# The pane sees these variables and no others. Each terminal of each script is a server, on a
# socket of its own, whose path must be short.
terminals=0
tmux_() {
    env -i PATH="$scratch/bin:$PATH" HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" \
        LC_ALL="${LC_ALL:-C.UTF-8}" TERM=xterm-256color TMUX_TMPDIR=/tmp \
        ISOGLOSS_DATA="${ISOGLOSS_DATA-}" tmux -u -L "isogloss-$$-$terminals" -f /dev/null "$@"
}

terminal() { # columns rows [TERM]
    tmux_ kill-server 2>/dev/null
    # Another socket: the old server may still be on its way out.
    terminals=$((terminals + 1))
    tmux_ new-session -d -x "$1" -y "$2" \
        "cd '$PWD'; TERM=${3:-screen-256color} PS1='ready> ' ENV= exec sh -i" || exit 1
    await '^ready>' || { echo "# the shell did not start"; exit 1; }
}

screen() {
    tmux_ capture-pane -p -t :
}

keys() {
    tmux_ send-keys -t : "$@"
}

type_in() {
    tmux_ send-keys -t : -l "$1"
    tmux_ send-keys -t : Enter
}

resize() { # columns rows
    tmux_ resize-window -t : -x "$1" -y "$2"
}

# Polls until a command that checks the screen succeeds.
wait_for() { # command...
    deadline=$(($(date +%s) + DEADLINE))
    until "$@"; do
        [ "$(date +%s)" -lt $deadline ] || return 1
        sleep 0.05
    done
}

matches() { screen | grep -q -e "$1"; }
matches_not() { ! matches "$1"; }
await() { wait_for matches "$1"; }

shows() { # name pattern
    if await "$2"; then pass "$1"; else fail "$1" "no /$2/ on this screen:
$(screen)"; fi
}

gone() { # name pattern
    if wait_for matches_not "$2"; then pass "$1"; else fail "$1" "still /$2/ on this screen:
$(screen)"; fi
}

# Passes once the command succeeds.
becomes() { # name command...
    becomes_name=$1
    shift
    if wait_for "$@"; then pass "$becomes_name"; else fail "$becomes_name" "not ($*) on this screen:
$(screen)"; fi
}

number() { # pattern with \( \)
    screen | sed -n "s/.*$1.*/\\1/p" | head -n 1
}

number_above() { # pattern limit
    found=$(number "$1")
    [ -n "$found" ] && [ "$found" -gt "$2" ]
}

# A line's worth of the terminal's settings, without its size.
settings() { # file
    rm -f "$scratch/$1"
    type_in "stty -a >$scratch/$1.part; mv $scratch/$1.part $scratch/$1"
    wait_for test -f "$scratch/$1" || return 1
    sed 's/rows [0-9]*; columns [0-9]*;//' "$scratch/$1" >"$scratch/$1.settings"
}

# The terminal after the program is as it was before: settings, cursor, main screen.
terminal_is_sane() { # name
    found=$(settings after && diff "$scratch/before.settings" "$scratch/after.settings" 2>&1) ||
        found="the settings differ, or the shell does not answer: $found"
    modes=$(tmux_ display-message -p -t : '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag} #{keypad_flag}')
    [ "$modes" = '0 1 0 0 0' ] || found="$found
alternate screen, cursor, mouse, keys twice: $modes, not 0 1 0 0 0"
    no_offence "$1" "$found"
}

# The process of the program in the pane: the shell's child.
program_pid() {
    shell=$(tmux_ display-message -p -t : '#{pane_pid}')
    for stat in /proc/[0-9]*/stat; do
        # pid (name) state parent; a name may hold spaces, so cut at the last bracket
        parent=$(sed 's/^.*) [A-Za-z] \([0-9]*\) .*/\1/' "$stat" 2>/dev/null)
        [ "$parent" = "$shell" ] && echo "$stat" | sed 's|/proc/\([0-9]*\)/stat|\1|' && return
    done
    ps -o pid= -o ppid= -A 2>/dev/null | awk -v shell="$shell" '$2 == shell { print $1; exit }'
}
