/* A canvas: rows × columns of styled cells, for curses, `render` and tests.
 *
 * Rows count down, columns to the right, both from 0. Drawing is clipped to the canvas
 * and its clip rectangle; any position and size is safe, also negative ones.
 *
 * Invariants: a cell of width 2 is followed in its row by one of width 0, its right
 * half; overwriting either half blanks the other; a wide grapheme that does not fit is
 * replaced by a blank. A cell contains one printable grapheme in valid UTF-8, or a
 * blank.
 *
 * Direction. Text stays in logical order: terminals with bidirectional support reorder
 * it themselves; others show the letters from left to right. The last cell of a
 * right-to-left text has RLM and LRM (zero width) after its grapheme, so that closing
 * punctuation stays with the text and the following cells (a border, numbers, the next
 * panel) are not reordered into it. Unlike isolates, this survives partial
 * overwriting. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "view/palette.h"

/* --- glyphs ----------------------------------------------------------------------- */

/* Glyph sets: in braille a cell has 2 × 4 dots, in ASCII 1, and only ASCII is drawn,
 * except for data text, which the terminal replaces if needed. */
typedef enum ig_glyphs { IG_BRAILLE = 0, IG_ASCII, IG_GLYPHS } ig_glyphs;

/* Some of the single-column glyphs that are drawn on a canvas of ASCII in that form. */
typedef enum ig_glyph {
    IG_GLYPH_BULLET,      /* ·  .  separator */
    IG_GLYPH_RUN,         /* ▸  >  training */
    IG_GLYPH_PAUSE,       /* ‖  = */
    IG_GLYPH_ARROW_RIGHT, /* →  >  */
    IG_GLYPH_VERTICAL,    /* │  |  separator */
    IG_GLYPH_ELLIPSIS     /* …  ~  truncated text */
} ig_glyph;

/* UTF-8 text of a glyph at a level. */
const char *ig_glyph_text(ig_glyphs level, ig_glyph glyph);

/* The ASCII form of a cell's text where the locale cannot show it; '?': none. */
char ig_glyph_ascii(const char *text);

/* Dots per cell: columns and rows. */
static inline int ig_glyphs_dot_cols(ig_glyphs level)
{
    return level == IG_ASCII ? 1 : 2;
}

static inline int ig_glyphs_dot_rows(ig_glyphs level)
{
    return level == IG_ASCII ? 1 : 4;
}

/* Bit of dot (x, y) of a cell of braille, from the upper left; text of a cell with such
 * bits (0: a blank); bits of a cell's text (0: it is not braille). */
unsigned ig_braille_bit(int x, int y);
const char *ig_braille_text(unsigned bits, char out[4]);
unsigned ig_braille_bits(const char *bytes, int length);

/* Arms of a line cell. */
enum { IG_ARM_UP = 1, IG_ARM_RIGHT = 2, IG_ARM_DOWN = 4, IG_ARM_LEFT = 8 };

/* The line glyph with these arms; 0: a blank. */
const char *ig_glyphs_line(ig_glyphs level, unsigned arms);

/* --- rectangles ------------------------------------------------------------------- */

/* A rectangle of cells; rows or cols ≤ 0: empty. */
typedef struct ig_rect {
    int row, col;   /* upper left cell */
    int rows, cols; /* size */
} ig_rect;

static inline int ig_min_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int ig_max_int(int a, int b)
{
    return a > b ? a : b;
}

static inline bool ig_rect_empty(ig_rect r)
{
    return r.rows <= 0 || r.cols <= 0;
}

static inline bool ig_rect_has(ig_rect r, int row, int col)
{
    return row >= r.row && row - r.row < r.rows && col >= r.col && col - r.col < r.cols;
}

/* Intersection; empty rectangles have size 0, never negative. */
ig_rect ig_rect_clip(ig_rect a, ig_rect b);

/* Shrink a rectangle by `top`, `right`, `bottom` and `left` cells; sizes stop at 0. */
ig_rect ig_rect_inset(ig_rect r, int top, int right, int bottom, int left);

/* Column `index` of `parts` equal columns (the first ones take the remainder), with
 * `gap` columns between. */
ig_rect ig_rect_across(ig_rect r, int index, int parts, int gap);

/* --- the canvas ------------------------------------------------------------------- */

enum { IG_CELL_BYTES = 27 };

/* One cell, 32 bytes. */
typedef struct ig_cell {
    char bytes[IG_CELL_BYTES]; /* a grapheme or its first code points, without a 0 */
    uint8_t length;            /* in bytes; 0 in the right half of a wide cell */
    uint8_t width;             /* 1, 2, or 0: right half of the previous cell */
    ig_style style;
} ig_cell;

typedef struct ig_canvas {
    int rows, cols;
    ig_glyphs glyphs; /* the glyph set for drawing */
    ig_depth depth;  /* the terminal's colours; without colours, letters replace dots */
    ig_theme theme;  /* affects colours only */
    ig_rect clip;    /* drawing outside is ignored */
    ig_cell *cell;   /* (rows, cols) */
    size_t capacity; /* cells allocated */
} ig_canvas;

/* Release its cells. NULL and zeroed structs are accepted. */
void ig_canvas_free(ig_canvas *canvas);

/* Resize a canvas, or a zeroed struct, and blank it; allocates only beyond the largest
 * size so far. On IG_NOMEM the size is unchanged. Negative sizes count as 0. */
ig_status ig_canvas_resize(ig_canvas *canvas, int rows, int cols, ig_error *error);

/* Blank all cells in the default style and reset the clip. */
void ig_canvas_clear(ig_canvas *canvas);

/* The whole canvas as a rectangle. */
ig_rect ig_canvas_rect(const ig_canvas *canvas);

/* Clip drawing to `rect` within the current clip; returns the previous clip, to be
 * restored as canvas->clip. */
ig_rect ig_canvas_clip(ig_canvas *canvas, ig_rect rect);

/* The cell, or NULL outside the canvas. */
const ig_cell *ig_canvas_cell(const ig_canvas *canvas, int row, int col);

/* --- drawing ---------------------------------------------------------------------- */

/* Draw a single-column grapheme (a glyph) into a cell. */
void ig_canvas_put(ig_canvas *canvas, int row, int col, const char *glyph,
                   ig_style style);

/* Draw text by grapheme in at most `columns` columns, with an ellipsis if truncated.
 * Control characters are shown as symbols. Returns the columns used, including clipped
 * ones. _n: `length` bytes instead of a zero-terminated text. */
int ig_canvas_text(ig_canvas *canvas, int row, int col, int columns, const char *text,
                   ig_style style);
int ig_canvas_text_n(ig_canvas *canvas, int row, int col, int columns, const char *text,
                     size_t length, ig_style style);

/* The same by whole words, without an ellipsis: of a caption that does not fit the
 * beginning is shown. */
int ig_canvas_caption(ig_canvas *canvas, int row, int col, int columns,
                      const char *text, ig_style style);

/* ig_canvas_text with printf formatting, at most 511 bytes. */
int ig_canvas_print(ig_canvas *canvas, int row, int col, int columns, ig_style style,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Fill a rectangle with blanks in a style. */
void ig_canvas_fill(ig_canvas *canvas, ig_rect rect, ig_style style);

/* Change the background of a rectangle and add attributes, keeping text and foreground:
 * a selected row. */
void ig_canvas_highlight(ig_canvas *canvas, ig_rect rect, int bg, int attributes);

/* Make all text of a rectangle dim, without backgrounds: figures that are outdated. */
void ig_canvas_dim(ig_canvas *canvas, ig_rect rect);

/* Draw text wrapped at spaces (or between wide graphemes). Returns the total number of
 * lines at this width. */
int ig_canvas_wrap(ig_canvas *canvas, ig_rect rect, const char *text, ig_style style);

/* The same with bytes start … start + length − 1 in reverse video; length 0: none. */
int ig_canvas_wrap_lit(ig_canvas *canvas, ig_rect rect, const char *text,
                       ig_style style, size_t start, size_t length);

/* --- frames ----------------------------------------------------------------------- */

/* The edges of a rectangle that a frame draws. */
enum {
    IG_EDGE_TOP = 1,
    IG_EDGE_RIGHT = 2,
    IG_EDGE_BOTTOM = 4,
    IG_EDGE_LEFT = 8,
    IG_EDGE_ALL = 15,
    IG_EDGE_JOIN = 16 /* connect to adjacent lines: ├ ┬ ┤ ┴ ┼ */
};

/* Draw the scroll thumb of a page of fewer lines than `all` in the last column. */
void ig_thumb_draw(ig_canvas *c, ig_rect in, size_t offset, size_t page, size_t all);

/* Draw a frame with a title at the left of its top edge and, if it fits, a note at the
 * right; both may be NULL. The focused frame has another colour and a bold title. */
void ig_frame_draw(ig_canvas *canvas, ig_rect rect, unsigned edges, const char *title,
                   const char *note, bool focused);

/* The rectangle inside the edges; of an empty framed box, and a column at its sides. */
ig_rect ig_frame_inside(ig_rect rect, unsigned edges);
ig_rect ig_frame_box(ig_canvas *canvas, ig_rect rect, const char *title);

/* --- dots ------------------------------------------------------------------------- */

/* Set dot (x, y) of a rectangle, from its upper left. Existing dots of the cell are
 * kept and take the style. ASCII draws `ascii` instead. */
void ig_dots_set(ig_canvas *canvas, ig_rect rect, int x, int y, char ascii,
                 ig_style style);

/* A straight line between two dots, inclusive and clipped. `dash` > 0: alternate that
 * many dot columns on and off, aligned to the rectangle, so that adjacent segments
 * match. */
void ig_dots_line(ig_canvas *canvas, ig_rect rect, double x0, double y0, double x1,
                  double y1, int dash, char ascii, ig_style style);

/* The canvas as UTF-8 lines without trailing blanks, each ended by \n; `styled`: with
 * SGR sequences at canvas->depth, each line ends in the default state. Allocated
 * (ig_free), or NULL when memory is short. */
char *ig_canvas_format(const ig_canvas *canvas, bool styled);
