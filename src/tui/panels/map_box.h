/* The box that selects on the map: two corners in cells of the map's plane, pulled by
 * keys or with the mouse. */
#ifndef TUI_MAP_BOX_H
#define TUI_MAP_BOX_H

#include "draw/scatter.h"
#include "tui/app.h"

/* A box being drawn, in cells of the map's plane. */
typedef struct ig_box {
    bool on;
    bool pulled;        /* with the mouse */
    int row, col;       /* the corner that stays */
    int to_row, to_col; /* the one that moves */
} ig_box;

/* Count the rows that have a shown point in the box, and mark them where `mark` is not
 * NULL: (rows of the set), cleared. */
size_t ig_box_rows(const ig_app *app, const ig_box *b, const ig_map *map, ig_view view,
                   ig_rect plane, bool *mark);

/* Move its corner; false: the action moves nothing. */
bool ig_box_act(ig_box *b, ig_rect plane, ig_action action);

/* The second button begins a box anywhere on the map, and so does the first one where
 * there is a box; then the mouse pulls its corner. False: the key is for others. */
bool ig_box_mouse(ig_box *b, ig_rect plane, ig_key key);

/* Draw it, if it is on. */
void ig_box_draw(ig_app *app, const ig_box *b, ig_rect plane);

#endif
