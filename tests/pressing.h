/* For tests of the explorer by hand: keys pressed one after another, all work done and
 * the screen drawn after each. Included after explorer.h, once by a test program. */
#pragma once

#include <stdlib.h>

#include "explorer.h"

/* Let all work end, and draw. */
static inline void settle(scene *s, int rows, int cols)
{
    ig_session_settle(s->session);
    draw(s, rows, cols);
}

/* Press keys on a screen of that size; what the last one asked for. */
static inline ig_key_result press_at(scene *s, const char *keys, int rows, int cols)
{
    ig_key_result request = IG_APP_NOTHING;
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        s->app.question.opens = 0; /* it does not interrupt typing */
        request = ig_explorer_key(&s->app, key);
        settle(s, rows, cols);
    }
    assert_int_equal(*keys, '\0');
    return request;
}

/* A test whose state is a scene of the usual look, drawn once. */
static inline int scene_enter(void **state)
{
    static const struct look look = {120, 8, 4, true, true, false, false, 0.1};
    scene *s = malloc(sizeof *s);

    open_scene(s, &look, 1);
    settle(s, 30, 110);
    *state = s;
    return 0;
}

static inline int scene_leave(void **state)
{
    close_scene(*state);
    free(*state);
    return 0;
}

#define scene_test(test) cmocka_unit_test_setup_teardown(test, scene_enter, scene_leave)

/* Keys, and what the screen then shows; behind a '!', what it does not show. */
struct pressed {
    const char *keys, *shows;
};

/* Press them one after another, to one without either. */
static inline void check_pressed(scene *s, int rows, int cols,
                                 const struct pressed *step)
{
    for (; step->keys || step->shows; step++) {
        bool hidden = step->shows && step->shows[0] == '!';
        char *screen;

        if (step->keys)
            press_at(s, step->keys, rows, cols);
        screen = ig_canvas_format(&s->app.canvas, false);
        if (step->shows && !strstr(screen, step->shows + hidden) != hidden)
            fail_msg("after %s: %s\n%s", step->keys ? step->keys : "no keys",
                     step->shows, screen);
        ig_free(screen);
    }
}
