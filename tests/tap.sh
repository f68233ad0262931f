# shellcheck shell=sh
# TAP from the shell: ok/not ok lines, and a plan at the end, which reveals a script that
# stopped early. Sourced by tests/lint, tests/cli/* and tests/screen/*.

tap_count=0
tap_failed=0

pass() { # name
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

# Prints the details after the name, one per line.
fail() { # name [details]
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip() { # name why
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# Passes if the command succeeds; what it prints is why not.
succeeds() { # name command...
    tap_name=$1
    shift
    if tap_said=$("$@" 2>&1); then pass "$tap_name"; else fail "$tap_name" "$tap_said"; fi
}

# Passes if there is no offence; each line is one.
no_offence() { # name, offences
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$2"; fi
}

# Passes if the command prints nothing; each printed line is an offence.
rule() { # name command...
    tap_name=$1
    shift
    no_offence "$tap_name" "$("$@")"
}

finish() {
    echo "1..$tap_count"
    [ $tap_failed -eq 0 ]
    exit
}
