/* A canvas: rows × columns of styled cells, which curses, `render` and the tests show.
 *
 * Rows count down, columns to the right, both from 0. Everything drawn is clipped to
 * the canvas and to its clip rectangle; any position and size, negative ones too, is
 * safe.
 *
 * Invariants: a cell of width 2 is followed, in its row, by one of width 0 (its right
 * half) and by nothing else; overwriting either half blanks the other; a wide grapheme
 * that does not fit whole is not drawn, a blank stands there. A cell's text is one
 * grapheme, printable, valid UTF-8, or a blank.
 *
 * Direction. Text stays in logical order: terminals with bidirectional support reorder
 * it themselves, and would undo an order of ours; others show the letters from left to
 * right. The last cell of a text that begins right-to-left carries RLM and LRM (zero
 * width) after its grapheme: its closing punctuation stays with it and what follows in
 * the row (a border, figures, the next panel) is not drawn into it. This survives being
 * overwritten, which opening and closing isolates would not. */
#ifndef DRAW_CANVAS_H
#define DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/glyphs.h"
#include "draw/palette.h"

/* --- rectangles ------------------------------------------------------------------- */

/* A rectangle of cells; rows or cols ≤ 0: empty. */
typedef struct ig_rect {
    int row, col;   /* upper left cell */
    int rows, cols; /* size */
} ig_rect;

static inline bool ig_rect_empty(ig_rect r)
{
    return r.rows <= 0 || r.cols <= 0;
}

static inline bool ig_rect_has(ig_rect r, int row, int col)
{
    return row >= r.row && row - r.row < r.rows && col >= r.col && col - r.col < r.cols;
}

/* What both have in common; an empty rectangle has size 0, never less. */
ig_rect ig_rect_clip(ig_rect a, ig_rect b);

/* The rectangle without `top`, `right`, `bottom`, `left` cells at its edges; sizes stop
 * at 0. */
ig_rect ig_rect_inset(ig_rect r, int top, int right, int bottom, int left);

/* Part `index` of `parts` side by side (equal widths, the first ones take the rest),
 * with `gap` columns between; likewise one above another. */
ig_rect ig_rect_across(ig_rect r, int index, int parts, int gap);
ig_rect ig_rect_down(ig_rect r, int index, int parts, int gap);

/* --- the canvas ------------------------------------------------------------------- */

enum { IG_CELL_BYTES = 27 };

/* One cell, 32 bytes. */
typedef struct ig_cell {
    char bytes
        [IG_CELL_BYTES]; /* a grapheme, not ended by a zero byte; longer ones are cut
                                  before a code point */
    uint8_t length;      /* bytes of it; 0 in the right half of a wide one */
    uint8_t width;       /* 1, 2, or 0: the right half of the cell before */
    ig_style style;
} ig_cell;

typedef struct ig_canvas {
    int rows, cols;
    ig_glyphs glyphs; /* the step of the ladder that drawing uses */
    ig_depth depth;  /* the colours that will be there: without, letters replace dots */
    ig_theme theme;  /* what they look like */
    ig_rect clip;    /* drawing outside has no effect */
    ig_cell *cell;   /* (rows, cols) */
    size_t capacity; /* cells allocated */
} ig_canvas;

/* A blank canvas. A zeroed struct is an empty one. IG_OK or IG_NOMEM. */
ig_status ig_canvas_init(ig_canvas *canvas, int rows, int cols, ig_error *error);

/* Release its cells. NULL and zeroed structs are accepted. */
void ig_canvas_free(ig_canvas *canvas);

/* Another size, blank; allocates only when it is larger than any before. On IG_NOMEM
 * the canvas keeps its size. Negative sizes count as 0. */
ig_status ig_canvas_resize(ig_canvas *canvas, int rows, int cols, ig_error *error);

/* Blank every cell, in the default style, and clip to the whole canvas. */
void ig_canvas_clear(ig_canvas *canvas);

/* The whole canvas as a rectangle. */
ig_rect ig_canvas_rect(const ig_canvas *canvas);

/* Clip drawing to `rect` (within the present clip); returns the clip there was, to be
 * put back as canvas->clip. */
ig_rect ig_canvas_clip(ig_canvas *canvas, ig_rect rect);

/* The cell, or NULL outside the canvas. */
const ig_cell *ig_canvas_cell(const ig_canvas *canvas, int row, int col);

/* --- drawing ---------------------------------------------------------------------- */

/* One grapheme of 1 column (a glyph) into one cell. */
void ig_canvas_put(ig_canvas *canvas, int row, int col, const char *glyph,
                   ig_style style);

/* Text from (row, col) on, by grapheme, in at most `columns` columns; longer text ends
 * with an ellipsis. Control characters are shown as symbols. Returns the columns used
 * (clipped parts count as well). _n: `length` bytes instead of a zero-ended text. */
int ig_canvas_text(ig_canvas *canvas, int row, int col, int columns, const char *text,
                   ig_style style);
int ig_canvas_text_n(ig_canvas *canvas, int row, int col, int columns, const char *text,
                     size_t length, ig_style style);

/* ig_canvas_text of a printf-style text of at most 511 bytes. */
int ig_canvas_print(ig_canvas *canvas, int row, int col, int columns, ig_style style,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Blank a rectangle in a style. */
void ig_canvas_fill(ig_canvas *canvas, ig_rect rect, ig_style style);

/* Give a rectangle's cells another background and further attributes, keeping text and
 * foreground: a selected row. */
void ig_canvas_highlight(ig_canvas *canvas, ig_rect rect, int bg, int attributes);

/* Text wrapped at blanks (or between wide graphemes) into a rectangle, from its line
 * `skip` on. Returns the lines that the whole text takes at this width. */
int ig_canvas_wrap(ig_canvas *canvas, ig_rect rect, int skip, const char *text,
                   ig_style style);

/* The same with the bytes start … start + length − 1 of the text in reverse; length 0:
 * none. */
int ig_canvas_wrap_lit(ig_canvas *canvas, ig_rect rect, int skip, const char *text,
                       ig_style style, size_t start, size_t length);

/* --- frames ----------------------------------------------------------------------- */

/* Which edges a frame draws on its rectangle's outermost cells. */
enum {
    IG_EDGE_TOP = 1,
    IG_EDGE_RIGHT = 2,
    IG_EDGE_BOTTOM = 4,
    IG_EDGE_LEFT = 8,
    IG_EDGE_ALL = 15,
    IG_EDGE_JOIN = 16 /* meet the lines already drawn around it: ├ ┬ ┤ ┴ ┼ */
};

/* A frame with a title in its top edge and, when there is room, a note at the top's
 * right end; both may be NULL. Without a top edge, neither is drawn. The focused frame
 * differs in colour and in a bold title. */
void ig_frame_draw(ig_canvas *canvas, ig_rect rect, unsigned edges, const char *title,
                   const char *note, bool focused);

/* The rectangle inside these edges. */
ig_rect ig_frame_inside(ig_rect rect, unsigned edges);

/* --- dots ------------------------------------------------------------------------- */

/* Set the dot (x, y) of the rectangle, counted in dots from its upper left; dots
 * already in the cell stay and take the style. The ASCII step draws `ascii`. */
void ig_dots_set(ig_canvas *canvas, ig_rect rect, int x, int y, char ascii,
                 ig_style style);

/* Give the halves of a cell their colours, the upper and the lower; −1: that one is
 * blank. Where two colours are both the terminal's own, the cell has the upper one. */
void ig_dots_halves(ig_canvas *canvas, int row, int col, int upper, int lower);

/* A straight line of dots between two dots, both included; ends far outside are clipped
 * first. `dash` > 0: that many columns of dots drawn, as many left out, counted from
 * the rectangle's left, so that pieces of a curve go on alike. */
void ig_dots_line(ig_canvas *canvas, ig_rect rect, double x0, double y0, double x1,
                  double y1, int dash, char ascii, ig_style style);

/* --- as text ---------------------------------------------------------------------- */

/* The canvas as lines of UTF-8, blanks at their ends trimmed, each line ended by \n. A
 * text of its own (ig_free it), or NULL when memory is short. */
char *ig_canvas_plain(const ig_canvas *canvas);

/* The same with SGR sequences for canvas->depth colours; every line ends in the default
 * state. */
char *ig_canvas_sgr(const ig_canvas *canvas);

#endif
