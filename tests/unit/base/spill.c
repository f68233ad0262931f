/* Arrays in memory and in files: the same bytes, nothing that is left, a sentence where
 * there is no room. */
#include "base/spill.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "scratch.h"
#include "suite.h"

enum { COUNT = 5000, CHUNK = 700 };

/* Numbers 0, 7, 14, … by chunks, the last ones first. */
static void fill(ig_spill *spill)
{
    uint32_t chunk[CHUNK];

    for (size_t end = COUNT; end > 0;) {
        size_t n = end < CHUNK ? end : CHUNK, at = (end - n) * sizeof *chunk;
        uint32_t *out = ig_spill_place(spill, at, chunk);

        for (size_t i = 0; i < n; i++)
            out[i] = (uint32_t)(end - n + i) * 7;
        ig_spill_put(spill, at, n * sizeof *chunk, chunk);
        end -= n;
    }
}

static void test_both(void **state)
{
    const char *const directory[] = {NULL, "."};

    (void)state;
    for (int in_file = 0; in_file < 2; in_file++) {
        ig_spill spill;
        const uint32_t *value;

        assert_int_equal(
            ig_spill_init(&spill, COUNT, sizeof *value, directory[in_file], NULL),
            IG_OK);
        assert_int_equal(spill.in_file, in_file);
        fill(&spill);
        assert_int_equal(ig_spill_check(&spill, NULL), IG_OK);
        assert_int_equal(spill.size, COUNT * sizeof *value);
        value = spill.bytes;
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(value[i], 7 * i);
        assert_int_equal(scratch_entries("."), 0); /* it has no name, also now */
        ig_spill_free(&spill);
        assert_null(spill.bytes);
        ig_spill_free(&spill);
    }
}

static void test_empty(void **state)
{
    ig_spill spill;

    (void)state;
    assert_int_equal(ig_spill_init(&spill, 0, 4, ".", NULL), IG_OK);
    assert_int_equal(ig_spill_check(&spill, NULL), IG_OK);
    ig_spill_free(&spill);
    assert_int_equal(ig_spill_init(&spill, SIZE_MAX, 4, ".", NULL), IG_NOMEM);
    ig_spill_free(&spill);
}

static void test_refused(void **state)
{
    ig_spill spill;
    ig_error error;
    const char *directory;
    double left;

    (void)state;
    assert_int_equal(ig_spill_init(&spill, COUNT, 4, "none", &error), IG_IO);
    assert_non_null(strstr(error.message, "none: "));
    assert_int_equal(ig_spill_directory("none", &directory, &left, &error), IG_IO);
    assert_non_null(strstr(error.message, "none: "));
    assert_int_equal(ig_spill_directory("/dev/null", &directory, &left, &error), IG_IO);
    if (ig_spill_directory(NULL, &directory, &left, NULL) == IG_OK) {
        assert_true(directory[0] == '/');
        assert_true(left >= 0);
    }
}

/* Files may have a limit: it is told when the room is set aside, or by the check. */
static void test_full(void **state)
{
    struct rlimit before, small;
    ig_spill spill;
    ig_error error;
    ig_status status;

    (void)state;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    status = ig_spill_init(&spill, COUNT, sizeof(uint32_t), ".", &error);
    if (status == IG_OK) {
        fill(&spill);
        status = ig_spill_check(&spill, &error);
        ig_spill_free(&spill);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, IG_IO);
    assert_non_null(strstr(error.message, ".: a file of "));
    assert_non_null(strstr(error.message, strerror(EFBIG)));
}

SUITE(spill)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_full),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
