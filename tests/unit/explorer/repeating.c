/* The same run once more is asked for; another one is not. */
#include "explorer/playback.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

static void expect_runs(const scene *s, size_t runs, bool asked)
{
    assert_int_equal(s->app.now->runs, runs);
    assert_int_equal(s->app.overlay != NULL, asked);
}

static void test_the_same_is_asked_for(void **state)
{
    scene *s = *state;

    press(s, " ");
    expect_runs(s, 1, false);
    press(s, " ");
    expect_runs(s, 1, true);
    assert_true(on_screen(s, "Run 1 seed is done: best epoch"));
    press(s, "n");
    expect_runs(s, 1, false);
    press(s, "s<Esc>");
    expect_runs(s, 1, false);
    press(s, "  "); /* really */
    expect_runs(s, 2, false);
    press(s, " o");
    expect_runs(s, 3, false);
    assert_int_equal(s->app.now->run_line[2].options.seed, 2);
    press(s, " ");
    assert_true(on_screen(s, "Run 3 seed is done"));
    press(s, "m<Esc>");
    expect_runs(s, 3, false);
    press(s, "s ");
    expect_runs(s, 4, false);
    assert_int_equal(s->app.now->activity, IG_PAUSED);
    press(s, " "); /* goes on */
    expect_runs(s, 4, false);
}

/* Continued, a run starts with the weights of the best epoch before. */
static void test_continued(void **state)
{
    scene *s = *state;
    const ig_run_line *line;
    double first, best;

    press(s, ":set epochs 6<Enter>:set patience 0<Enter> ");
    line = &s->app.now->run_line[0];
    first = line->curves->value[0][IG_CURVE_VALID];
    best = line->curves->value[line->best][IG_CURVE_VALID];
    press(s, " c");
    expect_runs(s, 2, false);
    line = &s->app.now->run_line[1];
    /* Validation losses depend on the batches, a little. */
    assert_true(line->curves->value[0][IG_CURVE_VALID] < best + 0.1 * (first - best));
    assert_true(line->loss < best);
    press(s, " ");
    assert_true(on_screen(s, "Run 2 seed is done"));
}

/* … and with the objective as it was edited, before or after its end. */
static void test_continued_edited(void **state)
{
    scene *s = *state;

    press(s, "sse0.25<Enter><Esc> ");
    assert_int_equal(s->app.now->activity, IG_FINISHED);
    press(s, "ejx");
    check_shows(s, "continue it with the edited objective");
    press(s, "<Esc>s");
    check_shows(s, "from that epoch with the edited objective, or");
    press(s, "c");
    expect_runs(s, 2, false);
    check_shows(s, "run 2 continues run 1 from its epoch");
    press(s, " ");
    assert_true(s->app.now->weight[0] == 0.25 && s->app.now->off[1]);
    press(s, ":set valid 0.3<Enter> c");
    check_shows(s, "holds out: start a new run");
    expect_runs(s, 2, false);
    press(s, ":set valid 0.1<Enter>:set lr 0.02<Enter> c");
    expect_runs(s, 3, false);
    assert_true(s->app.now->weight[0] == 0.25 && s->app.now->off[1]);
    press(s, ":method centre<Enter> ");
    assert_true(!on_screen(s, "c continue") && on_screen(s, "o new seed"));
}

static void test_another_is_not(void **state)
{
    scene *s = *state;

    press(s, " :set lr 0.02<Enter> ");
    check_shows(s, "from that epoch with the options set now, or");
    press(s, " ");
    expect_runs(s, 2, false);
    press(s, ":method oracle<Enter>");
    expect_runs(s, 3, false);
    press(s, ":panel runs<Enter>Gkgjjdd"); /* the run that it would repeat is gone */
    assert_int_equal(s->app.now->runs, 2);
    press(s, " ");
    expect_runs(s, 3, false);
    press(s,
          ":write kept<Enter>:load kept<Enter> "); /* one that was read is no start */
    expect_runs(s, 4, true);
    assert_true(on_screen(s, "Run 4 oracle is done"));
}

SUITE(repeating, scratch_enter, scratch_leave, scene_test(test_the_same_is_asked_for),
      scene_test(test_continued), scene_test(test_continued_edited),
      scene_test(test_another_is_not))
