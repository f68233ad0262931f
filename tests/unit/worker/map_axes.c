/* Axes laid through the map of a session: a sample of a large set, rare languages,
 * epochs whose ends coincide, frames that follow one another. */
#include <math.h>

#include "explorer.h"
#include "worker/state.h"

enum { ROWS = 2400, DIMS = 8, RARE = 5 };

/* A set of its own: languages aa, ba and, with a few rows, zz. */
typedef struct large {
    float row[ROWS * DIMS];
    const char *lang[ROWS];
    ig_set *set;
    ig_pairs pairs;
    ig_pool *pool;
    ig_session *session;
    ig_view_request request;
} large;

static large l;

static void open_large(double cheap)
{
    ig_random random;

    memset(&l, 0, sizeof l);
    ig_random_init(&random, 3, 0);
    for (size_t i = 0; i < ROWS; i++) {
        size_t k = i >= ROWS - RARE ? 2 : i % 2;

        l.lang[i] = (const char *const[]){"aa", "ba", "zz"}[k];
        for (size_t j = 0; j < DIMS; j++)
            l.row[i * DIMS + j] = (float)(ig_random_normal(&random) +
                                          3 * (double)(j == k) + (double)(j == 7));
    }
    assert_int_equal(
        ig_set_of_rows(&l.set, "large", l.row, ROWS, DIMS, l.lang, NULL, NULL, NULL),
        IG_OK);
    assert_int_equal(ig_pool_new(&l.pool, 2, NULL), IG_OK);
    assert_int_equal(ig_session_new(&l.session, l.set, &l.pairs, "all", l.pool, NULL),
                     IG_OK);
    l.session->work.cheap = cheap;
    l.request = ig_view_request_defaults();
    l.request.row = IG_NO_ROW;
}

static void close_large(void)
{
    ig_session_delete(l.session);
    ig_pool_delete(l.pool);
    ig_set_free(l.set);
}

static void lay(const char *text)
{
    assert_int_equal(
        ig_map_axis_parse(&l.request.laid[0], text, l.set, NULL, NULL, NULL), IG_OK);
    l.request.axis[1] = 0;
}

/* The first frame that is asked for, which is a sample in a large set; and the last. */
static ig_snapshot *first_frame(void)
{
    ig_session_request(l.session, &l.request);
    for (;;) {
        ig_snapshot *now = ig_session_take(l.session);

        if (now && now->map && now->map->laid[0].kind)
            return now;
        ig_snapshot_free(now);
        assert_int_equal(ig_session_step(l.session), 0);
    }
}

static ig_snapshot *settle(void)
{
    ig_session_request(l.session, &l.request);
    ig_session_settle(l.session);
    return ig_session_take(l.session);
}

static double mean_x(const ig_map *map, const char *lang)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < map->rows; i++) {
        uint32_t row = map->row ? map->row[i] : (uint32_t)i;

        if (strcmp(l.lang[row], lang) == 0) {
            sum += (double)map->xy[0][2 * i];
            count++;
        }
    }
    return sum / count;
}

/* A language that the sample has no row of, or few, is found by its own rows. */
static void test_sample(void **state)
{
    static const char *const axis[] = {"aa ba", "aa zz", "probe zz", "3 zz"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        ig_snapshot *sample, *whole;

        open_large(1e5);
        lay(axis[i]);
        sample = first_frame();
        assert_in_range(sample->map->rows, 500, 503); /* every language rounds up */
        assert_int_equal(sample->map->total, ROWS);
        assert_true(ig_map_axis_same(&sample->map->laid[0], &l.request.laid[0]));
        assert_string_equal(sample->map->unlaid, "");
        whole = settle();
        assert_int_equal(whole->map->rows, ROWS);
        if (i == 0) { /* both say the same, the sample roughly */
            assert_true(mean_x(whole->map, "ba") - mean_x(whole->map, "aa") > 0.3);
            assert_true(fabs(mean_x(whole->map, "ba") - mean_x(sample->map, "ba")) <
                        0.05);
        } else {
            assert_true(mean_x(whole->map, "zz") > mean_x(whole->map, "aa") + 0.3);
        }
        ig_snapshot_free(sample);
        ig_snapshot_free(whole);
        close_large();
    }
}

/* Where nobody sees what comes on the way, there is no sample. */
static void test_settled(void **state)
{
    ig_snapshot *whole;

    (void)state;
    open_large(1e5);
    whole = settle();
    assert_int_equal(whole->map->rows, ROWS);
    assert_int_equal(whole->map->serial, 1);
    ig_snapshot_free(whole);
    close_large();
}

/* The component is centred, and so are both ends about the axis. */
static void test_centred(void **state)
{
    ig_snapshot *now;
    double y = 0;

    (void)state;
    open_large(1e12);
    l.request.unit = false;
    lay("aa ba");
    now = settle();
    for (size_t i = 0; i < ROWS; i++)
        y += (double)now->map->xy[0][2 * i + 1] / ROWS;
    assert_true(fabs(y) < 1e-4);
    assert_true(fabs(mean_x(now->map, "aa") + mean_x(now->map, "ba")) < 1e-4);
    assert_true(now->map->share[0] > 0 && now->map->share[1] > 0 &&
                now->map->share[0] + now->map->share[1] < 1);
    ig_snapshot_free(now);
    close_large();
}

/* Both ends at one place: the components in its stead, the reason with them, and the
 * axis itself as soon as there is one again. */
static void test_ends_that_coincide(void **state)
{
    ig_snapshot *now;

    (void)state;
    open_large(1e12);
    memcpy(l.row + 4 * DIMS, l.row + 2 * DIMS, DIMS * sizeof *l.row);
    lay("2 4");
    now = settle();
    assert_false(now->is_error);
    assert_int_equal(now->map->laid[0].kind, IG_AXIS_COMPONENT);
    assert_int_equal(now->map->axis[0], 0);
    assert_int_equal(now->map->axis[1], 1);
    assert_string_equal(now->map->unlaid, "#2 → #4: both of its ends are at one place");
    ig_snapshot_free(now);
    lay("2 6");
    now = settle();
    assert_int_equal(now->map->laid[0].kind, IG_AXIS_BETWEEN);
    assert_string_equal(now->map->unlaid, "");
    ig_snapshot_free(now);
    close_large();
}

/* A frame is not turned while an axis is laid; when it is taken away, it is again. */
static void test_frames(void **state)
{
    ig_snapshot *now;
    float x;

    (void)state;
    open_large(1e12);
    ig_snapshot_free(settle());
    lay("aa ba");
    now = settle();
    x = now->map->xy[0][0];
    ig_snapshot_free(now);
    l.request.laid[1] = l.request.laid[0];
    l.request.laid[1].to.number = 2;
    now = settle();
    assert_true(fabsf(now->map->xy[0][0] - x) < 1e-5f);
    assert_false(now->map->turned);
    ig_snapshot_free(now);
    l.request.laid[0] = l.request.laid[1] = (ig_map_axis){0};
    l.request.axis[1] = 1;
    now = settle();
    assert_int_equal(now->map->laid[0].kind, IG_AXIS_COMPONENT);
    assert_true(now->map->share[0] > now->map->share[1]);
    ig_snapshot_free(now);
    close_large();
}

SUITE(map_axes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),  cmocka_unit_test(test_settled),
        cmocka_unit_test(test_centred), cmocka_unit_test(test_ends_that_coincide),
        cmocka_unit_test(test_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
