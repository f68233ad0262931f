/* What is typed behind a colon: actions by their names, and commands with an
 * argument. */
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

/* Complete what is typed at the bottom. Returns how many words begin so. */
size_t ig_command_complete(ig_app *app);

/* The action that is meant by its name or a beginning of it alone, or NULL. */
const ig_action_entry *ig_command_action(const ig_app *app, const char *text);

/* Do what is typed: "set lr 1e-3", "row 7", an action's name or its beginning; `text`
 * is cut into its words. False: there is no such command. */
bool ig_command_run(ig_app *app, char *text);

#endif
