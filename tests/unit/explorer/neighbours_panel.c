/* The neighbours panel: the languages that are asked for, what is selected and copied. */
#include "explorer/panels/neighbours_panel.h"
#include "explorer.h"
#include "explorer/clipboard.h"
#include "pressing.h"
#include "scratch.h"

static void check(scene *s, const struct pressed *step)
{
    check_pressed(s, 40, 120, step);
}

static void test_filter(void **state)
{
    scene *s = *state;
    const ig_view_request *request = &s->app.request;

    check(s, (const struct pressed[]){{":panel neighbours<Enter>&ba,da<Enter>",
                                       "neighbours of #0 aa in ba, da]"},
                                      {0}});
    assert_int_equal(request->to, IG_TO_CHOSEN);
    assert_true(ig_request_has_language(request, 1));
    assert_false(ig_request_has_language(request, 2));
    for (size_t i = 0; i < s->app.now->neighbours->count[0]; i++)
        assert_true(s->set->lang[s->app.now->neighbours->near[0][i].row] % 2 == 1);
    /* The prompt has what is chosen; a code that is none keeps it open. */
    check(s, (const struct pressed[]){
                 {"&", "empty: all): ba,da"},
                 {",xy<Enter>", "has no language 'xy'; it has aa, ba, ca, da"},
                 {NULL, "empty: all): ba,da,xy"},
                 {"<Backspace><Backspace>ca<Enter>", "in ba, ca, da"},
                 {"&<Ctrl-U>others<Enter>", "neighbours of #0 aa in other l"},
                 {0}});
    assert_int_equal(request->to, IG_TO_OTHERS);
    check(s, (const struct pressed[]){{"&<Ctrl-U><Enter>", "neighbours of #0 aa]"},
                                      {":to ca aa<Enter>", "in aa, ca"},
                                      {":to zz<Enter>", "has no language 'zz'"},
                                      {NULL, "in aa, ca"},
                                      {":to all<Enter>", NULL},
                                      {0}});
    assert_int_equal(request->to, IG_TO_ALL);
}

static void test_copy(void **state)
{
    scene *s = *state;

    check(s, (const struct pressed[]){{"y", "this terminal has no clipboard"}, {0}});
    s->app.can_copy = true;
    assert_int_equal(press_at(s, "y", 40, 120), IG_APP_COPY);
    assert_string_equal(s->app.copied, s->set->text[0]);
    for (int taken = 1; taken >= 0; taken--) {
        ig_copy_done(&s->app, taken);
        settle(s, 40, 120);
        assert_true(on_screen(s, taken ? ": A short one."
                                       : "copy failed: the terminal refused"));
    }
    /* The selected line; a row without a text has an id. */
    press_at(s, ":panel neighbours<Enter>", 40, 120);
    for (int i = 0; i < 12; i++) {
        uint32_t row = ig_neighbours_panel.row(&s->app);

        assert_true(row < 120 && row != 0);
        assert_int_equal(press_at(s, "y", 40, 120), IG_APP_COPY);
        if (!s->set->text[row][0])
            assert_string_equal(s->app.copied, s->set->id_name[s->set->id[row]]);
        for (const char *c = s->app.copied; *c; c++)
            assert_true((unsigned char)*c >= 0x20);
        press_at(s, "j", 40, 120);
    }
}

SUITE(neighbours_panel, scratch_enter, scratch_leave, scene_test(test_filter),
      scene_test(test_copy))
