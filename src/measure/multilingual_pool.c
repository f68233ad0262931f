/* Multilingual pool, over all pairs of rows: a scan finds the ten nearest rows of each
 * and ranks its nearest and its farthest translation. Legend: N rows, d dims, p rows
 * that have a translation. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "measure/measure_group.h"

/* Share of ties above which nearest rows are meaningless, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* Weight of a row's effect on the purity of the rows that it is near to. All of it
 * would count pairs of rows twice (Efron, Stein 1981); with three quarters intervals
 * have their coverage (make check-science). */
static const double AS_NEIGHBOUR = 0.75;

/* Of a row's translations the ones that are ranked. */
enum { FIRST, LAST, ENDS };

/* State during a scan. The rows of a query's own meaning are few: their cosines are
 * exact, and the scan keeps the nearest of the others. */
struct search {
    const ig_scan *scan;
    const ig_embeddings *e;
    size_t k;                /* of each the nearest, 10 or all others */
    uint32_t *start, *order; /* (meanings + 2), (n) rows of each meaning, ascending */
    double *base;            /* (languages) what scores of its rows lack to cosines */
    ig_near *near;           /* (queries) rows of other meanings … */
    ig_candidate *others;    /* (queries, 10) … the nearest … */
    size_t *count;           /* (queries) … of so many */
    ig_candidate *nearest;   /* (queries, k) the nearest of all rows */
    uint32_t *end[ENDS];     /* (queries) a translation, or IG_NO_ID: none … */
    double *cosine[ENDS];    /* … its cosine … */
    uint32_t *nearer[ENDS];  /* … and rows that are nearer */
    ig_arena arena;
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

static size_t count_translations(const struct search *s, size_t row)
{
    size_t count, others = 0;
    const uint32_t *list = list_alike(s, row, &count);

    for (size_t i = 0; i < count; i++)
        others += is_translation(s, row, list[i]);
    return others;
}

/* --- the scan --------------------------------------------------------------------- */

/* The nearest and the farthest translation of each query, by exact cosines. */
static void choose_translations(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;

    for (size_t q = first; q < last; q++) {
        uint32_t row = s->scan->query[q];
        size_t count;
        const uint32_t *list = list_alike(s, row, &count);

        s->end[FIRST][q] = s->end[LAST][q] = IG_NO_ID;
        for (size_t i = 0; i < count && ig_scan_is_drawn(s->scan, row); i++) {
            double cosine;

            if (!is_translation(s, row, list[i]))
                continue;
            cosine = ig_scan_cosine(s->scan, row, list[i], member);
            for (int k = 0; k < ENDS; k++)
                if (s->end[k][q] == IG_NO_ID ||
                    (k == FIRST ? cosine > s->cosine[k][q]
                                : cosine < s->cosine[k][q])) {
                    s->cosine[k][q] = cosine;
                    s->end[k][q] = list[i];
                }
        }
    }
}

/* Products of query i of a face with rows of other meanings; *most is their maximum. */
static const float *mask_alike(const struct search *s, const ig_face *face, size_t i,
                               float *room, float *most)
{
    const float *product = face->product + i * IG_SCAN_TILE;
    size_t count;
    const uint32_t *list = list_alike(s, face->query[i], &count);
    size_t at = ig_array_find(list, count, face->first);

    *most = face->most[i];
    if (at == count || list[at] - face->first >= face->n)
        return product;
    memcpy(room, product, face->n * sizeof *room);
    for (; at < count && list[at] - face->first < face->n; at++)
        room[list[at] - face->first] = -INFINITY;
    *most = ig_kernels_best()->max_of(room, face->n);
    return room;
}

static void see_face(void *state, const ig_face *face)
{
    const struct search *s = state;
    float room[IG_SCAN_TILE], most;
    bool tied = false;

    for (size_t i = 0; i < face->queries; i++) {
        size_t q = face->at + i;
        const float *others = mask_alike(s, face, i, room, &most);

        ig_near_offer(&s->near[q], IG_POOL_NEAR, face, i, others, most,
                      s->base[face->from]);
        for (int k = 0; k < ENDS && s->end[k][q] != IG_NO_ID; k++)
            s->nearer[k][q] += ig_face_nearer(face, i, face->product + i * IG_SCAN_TILE,
                                              face->most[i], s->cosine[k][q],
                                              s->end[k][q], &s->end[k][q], 1, &tied);
    }
}

struct asking {
    const struct search *s;
    uint32_t row;
};

static bool is_other(const void *context, uint32_t row)
{
    const struct asking *a = context;

    return a->s->e->meaning[row] != a->s->e->meaning[a->row];
}

/* The nearest rows of other meanings, and of all. */
static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;

    for (size_t q = first; q < last; q++) {
        const struct asking a = {s, s->scan->query[q]};
        ig_candidate *others = s->others + q * IG_POOL_NEAR;
        size_t alike, count = 0;
        const uint32_t *list = list_alike(s, a.row, &alike);

        s->count[q] = ig_near_take(&s->near[q], IG_POOL_NEAR, s->scan, a.row, member,
                                   is_other, &a, others);
        for (size_t j = 0; j < s->count[q]; j++)
            ig_candidate_insert(s->nearest + q * s->k, &count, s->k, others[j],
                                s->scan);
        for (size_t i = 0; i < alike; i++)
            if (list[i] != a.row)
                ig_candidate_insert(
                    s->nearest + q * s->k, &count, s->k,
                    (ig_candidate){ig_scan_cosine(s->scan, a.row, list[i], member),
                                   list[i]},
                    s->scan);
    }
}

/* Merge what the processes have seen: lists, and counts. */
static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    const struct search *s = state;
    size_t n = s->scan->queries;
    ig_near *own = ig_alloc(n, sizeof *own), *other = ig_alloc(n, sizeof *other);
    bool room = !ig_comm_any(comm, !own || !other);

    for (size_t q = 0; room && q < n; q++)
        own[q] = s->near[q];
    for (size_t r = 0; room && r < ig_comm_processes(comm); r++) {
        bool mine = r == ig_comm_process(comm);

        ig_comm_broadcast(comm, r, mine ? own : other, n * sizeof *own);
        for (size_t q = 0; !mine && q < n; q++)
            ig_near_join(&s->near[q], s->scan, &other[q]);
    }
    for (int k = 0; k < ENDS; k++)
        ig_comm_sum32(comm, s->nearer[k], n);
    IG_FREE(own, other);
    return room ? IG_OK : ig_fail_memory(error, "the multilingual pool");
}

static void free_state(void *state)
{
    if (state)
        ig_arena_free(&((struct search *)state)->arena);
    ig_free(state);
}

static ig_status group_join(const ig_embeddings *e, const ig_scan *scan,
                            ig_consumer *consumer, void **state, ig_error *error)
{
    struct search *s = *state = ig_alloc(1, sizeof *s);
    size_t queries = scan->queries;
    ig_arena *a = s ? &s->arena : NULL;

    if (!s)
        return ig_fail_memory(error, "the multilingual pool");
    s->scan = scan;
    s->e = e;
    s->k = e->n > IG_POOL_NEAR ? IG_POOL_NEAR : e->n ? e->n - 1 : 0;
    s->start = ig_arena_array(a, e->meanings + 2, sizeof *s->start);
    s->order = ig_arena_array(a, e->n, sizeof *s->order);
    s->base = ig_arena_array(a, e->languages, sizeof *s->base);
    s->near = ig_arena_array(a, queries, sizeof *s->near);
    s->others = ig_arena_array(a, queries, IG_POOL_NEAR * sizeof *s->others);
    s->count = ig_arena_array(a, queries, sizeof *s->count);
    s->nearest = ig_arena_array(a, queries, s->k * sizeof *s->nearest);
    for (int k = 0; k < ENDS; k++) {
        s->end[k] = ig_arena_array(a, queries, sizeof *s->end[k]);
        s->cosine[k] = ig_arena_array(a, queries, sizeof *s->cosine[k]);
        s->nearer[k] = ig_arena_array(a, queries, sizeof *s->nearer[k]);
    }
    if (a->failed)
        return ig_fail_memory(error, "the multilingual pool");
    ig_array_order(e->n, e->meanings, meaning_of, e, s->start, s->order);
    for (size_t l = 0; l < e->languages; l++)
        s->base[l] = ig_kernels_best()->dot(scan->centre + l * scan->d,
                                            scan->centre + l * scan->d, scan->d);
    if (!scan->odd)
        ig_parallel_for(e->pool, queries, 64, choose_translations, s);
    *consumer = (ig_consumer){.state = s, .see = see_face, .unite = unite};
    return IG_OK;
}

/* --- results ---------------------------------------------------------------------- */

/* Gain of a translation at a place from 0, and of t translations at the first ten. */
static double gain_at(size_t place)
{
    return 1 / log2((double)place + 2);
}

static double ideal_gain(size_t t)
{
    double sum = 0;

    for (size_t i = 0; i < t && i < IG_POOL_NEAR; i++)
        sum += gain_at(i);
    return sum;
}

/* Whether rows decide by their number alone: `cosine` is as near as one of the ten. */
static bool ties_with(const ig_candidate *near, double cosine)
{
    return fabs(near->cosine - cosine) <= IG_COSINE_EQUAL;
}

static ig_pool_row result_of_query(const struct search *s, size_t query)
{
    uint32_t row = s->scan->query[query];
    const ig_candidate *near = s->nearest + query * s->k;
    const ig_candidate *others = s->others + query * IG_POOL_NEAR;
    double ideal = ideal_gain(count_translations(s, row)), same = 0;
    bool own = false, other = false;
    ig_pool_row found = {.row = row,
                         .nearest = near[0].row,
                         .lang = s->e->lang[row],
                         .own_language = s->e->lang[near[0].row] == s->e->lang[row],
                         .translation = is_translation(s, row, near[0].row)};

    if (s->end[FIRST][query] != IG_NO_ID) {
        found.rank = s->nearer[FIRST][query] + 1;
        found.last_rank = s->nearer[LAST][query] + 1;
        found.first = s->e->lang[s->end[FIRST][query]];
    }
    for (size_t j = 0; j < s->count[query]; j++)
        same += s->e->lang[others[j].row] == s->e->lang[row];
    found.purity = (float)(same / (double)s->count[query]); /* 0/0 is NaN */
    for (size_t j = 0; j < s->k; j++) {
        bool translation = is_translation(s, row, near[j].row);

        found.gain += translation ? (float)(gain_at(j) / ideal) : 0;
        found.translations += translation;
        found.density += (float)(near[j].cosine / (double)s->k);
        if (ties_with(&near[j], near[0].cosine)) {
            own |= s->e->lang[near[j].row] == s->e->lang[row];
            other |= s->e->lang[near[j].row] != s->e->lang[row];
        }
        if (found.rank && ties_with(&near[j], s->cosine[FIRST][query]))
            found.tied |= !translation;
    }
    found.unsettled = own && other;
    return found;
}

/* --- chance level ----------------------------------------------------------------- */

/* Mean of 1/rank of the first of t rows among n in random order. The first is at rank r
 * with C(n − r, t − 1)/C(n, t). */
static double guessed_mrr(size_t n, size_t t)
{
    double p = (double)t / (double)n, sum = 0;

    for (size_t r = 1; r + t <= n + 1; r++) {
        sum += p / (double)r;
        p *= (double)(n - r - t + 1) / (double)(n - r);
    }
    return sum;
}

/* --- figures ---------------------------------------------------------------------- */

/* Means over the rows; those before SAME over rows that have a translation. */
enum { TRANSLATION, MRR, NDCG, LAST_RANK, SAME, PURITY, LINES };

static const char *const lines[LINES] = {"pool_translation",   "pool_mrr",
                                         "pool_ndcg10",        "pool_last_rank",
                                         "pool_same_language", "purity10"};

/* What figures are appended from. */
struct rows {
    const struct search *s;
    const ig_multilingual_pool *pool;
    ig_figures *figures;
};

/* Rows of a language, and translations of a row, among all others; of purity, rows of a
 * language among those of other meanings. Of 1/rank the last value is kept: neighbours
 * mostly have as many translations. */
static void guess_lines(const struct search *s, double chance[LINES])
{
    const ig_embeddings *e = s->e;
    size_t last = 0, queries = 0, pure = 0;
    double n = (double)e->n - 1, mrr = 0, ndcg = 0;

    for (size_t i = 0; i < e->n; i++) {
        double same = (double)(e->first[e->lang[i] + 1] - e->first[e->lang[i]]) - 1;
        size_t t = count_translations(s, i), alike;

        list_alike(s, i, &alike);
        if (t && t != last) {
            mrr = guessed_mrr(e->n - 1, t);
            ndcg = (double)t / n * ideal_gain(s->k) / ideal_gain(t);
        }
        last = t ? t : last;
        queries += t > 0;
        chance[TRANSLATION] += (double)t / n;
        chance[MRR] += t ? mrr : 0;
        chance[NDCG] += t ? ndcg : 0;
        chance[LAST_RANK] += (double)t / ((double)t + 1) * (n + 1);
        chance[SAME] += same / n;
        if (alike < e->n) {
            chance[PURITY] += (same - (double)(alike - 1 - t)) / (double)(e->n - alike);
            pure++;
        }
    }
    for (int l = 0; l < LINES; l++)
        chance[l] /= (double)(l < SAME ? queries : l == SAME ? e->n : pure);
}

/* Of a row; NaN: it does not count. */
static float value_of(const ig_pool_row *f, int line)
{
    if (line < SAME && !f->rank)
        return NAN;
    return line == TRANSLATION ? f->translation
           : line == MRR       ? 1 / (float)f->rank
           : line == NDCG      ? f->gain
           : line == LAST_RANK ? (float)f->last_rank
           : line == SAME      ? f->own_language
                               : f->purity;
}

/* Add the means; without reason where ties do not decide them. */
static void add_lines(const struct rows *r, const char *const reason[LINES])
{
    const ig_multilingual_pool *p = r->pool;
    static const char one_meaning[] = "all rows have one meaning";
    double chance[LINES] = {0};
    uint32_t *unit = NULL;

    if (!p->reason)
        guess_lines(r->s, chance);
    for (int l = 0; l < LINES; l++) {
        size_t n = p->found ? p->rows : 0, counted = 0;
        ig_figure *f = ig_figures_add_items(r->figures, lines[l], IG_ALL_LANGUAGES,
                                            IG_ALL_LANGUAGES, IG_MEAN, n, unit);

        if (!f)
            return;
        unit = f->unit;
        for (size_t i = 0; i < n; i++) {
            unit[i] = r->s->e->meaning[p->found[i].row];
            f->item[0][i] = value_of(&p->found[i], l);
            counted += !isnan(f->item[0][i]);
        }
        f->n = l == SAME || p->reason ? p->rows : counted;
        f->chance = p->reason ? (double)NAN : chance[l];
        f->items = reason[l] ? 0 : n;
        ig_figures_close(r->figures, f, reason[l] ? reason[l] : one_meaning);
        for (size_t i = 0; i < f->items && l >= SAME;
             i++) /* of draws alone: their sum is 0 */
            f->item[0][i] += p->found[i].effect;
    }
}

/* --- language preference ---------------------------------------------------------- */

/* The languages that a row has translations in: language (languages). */
static size_t list_languages(const struct search *s, size_t row, uint16_t *language)
{
    size_t count, n = 0;
    const uint32_t *list = list_alike(s, row, &count); /* by language */

    for (size_t i = 0; i < count; i++)
        if (is_translation(s, row, list[i]) &&
            (!n || language[n - 1] != s->e->lang[list[i]]))
            language[n++] = s->e->lang[list[i]];
    return n > 1 ? n : 0;
}

/* Of the rows with translations in two languages or more: how often the nearest is of
 * each, and the share of rows for which it would have to be of another language to be
 * of each as often as by chance. */
static void add_preference(const struct rows *r, const char *reason)
{
    const ig_multilingual_pool *p = r->pool;
    size_t languages = r->s->e->languages, n = reason ? 0 : p->rows, rows = 0;
    ig_arena *a = &r->figures->brief;
    uint16_t *language = ig_arena_array(a, languages, sizeof *language);
    size_t *count = ig_arena_array(a, languages, sizeof *count);
    double *expected = ig_arena_array(a, languages, sizeof *expected), moved = 0;
    ig_figure **f = ig_arena_array(a, languages, sizeof(*f)), *whole;

    r->figures->failed |= a->failed;
    if (a->failed)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t of = list_languages(r->s, p->found[i].row, language);

        rows += of > 0;
        for (size_t l = 0; l < of; l++)
            count[language[l]]++;
    }
    for (size_t l = 0; l < languages; l++) {
        if (!count[l])
            continue;
        f[l] = ig_figures_add_items(r->figures, "first_translation", IG_ALL_LANGUAGES,
                                    l, IG_MEAN, count[l], NULL);
        if (!f[l])
            return;
        f[l]->items = 0;
    }
    for (size_t i = 0; i < n; i++) {
        size_t of = list_languages(r->s, p->found[i].row, language);

        for (size_t k = 0; k < of; k++) {
            size_t l = language[k], at = f[l]->items++;

            f[l]->unit[at] = r->s->e->meaning[p->found[i].row];
            f[l]->item[0][at] = p->found[i].first == l;
            expected[l] += 1 / (double)of;
        }
    }
    for (size_t l = 0; l < languages; l++) {
        if (!f[l])
            continue;
        ig_figures_close(r->figures, f[l], NULL);
        moved += fabs(f[l]->value * (double)count[l] - expected[l]) / 2;
        f[l]->chance = expected[l] / (double)count[l];
    }
    whole = ig_figures_add(
        r->figures, "preference", rows ? moved / (double)rows : (double)NAN,
        reason ? reason : "no row has translations in two languages");
    whole->n = rows;
}

/* --- hubness ---------------------------------------------------------------------- */

/* Third standardised moment of `hub`; NaN where all are equal. */
static double skewness(const ig_pool_row *found, size_t n)
{
    double mean = 0, squares = 0, cubes = 0;

    for (size_t i = 0; i < n; i++)
        mean += found[i].hub;
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        double by = found[i].hub - mean;

        squares += by * by / (double)n;
        cubes += by * by * by / (double)n;
    }
    return squares > 0 ? cubes / pow(squares, 1.5) : (double)NAN;
}

/* Ten of the others at random: as often among the ten as a binomial says. */
static void add_hubness(const struct rows *r)
{
    const ig_multilingual_pool *p = r->pool;
    double n = (double)r->s->e->n - 1, k = (double)p->k / n;
    double chance = (1 - 2 * k) / sqrt(n * k * (1 - k));
    bool known = p->found && !r->s->scan->asks;
    ig_figure *f = ig_figures_add(
        r->figures, "hubness10", known ? skewness(p->found, p->rows) : (double)NAN,
        p->reason ? p->reason
                  : "every row is equally often among the ten nearest, or only a "
                    "sample of rows is queried");

    f->n = p->rows;
    f->chance = isfinite(chance) && p->found ? chance : (double)NAN;
}

static void add_figures(const struct rows *r, const size_t *met)
{
    static const char all[] = "all candidates tie: the space cannot distinguish them";
    const ig_multilingual_pool *p = r->pool;
    size_t queries = 0, tied = 0, unsettled = 0;
    const char *ranks = p->reason, *languages = p->reason;

    for (size_t i = 0; p->found && i < p->rows; i++) {
        queries += p->found[i].rank > 0;
        tied += p->found[i].tied;
        unsettled += p->found[i].unsettled;
    }
    if (!ranks && queries == 0)
        ranks = "no row has a translation";
    else if (!ranks && (double)tied > NEARLY_ALL * (double)queries)
        ranks = all;
    if (!languages && (double)unsettled > NEARLY_ALL * (double)p->rows)
        languages = all;
    add_lines(r, (const char *const[LINES]){ranks, ranks, ranks, ranks, languages,
                                            p->reason});
    add_preference(r, ranks);
    ig_figures_add_counts(r->figures, "pool_nearest", met, met ? r->s->e->languages : 0,
                          true);
    add_hubness(r);
}

/* --- the group -------------------------------------------------------------------- */

/* How often each row is near to others, and what it adds to their purity. Of a sample
 * it is not known who else would be near to whom. */
static void count_neighbours(ig_multilingual_pool *pool, const struct search *s)
{
    for (size_t q = 0; !s->scan->asks && q < pool->rows; q++) {
        for (size_t j = 0; j < s->k; j++)
            pool->found[s->nearest[q * s->k + j].row].hub++;
        for (size_t j = 0; j < s->count[q]; j++) {
            uint32_t other = s->others[q * IG_POOL_NEAR + j].row;
            double same = s->e->lang[other] == s->e->lang[q];

            pool->found[other].effect +=
                (float)(AS_NEIGHBOUR * (same - (double)pool->found[q].purity) /
                        (double)s->count[q]);
        }
    }
}

/* The results of the drawn queries, and the languages of the nearest. */
static ig_status find_results(struct search *s, ig_multilingual_pool *pool, size_t *met,
                              ig_error *error)
{
    ig_arena *a = &pool->arena;
    size_t l = s->e->languages, at = 0;

    pool->k = s->k;
    pool->found = ig_arena_array(a, pool->rows, sizeof *pool->found);
    if (s->e->spec->neighbours)
        pool->near = ig_arena_array(a, pool->rows * s->k, sizeof *pool->near);
    if (a->failed || s->arena.failed)
        return ig_fail_memory(error, "the multilingual pool");
    ig_parallel_for(s->e->pool, s->scan->queries, 64, take_nearest, s);
    for (size_t q = 0; q < s->scan->queries; q++) {
        ig_pool_row *found = &pool->found[at];

        if (!ig_scan_is_drawn(s->scan, s->scan->query[q]))
            continue;
        *found = result_of_query(s, q);
        met[found->lang * l + s->e->lang[found->nearest]]++;
        for (size_t j = 0; pool->near && j < s->k; j++)
            pool->near[at * s->k + j] = s->nearest[q * s->k + j].row;
        at++;
    }
    count_neighbours(pool, s);
    return IG_OK;
}

/* Number the rows as those of the dataset are. */
static void number_rows(ig_multilingual_pool *pool, const uint32_t *row)
{
    for (size_t i = 0; pool->found && i < pool->rows; i++) {
        pool->found[i].row = row[pool->found[i].row];
        pool->found[i].nearest = row[pool->found[i].nearest];
    }
    for (size_t i = 0; pool->near && i < pool->rows * pool->k; i++)
        pool->near[i] = row[pool->near[i]];
}

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    struct search *s = state;
    ig_figures *figures = &out->figures;
    ig_multilingual_pool *pool = &out->multilingual_pool;
    size_t l = s->e->languages;
    size_t *met = ig_arena_array(&s->arena, l, l * sizeof *met);
    ig_status status = IG_OK;

    for (uint32_t i = 0; i < s->e->n; i++)
        pool->rows += ig_scan_is_drawn(s->scan, i);
    if (s->e->n < 2)
        pool->reason = s->e->n ? "only one row" : "no rows";
    else if (s->scan->odd)
        pool->reason = "a value is not finite";
    else
        status = find_results(s, pool, met, error);
    if (status != IG_OK)
        return status;
    add_figures(&(struct rows){s, pool, figures}, met);
    number_rows(pool, s->e->row);
    return figures->failed ? ig_fail_memory(error, "the multilingual pool") : IG_OK;
}

const ig_measure_group ig_multilingual_pool_group = {.word = "pool",
                                                     .needs = IG_NEEDS_ROWS,
                                                     .join = group_join,
                                                     .forget = free_state,
                                                     .finish = finish};
