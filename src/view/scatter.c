/* The map on the screen. Points are counted by cell and key, then cells are drawn. A
 * key is a group of a series: series · groups + group. */
#include "view/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

enum {
    FEW = 12,    /* cells per point above which points are discs */
    ENOUGH = 12, /* points needed to judge the mixing of a cell */
    REACH = 2,   /* rows searched up and down for them at most; twice as many columns */
    LATER = 256, /* bit of a cell with points of the second series; below: dots */
    MIXED = IG_SHADES /* the last step of paleness: fully mixed */
};

/* Points of each key in each cell, and the dots of the cells. */
struct grid {
    uint32_t *count; /* (cells, keys) */
    uint32_t *bits;  /* (cells) */
};

/* State of one drawing. */
struct drawing {
    const ig_scatter *scatter;
    ig_canvas *canvas;
    ig_rect rect;
    ig_view view;
    size_t keys, cells;
    ig_middle *middle;           /* (series, groups + 1) */
    struct grid all, marked;     /* the second if some points are marked … */
    const struct grid *grid;     /* … those that are not dim */
    uint32_t *pooled;            /* (groups) points of some cells */
    double apart[IG_SERIES_MAX]; /* diversity of each series, by apart_of */
    bool letters;                /* instead of dots */
    bool discs;                  /* instead of dots: few of `grid` */
};

void ig_scatter_free(ig_scatter_memory *memory)
{
    if (!memory)
        return;
    ig_free(memory->block);
    *memory = (ig_scatter_memory){0};
}

/* --- points to cells -------------------------------------------------------------- */

/* Count the points of all series, or the marked ones alone. */
static void count_points(const struct drawing *d, struct grid *to, bool marked)
{
    const ig_scatter *s = d->scatter;
    ig_glyphs glyphs = d->letters ? IG_ASCII : IG_BRAILLE;
    int across = ig_glyphs_dot_cols(glyphs), down = ig_glyphs_dot_rows(glyphs);
    double right = d->rect.cols * across, bottom = d->rect.rows * down;
    double xscale = right / (d->view.xmax - d->view.xmin);
    double yscale = bottom / (d->view.ymax - d->view.ymin);
    uint32_t bit[4][2];

    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 2; x++)
            bit[y][x] = ig_braille_bit(x % across, y % down);
    memset(to->count, 0, d->cells * d->keys * sizeof *to->count);
    memset(to->bits, 0, d->cells * sizeof *to->bits);
    for (size_t k = 0; k < s->series; k++) {
        const ig_series *series = &s->of_series[k];

        for (size_t i = 0; i < s->count; i++) {
            double u = ((double)series->xy[2 * i] - d->view.xmin) * xscale;
            double v = (d->view.ymax - (double)series->xy[2 * i + 1]) * yscale;
            size_t row = ig_scatter_row(s, i), group = s->of[row], cell;
            int x, y;

            if (group >= s->groups || !s->group[group].shown ||
                !(u >= 0 && u <= right && v >= 0 && v <= bottom) ||
                (marked && !s->marked[row]))
                continue;
            x = u < right ? (int)u : (int)right - 1;
            y = v < bottom ? (int)v : (int)bottom - 1;
            cell = (size_t)(y >> down / 2) * (size_t)d->rect.cols +
                   (size_t)(x >> across / 2);
            to->bits[cell] |= k ? LATER : bit[y & 3][x & 1];
            to->count[cell * d->keys + k * s->groups + group]++;
        }
    }
}

/* Divide the memory into arrays, and count all points unless the previous frame's
 * counts are valid. False: out of memory. */
static bool count_all(struct drawing *d, ig_scatter_memory *memory)
{
    const ig_scatter *s = d->scatter;
    bool marks = s->marked;
    ig_scatter_source now;
    size_t middles = s->series * (s->groups + 1), grid = d->cells * (d->keys + 1);
    uint32_t *at;

    if (ig_array_grow(&memory->block, &memory->capacity,
                      middles * sizeof *d->middle +
                          ((1 + marks) * grid + s->groups) * sizeof *at,
                      1, "a map", NULL) != IG_OK)
        return false;
    d->middle = (void *)memory->block;
    d->pooled = (void *)(d->middle + middles);
    at = d->pooled + s->groups;
    d->all = (struct grid){at, at + d->cells * d->keys};
    d->marked = (struct grid){at + grid, at + grid + d->cells * d->keys};
    memset(&now, 0, sizeof now); /* compared as bytes */
    now.view = d->view;
    now.rows = d->rect.rows;
    now.cols = d->rect.cols;
    now.glyphs = d->letters ? IG_ASCII : IG_BRAILLE;
    now.keys = d->keys;
    now.generation = s->generation;
    if (!s->generation || memcmp(&now, &memory->source, sizeof now) != 0)
        count_points(d, &d->all, false);
    if (!s->generation || s->generation != memory->source.generation ||
        d->keys != memory->source.keys)
        for (size_t k = 0; k < s->series; k++)
            ig_scatter_middles(s, k, d->middle + k * (s->groups + 1));
    memory->source = now;
    if (marks)
        count_points(d, &d->marked, true);
    d->grid = marks ? &d->marked : &d->all;
    return true;
}

/* --- mixing of groups ------------------------------------------------------------- */

/* Simpson's index: the probability that two different points differ in group, 1 − Σ
 * n(n − 1) / N(N − 1), unbiased. 0 for fewer than two points. */
static double apart_of(double sum, double squares)
{
    return sum > 1 ? 1 - (squares - sum) / (sum * (sum - 1)) : 0;
}

/* Mixing of a cell: 0 for one group, 1 for the diversity of the whole series. A cell
 * with few points is judged with its neighbourhood; if that has few, too, the value is
 * reduced in proportion; with points of one group it is less than mixed. */
static double mixing_of(const struct drawing *d, size_t series, int row, int col)
{
    size_t groups = d->scatter->groups;
    double sum = 0, mixed = 0, most = 1;

    for (int reach = 0; sum < ENOUGH && reach <= REACH; reach++) {
        ig_rect w = ig_rect_clip(
            (ig_rect){row - reach, col - 2 * reach, 2 * reach + 1, 4 * reach + 1},
            (ig_rect){0, 0, d->rect.rows, d->rect.cols});
        double squares = sum = 0;

        memset(d->pooled, 0, groups * sizeof *d->pooled);
        for (int r = w.row; r < w.row + w.rows; r++)
            for (int c = w.col; c < w.col + w.cols; c++) {
                size_t cell = (size_t)r * (size_t)d->rect.cols + (size_t)c;
                const uint32_t *count = d->grid->count + cell * d->keys;

                for (size_t g = 0; d->grid->bits[cell] && g < groups; g++)
                    d->pooled[g] += count[series * groups + g];
            }
        for (size_t g = 0; g < groups; g++) {
            sum += d->pooled[g];
            squares += (double)d->pooled[g] * d->pooled[g];
        }
        mixed = apart_of(sum, squares) / d->apart[series];
        most = reach || squares < sum * sum ? most : 0.79; /* one group: it is seen */
    }
    if (!(d->apart[series] > 0) || sum < 2)
        return 0;
    return fmin(most, sum < ENOUGH ? mixed * (sum - 1) / (ENOUGH - 1) : mixed);
}

/* Paleness step of a cell; 0 on scales, and where points are drawn one by one. */
static int pale_of(const struct drawing *d, size_t series, int row, int col)
{
    /* A few points of other groups do not change a cell. */
    static const double from[MIXED + 1] = {0, 0.2, 0.5, 0.8};
    int step = MIXED;
    double mixed;

    if (d->discs || d->scatter->steps || d->scatter->groups < 2)
        return 0;
    mixed = mixing_of(d, series, row, col);
    while (step > 0 && mixed < from[step])
        step--;
    return step;
}

/* --- cells to the canvas ---------------------------------------------------------- */

/* The style of a cell's points; lines show through mixed and unmarked ones. */
static ig_style style_over(const struct drawing *d, int row, int col, ig_style style)
{
    const ig_cell *there = ig_canvas_cell(d->canvas, row, col);
    bool hue = style.fg != IG_COLOUR_AWAY &&
               style.fg < ig_colour_shade(IG_COLOUR_LANGUAGE, MIXED - 1);

    return there && there->style.fg == IG_COLOUR_LINK && !hue ? there->style : style;
}

/* Draw the points of a cell as dots, which are joined with those there, or as a disc;
 * of the second series as a block. */
static void draw_dots(const struct drawing *d, int row, int col, unsigned bits,
                      size_t series, bool disc, ig_style style)
{
    const ig_cell *there = ig_canvas_cell(d->canvas, row, col);
    char text[4];

    if (!disc && !series && there)
        bits |= ig_braille_bits(there->bytes, there->length);
    ig_canvas_put(d->canvas, row, col,
                  series       ? "█"
                  : disc       ? "●"
                  : d->letters ? "."
                               : ig_braille_text(bits & 0xff, text),
                  style);
}

static void draw_cell(const struct drawing *d, int row, int col, size_t key)
{
    const ig_scatter *s = d->scatter;
    size_t cell = (size_t)row * (size_t)d->rect.cols + (size_t)col;
    size_t series = key / s->groups, group = key % s->groups;
    int pale = pale_of(d, series, row, col), colour = s->group[group].colour;
    ig_style style = ig_style_of(ig_colour_shade(colour, pale), 0);
    size_t hues = d->canvas->depth == IG_DEPTH_8 ? IG_FEW_COLOURS : IG_LANGUAGE_COLOURS;
    char letter[2] = {s->group[group].letter, '\0'};

    if (style.fg == IG_COLOUR_MIXED)
        style.attributes |= IG_BOLD;
    if (s->steps && group >= s->steps)
        style.attributes |= IG_FAINT;
    if (s->contours && !s->marked && !d->letters) /* their colours stand out */
        style = ig_style_of(IG_COLOUR_AWAY, 0);
    if (series && letter[0] >= 'a' && letter[0] <= 'z')
        letter[0] = (char)(letter[0] - 'a' + 'A');
    row += d->rect.row;
    col += d->rect.col;
    style = style_over(d, row, col, style);
    if (d->letters && pale == MIXED)
        ig_canvas_put(d->canvas, row, col, series ? "#" : "*", style);
    else if (d->letters || (pale < MIXED && group >= hues))
        ig_canvas_put(d->canvas, row, col, letter, style); /* the colour is shared */
    else
        draw_dots(d, row, col, d->grid->bits[cell], series, d->discs, style);
}

/* The points of a cell at a step of the scale, over all series; *key: that of the
 * series with the most. */
static size_t points_at(const struct drawing *d, const uint32_t *count, size_t step,
                        size_t *key)
{
    size_t points = 0, most = 0;

    for (size_t k = step; k < d->keys; k += d->scatter->groups) {
        if (count[k] > most) {
            most = count[k];
            *key = k;
        }
        points += count[k];
    }
    return points;
}

/* The key shown by a cell with points: of their median step, the higher of two; of the
 * largest share of its points if none is on a scale. */
static size_t key_of(const struct drawing *d, const uint32_t *count)
{
    const ig_scatter *s = d->scatter;
    size_t points = 0, below = 0, key = 0;
    double most = 0;

    for (size_t step = 0; step < s->steps && step < s->groups; step++)
        points += points_at(d, count, step, &key);
    for (size_t step = 0; points && below <= points / 2; step++)
        below += points_at(d, count, step, &key);
    for (size_t k = 0; points == 0 && k < d->keys; k++) {
        double share = count[k] / fmax(1, d->middle[k + k / s->groups].points);

        if (share > most) {
            most = share;
            key = k;
        }
    }
    return key;
}

static bool has_few(const struct drawing *d, const struct grid *grid)
{
    double points = 0;

    for (size_t i = 0; i < d->cells * d->keys; i++)
        points += grid->count[i];
    return points * FEW <= (double)d->cells;
}

/* `few`: points that are not marked are discs, too. */
static void draw_cells(const struct drawing *d, bool few)
{
    for (size_t cell = 0; cell < d->cells; cell++) {
        int row = (int)(cell / (size_t)d->rect.cols);
        int col = (int)(cell % (size_t)d->rect.cols);
        unsigned bits = d->all.bits[cell];

        if (d->grid->bits[cell])
            draw_cell(d, row, col, key_of(d, d->grid->count + cell * d->keys));
        else if (bits)
            draw_dots(d, d->rect.row + row, d->rect.col + col, bits,
                      bits == LATER && !d->letters, few && !d->letters,
                      style_over(d, d->rect.row + row, d->rect.col + col,
                                 ig_style_of(IG_COLOUR_AWAY, 0)));
    }
}

ig_status ig_scatter_draw(ig_scatter_memory *memory, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_scatter *s, ig_error *error)
{
    ig_map_name name[IG_MAP_NAMES];
    struct drawing d = {.scatter = s,
                        .canvas = canvas,
                        .rect = rect,
                        .view = view,
                        .keys = s->series * s->groups,
                        .letters = canvas->glyphs == IG_ASCII ||
                                   canvas->depth == IG_DEPTH_NONE};
    size_t names;

    if (ig_rect_empty(rect) || !s->series)
        return IG_OK;
    d.cells = (size_t)rect.rows * (size_t)rect.cols;
    if (!count_all(&d, memory))
        return ig_fail_memory(error, "the map");
    for (size_t k = 0; k < s->series; k++) {
        const ig_middle *m = d.middle + k * (s->groups + 1);
        double squares = 0;

        for (size_t g = 0; g < s->groups; g++)
            squares += m[g].points * m[g].points;
        d.apart[k] = apart_of(m[s->groups].points, squares);
    }
    d.discs = has_few(&d, d.grid);
    draw_cells(&d, has_few(&d, &d.all));
    for (size_t i = 0; i < s->contours; i++)
        ig_scatter_line(canvas, rect, view, s->contour[i].from, s->contour[i].to,
                        ig_style_of(s->group[s->contour[i].group].colour, 0));
    names = ig_scatter_names(s, d.middle, view, rect, d.all.bits, name);
    for (size_t i = 0; i < names; i++)
        ig_canvas_text(canvas, name[i].row, name[i].col, name[i].width, name[i].text,
                       ig_style_of(name[i].colour, IG_BOLD));
    return IG_OK;
}

/* --- lines and markers ------------------------------------------------------------ */

void ig_scatter_line(ig_canvas *canvas, ig_rect rect, ig_view view, const float from[2],
                     const float to[2], ig_style style)
{
    double across = rect.cols * ig_glyphs_dot_cols(canvas->glyphs) /
                    (view.xmax - view.xmin);
    double down = rect.rows * ig_glyphs_dot_rows(canvas->glyphs) /
                  (view.ymax - view.ymin);

    ig_dots_line(canvas, rect, ((double)from[0] - view.xmin) * across - 0.5,
                 (view.ymax - (double)from[1]) * down - 0.5,
                 ((double)to[0] - view.xmin) * across - 0.5,
                 (view.ymax - (double)to[1]) * down - 0.5, 0, '.', style);
}

void ig_scatter_mark(ig_canvas *canvas, ig_rect rect, ig_view view, const float xy[2],
                     const char *mark, int colour, const char *label)
{
    ig_style style = ig_style_of(
        colour, colour == IG_COLOUR_CURSOR ? IG_BOLD | IG_REVERSE : IG_BOLD);
    int row, col;

    if (!ig_view_cell(view, rect, (double)xy[0], (double)xy[1], &row, &col))
        return;
    ig_canvas_put(canvas, row, col, mark, style);
    ig_canvas_text(canvas, row, col + 1, rect.col + rect.cols - col - 1, label, style);
}
