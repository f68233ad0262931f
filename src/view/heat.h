/* A square matrix of figures as coloured tiles (heat map), with names of rows and
 * columns and one selected cell.
 *
 *   %↓→  en   de   fr  →          Tiles are 4 to 9 columns wide, depending on the
 *   en       95.7~ 0.2            space. Larger matrices scroll; arrows mark hidden
 *   de  96.0     [93.1]           cells. The corner is "% from↓to→" if it fits.
 *
 * Below, where there is room, are the eight colours with the figure at which each
 * begins. The coldest keeps the terminal's background. Without colours only the figures
 * are shown. */
#pragma once

#include "core/setting.h"
#include "view/canvas.h"

typedef struct ig_heat_cell {
    double value; /* NaN: – */
    bool blank;   /* undefined cell, left empty */
    char mark; /* before the figure ('~'), or 0; marked figures are dim, as are … */
    bool few;  /* … those not in means; in parentheses, if not narrow or selected */
} ig_heat_cell;

/* Supplies a visible cell. *cell is initialised to NaN without a mark. */
typedef void ig_heat_source(void *context, size_t row, size_t col, ig_heat_cell *cell);

typedef struct ig_heat {
    size_t n;                /* rows, and columns */
    const char *const *name; /* (n) in the colour of the row; truncated */
    const char *from, *to;   /* what rows and columns are, for the corner */
    bool share; /* figures are 0 … 1 in %; below 1 never rounded to 100 */
    /* The heat of a share of rows, or 1 / rank if `ranks`, is √share, or if `falls`
     * √(1 − share), which separates shares that are nearly 1. */
    bool falls, ranks;
    size_t row, col;               /* selected cell; out of range: none */
    size_t row_offset, col_offset; /* first visible row and column */
    int lines;                     /* out of ig_heat_scroll: those it takes */
    bool focused;                  /* whether the selection is highlighted */
    /* Add a row and a column "mean" if all cells are visible and there is space: the
     * source supplies cells of row n and of column n. `scale`: and a row of it. */
    bool means, scale;
    ig_heat_source *source;
    void *context;
} ig_heat;

/* Scroll so that the selected cell is visible and no space is wasted. */
void ig_heat_scroll(ig_rect rect, ig_heat *heat);

void ig_heat_draw(ig_canvas *canvas, ig_rect rect, const ig_heat *heat);

/* The matrix cell at a canvas cell; false if none. */
bool ig_heat_at(ig_rect rect, const ig_heat *heat, int row, int col, size_t *heat_row,
                size_t *heat_col);

/* Text style for a tile of this heat, 0 … 1 (NaN: no colour). */
ig_style ig_heat_style(double heat, ig_depth depth);

/* The style of a cell, and its figure with mark and parentheses for a tile of `columns`
 * and a gap; of row IG_HEAT_SCALE a step of the scale. */
enum { IG_HEAT_SCALE = -1, IG_HEAT_FIGURE = IG_NUMBER_SIZE + 3 };
ig_style ig_heat_tile(const ig_heat *heat, size_t row, size_t col, int columns,
                      ig_depth depth, char figure[IG_HEAT_FIGURE]);
