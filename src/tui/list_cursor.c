/* The cursor of lists. */
#include "tui/list_cursor.h"

size_t ig_list_cursor_page(ig_rect rect, bool header)
{
    size_t page = ig_list_page(rect, header);

    return page ? page : 1;
}

void ig_list_cursor_follow(ig_list_cursor *c, size_t lines, size_t page)
{
    if (c->line >= lines)
        c->line = lines ? lines - 1 : 0;
    c->offset = ig_list_scroll(c->offset, (long)c->line, lines, page);
}

bool ig_list_cursor_act(ig_list_cursor *c, ig_action action, size_t lines, size_t page)
{
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

void ig_list_cursor_apply(const ig_list_cursor *c, ig_list *list, bool focused)
{
    list->offset = c->offset;
    list->selected = focused ? (long)c->line : IG_NO_LINE;
    list->focused = focused;
}

bool ig_list_cursor_mouse(ig_list_cursor *c, ig_key key, ig_rect rect, bool header,
                          size_t lines)
{
    size_t page = ig_list_cursor_page(rect, header), before = c->line;
    ig_list list = {.rows = lines, .header = header, .offset = c->offset};
    long line;

    if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_list_cursor_act(c, key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN,
                           lines, page);
    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(rect, key.row, key.col))
        return false;
    line = ig_list_at(rect, &list, key.row);
    if (line >= 0)
        c->line = (size_t)line;
    return line >= 0 && c->line == before;
}
