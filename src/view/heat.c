/* Heat maps. */
#include "view/heat.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"
#include "view/layout.h"

enum {
    MOST_NAME = 8,  /* maximum columns of row names */
    CUT_NAME = 2,   /* minimum, in narrow rectangles */
    CUT_HEAD = 4,   /* of column names, when columns are scrolled anyway */
    LEAST_TILE = 3, /* "96" and the gap before it */
    FULL_TILE = 5,  /* "95.7" and the gap */
    HIGH_TILE = 7,  /* minimum columns for tiles three rows high */
    MOST_TILE = 9,
    MEAN_NAME = 4,  /* "mean" */
    MOST_COLS = 400 /* maximum names compared */
};

/* Positions. The last column is reserved for the closing bracket and arrows. */
struct plan {
    int name;           /* columns of the names and the gap after them */
    int width, height;  /* of a tile */
    size_t rows, cols;  /* visible */
    ig_rect tiles;      /* area of the visible tiles */
    size_t first, left; /* the first visible row and column */
    int means;          /* 1: a row and a column of means follow the tiles */
};

static int name_width(const ig_heat *heat)
{
    int widest = 0;

    for (size_t i = 0; i < heat->rows && widest < MOST_NAME; i++) {
        int width = ig_text_columns(heat->row_name[i]);

        widest = width > widest ? width : widest;
    }
    return widest < MOST_NAME ? widest : MOST_NAME;
}

/* True if two row names are equal in their first columns ("zho_Hans", "zho_Hant"). */
static bool look_alike(const ig_heat *heat, int columns)
{
    for (size_t i = 1; i < heat->rows; i++) {
        const char *name = heat->row_name[i];
        size_t cut = ig_text_fit(name, strlen(name), (size_t)columns, NULL);

        for (size_t j = 0; j < i; j++) {
            const char *other = heat->row_name[j];

            if (strncmp(name, other, cut) == 0 &&
                ig_text_fit(other, strlen(other), (size_t)columns, NULL) == cut)
                return true;
        }
    }
    return false;
}

/* Columns of the row names: what the figures leave, more if names would be ambiguous.
 * In that case *least, the tile width, is increased too, unless all tiles fit. */
static int name_columns(ig_rect rect, const ig_heat *heat, int *least)
{
    int name = name_width(heat), most = 0;
    bool many = heat->cols > MOST_COLS;

    if (!many)
        most = rect.cols - 2 - (int)heat->cols * *least;
    if (most < CUT_NAME) { /* columns are scrolled */
        most = CUT_NAME;
        while (*least <= CUT_HEAD && (many || look_alike(heat, *least - 1)))
            ++*least;
    }
    while (most < name && (many || look_alike(heat, most)))
        most++;
    return name < most ? name : most;
}

static struct plan plan_of(ig_rect rect, const ig_heat *heat)
{
    struct plan p = {.first = heat->row_offset, .left = heat->col_offset};
    int least = heat->unit == IG_HEAT_SHARE ? LEAST_TILE : LEAST_TILE + 1, most;

    p.name = name_columns(rect, heat, &least) + 1;
    p.means = heat->means && heat->cols > 1 && heat->cols < 1000 && heat->rows < 1000 &&
              (rect.cols - MEAN_NAME - 2) / (int)(heat->cols + 1) >=
                  (least > FULL_TILE ? least : FULL_TILE) &&
              rect.rows - 2 >= (int)heat->rows;
    if (p.means && p.name < MEAN_NAME + 1)
        p.name = MEAN_NAME + 1;
    most = heat->cols < 1000
               ? (rect.cols - p.name - 1) / ((int)(heat->cols + !heat->cols) + p.means)
               : 0;
    p.width = most < least ? least : most > MOST_TILE ? MOST_TILE : most;
    most = (rect.cols - p.name - 1) / p.width;
    p.cols = most < 0 ? 0 : (size_t)most < heat->cols ? (size_t)most : heat->cols;
    p.height = p.width >= HIGH_TILE && heat->rows < 1000 &&
                       (rect.rows - 1 - p.means) / 3 >= (int)heat->rows
                   ? 3
                   : 1;
    most = (rect.rows - 1) / p.height;
    p.rows = most < 0 ? 0 : (size_t)most < heat->rows ? (size_t)most : heat->rows;
    p.tiles = (ig_rect){rect.row + 1, rect.col + p.name, (int)p.rows * p.height,
                        (int)p.cols * p.width};
    return p;
}

void ig_heat_scroll(ig_rect rect, ig_heat *heat)
{
    struct plan p = plan_of(rect, heat);

    heat->row_offset = ig_scroll(heat->row_offset, (long)heat->row, heat->rows, p.rows);
    heat->col_offset = ig_scroll(heat->col_offset, (long)heat->col, heat->cols, p.cols);
}

ig_heat_fit ig_heat_fit_of(ig_rect rect, const ig_heat *heat)
{
    struct plan p = plan_of(rect, heat);
    int lines = p.tiles.rows + p.means + 1;

    return (ig_heat_fit){.lines = lines < rect.rows ? lines : rect.rows,
                         .page = p.rows ? p.rows : 1,
                         .means = p.means,
                         .discs = heat->unit == IG_HEAT_SHARE && p.width - 1 <= 2};
}

bool ig_heat_at(ig_rect rect, const ig_heat *heat, int row, int col, size_t *heat_row,
                size_t *heat_col)
{
    struct plan p = plan_of(rect, heat);

    if (!ig_rect_has(p.tiles, row, col))
        return false;
    *heat_row = p.first + (size_t)((row - p.tiles.row) / p.height);
    *heat_col = p.left + (size_t)((col - p.tiles.col) / p.width);
    return *heat_row < heat->rows && *heat_col < heat->cols;
}

/* --- colours ---------------------------------------------------------------------- */

static int step_of(double heat)
{
    double step = heat * IG_HEAT_COLOURS;

    if (!(step > 0)) /* also for NaN */
        return 0;
    return step < IG_HEAT_COLOURS ? (int)step : IG_HEAT_COLOURS - 1;
}

ig_style ig_heat_style(double heat, ig_depth depth)
{
    int step = step_of(heat);

    if (isnan(heat) || step == 0 || depth == IG_DEPTH_NONE)
        return ig_plain;
    return (ig_style){IG_COLOUR_INK, (uint8_t)(IG_COLOUR_HEAT + step), 0};
}

int ig_heat_scale_draw(ig_canvas *canvas, int row, int col, int columns,
                       const char *cold, const char *hot)
{
    int before = ig_text_columns(cold);
    int after = ig_text_columns(hot), each = 2, all;

    if (canvas->depth == IG_DEPTH_NONE)
        return 0;
    if (before + after + 2 + each * IG_HEAT_COLOURS > columns)
        each = 1;
    all = before + after + 2 + each * IG_HEAT_COLOURS;
    if (all > columns)
        return 0;
    ig_canvas_text(canvas, row, col, before, cold, ig_dim);
    for (int i = 0; i < IG_HEAT_COLOURS; i++)
        ig_canvas_fill(canvas, (ig_rect){row, col + before + 1 + i * each, 1, each},
                       ig_heat_style((i + 0.5) / IG_HEAT_COLOURS, canvas->depth));
    ig_canvas_text(canvas, row, col + all - after, after, hot, ig_dim);
    return all;
}

/* --- figures ---------------------------------------------------------------------- */

/* Format a figure in `columns` columns. A share below 1 is never rounded up to 100; in
 * 2 columns 100 is a disc. */
static void format_figure(char out[IG_NUMBER_SIZE], ig_glyphs glyphs, ig_heat_unit unit,
                          double value, int columns)
{
    double most = columns > 3 ? 99.9 : 99;

    if (unit == IG_HEAT_POINTS && !isnan(value)) {
        ig_fixed_format(out, 100 * value, 1, glyphs == IG_ASCII);
        if (ig_text_columns(out) > columns)
            ig_fixed_format(out, 100 * value, 0, glyphs == IG_ASCII);
    } else if (isnan(value) || unit == IG_HEAT_NUMBER)
        ig_number_format(out, value, columns, glyphs == IG_ASCII);
    else if (value >= 1)
        snprintf(out, IG_NUMBER_SIZE, "%s",
                 columns > 2 ? "100" : ig_glyph_text(glyphs, IG_GLYPH_CIRCLE));
    else
        snprintf(out, IG_NUMBER_SIZE, "%.*f", columns > 3, fmin(100 * value, most));
}

/* First and end column of a figure in its tile: centred in wide tiles, right-aligned in
 * narrow ones. */
static void figure_place(const struct plan *p, int *from, int *to)
{
    int columns = p->width >= FULL_TILE ? 4 : p->width - 1;

    *from = (p->width - columns + 1) / 2;
    *to = *from + columns;
}

static void draw_tile(ig_canvas *canvas, const struct plan *p, const ig_heat *heat,
                      size_t row, size_t col, ig_rect tile)
{
    ig_heat_cell cell = {NAN, NAN, false, 0, 0};
    char figure[IG_NUMBER_SIZE], mark[2] = "";
    int from, to, middle = tile.row + tile.rows / 2, width;
    bool selected = row == heat->row && col == heat->col && row < heat->rows &&
                    col < heat->cols;
    ig_style style;

    heat->source(heat->context, row, col, &cell);
    mark[0] = cell.mark;
    style = ig_heat_style(cell.blank ? NAN : cell.heat, canvas->depth);
    if ((isnan(cell.value) || cell.mark) && style.bg == IG_COLOUR_DEFAULT)
        style.fg = IG_COLOUR_DIM;
    if (cell.tone && style.bg == IG_COLOUR_DEFAULT)
        style.fg = cell.tone > 0 ? IG_COLOUR_GOOD : IG_COLOUR_BAD;
    if (selected)
        style.attributes |= IG_BOLD;
    ig_canvas_fill(canvas, tile, style);
    if (cell.blank)
        return;
    figure_place(p, &from, &to);
    format_figure(figure, canvas->glyphs, heat->unit, cell.value, to - from);
    width = ig_text_columns(figure);
    ig_canvas_text(canvas, middle, tile.col + to - width, width, figure, style);
    if (cell.mark)
        ig_canvas_put(canvas, middle, tile.col + to - width - 1, mark, style);
}

static void draw_selection(ig_canvas *canvas, const struct plan *p, const ig_heat *heat)
{
    ig_style style = ig_style_of(IG_COLOUR_CURSOR, IG_BOLD | IG_REVERSE);
    ig_rect tile;
    int from, to;

    if (!heat->focused)
        style = ig_style_of(IG_COLOUR_CURSOR, IG_BOLD);
    if (heat->row < p->first || heat->row >= p->first + p->rows ||
        heat->col < p->left || heat->col >= p->left + p->cols)
        return;
    figure_place(p, &from, &to);
    tile = (ig_rect){p->tiles.row + (int)(heat->row - p->first) * p->height,
                     p->tiles.col + (int)(heat->col - p->left) * p->width, p->height,
                     p->width};
    ig_canvas_put(canvas, tile.row + tile.rows / 2, tile.col + from - 1, "[", style);
    ig_canvas_put(canvas, tile.row + tile.rows / 2, tile.col + to, "]", style);
}

/* --- names ------------------------------------------------------------------------ */

static ig_style name_style(size_t number, bool selected)
{
    return ig_style_of(ig_colour_language(number),
                       selected ? IG_BOLD | IG_UNDERLINE : 0);
}

static void draw_names(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                       const ig_heat *heat)
{
    char name[IG_CODE_SIZE];
    int from, to;

    figure_place(p, &from, &to);
    for (size_t i = 0; i < p->rows; i++) {
        size_t n = p->first + i;

        ig_canvas_text(canvas, p->tiles.row + (int)i * p->height + p->height / 2,
                       rect.col, p->name - 1,
                       ig_code_short(name, heat->row_name, heat->rows, n, p->name - 1,
                                     canvas->glyphs),
                       name_style(n, n == heat->row));
    }
    for (size_t i = 0; i < p->cols; i++) {
        size_t n = p->left + i;
        int width;

        ig_code_short(name, heat->col_name, heat->cols, n, p->width - 1,
                      canvas->glyphs);
        width = ig_text_columns(name);
        from = to - width > 1 ? to - width : 1;
        ig_canvas_text(canvas, rect.row, p->tiles.col + (int)i * p->width + from,
                       p->width - 1, name, name_style(n, n == heat->col));
    }
}

static void draw_means(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                       const ig_heat *heat)
{
    int right = p->tiles.col + p->tiles.cols, below = p->tiles.row + p->tiles.rows;
    int from, to;

    figure_place(p, &from, &to);
    ig_canvas_text(canvas, rect.row, right + to - MEAN_NAME, MEAN_NAME, "mean", ig_dim);
    ig_canvas_text(canvas, below, rect.col, MEAN_NAME, "mean", ig_dim);
    for (size_t i = 0; i < heat->rows; i++)
        draw_tile(
            canvas, p, heat, i, heat->cols,
            (ig_rect){p->tiles.row + (int)i * p->height, right, p->height, p->width});
    for (size_t j = 0; j < heat->cols; j++)
        draw_tile(canvas, p, heat, heat->rows, j,
                  (ig_rect){below, p->tiles.col + (int)j * p->width, 1, p->width});
}

static void draw_arrow(ig_canvas *canvas, int row, int col, ig_glyph glyph, bool there)
{
    if (there)
        ig_canvas_put(canvas, row, col, ig_glyph_text(canvas->glyphs, glyph),
                      ig_accent);
}

static void draw_arrows(ig_canvas *canvas, ig_rect rect, const struct plan *p,
                        const ig_heat *heat)
{
    int right = p->tiles.col + p->tiles.cols;
    int last = p->tiles.row + p->tiles.rows - 1;

    draw_arrow(canvas, rect.row, p->tiles.col - 1, IG_GLYPH_ARROW_LEFT, p->left > 0);
    draw_arrow(canvas, rect.row, right, IG_GLYPH_ARROW_RIGHT,
               p->left + p->cols < heat->cols);
    draw_arrow(canvas, p->tiles.row, right, IG_GLYPH_ARROW_UP, p->first > 0);
    draw_arrow(canvas, last, right, IG_GLYPH_ARROW_DOWN,
               p->first + p->rows < heat->rows);
}

void ig_heat_draw(ig_canvas *canvas, ig_rect rect, const ig_heat *heat)
{
    struct plan p = plan_of(rect, heat);
    ig_rect before = ig_canvas_clip(canvas, rect);

    for (size_t i = 0; i < p.rows && p.first + i < heat->rows; i++)
        for (size_t j = 0; j < p.cols && p.left + j < heat->cols; j++)
            draw_tile(canvas, &p, heat, p.first + i, p.left + j,
                      (ig_rect){p.tiles.row + (int)i * p.height,
                                p.tiles.col + (int)j * p.width, p.height, p.width});
    if (p.rows > 0 && p.cols > 0) {
        draw_names(canvas, rect, &p, heat);
        draw_arrows(canvas, rect, &p, heat);
        if (p.means)
            draw_means(canvas, rect, &p, heat);
        draw_selection(canvas, &p, heat);
    }
    canvas->clip = before;
}
