/* The command line, `:`: actions by name, with arguments, completed while typing. */
#pragma once

#include "explorer/app.h"

/* ig_free it; NULL: out of memory. */
struct ig_command_line *ig_command_line_new(void);

/* Open the command line with a command and a suggested argument, which the first letter
 * replaces. `explains`: as help, below what the focused panel shows. */
void ig_command_line_open(ig_app *app, const char *text, bool explains);

/* Number of the word of an action's argument that is typed, or of the only one that
 * begins so or has this description; -1, with a note: none or several. */
long ig_argument_find(ig_app *app, const ig_action_entry *entry, const char *typed);
