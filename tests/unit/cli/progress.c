/* Forecasts: a number and a unit, however long, and what takes less. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#include "base/clock.h"

static void test_about(void **state)
{
    static const struct {
        double seconds;
        const char *about;
    } times[] = {
        {0.2, "1 s"},
        {20.4, "20 s"},
        {900, "15 min"},
        {3.5 * 3600, "3.5 h"},
        {2.5 * 86400, "2.5 days"},
        {120.4 * 86400, "120 days"},
        {4e8, "13 years"},
        {3e12, "95064 years"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char out[32];

        ig_progress_about(out, sizeof out, times[i].seconds);
        assert_string_equal(out, times[i].about);
    }
}

/* Some work that takes a hundredth of the whole. */
static void advise(void *context, double seconds, char *out, size_t size)
{
    char time[32];

    ig_progress_about(time, sizeof time, seconds / 100);
    snprintf(out, size, "--sample %s takes %s; ", (const char *)context, time);
}

/* What stands on stderr after so many seconds in which a share was done. */
static void foretold(ig_progress *progress, double seconds, double share, char *out,
                     size_t size)
{
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    size_t length;

    assert_non_null(file);
    progress->since = ig_clock_now() - seconds;
    progress->from_share = 1e-9;
    fflush(stderr);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    ig_progress_share(progress, "original", share);
    fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    rewind(file);
    length = fread(out, 1, size - 1, file);
    out[length] = '\0';
    fclose(file);
}

static void test_forecast(void **state)
{
    char out[400];
    ig_progress progress;

    (void)state;
    ig_progress_init(&progress, false);
    progress.terminal = false;
    progress.advice = "--limit N takes some";
    progress.advise = advise;
    progress.adviser = (void *)"5000";
    foretold(&progress, 6000, 0.5, out, sizeof out); /* 100 minutes to go, 200 in all */
    assert_string_equal(out, "measuring takes about 1.7 h (--sample 5000 takes 2 min; "
                             "--limit N takes some)\n");
    foretold(&progress, 6000, 0.6, out, sizeof out); /* told once */
    assert_string_equal(out, "");
    /* What is short has no forecast, what is quiet neither. */
    progress.foretold = false;
    foretold(&progress, 6, 0.9, out, sizeof out);
    assert_string_equal(out, "");
    progress.foretold = false;
    progress.quiet = true;
    foretold(&progress, 6000, 0.5, out, sizeof out);
    assert_string_equal(out, "");
}

SUITE(progress)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_about),
        cmocka_unit_test(test_forecast),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
