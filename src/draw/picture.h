/* Pictures for paper: a map as SVG, PDF or PNG, with axes, a legend and the colours of
 * the screen on white. The same data, not the same dots: drawn as shapes. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum ig_picture_format { IG_SVG, IG_PDF, IG_PNG } ig_picture_format;

enum { IG_PICTURE_SERIES = 2 };

/* The same rows in one space. */
typedef struct ig_picture_series {
    const char *name; /* "meaning" */
    const float
        *xy; /* (rows, 2), `stride` floats apart; what is not finite is left out */
    size_t stride;
} ig_picture_series;

typedef struct ig_picture {
    const char *title;   /* or NULL */
    const char *x_label; /* "PC1 38.2%" */
    const char *y_label;
    const char *const *group; /* (groups) names, languages say */
    size_t groups;
    const uint8_t *colour; /* (groups) ig_colour, or NULL: those of languages */
    const char *legend;    /* what the groups are: "topic", or NULL */
    size_t steps; /* > 0: the first so many groups are the steps of a scale, which have
                     no names among the points; the others lie under them */
    const uint16_t *of; /* (rows) group of each row */
    size_t rows;
    size_t series; /* 1; or 2: the first as rings, the second as discs */
    ig_picture_series of_series[IG_PICTURE_SERIES];
    size_t shapes;  /* more points than that are one image within an SVG or PDF; 0:
                       20,000 */
    double density; /* pixels of that image to a point of the sheet; 0: 2 */
} ig_picture;

/* Draw a map into a file, complete or untouched. Both axes have one scale, so that
 * distances are those of the components. No group covers the others: rows are drawn in
 * a mixed order, the same every time. Very many points are one image within the SVG or
 * PDF. IG_OK, IG_SHAPE (no such number of series), IG_IO or IG_NOMEM. */
ig_status ig_picture_write(const ig_picture *picture, ig_picture_format format,
                           const char *path, ig_error *error);

/* The same as an SVG in memory: *svg (out) its *size bytes and a zero byte, to be
 * released with ig_free; NULL on failure. IG_OK, IG_SHAPE, IG_NOMEM or IG_IO. */
ig_status ig_picture_svg(const ig_picture *picture, char **svg, size_t *size,
                         ig_error *error);

#endif
