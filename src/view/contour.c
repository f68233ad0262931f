/* Isoglosses. Legend: a grid of `cols` × `rows` square cells over all
 * shown points; fields have a value at the middle of each cell. */
#include "view/contour.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"

enum { COLS = 200, MOST_ROWS = 400, REACH = 12 /* cells: three standard deviations */ };
static const double SIGMA = 0.02 * COLS, REGION = 0.95;

/* A shown point within the view. */
struct point {
    uint32_t cell;
    uint16_t group;
};

struct grid {
    ig_view view;
    size_t rows;
    float *all, *own, *room; /* (rows, COLS) densities; room to smooth */
    struct point *point;     /* (points) */
    size_t points;
    float least; /* density of all below which are the other 5% of the points */
};

/* List the shown points. False: there is none. */
static bool find_points(struct grid *g, const ig_scatter *s)
{
    const ig_rect cells = {0, 0, (int)g->rows, COLS};
    int row, col;

    for (size_t n = 0; n < s->series * s->count; n++) {
        size_t i = n % s->count;
        const float *xy = s->of_series[n / s->count].xy + 2 * i;

        if (ig_scatter_shows(s, i) &&
            ig_view_cell(g->view, cells, (double)xy[0], (double)xy[1], &row, &col))
            g->point[g->points++] = (struct point){(uint32_t)(row * COLS + col),
                                                   s->of[ig_scatter_row(s, i)]};
    }
    return g->points > 0;
}

/* Convolve each line of n values, `step` apart, with the Gaussian. */
static void smooth_lines(const float *in, float *out, size_t lines, size_t next,
                         size_t n, size_t step)
{
    float weight[REACH + 1];

    for (int k = 0; k <= REACH; k++)
        weight[k] = (float)exp(-0.5 * pow(k / SIGMA, 2));
    for (size_t l = 0; l < lines; l++)
        for (size_t i = 0; i < n; i++) {
            size_t low = i > REACH ? i - REACH : 0;
            size_t high = i + REACH < n ? i + REACH : n - 1;
            float sum = 0;

            for (size_t j = low; j <= high; j++)
                sum += weight[j > i ? j - i : i - j] * in[l * next + j * step];
            out[l * next + i * step] = sum;
        }
}

/* The density of the points of a group, or of all (SIZE_MAX). */
static void fill_density(const struct grid *g, size_t group, float *out)
{
    memset(out, 0, g->rows * COLS * sizeof *out);
    for (size_t i = 0; i < g->points; i++)
        out[g->point[i].cell] += group == SIZE_MAX || g->point[i].group == group;
    smooth_lines(out, g->room, g->rows, COLS, COLS, 1);
    smooth_lines(g->room, out, COLS, 1, g->rows, COLS);
}

/* Above 0 within the isogloss of the group whose density is `own`. */
static double value_at(const struct grid *g, size_t cell)
{
    double share = g->all[cell] > 0 ? (double)(g->own[cell] / g->all[cell]) : 0;

    return fmin(share - 0.5, (double)(g->all[cell] / g->least) - 1);
}

/* Append the pieces of the contour between four cells, from the upper left one. */
static ig_status add_pieces(const struct grid *g, ig_isoglosses *out, size_t cell,
                            size_t group, ig_error *error)
{
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double width = (g->view.xmax - g->view.xmin) / COLS;
    double height = (g->view.ymax - g->view.ymin) / (double)g->rows;
    double value[4];
    float at[4][2];
    size_t n = 0;

    for (int c = 0; c < 4; c++)
        value[c] =
            value_at(g, cell + (size_t)corner[c][0] + (size_t)corner[c][1] * COLS);
    for (int c = 0; c < 4; c++) {
        const int *a = corner[c], *b = corner[(c + 1) % 4];
        double part = value[c] / (value[c] - value[(c + 1) % 4]);

        if ((value[c] >= 0) == (value[(c + 1) % 4] >= 0))
            continue;
        at[n][0] = (float)(g->view.xmin + width * ((double)(cell % COLS) + 0.5 + a[0] +
                                                   part * (b[0] - a[0])));
        at[n][1] = (float)(g->view.ymax - height * ((double)(cell / COLS) + 0.5 + a[1] +
                                                    part * (b[1] - a[1])));
        n++;
    }
    for (size_t i = 0; i < n; i += 2) {
        ig_contour *piece;

        if (ig_array_grow(&out->piece, &out->room, out->count + 1, sizeof *piece,
                          "isoglosses", error) != IG_OK)
            return IG_NOMEM;
        piece = &out->piece[out->count++];
        piece->group = (uint16_t)group;
        memcpy(piece->from, at[i], sizeof at[i]);
        memcpy(piece->to, at[i + 1], sizeof at[i]);
    }
    return IG_OK;
}

/* Append the isogloss of a group; *inside: its points that are within. */
static ig_status add_group(const struct grid *g, ig_isoglosses *out, size_t group,
                           size_t *inside, ig_error *error)
{
    ig_status status = IG_OK;

    fill_density(g, group, g->own);
    for (size_t i = 0; i + COLS < g->rows * COLS && status == IG_OK; i++)
        if (i % COLS + 1 < COLS)
            status = add_pieces(g, out, i, group, error);
    for (size_t i = 0; i < g->points; i++)
        *inside += g->point[i].group == group && value_at(g, g->point[i].cell) >= 0;
    return status;
}

ig_status ig_isoglosses_find(ig_isoglosses *out, const ig_scatter *s, ig_error *error)
{
    struct grid g = {.view = ig_view_fit(s, 3 * 0.02)};
    double high = (g.view.ymax - g.view.ymin) / (g.view.xmax - g.view.xmin) * COLS;
    ig_arena arena = {0};
    size_t inside = 0;
    uint32_t *order;
    ig_status status;

    if (s->generation && s->generation == out->generation)
        return IG_OK;
    out->count = 0;
    out->inside = (double)NAN;
    out->generation = s->generation;
    g.rows = (size_t)fmin(fmax(high, 2), MOST_ROWS);
    g.all = ig_arena_array(&arena, g.rows * COLS, sizeof *g.all);
    g.own = ig_arena_array(&arena, g.rows * COLS, sizeof *g.own);
    g.room = ig_arena_array(&arena, g.rows * COLS, sizeof *g.room);
    g.point = ig_arena_array(&arena, s->count * s->series + 1, sizeof *g.point);
    order = ig_arena_array(&arena, s->count * s->series + 1, sizeof *order);
    status = arena.failed ? ig_fail_memory(error, "isoglosses") : IG_OK;
    if (status == IG_OK && !s->steps && find_points(&g, s)) {
        fill_density(&g, SIZE_MAX, g.all);
        for (size_t i = 0; i < g.points; i++) /* ordered as the floats ≥ 0 */
            memcpy(&order[i], &g.all[g.point[i].cell], sizeof *order);
        ig_array_sort32(order, g.points);
        memcpy(&g.least, &order[(size_t)((1 - REGION) * (double)g.points)],
               sizeof g.least);
        for (size_t group = 0; group < s->groups && status == IG_OK; group++)
            if (s->group[group].shown && s->group[group].colour != IG_COLOUR_DIM)
                status = add_group(&g, out, group, &inside, error);
        out->inside = (double)inside / (double)g.points;
    }
    ig_arena_free(&arena);
    return status;
}

void ig_isoglosses_free(ig_isoglosses *isoglosses)
{
    ig_free(isoglosses->piece);
    *isoglosses = (ig_isoglosses){0};
}
