/* Queries and judgements [BEIR]: the rank of each relevant document among those of all
 * languages, and what follows from the ranks. Legend: n documents, d dims. */
#include "measure/judged.h"

#include <math.h>
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

    if (last == 2 || last == 3)
        ig_number_double(f.bytes, f.length, &gain);
    if (r->number == 0 && last == 2 && isnan(gain))
        return IG_OK; /* a header */
    if (!isfinite((float)gain))
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

/* --- a query ---------------------------------------------------------------------- */

/* Means over the queries. */
enum { NDCG, RECALL, MRR, PREFERENCE, MEANS, NEAR = 10, FAR = 100 };

static const char *const names[MEANS] = {"judged_ndcg10", "judged_recall100",
                                         "judged_mrr", "judged_preference"};

enum { BLOCK = 4 * IG_GEMM_ROWS }; /* queries that are multiplied at once */

/* Documents whose cosines differ by less are equally near: more than floats err by. */
static const float EQUAL = 2e-6F;

/* A relevant document of a query. */
struct found {
    uint32_t nearer; /* documents that are nearer */
    uint16_t lang;
    float gain;
};

struct judging {
    const ig_embeddings *e;
    const ig_judged *judged;
    float *gain;         /* (ids of documents) of the query at hand */
    struct found *found; /* (r) of all queries */
    size_t r, room;
    ig_figure *figure[MEANS];
    size_t asked, tied; /* queries that have relevant documents; whose first ones tie */
    bool odd;           /* a cosine is not finite */
};

/* The discounted gain of a document at a rank. */
static double gain_at(size_t rank, float gain)
{
    return rank > NEAR ? 0 : (double)gain / log2((double)rank + 1);
}

/* Rank the relevant documents of a query by its cosines with all (n), those of equal
 * ranks by gain, and fill in the next items. */
static void judge_query(struct judging *s, size_t q, const float *cosine)
{
    const ig_dataset *asks = s->judged->set[0], *documents = s->judged->set[1];
    const ig_embeddings *e = s->e;
    struct found *all = s->found + s->r;
    size_t t = 0;
    uint32_t nearer;
    float best = -INFINITY;
    double gain = 0, ideal = 0, far = 0, own = 0, first = 0, own_first = 0;

    memset(s->gain, 0, documents->ids * sizeof *s->gain);
    for (size_t i = 0; i < s->judged->count; i++)
        if (s->judged->judgement[i].id[0] == asks->id[q])
            s->gain[s->judged->judgement[i].id[1]] = s->judged->judgement[i].gain;
    for (size_t i = 0; i < e->n; i++) {
        if (e->id[i] == IG_NO_ID || !(s->gain[e->id[i]] > 0))
            continue;
        s->odd |= isnan(cosine[i]);
        best = fmaxf(best, cosine[i]);
        all[t++] = (struct found){ig_count_gt(cosine, cosine[i] + EQUAL, e->n),
                                  e->lang[i], s->gain[e->id[i]]};
    }
    if (!t)
        return;
    nearer = ig_count_gt(cosine, best + EQUAL, e->n);
    for (size_t k = 0; k < t; k++) {
        bool same = strcmp(documents->language[all[k].lang],
                           asks->language[asks->lang[q]]) == 0;
        size_t place = 1, rank = 1 + all[k].nearer;

        for (size_t i = 0; i < t; i++) {
            bool before = all[i].gain > all[k].gain ||
                          (i < k && all[i].gain >= all[k].gain);

            place += before;
            rank += before && all[i].nearer == all[k].nearer;
        }
        ideal += gain_at(place, all[k].gain);
        gain += gain_at(rank, all[k].gain);
        far += rank <= FAR;
        own += same;
        first += all[k].nearer == nearer;
        own_first += same && all[k].nearer == nearer;
    }
    const double value[MEANS] = {
        fmin(gain / ideal, 1), far / (double)t, 1 / (nearer + 1.0),
        own > 0 && own < (double)t ? own_first / first : (double)NAN};

    for (int m = 0; m < MEANS; m++) {
        s->figure[m]->unit[s->asked] = asks->id[q];
        s->figure[m]->item[0][s->asked] = (float)value[m];
    }
    s->figure[PREFERENCE]->chance += isnan(value[PREFERENCE]) ? 0 : own / (double)t;
    s->tied += ig_count_gt(cosine, best - EQUAL, e->n) > nearer + first;
    s->asked++;
    s->r += t;
}

/* --- figures ---------------------------------------------------------------------- */

/* P(χ² > x) of so many degrees of freedom, at least one. */
static double tail_of(double x, size_t freedom)
{
    double p = freedom % 2 ? erfc(sqrt(x / 2)) : exp(-x / 2);

    for (size_t k = 2 - freedom % 2; k < freedom; k += 2)
        p += exp((double)k / 2 * log(x / 2) - x / 2 - lgamma((double)k / 2 + 1));
    return p;
}

/* Whether languages differ in the ranks of relevant documents [Kruskal, Wallis 1952]:
 * those among each other, less the middle one; equal ranks share their mean. */
static double fairness(const struct judging *s, ig_arena *a)
{
    size_t n = s->e->n, languages = s->e->languages, groups = 0;
    uint32_t *below = ig_arena_array(a, n + 1, sizeof *below); /* of each rank */
    double *count = ig_arena_array(a, languages, sizeof *count);
    double *sum = ig_arena_array(a, languages, sizeof *sum), square = 0, h = 0;

    for (size_t i = 0; i < s->r && !a->failed; i++)
        below[s->found[i].nearer + 1]++;
    for (size_t i = 0; i < n && !a->failed; i++)
        below[i + 1] += below[i];
    for (const struct found *f = s->found; f < s->found + s->r && !a->failed; f++) {
        double rank = below[f->nearer] + below[f->nearer + 1] - (double)s->r;

        square += rank * rank;
        sum[f->lang] += rank;
        count[f->lang]++;
    }
    for (size_t l = 0; l < languages && !a->failed; l++) {
        h += count[l] > 0 ? sum[l] * sum[l] / count[l] : 0;
        groups += count[l] > 0;
    }
    return groups > 1 ? tail_of(h * (double)(s->r - 1) / square, groups - 1)
                      : (double)NAN; /* 0/0 is, too */
}

static ig_status measure(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    const ig_rows *queries = e->spec->queries;
    struct judging s = {.e = e, .judged = e->spec->judged};
    size_t all = IG_ALL_LANGUAGES, d = e->d;
    ig_chunk documents = ig_chunk_of(e, &e->units, NULL, e->n, a);
    ig_chunk block = ig_chunk_of(e, queries, NULL, queries->rows, a);
    float *cosine = ig_arena_array(a, BLOCK, e->n * sizeof *cosine);
    const char *reason;

    block.each = BLOCK;
    s.gain = ig_arena_array(a, s.judged->set[1]->ids, sizeof *s.gain);
    for (int m = 0; m < MEANS; m++)
        s.figure[m] =
            ig_figures_add_items(figures, names[m], all, all, IG_MEAN, queries->rows);
    s.figure[PREFERENCE]->chance = 0;
    while (!figures->failed && ig_chunk_next(&block)) {
        ig_rows_unit(block.row, d, block.count, d);
        while (ig_chunk_next(&documents))
            ig_gemm_pool(e->pool, false, true, 1,
                         ig_matrix_of(block.row, block.count, d),
                         ig_matrix_of(documents.row, documents.count, d), 0,
                         (ig_matrix){cosine + documents.first, block.count,
                                     documents.count, e->n});
        for (size_t i = 0; i < block.count && !figures->failed; i++) {
            figures->failed |= ig_array_grow(&s.found, &s.room, s.r + e->n,
                                             sizeof *s.found, "", NULL) != IG_OK;
            if (!figures->failed)
                judge_query(&s, block.first + i, cosine + i * e->n);
        }
    }
    reason = !s.asked ? "no query has a relevant document"
             : s.odd  ? "a value is not finite"
             : (double)s.tied > IG_NEARLY_ALL * (double)s.asked
                 ? "the nearest relevant documents tie with others"
                 : NULL;
    ig_figures_add(figures, "judged_fairness", reason ? (double)NAN : fairness(&s, a),
                   reason ? reason
                          : "all relevant documents have one language, or rank")
        ->n = s.r;
    for (int m = 0; m < MEANS; m++) {
        s.figure[m]->items = reason ? 0 : s.asked;
        ig_figures_close(figures, s.figure[m],
                         reason ? reason
                                : "no query has relevant documents in its language and "
                                  "in another");
    }
    s.figure[PREFERENCE]->chance /= (double)s.figure[PREFERENCE]->n; /* 0/0 is NaN */
    ig_free(s.found);
    return IG_OK;
}

const ig_measure_group ig_judged_group = {"judged", IG_NEEDS_ROWS | IG_NEEDS_JUDGED,
                                          .measure = measure};
