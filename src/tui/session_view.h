/* What is looked at, in a session's file: a row of a table for each thing. */
#ifndef TUI_SESSION_VIEW_H
#define TUI_SESSION_VIEW_H

#include "base/json.h"
#include "tui/app.h"

/* As it is. */
ig_json *ig_session_view_json(const ig_app *app);

/* Show what an object says (NULL: nothing). IG_OK, or IG_FORMAT: names the file. */
ig_status ig_session_view_take(ig_app *app, const char *file,
                               const ig_json_value *object, ig_error *error);

#endif
