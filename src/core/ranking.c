/* Ranks over a scan of similarity blocks: rows that are certainly nearer than a target
 * are counted by float products, doubtful ones are decided in double. */
#include "core/ranking.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

enum { COLS = IG_TILE_COLS };

ig_status ig_ranking_init(ig_ranking *ranking, const ig_similarity_blocks *of,
                          size_t targets, ig_error *error)
{
    ig_arena *a = &ranking->arena;

    *ranking = (ig_ranking){.of = of};
    for (size_t s = 0; s < 2; s++) {
        ig_ranking_side *side = &ranking->side[s];
        bool asks = of->most[s] && !(s && of->one_way); /* a list with itself: once */
        size_t rows = asks ? of->most[s] : 0;

        ranking->most[s] = rows;
        side->cosine = ig_arena_array(a, asks ? targets : 0, sizeof *side->cosine);
        side->best = ig_arena_array(a, rows, sizeof *side->best);
        side->better = ig_arena_array(a, of->parts * rows, sizeof *side->better);
        side->tied = ig_arena_array(a, of->parts * rows, sizeof *side->tied);
    }
    return a->failed ? ig_fail_memory(error, "the ranks") : IG_OK;
}

void ig_ranking_free(ig_ranking *ranking)
{
    ig_arena_free(&ranking->arena);
    *ranking = (ig_ranking){0};
}

static size_t count_sides(const ig_ranking *ranking)
{
    return ig_similarity_blocks_asking(ranking->of);
}

/* Counts of one part for a side. */
struct share {
    uint32_t *better;
    uint8_t *tied;
};

static struct share share_of(const ig_ranking *ranking, size_t s, size_t part)
{
    return (struct share){ranking->side[s].better + part * ranking->most[s],
                          ranking->side[s].tied + part * ranking->most[s]};
}

/* Products above `high` are certainly nearer than the target, those not above `low`
 * certainly farther. */
struct doubt {
    float high, low;
};

static struct doubt doubt_of(const ig_tile *tile, double cosine)
{
    double product = cosine - tile->base, by = IG_COSINE_EQUAL + tile->blur;

    return (struct doubt){(float)(product + by), (float)(product - by)};
}

/* Exact cosines of the targets of rows first … last − 1, and the nearest of each row:
 * before the run sets the base of its products. */
static void find_cosines(ig_ranking *ranking, size_t part, size_t s, size_t first,
                         size_t last)
{
    ig_ranking_side *side = &ranking->side[s];

    for (size_t i = first; i < last; i++) {
        side->best[i] = side->first[i];
        for (uint32_t p = side->first[i]; p < side->first[i + 1]; p++) {
            side->cosine[p] = ig_similarity_blocks_cosine_at(ranking->of, part, s, i,
                                                             side->target[p]);
            if (side->cosine[p] > side->cosine[side->best[i]])
                side->best[i] = p;
        }
    }
}

static void begin_scan(void *context, size_t part)
{
    ig_ranking *ranking = context;
    size_t first, last;

    for (size_t s = 0; s < count_sides(ranking); s++) {
        size_t rows = ranking->of->side[s].count;
        struct share share = share_of(ranking, s, part);

        memset(share.better, 0, rows * sizeof *share.better);
        memset(share.tied, 0, rows);
        ig_pool_slice(rows, 1, part, ranking->of->parts, &first, &last);
        find_cosines(ranking, part, s, first, last);
    }
}

/* --- counting in a tile ----------------------------------------------------------- */

static bool is_target(const ig_ranking_side *side, size_t row, size_t other)
{
    bool is = false;

    for (uint32_t p = side->first[row]; p < side->first[row + 1] && !is; p++)
        is = side->target[p] == other;
    return is;
}

/* Count for row `at` of a face of a tile: `above` products are certainly nearer than
 * its nearest target, `maybe` are nearer or in doubt. */
static void count_nearer(const ig_ranking *ranking, size_t part, const ig_tile *tile,
                         size_t face, size_t at, uint32_t above, uint32_t maybe)
{
    const ig_similarity_blocks *of = ranking->of;
    size_t asks = face && !of->self, other = ig_similarity_blocks_other(of, asks);
    const ig_ranking_side *side = &ranking->side[asks];
    const uint32_t *same = of->points->same, *place = of->side[other].place;
    size_t n = tile->count[!face], row = tile->first[face] + at;
    size_t first = tile->first[!face], target = side->target[side->best[row]];
    const float *product = tile->product[face] + at * COLS;
    double cosine = side->cosine[side->best[row]], sure = IG_COSINE_EQUAL - tile->blur;
    struct doubt doubt = doubt_of(tile, cosine);
    struct share share = share_of(ranking, asks, part);
    uint32_t left = maybe - above;

    /* The targets are not in doubt: none is nearer than the nearest. */
    for (uint32_t p = side->first[row]; left && p < side->first[row + 1]; p++)
        if (side->target[p] >= first && side->target[p] - first < n) {
            float own = product[side->target[p] - first];

            left -= own > doubt.low && !(own > doubt.high);
        }
    for (size_t j = 0; left && j < n; j++) {
        float x = product[j];
        double by = 0;

        if (!(x > doubt.low) || x > doubt.high || is_target(side, row, first + j))
            continue;
        left--;
        if (!(same && same[place[first + j]] == same[place[target]]) &&
            !(fabs((double)x + tile->base - cosine) < sure))
            by = ig_similarity_blocks_cosine(of, part, asks, row,
                                             (uint32_t)(first + j)) -
                 cosine;
        above += by > IG_COSINE_EQUAL;
        share.tied[row] |= fabs(by) <= IG_COSINE_EQUAL;
    }
    share.better[row] += above;
}

static void count_tile(void *context, size_t part, const ig_tile *tile)
{
    const ig_ranking *ranking = context;
    const ig_kernels *kernels = ranking->of->kernels;

    for (size_t face = 0; face < 2 && ig_tile_face(tile, face); face++) {
        const ig_ranking_side *side = &ranking->side[face && !ranking->of->self];
        size_t n = tile->count[!face];

        for (size_t i = 0; i < tile->count[face]; i++) {
            const float *product = tile->product[face] + i * COLS;
            size_t row = tile->first[face] + i;
            struct doubt doubt;

            if (side->first[row] == side->first[row + 1])
                continue;
            doubt = doubt_of(tile, side->cosine[side->best[row]]);
            if (tile->most[face][i] > doubt.low)
                count_nearer(ranking, part, tile, face, i,
                             kernels->count_gt(product, doubt.high, n),
                             kernels->count_gt(product, doubt.low, n));
        }
    }
}

/* Move the counts of all parts for rows first … last − 1 of a side to part 0. */
static void merge_rows(const ig_ranking *ranking, size_t s, size_t first, size_t last)
{
    const ig_ranking_side *side = &ranking->side[s];

    for (size_t other = 1; other < ranking->of->parts; other++) {
        struct share share = share_of(ranking, s, other);

        for (size_t i = first; i < last; i++) {
            side->better[i] += share.better[i];
            side->tied[i] |= share.tied[i];
            share.better[i] = share.tied[i] = 0;
        }
    }
}

static void merge_slice(void *context, size_t part)
{
    const ig_ranking *ranking = context;
    size_t first, last;

    for (size_t s = 0; s < count_sides(ranking); s++) {
        ig_pool_slice(ranking->of->side[s].count, 1, part, ranking->of->parts, &first,
                      &last);
        merge_rows(ranking, s, first, last);
    }
}

static ig_status merge_processes(void *context, ig_comm *team, ig_error *error)
{
    const ig_ranking *ranking = context;

    (void)error;
    for (size_t s = 0; s < count_sides(ranking); s++) {
        size_t rows = ranking->of->side[s].count;

        merge_rows(ranking, s, 0, rows);
        ig_comm_sum32(team, ranking->side[s].better, rows);
        ig_comm_join_bits(team, ranking->side[s].tied, rows);
    }
    return IG_OK;
}

ig_consumer ig_ranking_consumer(ig_ranking *ranking)
{
    return (ig_consumer){begin_scan, count_tile, merge_slice, ranking, merge_processes};
}
