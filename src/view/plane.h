/* Figures in the plane of two measures: a trajectory for each run, an arrow for each
 * language pair, a line for each method; plots over epochs or versions; in pictures a
 * matrix, too. Described once, drawn on the screen (plot.c) and as a picture. */
#pragma once

#include "view/axes.h"
#include "view/heat.h"
#include "view/scatter.h"

/* Points in their order, joined by lines; a mark at the last. Values are borrowed; a
 * point that is not finite is a gap. */
typedef struct ig_track {
    char name[96], brief[32]; /* at the last point, or ""; the same on narrow screens */
    const double *x, *y;      /* x NULL: 0, 1, … */
    const double *spread;     /* of y, half a bar in a picture; or NULL */
    size_t stride, count;     /* doubles between consecutive values; values */
    int colour;               /* ig_colour */
    bool dashed;
    size_t best;      /* 1 + the point of the best epoch; 0: none */
    double own[2][2]; /* room for two points, at stride 2 */
} ig_track;

enum { IG_TRACKS_MAX = 66, IG_MARKS_MAX = 64, IG_PLANES_MAX = 3 };
typedef struct ig_plane {
    char title[360], rule[40]; /* of those left out: ", none with …", or "" */
    const char *x_label, *y_label, *heading; /* NULL: the title */
    const char *key; /* what colours say: brief names; NULL: they say the tracks */
    const char *const *name; /* (names) of x = 0, 1, …, or NULL */
    size_t names;
    bool plot;                 /* lines over epochs or versions, x NULL, with: */
    double last;               /* minimum end of the x axis; */
    bool share;                /* the y axis has 0 … 1; on the screen */
    double cursor;             /* x of a vertical line, or NaN, */
    size_t mark[IG_MARKS_MAX]; /* (marks) and of dashed ones */
    size_t marks;
    size_t tracks, left_out;       /* without room, or by the rule, which is said */
    ig_track track[IG_TRACKS_MAX]; /* later ones on top */
    const ig_heat *heat;           /* in their place in a picture, or NULL */
    const struct ig_plane *next;   /* to the right in a picture, or NULL */
} ig_plane;

/* Append a track, or count it as left out: NULL. */
ig_track *ig_plane_add(ig_plane *plane, ig_track track);

/* The same of up to two points: from there (NaN: no arrow) to here. */
ig_track *ig_plane_arrow(ig_plane *plane, const double from[2], const double to[2],
                         int colour);

/* A point of a track, and half its bar; false: it is not finite. */
bool ig_track_point(const ig_track *track, size_t i, double out[3]);

/* Set the ranges of both axes, with a margin; false: no finite point, as they are. */
bool ig_plane_ranges(const ig_plane *plane, ig_span axis[2]);

/* Place the names of the tracks at their ends, where there is room on the cells of
 * `rect` without lines: name out (IG_TRACKS_MAX). Returns their number. */
size_t ig_plane_names(const ig_plane *plane, const ig_span axis[2], ig_rect rect,
                      ig_map_name *name);

/* Draw it with ticks at the left and below. False: there is no finite point, and
 * nothing is drawn. O(points). ig_plot_draw: a plot, with names at the right, in at
 * most half of the width. Small rectangles lack the lower ticks (under 5 rows) and the
 * left ones (under 16 columns). */
bool ig_plane_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plane);
bool ig_plot_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plot);

/* The x at a column of a plot drawn (mouse), not rounded; NaN outside. */
double ig_plot_at(ig_rect rect, ig_glyphs glyphs, const ig_plane *plot, int col);
