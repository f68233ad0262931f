/* The app without a terminal: what keys do, and that no keys at any size, over any set,
 * draw a broken screen. */
#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

/* --- any keys, any size, any set -------------------------------------------------- */

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

    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        walk(&odd[i], i, i == 0 ? 600 : 150);
}

static void test_every_size_can_be_drawn(void **state)
{
    scene *s = *state;

    press(s, " ");
    for (size_t panel = 0; panel < s->app.panels; panel++, press(s, "<Tab>"))
        for (int rows = 1; rows <= 60; rows += rows < 20 ? 1 : 9)
            for (int cols = 1; cols <= 220; cols += cols < 40 ? 1 : 19) {
                s->app.canvas.glyphs = (ig_glyphs)((rows + cols) % IG_GLYPHS);
                s->app.canvas.depth = (ig_depth)(cols % 5);
                s->app.expanded = cols % 2;
                draw(s, rows, cols);
            }
}

/* --- what keys do ----------------------------------------------------------------- */

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
    scene *s = *state;
    ig_key space = {.code = IG_KEY_TEXT, .unicode = ' '};

    settle(s, 24, 80);
    ig_explorer_key(&s->app, space);
    ig_explorer_key(&s->app, space);
    settle(s, 24, 80);
    assert_int_equal(s->app.starts, 1);
    assert_int_equal(s->app.now->activity, IG_PAUSED);
    press(s, " ");
    assert_int_equal(s->app.starts, 1);
    assert_int_equal(s->app.now->activity, IG_FINISHED);
    check_line(s, 0, "best epoch");
    check_line(s, -2, "seed: all epochs done; best epoch 3");
}

static void test_layers(void **state)
{
    scene *s = *state;

    assert_int_equal(press(s, "?q"), IG_APP_NOTHING);
    assert_int_equal(press(s, "?<Ctrl-C>"), IG_APP_QUIT);
    press(s, "<Esc><Tab>z:<Esc>");
    assert_true(s->app.expanded);
    press(s, "<Esc>");
    assert_false(s->app.expanded);
    assert_string_equal(s->app.focus->name, "curves");
    press(s, "+<Esc>");
    assert_false(ig_map_of(&s->app)->view_is_mine);
    press(s, "<Esc>");
    assert_string_equal(s->app.focus->name, "map");

    assert_int_equal(press(s, "q"), IG_APP_QUIT);
    press(s, " ");
    assert_int_equal(press(s, "q"), IG_APP_NOTHING);
    assert_non_null(s->app.overlay);
    assert_int_equal(press(s, "<Esc>"), IG_APP_NOTHING);
    assert_null(s->app.overlay);
    assert_int_equal(press(s, "qq"), IG_APP_QUIT);
}

static void test_panels_by_name(void **state)
{
    scene *s = *state;
    size_t empty = 0;

    for (size_t i = 0; i < s->app.panels; i++) {
        const ig_panel *panel = s->app.panel[i];
        const char *why = panel->empty ? panel->empty(&s->app) : NULL;
        char keys[64];

        snprintf(keys, sizeof keys, ":panel %s<Enter>", panel->name);
        press(s, keys);
        empty += why != NULL;
        if (why) {
            assert_true(s->app.focus != panel);
            assert_string_equal(s->app.note, why);
            continue;
        }
        assert_ptr_equal(s->app.focus, panel);
        assert_false(ig_rect_empty(ig_app_pane(&s->app, panel).rect));
    }
    assert_true(empty > 0);
    press(s, ":panel nei<Enter>");
    assert_string_equal(s->app.focus->name, "neighbours");
    press(s, ":panel attic<Enter>");
    check_line(s, -2, "unknown panel 'attic' (expected map, ");
    press(s, ":panel<Enter>");
    assert_string_equal(s->app.focus->name, "leakage");
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
    scene *s = *state;

    check_typed(s, "aé漢", "aé漢", 6);
    check_typed(s, "aé漢<Backspace>", "aé", 3);
    check_typed(s, "ae\xcc\x81<Backspace>", "a", 1);
    check_typed(s, "a漢c<Left><Left>b", "ab漢c", 2);
    check_typed(s, "a漢c<Left><Left><Delete>", "ac", 1);
    check_typed(s, "漢c<Home>a<End>d", "a漢cd", 6);
    check_typed(s, "one two <Ctrl-W>x", "one x", 5);
    check_typed(s, "one two<Left><Ctrl-U>", "o", 0);
    check_typed(s, "one two<Left><Ctrl-K>", "one tw", 6);
    check_typed(s, "<Left><Delete><Ctrl-W><Right>", "", 0);
}

static void test_commands_and_their_mistakes(void **state)
{
    scene *s = *state;
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
        {":set<Enter>", "set needs an option (seed, "},
        {":set lr=1e-3  <Enter>", "lr is 0.001 from the next run on"},
        {":set partner next<Enter>", "partner is next from the next run on"},
        {":set pace 2<Enter>", "pace is 2"},
        {":row 120<Enter>", "row needs a number from 0 to 119, got '120'"},
        {":language xx<Enter>", "unknown language 'xx' (expected "},
        {":embeddings men<Enter>", "unknown embeddings 'men'"},
        {":fly<Enter>", "unknown command 'fly'"},
        {":qzx<Enter>", "unknown command 'qzx'"},
        {":write<Enter><Ctrl-U><Enter>", "a path is needed"},
        {":write /nowhere/at/all<Enter>", "no trained run to save yet"},
        {":write nowhere/map.csv<Enter>", "nowhere/map.csv"},
    };

    for (size_t i = 0; i < sizeof mistake / sizeof *mistake; i++) {
        press(s, mistake[i].keys);
        assert_true(on_screen(s, mistake[i].says));
    }
    press(s, ":row 7<Enter>");
    assert_int_equal(s->app.cursor, 7);
    press(s, ":set part<Tab>next<Enter>");
    check_line(s, -2, "partner is next from the next run on");
    press(s, ":set norm<Tab>yes<Enter>");
    check_line(s, -2, "normalize is yes from the next run on");
    press(s, ":emb<Tab> mea<Tab><Enter>");
    assert_int_equal(s->app.request.space, IG_MAP_MEANING);
    assert_int_equal(press(s, ":qui<Enter>"), IG_APP_QUIT);
}

SUITE(app, scratch_enter, scratch_leave, TEST(test_no_keys_break_the_screen),
      scene_test(test_every_size_can_be_drawn),
      scene_test(test_a_second_space_pauses_what_the_first_starts),
      scene_test(test_layers), scene_test(test_panels_by_name),
      scene_test(test_a_prompt_is_edited_by_grapheme),
      scene_test(test_commands_and_their_mistakes))
