/* Searching: what is listed while one types, ways through the list, accents, earlier
 * searches, and that the screen stands as before when it ends. */
#include "tui/searching.h"

#include <string.h>

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static const char *side_of(const scene *s)
{
    return ig_app_in(&s->app, IG_ROLE_SIDE)->name;
}

/* "A short one." is the text of every eighth row. */
static void the_list_is_walked_while_one_types(void **state)
{
    ig_matches m;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":row 20<Enter>/");
    assert_string_equal(side_of(&s), "curves");
    press(&s, "short");
    assert_string_equal(side_of(&s), "matches");
    assert_int_equal(s.app.cursor, 24);
    m = ig_search_matches(&s.app);
    assert_int_equal(m.count, 15);
    assert_int_equal(m.row[3], 24);
    assert_true(on_screen(&s, "matches of short"));
    assert_true(on_screen(&s, " 4/15 "));
    press(&s, "<Down><Down>");
    assert_int_equal(s.app.cursor, 40);
    assert_true(on_screen(&s, "match 6 of 15"));
    press(&s, "<Up>");
    assert_int_equal(s.app.cursor, 32);
    press(&s, "<Enter>");
    assert_int_equal(s.app.cursor, 32);
    assert_string_equal(side_of(&s), "matches");
    assert_string_equal(s.app.focus->name, "map");
    press(&s, "n");
    assert_int_equal(s.app.cursor, 40);
    press(&s, "<Backspace>"); /* and back */
    assert_int_equal(s.app.cursor, 32);
    press(&s, "<Backspace>");
    assert_int_equal(s.app.cursor, 40);
    press(&s, "<Esc>");
    assert_string_equal(side_of(&s), "curves");
    assert_int_equal(ig_search_matches(&s.app).serial, 0);
    close_scene(&s);
}

/* While the texts are indexed, those that are answer; the cursor stays on its match. */
static void it_answers_before_all_is_indexed(void **state)
{
    enum { ROWS = 40000, DIMS = 2 };
    static float row[ROWS * DIMS];
    static const char *lang[ROWS], *text[ROWS];
    ig_view_request request = ig_view_request_defaults();
    ig_command start = ig_command_defaults();
    static scene s;

    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        row[DIMS * i] = (float)(i % 97);
        row[DIMS * i + 1] = (float)(i % 89);
        lang[i] = "en";
        text[i] = i % 1000 == 7 ? "A short one." : i == ROWS - 1 ? "The end." : "Else.";
    }
    assert_int_equal(
        ig_set_of_rows(&s.set, "set", row, ROWS, DIMS, lang, text, NULL, NULL), IG_OK);
    assert_int_equal(ig_pool_new(&s.pool, 1, NULL), IG_OK);
    assert_int_equal(ig_session_new(&s.session, s.set, &s.pairs, "all", s.pool, NULL),
                     IG_OK);
    assert_int_equal(ig_explorer_init(&s.app, s.set, s.session, &request, &start, NULL),
                     IG_OK);
    settle(&s, 24, 80);
    for (const char *keys = "/short"; *keys; keys++)
        ig_explorer_key(&s.app, (ig_key){IG_KEY_TEXT, .unicode = (uint32_t)*keys});
    while (ig_search_matches(&s.app).count == 0) {
        ig_session_step(s.session);
        draw(&s, 24, 80);
    }
    assert_null(ig_session_texts(s.session));
    assert_int_equal(ig_search_matches(&s.app).count, 17);
    assert_true(on_screen(&s, "17 matches in the first 41%"));
    assert_int_equal(s.app.cursor, 7);
    ig_explorer_key(&s.app, (ig_key){.code = IG_KEY_DOWN});
    assert_int_equal(s.app.cursor, 1007);
    settle(&s, 24, 80);
    assert_int_equal(s.app.cursor, 1007);
    assert_int_equal(ig_search_matches(&s.app).count, 40);
    assert_true(on_screen(&s, "40 matches"));
    assert_false(on_screen(&s, "in the first"));
    press(&s, "<Esc>/the end");
    assert_int_equal(s.app.cursor, ROWS - 1);
    close_scene(&s);
}

static void all_stands_as_before(void **state)
{
    static const char *const panel[] = {"map", "leakage", "runs", "neighbours"};
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    for (size_t i = 0; i < sizeof panel / sizeof *panel; i++) {
        char keys[64], side[32];

        snprintf(keys, sizeof keys, ":panel %s<Enter>", panel[i]);
        press(&s, keys);
        snprintf(side, sizeof side, "%s", side_of(&s));
        press(&s, "/short<Down>");
        assert_string_equal(side_of(&s), "matches");
        press(&s, "<Esc>");
        assert_string_equal(s.app.focus->name, panel[i]);
        assert_string_equal(side_of(&s), side);
        assert_int_equal(s.app.cursor, 0);
        press(&s, "/short<Ctrl-U>"); /* nothing typed: nothing listed */
        assert_string_equal(s.app.focus->name, panel[i]);
        assert_string_equal(side_of(&s), side);
        press(&s, "<Esc>");
    }
    /* A panel of the side gives its place up, with the keys. */
    press(&s, ":panel leakage<Enter>/short<Enter>");
    assert_string_equal(s.app.focus->name, "matches");
    press(&s, "j");
    assert_int_equal(s.app.cursor, 8);
    press(&s, "<Enter>");
    assert_string_equal(s.app.focus->name, "neighbours");
    close_scene(&s);
}

static void a_small_screen_shows_the_list(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, "/short", 6, 20);
    assert_true(on_screen(&s, "aa A short one."));
    press_at(&s, "<Down><Enter>", 6, 20);
    assert_string_equal(s.app.focus->name, "map");
    assert_int_equal(s.app.cursor, 8);
    press_at(&s, "/family", 3, 10);
    press_at(&s, "<Down><Esc>", 1, 1);
    assert_string_equal(s.app.focus->name, "map");
    close_scene(&s);
}

/* "e" with marks on it is found by "e m", unless accents count. */
static void accents_are_asked_for(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "/e mark");
    assert_true(on_screen(&s, "15 matches   any accents, Tab: as typed"));
    press(&s, "<Tab>");
    assert_true(on_screen(&s, "no text contains it   accents count, Tab: any"));
    press(&s, "<Esc>&e mark");
    assert_true(on_screen(&s, "no text contains it"));
    press(&s, "<Esc>/<Tab>short<Esc>&e mark<Enter>");
    assert_true(on_screen(&s, "selected 15 rows"));
    close_scene(&s);
}

static void earlier_searches_come_back(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "/short<Enter>/family<Enter>:search marks<Enter>/family<Enter>");
    press(&s, "/<Up>");
    assert_string_equal(s.app.prompt.text, "family");
    press(&s, "<Up><Up><Up>");
    assert_string_equal(s.app.prompt.text, "short");
    assert_true(on_screen(&s, "15 matches"));
    press(&s, "<Down>");
    assert_string_equal(s.app.prompt.text, "marks");
    press(&s, "<Down><Down>");
    assert_string_equal(s.app.prompt.text, "");
    press(&s, "on<Ctrl-P>"); /* what was typed is not lost */
    assert_string_equal(s.app.prompt.text, "family");
    press(&s, "<Ctrl-N>");
    assert_string_equal(s.app.prompt.text, "on");
    press(&s, "<Esc>");
    close_scene(&s);
}

static void matches_are_written(void **state)
{
    char line[64] = "";
    FILE *file;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":panel leakage<Enter>/short<Enter>:write found.csv<Enter>");
    file = fopen("found.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "row,id,lang,text\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "0,0,aa,A short one.\n");
    fclose(file);
    close_scene(&s);
}

SUITE(searching)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_walked_while_one_types),
        cmocka_unit_test(it_answers_before_all_is_indexed),
        cmocka_unit_test(all_stands_as_before),
        cmocka_unit_test(a_small_screen_shows_the_list),
        cmocka_unit_test(accents_are_asked_for),
        cmocka_unit_test(earlier_searches_come_back),
        cmocka_unit_test(matches_are_written),
    };

    return cmocka_run_group_tests_name("searching", tests, scratch_enter,
                                       scratch_leave);
}
