/* Lists: the cursor of all lists of the explorer, and lines of a name and a value. */
#ifndef TUI_LISTS_H
#define TUI_LISTS_H

#include "explorer/keymap.h"
#include "view/list.h"

/* The selected line and the scroll offset. A zeroed struct is at the first line. */
typedef struct ig_list_cursor {
    size_t line;
    size_t offset;

    ig_rect rect; /* area of the last drawing */
    bool header;  /* it had a line of titles */
    size_t lines; /* its number of lines */
} ig_list_cursor;

/* Back to the beginning. */
void ig_list_cursor_reset(ig_list_cursor *cursor);

/* Move by a line, a page, or to an end of `lines`; false: not a move. */
bool ig_list_cursor_act(ig_list_cursor *cursor, ig_action action, size_t lines);

/* A click selects a line of the list as last drawn. True: it was already selected,
 * which acts as Enter. */
bool ig_list_cursor_mouse(ig_list_cursor *cursor, ig_key key);

/* Clamp the cursor to a list of `lines` and scroll it into view. */
void ig_list_cursor_follow(ig_list_cursor *cursor, ig_rect rect, bool header,
                           size_t lines);

/* Follow a list and draw it, the selected line marked where there is one. */
void ig_list_cursor_draw(ig_list_cursor *cursor, ig_canvas *canvas, ig_rect rect,
                         ig_list *list, bool selected, bool focused);

/* --- names and values ------------------------------------------------------------- */

typedef struct ig_detail {
    char name[64], value[256];
    ig_style style;
} ig_detail;

/* A zeroed struct is an empty list. */
typedef struct ig_details {
    ig_detail *line; /* (count) */
    size_t count, capacity;
} ig_details;

void ig_details_free(ig_details *properties);

/* Append a line; dropped without memory. */
void ig_details_add(ig_details *properties, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Style the last line; as a warning if the number is not 0. */
void ig_details_style(ig_details *properties, ig_style style);
void ig_details_warn_if(ig_details *properties, size_t n);

/* Draw them, names in at most `width` columns. */
void ig_details_draw(const ig_details *properties, ig_canvas *canvas, ig_rect rect,
                     int width, ig_list_cursor *cursor, bool focused);

#endif
