/* The canvas as text, plain or with colours by SGR sequences. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "draw/canvas.h"

/* An SGR sequence with every attribute and both colours of 256 fits well within. */
enum { SGR_SIZE = 48 };

static bool is_blank(const ig_cell *cell, bool styled)
{
    if (cell->length != 1 || cell->bytes[0] != ' ')
        return false;
    return !styled || (cell->style.bg == IG_COLOUR_DEFAULT &&
                       (cell->style.attributes & (IG_REVERSE | IG_UNDERLINE)) == 0);
}

/* Cells of a row up to the last that shows something. */
static int shown(const ig_canvas *canvas, int row, bool styled)
{
    int cols = canvas->cols;

    while (cols > 0 && is_blank(ig_canvas_cell(canvas, row, cols - 1), styled))
        cols--;
    return cols;
}

static size_t sgr_colour(char *out, int number, int base)
{
    if (number < 0)
        return 0;
    if (number < 8)
        return (size_t)sprintf(out, ";%d", base + number);
    if (number < 16)
        return (size_t)sprintf(out, ";%d", base + 60 + number - 8);
    return (size_t)sprintf(out, ";%d;5;%d", base + 8, number);
}

/* The sequence that sets a style from whatever was set before. */
static size_t sgr(char out[SGR_SIZE], ig_ink ink)
{
    size_t n = (size_t)sprintf(out, "\x1b[0");

    if (ink.attributes & IG_BOLD)
        n += (size_t)sprintf(out + n, ";1");
    if (ink.attributes & IG_FAINT)
        n += (size_t)sprintf(out + n, ";2");
    if (ink.attributes & IG_UNDERLINE)
        n += (size_t)sprintf(out + n, ";4");
    if (ink.attributes & IG_REVERSE)
        n += (size_t)sprintf(out + n, ";7");
    n += sgr_colour(out + n, ink.fg, 30);
    n += sgr_colour(out + n, ink.bg, 40);
    return n + (size_t)sprintf(out + n, "m");
}

static bool same_ink(ig_ink a, ig_ink b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

/* One row into out (which has room for it); returns its bytes. */
static size_t write_row(const ig_canvas *canvas, int row, bool styled, char *out)
{
    const ig_ink plain = {-1, -1, 0};
    ig_ink now = plain;
    int cols = shown(canvas, row, styled);
    size_t n = 0;

    for (int col = 0; col < cols; col++) {
        const ig_cell *cell = ig_canvas_cell(canvas, row, col);
        ig_ink ink = styled ? ig_palette_ink(cell->style, canvas->theme, canvas->depth)
                            : plain;

        if (cell->width == 0)
            continue;
        if (!same_ink(ink, now))
            n += sgr(out + n, ink);
        now = ink;
        memcpy(out + n, cell->bytes, cell->length);
        n += cell->length;
    }
    if (!same_ink(now, plain))
        n += (size_t)sprintf(out + n, "\x1b[0m");
    out[n++] = '\n';
    return n;
}

static char *write_all(const ig_canvas *canvas, bool styled)
{
    size_t cells = (size_t)canvas->rows * (size_t)canvas->cols;
    size_t each = IG_CELL_BYTES + (styled ? SGR_SIZE : 0);
    char *wide = ig_alloc(cells * each + (size_t)canvas->rows * 8 + 1, 1), *out;
    size_t n = 0;

    if (!wide)
        return NULL;
    for (int row = 0; row < canvas->rows; row++)
        n += write_row(canvas, row, styled, wide + n);
    wide[n] = '\0';
    out = ig_strdup(wide);
    ig_free(wide);
    return out;
}

char *ig_canvas_plain(const ig_canvas *canvas)
{
    return write_all(canvas, false);
}

char *ig_canvas_sgr(const ig_canvas *canvas)
{
    return write_all(canvas, true);
}
