/* Pictures for print: a map as SVG, PDF or PNG with axes, legend and the screen's
 * colours on white, drawn as shapes. */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "view/picture_pen.h"
#include "view/plot.h"

enum { IG_PICTURE_SERIES = 2 };

/* The rows in one space. */
typedef struct ig_picture_series {
    const char *name; /* "meaning" */
    const float
        *xy; /* (rows, 2), `stride` floats apart; non-finite points are omitted */
    size_t stride;
} ig_picture_series;

typedef struct ig_picture {
    const char *title;   /* or NULL */
    const char *x_label; /* "PC1 38.2%" */
    const char *y_label;
    const char *const *group; /* (groups) names, usually languages */
    size_t groups;
    const uint8_t *colour; /* (groups) ig_colour, or NULL: language colours */
    const char *legend;    /* title of the groups: "topic", or NULL */
    size_t steps;          /* > 0: the first groups are steps of a scale, which are not
                     labelled; others are drawn below them */
    const uint16_t *of;    /* (rows) group of each row; out of range: not drawn */
    size_t rows;
    size_t series; /* 1; or 2: the first as rings, the second as discs */
    ig_picture_series of_series[IG_PICTURE_SERIES];
    size_t shapes;  /* more points are drawn as one image in SVG and PDF; 0: 20,000 */
    double density; /* pixels of that image per point of the sheet; 0: 2 */
} ig_picture;

/* Write a map to a file atomically. Both axes have the same scale, so that distances
 * are those of the components. Rows are drawn in a fixed scattered order, so that no
 * group covers the others. Very many points become one image in SVG and PDF. IG_OK,
 * IG_SHAPE (unsupported number of series), IG_IO or IG_NOMEM. */
ig_status ig_picture_write(const ig_picture *picture, ig_picture_format format,
                           const char *path, ig_error *error);

/* The same as an SVG in memory: *svg (out) *size bytes and a zero byte, to be released
 * with ig_free; NULL on failure. IG_OK, IG_SHAPE, IG_NOMEM or IG_IO. */
ig_status ig_picture_svg(const ig_picture *picture, char **svg, size_t *size,
                         ig_error *error);

/* The axes of the sheet, and where the marker of a row of the first series is on it, in
 * points from its upper left corner; false: it is not drawn. */
enum { IG_PICTURE_WIDTH = 800, IG_PICTURE_HEIGHT = 600 };
void ig_picture_axes(const ig_picture *picture, ig_span axis[2]);
bool ig_picture_place(const ig_picture *picture, const ig_span axis[2], size_t row,
                      double place[2]);

/* A plot as an SVG in memory: *svg (out) *size bytes and a zero byte, to be released
 * with ig_free; NULL on failure. Without finite values only the axes are drawn. IG_OK,
 * IG_NOMEM or IG_IO. */
ig_status ig_plot_svg(const ig_plot *plot, char **svg, size_t *size, ig_error *error);

#endif
