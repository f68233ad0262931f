/* Decides for each row whether another one ranks before its target, over a scan of
 * similarity blocks. Floats decide where the largest score of a row is clear of the
 * limit, doubles where it is not. */
#include "core/csls.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

enum { COLS = IG_TILE_COLS, BAND = 64 };

ig_status ig_csls_init(ig_csls *csls, const ig_similarity_blocks *of, ig_error *error)
{
    ig_arena *a = &csls->arena;

    *csls = (ig_csls){.of = of};
    for (size_t s = 0; s < 2; s++) {
        ig_csls_side *side = &csls->side[s];

        side->outranked = ig_arena_array(a, of->parts * of->most[s], 1);
        side->weight = ig_arena_array(a, of->most[s], sizeof *side->weight);
        side->least = ig_arena_array(a, of->most[s] / BAND + 1, sizeof *side->least);
    }
    return a->failed ? ig_fail_memory(error, "CSLS re-ranking") : IG_OK;
}

void ig_csls_free(ig_csls *csls)
{
    ig_arena_free(&csls->arena);
    *csls = (ig_csls){0};
}

/* What a part has found of a side. */
static uint8_t *outranked_of(const ig_csls *csls, size_t s, size_t part)
{
    return csls->side[s].outranked + part * csls->of->most[s];
}

/* Store the penalties as floats relative to row 0: equal penalties then lose no
 * precision. */
static void begin_scan(void *context, size_t part)
{
    ig_csls *csls = context;
    size_t first, last;

    for (size_t s = 0; s < 2; s++) {
        ig_csls_side *side = &csls->side[s];
        size_t rows = csls->of->side[s].count;
        double spread = 0;

        memset(outranked_of(csls, s, part), 0, rows);
        ig_pool_slice(rows, 1, part, csls->of->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            side->weight[i] = (float)(side->penalty[i] - side->penalty[0]);
        for (size_t i = 0; part == 0 && i < rows; i++)
            spread = fmax(spread, fabs(side->penalty[i] - side->penalty[0]));
        for (size_t i = 0; part == 0 && i < rows; i++) {
            float *least = &side->least[i / BAND];

            *least = i % BAND == 0 ||
                             (float)(side->penalty[i] - side->penalty[0]) < *least
                         ? (float)(side->penalty[i] - side->penalty[0])
                         : *least;
        }
        if (part == 0)
            side->spread = spread;
    }
}

/* Consecutive products of one row of list `s` with rows first … of the other. */
struct stretch {
    const float *product;
    size_t s, row, first, count;
    float most; /* the largest product */
};

/* The limit that a score must exceed to outrank the target, and the error bound of
 * float scores; both without the penalty of row 0. */
struct limit {
    double slope, score, error;
};

/* True if a product in [from, to) certainly exceeds the limit. Doubtful ones are
 * recomputed in double. The range must exclude the target. */
static bool outranks(const ig_csls *csls, size_t part, const struct stretch *at,
                     const struct limit *limit, size_t from, size_t to)
{
    const ig_similarity_blocks *of = csls->of;
    const ig_csls_side *other = &csls->side[!at->s];
    const float *weight = other->weight + at->first;
    float most;

    if (from >= to)
        return false;
    most = of->kernels->max_diff(at->product + from, weight + from, (float)limit->slope,
                                 to - from);
    if ((double)most > limit->score + limit->error)
        return true;
    if ((double)most <= limit->score - limit->error)
        return false;
    for (size_t j = from; j < to; j++) {
        double x = (double)at->product[j] - limit->slope * (double)weight[j];
        size_t row = at->first + j;
        double cosine;

        if (x <= limit->score - limit->error)
            continue;
        cosine = ig_similarity_blocks_cosine(of, part, at->s, at->row, (uint32_t)row);
        if (cosine - of->base -
                limit->slope * (other->penalty[row] - other->penalty[0]) >
            limit->score)
            return true;
    }
    return false;
}

static struct limit limit_of(const ig_csls *csls, size_t s, size_t row)
{
    const ig_csls_side *side = &csls->side[s], *other = &csls->side[!s];
    double slope = side->slope ? side->slope[row] : 1;

    return (struct limit){
        .slope = slope,
        .score = side->cosine[row] - csls->of->base + IG_COSINE_EQUAL -
                 slope * (other->penalty[side->target[row]] - other->penalty[0]),
        .error = csls->of->blur + 0x1p-22 * fabs(slope) * other->spread,
    };
}

/* True if any of `count` rows from `first`, whose products are at most `max`, can
 * outrank a target. */
static bool may_outrank(const ig_csls *csls, size_t s, const struct limit *limit,
                        float most, size_t first, size_t count)
{
    const float *least = csls->side[!s].least;
    float lightest = least[first / BAND];

    for (size_t b = first / BAND; b * BAND < first + count; b++)
        lightest = least[b] < lightest ? least[b] : lightest;
    return limit->slope < 0 ||
           (double)most - limit->slope * (double)lightest > limit->score - limit->error;
}

static void check_row(ig_csls *csls, size_t part, const struct stretch *at)
{
    uint8_t *outranked = outranked_of(csls, at->s, part) + at->row;
    size_t target = csls->side[at->s].target[at->row];
    size_t skip = target >= at->first && target - at->first < at->count
                      ? target - at->first
                      : at->count;
    struct limit limit;

    if (target == UINT32_MAX || *outranked)
        return;
    limit = limit_of(csls, at->s, at->row);
    if (may_outrank(csls, at->s, &limit, at->most, at->first, at->count))
        *outranked = outranks(csls, part, at, &limit, 0, skip) ||
                     outranks(csls, part, at, &limit, skip + 1, at->count);
}

static void check_tile(void *context, size_t part, const ig_tile *tile)
{
    for (size_t s = 0; s < 2 && ig_tile_face(tile, s); s++)
        for (size_t i = 0; i < tile->count[s]; i++)
            check_row(context, part,
                      &(struct stretch){tile->product[s] + i * COLS, s,
                                        tile->first[s] + i, tile->first[!s],
                                        tile->count[!s], tile->most[s][i]});
}

/* Merge the results of all parts for rows first … last − 1 of a side into part 0. */
static void merge_rows(const ig_csls *csls, size_t s, size_t first, size_t last)
{
    for (size_t other = 1; other < csls->of->parts; other++)
        for (size_t i = first; i < last; i++)
            csls->side[s].outranked[i] |= outranked_of(csls, s, other)[i];
}

static void merge_slice(void *context, size_t part)
{
    const ig_csls *csls = context;
    size_t first, last;

    for (size_t s = 0; s < 2; s++) {
        ig_pool_slice(csls->of->side[s].count, 1, part, csls->of->parts, &first, &last);
        merge_rows(csls, s, first, last);
    }
}

/* merge_slice merges once more, which changes nothing. */
static ig_status merge_processes(void *context, ig_comm *team, ig_error *error)
{
    ig_csls *csls = context;

    (void)error;
    for (size_t s = 0; s < 2; s++) {
        merge_rows(csls, s, 0, csls->of->side[s].count);
        ig_comm_join_bits(team, csls->side[s].outranked, csls->of->side[s].count);
    }
    return IG_OK;
}

ig_consumer ig_csls_consumer(ig_csls *csls)
{
    return (ig_consumer){begin_scan, check_tile, merge_slice, csls, merge_processes};
}
