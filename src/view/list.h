/* Lists and tables: rows of cells in columns, with selection and scrolling; progress
 * bars and legends. */
#ifndef DRAW_LIST_H
#define DRAW_LIST_H

#include "view/canvas.h"

typedef enum ig_align {
    IG_ALIGN_LEFT = 0,
    IG_ALIGN_RIGHT,
    IG_ALIGN_TIGHT /* right, without a blank before the column */
} ig_align;

typedef struct ig_column {
    const char *title; /* in the header row, or NULL */
    int width;         /* columns; 0: a flexible share of the remaining width */
    ig_align align;
} ig_column;

/* Content of a list cell. */
typedef struct ig_list_cell {
    const char *text;       /* UTF-8, may be NULL */
    size_t length;          /* bytes, 0: zero-terminated */
    size_t lit, lit_length; /* highlighted bytes, kept visible; 0: none; in
                               left-aligned columns only */
    ig_style style;
} ig_list_cell;

/* Supplies the text of a visible cell, valid until the next call. *cell is initialised
 * without text and in the default style. */
typedef void ig_list_source(void *context, size_t row, size_t column,
                            ig_list_cell *cell);

enum { IG_NO_LINE = -1 };

typedef struct ig_list {
    const ig_column *column; /* (columns) */
    size_t columns;          /* at most 16 are drawn */
    size_t rows;             /* of the whole list */
    long selected;           /* selected row, or IG_NO_LINE */
    size_t offset;           /* first visible row */
    bool header;             /* show a header row with the titles */
    bool focused;            /* highlight the selected row, otherwise only bold */
    ig_list_source *source;
    void *context;
} ig_list;

/* Draw a list. If it is longer than the rectangle, a scroll thumb is drawn in the last
 * column. Columns are separated by a blank unless tight; fixed columns that do not fit
 * are truncated. */
void ig_list_draw(ig_canvas *canvas, ig_rect rect, const ig_list *list);

/* Visible rows of a list in a rectangle. */
size_t ig_list_page(ig_rect rect, bool header);

/* The offset nearest to `offset` that shows `selected` and wastes no line. */
size_t ig_list_scroll(size_t offset, long selected, size_t rows, size_t page);

/* The list row at a canvas row, or IG_NO_LINE. */
long ig_list_at(ig_rect rect, const ig_list *list, int row);

/* The list column at a canvas column, including the preceding blank; or IG_NO_LINE. */
long ig_list_column_at(ig_rect rect, const ig_list *list, int col);

/* --- bars and legends ------------------------------------------------------------- */

/* Draw a bar of `columns` columns, filled to `fraction` (clamped to 0 … 1, NaN: 0) over
 * a track in the frame colour. */
void ig_bar_draw(ig_canvas *canvas, int row, int col, int columns, double fraction,
                 ig_style style);

typedef struct ig_legend_item {
    const char *name;
    char letter;   /* replaces the square without colours or dots */
    int colour;    /* ig_colour */
    bool shown;    /* hidden items have an open square and brackets: □ (de) */
    bool plain;    /* name only: a heading or remark */
    bool lettered; /* always show the letter, because the colour is shared */
} ig_legend_item;

enum { IG_NO_ITEM = -1 };

/* Draw a legend ■ en ■ de □ (fr) …, wrapped to the rectangle; items that do not fit are
 * summarised as "… 26 more". */
void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend_item *item,
                    size_t n);

/* Lines of a legend at a width of `cols` columns. */
int ig_legend_lines(int cols, const ig_legend_item *item, size_t n);

/* Number of items that fit in a rectangle. */
size_t ig_legend_fit(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                     size_t n);

/* The item at a cell, or IG_NO_ITEM, also for plain and hidden items. */
long ig_legend_at(ig_rect rect, const ig_legend_item *item, size_t n, int row, int col);

#endif
