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

/* Columns of an item: "■ en", "□ (en)" or, plain, "topic". */
static int item_width(const ig_legend_item *item)
{
    int width = ig_text_columns(item->name);

    return item->plain ? width : width + (item->shown ? 2 : 4);
}

struct pen {
    int line, col;
};

static void next_item(struct pen *pen, int cols, int width, struct pen *place)
{
    if (pen->col > 0 && pen->col + width > cols) {
        pen->line++;
        pen->col = 0;
    }
    *place = *pen;
    pen->col += width + 1;
}

static void draw_item(ig_canvas *canvas, int row, int col, int columns,
                      const ig_legend_item *item)
{
    bool letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    int colour = item->shown ? item->colour : IG_COLOUR_DIM;
    char letter[2] = {item->letter, '\0'};
    const char *mark = ig_glyph_text(
        canvas->glyphs, item->shown ? IG_GLYPH_SQUARE : IG_GLYPH_SQUARE_OPEN);

    if (item->plain) {
        ig_canvas_text(canvas, row, col, columns, item->name, ig_dim);
        return;
    }
    if (item->shown && (letters || item->lettered) && item->letter)
        mark = letter;
    if (columns > 0)
        ig_canvas_put(canvas, row, col, mark, ig_style_of(colour, 0));
    ig_canvas_print(canvas, row, col + 1, columns - 1,
                    ig_style_of(item->shown ? IG_COLOUR_TEXT : IG_COLOUR_DIM, 0),
                    item->shown ? " %s" : " (%s)", item->name);
}

int ig_legend_lines(int cols, const ig_legend_item *item, size_t n)
{
    struct pen pen = {0, 0}, place = {0, 0};

    if (cols <= 0 || n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        next_item(&pen, cols, item_width(&item[i]), &place);
    return place.line + 1;
}

static int rest_format(char *out, size_t size, ig_glyphs glyphs,
                       const ig_legend_item *item, size_t from, size_t n)
{
    size_t left = 0;

    for (size_t i = from; i < n; i++)
        left += !item[i].plain;
    snprintf(out, size, "%s %zu more", ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS), left);
    return ig_text_columns(out);
}

/* Number of items that fit, and the position of the "more" text. */
static size_t items_that_fit(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                             size_t n, int *rest)
{
    struct pen pen = {0, 0}, place;
    size_t fit = 0;
    char more[48];

    *rest = 0;
    if (ig_legend_lines(rect.cols, item, n) <= rect.rows)
        return n;
    for (size_t i = 0; i < n; i++) {
        next_item(&pen, rect.cols, item_width(&item[i]), &place);
        if (place.line >= rect.rows)
            break;
        if (place.line + 1 < rect.rows ||
            pen.col + rest_format(more, sizeof more, glyphs, item, i + 1, n) <=
                rect.cols) {
            *rest = place.line + 1 < rect.rows ? 0 : pen.col;
            fit = i + 1;
        }
    }
    return fit;
}

size_t ig_legend_fit(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                     size_t n)
{
    int rest;

    return items_that_fit(glyphs, rect, item, n, &rest);
}

void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend_item *item,
                    size_t n)
{
    struct pen pen = {0, 0}, place;
    int rest;
    size_t fit = items_that_fit(canvas->glyphs, rect, item, n, &rest);
    char more[48];

    if (ig_rect_empty(rect))
        return;
    for (size_t i = 0; i < fit; i++) {
        next_item(&pen, rect.cols, item_width(&item[i]), &place);
        draw_item(canvas, rect.row + place.line, rect.col + place.col,
                  rect.cols - place.col, &item[i]);
    }
    if (fit == n)
        return;
    rest_format(more, sizeof more, canvas->glyphs, item, fit, n);
    ig_canvas_text(canvas, rect.row + rect.rows - 1, rect.col + rest, rect.cols - rest,
                   more, ig_dim);
}

long ig_legend_at(ig_rect rect, const ig_legend_item *item, size_t n, int row, int col)
{
    struct pen pen = {0, 0}, place;
    int rest;
    size_t fit = items_that_fit(IG_BRAILLE, rect, item, n, &rest);

    if (!ig_rect_has(rect, row, col))
        return IG_NO_ITEM;
    for (size_t i = 0; i < fit; i++) {
        int width = item_width(&item[i]);

        next_item(&pen, rect.cols, width, &place);
        if (row == rect.row + place.line && col >= rect.col + place.col &&
            col < rect.col + place.col + width)
            return item[i].plain ? IG_NO_ITEM : (long)i;
    }
    return IG_NO_ITEM;
}
