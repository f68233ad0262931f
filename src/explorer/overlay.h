/* Overlays: framed boxes over the panels. */
#pragma once

#include "explorer/app.h"

/* Open one over the panels. A box closes what is open; a question and a typed line
 * leave a box open below, which receives the keys again when they are closed. */
void ig_overlay_open(ig_app *app, const ig_overlay *overlay);
void ig_overlay_close(ig_app *app);

/* Blank and frame a rectangle, or a centred one; returns its inside. */
ig_rect ig_overlay_frame(ig_app *app, ig_rect box, const char *title);
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title);

/* Close it by the usual keys; false: another action. */
bool ig_overlay_leave(ig_app *app, ig_action action);

/* --- hotspots --------------------------------------------------------------------- */

/* Clickable areas outside the panels' own: hints, tabs, lines of overlays. Rebuilt by
 * each frame. */

/* Add an area. Areas beyond IG_HOTSPOTS are dropped; later ones cover earlier ones. */
void ig_hotspot_add(ig_app *app, ig_hotspot spot);

/* The lines of the list that was last drawn with a cursor. */
void ig_hotspot_list(ig_app *app, ig_list_cursor *cursor);

/* The area at a cell, or NULL. */
const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col);

/* --- keys ------------------------------------------------------------------------- */

/* Draw a key and its word: "Space train". Returns the columns used. */
int ig_key_draw(ig_app *app, ig_rect at, const char *name, const char *word);

/* Draw a list of keys, "Enter start|arrows choose|Esc close", into a line; those that
 * begin with the name of a key can be clicked. Returns the columns used. */
int ig_keys_draw(ig_app *app, ig_rect at, const char *keys);

/* --- question --------------------------------------------------------------------- */

/* A question over the panels, in a few lines, and the keys that answer it. */

/* An answer. The question is closed when `act` is called. Esc gives the last answer,
 * which changes nothing. */
struct ig_reply {
    const char *key;          /* its name */
    ig_action action;         /* the keys of this action give it, too; or IG_ACT_NONE */
    const char *says;         /* "save" */
    void (*act)(ig_app *app); /* or NULL: nothing */
};

/* Open a question with these answers, ended by one without a key; then add its lines,
 * dropped where they do not fit. One whose first answer is Enter interrupts typing: it
 * takes only Enter and Esc, and no keys for the first 300 ms. */
void ig_question_open(ig_app *app, const char *title, const ig_reply *answer);
void ig_question_line(ig_app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- the card of a sentence (inspect.c) ------------------------------------------- */

/* Go to the focused panel's row and show its card, which follows the cursor. */
void ig_inspect_open(ig_app *app);
