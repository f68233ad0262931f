/* The command line, `:`: actions by their names, and commands with an argument, with
 * completions that are listed while one types. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/prompt.h"

/* A command with an argument. */
typedef struct ig_command_word {
    const char *name;
    const char *argument; /* what follows: "N", or NULL: nothing */
    const char *help;
    bool bare;       /* also without an argument; else that is the action of the name */
    bool path;       /* the argument is one */
    bool goes_on;    /* behind a word that is offered there is more to be typed */
    const char *old; /* a name that it had, or NULL */
    void (*run)(ig_app *app, const char *argument);
    ig_prompt_words *words;  /* what Tab completes, or NULL */
    ig_prompt_words *offers; /* of these, what is offered at once, or NULL */
    const char *(*about)(const ig_app *app, size_t i); /* a word of `offers`, or NULL */
} ig_command_word;

/* All of them, ended by one without a name; and that of a name, or NULL. */
extern const ig_command_word ig_command_words[];
const ig_command_word *ig_command_word_named(const char *name);

/* IG_OK or IG_NOMEM. */
ig_status ig_command_line_new(ig_app *app, ig_error *error);
void ig_command_line_delete(struct ig_command_line *line);

/* Let a command be typed. */
void ig_command_line_open(ig_app *app);

#endif
