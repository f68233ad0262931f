/* For tests of the explorer by hand: keys pressed one after another, all work done and
 * the screen drawn after each. Included after explorer.h, once by a test program. */
#ifndef TESTS_PRESSING_H
#define TESTS_PRESSING_H

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
        request = ig_explorer_key(&s->app, key);
        settle(s, rows, cols);
    }
    assert_int_equal(*keys, '\0');
    return request;
}

static inline bool on_screen(const scene *s, const char *text)
{
    char *screen = ig_canvas_plain(&s->app.canvas);
    bool there;

    assert_non_null(screen);
    there = strstr(screen, text) != NULL;
    ig_free(screen);
    return there;
}

#endif
