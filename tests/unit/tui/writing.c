/* Leaving and writing: what is asked, when, and what an answer does. */
#include "tui/writing.h"

#include "data/set_writer.h"
#include "explorer.h"
#include "pressing.h"
#include "report/document.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

static void see(const scene *s, const char *text)
{
    char *screen;

    if (on_screen(s, text))
        return;
    screen = ig_canvas_plain(&s->app.canvas);
    fprintf(stderr, "no \"%s\" on the screen:\n%s", text, screen);
    ig_free(screen);
    fail();
}

static void begin(scene *s)
{
    open_scene(s, &usual, 1);
    settle(s, 30, 110);
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
    scene s;

    (void)state;
    begin(&s);
    assert_int_equal(press(&s, "q"), IG_APP_QUIT);
    press(&s, " :write kept<Enter>");
    assert_int_equal(s.app.now->unsaved, 0);
    assert_int_equal(press(&s, "q"), IG_APP_QUIT);
    close_scene(&s);
}

static void test_what_would_be_lost_is_named(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    press(&s, " :method oracle<Enter>:method seed<Enter>");
    press(&s, "q");
    see(&s, "3 runs are not written.");
    see(&s, "Run 2 oracle is not written.");
    assert_int_equal(press(&s, "n"), IG_APP_NOTHING);
    assert_null(s.app.overlay);
    assert_int_equal(press(&s, "q<Esc>"), IG_APP_NOTHING);
    assert_null(s.app.overlay);
    assert_int_equal(press(&s, "qy"), IG_APP_QUIT);
    assert_int_equal(press(&s, "qq"), IG_APP_QUIT);
    close_scene(&s);
}

/* A panel with a table of its own has the keys, and the run is written nonetheless. */
static void test_w_writes_the_run(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    press(&s, " :leakage summary<Enter>qw");
    see(&s, "write to: run");
    press(&s, "<Enter>");
    see(&s, "run written to run");
    assert_int_equal(press(&s, "q"), IG_APP_QUIT);
    close_scene(&s);
}

static void test_a_run_that_goes_is_asked_for(void **state)
{
    scene s;
    ig_key q = {.code = IG_KEY_TEXT, .unicode = 'q'};

    (void)state;
    open_scene(&s, &usual, 1);
    s.app.start.options.epochs = 100000;
    drive(s.session);
    ig_explorer_key(&s.app, (ig_key){.code = IG_KEY_TEXT, .unicode = ' '});
    while (s.app.now->runs == 0 || s.app.now->epochs < 2) {
        step(s.session);
        ig_explorer_update(&s.app);
    }
    ig_explorer_key(&s.app, q);
    draw(&s, 24, 80);
    see(&s, "Run 1 seed is training: epoch");
    see(&s, "not written.");
    s.app.keep_unasked = true; /* the demo's */
    s.app.overlay = NULL;
    assert_int_equal(ig_explorer_key(&s.app, q), IG_APP_QUIT);
    close_scene(&s);
}

/* A run that is written leaves the list at once, and its directory stays: nothing is
 * deleted, and it is not said to be. */
static void test_a_written_run_is_closed(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    press(&s, " :method oracle<Enter>:panel runs<Enter>");
    see(&s, "d delete");
    press(&s, ":write closed/<Enter>");
    see(&s, "d close");
    assert_false(on_screen(&s, "d delete"));
    press(&s, "d");
    see(&s, "run 2 closed: closed/ stays");
    assert_int_equal(s.app.now->runs, 1);
    assert_int_equal(access("closed/run.json", F_OK), 0);
    press(&s, "<Home>"); /* the other one is not written, and is asked for */
    see(&s, "d delete");
    press(&s, "d");
    see(&s, "Run 1 seed is not written.");
    press(&s, "d");
    see(&s, "run 1 deleted");
    close_scene(&s);
}

static void test_a_report_under_way_is_named(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    s.app.now->reporting = true;
    s.app.now->measured_part = 0.4;
    ig_explorer_key(&s.app, (ig_key){.code = IG_KEY_TEXT, .unicode = 'q'});
    draw(&s, 24, 80);
    see(&s, "A report is being made (40%).");
    assert_false(on_screen(&s, "writes the run"));
    close_scene(&s);
}

/* --- writing ---------------------------------------------------------------------- */

/* What is said of endings is what the writers take. */
static void test_every_ending_has_a_writer(void **state)
{
    const char *const *ending;
    size_t kinds = 0, endings = 0;
    char path[64];

    (void)state;
    for (; (ending = ig_write_endings(kinds)) != NULL; kinds++)
        for (; *ending; ending++, endings++) {
            snprintf(path, sizeof path, "x%s", *ending);
            assert_true(ig_set_is_written(path) || ig_report_writes(path) ||
                        ig_map_file_is(path) || ig_table_file_is(path));
        }
    assert_true(kinds > 4 && endings > 8);
}

static void test_endings_are_shown(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    press(&s, "w");
    see(&s, "what an ending means");
    see(&s, ".npz .jsonl .vectors.tsv  all 120 rows with their vectors");
    see(&s, "▸ .svg .pdf .png            the map as a picture");
    press(&s, "<Ctrl-U>page.html");
    see(&s, "▸ .html .htm                a report");
    press(&s, "<Esc>");
    assert_false(on_screen(&s, "what an ending means"));
    press(&s, ":leakage summary<Enter>w");
    see(&s, "▸ .csv .tsv                 the table of the panel leakage");
    close_scene(&s);
}

static void test_other_endings_are_refused(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    press(&s, " :write map.jpg<Enter>");
    see(&s, "nothing is written as .jpg, but as .npz .jsonl");
    press(&s, ":write table.tsv<Enter>");
    see(&s, "table.tsv: nothing is selected, and there is no table in the panel map");
    press(&s, "w<Ctrl-U>run.old<Enter>"); /* it can be mended */
    see(&s, "nothing is written as .old; a run is NAME/");
    press(&s, "/<Enter>");
    see(&s, "run written to run.old");
    press(&s, ":write run-0.1<Enter>");
    see(&s, "run written to run-0.1");
    close_scene(&s);
}

static void test_nothing_is_written_over_unasked(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    make_file("mine.svg", "mine");
    press(&s, "w<Ctrl-U>mine.svg<Enter>");
    see(&s, "mine.svg is there already.");
    press(&s, "n");
    assert_true(holds("mine.svg", "mine"));
    press(&s, ":write mine.svg<Enter>y");
    see(&s, "map written to mine.svg");
    assert_false(holds("mine.svg", "mine"));
    press(&s, " :write twice<Enter>");
    see(&s, "run written to twice");
    press(&s, ":write twice<Enter>");
    see(&s, "twice is there already.");
    press(&s, "y");
    see(&s, "run written to twice");
    close_scene(&s);
}

/* The question over the editor of the objective gives it back. */
static void test_a_question_leaves_what_it_lies_over(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    make_file("mine.objective", "mine");
    press(&s, "ssew<Ctrl-U>mine.objective<Enter>");
    see(&s, "is there already.");
    press(&s, "n");
    assert_non_null(s.app.overlay);
    assert_true(holds("mine.objective", "mine"));
    press(&s, "w<Ctrl-U>mine.objective<Enter>y");
    see(&s, "objective written to mine.objective");
    assert_false(holds("mine.objective", "mine"));
    close_scene(&s);
}

static void test_tab_completes_paths(void **state)
{
    scene s;

    (void)state;
    begin(&s);
    assert_int_equal(mkdir("pictures", 0777), 0);
    make_file("pictures/first.svg", "");
    make_file("pictures/Größe.svg", "");
    make_file("pictures/Grütze.svg", "");
    make_file("pictures/.hidden", "");
    press(&s, "w<Ctrl-U>pic<Tab>");
    assert_string_equal(s.app.prompt.text, "pictures/");
    press(&s, "<Tab>");
    see(&s, "Größe.svg, Grütze.svg, first.svg");
    press(&s, "Gr<Tab>"); /* both go on with a byte of ö and of ü */
    assert_string_equal(s.app.prompt.text, "pictures/Gr");
    press(&s, "ö<Tab>");
    assert_string_equal(s.app.prompt.text, "pictures/Größe.svg");
    press(&s, "<Ctrl-U>pictures/.<Tab>");
    assert_string_equal(s.app.prompt.text, "pictures/.hidden");
    press(&s, "<Ctrl-U>nowhere/<Tab><Esc>:write pic<Tab>f<Tab>");
    assert_string_equal(s.app.prompt.text, "write pictures/first.svg");
    close_scene(&s);
}

SUITE(writing)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_lose_is_no_question),
        cmocka_unit_test(test_what_would_be_lost_is_named),
        cmocka_unit_test(test_w_writes_the_run),
        cmocka_unit_test(test_a_run_that_goes_is_asked_for),
        cmocka_unit_test(test_a_written_run_is_closed),
        cmocka_unit_test(test_a_report_under_way_is_named),
        cmocka_unit_test(test_every_ending_has_a_writer),
        cmocka_unit_test(test_endings_are_shown),
        cmocka_unit_test(test_other_endings_are_refused),
        cmocka_unit_test(test_nothing_is_written_over_unasked),
        cmocka_unit_test(test_a_question_leaves_what_it_lies_over),
        cmocka_unit_test(test_tab_completes_paths),
    };

    return cmocka_run_group_tests_name("writing", tests, scratch_enter, scratch_leave);
}
