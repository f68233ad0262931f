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
for file in bin/isogloss include/isogloss.h lib/libisogloss.a lib/pkgconfig/isogloss.pc share/isogloss/demo.npy share/isogloss/demo.csv \
    share/isogloss/objectives/seed.objective share/man/man1/isogloss.1 \
    share/man/man7/isogloss-explorer.7 share/man/man7/isogloss-measures.7 \
    share/bash-completion/completions/isogloss; do
    if [ -s "$to/$file" ]; then pass "installs $file"; else fail "installs $file"; fi
done
if "$to/bin/isogloss" --version >/dev/null; then
    pass 'the installed program runs'
else
    fail 'the installed program runs'
fi

# A program of somebody else, built against what is installed and nothing else.
small_demo 60
example() { # name, flags of pkg-config...
    example_name=$1
    shift
    # Where no other library has its development files.
    flags=$(PKG_CONFIG_LIBDIR=$to/lib/pkgconfig PKG_CONFIG_PATH='' "${PKG_CONFIG:-pkg-config}" --define-prefix \
        --cflags --libs "$@" isogloss)
    # shellcheck disable=SC2086 # a list of flags
    if ${CC:-cc} -std=c11 -Wall -Wextra -Werror -o "$scratch/example" tests/cli/example.c \
        ${SANFLAGS:-} $flags >"$scratch/said" 2>&1; then
        pass "$example_name is built"
    else
        fail "$example_name is built" "$flags
$(cat "$scratch/said")"
    fi
    LD_LIBRARY_PATH=$to/lib DYLD_LIBRARY_PATH=$to/lib \
        "$scratch/example" "$scratch/demo.npy" "$scratch/run" >"$out" 2>"$err"
    status=$?
    exits "$example_name runs" 0
    says "$example_name trains" "$out" '^epoch 2: loss [0-9.]*$'
    says "$example_name measures" "$out" '^top-1 0\.[0-9]* before, 0\.[0-9]* after$'
    says "$example_name searches" "$out" '^en .* | 0\.[0-9]* '
    if [ -s "$err" ]; then fail "$example_name is silent" "$(cat "$err")"; else pass "$example_name is silent"; fi
}
example 'an example with the shared library'
works 'the program reads its run' eval "$scratch/demo.npy" --run "$scratch/run" --format csv --quiet

# Every figure of the program, the library and the Python package is the same.
tail -n +2 "$out" | cut -d, -f3-11 >"$scratch/program"
equal() { # name, rows
    if [ "$(wc -l <"$2")" -eq "$(wc -l <"$scratch/program")" ] && awk -F, 'FNR == NR { row[$1 "," $2 "," $3 "," $4] = $0; next }
        { n = split(row[$1 "," $2 "," $3 "," $4], is); bad = n != 9
          for (i = 5; i < 10; i++) bad += ($i == "") != (is[i] == "") || ($i - is[i]) ^ 2 > 1e-24 * (1 + $i ^ 2)
          if (bad) { print row[$1 "," $2 "," $3 "," $4] "; " $0; exit 1 } }' "$scratch/program" "$2" >"$scratch/differs"; then pass "$1"; else
        fail "$1" "$(cat "$err" "$scratch/differs")"; fi
}
# shellcheck disable=SC2086 # a list of flags
if ${CC:-cc} -std=c11 -Wall -Wextra -Werror -o "$scratch/figures" tests/cli/figures.c ${SANFLAGS:-} $flags >"$err" 2>&1; then
    LD_LIBRARY_PATH=$to/lib DYLD_LIBRARY_PATH=$to/lib "$scratch/figures" "$scratch/demo.npy" "$scratch/run" >"$scratch/library" 2>"$err"
    equal 'every figure of the library' "$scratch/library"
else
    fail 'a program for the figures' "$(cat "$err")"
fi
if [ -n "${SANFLAGS:-}" ] || ! python3 -c 'import numpy' 2>/dev/null; then
    skip 'every figure of the Python package' 'no numpy, or a sanitizer'
else
    ISOGLOSS_LIBRARY=$(find "$to/lib" -name 'libisogloss.so' -o -name 'libisogloss.dylib') \
        PYTHONPATH=assets/python PYTHONDONTWRITEBYTECODE=1 python3 -c '
import isogloss, math, sys
data = isogloss.Set.open(sys.argv[1])
run = data.extractor(sys.argv[2])
for space in "original", "meaning", "language":
    for row in data.evaluate(None if space == "original" else run, space).rows():
        print(space, row["measure"], row["from"] or "", row["to"] or "", row["n"], *(
            "" if math.isnan(row[key]) else repr(row[key]) for key in ("value", "chance", "low", "high")), sep=",")
' "$scratch/demo.npy" "$scratch/run" >"$scratch/python" 2>"$err"
    equal 'every figure of the Python package' "$scratch/python"
fi
# Where a distribution puts things, in a path with a space; the library has its version in its name.
for goal in install uninstall; do
    make_ $goal DESTDIR="$scratch/a deb" LIBDIR=/usr/local/lib/here INCLUDEDIR=/usr/include/there \
        MANDIR=/usr/man || fail "make $goal" "$(cat "$scratch/make")"
    [ $goal = install ] || break
    for file in local/lib/here/libisogloss.a local/lib/here/pkgconfig/isogloss.pc include/there/isogloss.h man/man1/isogloss.1 man/man7/isogloss-explorer.7; do
        if [ -s "$scratch/a deb/usr/$file" ]; then pass "installs $file"; else fail "installs $file"; fi
    done
    says 'pkg-config knows' "$scratch/a deb/usr/local/lib/here/pkgconfig/isogloss.pc" '^libdir=${prefix}/lib/here$'
done
left=$(find "$scratch/a deb" -type f)
if [ -z "$left" ]; then pass 'and takes it away'; else fail 'and takes it away' "$left"; fi
version=$("$ISOGLOSS" --version | sed 's/^isogloss //')
if [ "$(uname -s)" = Linux ]; then
    abi=${version%.*} # before 1.0 a minor version has an interface of its own
    if [ "$(readlink "$to/lib/libisogloss.so.$abi")" = "libisogloss.so.$version" ] &&
        readelf -d "$scratch/example" | grep -q "NEEDED.*libisogloss\.so\.$abi\]"; then
        pass 'the shared library has its version'
    else
        fail 'the shared library has its version' "$(ls -l "$to/lib")"
    fi
fi
make_ uninstall
left=$(find "$scratch/to" -type f)
if [ -z "$left" ]; then pass 'make uninstall'; else fail 'make uninstall leaves files' "$left"; fi
finish
