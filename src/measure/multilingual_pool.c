/* Multilingual pool, over all pairs of rows: a scan finds the ten nearest rows of
 * each and ranks its best translation. Legend: N rows, d dims, p rows that have a
 * translation. */
#include <math.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "measure/results.h"

/* Share of ties above which nearest rows are meaningless, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* Weight of a row's effect on the purity of the rows that it is near to. All of it
 * would count pairs of rows twice (Efron, Stein 1981); with three quarters intervals
 * have their coverage (make check-science). */
static const double AS_NEIGHBOUR = 0.75;

/* --- translations ----------------------------------------------------------------- */

/* State during a scan; rows are numbered by their places in it. */
struct search {
    const ig_scan *scan;
    size_t *rows;      /* (languages) of each */
    size_t all;        /* rows that take part */
    size_t k;          /* of each the nearest, 10 or all others */
    uint32_t *meaning; /* (n) IG_NO_ID: none */
    uint32_t *some;    /* (n) number among the rows of the pool, or IG_NO_ID */
    float *left_out;   /* (n) 0, or −∞: a row takes no part; NULL: all do */
    size_t meanings;
    uint32_t *start, *order; /* rows of a meaning */
    double *base;            /* (languages) what scores of its rows lack to cosines */
    ig_near *near;           /* (queries) */
    ig_candidate *nearest;   /* (queries, k) */
    uint32_t *best;          /* (queries) nearest translation, or IG_NO_ID: none … */
    double *cosine;          /* … its cosine … */
    uint32_t *nearer;        /* … and rows that are nearer */
    ig_arena arena;
};

static size_t meaning_of(const void *context, size_t row)
{
    const struct search *s = context;

    return s->meaning[row] == IG_NO_ID ? SIZE_MAX : s->meaning[row];
}

/* The rows of a row's meaning, itself among them. */
static const uint32_t *rows_of_meaning(const struct search *s, size_t row,
                                       size_t *count)
{
    size_t m = meaning_of(s, row);

    *count = m < s->meanings ? s->start[m + 1] - s->start[m] : 0;
    return *count ? s->order + s->start[m] : NULL;
}

static size_t translations(const struct search *s, size_t row)
{
    size_t count, others = 0;
    const uint32_t *list = rows_of_meaning(s, row, &count);

    for (size_t i = 0; i < count; i++)
        others += s->scan->lang[list[i]] != s->scan->lang[row];
    return others;
}

static bool is_translation(const struct search *s, size_t a, size_t b)
{
    return s->scan->lang[a] != s->scan->lang[b] && meaning_of(s, a) < s->meanings &&
           s->meaning[a] == s->meaning[b];
}

/* The best translation of each query: the nearest, by exact cosines. */
static void choose_translations(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;

    for (size_t q = first; q < last; q++) {
        uint32_t row = s->scan->query[q];
        size_t count;
        const uint32_t *list = rows_of_meaning(s, row, &count);

        s->cosine[q] = -INFINITY;
        s->best[q] = IG_NO_ID;
        for (size_t i = 0; i < count && ig_scan_is_drawn(s->scan, row); i++) {
            double cosine;

            if (!is_translation(s, row, list[i]))
                continue;
            cosine = ig_scan_cosine(s->scan, row, list[i], member);
            if (cosine > s->cosine[q]) {
                s->cosine[q] = cosine;
                s->best[q] = list[i];
            }
        }
    }
}

static void see_face(void *state, const ig_face *face)
{
    const struct search *s = state;
    static const float one[2] = {1, 1};
    float room[IG_SCAN_TILE];
    bool tied = false;

    for (size_t i = 0; s->k && i < face->queries; i++) {
        size_t q = face->at + i;
        const float *product = face->product + i * IG_SCAN_TILE;
        float most = face->most[i];

        if (s->left_out) {
            const float *v[2] = {product, s->left_out + face->first};

            ig_kernels_best()->combine(v, one, 2, face->n, 0, room);
            product = room;
            most = ig_kernels_best()->max_of(product, face->n);
        }
        ig_near_offer(&s->near[q], s->k, face, product, most, s->base[face->from]);
        if (s->best[q] != IG_NO_ID)
            s->nearer[q] += ig_face_nearer(face, i, product, most, s->cosine[q],
                                           s->best[q], &s->best[q], 1, &tied);
    }
}

static bool takes_part(const void *context, uint32_t row)
{
    return ((const struct search *)context)->some[row] != IG_NO_ID;
}

static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const struct search *s = context;

    for (size_t q = first; q < last; q++)
        ig_near_take(&s->near[q], s->k, s->scan, s->scan->query[q], member, takes_part,
                     s, s->nearest + q * s->k);
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
    ig_comm_sum32(comm, s->nearer, n);
    IG_FREE(own, other);
    return room ? IG_OK : ig_fail_memory(error, "the multilingual pool");
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
    size_t k = s->k, row = s->scan->query[query];
    const ig_candidate *near = s->nearest + query * k;
    double ideal = ideal_gain(translations(s, row));
    bool own = false, other = false;
    ig_pool_row found = {.row = s->some[row],
                         .nearest = s->some[near[0].row],
                         .lang = s->scan->lang[row],
                         .own_language = s->scan->lang[near[0].row] ==
                                         s->scan->lang[row],
                         .translation = is_translation(s, row, near[0].row)};

    if (s->best[query] != IG_NO_ID)
        found.rank = s->nearer[query] + 1;
    for (size_t j = 0; j < k; j++) {
        bool same = s->scan->lang[near[j].row] == s->scan->lang[row];

        if (is_translation(s, row, near[j].row)) {
            found.gain += (float)(gain_at(j) / ideal);
            found.translations++;
        }
        found.own += same;
        found.density += (float)(near[j].cosine / (double)k);
        if (ties_with(&near[j], near[0].cosine)) {
            own |= same;
            other |= !same;
        }
        if (found.rank && ties_with(&near[j], s->cosine[query]))
            found.tied |= !is_translation(s, row, near[j].row);
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
enum { TRANSLATION, MRR, NDCG, SAME, PURITY, LINES };

static const char *const lines[LINES] = {"pool_translation", "pool_mrr", "pool_ndcg10",
                                         "pool_same_language", "purity10"};

/* What figures are appended from. */
struct rows {
    const ig_measure_input *in;
    const struct search *s;
    const ig_multilingual_pool *pool;
    ig_figures *figures;
};

/* Rows of a language, and translations of a row, among all others. Of 1/rank the last
 * value is kept: neighbours mostly have as many translations. */
static void guess_lines(const struct rows *r, double chance[LINES])
{
    const struct search *s = r->s;
    size_t n = s->all - 1, last = 0, queries = 0;
    double mrr = 0, ndcg = 0;

    for (size_t i = 0; i < s->scan->n; i++) {
        size_t t = translations(s, i);

        if (s->some[i] == IG_NO_ID)
            continue;
        queries += t > 0;
        chance[SAME] += (double)(s->rows[s->scan->lang[i]] - 1) / (double)n;
        if (t && t != last) {
            mrr = guessed_mrr(n, t);
            ndcg = (double)t / (double)n * ideal_gain(s->k) / ideal_gain(t);
        }
        last = t ? t : last;
        chance[TRANSLATION] += (double)t / (double)n;
        chance[MRR] += t ? mrr : 0;
        chance[NDCG] += t ? ndcg : 0;
    }
    for (int l = 0; l < LINES; l++)
        chance[l] /= (double)(l < SAME ? queries : s->all); /* 0/0 is NaN */
    chance[PURITY] = chance[SAME];
}

/* Of a row; NaN: it does not count. */
static float value_of(const ig_pool_row *f, size_t k, int line)
{
    if (line < SAME && !f->rank)
        return NAN;
    return line == TRANSLATION ? f->translation
           : line == MRR       ? 1 / (float)f->rank
           : line == NDCG      ? f->gain
           : line == SAME      ? f->own_language
                               : (float)f->own / (float)k;
}

/* Add the means; without reason where ties do not decide them. */
static void add_lines(const struct rows *r, const char *const reason[LINES])
{
    const ig_multilingual_pool *p = r->pool;
    double chance[LINES] = {0};
    uint32_t *unit = NULL;

    if (!p->reason)
        guess_lines(r, chance);
    for (int l = 0; l < LINES; l++) {
        size_t n = p->found ? p->rows : 0, counted = 0;
        ig_figure *f = ig_figures_add_items(r->figures, lines[l], IG_ALL_LANGUAGES,
                                            IG_ALL_LANGUAGES, IG_MEAN, n, unit);

        if (!f)
            return;
        unit = f->unit;
        for (size_t i = 0; i < n; i++) {
            unit[i] = r->in->unit[p->found[i].row];
            f->item[0][i] = value_of(&p->found[i], p->k, l);
            counted += !isnan(f->item[0][i]);
        }
        f->n = l < SAME ? counted : p->rows;
        f->chance = p->reason ? (double)NAN : chance[l];
        f->items = reason[l] ? 0 : n;
        ig_figures_close(r->figures, f, reason[l]);
        for (size_t i = 0; i < f->items && l >= SAME;
             i++) /* of draws alone: their sum is 0 */
            f->item[0][i] += p->found[i].effect;
    }
}

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
    double n = (double)r->s->all - 1, k = (double)p->k / n;
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

static void add_figures(const struct rows *r, const ig_language_counts *met)
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
    add_lines(r, (const char *const[LINES]){ranks, ranks, ranks, languages, p->reason});
    ig_figures_add_counts(r->figures, "pool_nearest", met, true);
    add_hubness(r);
}

/* --- queries ---------------------------------------------------------------------- */

/* The results of the queries, in the order of the rows of the pool. */
static void list_results(ig_multilingual_pool *pool, const struct search *s,
                         uint32_t *query)
{
    for (size_t i = 0; i < s->all; i++)
        query[i] = IG_NO_ID;
    for (uint32_t q = 0; q < s->scan->queries; q++) {
        uint32_t row = s->scan->query[q];

        if (s->some[row] != IG_NO_ID && ig_scan_is_drawn(s->scan, row))
            query[s->some[row]] = q;
    }
    for (size_t i = 0, at = 0; i < s->all; i++) {
        if (query[i] == IG_NO_ID)
            continue;
        for (size_t j = 0; pool->near && j < s->k; j++)
            pool->near[at * s->k + j] = s->some[s->nearest[query[i] * s->k + j].row];
        pool->found[at] = result_of_query(s, query[i]);
        query[at++] = query[i];
    }
}

/* How often each row is near to others, what it adds to their purity, and the languages
 * of the nearest. Of a sample it is not known who else would be near to whom. */
static void count_neighbours(ig_multilingual_pool *pool, const struct search *s,
                             const uint32_t *query, ig_language_counts *met)
{
    for (size_t i = 0; i < pool->rows; i++) {
        const ig_candidate *near = s->nearest + query[i] * s->k;
        const ig_pool_row *found = &pool->found[i];

        for (size_t j = 0; !s->scan->asks && j < s->k; j++) {
            ig_pool_row *other = &pool->found[s->some[near[j].row]];
            double same = s->scan->lang[near[j].row] == found->lang;

            other->hub++;
            other->effect += (float)(AS_NEIGHBOUR * (same - found->own / (double)s->k) /
                                     (double)s->k);
        }
        met->count[found->lang * met->languages + s->scan->lang[near->row]]++;
    }
}

/* --- the scan --------------------------------------------------------------------- */

static void free_state(void *state)
{
    if (state)
        ig_arena_free(&((struct search *)state)->arena);
    ig_free(state);
}

/* Rows of the pool by place, and by meaning. */
static ig_status lay_out(struct search *s, const ig_measure_input *in, ig_error *error)
{
    size_t n = s->scan->n, queries = s->scan->queries;
    ig_arena *a = &s->arena;

    s->all = in->some->rows;
    s->k = s->all > IG_POOL_NEAR ? IG_POOL_NEAR : s->all ? s->all - 1 : 0;
    s->rows = ig_arena_array(a, in->languages, sizeof *s->rows);
    s->base = ig_arena_array(a, s->scan->languages, sizeof *s->base);
    s->meaning = ig_arena_array(a, n, sizeof *s->meaning);
    s->some = ig_arena_array(a, n, sizeof *s->some);
    if (n > s->all)
        s->left_out = ig_arena_array(a, n, sizeof *s->left_out);
    s->near = ig_arena_array(a, queries, sizeof *s->near);
    s->nearest = ig_arena_array(a, queries, s->k * sizeof *s->nearest);
    s->best = ig_arena_array(a, queries, sizeof *s->best);
    s->cosine = ig_arena_array(a, queries, sizeof *s->cosine);
    s->nearer = ig_arena_array(a, queries, sizeof *s->nearer);
    s->order = ig_arena_array(a, n, sizeof *s->order);
    if (a->failed)
        return ig_fail_memory(error, "the multilingual pool");
    for (size_t p = 0; p < n; p++) {
        s->some[p] = s->meaning[p] = IG_NO_ID;
        if (s->left_out)
            s->left_out[p] = -INFINITY;
    }
    for (uint32_t i = 0; i < s->all; i++) {
        uint32_t place = i;

        s->some[place] = i;
        s->meaning[place] = in->meaning[i];
        s->rows[in->lang[i]]++;
        if (s->left_out)
            s->left_out[place] = 0;
        if (in->meaning[i] != IG_NO_ID && in->meaning[i] >= s->meanings)
            s->meanings = (size_t)in->meaning[i] + 1;
    }
    s->start = ig_arena_array(a, s->meanings + 2, sizeof *s->start);
    if (!s->start)
        return ig_fail_memory(error, "the multilingual pool");
    ig_array_order(n, s->meanings, meaning_of, s, s->start, s->order);
    return IG_OK;
}

static ig_status group_join(const ig_measure_input *in, const ig_scan *scan,
                            ig_consumer *consumer, void **state, ig_error *error)
{
    struct search *s = ig_alloc(1, sizeof *s);
    ig_status status;

    if (!s)
        return ig_fail_memory(error, "the multilingual pool");
    s->scan = scan;
    status = lay_out(s, in, error);
    if (status != IG_OK) {
        free_state(s);
        return status;
    }
    for (size_t l = 0; l < scan->languages; l++)
        s->base[l] = ig_kernels_best()->dot(scan->centre + l * scan->d,
                                            scan->centre + l * scan->d, scan->d);
    if (!scan->odd)
        ig_parallel_for(in->pool, scan->queries, 64, choose_translations, s);
    *consumer = (ig_consumer){.state = s, .see = see_face, .unite = unite};
    *state = s;
    return IG_OK;
}

/* Find the results of the queries. */
static ig_status find_results(const ig_measure_input *in, struct search *s,
                              ig_multilingual_pool *pool, ig_language_counts *met,
                              ig_error *error)
{
    ig_arena *a = &pool->arena;
    uint32_t *query;

    pool->k = s->k;
    pool->found = ig_arena_array(a, pool->rows, sizeof *pool->found);
    if (in->spec->neighbours)
        pool->near = ig_arena_array(a, pool->rows * s->k, sizeof *pool->near);
    met->languages = in->languages;
    met->count =
        ig_arena_array(&s->arena, in->languages * in->languages, sizeof *met->count);
    query = ig_arena_array(&s->arena, s->all, sizeof *query);
    if (a->failed || s->arena.failed)
        return ig_fail_memory(error, "the multilingual pool");
    ig_parallel_for(in->pool, s->scan->queries, 64, take_nearest, s);
    list_results(pool, s, query);
    count_neighbours(pool, s, query, met);
    return IG_OK;
}

static ig_status group_measure(const ig_measure_input *in, ig_figures *figures,
                               ig_error *error)
{
    struct search *s = in->state;
    ig_multilingual_pool *pool = in->result;
    ig_language_counts met = {0};
    ig_status status = IG_OK;

    for (uint32_t p = 0; p < s->scan->n; p++)
        pool->rows += s->some[p] != IG_NO_ID && ig_scan_is_drawn(s->scan, p);
    if (s->all < 2)
        pool->reason = s->all ? "only one row" : "no rows";
    else if (s->scan->odd)
        pool->reason = "a value is not finite";
    else
        status = find_results(in, s, pool, &met, error);
    if (status != IG_OK)
        return status;
    add_figures(&(struct rows){in, s, pool, figures}, &met);
    return figures->failed ? ig_fail_memory(error, "the multilingual pool") : IG_OK;
}

static void hand_out(void *result, const uint32_t *row)
{
    ig_multilingual_pool *pool = result;

    for (size_t i = 0; pool->found && i < pool->rows; i++) {
        pool->found[i].row = row[pool->found[i].row];
        pool->found[i].nearest = row[pool->found[i].nearest];
    }
    for (size_t i = 0; pool->near && i < pool->rows * pool->k; i++)
        pool->near[i] = row[pool->near[i]];
}

const ig_measure_group ig_multilingual_pool_group = {.name = "multilingual pool",
                                                     .word = "pool",
                                                     .needs = IG_NEEDS_ROWS,
                                                     .join = group_join,
                                                     .forget = free_state,
                                                     .measure = group_measure,
                                                     .hand_out = hand_out,
                                                     .free = ig_result_free};
