/* Lengths of a run's rows: found, kept beside it, read when they are of these rows, and
 * found again when they are not. */
#include "train/lengths.h"

#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#include "core/rows.h"
#include "data/dataset.h"
#include "scratch.h"

enum { N = 5, D = 2 };

static float rows[N][D] = {{3, 4}, {0, 0}, {0, 2}, {1, 0}, {6, 8}};
static const float right[N] = {0.2F, 0, 0.5F, 1, 0.1F};
static float weights[D * D + D] = {1, 0, 0, 1, 0, 0};
static ig_extractor extractor = {
    .kind = IG_RESIDUAL, .dims = D, .width = D, .size = D * D + D, .weights = weights};

/* How often the rows were read: not at all where the file serves. */
static int reads;

static void read_rows(void *context, const uint32_t *row, size_t first, size_t count,
                      float *out, size_t stride, float *scratch)
{
    (void)context;
    (void)scratch;
    reads++;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride, rows[row ? row[i] : first + i], sizeof *rows);
}

static const ig_rows source = {.rows = N, .dims = D, .read = read_rows};

static ig_lengths_of of_run(const char *directory)
{
    return (ig_lengths_of){.directory = directory,
                           .extractor = &extractor,
                           .space = IG_SPACE_MEANING,
                           .rows = &source,
                           .values = 7};
}

/* Whether the rows were read to find them; they are right in any case. */
static bool find(const ig_lengths_of *of)
{
    float scale[N];

    reads = 0;
    memset(scale, 0xff, sizeof scale);
    assert_int_equal(ig_lengths_find(of, NULL, NULL, scale, NULL), IG_OK);
    assert_memory_equal(scale, right, sizeof scale);
    return reads > 0;
}

static void make_run(const char *path)
{
    char name[64];

    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(name, sizeof name, "%s/run.json", path);
    scratch_write(name, "{}", 2);
}

static void test_kept(void **state)
{
    ig_lengths_of of = of_run("kept"), language = of;

    make_run("kept");
    assert_true(find(&of));
    assert_false(find(&of));
    language.space = IG_SPACE_LANGUAGE;
    assert_true(find(&language)); /* in a file of its own */
    assert_false(find(&language));
    assert_false(find(&of));
    assert_true(ig_lengths_owns("meaning.lengths"));
    assert_int_equal(access("kept/meaning.lengths", F_OK), 0);
    assert_int_equal(access("kept/language.lengths", F_OK), 0);
}

static void test_of_other_rows(void **state)
{
    ig_lengths_of of = of_run("other");

    make_run("other");
    assert_true(find(&of));
    of.values = 8;
    assert_true(find(&of));
    assert_false(find(&of));
    weights[0] = 2; /* the rows stay: it is asked whether anybody looks */
    assert_true(find(&of));
    weights[0] = 1;
    assert_true(find(&of));
    assert_false(find(&of));
}

static void test_damaged(void **state)
{
    ig_lengths_of of = of_run("damaged");
    struct stat info;

    make_run("damaged");
    assert_true(find(&of));
    assert_int_equal(stat("damaged/meaning.lengths", &info), 0);
    assert_int_equal(truncate("damaged/meaning.lengths", info.st_size / 2), 0);
    assert_true(find(&of));
    assert_false(find(&of));
    scratch_write("damaged/meaning.lengths", "", 0);
    assert_true(find(&of));
    assert_false(find(&of));
}

/* The checksum that says which rows they are: of every value, and of its place. */
static void test_values(void **state)
{
    enum { ROWS = 3, COLS = 21 };
    const char *const lang[ROWS] = {"en", "en", "de"};
    float value[ROWS * COLS];
    uint64_t first, again;
    size_t zeros;
    ig_dataset *set;

    for (size_t i = 0; i < ROWS * COLS; i++)
        value[i] = (float)(i % 5);
    assert_int_equal(
        ig_dataset_of_rows(&set, "mem", value, ROWS, COLS, lang, NULL, NULL, NULL),
        IG_OK);
    assert_int_equal(ig_dataset_check_sum(set, &zeros, &first, NULL, NULL), IG_OK);
    assert_int_equal(zeros, 0);
    for (size_t i = 0; i < ROWS * COLS; i++) {
        float kept = value[i];

        value[i] = nextafterf(kept, 9);
        assert_int_equal(ig_dataset_check_sum(set, NULL, &again, NULL, NULL), IG_OK);
        assert_true(again != first);
        value[i] = kept;
    }
    for (size_t i = 0; i + 2 < ROWS * COLS; i++) {
        float kept = value[i];

        value[i] = value[i + 2];
        value[i + 2] = kept;
        assert_int_equal(ig_dataset_check_sum(set, NULL, &again, NULL, NULL), IG_OK);
        assert_true(again != first);
        value[i + 2] = value[i];
        value[i] = kept;
    }
    assert_int_equal(ig_dataset_check_sum(set, NULL, &again, NULL, NULL), IG_OK);
    assert_true(again == first);
    ig_dataset_free(set);
}

SUITE(lengths, scratch_enter, scratch_leave, TEST(test_kept), TEST(test_of_other_rows),
      TEST(test_damaged), TEST(test_values))
