/* How a frame of the map lies: as the one before, but for one that training has left
 * upright, which is laid down at its end. */
#include "worker/map_product.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/random.h"

enum { N = 40 };

/* A joint map whose points lie along one axis, and what stands around it. */
struct frames {
    ig_set *set;
    ig_work work;
    ig_map_turn turn;
    float new_xy[2 * N * 2], old_xy[2 * N * 2];
    ig_map new, old;
};

static void open_frames(struct frames *f, double along_x, double along_y)
{
    static float row[N * 2];
    const char *lang[N];
    ig_random random;

    *f = (struct frames){0};
    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N; i++) {
        lang[i] = i % 2 ? "en" : "de";
        row[2 * i] = (float)ig_random_normal(&random) + (i % 2 ? 4 : -4);
        row[2 * i + 1] = (float)ig_random_normal(&random);
    }
    assert_int_equal(ig_set_of_rows(&f->set, "set", row, N, 2, lang, NULL, NULL, NULL),
                     IG_OK);
    f->work = (ig_work){.set = f->set, .originals = ig_rows_of_set(f->set)};
    /* The new frame is wide; the old one is the same, upright. */
    for (size_t i = 0; i < 2 * N; i++) {
        float strong = 3 * (float)ig_random_normal(&random);
        float weak = (float)ig_random_normal(&random);

        f->new_xy[2 * i] = f->old_xy[2 * i + 1] = strong;
        f->new_xy[2 * i + 1] = weak;
        f->old_xy[2 * i] = -weak;
    }
    f->new = (ig_map){.space = IG_MAP_JOINT,
                      .axis = {0, 1},
                      .series = 2,
                      .of = {IG_SPACE_MEANING, IG_SPACE_LANGUAGE},
                      .rows = N,
                      .total = N,
                      .xy = {f->new_xy, f->new_xy + 2 * N}};
    f->old = f->new;
    f->old.xy[0] = f->old_xy;
    f->old.xy[1] = f->old_xy + 2 * N;
    f->old.turned = true;
    f->old.share[0] = along_x;
    f->old.share[1] = along_y;
}

static void turn(struct frames *f)
{
    const double share[2] = {0.9, 0.1};

    assert_int_equal(
        ig_map_turn_frame(&f->turn, &f->work, &f->old, &f->new, share, NULL), IG_OK);
    assert_false(f->turn.settle);
}

static void close_frames(struct frames *f)
{
    ig_map_turn_free(&f->turn);
    ig_set_free(f->set);
}

static void test_that_a_frame_follows_the_one_before(void **state)
{
    struct frames f;

    (void)state;
    open_frames(&f, 0.1, 0.9);
    turn(&f);
    assert_true(f.new.turned);
    assert_true(f.new.share[1] > f.new.share[0]);
    for (size_t i = 0; i < 2 * N; i++)
        assert_true(f.new_xy[2 * i + 1] * f.old_xy[2 * i + 1] > 0 ||
                    fabsf(f.old_xy[2 * i + 1]) < 2);
    close_frames(&f);
}

static void test_that_an_upright_map_is_laid_down(void **state)
{
    struct frames f;

    (void)state;
    open_frames(&f, 0.1, 0.9);
    f.turn.settle = true;
    turn(&f);
    assert_false(f.new.turned);
    assert_float_equal(f.new.share[0], 0.9, 1e-9);
    assert_float_equal(f.new.share[1], 0.1, 1e-9);
    close_frames(&f);
}

static void test_that_others_stay_as_they_lie(void **state)
{
    struct frames f;

    (void)state;
    open_frames(&f, 0.4, 0.6); /* no axis is the stronger by far */
    f.turn.settle = true;
    turn(&f);
    assert_true(f.new.turned);
    close_frames(&f);
    open_frames(&f, 0.1, 0.9);
    f.old.axis[0] = f.new.axis[0] = 1; /* the stronger one was asked for on y */
    f.old.axis[1] = f.new.axis[1] = 0;
    f.turn.settle = true;
    turn(&f);
    assert_true(f.new.turned);
    close_frames(&f);
}

SUITE(map_turn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_that_a_frame_follows_the_one_before),
        cmocka_unit_test(test_that_an_upright_map_is_laid_down),
        cmocka_unit_test(test_that_others_stay_as_they_lie),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
