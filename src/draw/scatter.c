/* The map. Two passes: points into a grid that counts each category in each cell, then
 * cells onto the canvas. A "key" numbers the categories of all series one after
 * another. */
#include "draw/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"

/* How far from the middle of its points a name may stand. */
enum {
    LABEL_ROWS = 8,
    LABEL_COLS = 30,
    DOT_COST = 4,    /* columns that a name goes aside rather than hide a cell */
    NAMES_SHARE = 8, /* one cell in so many, at most, is covered by names */
    MOST_CROWDED = 4 /* maps under this many rows have no names */
};

/* In ig_scatter.bits, above the eight dots: a marked point is in the cell. */
static const uint16_t MARKED = 0x100;

/* A key's points and its name's place. */
struct ig_place {
    double row, col, points; /* sums over its points, in cells of the rectangle … */
    double square;           /* … and of (2·row)² + col² */
    int at_row, at_col, width;
    bool placed;
};

/* What one drawing works on. */
struct drawing {
    ig_scatter *scatter;
    ig_canvas *canvas;
    ig_rect rect;
    ig_view view;
    const ig_series *series;
    size_t n, keys, dense;
    bool letters; /* in place of dots */
    int room;     /* columns that names may still take */
};

void ig_scatter_free(ig_scatter *scatter)
{
    if (!scatter)
        return;
    ig_free(scatter->count);
    ig_free(scatter->bits);
    ig_free(scatter->place);
    *scatter = (ig_scatter){0};
}

static bool prepare(struct drawing *d)
{
    ig_scatter *s = d->scatter;
    size_t cells = (size_t)d->rect.rows * (size_t)d->rect.cols;
    static const char what[] = "a map";

    if ((d->keys && cells > SIZE_MAX / 8 / d->keys) ||
        ig_array_grow(&s->count, &s->count_capacity, cells * d->keys, sizeof *s->count,
                      what, NULL) != IG_OK ||
        ig_array_grow(&s->bits, &s->bits_capacity, cells, sizeof *s->bits, what,
                      NULL) != IG_OK ||
        ig_array_grow(&s->place, &s->place_capacity, d->keys, sizeof *s->place, what,
                      NULL) != IG_OK)
        return false;
    memset(s->count, 0, cells * d->keys * sizeof *s->count);
    memset(s->bits, 0, cells * sizeof *s->bits);
    memset(s->place, 0, d->keys * sizeof *s->place);
    return true;
}

/* --- points into cells ------------------------------------------------------------ */

/* Count the points of one series, whose first key is `key`. */
static void count_points(const struct drawing *d, const ig_series *s, size_t key)
{
    const ig_glyphs level = d->letters ? IG_ASCII : d->canvas->glyphs;
    const int across = ig_glyphs_dot_cols(level), down = ig_glyphs_dot_rows(level);
    const int last_x = d->rect.cols * across - 1, last_y = d->rect.rows * down - 1;
    const double right = last_x + 1, bottom = last_y + 1;
    const double xmin = d->view.xmin, ymax = d->view.ymax;
    const double xscale = right / (d->view.xmax - xmin);
    const double yscale = bottom / (ymax - d->view.ymin);
    const int xshift = across == 2, yshift = down == 4 ? 2 : down == 2;
    uint8_t bit[4][2];

    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 2; x++)
            bit[y][x] = (uint8_t)ig_glyphs_dot_bit(level, x % across, y % down);
    }
    for (size_t i = 0; i < s->count; i++) {
        double u = (s->x[i * s->stride] - xmin) * xscale;
        double v = (ymax - s->y[i * s->stride]) * yscale;
        size_t at = s->row ? s->row[i] : i, cell;
        size_t category = s->category ? s->category[at] : 0;
        int x, y;

        if (!(u >= 0 && u <= right && v >= 0 && v <= bottom))
            continue;
        if (category >= s->categories || (s->shown && !s->shown[category]))
            continue;
        x = (int)u < last_x ? (int)u : last_x;
        y = (int)v < last_y ? (int)v : last_y;
        cell = (size_t)(y >> yshift) * (size_t)d->rect.cols + (size_t)(x >> xshift);
        d->scatter->bits[cell] |= bit[y & 3][x & 1];
        if (s->marked && s->marked[at])
            d->scatter->bits[cell] |= MARKED;
        d->scatter->count[cell * d->keys + key + category]++;
    }
}

/* --- cells onto the canvas -------------------------------------------------------- */

/* The series of a key and its category there. */
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

static void draw_cell(const struct drawing *d, int row, int col, size_t key,
                      size_t points)
{
    size_t cell = (size_t)row * (size_t)d->rect.cols + (size_t)col, category, number;
    const ig_series *s = of_key(d, key, &category, &number);
    unsigned bits = d->scatter->bits[cell];
    int attributes = s->attributes;
    int at_row = d->rect.row + row, at_col = d->rect.col + col;
    char text[5] = {letter_of(s, category, number), '\0'};

    if (d->dense > 0 && points >= d->dense)
        attributes |= IG_BOLD;
    if (bits & MARKED)
        attributes |= IG_REVERSE;
    if (s->steps && category >= s->steps)
        attributes |= IG_FAINT;
    bits &= (unsigned)~MARKED;
    if (!d->letters) {
        const ig_cell *there = ig_canvas_cell(d->canvas, at_row, at_col);

        if (there)
            bits |= ig_glyphs_bits(d->canvas->glyphs, there->bytes, there->length);
        ig_glyphs_dots(d->canvas->glyphs, bits, text);
    }
    ig_canvas_put(d->canvas, at_row, at_col, text,
                  ig_style_of(colour_of(s, category), attributes));
}

/* How many points each key has in the view, and where their middle is. */
static void sum_keys(const struct drawing *d)
{
    const uint32_t *count = d->scatter->count;

    for (int row = 0; row < d->rect.rows; row++)
        for (int col = 0; col < d->rect.cols; col++, count += d->keys)
            for (size_t key = 0; key < d->keys; key++) {
                struct ig_place *place = &d->scatter->place[key];

                place->points += count[key];
                place->row += (double)count[key] * row;
                place->col += (double)count[key] * col;
                place->square += (double)count[key] * (4.0 * row * row + col * col);
            }
}

/* Whether a cell holds a larger share of key a's points than of key b's. */
static bool is_more(const struct drawing *d, const uint32_t *count, size_t a, size_t b)
{
    const struct ig_place *place = d->scatter->place;

    return (double)count[a] * (double)place[b].points >
           (double)count[b] * (double)place[a].points;
}

/* The key with the largest share of its points in a cell. */
static size_t largest_share(const struct drawing *d, const uint32_t *count)
{
    size_t best = d->keys;

    for (size_t key = 0; key < d->keys; key++)
        if (count[key] && (best == d->keys || is_more(d, count, key, best)))
            best = key;
    return best;
}

/* A cell's points of all series at a step of the scale; *key: that of the series that
 * has most of them. */
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

/* The key of the median step of a cell's points, the higher of two; where none is on
 * the scale, as for names. */
static size_t median_step(const struct drawing *d, const uint32_t *count)
{
    size_t points = 0, below = 0, key = d->keys, steps = d->series[0].steps;

    for (size_t step = 0; step < steps; step++)
        points += points_at(d, count, step, &key);
    if (points == 0)
        return largest_share(d, count);
    for (size_t step = 0; below <= points / 2; step++)
        below += points_at(d, count, step, &key);
    return key;
}

static void draw_cells(const struct drawing *d)
{
    const uint32_t *count = d->scatter->count;
    bool scale = d->n > 0 && d->series[0].steps > 0;

    for (int row = 0; row < d->rect.rows; row++) {
        for (int col = 0; col < d->rect.cols; col++, count += d->keys) {
            size_t points = 0;

            if (!d->scatter->bits[(size_t)row * (size_t)d->rect.cols + (size_t)col])
                continue;
            for (size_t key = 0; key < d->keys; key++)
                points += count[key];
            draw_cell(d, row, col,
                      scale ? median_step(d, count) : largest_share(d, count), points);
        }
    }
}

/* --- names ------------------------------------------------------------------------ */

/* Cost of a name of `width` at (row, col): distance from where it should be, more over
 * dots; infinite outside and over other names. */
static double cost_of(const struct drawing *d, const struct ig_place *place, int row,
                      int col)
{
    double down = row - place->row,
           across = col + (place->width - 1) / 2.0 - place->col;
    double cost = fabs(down) * 2 + fabs(across);

    if (row < 0 || row >= d->rect.rows || col < 0 || col + place->width > d->rect.cols)
        return INFINITY;
    for (size_t key = 0; key < d->keys; key++) {
        const struct ig_place *other = &d->scatter->place[key];

        if (other->placed && other->at_row == row &&
            col <= other->at_col + other->width && other->at_col <= col + place->width)
            return INFINITY;
    }
    for (int i = -1; i <= place->width; i++) {
        if (col + i < 0 || col + i >= d->rect.cols)
            continue;
        if (d->scatter->bits[(size_t)row * (size_t)d->rect.cols + (size_t)(col + i)])
            cost += i < 0 || i == place->width ? 0.5 : DOT_COST;
    }
    return cost;
}

/* Find the cheapest place for a name and draw it there. */
static void draw_name(struct drawing *d, struct ig_place *place, const char *name,
                      ig_style style)
{
    int row0, col0;
    double best = INFINITY;

    place->width = (int)ig_text_width(name, strlen(name));
    if (place->width == 0 || place->width > d->rect.cols)
        return;
    place->row /= place->points;
    place->col /= place->points;
    row0 = (int)lround(place->row);
    col0 = (int)lround(place->col - (place->width - 1) / 2.0);
    for (int row = row0 - LABEL_ROWS; row <= row0 + LABEL_ROWS; row++) {
        for (int col = col0 - LABEL_COLS; col <= col0 + LABEL_COLS; col++) {
            /* The distance alone is a lower bound: most places need no look at dots. */
            if (fabs(row - place->row) * 2 + abs(col - col0) - 1 < best) {
                double cost = cost_of(d, place, row, col);

                if (cost < best) {
                    best = cost;
                    place->at_row = row;
                    place->at_col = col;
                }
            }
        }
    }
    if (best == INFINITY)
        return;
    place->placed = true;
    d->room -= place->width;
    ig_canvas_text(d->canvas, d->rect.row + place->at_row, d->rect.col + place->at_col,
                   place->width, name, style);
}

/* Mean squared distance of points from their middle, in cell widths. */
static double spread_of(struct ig_place p)
{
    return (p.square - (4 * p.row * p.row + p.col * p.col) / p.points) / p.points;
}

static void add_place(struct ig_place *to, const struct ig_place *place)
{
    to->row += place->row;
    to->col += place->col;
    to->points += place->points;
    to->square += place->square;
}

/* The names of a series' categories whose spread is at most `most`: the first ones, so
 * many that the points are seen. */
static void draw_categories(struct drawing *d, const ig_series *series,
                            struct ig_place *place, double most)
{
    for (size_t c = 0; c < series->categories && d->room > 0; c++)
        if (place[c].points > 0 && series->category_name[c] &&
            spread_of(place[c]) <= most)
            draw_name(d, &place[c], series->category_name[c],
                      ig_style_of(colour_of(series, c), IG_BOLD));
}

static void draw_names(struct drawing *d)
{
    struct ig_place *place = d->scatter->place;

    d->room = d->rect.rows * d->rect.cols / NAMES_SHARE;
    for (size_t s = 0; s < d->n; place += d->series[s++].categories) {
        const ig_series *series = &d->series[s];
        struct ig_place all = {0};

        for (size_t c = 0; c < series->categories; c++)
            add_place(&all, &place[c]);
        if (all.points <= 0)
            continue;
        if (series->labels == IG_LABELS_SERIES && series->name) {
            place[0] = all;
            draw_name(d, place, series->name, ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
        } else if ((series->labels == IG_LABELS_CATEGORIES ||
                    series->labels == IG_LABELS_COMPACT) &&
                   series->category_name) {
            bool compact = series->labels == IG_LABELS_COMPACT;

            draw_categories(d, series, place, compact ? spread_of(all) / 4 : INFINITY);
        }
    }
}

ig_status ig_scatter_draw(ig_scatter *scatter, ig_canvas *canvas, ig_rect rect,
                          ig_view view, const ig_series *series, size_t n, size_t dense,
                          ig_error *error)
{
    struct drawing d = {scatter, canvas, rect, view, series, n, 0, dense, false, 0};
    size_t key = 0;

    if (ig_rect_empty(rect))
        return IG_OK;
    d.letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    for (size_t s = 0; s < n; s++)
        d.keys += series[s].categories;
    if (!prepare(&d))
        return ig_fail_memory(error, "the map");
    for (size_t s = 0; s < n; key += series[s++].categories)
        count_points(&d, &series[s], key);
    sum_keys(&d);
    draw_cells(&d);
    if (rect.rows >= MOST_CROWDED)
        draw_names(&d);
    return IG_OK;
}

/* --- single things ---------------------------------------------------------------- */

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
