/* Figures in the plane of two measures: a trajectory for each run, an arrow for each
 * language pair, a line for each method; drawn on the screen and as a picture. */
#pragma once

#include "view/axes.h"
#include "view/scatter.h"

/* Points in their order, joined by lines; a mark at the last. Values are borrowed; a
 * point that is not finite is skipped. */
typedef struct ig_track {
    char name[96];        /* of the last point, or "" */
    const double *x, *y;  /* x NULL: 0, 1, … */
    const double *spread; /* of y, half a bar in a picture; or NULL */
    size_t stride, count; /* doubles between consecutive values; values */
    int colour;           /* ig_colour */
    bool dashed;          /* in a picture */
    size_t best;          /* 1 + the point of the best epoch; 0: none */
    double own[2][2];     /* room for two points, at stride 2 */
} ig_track;

enum { IG_TRACKS_MAX = 66 };
typedef struct ig_plane {
    char title[200], rule[40]; /* of those left out: ", none with …", or "" */
    const char *x_label, *y_label, *heading; /* NULL: the title */
    const char *const *name; /* (names) of x = 0, 1, …, in a picture; or NULL */
    size_t names;
    size_t tracks, left_out; /* without room, or by the rule, which is said */
    ig_track track[IG_TRACKS_MAX];
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
 * nothing is drawn. O(points). */
bool ig_plane_draw(ig_canvas *canvas, ig_rect rect, const ig_plane *plane);
