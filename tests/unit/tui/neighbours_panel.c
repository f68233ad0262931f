/* The neighbours panel: what is marked, figures in few columns, the languages that are
 * asked for, what is selected and copied. */
#include <math.h>

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"
#include "tui/clipboard.h"
#include "tui/panels/neighbours_panel.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 40, 120);
}

static void check_shown(const scene *s, const char *text)
{
    char *screen = ig_canvas_plain(&s->app.canvas);

    if (!screen || !strstr(screen, text))
        fail_msg("no \"%s\" in\n%s", text, screen ? screen : "");
    ig_free(screen);
}

/* --- marks -------------------------------------------------------------------------
 * */

static void set_list(ig_neighbours *near, ig_space space, const uint32_t *row, size_t n)
{
    near->has[space] = true;
    near->count[space] = n;
    for (size_t i = 0; i < n; i++)
        near->near[space][i].row = row[i];
}

static void check_marks(const ig_neighbours_list *list, const char *expected)
{
    for (size_t i = 0; expected[i]; i++)
        assert_int_equal(ig_neighbours_marked(list, i), expected[i] == 'x');
}

static void test_marks(void **state)
{
    static const uint32_t original[] = {1, 2, 3, 4}, meaning[] = {3, 7, 1, 8};
    static const uint32_t language[] = {1, 2, 3, 4}, few[] = {4, 9};
    static ig_neighbours near, other;
    static ig_snapshot now = {.neighbours = &near};
    ig_app app = {.now = &now};
    ig_neighbours_list list[IG_SPACES];

    (void)state;
    assert_int_equal(ig_neighbours_lists(&app, list), 0);
    set_list(&near, IG_SPACE_ORIGINAL, original, 4);
    assert_int_equal(ig_neighbours_lists(&app, list), 1);
    assert_null(list[0].against);
    check_marks(&list[0], "....");
    near.due[IG_SPACE_MEANING] = true; /* it follows: a list without marks */
    assert_int_equal(ig_neighbours_lists(&app, list), 2);
    assert_null(list[0].against);
    assert_false(ig_neighbours_ready(&list[1]));
    near.due[IG_SPACE_MEANING] = false;
    set_list(&near, IG_SPACE_MEANING, meaning, 4);
    set_list(&near, IG_SPACE_LANGUAGE, language, 4);
    assert_int_equal(ig_neighbours_lists(&app, list), 3);
    check_marks(&list[0], ".x.x"); /* 2 and 4 have left */
    check_marks(&list[1], ".x.x"); /* 7 and 8 have entered */
    check_marks(&list[2], "....");
    assert_int_equal(list[0].mark, IG_GLYPH_LEFT);
    assert_int_equal(list[1].mark, IG_GLYPH_ENTERED);
    assert_int_equal(list[2].mark, IG_GLYPH_ENTERED);
    /* Shorter: held against as many of the other. */
    set_list(&near, IG_SPACE_MEANING, few, 2);
    ig_neighbours_lists(&app, list);
    check_marks(&list[1], "xx");
    check_marks(&list[0], "xxx.");

    /* Two runs: the meanings of one against those of the other. */
    set_list(&near, IG_SPACE_MEANING, meaning, 4);
    set_list(&other, IG_SPACE_MEANING, language, 4);
    now.compared_run = 2;
    assert_int_equal(ig_neighbours_lists(&app, list), 2);
    assert_null(list[1].near);
    check_marks(&list[0], "....");
    now.compared_neighbours = &other;
    assert_int_equal(ig_neighbours_lists(&app, list), 2);
    check_marks(&list[0], ".x.x");
    check_marks(&list[1], ".x.x");
    other.row = 5; /* of another row: still searched */
    ig_neighbours_lists(&app, list);
    assert_null(list[1].near);
}

/* --- figures ------------------------------------------------------------------------
 * */

static void test_figures(void **state)
{
    static const struct {
        double value;
        const char *two, *three;
    } cosine[] = {{0.714, " .71", " .714"},  {0, " .00", " .000"},
                  {1, " 1.0", " 1.00"},      {-1, "-1.0", "-1.00"},
                  {0.9996, " 1.0", " 1.00"}, {-0.0512, "-.05", "-.051"}},
      margin[] = {{0.984, "0.98", "0.984"},  {1, "1.00", "1.000"},
                  {12.345, "12.3", "12.35"}, {12345, "#", "12345"},
                  {-0.5, "-.50", "-.500"},   {-12.3, "-12", "-12.3"},
                  {(double)NAN, "–", "–"}};
    char out[IG_FIGURE_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cosine / sizeof *cosine; i++) {
        ig_cosine_format(out, (float)cosine[i].value, 2);
        assert_string_equal(out, cosine[i].two);
        ig_cosine_format(out, (float)cosine[i].value, 3);
        assert_string_equal(out, cosine[i].three);
    }
    for (size_t i = 0; i < sizeof margin / sizeof *margin; i++) {
        ig_margin_format(out, IG_MARGINS_THERE, (float)margin[i].value, 2, IG_BRAILLE);
        assert_string_equal(out, margin[i].two);
        ig_margin_format(out, IG_MARGINS_THERE, (float)margin[i].value, 3, IG_BRAILLE);
        assert_string_equal(out, margin[i].three);
    }
    ig_margin_format(out, IG_MARGINS_DUE, 1, 2, IG_BRAILLE);
    assert_string_equal(out, "…");
    ig_margin_format(out, IG_MARGINS_COSTLY, 1, 2, IG_ASCII);
    assert_string_equal(out, "-");
}

/* --- languages ----------------------------------------------------------------------
 * */

static void test_filter(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":panel neighbours<Enter>&ba,da<Enter>");
    assert_int_equal(s.app.request.to, IG_TO_CHOSEN);
    assert_true(ig_request_has_language(&s.app.request, 1));
    assert_false(ig_request_has_language(&s.app.request, 2));
    check_shown(&s, "neighbours of #0 aa in ba, da]");
    for (size_t i = 0; i < s.app.now->neighbours->count[0]; i++)
        assert_true(s.set->lang[s.app.now->neighbours->near[0][i].row] % 2 == 1);
    /* The prompt has what is chosen; a code that is none keeps it open. */
    press(&s, "&");
    assert_string_equal(s.app.prompt.text, "ba,da");
    press(&s, ",xy<Enter>");
    assert_non_null(s.app.prompt.use);
    check_shown(&s, "there is no language 'xy': aa, ba, ca, da");
    assert_string_equal(s.app.prompt.text, "ba,da,xy");
    press(&s, "<Backspace><Backspace><Tab>");
    check_shown(&s, "aa, ba, ca, da");
    press(&s, "c<Tab><Enter>");
    assert_true(ig_request_has_language(&s.app.request, 2));
    check_shown(&s, "in ba, ca, da");
    press(&s, "&<Ctrl-U>o<Tab><Enter>");
    assert_int_equal(s.app.request.to, IG_TO_OTHERS);
    check_shown(&s, "neighbours of #0 aa in other l");
    press(&s, "&<Ctrl-U><Enter>");
    assert_int_equal(s.app.request.to, IG_TO_ALL);
    check_shown(&s, "neighbours of #0 aa]");
    press(&s, ":to ca aa<Enter>");
    check_shown(&s, "in aa, ca");
    press(&s, ":to zz<Enter>");
    check_shown(&s, "there is no language 'zz'");
    check_shown(&s, "in aa, ca");
    press(&s, ":to all<Enter>");
    assert_int_equal(s.app.request.to, IG_TO_ALL);
    close_scene(&s);
}

static void test_filter_of_many(void **state)
{
    static const struct look many = {210, 4, 70, true, true, false, false, 0};
    scene s;

    (void)state;
    open_scene(&s, &many, 1);
    press(&s, ":panel neighbours<Enter>&ab,bb,cb,db,eb,fb<Enter>");
    check_shown(&s, "neighbours of #0 aa in 6 l");
    press(&s, "&<Ctrl-U>a<Tab>");
    check_shown(&s, "aa, ab, ac"); /* and "all": what may follow */
    assert_string_equal(s.app.prompt.text, "a");
    press(&s, "q<Enter>");
    check_shown(&s, "there is no language 'aq': aa, ba, ca");
    check_shown(&s, " …");
    press(&s, "<Esc>z");
    check_shown(&s, "64 of 69 translations told");
    close_scene(&s);
}

/* --- the panel ----------------------------------------------------------------------
 * */

/* To the lists' right, when it is expanded, is the table of translations. */
static void test_table(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " :panel neighbours<Enter>z");
    check_shown(&s, "+ not in original   − not in meaning   ✓ translation");
    check_shown(&s, "language   cos margin translation");
    press(&s, "gllll");
    assert_int_equal(ig_neighbours_panel.row(&s.app), 1);
    press(&s, "G");
    assert_int_equal(ig_neighbours_panel.row(&s.app), 3);
    press(&s, "<Enter>");
    assert_int_equal(s.app.cursor, 3);
    press(&s, "z"); /* no table: the last list */
    assert_int_equal(ig_neighbours_panel.row(&s.app),
                     s.app.now->neighbours->near[IG_SPACE_LANGUAGE][0].row);
    close_scene(&s);
}

/* Where all rows are the same, ranks are not told. */
static void test_ties_are_told(void **state)
{
    static const struct look same = {40, 4, 4, true, true, true, false, 0};
    scene s;

    (void)state;
    open_scene(&s, &same, 1);
    press(&s, ":panel neighbours<Enter>");
    check_shown(&s, "all tie: no ranks");
    press(&s, "z");
    assert_true(on_screen(&s, "ba        –"));
    close_scene(&s);
}

static void test_copy(void **state)
{
    scene s;
    uint32_t row;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 40, 120);
    assert_int_equal(press(&s, "y"), IG_APP_NOTHING);
    check_shown(&s, "this terminal has no clipboard");
    s.app.can_copy = true;
    assert_int_equal(press(&s, "y"), IG_APP_COPY);
    assert_string_equal(s.app.copied, s.set->text[0]);
    ig_copy_done(&s.app, true);
    settle(&s, 40, 120);
    check_shown(&s, ": A short one.");
    ig_copy_done(&s.app, false);
    settle(&s, 40, 120);
    check_shown(&s, "the terminal did not take it");
    /* The selected line; a row without a text has an id. */
    press(&s, ":panel neighbours<Enter>");
    for (int i = 0; i < 12; i++) {
        row = ig_neighbours_panel.row(&s.app);
        assert_true(row < 120 && row != 0);
        assert_int_equal(press(&s, "y"), IG_APP_COPY);
        if (!s.set->text[row][0])
            assert_string_equal(s.app.copied, s.set->id_name[s.set->id[row]]);
        for (const char *c = s.app.copied; *c; c++)
            assert_true((unsigned char)*c >= 0x20);
        press(&s, "j");
    }
    close_scene(&s);
}

static void test_nothing_to_copy(void **state)
{
    static const struct look bare = {40, 4, 2, false, false, false, false, 0};
    scene s;

    (void)state;
    open_scene(&s, &bare, 1);
    s.app.can_copy = true;
    settle(&s, 40, 120);
    assert_int_equal(press(&s, "y"), IG_APP_NOTHING);
    check_shown(&s, "row 0 has no text and no id to copy");
    close_scene(&s);
}

static void test_which_match(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 40, 120);
    press(&s, "/short");
    check_shown(&s, "15 matches");
    press(&s, "<Enter>n");
    check_shown(&s, "match 2 of 15");
    press(&s, "NN");
    check_shown(&s, "match 15 of 15");
    close_scene(&s);
}

SUITE(neighbours_panel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),       cmocka_unit_test(test_figures),
        cmocka_unit_test(test_filter),      cmocka_unit_test(test_filter_of_many),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_ties_are_told),
        cmocka_unit_test(test_copy),        cmocka_unit_test(test_nothing_to_copy),
        cmocka_unit_test(test_which_match),
    };

    return cmocka_run_group_tests_name("neighbours_panel", tests, scratch_enter,
                                       scratch_leave);
}
