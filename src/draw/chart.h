/* Charts for paper: lines over a number, as SVG in memory. Each line has its name at
 * its end, a colour and a pattern of dashes, so that a print in grey tells them
 * apart. */
#ifndef DRAW_CHART_H
#define DRAW_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* One line. The values are the caller's and are only read. */
typedef struct ig_chart_line {
    const char *name; /* or NULL */
    const double *y;  /* (count) value at x = first + i; not finite (nor > 0 where the
                         axis is logarithmic): a gap */
    size_t count;
    double first;
    double best; /* x marked by a ring, or NaN */
    int colour;  /* ig_colour */
    int dash;    /* pattern, of six that repeat; 0: solid */
} ig_chart_line;

typedef struct ig_chart {
    const char *x_label;
    const char *y_label;
    const ig_chart_line *line; /* (lines) the later over the earlier */
    size_t lines;
    bool log_x, log_y;
    double low; /* least value shown on a logarithmic y axis; 0: the data's */
} ig_chart;

/* Draw it: *svg (out) its *size bytes and a zero byte, to be released with ig_free;
 * NULL on failure. Without any finite value, the axes alone. IG_OK, IG_NOMEM or IG_IO.
 * Lines of very many values are thinned. */
ig_status ig_chart_svg(const ig_chart *chart, char **svg, size_t *size,
                       ig_error *error);

#endif
