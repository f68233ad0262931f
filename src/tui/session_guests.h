/* The guests of a session's file, and axes that are laid through them. */
#ifndef TUI_SESSION_GUESTS_H
#define TUI_SESSION_GUESTS_H

#include "base/json.h"
#include "tui/app.h"

/* Those that there are, then those that are still awaited. */
ig_json *ig_session_guests_json(const ig_app *app);

/* The axis that is laid, or is to be, with guests by their place in that list, from 1;
 * false: there is none, or it leads to a guest that has gone. */
bool ig_session_guests_axis(const ig_app *app, int which, ig_map_axis *axis);

/* Ask for the guests of a session again, where there is an encoder; else they are kept
 * for the next file, and that is told. View's axes were taken before.
 *   named  in  the session names an encoder
 * IG_OK, IG_FORMAT (names the file) or IG_NOMEM. */
ig_status ig_session_guests_restore(ig_app *app, const char *file,
                                    const ig_json_value *session, bool named,
                                    ig_error *error);

/* They come one by one: each gets the name it had, and axes that led to them are laid
 * when all have come. */
void ig_session_guests_update(ig_app *app);

#endif
