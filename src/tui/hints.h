/* The line of hints: what can be done here and now, from the table of actions and what
 * the focused panel says of them. */
#ifndef TUI_HINTS_H
#define TUI_HINTS_H

#include "tui/app.h"

typedef struct ig_hint {
    const ig_action_entry *entry;
    const char *brief; /* "train" */
    int rank;          /* lower ones stand before and stay longer */
} ig_hint;

enum { IG_HINTS = 48 };

/* All that make sense now, by rank: those of the panel before the others of a rank.
 * Returns how many, at most IG_HINTS. */
size_t ig_hints_collect(const ig_app *app, ig_hint out[IG_HINTS]);

/* Draw them into a line, those that fit, each with its first key; what always must be
 * found (help, commands, quit) has its room first. */
void ig_hints_draw(ig_app *app, ig_rect at);

/* Draw a list of keys, "Enter start|arrows choose|Esc close", into a line. Returns the
 * columns used. */
int ig_hints_draw_keys(ig_app *app, ig_rect at, const char *keys);

#endif
