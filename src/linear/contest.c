/* Whether truths are beaten, over a pass over products: the greatest float of a row
 * decides where it is clear, and doubles where it is not. */
#include "linear/contest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum {
    ROWS = IG_TILE_ROWS,
    COLS = IG_TILE_COLS,
    BAND = IG_TILE_BAND,
    FEW = 64 /* columns that are looked at one by one */
};

#define SEVERAL (UINT32_MAX - 1)
#define NONE    UINT32_MAX

ig_status ig_contest_init(ig_contest *contest, const ig_products *of, size_t probes,
                          ig_error *error)
{
    *contest = (ig_contest){.of = of, .most = probes};
    for (size_t s = 0; s < 2; s++) {
        ig_contest_side *side = &contest->side[s];

        side->beaten = ig_alloc(of->parts * probes, sizeof *side->beaten);
        side->weight = ig_alloc(of->most[s], sizeof *side->weight);
        side->least = ig_alloc(of->most[s] / BAND + 1, sizeof *side->least);
        if (!side->beaten || !side->weight || !side->least) {
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
        ig_free(contest->side[s].least);
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
        for (size_t i = 0; part == 0 && i < rows; i++) {
            float *least = &side->least[i / BAND];

            *least = i % BAND == 0 ||
                             (float)(side->handicap[i] - side->handicap[0]) < *least
                         ? (float)(side->handicap[i] - side->handicap[0])
                         : *least;
        }
        if (part == 0)
            side->spread = spread;
    }
}

/* A stretch of the products of one row, as they lie: with rows first … of the other
 * side. */
struct stretch {
    const float *product;
    size_t s, row, first, count;
    float most; /* the greatest of them */
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

static struct stake stake_of(const ig_contest *contest, size_t s, uint32_t probe)
{
    const ig_contest_side *side = &contest->side[s], *other = &contest->side[!s];
    double slope = side->slope ? side->slope[probe] : 1;

    return (struct stake){
        .slope = slope,
        .limit = side->cosine[probe] - contest->of->base + IG_COSINE_EQUAL -
                 slope * (other->handicap[side->truth[probe]] - other->handicap[0]),
        .doubt = contest->of->blur + 0x1p-22 * fabs(slope) * other->spread,
    };
}

/* Whether any of `count` rows from `first` on, whose products are not above `most`, can
 * come before a truth. */
static bool may_beat(const ig_contest *contest, size_t s, const struct stake *stake,
                     float most, size_t first, size_t count)
{
    const float *least = contest->side[!s].least;
    float lightest = least[first / BAND];

    for (size_t b = first / BAND; b * BAND < first + count; b++)
        lightest = least[b] < lightest ? least[b] : lightest;
    return stake->slope < 0 ||
           (double)most - stake->slope * (double)lightest > stake->limit - stake->doubt;
}

/* Whether any of them can come before the truth of any open probe. */
static bool any_may_beat(const ig_contest *contest, size_t part,
                         const struct stretch *at)
{
    const ig_contest_side *side = &contest->side[at->s];
    const uint8_t *beaten = side->beaten + part * contest->most;
    bool any = false;

    for (uint32_t p = side->first[at->row]; p < side->first[at->row + 1] && !any; p++)
        if (side->open[p] && !beaten[p]) {
            struct stake stake = stake_of(contest, at->s, p);

            any = may_beat(contest, at->s, &stake, at->most, at->first, at->count);
        }
    return any;
}

/* What the products of a row say to its probes. */
static void judge(ig_contest *contest, size_t part, const struct stretch *at)
{
    const ig_contest_side *side = &contest->side[at->s];
    uint8_t *beaten = side->beaten + part * contest->most;

    for (uint32_t p = side->first[at->row]; p < side->first[at->row + 1]; p++) {
        size_t truth = side->truth[p];
        struct stake stake;
        size_t skip = truth >= at->first && truth - at->first < at->count
                          ? truth - at->first
                          : at->count;

        if (!side->open[p] || beaten[p])
            continue;
        stake = stake_of(contest, at->s, p);
        if (!may_beat(contest, at->s, &stake, at->most, at->first, at->count))
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
                                tile->first[1], tile->count[1], tile->most[i]});
}

/* The open probe of a row, NONE, or SEVERAL. */
static uint32_t open_of(const ig_contest_side *side, const uint8_t *beaten, size_t row)
{
    uint32_t is = NONE;

    for (uint32_t p = side->first[row]; p < side->first[row + 1]; p++)
        if (side->open[p] && !beaten[p])
            is = is == NONE ? p : SEVERAL;
    return is;
}

/* Whether any row of a tile can come before a truth of column j. */
static bool column_may_be_beaten(const ig_contest *contest, const ig_tile *tile,
                                 const struct stake *stake, size_t j)
{
    bool may = false;

    for (size_t i = 0; i < tile->count[0] && !may; i += BAND)
        may = may_beat(contest, 1, stake, tile->top[i / BAND * COLS + j],
                       tile->first[0] + i, 1);
    return may;
}

/* A column is laid out as a row, a band of it at a time: in most no row is near. */
static void judge_column(ig_contest *contest, size_t part, const ig_tile *tile,
                         size_t j)
{
    float column[BAND];

    for (size_t i = 0; i < tile->count[0]; i += BAND) {
        struct stretch at = {column,
                             1,
                             tile->first[1] + j,
                             tile->first[0] + i,
                             tile->count[0] - i < BAND ? tile->count[0] - i : BAND,
                             tile->top[i / BAND * COLS + j]};

        if (!any_may_beat(contest, part, &at))
            continue;
        for (size_t r = 0; r < at.count; r++)
            column[r] = tile->product[(i + r) * COLS + j];
        judge(contest, part, &at);
    }
}

/* The greatest of each column, but for the truths of the probes: passed over row by
 * row, as they lie. */
static void take_greatest(const ig_contest *contest, const ig_tile *tile,
                          const uint32_t *probe, float *top)
{
    const ig_contest_side *side = &contest->side[1], *other = &contest->side[0];
    float slope[COLS], truth[COLS];
    size_t n = tile->count[1];

    for (size_t j = 0; j < n; j++) {
        size_t at = probe[j] < SEVERAL ? side->truth[probe[j]] - tile->first[0] : ROWS;

        top[j] = -INFINITY;
        slope[j] = probe[j] < SEVERAL && side->slope ? (float)side->slope[probe[j]] : 1;
        if (at < tile->count[0]) {
            truth[j] = tile->product[at * COLS + j];
            tile->product[at * COLS + j] = -INFINITY;
        }
    }
    for (size_t i = 0; i < tile->count[0]; i++)
        contest->of->kernels->surpass(tile->product + i * COLS, slope,
                                      other->weight[tile->first[0] + i], n, top);
    for (size_t j = 0; j < n; j++) {
        size_t at = probe[j] < SEVERAL ? side->truth[probe[j]] - tile->first[0] : ROWS;

        if (at < tile->count[0])
            tile->product[at * COLS + j] = truth[j];
    }
}

/* Columns whose greatest is clear are done with; others are looked at each. */
static void take_columns(ig_contest *contest, size_t part, const ig_tile *tile)
{
    uint8_t *beaten = contest->side[1].beaten + part * contest->most;
    uint32_t probe[COLS];
    float top[COLS];
    size_t open = 0;

    for (size_t j = 0; j < tile->count[1]; j++) {
        struct stake stake;

        probe[j] = open_of(&contest->side[1], beaten, tile->first[1] + j);
        if (probe[j] < SEVERAL) {
            stake = stake_of(contest, 1, probe[j]);
            if (!column_may_be_beaten(contest, tile, &stake, j))
                probe[j] = NONE;
        }
        open += probe[j] != NONE;
    }
    if (open <= FEW) {
        for (size_t j = 0; open && j < tile->count[1]; j++)
            if (probe[j] != NONE)
                judge_column(contest, part, tile, j);
        return;
    }
    take_greatest(contest, tile, probe, top);
    for (size_t j = 0; j < tile->count[1]; j++) {
        struct stake stake;

        if (probe[j] == NONE)
            continue;
        if (probe[j] < SEVERAL) {
            stake = stake_of(contest, 1, probe[j]);
            if ((double)top[j] > stake.limit + stake.doubt)
                beaten[probe[j]] = 1;
            if (!(fabs((double)top[j] - stake.limit) <= stake.doubt))
                continue;
        }
        judge_column(contest, part, tile, j);
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

/* What any part of any rank has found is the first part's then. */
static ig_status unite(void *context, ig_team *team, ig_error *error)
{
    ig_contest *contest = context;
    const ig_products *of = contest->of;

    (void)error;
    for (size_t s = 0; s < 2; s++) {
        ig_contest_side *side = &contest->side[s];
        size_t probes = side->first[of->side[s].count];

        for (size_t other = 1; other < of->parts; other++) {
            uint8_t *beaten = side->beaten + other * contest->most;

            for (size_t p = 0; p < probes; p++)
                side->beaten[p] |= beaten[p];
            memset(beaten, 0, probes);
        }
        ig_team_join_bits(team, side->beaten, probes);
    }
    return IG_OK;
}

ig_consumer ig_contest_consumer(ig_contest *contest)
{
    return (ig_consumer){begin, take, end, contest, unite};
}
