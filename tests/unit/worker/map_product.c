/* The map of all rows of a large set: it goes on where a key broke it off, and is the
 * one that was asked for. */
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

/* One call, that may read so much; *exact: it is wanted, and it is there. */
static ig_status step(struct large *l, bool *exact, size_t most)
{
    ig_status status;

    atomic_store(&stop, false);
    atomic_store(&reads, 0);
    most_reads = most;
    status = ig_map_product_make(&l->map, NULL, exact, NULL);
    assert_false(l->falls);
    assert_true(status == IG_OK ? l->map.part == 0 : l->map.part == l->part);
    if (status == IG_OK)
        l->part = 0;
    return status;
}

/* The map of all rows (passing over those on the axes of a sample), or a sample. */
static ig_status make(struct large *l, bool all, size_t most)
{
    bool exact;
    ig_status status;

    do {
        exact = all;
        status = step(l, &exact, most);
    } while (status == IG_OK && exact != all);
    return status;
}

static void assert_same_map(const ig_map *a, const ig_map *b)
{
    assert_int_equal(a->rows, N);
    assert_int_equal(b->rows, N);
    assert_memory_equal(a->xy[0], b->xy[0], 2 * N * sizeof(float));
    assert_memory_equal(a->share, b->share, sizeof a->share);
}

static void test_it_goes_on(void **state)
{
    struct large once, often;
    size_t all, read = 0, calls = 0;
    ig_status status;

    (void)state;
    open_large(&once);
    open_large(&often);
    once.work.pool = NULL; /* one thread tells of all its work */
    assert_int_equal(make(&often, false, SIZE_MAX), IG_OK);
    assert_in_range(often.map.map->rows, 1, N - 1);
    assert_int_equal(make(&once, false, SIZE_MAX), IG_OK);
    assert_int_equal(make(&once, true, SIZE_MAX), IG_OK);
    all = atomic_load(&reads);
    do {
        calls++;
        status = make(&often, true, 3);
        read += atomic_load(&reads);
        assert_true(status == IG_OK || often.map.map->fitted < N);
    } while (status == IG_INTERRUPTED);
    assert_int_equal(status, IG_OK);
    assert_true(calls > 3);
    assert_true(read <= all + calls * ig_pool_threads(pool));
    assert_true(once.told > 3);
    assert_same_map(often.map.map, once.map.map);

    /* Broken off in placing, too; and given up for other axes. */
    often.work.pool = NULL;
    assert_int_equal(make(&often, true, all - 2), IG_INTERRUPTED);
    assert_true(often.part > 0.5);
    often.work.pool = pool;
    often.request.axis[1] = once.request.axis[1] = 2;
    often.part = 0;
    assert_int_equal(make(&often, true, 2), IG_INTERRUPTED);
    while ((status = make(&often, true, 3)) == IG_INTERRUPTED)
        continue;
    assert_int_equal(status, IG_OK);
    assert_int_equal(make(&once, true, SIZE_MAX), IG_OK);
    assert_same_map(often.map.map, once.map.map);
    assert_int_equal(make(&often, true, 2), IG_INTERRUPTED); /* and freed */
    close_large(&once);
    close_large(&often);
}

/* After a sample all rows come on its axes, in portions, also when each is broken off;
 * then the map of all rows. */
static void test_rows_come_on_the_axes_of_a_sample(void **state)
{
    static float before[2 * N];
    struct large l;
    size_t rows = 0, portions = 0, sampled;
    uint32_t *chosen;
    bool exact = false;

    (void)state;
    open_large(&l);
    assert_int_equal(step(&l, &exact, SIZE_MAX), IG_OK);
    sampled = l.map.map->rows;
    assert_int_equal(l.map.map->fitted, sampled);
    memcpy(before, l.map.map->xy[0], 2 * sampled * sizeof *before);
    chosen = ig_alloc(sampled, sizeof *chosen);
    memcpy(chosen, l.map.map->row, sampled * sizeof *chosen);
    while (rows < N) {
        const ig_map *map;
        ig_status status;
        size_t k = 0;

        do {
            exact = true;
            status = step(&l, &exact, 1);
        } while (status == IG_INTERRUPTED);
        assert_int_equal(status, IG_OK);
        assert_false(exact);
        map = l.map.map;
        assert_int_equal(map->fitted, sampled);
        assert_int_equal(map->total, N);
        assert_true(map->rows >= rows && (portions > 0 || map->rows < N / 4));
        rows = map->rows;
        portions++;
        assert_true((map->row == NULL) == (rows == N));
        for (size_t i = 0; i < rows;
             i++) { /* rows of the sample stand where they did */
            uint32_t at = map->row ? map->row[i] : (uint32_t)i;

            assert_true(i == 0 || !map->row || at > map->row[i - 1]);
            while (k < sampled && chosen[k] < at)
                k++;
            for (size_t j = 0; j < 2 && k < sampled && chosen[k] == at; j++)
                assert_true(fabsf(map->xy[0][2 * i + j] - before[2 * k + j]) < 1e-4f);
        }
    }
    assert_int_equal(portions, 4);
    exact = true;
    assert_int_equal(step(&l, &exact, SIZE_MAX), IG_OK);
    assert_true(exact);
    assert_int_equal(l.map.map->fitted, N);

    /* Other axes meanwhile: a sample of its own. */
    exact = false;
    assert_int_equal(step(&l, &exact, SIZE_MAX), IG_OK);
    exact = true;
    (void)step(&l, &exact, 1); /* a portion, or a part of one */
    l.request.unit = !l.request.unit;
    exact = false;
    assert_int_equal(step(&l, &exact, SIZE_MAX), IG_OK);
    assert_int_equal(l.map.map->rows, sampled);
    assert_int_equal(make(&l, true, SIZE_MAX), IG_OK);
    assert_int_equal(l.map.map->fitted, N);
    ig_free(chosen);
    close_large(&l);
}

SUITE(map_product)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_goes_on),
        cmocka_unit_test(test_rows_come_on_the_axes_of_a_sample)};

    return cmocka_run_group_tests(tests, pool_start, pool_end);
}
