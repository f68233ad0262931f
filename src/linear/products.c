/* All products of two lists of rows, by the tile. */
#include "linear/products.h"

#include <math.h>

#include "base/memory.h"
#include "linear/blas.h"

enum {
    ROWS = IG_TILE_ROWS,
    COLS = IG_TILE_COLS,
    BAND = IG_TILE_BAND,
    FEW = 32, /* rows whose products are summed together */
    PLACE = ROWS * COLS + ROWS + IG_TILE_BANDS * COLS /* floats of a tile: its products,
                                                         `most` and `top` */
};

double ig_products_work(size_t first, size_t second, bool self, size_t dims)
{
    return self ? (double)first * (double)first * (double)dims
                : 2.0 * (double)first * (double)second * (double)dims;
}

/* Panels of a side of a square. */
static size_t span_of(size_t dims)
{
    size_t panel = ROWS * (dims ? dims : 1) * sizeof(float);

    return IG_SQUARE_BYTES / 2 > panel ? IG_SQUARE_BYTES / 2 / panel : 1;
}

ig_status ig_products_init(ig_products *p, size_t first, size_t second, size_t dims,
                           size_t parts, ig_error *error)
{
    *p = (ig_products){.dims = dims,
                       .span = span_of(dims),
                       .kernels = ig_kernels_best(),
                       .parts = parts,
                       .most = {first, second}};
    p->tile = ig_alloc(parts, PLACE * sizeof *p->tile);
    for (size_t s = 0; s < 2; s++) {
        p->offset[s] = ig_alloc(p->most[s], sizeof *p->offset[s]);
        p->shift[s] = ig_alloc(p->most[s], sizeof *p->shift[s]);
        if (!p->tile || !p->offset[s] || !p->shift[s]) {
            ig_products_free(p);
            return ig_fail_memory(error, "products of rows");
        }
    }
    return IG_OK;
}

void ig_products_free(ig_products *p)
{
    ig_free(p->tile);
    ig_free(p->kept);
    for (size_t s = 0; s < 2; s++) {
        ig_free(p->offset[s]);
        ig_free(p->shift[s]);
    }
    *p = (ig_products){0};
}

ig_products ig_products_show(size_t rows, size_t dims, size_t parts)
{
    return (ig_products){.dims = dims,
                         .kernels = ig_kernels_best(),
                         .parts = parts,
                         .most = {rows, 0},
                         .self = true,
                         .side[0].count = rows};
}

double ig_products_cosine_of_blocks(const ig_products *p, size_t i, size_t j)
{
    static const uint8_t left[] = {0, 0, 2, 2}, right[] = {1, 3, 1, 3};
    const float *row = ig_block_single(&p->side[0]);
    size_t d = p->dims;
    const float *v[4] = {row + i * d, row + j * d, p->block[p->block_of[i]].centre,
                         p->block[p->block_of[j]].centre};
    double product[4];

    if (p->block_of[i] == p->block_of[j]) {
        double distance = p->block[p->block_of[i]].distance;

        return distance * distance + (p->offset[0][i] + p->offset[0][j]) +
               p->kernels->dot(v[0], v[1], d);
    }
    p->kernels->dots(v, left, right, 4, d, product);
    return product[3] + (product[1] + product[2]) + product[0];
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static size_t tiles_of(size_t first, size_t second)
{
    return ((first + ROWS - 1) / ROWS) * ((second + COLS - 1) / COLS);
}

static size_t tiles_across(const ig_products *p)
{
    return (p->side[!p->self].count + COLS - 1) / COLS;
}

/* Rows of the first list that have tiles. */
static size_t rows_asking(const ig_products *p)
{
    return p->asked ? p->asked : p->side[0].count;
}

size_t ig_products_tiles(const ig_products *p)
{
    return tiles_of(rows_asking(p), p->side[!p->self].count);
}

/* The number of the tile that comes as number t: they come by squares of `span` panels
 * of either list, a row of squares after the other, and within one a row of tiles after
 * the other. */
static size_t tile_at(const ig_products *p, size_t t)
{
    size_t across = tiles_across(p), down = ig_products_tiles(p) / across;
    size_t first = t / (p->span * across) * p->span, i, j, high, wide;

    t -= first * across;
    high = at_most(down - first, p->span);
    j = t / (p->span * high) * p->span;
    t -= j * high;
    wide = at_most(across - j, p->span);
    i = first + t / wide;
    return i * across + j + t % wide;
}

ig_status ig_products_keep(ig_products *p, ig_error *error)
{
    p->keeps = at_most(tiles_of(p->most[0], p->most[1]), IG_TILES_KEPT);
    p->kept = ig_alloc(p->keeps, PLACE * sizeof *p->kept);
    return p->kept ? IG_OK : ig_fail_memory(error, "products of rows");
}

/* Whether the tiles of a run have places of their own. */
static bool keeps(const ig_products *p)
{
    return p->kept && !p->self && !p->view && ig_products_tiles(p) <= p->keeps;
}

double ig_products_work_again(size_t first, size_t second, size_t dims)
{
    return tiles_of(first, second) <= IG_TILES_KEPT
               ? 0
               : ig_products_work(first, second, false, dims);
}

/* --- cosines of rows about their centres ------------------------------------------ */

/* What rows add to their products. */
static void shift(ig_products *p, size_t s, size_t part)
{
    const ig_block *side = &p->side[s];
    const float *centre = p->side[p->self ? s : !s].centre;
    size_t d = p->dims, first, last;

    ig_pool_slice(side->count, 1, part, p->parts, &first, &last);
    for (size_t i = first; centre && i < last; i += FEW) {
        size_t n = at_most(last - i, FEW);
        const float *row[FEW];

        for (size_t r = 0; r < n; r++)
            row[r] = side->row + (i + r) * d;
        p->kernels->dot_each(centre, row, n, d, p->offset[s] + i);
        for (size_t r = 0; r < n; r++)
            p->shift[s][i + r] = (float)p->offset[s][i + r];
    }
}

/* What all products share. The order of a sum of d floats makes it uncertain, in
 * proportion to the lengths of the rows. */
static void set_base(ig_products *p)
{
    const ig_block *a = &p->side[0], *b = &p->side[!p->self];
    double slip = 4e-6 + 4e-9 * (double)p->dims;

    p->base = a->centre ? p->kernels->dot(a->centre, b->centre, p->dims) : 0;
    p->blur = slip * (a->reach * b->reach +
                      0.25 * (a->reach * b->distance + b->reach * a->distance));
}

/* Rows of length 0 have the cosine 0 with all. */
static void put_zeros(const ig_products *p, const ig_tile *tile)
{
    const ig_block *a = &p->side[0], *b = &p->side[!p->self];
    float zero = (float)-p->base;

    for (size_t i = 0; a->zero && i < tile->count[0]; i++)
        for (size_t j = 0; a->zero[tile->first[0] + i] && j < tile->count[1]; j++)
            tile->product[i * COLS + j] = zero;
    for (size_t j = 0; b->zero && j < tile->count[1]; j++)
        for (size_t i = 0; b->zero[tile->first[1] + j] && i < tile->count[0]; i++)
            tile->product[i * COLS + j] = zero;
}

/* --- tiles ------------------------------------------------------------------------ */

/* Products start from what the rows add to them. */
static void put_shifts(const ig_products *p, const ig_tile *tile)
{
    for (size_t i = 0; i < tile->count[0]; i++)
        p->kernels->lift(p->shift[!p->self] + tile->first[1],
                         p->shift[0][tile->first[0] + i], tile->count[1],
                         tile->product + i * COLS);
}

/* The products of a tile with rows `other`, `stride` apart, of the other list. */
static void form(const ig_products *p, ig_tile *tile, const float *other, size_t stride)
{
    const ig_block *a = &p->side[0];
    size_t d = p->dims;

    if (a->centre)
        put_shifts(p, tile);
    /* A view has no const; the product only reads it. */
    ig_gemm(false, true, 1,
            ig_matrix_of((float *)a->row + tile->first[0] * d, tile->count[0], d),
            (ig_matrix){(float *)other, tile->count[1], d, stride}, a->centre ? 1 : 0,
            (ig_matrix){tile->product, tile->count[0], tile->count[1], COLS});
    put_zeros(p, tile);
    for (size_t j = 0; p->self && !tile->columns && j < tile->count[1]; j++) {
        size_t own = tile->first[1] + j - tile->first[0];

        if (own < tile->count[0])
            tile->product[own * COLS + j] = -INFINITY;
    }
}

/* The greatest of the rows and columns of a tile, `most` and then `top`. */
static void find_greatest(const ig_products *p, const ig_tile *tile, float *most)
{
    float *top = most + ROWS;

    for (size_t i = 0; i < tile->count[0]; i++) {
        float *band = top + i / BAND * COLS;

        for (size_t j = 0; i % BAND == 0 && j < tile->count[1]; j++)
            band[j] = -INFINITY;
        most[i] = p->kernels->crest(tile->product + i * COLS, tile->count[1], band);
    }
}

/* What one part hands to the consumers. */
struct hand {
    ig_products *p;
    const ig_consumer *consumer;
    size_t consumers, part;
    ig_watch *watch;
    size_t member;
    bool formed; /* the tiles are those that the run before has kept */
};

/* Tile number t. Of a list with itself, those that touch the diagonal lie in squares of
 * ROWS rows, which are formed whole and serve their rows alone. */
static void take_tile(const struct hand *hand, size_t t, const float *other,
                      size_t stride)
{
    ig_products *p = hand->p;
    size_t i = t / tiles_across(p) * ROWS, j = t % tiles_across(p) * COLS;
    float *at = keeps(p) ? p->kept + t * PLACE : p->tile + hand->part * PLACE;
    ig_tile tile = {
        .number = t,
        .first = {i, j},
        .count = {at_most(rows_asking(p) - i, ROWS),
                  at_most(p->side[!p->self].count - j, COLS)},
        .product = at,
        .most = at + (size_t)ROWS * COLS,
        .top = at + (size_t)ROWS * COLS + ROWS,
        .base = p->base,
        .blur = p->blur,
        .columns = !p->asked && (!p->self || j >= i + ROWS),
    };
    double work = (double)tile.count[0] * (double)tile.count[1];

    if (p->self && !p->asked && j < i)
        return;
    if (!hand->formed) {
        form(p, &tile, other ? other : p->side[!p->self].row + j * p->dims, stride);
        find_greatest(p, &tile, at + (size_t)ROWS * COLS);
    }
    for (size_t c = 0; c < hand->consumers; c++)
        hand->consumer[c].take(hand->consumer[c].context, hand->part, &tile);
    if (!hand->formed)
        ig_watch_add(hand->watch,
                     (tile.columns || p->asked ? 2 : 1) * work * (double)p->dims,
                     hand->member);
}

/* Parts take tiles as they come; where rows must be brought, all tiles of a column, so
 * that they are brought once. */
static void take_tiles(const struct hand *hand)
{
    ig_products *p = hand->p;
    size_t across = tiles_across(p), tiles = ig_products_tiles(p), stride = p->dims, t;
    size_t ends = p->view ? at_most(across, tiles) : tiles;

    while ((t = atomic_fetch_add(&p->next, 1)) < ends &&
           !ig_watch_stopped(hand->watch)) {
        size_t first = t * COLS;
        const float *other;

        if (t % ig_team_ranks(p->team) != ig_team_rank(p->team))
            continue;
        if (!p->view) {
            take_tile(hand, tile_at(p, t), NULL, stride);
            continue;
        }
        other = p->view(p->viewer, hand->part, first,
                        at_most(p->side[1].count - first, COLS), &stride);
        for (; t < tiles; t += across)
            take_tile(hand, t, other, stride);
    }
}

/* What consumers of all ranks have taken, to all, by the first part. */
static ig_status unite(const struct hand *hand)
{
    ig_team *team = hand->p->team;
    ig_error error;
    ig_status status = IG_OK;

    for (size_t c = 0; c < hand->consumers && status == IG_OK; c++)
        if (hand->consumer[c].unite)
            status = ig_team_agree(
                team, hand->consumer[c].unite(hand->consumer[c].context, team, &error),
                &error);
    return status;
}

static bool run(const struct hand *hand, ig_pool *pool)
{
    ig_products *p = hand->p;
    const ig_consumer *consumer = hand->consumer;
    size_t consumers = hand->consumers, part = hand->part;
    ig_watch *watch = hand->watch;
    bool ended;

    for (size_t s = 0; !hand->formed && s < (p->self ? 1 : 2); s++)
        shift(p, s, part);
    if (part == 0) {
        set_base(p);
        atomic_store(&p->next, 0);
    }
    ig_pool_barrier(pool);
    for (size_t c = 0; c < consumers; c++)
        if (consumer[c].begin)
            consumer[c].begin(consumer[c].context, part);
    ig_pool_barrier(pool);
    take_tiles(hand);
    ig_pool_barrier(pool);
    /* All parts must be of one mind, whenever each of them looks. */
    if (part == 0) {
        p->ended = !ig_watch_stopped(watch);
        if (p->ended && p->unites)
            p->united = unite(hand);
        p->ended &= p->united == IG_OK;
    }
    ig_pool_barrier(pool);
    ended = p->ended;
    for (size_t c = 0; ended && c < consumers; c++)
        if (consumer[c].end)
            consumer[c].end(consumer[c].context, part);
    ig_pool_barrier(pool);
    return ended;
}

bool ig_products_run(ig_products *p, const ig_consumer *consumer, size_t consumers,
                     size_t part, ig_pool *pool, ig_watch *watch, size_t member)
{
    return run(
        &(struct hand){p, consumer, consumers, part, watch, member, .formed = false},
        pool);
}

bool ig_products_run_again(ig_products *p, const ig_consumer *consumer,
                           size_t consumers, size_t part, ig_pool *pool,
                           ig_watch *watch, size_t member)
{
    return run(
        &(struct hand){p, consumer, consumers, part, watch, member, .formed = keeps(p)},
        pool);
}

struct team {
    ig_products *p;
    const ig_consumer *consumer;
    size_t consumers;
    ig_pool *pool;
    ig_watch *watch;
};

static void run_member(void *context, size_t member, size_t members)
{
    const struct team *team = context;

    (void)members;
    ig_products_run(team->p, team->consumer, team->consumers, member, team->pool,
                    team->watch, member);
}

bool ig_products_run_pool(ig_products *p, const ig_consumer *consumer, size_t consumers,
                          ig_pool *pool, ig_watch *watch)
{
    struct team team = {p, consumer, consumers, pool, watch};

    ig_pool_run(pool, run_member, &team);
    return p->ended;
}
