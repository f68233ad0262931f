/* The mixed pool, by all products of the rows with themselves: one pass finds the ten
 * nearest rows of each and ranks its best translation. Legend: N rows, d dims, p rows
 * that have a translation. */
#include "measure/mixed_pool.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/blas.h"
#include "linear/knn.h"
#include "linear/ranking.h"
#include "measure/pair_pass.h"

/* Share of ties from which on nearest rows say nothing, as in retrieval. */
static const double NEARLY_ALL = 0.999;

/* Rows of a meaning whose products are formed together, at most. */
enum { MEANING = 256 };

/* --- translations ----------------------------------------------------------------- */

/* What the mixed pool asks of a pass: rows are numbered by their places in it. */
struct search {
    const ig_pair_pass *pass;
    uint16_t *lang;
    size_t *rows;      /* (languages) of each */
    uint32_t *meaning; /* (N) IG_NO_ID: none */
    size_t languages, meanings;
    uint32_t *start, *order; /* rows of a meaning */
    uint32_t *first, *truth; /* (N + 1), (p) as in linear/ranking.h */
    ig_knn knn;
    ig_ranking ranking;
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
        s->first[i + 1] = s->first[i] +
                          (ig_pair_pass_asks(s->pass, i) && translations(s, i) > 0);
    s->truth = ig_alloc(s->first[rows], sizeof *s->truth);
    return s->truth ? IG_OK : ig_fail_memory(error, "the mixed pool");
}

/* The best translations, chosen meaning by meaning. Legend: t rows of a meaning. */
struct choice {
    struct search *s;
    atomic_size_t next; /* meaning */
    float *unit;        /* (members, MEANING, d) of length 1 or 0 */
    float *product;     /* (members, MEANING, MEANING) */
};

/* How far a float product of rows of length 1 may be off. */
static double slip_of(const struct choice *choice)
{
    return 5e-6 + 4e-9 * (double)choice->s->pass->units.dims;
}

/* The products of the rows of a meaning with each other. */
static void multiply(const struct choice *choice, const uint32_t *list, size_t t,
                     float *unit, float *product)
{
    static const float one[2] = {1, 1};
    const ig_pair_pass *pass = choice->s->pass;
    size_t d = pass->units.dims;

    for (size_t i = 0; i < t; i++) {
        const float *v[2] = {pass->units.unit + list[i] * d,
                             pass->block[pass->shown.block_of[list[i]]].centre};

        ig_kernels_best()->combine(v, one, pass->units.zero[list[i]] ? 1 : 2, d, 0,
                                   unit + i * d);
    }
    ig_gemm(false, true, 1, ig_matrix_of(unit, t, d), ig_matrix_of(unit, t, d), 0,
            ig_matrix_of(product, t, t));
}

/* The best translation of a row: those whose products leave it possible are compared by
 * exact cosines.
 *   product  in  (t) of the row with those of its meaning; NULL: nothing is known */
static void choose_of(struct search *s, const uint32_t *list, size_t t, size_t row,
                      const float *product, double slip)
{
    double best = -INFINITY, most = -INFINITY;

    for (size_t j = 0; product && j < t; j++)
        if (s->lang[list[j]] != s->lang[row])
            most = fmax(most, (double)product[j]);
    for (size_t j = 0; j < t; j++) {
        double cosine;

        if (s->lang[list[j]] == s->lang[row] ||
            (product && (double)product[j] < most - 2 * slip))
            continue;
        cosine = ig_products_cosine(&s->pass->shown, row, list[j]);
        if (cosine > best) {
            best = cosine;
            s->truth[s->first[row]] = list[j];
        }
    }
}

/* Whether a row looks for its best translation. */
static bool looks(const struct search *s, size_t row)
{
    return s->first[row + 1] > s->first[row];
}

static void choose_member(void *context, size_t member, size_t members)
{
    struct choice *choice = context;
    struct search *s = choice->s;
    float *unit = choice->unit + member * MEANING * s->pass->units.dims;
    float *product = choice->product + member * MEANING * MEANING;
    size_t m;

    (void)members;
    while ((m = atomic_fetch_add(&choice->next, 1)) < s->meanings) {
        const uint32_t *list = s->order + s->start[m];
        size_t t = s->start[m + 1] - s->start[m];
        bool known = t > 2 && t <= MEANING, any = false;

        for (size_t i = 0; known && i < t && !any; i++)
            any = looks(s, list[i]);
        if (any)
            multiply(choice, list, t, unit, product);
        for (size_t i = 0; i < t; i++)
            if (looks(s, list[i]))
                choose_of(s, list, t, list[i], known ? product + i * t : NULL,
                          slip_of(choice));
    }
}

static ig_status choose(struct search *s, ig_pool *pool, ig_error *error)
{
    size_t members = ig_pool_threads(pool), d = s->pass->units.dims;
    struct choice choice = {.s = s};
    bool ready;

    choice.unit = ig_alloc(members, MEANING * d * sizeof(float));
    choice.product = ig_alloc(members, (size_t)MEANING * MEANING * sizeof(float));
    ready = choice.unit && choice.product;
    if (ready && !s->pass->units.odd_rows)
        ig_pool_run(pool, choose_member, &choice);
    ig_free(choice.unit);
    ig_free(choice.product);
    return ready ? IG_OK : ig_fail_memory(error, "the mixed pool");
}

/* --- what was found --------------------------------------------------------------- */

/* Whether rows decide by their number alone: `cosine` is as near as one of the ten. */
static bool ties_with(const ig_candidate *near, double cosine)
{
    return fabs(near->cosine - cosine) <= IG_COSINE_EQUAL;
}

static ig_pool_row find(const struct search *s, size_t row)
{
    size_t k = s->knn.side[0].k;
    const ig_candidate *near = s->knn.side[0].nearest + row * k;
    const ig_ranking_side *ranks = &s->ranking.side[0];
    uint32_t probe = s->first[row];
    bool own = false, other = false;
    ig_pool_row found = {.row = s->pass->name[row],
                         .nearest = s->pass->name[near[0].row],
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
static void guess(ig_mixed_pool *mixed, const struct search *s)
{
    size_t rows = s->pass->rows, n = rows - 1, last = 0, queries = 0;
    double k = (double)mixed->k / (double)n, mrr = 0;

    for (size_t i = 0; i < rows; i++) {
        size_t t = translations(s, i);

        queries += t > 0;
        mixed->own_chance += (double)(s->rows[s->lang[i]] - 1) / (double)n;
        if (t && t != last)
            mrr = guessed_mrr(n, t);
        last = t ? t : last;
        mixed->translation_chance += (double)t / (double)n;
        mixed->mrr_chance += t ? mrr : 0;
    }
    mixed->own_chance /= (double)rows;
    mixed->translation_chance /= (double)queries; /* 0/0 is NaN */
    mixed->mrr_chance /= (double)queries;
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

static void conclude(ig_mixed_pool *mixed, const struct search *s)
{
    const ig_knn_side *side = &s->knn.side[0];
    const uint32_t *name = s->pass->name, *place = s->pass->place;
    size_t n = mixed->rows, own = 0, tied = 0, unsettled = 0;

    mixed->k = side->k;
    mixed->translation = mixed->own_language = mixed->mrr = 0;
    mixed->translation_chance = mixed->own_chance = mixed->mrr_chance = 0;
    for (size_t i = 0, at = 0; i < s->pass->rows; i++)
        if (ig_pair_pass_asks(s->pass, place[i]))
            mixed->found[at++] = find(s, place[i]);
    for (size_t i = 0; i < n; i++) {
        const ig_pool_row *found = &mixed->found[i];
        size_t met = s->lang[place[found->nearest]];

        /* Of a sample it is not known who else would be near to whom. */
        for (size_t j = 0; !s->pass->asks && j < side->k; j++)
            mixed->found[name[side->nearest[place[i] * side->k + j].row]].hub++;
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
    mixed->hubness = s->pass->asks ? (double)NAN : skewness(mixed->found, n);
    guess(mixed, s);
    take_back(mixed, tied, unsettled);
}

/* --- the pass --------------------------------------------------------------------- */

static void forget(void *state)
{
    struct search *s = state;

    if (!s)
        return;
    ig_ranking_free(&s->ranking);
    ig_knn_free(&s->knn);
    ig_free(s->lang);
    ig_free(s->rows);
    ig_free(s->meaning);
    ig_free(s->start);
    ig_free(s->order);
    ig_free(s->first);
    ig_free(s->truth);
    ig_free(s);
}

/* Ask the pass for what the pool needs.
 *   lang, meaning  in  (N) of the rows in their order */
static ig_status ask(struct search **asked, ig_pair_pass *pass, const uint16_t *lang,
                     size_t languages, const uint32_t *meaning, ig_pool *pool,
                     ig_error *error)
{
    struct search *s = ig_alloc(1, sizeof *s);
    size_t n = pass->rows;
    ig_status status;

    if (!s)
        return ig_fail_memory(error, "the mixed pool");
    s->pass = pass;
    s->languages = languages;
    s->lang = ig_alloc(n, sizeof *s->lang);
    s->rows = ig_alloc(languages, sizeof *s->rows);
    s->meaning = ig_alloc(n, sizeof *s->meaning);
    status = s->lang && s->rows && s->meaning ? IG_OK
                                              : ig_fail_memory(error, "the mixed pool");
    for (size_t p = 0; status == IG_OK && p < n; p++) {
        s->lang[p] = lang[pass->name[p]];
        s->rows[s->lang[p]]++;
        s->meaning[p] = meaning ? meaning[pass->name[p]] : IG_NO_ID;
    }
    if (status == IG_OK)
        status = lay_out(s, n, error);
    if (status == IG_OK)
        status = ig_knn_init(&s->knn, &pass->shown, IG_POOL_NEAR, error);
    if (status == IG_OK)
        status = ig_ranking_init(&s->ranking, &pass->shown, s->first[n], error);
    if (status == IG_OK)
        status = choose(s, pool, error);
    if (status != IG_OK) {
        forget(s);
        return status;
    }
    s->ranking.side[0].first = s->first;
    s->ranking.side[0].truth = s->truth;
    pass->consumer[pass->consumers++] = ig_knn_consumer(&s->knn);
    pass->consumer[pass->consumers++] = ig_ranking_consumer(&s->ranking);
    *asked = s;
    return IG_OK;
}

/* Rows that ask. */
static size_t count_asking(const ig_pair_pass *pass)
{
    size_t n = 0;

    for (size_t l = 0; pass->asks && l < pass->languages; l++)
        n += pass->drawn[l];
    return pass->asks ? n : pass->rows;
}

/* The figures of a pass that is done; without one there are too few rows. */
static ig_status conclude_pass(ig_mixed_pool *mixed, const struct search *s,
                               ig_error *error)
{
    size_t n = count_asking(s->pass), languages = s->languages;
    ig_mixed_pool result = {.translation = NAN,
                            .own_language = NAN,
                            .mrr = NAN,
                            .purity = NAN,
                            .hubness = NAN,
                            .translation_chance = NAN,
                            .own_chance = NAN,
                            .mrr_chance = NAN,
                            .hubness_chance = NAN,
                            .rows = n};

    if (s->pass->rows < 2)
        result.reason = s->pass->rows ? "only one row" : "no rows";
    else if (s->pass->units.odd_rows)
        result.reason = "a value is not finite";
    if (!result.reason) {
        result.met.languages = languages;
        result.found = ig_alloc(n, sizeof *result.found);
        result.met.count = ig_alloc(languages * languages, sizeof *result.met.count);
        if (!result.found || !result.met.count) {
            ig_mixed_pool_free(&result);
            return ig_fail_memory(error, "the mixed pool");
        }
        conclude(&result, s);
    }
    *mixed = result;
    return IG_OK;
}

ig_status ig_mixed_pool_measure(ig_mixed_pool *mixed, const ig_rows *rows,
                                const uint16_t *lang, size_t languages,
                                const uint32_t *meaning, ig_pool *pool, ig_watch *watch,
                                ig_error *error)
{
    ig_pair_pass pass = {0};
    struct search *asked = NULL;
    ig_status status =
        ig_pair_pass_init(&pass, rows, NULL, rows->rows, NULL, 1, pool, watch, error);

    if (status == IG_OK)
        status = ask(&asked, &pass, lang, languages, meaning, pool, error);
    if (status == IG_OK)
        status = ig_pair_pass_run(&pass, pool, watch, error);
    if (status == IG_OK)
        status = conclude_pass(mixed, asked, error);
    forget(asked);
    ig_pair_pass_free(&pass);
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

/* --- the family ------------------------------------------------------------------- */

#define LINE(measure, field, chance)                                                   \
    measure, .at = offsetof(ig_mixed_pool, field),                                     \
             .chance_at = offsetof(ig_mixed_pool, chance)

static const ig_figure_line lines[] = {
    {LINE("pool_translation", translation, translation_chance),
     .n_at = offsetof(ig_mixed_pool, queries),
     .reason_at = offsetof(ig_mixed_pool, no_ranks),
     .column = {.value = {translation_of}, .row = row_of}},
    {LINE("pool_same_language", own_language, own_chance),
     .reason_at = offsetof(ig_mixed_pool, no_language),
     .column = {.value = {own_of}, .row = row_of}},
    {LINE("pool_mrr", mrr, mrr_chance), .n_at = offsetof(ig_mixed_pool, queries),
     .reason_at = offsetof(ig_mixed_pool, no_ranks),
     .column = {.value = {reciprocal_of}, .row = row_of}},
    {LINE("purity10", purity, own_chance),
     .column = {.value = {purity_of}, .row = row_of}},
    {LINE("hubness10", hubness, hubness_chance),
     .missing = "every row is among the ten nearest as often as any other, or a sample "
                "alone asks",
     .column = {.value = {hub_of, hub_square, hub_cube},
                .row = row_of,
                .follows = skewness_of}},
};

static void family_append(const void *result, ig_figures *figures)
{
    const ig_mixed_pool *m = result;
    size_t items = m->found ? m->rows : 0;

    ig_figures_add_lines(figures, lines, 3, m, m->rows, items, m->reason);
    ig_figures_add_counts(figures, "pool_nearest", &m->met, true);
    ig_figures_add_lines(figures, lines + 3, 2, m, m->rows, items, m->reason);
}

static double family_work(const ig_measure_input *in)
{
    return (double)in->some->rows * (double)in->some->rows * (double)in->some->dims;
}

/* It takes part where the pass has all rows. */
static ig_status family_join(const ig_measure_input *in, ig_pair_pass *pass,
                             void **state, ig_error *error)
{
    struct search *s = NULL;
    ig_status status = IG_OK;

    if (pass->rows == in->some->rows)
        status = ask(&s, pass, in->lang, in->languages, in->meaning, in->pool, error);
    *state = s;
    return status;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_mixed_pool *mixed = result;
    ig_status status = in->state ? conclude_pass(mixed, in->state, error)
                                 : ig_mixed_pool_measure(mixed, in->some, in->lang,
                                                         in->languages, in->meaning,
                                                         in->pool, in->watch, error);

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
                                        .needs = IG_NEEDS_ROWS,
                                        .work = family_work,
                                        .join = family_join,
                                        .forget = forget,
                                        .take = family_take,
                                        .free = family_free,
                                        .append = family_append};
