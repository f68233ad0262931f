/* The map of a large set: a sample with every language's share, then all rows; and its
 * neighbour layout, the same for any number of threads. */
#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "stepped.h"

enum { N = 9000, D = 6, LAID_OUT = 400 };

struct large {
    ig_dataset *set;
    ig_pool *pool;
    ig_session *session;
};

static void open_large(struct large *l, size_t rows, size_t threads)
{
    static float row[N * D];
    static const char *lang[N];
    static const ig_pairs none;
    ig_versions versions = {.count = 1, .room = 1, .set = &l->set};
    ig_session_setup setup = {.versions = &versions, .pairs = &none, .pairing = "all"};
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < rows * D; i++)
        row[i] = (float)((double)(1 + i % D) * ig_random_normal(&random));
    for (size_t i = 0; i < rows; i++)
        lang[i] = i % 3 ? "en" : "de";
    assert_int_equal(
        ig_dataset_of_rows(&l->set, "large", row, rows, D, lang, NULL, NULL, NULL),
        IG_OK);
    assert_int_equal(ig_pool_new(&l->pool, threads, NULL), IG_OK);
    setup.pool = l->pool;
    assert_int_equal(ig_session_new(&l->session, &setup, NULL), IG_OK);
}

static void close_large(struct large *l)
{
    ig_session_delete(l->session);
    ig_pool_delete(l->pool);
    ig_dataset_free(l->set);
}

static void test_a_sample_has_all_languages(void **state)
{
    struct large l;
    const ig_map *map;
    size_t of[2] = {0};

    open_large(&l, N, 2);
    make_large(l.session, 1);
    drive(l.session);
    while (!(map = l.session->map))
        step(l.session);
    assert_in_range(map->rows, 500, 502);
    for (size_t i = 0; i < map->rows; i++) {
        assert_true(i == 0 || map->row[i] > map->row[i - 1]);
        of[l.set->lang[map->row[i]]]++;
    }
    assert_in_range(of[0] < of[1] ? of[0] : of[1], 166, 168);
    ig_session_settle(l.session);
    assert_int_equal(l.session->map->rows, N);
    assert_null(l.session->map->row);
    close_large(&l);
}

static void test_a_layout_is_the_same_for_any_number_of_threads(void **state)
{
    struct large l[2];

    for (size_t i = 0; i < 2; i++) {
        open_large(&l[i], LAID_OUT, 1 + 2 * i);
        l[i].session->view.layout = true;
        ig_session_settle(l[i].session);
        assert_true(l[i].session->map->layout);
        l[i].session->view.unit = false; /* starts from the layout before */
        ig_session_settle(l[i].session);
        assert_false(l[i].session->map->unit);
    }
    assert_memory_equal(l[0].session->map->xy[0], l[1].session->map->xy[0],
                        2 * LAID_OUT * sizeof(float));
    for (size_t i = 0; i < 2; i++)
        close_large(&l[i]);
}

SUITE(map_result, NULL, NULL, TEST(test_a_sample_has_all_languages),
      TEST(test_a_layout_is_the_same_for_any_number_of_threads))
