/* The map of a large set: a sample with every language's share, then all rows; a map
 * that is cancelled leaves the one before. */
#include "worker/map_product.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "pooled.h"

enum { N = 9000, D = 6 };

static float row[N * D];
static atomic_bool stop;
static atomic_size_t reads;
static size_t most_reads;

/* Rows that ask for an end after so many reads. */
static void read_and_stop(void *context, const uint32_t *list, size_t first,
                          size_t count, float *out, size_t stride, float *scratch)
{
    (void)context;
    (void)scratch;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * stride, row + (list ? list[i] : first + i) * D,
               D * sizeof *out);
    if (atomic_fetch_add(&reads, 1) + 1 >= most_reads)
        atomic_store(&stop, true);
}

/* A map product over the rows above, and what stands around it. */
struct large {
    ig_set *set;
    ig_view_request request;
    ig_work work;
    ig_row_index index;
    ig_shown shown;
    ig_guests guests;
    ig_map_product map;
    double part; /* how far it last said to be */
    size_t told; /* times that it said so */
    bool falls;  /* it once was less */
};

static void attend(void *session, double part)
{
    struct large *l = session;

    l->falls |= !(part >= l->part && part <= 1); /* the pool is at work: not here */
    l->part = part;
    l->told++;
}

static void open_large(struct large *l)
{
    const char **lang = ig_alloc(N, sizeof *lang);
    ig_random random;

    *l = (struct large){.request = ig_view_request_defaults()};
    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < N * D; i++)
        row[i] = (float)((double)(1 + i % D) * ig_random_normal(&random));
    for (size_t i = 0; i < N; i++)
        lang[i] = i % 3 ? "en" : "de";
    assert_int_equal(
        ig_set_of_rows(&l->set, "large", row, N, D, lang, NULL, NULL, NULL), IG_OK);
    ig_free(lang);
    l->work = (ig_work){.set = l->set,
                        .pool = pool,
                        .originals = {.rows = N, .dims = D, .read = read_and_stop},
                        .index = &l->index,
                        .cheap = 1, /* no map of all rows is */
                        .request = &l->request,
                        .cancel = &stop,
                        .attend = attend,
                        .session = l};
    l->shown.work = l->map.work = l->map.frame.work = &l->work;
    l->map.shown = &l->shown;
    l->map.guests = &l->guests;
}

static void close_large(struct large *l)
{
    ig_map_product_free(&l->map);
    ig_shown_free(&l->shown);
    ig_row_index_free(&l->index);
    ig_set_free(l->set);
}

/* One call, that may read so much. */
static ig_status make(struct large *l, bool all, size_t most)
{
    bool exact = all;
    ig_status status;

    atomic_store(&stop, false);
    atomic_store(&reads, 0);
    most_reads = most;
    l->part = 0;
    status = ig_map_product_make(&l->map, NULL, &exact, NULL);
    assert_false(l->falls);
    assert_true(l->map.part == 0);
    assert_true(status != IG_OK || exact == all);
    return status;
}

static void test_a_sample_has_all_languages(void **state)
{
    struct large l;
    const ig_map *map;
    size_t of[2] = {0};

    (void)state;
    open_large(&l);
    assert_int_equal(make(&l, false, SIZE_MAX), IG_OK);
    map = l.map.map;
    assert_in_range(map->rows, 500, 502);
    assert_int_equal(map->total, N);
    for (size_t i = 0; i < map->rows; i++) {
        assert_true(i == 0 || map->row[i] > map->row[i - 1]);
        of[l.set->lang[map->row[i]]]++;
    }
    assert_in_range(of[0] < of[1] ? of[0] : of[1], 166, 168);
    close_large(&l);
}

/* Its points stand near those of the sample, and no part of it is kept. */
static void test_a_cancelled_map_starts_again(void **state)
{
    struct large once, often;
    const ig_map *sample;
    size_t all;

    (void)state;
    open_large(&once);
    open_large(&often);
    once.work.pool = often.work.pool = NULL; /* one thread tells of all its work */
    assert_int_equal(make(&once, false, SIZE_MAX), IG_OK);
    assert_int_equal(make(&often, false, SIZE_MAX), IG_OK);
    assert_int_equal(make(&once, true, SIZE_MAX), IG_OK);
    all = atomic_load(&reads);
    assert_true(once.told > 3);
    sample = often.map.map;
    for (size_t most = 1; most < all; most += 3) {
        assert_int_equal(make(&often, true, most), IG_INTERRUPTED);
        assert_ptr_equal(often.map.map, sample);
    }
    assert_true(often.part > 0.5);
    assert_int_equal(make(&often, true, SIZE_MAX), IG_OK);
    assert_int_equal(atomic_load(&reads), all);
    assert_int_equal(often.map.map->rows, N);
    assert_memory_equal(often.map.map->xy[0], once.map.map->xy[0],
                        2 * N * sizeof(float));
    assert_memory_equal(often.map.map->share, once.map.map->share,
                        sizeof once.map.map->share);
    close_large(&once);
    close_large(&often);
}

SUITE(map_product)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sample_has_all_languages),
        cmocka_unit_test(test_a_cancelled_map_starts_again)};

    return cmocka_run_group_tests(tests, pool_start, pool_end);
}
