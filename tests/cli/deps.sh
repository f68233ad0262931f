#!/bin/sh
# What is said where libraries are missing. Nothing is installed here.
. tests/cli.sh

# assets/tools/deps on a machine that has the given commands only.
machine() { # command line, commands...
    line=$1
    shift
    rm -rf "${scratch:?}/bin"
    mkdir "$scratch/bin"
    for command in cut sed tr sort paste cat id ls env "$@"; do
        ln -s "$(command -v "$command")" "$scratch/bin/$command"
    done
    # shellcheck disable=SC2086 # a command line
    PATH=$scratch/bin PKG_CONFIG=none CC=none /bin/sh $line >"$out" 2>"$err" </dev/null
    status=$?
}

machine 'assets/tools/deps build'
exits 'missing libraries fail' 1
says 'they are named' "$err" 'missing: compiler, make, pkg-config, ncursesw, OpenBLAS, LAPACKE, libcsv, utf8proc'
says 'with their packages' "$err" 'libopenblas-dev liblapacke-dev libcsv-dev'
if grep -q cmocka "$err"; then fail 'cmocka is for the tests alone'; else pass 'cmocka is for the tests alone'; fi
machine 'assets/tools/deps check'
says 'the tests need cmocka and tmux' "$err" 'libcmocka-dev tmux'

machine 'assets/tools/deps install build'
exits 'no package manager: fails' 1
says 'and says so' "$err" 'no package manager'
says 'and names the packages' "$err" 'libcsv-dev'

# Each package manager that is there but fails has its own names.
printf '#!/bin/sh\nexit 1\n' >"$scratch/broken"
chmod +x "$scratch/broken"
for pair in dnf:libcsv-devel pacman:libutf8proc brew:utf8proc; do
    manager=${pair%%:*}
    mkdir -p "$scratch/$manager"
    cp "$scratch/broken" "$scratch/$manager/$manager"
    PATH=$scratch/$manager:$PATH
    machine 'assets/tools/deps install build' "$manager"
    PATH=${PATH#*:}
    exits "$manager fails" 1
    says "names for $manager" "$err" "${pair#*:}"
done

"${MAKE:-make}" BUILD="$scratch/build" PKG_CONFIG=none >"$out" 2>"$err" </dev/null
status=$?
if [ $status -ne 0 ]; then pass 'make stops'; else fail 'make stops'; fi
says 'make says what is missing' "$err" 'missing: pkg-config'
if grep -q 'fatal error' "$err"; then fail 'before it compiles' "$(cat "$err")"; else pass 'before it compiles'; fi
finish
