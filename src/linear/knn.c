/* The nearest rows of a pass over products. Of each row, a few more than wanted are
 * kept by their float products, and ordered by exact cosines at the end. */
#include "linear/knn.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* SPARE more are kept than are wanted, for the order of floats is not quite that of
 * doubles. */
enum { COLS = IG_TILE_COLS, SPARE = 2, MOST = IG_KNN_MOST + SPARE, GROUPS = 16 };

static const uint64_t WALL = UINT64_MAX;

ig_status ig_knn_init(ig_knn *knn, const ig_products *of, size_t k, ig_error *error)
{
    if (k > IG_KNN_MOST)
        return ig_fail(error, IG_SHAPE, "%zu nearest rows, but at most %d can be had",
                       k, IG_KNN_MOST);
    *knn = (ig_knn){.of = of, .k = k, .most = {of->most[0], of->most[1]}};
    for (size_t s = 0; s < 2; s++) {
        ig_knn_side *side = &knn->side[s];
        size_t rows = knn->most[s];

        side->nearest = ig_alloc(rows, k * sizeof *side->nearest);
        side->least = ig_alloc(of->parts * rows, sizeof *side->least);
        side->kept = ig_alloc(of->parts * rows, (1 + k + SPARE) * sizeof *side->kept);
        side->next = ig_alloc(rows, 2 * sizeof *side->next);
        if (!side->nearest || !side->least || !side->kept || !side->next) {
            ig_knn_free(knn);
            return ig_fail_memory(error, "the nearest rows");
        }
    }
    return IG_OK;
}

void ig_knn_free(ig_knn *knn)
{
    for (size_t s = 0; s < 2; s++) {
        ig_free(knn->side[s].nearest);
        ig_free(knn->side[s].least);
        ig_free(knn->side[s].kept);
        ig_free(knn->side[s].next);
    }
    *knn = (ig_knn){0};
}

/* What is kept of a row: a wall, which no candidate passes, and k + SPARE keys. */
static size_t places(const ig_knn *knn)
{
    return 1 + knn->k + SPARE;
}

/* What one part keeps of a side. */
struct share {
    float *least;
    uint64_t *kept;
};

static struct share share_of(const ig_knn *knn, size_t s, size_t part)
{
    size_t rows = part * knn->most[s];

    return (struct share){knn->side[s].least + rows,
                          knn->side[s].kept + rows * places(knn)};
}

/* A candidate as a whole number that is the greater the earlier it comes: by its score,
 * of equals by its name. 0 is none. */
static uint64_t key_of(float score, uint32_t name)
{
    uint32_t bits;

    memcpy(&bits, &score, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | ~name;
}

static float score_of(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float score;

    if (key == 0)
        return -INFINITY;
    bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
    memcpy(&score, &bits, sizeof score);
    return score;
}

static uint32_t name_of(const ig_products *of, uint32_t row)
{
    return of->name ? of->name[row] : row;
}

static uint32_t row_of(const ig_products *of, uint64_t key)
{
    uint32_t name = ~(uint32_t)key;

    return of->by_name ? of->by_name[name] : name;
}

/* Chain identical rows, each to the next of its like. */
static void chain(ig_knn_side *side, const ig_block *block, const uint32_t *by_name)
{
    size_t n = block->count;
    uint32_t *head = side->next + n;

    for (size_t i = 0; i < n; i++)
        head[i] = UINT32_MAX;
    for (size_t i = n; i-- > 0;) {
        uint32_t row = by_name ? by_name[i] : (uint32_t)i;

        side->next[row] = head[block->same[row]];
        head[block->same[row]] = row;
    }
}

static void begin(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_products *of = knn->of;
    size_t n = places(knn);

    for (size_t s = 0; s < ig_products_asking(of); s++) {
        ig_knn_side *side = &knn->side[s];
        struct share share = share_of(knn, s, part);
        size_t o = of->self ? s : !s, others = of->side[o].count - of->self;

        if (part == 0)
            side->k = knn->k < others ? knn->k : others;
        if (part == 0 && of->side[o].same)
            chain(&knn->side[o], &of->side[o], of->by_name);
        for (size_t i = 0; i < of->side[s].count; i++)
            share.least[i] = -INFINITY;
        for (size_t i = 0; i < of->side[s].count * n; i++)
            share.kept[i] = i % n ? 0 : WALL;
    }
}

/* --- what is kept of a tile ------------------------------------------------------- */

/* The k-th largest of n values `step` apart, or −∞ when there are fewer. The values are
 * the greatest of disjoint groups of products: so many products reach it, at least. */
static float floor_of(const float *top, size_t n, size_t step, size_t k)
{
    const ig_kernels *kernels = ig_kernels_best();
    uint64_t best[1 + MOST] = {WALL};

    for (size_t i = 0; i < n; i++)
        kernels->insert(best, k, key_of(top[i * step], (uint32_t)i));
    return score_of(best[k]);
}

/* What products must reach for scores to reach `least`, or a little less. */
static float limit_of(float least, float shift)
{
    return shift == 0 ? least : nextafterf(least - shift, -INFINITY);
}

/* A score is a product and what the tile's products lack to those of the pass. */
static float shift_of(const ig_knn *knn, const ig_tile *tile)
{
    return (float)(tile->base - knn->of->base);
}

/* Offer the products of row i of a tile to that row. */
static void offer_row(const ig_knn *knn, struct share share, const ig_tile *tile,
                      size_t i)
{
    const float *product = tile->product + i * COLS;
    size_t k = knn->k + SPARE, row = tile->first[0] + i, n = tile->count[1], count;
    uint64_t *kept = share.kept + row * places(knn);
    float shift = shift_of(knn, tile), limit;
    uint32_t place[COLS];

    if (share.least[row] == -INFINITY) {
        /* Nothing is kept yet: most need not be offered all the same. */
        float top[GROUPS];

        for (size_t g = 0; g < GROUPS; g++)
            top[g] = -INFINITY;
        for (size_t j = 0; j < n; j += GROUPS)
            knn->of->kernels->larger(product + j, n - j < GROUPS ? n - j : GROUPS, top);
        share.least[row] = floor_of(top, GROUPS, 1, k) + shift;
    }
    limit = limit_of(share.least[row], shift);
    count = knn->of->kernels->reach(product, &limit, 0, n, place);
    for (size_t c = 0; c < count; c++)
        knn->of->kernels->insert(
            kept, k,
            key_of(product[place[c]] + shift,
                   name_of(knn->of, (uint32_t)(tile->first[1] + place[c]))));
    if (score_of(kept[k]) > share.least[row])
        share.least[row] = score_of(kept[k]);
}

/* What columns must reach that have kept nothing yet. */
static void raise_floors(const ig_knn *knn, const ig_tile *tile, float *least)
{
    float top[GROUPS][COLS], shift = shift_of(knn, tile);

    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = 0; j < tile->count[1]; j++)
            top[g][j] = -INFINITY;
    for (size_t i = 0; i < tile->count[0]; i++)
        knn->of->kernels->larger(tile->product + i * COLS, tile->count[1],
                                 top[i % (GROUPS)]);
    for (size_t j = 0; j < tile->count[1]; j++)
        if (least[j] == -INFINITY)
            least[j] = floor_of(&top[0][j], GROUPS, COLS, knn->k + SPARE) + shift;
}

/* Offer the products of columns, which are rows too, to these: passed over row by
 * row, as they lie. */
static void offer_columns(const ig_knn *knn, struct share share, const ig_tile *tile)
{
    const ig_kernels *kernels = knn->of->kernels;
    size_t k = knn->k + SPARE, from = tile->first[1];
    float *least = share.least + from, limit[COLS], shift = shift_of(knn, tile);
    uint32_t place[COLS];

    if (*least == -INFINITY)
        raise_floors(knn, tile, least);
    for (size_t j = 0; j < tile->count[1]; j++)
        limit[j] = limit_of(least[j], shift);
    for (size_t i = 0; i < tile->count[0]; i++) {
        const float *product = tile->product + i * COLS;
        size_t count = kernels->reach(product, limit, 1, tile->count[1], place);
        uint32_t name = name_of(knn->of, (uint32_t)(tile->first[0] + i));

        for (size_t c = 0; c < count; c++) {
            size_t j = place[c];
            uint64_t *kept = share.kept + (from + j) * places(knn);

            kernels->insert(kept, k, key_of(product[j] + shift, name));
            if (score_of(kept[k]) > least[j]) {
                least[j] = score_of(kept[k]);
                limit[j] = limit_of(least[j], shift);
            }
        }
    }
}

static void take(void *context, size_t part, const ig_tile *tile)
{
    ig_knn *knn = context;
    struct share share = share_of(knn, 0, part);

    for (size_t i = 0; i < tile->count[0]; i++)
        offer_row(knn, share, tile, i);
    if (tile->columns)
        offer_columns(knn, share_of(knn, !knn->of->self, part), tile);
}

/* --- the end ---------------------------------------------------------------------- */

/* Put a candidate among the nearest so far, if it belongs there. */
static bool place(ig_candidate *near, size_t *count, size_t most, ig_candidate item,
                  const ig_products *of)
{
    size_t at = *count;

    while (at > 0 && (item.cosine > near[at - 1].cosine ||
                      (item.cosine == near[at - 1].cosine &&
                       name_of(of, item.row) < name_of(of, near[at - 1].row))))
        at--;
    if (at == most)
        return false;
    *count += *count < most;
    memmove(near + at + 1, near + at, (*count - 1 - at) * sizeof *near);
    near[at] = item;
    return true;
}

/* To a row of length 0 all others are equally near. */
static void conclude_zero(ig_knn *knn, size_t s, size_t row)
{
    const uint32_t *by_name = knn->of->by_name;
    ig_knn_side *side = &knn->side[s];
    size_t count = 0;

    for (size_t i = 0; count < side->k; i++) {
        uint32_t other = by_name ? by_name[i] : (uint32_t)i;

        if (!(knn->of->self && other == row))
            side->nearest[row * side->k + count++] = (ig_candidate){0, other};
    }
}

/* Order what is kept of a row by exact cosines, and pass on the best. Identical rows
 * are not told apart by what the order of a sum made of their products: the lowest are
 * taken. */
static void conclude_row(ig_knn *knn, size_t s, size_t row)
{
    const ig_products *of = knn->of;
    size_t o = of->self ? s : !s;
    ig_knn_side *side = &knn->side[s];
    const uint32_t *same = of->side[o].same, *next = knn->side[o].next;
    const uint32_t *head = next + of->side[o].count;
    const uint64_t *kept = side->kept + row * places(knn) + 1;
    size_t count = 0;

    for (size_t i = 0; i < knn->k + SPARE && kept[i]; i++) {
        uint32_t kept_row = row_of(of, kept[i]), is = same ? same[kept_row] : kept_row;
        double cosine;
        bool known = false;

        for (size_t j = 0; same && j < i && !known; j++)
            known = same[row_of(of, kept[j])] == is;
        if (known)
            continue;
        cosine = s ? ig_products_cosine(of, is, row) : ig_products_cosine(of, row, is);
        for (is = same ? head[is] : is; is != UINT32_MAX;
             is = same ? next[is] : UINT32_MAX)
            if (!(of->self && is == row) &&
                !place(side->nearest + row * side->k, &count, side->k,
                       (ig_candidate){cosine, is}, of))
                break;
    }
}

/* Gather what the parts found about a slice of the rows. */
static void end(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_products *of = knn->of;
    size_t n = places(knn), first, last;

    for (size_t s = 0; s < ig_products_asking(of); s++) {
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++) {
            for (size_t p = 1; p < of->parts; p++)
                for (size_t j = 1; j < n; j++)
                    of->kernels->insert(knn->side[s].kept + i * n, n - 1,
                                        share_of(knn, s, p).kept[i * n + j]);
            if (of->side[s].zero && of->side[s].zero[i])
                conclude_zero(knn, s, i);
            else
                conclude_row(knn, s, i);
        }
    }
}

/* Put what somebody kept of the rows of a side to what the first part has. */
static void add_kept(ig_knn *knn, size_t s, const uint64_t *kept)
{
    size_t n = places(knn);

    for (size_t i = 0; i < knn->of->side[s].count; i++)
        for (size_t j = 1; j < n; j++)
            if (kept[i * n + j])
                knn->of->kernels->insert(knn->side[s].kept + i * n, n - 1,
                                         kept[i * n + j]);
}

/* An order is total: it does not matter which rank a candidate comes from. */
static ig_status unite_side(ig_knn *knn, size_t s, ig_team *team, ig_error *error)
{
    size_t n = places(knn), items = knn->of->side[s].count * n;
    uint64_t *own = ig_alloc(items, sizeof *own);
    uint64_t *other = ig_alloc(items, sizeof *other);

    for (size_t p = 1; p < knn->of->parts; p++) {
        uint64_t *kept = share_of(knn, s, p).kept;

        add_kept(knn, s, kept);
        for (size_t i = 0; i < items; i++)
            kept[i] = i % n ? 0 : kept[i];
    }
    if (own && other)
        memcpy(own, knn->side[s].kept, items * sizeof *own);
    for (size_t r = 0; own && other && r < ig_team_ranks(team); r++) {
        bool mine = r == ig_team_rank(team);

        ig_team_give(team, r, mine ? own : other, items * sizeof *own);
        if (!mine)
            add_kept(knn, s, other);
    }
    ig_free(own);
    ig_free(other);
    return own && other ? IG_OK : ig_fail_memory(error, "the nearest rows");
}

static ig_status unite(void *context, ig_team *team, ig_error *error)
{
    ig_knn *knn = context;
    ig_status status = unite_side(knn, 0, team, error);

    return status == IG_OK && ig_products_asking(knn->of) == 2
               ? unite_side(knn, 1, team, error)
               : status;
}

ig_consumer ig_knn_consumer(ig_knn *knn)
{
    return (ig_consumer){begin, take, end, knn, unite};
}
