#!/bin/sh
# Every rule of tests/lint can fail: a copy of the sources with one offence each.
. tests/cli.sh

copy=$scratch/copy
mkdir "$copy"
cp -R src tests assets "$copy" || exit 1

offence() { # rule, file, text
    mkdir -p "$(dirname "$copy/$2")"
    printf '%b\n' "$3" >"$copy/$2"
    if sh "$copy/tests/lint" "$1" 2>&1 | grep -q "^# $2"; then
        pass "finds: $1 ($2)"
    else
        fail "finds: $1 ($2)"
    fi
    rm "$copy/$2"
}

offence 'a room includes' src/base/plant.c '#include "data/set.h"'
offence 'a room includes' src/draw/plant.c '#include "worker/session.h"'
offence 'a room includes' src/measure/plant.c '#include "learn/plan.h"'
offence 'a foreign header' src/draw/plant.c '#include <curses.h>'
offence 'a foreign header' src/search/plant.c '#include <cblas.h>'
offence 'a foreign header' src/data/plant.c '#include <pthread.h>'
offence 'no source includes' src/map/plant.c '#include "map/pca.c"'
offence 'the library does not print' src/data/plant.c '/* a printf */\nvoid f(void)\n{\n    printf("x");\n}'
offence 'the library does not print' src/worker/plant.c 'void f(void)\n{\n    exit(1);\n}'
offence 'randomness' src/learn/plant.c 'int f(void)\n{\n    return rand();\n}'
offence 'the library allocates' src/map/plant.c 'void *f(void)\n{\n    return malloc(1);\n}'
offence 'a file has at most' src/tui/plant.c "$(awk 'BEGIN { for (i = 0; i < 901; i++) print "/**/" }')"
offence 'a line has at most' src/cli/plant.c "/* $(printf %086d 0) */"
offence 'nothing is marked' src/cli/plant.c "/* TO""DO: more */"
offence 'files and rooms' src/base/util.c '/* everything */'
offence 'every header' src/base/plant.h 'size_t nobody_said_what_this_is(void);'

# What only looks like an offence.
printf '%s\n' '/* printf(x) and exit(1),' ' * malloc(2) */' '// abort();' \
    'const char *f(void);' 'const char *f(void)' '{' '    return "printf(\"x\") /* exit(1)";' '}' \
    >"$copy/src/data/plant.c"
for kind in 'the library' 'randomness'; do
    found=$(sh "$copy/tests/lint" "$kind" | grep '^# src/data/plant.c')
    if [ -z "$found" ]; then
        pass "comments and strings are no offence ($kind)"
    else
        fail "comments and strings are no offence ($kind)" "$found"
    fi
done
finish
