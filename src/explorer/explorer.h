/* The explorer without a terminal, driven by loop or `render`: keys in, canvas out. */
#pragma once

#include "explorer/app.h"

/* All panels, in the order of Tab. */
extern const ig_panel *const ig_panels[];
extern const size_t ig_panels_count;

/* An app over a session, which has the view that is looked at first; `start` is the
 * first run that will be asked for. IG_OK or IG_NOMEM. */
ig_status ig_explorer_init(ig_app *app, ig_session *session, const ig_command *start,
                           ig_error *error);

void ig_explorer_free(ig_app *app);

/* Update the session, and what depends on it; true if it shows anything new. */
bool ig_explorer_update(ig_app *app);

/* Do what is due by itself: points on their way, epochs that are replayed, training
 * that the talk begins. Seconds until the next is due; < 0: nothing is. */
double ig_explorer_tick(ig_app *app);

/* A key of the user's; what it asks of the caller. */
ig_key_result ig_explorer_key(ig_app *app, ig_key key);

/* Draw everything at this size. */
ig_status ig_explorer_draw(ig_app *app, int rows, int cols, ig_error *error);
