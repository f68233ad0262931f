/* What pictures have in common: ink for white paper, texts as they may be shown, and
 * SVGs in memory. For src/draw/picture*.c alone. */
#ifndef DRAW_PICTURE_PEN_H
#define DRAW_PICTURE_PEN_H

#include <stddef.h>

#include "base/error.h"

/* As in cairo.h, which stays with the sources. */
typedef struct _cairo cairo_t;

/* Greys, 0 black … 1 white: texts, frames, grids. */
#define IG_PEN_INK  0.15
#define IG_PEN_GREY 0.55
#define IG_PEN_PALE 0.88

enum { IG_PEN_MIDDLE = 0, IG_PEN_START = -1, IG_PEN_END = 1 };

/* One thread draws at a time: threads that draw at once share cairo's typefaces and
 * caches, and it reads some of these without a lock. Taken before the first call of
 * cairo for a picture and given back after the last; ig_pen_svg does both. */
void ig_pen_take(void);
void ig_pen_give(void);

/* A white sheet and the typeface of all texts. */
void ig_pen_sheet(cairo_t *c);

void ig_pen_grey(cairo_t *c, double level);

/* A colour of the palette as it is on white. */
void ig_pen_colour(cairo_t *c, int colour, double alpha);

/* A text as graphemes are shown: what is no character is made visible. Cut to `size`
 * bytes, the zero byte among them. */
void ig_pen_clean(const char *text, char *out, size_t size);

/* Text whose middle, start or end is at x, its middle height at y. */
void ig_pen_text(cairo_t *c, const char *text, double x, double y, double size,
                 int anchor);

/* The same turned by a quarter, read from below, its middle at x, y. */
void ig_pen_upright(cairo_t *c, const char *text, double x, double y, double size);

/* An SVG drawn by `draw` as bytes of the caller's (ig_free). IG_OK, IG_NOMEM or
 * IG_IO. */
ig_status ig_pen_svg(double width, double height, void (*draw)(cairo_t *, const void *),
                     const void *what, char **svg, size_t *size, ig_error *error);

/* The same as a PDF, which is whole. */
ig_status ig_pen_pdf(double width, double height, void (*draw)(cairo_t *, const void *),
                     const void *what, char **pdf, size_t *size, ig_error *error);

#endif
