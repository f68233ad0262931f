#!/bin/sh
# A Debian package of this tree: the obvious recipe, built by dpkg-buildpackage with the
# distribution's hardening (and -O1 -g0, which takes half the time), has no error for lintian.
. tests/cli.sh

for tool in dpkg-buildpackage dh lintian; do
    command -v $tool >/dev/null 2>&1 || { echo "1..0 # SKIP there is no $tool" && exit 0; }
done

version=$(sed -n 's/^#define ISOGLOSS_VERSION *"\(.*\)"/\1/p' include/isogloss.h)
tree=$scratch/isogloss-$version
library=libisogloss${version%.*} # before 1.0 the soname has the minor version
mkdir -p "$tree/debian/source"
cp -R src include assets data Makefile README.md LICENSE "$tree"
find "$tree" \( -name __pycache__ -o -name build \) -prune -exec rm -rf {} +
cd "$tree/debian" || exit 1
cat >control <<END
Source: isogloss
Section: science
Priority: optional
Maintainer: isogloss authors <isogloss@example.org>
Build-Depends: debhelper-compat (= 13), libncurses-dev, libopenblas-dev, liblapacke-dev, libcsv-dev, libutf8proc-dev,
 libjansson-dev, libcurl4-openssl-dev, libcairo2-dev, zlib1g-dev, pkgconf | pkg-config
Standards-Version: 4.6.2
Rules-Requires-Root: no

Package: isogloss
Architecture: any
Depends: \${misc:Depends}, \${shlibs:Depends}
Description: explorer for multilingual sentence embeddings
 Trains extractors of meaning and language embeddings in a terminal, draws maps,
 finds neighbours, and shows where language leaks into meaning.

Package: $library
Section: libs
Architecture: any
Depends: \${misc:Depends}, \${shlibs:Depends}
Description: explorer for multilingual sentence embeddings (library)
 Extractors, measures, search and projection for programs.

Package: libisogloss-dev
Section: libdevel
Architecture: any
Depends: \${misc:Depends}, $library (= \${binary:Version})
Description: explorer for multilingual sentence embeddings (headers)
 Header and static library for programs that use isogloss.
END
printf '%s\n' usr/bin usr/share/isogloss usr/share/man usr/share/bash-completion usr/share/zsh usr/share/fish >isogloss.install
echo 'usr/lib/*/*.so.*' >"$library.install"
printf '%s\n' usr/include 'usr/lib/*/*.a' 'usr/lib/*/*.so' usr/lib/*/pkgconfig >libisogloss-dev.install
printf 'isogloss (%s-1) unstable; urgency=medium\n\n  * A release.\n\n -- isogloss authors <isogloss@example.org>  %s\n' \
    "$version" 'Sun, 01 Nov 2026 12:00:00 +0000' >changelog
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: isogloss\n\n'
    printf 'Files: *\nCopyright: 2026 the isogloss authors\nLicense: Expat\n'
    sed '1,/^Copyright/d' "$tree/LICENSE" | sed '/./,$!d; s/^$/./; s/^/ /'
} >copyright
echo '3.0 (quilt)' >source/format
cat >rules <<'END'
#!/usr/bin/make -f
include /usr/share/dpkg/architecture.mk
include /usr/share/dpkg/buildtools.mk
export DEB_BUILD_MAINT_OPTIONS = hardening=+all
export DEB_CFLAGS_MAINT_APPEND = -O1 -g0
ARGS = V=1 PREFIX=/usr LIBDIR=/usr/lib/$(DEB_HOST_MULTIARCH)
%:
	dh $@
override_dh_auto_build:
	dh_auto_build -- $(ARGS)
override_dh_auto_install:
	dh_auto_install -- $(ARGS)
override_dh_auto_test:
END
chmod +x rules
cd "$tree" || exit 1

# The compiler may be reached through another program, whose cache is not in this HOME.
env -u CC -u CFLAGS -u MAKEFLAGS dpkg-buildpackage -b -us -uc -d -j2 >"$scratch/build.log" 2>&1
if [ $? -eq 0 ]; then pass 'dpkg-buildpackage builds it'; else
    fail 'dpkg-buildpackage builds it' "$(tail -n 40 "$scratch/build.log")"
    finish
fi
cd "$scratch" || exit 1
lintian --allow-root --fail-on error --tag-display-limit 0 ./*.changes >"$out" 2>"$err"
status=$?
exits 'lintian finds no error' 0
refused=$(grep '^E:' "$out")
no_offence 'not one' "$refused"
hardened=$(grep '^W:.*hardening' "$out")
no_offence 'programs and library are hardened' "$hardened"
dpkg-deb -c "./$library"_*.deb >"$out"
says 'the library is in its package' "$out" 'libisogloss\.so\.0'
finish
