/* Bars, sparklines and legends. */
#include "isogloss/draw/bars.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/text.h"

void ig_bar_draw(ig_canvas *canvas, int row, int col, int columns, double fraction,
                 ig_style style)
{
    double eighths;

    if (columns <= 0)
        return;
    fraction = fraction > 0 ? fmin(fraction, 1) : 0; /* NaN is not > 0 */
    eighths = floor(fraction * columns * 8 + 0.5);
    for (int i = 0; i < columns; i++) {
        double here = eighths - 8.0 * i;

        ig_canvas_put(canvas, row, col + i,
                      ig_glyphs_bar(canvas->glyphs, here > 8   ? 8
                                                    : here < 0 ? 0
                                                               : (int)here),
                      style);
    }
}

void ig_spark_draw(ig_canvas *canvas, int row, int col, int columns,
                   const double *value, size_t count, size_t stride, ig_style style)
{
    double low = NAN, high = NAN;
    size_t first = 0;

    if (columns <= 0)
        return;
    if (count > (size_t)columns)
        first = count - (size_t)columns;
    for (size_t i = first; i < count; i++) {
        if (isfinite(value[i * stride])) {
            low = fmin(low, value[i * stride]);
            high = fmax(high, value[i * stride]);
        }
    }
    for (size_t i = first; i < count; i++) {
        double y = value[i * stride];
        int step = high > low ? (int)lround((y - low) / (high - low) * 7) : 3;

        if (isfinite(y))
            ig_canvas_put(canvas, row, col + (int)(i - first),
                          ig_glyphs_spark(canvas->glyphs, step), style);
    }
}

/* --- legends ---------------------------------------------------------------------- */

/* Columns of an item: "■ en" or "□ (en)". */
static int item_width(const ig_legend_item *item)
{
    return 2 + (int)ig_text_width(item->name, strlen(item->name)) +
           (item->shown ? 0 : 2);
}

/* Where the next item stands: line and column, from the end of those before. */
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
                      const ig_legend_item *item, bool selected)
{
    bool letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    int colour = item->shown ? item->colour : IG_COLOUR_DIM;
    int attributes = selected ? IG_REVERSE : 0;
    char letter[2] = {item->letter, '\0'};
    const char *mark = ig_glyph_text(
        canvas->glyphs, item->shown ? IG_GLYPH_SQUARE : IG_GLYPH_SQUARE_OPEN);

    if (item->shown && letters && item->letter)
        mark = letter;
    if (columns > 0)
        ig_canvas_put(canvas, row, col, mark, ig_style_of(colour, attributes));
    ig_canvas_print(
        canvas, row, col + 1, columns - 1,
        ig_style_of(item->shown ? IG_COLOUR_TEXT : IG_COLOUR_DIM, attributes),
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

void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend_item *item,
                    size_t n, long selected)
{
    struct pen pen = {0, 0}, place;

    for (size_t i = 0; i < n; i++) {
        next_item(&pen, rect.cols, item_width(&item[i]), &place);
        if (place.line >= rect.rows) {
            ig_canvas_put(canvas, rect.row + rect.rows - 1, rect.col + rect.cols - 1,
                          ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS),
                          ig_style_of(IG_COLOUR_DIM, 0));
            return;
        }
        draw_item(canvas, rect.row + place.line, rect.col + place.col,
                  rect.cols - place.col, &item[i], selected == (long)i);
    }
}

long ig_legend_at(ig_rect rect, const ig_legend_item *item, size_t n, int row, int col)
{
    struct pen pen = {0, 0}, place;

    if (!ig_rect_has(rect, row, col))
        return IG_NO_ITEM;
    for (size_t i = 0; i < n; i++) {
        int width = item_width(&item[i]);

        next_item(&pen, rect.cols, width, &place);
        if (row == rect.row + place.line && col >= rect.col + place.col &&
            col < rect.col + place.col + width)
            return (long)i;
    }
    return IG_NO_ITEM;
}
