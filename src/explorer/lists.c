/* The cursor of lists, and lists of names and values. */
#include "explorer/lists.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"

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
    c->offset = ig_list_scroll(c->offset, (long)c->line, lines, page_of(c));
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
    ig_list list = {.rows = c->lines, .header = c->header, .offset = c->offset};
    size_t before = c->line;
    long line;

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(c->rect, key.row, key.col))
        return false;
    line = ig_list_at(c->rect, &list, key.row);
    if (line >= 0)
        c->line = (size_t)line;
    return line >= 0 && c->line == before;
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

void ig_details_free(ig_details *p)
{
    ig_free(p->line);
    *p = (ig_details){0};
}

void ig_details_add(ig_details *p, const char *name, const char *format, ...)
{
    ig_detail *line;
    va_list args;
    int length;

    if (p->count == p->capacity &&
        ig_array_grow(&p->line, &p->capacity, p->count + 1, sizeof *p->line, "lines",
                      NULL) != IG_OK)
        return;
    line = &p->line[p->count++];
    *line = (ig_detail){.style = ig_plain};
    snprintf(line->name, sizeof line->name, "%s", name);
    va_start(args, format);
    length = vsnprintf(line->value, sizeof line->value, format, args);
    va_end(args);
    if (length >= (int)sizeof line->value)
        line->value[ig_text_valid(line->value, strlen(line->value))] = '\0';
}

void ig_details_style(ig_details *p, ig_style style)
{
    if (p->count)
        p->line[p->count - 1].style = style;
}

void ig_details_warn_if(ig_details *p, size_t n)
{
    if (n)
        ig_details_style(p, ig_style_of(IG_COLOUR_WARN, 0));
}

static void fill_detail(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const ig_detail *line = &((const ig_details *)context)->line[row];

    cell->text = column ? line->value : line->name;
    cell->style = column ? line->style : ig_dim;
}

void ig_details_draw(const ig_details *p, ig_canvas *canvas, ig_rect rect, int width,
                     ig_list_cursor *cursor, bool focused)
{
    ig_details own = *p;
    int most = rect.cols / 2;
    ig_column column[] = {{NULL, width < most ? width : most + 1, IG_ALIGN_LEFT},
                          {NULL, 0, IG_ALIGN_LEFT}};
    ig_list list = {column, .columns = 2, .rows = p->count, .source = fill_detail,
                    .context = &own};

    ig_list_cursor_draw(cursor, canvas, rect, &list, focused, focused);
}
