/* The app without a terminal: what keys do, and that no keys at any size, over any set,
 * draw a broken screen. */
#include "tui/colouring.h"
#include "tui/panels/map_panel.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

/* --- any keys, any size, any set ---------------------------------------------------- */

static void walk(const struct look *look, uint64_t seed, int keys)
{
    static const int size[][2] = {{24, 80}, {40, 120}, {60, 200}, {6, 20}, {1, 1},
                                  {2, 7},   {16, 60},  {9, 40},   {50, 13}};
    scene s;
    ig_random random;
    size_t now = 0;

    open_scene(&s, look, 1);
    ig_random_init(&random, seed, 0);
    settle(&s, 24, 80);
    for (int i = 0; i < keys; i++) {
        ig_key key = random_key(&random, s.app.prompt.use != NULL);

        if (key.code == IG_KEY_RESIZE)
            now = ig_random_below(&random, sizeof size / sizeof *size);
        if (i % 50 == 0)
            s.app.canvas.depth = (ig_depth)ig_random_below(&random, 4);
        ig_explorer_key(&s.app, key);
        settle(&s, size[now][0], size[now][1]);
    }
    close_scene(&s);
}

static void test_no_keys_break_the_screen(void **state)
{
    static const struct look odd[] = {
        {120, 8, 4, true, true, false, false, 0.1},
        {1, 3, 1, true, true, false, false, 0.1},
        {2, 3, 2, true, true, false, false, 0.1},
        {2, 1, 1, false, false, false, false, 0.1},
        {40, 1, 2, true, true, false, false, 0.1},
        {40, 2, 4, true, true, false, false, 0},
        {30, 4, 3, true, true, true, false, 0.1},
        {30, 4, 3, true, true, false, true, 0.1},
        {210, 4, 70, true, true, false, false, 0.1},
        {40, 4, 2, false, true, false, false, 0.5},
        {40, 4, 2, true, false, false, false, 0.1},
        {40, 4, 1, true, true, false, false, 0.1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        walk(&odd[i], i, i == 0 ? 600 : 150);
}

static void test_every_size_can_be_drawn(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " ");
    for (size_t panel = 0; panel < s.app.panels; panel++, press(&s, "<Tab>"))
        for (int rows = 1; rows <= 60; rows += rows < 20 ? 1 : 9)
            for (int cols = 1; cols <= 220; cols += cols < 40 ? 1 : 19) {
                s.app.canvas.glyphs = (ig_glyphs)((rows + cols) % IG_GLYPHS);
                s.app.canvas.depth = (ig_depth)(cols % 5);
                s.app.expanded = cols % 2;
                draw(&s, rows, cols);
            }
    close_scene(&s);
}

/* --- what keys do ------------------------------------------------------------------- */

static void check_line(const scene *s, int row, const char *expected)
{
    char *text = ig_canvas_plain(&s->app.canvas), *line = text;

    assert_non_null(text);
    row = row < 0 ? s->app.canvas.rows + row : row;
    for (int i = 0; i < row; i++)
        line = strchr(line, '\n') + 1;
    *strchr(line, '\n') = '\0';
    if (!strstr(line, expected))
        fail_msg("line %d is \"%s\", without \"%s\"", row, line, expected);
    ig_free(text);
}

/* Two keys before the worker has heard the first: one run, paused. */
static void test_a_second_space_pauses_what_the_first_starts(void **state)
{
    scene s;
    ig_key space = {.code = IG_KEY_TEXT, .unicode = ' '};

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    ig_explorer_key(&s.app, space);
    ig_explorer_key(&s.app, space);
    settle(&s, 24, 80);
    assert_int_equal(s.app.starts, 1);
    assert_int_equal(s.app.now->activity, IG_PAUSED);
    press(&s, " ");
    assert_int_equal(s.app.starts, 1);
    assert_int_equal(s.app.now->activity, IG_FINISHED);
    check_line(&s, 0, "best epoch");
    check_line(&s, -2, "seed: all epochs done; best epoch 3");
    close_scene(&s);
}

static void test_a_method_with_errors_changes_nothing(void **state)
{
    scene s;

    (void)state;
    scratch_text("bad.objective", "extractor residual\npull 1 m(x) q(y)\n");
    open_scene(&s, &usual, 1);
    press(&s, ":method baseline<Enter>");
    assert_string_equal(s.app.now->method, "baseline");
    check_line(&s, -2, " baseline: closed form ");
    press(&s, ":method bad.objective<Enter>");
    check_line(&s, -2, "bad.objective:2");
    assert_string_equal(s.app.now->method, "baseline");
    press(&s, " ");
    assert_string_equal(s.app.now->method, "baseline");
    assert_false(s.app.note_is_error);
    close_scene(&s);
}

static void test_layers(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    assert_int_equal(press(&s, "?q"), IG_APP_NOTHING);
    assert_int_equal(press(&s, "?<Ctrl-C>"), IG_APP_QUIT);
    press(&s, "<Esc><Tab>z:<Esc>");
    assert_true(s.app.expanded);
    press(&s, "<Esc>");
    assert_false(s.app.expanded);
    assert_string_equal(s.app.focus->name, "curves");
    press(&s, "+<Esc>");
    assert_false(ig_map_of(&s.app)->view_is_mine);
    press(&s, "<Esc>");
    assert_string_equal(s.app.focus->name, "map");

    assert_int_equal(press(&s, "q"), IG_APP_QUIT);
    press(&s, " ");
    assert_int_equal(press(&s, "q"), IG_APP_NOTHING);
    assert_non_null(s.app.overlay);
    assert_int_equal(press(&s, "<Esc>"), IG_APP_NOTHING);
    assert_null(s.app.overlay);
    assert_int_equal(press(&s, "qq"), IG_APP_QUIT);
    close_scene(&s);
}

static void test_panels_by_name(void **state)
{
    size_t empty = 0;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    for (size_t i = 0; i < s.app.panels; i++) {
        const ig_panel *panel = s.app.panel[i];
        const char *why = panel->empty ? panel->empty(&s.app) : NULL;
        char keys[64];

        snprintf(keys, sizeof keys, ":panel %s<Enter>", panel->name);
        press(&s, keys);
        empty += why != NULL;
        if (why) {
            assert_true(s.app.focus != panel);
            assert_string_equal(s.app.note, why);
            continue;
        }
        assert_ptr_equal(s.app.focus, panel);
        assert_false(ig_rect_empty(ig_app_pane(&s.app, panel).rect));
    }
    assert_true(empty > 0);
    press(&s, ":panel nei<Enter>");
    assert_string_equal(s.app.focus->name, "neighbours");
    press(&s, ":panel attic<Enter>");
    check_line(&s, -2, "there is no panel 'attic': map, ");
    press(&s, ":panel<Enter>");
    assert_string_equal(s.app.focus->name, "leakage");
    close_scene(&s);
}

/* What stands at the side stays while the focus is on map or neighbours. */
static void test_the_side_stays_until_another_takes_it(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, ":panel leakage<Enter>:panel neighbours<Enter>:panel map<Enter>");
    assert_string_equal(ig_app_in(&s.app, IG_ROLE_SIDE)->name, "leakage");
    press(&s, ":panel runs<Enter>");
    assert_string_equal(ig_app_in(&s.app, IG_ROLE_SIDE)->name, "curves");
    press(&s, ":panel map<Enter>");
    assert_string_equal(ig_app_in(&s.app, IG_ROLE_SIDE)->name, "curves");
    assert_string_equal(ig_app_in(&s.app, IG_ROLE_LIST)->name, "runs");
    close_scene(&s);
}

static void check_typed(scene *s, const char *keys, const char *expected, size_t at)
{
    press(s, ":");
    press(s, keys);
    assert_string_equal(s->app.prompt.text, expected);
    assert_int_equal(s->app.prompt.length, strlen(expected));
    assert_int_equal(s->app.prompt.at, at);
    press(s, "<Esc>");
    assert_null(s->app.prompt.use);
}

static void test_a_prompt_is_edited_by_grapheme(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    check_typed(&s, "aé漢", "aé漢", 6);
    check_typed(&s, "aé漢<Backspace>", "aé", 3);
    check_typed(&s, "ae\xcc\x81<Backspace>", "a", 1);
    check_typed(&s, "a漢c<Left><Left>b", "ab漢c", 2);
    check_typed(&s, "a漢c<Left><Left><Delete>", "ac", 1);
    check_typed(&s, "漢c<Home>a<End>d", "a漢cd", 6);
    check_typed(&s, "one two <Ctrl-W>x", "one x", 5);
    check_typed(&s, "one two<Left><Ctrl-U>", "o", 0);
    check_typed(&s, "one two<Left><Ctrl-K>", "one tw", 6);
    check_typed(&s, "<Left><Delete><Ctrl-W><Right>", "", 0);
    close_scene(&s);
}

static void test_searching(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "/FAMILY");
    assert_int_equal(s.app.cursor, 6);
    check_line(&s, -1, "15 matches");
    press(&s, "<Enter>nn");
    assert_int_equal(s.app.cursor, 22);
    press(&s, "N");
    assert_int_equal(s.app.cursor, 14);
    press(&s, "/相撞");
    assert_int_equal(s.app.cursor, 21);
    press(&s, "zz");
    check_line(&s, -1, "no text contains it");
    assert_int_equal(s.app.cursor, 14);
    press(&s, "<Esc>");
    assert_int_equal(s.app.cursor, 14);
    press(&s, ":search short<Enter>");
    assert_int_equal(s.app.cursor, 16);
    close_scene(&s);
}

static void test_another_space_is_fitted_anew(void **state)
{
    scene s;
    ig_view zoomed;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " +++");
    zoomed = ig_map_of(&s.app)->main.view;
    press(&s, "<Space><Space>"); /* the same again */
    assert_memory_equal(&ig_map_of(&s.app)->main.view, &zoomed, sizeof zoomed);
    press(&s, "v");
    assert_false(ig_map_of(&s.app)->view_is_mine);
    assert_true(ig_map_of(&s.app)->main.view.xmax - ig_map_of(&s.app)->main.view.xmin >
                zoomed.xmax - zoomed.xmin);
    close_scene(&s);
}

static void test_languages_are_hidden_by_key_by_name_and_in_their_list(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "2");
    assert_false(s.app.colouring->language[1]);
    press(&s, ":language ba<Enter>");
    assert_false(s.app.colouring->language[0] && s.app.colouring->language[1] &&
                 s.app.note_is_error);
    press(&s, "0:panel data<Enter><End><Enter>");
    assert_string_equal(s.app.focus->name, "data");
    assert_false(s.app.colouring->language[3]);
    assert_true(s.app.colouring->language[2]);
    press(&s, "<Enter>9");
    assert_true(s.app.colouring->language[3]);
    check_line(&s, -2, "there are 4 languages");
    close_scene(&s);
}

static void test_commands_and_their_mistakes(void **state)
{
    static const struct {
        const char *keys, *says;
    } mistake[] = {
        {":set lr 0<Enter>", "lr must be a number above 0, not '0'"},
        {":set lr -1<Enter>", "lr must be a number above 0, not '-1'"},
        {":set epochs 2.5<Enter>", "epochs must be a whole number from 1, not '2.5'"},
        {":set epochs 1e300<Enter>", "epochs must be a whole number from 1"},
        {":set valid 1<Enter>", "valid must be at least 0 and less than 1, not '1'"},
        {":set lr<Enter>", "lr must be a number above 0, not ''"},
        {":set partner same<Enter>", "partner must be random|next, not 'same'"},
        {":set<Enter>", "set knows seed, "},
        {":set lr=1e-3  <Enter>", "lr is 0.001 from the next run on"},
        {":set partner next<Enter>", "partner is next from the next run on"},
        {":set pace 2<Enter>", "pace is 2"},
        {":row 120<Enter>", "row needs a number from 0 to 119, got '120'"},
        {":language xx<Enter>", "there is no language 'xx' in the set"},
        {":embeddings mean<Enter>", "there are no embeddings 'mean'"},
        {":fly<Enter>", "there is no command 'fly'"},
        {":qzx<Enter>", "there is no command 'qzx'"},
        {":write<Enter><Ctrl-U><Enter>", "a path is needed"},
        {":write /nowhere/at/all<Enter>", "there is no trained run to write yet"},
        {":write nowhere/map.csv<Enter>", "nowhere/map.csv"},
    };
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    for (size_t i = 0; i < sizeof mistake / sizeof *mistake; i++) {
        press(&s, mistake[i].keys);
        assert_true(on_screen(&s, mistake[i].says));
    }
    press(&s, ":row 7<Enter>");
    assert_int_equal(s.app.cursor, 7);
    press(&s, ":set pa<Tab>");
    check_line(&s, -1, "patience, partner, pace");
    press(&s, "r<Tab> n<Tab><Enter>");
    check_line(&s, -2, "partner is next from the next run on");
    press(&s, ":set norm<Tab>=y<Tab><Enter>");
    check_line(&s, -2, "normalize is yes from the next run on");
    press(&s, ":emb<Tab> mea<Tab><Enter>");
    assert_int_equal(s.app.request.space, IG_MAP_MEANING);
    assert_int_equal(press(&s, ":qui<Enter>"), IG_APP_QUIT);
    close_scene(&s);
}

static void test_the_map_and_the_run_are_written(void **state)
{
    scene s;
    FILE *file;
    char line[128];
    int lines = 0;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " 1w<Ctrl-U>map.csv<Enter>");
    check_line(&s, -2, "map written to map.csv");
    file = fopen("map.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(strstr(line, "row,lang,space,"));
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(strncmp(line, "1,ba,meaning,", 13), 0);
    while (fgets(line, sizeof line, file))
        lines++;
    fclose(file);
    assert_int_equal(lines, 2 * 90 - 1);
    press(&s, "w<Ctrl-U>map.svg<Enter>");
    assert_int_equal(access("map.svg", R_OK), 0);
    press(&s, "w<Enter>");
    check_line(&s, -2, "run written to run");
    assert_int_equal(access("run/run.json", R_OK), 0);
    assert_true(s.app.now->saved);
    press(&s, "  w<Ctrl-U>map.csv/run<Enter>");
    assert_true(s.app.note_is_error);
    assert_false(s.app.now->saved);
    close_scene(&s);
}

static void test_a_row_without_a_text_says_which_it_is(void **state)
{
    static const struct look bare = {40, 4, 2, false, true, false, false, 0.1};
    static const struct look barest = {40, 4, 2, false, false, false, false, 0.1};
    scene s;

    (void)state;
    open_scene(&s, &bare, 1);
    press(&s, ":panel neighbours<Enter>z");
    check_line(&s, 2, "id 0, in a set without texts");
    close_scene(&s);
    open_scene(&s, &barest, 1);
    press(&s, ":panel neighbours<Enter>z");
    check_line(&s, 2, "row 0, in a set without texts");
    close_scene(&s);
}

/* A probe that cannot be fitted has tested rows, but no answers to list. */
static void test_a_probe_with_a_reason_lists_nothing(void **state)
{
    static const struct look one = {40, 4, 1, true, true, false, false, 0.1};
    static const struct look few = {4, 3, 2, true, true, false, false, 0};
    scene s;

    (void)state;
    open_scene(&s, &one, 1);
    press(&s, ":leakage probe-original<Enter><Enter>");
    check_line(&s, -2, "no row is read: only one language");
    close_scene(&s);
    open_scene(&s, &few, 1);
    press(&s, ":leakage probe-original<Enter><Enter>");
    check_line(&s, -2, "no row");
    close_scene(&s);
}

static void test_plots_keep_their_values_where_it_is_narrow(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, " ");
    draw(&s, 24, 80);
    check_line(&s, 9, "live a 0.");
    check_line(&s, 9, "live u \u2212");
    draw(&s, 40, 120);
    check_line(&s, 14, "alignment 0.");
    close_scene(&s);
}

SUITE(app)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_keys_break_the_screen),
        cmocka_unit_test(test_every_size_can_be_drawn),
        cmocka_unit_test(test_a_second_space_pauses_what_the_first_starts),
        cmocka_unit_test(test_a_method_with_errors_changes_nothing),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_panels_by_name),
        cmocka_unit_test(test_the_side_stays_until_another_takes_it),
        cmocka_unit_test(test_a_prompt_is_edited_by_grapheme),
        cmocka_unit_test(test_searching),
        cmocka_unit_test(test_another_space_is_fitted_anew),
        cmocka_unit_test(test_languages_are_hidden_by_key_by_name_and_in_their_list),
        cmocka_unit_test(test_commands_and_their_mistakes),
        cmocka_unit_test(test_the_map_and_the_run_are_written),
        cmocka_unit_test(test_a_row_without_a_text_says_which_it_is),
        cmocka_unit_test(test_a_probe_with_a_reason_lists_nothing),
        cmocka_unit_test(test_plots_keep_their_values_where_it_is_narrow),
    };

    return cmocka_run_group_tests_name("app", tests, scratch_enter, scratch_leave);
}
