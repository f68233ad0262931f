/* Neighbours, margins and ranks of translations, from one searcher. */
#include "cli/nearest.h"

#include <math.h>

#include "isogloss/base/memory.h"
#include "isogloss/search/neighbours.h"

enum { NEIGHBOURHOOD = 4 }; /* k of the margin (methods.md §5) */

/* One search under way. */
typedef struct finding {
    ig_nearest *out;
    const ig_set *set;
    const ig_rows *rows;
    uint32_t query;
    ig_neighbours *searcher;
    float *vector;  /* (count, d) of the query, then of the neighbours */
    float *scratch; /* the source's */
    uint8_t *only;  /* (languages) one language at a time */
} finding;

static double mean_of(const ig_scored *best, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)best[i].score;
    return count ? sum / (double)count : NAN;
}

static bool is_translation(const ig_set *set, uint32_t a, uint32_t b)
{
    return set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

static ig_status query(finding *f, const uint8_t *to, size_t k, ig_error *error)
{
    ig_neighbours_filter filter = {f->query, to, f->set->languages};
    ig_scored *best = ig_alloc(k, sizeof *best);
    ig_status status;

    if (!best)
        return ig_fail_memory(error, "the neighbours");
    ig_rows_gather(f->rows, &f->query, 1, f->vector, f->rows->dims, f->scratch);
    status = ig_neighbours_query(f->searcher, f->vector, NULL, error);
    if (status == IG_OK)
        f->out->count = ig_neighbours_best(f->searcher, filter, k, best);
    for (size_t i = 0; i < f->out->count; i++)
        f->out->near[i] = (ig_nearest_row){
            .row = best[i].row,
            .cosine = best[i].score,
            .translation = is_translation(f->set, f->query, best[i].row)};
    ig_free(best);
    return status;
}

static void rank_translations(finding *f)
{
    const ig_set *set = f->set;

    for (size_t i = 0; i < set->rows; i++) {
        size_t *rank = &f->out->rank[set->lang[i]];
        size_t here;

        if (!is_translation(set, f->query, (uint32_t)i))
            continue;
        here = ig_neighbours_rank(f->searcher, (uint32_t)i, f->query);
        if (*rank == 0 || here < *rank)
            *rank = here;
    }
}

/* mean[l]: mean cosine of the query's best rows of each language (NaN: none). */
static void own_neighbourhoods(finding *f, const uint8_t *to, double *mean)
{
    for (size_t l = 0; l < f->set->languages; l++) {
        ig_neighbours_filter filter = {f->query, f->only, f->set->languages};
        ig_scored best[NEIGHBOURHOOD];

        if (!to[l])
            continue;
        f->only[l] = 1;
        mean[l] =
            mean_of(best, ig_neighbours_best(f->searcher, filter, NEIGHBOURHOOD, best));
        f->only[l] = 0;
    }
}

static ig_status margins(finding *f, const double *mean, ig_error *error)
{
    size_t n = f->out->count;
    ig_matrix vectors = ig_matrix_of(f->vector, n, f->rows->dims);
    ig_scored *best = ig_alloc(n * NEIGHBOURHOOD, sizeof *best);
    size_t *found = ig_alloc(n, sizeof *found);
    uint32_t *list = ig_alloc(n, sizeof *list);
    ig_neighbours_filter filter = {IG_NO_ROW, f->only, f->set->languages};
    ig_status status = IG_OK;

    if (!best || !found || !list)
        status = ig_fail_memory(error, "the margins");
    for (size_t i = 0; i < n && status == IG_OK; i++)
        list[i] = f->out->near[i].row;
    f->only[f->set->lang[f->query]] = 1;
    if (status == IG_OK) {
        ig_rows_gather(f->rows, list, n, f->vector, f->rows->dims, f->scratch);
        status = ig_neighbours_batch(f->searcher, vectors, list, filter, NEIGHBOURHOOD,
                                     NULL, best, found, error);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        ig_nearest_row *near = &f->out->near[i];
        double other = mean_of(best + i * NEIGHBOURHOOD, found[i]);

        near->margin = (double)near->cosine /
                       ((mean[f->set->lang[near->row]] + other) / 2);
    }
    ig_free(best);
    ig_free(found);
    ig_free(list);
    return status;
}

ig_status ig_nearest_find(ig_nearest *nearest, const ig_set *set, const ig_rows *rows,
                          uint32_t row, const uint8_t *to, size_t k, ig_pool *pool,
                          ig_error *error)
{
    finding f = {.out = nearest, .set = set, .rows = rows, .query = row};
    double *mean = ig_alloc(set->languages, sizeof *mean);
    ig_status status;

    if (k > set->rows)
        k = set->rows;
    *nearest = (ig_nearest){
        .near = ig_alloc(k, sizeof *nearest->near),
        .rank = ig_alloc(set->languages, sizeof *nearest->rank),
    };
    f.vector = ig_alloc(k, rows->dims * sizeof *f.vector);
    f.scratch = ig_alloc(rows->scratch, sizeof *f.scratch);
    f.only = ig_alloc(set->languages, 1);
    if (!mean || !nearest->near || !nearest->rank || !f.vector || !f.scratch || !f.only)
        status = ig_fail_memory(error, "the neighbours");
    else
        status = ig_neighbours_new(&f.searcher, rows, set->lang, pool, error);
    if (status == IG_OK)
        status = query(&f, to, k, error);
    if (status == IG_OK) {
        rank_translations(&f);
        own_neighbourhoods(&f, to, mean);
        status = margins(&f, mean, error);
    }
    ig_neighbours_delete(f.searcher);
    ig_free(f.vector);
    ig_free(f.scratch);
    ig_free(f.only);
    ig_free(mean);
    if (status != IG_OK)
        ig_nearest_free(nearest);
    return status;
}

void ig_nearest_free(ig_nearest *nearest)
{
    ig_free(nearest->near);
    ig_free(nearest->rank);
    *nearest = (ig_nearest){0};
}
