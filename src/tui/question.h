/* A question over the panels, in a few lines, and the keys that answer it. */
#ifndef TUI_QUESTION_H
#define TUI_QUESTION_H

#include "tui/app.h"

/* An answer. The question is gone when `act` is called. Esc gives the last answer,
 * which changes nothing. */
struct ig_reply {
    char letter;              /* its key */
    ig_action action;         /* the keys of this action give it, too; or IG_ACT_NONE */
    const char *says;         /* "writes it" */
    void (*act)(ig_app *app); /* or NULL: nothing */
};

/* Begin a question with these answers, ended by one without a letter; then its lines,
 * of which those that have no room are left out. */
void ig_question_open(ig_app *app, const char *title, const ig_reply *answer);
void ig_question_line(ig_app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
