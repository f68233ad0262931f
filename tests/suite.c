/* The test program of a room: runs all its suites, or those that are named. Make knows
 * the suites from the names of their files: SUITES(DO) is DO(first) DO(second) and so on. */
#include <stdio.h>
#include <string.h>

#include "core/blas.h"

#define DECLARE(name) int suite_##name(void);
SUITES(DECLARE)

#define ENTRY(name) {#name, suite_##name},
static const struct suite {
    const char *name;
    int (*run)(void);
} suites[] = {SUITES(ENTRY)};

static const size_t count = sizeof suites / sizeof *suites;

static int failed_in(const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(suites[i].name, name) == 0)
            return suites[i].run();
    fprintf(stderr, "no suite \"%s\" here\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0;

    ig_blas_init();
    if (argc > 1)
        for (int i = 1; i < argc; i++)
            failed += failed_in(argv[i]);
    else
        for (size_t i = 0; i < count; i++)
            failed += suites[i].run();
    return failed != 0;
}
