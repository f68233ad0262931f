/* Small drawings in a line: progress bars, legends. */
#ifndef DRAW_BARS_H
#define DRAW_BARS_H

#include "draw/canvas.h"

/* A bar of `columns` columns, filled to `fraction` (clamped to 0 … 1, NaN: 0); the rest
 * is a track in the colour of frames. */
void ig_bar_draw(ig_canvas *canvas, int row, int col, int columns, double fraction,
                 ig_style style);

typedef struct ig_legend_item {
    const char *name;
    char letter;   /* drawn instead of the square where there are no colours or dots */
    int colour;    /* ig_colour */
    bool shown;    /* hidden ones get an open square and brackets: □ (de) */
    bool plain;    /* only the name: a heading, a remark */
    bool lettered; /* with the letter wherever it is drawn: its colour is another's */
} ig_legend_item;

enum { IG_NO_ITEM = -1 };

/* ■ en ■ de □ (fr) … in the rectangle, wrapped to its lines; in place of those that do
 * not fit: … 26 more. `selected` (or IG_NO_ITEM) is drawn reversed. */
void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend_item *item,
                    size_t n, long selected);

/* Lines that the legend takes in `cols` columns. */
int ig_legend_lines(int cols, const ig_legend_item *item, size_t n);

/* How many of the items a rectangle shows. */
size_t ig_legend_fit(ig_glyphs glyphs, ig_rect rect, const ig_legend_item *item,
                     size_t n);

/* The item at a cell, or IG_NO_ITEM; also for plain ones and those that do not fit. */
long ig_legend_at(ig_rect rect, const ig_legend_item *item, size_t n, int row, int col);

#endif
