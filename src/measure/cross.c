/* All products of two lists of rows, by the tile. */
#include <math.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "measure/cross_inside.h"

double ig_cross_work(size_t first, size_t second, bool self, size_t dims)
{
    return self ? (double)first * (double)first * (double)dims
                : 2.0 * (double)first * (double)second * (double)dims;
}

static bool init_side(ig_cross_side *side, size_t rows, size_t probes, size_t k,
                      size_t parts)
{
    side->cosine = ig_alloc(probes, sizeof *side->cosine);
    side->better = ig_alloc(parts * probes, sizeof *side->better);
    side->tied = ig_alloc(parts * probes, sizeof *side->tied);
    side->near = ig_alloc(rows, k * sizeof *side->near);
    side->offset = ig_alloc(rows, sizeof *side->offset);
    side->shift = ig_alloc(rows, sizeof *side->shift);
    side->high = ig_alloc(rows, sizeof *side->high);
    side->low = ig_alloc(rows, sizeof *side->low);
    side->least = ig_alloc(parts * rows, sizeof *side->least);
    side->kept = ig_alloc(parts * rows, (k + SPARE) * sizeof *side->kept);
    side->next = ig_alloc(rows, 2 * sizeof *side->next);
    return side->cosine && side->better && side->tied && side->near && side->offset &&
           side->shift && side->high && side->low && side->least && side->kept &&
           side->next;
}

ig_status ig_cross_init(ig_cross *cross, size_t first, size_t second, size_t probes,
                        size_t dims, size_t k, size_t parts, ig_error *error)
{
    if (k > IG_CROSS_NEAR)
        return ig_fail(error, IG_SHAPE, "%zu nearest rows, but at most %d can be had",
                       k, IG_CROSS_NEAR);
    *cross = (ig_cross){.dims = dims,
                        .kernels = ig_kernels_best(),
                        .parts = parts,
                        .k = k,
                        .most = {first, second},
                        .most_probes = probes};
    cross->tile = ig_alloc(parts, ROWS * COLS * sizeof *cross->tile);
    for (size_t s = 0; s < 2; s++)
        if (!cross->tile ||
            !init_side(&cross->side[s], cross->most[s], probes, k, parts)) {
            ig_cross_free(cross);
            return ig_fail_memory(error, "the nearest rows");
        }
    return IG_OK;
}

void ig_cross_free(ig_cross *cross)
{
    for (size_t s = 0; s < 2; s++) {
        ig_cross_side *side = &cross->side[s];

        ig_free(side->cosine);
        ig_free(side->better);
        ig_free(side->tied);
        ig_free(side->near);
        ig_free(side->offset);
        ig_free(side->shift);
        ig_free(side->high);
        ig_free(side->low);
        ig_free(side->least);
        ig_free(side->kept);
        ig_free(side->next);
    }
    ig_free(cross->tile);
    *cross = (ig_cross){0};
}

static size_t probes_of(const ig_cross_side *side)
{
    return side->first ? side->first[side->block.count] : 0;
}

static void clear_share(const ig_cross *cross, size_t s, size_t part)
{
    const ig_cross_side *side = &cross->side[s];
    struct share share = share_of(cross, s, part);
    size_t n = side->block.count, probes = probes_of(side);

    for (size_t i = 0; i < n; i++)
        share.least[i] = -INFINITY;
    for (size_t i = 0; i < n * (cross->k + SPARE); i++)
        share.kept[i] = (ig_scored){-INFINITY, UINT32_MAX};
    if (probes) {
        memset(share.better, 0, probes * sizeof *share.better);
        memset(share.tied, 0, probes);
    }
}

/* What rows first … last − 1 add to their products. */
static void shift(ig_cross *cross, size_t s, size_t first, size_t last)
{
    ig_cross_side *side = &cross->side[s];
    const float *centre = cross->side[cross->self ? s : !s].block.centre;
    size_t d = cross->dims;

    for (size_t i = first; i < last; i++) {
        side->offset[i] = cross->kernels->dot(side->block.row + i * d, centre, d);
        side->shift[i] = (float)side->offset[i];
    }
}

/* What all products share. The order of a sum of d floats makes it uncertain, in
 * proportion to the lengths of the rows. */
static void set_base(ig_cross *cross)
{
    const ig_block *a = &cross->side[0].block, *b = &cross->side[!cross->self].block;
    double slip = 4e-6 + 4e-9 * (double)cross->dims;

    cross->base = cross->kernels->dot(a->centre, b->centre, cross->dims);
    cross->blur = slip * (a->reach * b->reach +
                          0.25 * (a->reach * b->distance + b->reach * a->distance));
}

/* The cosines of the probes of rows first … last − 1, and what about the first of each
 * row is in doubt. */
static void ask(ig_cross *cross, size_t s, size_t first, size_t last)
{
    ig_cross_side *side = &cross->side[s];

    for (size_t i = first; i < last; i++) {
        uint32_t from = side->first[i], end = side->first[i + 1];
        struct doubt doubt = {INFINITY, INFINITY};

        for (uint32_t p = from; p < end; p++)
            side->cosine[p] = s ? cosine_of(cross, side->truth[p], i)
                                : cosine_of(cross, i, side->truth[p]);
        if (from < end)
            doubt = doubt_of(cross, side->cosine[from]);
        side->high[i] = doubt.high;
        side->low[i] = doubt.low;
    }
}

/* Rows of length 0 have the cosine 0 with all. */
static void put_zeros(const ig_cross *cross, struct tile *tile)
{
    const ig_block *a = &cross->side[0].block, *b = &cross->side[!cross->self].block;
    float zero = (float)-cross->base;

    for (size_t i = 0; a->zero && i < tile->count[0]; i++)
        for (size_t j = 0; a->zero[tile->first[0] + i] && j < tile->count[1]; j++)
            tile->product[i * COLS + j] = zero;
    for (size_t j = 0; b->zero && j < tile->count[1]; j++)
        for (size_t i = 0; b->zero[tile->first[1] + j] && i < tile->count[0]; i++)
            tile->product[i * COLS + j] = zero;
}

/* One tile. Of a list with itself, those that touch the diagonal lie in squares of ROWS
 * rows, which are formed whole and serve their rows alone. */
static void measure_tile(const ig_cross *cross, size_t part, struct tile *tile)
{
    const ig_cross_side *a = &cross->side[0], *b = &cross->side[!cross->self];
    size_t d = cross->dims;
    bool diagonal = cross->self && tile->first[1] < tile->first[0] + ROWS;
    float one[COLS];
    const float *v[2] = {b->shift + tile->first[1], one};

    for (size_t j = 0; j < tile->count[1]; j++)
        one[j] = 1;
    for (size_t i = 0; i < tile->count[0]; i++)
        cross->kernels->combine(v, (float[2]){1, a->shift[tile->first[0] + i]}, 2,
                                tile->count[1], 0, tile->product + i * COLS);
    /* A view has no const; the product only reads it. */
    ig_gemm(false, true, 1,
            ig_matrix_of((float *)a->block.row + tile->first[0] * d, tile->count[0], d),
            ig_matrix_of((float *)b->block.row + tile->first[1] * d, tile->count[1], d),
            1, (ig_matrix){tile->product, tile->count[0], tile->count[1], COLS});
    put_zeros(cross, tile);
    for (size_t j = 0; diagonal && j < tile->count[1]; j++) {
        size_t own = tile->first[1] + j - tile->first[0];

        if (own < tile->count[0])
            tile->product[own * COLS + j] = NAN; /* a row is no neighbour of itself */
    }
    ig_cross_scan(cross, part, tile, !diagonal);
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* Tiles as they come, row of tiles after row of tiles. */
static void take_tiles(ig_cross *cross, size_t part, ig_watch *watch, size_t member)
{
    size_t n = cross->side[0].block.count, m = cross->side[!cross->self].block.count;
    size_t across = (m + COLS - 1) / COLS, down = (n + ROWS - 1) / ROWS, t;

    while ((t = atomic_fetch_add(&cross->next, 1)) < across * down &&
           !ig_watch_stopped(watch)) {
        size_t i = t / across * ROWS, j = t % across * COLS;
        struct tile tile = {
            {i, j},
            {at_most(n - i, ROWS), at_most(m - j, COLS)},
            cross->tile + part * ROWS * COLS,
        };
        double work = (double)tile.count[0] * (double)tile.count[1];

        if (cross->self && j < i)
            continue;
        measure_tile(cross, part, &tile);
        if (!cross->self || j >= i + ROWS)
            work *= 2;
        ig_watch_add(watch, work * (double)cross->dims, member);
    }
}

/* Put a candidate among the nearest so far, if it belongs there. */
static bool place(ig_neighbour *near, size_t *count, size_t most, ig_neighbour item)
{
    size_t at = *count;

    while (at > 0 &&
           (item.cosine > near[at - 1].cosine ||
            (item.cosine == near[at - 1].cosine && item.row < near[at - 1].row)))
        at--;
    if (at == most)
        return false;
    *count += *count < most;
    memmove(near + at + 1, near + at, (*count - 1 - at) * sizeof *near);
    near[at] = item;
    return true;
}

/* Order what is kept of a row by exact cosines, and pass on the best. Identical rows
 * are not told apart by what the order of a sum made of their products: the lowest are
 * taken. */
static void conclude_row(ig_cross *cross, size_t s, size_t row)
{
    ig_cross_side *side = &cross->side[s];
    const ig_cross_side *other = &cross->side[cross->self ? s : !s];
    const uint32_t *same = other->block.same;
    const ig_scored *kept = side->kept + row * (cross->k + SPARE);
    size_t count = 0;

    for (size_t i = 0; i < cross->k + SPARE && kept[i].row != UINT32_MAX; i++) {
        uint32_t is = same ? same[kept[i].row] : kept[i].row;
        double cosine;
        bool known = false;

        for (size_t j = 0; same && j < i && !known; j++)
            known = same[kept[j].row] == is;
        if (known)
            continue;
        cosine = s ? cosine_of(cross, is, row) : cosine_of(cross, row, is);
        for (; is != UINT32_MAX; is = same ? other->next[is] : UINT32_MAX)
            if (!(cross->self && is == row) &&
                !place(side->near + row * side->nears, &count, side->nears,
                       (ig_neighbour){cosine, is}))
                break;
    }
}

/* Chain identical rows, ascending, each to the next. */
static void chain(ig_cross_side *side)
{
    size_t n = side->block.count;
    uint32_t *head = side->next + n;

    for (size_t i = 0; i < n; i++)
        head[i] = UINT32_MAX;
    for (size_t i = n; i-- > 0;) {
        side->next[i] = head[side->block.same[i]];
        head[side->block.same[i]] = (uint32_t)i;
    }
}

/* Gather what the parts found about rows first … last − 1. */
static void conclude(ig_cross *cross, size_t s, size_t first, size_t last)
{
    ig_cross_side *side = &cross->side[s];
    size_t k = cross->k + SPARE;

    for (size_t i = first; i < last; i++) {
        for (size_t part = 1; part < cross->parts; part++) {
            struct share share = share_of(cross, s, part);

            for (size_t j = 0; j < k; j++)
                keep(side->kept + i * k, k, share.kept[i * k + j]);
        }
        conclude_row(cross, s, i);
    }
    for (size_t part = 1; side->first && part < cross->parts; part++) {
        struct share share = share_of(cross, s, part);

        for (uint32_t p = side->first[first]; p < side->first[last]; p++) {
            side->better[p] += share.better[p];
            side->tied[p] |= share.tied[p];
        }
    }
}

bool ig_cross_run(ig_cross *cross, size_t part, ig_pool *pool, ig_watch *watch,
                  size_t member)
{
    size_t sides = cross->self ? 1 : 2, first, last;
    bool ended;

    for (size_t s = 0; s < sides; s++) {
        ig_cross_side *side = &cross->side[s];
        size_t others = cross->side[sides - 1 - s].block.count - cross->self;

        if (part == 0)
            side->nears = at_most(cross->k, others);
        if (part == 0 && side->block.same)
            chain(side);
        clear_share(cross, s, part);
        ig_pool_slice(side->block.count, 1, part, cross->parts, &first, &last);
        shift(cross, s, first, last);
    }
    if (part == 0) {
        set_base(cross);
        atomic_store(&cross->next, 0);
    }
    ig_pool_barrier(pool);
    for (size_t s = 0; s < sides && cross->side[s].first; s++) {
        ig_pool_slice(cross->side[s].block.count, 1, part, cross->parts, &first, &last);
        ask(cross, s, first, last);
    }
    ig_pool_barrier(pool);
    take_tiles(cross, part, watch, member);
    ig_pool_barrier(pool);
    /* All parts must be of one mind, whenever each of them looks. */
    if (part == 0)
        cross->ended = !ig_watch_stopped(watch);
    ig_pool_barrier(pool);
    ended = cross->ended;
    for (size_t s = 0; s < sides && ended; s++) {
        ig_pool_slice(cross->side[s].block.count, 1, part, cross->parts, &first, &last);
        conclude(cross, s, first, last);
    }
    ig_pool_barrier(pool);
    return ended;
}
