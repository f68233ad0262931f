/* Lists: columns of text over a scrolled range of rows. */
#include "draw/list.h"

#include <string.h>

#include "base/text.h"

enum { MOST_COLUMNS = 16 };

/* Where each column stands. */
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

/* A text with a part that stands out: what is before it is cut where it would not be
 * seen. */
static void draw_lit(ig_canvas *canvas, int row, int col, int width,
                     const ig_list_cell *cell, size_t length)
{
    const char *text = cell->text, *goes_on;
    size_t lit = cell->lit, before = ig_text_width(text, lit);
    size_t end = before + ig_text_width(text + lit, cell->lit_length);
    int used;

    if (end + 1 > (size_t)width && width > 2) {
        size_t room = (size_t)width - 2, part = end - before, skip = 0;
        size_t keep = part < room ? room - part : 0; /* columns before it that stay */

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

/* The thumb of a list longer than its page, in the rectangle's last column. */
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

/* Where the columns are. */
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
