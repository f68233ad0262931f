/* The explorer: an app, a session with its worker, and a terminal. */
#pragma once

#include "explorer/app.h"
#include "explorer/terminal.h"
#include "view/canvas.h"

typedef struct ig_explore_setup {
    ig_session_setup session;
    ig_app_options app;
    ig_view_request view; /* what is looked at first */
    ig_command start;     /* the first run that will be asked for */
    const char **run;     /* (runs) directories to read; of several, those with other */
    size_t runs;          /* dimensions have their history alone */
    const char *follow;   /* a directory to follow, or NULL */
    const char *gloss;    /* language that lists are read in, or NULL */
    const char *note;     /* to be shown at first, or NULL */
    ig_terminal_options terminal;
    int glyphs;  /* ig_glyphs, or -1: the best the terminal shows */
    int colours; /* ig_depth, at most, or -1: as many as the terminal has */
    int theme;   /* ig_theme, or -1: by the terminal's background */
} ig_explore_setup;

/* Take the terminal and run until the user quits. IG_OK or an error; IG_INTERRUPTED by
 * a signal, with a message if runs were not saved: where they are now. */
ig_status ig_explore(const ig_explore_setup *setup, ig_error *error);

/* What is done with an app after its first frame. */
typedef ig_status ig_screen_use(void *context, ig_app *app, ig_error *error);

/* Open an app without a terminal, run its session until idle, draw the first frame, and
 * call `use`. By default without colours, in braille. IG_OK or what `use` returned. */
ig_status ig_render(const ig_explore_setup *setup, int rows, int cols,
                    ig_screen_use *use, void *context, ig_error *error);

/* Run the session until idle: a new result may cause new requests. */
void ig_render_settle(ig_app *app);

/* Press the keys of a script (explorer/keymap.h), with settling and drawing after each.
 * IG_OK, IG_NOMEM, or IG_USAGE (an unknown key). */
ig_status ig_render_keys(ig_app *app, const char *keys, ig_error *error);
