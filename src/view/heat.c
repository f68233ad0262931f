/* Heat maps. */
#include "view/heat.h"

#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "view/axes.h"
#include "view/layout.h"

enum {
    CAPTION = 10,   /* "% from↓to→", if full tiles fit */
    LEAST_NAME = 3, /* "%↓→" */
    MOST_NAME = 8,  /* maximum columns of row names … */
    CUT_NAME = 4,   /* … in narrow rectangles where the tiles do not fit: under … */
    NARROW = 60,
    LEAST_TILE = 4, /* "100" and the gap before it */
    FULL_TILE = 5,  /* "95.7" and the gap */
    MOST_TILE = 9,
    MEAN_NAME = 4 /* "mean" */
};

/* Positions. The last column is reserved for the closing bracket and arrows. */
struct plan {
    int name;          /* columns of the names and the gap after them */
    int width;         /* of a tile */
    int from, to;      /* first and end column of its figure: centred in wide tiles */
    size_t rows, cols; /* visible */
    ig_rect tiles;     /* area of the visible tiles */
    int means, scale;  /* 1: a row and a column of means follow; a row of the scale */
};

static struct plan plan_of(ig_rect rect, const ig_heat *heat)
{
    struct plan p = {0};
    int n = heat->n < 1000 ? (int)heat->n : 1000, widest = LEAST_NAME, columns;
    int least = LEAST_TILE + !heat->share;

    for (size_t i = 0; i < heat->n; i++)
        widest = ig_max_int(widest, ig_text_columns(heat->name[i]));
    widest = ig_min_int(widest, MOST_NAME);
    if (rect.cols < NARROW && rect.cols - widest - 2 < n * least)
        widest = ig_min_int(widest, CUT_NAME);
    p.means = heat->means && n > 1 && rect.rows - 2 >= n &&
              (rect.cols - MEAN_NAME - 2) / (n + 1) >= FULL_TILE;
    p.name = (p.means && widest < MEAN_NAME ? MEAN_NAME : widest) + 1;
    if ((rect.cols - CAPTION - 2) / (n + p.means + !n) >= FULL_TILE)
        p.name = CAPTION + 1;
    p.width = (rect.cols - p.name - 1) / (n + p.means + !n);
    p.width = p.width < least ? least : p.width > MOST_TILE ? MOST_TILE : p.width;
    p.cols = (size_t)ig_min_int(ig_max_int(rect.cols - p.name - 1, 0) / p.width, n);
    p.rows = (size_t)ig_min_int(ig_max_int(rect.rows - 1, 0), n);
    p.scale = heat->scale && n > 0 && rect.rows - 1 - p.means > n &&
              rect.cols - p.name > IG_HEAT_COLOURS * FULL_TILE;
    columns = p.width > FULL_TILE ? 4 : p.width - 1;
    p.from = (p.width - columns + 1) / 2;
    p.to = p.from + columns;
    p.tiles =
        (ig_rect){rect.row + 1, rect.col + p.name, (int)p.rows, (int)p.cols * p.width};
    return p;
}

void ig_heat_scroll(ig_rect rect, ig_heat *heat)
{
    struct plan p = plan_of(rect, heat);

    heat->row_offset = ig_scroll(heat->row_offset, (long)heat->row, heat->n, p.rows);
    heat->col_offset = ig_scroll(heat->col_offset, (long)heat->col, heat->n, p.cols);
    heat->lines = ig_min_int(p.tiles.rows + p.means + p.scale + 1, rect.rows);
}

bool ig_heat_at(ig_rect rect, const ig_heat *heat, int row, int col, size_t *heat_row,
                size_t *heat_col)
{
    struct plan p = plan_of(rect, heat);

    if (!ig_rect_has(p.tiles, row, col))
        return false;
    *heat_row = heat->row_offset + (size_t)(row - p.tiles.row);
    *heat_col = heat->col_offset + (size_t)((col - p.tiles.col) / p.width);
    return *heat_row < heat->n && *heat_col < heat->n;
}

ig_style ig_heat_style(double heat, ig_depth depth)
{
    int step = (int)fmin(fmax(heat, 0) * IG_HEAT_COLOURS, IG_HEAT_COLOURS - 1);

    return isnan(heat) || depth == IG_DEPTH_NONE
               ? ig_plain
               : (ig_style){IG_COLOUR_INK, (uint8_t)(IG_COLOUR_HEAT + step), 0};
}

/* --- drawing ---------------------------------------------------------------------- */

ig_style ig_heat_tile(const ig_heat *heat, size_t row, size_t col, int columns,
                      ig_depth depth, char figure[IG_HEAT_FIGURE])
{
    bool scale = row == (size_t)IG_HEAT_SCALE, inside = row < heat->n && col < heat->n;
    bool selected = inside && row == heat->row && col == heat->col, few, mark;
    char number[IG_NUMBER_SIZE];
    ig_heat_cell cell = {.value = NAN};
    double from = (double)col / IG_HEAT_COLOURS, share, most;
    ig_style style;

    if (scale) {
        share = heat->falls ? 1 - from * from : from * from;
        cell.value = heat->ranks ? 1 / share : share;
    } else {
        heat->source(heat->context, row, col, &cell);
        share = heat->ranks ? 1 / cell.value : cell.value;
        from = inside ? sqrt(heat->falls ? 1 - share : share) : NAN;
    }
    style = ig_heat_style(from, depth);
    if ((isnan(cell.value) || cell.mark || cell.few) && style.bg == IG_COLOUR_DEFAULT)
        style.fg = IG_COLOUR_DIM;
    style.attributes |= selected ? IG_BOLD : 0;
    few = cell.few && heat->means && columns > 3 && !selected;
    mark = cell.mark && !(few && columns < 6);
    columns = few && columns == 4 ? 3 : ig_min_int(columns, 4); /* of the number */
    most = columns > 3 ? 0.999 : 0.99;
    if (isnan(cell.value) || !heat->share)
        ig_number_format(number, cell.value, columns, 0);
    else /* below 1 never rounded up to 100 */
        ig_fixed_format(number, 100 * fmin(cell.value, cell.value < 1 ? most : 1),
                        cell.value < 1 && columns > 3, 0);
    snprintf(figure, IG_HEAT_FIGURE, "%s%.*s%s%s", few ? "(" : "", mark, &cell.mark,
             cell.blank ? "" : number, few ? ")" : "");
    return style;
}

/* Draw cell (row, col) of the matrix in the tile at (at_row, at_col). */
static void draw_tile(ig_canvas *canvas, const struct plan *p, const ig_heat *heat,
                      size_t row, size_t col, int at_row, int at_col)
{
    char figure[IG_HEAT_FIGURE];
    ig_style style = ig_heat_tile(heat, row, col, p->width - 1, canvas->depth, figure);
    int width = ig_text_columns(figure);
    int to = p->to + (*figure == '(' && p->to < p->width);

    ig_canvas_fill(canvas, (ig_rect){at_row, at_col, 1, p->width}, style);
    ig_canvas_text(canvas, at_row, at_col + to - width, width, figure, style);
}

static void draw_scale(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                       const ig_heat *heat)
{
    struct plan tile = {.width = FULL_TILE, .from = 1, .to = FULL_TILE};
    int row = p->tiles.row + p->tiles.rows + p->means;

    ig_canvas_text(canvas, row, rect.col, p->name - 1, p->name > 5 ? "shade" : "",
                   ig_dim);
    for (int i = 0; i < IG_HEAT_COLOURS; i++)
        draw_tile(canvas, &tile, heat, (size_t)IG_HEAT_SCALE, (size_t)i, row,
                  p->tiles.col + i * tile.width);
}

static void draw_selection(ig_canvas *canvas, const struct plan *p, const ig_heat *heat)
{
    ig_style style =
        ig_style_of(IG_COLOUR_CURSOR, IG_BOLD | (heat->focused ? IG_REVERSE : 0));
    size_t i = heat->row - heat->row_offset, j = heat->col - heat->col_offset;
    int row = p->tiles.row + (int)i, col = p->tiles.col + (int)j * p->width;

    if (i >= p->rows || j >= p->cols) /* also if they are before the offset */
        return;
    ig_canvas_put(canvas, row, col + p->from - 1, "[", style);
    ig_canvas_put(canvas, row, col + p->to, "]", style);
}

/* Draw the names of the rows or columns shown, the selected one underlined. */
static void draw_names(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                       const ig_heat *heat, bool of_rows)
{
    size_t first = of_rows ? heat->row_offset : heat->col_offset;
    size_t count = of_rows ? p->rows : p->cols;
    int columns = (of_rows ? p->name : p->width) - 1;

    for (size_t i = 0; i < count + (size_t)p->means; i++) {
        size_t n = first + i;
        bool selected = n == (of_rows ? heat->row : heat->col);
        char name[IG_CODE_SIZE] = "mean";
        int to, from;

        if (i < count)
            ig_code_short(name, heat->name, heat->n, n, columns);
        to = p->tiles.col + (int)i * p->width + p->to;
        from = ig_max_int(to - ig_text_columns(name), to - p->to + 1);
        ig_canvas_text(canvas, of_rows ? p->tiles.row + (int)i : rect.row,
                       of_rows ? rect.col : from, columns, name,
                       i < count ? ig_style_of(ig_colour_language(n),
                                               selected ? IG_BOLD | IG_UNDERLINE : 0)
                                 : ig_dim);
    }
}

/* "% from↓to→", in ASCII "% from\to": the unit, what rows and what columns are. */
static void draw_corner(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                        const ig_heat *heat)
{
    bool whole = p->name > CAPTION, ascii = canvas->glyphs == IG_ASCII;

    ig_canvas_print(canvas, rect.row, rect.col, p->name - 1, ig_dim,
                    whole && ascii ? "%s%s%s\\%s" : "%s%s%s↓%s→",
                    heat->share ? "%" : "", heat->share && whole ? " " : "",
                    whole ? heat->from : "", whole ? heat->to : "");
}

/* Mark where there are more cells. */
static void draw_arrows(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                        const ig_heat *heat)
{
    int right = p->tiles.col + p->tiles.cols, last = p->tiles.row + p->tiles.rows - 1;
    const struct {
        bool there;
        int row, col;
        const char *text;
    } arrow[] = {{heat->col_offset > 0, rect.row, p->tiles.col - 1, "←"},
                 {heat->col_offset + p->cols < heat->n, rect.row, right, "→"},
                 {heat->row_offset > 0, p->tiles.row, right, "↑"},
                 {heat->row_offset + p->rows < heat->n, last, right, "↓"}};

    for (int i = 0; i < 4; i++)
        if (arrow[i].there)
            ig_canvas_put(canvas, arrow[i].row, arrow[i].col, arrow[i].text, ig_accent);
}

void ig_heat_draw(ig_canvas *canvas, ig_rect rect, const ig_heat *heat)
{
    struct plan p = plan_of(rect, heat);
    ig_rect before = ig_canvas_clip(canvas, rect);

    if (p.rows > 0 && p.cols > 0) {
        draw_corner(canvas, rect, &p, heat);
        for (size_t i = 0; i < p.rows + (size_t)p.means; i++)
            for (size_t j = 0; j < p.cols + (size_t)p.means; j++)
                if (i < p.rows || j < p.cols) /* means: row and column n */
                    draw_tile(canvas, &p, heat, heat->row_offset + i,
                              heat->col_offset + j, p.tiles.row + (int)i,
                              p.tiles.col + (int)j * p.width);
        draw_names(canvas, rect, &p, heat, true);
        draw_names(canvas, rect, &p, heat, false);
        draw_arrows(canvas, rect, &p, heat);
        if (p.scale)
            draw_scale(canvas, rect, &p, heat);
        draw_selection(canvas, &p, heat);
    }
    canvas->clip = before;
}
