/* The command line, `:`: the table of actions by name, with an argument where they take
 * one, completed while typing. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "explorer/prompt.h"

/* IG_OK or IG_NOMEM. */
ig_status ig_command_line_new(ig_app *app, ig_error *error);
void ig_command_line_delete(struct ig_command_line *line);

/* Word i of an argument, or NULL past the last; written to `out` if it is not static.
 * *about: its description, where it has its own. */
typedef const char *ig_word_source(const ig_app *app, ig_words words, size_t i,
                                   char out[IG_WORD_SIZE], const char **about);

/* Open the command line over the actions of the app and these words, with this text.
 *   chosen  in  line to select, or NULL */
void ig_command_line_open(ig_app *app, ig_word_source *words, const char *text,
                          const char *chosen);

#endif
