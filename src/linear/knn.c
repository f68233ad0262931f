/* The nearest rows of a pass over products. Of each row a list is kept of those whose
 * float products leave it possible that they are among the nearest; a list that is full
 * loses those that cannot be any more. At the end exact cosines decide. */
#include "linear/knn.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum {
    COLS = IG_TILE_COLS,
    BAND = IG_TILE_BAND,
    WIDE = 128, /* columns that are passed over together where none is near */
    ROOM = IG_KNN_ROOM,
    RUN = IG_TILE_ROWS,
    GROUPS = 32, /* of the products of a first tile */
    SPARE = 2,   /* more are kept than are wanted where too many are equal */
    CROWD = 24   /* so many left are too many */
};

ig_status ig_knn_init(ig_knn *knn, const ig_products *of, size_t k, ig_error *error)
{
    bool ready;

    if (k > IG_KNN_MOST)
        return ig_fail(error, IG_SHAPE, "%zu nearest rows, but at most %d can be had",
                       k, IG_KNN_MOST);
    *knn = (ig_knn){.of = of, .k = k, .most = {of->most[0], of->most[1]}};
    ready = true;
    for (size_t s = 0; s < 2 && ready; s++) {
        ig_knn_side *side = &knn->side[s];
        size_t rows = knn->most[s];

        side->nearest = ig_alloc(rows, k * sizeof *side->nearest);
        side->least = ig_alloc(rows, sizeof *side->least);
        side->list = ig_alloc(rows, sizeof *side->list);
        side->run = ig_alloc(rows / RUN + 1, sizeof *side->run);
        side->next = ig_alloc(rows, 2 * sizeof *side->next);
        ready = side->nearest && side->least && side->list && side->run && side->next;
        for (size_t r = 0; ready && r < rows / RUN + 1; r++)
            side->run[r].lock = (ig_lock)IG_LOCK_OPEN;
    }
    if (!ready)
        ig_knn_free(knn);
    return ready ? IG_OK : ig_fail_memory(error, "the nearest rows");
}

void ig_knn_free(ig_knn *knn)
{
    for (size_t s = 0; s < 2; s++) {
        ig_free(knn->side[s].nearest);
        ig_free(knn->side[s].least);
        ig_free(knn->side[s].list);
        ig_free(knn->side[s].run);
        ig_free(knn->side[s].next);
    }
    *knn = (ig_knn){0};
}

/* Rows first … of a side for this part alone, `count` of them. Returns how far a score
 * in their lists may be off, with those of products that are off by `blur`. Parts that
 * take what lies in several runs do so in one order. */
static double hold(ig_knn_side *side, size_t first, size_t count, double blur)
{
    size_t last = (first + count - 1) / RUN;

    for (size_t r = first / RUN; r <= last; r++) {
        ig_lock_take(&side->run[r].lock);
        blur = fmax(blur, side->run[r].blur);
    }
    for (size_t r = first / RUN; r <= last; r++)
        side->run[r].blur = blur;
    return blur;
}

static void release(ig_knn_side *side, size_t first, size_t count)
{
    for (size_t r = first / RUN; r <= (first + count - 1) / RUN; r++)
        ig_lock_give(&side->run[r].lock);
}

static uint32_t name_of(const ig_products *of, uint32_t row)
{
    return of->name ? of->name[row] : row;
}

static uint32_t row_of(const ig_products *of, uint32_t name)
{
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

    for (size_t s = 0; s < ig_products_asking(of); s++) {
        ig_knn_side *side = &knn->side[s];
        size_t o = of->self ? s : !s, others = of->side[o].count - of->self;
        size_t first, last;

        if (part == 0)
            side->k = knn->k < others ? knn->k : others;
        if (part == 0 && of->side[o].same)
            chain(&knn->side[o], &of->side[o], of->by_name);
        for (size_t r = 0; part == 0 && r < knn->most[s] / RUN + 1; r++)
            side->run[r].blur = 0;
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++) {
            side->least[i] = -INFINITY;
            if (side->list[i].count) /* what never had any takes no memory */
                side->list[i].count = 0;
        }
    }
}

/* --- lists ------------------------------------------------------------------------ */

/* Keep the first few by score, of equals by name. */
static void keep_first(ig_knn_list *list, size_t most)
{
    for (uint32_t i = 1; i < list->count; i++) {
        float score = list->score[i];
        uint32_t name = list->name[i], at = i;

        for (; at > 0 && (score > list->score[at - 1] ||
                          (score == list->score[at - 1] && name < list->name[at - 1]));
             at--) {
            list->score[at] = list->score[at - 1];
            list->name[at] = list->name[at - 1];
        }
        list->score[at] = score;
        list->name[at] = name;
    }
    list->count = list->count < most ? list->count : (uint32_t)most;
}

/* A bit below a float. */
static float below(double x)
{
    return nextafterf((float)x, -INFINITY);
}

/* Of a full list, keep whoever may still be among the nearest: k rows have a score of
 * `reached`, at least, and scores are off by `blur` at most. */
static void prune(const ig_knn *knn, ig_knn_list *list, float *least, double blur)
{
    const ig_kernels *kernels = knn->of->kernels;
    float reached = kernels->quorum(list->score, list->count, knn->k, knn->k + SPARE);
    float sure = below((double)reached - blur);

    list->count = (uint32_t)kernels->winnow(list->score, list->name, list->count,
                                            below((double)reached - 2 * blur));
    if (list->count > CROWD)
        keep_first(list, knn->k + SPARE);
    if (sure > *least)
        *least = sure;
}

/* Put a candidate into a list; a row's product with itself is none.
 *   blur  in  the greatest so far */
static void add(const ig_knn *knn, ig_knn_list *list, float *least, double blur,
                float score, uint32_t name)
{
    if (list->count == ROOM)
        prune(knn, list, least, blur);
    if (score == -INFINITY || (double)score + blur < (double)*least)
        return;
    list->score[list->count] = score;
    list->name[list->count++] = name;
}

/* --- what is kept of a tile ------------------------------------------------------- */

/* A tile for one part. A score is a product and what the tile's products lack to those
 * of the pass. */
struct offer {
    const ig_knn *knn;
    const ig_tile *tile;
    float shift;
    double blur; /* the greatest so far */
};

/* What products must reach. */
static float limit_of(const struct offer *offer, float least)
{
    return below((double)least - offer->tile->blur - (double)offer->shift);
}

/* What is sure of k rows that have products of `reached`, at least. */
static float sure_of(const struct offer *offer, float reached)
{
    return below((double)reached + (double)offer->shift - offer->tile->blur);
}

/* What k of a row's products reach: the greatest of disjoint groups tell. */
static float first_of_row(const struct offer *offer, const float *product)
{
    const ig_kernels *kernels = offer->knn->of->kernels;
    size_t n = offer->tile->count[1];
    float top[GROUPS];

    for (size_t g = 0; g < GROUPS; g++)
        top[g] = -INFINITY;
    for (size_t j = 0; j < n; j += GROUPS)
        kernels->larger(product + j, n - j < GROUPS ? n - j : GROUPS, top);
    return sure_of(offer,
                   kernels->quorum(top, GROUPS, offer->knn->k, offer->knn->k + SPARE));
}

/* Offer the products of row i of a tile to that row. */
static void offer_row(const struct offer *offer, ig_knn_side *side, size_t i)
{
    const ig_knn *knn = offer->knn;
    const ig_tile *tile = offer->tile;
    const float *product = tile->product + i * COLS;
    size_t row = tile->first[0] + i, count;
    float *least = &side->least[row], limit;
    uint32_t place[COLS];

    if (*least == -INFINITY)
        *least = first_of_row(offer, product);
    limit = limit_of(offer, *least);
    if (tile->most[i] < limit)
        return;
    count = knn->of->kernels->reach(product, &limit, 0, tile->count[1], place);
    for (size_t c = 0; c < count; c++)
        add(knn, &side->list[row], least, offer->blur, product[place[c]] + offer->shift,
            name_of(knn->of, (uint32_t)(tile->first[1] + place[c])));
}

/* The same for columns that have kept nothing yet. */
static void first_of_columns(const struct offer *offer, float *least)
{
    const ig_kernels *kernels = offer->knn->of->kernels;
    const ig_tile *tile = offer->tile;
    size_t n = tile->count[1];
    float top[GROUPS][COLS], reached[COLS];

    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = 0; j < n; j++)
            top[g][j] = -INFINITY;
    for (size_t i = 0; i < tile->count[0]; i++)
        kernels->larger(tile->product + i * COLS, n, top[i % (GROUPS)]);
    kernels->quorums(top[0], GROUPS, COLS, n, offer->knn->k, reached);
    for (size_t j = 0; j < n; j++)
        if (least[j] == -INFINITY)
            least[j] = sure_of(offer, reached[j]);
}

/* Whether any of n reaches its limit. */
static bool any_reaches(const float *x, const float *limit, size_t n)
{
    int any = 0;

    for (size_t j = 0; j < n; j++)
        any |= x[j] >= limit[j];
    return any;
}

/* Offer a band of rows from `top` on to WIDE columns from `left` on. */
static void offer_band(const struct offer *offer, ig_knn_side *side, size_t top,
                       size_t left, float *least, float *limit)
{
    const ig_knn *knn = offer->knn;
    const ig_tile *tile = offer->tile;
    size_t wide = tile->count[1] - left < WIDE ? tile->count[1] - left : WIDE;
    size_t last = tile->count[0] < top + BAND ? tile->count[0] : top + BAND;
    uint32_t place[WIDE];

    for (size_t i = top; i < last; i++) {
        const float *product = tile->product + i * COLS;
        uint32_t name = name_of(knn->of, (uint32_t)(tile->first[0] + i));
        size_t count =
            knn->of->kernels->reach(product + left, limit + left, 1, wide, place);

        for (size_t c = 0; c < count; c++) {
            size_t j = left + place[c];
            float was = least[j];

            add(knn, &side->list[tile->first[1] + j], &least[j], offer->blur,
                product[j] + offer->shift, name);
            if (least[j] > was)
                limit[j] = limit_of(offer, least[j]);
        }
    }
}

/* Offer the products of columns, which are rows too, to these: passed over row by
 * row, as they lie. */
static void offer_columns(const struct offer *offer, ig_knn_side *side)
{
    const ig_tile *tile = offer->tile;
    size_t n = tile->count[1];
    float *least = side->least + tile->first[1], limit[COLS];

    if (*least == -INFINITY)
        first_of_columns(offer, least);
    for (size_t j = 0; j < n; j++)
        limit[j] = limit_of(offer, least[j]);
    for (size_t i = 0; i < tile->count[0]; i += BAND)
        for (size_t j = 0; j < n; j += WIDE)
            if (any_reaches(tile->top + i / BAND * COLS + j, limit + j,
                            n - j < WIDE ? n - j : WIDE))
                offer_band(offer, side, i, j, least, limit);
}

static void take(void *context, size_t part, const ig_tile *tile)
{
    ig_knn *knn = context;
    ig_knn_side *rows = &knn->side[0], *columns = &knn->side[!knn->of->self];
    struct offer offer = {knn, tile, (float)(tile->base - knn->of->base), 0};

    (void)part;
    offer.blur = hold(rows, tile->first[0], tile->count[0], tile->blur);
    for (size_t i = 0; i < tile->count[0]; i++)
        offer_row(&offer, rows, i);
    release(rows, tile->first[0], tile->count[0]);
    if (!tile->columns)
        return;
    offer.blur = hold(columns, tile->first[1], tile->count[1], tile->blur);
    offer_columns(&offer, columns);
    release(columns, tile->first[1], tile->count[1]);
}

/* --- the end ---------------------------------------------------------------------- */

static bool before(const ig_candidate *a, const ig_candidate *b, const ig_products *of)
{
    return a->cosine > b->cosine ||
           (a->cosine == b->cosine && name_of(of, a->row) < name_of(of, b->row));
}

/* Put a candidate among the nearest so far, if it belongs there. */
static bool place(ig_candidate *near, size_t *count, size_t most, ig_candidate item,
                  const ig_products *of)
{
    size_t at = *count;

    if (at == most && !(at && before(&item, &near[at - 1], of)))
        return false;
    if (at == most)
        at--;
    else
        ++*count;
    for (; at > 0 && before(&item, &near[at - 1], of); at--)
        near[at] = near[at - 1];
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

/* Leave the candidates that may be among the nearest, and of identical rows one.
 *   row  out  (ROOM) */
static size_t choose(const ig_knn *knn, ig_knn_list *list, const uint32_t *same,
                     double blur, uint32_t *row)
{
    const ig_products *of = knn->of;
    float reached = of->kernels->quorum(list->score, list->count, knn->k, knn->k);
    size_t n = 0;

    list->count = (uint32_t)of->kernels->winnow(list->score, list->name, list->count,
                                                below((double)reached - 2 * blur));
    for (uint32_t i = 0; i < list->count; i++) {
        size_t known = n;

        row[n] = row_of(of, list->name[i]);
        row[n] = same ? same[row[n]] : row[n];
        for (size_t j = 0; same && j < n; j++)
            known = row[j] == row[n] ? j : known;
        n += known == n;
    }
    return n;
}

/* Exact cosines of a row of a side with n others. */
static void find_cosines(const ig_products *of, size_t s, size_t row,
                         const uint32_t *other, size_t n, double *cosine)
{
    size_t o = of->self ? s : !s, d = of->dims;
    const ig_block *block = &of->side[o];
    const float *rows[ROOM];

    if (of->block || block->zero) {
        for (size_t i = 0; i < n; i++)
            cosine[i] = s ? ig_products_cosine(of, other[i], row)
                          : ig_products_cosine(of, row, other[i]);
        return;
    }
    for (size_t i = 0; i < n; i++)
        rows[i] = ig_block_single(block) + other[i] * d;
    of->kernels->dot_each(ig_block_single(&of->side[s]) + row * d, rows, n, d, cosine);
    for (size_t i = 0; i < n; i++)
        cosine[i] += of->base + (of->offset[s][row] + of->offset[o][other[i]]);
}

/* Order what is kept of a row by exact cosines, and pass on the best. Identical rows
 * are not told apart by what the order of a sum made of their products: the lowest are
 * taken. */
static void conclude_row(ig_knn *knn, size_t s, size_t row, double blur)
{
    const ig_products *of = knn->of;
    size_t o = of->self ? s : !s, count = 0, n;
    ig_knn_side *side = &knn->side[s];
    ig_candidate *nearest = side->nearest + row * side->k;
    const uint32_t *same = of->side[o].same, *next = knn->side[o].next;
    const uint32_t *head = next + of->side[o].count;
    uint32_t other[ROOM];
    double cosine[ROOM];

    n = choose(knn, &side->list[row], same, blur, other);
    find_cosines(of, s, row, other, n, cosine);
    for (size_t i = 0; i < n; i++)
        for (uint32_t is = same ? head[other[i]] : other[i]; is != UINT32_MAX;
             is = same ? next[is] : UINT32_MAX)
            if (!(of->self && is == row) &&
                !place(nearest, &count, side->k, (ig_candidate){cosine[i], is}, of))
                break;
}

/* Find the nearest of a slice of the rows. */
static void end(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_products *of = knn->of;
    size_t first, last;

    for (size_t s = 0; s < ig_products_asking(of); s++) {
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            if (of->side[s].zero && of->side[s].zero[i])
                conclude_zero(knn, s, i);
            else
                conclude_row(knn, s, i, knn->side[s].run[i / RUN].blur);
    }
}

/* How far a score of any rank's may be off, for all lists. */
static void unite_blur(ig_knn_side *side, size_t rows, ig_team *team)
{
    double own = 0, most = 0;

    for (size_t r = 0; r < rows / RUN + 1; r++)
        own = fmax(own, side->run[r].blur);
    for (size_t r = 0; r < ig_team_ranks(team); r++) {
        double other = own;

        ig_team_give(team, r, &other, sizeof other);
        most = fmax(most, other);
    }
    for (size_t r = 0; r < rows / RUN + 1; r++)
        side->run[r].blur = most;
}

/* It does not matter which rank a candidate comes from. */
static ig_status unite_side(ig_knn *knn, size_t s, ig_team *team, ig_error *error)
{
    size_t rows = knn->of->side[s].count;
    ig_knn_side *side = &knn->side[s];
    ig_knn_list *own = ig_alloc(rows, sizeof *own);
    ig_knn_list *other = ig_alloc(rows, sizeof *other);

    unite_blur(side, rows, team);
    if (own && other)
        memcpy(own, side->list, rows * sizeof *own);
    for (size_t r = 0; own && other && r < ig_team_ranks(team); r++) {
        bool mine = r == ig_team_rank(team);

        ig_team_give(team, r, mine ? own : other, rows * sizeof *own);
        for (size_t i = 0; !mine && i < rows; i++)
            for (uint32_t j = 0; j < other[i].count; j++)
                add(knn, &side->list[i], &side->least[i], side->run[0].blur,
                    other[i].score[j], other[i].name[j]);
    }
    ig_free(own);
    ig_free(other);
    return own && other ? IG_OK : ig_fail_memory(error, "the nearest rows");
}

static ig_status unite(void *context, ig_team *team, ig_error *error)
{
    ig_knn *knn = context;
    ig_status status = IG_OK;

    for (size_t s = 0; s < ig_products_asking(knn->of) && status == IG_OK; s++)
        status = unite_side(knn, s, team, error);
    return status;
}

ig_consumer ig_knn_consumer(ig_knn *knn)
{
    return (ig_consumer){begin, take, end, knn, unite};
}
