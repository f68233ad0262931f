/* Progress bars and legends of colours. */
#ifndef DRAW_LEGEND_H
#define DRAW_LEGEND_H

#include "view/canvas.h"

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
