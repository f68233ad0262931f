/* The scatter map. Two passes: points are counted by cell and category, then cells are
 * drawn. A "key" numbers the categories of all series consecutively. */
#include "view/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "view/map_names.h"

enum {
    MOST_CROWDED = 4, /* smaller maps have no names */
    FEW = 12,         /* cells per point above which points are discs */
    THIN = 4          /* cells with so many times fewer points than usual are dim */
};

/* Layout of ig_scatter.bits: bits 0-7 the first series, 8-15 the later ones (at most
 * four dots), 16 and up the dim dots of both. */
enum { SOLID_SHIFT = 8, DIM_SHIFT = 16 };

/* State of one drawing. */
struct drawing {
    ig_scatter *scatter;
    ig_canvas *canvas;
    ig_rect rect;
    ig_view view;
    const ig_series *series;
    size_t n, keys;
    const ig_scatter_grid *grid; /* of the counted points */
    bool marked;                 /* some points are marked, all others are dim */
    bool letters;                /* instead of dots */
    bool discs;                  /* instead of dots: few points … */
    bool all_few;                /* … even with the dim ones */
};

static size_t cells_of(const struct drawing *d)
{
    return (size_t)d->rect.rows * (size_t)d->rect.cols;
}

static void free_grid(ig_scatter_grid *grid)
{
    IG_FREE(grid->count, grid->total, grid->bits);
}

void ig_scatter_free(ig_scatter *scatter)
{
    if (!scatter)
        return;
    free_grid(&scatter->all);
    free_grid(&scatter->marked);
    IG_FREE(scatter->middle, scatter->place, scatter->seen, scatter->pooled);
    *scatter = (ig_scatter){0};
}

/* Make an array as large; false when memory is short. */
#define GROW(array, n)                                                                 \
    (ig_array_grow(&(array), &(array##_capacity), n, sizeof *(array), "a map",         \
                   NULL) == IG_OK)

/* Allocate an empty grid; false when memory is short. */
static bool clear_grid(const struct drawing *d, ig_scatter_grid *g)
{
    size_t cells = cells_of(d), most = SIZE_MAX / 8;

    if ((d->keys && cells > most / d->keys) || (d->n && cells > most / d->n) ||
        !GROW(g->count, cells * d->keys) || !GROW(g->total, cells * d->n) ||
        !GROW(g->bits, cells))
        return false;
    memset(g->count, 0, cells * d->keys * sizeof *g->count);
    memset(g->total, 0, cells * d->n * sizeof *g->total);
    memset(g->bits, 0, cells * sizeof *g->bits);
    return true;
}

/* Allocate the arrays over keys; false when memory is short. */
static bool allocate_keys(struct drawing *d)
{
    ig_scatter *s = d->scatter;

    return GROW(s->middle, d->keys) && GROW(s->place, d->keys) &&
           GROW(s->seen, d->keys) && GROW(s->pooled, d->keys);
}

/* --- points to cells -------------------------------------------------------------- */

/* Glyph set of a series: later ones have larger dots. */
static ig_glyphs level_of(const struct drawing *d, size_t number)
{
    return d->letters ? IG_ASCII : number ? IG_QUADRANTS : IG_BRAILLE;
}

/* Mapping of a series' points to cells. */
struct grid {
    double xmin, ymax, xscale, yscale; /* from plane coordinates to dots */
    double right, bottom;              /* exclusive limits */
    int last_x, last_y;                /* the last dots */
    int xshift, yshift;                /* log2 of the dots per cell */
    uint32_t bit[4][2];
};

static struct grid grid_of(const struct drawing *d, size_t number)
{
    ig_glyphs level = level_of(d, number);
    int across = ig_glyphs_dot_cols(level), down = ig_glyphs_dot_rows(level);
    struct grid g = {.xmin = d->view.xmin,
                     .ymax = d->view.ymax,
                     .last_x = d->rect.cols * across - 1,
                     .last_y = d->rect.rows * down - 1,
                     .xshift = across == 2,
                     .yshift = down == 4 ? 2 : down == 2};

    g.right = g.last_x + 1;
    g.bottom = g.last_y + 1;
    g.xscale = g.right / (d->view.xmax - d->view.xmin);
    g.yscale = g.bottom / (d->view.ymax - d->view.ymin);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 2; x++)
            g.bit[y][x] = ig_glyphs_dot_bit(level, x % across, y % down)
                          << (number ? SOLID_SHIFT : 0);
    return g;
}

/* The counter of a point, with its dot in *bit; NULL: none. *outside: shown, but
 * outside the view. */
static inline uint32_t *find_count(const struct drawing *d, const struct grid *g,
                                   const ig_series *s, uint32_t *count, size_t i,
                                   uint32_t *cell_bit, size_t *cell, size_t *outside)
{
    double u = (s->x[i * s->stride] - g->xmin) * g->xscale;
    double v = (g->ymax - s->y[i * s->stride]) * g->yscale;
    size_t row = s->row ? s->row[i] : i;
    size_t category = s->category ? s->category[row] : 0;
    int x, y;

    *outside = SIZE_MAX;
    if (category >= s->categories || (s->shown && !s->shown[category]))
        return NULL;
    if (!(u >= 0 && u <= g->right && v >= 0 && v <= g->bottom)) {
        *outside = category;
        return NULL;
    }
    x = (int)u < g->last_x ? (int)u : g->last_x;
    y = (int)v < g->last_y ? (int)v : g->last_y;
    *cell_bit = g->bit[y & 3][x & 1];
    x >>= g->xshift;
    y >>= g->yshift;
    *cell = (size_t)y * (size_t)d->rect.cols + (size_t)x;
    return count + *cell * d->keys + category;
}

/* Count the points of all series in a grid, or the marked ones alone; in `seen` those
 * outside the view. */
static void count_points(const struct drawing *d, ig_scatter_grid *to)
{
    uint32_t *seen = d->scatter->seen, *count = to->count, bit;
    bool marked = to == &d->scatter->marked;
    size_t cell, outside;

    for (size_t number = 0; number < d->n; number++) {
        const ig_series s = d->series[number];
        const struct grid g = grid_of(d, number);

        for (size_t i = 0; i < s.count; i++) {
            uint32_t *counted;

            if (marked && !(s.marked && s.marked[s.row ? s.row[i] : i]))
                continue;
            counted = find_count(d, &g, &s, count, i, &bit, &cell, &outside);
            if (counted) {
                to->bits[cell] |= bit;
                ++*counted;
            } else if (!marked && outside < s.categories) {
                seen[outside]++;
            }
        }
        count += s.categories;
        seen += s.categories;
    }
}

/* Points of each series in each cell of a grid. */
static void sum_cells(const struct drawing *d, ig_scatter_grid *grid)
{
    const uint32_t *count = grid->count;
    size_t cells = cells_of(d);

    for (size_t cell = 0; cell < cells; cell++, count += d->keys) {
        size_t first = 0;

        if (!(grid->bits[cell] & ((1u << DIM_SHIFT) - 1)))
            continue;
        for (size_t s = 0; s < d->n; first += d->series[s++].categories)
            for (size_t c = 0; c < d->series[s].categories; c++)
                grid->total[s * cells + cell] += count[first + c];
    }
}

/* Points of each key in the view, and the sums for their centre. */
static void sum_keys(const struct drawing *d)
{
    const ig_scatter *s = d->scatter;
    const uint32_t *count = s->all.count;
    size_t cell = 0;

    memset(s->middle, 0, d->keys * sizeof *s->middle);
    for (int row = 0; row < d->rect.rows; row++)
        for (int col = 0; col < d->rect.cols; col++, cell++, count += d->keys)
            for (size_t key = 0; s->all.bits[cell] && key < d->keys; key++) {
                double n = count[key];

                ig_place_add(&s->middle[key],
                             &(struct ig_place){
                                 .points = n,
                                 .row = n * row,
                                 .col = n * col,
                                 .square = n * (4.0 * row * row + (double)col * col)});
            }
    for (size_t key = 0; key < d->keys; key++)
        s->seen[key] += (uint32_t)s->middle[key].points;
}

/* --- cached counts ---------------------------------------------------------------- */

/* True if the previous frame's counts are valid; remembers the inputs for the next
 * frame. */
static bool is_counted(const struct drawing *d)
{
    ig_scatter_source now, *before = &d->scatter->source;
    bool known = true, same;

    memset(&now, 0, sizeof now); /* compared as bytes */
    now.view = d->view;
    now.rows = d->rect.rows;
    now.cols = d->rect.cols;
    now.level = level_of(d, 0);
    now.n = d->n;
    for (size_t s = 0; s < d->n; s++) {
        now.generation[s] = d->series[s].generation;
        known &= now.generation[s] != 0;
    }
    same = known && memcmp(&now, before, sizeof now) == 0;
    memcpy(before, &now, sizeof now);
    return same;
}

/* Count all points unless cached; false when memory is short. */
static bool count_all(const struct drawing *d)
{
    ig_scatter *s = d->scatter;

    if (is_counted(d))
        return true;
    if (!clear_grid(d, &s->all)) {
        s->source.n = 0;
        return false;
    }
    memset(s->seen, 0, d->keys * sizeof *s->seen);
    count_points(d, &s->all);
    sum_cells(d, &s->all);
    sum_keys(d);
    return true;
}

/* --- marked points ---------------------------------------------------------------- */

/* Count marked points only; the others set dim dots. False when memory is short. */
static bool count_marked(const struct drawing *d)
{
    ig_scatter *s = d->scatter;
    size_t cells = cells_of(d);

    if (!clear_grid(d, &s->marked))
        return false;
    count_points(d, &s->marked);
    for (size_t cell = 0; cell < cells; cell++)
        s->marked.bits[cell] |= s->all.bits[cell] << DIM_SHIFT;
    sum_cells(d, &s->marked);
    return true;
}

/* True if a cell has counted points. */
static bool has_points(const struct drawing *d, size_t cell)
{
    return d->grid->bits[cell] & ((1u << DIM_SHIFT) - 1);
}

/* --- cells to the canvas ---------------------------------------------------------- */

/* The series of a key and its category in it. */
static const ig_series *of_key(const struct drawing *d, size_t key, size_t *category,
                               size_t *number)
{
    size_t s = 0;

    while (key >= d->series[s].categories)
        key -= d->series[s++].categories;
    *category = key;
    *number = s;
    return &d->series[s];
}

static char letter_of(const ig_series *s, size_t category, size_t number)
{
    char c = s->letter ? s->letter[category] : (char)('a' + category % 26);

    return number > 0 && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int colour_of(const ig_series *s, size_t category)
{
    return s->colour ? s->colour[category] : ig_colour_language(category);
}

/* Statistics of a series that its cells are compared with. */
struct crowd {
    const uint32_t *total;    /* (cells) points */
    size_t first, categories; /* its keys */
    double usual;             /* typical points per cell, seen from a point */
    double apart;             /* diversity of the series, by apart_of */
};

/* --- mixing of categories --------------------------------------------------------- */

enum {
    ENOUGH = 12, /* points needed to judge the mixing */
    REACH = 2    /* maximum rows searched up and down for them; twice as many columns */
};

/* Simpson's index: the probability that two different points differ in category, 1 − Σ
 * n(n − 1) / N(N − 1), unbiased. 0 for fewer than two points. */
static double apart_of(const uint32_t *points, size_t categories)
{
    uint64_t squares = 0, sum = 0;

    for (size_t i = 0; i < categories; i++) {
        sum += points[i];
        squares += (uint64_t)points[i] * points[i];
    }
    return sum > 1 ? 1 - (double)(squares - sum) / ((double)sum * (double)(sum - 1))
                   : 0;
}

/* The cells of the grid within a number of rows. */
static ig_rect window_of(const struct drawing *d, int row, int col, int reach)
{
    return ig_rect_clip(
        (ig_rect){row - reach, col - 2 * reach, 2 * reach + 1, 4 * reach + 1},
        (ig_rect){0, 0, d->rect.rows, d->rect.cols});
}

/* The points of a series in a window, by category in `pooled`. */
static size_t pool_points(const struct drawing *d, const struct crowd *crowd, ig_rect w,
                          uint32_t *pooled)
{
    size_t points = 0;

    memset(pooled, 0, crowd->categories * sizeof *pooled);
    for (int row = w.row; row < w.row + w.rows; row++)
        for (int col = w.col; col < w.col + w.cols; col++) {
            size_t cell = (size_t)row * (size_t)d->rect.cols + (size_t)col;
            const uint32_t *count = d->grid->count + cell * d->keys + crowd->first;

            points += crowd->total[cell];
            for (size_t i = 0; crowd->total[cell] && i < crowd->categories; i++)
                pooled[i] += count[i];
        }
    return points;
}

/* Mixing of a cell: 0 for one category, 1 for the diversity of the whole series. A cell
 * with few points is judged with its neighbourhood; if that has few, too, the value is
 * reduced in proportion. */
static double mixed_of(const struct drawing *d, const struct crowd *crowd, int row,
                       int col)
{
    uint32_t *pooled = d->scatter->pooled;
    size_t points = 0;
    double mixed;

    for (int reach = 0; points < ENOUGH && reach <= REACH; reach++)
        points = pool_points(d, crowd, window_of(d, row, col, reach), pooled);
    if (crowd->apart <= 0 || points < 2)
        return 0;
    mixed = apart_of(pooled, crowd->categories) / crowd->apart;
    if (points < ENOUGH)
        mixed *= (double)(points - 1) / (ENOUGH - 1);
    return fmin(mixed, 1);
}

enum { MIXED = IG_SHADES_PALE + 1 /* the last step: fully mixed */ };

/* Paleness step of a cell; 0 on scales, and where points are drawn one by one. */
static int pale_of(const struct drawing *d, const struct crowd *crowd,
                   const ig_series *s, int row, int col)
{
    /* A few points of other categories do not change a cell. */
    static const double from[MIXED + 1] = {0, 0.2, 0.5, 0.8};
    int step = MIXED;
    double mixed;

    if (d->discs || s->steps || s->majority || s->categories < 2)
        return 0;
    mixed = mixed_of(d, crowd, row, col);
    while (step > 0 && mixed < from[step])
        step--;
    return step;
}

/* The glyph for the points of a series in a cell of dots. */
static const char *glyph_of(const struct drawing *d, size_t number, unsigned bits,
                            bool disc, const ig_cell *there, char out[5])
{
    if (disc)
        return ig_glyph_text(d->canvas->glyphs,
                             number ? IG_GLYPH_SQUARE : IG_GLYPH_CIRCLE);
    if (number)
        return ig_glyphs_dots(IG_QUADRANTS, bits >> SOLID_SHIFT, out);
    bits &= 0xff;
    if (there)
        bits |= ig_glyphs_bits(there->bytes, there->length);
    return ig_glyphs_dots(IG_BRAILLE, bits, out);
}

/* True if an earlier category has the same colour: the letter distinguishes them. */
static bool repeats_colour(const ig_series *s, size_t category)
{
    return !s->steps && category >= IG_LANGUAGE_COLOURS && s->letter &&
           colour_of(s, category) == ig_colour_language(category);
}

static void draw_cell(const struct drawing *d, const struct crowd *crowds, int row,
                      int col, size_t key)
{
    size_t cell = (size_t)row * (size_t)d->rect.cols + (size_t)col, category, number;
    const ig_series *s = of_key(d, key, &category, &number);
    const struct crowd *crowd = &crowds[number];
    unsigned bits = d->grid->bits[cell];
    int attributes = s->attributes, pale = pale_of(d, crowd, s, row, col);
    int at_row = d->rect.row + row, at_col = d->rect.col + col;
    double crowded = crowd->total[cell] / crowd->usual;
    char text[5] = {letter_of(s, category, number), '\0'};
    const char *glyph = text;
    int colour = ig_colour_shade(colour_of(s, category), pale, crowded * THIN < 1);

    if (colour == IG_COLOUR_MIXED)
        attributes |= IG_BOLD;
    if (s->steps && category >= s->steps)
        attributes |= IG_FAINT;
    if (!d->letters && !(repeats_colour(s, category) && pale < MIXED))
        glyph = glyph_of(d, number, bits, d->discs,
                         ig_canvas_cell(d->canvas, at_row, at_col), text);
    else if (pale == MIXED)
        glyph = number ? "#" : "*";
    ig_canvas_put(d->canvas, at_row, at_col, glyph, ig_style_of(colour, attributes));
}

/* Draw a cell of dim points. */
static void draw_dim(const struct drawing *d, int row, int col)
{
    size_t cell = (size_t)row * (size_t)d->rect.cols + (size_t)col;
    uint32_t bits = d->grid->bits[cell] >> DIM_SHIFT;
    bool fine = bits & ((1u << SOLID_SHIFT) - 1);
    int at_row = d->rect.row + row, at_col = d->rect.col + col;
    char text[5] = ".";

    ig_canvas_put(d->canvas, at_row, at_col,
                  d->letters
                      ? text
                      : glyph_of(d, fine ? 0 : 1, bits, d->all_few,
                                 ig_canvas_cell(d->canvas, at_row, at_col), text),
                  ig_style_of(IG_COLOUR_AWAY, 0));
}

/* Compute the statistics of each series, and whether points are few. */
static void weigh_crowds(struct drawing *d, struct crowd *crowd)
{
    ig_scatter *s = d->scatter;
    size_t cells = cells_of(d), first = 0;
    double points = 0, all = 0;

    for (size_t i = 0; i < d->n; first += d->series[i++].categories) {
        const uint32_t *total = d->grid->total + i * cells;
        double sum = 0, squares = 0;

        for (size_t cell = 0; cell < cells; cell++) {
            sum += total[cell];
            squares += (double)total[cell] * total[cell];
        }
        points += sum;
        crowd[i] =
            (struct crowd){.total = total,
                           .first = first,
                           .categories = d->series[i].categories,
                           .usual = sum > 0 ? squares / sum : 1,
                           .apart = apart_of(s->seen + first, d->series[i].categories)};
    }
    d->discs = points * FEW <= (double)cells;
    for (size_t key = 0; key < d->keys; key++)
        all += s->place[key].points;
    d->all_few = all * FEW <= (double)cells;
}

/* The key with the largest share of its points in a cell. */
static size_t largest_share(const struct drawing *d, const uint32_t *count)
{
    bool majority = d->series[0].majority; /* of the points in the cell instead */
    double most = 0;
    size_t best = d->keys;

    for (size_t key = 0; key < d->keys; key++) {
        double share = count[key] /
                       (majority ? 1 : fmax(1, d->scatter->place[key].points));

        if (share > most) {
            most = share;
            best = key;
        }
    }
    return best;
}

/* The points of a cell at a step of the scale, over all series; *key: that of the
 * series with most of them. */
static size_t points_at(const struct drawing *d, const uint32_t *count, size_t step,
                        size_t *key)
{
    size_t points = 0, first = 0, most = 0;

    for (size_t s = 0; s < d->n; first += d->series[s++].categories) {
        if (step >= d->series[s].steps)
            continue;
        if (count[first + step] > most) {
            most = count[first + step];
            *key = first + step;
        }
        points += count[first + step];
    }
    return points;
}

/* The key shown by a cell with points: of their median step, the higher of two; of the
 * largest share if none is on the scale. */
static size_t key_of(const struct drawing *d, size_t cell)
{
    const uint32_t *count = d->grid->count + cell * d->keys;
    size_t points = 0, below = 0, key = d->keys, steps = d->series[0].steps;

    for (size_t step = 0; step < steps; step++)
        points += points_at(d, count, step, &key);
    if (points == 0)
        return largest_share(d, count);
    for (size_t step = 0; below <= points / 2; step++)
        below += points_at(d, count, step, &key);
    return key;
}

static void draw_cells(const struct drawing *d, const struct crowd *crowd)
{
    size_t cell = 0;

    for (int row = 0; row < d->rect.rows; row++)
        for (int col = 0; col < d->rect.cols; col++, cell++)
            if (has_points(d, cell))
                draw_cell(d, crowd, row, col, key_of(d, cell));
            else if (d->grid->bits[cell])
                draw_dim(d, row, col);
}

/* --- names ------------------------------------------------------------------------ */

/* Draw the names of places. */
static void draw_places(const struct drawing *d, ig_map_names names,
                        const ig_named_places *places)
{
    struct ig_place place[IG_NAMED_PLACES_MAX] = {{0}};
    uint8_t colour[IG_NAMED_PLACES_MAX];
    int row, col;

    for (size_t i = 0; i < places->count; i++) {
        double points = places->points[i];

        colour[i] = IG_COLOUR_TEXT;
        if (ig_view_cell(d->view, d->rect, (double)places->xy[2 * i],
                         (double)places->xy[2 * i + 1], &row, &col))
            place[i] = (struct ig_place){.row = (row - d->rect.row) * points,
                                         .col = (col - d->rect.col) * points,
                                         .points = points};
    }
    names.place = place;
    names.keys = places->count;
    names.dot_cost = 1; /* on their own points rather than far away */
    ig_map_names_each(&names, place, places->count, places->name, colour, INFINITY);
}

static void draw_names(const struct drawing *d)
{
    struct ig_place *place = d->scatter->place;
    ig_map_names names = ig_map_names_on(d->canvas, d->rect, place, d->keys,
                                         d->grid->bits, (1u << DIM_SHIFT) - 1);

    for (size_t s = 0; s < d->n; place += d->series[s++].categories) {
        const ig_series *series = &d->series[s];
        struct ig_place all = {0};

        for (size_t c = 0; c < series->categories; c++)
            ig_place_add(&all, &place[c]);
        if (all.points <= 0)
            continue;
        if (series->labels == IG_LABELS_PLACES) {
            draw_places(d, names, series->places);
        } else if (series->labels == IG_LABELS_SERIES && series->name) {
            place[0] = all;
            ig_map_names_one(&names, place, series->name);
        } else if ((series->labels == IG_LABELS_CATEGORIES ||
                    series->labels == IG_LABELS_COMPACT) &&
                   series->category_name) {
            bool compact = series->labels == IG_LABELS_COMPACT;

            ig_map_names_each(&names, place, series->categories, series->category_name,
                              series->colour,
                              compact ? ig_place_spread(&all) / 4 : INFINITY);
        }
    }
}

ig_status ig_scatter_draw(ig_scatter *scatter, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_series *series, size_t n,
                          ig_error *error)
{
    struct drawing d = {.scatter = scatter,
                        .canvas = canvas,
                        .rect = rect,
                        .view = view,
                        .series = series,
                        .n = n};
    struct crowd crowd[IG_SERIES_MAX];

    if (ig_rect_empty(rect))
        return IG_OK;
    if (n > IG_SERIES_MAX)
        return ig_fail(error, IG_VALUE, "a map of %zu series (maximum %d)", n,
                       IG_SERIES_MAX);
    d.letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    for (size_t s = 0; s < n; s++) {
        d.keys += series[s].categories;
        d.marked |= series[s].marked != NULL;
    }
    if (!allocate_keys(&d) || !count_all(&d) || (d.marked && !count_marked(&d)))
        return ig_fail_memory(error, "the map");
    d.grid = d.marked ? &scatter->marked : &scatter->all;
    if (d.keys)
        memcpy(scatter->place, scatter->middle, d.keys * sizeof *scatter->place);
    weigh_crowds(&d, crowd);
    draw_cells(&d, crowd);
    if (rect.rows >= MOST_CROWDED)
        draw_names(&d);
    return IG_OK;
}

/* --- lines and markers ------------------------------------------------------------ */

void ig_scatter_line(ig_canvas *canvas, ig_rect rect, ig_view view, double x0,
                     double y0, double x1, double y1, ig_style style)
{
    double across = rect.cols * ig_glyphs_dot_cols(canvas->glyphs) /
                    (view.xmax - view.xmin);
    double down = rect.rows * ig_glyphs_dot_rows(canvas->glyphs) /
                  (view.ymax - view.ymin);

    ig_dots_line(canvas, rect, (x0 - view.xmin) * across - 0.5,
                 (view.ymax - y0) * down - 0.5, (x1 - view.xmin) * across - 0.5,
                 (view.ymax - y1) * down - 0.5, 0, '.', style);
}

void ig_scatter_mark(ig_canvas *canvas, ig_rect rect, ig_view view, double x, double y,
                     ig_glyph glyph, ig_style style)
{
    int row, col;

    if (ig_view_cell(view, rect, x, y, &row, &col))
        ig_canvas_put(canvas, row, col, ig_glyph_text(canvas->glyphs, glyph), style);
}
