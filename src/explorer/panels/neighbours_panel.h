/* The nearest neighbours of the cursor's sentence in the original, meaning and language
 * spaces, or of two runs, with marks of those that only one list has. */
#pragma once

#include "explorer/app.h"
#include "view/axes.h"

extern const ig_panel ig_neighbours_panel;

/* Search neighbours in these languages: "de,fr", "others" (not its own), "all", "". */
void ig_neighbours_in(ig_app *app, const char *text);

/* Mark the cursor's row, those of the selected list, and the translations: marked
 * (rows); its selected row or IG_NO_ROW. False: none yet. */
bool ig_neighbours_mark(const ig_app *app, bool *marked, uint32_t *chosen);
