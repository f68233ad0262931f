/* What lies over the panels: a framed rectangle. */
#ifndef TUI_OVERLAY_H
#define TUI_OVERLAY_H

#include "tui/app.h"

/* A rectangle in the middle of the canvas, blanked and framed; its inside. */
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title);

/* Close it by the keys that close most; false: the action is none of these. */
bool ig_overlay_leave(ig_app *app, ig_action action);

/* --- hotspots --------------------------------------------------------------------- */

/* What the mouse can press beside the panels' own: hints, tabs, lines of overlays. Each
 * frame notes them as it draws them. */

/* A rectangle that presses a key, or gives a panel the keys. Those beyond IG_HOTSPOTS
 * are left out; a later one lies over an earlier one. */
void ig_hotspot_key(ig_app *app, ig_rect rect, ig_key key);
void ig_hotspot_panel(ig_app *app, ig_rect rect, const ig_panel *panel);

/* A list without a header, drawn into a rectangle, with its cursor. */
void ig_hotspot_list(ig_app *app, ig_rect rect, ig_list_cursor *cursor, size_t lines);

/* A rectangle that leads to a row of the set. */
void ig_hotspot_row(ig_app *app, ig_rect rect, uint32_t row);

/* The one at a cell, or NULL. */
const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col);

/* --- question --------------------------------------------------------------------- */

/* A question over the panels, in a few lines, and the keys that answer it. */

/* An answer. The question is gone when `act` is called. Esc gives the last answer,
 * which changes nothing. */
struct ig_reply {
    char letter;              /* its key */
    ig_action action;         /* the keys of this action give it, too; or IG_ACT_NONE */
    const char *says;         /* "writes it" */
    void (*act)(ig_app *app); /* or NULL: nothing */
};

/* Begin a question with these answers, ended by one without a letter; then its lines,
 * of which those that have no room are left out. */
void ig_question_open(ig_app *app, const char *title, const ig_reply *answer);
void ig_question_line(ig_app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
