/* UMAP's objective by stochastic gradient descent.
 *
 * Weights: w(i, j) = exp(−max(0, d(i, j) − ρ_i) / σ_i), ρ_i the distance of the nearest
 * non-identical row, σ_i such that the weights of a row sum to log2 of the number of
 * its neighbours; symmetrised by w + wᵀ − w∘wᵀ. Edges are sampled in proportion to
 * their weight; each sample attracts both ends by the gradient of −log q, q = 1 / (1 +
 * a |y_i − y_j|^2b), and repels the row from 4 random rows by that of −log(1 − q).
 *
 * Parallel and reproducible: rows are divided into BLOCKS; a task processes the edges
 * between two blocks, or within one, in a fixed order, and the tasks of a round share
 * no block. Repulsion uses the positions at the start of the epoch. */
#include "view/neighbour_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/random.h"

enum {
    SIGMA_STEPS = 64,
    GRAIN = 64,
    BLOCKS = 16,     /* row i is in block i % BLOCKS */
    ROUNDS = BLOCKS, /* the first of tasks within a block, the others of two blocks */
    TASKS = BLOCKS + (ROUNDS - 1) * BLOCKS / 2
};

/* q for a minimum distance of 0.1 and spread 1, as fitted by umap-learn. */
static const float A = 1.5769434F, B = 0.8950609F;
static const uint64_t SEED = 1;
static const float SHARE = 1.25F; /* 5 repulsions for an attraction, by a sample of 4 */
static const float LARGEST_STEP = 4, EXTENT = 5;
static const double LEAST_SIGMA = 1e-3; /* relative to the mean distance */

struct edge {
    uint32_t end[2]; /* the lower row first */
    float weight;    /* relative to the largest */
};

struct fit {
    size_t n;
    struct edge *edge;         /* by task */
    uint32_t first[TASKS + 2]; /* of each task (ig_array_order) */
    float *from;               /* (n, 2) at the start of the epoch */
    float *y;                  /* (n, 2) */
    size_t epoch, first_task;
    float rate;
};

/* --- weights ---------------------------------------------------------------------- */

struct fuzzy {
    const float *distance;
    size_t k;
    double mean;   /* of all neighbours */
    float *weight; /* (n, k) */
};

static void weigh_rows(void *context, size_t thread, size_t first, size_t last)
{
    struct fuzzy *f = context;
    size_t k = f->k;
    double target = log2((double)(k + 1));

    (void)thread;
    for (size_t i = first; i < last; i++) {
        const float *d = f->distance + i * k;
        double low = 0, high = INFINITY, sigma = 1, nearest = 0, mean = 0;

        for (size_t j = k; j-- > 0;) {
            mean += (double)d[j] / (double)k;
            if (d[j] > 0)
                nearest = (double)d[j];
        }
        for (int step = 0; step < SIGMA_STEPS; step++) {
            double sum = 0;

            for (size_t j = 0; j < k; j++)
                sum += exp(-fmax(0, (double)d[j] - nearest) / sigma);
            if (fabs(sum - target) < 1e-5)
                break;
            if (sum > target)
                high = sigma;
            else
                low = sigma;
            sigma = isinf(high) ? 2 * sigma : (low + high) / 2;
        }
        sigma = fmax(sigma, LEAST_SIGMA * (nearest > 0 ? mean : f->mean));
        for (size_t j = 0; j < k; j++)
            f->weight[i * k + j] =
                (float)exp(-fmax(0, (double)d[j] - nearest) / fmax(sigma, 1e-12));
    }
}

/* The task of two blocks: for one block, the block; else by a round-robin tournament,
 * in which the last block is fixed and the others rotate. */
static size_t task_of(size_t a, size_t b)
{
    const size_t others = BLOCKS - 1;
    size_t round, place;

    if (a == b)
        return a;
    if (a > b)
        return task_of(b, a);
    round = b == others ? 2 * a % others : (a + b) % others;
    /* x and y ≠ x meet in round x + y; place is the distance from half of it */
    place = b == others ? 0 : (a + others - round * (BLOCKS / 2) % others) % others;
    if (place > BLOCKS / 2 - 1)
        place = others - place;
    return BLOCKS + round * (BLOCKS / 2) + place;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;

    for (int s = 0; s < 2; s++)
        if (p->end[s] != q->end[s])
            return p->end[s] < q->end[s] ? -1 : 1;
    return 0;
}

/* Merge neighbour weights by (row, row): w + wᵀ − w∘wᵀ. */
static size_t join_edges(struct edge *edge, const uint32_t *neighbour,
                         const float *weight, size_t n, size_t k)
{
    size_t kept = 0;
    float largest = 0;

    for (size_t i = 0; i < n * k; i++) {
        uint32_t a = (uint32_t)(i / k), b = neighbour[i];

        edge[i] = (struct edge){{a < b ? a : b, a < b ? b : a}, weight[i]};
    }
    qsort(edge, n * k, sizeof *edge, compare_edges);
    for (size_t i = 0; i < n * k; i++) {
        bool both = i + 1 < n * k && compare_edges(&edge[i], &edge[i + 1]) == 0;
        float w = edge[i].weight, other = both ? edge[i + 1].weight : 0;

        edge[kept] = edge[i];
        edge[kept].weight = w + other - w * other;
        largest = fmaxf(largest, edge[kept++].weight);
        i += both;
    }
    for (size_t i = 0; i < kept; i++)
        edge[i].weight = largest > 0 ? edge[i].weight / largest : 1;
    return kept;
}

static size_t task_at(const void *edges, size_t i)
{
    const struct edge *edge = edges;

    return task_of(edge[i].end[0] % BLOCKS, edge[i].end[1] % BLOCKS);
}

/* --- descent ---------------------------------------------------------------------- */

/* Four floats at once (extension of gcc and clang). */
typedef float ig_four __attribute__((vector_size(16)));
typedef int32_t ig_four_bits __attribute__((vector_size(16)));

static inline ig_four four_of(float x)
{
    return (ig_four){x, x, x, x};
}

/* x^B for x > 0, relative error 1e-4: exp2(B log2 x) by exponent and polynomials. */
static inline ig_four raise_to_b(ig_four x)
{
    ig_four_bits bits = (ig_four_bits)x, whole;
    ig_four mantissa = (ig_four)((bits & 0x7FFFFF) | 0x3F800000) - 1, logarithm, rest;

    logarithm =
        __builtin_convertvector((bits >> 23) - 127, ig_four) +
        mantissa *
            (1.4423847F +
             mantissa *
                 (-0.7174530F +
                  mantissa *
                      (0.4566121F +
                       mantissa * (-0.2735644F +
                                   mantissa * (0.1201874F + mantissa * -0.0281668F)))));
    logarithm *= B;
    whole = __builtin_convertvector(logarithm + 128, ig_four_bits) - 128; /* floor */
    rest = logarithm - __builtin_convertvector(whole, ig_four);
    rest = 1 + rest * (0.6931472F +
                       rest * (0.2401597F + rest * (0.0558016F + rest * 0.0108915F)));
    return rest * (ig_four)((whole + 127) << 23);
}

static inline ig_four choose(ig_four_bits which, ig_four yes, ig_four no)
{
    return (ig_four)((which & (ig_four_bits)yes) | (~which & (ig_four_bits)no));
}

static inline ig_four clip_step(ig_four x)
{
    x = choose(x > LARGEST_STEP, four_of(LARGEST_STEP), x);
    return choose(x < -LARGEST_STEP, four_of(-LARGEST_STEP), x);
}

static inline void attract_rows(float *y, float *other, float rate)
{
    float dx = y[0] - other[0], dy = y[1] - other[1];
    ig_four square = four_of(dx * dx + dy * dy + 1e-12F), power = raise_to_b(square);
    ig_four by = -2 * A * B * power / (square * (1 + A * power));
    ig_four step = rate * clip_step(by * (ig_four){dx, dy, 0, 0});

    y[0] += step[0];
    y[1] += step[1];
    other[0] -= step[0];
    other[1] -= step[1];
}

/* True if an edge is sampled in this epoch, when weight · epoch passes an integer:
 * weight · epochs samples, evenly spaced. */
static inline bool is_drawn(float weight, size_t epoch)
{
    return (uint32_t)(weight * (float)(epoch + 1)) > (uint32_t)(weight * (float)epoch);
}

/* Process a sampled edge for its first end: attraction, then 4 repulsions. */
static inline void move_edge(const struct fit *f, uint32_t row, uint32_t other,
                             uint64_t *state)
{
    float *y = f->y + 2 * (size_t)row;
    ig_four dx = {0}, dy = {0}, square, by;

    attract_rows(y, f->y + 2 * (size_t)other, f->rate);
    for (int j = 0; j < 4; j++) {
        size_t away = (size_t)(((ig_splitmix(state) >> 32) * f->n) >> 32);

        dx[j] = away == row ? 0 : y[0] - f->from[2 * away];
        dy[j] = away == row ? 0 : y[1] - f->from[2 * away + 1];
    }
    square = dx * dx + dy * dy + 1e-12F;
    by = 2 * B / ((0.001F + square) * (1 + A * raise_to_b(square)));
    dx = clip_step(by * dx);
    dy = clip_step(by * dy);
    for (int j = 0; j < 4; j++) {
        y[0] += f->rate * SHARE * dx[j];
        y[1] += f->rate * SHARE * dy[j];
    }
}

static void run_tasks(void *context, size_t thread, size_t first, size_t last)
{
    const struct fit *f = context;

    (void)thread;
    for (size_t t = f->first_task + first; t < f->first_task + last; t++) {
        uint64_t state = SEED ^ (f->epoch * 0xA24BAED4963EE407U + t);

        for (size_t i = f->first[t]; i < f->first[t + 1]; i++) {
            const struct edge *e = &f->edge[i];

            if (!is_drawn(e->weight, f->epoch))
                continue;
            move_edge(f, e->end[0], e->end[1], &state);
            move_edge(f, e->end[1], e->end[0], &state);
        }
    }
}

/* Centre the points and scale the largest coordinate to EXTENT. */
static void centre_points(float *xy, size_t n)
{
    double mean[2] = {0, 0}, largest = 0;

    for (size_t i = 0; i < 2 * n; i++)
        mean[i % 2] += (double)xy[i] / (double)n;
    for (size_t i = 0; i < 2 * n; i++)
        largest = fmax(largest, fabs((double)xy[i] - mean[i % 2]));
    for (size_t i = 0; i < 2 * n; i++)
        xy[i] = largest > 0
                    ? (float)(((double)xy[i] - mean[i % 2]) / largest * (double)EXTENT)
                    : 0;
}

/* Move the points through all epochs. */
static ig_status run_epochs(struct fit *f, size_t epochs, float rate, ig_pool *pool,
                            ig_progress *watch, ig_error *error)
{
    for (f->epoch = 0; f->epoch < epochs; f->epoch++) {
        memcpy(f->from, f->y, f->n * 2 * sizeof *f->from);
        f->rate = rate * (1 - (float)f->epoch / (float)epochs);
        for (size_t round = 0; round < ROUNDS; round++) {
            size_t tasks = round == 0 ? BLOCKS : BLOCKS / 2;

            f->first_task = round == 0 ? 0 : BLOCKS + (round - 1) * (BLOCKS / 2);
            ig_parallel_for(pool, tasks, 1, run_tasks, f);
        }
        ig_progress_add(watch, 1, 0);
        if (ig_progress_cancelled(watch))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    return IG_OK;
}

ig_status ig_neighbour_map_fit(const uint32_t *neighbour, const float *distance,
                               size_t n, size_t k, float *xy, bool placed,
                               ig_pool *pool, ig_progress *watch, ig_error *error)
{
    ig_arena arena = {0};
    struct fuzzy fuzzy = {.distance = distance, .k = k};
    struct edge *edge = ig_arena_array(&arena, n, k * sizeof *edge);
    uint32_t *order = ig_arena_array(&arena, n, k * sizeof *order);
    struct fit f = {.n = n, .y = xy};
    size_t edges;
    ig_status status = IG_OK;

    fuzzy.weight = ig_arena_array(&arena, n, k * sizeof *fuzzy.weight);
    f.edge = ig_arena_array(&arena, n, k * sizeof *f.edge);
    f.from = ig_arena_array(&arena, n, 2 * sizeof *f.from);
    if (arena.failed)
        status = ig_fail_memory(error, "a map of neighbours");
    if (status == IG_OK && n > 1 && k > 0) {
        for (size_t i = 0; i < n * k; i++)
            fuzzy.mean += (double)distance[i] / (double)(n * k);
        ig_parallel_for(pool, n, GRAIN, weigh_rows, &fuzzy);
        edges = join_edges(edge, neighbour, fuzzy.weight, n, k);
        ig_array_order(edges, TASKS, task_at, edge, f.first, order);
        for (size_t i = 0; i < edges; i++)
            f.edge[i] = edge[order[i]];
        if (!placed)
            centre_points(xy, n);
        status = run_epochs(&f, ig_neighbour_map_epochs(n, placed), placed ? 0.5F : 1,
                            pool, watch, error);
    }
    ig_arena_free(&arena);
    return status;
}

/* --- islands ---------------------------------------------------------------------- */

static const float SADDLE = 0.7F;

enum { SIDE = 64, CELLS = SIDE * SIDE, SMOOTHINGS = 2, LEAST_SHARE = 80 };

/* A density on a grid. */
struct grid {
    float density[CELLS], smooth[CELLS];
    uint32_t rows[CELLS];  /* of the basin of a root */
    uint32_t root[CELLS];  /* union-find: towards the peak of the basin */
    uint8_t island[CELLS]; /* of the basin of a root */
    bool flooded[CELLS];
    double low[2], scale;
};

static uint32_t cell_of(const struct grid *g, const float *xy)
{
    size_t at[2];

    for (int j = 0; j < 2; j++) {
        double place = ((double)xy[j] - g->low[j]) * g->scale;

        at[j] = place > 0 ? (size_t)place : 0;
        at[j] = at[j] < SIDE ? at[j] : SIDE - 1;
    }
    return (uint32_t)(at[1] * SIDE + at[0]);
}

/* Count the points of the cells, and smooth by (1 2 1) / 4 both ways. */
static void fill_grid(struct grid *g, const float *xy, size_t n)
{
    double high[2] = {-INFINITY, -INFINITY}, extent;

    g->low[0] = g->low[1] = INFINITY;
    for (size_t i = 0; i < 2 * n; i++) {
        g->low[i % 2] = fmin(g->low[i % 2], (double)xy[i]);
        high[i % 2] = fmax(high[i % 2], (double)xy[i]);
    }
    extent = fmax(high[0] - g->low[0], high[1] - g->low[1]);
    g->scale = extent > 0 ? SIDE / extent : 0;
    for (size_t i = 0; i < n; i++)
        g->density[cell_of(g, xy + 2 * i)]++;
    for (int pass = 0; pass < 2 * SMOOTHINGS; pass++) {
        size_t step = pass % 2 ? SIDE : 1;

        for (size_t c = 0; c < CELLS; c++) {
            size_t at = pass % 2 ? c / SIDE : c % SIDE;

            g->smooth[c] = 2 * g->density[c] + (at > 0 ? g->density[c - step] : 0) +
                           (at + 1 < SIDE ? g->density[c + step] : 0);
        }
        for (size_t c = 0; c < CELLS; c++)
            g->density[c] = g->smooth[c] / 4;
    }
}

/* Join the basins of two adjacent cells, without a valley between their peaks. */
static void join_basins(struct grid *g, uint32_t a, uint32_t b, float saddle)
{
    uint32_t low;

    a = ig_joined_root(g->root, a);
    b = ig_joined_root(g->root, b);
    low = g->density[a] < g->density[b] || (g->density[a] == g->density[b] && a > b)
              ? a
              : b;
    if (a != b && saddle > SADDLE * g->density[low])
        g->root[low] = low == a ? b : a;
}

/* Flood the cells from the densest down: a cell joins the basins around it. */
static void flood_grid(struct grid *g)
{
    uint64_t key[CELLS];

    for (size_t c = 0; c < CELLS; c++) {
        uint32_t bits;

        memcpy(&bits, &g->density[c], sizeof bits); /* ordered as the floats ≥ 0 */
        key[c] = (uint64_t)(UINT32_MAX - bits) << 32 | c;
        g->root[c] = (uint32_t)c;
    }
    ig_array_sort64(key, CELLS);
    for (size_t i = 0; i < CELLS; i++) {
        uint32_t c = (uint32_t)key[i];
        const bool there[] = {c % SIDE > 0, c % SIDE + 1 < SIDE, c >= SIDE,
                              c + SIDE < CELLS};
        const int step[] = {-1, 1, -SIDE, SIDE};

        g->flooded[c] = true;
        for (int k = 0; k < 4 && g->density[c] > 0; k++)
            if (there[k] && g->flooded[c + step[k]])
                join_basins(g, (uint32_t)(c + step[k]), c, g->density[c]);
    }
}

size_t ig_neighbour_map_islands(const float *xy, size_t n, uint8_t *island)
{
    struct grid *g = ig_alloc(1, sizeof *g);
    size_t count = 0;

    memset(island, IG_NO_ISLAND, n);
    if (!g)
        return 0;
    memset(g->island, IG_NO_ISLAND, sizeof g->island);
    fill_grid(g, xy, n);
    flood_grid(g);
    for (size_t i = 0; i < n; i++)
        g->rows[ig_joined_root(g->root, cell_of(g, xy + 2 * i))]++;
    for (; count < IG_ISLANDS_MAX; count++) {
        uint32_t best = 0;

        for (size_t c = 1; c < CELLS; c++)
            best = g->rows[c] > g->rows[best] ? (uint32_t)c : best;
        if (g->rows[best] * (size_t)LEAST_SHARE < n || g->rows[best] < 2)
            break;
        g->island[best] = (uint8_t)count;
        g->rows[best] = 0;
    }
    for (size_t i = 0; i < n; i++)
        island[i] = g->island[ig_joined_root(g->root, cell_of(g, xy + 2 * i))];
    ig_free(g);
    return count;
}
