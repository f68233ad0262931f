#!/bin/sh
# make install puts the files in place, and make uninstall takes them away again.
. tests/cli.sh

# The very build that is tested: another spelling of its path would make it anew.
build=$(dirname "$ISOGLOSS")
build=${build#"$PWD"/}
make_() {
    "${MAKE:-make}" -s BUILD="$build" CC="${CC:-cc}" CFLAGS="${CFLAGS:--O2 -g}" \
        WERROR=-Werror DESTDIR="$scratch/to" "$@" 2>&1
}
succeeds 'make install' make_ install
to=$scratch/to/usr/local
for file in bin/isogloss include/isogloss.h lib/libisogloss.a lib/pkgconfig/isogloss.pc share/isogloss/demo.npy share/isogloss/demo.csv \
    share/isogloss/objectives/seed.objective share/man/man1/isogloss.1 \
    share/man/man7/isogloss-explorer.7 share/man/man7/isogloss-measures.7 \
    share/bash-completion/completions/isogloss; do
    succeeds "installs $file" [ -s "$to/$file" ]
done
succeeds 'the installed program runs' "$to/bin/isogloss" --version

# Programs of somebody else, built against what is installed and nothing else; no other library has
# its development files.
small_demo 60
flags=$(PKG_CONFIG_LIBDIR=$to/lib/pkgconfig PKG_CONFIG_PATH='' "${PKG_CONFIG:-pkg-config}" --define-prefix \
    --cflags --libs isogloss)
for name in example figures; do
    # shellcheck disable=SC2086 # a list of flags
    succeeds "the program $name is built" ${CC:-cc} -std=c11 -Wall -Wextra -Werror \
        -o "$scratch/$name" "tests/cli/$name.c" ${SANFLAGS:-} $flags
done
with_library() { # program: runs it on the set and the run
    LD_LIBRARY_PATH=$to/lib DYLD_LIBRARY_PATH=$to/lib \
        "$scratch/$1" "$scratch/demo.npy" "$scratch/run" >"$out" 2>"$err"
    status=$?
    exits "$1 runs" 0
    no_offence "$1 is silent" "$(cat "$err")"
}
with_library example
says 'it trains' "$out" '^epoch 2: loss [0-9.]*$'
says 'it measures' "$out" '^top-1 0\.[0-9]* before, 0\.[0-9]* after$'
says 'it searches' "$out" '^en .* | 0\.[0-9]* '
works 'the program reads its run' eval "$scratch/demo.npy" --run "$scratch/run" --format csv --quiet

# Every figure of the program, the library and the Python package is the same.
tail -n +2 "$out" | cut -d, -f3-11 >"$scratch/program"
equal() { # name, of the rows of $out
    succeeds "$1" awk -F, 'FNR == NR { row[$1 "," $2 "," $3 "," $4] = $0; rows++; next }
        { rows--; n = split(row[$1 "," $2 "," $3 "," $4], is); bad = n != 9
          for (i = 5; i < 10; i++) bad += ($i == "") != (is[i] == "") || ($i - is[i]) ^ 2 > 1e-24 * (1 + $i ^ 2)
          if (bad) { print row[$1 "," $2 "," $3 "," $4] "; " $0; exit 1 } }
        END { if (rows) { print rows " more rows"; exit 1 } }' "$scratch/program" "$out"
}
with_library figures
equal 'every figure of the library'
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
' "$scratch/demo.npy" "$scratch/run" >"$out" 2>"$err"
    equal 'every figure of the Python package'
fi
# Where a distribution puts things, in a path with a space; the library has its version in its name.
for goal in install uninstall; do
    succeeds "make $goal to other places" make_ $goal DESTDIR="$scratch/a deb" \
        LIBDIR=/usr/local/lib/here INCLUDEDIR=/usr/include/there MANDIR=/usr/man
    [ $goal = install ] || break
    for file in local/lib/here/libisogloss.a local/lib/here/pkgconfig/isogloss.pc include/there/isogloss.h man/man1/isogloss.1 man/man7/isogloss-explorer.7; do
        succeeds "installs $file" [ -s "$scratch/a deb/usr/$file" ]
    done
    says 'pkg-config knows' "$scratch/a deb/usr/local/lib/here/pkgconfig/isogloss.pc" '^libdir=${prefix}/lib/here$'
done
no_offence 'and takes it away' "$(find "$scratch/a deb" -type f)"
version=$("$ISOGLOSS" --version | sed 's/^isogloss //')
if [ "$(uname -s)" = Linux ]; then
    abi=${version%.*} # before 1.0 a minor version has an interface of its own
    succeeds 'the shared library has its version' \
        [ "$(readlink "$to/lib/libisogloss.so.$abi")" = "libisogloss.so.$version" ]
    readelf -d "$scratch/example" >"$out"
    says 'which the example needs' "$out" "NEEDED.*libisogloss\.so\.$abi\]"
fi
succeeds 'make uninstall' make_ uninstall
no_offence 'leaves no files' "$(find "$scratch/to" -type f)"
finish
