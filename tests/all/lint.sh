#!/bin/sh
# Every rule of tests/lint can fail: a copy of the sources with an offence against each.
. tests/cli.sh

copy=$scratch/copy
mkdir "$copy"
cp -R src include tests assets README.md "$copy" || exit 1
: >"$scratch/expected"

plant() { # file, text
    mkdir -p "$(dirname "$copy/$1")"
    printf '%b\n' "$2" >"$copy/$1"
}

# The rule must report the file.
offence() { # rule, file, text
    plant "$2" "$3"
    echo "$1|$2" >>"$scratch/expected"
}

offence 'a room includes' src/core/plant1.c '#include "data/dataset.h"'
offence 'a room includes' src/view/plant2.c '#include "explorer/session.h"'
offence 'a room includes' src/measure/plant3.c '#include "train/batch.h"'
offence 'a foreign header' src/view/plant4.c '#include <curses.h>'
offence 'a foreign header' src/measure/plant5.c '#include <cblas.h>'
offence 'a foreign header' src/data/plant6.c '#include <pthread.h>'
offence 'no source includes' src/view/plant7.c '#include "view/axes.c"'
offence 'the library does not print' src/data/plant8.c '/* a printf */\nvoid f(void)\n{\n    printf("x");\n}'
offence 'the library does not print' src/report/plant9.c 'void f(void)\n{\n    exit(1);\n}'
offence 'randomness' src/train/plant10.c 'int f(void)\n{\n    return rand();\n}'
offence 'the library allocates' src/view/plant11.c 'void *f(void)\n{\n    return malloc(1);\n}'
offence 'a line has at most' src/cli/plant12.c "/* $(printf %086d 0) */"
offence 'nothing is marked' src/cli/plant13.c "/* TO""DO: more */"
offence 'files and rooms' src/core/util.c '/* everything */'
offence 'files and rooms' src/plant/plant14.c '/* a room of its own */'
offence 'every header' src/core/plant15.h 'size_t use_undeclared_type(void);'
plant src/view/plant16.h '#include "view/plant17.h"'
plant src/view/plant17.c '#include "view/plant18.h"'
plant src/view/plant17.h ''
plant src/view/plant18.h '#include "view/plant16.h"'
echo 'no circle of modules in view|view/plant18' >>"$scratch/expected"
plant src/cli/plant19.h '#include "cli/plant20.h"'
plant src/cli/plant20.c '#include "cli/plant19.h"'
plant src/cli/plant20.h ''
echo 'no circle of modules in cli|cli/plant20' >>"$scratch/expected"
plant src/core/plant21.c ''
offence 'no two files' src/data/plant21.c ''
plant src/core/plant22.h 'typedef struct ig_plant {\n    int a;\n} ig_plant;'
offence 'a type has one' src/cli/plant23.c 'struct ig_plant {\n    float b;\n};'
plant src/core/plant24.c '/* as README.md says */'
offence 'comments name' src/core/plant25.c '/* one line and\n * as plants.md says */'
offence 'every suite' tests/unit/plant26.c ''
offence 'every suite' tests/unit/core/plant27.c 'SUITE(another)'
offence 'every golden frame' tests/scenes/golden/plant31.txt ''
yes '' | head -n 100000 >"$copy/src/view/plant28.c"
yes '' | head -n 40000 >"$copy/tests/plant29.h"
for number in $(seq 210); do plant "tests/scenes/golden/plant$number.txt" ''; done
for what in 'lines of src/view' 'lines of tests' 'golden frames'; do
    echo "the code does not grow|$what" >>"$scratch/expected"
done
plant src/view/plant30.c "$(yes '/* what is told lies beside it */' | head -n 20)"
echo 'plain technical English|words of the old dialect' >>"$scratch/expected"

# No offences, though they look like some.
plant src/data/plant40.c '/* printf(x) and exit(1),\n * malloc(2), rand() */\n// abort();\nconst char *f(void)\n{\n    return "printf(x) /* exit(1)";\n}'

# External tools are slow: replaced by stubs.
mkdir "$scratch/bin"
printf '#!/bin/sh\n' >"$scratch/bin/clang-format"
chmod +x "$scratch/bin/clang-format"
cp "$scratch/bin/clang-format" "$scratch/bin/shellcheck"
PATH=$scratch/bin:$PATH sh "$copy/tests/lint" >"$out" 2>"$err"

# Checks that the rule reports the file.
while IFS='|' read -r rule file; do
    succeeds "finds: $rule ($file)" awk -v rule="$rule" -v file="$file" '
        /^(not )?ok / { here = index($0, " - " rule) > 0 }
        here && index($0, file) { found = 1 }
        END { exit !found }' "$out"
done <"$scratch/expected"

for file in plant40 plant24; do
    no_offence "comments and strings are no offence ($file)" "$(grep "^# src/[a-z]*/$file" "$out")"
done
finish
