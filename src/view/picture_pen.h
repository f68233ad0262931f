/* Shared by pictures: colours on white paper, axes, texts, in-memory files. Private to
 * src/view/picture*.c. */
#ifndef DRAW_PICTURE_PEN_H
#define DRAW_PICTURE_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "view/axes.h"

typedef enum ig_picture_format { IG_SVG, IG_PDF, IG_PNG } ig_picture_format;

/* As in cairo.h, which only the sources include. */
typedef struct _cairo cairo_t;

/* Greys, 0 black … 1 white: texts, frames, grids. */
#define IG_PEN_INK  0.15
#define IG_PEN_GREY 0.55
#define IG_PEN_PALE 0.88

enum { IG_PEN_MIDDLE = 0, IG_PEN_START = -1, IG_PEN_END = 1 };

/* Serialise drawing: cairo's typefaces and caches are shared and partly unlocked. Take
 * before the first cairo call for a picture and release after the last; ig_pen_file
 * does both. */
void ig_pen_take(void);
void ig_pen_give(void);

void ig_pen_grey(cairo_t *c, double level);

/* Set a palette colour as it is on white. */
void ig_pen_colour(cairo_t *c, int colour, double alpha);

void ig_pen_dot(cairo_t *c, double x, double y, double radius);

/* Sanitize a text as graphemes are displayed, truncated to `size` bytes including the
 * zero byte. */
void ig_pen_clean(const char *text, char *out, size_t size);

/* Draw text aligned at its middle, start or end to x, vertically centred at y. */
void ig_pen_text(cairo_t *c, const char *text, double x, double y, double size,
                 int anchor);

/* Draw a grid with round numbers at the left and below, and the axis titles. */
void ig_pen_axes(cairo_t *c, const ig_span *x, const ig_span *y, const char *x_label,
                 const char *y_label);

/* Draw a file on a white sheet of a size in points, as allocated zero-terminated bytes
 * (ig_free); PNG has IG_PEN_PIXELS per point. IG_OK, IG_NOMEM or IG_IO with NULL. */
enum { IG_PEN_PIXELS = 2 };
ig_status ig_pen_file(ig_picture_format format, double width, double height,
                      void (*draw)(cairo_t *, const void *), const void *what,
                      char **file, size_t *size, ig_error *error);

#endif
