/* The runs of the session: showing, comparing, deleting one. */
#pragma once

#include "explorer/app.h"

extern const ig_panel ig_runs_panel;

/* Show run i of the session on the map and in the figures. */
void ig_runs_show(ig_app *app, size_t i);

/* Compare the selected run with the displayed one, or the version shown with another,
 * or stop comparing (_stops: whether it does); with this version or run. */
void ig_compare(ig_app *app);
bool ig_compare_stops(const ig_app *app);
void ig_compare_side(ig_app *app, size_t side);

/* Delete the selected run; asks first if it is not saved. */
void ig_runs_delete(ig_app *app);
