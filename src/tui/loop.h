/* The explorer: an app, a session with its worker, and a terminal. */
#ifndef TUI_LOOP_H
#define TUI_LOOP_H

#include "draw/canvas.h"
#include "tui/app.h"
#include "tui/terminal.h"

typedef struct ig_explore_setup {
    const ig_set *set;
    const ig_pairs *pairs; /* may be empty */
    const char *pairing;
    const ig_scores *scores; /* or NULL */
    const char *const *data; /* (data_words) DATA and its options, for a report */
    size_t data_words;
    ig_pool *pool;
    const ig_inputs *inputs; /* files that are read, or NULL: none is written over */
    const ig_origin *origin; /* what encoded the set, or NULL */
    const ig_encoder_options *encoder; /* of sentences that are asked, or NULL … */
    const char *no_encoder;            /* … and why, or NULL */
    ig_view_request request;           /* what is looked at first */
    ig_command start;                  /* the first run that will be asked for … */
    bool train;                        /* … and at once */
    const char **run;                  /* (runs) directories to read */
    size_t runs;
    size_t strict_runs; /* the first so many must have the set's dimensions */
    const char *remap;
    bool keep_unasked;
    size_t zero_rows;
    const char *note; /* to be shown at first, or NULL */
    ig_terminal_options terminal;
    int glyphs;  /* ig_glyphs, or -1: the best the terminal shows */
    int colours; /* at most that many, or -1: as many as the terminal has */
} ig_explore_setup;

/* Take the terminal and run until the user quits. IG_OK, IG_INTERRUPTED (a signal ended
 * it), or why it could not begin. */
ig_status ig_explore(const ig_explore_setup *setup, ig_error *error);

/* One frame without a terminal: press the keys of a script (tui/key.h), letting all
 * work end after each, and draw. *text: the frame as text (ig_free it), with colours
 * when depth > 0. IG_OK, IG_NOMEM, or IG_USAGE (a key that is none). */
ig_status ig_render(const ig_explore_setup *setup, const char *keys, int rows, int cols,
                    ig_glyphs glyphs, ig_depth depth, char **text, ig_error *error);

#endif
