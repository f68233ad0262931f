/* Multilingual pool, over all pairs of rows: one pass finds the ten nearest rows of
 * each and ranks its best translation. Legend: N rows, d dims, p rows that have a
 * translation. */
#include <math.h>

#include "core/array.h"
#include "core/knn.h"
#include "core/memory.h"
#include "core/ranking.h"
#include "measure/pair_pass.h"
#include "measure/results.h"

/* Share of ties above which nearest rows are meaningless, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* Weight of a row's effect on the purity of the rows that it is near to. All of it
 * would count pairs of rows twice (Efron, Stein 1981); with three quarters intervals
 * have their coverage (make check-science). */
static const double AS_NEIGHBOUR = 0.75;

/* --- translations ----------------------------------------------------------------- */

/* State during a pass; rows are numbered by their places in the pass. */
struct search {
    const ig_pair_pass *pass;
    uint16_t *lang;
    size_t *rows;      /* (languages) of each */
    uint32_t *meaning; /* (N) IG_NO_ID: none */
    size_t languages, meanings;
    uint32_t *start, *order; /* rows of a meaning */
    uint32_t *first, *truth; /* (queries + 1), (p) as in core/ranking.h */
    ig_knn knn;
    ig_ranking ranking;
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
        others += s->lang[list[i]] != s->lang[row];
    return others;
}

static bool is_translation(const struct search *s, size_t a, size_t b)
{
    return s->lang[a] != s->lang[b] && meaning_of(s, a) < s->meanings &&
           s->meaning[a] == s->meaning[b];
}

static ig_status lay_out(struct search *s, size_t rows, ig_error *error)
{
    for (size_t i = 0; i < rows; i++)
        if (meaning_of(s, i) != SIZE_MAX && s->meaning[i] >= s->meanings)
            s->meanings = (size_t)s->meaning[i] + 1;
    s->start = ig_arena_array(&s->arena, s->meanings + 2, sizeof *s->start);
    s->order = ig_arena_array(&s->arena, rows, sizeof *s->order);
    s->first = ig_arena_array(&s->arena, s->pass->queries + 1, sizeof *s->first);
    if (s->arena.failed)
        return ig_fail_memory(error, "the multilingual pool");
    ig_array_order(rows, s->meanings, meaning_of, s, s->start, s->order);
    for (size_t q = 0; q < s->pass->queries; q++)
        s->first[q + 1] = s->first[q] + (ig_pair_pass_is_drawn(s->pass, q) &&
                                         translations(s, s->pass->query[q]) > 0);
    s->truth = ig_arena_array(&s->arena, s->first[s->pass->queries], sizeof *s->truth);
    return s->truth ? IG_OK : ig_fail_memory(error, "the multilingual pool");
}

/* The best translations of the queries. */
struct choice {
    struct search *s;
    size_t each;
    float *buffer; /* (members, each) two rows, and what reading them takes */
};

/* The nearest of a row's translations, by exact cosines. */
static void choose_some(void *context, size_t member, size_t first, size_t last)
{
    const struct choice *choice = context;
    struct search *s = choice->s;
    float *buffer = choice->buffer + member * choice->each;

    for (size_t q = first; q < last; q++) {
        size_t row = s->pass->query[q], count;
        const uint32_t *list = rows_of_meaning(s, row, &count);
        double best = -INFINITY;

        for (size_t i = 0; i < count && s->first[q + 1] > s->first[q]; i++) {
            double cosine;

            if (s->lang[list[i]] == s->lang[row])
                continue;
            cosine = ig_points_cosine(&s->pass->points, row, list[i], buffer);
            if (cosine > best) {
                best = cosine;
                s->truth[s->first[q]] = list[i];
            }
        }
    }
}

static ig_status choose_translations(struct search *s, ig_pool *pool, ig_error *error)
{
    const ig_points *points = &s->pass->points;
    struct choice choice = {.s = s, .each = 2 * points->dims + points->source->scratch};

    choice.buffer =
        ig_alloc(ig_pool_threads(pool), choice.each * sizeof *choice.buffer);
    if (!choice.buffer)
        return ig_fail_memory(error, "the multilingual pool");
    if (!points->odd_rows)
        ig_parallel_for(pool, s->pass->queries, 64, choose_some, &choice);
    ig_free(choice.buffer);
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
    size_t k = s->knn.side[0].k, row = s->pass->query[query];
    const ig_candidate *near = s->knn.side[0].nearest + query * k;
    const ig_ranking_side *ranks = &s->ranking.side[0];
    const uint32_t *name = s->pass->points.name;
    uint32_t probe = s->first[query];
    double ideal = ideal_gain(translations(s, row));
    bool own = false, other = false;
    ig_pool_row found = {.row = name[row],
                         .nearest = name[near[0].row],
                         .lang = s->lang[row],
                         .own_language = s->lang[near[0].row] == s->lang[row],
                         .translation = is_translation(s, row, near[0].row)};

    if (s->first[query + 1] > probe)
        found.rank = ranks->better[query] + 1;
    for (size_t j = 0; j < k; j++) {
        bool same = s->lang[near[j].row] == s->lang[row];

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
        if (found.rank && ties_with(&near[j], ranks->cosine[probe]))
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
    size_t rows = s->pass->points.count, n = rows - 1, last = 0, queries = 0;
    double k = (double)mixed->k / (double)n, mrr = 0, ndcg = 0;

    for (size_t i = 0; i < rows; i++) {
        size_t t = translations(s, i);

        queries += t > 0;
        mixed->own_chance += (double)(s->rows[s->lang[i]] - 1) / (double)n;
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

static void fill_figures(ig_multilingual_pool *mixed, const struct search *s)
{
    const ig_knn_side *side = &s->knn.side[0];
    const ig_pair_pass *pass = s->pass;
    const uint32_t *place = pass->points.place;
    size_t n = mixed->rows, own = 0, tied = 0, unsettled = 0;

    mixed->k = side->k;
    mixed->translation = mixed->own_language = mixed->mrr = mixed->ndcg = 0;
    mixed->translation_chance = mixed->own_chance = mixed->mrr_chance =
        mixed->ndcg_chance = 0;
    for (size_t i = 0, at = 0; i < pass->points.count; i++) {
        size_t query = ig_pair_pass_query(pass, place[i]);

        if (query >= pass->queries || !ig_pair_pass_is_drawn(pass, query))
            continue;
        for (size_t j = 0; mixed->near && j < side->k; j++)
            mixed->near[at * side->k + j] =
                pass->points.name[side->nearest[query * side->k + j].row];
        mixed->found[at++] = result_of_query(s, query);
    }
    for (size_t i = 0; i < n; i++) {
        const ig_pool_row *found = &mixed->found[i];
        size_t met = s->lang[place[found->nearest]];

        /* Of a sample it is not known who else would be near to whom. */
        for (size_t j = 0; !pass->asks && j < side->k; j++) {
            uint32_t near = side->nearest[place[i] * side->k + j].row;
            double same = s->lang[near] == found->lang;

            mixed->found[pass->points.name[near]].hub++;
            mixed->found[pass->points.name[near]].effect +=
                (float)(AS_NEIGHBOUR * (same - found->own / (double)side->k) /
                        (double)side->k);
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
    mixed->purity = (double)own / (double)(n * side->k);
    mixed->hubness = pass->asks ? (double)NAN : skewness(mixed->found, n);
    set_chance(mixed, s);
    invalidate_ties(mixed, tied, unsettled);
}

/* --- the pass --------------------------------------------------------------------- */

static void free_state(void *state)
{
    struct search *s = state;

    if (!s)
        return;
    ig_ranking_free(&s->ranking);
    ig_knn_free(&s->knn);
    ig_arena_free(&s->arena);
    ig_free(s);
}

/* Ask the pass, which has all rows, for what the pool needs. */
static ig_status group_join(const ig_measure_input *in, ig_pair_pass *pass,
                            void **state, ig_error *error)
{
    struct search *s = ig_alloc(1, sizeof *s);
    size_t n = pass->points.count;
    ig_status status;

    if (!s)
        return ig_fail_memory(error, "the multilingual pool");
    s->pass = pass;
    s->languages = in->languages;
    s->lang = ig_arena_array(&s->arena, n, sizeof *s->lang);
    s->rows = ig_arena_array(&s->arena, in->languages, sizeof *s->rows);
    s->meaning = ig_arena_array(&s->arena, n, sizeof *s->meaning);
    status = s->arena.failed ? ig_fail_memory(error, "the multilingual pool") : IG_OK;
    for (size_t p = 0; status == IG_OK && p < n; p++) {
        uint32_t name = pass->points.name[p];

        s->lang[p] = in->lang[name];
        s->rows[s->lang[p]]++;
        s->meaning[p] = in->meaning[name];
    }
    if (status == IG_OK)
        status = lay_out(s, n, error);
    if (status == IG_OK)
        status = ig_knn_init(&s->knn, &pass->shown, IG_POOL_NEAR, error);
    if (status == IG_OK)
        status =
            ig_ranking_init(&s->ranking, &pass->shown, s->first[pass->queries], error);
    if (status == IG_OK)
        status = choose_translations(s, in->pool, error);
    if (status != IG_OK) {
        free_state(s);
        return status;
    }
    s->ranking.side[0].first = s->first;
    s->ranking.side[0].target = s->truth;
    pass->consumer[pass->consumers++] = ig_knn_consumer(&s->knn);
    pass->consumer[pass->consumers++] = ig_ranking_consumer(&s->ranking);
    *state = s;
    return IG_OK;
}

static size_t count_drawn(const ig_pair_pass *pass)
{
    size_t n = 0;

    for (size_t q = 0; q < pass->queries; q++)
        n += ig_pair_pass_is_drawn(pass, q);
    return n;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const struct search *s = in->state;
    size_t n = count_drawn(s->pass), languages = s->languages;
    ig_multilingual_pool *mixed = result;
    ig_arena *a = &mixed->arena;

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
    if (s->pass->points.count < 2)
        mixed->reason = s->pass->points.count ? "only one row" : "no rows";
    else if (s->pass->points.odd_rows)
        mixed->reason = "a value is not finite";
    if (mixed->reason)
        return IG_OK;
    mixed->met.languages = languages;
    mixed->found = ig_arena_array(a, n, sizeof *mixed->found);
    mixed->met.count =
        ig_arena_array(a, languages * languages, sizeof *mixed->met.count);
    if (in->neighbours)
        mixed->near = ig_arena_array(a, n * s->knn.side[0].k, sizeof *mixed->near);
    if (a->failed)
        return ig_fail_memory(error, "the multilingual pool");
    fill_figures(mixed, s);
    for (size_t i = 0; in->some_row && i < n; i++) {
        mixed->found[i].row = in->some_row[mixed->found[i].row];
        mixed->found[i].nearest = in->some_row[mixed->found[i].nearest];
    }
    for (size_t i = 0; in->some_row && mixed->near && i < n * mixed->k; i++)
        mixed->near[i] = in->some_row[mixed->near[i]];
    return IG_OK;
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

static double group_work(const ig_measure_input *in)
{
    return (double)in->some->rows * (double)in->some->rows * (double)in->some->dims;
}

IG_GROUP(multilingual_pool, "multilingual pool", IG_NEEDS_ROWS, .word = "pool",
         .join = group_join, .forget = free_state, .free = ig_result_free);
