#!/bin/sh
# The command line: help, wrong usage, the config file, objectives, info, lost output.
. tests/cli.sh

XDG_CONFIG_HOME=$scratch/config
export XDG_CONFIG_HOME
mkdir -p "$XDG_CONFIG_HOME/isogloss"
config=$XDG_CONFIG_HOME/isogloss/config

# --- help and wrong usage ---------------------------------------------------------------
works 'version' --version
says 'version says which' "$out" '^isogloss [0-9]'
works 'help' --help
says 'help lists commands' "$out" '^  train '
works 'help of a command' train --help
says 'help of a command lists its options' "$out" '^  --patience N '
works 'help needs no data' search -h
works 'help of an option before the command' -h info
says 'it is the help of that command' "$out" '^usage: isogloss info'

works 'help as a command' help
"$ISOGLOSS" --help >"$scratch/help"
if cmp -s "$out" "$scratch/help"; then pass 'says what --help says'; else fail 'says what --help says'; fi
works 'help of a command by its name' help demo
says 'it is that of the command' "$out" '^usage: isogloss demo'
fails 'help of what is none' 2 "unknown command 'trian'; did you mean train?" help trian

fails 'no data: one line of usage' 2 'usage: isogloss train [OPTIONS] DATA... --out RUN' train
fails 'nothing at all: usage and where to look' 2 'isogloss demo'
fails 'neither command nor file' 2 "'trian' is neither a command nor a file that exists; did you mean train?" trian
fails 'a mistyped option' 2 'unknown option --epochz; did you mean --epochs?' train x --epochz 3
fails 'an option of another command' 2 'train takes no --k (search does)' train x --k 3
fails 'a value out of range' 2 "--valid must be at least 0 and less than 1, not '2'" train x --valid 2
says 'where help is' "$err" "^Try 'isogloss train --help'"
fails 'one word too many' 2 "unexpected argument 'x'" objectives seed x
fails 'control characters are made visible' 2 "$(printf 'a\342\220\233b')" "$(printf 'a\033b')"

# --- a terminal ---------------------------------------------------------------------------
printf '# \033]0;title\007 comes first\nextractor residual\npull 1 m(x) m(y)\n' >"$scratch/evil.objective"
works 'a file with control characters' objectives "$scratch/evil.objective"
if cmp -s "$out" "$scratch/evil.objective"; then pass 'a pipe gets its bytes'; else fail 'a pipe gets its bytes'; fi
if script -qec true /dev/null >/dev/null 2>&1; then # that of util-linux
    for options in '' --json; do
        script -qec "'$ISOGLOSS' objectives $options '$scratch/evil.objective'" /dev/null </dev/null >"$out" 2>&1
        says "a terminal gets the text $options" "$out" 'comes first'
        if LC_ALL=C tr -d '\r\n -~\200-\377' <"$out" | grep -q .; then
            fail "nothing drives the terminal $options" "$(od -c "$out" | head -5)"
        else
            pass "nothing drives the terminal $options"
        fi
    done
fi

# --- the config file ----------------------------------------------------------------------
printf 'seed = 7\nbacth = 3\n' >"$config"
works 'an unknown line of the config file' info
says 'is a warning' "$err" "^isogloss: warning: $config:2: unknown option 'bacth' is ignored; did you mean batch?\$"
printf 'seed = 7\nbatch = x\n' >"$config"
fails 'a wrong value in it' 2 "$config:2: batch must be" info
works 'help in spite of it' --help
printf 'threads = 3 # of my 8\nkey quit = q\n' >"$config"
works 'a good config file' info
says 'its options count' "$out" '^threads  *3 of'
says 'info names it' "$out" "^config  *$config"
works 'the command line counts more' info --threads 1
says 'one thread' "$out" '^threads  *1 of'
rm "$config"

# --- threads that were granted --------------------------------------------------------------
if command -v taskset >/dev/null 2>&1; then
    kept=$ISOGLOSS
    printf '#!/bin/sh\nexec taskset -c 0 "%s" "$@"\n' "$kept" >"$scratch/one"
    chmod +x "$scratch/one"
    ISOGLOSS=$scratch/one
    works 'one processor is granted' info
    says 'one thread then' "$out" '^threads  *1 of'
    ISOGLOSS=$kept
fi
SLURM_CPUS_PER_TASK=1 OMP_NUM_THREADS=7,2
export SLURM_CPUS_PER_TASK OMP_NUM_THREADS
works 'a batch job' info
says 'its word counts' "$out" '^threads  *1 of .*SLURM_CPUS_PER_TASK 1.*OMP_NUM_THREADS 7'
works 'as JSON' info --json
says 'the number' "$out" '"threads": 1,'
says 'what grants' "$out" '"OMP_NUM_THREADS": 7'
works 'more are asked for' info --threads 5
says 'at its word' "$out" '^threads  *5 of .*--threads 5, .*SLURM_CPUS_PER_TASK 1'
unset SLURM_CPUS_PER_TASK OMP_NUM_THREADS

# --- objectives ---------------------------------------------------------------------------
works 'objectives' objectives
says 'a preset a line' "$out" '^seed  *residual  *11 terms  *lr 0.0001  *patience 5  *SEED'
says 'one without terms' "$out" '^baseline  *identity  *no terms'
works 'an objective' objectives seed
says 'as text' "$out" '^pull 2 m(x) m(y)'
cp "$out" "$scratch/mine.objective"
works 'an objective of a file' objectives "$scratch/mine.objective"
if cmp -s "$out" "$scratch/mine.objective"; then pass 'is the same'; else fail 'is the same'; fi
works 'objectives --json' objectives --json
says 'their names' "$out" '"name": "oracle-code"'
if [ "$(sed -n 2p "$out")" = '  "isogloss": 1,' ]; then pass 'the version of the shape comes first'; else
    fail 'the version of the shape comes first' "$(head -n 3 "$out")"; fi
works 'an objective as JSON' objectives intra --json
says 'with its settings' "$out" '"settings": {"lr": 0.0001, "patience": 3}'
says 'with its terms' "$out" '{"name": "pull m(x) m(y)", "weight": 2.0}'
fails 'an unknown objective' 2 "there is no method 'sead': expected a preset (abtt, baseline," objectives sead
printf 'extractor residual\npull 1 m(x) n(y)\n' >"$scratch/bad.objective"
fails 'a bad objective' 1 "bad.objective:2:13:" objectives "$scratch/bad.objective"

# --- info ---------------------------------------------------------------------------------
works 'info' info
says 'the kernels' "$out" '^kernels  *\(base\|avx2\|avx512\)$'
says 'the demo set is found' "$out" '^demo .*demo.npy$'
works 'info --json' info --json
says 'the core' "$out" '"core": "[A-Za-z]'
OPENBLAS_CORETYPE=Haswell
export OPENBLAS_CORETYPE
works 'info with a core chosen by the user' info --json
says 'the choice stays' "$out" '"replaced": null'

# --- lost output --------------------------------------------------------------------------
if [ -c /dev/full ]; then
    "$ISOGLOSS" objectives seed >/dev/full 2>"$err"
    status=$?
    : >"$out"
    exits 'a full disk' 1
    says 'a full disk is reported' "$err" '^isogloss: cannot write to standard output: No space left on device$'
fi
"$ISOGLOSS" objectives seed >&- 2>"$err"
status=$?
exits 'no standard output' 1
says 'a closed standard output is reported' "$err" '^isogloss: cannot write to standard output: Bad file descriptor$'
{
    until [ -f "$scratch/gone" ]; do sleep 0.05; done
    "$ISOGLOSS" objectives seed 2>"$err"
    echo $? >"$scratch/status"
} | {
    exec <&-
    : >"$scratch/gone"
}
status=$(cat "$scratch/status")
exits 'a reader that has gone' 1
if [ -s "$err" ]; then fail 'it is no news' "$(cat "$err")"; else pass 'it is no news'; fi
# --- every JSON document says which shape it has ---------------------------------------------------
for command in 'info --json' "info $PWD/data/demo.npy --json" "search $PWD/data/demo.npy --row 3 --json" \
    "project $PWD/data/demo.npy --json --limit 20" "eval $PWD/data/demo.npy --limit 20 --json --measures alignment" \
    'objectives intra --json' "render $PWD/data/demo.npy --limit 20 --json"; do
    # shellcheck disable=SC2086 # words
    run $command
    if [ $status -eq 0 ] && [ "$(head -n 2 "$out" | tr -d ' \n')" = '{"isogloss":1,' ]; then
        pass "$command"
    else
        fail "$command" "$(last_output)"
    fi
done

# --- a locale of POSIX without LC_ALL ----------------------------------------------------------------
if locale -a 2>/dev/null | grep -qix 'C.utf-\{0,1\}8'; then
    measured="eval $PWD/data/demo.npy --limit 20 --measures alignment"
    # shellcheck disable=SC2086 # words
    {
        (
            unset LC_ALL LC_CTYPE
            LANG=C "$ISOGLOSS" $measured >"$scratch/posix" 2>&1
        )
        LC_ALL=C.UTF-8 "$ISOGLOSS" $measured >"$scratch/utf8" 2>&1
        LC_ALL=C "$ISOGLOSS" $measured >"$scratch/ascii" 2>&1
    }
    if cmp -s "$scratch/posix" "$scratch/utf8"; then pass 'counts as UTF-8'; else
        fail 'counts as UTF-8' "$(head -n 5 "$scratch/posix")"; fi
    if cmp -s "$scratch/ascii" "$scratch/utf8"; then fail 'LC_ALL=C stays ASCII'; else pass 'LC_ALL=C stays ASCII'; fi
fi
finish
