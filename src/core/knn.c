/* The k nearest rows over a scan of similarity blocks. Each row has a candidate list:
 * rows that, by their float products, can be among the k nearest. A full list is
 * pruned. At the end exact cosines decide. */
#include "core/knn.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

enum {
    COLS = IG_TILE_COLS,
    ROOM = IG_KNN_ROOM,
    RUN = IG_TILE_ROWS,
    GROUPS = 32, /* groups of the first tile's products */
    SPARE = 2,   /* extra candidates kept when too many are tied */
    CROWD = 24   /* survivors above which a list counts as crowded */
};

ig_status ig_knn_init(ig_knn *knn, const ig_similarity_blocks *of, size_t k,
                      ig_error *error)
{
    ig_arena *a = &knn->arena;

    if (k > IG_KNN_MAX)
        return ig_fail(error, IG_SHAPE, "%zu nearest rows requested (maximum %d)", k,
                       IG_KNN_MAX);
    *knn = (ig_knn){.of = of, .k = k, .most = {of->most[0], of->most[1]}};
    for (size_t s = 0; s < 2; s++) {
        ig_knn_side *side = &knn->side[s];
        size_t rows = knn->most[s], asking = s && of->one_way ? 0 : rows;
        size_t alike = of->points->same ? rows : 0;

        side->nearest = ig_arena_array(a, asking, k * sizeof *side->nearest);
        side->least = ig_arena_array(a, asking, sizeof *side->least);
        side->list = ig_arena_array(a, asking, sizeof *side->list);
        side->run = ig_arena_array(a, rows / RUN + 1, sizeof *side->run);
        side->next = ig_arena_array(a, alike, sizeof *side->next);
        side->head =
            ig_arena_array(a, alike ? of->points->count : 0, sizeof *side->head);
        for (size_t r = 0; side->run && r < rows / RUN + 1; r++)
            side->run[r].lock = (ig_lock)IG_LOCK_OPEN;
    }
    return a->failed ? ig_fail_memory(error, "the nearest rows") : IG_OK;
}

void ig_knn_free(ig_knn *knn)
{
    ig_arena_free(&knn->arena);
    *knn = (ig_knn){0};
}

/* Lock rows first … first+count−1 of a side for this part. Returns the error bound of
 * the scores in their lists, including products with error `blur`. Parts lock several
 * runs in the same order. */
static double lock_rows(ig_knn_side *side, size_t first, size_t count, double blur)
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

static void unlock_rows(ig_knn_side *side, size_t first, size_t count)
{
    for (size_t r = first / RUN; r <= (first + count - 1) / RUN; r++)
        ig_lock_give(&side->run[r].lock);
}

static uint32_t name_of(const ig_similarity_blocks *of, uint32_t row)
{
    return of->name ? of->name[row] : row;
}

static uint32_t row_of(const ig_similarity_blocks *of, uint32_t name)
{
    return of->by_name ? of->by_name[name] : name;
}

/* Index of the representative among the rows identical to row i of a list. */
static uint32_t class_of(const ig_similarity_blocks *of, size_t s, size_t i)
{
    return of->points->same[of->side[s].place[i]];
}

static void link_identical(const ig_similarity_blocks *of, size_t s, ig_knn_side *side)
{
    size_t n = of->side[s].count;

    for (size_t i = 0; i < n; i++)
        side->head[class_of(of, s, i)] = UINT32_MAX;
    for (size_t i = n; i-- > 0;) {
        uint32_t row = row_of(of, (uint32_t)i),
                 *head = &side->head[class_of(of, s, row)];

        side->next[row] = *head;
        *head = row;
    }
}

static void begin_scan(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_similarity_blocks *of = knn->of;

    for (size_t s = 0; s < ig_similarity_blocks_asking(of); s++) {
        ig_knn_side *side = &knn->side[s];
        size_t o = ig_similarity_blocks_other(of, s), first, last;
        size_t others = of->side[o].count - of->within;

        if (part == 0)
            side->k = knn->k < others ? knn->k : others;
        if (part == 0 && of->points->same)
            link_identical(of, o, &knn->side[o]);
        for (size_t r = 0; part == 0 && r < knn->most[s] / RUN + 1; r++)
            side->run[r].blur = 0;
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++) {
            side->least[i] = -INFINITY;
            if (side->list[i].count) /* lists without candidates use no memory */
                side->list[i].count = 0;
        }
    }
}

/* --- candidate lists -------------------------------------------------------------- */

/* Keep the first few by score; ties by name. */
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

static float just_below(double x)
{
    return nextafterf((float)x, -INFINITY);
}

/* Prune a full list to the candidates that can be among the nearest: k rows score at
 * least `reached`, with error up to `blur`. */
static void prune_list(const ig_knn *knn, ig_knn_list *list, float *least, double blur)
{
    const ig_kernels *kernels = knn->of->kernels;
    float reached =
        kernels->kth_bound(list->score, list->count, knn->k, knn->k + SPARE);
    float sure = just_below((double)reached - blur);

    list->count = (uint32_t)kernels->filter_ge(list->score, list->name, list->count,
                                               just_below((double)reached - 2 * blur));
    if (list->count > CROWD)
        keep_first(list, knn->k + SPARE);
    if (sure > *least)
        *least = sure;
}

/* Add a candidate to a list, except the row itself.
 *   blur  in  maximum error so far */
static void add_candidate(const ig_knn *knn, ig_knn_list *list, float *least,
                          double blur, float score, uint32_t name)
{
    if (list->count == ROOM)
        prune_list(knn, list, least, blur);
    if (score == -INFINITY || (double)score + blur < (double)*least)
        return;
    list->score[list->count] = score;
    list->name[list->count++] = name;
}

/* --- candidates of a tile --------------------------------------------------------- */

/* A face of a tile as seen by one part. score = product + the difference between the
 * tile's base and that of the scan. */
struct offer {
    const ig_knn *knn;
    const ig_tile *tile;
    size_t face;
    float shift;
    double blur; /* maximum so far */
};

/* Threshold that k of a row's n products certainly reach, from the maxima of disjoint
 * groups. */
static float first_threshold(const struct offer *offer, const float *product, size_t n)
{
    const ig_kernels *kernels = offer->knn->of->kernels;
    size_t k = offer->knn->k;
    float top[GROUPS];

    for (size_t g = 0; g < GROUPS; g++)
        top[g] = -INFINITY;
    for (size_t j = 0; j < n; j += GROUPS)
        kernels->max_each(product + j, n - j < GROUPS ? n - j : GROUPS, top);
    return just_below((double)kernels->kth_bound(top, GROUPS, k, k + SPARE) +
                      (double)offer->shift - offer->tile->blur);
}

static void offer_row(const struct offer *offer, ig_knn_side *side, size_t i)
{
    const ig_knn *knn = offer->knn;
    const ig_tile *tile = offer->tile;
    size_t face = offer->face, n = tile->count[!face], count;
    const float *product = tile->product[face] + i * COLS;
    size_t row = tile->first[face] + i;
    float *least = &side->least[row], limit;
    uint32_t place[COLS];

    if (*least == -INFINITY)
        *least = first_threshold(offer, product, n);
    limit = just_below((double)*least - tile->blur - (double)offer->shift);
    if (tile->most[face][i] < limit)
        return;
    count = knn->of->kernels->find_ge(product, limit, n, place);
    for (size_t c = 0; c < count; c++)
        add_candidate(knn, &side->list[row], least, offer->blur,
                      product[place[c]] + offer->shift,
                      name_of(knn->of, (uint32_t)(tile->first[!face] + place[c])));
}

static void offer_tile(void *context, size_t part, const ig_tile *tile)
{
    ig_knn *knn = context;

    (void)part;
    for (size_t f = 0; f < 2 && ig_tile_face(tile, f); f++) {
        ig_knn_side *side = &knn->side[f && !knn->of->self];
        struct offer offer = {knn, tile, f, (float)(tile->base - knn->of->base), 0};

        offer.blur = lock_rows(side, tile->first[f], tile->count[f], tile->blur);
        for (size_t i = 0; i < tile->count[f]; i++)
            offer_row(&offer, side, i);
        unlock_rows(side, tile->first[f], tile->count[f]);
    }
}

/* --- results ---------------------------------------------------------------------- */

static bool is_better(const ig_candidate *a, const ig_candidate *b,
                      const ig_similarity_blocks *of)
{
    return a->cosine > b->cosine ||
           (a->cosine == b->cosine && name_of(of, a->row) < name_of(of, b->row));
}

static bool insert_result(ig_candidate *near, size_t *count, size_t most,
                          ig_candidate item, const ig_similarity_blocks *of)
{
    size_t at = *count;

    if (at == most && !(at && is_better(&item, &near[at - 1], of)))
        return false;
    if (at == most)
        at--;
    else
        ++*count;
    for (; at > 0 && is_better(&item, &near[at - 1], of); at--)
        near[at] = near[at - 1];
    near[at] = item;
    return true;
}

static bool is_own(const ig_similarity_blocks *of, size_t s, size_t row, size_t other)
{
    return of->within && of->side[s].place[row] ==
                             of->side[ig_similarity_blocks_other(of, s)].place[other];
}

/* All rows are equally near to a zero row. */
static void finish_zero_row(ig_knn *knn, size_t s, size_t row)
{
    ig_knn_side *side = &knn->side[s];
    size_t count = 0;

    for (uint32_t i = 0; count < side->k; i++) {
        uint32_t other = row_of(knn->of, i);

        if (!is_own(knn->of, s, row, other))
            side->nearest[row * side->k + count++] = (ig_candidate){0, other};
    }
}

/* Select the candidates that can be among the nearest, one of each set of identical
 * rows.
 *   row  out  (ROOM) */
static size_t select_candidates(const ig_knn *knn, ig_knn_list *list, size_t o,
                                double blur, uint32_t *row)
{
    const ig_similarity_blocks *of = knn->of;
    float reached = of->kernels->kth_bound(list->score, list->count, knn->k, knn->k);
    bool same = of->points->same != NULL;
    size_t n = 0;

    list->count = (uint32_t)of->kernels->filter_ge(
        list->score, list->name, list->count, just_below((double)reached - 2 * blur));
    for (uint32_t i = 0; i < list->count; i++) {
        size_t known = n;

        row[n] = row_of(of, list->name[i]);
        row[n] = same ? knn->side[o].head[class_of(of, o, row[n])] : row[n];
        for (size_t j = 0; same && j < n; j++)
            known = row[j] == row[n] ? j : known;
        n += known == n;
    }
    return n;
}

/* Sort a row's candidates by exact cosine and store the k best. Among identical rows
 * the lowest indices win, whatever rounding made of their products. */
static void finish_row(ig_knn *knn, size_t part, size_t s, size_t row, double blur)
{
    const ig_similarity_blocks *of = knn->of;
    size_t o = ig_similarity_blocks_other(of, s), count = 0, n;
    ig_knn_side *side = &knn->side[s];
    ig_candidate *nearest = side->nearest + row * side->k;
    bool same = of->points->same != NULL;
    uint32_t other[ROOM];
    double cosine[ROOM];

    n = select_candidates(knn, &side->list[row], o, blur, other);
    ig_similarity_blocks_cosines(of, part, s, row, other, n, cosine);
    for (size_t i = 0; i < n; i++)
        for (uint32_t is = other[i]; is != UINT32_MAX;
             is = same ? knn->side[o].next[is] : UINT32_MAX)
            if (!is_own(of, s, row, is) &&
                !insert_result(nearest, &count, side->k, (ig_candidate){cosine[i], is},
                               of))
                break;
}

static void finish_slice(void *context, size_t part)
{
    ig_knn *knn = context;
    const ig_similarity_blocks *of = knn->of;
    size_t first, last;

    for (size_t s = 0; s < ig_similarity_blocks_asking(of); s++) {
        ig_pool_slice(of->side[s].count, 1, part, of->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            if (of->points->zero[of->side[s].place[i]])
                finish_zero_row(knn, s, i);
            else
                finish_row(knn, part, s, i, knn->side[s].run[i / RUN].blur);
    }
}

static void merge_blur(ig_knn_side *side, size_t rows, ig_comm *team)
{
    double own = 0, most = 0;

    for (size_t r = 0; r < rows / RUN + 1; r++)
        own = fmax(own, side->run[r].blur);
    for (size_t r = 0; r < ig_comm_processes(team); r++) {
        double other = own;

        ig_comm_broadcast(team, r, &other, sizeof other);
        most = fmax(most, other);
    }
    for (size_t r = 0; r < rows / RUN + 1; r++)
        side->run[r].blur = most;
}

/* Merge the candidates of all processes; their origin does not matter. */
static ig_status merge_side(ig_knn *knn, size_t s, ig_comm *team, ig_error *error)
{
    size_t rows = knn->of->side[s].count;
    ig_knn_side *side = &knn->side[s];
    ig_knn_list *own = ig_alloc(rows, sizeof *own);
    ig_knn_list *other = ig_alloc(rows, sizeof *other);

    merge_blur(side, rows, team);
    if (own && other)
        memcpy(own, side->list, rows * sizeof *own);
    for (size_t r = 0; own && other && r < ig_comm_processes(team); r++) {
        bool mine = r == ig_comm_process(team);

        ig_comm_broadcast(team, r, mine ? own : other, rows * sizeof *own);
        for (size_t i = 0; !mine && i < rows; i++)
            for (uint32_t j = 0; j < other[i].count; j++)
                add_candidate(knn, &side->list[i], &side->least[i], side->run[0].blur,
                              other[i].score[j], other[i].name[j]);
    }
    IG_FREE(own, other);
    return own && other ? IG_OK : ig_fail_memory(error, "the nearest rows");
}

static ig_status merge_processes(void *context, ig_comm *team, ig_error *error)
{
    ig_knn *knn = context;
    ig_status status = IG_OK;

    for (size_t s = 0; s < ig_similarity_blocks_asking(knn->of) && status == IG_OK; s++)
        status = merge_side(knn, s, team, error);
    return status;
}

ig_consumer ig_knn_consumer(ig_knn *knn)
{
    return (ig_consumer){begin_scan, offer_tile, finish_slice, knn, merge_processes};
}
