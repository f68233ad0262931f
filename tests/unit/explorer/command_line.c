/* The command line: what Enter and Tab make of it, what it remembers. */
#include "explorer/command.h"

#include "pressing.h"
#include "scratch.h"

static void press(scene *s, const char *keys)
{
    press_at(s, keys, 24, 80);
}

static void test_enter_does_what_is_marked(void **state)
{
    scene *s = *state;

    press(s, ":pan tab<Enter>");
    assert_string_equal(s->app.focus->name, "table");
    press(s, ":centre<Enter>");
    assert_string_equal(s->app.now->method, "centre");
    press(s, ":<Down><Down><Up><Up><Enter>"); /* nothing is chosen */
    assert_null(s->app.prompt.use);
    press(s, ":xqzj<Enter>");
    assert_true(on_screen(s, "unknown command 'xqzj'"));
}

/* What needs more is not done, but typed. */
static void test_what_needs_more_goes_on(void **state)
{
    scene *s = *state;

    press(s, ":set lr<Down><Enter>");
    assert_non_null(s->app.prompt.use);
    assert_string_equal(s->app.prompt.text, "set lr ");
    press(s, "0.5<Enter>");
    assert_true(s->app.start.options.lr == 0.5);
    press(s, ":row<Down><Enter>7<Enter>");
    assert_int_equal(s->app.cursor, 7);
}

static void test_tab_completes(void **state)
{
    scene *s = *state;

    press(s, ":meth<Tab> procr<Tab>");
    assert_string_equal(s->app.prompt.text, "method procrustes");
    press(s, "<Ctrl-U>dream+o<Tab>"); /* no word begins so: what fits best */
    assert_string_equal(s->app.prompt.text, "method dream+oracle");
    press(s, "<Ctrl-U>language d<Tab>");
    assert_string_equal(s->app.prompt.text, "language da");
}

static void test_up_recalls(void **state)
{
    scene *s = *state;

    press(s, ":row 3<Enter>:row 4<Enter>:ro<Up>");
    assert_string_equal(s->app.prompt.text, "row 4");
    press(s, "<Up><Up><Up>");
    assert_string_equal(s->app.prompt.text, "row 3");
    press(s, "<Down><Down>");
    assert_string_equal(s->app.prompt.text, "");
    press(s, "<Up><Up><Enter>");
    assert_int_equal(s->app.cursor, 3);
}

/* The list of methods has all presets; words of other programs lead to commands here. */
static void test_methods_and_synonyms(void **state)
{
    scene *s = *state;
    char keys[96];

    for (size_t i = 0; ig_presets[i].name; i++) {
        snprintf(keys, sizeof keys, ":method %s", ig_presets[i].name);
        press(s, keys);
        assert_false(on_screen(s, "no match"));
        press(s, "<Esc>");
    }
    check_pressed(s, 24, 80,
                  (const struct pressed[]){{":undo", "go back: close, cancel"},
                                           {"<Ctrl-U>export", "save the run, or by"},
                                           {"<Ctrl-U>umap", "layout"},
                                           {"<Ctrl-U>qqq", "no match; try quit"},
                                           {0}});
}

SUITE(command_line, scratch_enter, scratch_leave,
      scene_test(test_enter_does_what_is_marked),
      scene_test(test_what_needs_more_goes_on), scene_test(test_tab_completes),
      scene_test(test_up_recalls), scene_test(test_methods_and_synonyms))
