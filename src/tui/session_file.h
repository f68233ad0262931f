/* A session as a file: what was open, to be opened again. It is a JSON object:
 *
 *   isogloss    "session"
 *   version     1
 *   data        DATA, in words
 *   options     how it was read, in words: "--limit", "100"
 *   runs        directories, in the order of their numbers
 *   training    method, options and weights of the next run
 *   view        cursor, space, axes, colours, panels, what is shown beside
 *   selection   rows from … to
 *   bookmarks, guests, searches
 *
 * Paths that were given relative to the working folder are kept relative to the file's
 * own. What cannot be kept is left out and told: runs that were not written, and with
 * them epochs looked at, which a written run does not have. Runs and bookmarks that a
 * session names and that are not there are told, and kept in the file. A key or a value
 * that is not known is refused. */
#ifndef TUI_SESSION_FILE_H
#define TUI_SESSION_FILE_H

#include "base/json.h"
#include "base/memory.h"
#include "tui/app.h"

/* How DATA was opened, beside its words. */
typedef struct ig_opened_option {
    const char *name; /* "--limit" */
    const char *value;
    bool is_path;
} ig_opened_option;

typedef struct ig_opened {
    const char *const *data; /* (words) */
    size_t words;
    const ig_opened_option *option; /* (options) */
    size_t options;
} ig_opened;

/* Write the session. IG_OK, IG_VALUE (data that were read from standard input), IG_IO
 * or IG_NOMEM. */
ig_status ig_session_file_write(const ig_app *app, const char *path, ig_error *error);

/* Whether a file can be read and is a session. */
bool ig_session_file_is(const char *path);

/* Whether a session may be written to a path: it is none of the files that are read,
 * and what is there already is a session. IG_OK or IG_USAGE. */
ig_status ig_session_file_may_write(const char *path, const ig_inputs *inputs,
                                    ig_error *error);

/* A file that was read, and lists in it with paths as they are from the working folder.
 * A zeroed struct may be freed. */
typedef struct ig_session_file {
    ig_json *document;
    const char *name; /* the caller's */
    ig_arena arena;
    const char **data, **option, **run;
    size_t words, options, runs; /* options: names and values by turns */
} ig_session_file;

/* Read one, and look through its keys and kinds. `is_path` tells of an option's name
 * whether its value is one; false of a name that a session does not keep, in *known.
 * IG_OK, IG_IO, IG_FORMAT ("FILE: what, and what was expected") or IG_NOMEM; *file is
 * empty unless IG_OK. _bytes: of what was read already. */
typedef bool ig_session_is_path(const char *option, bool *known);
ig_status ig_session_file_read(ig_session_file *file, const char *path,
                               ig_session_is_path *is_path, ig_error *error);
ig_status ig_session_file_bytes(ig_session_file *file, const char *path,
                                const char *bytes, size_t size,
                                ig_session_is_path *is_path, ig_error *error);
void ig_session_file_free(ig_session_file *file);

/* Show what it says, in an app over its data and runs. IG_OK, IG_FORMAT (a row or a
 * name that the data do not have, …) or IG_NOMEM. */
ig_status ig_session_file_restore(const ig_session_file *file, ig_app *app,
                                  ig_error *error);

#endif
