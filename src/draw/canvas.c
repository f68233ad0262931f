/* Cells and text in them. Everything goes through place(), which clips and keeps the
 * two halves of a wide cell together. */
#include "draw/canvas.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const ig_cell blank = {" ", 1, 1, {0, 0, 0}};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* --- rectangles ------------------------------------------------------------------- */

/* The overlap of [a, a + n) and [b, b + m), without overflow for any values. */
static void overlap(int a, int n, int b, int m, int *start, int *size)
{
    long long first = most(a, b);
    long long end_a = (long long)a + most(n, 0), end_b = (long long)b + most(m, 0);
    long long end = end_a < end_b ? end_a : end_b;

    *start = (int)first;
    *size = end > first ? (int)(end - first) : 0;
}

ig_rect ig_rect_clip(ig_rect a, ig_rect b)
{
    ig_rect r;

    overlap(a.row, a.rows, b.row, b.rows, &r.row, &r.rows);
    overlap(a.col, a.cols, b.col, b.cols, &r.col, &r.cols);
    return r;
}

ig_rect ig_rect_inset(ig_rect r, int top, int right, int bottom, int left)
{
    top = least(top, most(r.rows, 0));
    left = least(left, most(r.cols, 0));
    return (ig_rect){r.row + top, r.col + left, most(r.rows - top - bottom, 0),
                     most(r.cols - left - right, 0)};
}

/* Part `index` of `size` cells in `parts` with gaps. */
static void part(int size, int index, int parts, int gap, int *start, int *length)
{
    int room = most(size - gap * (parts - 1), 0);
    int each = room / parts, rest = room % parts;

    *start = least(index * (each + gap) + least(index, rest), most(size, 0));
    *length = least(each + (index < rest), most(size - *start, 0));
}

ig_rect ig_rect_across(ig_rect r, int index, int parts, int gap)
{
    int start, length;

    part(r.cols, index, parts, gap, &start, &length);
    return (ig_rect){r.row, r.col + start, r.rows, length};
}

ig_rect ig_rect_down(ig_rect r, int index, int parts, int gap)
{
    int start, length;

    part(r.rows, index, parts, gap, &start, &length);
    return (ig_rect){r.row + start, r.col, length, r.cols};
}

/* --- the canvas ------------------------------------------------------------------- */

ig_status ig_canvas_init(ig_canvas *canvas, int rows, int cols, ig_error *error)
{
    *canvas = (ig_canvas){.depth = IG_DEPTH_256};
    return ig_canvas_resize(canvas, rows, cols, error);
}

void ig_canvas_free(ig_canvas *canvas)
{
    if (!canvas)
        return;
    ig_free(canvas->cell);
    *canvas = (ig_canvas){0};
}

ig_status ig_canvas_resize(ig_canvas *canvas, int rows, int cols, ig_error *error)
{
    size_t cells;

    rows = most(rows, 0);
    cols = most(cols, 0);
    cells = (size_t)rows * (size_t)cols;
    if (cells > canvas->capacity || !canvas->cell) {
        ig_cell *grown = ig_alloc(cells, sizeof *grown);

        if (!grown)
            return ig_fail_memory(error, "the screen");
        ig_free(canvas->cell);
        canvas->cell = grown;
        canvas->capacity = cells;
    }
    canvas->rows = rows;
    canvas->cols = cols;
    ig_canvas_clear(canvas);
    return IG_OK;
}

void ig_canvas_clear(ig_canvas *canvas)
{
    size_t cells = (size_t)canvas->rows * (size_t)canvas->cols;

    for (size_t i = 0; i < cells; i++)
        canvas->cell[i] = blank;
    canvas->clip = ig_canvas_rect(canvas);
}

ig_rect ig_canvas_rect(const ig_canvas *canvas)
{
    return (ig_rect){0, 0, canvas->rows, canvas->cols};
}

ig_rect ig_canvas_clip(ig_canvas *canvas, ig_rect rect)
{
    ig_rect before = canvas->clip;

    canvas->clip = ig_rect_clip(ig_rect_clip(rect, before), ig_canvas_rect(canvas));
    return before;
}

const ig_cell *ig_canvas_cell(const ig_canvas *canvas, int row, int col)
{
    if (!ig_rect_has(ig_canvas_rect(canvas), row, col))
        return NULL;
    return &canvas->cell[(size_t)row * (size_t)canvas->cols + (size_t)col];
}

/* --- cells ------------------------------------------------------------------------ */

static ig_cell *at(ig_canvas *canvas, int row, int col)
{
    return &canvas->cell[(size_t)row * (size_t)canvas->cols + (size_t)col];
}

/* Make a cell free to be written: the other half of a wide grapheme becomes a blank. */
static void part_halves(ig_canvas *canvas, int row, int col)
{
    ig_cell *cell = at(canvas, row, col);

    if (cell->width == 0 && col > 0) {
        ig_style style = cell[-1].style;

        cell[-1] = blank;
        cell[-1].style = style;
    } else if (cell->width == 2 && col + 1 < canvas->cols) {
        ig_style style = cell[1].style;

        cell[1] = blank;
        cell[1].style = style;
    }
}

/* The longest start of a grapheme that a cell holds, ending before a code point. */
static size_t cell_bytes(const char *bytes, size_t length)
{
    size_t keep = length < IG_CELL_BYTES ? length : IG_CELL_BYTES;

    while (keep < length && keep > 0 && ((unsigned char)bytes[keep] & 0xc0) == 0x80)
        keep--;
    return keep;
}

static void write_cell(ig_canvas *canvas, int row, int col, const char *bytes,
                       size_t length, int width, ig_style style)
{
    ig_cell *cell;

    part_halves(canvas, row, col);
    cell = at(canvas, row, col);
    cell->length = (uint8_t)cell_bytes(bytes, length);
    memcpy(cell->bytes, bytes, cell->length);
    cell->width = (uint8_t)width;
    cell->style = style;
}

/* One grapheme at (row, col). A wide one of which the clip hides a half leaves a blank
 * in the half that is seen. */
static void place(ig_canvas *canvas, int row, int col, const char *bytes, size_t length,
                  int width, ig_style style)
{
    ig_rect clip = ig_rect_clip(canvas->clip, ig_canvas_rect(canvas));
    bool left = ig_rect_has(clip, row, col);
    bool right = width == 2 && col < INT_MAX && ig_rect_has(clip, row, col + 1);

    if (width == 2 && left && right) {
        write_cell(canvas, row, col + 1, " ", 1, 1, style);
        write_cell(canvas, row, col, bytes, length, 2, style);
        at(canvas, row, col + 1)->width = 0;
        at(canvas, row, col + 1)->length = 0;
    } else if (left) {
        write_cell(canvas, row, col, width == 2 ? " " : bytes, width == 2 ? 1 : length,
                   1, style);
    } else if (right) {
        write_cell(canvas, row, col + 1, " ", 1, 1, style);
    }
}

void ig_canvas_put(ig_canvas *canvas, int row, int col, const char *glyph,
                   ig_style style)
{
    place(canvas, row, col, glyph, strlen(glyph), 1, style);
}

/* --- text ------------------------------------------------------------------------- */

/* The grapheme on its carrier when it needs one: bytes and length of what to draw. */
static const char *carried(const ig_grapheme *g, char out[IG_CELL_BYTES + 3],
                           size_t *length)
{
    if (!g->carrier) {
        *length = g->length;
        return g->bytes;
    }
    *length = cell_bytes(g->bytes, g->length);
    memcpy(out, "\u25cc", 3);
    memcpy(out + 3, g->bytes, *length);
    *length += 3;
    return out;
}

/* Put RLM and LRM after a cell's grapheme (see canvas.h), if it is there and has
 * room. */
static void close_rtl(ig_canvas *canvas, int row, int col)
{
    static const char marks[] = "\u200f\u200e";
    ig_cell *cell;

    if (!ig_rect_has(canvas->clip, row, col))
        return;
    cell = at(canvas, row, col);
    if (cell->width == 0 && col > 0)
        cell--;
    if (cell->length == 0 || cell->length + sizeof marks - 1 > IG_CELL_BYTES)
        return;
    memcpy(cell->bytes + cell->length, marks, sizeof marks - 1);
    cell->length = (uint8_t)(cell->length + sizeof marks - 1);
}

int ig_canvas_text_n(ig_canvas *canvas, int row, int col, int columns, const char *text,
                     size_t length, ig_style style)
{
    size_t fits, offset = 0;
    bool cut;
    int used = 0;

    if (columns <= 0 || length == 0)
        return 0;
    fits = ig_text_fit(text, length, (size_t)columns, NULL);
    cut = fits < length;
    if (cut)
        fits = ig_text_fit(text, length, (size_t)columns - 1, NULL);
    while (offset < fits) {
        ig_grapheme g = ig_text_grapheme(text + offset, length - offset);
        char buffer[IG_CELL_BYTES + 3];
        size_t size;
        const char *bytes = carried(&g, buffer, &size);

        place(canvas, row, col + used, bytes, size, g.width, style);
        offset += g.source;
        used += g.width;
    }
    if (cut)
        ig_canvas_put(canvas, row, col + used++,
                      ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS), style);
    if (ig_text_rtl(text, length))
        close_rtl(canvas, row, col + used - 1);
    return used;
}

int ig_canvas_text(ig_canvas *canvas, int row, int col, int columns, const char *text,
                   ig_style style)
{
    return text ? ig_canvas_text_n(canvas, row, col, columns, text, strlen(text), style)
                : 0;
}

int ig_canvas_print(ig_canvas *canvas, int row, int col, int columns, ig_style style,
                    const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ig_canvas_text(canvas, row, col, columns, text, style);
}

void ig_canvas_fill(ig_canvas *canvas, ig_rect rect, ig_style style)
{
    rect = ig_rect_clip(rect, canvas->clip);
    for (int row = rect.row; row < rect.row + rect.rows; row++) {
        for (int col = rect.col; col < rect.col + rect.cols; col++)
            write_cell(canvas, row, col, " ", 1, 1, style);
    }
}

void ig_canvas_highlight(ig_canvas *canvas, ig_rect rect, int bg, int attributes)
{
    rect = ig_rect_clip(rect, canvas->clip);
    for (int row = rect.row; row < rect.row + rect.rows; row++) {
        for (int col = rect.col; col < rect.col + rect.cols; col++) {
            ig_style *style = &at(canvas, row, col)->style;

            style->bg = (uint8_t)bg;
            style->attributes |= (uint8_t)attributes;
        }
    }
}

/* Bytes of the line that begins at text, and in *next those up to the following
 * line. */
static size_t wrap_line(const char *text, size_t length, int cols, size_t *next)
{
    size_t newline = 0, fits, cut;

    while (newline < length && text[newline] != '\n')
        newline++;
    fits = ig_text_fit(text, newline, (size_t)cols, NULL);
    if (fits == newline) {
        *next = newline < length ? newline + 1 : newline;
        return newline;
    }
    if (fits == 0) /* a wide grapheme in one column: take it, it shows as a blank */
        fits = ig_text_grapheme(text, newline).source;
    for (cut = fits; cut > 0 && text[cut] != ' ' && text[cut - 1] != ' '; cut--)
        ;
    /* A long word, or writing without blanks: break where the line is full. */
    if (cut == 0)
        cut = fits;
    *next = cut;
    while (*next < newline && text[*next] == ' ')
        ++*next;
    while (cut > 0 && text[cut - 1] == ' ')
        cut--;
    return cut;
}

/* Reverse what of bytes start … end − 1 lies in bytes offset … offset + size − 1, the
 * line that was drawn at (row, col). */
static void light(ig_canvas *canvas, int row, int col, const char *text, size_t offset,
                  size_t size, size_t start, size_t end)
{
    ig_rect rect = {row, col, 1, 0};

    start = start > offset ? start : offset;
    end = end < offset + size ? end : offset + size;
    if (start >= end)
        return;
    rect.col += (int)ig_text_width(text + offset, start - offset);
    rect.cols = (int)ig_text_width(text + start, end - start);
    ig_canvas_highlight(canvas, rect, IG_COLOUR_DEFAULT, IG_REVERSE);
}

int ig_canvas_wrap_lit(ig_canvas *canvas, ig_rect rect, int skip, const char *text,
                       ig_style style, size_t start, size_t lit)
{
    size_t length = text ? strlen(text) : 0, offset = 0;
    int line = 0;

    if (rect.cols <= 0)
        return 0;
    while (offset < length) {
        size_t next, size = wrap_line(text + offset, length - offset, rect.cols, &next);
        int row = rect.row + line - skip;

        if (line >= skip && line - skip < rect.rows) {
            ig_canvas_text_n(canvas, row, rect.col, rect.cols, text + offset, size,
                             style);
            light(canvas, row, rect.col, text, offset, size, start, start + lit);
        }
        offset += next;
        line++;
    }
    return line;
}

int ig_canvas_wrap(ig_canvas *canvas, ig_rect rect, int skip, const char *text,
                   ig_style style)
{
    return ig_canvas_wrap_lit(canvas, rect, skip, text, style, 0, 0);
}
