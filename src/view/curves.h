/* Curves: several series over epochs, with axes, in a rectangle of any size. */
#ifndef DRAW_CURVES_H
#define DRAW_CURVES_H

#include "view/canvas.h"

/* One series. Values are borrowed and read-only. */
typedef struct ig_curve {
    const char *name; /* for the legend, or NULL */
    const double *y;  /* value of epoch first + i at [i * stride]; non-finite: a gap */
    size_t stride;    /* doubles between consecutive values, ≥ 1 */
    size_t count;
    double first; /* epoch of the first value (0: before training) */
    int colour;   /* ig_colour */
    bool dashed;
    const char *mark; /* label at its end if the plot is wide enough; or NULL */
} ig_curve;

typedef struct ig_curves_options {
    double best;      /* epoch marked by ▲, or NaN */
    double cursor;    /* epoch of a vertical cursor line, or NaN */
    double last;      /* minimum end of the epoch axis, or NaN: from the data */
    double low, high; /* minimum value range, or NaN: from the data */
    bool legend;
    const size_t *mark; /* (marks) epochs with a dashed vertical line */
    size_t marks;
    /* Name of an epoch on its axis; NULL: its number. */
    const char *(*name)(const void *context, size_t epoch);
    const void *context;
} ig_curves_options;

/* Defaults: no marks, ranges from the data, legend. */
ig_curves_options ig_curves_defaults(void);

/* Draw n curves with value ticks at the left, epochs below and a legend at the upper
 * right. In small rectangles the epochs (under 5 rows), the ticks (under 16 columns)
 * and the legend are omitted, in this order. Marks are drawn first; later curves colour
 * shared cells. Without finite values nothing is drawn. options NULL: defaults.
 * O(values). */
void ig_curves_draw(ig_canvas *canvas, ig_rect rect, const ig_curve *curve, size_t n,
                    const ig_curves_options *options);

/* The epoch at a cell of the same drawing (mouse), not rounded; NaN outside. */
double ig_curves_epoch(ig_rect rect, ig_glyphs glyphs, const ig_curve *curve, size_t n,
                       const ig_curves_options *options, int col);

#endif
