/* All products of two lists of rows, by the tile. */
#include "measure/cross.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/blas.h"
#include "isogloss/linear/kernels.h"

/* A tile is as large as lets its products stay near the core. SPARE more are kept than
 * are wanted, for the order of floats is not quite that of doubles. */
enum {
    ROWS = 512,
    COLS = 256,
    SPARE = 2,
    GROUPS = 32,
    MOST_KEPT = IG_CROSS_NEAR + SPARE
};

/* A float product is within this of the cosine. */
static float unsure(size_t dims)
{
    return 4e-6f + 4e-9f * (float)dims;
}

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
    side->high = ig_alloc(rows, sizeof *side->high);
    side->low = ig_alloc(rows, sizeof *side->low);
    side->least = ig_alloc(parts * rows, sizeof *side->least);
    side->kept = ig_alloc(parts * rows, (k + SPARE) * sizeof *side->kept);
    return side->cosine && side->better && side->tied && side->near && side->high &&
           side->low && side->least && side->kept;
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
        ig_free(side->high);
        ig_free(side->low);
        ig_free(side->least);
        ig_free(side->kept);
    }
    ig_free(cross->tile);
    *cross = (ig_cross){0};
}

/* What one part keeps of a side. */
struct share {
    float *least;
    ig_scored *kept;
    uint32_t *better;
    uint8_t *tied;
};

static struct share share_of(const ig_cross *cross, size_t s, size_t part)
{
    const ig_cross_side *side = &cross->side[s];
    size_t rows = part * cross->most[s], probes = part * cross->most_probes;

    return (struct share){side->least + rows, side->kept + rows * (cross->k + SPARE),
                          side->better + probes, side->tied + probes};
}

static size_t probes_of(const ig_cross_side *side)
{
    return side->set.first ? side->set.first[side->set.count] : 0;
}

/* Put a candidate among the k kept, best first, if it belongs there: a total order, so
 * that it does not matter who came first. */
static inline void keep(ig_scored *kept, size_t k, ig_scored item)
{
    size_t i = k;

    while (i > 0 && (item.score > kept[i - 1].score ||
                     (item.score == kept[i - 1].score && item.row < kept[i - 1].row)))
        i--;
    if (i == k)
        return;
    memmove(kept + i + 1, kept + i, (k - 1 - i) * sizeof *kept);
    kept[i] = item;
}

static void clear_share(const ig_cross *cross, size_t s, size_t part)
{
    const ig_cross_side *side = &cross->side[s];
    struct share share = share_of(cross, s, part);
    size_t n = side->set.count, probes = probes_of(side);

    for (size_t i = 0; i < n; i++)
        share.least[i] = -INFINITY;
    for (size_t i = 0; i < n * (cross->k + SPARE); i++)
        share.kept[i] = (ig_scored){-INFINITY, UINT32_MAX};
    if (probes) {
        memset(share.better, 0, probes * sizeof *share.better);
        memset(share.tied, 0, probes);
    }
}

/* The cosines of the probes of rows first … last − 1, and what about the first of each
 * row is in doubt. */
static void ask(ig_cross *cross, size_t s, size_t first, size_t last)
{
    ig_cross_side *side = &cross->side[s];
    const float *a = side->set.unit, *b = cross->side[!s].set.unit;
    size_t d = cross->dims;

    for (size_t i = first; i < last; i++) {
        uint32_t from = side->set.first[i], end = side->set.first[i + 1];

        for (uint32_t p = from; p < end; p++)
            side->cosine[p] =
                cross->kernels->dot(a + i * d, b + side->set.truth[p] * d, d);
        side->high[i] = from < end ? (float)side->cosine[from] + unsure(d) : INFINITY;
        side->low[i] = from < end ? (float)side->cosine[from] - unsure(d) : INFINITY;
    }
}

/* A rectangle of products: rows first[0] … of the first side by rows first[1] … of the
 * other. */
struct tile {
    size_t first[2], count[2];
    float *product; /* (count[0], COLS) */
};

/* What a row's (or column's) n products, `step` apart, say of a probe: `above` are
 * certainly nearer than the truth, `maybe` so many of them are or are in doubt. */
static void judge(const ig_cross *cross, size_t s, const struct tile *tile,
                  struct share share, size_t row, size_t probe, uint32_t above,
                  uint32_t maybe)
{
    const ig_cross_side *side = &cross->side[s], *other = &cross->side[!s];
    size_t d = cross->dims, n = tile->count[!s], step = s ? COLS : 1;
    const float *product = tile->product +
                           (row - tile->first[s]) * (s ? 1 : (size_t)COLS);
    double cosine = side->cosine[probe];
    float high = (float)cosine + unsure(d), low = (float)cosine - unsure(d);
    size_t truth = side->set.truth[probe] - tile->first[!s];
    uint32_t left = maybe - above;

    /* The truth itself is in no doubt (elsewhere, `truth` is beyond n). */
    if (left && truth < n && product[truth * step] > low &&
        !(product[truth * step] > high))
        left--;
    for (size_t j = 0; left && j < n; j++) {
        double exact;

        if (j == truth || !(product[j * step] > low) || product[j * step] > high)
            continue;
        left--;
        exact = cross->kernels->dot(side->set.unit + row * d,
                                    other->set.unit + (tile->first[!s] + j) * d, d);
        above += exact > cosine + IG_COSINE_EQUAL;
        share.tied[probe] |= fabs(exact - cosine) <= IG_COSINE_EQUAL;
    }
    share.better[probe] += above;
}

/* The k-th largest of n values `step` apart, or −∞ when there are fewer. The values are
 * the greatest of disjoint groups of products: so many products reach it, at least. */
static float floor_of(const float *top, size_t n, size_t step, size_t k)
{
    ig_scored best[MOST_KEPT];

    for (size_t i = 0; i < k; i++)
        best[i] = (ig_scored){-INFINITY, UINT32_MAX};
    for (size_t i = 0; i < n; i++)
        keep(best, k, (ig_scored){top[i * step], (uint32_t)i});
    return best[k - 1].score;
}

/* Offer the products of a row to that row. */
static void offer_row(const ig_cross *cross, struct share share, size_t row,
                      const float *product, size_t first, size_t n)
{
    size_t k = cross->k + SPARE, count;
    ig_scored *kept = share.kept + row * k;
    uint32_t place[COLS];

    if (share.least[row] == -INFINITY) {
        /* Nothing is kept yet: most need not be offered all the same. */
        float top[GROUPS];

        for (size_t g = 0; g < GROUPS; g++)
            top[g] = -INFINITY;
        for (size_t j = 0; j < n; j += GROUPS)
            cross->kernels->larger(product + j, n - j < GROUPS ? n - j : GROUPS, top);
        share.least[row] = floor_of(top, GROUPS, 1, k);
    }
    count = cross->kernels->reach(product, &share.least[row], 0, n, place);
    for (size_t c = 0; c < count; c++)
        keep(kept, k, (ig_scored){product[place[c]], (uint32_t)(first + place[c])});
    if (kept[k - 1].score > share.least[row])
        share.least[row] = kept[k - 1].score;
}

/* The rows of a tile against its columns. */
static void scan_rows(const ig_cross *cross, size_t part, const struct tile *tile)
{
    const ig_kernels *kernels = cross->kernels;
    const ig_cross_side *side = &cross->side[0];
    struct share share = share_of(cross, 0, part);
    size_t n = tile->count[1];

    for (size_t i = 0; i < tile->count[0]; i++) {
        const float *product = tile->product + i * COLS;
        size_t row = tile->first[0] + i;

        offer_row(cross, share, row, product, tile->first[1], n);
        if (!side->set.first)
            continue;
        for (uint32_t p = side->set.first[row]; p < side->set.first[row + 1]; p++) {
            float high = (float)side->cosine[p] + unsure(cross->dims);
            float low = (float)side->cosine[p] - unsure(cross->dims);
            uint32_t above = 0, maybe = 0;

            kernels->tally(product, &high, 0, n, &above);
            kernels->tally(product, &low, 0, n, &maybe);
            judge(cross, 0, tile, share, row, p, above, maybe);
        }
    }
}

/* Probes of a column after its first: the column is laid out as a row. */
static void judge_more(const ig_cross *cross, size_t s, const struct tile *tile,
                       struct share share, size_t row)
{
    const ig_cross_side *side = &cross->side[s];
    size_t n = tile->count[0];
    float column[ROWS];

    for (size_t i = 0; i < n; i++)
        column[i] = tile->product[i * COLS + (row - tile->first[1])];
    for (uint32_t p = side->set.first[row] + 1; p < side->set.first[row + 1]; p++) {
        float high = (float)side->cosine[p] + unsure(cross->dims);
        float low = (float)side->cosine[p] - unsure(cross->dims);
        uint32_t above = 0, maybe = 0;

        cross->kernels->tally(column, &high, 0, n, &above);
        cross->kernels->tally(column, &low, 0, n, &maybe);
        judge(cross, s, tile, share, row, p, above, maybe);
    }
}

/* What columns must reach that have kept nothing yet. */
static void raise_floors(const ig_cross *cross, const struct tile *tile, float *least)
{
    float top[GROUPS / 2][COLS];

    for (size_t g = 0; g < GROUPS / 2; g++)
        for (size_t j = 0; j < tile->count[1]; j++)
            top[g][j] = -INFINITY;
    for (size_t i = 0; i < tile->count[0]; i++)
        cross->kernels->larger(tile->product + i * COLS, tile->count[1],
                               top[i % (GROUPS / 2)]);
    for (size_t j = 0; j < tile->count[1]; j++)
        least[j] = floor_of(&top[0][j], GROUPS / 2, COLS, cross->k + SPARE);
}

/* The columns of a tile, which are rows of side s, against its rows: passed over row by
 * row, as they lie. */
static void scan_columns(const ig_cross *cross, size_t part, const struct tile *tile)
{
    const ig_kernels *kernels = cross->kernels;
    size_t s = !cross->self, k = cross->k + SPARE, from = tile->first[1];
    const ig_cross_side *side = &cross->side[s];
    struct share share = share_of(cross, s, part);
    uint32_t above[COLS] = {0}, maybe[COLS] = {0}, place[COLS];

    if (share.least[from] == -INFINITY)
        raise_floors(cross, tile, share.least + from);
    for (size_t i = 0; i < tile->count[0]; i++) {
        const float *product = tile->product + i * COLS;
        size_t count =
            kernels->reach(product, share.least + from, 1, tile->count[1], place);

        for (size_t c = 0; c < count; c++) {
            ig_scored *kept = share.kept + (from + place[c]) * k;

            keep(kept, k,
                 (ig_scored){product[place[c]], (uint32_t)(tile->first[0] + i)});
            if (kept[k - 1].score > share.least[from + place[c]])
                share.least[from + place[c]] = kept[k - 1].score;
        }
        if (side->set.first) {
            kernels->tally(product, side->high + from, 1, tile->count[1], above);
            kernels->tally(product, side->low + from, 1, tile->count[1], maybe);
        }
    }
    for (size_t j = 0; side->set.first && j < tile->count[1]; j++) {
        uint32_t first = side->set.first[from + j];
        uint32_t last = side->set.first[from + j + 1];

        if (first < last)
            judge(cross, s, tile, share, from + j, first, above[j], maybe[j]);
        if (first + 1 < last)
            judge_more(cross, s, tile, share, from + j);
    }
}

/* One tile. Of a list with itself, those that touch the diagonal lie in squares of ROWS
 * rows, which are formed whole and serve their rows alone. */
static void measure_tile(const ig_cross *cross, size_t part, const struct tile *tile)
{
    const ig_cross_side *a = &cross->side[0], *b = &cross->side[!cross->self];
    size_t d = cross->dims;
    bool diagonal = cross->self && tile->first[1] < tile->first[0] + ROWS;

    /* A view has no const; the product only reads it. */
    ig_gemm(false, true, 1,
            ig_matrix_of((float *)a->set.unit + tile->first[0] * d, tile->count[0], d),
            ig_matrix_of((float *)b->set.unit + tile->first[1] * d, tile->count[1], d),
            0, (ig_matrix){tile->product, tile->count[0], tile->count[1], COLS});
    for (size_t j = 0; diagonal && j < tile->count[1]; j++) {
        size_t own = tile->first[1] + j - tile->first[0];

        if (own < tile->count[0])
            tile->product[own * COLS + j] = NAN; /* a row is no neighbour of itself */
    }
    scan_rows(cross, part, tile);
    if (!diagonal)
        scan_columns(cross, part, tile);
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* Tiles as they come, row of tiles after row of tiles. */
static void take_tiles(ig_cross *cross, size_t part, ig_watch *watch, size_t member)
{
    size_t n = cross->side[0].set.count, m = cross->side[!cross->self].set.count;
    size_t across = (m + COLS - 1) / COLS, down = (n + ROWS - 1) / ROWS, t;

    while ((t = atomic_fetch_add(&cross->next, 1)) < across * down &&
           !ig_watch_stopped(watch)) {
        size_t i = t / across * ROWS, j = t % across * COLS;
        struct tile tile = {{i, j},
                            {at_most(n - i, ROWS), at_most(m - j, COLS)},
                            cross->tile + part * ROWS * COLS};
        double work = (double)tile.count[0] * (double)tile.count[1];

        if (cross->self && j < i)
            continue;
        measure_tile(cross, part, &tile);
        if (!cross->self || j >= i + ROWS)
            work *= 2;
        ig_watch_add(watch, work * (double)cross->dims, member);
    }
}

/* Order what is kept by exact cosines, and pass on the best. */
static void conclude_row(ig_cross *cross, size_t s, size_t row)
{
    ig_cross_side *side = &cross->side[s];
    const ig_cross_side *other = &cross->side[cross->self ? s : !s];
    size_t k = cross->k + SPARE, d = cross->dims, count = 0;
    ig_scored *kept = side->kept + row * k;
    ig_near *near = side->near + row * side->nears;

    for (size_t i = 0; i < k && kept[i].row != UINT32_MAX; i++) {
        ig_near item = {cross->kernels->dot(side->set.unit + row * d,
                                            other->set.unit + kept[i].row * d, d),
                        kept[i].row};
        size_t at = count;

        while (at > 0 &&
               (item.cosine > near[at - 1].cosine ||
                (item.cosine == near[at - 1].cosine && item.row < near[at - 1].row)))
            at--;
        if (at == side->nears)
            continue;
        count += count < side->nears;
        memmove(near + at + 1, near + at, (count - 1 - at) * sizeof *near);
        near[at] = item;
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
    for (size_t part = 1; side->set.first && part < cross->parts; part++) {
        struct share share = share_of(cross, s, part);

        for (uint32_t p = side->set.first[first]; p < side->set.first[last]; p++) {
            side->better[p] += share.better[p];
            side->tied[p] |= share.tied[p];
        }
    }
}

void ig_cross_run(ig_cross *cross, size_t part, ig_pool *pool, ig_watch *watch,
                  size_t member)
{
    size_t sides = cross->self ? 1 : 2, first, last;

    for (size_t s = 0; s < sides; s++) {
        ig_cross_side *side = &cross->side[s];
        size_t others = cross->side[sides - 1 - s].set.count - cross->self;

        if (part == 0)
            side->nears = at_most(cross->k, others);
        clear_share(cross, s, part);
        ig_pool_slice(side->set.count, 1, part, cross->parts, &first, &last);
        if (side->set.first)
            ask(cross, s, first, last);
    }
    if (part == 0)
        atomic_store(&cross->next, 0);
    ig_pool_barrier(pool);
    take_tiles(cross, part, watch, member);
    ig_pool_barrier(pool);
    for (size_t s = 0; s < sides && !ig_watch_stopped(watch); s++) {
        ig_pool_slice(cross->side[s].set.count, 1, part, cross->parts, &first, &last);
        conclude(cross, s, first, last);
    }
    ig_pool_barrier(pool);
}
