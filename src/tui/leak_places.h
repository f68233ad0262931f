/* Where things stand in the leakage panel, and its title. */
#ifndef TUI_LEAK_PLACES_H
#define TUI_LEAK_PLACES_H

#include "tui/app.h"

enum { IG_LEAK_MEASURES = 48 /* of the catalogue, at most */ };

/* From above: what it is measured on where the frame has no room for that, the matrix,
 * its scale, the facts of the selected cell; these beside the matrix where it is wide.
 * Of the summary: the table for the matrix, what the selected measure says for the
 * facts. */
typedef struct ig_leak_places {
    ig_rect sub, heat, scale, facts;
} ig_leak_places;

ig_leak_places ig_leak_places_now(ig_app *app);
ig_leak_places ig_leak_summary_places(ig_app *app);

/* The view that is shown, and its matrix. */
const ig_leak_view *ig_leak_view_shown(const ig_app *app);
ig_heat ig_leak_heat(ig_app *app);

/* The title and the note of the frame, `size` bytes each; false: what should be noted
 * has no room there. */
bool ig_leak_title(const ig_app *app, char *title, char *note, size_t size);

#endif
