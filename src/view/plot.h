/* A plot of lines over epochs, versions or other whole numbers, on the screen. */
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
    double last;        /* minimum end of the x axis */
    bool share;         /* the y axis has 0 … 1 */
    double cursor;      /* x of a vertical line, or NaN */
    const size_t *mark; /* (marks) x of dashed vertical lines */
    size_t marks;
    /* Name of a number on the x axis; NULL: the number. */
    const char *(*name)(const void *context, size_t x);
    const void *context;
} ig_plot;

/* Draw a plot with ticks at the left and below, and the names of the lines at the
 * right. Small rectangles lack the lower ticks (under 5 rows), the left ones (under 16
 * columns); names take at most half of the width and are cut to it. Later lines colour
 * shared cells. False: without finite values nothing is drawn. O(values). */
bool ig_plot_draw(ig_canvas *canvas, ig_rect rect, const ig_plot *plot);

/* The x at a column of the same drawing (mouse), not rounded; NaN outside. */
double ig_plot_at(ig_rect rect, ig_glyphs glyphs, const ig_plot *plot, int col);
