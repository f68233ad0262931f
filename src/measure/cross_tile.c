/* What is read off a tile of products: the nearest of its rows and columns, and who
 * stands before a truth. */
#include <math.h>

#include "linear/blas.h"
#include "measure/cross_inside.h"

enum { GROUPS = 16 };

/* What a row's (or column's) n products, `step` apart, say of a probe: `above` are
 * certainly nearer than the truth, `maybe` so many of them are or are in doubt. */
static void judge(const ig_cross *cross, size_t s, const struct tile *tile,
                  struct share share, size_t row, size_t probe, uint32_t above,
                  uint32_t maybe)
{
    const ig_cross_side *side = &cross->side[s];
    const uint32_t *same = cross->side[!s].block.same;
    size_t n = tile->count[!s], step = s ? COLS : 1, place = row - tile->first[s];
    size_t first = tile->first[!s], truth = side->truth[probe];
    const float *product = tile->product + place * (s ? 1 : (size_t)COLS);
    double cosine = side->cosine[probe], sure = IG_COSINE_EQUAL - cross->blur;
    struct doubt doubt = doubt_of(cross, cosine);
    uint32_t left = maybe - above;

    /* The truth itself is in no doubt. */
    if (left && truth >= first && truth - first < n) {
        float own = product[(truth - first) * step];

        left -= own > doubt.low && !(own > doubt.high);
    }
    for (size_t j = 0; left && j < n; j++) {
        float x = product[j * step];
        double by = 0;

        if (!(x > doubt.low) || x > doubt.high || first + j == truth)
            continue;
        left--;
        if (!(same && same[first + j] == same[truth]) &&
            !(fabs((double)x + cross->base - cosine) < sure))
            by = (s ? cosine_of(cross, first + j, row)
                    : cosine_of(cross, row, first + j)) -
                 cosine;
        above += by > IG_COSINE_EQUAL;
        share.tied[probe] |= fabs(by) <= IG_COSINE_EQUAL;
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
        if (!side->first)
            continue;
        for (uint32_t p = side->first[row]; p < side->first[row + 1]; p++) {
            struct doubt doubt = doubt_of(cross, side->cosine[p]);
            uint32_t above = 0, maybe = 0;

            kernels->tally(product, &doubt.high, 0, n, &above);
            kernels->tally(product, &doubt.low, 0, n, &maybe);
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
    for (uint32_t p = side->first[row] + 1; p < side->first[row + 1]; p++) {
        struct doubt doubt = doubt_of(cross, side->cosine[p]);
        uint32_t above = 0, maybe = 0;

        cross->kernels->tally(column, &doubt.high, 0, n, &above);
        cross->kernels->tally(column, &doubt.low, 0, n, &maybe);
        judge(cross, s, tile, share, row, p, above, maybe);
    }
}

/* What columns must reach that have kept nothing yet. */
static void raise_floors(const ig_cross *cross, const struct tile *tile, float *least)
{
    float top[GROUPS][COLS];

    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = 0; j < tile->count[1]; j++)
            top[g][j] = -INFINITY;
    for (size_t i = 0; i < tile->count[0]; i++)
        cross->kernels->larger(tile->product + i * COLS, tile->count[1],
                               top[i % (GROUPS)]);
    for (size_t j = 0; j < tile->count[1]; j++)
        least[j] = floor_of(&top[0][j], GROUPS, COLS, cross->k + SPARE);
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
        if (side->first) {
            kernels->tally(product, side->high + from, 1, tile->count[1], above);
            kernels->tally(product, side->low + from, 1, tile->count[1], maybe);
        }
    }
    for (size_t j = 0; side->first && j < tile->count[1]; j++) {
        uint32_t first = side->first[from + j];
        uint32_t last = side->first[from + j + 1];

        if (first < last)
            judge(cross, s, tile, share, from + j, first, above[j], maybe[j]);
        if (first + 1 < last)
            judge_more(cross, s, tile, share, from + j);
    }
}

void ig_cross_scan(const ig_cross *cross, size_t part, const struct tile *tile,
                   bool columns)
{
    scan_rows(cross, part, tile);
    if (columns)
        scan_columns(cross, part, tile);
}
