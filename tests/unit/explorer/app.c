/* The app without a terminal: what keys do, and that no keys at any size, over any set,
 * draw a broken screen. */
#include <unistd.h>

#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"
#include "explorer/writing.h"

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
        ig_key key = random_key(&random, s.app.overlay && s.app.overlay->types);

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
        walk(&odd[i], i, i == 0 ? 300 : 100);
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

/* Two keys before the worker has heard the first: one run, paused. */
static void test_a_second_space_pauses_what_the_first_starts(void **state)
{
    scene *s = *state;
    ig_key space = {.code = IG_KEY_TEXT, .unicode = ' '};

    settle(s, 24, 80);
    ig_explorer_key(&s->app, space);
    ig_explorer_key(&s->app, space);
    settle(s, 24, 80);
    assert_int_equal(s->app.now->activity, IG_PAUSED);
    press(s, " ");
    assert_int_equal(s->app.now->runs.numbers, 1);
    assert_int_equal(s->app.now->activity, IG_FINISHED);
    check_pressed(
        s, 24, 80,
        (const struct pressed[]){{NULL, "seed: still improving (:set epochs "}, {0}});
}

/* Keys before the first is heard count; old figures keep the strength they were made
 * with. */
static void test_strength_of_keys_pressed_at_once(void **state)
{
    static const struct pressed old[] = {
        {NULL, "seed·1 epoch"}, {NULL, "!strength 0.7,"}, {0}};
    static const struct pressed new[] = {{NULL, " strength 0.7, all"}, {0}};
    scene *s = *state;
    ig_key weaker = {.code = IG_KEY_TEXT, .unicode = ';'};

    press(s, " ");
    for (int i = 0; i < 3; i++)
        ig_explorer_key(&s->app, weaker);
    ig_training_show(s->session);
    assert_int_equal(ig_explorer_draw(&s->app, 30, 110, NULL), IG_OK);
    check_pressed(s, 30, 110, old);
    settle(s, 30, 110);
    check_pressed(s, 30, 110, new);
    /* So do the labels of the sides of a comparison. */
    press_at(s, ":method oracle<Enter>:compare 1<Enter>:leakage findings<Enter>z", 30,
             110);
    ig_explorer_key(&s->app, weaker);
    ig_training_show(s->session);
    assert_int_equal(ig_explorer_draw(&s->app, 30, 110, NULL), IG_OK);
    check_pressed(s, 30, 110,
                  (const struct pressed[]){{NULL, "findings of 2 oracle"},
                                           {NULL, "!findings of 2 oracle strength"},
                                           {0}});
    settle(s, 30, 110);
    check_pressed(
        s, 30, 110,
        (const struct pressed[]){{NULL, "findings of 2 oracle strength 0.9"}, {0}});
}

/* The old map stays, with the reason in its frame when the message has been cleared. */
static void test_a_map_that_failed_says_why(void **state)
{
    scene *s = *state;
    const ig_result *map = &s->app.now->result[IG_PRODUCT_MAP];

    press(s, " ");
    for (long n = 1; !*map->failure; n++) {
        assert_true(n < 1000);
        ig_alloc_fail_at(n);
        press(s, "v");
        ig_alloc_fail_at(0);
    }
    check_pressed(s, 24, 80,
                  (const struct pressed[]){
                      {"<Left>", "out of memory"}, {"v", "!out of memory"}, {0}});
}

static void test_the_editor_gets_weights_that_are_not_set_yet(void **state)
{
    scene *s = *state;
    ig_objective o;

    press(s, "s");
    ig_weights_set(&s->app, "push m(x) m(x') 0.125");
    ig_external_editor_file(&s->app, "");
    assert_int_equal(ig_objective_load(&o, s->app.edited, NULL), IG_OK);
    assert_true(o.term[1].weight == 0.125);
    ig_objective_free(&o);
}

/* No table of one side is saved as that of a comparison that is not measured yet. */
static void test_a_comparison_is_saved_once_it_is_measured(void **state)
{
    const char *keys = ":compare 1<Enter>:save m.csv<Enter>";
    scene *s = *state;
    ig_key key;

    press(s, " :method oracle<Enter>:leakage measures<Enter>");
    while (ig_key_script(&keys, &key)) {
        ig_explorer_key(&s->app, key);
        ig_training_show(s->session);
    }
    assert_string_equal(s->app.note, "m.csv: what is compared is still being measured");
    assert_int_not_equal(access("m.csv", F_OK), 0);
    settle(s, 30, 110);
    press(s, ":save m.csv<Enter>");
    assert_int_equal(access("m.csv", F_OK), 0);
}

SUITE(app, scratch_enter, scratch_leave, TEST(test_no_keys_break_the_screen),
      scene_test(test_every_size_can_be_drawn),
      scene_test(test_a_second_space_pauses_what_the_first_starts),
      scene_test(test_strength_of_keys_pressed_at_once),
      scene_test(test_a_map_that_failed_says_why),
      scene_test(test_the_editor_gets_weights_that_are_not_set_yet),
      scene_test(test_a_comparison_is_saved_once_it_is_measured))
