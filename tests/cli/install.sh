#!/bin/sh
# make install puts the files in place, and make uninstall takes them away again.
. tests/cli.sh

# The very build that is tested: another spelling of its path would make it anew.
build=$(dirname "$ISOGLOSS")
build=${build#"$PWD"/}
make_() {
    "${MAKE:-make}" -s BUILD="$build" CC="${CC:-cc}" CFLAGS="${CFLAGS:--O2 -g}" \
        WERROR=-Werror DESTDIR="$scratch/to" "$@" >"$scratch/make" 2>&1
}
if make_ install; then pass 'make install'; else fail 'make install' "$(cat "$scratch/make")"; fi
to=$scratch/to/usr/local
for file in bin/isogloss share/isogloss/demo.npy share/isogloss/demo.csv \
    share/isogloss/objectives/seed.objective share/man/man1/isogloss.1 \
    share/bash-completion/completions/isogloss; do
    if [ -s "$to/$file" ]; then pass "installs $file"; else fail "installs $file"; fi
done
if "$to/bin/isogloss" --version >/dev/null; then
    pass 'the installed program runs'
else
    fail 'the installed program runs'
fi
make_ uninstall
left=$(find "$scratch/to" -type f)
if [ -z "$left" ]; then pass 'make uninstall'; else fail 'make uninstall leaves files' "$left"; fi
finish
