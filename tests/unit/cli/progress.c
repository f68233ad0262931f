/* Forecasts of long work. */
#include "cli/progress_meter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#include "core/progress.h"

/* What stands on stderr after so many seconds in which a share was done. */
static void forecast_done(ig_progress_meter *progress, double seconds, double share,
                          char *out, size_t size)
{
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    size_t length;

    assert_non_null(file);
    progress->started = ig_clock_now() - seconds;
    fflush(stderr);
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    ig_progress_meter_share(progress, "measuring", share);
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
    ig_progress_meter progress;

    ig_progress_meter_init(&progress, false);
    progress.terminal = false;
    progress.advice = "--sample N takes some";
    forecast_done(&progress, 6000, 0.5, out, sizeof out); /* 100 minutes left */
    assert_non_null(strstr(out, "measuring takes about 1:40:0"));
    assert_non_null(strstr(out, " (--sample N takes some)\n"));
    forecast_done(&progress, 6000, 0.6, out, sizeof out); /* told once */
    assert_string_equal(out, "");
    /* What is short has no forecast, what is quiet neither. */
    progress.forecast_done = false;
    forecast_done(&progress, 6, 0.9, out, sizeof out);
    assert_string_equal(out, "");
    progress.forecast_done = false;
    progress.quiet = true;
    forecast_done(&progress, 6000, 0.5, out, sizeof out);
    assert_string_equal(out, "");
}

SUITE(progress, NULL, NULL, TEST(test_forecast))
