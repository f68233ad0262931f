/* What is looked at, in a session's file: a row of a table for each thing. */
#ifndef TUI_SESSION_VIEW_H
#define TUI_SESSION_VIEW_H

#include "base/json.h"
#include "tui/app.h"

/* The runs as a session lists them: those that were opened, in their order, those of
 * them that are not there, too; then the others that are kept. Number `place` of them,
 * from 0: its number (0: it is not there) and its directory; false: there are no more.
 */
bool ig_session_run(const ig_app *app, size_t place, unsigned *number,
                    const char **directory);

/* As it is. */
ig_json *ig_session_view_json(const ig_app *app);

/* Show what an object says (NULL: nothing). IG_OK, or IG_FORMAT: names the file. */
ig_status ig_session_view_take(ig_app *app, const char *file,
                               const ig_json_value *object, ig_error *error);

#endif
