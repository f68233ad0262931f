/* Dots and lines of dots. A cell's dots are read back from its text, so that drawings
 * can be laid over one another without memory of their own. */
#include <math.h>

#include "draw/canvas.h"

void ig_dots_set(ig_canvas *canvas, ig_rect rect, int x, int y, char ascii,
                 ig_style style)
{
    int dot_cols = ig_glyphs_dot_cols(canvas->glyphs);
    int dot_rows = ig_glyphs_dot_rows(canvas->glyphs);
    int row, col;
    unsigned bits;
    char text[5] = {ascii, '\0'};
    const ig_cell *cell;

    if (x < 0 || y < 0 || x / dot_cols >= rect.cols || y / dot_rows >= rect.rows)
        return;
    row = rect.row + y / dot_rows;
    col = rect.col + x / dot_cols;
    cell = ig_canvas_cell(canvas, row, col);
    if (!cell)
        return;
    bits = ig_glyphs_bits(canvas->glyphs, cell->bytes, cell->length) |
           ig_glyphs_dot_bit(canvas->glyphs, x % dot_cols, y % dot_rows);
    if (canvas->glyphs != IG_ASCII)
        ig_glyphs_dots(canvas->glyphs, bits, text);
    ig_canvas_put(canvas, row, col, text, style);
}

/* Whether a colour is the terminal's own, which no background can have. */
static bool is_own(const ig_canvas *canvas, int colour)
{
    ig_ink ink = ig_palette_ink(ig_style_of(colour, 0), canvas->theme, canvas->depth);

    return ink.fg < 0;
}

void ig_dots_halves(ig_canvas *canvas, int row, int col, int upper, int lower)
{
    unsigned bits = (upper >= 0) + 2u * (lower >= 0);
    ig_style style = ig_style_of(upper >= 0 ? upper : lower, 0);
    char text[5];

    if (bits == 0)
        return;
    if (bits == 3 && upper != lower && !is_own(canvas, lower)) {
        style.bg = (uint8_t)lower;
        bits = 1;
    } else if (bits == 3 && upper != lower && !is_own(canvas, upper)) {
        style = (ig_style){(uint8_t)lower, (uint8_t)upper, 0};
        bits = 2;
    }
    ig_canvas_put(canvas, row, col, ig_glyphs_dots(IG_HALVES, bits, text), style);
}

/* Liang & Barsky: narrow [*t0, *t1] to where p·t ≤ q. */
static bool narrow(double p, double q, double *t0, double *t1)
{
    double t;

    if (p == 0)
        return q >= 0;
    t = q / p;
    if (p < 0) {
        if (t > *t1)
            return false;
        if (t > *t0)
            *t0 = t;
    } else {
        if (t < *t0)
            return false;
        if (t < *t1)
            *t1 = t;
    }
    return true;
}

void ig_dots_line(ig_canvas *canvas, ig_rect rect, double x0, double y0, double x1,
                  double y1, int dash, char ascii, ig_style style)
{
    double right = (double)rect.cols * ig_glyphs_dot_cols(canvas->glyphs) - 1;
    double bottom = (double)rect.rows * ig_glyphs_dot_rows(canvas->glyphs) - 1;
    double dx = x1 - x0, dy = y1 - y0, t0 = 0, t1 = 1, steps;
    long first, last;

    if (ig_rect_empty(rect) || !isfinite(dx) || !isfinite(dy) || !isfinite(x0) ||
        !isfinite(y0))
        return;
    if (!narrow(-dx, x0 + 0.5, &t0, &t1) || !narrow(dx, right + 0.5 - x0, &t0, &t1) ||
        !narrow(-dy, y0 + 0.5, &t0, &t1) || !narrow(dy, bottom + 0.5 - y0, &t0, &t1))
        return;
    steps = ceil(fmax(fabs(dx), fabs(dy)));
    if (steps < 1)
        steps = 1;
    if (steps > 1e15)
        return;
    first = (long)floor(t0 * steps);
    last = (long)ceil(t1 * steps);
    for (long i = first; i <= last; i++) {
        double t = (double)i / steps;
        int x = (int)lround(fmin(fmax(x0 + t * dx, -1), right + 1));
        int y = (int)lround(fmin(fmax(y0 + t * dy, -1), bottom + 1));

        if (dash <= 0 || x / dash % 2 == 0)
            ig_dots_set(canvas, rect, x, y, ascii, style);
    }
}
