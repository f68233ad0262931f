/* The line of progress. */
#include "cli/progress_meter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#include "core/progress.h"

/* What a meter shows on stderr after so many seconds in which a share was done. */
static void show(ig_progress_meter *progress, double seconds, double share, char *out,
                 size_t size)
{
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    size_t length;

    assert_non_null(file);
    progress->started = progress->drawn = ig_clock_now() - seconds;
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

static void test_line(void **state)
{
    ig_progress_meter progress = {.terminal = true};
    char out[400];

    show(&progress, 6000, 0.5, out, sizeof out);
    assert_non_null(strstr(out, "\rmeasuring  50%  100:0"));
    assert_non_null(strstr(out, " left\033[K"));
    show(&progress, 5, 0.5, out, sizeof out);
    assert_non_null(strstr(out, " left\033[K"));
    show(&progress, 6000, -1, out, sizeof out);
    assert_string_equal(out, "\rmeasuring\033[K");
    show(&progress, 0.01, 0.5, out, sizeof out); /* too soon */
    assert_string_equal(out, "");
    progress.quiet = true;
    show(&progress, 6000, 0.5, out, sizeof out);
    assert_string_equal(out, "");
}

SUITE(progress, NULL, NULL, TEST(test_line))
