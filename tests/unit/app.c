/* The app without a terminal: what keys do, and that no keys at any size, over any set,
 * draw a broken screen. */
#include "tui/app.h"

#include "explorer.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

/* Let all work end, and draw. */
static void settle(scene *s, int rows, int cols)
{
    ig_session_settle(s->session);
    draw(s, rows, cols);
}

static ig_app_request press(scene *s, const char *keys)
{
    ig_app_request request = IG_APP_NOTHING;
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        request = ig_app_key(&s->app, key);
        settle(s, 30, 110);
    }
    assert_int_equal(*keys, '\0');
    return request;
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
        ig_key key = random_key(&random, s.app.prompt.kind != IG_PROMPT_NONE);

        if (key.code == IG_KEY_RESIZE)
            now = ig_random_below(&random, sizeof size / sizeof *size);
        if (i % 50 == 0)
            s.app.canvas.depth = (ig_depth)ig_random_below(&random, 4);
        ig_app_key(&s.app, key);
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
    for (int panel = 0; panel < IG_PANELS; panel++, press(&s, "<Tab>"))
        for (int rows = 1; rows <= 60; rows += rows < 20 ? 1 : 9)
            for (int cols = 1; cols <= 220; cols += cols < 40 ? 1 : 19) {
                s.app.canvas.glyphs = (ig_glyphs)((rows + cols) % 3);
                s.app.canvas.depth = (ig_depth)(cols % 5);
                s.app.settings.expanded = cols % 2;
                draw(&s, rows, cols);
            }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_keys_break_the_screen),
        cmocka_unit_test(test_every_size_can_be_drawn),
    };

    return cmocka_run_group_tests_name("app", tests, scratch_enter, scratch_leave);
}
