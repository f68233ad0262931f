/* A map: points in the plane, coloured by group. It is described once and drawn by two
 * painters: on the screen as dots in cells (ig_scatter_draw), and as a picture
 * (view/picture.h).
 *
 * A view is the visible part of the plane; it fills a rectangle of cells, x to the
 * right, y up. A map has one or two series (the meaning and the language of the same
 * rows), in one view. */
#pragma once

#include "view/canvas.h"

enum { IG_SERIES_MAX = 2, IG_MAP_ISLANDS = 24, IG_ISLAND_NAME = 64, IG_MAP_NAMES = 64 };

/* Names of islands on a map, drawn instead of those of groups. */
typedef struct ig_islands {
    size_t count;
    float xy[IG_MAP_ISLANDS][2];
    uint32_t points[IG_MAP_ISLANDS];
    uint8_t series[IG_MAP_ISLANDS];
    char name[IG_MAP_ISLANDS][IG_ISLAND_NAME];
} ig_islands;

typedef struct ig_series {
    const char *name; /* "meaning" */
    const float *xy;  /* (count, 2); non-finite points are not drawn */
    bool grouped;     /* compact groups are named, not the series */
} ig_series;

/* A piece of the contour of a group (view/contour.h). */
typedef struct ig_contour {
    float from[2], to[2];
    uint16_t group;
} ig_contour;

/* Arrays are borrowed and read-only. */
typedef struct ig_scatter {
    size_t count;        /* points of each series */
    const uint32_t *row; /* (count) their rows, for a sample; or NULL: i */
    size_t series;
    ig_series of_series[IG_SERIES_MAX];
    const bool *marked; /* (rows) all other points are dim; or NULL */

    const uint16_t *of;           /* (rows) group of each row; ≥ groups: not drawn */
    size_t groups;                /* ≥ 1 */
    const ig_colour_group *group; /* (groups) the second series uses capital letters */
    size_t steps; /* > 0: the first groups are steps of a scale from low to high */

    const ig_contour *contour; /* (contours) drawn over the points */
    size_t contours;
    const ig_islands *islands; /* or NULL */
    uint64_t generation;       /* as in the last frame: only marks may differ; or 0 */
    const char *title;         /* of pictures: title, or NULL, … */
    const char *heading;       /* … what is drawn instead, or NULL, … */
    const char *legend;        /* … of the groups: "topic", or NULL … */
    const char *x_label, *y_label; /* … and axes, "PC1 38.2%" */
    const struct ig_scatter *next; /* the panel to the right, or NULL */
} ig_scatter;

/* The row of a point. */
static inline size_t ig_scatter_row(const ig_scatter *scatter, size_t point)
{
    return scatter->row ? scatter->row[point] : point;
}

/* Whether the group of a point is shown. */
static inline bool ig_scatter_shows(const ig_scatter *scatter, size_t point)
{
    size_t group = scatter->of[ig_scatter_row(scatter, point)];

    return group < scatter->groups && scatter->group[group].shown;
}

/* The shown points of a group. */
typedef struct ig_middle {
    double points;
    double x, y;   /* their mean */
    double spread; /* mean squared distance from it */
} ig_middle;

/* Middles of the groups of a series, and of all: middle out (groups + 1). O(points). */
void ig_scatter_middles(const ig_scatter *scatter, size_t series, ig_middle *middle);

/* --- views ------------------------------------------------------------------------ */

typedef struct ig_view {
    double xmin, xmax, ymin, ymax; /* xmin < xmax, ymin < ymax, finite */
} ig_view;

/* The smallest view of all shown finite points with a `margin` (0.05: a twentieth of
 * the extent). If all points are equal, or there are none, a view of size 1 around them
 * or 0. O(points). */
ig_view ig_view_fit(const ig_scatter *scatter, double margin);

/* Pan by a fraction of the width and height (0.1: a tenth). */
ig_view ig_view_pan(ig_view view, double right, double up);

/* Zoom about (x, y), within double resolution: factor 0.5 shows half the extent. */
ig_view ig_view_zoom(ig_view view, double factor, double x, double y);

/* The cell of a point; false outside the view or if not finite. */
bool ig_view_cell(ig_view view, ig_rect rect, double x, double y, int *row, int *col);

/* The point at the centre of a cell. */
void ig_view_point(ig_view view, ig_rect rect, int row, int col, double *x, double *y);

/* --- names ------------------------------------------------------------------------ */

/* A name on a map. */
typedef struct ig_map_name {
    const char *text;
    double points, x, y; /* the middle of its points */
    int colour, series;
    int row, col, width; /* its cells; width 0: there is no room */
} ig_map_name;

/* Place names, in their order, on the free cells nearest to their points, at most `far`
 * rows and four times as many columns away; those in IG_COLOUR_TEXT above or below.
 * Width in: the most columns of a name. */
void ig_names_place(ig_map_name *name, size_t count, ig_view view, ig_rect rect,
                    const uint32_t *taken, int far);

/* Name the islands of a map, or compact groups, or the series: those of most points,
 * each on the free cells nearest to its middle. Punctuation alone is no name.
 *   middle  in   (series, groups + 1) of ig_scatter_middles
 *   taken   in   (rows, cols of `rect`) not 0: a cell with points
 *   name    out  (IG_MAP_NAMES)
 * Returns their number. */
size_t ig_scatter_names(const ig_scatter *scatter, const ig_middle *middle,
                        ig_view view, ig_rect rect, const uint32_t *taken,
                        ig_map_name *name);

/* --- finding points --------------------------------------------------------------- */

typedef struct ig_hit {
    size_t series, point;
} ig_hit;

typedef enum ig_direction { IG_LEFT, IG_RIGHT, IG_UP, IG_DOWN } ig_direction;

/* The shown point nearest to a cell on the screen (a cell is twice as high as wide);
 * ties: the first. False if there is none. O(points). */
bool ig_scatter_nearest(const ig_scatter *scatter, ig_view view, ig_rect rect, int row,
                        int col, ig_hit *hit);

/* The nearest shown point within 45° of a direction from another point and in another
 * cell, sideways distance counting double; if none, one in the same cell; else false
 * with *hit unchanged. O(points). */
bool ig_scatter_toward(const ig_scatter *scatter, ig_view view, ig_rect rect,
                       ig_hit from, ig_direction direction, ig_hit *hit);

/* --- the screen ------------------------------------------------------------------- */

/* What the counts of a frame were made from. */
typedef struct ig_scatter_source {
    ig_view view;
    int rows, cols;
    ig_glyphs glyphs;
    size_t keys;
    uint64_t generation;
} ig_scatter_source;

/* Working memory of ig_scatter_draw, kept by the caller between frames. Zeroed: empty.
 * Counts are reused while generation, view and rectangle are unchanged. */
typedef struct ig_scatter_memory {
    ig_scatter_source source;
    char *block;
    size_t capacity;
} ig_scatter_memory;

/* Release the memory. NULL and zeroed structs are accepted. */
void ig_scatter_free(ig_scatter_memory *memory);

/* Draw the points of a map. Each point sets its dot; the cell has the colour of the
 * group with the largest share of its points in it, so that large languages do not hide
 * small ones (ties: first series, lower number). The colour is full where all points
 * nearby are of that group, paler to white as groups mix. The first series has dots,
 * the second squares; few points are drawn as discs.
 *
 * On a scale a cell shows the median step of its points (the higher of two), so that
 * neither the rarest step nor outliers cover dense regions. Groups after the steps (not
 * measured) are faint and drawn where no other point is.
 *
 * Existing dots (lines) are kept, with their colour where points have no hue. Without
 * dots or colours, a cell shows the group's letter, or * where all are mixed (second
 * series: #). Names are drawn last: near the middle of their points, on free cells.
 * IG_OK or IG_NOMEM (nothing drawn). O(points +
 * cells × groups); a frame with unchanged points and view only rereads the marks.
 * Allocates only when the rectangle or the groups grow. */
ig_status ig_scatter_draw(ig_scatter_memory *memory, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_scatter *scatter, ig_error *error);

/* Draw a line of dots between two points of the plane, before all points are. */
void ig_scatter_line(ig_canvas *canvas, ig_rect rect, ig_view view, const float from[2],
                     const float to[2], ig_style style);

/* Draw a bold glyph and a label at a point; nothing outside the view. */
void ig_scatter_mark(ig_canvas *canvas, ig_rect rect, ig_view view, const float xy[2],
                     const char *mark, int colour, const char *label);
