/* Multilingual pool [LAReQA], over all pairs of rows: every row is a query, all others
 * are candidates. A scan finds the ten nearest rows of each and ranks its nearest and
 * its farthest translation. Legend: n rows, L languages. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "measure/measure_group.h"

enum { K = IG_POOL_NEAR };

/* Share of ties above which nearest rows are meaningless, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* Weight of a row's effect on the purity of the rows that it is near to. All of it
 * would count pairs of rows twice (Efron, Stein 1981); with three quarters intervals
 * have their coverage (make check-science). */
static const double AS_NEIGHBOUR = 0.75;

static const size_t ALL = IG_ALL_LANGUAGES;

/* Of a row's translations the ones that are ranked. */
enum { FIRST, LAST, ENDS };

/* A query. The rows of its own meaning are few: their cosines are exact, and the scan
 * keeps the nearest of the others. */
struct query {
    uint32_t row;
    ig_near near;
    uint32_t other[K], others; /* … with exact cosines */
    uint32_t end[ENDS];        /* a translation, or IG_NO_ID: none … */
    uint32_t nearer[ENDS];     /* … rows that are nearer … */
    double cosine[ENDS];       /* … and its cosine */
};

struct search {
    const ig_scan *scan;
    const ig_embeddings *e;
    uint32_t *start, *order; /* (meanings + 2), (n) rows of each meaning, ascending */
    double *base;            /* (L) what scores of its rows lack to cosines */
    struct query *query;     /* (queries) */
    ig_multilingual_pool *pool; /* after the scan … */
    uint32_t *nearest;          /* … (queries, k) the nearest of all rows */
};

/* --- meanings --------------------------------------------------------------------- */

static size_t meaning_of(const void *context, size_t row)
{
    return ((const ig_embeddings *)context)->meaning[row];
}

/* The rows of a row's meaning, itself among them. */
static const uint32_t *list_alike(const struct search *s, size_t row, size_t *count)
{
    uint32_t m = s->e->meaning[row];

    *count = s->start[m + 1] - s->start[m];
    return s->order + s->start[m];
}

static bool is_translation(const struct search *s, size_t a, size_t b)
{
    return s->e->lang[a] != s->e->lang[b] && s->e->meaning[a] == s->e->meaning[b];
}

/* The translations of a row, and how many languages they are of. */
static size_t count_translations(const struct search *s, size_t row, size_t *languages)
{
    size_t count, others = 0, lang = ALL;
    const uint32_t *list = list_alike(s, row, &count);

    *languages = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_translation(s, row, list[i]))
            continue;
        others++;
        *languages += s->e->lang[list[i]] != lang;
        lang = s->e->lang[list[i]];
    }
    return others;
}

/* --- the scan --------------------------------------------------------------------- */

/* The nearest and the farthest translation of each query. */
static void begin_queries(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        struct query *q = &s->query[i];
        size_t count;
        const uint32_t *list = list_alike(s, s->scan->query[i], &count);

        q->row = s->scan->query[i];
        q->end[FIRST] = q->end[LAST] = IG_NO_ID;
        for (size_t k = 0; k < count; k++)
            for (int end = 0; end < ENDS && is_translation(s, q->row, list[k]); end++) {
                double cosine = ig_scan_cosine(s->scan, q->row, list[k]);
                double more = cosine - q->cosine[end];

                if (q->end[end] != IG_NO_ID && !(end == FIRST ? more > 0 : more < 0))
                    continue;
                q->cosine[end] = cosine;
                q->end[end] = list[k];
            }
    }
}

static void see_face(void *state, const ig_face *face)
{
    const struct search *s = state;
    float others[IG_SCAN_TILE];
    bool tied = false;

    for (size_t i = 0; i < face->queries; i++) {
        struct query *q = &s->query[face->at + i];
        const float *row = face->product + i * IG_SCAN_TILE;
        size_t count;
        const uint32_t *list = list_alike(s, q->row, &count);
        size_t at = ig_array_find(list, count, face->first);
        float most = face->most[i];

        for (int end = 0; end < ENDS && q->end[end] != IG_NO_ID; end++)
            q->nearer[end] += ig_face_nearer(face, i, row, most, q->cosine[end],
                                             q->end[end], &q->end[end], 1, &tied);
        if (at < count && list[at] - face->first < face->n) {
            memcpy(others, row, face->n * sizeof *row);
            for (; at < count && list[at] - face->first < face->n; at++)
                others[list[at] - face->first] = -INFINITY;
            row = others;
            most = ig_max_of(others, face->n);
        }
        ig_near_offer(&q->near, K, face, i, row, most, s->base[face->from]);
    }
}

/* Merge what the processes have seen: lists, and counts. */
static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    const struct search *s = state;
    size_t n = s->scan->queries, size = n * sizeof *s->query;
    struct query *own = ig_alloc(n, sizeof *own), *other = ig_alloc(n, sizeof *other);
    bool room = !ig_comm_any(comm, !own || !other);

    if (room)
        memcpy(own, s->query, size);
    for (size_t r = 0; room && r < ig_comm_processes(comm); r++) {
        bool mine = r == ig_comm_process(comm);

        ig_comm_broadcast(comm, r, mine ? own : other, size);
        for (size_t q = 0; !mine && q < n; q++) {
            ig_near_join(&s->query[q].near, s->scan, &other[q].near);
            for (int end = 0; end < ENDS; end++)
                s->query[q].nearer[end] += other[q].nearer[end];
        }
    }
    IG_FREE(own, other);
    return room ? IG_OK : ig_fail_memory(error, "the multilingual pool");
}

static ig_status join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out,
                      ig_consumer *consumer, ig_error *error)
{
    ig_arena *a = &out->figures.brief;
    struct search all = {.scan = scan,
                         .e = e,
                         .start = ig_arena_array(a, e->meanings + 2, sizeof *all.start),
                         .order = ig_arena_array(a, e->n, sizeof *all.order),
                         .base = ig_arena_array(a, e->languages, sizeof *all.base),
                         .query = ig_arena_array(a, scan->queries, sizeof *all.query)};
    struct search *s = ig_arena_alloc(a, sizeof *s);

    if (a->failed)
        return ig_fail_memory(error, "the multilingual pool");
    *s = all;
    ig_array_order(e->n, e->meanings, meaning_of, e, s->start, s->order);
    for (size_t l = 0; l < e->languages; l++)
        s->base[l] =
            ig_dot(scan->centre + l * scan->d, scan->centre + l * scan->d, scan->d);
    if (!scan->odd)
        ig_parallel_for(e->pool, scan->queries, 64, begin_queries, s);
    *consumer = (ig_consumer){.state = s, .see = see_face, .unite = unite};
    return IG_OK;
}

/* --- results ---------------------------------------------------------------------- */

/* Gain of the first t of ten places. */
static double ideal_gain(size_t t)
{
    double sum = 0;

    for (size_t i = 0; i < t && i < K; i++)
        sum += 1 / log2((double)i + 2);
    return sum;
}

struct asking {
    const uint32_t *meaning;
    uint32_t row;
};

static bool is_other(const void *context, uint32_t row)
{
    const struct asking *a = context;

    return a->meaning[row] != a->meaning[a->row];
}

/* Take the nearest rows of other meanings; near (k) gets those of all. */
static void take_nearest(const struct search *s, struct query *q, ig_candidate *near)
{
    const struct asking a = {s->e->meaning, q->row};
    size_t alike, count = 0, k = s->pool->k;
    const uint32_t *list = list_alike(s, q->row, &alike);
    ig_candidate other[K];

    q->others =
        (uint32_t)ig_near_take(&q->near, K, s->scan, q->row, is_other, &a, other);
    for (size_t j = 0; j < q->others; j++) {
        q->other[j] = other[j].row;
        ig_candidate_insert(near, &count, k, other[j], s->scan);
    }
    for (size_t i = 0; i < alike; i++)
        if (list[i] != q->row)
            ig_candidate_insert(
                near, &count, k,
                (ig_candidate){ig_scan_cosine(s->scan, q->row, list[i]), list[i]},
                s->scan);
}

static void judge_queries(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;
    const uint16_t *lang = s->e->lang;
    size_t k = s->pool->k, languages;

    (void)member;
    for (size_t i = first; i < last; i++) {
        struct query *q = &s->query[i];
        ig_pool_row *found = &s->pool->found[i];
        double ideal = ideal_gain(count_translations(s, q->row, &languages));
        bool has = q->end[FIRST] != IG_NO_ID, own = false, other = false;
        ig_candidate near[K];

        take_nearest(s, q, near);
        *found = (ig_pool_row){.row = q->row,
                               .lang = lang[q->row],
                               .nearest = near[0].row,
                               .translation = is_translation(s, q->row, near[0].row),
                               .rank = has ? q->nearer[FIRST] + 1 : 0,
                               .last_rank = has ? q->nearer[LAST] + 1 : 0,
                               .first = has ? lang[q->end[FIRST]] : 0};
        for (size_t j = 0; j < q->others; j++)
            found->purity += lang[q->other[j]] == lang[q->row];
        found->purity /= (float)q->others; /* 0/0 is NaN */
        for (size_t j = 0; j < k; j++) {
            bool translation = is_translation(s, q->row, near[j].row);
            bool same = lang[near[j].row] == lang[q->row];
            bool nearest = near[0].cosine - near[j].cosine <= IG_COSINE_EQUAL;

            found->gain += translation ? (float)(1 / log2((double)j + 2) / ideal) : 0;
            found->translations += translation;
            found->density += (float)(near[j].cosine / (double)k);
            own |= nearest && same;
            other |= nearest && !same;
            found->tied |= has && !translation &&
                           fabs(near[j].cosine - q->cosine[FIRST]) <= IG_COSINE_EQUAL;
            s->nearest[i * k + j] = near[j].row;
        }
        found->unsettled = own && other;
    }
}

/* How often each row is near to others, and what it adds to their purity. */
static void count_neighbours(const struct search *s)
{
    ig_pool_row *found = s->pool->found;

    for (size_t i = 0; i < s->e->n * s->pool->k; i++)
        found[s->nearest[i]].hub++;
    for (size_t i = 0; i < s->e->n; i++)
        for (size_t j = 0; j < s->query[i].others; j++) {
            uint32_t other = s->query[i].other[j];
            double same = s->e->lang[other] == s->e->lang[i];

            found[other].effect += (float)(AS_NEIGHBOUR *
                                           (same - (double)found[i].purity) /
                                           s->query[i].others);
        }
}

/* --- figures ---------------------------------------------------------------------- */

/* Means over the rows; those before SAME over rows that have a translation. */
enum { TRANSLATION, MRR, NDCG, LAST_RANK, SAME, PURITY, LINES };

static const char *const lines[LINES] = {"pool_translation",   "pool_mrr",
                                         "pool_ndcg10",        "pool_last_rank",
                                         "pool_same_language", "purity10"};
static const char ALL_TIE[] = "all candidates tie: the space cannot distinguish them";

/* Mean of 1/rank of the first of t rows among n in random order. The first is at rank r
 * with C(n − r, t − 1)/C(n, t). */
static double guess_mrr(size_t n, size_t t)
{
    double p = (double)t / (double)n, sum = 0;

    for (size_t r = 1; r + t <= n + 1; r++) {
        sum += p / (double)r;
        p *= (double)(n - r - t + 1) / (double)(n - r);
    }
    return sum;
}

/* Rows of a language, and translations of a row, among all others; of purity, rows of a
 * language among those of other meanings. Of 1/rank the last value is kept: neighbours
 * mostly have as many translations. */
static void guess_lines(const struct search *s, double chance[LINES])
{
    const ig_embeddings *e = s->e;
    size_t last = 0, queries = 0, pure = 0, languages, alike;
    double n = (double)e->n - 1, mrr = 0;

    for (size_t i = 0; i < e->n; i++) {
        double same = (double)ig_scan_rows(s->scan, e->lang[i]) - 1;
        size_t t = count_translations(s, i, &languages);

        list_alike(s, i, &alike);
        mrr = t && t != last ? guess_mrr(e->n - 1, t) : mrr;
        last = t ? t : last;
        queries += t > 0;
        chance[TRANSLATION] += (double)t / n;
        chance[MRR] += t ? mrr : 0;
        chance[NDCG] += t ? (double)t / n * ideal_gain(s->pool->k) / ideal_gain(t) : 0;
        chance[LAST_RANK] += (double)t / ((double)t + 1) * (n + 1);
        chance[SAME] += same / n;
        if (alike == e->n)
            continue;
        chance[PURITY] += (same - (double)(alike - 1 - t)) / (double)(e->n - alike);
        pure++;
    }
    for (int l = 0; l < LINES; l++)
        chance[l] /= (double)(l < SAME ? queries : l == SAME ? e->n : pure);
}

/* Add the means; with a reason where they have no value. */
static void add_lines(const struct search *s, const char *const reason[LINES],
                      ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    size_t n = p->reason ? 0 : p->rows;
    double chance[LINES] = {0};
    uint32_t *unit = NULL;

    if (n)
        guess_lines(s, chance);
    for (int l = 0; l < LINES; l++) {
        ig_figure *f =
            ig_figures_add_items(figures, lines[l], ALL, ALL, IG_MEAN, n, unit);

        if (!f)
            return;
        unit = f->unit;
        f->n = p->reason || l == SAME ? p->rows : 0;
        for (size_t i = 0; i < n; i++) {
            const ig_pool_row *r = &p->found[i];
            const float value[LINES] = {r->translation,
                                        1 / (float)r->rank,
                                        r->gain,
                                        (float)r->last_rank,
                                        r->lang == s->e->lang[r->nearest],
                                        r->purity};

            unit[i] = s->e->meaning[r->row];
            f->item[0][i] = l < SAME && !r->rank ? NAN : value[l];
            f->n += l != SAME && !isnan(f->item[0][i]);
        }
        f->chance = n ? chance[l] : (double)NAN;
        f->items = reason[l] ? 0 : n;
        ig_figures_close(figures, f,
                         reason[l] ? reason[l] : "all rows have one meaning");
        for (size_t i = 0; i < f->items && l >= SAME; i++)
            f->item[0][i] += p->found[i].effect; /* of draws alone: their sum is 0 */
    }
}

/* Of the rows with translations in two languages or more, one of them l: the share
 * whose nearest is of l. Returns half of how many are above or below expectation.
 *   list  scratch (queries) */
static double add_first(const struct search *s, size_t l, const size_t *languages,
                        uint32_t *list, ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    ig_figure *f;
    double expected = 0;
    size_t n = 0, count;

    for (uint32_t i = 0; i < p->rows; i++) {
        const uint32_t *alike = list_alike(s, p->found[i].row, &count);
        size_t at = ig_array_find(alike, count, s->e->first[l]);

        if (languages[i] < 2 || p->found[i].lang == l || at == count ||
            alike[at] >= s->e->first[l + 1])
            continue;
        expected += 1 / (double)languages[i];
        list[n++] = i;
    }
    f = n ? ig_figures_add_items(figures, "first_translation", ALL, l, IG_MEAN, n, NULL)
          : NULL;
    if (!f)
        return 0;
    for (size_t i = 0; i < n; i++) {
        f->unit[i] = s->e->meaning[p->found[list[i]].row];
        f->item[0][i] = p->found[list[i]].first == l;
    }
    ig_figures_close(figures, f, NULL);
    f->chance = expected / (double)n;
    return fabs(f->value * (double)n - expected) / 2;
}

/* How often the nearest translation is of each language, and the share of rows for
 * which it would have to be of another to be of each as often as by chance. */
static void add_preference(const struct search *s, const char *reason,
                           ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    size_t n = reason ? 0 : p->rows, rows = 0;
    size_t *languages = ig_arena_array(&figures->brief, n, sizeof *languages);
    uint32_t *list = ig_arena_array(&figures->brief, n, sizeof *list);
    double moved = 0;
    ig_figure *f;

    figures->failed |= figures->brief.failed;
    for (size_t i = 0; i < n && !figures->failed; i++) {
        count_translations(s, p->found[i].row, &languages[i]);
        rows += languages[i] > 1;
    }
    for (size_t l = 0; l < s->e->languages && rows && !figures->failed; l++)
        moved += add_first(s, l, languages, list, figures);
    f = ig_figures_add(figures, "preference", rows ? moved / (double)rows : (double)NAN,
                       reason ? reason : "no row has translations in two languages");
    f->n = rows;
}

/* Skewness: the third standardised moment of `hub`; NaN where all are equal. By chance,
 * of ten of the others at random, it is that of a binomial. */
static void add_hubness(const struct search *s, ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    double n = (double)s->e->n - 1, k = (double)p->k / n, power[4] = {0};
    double chance = (1 - 2 * k) / sqrt(n * k * (1 - k)), value;
    size_t rows = p->reason || s->scan->asks ? 0 : p->rows;
    ig_figure *f;

    for (int m = 1; m < 4; m++) {
        for (size_t i = 0; i < rows; i++)
            power[m] += pow(p->found[i].hub - power[1] * (m > 1), m);
        power[m] /= (double)rows;
    }
    value = power[2] > 0 ? power[3] / pow(power[2], 1.5) : (double)NAN;
    f = ig_figures_add(figures, "hubness10", value,
                       p->reason
                           ? p->reason
                           : "every row is equally often among the ten nearest, or "
                             "only a sample of rows is queried");
    f->n = p->rows;
    f->chance = isfinite(chance) && !p->reason ? chance : (double)NAN;
}

static void add_figures(const struct search *s, ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    size_t queries = 0, tied = 0, unsettled = 0, l = s->e->languages;
    size_t *met = ig_arena_array(&figures->brief, l * l, sizeof *met);
    const char *ranks = p->reason, *same = p->reason;

    figures->failed |= !met;
    for (size_t i = 0; met && !p->reason && i < p->rows; i++) {
        queries += p->found[i].rank > 0;
        tied += p->found[i].tied;
        unsettled += p->found[i].unsettled;
        met[p->found[i].lang * l + s->e->lang[p->found[i].nearest]]++;
    }
    if (!ranks && queries == 0)
        ranks = "no row has a translation";
    else if (!ranks && (double)tied > NEARLY_ALL * (double)queries)
        ranks = ALL_TIE;
    if (!same && (double)unsettled > NEARLY_ALL * (double)p->rows)
        same = ALL_TIE;
    if (figures->failed)
        return;
    add_lines(s,
              (const char *const[LINES]){ranks, ranks, ranks, ranks, same, p->reason},
              figures);
    add_preference(s, ranks, figures);
    ig_figures_add_counts(figures, "pool_nearest", met, l, true);
    add_hubness(s, figures);
}

/* --- the group -------------------------------------------------------------------- */

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    struct search *s = state;
    ig_multilingual_pool *p = s->pool = &out->multilingual_pool;
    const ig_embeddings *e = s->e;
    ig_arena *a = e->spec->neighbours ? &out->arena : &out->figures.brief;

    p->rows = s->scan->queries;
    p->reason = e->n == 0      ? "no rows"
                : e->n == 1    ? "only one row"
                : s->scan->odd ? "a value is not finite"
                               : NULL;
    if (!p->reason) {
        p->k = e->n > K ? K : e->n - 1;
        p->found = ig_arena_array(&out->arena, p->rows, sizeof *p->found);
        s->nearest = ig_arena_array(a, p->rows * p->k, sizeof *s->nearest);
        if (out->arena.failed || a->failed)
            return ig_fail_memory(error, "the multilingual pool");
        ig_parallel_for(e->pool, p->rows, 64, judge_queries, s);
        if (!s->scan->asks)
            count_neighbours(s);
        p->near = e->spec->neighbours ? s->nearest : NULL;
    }
    add_figures(s, &out->figures);
    for (size_t i = 0; p->found && i < p->rows; i++) { /* of the dataset */
        p->found[i].row = e->row[p->found[i].row];
        p->found[i].nearest = e->row[p->found[i].nearest];
    }
    for (size_t i = 0; p->near && i < p->rows * p->k; i++)
        p->near[i] = e->row[p->near[i]];
    return out->figures.failed ? ig_fail_memory(error, "the multilingual pool") : IG_OK;
}

const ig_measure_group ig_multilingual_pool_group = {
    .word = "pool", .needs = IG_NEEDS_ROWS, .join = join, .finish = finish};
