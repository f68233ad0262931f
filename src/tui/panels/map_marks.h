/* What is drawn on a map beside its points: lines to translations, what is linked,
 * guests, the cursor. */
#ifndef TUI_MAP_MARKS_H
#define TUI_MAP_MARKS_H

#include "draw/scatter.h"
#include "tui/app.h"
#include "tui/easing.h"

/* The point of a row in a map, or -1 (not in the sample); the row of a point. */
long ig_map_point(const ig_map *map, uint32_t row);
uint32_t ig_map_row(const ig_map *map, size_t point);

/* Where a map stands on the screen. */
typedef struct ig_map_plane {
    const ig_map *map;
    const ig_easing *easing;
    ig_view view;
    ig_rect rect;
    size_t series; /* that the cursor moves in */
} ig_map_plane;

/* Translations of a row; the caller frees `row`. */
typedef struct ig_map_links {
    uint32_t *row; /* (count) ascending */
    size_t count, capacity;
    uint32_t of; /* whose they are; IG_NO_ROW: there are none yet */
} ig_map_links;

/* Lines from the cursor's point to its translations', in every series; these are listed
 * anew where the cursor is on another row. */
void ig_map_lines_draw(ig_app *app, const ig_map_plane *on, ig_map_links *links);

/* The translations among what is linked, as the lists mark them, and the selected
 * neighbour; in the series where they are near. */
void ig_map_linked_draw(ig_app *app, const ig_map_plane *on, const ig_series *series);

/* Guests: a mark and a name or number each, in every series. */
void ig_map_guests_draw(ig_app *app, const ig_map_plane *on);

/* The cursor, in every series: full in the one that it moves in. */
void ig_map_cursor_draw(ig_app *app, const ig_map_plane *on);

/* --- map box ---------------------------------------------------------------------- */

/* The box that selects on the map: two corners in cells of the map's plane, pulled by
 * keys or with the mouse. */

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
