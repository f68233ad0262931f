/* What a panel shows when what it waits for could not be made: why, not that it will
 * come; and it comes once it is tried again. */
#include "tui/panels/map_panel.h"

#include "explorer.h"
#include "pressing.h"
#include "scratch.h"

static const struct look usual = {40, 4, 4, true, true, false, false, 0.1};

enum { ROWS = 44, COLS = 150, MOST = 400 };

/* Keys before memory is short, those whose work is short of it, what waits on the
 * screen, and what is there once memory is back and another row is looked at. */
static const struct waiting {
    const char *before, *keys, *waits, *there;
} cases[] = {
    {"", "", "computing the map", "PC1"},
    {"", ":row 3<enter>", "searching", ".9"},
    {" ", ":row 5<enter>", "searching", ".9"},
    {"", ":leakage summary<enter>", "nothing is measured yet", "xsim"},
    {"", ":colour alignment<enter>", "being measured", "alignment 0"},
    {"", ":search marks<enter>", "indexing the texts", "marks on marks"},
    {"", " ", "starting", NULL},
};

/* The n-th piece of memory from now on is refused; whether one was. */
static bool press_short(scene *s, const struct waiting *w, long n)
{
    const char *keys = w->keys;
    ig_key key;

    while (ig_key_script(&keys, &key))
        ig_explorer_key(&s->app, key);
    ig_alloc_fail_at(n);
    ig_session_settle(s->session);
    ig_alloc_fail_at(0);
    settle(s, ROWS, COLS); /* what could not be told is told now */
    return *s->app.note && s->app.note_is_error;
}

/* Whether a text is on the screen, or not; NULL: that does not matter. */
static void check_screen_of(const scene *s, const struct waiting *w, long n,
                            const char *text, bool there)
{
    char *screen;

    if (!text || on_screen(s, text) == there)
        return;
    screen = ig_canvas_plain(&s->app.canvas);
    fprintf(stderr, "after '%s' '%s', piece %ld, there is %s'%s':\n%s", w->before,
            w->keys, n, there ? "no " : "", text, screen);
    ig_free(screen);
    fail();
}

static void check_case(const struct waiting *w)
{
    size_t failures = 0;

    for (long n = 1; n < MOST; n += thorough() ? 1 : 13) {
        scene s;
        bool failed;

        open_scene(&s, &usual, 1);
        press_at(&s, w->before, ROWS, COLS);
        failed = press_short(&s, w, n);
        failures += failed;
        check_screen_of(&s, w, n, w->waits, false);
        if (failed) {
            press_at(&s, ":row 7<enter>", ROWS, COLS);
            check_screen_of(&s, w, n, w->there, true);
        }
        close_scene(&s);
        if (!failed && n > 100)
            break;
    }
    assert_true(failures > 0);
}

static void test_nothing_waits_for_what_failed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

SUITE(failures)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_waits_for_what_failed),
    };

    return cmocka_run_group_tests_name("failures", tests, scratch_enter, scratch_leave);
}
