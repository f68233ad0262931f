/* The map: the points of the session's map, the cursor, lines to its translations,
 * and a box that selects. While runs are compared a second map is drawn next to the
 * first; both have the cursor of the same row, and are zoomed and panned together,
 * each about its own points. */
#ifndef TUI_MAP_PANEL_H
#define TUI_MAP_PANEL_H

#include "explorer/app.h"
#include "explorer/selection.h"
#include "view/scatter.h"

/* The point of a row in a map, or -1 (not in the sample); the row of a point. */
long ig_map_point(const ig_map *map, uint32_t row);
uint32_t ig_map_row(const ig_map *map, size_t point);

/* --- easing ----------------------------------------------------------------------- */

/* Animation of points from where they were drawn to where the newest map has them, when
 * the epoch or the space changes. Only the drawing moves: hits and files use the final
 * positions. */

enum { IG_EASED_MAX = 20000 /* points: more take too long a frame */ };

/* A zeroed struct is at rest and has seen no map. */
typedef struct ig_easing {
    float *from;  /* (series, rows, 2): where the points start, … */
    float *to;    /* … where the newest map has them, … */
    float *drawn; /* … and meanwhile; one allocation */
    size_t rows, series;
    ig_space of[2];
    unsigned long serial;
    double begun, span; /* seconds; span 0: at rest */
} ig_easing;

void ig_easing_free(ig_easing *easing);

/* Take another map. If it has all rows, as the one before, and `span` is not 0, its
 * points start where they are drawn at `now`, in the view `before`, at the same screen
 * position in the view `after`. A new series starts from the one of its space or the
 * first. */
void ig_easing_take(ig_easing *easing, const ig_map *map, const ig_view *before,
                    const ig_view *after, double now, double span);

/* Move them to their place at `now`. O(points). */
void ig_easing_move(ig_easing *easing, double now);

/* Where a series of the newest map is drawn, (rows, 2). */
const float *ig_easing_xy(const ig_easing *easing, const ig_map *map, size_t series);

/* --- links ------------------------------------------------------------------------ */

/* Rows marked on the map while all others are dim: the list in the focused neighbours
 * panel, or the matches of a search. */

typedef enum ig_link { IG_LINK_NONE = 0, IG_LINK_NEAR, IG_LINK_MATCHES } ig_link;

typedef struct ig_linked {
    ig_link link;
    bool *row;       /* (rows of the set) those that are marked; NULL: none ever were */
    ig_space space;  /* in which they are near */
    uint32_t chosen; /* the selected neighbour, or IG_NO_ROW */

    uint32_t near[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX + 1]; /* (nears) */
    size_t nears;
    unsigned long matches; /* serial of those that are marked, or 0 */
} ig_linked;

/* After a key or an update. O(neighbours), or O(rows) for another search. */
void ig_linked_update(ig_app *app, ig_linked *linked);

/* The marks for a series of the map that shows `space`, (rows of the dataset), or NULL:
 * nothing is dim in it. `there`: a series of the map shows the marks' own space. */
const bool *ig_linked_rows(const ig_linked *linked, ig_space space, bool there);

/* --- marks ------------------------------------------------------------------------ */

/* A map on the screen. */
typedef struct ig_map_plane {
    const ig_map *map;
    const ig_easing *easing;
    ig_view view;
    ig_rect rect;
    size_t series; /* that the cursor moves in */
} ig_map_plane;

/* Draw lines from the cursor's point to its translations, in every series. */
void ig_map_lines_draw(ig_app *app, const ig_map_plane *on);

/* Draw the cursor, the typed sentences with a name or number, and of the linked rows
 * the translations and the selected neighbour. */
void ig_map_marks_draw(ig_app *app, const ig_map_plane *on, const ig_linked *linked,
                       const ig_scatter *scatter);

/* --- box -------------------------------------------------------------------------- */

/* The box that selects on the map: two corners in cells of the map's plane, moved by
 * keys or the mouse. */
typedef struct ig_box {
    bool on;
    bool dragged;       /* with the mouse */
    int row, col;       /* the corner that stays */
    int to_row, to_col; /* the one that moves */
} ig_box;

/* Begin a box at the cursor; if there is one, switch its moving corner. Cancel it;
 * false: there is none. */
void ig_map_open_box(ig_app *app);
bool ig_map_leave_box(ig_app *app);

/* Move its corner, or select its rows; false: not handled. The second mouse button
 * begins a box; the first one drags the corners of one. */
bool ig_box_act(ig_app *app, ig_action action);
bool ig_box_mouse(ig_app *app, ig_key key);

/* Mark the rows in it, so that all others are dim; draw it. */
void ig_box_mark(ig_app *app);
void ig_box_draw(ig_app *app);

/* --- the panel -------------------------------------------------------------------- */

/* Names of the islands of a layout. */
typedef struct ig_islands {
    unsigned long serial; /* of the map named; 0: none */
    const char *language; /* read in, or NULL: the pivot */
    bool words;           /* the words were there */
    char text[IG_NAMED_PLACES_MAX][IG_ISLAND_NAME];
    const char *name[IG_NAMED_PLACES_MAX];
    float xy[2 * IG_NAMED_PLACES_MAX];
    uint32_t points[IG_NAMED_PLACES_MAX];
    ig_named_places places;
} ig_islands;

/* Name the islands of a map, unless they are. O(rows · islands). */
void ig_islands_update(const ig_app *app, const ig_map *map, ig_islands *islands);

/* One of the two maps. */
typedef struct ig_map_half {
    ig_view view;
    unsigned run; /* the run compared … */
    ig_map map;   /* … and the map last fitted; serial 0: fit the next one anew */
    ig_scatter_memory scatter;
    ig_easing easing;
    ig_islands islands;
} ig_map_half;

typedef struct ig_map_state {
    ig_map_half main, compared;
    bool view_is_mine;    /* zoomed or panned by hand: not refitted */
    bool fitted_to_alone; /* to the selection that is shown alone */
    size_t series;        /* that the cursor moves in */
    bool lines;
    ig_linked linked;
    int drag_row, drag_col;
    int press_row, press_col; /* where the mouse was pressed … */
    bool pressed_again;       /* … on the point that the cursor was on */
    ig_box box;
    bool *boxed;   /* (rows of the set) those in them, as drawn; or NULL */
    size_t in_box; /* points in it */
} ig_map_state;

extern const ig_panel ig_map_panel;

ig_map_state *ig_map_of(const ig_app *app);

/* The plot of a map in the colours, with the marks of the moment. */
ig_scatter ig_map_scatter(const ig_app *app, const ig_map *map);

/* Update the linked rows, after a key or an update. */
void ig_map_link(ig_app *app);

/* Fit the maps shown: `anew`, or only as far as they are other ones. */
void ig_map_fit(ig_app *app, bool anew);

/* Whether points are moving; move them (true: redraw); end that. */
bool ig_map_moves(const ig_app *app);
bool ig_map_move(ig_app *app);
void ig_map_rest(ig_app *app);

/* Undo zooming and panning by hand; false: there was none. */
bool ig_map_leave_view(ig_app *app);

/* Show the selection alone, or all rows again. */
void ig_map_isolate(ig_app *app);

/* The next part of a legend that does not fit. */
void ig_map_next_legend(ig_app *app);

/* Where the points are, and where the legend is, inside the map's frame. */
void ig_map_places(const ig_app *app, ig_rect *plane, ig_rect *legend);

/* --- axes ------------------------------------------------------------------------- */

/* Name of axis 0 (horizontal) or 1 (vertical) of a map: "PC1", "axis 1" for rotated
 * components, "en → de", "⊥PC1" next to a custom axis. */
enum { IG_MAP_AXES_NAME = IG_MAP_AXIS_SIZE + 8 };
const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME]);

/* "axis x FROM TO", "axis y probe de", "axis off". */
void ig_map_axes_command(ig_app *app, const char *typed);

/* Show the next component on the horizontal (1) or vertical (2) axis, replacing a
 * custom axis. */
void ig_map_axes_next(ig_app *app, int number);

#endif
