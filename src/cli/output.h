/* What commands say: sentences on stderr, text and numbers on stdout. Text of the data
 * never drives the terminal: it goes out by graphemes, controls made visible. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"

/* Exit statuses. */
enum {
    IG_EXIT_OK = 0,
    IG_EXIT_FAILED = 1,
    IG_EXIT_USAGE = 2,
    IG_EXIT_INTERRUPTED = 130
};

/* "isogloss: SENTENCE" on stderr. */
void ig_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complain of an error: IG_EXIT_USAGE when it is one of usage, else IG_EXIT_FAILED. */
int ig_fail_exit(const ig_error *error);

/* Flush stdout: IG_EXIT_OK, or IG_EXIT_FAILED with a sentence when something written to
 * it got lost (a full disk); a reader that has gone away (head) is no news. */
int ig_finish_output(void);

/* Columns of the terminal behind a stream, 0 when it is none. */
size_t ig_terminal_columns(FILE *stream);

/* Whether the locale's text is UTF-8. */
bool ig_locale_utf8(void);

/* Text by graphemes, cut to `columns` (SIZE_MAX: not cut) with an ellipsis where it was
 * longer; `pad`: filled with spaces to `columns`. */
void ig_put_text(FILE *out, const char *text, size_t columns, bool pad);

/* Print a JSON object on stdout, after its first member "isogloss", the version of its
 * shape; whole or not at all, and release it. Returns an exit
 * status; that of stdout is ig_finish_output's. */
int ig_json_print(ig_json *document);

#endif
