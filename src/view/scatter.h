/* The scatter map: points in the plane as dots in cells, coloured by category.
 *
 * A view is the visible part of the plane; it fills a rectangle of cells, x to the
 * right, y up. A map shows one or several series (such as meaning and language rows of
 * a joint space) in the same view; adjacent maps are calls with different
 * rectangles. */
#ifndef DRAW_SCATTER_H
#define DRAW_SCATTER_H

#include "view/canvas.h"

/* --- views ------------------------------------------------------------------------ */

typedef struct ig_view {
    double xmin, xmax, ymin, ymax; /* xmin < xmax, ymin < ymax, finite */
} ig_view;

/* What a map labels. */
typedef enum ig_labels {
    IG_LABELS_NONE = 0,
    IG_LABELS_CATEGORIES, /* each category's name near its points */
    IG_LABELS_COMPACT,    /* the same for compact categories only: spread at most
                             half that of all categories */
    IG_LABELS_SERIES,     /* series names */
    IG_LABELS_PLACES      /* ig_series.places */
} ig_labels;

/* Names of places on a map, drawn where there is room, those of most points first. */
typedef struct ig_named_places {
    size_t count;
    const float *xy;         /* (count, 2) */
    const uint32_t *points;  /* (count) */
    const char *const *name; /* (count) */
} ig_named_places;

enum { IG_NAMED_PLACES_MAX = 24 };
enum { IG_SERIES_MAX = 4 }; /* of one map */

/* A set of points. Arrays are borrowed and read-only. */
typedef struct ig_series {
    const float *x,
        *y;        /* coordinates of point i at [i * stride]; non-finite: not drawn */
    size_t stride; /* floats between consecutive points, ≥ 1 */
    size_t count;  /* points */
    const uint16_t *category; /* (count; see `row`), or NULL: all 0 */
    size_t categories;        /* ≥ 1; points of larger categories are not drawn */
    const bool *shown;        /* (categories), or NULL: all */
    const char *const
        *category_name; /* (categories) for labels, or NULL; each may be */
    const char *letter; /* (categories) drawn without dots or colours, or NULL: a … z
                           by number; later series of a map use capitals */
    const char *name;   /* "meaning", for labels, or NULL */
    int attributes;     /* added to the style of its cells, such as IG_BOLD */
    ig_labels labels;
    const ig_named_places *places; /* or NULL */
    const uint32_t
        *row; /* (count) index of point i in `category` and `marked`, for a sample of
                 rows; or NULL: i */
    const bool *marked;    /* (count; see `row`) highlighted points: if any series has
                           this, all other points are dim; or NULL */
    const uint8_t *colour; /* (categories) ig_colour, or NULL: language colours */
    bool majority; /* a cell has the category of most of its points, at full colour */
    size_t steps;  /* > 0: the first categories are steps of a scale from low to high */
    uint64_t generation; /* unchanged from the previous frame: only the marks may
                            have changed; 0: unknown, always recounted */
} ig_series;

/* The smallest view of all shown finite points of n series with a `margin` (0.05: a
 * twentieth of the extent). If all points are equal, or there are none, a view of size
 * 1 around them or 0. O(points). */
ig_view ig_view_fit(const ig_series *series, size_t n, double margin);

/* Pan by a fraction of the width and height (0.1: a tenth). */
ig_view ig_view_pan(ig_view view, double right, double up);

/* Zoom about (x, y): factor 0.5 shows half the extent. Extents stay within double
 * resolution. */
ig_view ig_view_zoom(ig_view view, double factor, double x, double y);

/* The cell of a point; false outside the view or if not finite. */
bool ig_view_cell(ig_view view, ig_rect rect, double x, double y, int *row, int *col);

/* The point at the centre of a cell. */
void ig_view_point(ig_view view, ig_rect rect, int row, int col, double *x, double *y);

/* --- drawing ---------------------------------------------------------------------- */

/* Counts of points in the cells of a rectangle. */
typedef struct ig_scatter_grid {
    uint32_t *count; /* (cells, keys) points of each category in each cell */
    uint32_t *total; /* (series, cells) points of each series */
    uint32_t *bits;  /* (cells) dots of the first series and of the others */
    size_t count_capacity, total_capacity, bits_capacity;
} ig_scatter_grid;

/* The inputs of a grid's counts. */
typedef struct ig_scatter_source {
    ig_view view;
    int rows, cols;
    ig_glyphs level;
    size_t n;
    uint64_t generation[IG_SERIES_MAX];
} ig_scatter_source;

/* Working memory of ig_scatter_draw, kept by the caller between frames. Zeroed: empty.
 * Counts are reused while the generations of all series, the view and the rectangle are
 * unchanged. */
typedef struct ig_scatter {
    ig_scatter_grid all, marked;
    ig_scatter_source source; /* inputs of `all`, `middle` and `seen` */
    struct ig_place *middle;  /* (keys) sums over the points of each key … */
    struct ig_place *place;   /* (keys) … and the positions of the names */
    uint32_t *seen, *pooled;  /* (keys) points of the view and beyond; of some cells */
    size_t middle_capacity, place_capacity, seen_capacity, pooled_capacity;
} ig_scatter;

/* Release the memory. NULL and zeroed structs are accepted. */
void ig_scatter_free(ig_scatter *scatter);

/* Draw the points of n series. Each point sets its dot; the cell has the colour of the
 * category with the largest share of its points in it, so that large languages do not
 * hide small ones (ties: earlier series, lower number). The colour is full where all
 * points nearby are of that category, paler to white as categories mix, and darker
 * where points are few.
 *
 * The first series has fine dots (braille), later ones solid quadrants, which keeps
 * overlapping series distinct. Few points are drawn as discs, in later series as
 * squares.
 *
 * On a scale, the largest share would show the rarest step wherever it has a point, and
 * the maximum would let outliers cover every dense region. A cell shows the median step
 * of its points instead (the higher of two). Isolated outliers keep their cells; others
 * appear when zooming in. Categories after the steps (not measured) are faint and drawn
 * where no other point is. All series of a map use the same scale.
 *
 * Existing dots (lines) are kept. Without dots or colours, a cell shows the category's
 * letter, or * where all are mixed (later series: #). Labels are drawn last: near the
 * centre of their points, preferably on free cells, without overlaps. IG_OK or IG_NOMEM
 * (nothing drawn). O(points + cells × categories); a frame with unchanged points and
 * view only rereads the marks. Allocates only when the rectangle or the categories
 * grow. */
ig_status ig_scatter_draw(ig_scatter *scatter, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_series *series, size_t n,
                          ig_error *error);

/* Draw a line of dots between two points of the plane; call before drawing the
 * points. */
void ig_scatter_line(ig_canvas *canvas, ig_rect rect, ig_view view, double x0,
                     double y0, double x1, double y1, ig_style style);

/* Draw a glyph at a point (cursor, query); nothing outside the view. */
void ig_scatter_mark(ig_canvas *canvas, ig_rect rect, ig_view view, double x, double y,
                     ig_glyph glyph, ig_style style);

/* --- finding points --------------------------------------------------------------- */

typedef struct ig_hit {
    size_t series; /* index of the series */
    size_t point;  /* index of the point */
} ig_hit;

/* The shown point nearest to a cell on the screen (a cell is twice as high as wide);
 * ties: the first. False if there is none. O(points). */
bool ig_scatter_nearest(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                        int row, int col, ig_hit *hit);

typedef enum ig_direction { IG_LEFT, IG_RIGHT, IG_UP, IG_DOWN } ig_direction;

/* The nearest shown point within 45° of a direction from another point and in another
 * cell, sideways distance counting double; if none, one in the same cell; else false
 * with *hit unchanged. O(points). */
bool ig_scatter_toward(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                       ig_hit from, ig_direction direction, ig_hit *hit);

#endif
