/* Neighbours, margins and ranks of translations, from one searcher. */
#include "cli/nearest.h"

#include <math.h>

#include "base/memory.h"
#include "linear/products.h"
#include "search/searcher.h"

/* One search under way, with room for what it asks. */
typedef struct finding {
    ig_nearest *out;
    const ig_set *set;
    const ig_rows *rows;
    uint32_t query;
    const uint8_t *to;
    ig_searcher *searcher;
    float *vector;   /* (d) */
    float *scratch;  /* the source's */
    ig_scored *best; /* (k) */
    double *mean;    /* (languages) */
    uint32_t *list;  /* (N) rows that are asked about */
    ig_rank *rank;   /* (N) of the translations */
    float *cosine;   /* (k) */
    float *margin;   /* (k) */
} finding;

static ig_status make_room(finding *f, size_t k, ig_error *error)
{
    size_t languages = f->set->languages, n = f->set->rows;
    ig_nearest *out = f->out;

    *out = (ig_nearest){
        .near = ig_alloc(k, sizeof *out->near),
        .rank = ig_alloc(languages, sizeof *out->rank),
        .tied = ig_alloc(languages, sizeof *out->tied),
    };
    f->vector = ig_alloc(f->rows->dims, sizeof *f->vector);
    f->scratch = ig_alloc(f->rows->scratch, sizeof *f->scratch);
    f->best = ig_alloc(k, sizeof *f->best);
    f->mean = ig_alloc(languages, sizeof *f->mean);
    f->list = ig_alloc(n, sizeof *f->list);
    f->rank = ig_alloc(n, sizeof *f->rank);
    f->cosine = ig_alloc(k, sizeof *f->cosine);
    f->margin = ig_alloc(k, sizeof *f->margin);
    return out->near && out->rank && out->tied && f->vector && f->scratch && f->best &&
                   f->mean && f->list && f->rank && f->cosine && f->margin
               ? IG_OK
               : ig_fail_memory(error, "the neighbours");
}

static void free_room(finding *f)
{
    ig_searcher_delete(f->searcher);
    ig_free(f->vector);
    ig_free(f->scratch);
    ig_free(f->best);
    ig_free(f->mean);
    ig_free(f->list);
    ig_free(f->rank);
    ig_free(f->cosine);
    ig_free(f->margin);
}

static ig_status find_nearest(finding *f, size_t k, ig_error *error)
{
    ig_searcher_filter filter = {
        .row = f->query, .to = f->to, .languages = f->set->languages};
    ig_status status;

    ig_rows_gather(f->rows, &f->query, 1, f->vector, f->rows->dims, f->scratch);
    status = ig_searcher_query(f->searcher, f->vector, NULL, error);
    if (status == IG_OK)
        f->out->count = ig_searcher_best(f->searcher, filter, k, f->best);
    for (size_t i = 0; i < f->out->count; i++)
        f->out->near[i] = (ig_nearest_row){
            .row = f->best[i].row,
            .cosine = f->best[i].score,
            .translation = ig_set_translates(f->set, f->query, f->best[i].row)};
    return status;
}

/* Whether all the rows that were looked for are equally near. */
static bool is_flat(const finding *f)
{
    const float *cosine = ig_searcher_cosines(f->searcher);
    float least = INFINITY, most = -INFINITY;
    size_t n = 0;

    for (size_t i = 0; i < f->set->rows; i++) {
        if (i == f->query || !f->to[f->set->lang[i]])
            continue;
        least = cosine[i] < least ? cosine[i] : least;
        most = cosine[i] > most ? cosine[i] : most;
        n++;
    }
    return n > 1 && most - least <= (float)IG_COSINE_EQUAL;
}

static ig_status rank_translations(finding *f, ig_error *error)
{
    const ig_set *set = f->set;
    ig_status status;
    size_t n = 0;

    for (uint32_t i = 0; i < set->rows; i++)
        if (ig_set_translates(set, f->query, i))
            f->list[n++] = i;
    status = ig_searcher_ranks(f->searcher, f->list, n, f->query, f->rank, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t lang = set->lang[f->list[i]], *best = &f->out->rank[lang];

        if (!ig_rank_tells(f->rank[i]))
            f->out->tied[lang] = true;
        else if (*best == 0 || f->rank[i].rank < *best)
            *best = f->rank[i].rank;
    }
    return status;
}

static ig_status find_margins(finding *f, ig_error *error)
{
    const ig_set *set = f->set;
    size_t n = f->out->count;
    ig_margin_query query = {.mean = f->mean};
    uint32_t *near = ig_alloc(n, sizeof *near);
    ig_status status = near ? ig_searcher_margin_means(f->searcher, f->query,
                                                       set->languages, f->mean, error)
                            : ig_fail_memory(error, "the margins");

    for (uint32_t i = 0; i < set->rows; i++)
        if (set->lang[i] == set->lang[f->query])
            f->list[query.sames++] = i;
    query.same = f->list;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        near[i] = f->out->near[i].row;
        f->cosine[i] = f->out->near[i].cosine;
    }
    if (status == IG_OK)
        status = ig_searcher_margins(f->searcher, &query, near, f->cosine, n, NULL,
                                     f->margin, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        f->out->near[i].margin = f->margin[i];
    ig_free(near);
    return status;
}

ig_status ig_nearest_find(ig_nearest *nearest, const ig_set *set, const ig_rows *rows,
                          uint32_t row, const uint8_t *to, size_t k, ig_pool *pool,
                          ig_error *error)
{
    finding f = {.out = nearest, .set = set, .rows = rows, .query = row, .to = to};
    ig_status status;

    k = k < set->rows ? k : set->rows;
    status = make_room(&f, k, error);
    if (status == IG_OK)
        status = ig_searcher_new(&f.searcher, rows, set->lang, pool, error);
    if (status == IG_OK)
        status = find_nearest(&f, k, error);
    if (status == IG_OK)
        status = rank_translations(&f, error);
    if (status == IG_OK)
        status = find_margins(&f, error);
    if (status == IG_OK)
        nearest->flat = is_flat(&f);
    free_room(&f);
    if (status != IG_OK)
        ig_nearest_free(nearest);
    return status;
}

void ig_nearest_free(ig_nearest *nearest)
{
    ig_free(nearest->near);
    ig_free(nearest->rank);
    ig_free(nearest->tied);
    *nearest = (ig_nearest){0};
}
