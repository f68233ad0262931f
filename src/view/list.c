/* Lists: columns of text over a range of scrolled rows. */
#include "view/list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum { MOST_COLUMNS = 16 };

struct columns {
    size_t count;
    int col[MOST_COLUMNS], width[MOST_COLUMNS];
};

static struct columns place_columns(ig_rect rect, const ig_list *list)
{
    struct columns c = {
        list->columns < MOST_COLUMNS ? list->columns : MOST_COLUMNS, {0}, {0}};
    int room = rect.cols, flexible = 0, at = 0;

    for (size_t i = 0; i < c.count; i++) {
        room -= list->column[i].width +
                (i > 0 && list->column[i].align != IG_ALIGN_TIGHT);
        flexible += list->column[i].width == 0;
    }
    room = room > 0 ? room : 0;
    for (size_t i = 0; i < c.count; i++) {
        at += i > 0 && list->column[i].align != IG_ALIGN_TIGHT;
        c.col[i] = rect.col + at;
        c.width[i] = list->column[i].width;
        if (c.width[i] == 0) {
            c.width[i] = room / flexible;
            room -= c.width[i];
            flexible--;
        }
        if (at + c.width[i] > rect.cols)
            c.width[i] = rect.cols > at ? rect.cols - at : 0;
        at += c.width[i];
    }
    return c;
}

static void draw_text(ig_canvas *canvas, int row, int col, int width, ig_align align,
                      const char *text, size_t length, ig_style style)
{
    if (align != IG_ALIGN_LEFT) {
        size_t used = ig_text_width(text, length);

        if (used < (size_t)width)
            col += width - (int)used;
    }
    ig_canvas_text_n(canvas, row, col, width, text, length, style);
}

/* Draw a text with a highlighted part; the start is truncated if the part would be
 * hidden. */
static void draw_lit(ig_canvas *canvas, int row, int col, int width,
                     const ig_list_cell *cell, size_t length)
{
    const char *text = cell->text, *goes_on;
    size_t lit = cell->lit, before = ig_text_width(text, lit);
    size_t end = before + ig_text_width(text + lit, cell->lit_length);
    int used;

    if (end + 1 > (size_t)width && width > 2) {
        size_t room = (size_t)width - 2, part = end - before, skip = 0;
        size_t keep = part < room ? room - part : 0; /* columns kept before it */

        while (skip < lit && ig_text_width(text + skip, lit - skip) > keep)
            skip += ig_text_grapheme(text + skip, length - skip).source;
        while (skip && skip < lit && text[skip] == ' ')
            skip++;
        goes_on = ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS);
        used = skip ? ig_canvas_text(canvas, row, col, width, goes_on, cell->style) : 0;
        col += used;
        width -= used;
        text += skip;
        length -= skip;
        lit -= skip;
    }
    ig_canvas_text_n(canvas, row, col, width, text, length, cell->style);
    before = ig_text_width(text, lit);
    used = (int)ig_text_width(text + lit, cell->lit_length);
    if (before < (size_t)width)
        ig_canvas_highlight(canvas,
                            ig_rect_clip((ig_rect){row, col + (int)before, 1, used},
                                         (ig_rect){row, col, 1, width}),
                            IG_COLOUR_DEFAULT, IG_REVERSE);
}

static void draw_header(ig_canvas *canvas, ig_rect rect, const ig_list *list,
                        const struct columns *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *title = list->column[i].title;

        if (title)
            draw_text(canvas, rect.row, c->col[i], c->width[i], list->column[i].align,
                      title, strlen(title), ig_style_of(IG_COLOUR_DIM, IG_UNDERLINE));
    }
}

static void draw_row(ig_canvas *canvas, ig_rect rect, const ig_list *list,
                     const struct columns *c, int row, size_t index)
{
    bool selected = list->selected >= 0 && (size_t)list->selected == index;

    for (size_t i = 0; i < c->count; i++) {
        ig_list_cell cell = {0};
        size_t length;

        list->source(list->context, index, i, &cell);
        if (!cell.text || c->width[i] <= 0)
            continue;
        length = cell.length ? cell.length : strlen(cell.text);
        if (cell.lit_length)
            draw_lit(canvas, row, c->col[i], c->width[i], &cell, length);
        else
            draw_text(canvas, row, c->col[i], c->width[i], list->column[i].align,
                      cell.text, length, cell.style);
    }
    if (selected)
        ig_canvas_highlight(canvas, (ig_rect){row, rect.col, 1, rect.cols},
                            list->focused ? IG_COLOUR_SELECTION : IG_COLOUR_DEFAULT,
                            IG_BOLD);
}

static void draw_thumb(ig_canvas *canvas, ig_rect rect, const ig_list *list,
                       size_t page)
{
    size_t size = page * page / list->rows, most = list->rows - page;
    size_t start, offset = list->offset < most ? list->offset : most;

    size = size > 0 ? size : 1;
    start = (offset * (page - size) + most / 2) / most;
    for (size_t i = start; i < start + size; i++)
        ig_canvas_put(canvas, rect.row + (int)i, rect.col + rect.cols - 1,
                      ig_glyphs_bar(canvas->glyphs, 8),
                      ig_style_of(IG_COLOUR_FRAME, 0));
}

size_t ig_list_page(ig_rect rect, bool header)
{
    int rows = rect.rows - (header ? 1 : 0);

    return rect.cols > 0 && rows > 0 ? (size_t)rows : 0;
}

size_t ig_list_scroll(size_t offset, long selected, size_t rows, size_t page)
{
    if (page == 0 || rows <= page)
        return 0;
    if (selected >= 0 && (size_t)selected < rows) {
        size_t row = (size_t)selected;

        if (row < offset)
            offset = row;
        if (row >= offset + page)
            offset = row - page + 1;
    }
    return offset < rows - page ? offset : rows - page;
}

static bool has_thumb(ig_rect rect, const ig_list *list)
{
    size_t page = ig_list_page(rect, list->header);

    return list->rows > page && page > 0 && rect.cols > 4;
}

static ig_rect text_of(ig_rect rect, const ig_list *list)
{
    return ig_rect_inset(rect, 0, has_thumb(rect, list) ? 2 : 0, 0, 0);
}

void ig_list_draw(ig_canvas *canvas, ig_rect rect, const ig_list *list)
{
    size_t page = ig_list_page(rect, list->header);
    ig_rect text = text_of(rect, list);
    struct columns c = place_columns(text, list);
    ig_rect before = ig_canvas_clip(canvas, rect);

    if (list->header)
        draw_header(canvas, text, list, &c);
    text = ig_rect_inset(text, list->header ? 1 : 0, 0, 0, 0);
    for (size_t i = 0; i < page && list->offset + i < list->rows; i++)
        draw_row(canvas, text, list, &c, text.row + (int)i, list->offset + i);
    if (has_thumb(rect, list))
        draw_thumb(canvas, ig_rect_inset(rect, list->header ? 1 : 0, 0, 0, 0), list,
                   page);
    canvas->clip = before;
}

long ig_list_at(ig_rect rect, const ig_list *list, int row)
{
    int line = row - rect.row - (list->header ? 1 : 0);

    if (line < 0 || (size_t)line >= ig_list_page(rect, list->header) ||
        list->offset + (size_t)line >= list->rows)
        return IG_NO_LINE;
    return (long)(list->offset + (size_t)line);
}

long ig_list_column_at(ig_rect rect, const ig_list *list, int col)
{
    struct columns c = place_columns(text_of(rect, list), list);

    for (size_t i = 0; i < c.count && col >= rect.col; i++)
        if (col < c.col[i] + c.width[i])
            return (long)i;
    return IG_NO_LINE;
}

/* --- bars and legends ------------------------------------------------------------- */

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

/* --- legends ---------------------------------------------------------------------- */

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
