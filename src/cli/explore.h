/* The explorer as the options of a command describe it. */
#pragma once

#include "cli/options.h"
#include "explorer/loop.h"

/* Open DATA and the explorer without a terminal (ig_render) and call `use`. */
ig_status ig_render_with(const ig_options *options, ig_screen_use *use, void *context,
                         ig_error *error);

/* After DATA could not be opened, because the converter reads it: ask a user at the
 * terminal whether to run that, do, and name what it wrote as DATA. As below. */
bool ig_ask_convert(ig_options *options, const ig_error *why, ig_arena *names);

/* After DATA could not be opened: if it opens as data of one language whose column
 * lang is missing, no option names a column, and a user is at the terminal, ask which
 * columns hold language, id and text, set options->set.column, and print the command
 * line that says so.
 *   names  in/out  receives the names, which must outlive the options
 * False: nothing was asked, or the user cancelled. */
bool ig_ask_columns(ig_options *options, ig_arena *names);
