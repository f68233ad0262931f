/* What every unit test begins with: cmocka, and SUITE(name) in place of main. A room's
 * suites are linked into one program (tests/suite.c); name is the file's own. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The head of a function that runs a group of tests and returns how many failed. */
#define SUITE(name)                                                                    \
    int suite_##name(void);                                                            \
    int suite_##name(void)

/* Is there time for every size and every seed? `make check-all` gives it, to programs
 * without sanitizers; `make check` takes some of each kind. */
static inline bool thorough(void)
{
    return getenv("THOROUGH") != NULL;
}

#endif
