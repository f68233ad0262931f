/* Lists: columns of text over a range of scrolled rows; lines of a name and a value. */
#include "explorer/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "view/layout.h"

/* --- columns ---------------------------------------------------------------------- */

enum { MOST_COLUMNS = 16 };

/* The columns drawn. */
struct columns {
    size_t count;
    size_t of[MOST_COLUMNS]; /* of the list */
    int col[MOST_COLUMNS], width[MOST_COLUMNS];
};

/* Take the columns of ranks up to `most`; returns the width that they need. */
static int take_columns(const ig_list *list, int most, struct columns *c)
{
    int used = 0;

    c->count = 0;
    for (size_t i = 0; i < list->columns && c->count < MOST_COLUMNS; i++) {
        const ig_column *column = &list->column[i];

        if (column->rank < 0 || column->rank > most)
            continue;
        used += abs(column->width) + (c->count && column->align != IG_ALIGN_TIGHT);
        c->of[c->count++] = i;
    }
    return used;
}

static struct columns place_columns(ig_rect rect, const ig_list *list)
{
    struct columns c;
    int most = 0, flexible = 0, room, at = 0;

    for (size_t i = 0; i < list->columns; i++)
        most = list->column[i].rank > most ? list->column[i].rank : most;
    while ((room = rect.cols - take_columns(list, most, &c)) < 0 && most > 0)
        most--;
    for (size_t i = 0; i < c.count; i++)
        flexible += list->column[c.of[i]].width <= 0;
    for (size_t i = 0; i < c.count; i++) {
        const ig_column *column = &list->column[c.of[i]];
        int share = column->width <= 0 && room > 0 ? room / flexible : 0;

        flexible -= column->width <= 0;
        room -= share;
        at += i > 0 && column->align != IG_ALIGN_TIGHT;
        c.col[i] = rect.col + at;
        c.width[i] = abs(column->width) + share;
        if (at + c.width[i] > rect.cols)
            c.width[i] = rect.cols > at ? rect.cols - at : 0;
        at += c.width[i];
    }
    return c;
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

size_t ig_list_page(ig_rect rect, bool header)
{
    int rows = rect.rows - (header ? 1 : 0);

    return rect.cols > 0 && rows > 0 ? (size_t)rows : 0;
}

long ig_list_column_at(ig_rect rect, const ig_list *list, int col)
{
    struct columns c = place_columns(text_of(rect, list), list);

    for (size_t i = 0; i < c.count && col >= rect.col; i++)
        if (col < c.col[i] + c.width[i])
            return (long)c.of[i];
    return IG_NO_COLUMN;
}

size_t ig_list_column_after(ig_rect rect, const ig_list *list, size_t column)
{
    struct columns c = place_columns(text_of(rect, list), list);

    for (size_t i = 0; i + 1 < c.count; i++)
        if (c.of[i] == column)
            return c.of[i + 1];
    return c.of[0];
}

/* --- drawing ---------------------------------------------------------------------- */

/* Draw a text with a highlighted part; one that would be hidden begins the text. */
static void draw_lit(ig_canvas *canvas, ig_rect at, const ig_list_cell *cell)
{
    const char *text = cell->text, *lit = text + cell->lit;
    int part = (int)ig_text_width(lit, cell->lit_length), before;

    if ((int)ig_text_width(text, cell->lit) + part >= at.cols && cell->lit) {
        at = ig_rect_inset(
            at, 0, 0, 0,
            ig_canvas_text(canvas, at.row, at.col, at.cols,
                           ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS),
                           cell->style));
        text = lit;
    }
    before = (int)ig_text_width(text, (size_t)(lit - text));
    ig_canvas_text(canvas, at.row, at.col, at.cols, text, cell->style);
    ig_canvas_highlight(canvas,
                        ig_rect_clip((ig_rect){at.row, at.col + before, 1, part}, at),
                        IG_COLOUR_DEFAULT, IG_REVERSE);
}

static void draw_cell(ig_canvas *canvas, ig_rect at, ig_align align,
                      const ig_list_cell *cell)
{
    size_t length = cell->length ? cell->length : strlen(cell->text);
    int used = align == IG_ALIGN_LEFT ? at.cols
                                      : (int)ig_text_width(cell->text, length);

    if (cell->lit_length)
        draw_lit(canvas, at, cell);
    else
        ig_canvas_text_n(canvas, at.row, at.col + (used < at.cols ? at.cols - used : 0),
                         at.cols, cell->text, length, cell->style);
}

static void draw_thumb(ig_canvas *canvas, ig_rect rect, const ig_list *list)
{
    size_t page = (size_t)rect.rows, most = list->rows - page;
    size_t size = page * page / list->rows, start;

    size = size > 0 ? size : 1;
    start = (list->offset < most ? list->offset : most) * (page - size);
    start = (start + most / 2) / most;
    for (size_t i = start; i < start + size; i++)
        ig_canvas_put(canvas, rect.row + (int)i, rect.col + rect.cols - 1,
                      ig_glyphs_bar(canvas->glyphs, 8),
                      ig_style_of(IG_COLOUR_FRAME, 0));
}

void ig_list_draw(ig_canvas *canvas, ig_rect rect, const ig_list *list)
{
    size_t page = ig_list_page(rect, list->header);
    ig_rect text = text_of(rect, list),
            below = ig_rect_inset(rect, list->header, 0, 0, 0);
    struct columns c = place_columns(text, list);
    ig_rect before = ig_canvas_clip(canvas, rect);

    for (size_t k = 0; k < c.count; k++) {
        const ig_column *column = &list->column[c.of[k]];
        ig_rect at = {rect.row, c.col[k], 1, c.width[k]};
        ig_list_cell cell = {.text = column->title,
                             .style = ig_style_of(IG_COLOUR_DIM, IG_UNDERLINE)};

        if (list->header && cell.text)
            draw_cell(canvas, at, column->align, &cell);
        at.row = below.row;
        for (size_t i = list->offset; i < list->offset + page && i < list->rows; i++) {
            cell = (ig_list_cell){0};
            list->source(list->context, i, c.of[k], &cell);
            if (cell.text && at.cols > 0)
                draw_cell(canvas, at, column->align, &cell);
            at.row++;
        }
    }
    if (list->selected >= (long)list->offset &&
        list->selected < (long)(list->offset + page))
        ig_canvas_highlight(
            canvas,
            (ig_rect){below.row + (int)list->selected - (int)list->offset, text.col, 1,
                      text.cols},
            list->focused ? IG_COLOUR_SELECTION : IG_COLOUR_DEFAULT, IG_BOLD);
    if (has_thumb(rect, list))
        draw_thumb(canvas, below, list);
    canvas->clip = before;
}

/* --- the cursor ------------------------------------------------------------------- */

void ig_list_cursor_reset(ig_list_cursor *c)
{
    c->line = c->offset = 0;
}

static size_t page_of(const ig_list_cursor *c)
{
    size_t page = ig_list_page(c->rect, c->header);

    return page ? page : 1;
}

void ig_list_cursor_follow(ig_list_cursor *c, ig_rect rect, bool header, size_t lines)
{
    c->rect = rect;
    c->header = header;
    c->lines = lines;
    if (c->line >= lines)
        c->line = lines ? lines - 1 : 0;
    c->offset = ig_scroll(c->offset, (long)c->line, lines, page_of(c));
}

bool ig_list_cursor_act(ig_list_cursor *c, ig_action action, size_t lines)
{
    size_t page = page_of(c);

    switch (action) {
    case IG_ACT_DOWN:
        c->line++;
        break;
    case IG_ACT_UP:
        c->line -= c->line > 0;
        break;
    case IG_ACT_PAGE_DOWN:
        c->line += page;
        break;
    case IG_ACT_PAGE_UP:
        c->line -= c->line < page ? c->line : page;
        break;
    case IG_ACT_FIRST:
        c->line = 0;
        break;
    case IG_ACT_LAST:
        c->line = lines;
        break;
    default:
        return false;
    }
    if (c->line >= lines)
        c->line = lines ? lines - 1 : 0;
    return true;
}

bool ig_list_cursor_mouse(ig_list_cursor *c, ig_key key)
{
    ig_rect rows = ig_rect_inset(c->rect, c->header ? 1 : 0, 0, 0, 0);
    size_t before = c->line, line = c->offset + (size_t)(key.row - rows.row);

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(rows, key.row, key.col) ||
        line >= c->lines)
        return false;
    c->line = line;
    return line == before;
}

void ig_list_cursor_draw(ig_list_cursor *c, ig_canvas *canvas, ig_rect rect,
                         ig_list *list, bool selected, bool focused)
{
    ig_list_cursor_follow(c, rect, list->header, list->rows);
    list->offset = c->offset;
    list->selected = selected ? (long)c->line : IG_NO_LINE;
    list->focused = focused;
    ig_list_draw(canvas, rect, list);
}

/* --- names and values ------------------------------------------------------------- */

void ig_details_add(ig_details *d, const char *name, ig_style style, const char *format,
                    ...)
{
    int width = d->width < d->in.cols / 2 ? d->width : d->in.cols / 2, left;
    char value[1024];
    va_list args;
    int used;

    if (ig_rect_empty(d->in))
        return;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    value[ig_text_valid(value, strlen(value))] = '\0';
    left = width + (width > 0);
    ig_canvas_text(d->canvas, d->in.row, d->in.col, width, name, ig_dim);
    used = ig_canvas_wrap(d->canvas, ig_rect_inset(d->in, 0, 0, 0, left), value, style);
    d->in = ig_rect_inset(d->in, used > 0 ? used : 1, 0, 0, 0);
}
