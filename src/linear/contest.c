/* Whether truths are beaten, over a pass over products: the greatest float of a row
 * decides where it is clear, and doubles where it is not. */
#include "linear/contest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum {
    ROWS = IG_TILE_ROWS,
    COLS = IG_TILE_COLS,
    BAND = 16 /* columns laid out at once */
};

ig_status ig_contest_init(ig_contest *contest, const ig_products *of, size_t probes,
                          ig_error *error)
{
    *contest = (ig_contest){.of = of, .most = probes};
    for (size_t s = 0; s < 2; s++) {
        ig_contest_side *side = &contest->side[s];

        side->beaten = ig_alloc(of->parts * probes, sizeof *side->beaten);
        side->weight = ig_alloc(of->most[s], sizeof *side->weight);
        if (!side->beaten || !side->weight) {
            ig_contest_free(contest);
            return ig_fail_memory(error, "the contests");
        }
    }
    return IG_OK;
}

void ig_contest_free(ig_contest *contest)
{
    for (size_t s = 0; s < 2; s++) {
        ig_free(contest->side[s].beaten);
        ig_free(contest->side[s].weight);
    }
    *contest = (ig_contest){0};
}

/* Handicaps are told floats by their differences: where all are alike, floats lose
 * nothing. */
static void begin(void *context, size_t part)
{
    ig_contest *contest = context;
    size_t first, last;

    for (size_t s = 0; s < 2; s++) {
        ig_contest_side *side = &contest->side[s];
        size_t rows = contest->of->side[s].count;
        double spread = 0;

        memset(side->beaten + part * contest->most, 0, side->first[rows]);
        ig_pool_slice(rows, 1, part, contest->of->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            side->weight[i] = (float)(side->handicap[i] - side->handicap[0]);
        for (size_t i = 0; part == 0 && i < rows; i++)
            spread = fmax(spread, fabs(side->handicap[i] - side->handicap[0]));
        if (part == 0)
            side->spread = spread;
    }
}

/* A stretch of the products of one row, as they lie: with rows first … of the other
 * side. */
struct stretch {
    const float *product;
    size_t s, row, first, count;
};

/* What a row must count to beat a truth, and how far floats may be off: both without
 * the handicap of row 0. */
struct stake {
    double slope, limit, doubt;
};

/* Whether any of a few products, which do not include the truth's, is above it for
 * sure; those in doubt are looked at in double. */
static bool beats(const ig_contest *contest, const struct stretch *at,
                  const struct stake *stake, size_t from, size_t to)
{
    const ig_products *of = contest->of;
    const ig_contest_side *other = &contest->side[!at->s];
    const float *weight = other->weight + at->first;
    float most;

    if (from >= to)
        return false;
    most = of->kernels->excess(at->product + from, weight + from, (float)stake->slope,
                               to - from);
    if ((double)most > stake->limit + stake->doubt)
        return true;
    if ((double)most <= stake->limit - stake->doubt)
        return false;
    for (size_t j = from; j < to; j++) {
        double x = (double)at->product[j] - stake->slope * (double)weight[j];
        size_t row = at->first + j;
        double cosine;

        if (x <= stake->limit - stake->doubt)
            continue;
        cosine = at->s ? ig_products_cosine(of, row, at->row)
                       : ig_products_cosine(of, at->row, row);
        if (cosine - of->base -
                stake->slope * (other->handicap[row] - other->handicap[0]) >
            stake->limit)
            return true;
    }
    return false;
}

/* What the products of a row say to its probes. */
static void judge(ig_contest *contest, size_t part, const struct stretch *at)
{
    const ig_contest_side *side = &contest->side[at->s],
                          *other = &contest->side[!at->s];
    uint8_t *beaten = side->beaten + part * contest->most;

    for (uint32_t p = side->first[at->row]; p < side->first[at->row + 1]; p++) {
        size_t truth = side->truth[p];
        double slope = side->slope ? side->slope[p] : 1;
        struct stake stake = {
            .slope = slope,
            .limit = side->cosine[p] - contest->of->base + IG_COSINE_EQUAL -
                     slope * (other->handicap[truth] - other->handicap[0]),
            .doubt = contest->of->blur + 0x1p-22 * fabs(slope) * other->spread,
        };
        size_t skip = truth >= at->first && truth - at->first < at->count
                          ? truth - at->first
                          : at->count;

        if (!side->open[p] || beaten[p])
            continue;
        beaten[p] = beats(contest, at, &stake, 0, skip) ||
                    beats(contest, at, &stake, skip + 1, at->count);
    }
}

static void take_rows(ig_contest *contest, size_t part, const ig_tile *tile)
{
    for (size_t i = 0; i < tile->count[0]; i++)
        judge(contest, part,
              &(struct stretch){tile->product + i * COLS, 0, tile->first[0] + i,
                                tile->first[1], tile->count[1]});
}

/* Whether any probe of some rows is open. */
static bool any_open(const ig_contest_side *side, size_t row, size_t n)
{
    for (uint32_t p = side->first[row]; p < side->first[row + n]; p++)
        if (side->open[p])
            return true;
    return false;
}

/* Columns are laid out as rows, a band of them at once. */
static void take_columns(ig_contest *contest, size_t part, const ig_tile *tile)
{
    float column[BAND][ROWS];

    for (size_t j = 0; j < tile->count[1]; j += BAND) {
        size_t n = tile->count[1] - j < BAND ? tile->count[1] - j : BAND;

        if (!any_open(&contest->side[1], tile->first[1] + j, n))
            continue;
        for (size_t i = 0; i < tile->count[0]; i++)
            for (size_t k = 0; k < n; k++)
                column[k][i] = tile->product[i * COLS + j + k];
        for (size_t k = 0; k < n; k++)
            judge(contest, part,
                  &(struct stretch){column[k], 1, tile->first[1] + j + k,
                                    tile->first[0], tile->count[0]});
    }
}

static void take(void *context, size_t part, const ig_tile *tile)
{
    take_rows(context, part, tile);
    take_columns(context, part, tile);
}

/* Bring together what the parts found about a slice of the rows. */
static void end(void *context, size_t part)
{
    ig_contest *contest = context;
    const ig_products *of = contest->of;
    size_t first, last;

    for (size_t s = 0; s < 2; s++) {
        ig_contest_side *side = &contest->side[s];

        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t other = 1; other < of->parts; other++)
            for (uint32_t p = side->first[first]; p < side->first[last]; p++)
                side->beaten[p] |= side->beaten[other * contest->most + p];
    }
}

ig_consumer ig_contest_consumer(ig_contest *contest)
{
    return (ig_consumer){begin, take, end, contest};
}
