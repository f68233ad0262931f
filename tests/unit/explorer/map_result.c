/* The map of a large set: a sample with every language's share, then all rows; a map
 * that is cancelled leaves the one before. */
#include "explorer/map_result.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

enum { N = 9000, D = 6 };

static float row[N * D];
static atomic_bool stop;
static atomic_size_t reads;
static size_t most_reads;

/* Rows that ask for an end after so many reads. */
static void read_and_stop(const ig_rows *source, const uint32_t *list, size_t first,
                          size_t count, float *out, size_t stride, float *scratch)
{
    (void)source;
    (void)scratch;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride, row + (list ? list[i] : first + i) * D,
               D * sizeof *out);
    if (atomic_fetch_add(&reads, 1) + 1 >= most_reads)
        atomic_store(&stop, true);
}

/* A map product over the rows above, and what it is given. */
struct large {
    ig_version_rows of;
    ig_dataset *set;
    ig_view_request view;
    ig_work work;
    atomic_int permille;
    ig_map_result map;
    ig_map *newest;
};

static void open_rows(struct large *l, ig_pool *by, size_t rows)
{
    const char **lang = ig_alloc(N, sizeof *lang);
    ig_random random;

    *l = (struct large){.view = ig_view_request_defaults()};
    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < N * D; i++)
        row[i] = (float)((double)(1 + i % D) * ig_random_normal(&random));
    for (size_t i = 0; i < N; i++)
        lang[i] = i % 3 ? "en" : "de";
    assert_int_equal(
        ig_dataset_of_rows(&l->set, "large", row, rows, D, lang, NULL, NULL, NULL),
        IG_OK);
    ig_free(lang);
    l->work = (ig_work){.set = l->set,
                        .pool = by,
                        .originals = {.rows = rows, .dims = D, .read = read_and_stop},
                        .cheap = 1, /* no map of all rows is */
                        .view = &l->view,
                        .cancel = &stop,
                        .permille = &l->permille};
    l->map.work = &l->work;
    l->of = (ig_version_rows){l->set, l->work.originals};
    l->map.shown = ig_shown_new(&l->work, 0, &l->of, 0, NULL, 0, 0);
}

static void open_large(struct large *l, ig_pool *by)
{
    open_rows(l, by, N);
}

static void close_large(struct large *l)
{
    ig_map_free(l->newest);
    ig_map_result_free(&l->map);
    ig_dataset_free(l->set);
}

/* One call, that may read so much. */
static ig_status make(struct large *l, bool all, size_t most)
{
    bool exact = all;
    ig_map *map;
    ig_status status;

    atomic_store(&stop, false);
    atomic_store(&reads, 0);
    atomic_store(&l->permille, 0);
    most_reads = most;
    status = ig_map_result_make(&l->map, l->newest, NULL, &exact, &map, NULL);
    if (status == IG_OK) {
        ig_map_free(l->newest);
        l->newest = map;
    }
    assert_true(status != IG_OK || exact == all);
    return status;
}

static void test_a_sample_has_all_languages(void **state)
{
    struct large l;
    const ig_map *map;
    size_t of[2] = {0};

    open_large(&l, pool);
    assert_int_equal(make(&l, false, SIZE_MAX), IG_OK);
    map = l.newest;
    assert_in_range(map->rows, 500, 502);
    assert_int_equal(map->total, N);
    for (size_t i = 0; i < map->rows; i++) {
        assert_true(i == 0 || map->row[i] > map->row[i - 1]);
        of[l.set->lang[map->row[i]]]++;
    }
    assert_in_range(of[0] < of[1] ? of[0] : of[1], 166, 168);
    close_large(&l);
}

static void test_a_cancelled_map_starts_again(void **state)
{
    struct large once, often;
    const ig_map *sample;
    size_t all;

    open_large(&once, NULL);
    open_large(&often, NULL);
    assert_int_equal(make(&once, false, SIZE_MAX), IG_OK);
    assert_int_equal(make(&often, false, SIZE_MAX), IG_OK);
    assert_int_equal(atomic_load(&often.permille), 0); /* it is short */
    assert_int_equal(make(&once, true, SIZE_MAX), IG_OK);
    all = atomic_load(&reads);
    sample = often.newest;
    for (size_t most = 1; most < all; most += 3) {
        assert_int_equal(make(&often, true, most), IG_INTERRUPTED);
        assert_ptr_equal(often.newest, sample);
    }
    assert_in_range(atomic_load(&often.permille), 500, 1000);
    assert_int_equal(make(&often, true, SIZE_MAX), IG_OK);
    assert_int_equal(atomic_load(&reads), all);
    assert_int_equal(often.newest->rows, N);
    assert_memory_equal(often.newest->xy[0], once.newest->xy[0],
                        2 * N * sizeof(float));
    assert_memory_equal(often.newest->share, once.newest->share,
                        sizeof once.newest->share);
    close_large(&once);
    close_large(&often);
}

/* Mean change of a coordinate. */
static double change_of(const float *a, const float *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fabs((double)a[i] - (double)b[i]) / (double)n;
    return sum;
}

/* A layout starts from the layout before, and is the same for any number of threads. */
static void test_a_layout_follows_another(void **state)
{
    enum { ROWS = 400 };
    struct large l, single;
    float before[2 * ROWS];

    open_rows(&l, pool, ROWS);
    open_rows(&single, NULL, ROWS);
    l.view.layout = single.view.layout = true;
    assert_int_equal(make(&l, true, SIZE_MAX), IG_OK);
    assert_int_equal(make(&single, true, SIZE_MAX), IG_OK);
    assert_true(l.newest->layout && l.newest->island);
    assert_memory_equal(l.newest->xy[0], single.newest->xy[0], sizeof before);
    memcpy(before, l.newest->xy[0], sizeof before);
    assert_int_equal(make(&l, true, SIZE_MAX), IG_OK);
    assert_true(change_of(before, l.newest->xy[0], 2 * ROWS) < 1);
    assert_true(change_of(before, l.newest->xy[0], 2 * ROWS) > 0);
    assert_int_equal(make(&l, true, 3), IG_INTERRUPTED);
    l.view.layout = false;
    assert_int_equal(make(&l, true, SIZE_MAX), IG_OK);
    assert_false(l.newest->layout);
    close_large(&l);
    close_large(&single);
}

SUITE(map_result, pool_start, pool_end, TEST(test_a_sample_has_all_languages),
      TEST(test_a_cancelled_map_starts_again), TEST(test_a_layout_follows_another))
