/* A plot of lines over epochs, versions or other whole numbers. It is described once
 * and drawn by two painters: on the screen here, and as a picture in
 * view/picture_plot.c. */
#pragma once

#include "view/axes.h"
#include "view/canvas.h"

/* One line. Values are borrowed and read-only. */
typedef struct ig_line {
    const char *name;  /* at its end, or NULL */
    const char *brief; /* the same on narrow screens, or NULL */
    const double *y;   /* value at x = i in [i * stride]; non-finite: a gap */
    size_t stride;     /* doubles between consecutive values, ≥ 1 */
    size_t count;
    double best; /* x of a mark, or NaN */
    int colour;  /* ig_colour */
    int dash;    /* > 0: one of five patterns, repeating; 0: solid */
} ig_line;

typedef struct ig_plot {
    const ig_line *line; /* (lines) later ones on top */
    size_t lines;
    const char *x_label, *y_label; /* of pictures */
    double last;                   /* minimum end of the x axis */
    bool share;                    /* the y axis has 0 … 1 */
    double cursor;                 /* x of a vertical line on the screen, or NaN */
    const size_t *mark;            /* (marks) x of dashed vertical lines there */
    size_t marks;
    /* Name of a number on the x axis of the screen; NULL: the number. */
    const char *(*name)(const void *context, size_t x);
    const void *context;
} ig_plot;

/* Draw a plot with ticks at the left and below, and the names of the lines at the
 * right. Small rectangles lack the lower ticks (under 5 rows), the left ones (under 16
 * columns), and names that take more than 2/5 of the width. Later lines colour shared
 * cells. Without finite values nothing is drawn. O(values). */
void ig_plot_draw(ig_canvas *canvas, ig_rect rect, const ig_plot *plot);

/* The x at a column of the same drawing (mouse), not rounded; NaN outside. */
double ig_plot_at(ig_rect rect, ig_glyphs glyphs, const ig_plot *plot, int col);

/* --- for both painters ------------------------------------------------------------ */

/* Set the ranges of both axes; false: no finite value, x and y are 0 … 1. */
bool ig_plot_fit(const ig_plot *plot, ig_span *x, ig_span *y);

/* The name of a line, whose last finite value is at (x, end), at the height `at`. */
typedef struct ig_plot_name {
    const ig_line *line;
    double x, end, at;
} ig_plot_name;

enum { IG_PLOT_NAMES = 64 };

/* Place the names of the last lines in the order of their ends, `step` apart: name out
 * (IG_PLOT_NAMES). Returns their number; *more out: lines for whose names there is no
 * room. */
size_t ig_plot_names(const ig_plot *plot, const ig_span *x, const ig_span *y,
                     double step, ig_plot_name *name, size_t *more);
