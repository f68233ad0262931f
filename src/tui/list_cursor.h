/* Where one is in a list: the selected line, and the first one on the screen. All lists
 * of the explorer move by it. A zeroed struct is at the beginning. */
#ifndef TUI_LIST_CURSOR_H
#define TUI_LIST_CURSOR_H

#include "draw/list.h"
#include "tui/keymap.h"

typedef struct ig_list_cursor {
    size_t line;
    size_t offset;
} ig_list_cursor;

/* Lines of a list that a rectangle shows, at least 1. */
size_t ig_list_cursor_page(ig_rect rect, bool header);

/* Move by a line, a page, to an end; false: the action moves nothing. The offset waits
 * for ig_list_cursor_follow: what draws the list knows how much of it is seen. */
bool ig_list_cursor_act(ig_list_cursor *cursor, ig_action action, size_t lines,
                        size_t page);

/* Stay within a list that may have other lines now, or another page, with the selected
 * line on the screen. */
void ig_list_cursor_follow(ig_list_cursor *cursor, size_t lines, size_t page);

/* Let a list be drawn with the cursor in it: its offset, and the selected line where
 * the list is `focused`. */
void ig_list_cursor_apply(const ig_list_cursor *cursor, ig_list *list, bool focused);

/* What the mouse does in a list that stands in a rectangle: the wheel moves the cursor,
 * a press selects a line. True: the line pressed was selected before, which means
 * Enter. */
bool ig_list_cursor_mouse(ig_list_cursor *cursor, ig_key key, ig_rect rect, bool header,
                          size_t lines);

#endif
