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

/* Rows of a language, and translations of a row, among all others. Of 1/rank the last
 * value is kept: neighbours mostly have as many translations. */
static void set_chance(ig_multilingual_pool *mixed, const struct search *s)
{
    size_t rows = s->all, n = rows - 1, last = 0, queries = 0;
    double k = (double)mixed->k / (double)n, mrr = 0, ndcg = 0;

    for (size_t i = 0; i < s->scan->n; i++) {
        size_t t = translations(s, i);

        if (s->some[i] == IG_NO_ID)
            continue;
        queries += t > 0;
        mixed->own_chance += (double)(s->rows[s->scan->lang[i]] - 1) / (double)n;
        if (t && t != last) {
            mrr = guessed_mrr(n, t);
            ndcg = (double)t / (double)n * ideal_gain(mixed->k) / ideal_gain(t);
        }
        last = t ? t : last;
        mixed->translation_chance += (double)t / (double)n;
        mixed->mrr_chance += t ? mrr : 0;
        mixed->ndcg_chance += t ? ndcg : 0;
    }
    mixed->own_chance /= (double)rows;
    mixed->translation_chance /= (double)queries; /* 0/0 is NaN */
    mixed->mrr_chance /= (double)queries;
    mixed->ndcg_chance /= (double)queries;
    /* Ten of the others at random: as often among the ten as a binomial says. */
    mixed->hubness_chance = (1 - 2 * k) / sqrt((double)n * k * (1 - k));
    if (!isfinite(mixed->hubness_chance))
        mixed->hubness_chance = (double)NAN;
}

/* --- figures ---------------------------------------------------------------------- */

static void invalidate_ties(ig_multilingual_pool *mixed, size_t tied, size_t unsettled)
{
    static const char *const all = "all candidates tie: the space cannot distinguish "
                                   "them";

    if (mixed->queries == 0)
        mixed->no_ranks = "no row has a translation";
    else if ((double)tied > NEARLY_ALL * (double)mixed->queries)
        mixed->no_ranks = all;
    if ((double)unsettled > NEARLY_ALL * (double)mixed->rows)
        mixed->no_language = all;
    if (mixed->no_ranks)
        mixed->translation = mixed->mrr = mixed->ndcg = (double)NAN;
    if (mixed->no_language)
        mixed->own_language = (double)NAN;
}

/* The results of the queries, in the order of the rows of the pool. */
static void list_results(ig_multilingual_pool *mixed, const struct search *s,
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
        for (size_t j = 0; mixed->near && j < s->k; j++)
            mixed->near[at * s->k + j] = s->some[s->nearest[query[i] * s->k + j].row];
        mixed->found[at] = result_of_query(s, query[i]);
        query[at++] = query[i];
    }
}

static void fill_figures(ig_multilingual_pool *mixed, const struct search *s,
                         uint32_t *query)
{
    size_t n = mixed->rows, own = 0, tied = 0, unsettled = 0;

    mixed->k = s->k;
    mixed->translation = mixed->own_language = mixed->mrr = mixed->ndcg = 0;
    mixed->translation_chance = mixed->own_chance = mixed->mrr_chance =
        mixed->ndcg_chance = 0;
    list_results(mixed, s, query);
    for (size_t i = 0; i < n; i++) {
        const ig_candidate *near = s->nearest + query[i] * s->k;
        const ig_pool_row *found = &mixed->found[i];
        size_t met = s->scan->lang[near->row];

        /* Of a sample it is not known who else would be near to whom. */
        for (size_t j = 0; !s->scan->asks && j < s->k; j++) {
            ig_pool_row *other = &mixed->found[s->some[near[j].row]];
            double same = s->scan->lang[near[j].row] == found->lang;

            other->hub++;
            other->effect += (float)(AS_NEIGHBOUR * (same - found->own / (double)s->k) /
                                     (double)s->k);
        }
        mixed->met.count[found->lang * mixed->met.languages + met]++;
        own += found->own;
        mixed->own_language += found->own_language;
        mixed->queries += found->rank > 0;
        mixed->translation += found->translation;
        mixed->mrr += found->rank ? 1 / (double)found->rank : 0;
        mixed->ndcg += (double)found->gain;
        tied += found->tied;
        unsettled += found->unsettled;
    }
    mixed->own_language /= (double)n;
    mixed->translation /= (double)mixed->queries;
    mixed->mrr /= (double)mixed->queries;
    mixed->ndcg /= (double)mixed->queries;
    mixed->purity = (double)own / (double)(n * s->k);
    mixed->hubness = s->scan->asks ? (double)NAN : skewness(mixed->found, n);
    set_chance(mixed, s);
    invalidate_ties(mixed, tied, unsettled);
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

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    struct search *s = in->state;
    size_t n = 0, languages = in->languages;
    ig_multilingual_pool *mixed = result;
    ig_arena *a = &mixed->arena;
    uint32_t *query;

    for (uint32_t p = 0; p < s->scan->n; p++)
        n += s->some[p] != IG_NO_ID && ig_scan_is_drawn(s->scan, p);
    *mixed = (ig_multilingual_pool){.translation = NAN,
                                    .own_language = NAN,
                                    .mrr = NAN,
                                    .ndcg = NAN,
                                    .purity = NAN,
                                    .hubness = NAN,
                                    .translation_chance = NAN,
                                    .own_chance = NAN,
                                    .mrr_chance = NAN,
                                    .ndcg_chance = NAN,
                                    .hubness_chance = NAN,
                                    .rows = n};
    if (s->all < 2)
        mixed->reason = s->all ? "only one row" : "no rows";
    else if (s->scan->odd)
        mixed->reason = "a value is not finite";
    if (mixed->reason)
        return IG_OK;
    mixed->met.languages = languages;
    mixed->found = ig_arena_array(a, n, sizeof *mixed->found);
    mixed->met.count =
        ig_arena_array(a, languages * languages, sizeof *mixed->met.count);
    if (in->spec->neighbours)
        mixed->near = ig_arena_array(a, n * s->k, sizeof *mixed->near);
    query = ig_arena_array(&s->arena, s->all, sizeof *query);
    if (a->failed || !query)
        return ig_fail_memory(error, "the multilingual pool");
    ig_parallel_for(in->pool, s->scan->queries, 64, take_nearest, s);
    fill_figures(mixed, s, query);
    return IG_OK;
}

static void hand_out(void *result, const uint32_t *row)
{
    ig_multilingual_pool *m = result;

    for (size_t i = 0; m->found && i < m->rows; i++) {
        m->found[i].row = row[m->found[i].row];
        m->found[i].nearest = row[m->found[i].nearest];
    }
    for (size_t i = 0; m->near && i < m->rows * m->k; i++)
        m->near[i] = row[m->near[i]];
}

/* --- the group -------------------------------------------------------------------- */

IG_ITEM(translation_of, double, ig_multilingual_pool,
        r->found[i].rank ? r->found[i].translation : (double)NAN)
IG_ITEM(own_of, double, ig_multilingual_pool,
        r->found[i].own_language + (double)r->found[i].effect)
IG_ITEM(reciprocal_of, double, ig_multilingual_pool,
        r->found[i].rank ? 1 / (double)r->found[i].rank : (double)NAN)
IG_ITEM(gain_of, double, ig_multilingual_pool,
        r->found[i].rank ? (double)r->found[i].gain : (double)NAN)
IG_ITEM(purity_of, double, ig_multilingual_pool,
        (double)r->found[i].own / (double)r->k + (double)r->found[i].effect)
IG_ITEM(row_of, uint32_t, ig_multilingual_pool, r->found[i].row)

#define LINE(measure, field, chance)                                                   \
    measure, .at = offsetof(ig_multilingual_pool, field),                              \
             .chance_at = offsetof(ig_multilingual_pool, chance)

static const ig_figure_line lines[] = {
    {LINE("pool_translation", translation, translation_chance),
     .n_at = offsetof(ig_multilingual_pool, queries),
     .reason_at = offsetof(ig_multilingual_pool, no_ranks),
     .column = {.value = {translation_of}, .row = row_of}},
    {LINE("pool_same_language", own_language, own_chance),
     .reason_at = offsetof(ig_multilingual_pool, no_language),
     .column = {.value = {own_of}, .row = row_of}},
    {LINE("pool_mrr", mrr, mrr_chance), .n_at = offsetof(ig_multilingual_pool, queries),
     .reason_at = offsetof(ig_multilingual_pool, no_ranks),
     .column = {.value = {reciprocal_of}, .row = row_of}},
    {LINE("pool_ndcg10", ndcg, ndcg_chance),
     .n_at = offsetof(ig_multilingual_pool, queries),
     .reason_at = offsetof(ig_multilingual_pool, no_ranks),
     .column = {.value = {gain_of}, .row = row_of}},
    {LINE("purity10", purity, own_chance),
     .column = {.value = {purity_of}, .row = row_of}},
    {
        LINE("hubness10", hubness, hubness_chance),
        .missing = "every row is equally often among the ten nearest, or only a sample "
                   "of rows "
                   "is queried",
    },
};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_multilingual_pool *m = result;
    size_t items = m->found ? m->rows : 0;

    ig_figures_add_lines(figures, lines, 4, m, m->rows, items, m->reason);
    ig_figures_add_counts(figures, "pool_nearest", &m->met, true);
    ig_figures_add_lines(figures, lines + 4, 2, m, m->rows, items, m->reason);
}

const ig_measure_group ig_multilingual_pool_group = {.name = "multilingual pool",
                                                     .word = "pool",
                                                     .needs = IG_NEEDS_ROWS,
                                                     .join = group_join,
                                                     .forget = free_state,
                                                     .take = group_take,
                                                     .hand_out = hand_out,
                                                     .free = ig_result_free,
                                                     .append = group_append};
