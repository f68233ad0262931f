/* The map: the points of the session's map, the cursor, lines to its translations,
 * and a box that selects. While runs are compared a second map is drawn next to the
 * first; both have the cursor of the same row, and are zoomed and panned together. */
#pragma once

#include "explorer/app.h"
#include "view/contour.h"

extern const ig_panel ig_map_panel;

/* The plot of a map in the colours of the moment. */
ig_scatter ig_map_scatter(const ig_app *app, const ig_map *map);

/* After a change of epoch or space, move the points to where they are at `now`, by the
 * app's clock (INFINITY: to their ends, as hits and files do). False: none moved. */
bool ig_map_move(ig_app *app, double now);

/* Cancel the box; undo zooming and panning by hand; false: there was none. */
bool ig_map_leave_box(ig_app *app);
bool ig_map_leave_view(ig_app *app);

/* Name of axis 0 (horizontal) or 1 (vertical) of a map: "PC1", "axis 1" for rotated
 * components, "en → de", "⊥PC1" next to a custom axis. */
enum { IG_MAP_AXES_NAME = IG_MAP_AXIS_SIZE + 8 };
const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME]);

/* "axis x FROM TO", "axis y probe de", "axis off". */
void ig_map_axes_command(ig_app *app, const char *typed);

/* Show the next component on the horizontal (1) or vertical (2) axis. */
void ig_map_axes_next(ig_app *app, int number);

/* One of the two maps. */
typedef struct ig_map_half {
    ig_view view;
    ig_map map; /* the one last fitted, whose arrays may be gone; serial 0: none yet */
    ig_scatter_memory scatter;
    ig_isoglosses isoglosses;

    float *at;          /* (series, rows, 2) where its points are drawn, or NULL */
    double begun, span; /* seconds of the animation to where they are; span 0: none */
    double part;        /* of the way, done */
} ig_map_half;

/* The box that selects: the corner that stays and the one that moves, in a plane. */
typedef struct ig_map_box {
    bool on, dragged; /* with the mouse */
    int row[2], col[2];
    ig_rect plane;
} ig_map_box;

typedef struct ig_map_state {
    ig_map_half half[2];
    bool view_is_mine; /* zoomed or panned by hand: not refitted */
    size_t series;     /* that the cursor moves in */
    bool hides_lines, contours;
    ig_map_box box;
    int mouse_row, mouse_col; /* of the last event */
} ig_map_state;

ig_map_state *ig_map_of(const ig_app *app);

/* The map of a half: 0 the map shown, 1 the one compared; or NULL. */
const ig_map *ig_map_in(const ig_app *app, int half);

/* Draw the points of a half with cursor, lines and marks, or why there is no map. */
void ig_map_draw_half(ig_app *app, int half, ig_rect rect);
