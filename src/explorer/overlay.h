/* What is drawn over and around the panels: framed boxes, questions, lines, tabs. */
#pragma once

#include "explorer/app.h"

/* Draw a centred, empty framed box; returns its inside. */
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title);

/* Draw a list of keys, "Enter start|Esc close", into a line; the columns used. */
int ig_keys_draw(ig_app *app, ig_rect at, const char *keys);

/* An answer. The question is closed when `act` is called. Mostly y does what its
 * title says, and Enter, but where it would lose a run or a file; Esc, n, Ctrl-C and q,
 * unless other answers have them, give the last one, which changes nothing. */
struct ig_reply {
    const char *keys;         /* with what they do: "y/Enter start it" */
    void (*act)(ig_app *app); /* or NULL: nothing */
};

/* Open a question with these answers, ended by one without keys; then add its lines. */
void ig_question_open(ig_app *app, const char *title, const ig_reply *answer);
void ig_question_line(ig_app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Go to the focused panel's row and show its card, which follows the cursor. */
void ig_inspect_open(ig_app *app);

/* The lines above and below the panels; the message of a frame, which is chosen before
 * its panels are drawn (chrome.c). */
void ig_header_draw(ig_app *app);
void ig_message_choose(ig_app *app);
void ig_footer_draw(ig_app *app);

/* Draw the names of the panels that share a place into the upper line of its frame,
 * `open` with its title in place of its name, and a note ("": none) at the right. Where
 * there is little room the title is cut to two thirds of the line, or to the name that
 * it begins with; then a long note is left out, then the names of the others. */
void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note);
