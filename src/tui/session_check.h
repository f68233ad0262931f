/* What is wrong with a session's file, in a sentence. */
#ifndef TUI_SESSION_CHECK_H
#define TUI_SESSION_CHECK_H

#include "base/json.h"
#include "tui/app.h"

/* IG_FORMAT: "FILE: view: row must be the number of a row of the set, not 'x'", or that
 * it is missing. */
ig_status ig_session_refuse(ig_error *error, const char *file, const char *what,
                            const char *expected, const ig_json_value *value);

/* IG_OK, or IG_FORMAT: a key of an object is none of these, ended by NULL. */
ig_status ig_session_keys(const char *file, const char *where,
                          const ig_json_value *object, const char *const *keys,
                          ig_error *error);

/* Say what a session names and cannot be shown: the rest is. */
void ig_session_leave_out(ig_app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
