/* Ranks over a pass over products: what is certainly nearer than a truth is counted by
 * the float products, and what is in doubt decided in double. */
#include "linear/ranking.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum {
    ROWS = IG_TILE_ROWS,
    COLS = IG_TILE_COLS,
    BAND = IG_TILE_BAND,
    WIDE = 64 /* columns that are passed over together where none is near */
};

ig_status ig_ranking_init(ig_ranking *ranking, const ig_products *of, size_t probes,
                          ig_error *error)
{
    *ranking = (ig_ranking){.of = of, .most = probes};
    for (size_t s = 0; s < 2; s++) {
        ig_ranking_side *side = &ranking->side[s];

        size_t asked = of->most[s] ? probes : 0; /* of lists with themselves: once */

        side->cosine = ig_alloc(asked, sizeof *side->cosine);
        side->better = ig_alloc(of->parts * asked, sizeof *side->better);
        side->tied = ig_alloc(of->parts * asked, sizeof *side->tied);
        if (!side->cosine || !side->better || !side->tied) {
            ig_ranking_free(ranking);
            return ig_fail_memory(error, "the ranks");
        }
    }
    return IG_OK;
}

void ig_ranking_free(ig_ranking *ranking)
{
    for (size_t s = 0; s < 2; s++) {
        ig_free(ranking->side[s].cosine);
        ig_free(ranking->side[s].better);
        ig_free(ranking->side[s].tied);
    }
    *ranking = (ig_ranking){0};
}

/* How many lists ask. */
static size_t sides(const ig_ranking *ranking)
{
    return ig_products_asking(ranking->of);
}

/* What one part counts of a side. */
struct share {
    uint32_t *better;
    uint8_t *tied;
};

static struct share share_of(const ig_ranking *ranking, size_t s, size_t part)
{
    return (struct share){ranking->side[s].better + part * ranking->most,
                          ranking->side[s].tied + part * ranking->most};
}

/* Products above `high` are of nearer rows than one of this cosine, and those not above
 * `low` of farther ones. */
struct doubt {
    float high, low;
};

static struct doubt doubt_of(const ig_tile *tile, double cosine)
{
    double product = cosine - tile->base, by = IG_COSINE_EQUAL + tile->blur;

    return (struct doubt){(float)(product + by), (float)(product - by)};
}

/* The cosines of the probes of rows first … last − 1. */
static void ask(ig_ranking *ranking, size_t s, size_t first, size_t last)
{
    ig_ranking_side *side = &ranking->side[s];

    for (size_t i = first; i < last; i++)
        for (uint32_t p = side->first[i]; p < side->first[i + 1]; p++)
            side->cosine[p] = s ? ig_products_cosine(ranking->of, side->truth[p], i)
                                : ig_products_cosine(ranking->of, i, side->truth[p]);
}

static void begin(void *context, size_t part)
{
    ig_ranking *ranking = context;
    size_t first, last;

    for (size_t s = 0; s < sides(ranking); s++) {
        size_t rows = ranking->of->side[s].count, probes = ranking->side[s].first[rows];
        struct share share = share_of(ranking, s, part);

        memset(share.better, 0, probes * sizeof *share.better);
        memset(share.tied, 0, probes);
        ig_pool_slice(rows, 1, part, ranking->of->parts, &first, &last);
        ask(ranking, s, first, last);
    }
}

/* --- what a tile says ------------------------------------------------------------- */

/* What a row's (s: or column's) n products, `step` apart, say of a probe: `above` are
 * certainly nearer than the truth, `maybe` so many of them are or are in doubt. */
static void judge(const ig_ranking *ranking, size_t s, const ig_tile *tile,
                  struct share share, size_t row, size_t probe, uint32_t above,
                  uint32_t maybe)
{
    bool self = ranking->of->self;
    const ig_ranking_side *side = &ranking->side[s && !self];
    const uint32_t *same = ranking->of->side[!s && !self].same;
    size_t n = tile->count[!s], step = s ? COLS : 1, place = row - tile->first[s];
    size_t first = tile->first[!s], truth = side->truth[probe];
    const float *product = tile->product + place * (s ? 1 : (size_t)COLS);
    double cosine = side->cosine[probe], sure = IG_COSINE_EQUAL - tile->blur;
    struct doubt doubt = doubt_of(tile, cosine);
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
            !(fabs((double)x + tile->base - cosine) < sure))
            by = (s ? ig_products_cosine(ranking->of, first + j, row)
                    : ig_products_cosine(ranking->of, row, first + j)) -
                 cosine;
        above += by > IG_COSINE_EQUAL;
        share.tied[probe] |= fabs(by) <= IG_COSINE_EQUAL;
    }
    share.better[probe] += above;
}

/* The rows of a tile against its columns. */
static void take_rows(const ig_ranking *ranking, size_t part, const ig_tile *tile)
{
    const ig_kernels *kernels = ranking->of->kernels;
    const ig_ranking_side *side = &ranking->side[0];
    struct share share = share_of(ranking, 0, part);
    size_t n = tile->count[1];

    for (size_t i = 0; i < tile->count[0]; i++) {
        const float *product = tile->product + i * COLS;
        size_t row = tile->first[0] + i;

        for (uint32_t p = side->first[row]; p < side->first[row + 1]; p++) {
            struct doubt doubt = doubt_of(tile, side->cosine[p]);
            uint32_t above = 0, maybe = 0;

            if (!(tile->most[i] > doubt.low))
                continue;
            kernels->tally(product, &doubt.high, 0, n, &above);
            kernels->tally(product, &doubt.low, 0, n, &maybe);
            judge(ranking, 0, tile, share, row, p, above, maybe);
        }
    }
}

/* Whether any of n is above its limit. */
static bool any_above(const float *x, const float *limit, size_t n)
{
    int any = 0;

    for (size_t j = 0; j < n; j++)
        any |= x[j] > limit[j];
    return any;
}

/* Probes of a column after its first: the column is laid out as a row. */
static void judge_more(const ig_ranking *ranking, const ig_tile *tile,
                       struct share share, size_t row)
{
    const ig_ranking_side *side = &ranking->side[!ranking->of->self];
    size_t n = tile->count[0];
    float column[ROWS];

    for (size_t i = 0; i < n; i++)
        column[i] = tile->product[i * COLS + (row - tile->first[1])];
    for (uint32_t p = side->first[row] + 1; p < side->first[row + 1]; p++) {
        struct doubt doubt = doubt_of(tile, side->cosine[p]);
        uint32_t above = 0, maybe = 0;

        ranking->of->kernels->tally(column, &doubt.high, 0, n, &above);
        ranking->of->kernels->tally(column, &doubt.low, 0, n, &maybe);
        judge(ranking, 1, tile, share, row, p, above, maybe);
    }
}

/* The columns of a tile, which are rows of the other side (of a list with itself: rows
 * too), against its rows: passed over row by row, as they lie. */
static void take_columns(const ig_ranking *ranking, size_t part, const ig_tile *tile)
{
    const ig_kernels *kernels = ranking->of->kernels;
    const ig_ranking_side *side = &ranking->side[!ranking->of->self];
    struct share share = share_of(ranking, !ranking->of->self, part);
    size_t from = tile->first[1], n = tile->count[1];
    uint32_t above[COLS] = {0}, maybe[COLS] = {0};
    float high[COLS], low[COLS];

    for (size_t j = 0; j < n; j++) {
        struct doubt doubt = {INFINITY, INFINITY};

        if (side->first[from + j] < side->first[from + j + 1])
            doubt = doubt_of(tile, side->cosine[side->first[from + j]]);
        high[j] = doubt.high;
        low[j] = doubt.low;
    }
    for (size_t i = 0; i < tile->count[0]; i += BAND)
        for (size_t j = 0; j < n; j += WIDE) {
            size_t rows = tile->count[0] - i < BAND ? tile->count[0] - i : BAND;
            size_t wide = n - j < WIDE ? n - j : WIDE;
            const float *product = tile->product + i * COLS + j;

            if (!any_above(tile->top + i / BAND * COLS + j, low + j, wide))
                continue;
            for (size_t r = 0; r < rows; r++) {
                kernels->tally(product + r * COLS, high + j, 1, wide, above + j);
                kernels->tally(product + r * COLS, low + j, 1, wide, maybe + j);
            }
        }
    for (size_t j = 0; j < n; j++) {
        uint32_t first = side->first[from + j], last = side->first[from + j + 1];

        if (maybe[j])
            judge(ranking, 1, tile, share, from + j, first, above[j], maybe[j]);
        if (first + 1 < last)
            judge_more(ranking, tile, share, from + j);
    }
}

static void take(void *context, size_t part, const ig_tile *tile)
{
    take_rows(context, part, tile);
    if (tile->columns)
        take_columns(context, part, tile);
}

/* Add up what the parts counted of a slice of the rows. */
static void end(void *context, size_t part)
{
    ig_ranking *ranking = context;
    const ig_products *of = ranking->of;
    size_t first, last;

    for (size_t s = 0; s < sides(ranking); s++) {
        const ig_ranking_side *side = &ranking->side[s];

        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t other = 1; other < of->parts; other++) {
            struct share share = share_of(ranking, s, other);

            for (uint32_t p = side->first[first]; p < side->first[last]; p++) {
                side->better[p] += share.better[p];
                side->tied[p] |= share.tied[p];
            }
        }
    }
}

/* Counts of the first part are those of all parts and ranks then. */
static ig_status unite(void *context, ig_team *team, ig_error *error)
{
    ig_ranking *ranking = context;
    const ig_products *of = ranking->of;

    (void)error;
    for (size_t s = 0; s < sides(ranking); s++) {
        const ig_ranking_side *side = &ranking->side[s];
        size_t probes = side->first[of->side[s].count];

        for (size_t other = 1; other < of->parts; other++) {
            struct share share = share_of(ranking, s, other);

            for (size_t p = 0; p < probes; p++) {
                side->better[p] += share.better[p];
                side->tied[p] |= share.tied[p];
            }
            memset(share.better, 0, probes * sizeof *share.better);
            memset(share.tied, 0, probes);
        }
        ig_team_sum32(team, side->better, probes);
        ig_team_join_bits(team, side->tied, probes);
    }
    return IG_OK;
}

ig_consumer ig_ranking_consumer(ig_ranking *ranking)
{
    return (ig_consumer){begin, take, end, ranking, unite};
}
