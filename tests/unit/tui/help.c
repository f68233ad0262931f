/* Help: topics, the filter, what a panel shows. */
#include "tui/help.h"

#include "pressing.h"
#include "scratch.h"
#include "tui/actions.h"
#include "tui/explorer.h"

static const struct look usual = {48, 8, 4, true, true, false, false, 0.1};

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static void test_topics(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "?");
    assert_true(on_screen(&s, "Each dot is a sentence"));
    assert_true(on_screen(&s, " Commands "));
    press(&s, "<Right>");
    assert_true(on_screen(&s, "train one epoch more"));
    assert_false(on_screen(&s, "Each dot"));
    press(&s, "<Left><Left>"); /* the last one */
    assert_true(on_screen(&s, "neighbours               the nearest rows"));
    press(&s, "<Left>");
    assert_true(on_screen(&s, "set lr                   learning rate"));
    press(&s, "q");
    assert_null(s.app.overlay);
    close_scene(&s);
}

static void test_the_filter(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "?CLIPBOARD");
    assert_true(on_screen(&s, "copy the sentence to the terminal's clipboard"));
    assert_false(on_screen(&s, "start, pause and resume training"));
    press(&s, "xyz");
    assert_true(on_screen(&s, "nothing is called so"));
    press(&s, "<Esc>"); /* the filter, then the help */
    assert_true(on_screen(&s, "Each dot is a sentence"));
    press(&s, "é<Backspace>");
    assert_string_equal(s.app.help_page.filter, "");
    press(&s, "<Esc>");
    assert_null(s.app.overlay);
    close_scene(&s);
}

static void test_scrolling(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press_at(&s, "?<Right><Right><End>", 12, 80);
    assert_true(on_screen(&s, "pan right"));
    assert_false(on_screen(&s, "scale the rows"));
    press_at(&s, "<Home>", 12, 80);
    assert_true(on_screen(&s, "scale the rows"));
    close_scene(&s);
}

/* Every panel says what it shows in three sentences, which a small screen has room
 * for. */
static void test_every_panel_says_what_it_shows(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    settle(&s, 24, 80);
    for (size_t i = 0; i < ig_panels_count; i++) {
        const char *reads = ig_panels[i]->reads;
        int sentences = 0;

        assert_non_null(reads);
        for (const char *c = reads; *c; c++)
            sentences += *c == '.' &&
                         (c[1] == '\0' || (c[1] == ' ' && c[2] >= 'A' && c[2] <= 'Z'));
        assert_int_equal(sentences, 3);
        ig_app_focus(&s.app, ig_panels[i]);
        press(&s, "W");
        assert_true(on_screen(&s, ": what this is"));
        press(&s, "<Esc>");
        assert_null(s.app.overlay);
    }
    close_scene(&s);
}

/* A key that does something closes it and does it. */
static void test_keys_go_through_what_is_told(void **state)
{
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    press(&s, "Wm");
    assert_true(on_screen(&s, "method"));
    assert_non_null(s.app.overlay);
    press(&s, "<Esc>WW");
    assert_null(s.app.overlay);
    close_scene(&s);
}

/* Before there is a set. */
static void test_without_panels(void **state)
{
    ig_app app = {.action = ig_actions};

    (void)state;
    ig_help_open(&app);
    assert_int_equal(ig_canvas_init(&app.canvas, 24, 80, NULL), IG_OK);
    app.layout = ig_layout_compute(24, 80, (ig_layout_settings){0});
    app.overlay->draw(&app);
    app.overlay->key(&app, IG_ACT_NONE, (ig_key){.code = IG_KEY_LEFT});
    app.overlay->draw(&app);
    app.overlay->key(&app, IG_ACT_NONE, (ig_key){.code = IG_KEY_TEXT, .unicode = 'z'});
    app.overlay->draw(&app);
    ig_canvas_free(&app.canvas);
}

SUITE(help)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topics),
        cmocka_unit_test(test_the_filter),
        cmocka_unit_test(test_scrolling),
        cmocka_unit_test(test_every_panel_says_what_it_shows),
        cmocka_unit_test(test_keys_go_through_what_is_told),
        cmocka_unit_test(test_without_panels),
    };

    return cmocka_run_group_tests_name("help", tests, scratch_enter, scratch_leave);
}
