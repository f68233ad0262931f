/* Bars; legends: names with their colours, wrapped. */
#include "view/legend.h"

#include <math.h>
#include <stdio.h>

#include "core/text.h"

void ig_bar_draw(ig_canvas *canvas, int row, int col, int columns, double fraction,
                 ig_style style)
{
    double eighths;

    if (columns <= 0)
        return;
    fraction = fraction > 0 ? fmin(fraction, 1) : 0; /* also for NaN */
    eighths = floor(fraction * columns * 8 + 0.5);
    for (int i = 0; i < columns; i++) {
        double here = fmin(fmax(eighths - 8.0 * i, 0), 8);

        ig_canvas_put(canvas, row, col + i, ig_glyphs_bar(canvas->glyphs, (int)here),
                      here > 0 ? style : ig_style_of(IG_COLOUR_FRAME, 0));
    }
}

enum { MOST = 256 /* items placed */ };

/* Columns of an item: "■ en", "□ (en)" or, plain, "topic". */
static int item_width(const ig_legend_item *item)
{
    int width = ig_text_columns(item->name);

    return item->plain ? width : width + (item->shown ? 2 : 4);
}

static void draw_item(ig_canvas *canvas, ig_rect at, const ig_legend_item *item)
{
    bool letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    int colour = item->shown ? item->colour : IG_COLOUR_DIM;
    char letter[2] = {item->letter, '\0'};
    const char *mark = ig_glyph_text(
        canvas->glyphs, item->shown ? IG_GLYPH_SQUARE : IG_GLYPH_SQUARE_OPEN);

    if (item->plain) {
        ig_canvas_text(canvas, at.row, at.col, at.cols, item->name, ig_dim);
        return;
    }
    if (item->shown && (letters || item->lettered) && item->letter)
        mark = letter;
    if (at.cols > 0)
        ig_canvas_put(canvas, at.row, at.col, mark, ig_style_of(colour, 0));
    ig_canvas_print(canvas, at.row, at.col + 1, at.cols - 1,
                    ig_style_of(item->shown ? IG_COLOUR_TEXT : IG_COLOUR_DIM, 0),
                    item->shown ? " %s" : " (%s)", item->name);
}

/* Place items from the upper left, wrapped; returns those placed. */
static size_t place_items(ig_rect rect, const ig_legend_item *item, size_t n,
                          ig_rect at[MOST])
{
    int line = 0, col = 0;
    size_t i = 0;

    for (; i < n && i < MOST; i++) {
        int width = item_width(&item[i]);

        if (col > 0 && col + width > rect.cols) {
            line++;
            col = 0;
        }
        at[i] = (ig_rect){rect.row + line, rect.col + col, 1,
                          width < rect.cols - col ? width : rect.cols - col};
        col += width + 1;
    }
    return i;
}

int ig_legend_lines(int cols, const ig_legend_item *item, size_t n)
{
    ig_rect at[MOST];
    size_t placed = place_items((ig_rect){0, 0, 0, cols}, item, n, at);

    return cols <= 0 || n == 0 ? 0 : at[placed - 1].row + 1;
}

/* Place the items that fit; the others are summarised in `more`, behind the last one or
 * in a line of its own. */
static size_t fit_items(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                        size_t n, ig_rect at[MOST], char more[48], int *col)
{
    int last = rect.row + rect.rows - 1;
    size_t fit = place_items(rect, item, n, at), left;

    *more = '\0';
    while (fit > 0 && at[fit - 1].row > last)
        fit--;
    for (; fit < n && rect.rows > 0; fit--) {
        left = 0;
        for (size_t i = fit; i < n; i++)
            left += !item[i].plain;
        snprintf(more, 48, "%s %zu more", ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS),
                 left);
        *col = fit && at[fit - 1].row == last ? at[fit - 1].col + at[fit - 1].cols + 1
                                              : rect.col;
        if (fit == 0 || *col + ig_text_columns(more) <= rect.col + rect.cols)
            break;
    }
    return fit;
}

size_t ig_legend_fit(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                     size_t n)
{
    ig_rect at[MOST];
    char more[48];
    int col;

    return fit_items(glyphs, rect, item, n, at, more, &col);
}

void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend_item *item,
                    size_t n)
{
    ig_rect at[MOST];
    char more[48];
    int col = rect.col;
    size_t fit = fit_items(canvas->glyphs, rect, item, n, at, more, &col);

    if (ig_rect_empty(rect))
        return;
    for (size_t i = 0; i < fit; i++)
        draw_item(canvas, at[i], &item[i]);
    ig_canvas_text(canvas, rect.row + rect.rows - 1, col, rect.col + rect.cols - col,
                   more, ig_dim);
}

long ig_legend_at(ig_rect rect, const ig_legend_item *item, size_t n, int row, int col)
{
    ig_rect at[MOST];
    char more[48];
    int end;
    size_t fit = fit_items(IG_BRAILLE, rect, item, n, at, more, &end);

    for (size_t i = 0; i < fit; i++)
        if (ig_rect_has(at[i], row, col) && !item[i].plain)
            return (long)i;
    return IG_NO_ITEM;
}
