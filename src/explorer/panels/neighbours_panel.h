/* The nearest neighbours of the cursor's sentence in the original, meaning and language
 * spaces, with entered and left neighbours marked; for two runs, in both meaning
 * spaces. All languages or some. */
#pragma once

#include "explorer/app.h"
#include "view/axes.h"

extern const ig_panel ig_neighbours_panel;

/* Search neighbours only in these languages: "de,fr", "others" (all but the
 * sentence's), "all" or "". */
void ig_neighbours_in(ig_app *app, const char *text);

/* Mark the cursor's row, those of the selected list, and the translations: marked
 * (rows); its selected row or IG_NO_ROW. False: none yet. */
bool ig_neighbours_mark(const ig_app *app, bool *marked, uint32_t *chosen);
