/* A search in files that were dealt to ranks. Legend: n rows of this rank, d dims, k
 * neighbours. */
#include "cli/search_shards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/products.h"

size_t ig_search_shards_owner(const ig_set *set, uint64_t row, uint32_t *own)
{
    bool has = row >= set->whole.before && row - set->whole.before < set->rows;
    double rank = has ? (double)ig_team_rank(set->whole.team) : 0;

    *own = has ? (uint32_t)(row - set->whole.before) : IG_NO_ROW;
    ig_team_largest(set->whole.team, &rank, 1);
    return (size_t)rank;
}

const char *ig_search_shards_text(ig_team *team, size_t from, const char *text,
                                  ig_arena *arena)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy;

    ig_team_give(team, from, &size, sizeof size);
    copy = ig_arena_alloc(arena, size);
    if (ig_team_any(team, !copy))
        return NULL;
    if (text && ig_team_rank(team) == from)
        memcpy(copy, text, size);
    ig_team_give(team, from, copy, size);
    return copy;
}

uint16_t ig_search_shards_language(ig_team *team, float cosine, uint16_t lang)
{
    double best = (double)cosine, first;

    ig_team_largest(team, &best, 1);
    /* Of equal ones the first: the largest of ranks − rank. */
    first = (double)cosine == best ? (double)(ig_team_ranks(team) - ig_team_rank(team))
                                   : 0;
    ig_team_largest(team, &first, 1);
    ig_team_give(team, ig_team_ranks(team) - (size_t)first, &lang, sizeof lang);
    return lang;
}

/* A row that a rank found near. */
struct candidate {
    uint64_t row, rank;
    float cosine;
    uint16_t lang;
    bool translation;
};

static int by_cosine(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->cosine != y->cosine)
        return x->cosine > y->cosine ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The best of all ranks: *count ≤ k of them. */
static ig_status find_best(const ig_shard_query *q, struct candidate **best,
                           size_t *count, ig_error *error)
{
    const ig_set *set = q->set;
    ig_team *team = set->whole.team;
    size_t *start = ig_alloc(ig_team_ranks(team) + 1, sizeof *start), n = 0;
    ig_searcher_filter filter = {
        .row = q->own, .to = q->to, .languages = set->languages};
    size_t k = q->k < set->rows ? q->k : set->rows;
    ig_scored *scored = ig_alloc(k, sizeof *scored);
    struct candidate *own = ig_alloc(k, sizeof *own);
    void *all = NULL;
    ig_status status = start && scored && own ? IG_OK
                                              : ig_fail_memory(error, "the neighbours");

    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        n = ig_searcher_best(q->searcher, filter, k, scored);
    for (size_t i = 0; i < n; i++)
        own[i] = (struct candidate){
            .row = set->whole.before + scored[i].row,
            .rank = ig_team_rank(team),
            .cosine = scored[i].score,
            .lang = set->lang[scored[i].row],
            .translation = q->own != IG_NO_ROW &&
                           ig_set_translates(set, q->own, scored[i].row)};
    if (status == IG_OK)
        status = ig_team_join(team, own, n * sizeof *own, &all, start, error);
    if (status == IG_OK) {
        *count = start[ig_team_ranks(team)] / sizeof *own;
        qsort(all, *count, sizeof *own, by_cosine);
        *count = *count < q->k ? *count : q->k;
        *best = all;
    }
    ig_free(start);
    ig_free(scored);
    ig_free(own);
    return status;
}

/* A translation of the query, and what the rows of its language are to it. */
struct target {
    float cosine;
    uint16_t lang;
    int64_t count[3]; /* nearer, equal, all */
};

/* Those that the query's rank has, on all. */
static ig_status list_targets(const ig_shard_query *q, struct target **target,
                              size_t *count, ig_error *error)
{
    const ig_set *set = q->set;
    ig_team *team = set->whole.team;
    const float *cosine = ig_searcher_cosines(q->searcher);
    size_t *start = ig_alloc(ig_team_ranks(team) + 1, sizeof *start), n = 0, at = 0;
    struct target *own;
    void *all = NULL;
    ig_status status;

    for (uint32_t i = 0; q->own != IG_NO_ROW && i < set->rows; i++)
        n += ig_set_translates(set, q->own, i);
    own = ig_alloc(n, sizeof *own);
    status = start && own ? IG_OK : ig_fail_memory(error, "the neighbours");
    for (uint32_t i = 0; own && at < n; i++)
        if (ig_set_translates(set, q->own, i))
            own[at++] = (struct target){.cosine = cosine[i], .lang = set->lang[i]};
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = ig_team_join(team, own, n * sizeof *own, &all, start, error);
    *target = all;
    *count = status == IG_OK ? start[ig_team_ranks(team)] / sizeof *own : 0;
    ig_free(start);
    ig_free(own);
    return status;
}

static ig_status rank_translations(ig_nearest *out, const ig_shard_query *q,
                                   ig_error *error)
{
    static const float EQUAL = (float)IG_COSINE_EQUAL;
    const ig_set *set = q->set;
    const float *cosine = ig_searcher_cosines(q->searcher);
    struct target *target;
    size_t n;
    ig_status status = list_targets(q, &target, &n, error);

    for (size_t t = 0; t < n; t++) {
        struct target *of = &target[t];

        for (uint32_t i = 0; i < set->rows; i++) {
            if (set->lang[i] != of->lang || i == q->own)
                continue;
            of->count[2]++;
            of->count[0] += cosine[i] > of->cosine + EQUAL;
            of->count[1] += cosine[i] <= of->cosine + EQUAL &&
                            cosine[i] >= of->cosine - EQUAL;
        }
        ig_team_sum64(set->whole.team, of->count, 3);
        /* Equal ones hold the target itself. */
        ig_nearest_rank(out, of->lang, (size_t)of->count[0] + 1,
                        of->count[2] < 2 || of->count[1] < of->count[2]);
    }
    ig_free(target);
    return status;
}

/* Whether all the rows that were looked for are equally near. */
static bool is_flat(const ig_shard_query *q)
{
    const ig_set *set = q->set;
    const float *cosine = ig_searcher_cosines(q->searcher);
    double ends[2] = {-INFINITY, -INFINITY}; /* the most, and − the least */
    uint64_t n = 0;

    for (uint32_t i = 0; i < set->rows; i++) {
        if (i == q->own || !q->to[set->lang[i]])
            continue;
        ends[0] = fmax(ends[0], (double)cosine[i]);
        ends[1] = fmax(ends[1], -(double)cosine[i]);
        n++;
    }
    ig_team_largest(set->whole.team, ends, 2);
    n = ig_team_total(set->whole.team, n, NULL);
    return n > 1 && ends[0] + ends[1] <= IG_COSINE_EQUAL;
}

/* --- margins ---------------------------------------------------------------------- */

/* The mean of the IG_NEIGHBOURHOOD greatest of each of n lists, of which each rank has
 * the greatest among its rows.
 *   own   in   (n, IG_NEIGHBOURHOOD) greatest first, −INFINITY where there are fewer
 *   mean  out  (n) NaN: there is none */
static ig_status merge_means(ig_team *team, const float *own, size_t n, double *mean,
                             ig_error *error)
{
    enum { TOP = IG_NEIGHBOURHOOD };
    size_t ranks = ig_team_ranks(team);
    size_t *start = ig_alloc(ranks + 1, sizeof *start);
    void *joined = NULL;
    const float *all;
    ig_status status = start ? IG_OK : ig_fail_memory(error, "the margins");

    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = ig_team_join(team, own, n * TOP * sizeof *own, &joined, start, error);
    all = joined;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        ig_scored item[TOP];
        ig_topk top;
        double sum = 0;

        ig_topk_init(&top, item, TOP);
        for (size_t r = 0; r < ranks; r++)
            for (size_t j = 0; j < TOP; j++)
                if (all[(r * n + i) * TOP + j] > -INFINITY)
                    ig_topk_offer(&top, all[(r * n + i) * TOP + j], (uint32_t)r);
        ig_topk_sort(&top);
        for (size_t j = 0; j < top.count; j++)
            sum += (double)item[j].score;
        mean[i] = top.count ? sum / (double)top.count : NAN;
    }
    ig_free(start);
    ig_free(joined);
    return status;
}

/* near(a) for every language, as in search/searcher.h. */
static ig_status own_means(const ig_shard_query *q, double *mean, ig_error *error)
{
    enum { TOP = IG_NEIGHBOURHOOD };
    const ig_set *set = q->set;
    const float *cosine = ig_searcher_cosines(q->searcher);
    float *best = ig_alloc(set->languages, TOP * sizeof *best);
    ig_status status = best ? IG_OK : ig_fail_memory(error, "the margins");

    for (size_t i = 0; best && i < set->languages * TOP; i++)
        best[i] = -INFINITY;
    for (uint32_t i = 0; best && i < set->rows; i++) {
        float *of = best + set->lang[i] * TOP, x = cosine[i];

        for (size_t j = 0; j < TOP && i != q->own; j++)
            if (x > of[j]) {
                float less = of[j];

                of[j] = x;
                x = less;
            }
    }
    status = ig_team_agree(set->whole.team, status, error);
    if (status == IG_OK)
        status = merge_means(set->whole.team, best, set->languages, mean, error);
    ig_free(best);
    return status;
}

/* near(b) of each of the rows found. */
static ig_status other_means(const ig_shard_query *q, const struct candidate *found,
                             size_t n, double *mean, ig_error *error)
{
    enum { TOP = IG_NEIGHBOURHOOD };
    const ig_set *set = q->set;
    ig_team *team = set->whole.team;
    size_t d = q->rows->dims, sames = 0;
    uint32_t *own = ig_alloc(n, sizeof *own), *same = ig_alloc(set->rows, sizeof *same);
    float *vector = ig_alloc(n, d * sizeof *vector),
          *best = ig_alloc(n, sizeof(float[TOP]));
    float *scratch = ig_alloc(q->rows->scratch, sizeof *scratch);
    ig_scored *scored = ig_alloc(n, TOP * sizeof *scored);
    size_t *count = ig_alloc(n, sizeof *count);
    ig_searcher_filter filter = {.row = IG_NO_ROW, .among = same};
    ig_status status = own && same && vector && best && scratch && scored && count
                           ? IG_OK
                           : ig_fail_memory(error, "the margins");

    status = ig_team_agree(team, status, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        bool has = found[i].rank == ig_team_rank(team);

        own[i] = has ? (uint32_t)(found[i].row - set->whole.before) : IG_NO_ROW;
        if (has)
            ig_rows_gather(q->rows, &own[i], 1, vector + i * d, d, scratch);
    }
    for (uint32_t i = 0; i < set->rows && status == IG_OK; i++)
        if (set->lang[i] == q->lang)
            same[sames++] = i;
    filter.amongs = sames;
    if (status == IG_OK) {
        ig_team_sum_begin(team, vector, n * d); /* the others have zeros */
        ig_team_sum_end(team);
        status = ig_searcher_batch(q->searcher, ig_matrix_of(vector, n, d), own, filter,
                                   TOP, NULL, scored, count, error);
    }
    status = ig_team_agree(team, status, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        for (size_t j = 0; j < TOP; j++)
            best[i * TOP + j] = j < count[i] ? scored[i * TOP + j].score : -INFINITY;
    if (status == IG_OK)
        status = merge_means(team, best, n, mean, error);
    ig_free(own);
    ig_free(same);
    ig_free(vector);
    ig_free(best);
    ig_free(scratch);
    ig_free(scored);
    ig_free(count);
    return status;
}

static ig_status find_margins(ig_nearest *out, const ig_shard_query *q,
                              const struct candidate *found, ig_error *error)
{
    ig_team *team = q->set->whole.team;
    double *near = ig_alloc(q->set->languages, sizeof *near);
    double *other = ig_alloc(out->count, sizeof *other);
    ig_status status = near && other ? IG_OK : ig_fail_memory(error, "the margins");

    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = own_means(q, near, error);
    if (status == IG_OK)
        status = other_means(q, found, out->count, other, error);
    for (size_t i = 0; i < out->count && status == IG_OK; i++) {
        double value = (double)found[i].cosine / ((near[found[i].lang] + other[i]) / 2);

        out->near[i].margin = isfinite(value) ? (float)value : NAN;
    }
    ig_free(near);
    ig_free(other);
    return status;
}

/* --- the search ------------------------------------------------------------------- */

/* The vector of a query that is a row of some rank, on all. */
static ig_status share_vector(const ig_shard_query *q, ig_error *error)
{
    ig_team *team = q->set->whole.team;
    size_t d = q->rows->dims;
    float *scratch = ig_alloc(q->rows->scratch, sizeof *scratch);
    ig_status status = scratch ? IG_OK : ig_fail_memory(error, "the query");

    status = ig_team_agree(team, status, error);
    if (status == IG_OK && q->is_row) {
        memset(q->vector, 0, d * sizeof *q->vector);
        if (q->own != IG_NO_ROW)
            ig_rows_gather(q->rows, &q->own, 1, q->vector, d, scratch);
        ig_team_sum_begin(team, q->vector, d);
        ig_team_sum_end(team);
    }
    ig_free(scratch);
    return status;
}

ig_status ig_search_shards(ig_nearest *out, const ig_shard_query *q, ig_error *error)
{
    const ig_set *set = q->set;
    ig_team *team = set->whole.team;
    struct candidate *found = NULL;
    ig_status status = share_vector(q, error);

    if (status == IG_OK)
        status = ig_team_agree(
            team, ig_searcher_query(q->searcher, q->vector, NULL, error), error);
    if (status == IG_OK)
        status = find_best(q, &found, &out->count, error);
    for (size_t i = 0; i < out->count && status == IG_OK; i++) {
        const struct candidate *c = &found[i];
        bool has = c->rank == ig_team_rank(team);

        out->near[i] = (ig_near_row){.row = c->row,
                                     .lang = c->lang,
                                     .cosine = c->cosine,
                                     .translation = c->translation};
        if (!set->has_text)
            continue;
        out->near[i].text = ig_search_shards_text(
            team, (size_t)c->rank, has ? set->text[c->row - set->whole.before] : NULL,
            &out->texts);
        if (!out->near[i].text)
            status = ig_fail_memory(error, "the neighbours");
    }
    if (status == IG_OK)
        status = rank_translations(out, q, error);
    if (status == IG_OK)
        status = find_margins(out, q, found, error);
    if (status == IG_OK)
        out->flat = is_flat(q);
    ig_free(found);
    return status;
}
