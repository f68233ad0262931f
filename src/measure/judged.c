/* Queries and judgements [BEIR]: the rank of each relevant document among those of all
 * languages, and what follows from the ranks. Legend: n documents, q queries, r
 * relevant documents of all queries, d dims. */
#include "measure/judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/kernels.h"
#include "data/table.h"
#include "measure/evaluation.h"

/* --- reading ---------------------------------------------------------------------- */

static ig_status take_record(void *context, const ig_record *r, ig_error *error)
{
    ig_judged *out = context;
    size_t last = r->count - 1;
    ig_field f = r->field[last];
    struct ig_judgement one;
    char quoted[IG_QUOTE_SIZE];
    double gain = (double)NAN;

    if (r->number == 0 && last == 2)
        return IG_OK;
    if (last == 2 || last == 3)
        ig_number_double(f.bytes, f.length, &gain);
    if (!isfinite(gain))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected query, document and a finite gain, under a "
                       "header, or query, 0, document and gain; field %zu is '%s'",
                       r->file, r->line, r->count, ig_quote(quoted, f.bytes, f.length));
    one.gain = (float)gain;
    for (size_t k = 0; k < 2; k++) {
        f = r->field[k * (last - 1)];
        one.id[k] = ig_names_find(&out->ids[k], f.bytes, f.length);
        if (one.id[k] == UINT32_MAX)
            return ig_fail(error, IG_VALUE, "%s:%zu: the %s '%s' is no id of %s",
                           r->file, r->line, k ? "document" : "query",
                           ig_quote(quoted, f.bytes, f.length), out->set[k]->name);
    }
    if (ig_array_grow(&out->judgement, &out->room, out->count + 1, sizeof one,
                      "the judgements", error) != IG_OK)
        return IG_NOMEM;
    out->judgement[out->count++] = one;
    return IG_OK;
}

ig_status ig_judged_read(ig_judged *j, const ig_dataset *queries,
                         const ig_dataset *documents, const char *path, ig_error *error)
{
    ig_status status;

    *j = (ig_judged){.set = {queries, documents}};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < j->set[k]->ids; i++)
            ig_names_add(&j->ids[k], j->set[k]->id_name[i],
                         strlen(j->set[k]->id_name[i]));
    status = j->ids[0].texts.failed || j->ids[1].texts.failed
                 ? ig_fail_memory(error, "the judgements")
                 : ig_table_read(path, take_record, j, error);
    ig_names_free(&j->ids[0]);
    ig_names_free(&j->ids[1]);
    return status;
}

/* --- ranks ------------------------------------------------------------------------ */

enum { BLOCK = 1024 }; /* queries that are multiplied at once */

/* A relevant document of a query. */
struct found {
    uint32_t query, place;
    uint32_t rank;  /* 1 + the nearer documents … */
    uint32_t equal; /* … and those that are as near, itself among them */
    float gain;
    double cosine;
};

struct judging {
    const ig_embeddings *e;
    const ig_judged *judged;
    struct found *found; /* (r) by query and gain, at last by rank */
    size_t r, room;
    uint32_t *first;    /* (q + 1) first of each query */
    float *query;       /* (q, d) of length 1 */
    size_t from;        /* the first query … */
    ig_chunk documents; /* … and the documents at hand … */
    float *cosine;      /* … (BLOCK, documents) */
};

/* Of equal ranks greater gain first. */
static int by_rank(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->gain < y->gain) - (x->gain > y->gain);
}

/* List the relevant documents of a query.
 *   gain  scratch  (ids of documents) */
static void list_relevant(struct judging *s, uint32_t q, float *gain, ig_arena *a)
{
    const ig_judged *j = s->judged;
    const ig_embeddings *e = s->e;
    size_t first = s->first[q];

    a->failed |= ig_array_grow(&s->found, &s->room, first + e->n, sizeof *s->found, "",
                               NULL) != IG_OK;
    memset(gain, 0, j->set[1]->ids * sizeof *gain);
    for (size_t i = 0; i < j->count; i++)
        if (j->judgement[i].id[0] == j->set[0]->id[q])
            gain[j->judgement[i].id[1]] = j->judgement[i].gain;
    for (uint32_t place = 0; place < e->n && !a->failed; place++)
        if (e->id[place] != IG_NO_ID && gain[e->id[place]] > 0)
            s->found[s->r++] = (struct found){
                .query = q, .place = place, .rank = 1, .gain = gain[e->id[place]]};
    s->first[q + 1] = (uint32_t)s->r;
    if (s->r > first)
        qsort(s->found + first, s->r - first, sizeof *s->found, by_rank);
}

/* Compare relevant documents of the queries at hand with the documents at hand: floats
 * count, doubles decide. */
static void compare_documents(void *context, size_t member, size_t first, size_t last)
{
    const struct judging *s = context;
    const ig_chunk *c = &s->documents;
    double blur = 4e-6 + 4e-9 * (double)c->d, more;

    (void)member;
    first += s->first[s->from];
    last += s->first[s->from];
    for (struct found *f = s->found + first; f < s->found + last; f++) {
        const float *cosine = s->cosine + (f->query - s->from) * c->count;
        float high = (float)(f->cosine + blur), low = (float)(f->cosine - blur);
        uint32_t nearer = ig_count_gt(cosine, high, c->count);
        bool known = ig_count_gt(cosine, low, c->count) == nearer;

        f->rank += nearer;
        for (size_t i = 0; i < c->count && !known; i++)
            if (cosine[i] > low && !(cosine[i] > high)) {
                more = ig_dot(c->row + i * c->d, s->query + f->query * c->d, c->d) -
                       f->cosine;
                f->rank += more > IG_COSINE_EQUAL;
                f->equal += fabs(more) <= IG_COSINE_EQUAL;
            }
    }
}

/* Rank the relevant documents. */
static void rank_documents(struct judging *s, ig_arena *a)
{
    const ig_rows *queries = s->e->spec->queries, *documents = &s->e->units;
    size_t q = queries->rows, d = s->e->d;
    float *scratch =
        ig_arena_array(a, queries->scratch + documents->scratch, sizeof *scratch);
    float *row = ig_arena_array(a, d, sizeof *row);
    ig_chunk *c = &s->documents;

    s->query = ig_arena_array(a, q, d * sizeof *s->query);
    *c = ig_chunk_of(s->e, documents, NULL, s->e->n, a);
    s->cosine = ig_arena_array(a, BLOCK, c->each * sizeof *s->cosine);
    if (a->failed)
        return;
    ig_rows_read(queries, NULL, 0, q, s->query, d, scratch);
    ig_rows_unit(s->query, d, q, d);
    for (struct found *f = s->found; f < s->found + s->r; f++) {
        ig_rows_read(documents, NULL, f->place, 1, row, d, scratch);
        f->cosine = ig_dot(row, s->query + f->query * d, d);
    }
    for (; s->from < q; s->from += BLOCK)
        while (ig_chunk_next(c)) {
            size_t n = q - s->from < BLOCK ? q - s->from : BLOCK;

            ig_gemm_pool(s->e->pool, false, true, 1,
                         ig_matrix_of(s->query + s->from * d, n, d),
                         ig_matrix_of(c->row, c->count, d), 0,
                         ig_matrix_of(s->cosine, n, c->count));
            ig_parallel_for(s->e->pool, s->first[s->from + n] - s->first[s->from], 16,
                            compare_documents, s);
        }
}

/* --- figures ---------------------------------------------------------------------- */

/* Means over the queries. */
enum { NDCG, RECALL, MRR, PREFERENCE, MEANS, NEAR = 10, FAR = 100 };

static const char *const names[MEANS] = {"judged_ndcg10", "judged_recall100",
                                         "judged_mrr", "judged_preference"};

/* The discounted gain of a document at a rank. */
static double gain_at(size_t rank, float gain)
{
    return rank > NEAR ? 0 : (double)gain / log2((double)rank + 1);
}

/* Fill in item i of a query that has relevant documents. Returns whether the first of
 * them tie with another document. */
static bool judge_query(const struct judging *s, size_t q, ig_figure *const f[MEANS],
                        size_t i)
{
    const ig_dataset *asks = s->judged->set[0], *documents = s->judged->set[1];
    struct found *all = s->found + s->first[q], *end = s->found + s->first[q + 1];
    size_t t = (size_t)(end - all), rank = 0;
    double gain = 0, ideal = 0, far = 0, own = 0, first = 0, own_first = 0;

    for (size_t k = 0; k < t; k++)
        ideal += gain_at(k + 1, all[k].gain);
    qsort(all, t, sizeof *all, by_rank);
    for (const struct found *at = all; at < end; at++) {
        bool same = strcmp(documents->language[s->e->lang[at->place]],
                           asks->language[asks->lang[q]]) == 0;

        rank = at > all && at->rank == at[-1].rank ? rank + 1 : at->rank;
        gain += gain_at(rank, at->gain);
        far += rank <= FAR;
        own += same;
        first += at->rank == all->rank;
        own_first += same && at->rank == all->rank;
    }
    const double value[MEANS] = {gain / ideal, far / (double)t, 1.0 / all->rank,
                                 own < (double)t && own > 0 ? own_first / first
                                                            : (double)NAN};

    for (int m = 0; m < MEANS; m++) {
        f[m]->unit[i] = asks->id[q];
        f[m]->item[0][i] = (float)value[m];
    }
    f[PREFERENCE]->chance += isnan(value[PREFERENCE]) ? 0 : own / (double)t;
    return all->equal > first;
}

/* P(χ² > x) of so many degrees of freedom, at least one. */
static double tail_of(double x, size_t freedom)
{
    double p = freedom % 2 ? erfc(sqrt(x / 2)) : exp(-x / 2);

    for (size_t k = 2 - freedom % 2; k < freedom; k += 2)
        p += exp((double)k / 2 * log(x / 2) - x / 2 - lgamma((double)k / 2 + 1));
    return p;
}

/* The mean rank of relevant documents by language, and whether languages differ
 * [Kruskal, Wallis 1952]: by their ranks among each other, less the middle one. */
static void add_ranks(const struct judging *s, const char *reason, ig_figures *figures)
{
    size_t languages = s->e->languages, groups = 0, end = 0;
    double(*sum)[2] = ig_arena_array(&figures->brief, languages, sizeof *sum);
    size_t *count = ig_arena_array(&figures->brief, languages, sizeof *count);
    double among = 0, square = 0, h = 0;

    if (s->r && !reason)
        qsort(s->found, s->r, sizeof *s->found, by_rank);
    for (size_t i = 0; i < s->r && !reason && count; i++) {
        size_t l = s->e->lang[s->found[i].place];

        if (i == end) { /* those of equal rank share their mean */
            while (end < s->r && s->found[end].rank == s->found[i].rank)
                end++;
            among = ((double)(i + end) - (double)s->r) / 2;
        }
        count[l]++;
        sum[l][0] += s->found[i].rank;
        sum[l][1] += among;
        square += among * among;
    }
    for (size_t l = 0; l < languages && count; l++) {
        ig_figure *f;

        if (!count[l])
            continue;
        f = ig_figures_add_languages(figures, "judged_rank", IG_ALL_LANGUAGES, l,
                                     sum[l][0] / (double)count[l], NULL);
        f->n = count[l];
        f->chance = ((double)s->e->n + 1) / 2;
        h += sum[l][1] * sum[l][1] / (double)count[l];
        groups++;
    }
    h *= (double)(s->r - 1) / square; /* 0/0 is NaN */
    ig_figures_add(
        figures, "judged_fairness", groups > 1 ? tail_of(h, groups - 1) : (double)NAN,
        reason ? reason : "all relevant documents have one language, or rank")
        ->n = s->r;
}

static ig_status measure(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    struct judging s = {.e = e, .judged = e->spec->judged};
    const ig_dataset *asks = s.judged->set[0];
    float *gain = ig_arena_array(a, s.judged->set[1]->ids, sizeof *gain);
    size_t asked = 0, tied = 0;
    const char *reason = NULL;
    ig_figure *f[MEANS];

    s.first = ig_arena_array(a, asks->rows + 1, sizeof *s.first);
    for (int m = 0; m < MEANS; m++)
        f[m] = ig_figures_add_items(figures, names[m], IG_ALL_LANGUAGES,
                                    IG_ALL_LANGUAGES, IG_MEAN, asks->rows);
    a->failed |= figures->failed;
    for (uint32_t q = 0; q < asks->rows && !a->failed; q++)
        list_relevant(&s, q, gain, a);
    if (!a->failed)
        rank_documents(&s, a);
    f[PREFERENCE]->chance = 0;
    for (size_t q = 0; q < asks->rows && !a->failed; q++)
        if (s.first[q] < s.first[q + 1])
            tied += judge_query(&s, q, f, asked++);
    if (!asked)
        reason = "no query has a relevant document";
    else if ((double)tied > IG_NEARLY_ALL * (double)asked)
        reason = "the nearest relevant documents tie with others";
    for (size_t k = 0; k < s.r; k++) /* each is as near as itself */
        reason = s.found[k].equal ? reason : "a value is not finite";
    add_ranks(&s, reason, figures);
    for (int m = 0; m < MEANS; m++) {
        f[m]->items = reason ? 0 : asked;
        ig_figures_close(figures, f[m],
                         reason ? reason
                                : "no query has relevant documents in its language and "
                                  "in another");
    }
    f[PREFERENCE]->chance /= (double)f[PREFERENCE]->n; /* 0/0 is NaN */
    ig_free(s.found);
    return IG_OK;
}

const ig_measure_group ig_judged_group = {
    .word = "judged", .needs = IG_NEEDS_ROWS | IG_NEEDS_JUDGED, .measure = measure};
