/* A run replayed, and points that are seen to move: by a clock that the test holds. */
#include "tui/playback.h"

#include <math.h>

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"
#include "tui/panels/map_panel.h"
#include "tui/selection.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static double now;

static double clock_of_test(void)
{
    return now;
}

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 30, 110);
}

static void begin(scene *s, size_t epochs)
{
    open_scene(s, &usual, 1);
    now = 100;
    s->app.clock = clock_of_test;
    s->app.start.options.epochs = epochs;
    s->app.start.options.patience = 0;
    settle(s, 30, 110);
}

/* Some time goes by, as the loop of the terminal sees it. */
static void pass(scene *s, double seconds)
{
    now += seconds;
    ig_explorer_tick(&s->app);
    settle(s, 30, 110);
}

/* --- replaying -------------------------------------------------------------------- */

static void test_epochs_follow_one_another(void **state)
{
    scene s;

    (void)state;
    begin(&s, 5);
    press(&s, "p"); /* nothing yet */
    assert_false(s.app.replay.on);
    assert_true(ig_explorer_waits(&s.app) < 0);
    press(&s, " p");
    assert_int_equal(s.app.now->shown, 0);
    assert_true(on_screen(&s, "replay epoch 0 of 5"));
    assert_true(fabs(ig_explorer_waits(&s.app) - 0.1) < 1e-9);
    pass(&s, 0.05);
    assert_int_equal(s.app.now->shown, 0);
    for (size_t e = 1; e <= 5; e++) {
        pass(&s, e == 1 ? 0.06 : 0.1);
        assert_int_equal(s.app.now->shown, e);
        assert_int_equal(s.app.now->map->epoch, e);
    }
    pass(&s, 0.1);
    assert_false(s.app.replay.on);
    assert_true(on_screen(&s, "that was the run"));
    assert_true(ig_explorer_waits(&s.app) < 0);
    press(&s, "p"); /* from its beginning */
    assert_int_equal(s.app.now->shown, 0);
    press(&s, "<Esc>");
    pass(&s, 1);
    assert_false(s.app.replay.on);
    assert_int_equal(s.app.now->shown, s.app.now->best);
    close_scene(&s);
}

static void test_it_pauses_and_changes_its_pace(void **state)
{
    scene s;

    (void)state;
    begin(&s, 9);
    press(&s, " p");
    pass(&s, 0.11);
    press(&s, "p");
    pass(&s, 5);
    assert_int_equal(s.app.now->shown, 1);
    press(&s, "p.."); /* goes on from there, and can be moved meanwhile */
    assert_int_equal(s.app.now->shown, 3);
    pass(&s, 0.11);
    assert_int_equal(s.app.now->shown, 4);
    press(&s, " "); /* the key that pauses what goes */
    assert_false(s.app.replay.on);
    assert_null(s.app.overlay);
    assert_int_equal(s.app.now->runs, 1);
    press(&s, "pf");
    pass(&s, 0.11);
    pass(&s, 0.051);
    assert_int_equal(s.app.now->shown, 6);
    close_scene(&s);
}

/* Whatever takes long is not made up for, and nothing is asked for twice. */
static void test_it_waits_for_what_it_asked_for(void **state)
{
    scene s;

    (void)state;
    begin(&s, 5);
    press(&s, " p");
    now += 3;
    ig_explorer_tick(&s.app);
    assert_int_equal(s.app.request.epoch, 1);
    assert_true(ig_explorer_waits(&s.app) < 0);
    now += 3;
    ig_explorer_tick(&s.app);
    assert_int_equal(s.app.request.epoch, 1);
    settle(&s, 30, 110);
    assert_int_equal(s.app.now->shown, 1);
    ig_explorer_tick(&s.app);
    assert_int_equal(s.app.request.epoch, 2);
    close_scene(&s);
}

static void test_another_run_ends_it(void **state)
{
    scene s;

    (void)state;
    begin(&s, 4);
    press(&s, " :set seed 2<Enter> p");
    press(&s, ":panel runs<Enter>g<Enter>");
    pass(&s, 1);
    assert_false(s.app.replay.on);
    assert_int_equal(s.app.now->shown_run, 1);
    press(&s, "p:set seed 3<Enter>:method seed<Enter>");
    pass(&s, 1);
    assert_false(s.app.replay.on);
    assert_int_equal(s.app.now->shown_run, 3);
    assert_false(s.app.now->looking);
    close_scene(&s);
}

/* The run beside it stays at its best epoch. */
static void test_beside_another_run(void **state)
{
    unsigned long serial;
    scene s;

    (void)state;
    begin(&s, 4);
    press(&s, " :set seed 2<Enter> C");
    assert_int_equal(s.app.now->compared_run, 1);
    press(&s, "p");
    serial = s.app.now->compared_map->serial;
    pass(&s, 0.11);
    pass(&s, 0.1);
    assert_int_equal(s.app.now->shown, 2);
    assert_int_equal(s.app.now->shown_run, 2);
    assert_int_equal(s.app.now->compared_run, 1);
    assert_int_equal(s.app.now->compared_map->serial, serial);
    close_scene(&s);
}

static void test_a_selection_stays(void **state)
{
    size_t count;
    scene s;

    (void)state;
    begin(&s, 4);
    press(&s, " :select lang=aa<Enter>i");
    count = s.app.selection->count;
    assert_true(count > 0 && s.app.selection->isolated);
    press(&s, "p");
    pass(&s, 0.11);
    assert_int_equal(s.app.now->shown, 1);
    assert_int_equal(s.app.selection->count, count);
    assert_true(s.app.selection->isolated);
    close_scene(&s);
}

/* --- moving ----------------------------------------------------------------------- */

static void test_points_move_to_another_space(void **state)
{
    const ig_map_half *half;
    scene s;

    (void)state;
    begin(&s, 4);
    press(&s, " ");
    s.app.motion = true;
    press(&s, "v"); /* the first that is seen does not move */
    half = &ig_map_of(&s.app)->main;
    assert_false(ig_map_moves(&s.app));
    press(&s, "v");
    assert_true(ig_map_moves(&s.app));
    assert_true(ig_explorer_waits(&s.app) > 0);
    assert_ptr_not_equal(ig_easing_xy(&half->easing, s.app.now->map, 0),
                         s.app.now->map->xy[0]);
    now += 0.2;
    assert_true(ig_explorer_tick(&s.app));
    assert_true(ig_map_moves(&s.app));
    now += 0.3;
    assert_true(ig_explorer_tick(&s.app)); /* they are there: once more */
    assert_false(ig_explorer_tick(&s.app));
    assert_ptr_equal(ig_easing_xy(&half->easing, s.app.now->map, 0),
                     s.app.now->map->xy[0]);
    assert_true(ig_explorer_waits(&s.app) < 0);
    press(&s, "v");
    assert_true(ig_map_moves(&s.app));
    press(&s, "l"); /* a key: at once */
    assert_false(ig_map_moves(&s.app));
    s.app.motion = false;
    press(&s, "v");
    assert_false(ig_map_moves(&s.app));
    close_scene(&s);
}

/* Points set out from the cell that they were drawn in. */
static void test_they_set_out_from_where_they_were(void **state)
{
    static float before[4] = {0, 0, 4, 8}, after[4] = {10, 30, 20, 50}, other[4] = {0};
    ig_map from = {.serial = 1, .series = 1, .of = {IG_SPACE_ORIGINAL}, .rows = 2};
    ig_map to = {.serial = 2,
                 .series = 2,
                 .of = {IG_SPACE_MEANING, IG_SPACE_LANGUAGE},
                 .rows = 2};
    const ig_view a = {0, 4, 0, 8}, b = {10, 20, 30, 50};
    ig_easing e = {0};
    const float *xy;

    (void)state;
    from.xy[0] = before;
    to.xy[0] = after;
    to.xy[1] = other;
    ig_easing_take(&e, &from, &a, &a, 0, 1);
    assert_false(ig_easing_moves(&e));
    ig_easing_take(&e, &to, &a, &b, 5, 1);
    assert_true(ig_easing_moves(&e));
    for (size_t s = 0; s < 2; s++) { /* both from the one that there was */
        xy = ig_easing_xy(&e, &to, s);
        assert_true(xy[0] == 10 && xy[1] == 30 && xy[2] == 20 && xy[3] == 50);
    }
    assert_false(ig_easing_move(&e, 5.5));
    xy = ig_easing_xy(&e, &to, 1);
    assert_true(xy[0] == 5 && xy[1] == 15);
    assert_true(ig_easing_move(&e, 6));
    assert_ptr_equal(ig_easing_xy(&e, &to, 1), other);
    to.rows = 1; /* other rows: nothing is known of where they were */
    to.serial = 3;
    ig_easing_take(&e, &to, &b, &a, 7, 1);
    assert_false(ig_easing_moves(&e));
    ig_easing_free(&e);
}

SUITE(replay)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epochs_follow_one_another),
        cmocka_unit_test(test_it_pauses_and_changes_its_pace),
        cmocka_unit_test(test_it_waits_for_what_it_asked_for),
        cmocka_unit_test(test_another_run_ends_it),
        cmocka_unit_test(test_beside_another_run),
        cmocka_unit_test(test_a_selection_stays),
        cmocka_unit_test(test_points_move_to_another_space),
        cmocka_unit_test(test_they_set_out_from_where_they_were),
    };

    return cmocka_run_group_tests_name("replay", tests, scratch_enter, scratch_leave);
}
