/* Leaving and writing: what is asked, when, and what an answer does. */
#include "explorer/writing.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"
#include "stepped.h"

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

static void make_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool holds(const char *name, const char *text)
{
    char line[64] = "";
    FILE *file = fopen(name, "r");
    bool same;

    assert_non_null(file);
    same = fgets(line, sizeof line, file) && strcmp(line, text) == 0;
    fclose(file);
    return same;
}

/* --- leaving ---------------------------------------------------------------------- */

static void test_nothing_to_lose_is_no_question(void **state)
{
    scene *s = *state;

    assert_int_equal(press(s, "q"), IG_APP_QUIT);
    press(s, " :write kept<Enter>");
    assert_int_equal(s->app.now->unsaved, 0);
    assert_int_equal(press(s, "q"), IG_APP_QUIT);
}

static void test_what_would_be_lost_is_named(void **state)
{
    scene *s = *state;

    press(s, " :method oracle<Enter>:method seed<Enter>");
    press(s, "q");
    check_shows(s, "3 runs are not saved.");
    check_shows(s, "Run 2 oracle is not saved.");
    assert_int_equal(press(s, "n"), IG_APP_NOTHING);
    assert_null(s->app.overlay);
    assert_int_equal(press(s, "q<Esc>"), IG_APP_NOTHING);
    assert_null(s->app.overlay);
    assert_int_equal(press(s, "qy"), IG_APP_QUIT);
    assert_int_equal(press(s, "qq"), IG_APP_QUIT);
    assert_int_equal(press(s, "n<Ctrl-C>"), IG_APP_NOTHING);
    assert_int_equal(press(s, "<Ctrl-C>"), IG_APP_QUIT);
}

static void test_a_run_that_goes_is_asked_for(void **state)
{
    static const struct look look = {120, 8, 4, true, true, false, false, 0.1};
    ig_key q = {.code = IG_KEY_TEXT, .unicode = 'q'};
    scene s;

    open_scene(&s, &look, 1);
    s.app.start.options.epochs = 100000;
    drive(s.session);
    ig_explorer_key(&s.app, (ig_key){.code = IG_KEY_TEXT, .unicode = ' '});
    while (s.app.now->runs == 0 || s.app.now->epochs < 2) {
        step(s.session);
        ig_explorer_update(&s.app);
    }
    ig_explorer_key(&s.app, q);
    draw(&s, 24, 80);
    check_shows(&s, "Run 1 seed is training: epoch");
    check_shows(&s, "not saved.");
    s.app.options.keep_unasked = true; /* the demo's */
    s.app.overlay = NULL;
    assert_int_equal(ig_explorer_key(&s.app, q), IG_APP_QUIT);
    close_scene(&s);
}

/* A run that is written leaves the list at once, and its directory stays: nothing is
 * deleted, and it is not said to be. */
static void test_a_written_run_is_closed(void **state)
{
    scene *s = *state;

    press(s, " :method oracle<Enter>:panel runs<Enter>");
    check_shows(s, "d delete");
    s->app.options.keep_unasked = true; /* in the demo, one of them is the user's own */
    press(s, "q");
    check_shows(s, "2 runs are not saved.");
    press(s, "n");
    s->app.options.keep_unasked = false;
    press(s, ":write closed/<Enter>");
    check_shows(s, "d close");
    assert_false(on_screen(s, "d delete"));
    press(s, "d");
    check_shows(s, "run 2 closed; closed/ is kept");
    assert_int_equal(s->app.now->runs, 1);
    assert_int_equal(access("closed/run.json", F_OK), 0);
    press(s, "<Home>"); /* the other one is not written, and is asked for */
    check_shows(s, "d delete");
    press(s, "d");
    check_shows(s, "Run 1 seed is not saved.");
    press(s, "d");
    check_shows(s, "run 1 deleted");
}

/* --- writing ---------------------------------------------------------------------- */

static void test_every_ending_is_written(void **state)
{
    scene *s = *state;
    static const char *const ending[] = {"npz", "jsonl", "vectors.tsv", "csv",
                                         "svg", "pdf",   "png",         "html"};
    char keys[64], path[32];

    press(s, ":leakage summary<Enter>"); /* has a table */
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        snprintf(path, sizeof path, "x.%s", ending[i]);
        snprintf(keys, sizeof keys, ":write %s<Enter>", path);
        press(s, keys);
        assert_int_equal(access(path, F_OK), 0);
    }
}

static void test_nothing_is_written_over_unasked(void **state)
{
    scene *s = *state;

    make_file("mine.svg", "mine");
    press(s, "w<Ctrl-U>mine.svg<Enter>");
    check_shows(s, "mine.svg already exists.");
    press(s, "q"); /* as n */
    assert_null(s->app.overlay);
    assert_true(holds("mine.svg", "mine"));
    press(s, ":write mine.svg<Enter>y");
    check_shows(s, "map saved to mine.svg");
    assert_false(holds("mine.svg", "mine"));
    press(s, " :write twice<Enter>");
    check_shows(s, "run saved to twice");
    press(s, ":write twice<Enter>");
    check_shows(s, "twice already exists.");
    press(s, "y");
    check_shows(s, "run saved to twice");
}

SUITE(writing, scratch_enter, scratch_leave,
      scene_test(test_nothing_to_lose_is_no_question),
      scene_test(test_what_would_be_lost_is_named),
      TEST(test_a_run_that_goes_is_asked_for), scene_test(test_a_written_run_is_closed),
      scene_test(test_every_ending_is_written),
      scene_test(test_nothing_is_written_over_unasked))
