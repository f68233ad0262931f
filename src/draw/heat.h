/* A matrix of figures as tiles in the colours of heat, with names for rows and columns
 * and one cell selected.
 *
 *        en   de   fr  →          Tiles are as wide as there is room for, 3 to 9
 *   en       95.7~ 0.2            columns, and then as high; a tile of 3 holds "96".
 *   de  96.0     [93.1]           What does not fit is scrolled, and an arrow tells so.
 *
 * The coldest step keeps the terminal's background. Without colours the figures stand
 * alone. */
#ifndef DRAW_HEAT_H
#define DRAW_HEAT_H

#include "draw/canvas.h"

/* How figures are written. */
typedef enum ig_heat_unit {
    IG_HEAT_SHARE,  /* of 0 … 1, as a percentage; below 1 never rounded to 100 */
    IG_HEAT_POINTS, /* a difference of shares, in points, with its sign */
    IG_HEAT_NUMBER
} ig_heat_unit;

typedef struct ig_heat_cell {
    double value; /* NaN: – */
    double heat;  /* 0 … 1 from cold to hot; NaN: no colour */
    bool blank;   /* a cell without a meaning: left empty */
    char mark;    /* before the figure ('~'), or 0; marked figures are dim */
    int tone;     /* > 0 good, < 0 bad: by the colour of the figure */
} ig_heat_cell;

/* Gives a cell that is seen. *cell comes as NaN without mark and tone. */
typedef void ig_heat_source(void *context, size_t row, size_t col, ig_heat_cell *cell);

typedef struct ig_heat {
    size_t rows, cols;
    const char *const *row_name; /* (rows), in the colour of their number; longer ones
                                    than 8 columns are cut */
    const char *const *col_name; /* (cols), cut to the tile */
    ig_heat_unit unit;
    size_t row, col;               /* the selected cell; past the end: none */
    size_t row_offset, col_offset; /* the first ones seen */
    bool focused;                  /* the selection is marked in full */
    /* A row and a column more, "mean", where all cells are seen and there is room: the
       source is asked for cells of row `rows` and of column `cols`. */
    bool means;
    ig_heat_source *source;
    void *context;
} ig_heat;

/* Move the offsets so that the selected cell is seen and no room is wasted. */
void ig_heat_scroll(ig_rect rect, ig_heat *heat);

void ig_heat_draw(ig_canvas *canvas, ig_rect rect, const ig_heat *heat);

/* Rows of a rectangle that tiles and names take, at most its own. */
int ig_heat_lines(ig_rect rect, const ig_heat *heat);

/* Rows of tiles that are seen at once, at least 1: a page. */
size_t ig_heat_page(ig_rect rect, const ig_heat *heat);

/* Whether there is room for the means. */
bool ig_heat_has_means(ig_rect rect, const ig_heat *heat);

/* Whether tiles are so narrow that 100 is a disc. */
bool ig_heat_has_discs(ig_rect rect, const ig_heat *heat);

/* The cell at a cell of the canvas; false: there is none. */
bool ig_heat_at(ig_rect rect, const ig_heat *heat, int row, int col, size_t *heat_row,
                size_t *heat_col);

/* The step of a heat, 0 … IG_HEAT_COLOURS − 1. */
int ig_heat_step(double heat);

/* The style of text on a tile of this heat (NaN: no colour). */
ig_style ig_heat_style(double heat, ig_depth depth);

/* The scale in one line: "100 ▏▏▏▏▏▏▏▏ 0", the coldest first. Returns the columns
 * used; nothing is drawn without colours, or where it does not fit. */
int ig_heat_scale_draw(ig_canvas *canvas, int row, int col, int columns,
                       const char *cold, const char *hot);

#endif
