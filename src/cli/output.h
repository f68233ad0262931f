/* Output of commands: messages on stderr, text and numbers on stdout. Text of the
 * dataset is printed with control characters made visible. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "core/file.h"
#include "core/json.h"
#include "report/tables.h"
#include "view/picture.h"

/* Print "isogloss: MESSAGE" on stderr. */
void ig_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flush stdout. EXIT_SUCCESS, or EXIT_FAILURE with a message if writing failed (full
 * disk), without one if the pipe was closed. */
int ig_finish_output(void);

/* Columns of the terminal of a stream; `otherwise`: it is not one. */
size_t ig_terminal_columns(FILE *stream, size_t otherwise);

/* Whether the locale's encoding is UTF-8. */
bool ig_locale_utf8(void);

/* Begin an object of rows on stdout: {"isogloss": 1, "source": "demo, 4,800 rows". */
void ig_json_begin(const char *source);

/* Print a JSON object on stdout with the schema version as first member "isogloss",
 * and free it. IG_OK, or IG_NOMEM as of NULL; ig_finish_output reports write errors. */
ig_status ig_json_print(json_t *document, ig_error *error);

/* The same with `json`; else, unless `quiet`, for readers: a line a member, "rows
 * 4,800", of lists a line an item; what is null, false, 0 or empty is left out. */
ig_status ig_json_report(json_t *document, bool json, bool quiet, ig_error *error);

/* On a terminal, with `filter`, replace stdout by a stream that shows control
 * characters (core/text.h): files cannot control the terminal. False: out of memory. */
bool ig_sanitize_begin(bool filter);

/* Print the tables of --by, note what the file of --groups names of no column, and
 * write --report on the root process. */
ig_status ig_pivot_output(const ig_pivot *pivot, const ig_options *options,
                          ig_comm *team, ig_error *error);

/* Write a plane to each picture that a command names, by ig_picture_format. */
ig_status ig_plane_output(const ig_plane *plane, const ig_options *o, ig_error *error);

/* Create parent directories of `path`, open (ig_dir_open) and check (ig_output_check)
 * it on the root process, which locks it until ig_dir_close; in others *dir is zero. */
ig_status ig_run_path_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                           const ig_inputs *inputs, bool overwrite, ig_comm *team,
                           ig_error *error);
