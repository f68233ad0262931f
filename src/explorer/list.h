/* Lists: rows of cells in columns with a cursor, and lines of a name and a value. */
#pragma once

#include "explorer/keymap.h"
#include "view/canvas.h"

typedef enum ig_align { IG_ALIGN_LEFT = 0, IG_ALIGN_RIGHT } ig_align;

enum { IG_NO_COLUMN = -1, IG_LIST_COLUMNS = 16, IG_LIST_TEXT = 192 };

typedef struct ig_column {
    const char *title; /* in the header row, over columns without one; or NULL */
    int width; /* columns; 0 or less: all that is left, at least its amount; once */
    ig_align align;
    int rank; /* where not all fit, the greatest go; 0: never; IG_NO_COLUMN: hidden */
} ig_column;

/* A list cell, initialised without text and in the default style. */
typedef struct ig_list_cell {
    const char *text;       /* UTF-8, NULL: empty */
    size_t lit, lit_length; /* highlighted bytes, kept visible; 0: none */
    ig_style style;
    char room[IG_LIST_TEXT]; /* for a text that is made */
} ig_list_cell;

/* Supplies a visible cell. */
typedef void ig_list_source(void *context, size_t row, size_t col, ig_list_cell *cell);

typedef struct ig_list {
    const ig_column *column; /* (columns), of which IG_LIST_COLUMNS are drawn */
    size_t columns;
    size_t rows; /* of the whole list */
    bool header; /* show a header row with the titles */
    ig_list_source *source;
    void *context;
} ig_list;

/* The selected line and the scroll offset. A zeroed struct is at the first line. */
typedef struct ig_list_cursor {
    size_t line;
    size_t offset;

    /* The last drawing: */
    ig_rect rect;
    bool header;  /* it had a line of titles */
    bool marked;  /* the selected line was marked */
    size_t lines; /* of the list */
    size_t columns, column[IG_LIST_COLUMNS];
    int col[IG_LIST_COLUMNS], width[IG_LIST_COLUMNS];
} ig_list_cursor;

/* Clamp the cursor and scroll it into view; move it (false: not a move). */
void ig_list_cursor_follow(ig_list_cursor *cursor, ig_rect rect, bool header,
                           size_t lines);
bool ig_list_cursor_act(ig_list_cursor *cursor, ig_action action, size_t lines);

typedef enum ig_click { IG_CLICK_NONE = 0, IG_CLICK_LINE, IG_CLICK_AGAIN } ig_click;

/* A click selects a drawn line. IG_CLICK_AGAIN: it was marked, which acts as Enter. */
ig_click ig_list_cursor_mouse(ig_list_cursor *cursor, ig_key key);

/* Follow a list and draw it, the selected line bold if `selected`, and highlighted if
 * `focused`. A list longer than the rectangle has a scroll thumb in the last column. */
void ig_list_cursor_draw(ig_list_cursor *cursor, ig_canvas *canvas, ig_rect rect,
                         const ig_list *list, bool selected, bool focused);

/* Where the next line is drawn, its name in at most `width` columns; 0: no name. */
typedef struct ig_details {
    ig_canvas *canvas;
    ig_rect in;
    int width;
} ig_details;

/* Draw a line, wrapped right of its name. */
void ig_details_add(ig_details *details, const char *name, ig_style style,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
