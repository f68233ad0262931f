/* A run replayed, by a clock that the test holds. */
#include "explorer/playback.h"

#include <math.h>

#include "explorer.h"
#include "explorer/narration.h"
#include "explorer/panels/map_panel.h"
#include "explorer/selection.h"
#include "pressing.h"
#include "scratch.h"

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

/* --- the talk of the demo --------------------------------------------------------- */

/* The original map stands for three seconds or to the first key; training has a pace that
 * Space ends; at the end the measured figures and what to try next. */
static void test_talk(void **state)
{
    scene *s = *state;

    begin(s, 30);
    s->app.options.narrate = true;
    s->app.options.subject = "Layer 4 of this encoder";
    s->app.talk.chooses = true;
    ig_talk_open(&s->app);
    pass(s, 0);
    settle(s, 30, 110);
    check_shows(s, "Layer 4 of this encoder groups sentences by ");
    check_shows(s, "language for ");
    assert_true(fabs(ig_explorer_waits(&s->app) - 3) < 1e-9);
    assert_true(fabs(s->app.request.pace - 2) < 1e-9); /* 30 epochs in 15 s */
    assert_false(s->app.talk.chooses);                 /* the measures have come */
    pass(s, 2.9);
    assert_int_equal(s->app.starts, 0);
    pass(s, 0.2);
    assert_int_equal(s->app.starts, 1);
    assert_int_equal(s->app.now->activity, IG_FINISHED);
    check_shows(s, "; a linear probe");
    check_shows(s, "] shows why.");
    check_shows(s, "try next:  ] why");
    check_shows(s, "? help  q quit");
    press(s, ":panel runs<Enter>"); /* covers one line of a list with the keys */
    settle(s, 30, 70);
    assert_true(on_screen(s, "Retrieval "));
    assert_false(on_screen(s, "shows why"));
    assert_true(ig_explorer_waits(&s->app) < 0);
}

static void test_talk_is_skipped(void **state)
{
    scene *s = *state;
    ig_key space = {.code = IG_KEY_TEXT, .unicode = ' '};

    begin(s, 30);
    s->app.options.narrate = true;
    ig_talk_open(&s->app);
    pass(s, 0);
    ig_explorer_key(&s->app, space); /* no longer waits: trains */
    assert_int_equal(s->app.starts, 1);
    assert_true(s->app.request.pace > 0);
    assert_false(s->app.request.paused);
    ig_explorer_key(&s->app, space); /* at full speed */
    assert_true(s->app.request.pace == 0);
    assert_false(s->app.request.paused);
    ig_explorer_key(&s->app, space);
    assert_true(s->app.request.paused);
}

/* The right arrow goes through the sentences of the pivot, those first that gain most
 * translations among their nearest, and back at the end to the first. */
static void test_talk_steps(void **state)
{
    scene *s = *state;
    const ig_shown_evaluation *e;
    uint32_t first;
    int last = 99;
    size_t seen = 0;

    begin(s, 5);
    press(s, "T");
    press(s, " ");
    ig_talk_step(&s->app, 0);
    first = s->app.cursor;
    e = s->app.now->evaluation;
    do {
        const ig_pool_row *o = e->space[IG_SPACE_ORIGINAL]->multilingual_pool.found;
        const ig_pool_row *m = e->space[IG_SPACE_MEANING]->multilingual_pool.found;
        size_t i = 0;

        while (o[i].row != s->app.cursor)
            i++;
        assert_int_equal(s->set->lang[s->app.cursor], s->set->lang[first]);
        assert_true(m[i].translations - o[i].translations <= last);
        last = m[i].translations - o[i].translations;
        seen++;
        assert_true(ig_talk_step(&s->app, 1));
    } while (s->app.cursor != first);
    assert_true(seen > 1 && ig_talk_step(&s->app, -1));
}

/* --- replaying -------------------------------------------------------------------- */

static void test_epochs_follow_one_another(void **state)
{
    scene *s = *state;

    begin(s, 5);
    press(s, "p"); /* nothing yet */
    assert_false(s->app.replay.on);
    assert_true(ig_explorer_waits(&s->app) < 0);
    press(s, " p");
    assert_int_equal(s->app.now->shown, 0);
    assert_true(on_screen(s, "replay epoch 0 of 5"));
    assert_true(fabs(ig_explorer_waits(&s->app) - 0.1) < 1e-9);
    pass(s, 0.05);
    assert_int_equal(s->app.now->shown, 0);
    for (size_t e = 1; e <= 5; e++) {
        pass(s, e == 1 ? 0.06 : 0.1);
        assert_int_equal(s->app.now->shown, e);
        assert_int_equal(s->app.now->map->epoch, e);
    }
    pass(s, 0.1);
    assert_false(s->app.replay.on);
    assert_true(on_screen(s, "replay finished"));
    assert_true(ig_explorer_waits(&s->app) < 0);
    press(s, "p"); /* from its beginning */
    assert_int_equal(s->app.now->shown, 0);
    press(s, "<Esc>");
    pass(s, 1);
    assert_false(s->app.replay.on);
    assert_int_equal(s->app.now->shown, s->app.now->best);
}

static void test_it_pauses_and_changes_its_pace(void **state)
{
    scene *s = *state;

    begin(s, 9);
    press(s, " p");
    pass(s, 0.11);
    press(s, "p");
    pass(s, 5);
    assert_int_equal(s->app.now->shown, 1);
    press(s, "p.."); /* goes on from there, and can be moved meanwhile */
    assert_int_equal(s->app.now->shown, 3);
    pass(s, 0.11);
    assert_int_equal(s->app.now->shown, 4);
    press(s, " "); /* the key that pauses what goes */
    assert_false(s->app.replay.on);
    assert_null(s->app.overlay);
    assert_int_equal(s->app.now->runs, 1);
    press(s, "pf");
    pass(s, 0.11);
    pass(s, 0.051);
    assert_int_equal(s->app.now->shown, 6);
}

/* Whatever takes long is not made up for, and nothing is asked for twice. */
static void test_it_waits_for_what_it_asked_for(void **state)
{
    scene *s = *state;

    begin(s, 5);
    press(s, " p");
    now += 3;
    ig_explorer_tick(&s->app);
    assert_int_equal(s->app.request.epoch, 1);
    assert_true(ig_explorer_waits(&s->app) < 0);
    now += 3;
    ig_explorer_tick(&s->app);
    assert_int_equal(s->app.request.epoch, 1);
    settle(s, 30, 110);
    assert_int_equal(s->app.now->shown, 1);
    ig_explorer_tick(&s->app);
    assert_int_equal(s->app.request.epoch, 2);
}

static void test_another_run_ends_it(void **state)
{
    scene *s = *state;

    begin(s, 4);
    press(s, " :set seed 2<Enter> p");
    press(s, ":panel runs<Enter>g<Enter>");
    pass(s, 1);
    assert_false(s->app.replay.on);
    assert_int_equal(s->app.now->shown_run, 1);
    press(s, "p:set seed 3<Enter>:method seed<Enter>");
    pass(s, 1);
    assert_false(s->app.replay.on);
    assert_int_equal(s->app.now->shown_run, 3);
    assert_false(s->app.now->looking);
}

SUITE(replay, scratch_enter, scratch_leave, scene_test(test_talk),
      scene_test(test_talk_is_skipped), scene_test(test_talk_steps),
      scene_test(test_epochs_follow_one_another),
      scene_test(test_it_pauses_and_changes_its_pace),
      scene_test(test_it_waits_for_what_it_asked_for),
      scene_test(test_another_run_ends_it))
