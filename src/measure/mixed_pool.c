/* The mixed pool, by all products of the rows with themselves: one pass finds the ten
 * nearest rows of each and ranks its best translation. Legend: N rows, d dims, p rows
 * that have a translation. */
#include "measure/mixed_pool.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/knn.h"
#include "linear/ranking.h"
#include "measure/units.h"

/* Share of ties from which on nearest rows say nothing, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* --- translations ----------------------------------------------------------------- */

/* Rows by meaning, and what a pass asks of them. */
struct search {
    const uint16_t *lang;
    const uint32_t *meaning; /* (N) IG_NO_ID: none */
    size_t meanings;
    uint32_t *start, *order; /* rows of a meaning */
    uint32_t *first, *truth; /* (N + 1), (p) as in linear/ranking.h */
    const ig_products *products;
};

static size_t meaning_of(const void *context, size_t row)
{
    const struct search *s = context;

    return s->meaning[row] == IG_NO_ID ? SIZE_MAX : s->meaning[row];
}

/* The rows of a row's meaning, itself among them. */
static const uint32_t *alike(const struct search *s, size_t row, size_t *count)
{
    size_t m = meaning_of(s, row);

    *count = m < s->meanings ? s->start[m + 1] - s->start[m] : 0;
    return *count ? s->order + s->start[m] : NULL;
}

static size_t translations(const struct search *s, size_t row)
{
    size_t count, others = 0;
    const uint32_t *list = alike(s, row, &count);

    for (size_t i = 0; i < count; i++)
        others += s->lang[list[i]] != s->lang[row];
    return others;
}

static bool is_translation(const struct search *s, size_t a, size_t b)
{
    return s->lang[a] != s->lang[b] && meaning_of(s, a) < s->meanings &&
           s->meaning[a] == s->meaning[b];
}

/* Order the rows by meaning, and find out who has a translation. */
static ig_status lay_out(struct search *s, size_t rows, ig_error *error)
{
    for (size_t i = 0; i < rows; i++)
        if (meaning_of(s, i) != SIZE_MAX && s->meaning[i] >= s->meanings)
            s->meanings = (size_t)s->meaning[i] + 1;
    s->start = ig_alloc(s->meanings + 2, sizeof *s->start);
    s->order = ig_alloc(rows, sizeof *s->order);
    s->first = ig_alloc(rows + 1, sizeof *s->first);
    if (!s->start || !s->order || !s->first)
        return ig_fail_memory(error, "the mixed pool");
    ig_array_order(rows, s->meanings, meaning_of, s, s->start, s->order);
    for (size_t i = 0; i < rows; i++)
        s->first[i + 1] = s->first[i] + (translations(s, i) > 0);
    s->truth = ig_alloc(s->first[rows], sizeof *s->truth);
    return s->truth ? IG_OK : ig_fail_memory(error, "the mixed pool");
}

/* The best translation of each row of a slice: before the ranks of that slice are asked
 * for, by the same part. */
static void choose(void *context, size_t part)
{
    struct search *s = context;
    size_t first, last;

    ig_pool_slice(s->products->side[0].count, 1, part, s->products->parts, &first,
                  &last);
    for (size_t i = first; i < last; i++) {
        size_t count;
        const uint32_t *list = alike(s, i, &count);
        double best = -INFINITY;

        for (size_t j = 0; j < count; j++) {
            double cosine;

            if (s->lang[list[j]] == s->lang[i])
                continue;
            cosine = ig_products_cosine(s->products, i, list[j]);
            if (cosine > best) {
                best = cosine;
                s->truth[s->first[i]] = list[j];
            }
        }
    }
}

static void pass_over(void *context, size_t part, const ig_tile *tile)
{
    (void)context, (void)part, (void)tile;
}

/* --- what was found --------------------------------------------------------------- */

/* Whether rows decide by their number alone: `cosine` is as near as one of the ten. */
static bool ties_with(const ig_candidate *near, double cosine)
{
    return fabs(near->cosine - cosine) <= IG_COSINE_EQUAL;
}

static ig_pool_row find(const struct search *s, const ig_candidate *near, size_t k,
                        const ig_ranking_side *ranks, size_t row)
{
    uint32_t probe = s->first[row];
    bool own = false, other = false;
    ig_pool_row found = {.row = (uint32_t)row,
                         .nearest = near[0].row,
                         .lang = s->lang[row],
                         .own_language = s->lang[near[0].row] == s->lang[row],
                         .translation = is_translation(s, row, near[0].row)};

    if (s->first[row + 1] > probe)
        found.rank = ranks->better[probe] + 1;
    for (size_t j = 0; j < k; j++) {
        bool same = s->lang[near[j].row] == s->lang[row];

        found.own += same;
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

/* --- what guessing gives ---------------------------------------------------------- */

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
static void guess(ig_mixed_pool *mixed, const struct search *s, const size_t *rows)
{
    size_t n = mixed->rows - 1, last = 0;
    double k = (double)mixed->k / (double)n, mrr = 0;

    for (size_t i = 0; i < mixed->rows; i++) {
        size_t t = s->first[i + 1] > s->first[i] ? translations(s, i) : 0;

        mixed->own_chance += (double)(rows[s->lang[i]] - 1) / (double)n;
        if (t && t != last)
            mrr = guessed_mrr(n, t);
        last = t ? t : last;
        mixed->translation_chance += (double)t / (double)n;
        mixed->mrr_chance += t ? mrr : 0;
    }
    mixed->own_chance /= (double)mixed->rows;
    mixed->translation_chance /= (double)mixed->queries; /* 0/0 is NaN */
    mixed->mrr_chance /= (double)mixed->queries;
    /* Ten of the others at random: as often among the ten as a binomial says. */
    mixed->hubness_chance = (1 - 2 * k) / sqrt((double)n * k * (1 - k));
    if (!isfinite(mixed->hubness_chance))
        mixed->hubness_chance = (double)NAN;
}

/* --- figures ---------------------------------------------------------------------- */

/* Where ties leave nothing of a figure, there is none. */
static void take_back(ig_mixed_pool *mixed, size_t tied, size_t unsettled)
{
    static const char *const all = "all candidates tie: the space does not tell them "
                                   "apart";

    if (mixed->queries == 0)
        mixed->no_ranks = "no row has a translation";
    else if ((double)tied > NEARLY_ALL * (double)mixed->queries)
        mixed->no_ranks = all;
    if ((double)unsettled > NEARLY_ALL * (double)mixed->rows)
        mixed->no_language = all;
    if (mixed->no_ranks)
        mixed->translation = mixed->mrr = (double)NAN;
    if (mixed->no_language)
        mixed->own_language = (double)NAN;
}

static void conclude(ig_mixed_pool *mixed, const struct search *s, const ig_knn *knn,
                     const ig_ranking *ranking, const size_t *rows)
{
    const ig_knn_side *side = &knn->side[0];
    size_t n = mixed->rows, own = 0, tied = 0, unsettled = 0;

    mixed->k = side->k;
    mixed->translation = mixed->own_language = mixed->mrr = 0;
    mixed->translation_chance = mixed->own_chance = mixed->mrr_chance = 0;
    for (size_t i = 0; i < n; i++)
        mixed->found[i] =
            find(s, side->nearest + i * side->k, side->k, &ranking->side[0], i);
    for (size_t i = 0; i < n; i++) {
        const ig_pool_row *found = &mixed->found[i];
        size_t met = s->lang[found->nearest];

        for (size_t j = 0; j < side->k; j++)
            mixed->found[side->nearest[i * side->k + j].row].hub++;
        mixed->met.count[found->lang * mixed->met.languages + met]++;
        own += found->own;
        mixed->own_language += found->own_language;
        mixed->queries += found->rank > 0;
        mixed->translation += found->translation;
        mixed->mrr += found->rank ? 1 / (double)found->rank : 0;
        tied += found->tied;
        unsettled += found->unsettled;
    }
    mixed->own_language /= (double)n;
    mixed->translation /= (double)mixed->queries;
    mixed->mrr /= (double)mixed->queries;
    mixed->purity = (double)own / (double)(n * side->k);
    mixed->hubness = skewness(mixed->found, n);
    guess(mixed, s, rows);
    take_back(mixed, tied, unsettled);
}

/* --- the pass --------------------------------------------------------------------- */

/* The units of all rows are had, and finite; they are moved to their centre. */
static ig_status measure(ig_mixed_pool *mixed, struct search *s, ig_units *u,
                         ig_pool *pool, ig_watch *watch, ig_error *error)
{
    size_t *rows = ig_alloc(mixed->met.languages, sizeof *rows);
    ig_block block = {0};
    ig_products products = {0};
    ig_knn knn = {0};
    ig_ranking ranking = {0};
    const ig_consumer consumer[] = {{choose, pass_over, NULL, s},
                                    ig_knn_consumer(&knn),
                                    ig_ranking_consumer(&ranking)};
    ig_status status = rows ? lay_out(s, u->count, error)
                            : ig_fail_memory(error, "the mixed pool");

    if (status == IG_OK)
        status = ig_block_init(&block, u->unit, u->count, u->dims, u->zero, error);
    if (status == IG_OK)
        status = ig_products_init(&products, u->count, 0, u->dims,
                                  ig_pool_threads(pool), error);
    if (status == IG_OK)
        status = ig_knn_init(&knn, &products, IG_POOL_NEAR, error);
    if (status == IG_OK)
        status = ig_ranking_init(&ranking, &products, s->first[u->count], error);
    if (status != IG_OK)
        goto done;
    for (size_t i = 0; i < u->count; i++)
        rows[s->lang[i]]++;
    s->products = &products;
    products.self = true;
    products.side[0] = block;
    ranking.side[0].first = s->first;
    ranking.side[0].truth = s->truth;
    if (ig_products_run_pool(&products, consumer, sizeof consumer / sizeof *consumer,
                             pool, watch))
        conclude(mixed, s, &knn, &ranking, rows);
    else
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
done:
    ig_ranking_free(&ranking);
    ig_knn_free(&knn);
    ig_products_free(&products);
    ig_block_free(&block);
    ig_free(rows);
    return status;
}

static ig_status measure_rows(ig_mixed_pool *mixed, struct search *s,
                              const ig_rows *rows, ig_pool *pool, ig_watch *watch,
                              ig_error *error)
{
    ig_units u = {.count = rows->rows, .row = ig_alloc(rows->rows, sizeof *u.row)};
    uint32_t *none = s->meaning ? NULL : ig_alloc(rows->rows, sizeof *none);
    ig_status status = IG_OK;

    mixed->found = ig_alloc(rows->rows, sizeof *mixed->found);
    mixed->met.count =
        ig_alloc(mixed->met.languages * mixed->met.languages, sizeof *mixed->met.count);
    if (!u.row || !mixed->found || !mixed->met.count || !(s->meaning || none)) {
        ig_units_free(&u);
        ig_free(none);
        return ig_fail_memory(error, "the mixed pool");
    }
    for (size_t i = 0; i < u.count; i++)
        u.row[i] = (uint32_t)i;
    for (size_t i = 0; none && i < u.count; i++)
        none[i] = IG_NO_ID;
    if (none)
        s->meaning = none;
    status = ig_units_gather(&u, rows, pool, watch, error);
    if (status == IG_OK && u.odd_rows)
        mixed->reason = "a value is not finite";
    else if (status == IG_OK)
        status = measure(mixed, s, &u, pool, watch, error);
    ig_units_free(&u);
    ig_free(none);
    return status;
}

ig_status ig_mixed_pool_measure(ig_mixed_pool *mixed, const ig_rows *rows,
                                const uint16_t *lang, size_t languages,
                                const uint32_t *meaning, ig_pool *pool, ig_watch *watch,
                                ig_error *error)
{
    ig_mixed_pool result = {.translation = NAN,
                            .own_language = NAN,
                            .mrr = NAN,
                            .purity = NAN,
                            .hubness = NAN,
                            .translation_chance = NAN,
                            .own_chance = NAN,
                            .mrr_chance = NAN,
                            .hubness_chance = NAN,
                            .rows = rows->rows,
                            .met.languages = languages};
    struct search s = {.lang = lang, .meaning = meaning};
    ig_status status = IG_OK;

    if (rows->rows < 2)
        result.reason = rows->rows ? "only one row" : "no rows";
    else
        status = measure_rows(&result, &s, rows, pool, watch, error);
    ig_free(s.start);
    ig_free(s.order);
    ig_free(s.first);
    ig_free(s.truth);
    if (status == IG_OK && result.reason) {
        ig_free(result.found);
        ig_free(result.met.count);
        result.found = NULL;
        result.met = (ig_language_counts){0};
    }
    if (status == IG_OK)
        *mixed = result;
    else
        ig_mixed_pool_free(&result);
    return status;
}

void ig_mixed_pool_free(ig_mixed_pool *mixed)
{
    ig_free(mixed->found);
    ig_free(mixed->met.count);
    *mixed = (ig_mixed_pool){0};
}

/* --- what the figures are means of ------------------------------------------------ */

static const ig_pool_row *found_of(const void *result, size_t item)
{
    return &((const ig_mixed_pool *)result)->found[item];
}

static double translation_of(const void *result, size_t item)
{
    const ig_pool_row *found = found_of(result, item);

    return found->rank ? found->translation : (double)NAN;
}

static double own_of(const void *result, size_t item)
{
    return found_of(result, item)->own_language;
}

static double reciprocal_of(const void *result, size_t item)
{
    uint32_t rank = found_of(result, item)->rank;

    return rank ? 1 / (double)rank : (double)NAN;
}

static double purity_of(const void *result, size_t item)
{
    return (double)found_of(result, item)->own /
           (double)((const ig_mixed_pool *)result)->k;
}

/* Of hubness: how often a row is among the nearest, less the mean, which is k; its
 * square and its cube. */
static double hub_of(const void *result, size_t item)
{
    return (double)found_of(result, item)->hub -
           (double)((const ig_mixed_pool *)result)->k;
}

static double hub_square(const void *result, size_t item)
{
    return hub_of(result, item) * hub_of(result, item);
}

static double hub_cube(const void *result, size_t item)
{
    return hub_square(result, item) * hub_of(result, item);
}

static double skewness_of(const void *result, const double *mean)
{
    double m = mean[0], variance = mean[1] - m * m;

    (void)result;
    return variance > 0
               ? (mean[2] - 3 * m * mean[1] + 2 * m * m * m) / pow(variance, 1.5)
               : (double)NAN;
}

static uint32_t row_of(const void *result, size_t item)
{
    return found_of(result, item)->row;
}

static void family_items(const void *result, ig_items *items)
{
    const ig_mixed_pool *mixed = result;

    items->count = mixed->found ? mixed->rows : 0;
    items->row = row_of;
}

/* --- the family ------------------------------------------------------------------- */

#define FIGURE(field, chance)                                                          \
    .family = &ig_mixed_pool_family, .at = offsetof(ig_mixed_pool, field),             \
    .chance_at = offsetof(ig_mixed_pool, chance)

static const ig_measure_entry entries[] = {
    {FIGURE(translation, translation_chance), .key = "pool_translation",
     .member = "translation", .name = "pool, translation", .brief = "pool transl.",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, is a translation.",
     .source = "LAReQA", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {1, 1, -1},
     .value = translation_of, .reason_at = offsetof(ig_mixed_pool, no_ranks)},
    {FIGURE(own_language, own_chance), .key = "pool_own_language",
     .member = "own_language", .name = "pool, own language", .brief = "pool own",
     .about = "Share of sentences whose nearest row, among those of all languages "
              "together, has their own language: what language bias hides translations "
              "behind.",
     .source = "LAReQA", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {-1, -1, 1},
     .value = own_of, .reason_at = offsetof(ig_mixed_pool, no_language)},
    {FIGURE(mrr, mrr_chance), .key = "pool_mrr", .member = "mrr", .name = "pool, MRR",
     .brief = "pool MRR",
     .about = "Mean of 1/rank of the best translation among the rows of all languages "
              "together.",
     .source = "LAReQA", .decimals = 3, .better = {1, 1, -1}, .value = reciprocal_of,
     .reason_at = offsetof(ig_mixed_pool, no_ranks)},
    {FIGURE(purity, own_chance), .key = "purity10", .of_space = true,
     .name = "purity@10", .brief = "purity",
     .about = "Share of a row's ten nearest rows, over all languages, that have its "
              "own language.",
     .unit = IG_UNIT_SHARE, .decimals = 1, .better = {-1, -1, 1}, .value = purity_of},
    {FIGURE(hubness, hubness_chance), .key = "hubness10", .of_space = true,
     .name = "hubness@10", .brief = "hubness",
     .about = "Skewness of how often a row is among the ten nearest of others: great "
              "where a few rows are near to everything.",
     .decimals = 2, .better = {-1, -1, 0},
     .missing = "every row is among the ten nearest as often as any other",
     .value = hub_of, .more = {hub_square, hub_cube}, .follows = skewness_of},
};

static double family_work(const ig_measure_input *in)
{
    return (double)in->some->rows * (double)in->some->rows * (double)in->some->dims;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_mixed_pool *mixed = result;
    ig_status status = ig_mixed_pool_measure(mixed, in->some, in->lang, in->languages,
                                             in->meaning, in->pool, in->watch, error);

    for (size_t i = 0; in->some_row && mixed->found && i < mixed->rows; i++) {
        mixed->found[i].row = in->some_row[mixed->found[i].row];
        mixed->found[i].nearest = in->some_row[mixed->found[i].nearest];
    }
    return status;
}

static void family_free(void *result)
{
    ig_mixed_pool_free(result);
}

const ig_family ig_mixed_pool_family = {.name = "mixed pool",
                                        .word = "pool",
                                        .group = "pool",
                                        .needs = IG_NEEDS_ROWS,
                                        .work = family_work,
                                        .take = family_take,
                                        .free = family_free,
                                        .items = family_items,
                                        .reason_at = offsetof(ig_mixed_pool, reason),
                                        .entry = entries,
                                        .entries = sizeof entries / sizeof *entries};
