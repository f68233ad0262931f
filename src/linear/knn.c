/* The nearest rows of a pass over products. Of each row, a few more than wanted are
 * kept by their float products, and ordered by exact cosines at the end. */
#include "linear/knn.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* SPARE more are kept than are wanted, for the order of floats is not quite that of
 * doubles. */
enum { COLS = IG_TILE_COLS, SPARE = 2, MOST = IG_KNN_MOST + SPARE, GROUPS = 16 };

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
        side->kept = ig_alloc(of->parts * rows, (k + SPARE) * sizeof *side->kept);
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

/* What one part keeps of a side. */
struct share {
    float *least;
    ig_scored *kept;
};

static struct share share_of(const ig_knn *knn, size_t s, size_t part)
{
    size_t rows = part * knn->most[s];

    return (struct share){knn->side[s].least + rows,
                          knn->side[s].kept + rows * (knn->k + SPARE)};
}

/* Put a candidate among the k kept, best first, if it belongs there: a total order, so
 * that it does not matter who came first. */
static void keep(ig_scored *kept, size_t k, ig_scored item)
{
    size_t i = k - 1;

    if (!(item.score > kept[i].score ||
          (item.score == kept[i].score && item.row < kept[i].row)))
        return;
    for (; i > 0 && (item.score > kept[i - 1].score ||
                     (item.score == kept[i - 1].score && item.row < kept[i - 1].row));
         i--)
        kept[i] = kept[i - 1];
    kept[i] = item;
}

/* Chain identical rows, ascending, each to the next. */
static void chain(ig_knn_side *side, const ig_block *block)
{
    size_t n = block->count;
    uint32_t *head = side->next + n;

    for (size_t i = 0; i < n; i++)
        head[i] = UINT32_MAX;
    for (size_t i = n; i-- > 0;) {
        side->next[i] = head[block->same[i]];
        head[block->same[i]] = (uint32_t)i;
    }
}

static void begin(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_products *of = knn->of;
    size_t k = knn->k + SPARE;

    for (size_t s = 0; s < (of->self ? 1 : 2); s++) {
        ig_knn_side *side = &knn->side[s];
        struct share share = share_of(knn, s, part);
        size_t others = of->side[of->self ? s : !s].count - of->self;

        if (part == 0)
            side->k = knn->k < others ? knn->k : others;
        if (part == 0 && of->side[s].same)
            chain(side, &of->side[s]);
        for (size_t i = 0; i < of->side[s].count; i++)
            share.least[i] = -INFINITY;
        for (size_t i = 0; i < of->side[s].count * k; i++)
            share.kept[i] = (ig_scored){-INFINITY, UINT32_MAX};
    }
}

/* --- what is kept of a tile ------------------------------------------------------- */

/* The k-th largest of n values `step` apart, or −∞ when there are fewer. The values are
 * the greatest of disjoint groups of products: so many products reach it, at least. */
static float floor_of(const float *top, size_t n, size_t step, size_t k)
{
    ig_scored best[MOST];

    for (size_t i = 0; i < k; i++)
        best[i] = (ig_scored){-INFINITY, UINT32_MAX};
    for (size_t i = 0; i < n; i++)
        keep(best, k, (ig_scored){top[i * step], (uint32_t)i});
    return best[k - 1].score;
}

/* Offer the products of a row to that row. */
static void offer_row(const ig_knn *knn, struct share share, size_t row,
                      const float *product, size_t first, size_t n)
{
    size_t k = knn->k + SPARE, count;
    ig_scored *kept = share.kept + row * k;
    uint32_t place[COLS];

    if (share.least[row] == -INFINITY) {
        /* Nothing is kept yet: most need not be offered all the same. */
        float top[GROUPS];

        for (size_t g = 0; g < GROUPS; g++)
            top[g] = -INFINITY;
        for (size_t j = 0; j < n; j += GROUPS)
            knn->of->kernels->larger(product + j, n - j < GROUPS ? n - j : GROUPS, top);
        share.least[row] = floor_of(top, GROUPS, 1, k);
    }
    count = knn->of->kernels->reach(product, &share.least[row], 0, n, place);
    for (size_t c = 0; c < count; c++)
        keep(kept, k, (ig_scored){product[place[c]], (uint32_t)(first + place[c])});
    if (kept[k - 1].score > share.least[row])
        share.least[row] = kept[k - 1].score;
}

/* What columns must reach that have kept nothing yet. */
static void raise_floors(const ig_knn *knn, const ig_tile *tile, float *least)
{
    float top[GROUPS][COLS];

    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = 0; j < tile->count[1]; j++)
            top[g][j] = -INFINITY;
    for (size_t i = 0; i < tile->count[0]; i++)
        knn->of->kernels->larger(tile->product + i * COLS, tile->count[1],
                                 top[i % (GROUPS)]);
    for (size_t j = 0; j < tile->count[1]; j++)
        least[j] = floor_of(&top[0][j], GROUPS, COLS, knn->k + SPARE);
}

/* Offer the products of columns, which are rows too, to these: passed over row by
 * row, as they lie. */
static void offer_columns(const ig_knn *knn, struct share share, const ig_tile *tile)
{
    const ig_kernels *kernels = knn->of->kernels;
    size_t k = knn->k + SPARE, from = tile->first[1];
    uint32_t place[COLS];

    if (share.least[from] == -INFINITY)
        raise_floors(knn, tile, share.least + from);
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
    }
}

static void take(void *context, size_t part, const ig_tile *tile)
{
    ig_knn *knn = context;
    struct share share = share_of(knn, 0, part);

    for (size_t i = 0; i < tile->count[0]; i++)
        offer_row(knn, share, tile->first[0] + i, tile->product + i * COLS,
                  tile->first[1], tile->count[1]);
    if (tile->columns)
        offer_columns(knn, share_of(knn, !knn->of->self, part), tile);
}

/* --- the end ---------------------------------------------------------------------- */

/* Put a candidate among the nearest so far, if it belongs there. */
static bool place(ig_candidate *near, size_t *count, size_t most, ig_candidate item)
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
static void conclude_row(ig_knn *knn, size_t s, size_t row)
{
    const ig_products *of = knn->of;
    size_t o = of->self ? s : !s;
    ig_knn_side *side = &knn->side[s];
    const uint32_t *same = of->side[o].same, *next = knn->side[o].next;
    const ig_scored *kept = side->kept + row * (knn->k + SPARE);
    size_t count = 0;

    for (size_t i = 0; i < knn->k + SPARE && kept[i].row != UINT32_MAX; i++) {
        uint32_t is = same ? same[kept[i].row] : kept[i].row;
        double cosine;
        bool known = false;

        for (size_t j = 0; same && j < i && !known; j++)
            known = same[kept[j].row] == is;
        if (known)
            continue;
        cosine = s ? ig_products_cosine(of, is, row) : ig_products_cosine(of, row, is);
        for (; is != UINT32_MAX; is = same ? next[is] : UINT32_MAX)
            if (!(of->self && is == row) &&
                !place(side->nearest + row * side->k, &count, side->k,
                       (ig_candidate){cosine, is}))
                break;
    }
}

/* Gather what the parts found about a slice of the rows. */
static void end(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_products *of = knn->of;
    size_t k = knn->k + SPARE, first, last;

    for (size_t s = 0; s < (of->self ? 1 : 2); s++) {
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++) {
            for (size_t p = 1; p < of->parts; p++)
                for (size_t j = 0; j < k; j++)
                    keep(knn->side[s].kept + i * k, k,
                         share_of(knn, s, p).kept[i * k + j]);
            conclude_row(knn, s, i);
        }
    }
}

ig_consumer ig_knn_consumer(ig_knn *knn)
{
    return (ig_consumer){begin, take, end, knn};
}
