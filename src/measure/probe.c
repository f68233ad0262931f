/* The language probe: ridge regression in closed form. One pass over the fitting rows
 * (their moments, and sums of the rows of each language), one system solved for the
 * true and the shuffled labels at once, and one pass for the scores of the tested rows.
 * Where the fitting rows are given, λ is chosen on a tenth of them first.
 * Legend: n fitting rows, t tested rows, d dims, K languages; W (2K, d): K rows for the
 * true labels, K for the shuffled ones. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "data/set.h"
#include "linear/blas.h"
#include "linear/kernels.h"
#include "measure/unit_moments.h"

enum { TILE = 256, LINE = 16, SHUFFLE_STREAM = 0x70726f62 };

/* λ as a share of the mean variance: as it is, and what is tried where it is chosen. */
static const double RIDGE = 1e-3;
static const double RIDGES[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

enum { TENTH = 10 };

struct probe {
    const ig_rows *rows;
    const uint16_t *lang; /* (N) */
    size_t languages;     /* K */
    ig_watch *watch;

    uint32_t *fit, *test; /* (n), (t) rows, ascending */
    size_t fitted, tested;
    uint16_t *label;   /* (2, n) of the fitting rows: true, shuffled */
    size_t *count;     /* (K) fitting rows of each language */
    double *sum;       /* (2K, d) sums of the rows of each label */
    double *solved;    /* (2K, d) W */
    double *mean;      /* (d) of the fitting rows: that of the moments */
    float *weight;     /* (2K, d) W */
    float *shift;      /* (d) the mean as floats */
    double *offset;    /* (2K) score of a row at the shift */
    uint16_t *read[2]; /* (t) languages read by true and shuffled labels */
    float *certainty;  /* (t) */
    float *buffer;     /* (members, room): a tile of rows, its scores, scratch */
    size_t room;
    atomic_size_t next;   /* tile of tested rows */
    atomic_bool infinite; /* a score is not finite */
};

void ig_probe_free(ig_probe *probe)
{
    if (!probe)
        return;
    ig_free(probe->confusion.count);
    ig_free(probe->row);
    ig_free(probe->read);
    ig_free(probe->certainty);
    ig_free(probe->by_chance);
    ig_free(probe->learnt_row);
    *probe = (ig_probe){0};
}

static void release(struct probe *p)
{
    ig_free(p->fit);
    ig_free(p->test);
    ig_free(p->label);
    ig_free(p->count);
    ig_free(p->sum);
    ig_free(p->solved);
    ig_free(p->weight);
    ig_free(p->shift);
    ig_free(p->offset);
    ig_free(p->read[0]);
    ig_free(p->read[1]);
    ig_free(p->certainty);
    ig_free(p->buffer);
}

/* The work of it, about: half of the rows are taken to be fitted. */
static double work_of_probe(size_t rows, size_t dims, size_t languages)
{
    double n = (double)rows, d = (double)dims, k = (double)languages;

    /* Half of the rows are fitted, half tested. */
    return n / 2 * d * d + d * d * d / 3 + 4 * k * d * d + n / 2 * 4 * k * d;
}

/* Rows without an id are counted by language, so that of languages in turn each is
 * fitted and tested. */
ig_status ig_probe_divide(ig_probe_parts *parts, size_t n, const uint16_t *lang,
                          size_t languages, const uint32_t *id, ig_error *error)
{
    uint32_t *seen = ig_alloc(languages, sizeof *seen);
    uint32_t *fit = ig_alloc(n, sizeof *fit), *test = ig_alloc(n, sizeof *test);
    ig_status status = IG_OK;

    *parts = (ig_probe_parts){.fit = fit, .test = test};
    if (!fit || !test || !seen)
        status = ig_fail_memory(error, "the language probe");
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        uint32_t number;

        if (lang[i] >= languages) {
            status = ig_fail(error, IG_SHAPE,
                             "language %u of row %zu, but there are %zu",
                             (unsigned)lang[i], i, languages);
            break;
        }
        number = id && id[i] != IG_NO_ID ? id[i] : seen[lang[i]]++;
        if (number % 2 == 0)
            fit[parts->fits++] = (uint32_t)i;
        else
            test[parts->tests++] = (uint32_t)i;
    }
    ig_free(seen);
    return status;
}

/* The labels of the fitting rows, and how many have each: as many when shuffled. */
static ig_status take_labels(struct probe *p, uint64_t seed, ig_error *error)
{
    uint32_t *order = ig_alloc(p->fitted, sizeof *order);
    ig_random random;

    p->label = ig_alloc(p->fitted, 2 * sizeof *p->label);
    p->count = ig_alloc(p->languages, sizeof *p->count);
    if (!order || !p->label || !p->count) {
        ig_free(order);
        return ig_fail_memory(error, "the language probe");
    }
    for (size_t i = 0; i < p->fitted; i++) {
        order[i] = (uint32_t)i;
        p->label[i] = p->lang[p->fit[i]];
        p->count[p->label[i]]++;
    }
    ig_random_init(&random, seed, SHUFFLE_STREAM);
    ig_random_shuffle(&random, order, p->fitted);
    for (size_t i = 0; i < p->fitted; i++)
        p->label[p->fitted + i] = p->label[order[i]];
    ig_free(order);
    return IG_OK;
}

/* The share of the commonest language among the tested rows; NaN of none. */
static ig_status take_majority(const struct probe *p, double *majority, ig_error *error)
{
    size_t *count = ig_alloc(p->languages, sizeof *count), most = 0;

    if (!count)
        return ig_fail_memory(error, "the language probe");
    for (size_t i = 0; i < p->tested; i++)
        count[p->lang[p->test[i]]]++;
    for (size_t k = 0; k < p->languages; k++)
        most = count[k] > most ? count[k] : most;
    ig_free(count);
    *majority = (double)most / (double)p->tested;
    return IG_OK;
}

/* Why the probe cannot be had, as far as the labels tell; or NULL. */
static const char *find_reason(const struct probe *p)
{
    bool fit[2] = {false, false}; /* a language, and another one */

    if (p->rows->rows == 0)
        return "no rows";
    if (p->fitted == 0)
        return "no row has an even-numbered id to fit the probe on";
    if (p->tested == 0)
        return "no row has an odd-numbered id to test the probe on";
    for (size_t k = 0; k < p->languages; k++)
        if (p->count[k])
            fit[fit[0]] = true;
    if (fit[1])
        return NULL;
    for (size_t i = 0; i < p->tested; i++)
        if (p->lang[p->test[i]] != p->label[0])
            return "the rows with even-numbered ids have one language alone";
    return "only one language";
}

/* --- fitting --------------------------------------------------------------------- */

struct chunk_sums {
    struct probe *p;
    const ig_units *chunk;
    size_t first;
};

/* Sum some columns of the rows of each label: in the order of the rows, however many
 * members there are. */
static void sum_columns(void *context, size_t member, size_t first, size_t last)
{
    const struct chunk_sums *sums = context;
    const struct probe *p = sums->p;
    size_t d = p->rows->dims;

    (void)member;
    for (size_t i = 0; i < sums->chunk->count; i++)
        for (size_t s = 0; s < 2; s++) {
            const float *row = sums->chunk->unit + i * d;
            double *sum =
                p->sum +
                (s * p->languages + p->label[s * p->fitted + sums->first + i]) * d;

            for (size_t j = first; j < last; j++)
                sum[j] += (double)row[j];
        }
}

static void sum_chunk(void *context, const ig_units *chunk, size_t first, ig_pool *pool)
{
    struct chunk_sums sums = {context, chunk, first};

    ig_pool_hand_out(pool, sums.p->rows->dims, LINE, sum_columns, &sums);
}

/* W = (XᵀX / n + λI)⁻¹ XᵀY / n. */
static ig_status solve(struct probe *p, const ig_moments *moments, double ridge,
                       ig_error *error)
{
    size_t d = p->rows->dims, k = p->languages;
    double n = (double)p->fitted, trace, squares;
    double *scatter = ig_alloc(d, d * sizeof *scatter);
    ig_status status;

    if (!scatter)
        return ig_fail_memory(error, "the language probe");
    ig_unit_spread(moments, &trace, &squares);
    for (size_t i = 0; i < d * d; i++)
        scatter[i] = moments->scatter[i] / n;
    for (size_t i = 0; i < d; i++)
        scatter[i * d + i] += ridge * trace / (double)d;
    for (size_t r = 0; r < 2 * k; r++)
        for (size_t j = 0; j < d; j++)
            p->solved[r * d + j] =
                (p->sum[r * d + j] - (double)p->count[r % k] * moments->mean[j]) / n;
    status = ig_solve_positive(scatter, d, p->solved, 2 * k, error);
    ig_free(scatter);
    return status;
}

/* W as floats, for rows less a shift: the mean as floats. What rounding it took goes
 * into the offset, so that nothing is lost where the mean is large. */
static void take_weights(struct probe *p, const double *mean)
{
    size_t d = p->rows->dims, k = p->languages;

    for (size_t j = 0; j < d; j++)
        p->shift[j] = (float)mean[j];
    for (size_t r = 0; r < 2 * k; r++) {
        const double *w = p->solved + r * d;

        p->offset[r] = (double)p->count[r % k] / (double)p->fitted;
        for (size_t j = 0; j < d; j++) {
            p->weight[r * d + j] = (float)w[j];
            p->offset[r] += w[j] * ((double)p->shift[j] - mean[j]);
        }
    }
}

/* The moments of the fitting rows and the sums of each label; *reason is set when the
 * rows do not differ. */
static ig_status sum_up(struct probe *p, ig_moments *moments, ig_pool *pool,
                        const char **reason, ig_error *error)
{
    size_t d = p->rows->dims, k = p->languages;
    double trace, squares;
    ig_status status;

    p->sum = ig_alloc(2 * k, d * sizeof *p->sum);
    p->solved = ig_alloc(2 * k, d * sizeof *p->solved);
    p->weight = ig_alloc(2 * k, d * sizeof *p->weight);
    p->shift = ig_alloc(d, sizeof *p->shift);
    p->offset = ig_alloc(2 * k, sizeof *p->offset);
    if (!p->sum || !p->solved || !p->weight || !p->shift || !p->offset)
        return ig_fail_memory(error, "the language probe");
    status = ig_moments_init(moments, d, error);
    if (status == IG_OK)
        status = ig_unit_moments(moments, p->rows, p->fit, p->fitted, sum_chunk, p,
                                 pool, p->watch, error);
    if (status != IG_OK)
        return status;
    ig_unit_spread(moments, &trace, &squares);
    if (trace < IG_SPREAD_LEAST)
        *reason = "the rows do not differ";
    return IG_OK;
}

static ig_status fit(struct probe *p, double ridge, ig_pool *pool, const char **reason,
                     ig_error *error)
{
    ig_moments moments = {0};
    ig_status status = sum_up(p, &moments, pool, reason, error);

    if (status == IG_OK && !*reason)
        status = solve(p, &moments, ridge, error);
    if (status == IG_OK && !*reason)
        take_weights(p, moments.mean);
    ig_moments_free(&moments);
    return status;
}

/* --- testing --------------------------------------------------------------------- */

/* The label of the largest of K scores, the lower one of equal ones; *lead gets the
 * score of `own` less the largest of the others. False when one is not finite. */
static bool read_label(const float *score, const double *offset, size_t k, size_t own,
                       uint16_t *label, float *lead)
{
    double best = -INFINITY, other = -INFINITY;

    for (size_t j = 0; j < k; j++) {
        double value = (double)score[j] + offset[j];

        if (!isfinite(value))
            return false;
        if (value > best) {
            best = value;
            *label = (uint16_t)j;
        }
        if (j != own && value > other)
            other = value;
    }
    if (lead)
        *lead = (float)((double)score[own] + offset[own] - other);
    return true;
}

/* The scores of a tile of tested rows, and what they say. */
static void test_tile(struct probe *p, size_t first, size_t n, float *tile)
{
    static const float minus[2] = {1, -1};
    size_t d = p->rows->dims, k = p->languages;
    float *score = tile + TILE * d;

    ig_rows_gather(p->rows, p->test + first, n, tile, d, score + TILE * 2 * k);
    ig_rows_unit(tile, d, tile, d, n, d);
    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {tile + i * d, p->shift};

        ig_kernels_best()->combine(v, minus, 2, d, 0, tile + i * d);
    }
    ig_gemm(false, true, 1, ig_matrix_of(tile, n, d), ig_matrix_of(p->weight, 2 * k, d),
            0, ig_matrix_of(score, n, 2 * k));
    for (size_t i = 0; i < n; i++) {
        size_t own = p->lang[p->test[first + i]];
        const float *s = score + i * 2 * k;

        if (!read_label(s, p->offset, k, own, &p->read[0][first + i],
                        &p->certainty[first + i]) ||
            !read_label(s + k, p->offset + k, k, own, &p->read[1][first + i], NULL))
            atomic_store(&p->infinite, true);
    }
}

static void test_member(void *context, size_t member, size_t members)
{
    struct probe *p = context;
    double flops = 4 * (double)p->languages * (double)p->rows->dims;
    size_t first;

    (void)members;
    while ((first = TILE * atomic_fetch_add(&p->next, 1)) < p->tested &&
           !ig_watch_stopped(p->watch)) {
        size_t n = p->tested - first < TILE ? p->tested - first : TILE;

        test_tile(p, first, n, p->buffer + member * p->room);
        ig_watch_add(p->watch, (double)n * flops, member);
    }
}

static ig_status test(struct probe *p, ig_pool *pool, ig_error *error)
{
    size_t floats = TILE * (p->rows->dims + 2 * p->languages) + p->rows->scratch;

    atomic_store(&p->next, 0);
    p->room = (floats + LINE - 1) / LINE * LINE;
    p->buffer = ig_alloc(ig_pool_threads(pool), p->room * sizeof *p->buffer);
    p->read[0] = ig_alloc(p->tested, sizeof *p->read[0]);
    p->read[1] = ig_alloc(p->tested, sizeof *p->read[1]);
    p->certainty = ig_alloc(p->tested, sizeof *p->certainty);
    if (!p->buffer || !p->read[0] || !p->read[1] || !p->certainty)
        return ig_fail_memory(error, "the language probe");
    ig_pool_run(pool, test_member, p);
    if (ig_watch_stopped(p->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (atomic_load(&p->infinite))
        return ig_fail(error, IG_VALUE, "the rows hold a value that is not finite");
    return IG_OK;
}

/* --- choosing λ ------------------------------------------------------------------ */

/* Every tenth id is held back from the fitting rows; rows without one are counted. */
static ig_status hold_back(struct probe *q, const struct probe *p, const uint32_t *id,
                           uint64_t seed, ig_error *error)
{
    q->fit = ig_alloc(p->fitted, sizeof *q->fit);
    q->test = ig_alloc(p->fitted, sizeof *q->test);
    if (!q->fit || !q->test)
        return ig_fail_memory(error, "the language probe");
    for (size_t i = 0; i < p->fitted; i++) {
        uint32_t row = p->fit[i];
        size_t number = id && id[row] != IG_NO_ID ? id[row] : i;

        if (number % TENTH == TENTH - 1)
            q->test[q->tested++] = row;
        else
            q->fit[q->fitted++] = row;
    }
    return take_labels(q, seed, error);
}

/* Rows whose language is read. */
static size_t read_right(const struct probe *p)
{
    size_t right = 0;

    for (size_t i = 0; i < p->tested; i++)
        right += p->read[0][i] == p->lang[p->test[i]];
    return right;
}

static void drop_answers(struct probe *q)
{
    ig_free(q->buffer);
    ig_free(q->read[0]);
    ig_free(q->read[1]);
    ig_free(q->certainty);
    q->buffer = q->certainty = NULL;
    q->read[0] = q->read[1] = NULL;
}

/* The λ that reads most of a tenth of the fitting ids when fitted on the others, of
 * equals the greatest. Where a tenth cannot be had, RIDGE. */
static ig_status choose_ridge(const struct probe *p, const uint32_t *id, uint64_t seed,
                              ig_pool *pool, double *ridge, ig_error *error)
{
    struct probe q = {
        .rows = p->rows, .lang = p->lang, .languages = p->languages, .watch = p->watch};
    ig_moments moments = {0};
    size_t most = 0, tried = sizeof RIDGES / sizeof *RIDGES;
    const char *reason = NULL;
    ig_status status = hold_back(&q, p, id, seed, error);

    *ridge = RIDGE;
    if (status == IG_OK && q.tested && !find_reason(&q))
        status = sum_up(&q, &moments, pool, &reason, error);
    for (size_t i = tried; status == IG_OK && q.sum && !reason && i-- > 0;) {
        status = solve(&q, &moments, RIDGES[i], error);
        if (status == IG_VALUE) { /* too little for rows that span few dimensions */
            status = IG_OK;
            break;
        }
        if (status == IG_OK) {
            take_weights(&q, moments.mean);
            status = test(&q, pool, error);
        }
        if (status == IG_OK && read_right(&q) > most) {
            most = read_right(&q);
            *ridge = RIDGES[i];
        }
        drop_answers(&q);
    }
    ig_moments_free(&moments);
    release(&q);
    return status;
}

/* --- the measure ----------------------------------------------------------------- */

/* Count, and hand what was made to the result. */
static ig_status conclude(ig_probe *probe, struct probe *p, ig_error *error)
{
    size_t k = p->languages, right = 0, shuffled = 0;

    probe->confusion.count = ig_alloc(k, k * sizeof *probe->confusion.count);
    probe->by_chance = ig_alloc(p->tested, sizeof *probe->by_chance);
    if (!probe->confusion.count || !probe->by_chance)
        return ig_fail_memory(error, "the language probe");
    probe->confusion.languages = k;
    for (size_t i = 0; i < p->tested; i++) {
        size_t own = p->lang[p->test[i]];

        probe->confusion.count[own * k + p->read[0][i]]++;
        right += p->read[0][i] == own;
        probe->by_chance[i] = p->read[1][i] == own;
        shuffled += probe->by_chance[i];
    }
    probe->accuracy = (double)right / (double)p->tested;
    probe->shuffled = (double)shuffled / (double)p->tested;
    probe->answers = p->tested;
    probe->row = p->test;
    probe->read = p->read[0];
    probe->certainty = p->certainty;
    probe->learnt = p->fitted;
    probe->learnt_row = p->fit;
    p->test = p->fit = NULL;
    p->read[0] = NULL;
    p->certainty = NULL;
    return IG_OK;
}

/* Fit and test, the rows being divided. `chosen`: λ is chosen. */
static ig_status measure(ig_probe *probe, struct probe *p, const uint32_t *id,
                         bool chosen, uint64_t seed, ig_pool *pool, ig_error *error)
{
    ig_probe taken = {.accuracy = (double)NAN,
                      .majority = (double)NAN,
                      .shuffled = (double)NAN,
                      .ridge = RIDGE,
                      .fitted = p->fitted,
                      .tested = p->tested};
    ig_status status = take_labels(p, seed, error);

    if (status == IG_OK)
        status = take_majority(p, &taken.majority, error);
    if (status == IG_OK)
        taken.reason = find_reason(p);
    if (!taken.reason && status == IG_OK && chosen)
        status = choose_ridge(p, id, seed, pool, &taken.ridge, error);
    if (!taken.reason && status == IG_OK)
        status = fit(p, taken.ridge, pool, &taken.reason, error);
    if (!taken.reason && status == IG_OK)
        status = test(p, pool, error);
    if (!taken.reason && status == IG_OK)
        status = conclude(&taken, p, error);
    if (status == IG_OK)
        *probe = taken;
    else
        ig_probe_free(&taken);
    return status;
}

ig_status ig_probe_measure(ig_probe *probe, const ig_rows *rows, const uint16_t *lang,
                           size_t languages, const uint32_t *id, uint64_t seed,
                           ig_pool *pool, ig_watch *watch, ig_error *error)
{
    struct probe p = {
        .rows = rows, .lang = lang, .languages = languages, .watch = watch};
    ig_probe_parts parts;
    ig_status status;

    *probe = (ig_probe){0};
    status = ig_probe_divide(&parts, rows->rows, lang, languages, id, error);
    p.fit = (uint32_t *)parts.fit;
    p.test = (uint32_t *)parts.test;
    p.fitted = parts.fits;
    p.tested = parts.tests;
    if (status == IG_OK)
        status = measure(probe, &p, id, false, seed, pool, error);
    release(&p);
    return status;
}

/* A list of rows, each of a known language. */
static uint32_t *copy_list(const struct probe *p, const uint32_t *list, size_t n,
                           ig_status *status, ig_error *error)
{
    uint32_t *out = ig_alloc(n, sizeof *out);

    if (!out)
        *status = ig_fail_memory(error, "the language probe");
    for (size_t i = 0; out && i < n; i++) {
        out[i] = list[i];
        if (list[i] >= p->rows->rows || p->lang[list[i]] >= p->languages)
            *status =
                ig_fail(error, IG_SHAPE, "row %u has no language", (unsigned)list[i]);
    }
    return out;
}

ig_status ig_probe_measure_apart(ig_probe *probe, const ig_rows *rows,
                                 const uint16_t *lang, size_t languages,
                                 const uint32_t *id, const ig_probe_parts *parts,
                                 uint64_t seed, ig_pool *pool, ig_watch *watch,
                                 ig_error *error)
{
    struct probe p = {.rows = rows,
                      .lang = lang,
                      .languages = languages,
                      .watch = watch,
                      .fitted = parts->fits,
                      .tested = parts->tests};
    ig_status status = IG_OK;

    *probe = (ig_probe){0};
    p.fit = copy_list(&p, parts->fit, parts->fits, &status, error);
    p.test = copy_list(&p, parts->test, parts->tests, &status, error);
    if (status == IG_OK)
        status = measure(probe, &p, id, true, seed, pool, error);
    release(&p);
    return status;
}

/* --- the family ------------------------------------------------------------------ */

/* Whether the language of a tested row is read. */
static double right_of(const void *result, size_t item)
{
    return ((const ig_probe *)result)->certainty[item] > 0;
}

static double chance_of(const void *result, size_t item)
{
    return ((const ig_probe *)result)->by_chance[item];
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_probe *)result)->row[item];
}

/* --- the family ------------------------------------------------------------------- */

static const ig_figure_line lines[] = {
    {"probe", .at = offsetof(ig_probe, accuracy),
     .chance_at = offsetof(ig_probe, majority),
     .column = {.value = {right_of}, .row = row_of}},
    {"probe_shuffled", .at = offsetof(ig_probe, shuffled),
     .column = {.value = {chance_of}, .row = row_of}},
};

static void family_append(const void *result, ig_figures *figures)
{
    const ig_probe *p = result;

    ig_figures_add_lines(figures, lines, 1, p, p->tested, p->answers, p->reason);
    ig_figures_add_counts(figures, "probe_read", &p->confusion, false);
    ig_figures_add_lines(figures, lines + 1, 1, p, p->tested, p->answers, p->reason);
}

static double family_work(const ig_measure_input *in)
{
    double d = (double)in->some->dims, all = (double)in->fits;

    if (in->fits)
        return 2 * all * d * d + 7 * d * d * d / 3 +
               (all + (double)in->some->rows) * 4 * d * (double)in->languages;
    return work_of_probe(in->some->rows, in->some->dims, in->languages);
}

/* On the rows that are not tested, where there are enough; else on half of those that
 * are measured. */
static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const uint32_t *row = in->fits ? in->row : in->some_row;
    ig_probe *probe = result;
    ig_status status =
        in->fits ? ig_probe_measure_apart(probe, in->base, in->base_lang, in->languages,
                                          in->base_id,
                                          &(ig_probe_parts){.fit = in->fit,
                                                            .fits = in->fits,
                                                            .test = in->some_base,
                                                            .tests = in->some->rows},
                                          in->seed, in->pool, in->watch, error)
                 : ig_probe_measure(probe, in->some, in->lang, in->languages, in->id,
                                    in->seed, in->pool, in->watch, error);

    for (size_t i = 0; row && i < probe->answers; i++)
        probe->row[i] = row[probe->row[i]];
    return status;
}

static void family_free(void *result)
{
    ig_probe_free(result);
}

const ig_family ig_probe_family = {.name = "language probe",
                                   .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                   .work = family_work,
                                   .take = family_take,
                                   .free = family_free,
                                   .append = family_append};
