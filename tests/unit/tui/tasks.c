/* What people do every day: for each of these tasks the screen names what to press, and
 * at most three keys bring it about, without the help. */
#include <sys/stat.h>

#include "pressing.h"
#include "scratch.h"
#include "tui/searching.h"
#include "tui/selection.h"

static const struct look usual = {48, 8, 4, true, true, false, false, 0.1};

static bool has_run(const scene *s)
{
    return s->app.now->runs == 1;
}

static bool has_matches(const scene *s)
{
    return ig_search_matches(&s->app).count > 0;
}

static bool in_neighbours(const scene *s)
{
    return strcmp(s->app.focus->name, "neighbours") == 0;
}

static bool in_leakage(const scene *s)
{
    return strcmp(s->app.focus->name, "leakage") == 0;
}

static bool has_picture(const scene *s)
{
    struct stat found;

    (void)s;
    return stat("map.svg", &found) == 0 && found.st_size > 0;
}

static bool compares(const scene *s)
{
    return s->app.request.compared != 0;
}

static bool edits(const scene *s)
{
    return s->app.overlay != NULL && on_screen(s, "objective");
}

static bool looks_back(const scene *s)
{
    return s->app.now->looking;
}

static bool has_selection(const scene *s)
{
    return s->app.selection->count > 0;
}

static bool quits(const scene *s)
{
    return s->app.result == IG_APP_QUIT;
}

static const struct task {
    const char *name;
    const char *before; /* keys that lead to where it makes sense */
    const char *seen;   /* on the screen */
    const char *keys;
    bool (*done)(const scene *s);
} tasks[] = {
    {"start", "", "Space train", "<Space>", has_run},
    {"method", "", "m method", "m<Enter>", has_run},
    {"search", "", "/ search", "/s", has_matches},
    {"neighbours", "", "Tab", "<Tab><Tab>", in_neighbours},
    {"leakage", "", "leakage", "<Tab><Tab><Tab>", in_leakage},
    {"picture", "", "w picture", "w<Enter>", has_picture},
    {"compare", ":method centre<Enter>:method procrustes<Enter>", "C compare", "C",
     compares},
    {"edit", "ss", "e edit", "e", edits},
    {"scrub", "<Space>", ", epochs", ",", looks_back},
    {"select", "", "b select", "b<Enter>", has_selection},
    {"quit", "", "q quit", "q", quits},
};

static int count_keys(const char *keys)
{
    ig_key key;
    int n = 0;

    while (ig_key_script(&keys, &key))
        n++;
    return n;
}

static void try_all(int rows, int cols)
{
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        const struct task *t = &tasks[i];
        scene s;

        open_scene(&s, &usual, 1);
        settle(&s, rows, cols);
        press_at(&s, t->before, rows, cols);
        if (!on_screen(&s, t->seen))
            fail_msg("%s, %d × %d: '%s' is not on the screen:\n%s", t->name, cols, rows,
                     t->seen, ig_canvas_plain(&s.app.canvas));
        assert_true(count_keys(t->keys) <= 3);
        press_at(&s, t->keys, rows, cols);
        if (!t->done(&s))
            fail_msg("%s, %d × %d: not done by %s:\n%s", t->name, cols, rows, t->keys,
                     ig_canvas_plain(&s.app.canvas));
        close_scene(&s);
        remove("map.svg");
    }
}

static void test_80x24(void **state)
{
    (void)state;
    try_all(24, 80);
}

static void test_120x40(void **state)
{
    (void)state;
    try_all(40, 120);
}

SUITE(tasks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_80x24),
        cmocka_unit_test(test_120x40),
    };

    return cmocka_run_group_tests_name("tasks", tests, scratch_enter, scratch_leave);
}
