/* Curves: several series over the epochs, with axes, in a rectangle of any size. */
#ifndef DRAW_CURVES_H
#define DRAW_CURVES_H

#include "draw/canvas.h"

/* One series. The values are the caller's and are only read. */
typedef struct ig_curve {
    const char *name; /* for the legend, or NULL */
    const double *y;  /* value of epoch first + i at [i * stride]; not finite: a gap */
    size_t stride;    /* doubles from one to the next, ≥ 1 */
    size_t count;
    double first; /* epoch of the first value (0: the state before training) */
    int colour;   /* ig_colour */
    bool dashed;
    const char *mark; /* at its end, beside the plot when it is wide; or NULL */
} ig_curve;

typedef struct ig_curves_options {
    double best;   /* epoch marked by ▲, or NaN */
    double cursor; /* epoch marked by a vertical line (scrubbing), or NaN */
    double last; /* the epoch axis reaches at least that far, or NaN: the data's end */
    double low, high; /* value range to show at least, or NaN: the data's */
    bool legend;
    const size_t *mark; /* (marks) epochs marked by a broken vertical line */
    size_t marks;
} ig_curves_options;

/* Nothing marked, ranges from the data, with a legend. */
ig_curves_options ig_curves_defaults(void);

/* Draw n curves with ticks at the left, epochs below and a legend at the upper right;
 * what there is no room for is left out in that order: epochs (under 5 rows), ticks
 * (under 16 columns), legend. The marks are drawn first, then the curves in order:
 * later ones colour shared cells. Without any finite value nothing is drawn. options
 * NULL: the defaults. O(values). */
void ig_curves_draw(ig_canvas *canvas, ig_rect rect, const ig_curve *curve, size_t n,
                    const ig_curves_options *options);

/* The epoch under a cell of the same drawing (mouse, scrubbing), not rounded; NaN when
 * there is none. */
double ig_curves_epoch(ig_rect rect, ig_glyphs glyphs, const ig_curve *curve, size_t n,
                       const ig_curves_options *options, int col);

#endif
