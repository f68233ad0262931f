/* The map: points in the plane as dots in cells, coloured by category.
 *
 * A view is the part of the plane that is seen; it fills a rectangle of cells, x to the
 * right, y up. A map shows one or several series (meaning rows and language rows of a
 * joint space, say) in the same view; maps side by side are calls with different
 * rectangles. */
#ifndef DRAW_SCATTER_H
#define DRAW_SCATTER_H

#include "draw/canvas.h"

/* --- views ------------------------------------------------------------------------ */

typedef struct ig_view {
    double xmin, xmax, ymin, ymax; /* xmin < xmax, ymin < ymax, finite */
} ig_view;

/* What a map names beside its points. */
typedef enum ig_labels {
    IG_LABELS_NONE = 0,
    IG_LABELS_CATEGORIES, /* each category's name near its points */
    IG_LABELS_COMPACT,    /* likewise, of those that keep together: whose points spread
                             at most half as far as those of all categories do */
    IG_LABELS_SERIES      /* the series' name near its points */
} ig_labels;

enum { IG_SERIES_MOST = 4 }; /* of one map */

/* Points of one kind. The arrays are the caller's and are only read. */
typedef struct ig_series {
    const float *x,
        *y;        /* coordinates of point i at [i * stride]; not finite: not drawn */
    size_t stride; /* floats from one point to the next, ≥ 1 */
    size_t count;  /* points */
    const uint16_t *category; /* (count; see `row`), or NULL: all 0 */
    size_t categories;        /* ≥ 1; a category past it is not drawn */
    const bool *shown;        /* (categories), or NULL: all */
    const char *const
        *category_name; /* (categories) for labels, or NULL; each may be */
    const char *letter; /* (categories) drawn where there are no dots or no colours, or
                           NULL: a … z by number; the second and later series of a map
                           use the capital */
    const char *name;   /* "meaning", for labels, or NULL */
    int attributes;     /* added to its cells' style: IG_BOLD, say */
    ig_labels labels;
    const uint32_t
        *row; /* (count) where in `category` and `marked` point i is found, for
                            a sample of their rows; or NULL: at i */
    const bool *marked; /* (count; see `row`) points that are looked at: where a series
                           of a map has this, all other points are dim; or NULL */
    const uint8_t *colour; /* (categories) ig_colour, or NULL: those of languages */
    size_t steps; /* > 0: the first so many categories are a scale from low to high */
    uint64_t
        same; /* generation: the same number as in the frame before: nothing but the
                      marks has changed; 0: not known, the points are counted again */
} ig_series;

/* The smallest view with every shown finite point of the n series and `margin` (0.05: a
 * twentieth of the extent) around them. All points equal, or none: a view of size 1 …
 * around them, or around 0. O(points). */
ig_view ig_view_fit(const ig_series *series, size_t n, double margin);

/* Moved by a part of its own width and height (0.1: a tenth). */
ig_view ig_view_pan(ig_view view, double right, double up);

/* Scaled so that (x, y) stays where it is: factor 0.5 shows half the extent. Extents
 * stay within what doubles resolve. */
ig_view ig_view_zoom(ig_view view, double factor, double x, double y);

/* The cell of a point, or false when it lies outside the view or is not finite. */
bool ig_view_cell(ig_view view, ig_rect rect, double x, double y, int *row, int *col);

/* The point at the middle of a cell. */
void ig_view_point(ig_view view, ig_rect rect, int row, int col, double *x, double *y);

/* --- drawing ---------------------------------------------------------------------- */

/* Points in the cells of a rectangle. */
typedef struct ig_scatter_grid {
    uint32_t *count; /* (cells, keys) points of each category in each cell */
    uint32_t *total; /* (series, cells) points of all of a series' */
    uint32_t *bits;  /* (cells) dots of the first series, of the others */
    size_t count_capacity, total_capacity, bits_capacity;
} ig_scatter_grid;

/* Working memory of ig_scatter_draw, kept from frame to frame by the caller. Zeroed:
 * empty. The counts of all points serve the next frame as long as the generations of
 * all series, the view and the rectangle are the same. */
typedef struct ig_scatter {
    ig_scatter_grid all, marked;
    uint64_t
        key; /* of what `all`, `middle` and `seen` are counted from; 0: not known */
    struct ig_place *middle; /* (keys) sums over the points of each key … */
    struct ig_place *place;  /* (keys) … and where the names stand */
    uint32_t *seen, *pooled; /* (keys) points, in and out of the view; of some cells */
    size_t middle_capacity, place_capacity, seen_capacity, pooled_capacity;
} ig_scatter;

/* Release it. NULL and zeroed structs are accepted. */
void ig_scatter_free(ig_scatter *scatter);

/* Draw the points of n series. Each point sets its dot; the cell takes the colour of
 * the category that has the largest share of its points in it, so that a large language
 * does not hide the small ones (ties: the earlier series, the lower number). The colour
 * is full where all points around are of that category, and paler the more the
 * categories of its series are mixed there, to white (draw/mixing.h); less bright where
 * points are few.
 *
 * The first series is drawn in fine dots (braille, or quadrants), the later ones in
 * solid ones (quadrants, or shades of the cell): two clouds that overlap never look the
 * same. Where points are few, each is a disc, of the later series a square.
 *
 * Where a cell has halves, each of them is a cell in this sense, with its own colour;
 * the series before the last are shades of whole cells.
 *
 * On a scale that rule would show the rarest step wherever it has a point, and the
 * highest value would cover every dense region with its outliers. A cell shows the
 * median of its points instead (of two, the higher): what is usual there. Lonely
 * outliers keep their own cells; those in a crowd come out when it is zoomed into.
 * Categories after the steps (not measured) are faint and show where no other point is.
 * All series of a map are of one scale.
 *
 * Dots that are there already (lines) stay. Where the canvas has no dots or no colours,
 * the cell shows that category's letter, or where all are mixed * (later series: #).
 * Then the labels: near the middle of their points, on free cells where there are any,
 * never one over another. IG_OK or IG_NOMEM (nothing drawn). O(points + cells ×
 * categories), of which a frame of the same points and view only reads the points; the
 * marks may be others. Allocates only when the rectangle or the categories grow. */
ig_status ig_scatter_draw(ig_scatter *scatter, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_series *series, size_t n,
                          ig_error *error);

/* A line of dots between two points of the plane; draw lines before the points. */
void ig_scatter_line(ig_canvas *canvas, ig_rect rect, ig_view view, double x0,
                     double y0, double x1, double y1, ig_style style);

/* A glyph at a point (the cursor, the query); nothing when it lies outside. */
void ig_scatter_mark(ig_canvas *canvas, ig_rect rect, ig_view view, double x, double y,
                     ig_glyph glyph, ig_style style);

/* --- finding points --------------------------------------------------------------- */

typedef struct ig_hit {
    size_t series; /* which of the n */
    size_t point;  /* which of its points */
} ig_hit;

/* The shown point in the view nearest to a cell as seen on the screen (a cell is twice
 * as high as wide); ties: the first. False when there is none. O(points). */
bool ig_scatter_nearest(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                        int row, int col, ig_hit *hit);

typedef enum ig_direction { IG_LEFT, IG_RIGHT, IG_UP, IG_DOWN } ig_direction;

/* The nearest shown point in the view that lies in a direction (within 45°) from
 * another and in another cell, distance sideways counting double; when there is none,
 * one in the same cell; else false and *hit stays. O(points). */
bool ig_scatter_toward(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                       ig_hit from, ig_direction direction, ig_hit *hit);

#endif
