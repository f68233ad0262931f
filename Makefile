# isogloss: build, test, install.   make demo · make check · make help
#
#   make               build/isogloss and build/libisogloss.a
#   make demo          install what is missing, build, open the explorer on the demo set
#   make check         install what is missing, build, run every test
#   make deps          install the libraries (apt-get, dnf, pacman, brew)
#   make bench         speed figures with their floors
#   make fuzz          the readers under the fuzzer (clang), FUZZ_SECONDS each
#   make install       PREFIX=/usr/local DESTDIR=
#   make lint fmt clean uninstall

VERSION := 0.1.0
PREFIX  ?= /usr/local
BUILD   ?= build
CC      ?= cc
PKG_CONFIG ?= pkg-config

CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
           -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wno-unknown-warning-option
LIBS_PC := ncursesw openblas lapacke libutf8proc jansson cairo
TEST_PC := cmocka

# --- what must be there -----------------------------------------------------------

# The wide-character curses answers to another name on some systems.
CURSES_PC := $(shell $(PKG_CONFIG) --exists ncursesw 2>/dev/null && echo ncursesw || echo ncurses)
PCS       := $(filter-out ncursesw,$(LIBS_PC)) $(CURSES_PC)

STD  := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
INC  := -Iinclude -Isrc -I$(BUILD)/gen
DEFS := -DIG_VERSION='"$(VERSION)"' -DIG_DATADIR='"$(PREFIX)/share/isogloss"'
PC_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(PCS) 2>/dev/null)
PC_LIBS   = $(shell $(PKG_CONFIG) --libs $(PCS) 2>/dev/null)
CSV_DIR  := $(firstword $(wildcard /opt/homebrew /usr/local/opt/libcsv))
ifneq ($(CSV_DIR),)
PC_CFLAGS += -I$(CSV_DIR)/include
PC_LIBS   += -L$(CSV_DIR)/lib
endif

ALL_CFLAGS  = $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) $(DEFS) $(INC) $(PC_CFLAGS) -pthread
ALL_LDFLAGS = $(LDFLAGS) $(SANFLAGS) -pthread
ALL_LIBS    = $(PC_LIBS) -lcsv -lm

# --- sources ----------------------------------------------------------------------

LIB_ROOMS := base linear data learn measure map search live draw
APP_ROOMS := tui cli
# src/linear/kernels.c is compiled once for each instruction set (see its first lines).
KERNELS   := src/linear/kernels.c
LIB_SRC   := $(filter-out $(KERNELS),$(foreach r,$(LIB_ROOMS),$(wildcard src/$(r)/*.c)))
APP_SRC   := $(foreach r,$(APP_ROOMS),$(wildcard src/$(r)/*.c))
PRESETS   := $(sort $(wildcard assets/objectives/*.objective))

MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
KERNEL_O := $(BUILD)/obj/linear/kernels-base.o
ifneq ($(findstring x86_64,$(MACHINE)),)
KERNEL_O += $(BUILD)/obj/linear/kernels-avx2.o $(BUILD)/obj/linear/kernels-avx512.o
endif
LIB_O := $(LIB_SRC:src/%.c=$(BUILD)/obj/%.o) $(KERNEL_O) $(BUILD)/gen/presets.o
APP_O := $(APP_SRC:src/%.c=$(BUILD)/obj/%.o)

all: $(BUILD)/isogloss

$(BUILD)/libisogloss.a: $(LIB_O)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/isogloss: $(APP_O) $(BUILD)/libisogloss.a
	$(CC) $(ALL_LDFLAGS) -o $@ $(APP_O) $(BUILD)/libisogloss.a $(ALL_LIBS)

$(BUILD)/obj/%.o: src/%.c | $(BUILD)/have
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

KERNEL_FLAGS = -O3 -ffp-contract=fast -fno-math-errno -Wno-psabi
$(BUILD)/obj/linear/kernels-base.o: ISA := -DIG_ISA=base
$(BUILD)/obj/linear/kernels-avx2.o: ISA := -DIG_ISA=avx2 -mavx2 -mfma -mf16c
$(BUILD)/obj/linear/kernels-avx512.o: ISA := -DIG_ISA=avx512 -mavx512f -mavx512bw \
    -mavx512dq -mavx512vl -mavx2 -mfma -mf16c -mprefer-vector-width=512
$(KERNEL_O): $(KERNELS) | $(BUILD)/have
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(KERNEL_FLAGS) $(ISA) -MMD -MP -c -o $@ $<

# The preset objectives, as text in the binary.
$(BUILD)/gen/presets.c: $(PRESETS) Makefile
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
$(BUILD)/gen/presets.o: $(BUILD)/gen/presets.c
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# --- tests ------------------------------------------------------------------------

UNIT_SRC := $(wildcard tests/unit/*.c)
UNIT     := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)
TEST_LIBS = $(shell $(PKG_CONFIG) --libs $(TEST_PC) 2>/dev/null)
TEST_CFLAGS = $(shell $(PKG_CONFIG) --cflags $(TEST_PC) 2>/dev/null) -Itests

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libisogloss.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) -MMD -MP -o $@ $< \
	    $(BUILD)/libisogloss.a $(ALL_LIBS) $(TEST_LIBS)

unit: $(UNIT)

check: deps-if-missing
	@BUILD=$(BUILD) sh tests/run

bench: $(BUILD)/tests/bench $(BUILD)/isogloss
	@$(BUILD)/tests/bench $(BENCH)

$(BUILD)/tests/bench: $(wildcard tests/bench/*.c) $(BUILD)/libisogloss.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(wildcard tests/bench/*.c) \
	    $(BUILD)/libisogloss.a $(ALL_LIBS)

.PHONY: all unit check bench
.DELETE_ON_ERROR:
