/* Lists and tables: rows of cells in columns, one row selected, scrolled. */
#ifndef DRAW_LIST_H
#define DRAW_LIST_H

#include "draw/canvas.h"

typedef enum ig_align {
    IG_ALIGN_LEFT = 0,
    IG_ALIGN_RIGHT,
    IG_ALIGN_TIGHT /* right, and no blank before the column */
} ig_align;

typedef struct ig_column {
    const char *title; /* in the header row, or NULL */
    int width; /* columns; 0: shares what is left with the other flexible ones */
    ig_align align;
} ig_column;

/* What stands in one cell of the list. */
typedef struct ig_list_cell {
    const char *text;       /* UTF-8, may be NULL */
    size_t length;          /* bytes, 0: up to its zero byte */
    size_t lit, lit_length; /* bytes of it that are shown and stand out; 0: none; where
                               columns begin at the left */
    ig_style style;
} ig_list_cell;

/* Gives one cell's text, for rows that are seen only; the text must hold until the next
 * call. *cell comes with no text and the default style. */
typedef void ig_list_source(void *context, size_t row, size_t column,
                            ig_list_cell *cell);

enum { IG_NO_LINE = -1 };

typedef struct ig_list {
    const ig_column *column; /* (columns) */
    size_t columns;          /* at most 16 are drawn */
    size_t rows;             /* of the whole list */
    long selected;           /* a row, or IG_NO_LINE */
    size_t offset;           /* first row seen */
    bool header;             /* a first line with the titles */
    bool focused;            /* the selected row is marked in full, else only bold */
    ig_list_source *source;
    void *context;
} ig_list;

/* Draw it. When it is longer than the rectangle, a thumb in the last column shows where
 * one is. One blank stands between columns that are not tight; fixed columns that do
 * not fit are cut. */
void ig_list_draw(ig_canvas *canvas, ig_rect rect, const ig_list *list);

/* Rows of the list that a rectangle shows. */
size_t ig_list_page(ig_rect rect, bool header);

/* The offset nearest to `offset` at which `selected` is seen and no line is wasted. */
size_t ig_list_scroll(size_t offset, long selected, size_t rows, size_t page);

/* The row of the list at a row of the canvas, or IG_NO_LINE. */
long ig_list_at(ig_rect rect, const ig_list *list, int row);

/* The column of a list at a column of the canvas, with the blank before it; or
 * IG_NO_LINE. */
long ig_list_column_at(ig_rect rect, const ig_list *list, int col);

#endif
