/* Lists: columns of text over a range of scrolled rows; lines of a name and a value. */
#include "explorer/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "view/layout.h"

/* Visible rows of a list. */
static size_t count_visible(ig_rect rect, bool header)
{
    return rect.cols > 0 && rect.rows > header ? (size_t)(rect.rows - header) : 0;
}

/* Take the columns up to the greatest rank that fits. */
static void place_columns(ig_list_cursor *c, ig_rect rect, const ig_list *list)
{
    int most = 0, room, at = 0;

    for (size_t i = 0; i < list->columns; i++)
        most = ig_max_int(most, list->column[i].rank);
    do {
        room = rect.cols + 1;
        c->columns = 0;
        for (size_t i = 0; i < list->columns && c->columns < IG_LIST_COLUMNS; i++)
            if (list->column[i].rank >= 0 && list->column[i].rank <= most) {
                room -= abs(list->column[i].width) + 1;
                c->column[c->columns++] = i;
            }
    } while (room < 0 && most-- > 0);
    for (size_t i = 0; i < c->columns; i++) {
        int width = list->column[c->column[i]].width;

        width = width > 0 ? width : ig_max_int(room, 0) - width;
        c->col[i] = rect.col + at;
        c->width[i] = ig_max_int(0, ig_min_int(width, rect.cols - at));
        at += c->width[i] + 1;
    }
}

/* A text that would hide its highlighted part is cut at its beginning. */
static void draw_cell(ig_canvas *canvas, ig_rect at, ig_align align,
                      const ig_list_cell *cell)
{
    const char *text = cell->text, *lit = text + cell->lit;
    int part = (int)ig_text_width(lit, cell->lit_length);
    int before = (int)ig_text_width(text, cell->lit);

    if (align == IG_ALIGN_RIGHT)
        at.col += ig_max_int(at.cols - ig_text_columns(text), 0);
    if (part && before && before + part >= at.cols) {
        before = ig_canvas_text(canvas, at.row, at.col, at.cols,
                                ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS),
                                cell->style);
        at = ig_rect_inset(at, 0, 0, 0, before);
        while (text < lit && ig_text_columns(text) > at.cols)
            text += ig_text_grapheme(text, strlen(text)).source;
        before = (int)ig_text_width(text, (size_t)(lit - text));
    }
    ig_canvas_text(canvas, at.row, at.col, at.cols, text, cell->style);
    ig_canvas_highlight(canvas,
                        ig_rect_clip((ig_rect){at.row, at.col + before, 1, part}, at),
                        IG_COLOUR_DEFAULT, IG_REVERSE);
}

/* A title is over the columns without one, too. */
static void draw_column(const ig_list_cursor *c, size_t k, ig_canvas *canvas,
                        const ig_list *list)
{
    const ig_column *column = &list->column[c->column[k]];
    ig_rect at = {c->rect.row, c->col[k], 1, c->width[k]};
    size_t page = count_visible(c->rect, list->header);
    const char *title = list->header ? column->title : NULL;
    ig_list_cell cell = {.text = title,
                         .style = ig_style_of(IG_COLOUR_DIM, IG_UNDERLINE)};

    if (title && k + 1 < c->columns && !list->column[c->column[k + 1]].title)
        at.cols = ig_min_int(ig_max_int(at.cols, ig_text_columns(title)),
                             c->rect.col + c->rect.cols - at.col);
    if (title)
        draw_cell(canvas, at, column->align, &cell);
    at.row += list->header;
    at.cols = c->width[k];
    for (size_t i = c->offset; i < c->offset + page && i < list->rows; i++) {
        cell = (ig_list_cell){0};
        list->source(list->context, i, c->column[k], &cell);
        if (cell.text && at.cols > 0)
            draw_cell(canvas, at, column->align, &cell);
        at.row++;
    }
}

void ig_list_cursor_draw(ig_list_cursor *c, ig_canvas *canvas, ig_rect rect,
                         const ig_list *list, bool selected, bool focused)
{
    size_t page = count_visible(rect, list->header);
    bool thumb = list->rows > page && page > 0 && rect.cols > 4;
    ig_rect text = ig_rect_inset(rect, 0, thumb ? 2 : 0, 0, 0);
    ig_rect before = ig_canvas_clip(canvas, rect);

    c->marked = selected;
    ig_list_cursor_follow(c, rect, list->header, list->rows);
    place_columns(c, text, list);
    for (size_t k = 0; k < c->columns; k++)
        draw_column(c, k, canvas, list);
    text.row += list->header + (int)(c->line - c->offset);
    text.rows = 1;
    if (selected && c->line < c->offset + page)
        ig_canvas_highlight(canvas, text,
                            focused ? IG_COLOUR_SELECTION : IG_COLOUR_DEFAULT, IG_BOLD);
    if (thumb)
        ig_thumb_draw(canvas, ig_rect_inset(rect, list->header, 0, 0, 0), c->offset,
                      page, list->rows);
    canvas->clip = before;
}

void ig_list_cursor_follow(ig_list_cursor *c, ig_rect rect, bool header, size_t lines)
{
    size_t page = count_visible(rect, header);

    c->rect = rect;
    c->header = header;
    c->lines = lines;
    if (c->line >= lines)
        c->line = lines ? lines - 1 : 0;
    c->offset = ig_scroll(c->offset, (long)c->line, lines, page ? page : 1);
}

bool ig_list_cursor_act(ig_list_cursor *c, ig_action action, size_t lines)
{
    size_t page = (size_t)ig_max_int(c->rect.rows - c->header, 1), line = c->line;

    line = action == IG_ACT_DOWN        ? line + 1
           : action == IG_ACT_UP        ? line - (line > 0)
           : action == IG_ACT_PAGE_DOWN ? line + page
           : action == IG_ACT_PAGE_UP   ? line - (line < page ? line : page)
           : action == IG_ACT_FIRST     ? 0
           : action == IG_ACT_LAST      ? lines
                                        : SIZE_MAX;
    if (line == SIZE_MAX)
        return false;
    c->line = line;
    c->offset += action == IG_ACT_PAGE_DOWN ? page : 0; /* it scrolls as a whole */
    ig_list_cursor_follow(c, c->rect, c->header, lines);
    return true;
}

ig_click ig_list_cursor_mouse(ig_list_cursor *c, ig_key key)
{
    ig_rect rows = ig_rect_inset(c->rect, c->header, 0, 0, 0);
    size_t before = c->line, line = c->offset + (size_t)(key.row - rows.row);

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(rows, key.row, key.col) ||
        line >= c->lines)
        return IG_CLICK_NONE;
    c->line = line;
    return c->marked && line == before ? IG_CLICK_AGAIN : IG_CLICK_LINE;
}

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
