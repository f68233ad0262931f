/* The map: the points of the snapshot's map, the cursor, lines to its translations,
 * and a box that selects. While runs are compared a second map stands beside the
 * first; both have the cursor of the same row, and are zoomed and panned together,
 * each about its own points. */
#ifndef TUI_MAP_PANEL_H
#define TUI_MAP_PANEL_H

#include "draw/scatter.h"
#include "tui/app.h"
#include "tui/easing.h"
#include "tui/panels/map_marks.h"

/* One of the two maps. */
typedef struct ig_map_half {
    ig_view view;
    unsigned long serial; /* of the map last fitted; 0: fit the next one anew */
    unsigned run;         /* what it was fitted to: the run compared, … */
    ig_map_space space;
    bool unit;
    size_t axis[2];
    ig_map_axis laid[2];
    ig_scatter scatter;
    ig_easing easing;
} ig_map_half;

typedef struct ig_map_state {
    ig_map_half main, compared;
    bool view_is_mine;    /* zoomed or panned by hand: not refitted */
    bool fitted_to_alone; /* to the selection that is shown alone */
    size_t series;        /* that the cursor moves in */
    bool lines;
    ig_map_links links; /* that lines were last drawn to */
    int drag_row, drag_col;
    int press_row, press_col; /* where the mouse was pressed … */
    bool pressed_again;       /* … on the point that the cursor was on */
    ig_box box;
    bool *boxed;   /* (rows of the set) those in the box, as it was drawn; or NULL */
    size_t in_box; /* how many of them */
} ig_map_state;

extern const ig_panel ig_map_panel;

ig_map_state *ig_map_of(const ig_app *app);

/* Fit the maps of the snapshot: `anew`, or only as far as they are other ones. */
void ig_map_fit(ig_app *app, bool anew);

/* Whether points are on their way to where they are; bringing them on, or there at
 * once. True: that is to be drawn. */
bool ig_map_moves(const ig_app *app);
bool ig_map_move(ig_app *app);
void ig_map_rest(ig_app *app);

/* Leave the box that is drawn, or a view zoomed by hand; false: there is none. */
bool ig_map_leave_box(ig_app *app);
bool ig_map_leave_view(ig_app *app);

/* Show the selection alone, or all rows again. */
void ig_map_isolate(ig_app *app);

/* The next part of a legend that does not fit. */
void ig_map_next_legend(ig_app *app);

/* Where the points are, and where the legend is, inside the map's frame. */
void ig_map_places(const ig_app *app, ig_rect *plane, ig_rect *legend);

#endif
