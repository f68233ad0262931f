/* A question on the terminal: which columns of a table hold what. */
#ifndef CLI_ASK_COLUMNS_H
#define CLI_ASK_COLUMNS_H

#include "cli/options.h"
#include "core/file.h"

/* After DATA could not be opened: if the file read last is a table without a column
 * lang, no option names one, and a user is at the terminal, ask which columns hold
 * language, id and text, set options->column, and print the command line that says so.
 *   names  in/out  receives the names, which must outlive the options
 * False: nothing was asked, or the user cancelled. */
bool ig_ask_columns(ig_options *options, const ig_inputs *inputs, ig_arena *names);

#endif
