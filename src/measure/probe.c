/* The language probe: ridge regression in closed form. One pass over the fitting rows
 * (their moments, and sums of the rows of each language), one system solved for the
 * true and the shuffled labels at once, and one pass for the scores of the tested rows.
 * If the fitting rows are given, λ is chosen on one tenth first. Legend: n fitting
 * rows, t tested rows, d dims, K languages, S sets of labels; W (SK, d): K rows for the
 * true labels, then K for each shuffle. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/random.h"
#include "data/dataset.h"
#include "measure/units.h"

enum { TILE = 256, LINE = 16, SHUFFLE_STREAM = 0x70726f62 };

/* λ as a share of the mean variance: as it is, and what is tried where it is chosen. */
static const double RIDGE = 1e-3;
static const double RIDGES[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

static const double RIDGE_MOST = 1e4; /* … by factors of 10 while the greatest wins */

enum { TENTH = 10 };

/* Tested rows of each shuffle: of more an even sample. */
enum { CONTROLS = 4096 };

struct probe {
    const ig_rows *rows;
    const uint16_t *lang; /* (N) */
    size_t languages;     /* K */
    size_t sets;          /* S */
    bool raw;             /* rows are not scaled */
    ig_progress *watch;

    uint32_t *fit, *test; /* (n), (t) rows, ascending */
    size_t fitted, tested;
    uint16_t *label;  /* (S, n) of the fitting rows: true, shuffled */
    size_t *count;    /* (K) fitting rows of each language */
    double *sum;      /* (SK, d) sums of the rows of each label */
    double *solved;   /* (SK, d) W */
    double *mean;     /* (d) of the fitting rows: that of the moments */
    float *weight;    /* (SK, d) W */
    float *shift;     /* (d) the mean as floats */
    double *offset;   /* (SK) score of a row at the shift */
    uint16_t *read;   /* (t) languages read by true labels */
    float *by_chance; /* (t) share of the shuffles that read a row; NaN: not tested */
    float *certainty; /* (t) */
    float *buffer;    /* (members, room): a tile of rows, its scores, scratch */
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
    ig_free(p->read);
    ig_free(p->by_chance);
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

    p->label = ig_alloc(p->fitted, p->sets * sizeof *p->label);
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
    for (size_t s = 1; s < p->sets; s++) {
        ig_random_shuffle(&random, order, p->fitted);
        for (size_t i = 0; i < p->fitted; i++)
            p->label[s * p->fitted + i] = p->label[order[i]];
    }
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

/* Reason why the labels do not allow a probe, or NULL. */
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
            return "the rows with even-numbered ids have only one language";
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
        for (size_t s = 0; s < p->sets; s++) {
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

    ig_parallel_for(pool, sums.p->rows->dims, LINE, sum_columns, &sums);
}

/* W = (XᵀX / n + λI)⁻¹ XᵀY / n. */
static ig_status solve_ridge(struct probe *p, const ig_moments *moments, double ridge,
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
    for (size_t r = 0; r < p->sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->solved[r * d + j] =
                (p->sum[r * d + j] - (double)p->count[r % k] * moments->mean[j]) / n;
    status = ig_solve_positive(scatter, d, p->solved, p->sets * k, error);
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
    for (size_t r = 0; r < p->sets * k; r++) {
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
    size_t d = p->rows->dims, all = p->sets * p->languages;
    ig_rows rows = *p->rows;
    double trace, squares, square = 0;
    ig_status status;

    p->sum = ig_alloc(all, d * sizeof *p->sum);
    p->solved = ig_alloc(all, d * sizeof *p->solved);
    p->weight = ig_alloc(all, d * sizeof *p->weight);
    p->shift = ig_alloc(d, sizeof *p->shift);
    p->offset = ig_alloc(all, sizeof *p->offset);
    if (!p->sum || !p->solved || !p->weight || !p->shift || !p->offset)
        return ig_fail_memory(error, "the language probe");
    rows.unit |= p->raw; /* nothing is scaled */
    status = ig_moments_init(moments, d, error);
    if (status == IG_OK)
        status = ig_unit_moments(moments, &rows, p->fit, p->fitted, sum_chunk, p, pool,
                                 p->watch, error);
    if (status != IG_OK)
        return status;
    ig_unit_spread(moments, &trace, &squares);
    for (size_t j = 0; p->raw && j < d; j++)
        square += moments->mean[j] * moments->mean[j];
    if (!(trace >= IG_SPREAD_MIN * (p->raw ? trace + square : 1)) || trace <= 0)
        *reason = "the rows do not differ";
    return IG_OK;
}

static ig_status fit_weights(struct probe *p, double ridge, ig_pool *pool,
                             const char **reason, ig_error *error)
{
    ig_moments moments = {0};
    ig_status status = sum_up(p, &moments, pool, reason, error);

    if (status == IG_OK && !*reason)
        status = solve_ridge(p, &moments, ridge, error);
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

/* Whether the shuffles are tested on row i of the tested ones: of many an even sample,
 * whatever the order of the languages. */
static bool is_control(const struct probe *p, size_t i)
{
    double share = (double)((uint32_t)i * 2654435769u) / 4294967296.0;

    return p->sets > 1 && share * (double)p->tested < CONTROLS;
}

/* Scores of n rows of a tile by some rows of W. */
static void score_tile(const struct probe *p, float *tile, size_t n, size_t first,
                       size_t count, float *score)
{
    size_t d = p->rows->dims;

    ig_gemm(false, true, 1, ig_matrix_of(tile, n, d),
            ig_matrix_of(p->weight + first * d, count, d), 0,
            ig_matrix_of(score, n, count));
}

/* Test the shuffles on those of n rows of a tile that control: these come first. */
static void test_shuffles(struct probe *p, size_t first, size_t n, float *tile,
                          float *score)
{
    size_t d = p->rows->dims, k = p->languages, all = (p->sets - 1) * k, count = 0;
    uint32_t of[TILE];

    for (size_t i = 0; i < n; i++) {
        p->by_chance[first + i] = NAN;
        if (!is_control(p, first + i))
            continue;
        if (count < i)
            memcpy(tile + count * d, tile + i * d, d * sizeof *tile);
        of[count++] = (uint32_t)(first + i);
    }
    score_tile(p, tile, count, k, all, score);
    for (size_t i = 0; i < count; i++) {
        size_t own = p->lang[p->test[of[i]]], right = 0;
        uint16_t label = 0;

        for (size_t s = 1; s < p->sets; s++) {
            if (!read_label(score + i * all + (s - 1) * k, p->offset + s * k, k, own,
                            &label, NULL))
                atomic_store(&p->infinite, true);
            else
                right += label == own;
        }
        p->by_chance[of[i]] = (float)right / (float)(p->sets - 1);
    }
}

/* Score and classify a tile of tested rows. */
static void test_tile(struct probe *p, size_t first, size_t n, float *tile)
{
    static const float minus[2] = {1, -1};
    size_t d = p->rows->dims, k = p->languages;
    float *score = tile + TILE * d;

    ig_rows_gather(p->rows, p->test + first, n, tile, d, score + TILE * p->sets * k);
    if (!p->raw)
        ig_rows_unit(tile, d, tile, d, n, d);
    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {tile + i * d, p->shift};

        ig_kernels_best()->combine(v, minus, 2, d, 0, tile + i * d);
    }
    score_tile(p, tile, n, 0, k, score);
    for (size_t i = 0; i < n; i++)
        if (!read_label(score + i * k, p->offset, k, p->lang[p->test[first + i]],
                        &p->read[first + i], &p->certainty[first + i]))
            atomic_store(&p->infinite, true);
    if (p->sets > 1)
        test_shuffles(p, first, n, tile, score);
}

static void test_member(void *context, size_t member, size_t members)
{
    struct probe *p = context;
    double flops = 2 * (double)p->sets * (double)p->languages * (double)p->rows->dims;
    size_t first;

    (void)members;
    while ((first = TILE * atomic_fetch_add(&p->next, 1)) < p->tested &&
           !ig_progress_cancelled(p->watch)) {
        size_t n = p->tested - first < TILE ? p->tested - first : TILE;

        test_tile(p, first, n, p->buffer + member * p->room);
        ig_progress_add(p->watch, (double)n * flops, member);
    }
}

static ig_status test_rows(struct probe *p, ig_pool *pool, ig_error *error)
{
    size_t floats = TILE * (p->rows->dims + p->sets * p->languages) + p->rows->scratch;

    atomic_store(&p->next, 0);
    p->room = (floats + LINE - 1) / LINE * LINE;
    p->buffer = ig_alloc(ig_pool_threads(pool), p->room * sizeof *p->buffer);
    p->read = ig_alloc(p->tested, sizeof *p->read);
    p->by_chance = ig_alloc(p->sets > 1 ? p->tested : 0, sizeof *p->by_chance);
    p->certainty = ig_alloc(p->tested, sizeof *p->certainty);
    if (!p->buffer || !p->read || !p->by_chance || !p->certainty)
        return ig_fail_memory(error, "the language probe");
    ig_pool_run(pool, test_member, p);
    if (ig_progress_cancelled(p->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (atomic_load(&p->infinite))
        return ig_fail(error, IG_VALUE, "a value is not finite");
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
        right += p->read[i] == p->lang[p->test[i]];
    return right;
}

static void drop_answers(struct probe *q)
{
    ig_free(q->buffer);
    ig_free(q->read);
    ig_free(q->by_chance);
    ig_free(q->certainty);
    q->buffer = q->certainty = q->by_chance = NULL;
    q->read = NULL;
}

/* Try a λ. Returns whether it reads more rows than any before, or (`also`) as many. */
static bool try_ridge(struct probe *q, const ig_moments *moments, double ridge,
                      bool also, size_t *most, ig_pool *pool, ig_status *status,
                      ig_error *error)
{
    size_t right = 0;

    *status = solve_ridge(q, moments, ridge, error);
    if (*status == IG_OK) {
        take_weights(q, moments->mean);
        *status = test_rows(q, pool, error);
    }
    if (*status == IG_OK)
        right = read_right(q);
    drop_answers(q);
    if (*status != IG_OK || right + also <= *most)
        return false;
    *most = right;
    return true;
}

/* The λ with the best accuracy on one tenth of the fitting ids, fitted on the others;
 * of equal ones the greatest. RIDGE if that is impossible. */
static ig_status choose_ridge(const struct probe *p, const uint32_t *id, uint64_t seed,
                              ig_pool *pool, double *ridge, ig_error *error)
{
    struct probe q = {.rows = p->rows,
                      .lang = p->lang,
                      .languages = p->languages,
                      .sets = 1,
                      .raw = p->raw,
                      .watch = p->watch};
    const size_t tried = sizeof RIDGES / sizeof *RIDGES;
    ig_moments moments = {0};
    size_t most = 0;
    const char *reason = NULL;
    ig_status status = hold_back(&q, p, id, seed, error);
    double greatest = RIDGES[tried - 1];

    *ridge = RIDGE;
    if (status == IG_OK && q.tested && !find_reason(&q))
        status = sum_up(&q, &moments, pool, &reason, error);
    for (size_t i = tried; status == IG_OK && q.sum && !reason && i-- > 0;)
        if (try_ridge(&q, &moments, RIDGES[i], false, &most, pool, &status, error))
            *ridge = RIDGES[i];
    if (status == IG_VALUE) /* too little for rows that span few dimensions */
        status = IG_OK;
    while (status == IG_OK && most && *ridge >= greatest && greatest < RIDGE_MOST) {
        greatest *= 10;
        if (try_ridge(&q, &moments, greatest, true, &most, pool, &status, error))
            *ridge = greatest;
    }
    ig_moments_free(&moments);
    release(&q);
    return status;
}

/* --- the measure ----------------------------------------------------------------- */

/* Count, and move the arrays into the result. */
static ig_status fill_result(ig_probe *probe, struct probe *p, ig_error *error)
{
    size_t k = p->languages, right = 0, controls = 0;
    double shuffled = 0;

    probe->confusion.count = ig_alloc(k, k * sizeof *probe->confusion.count);
    if (!probe->confusion.count)
        return ig_fail_memory(error, "the language probe");
    probe->confusion.languages = k;
    for (size_t i = 0; i < p->tested; i++) {
        size_t own = p->lang[p->test[i]];

        probe->confusion.count[own * k + p->read[i]]++;
        right += p->read[i] == own;
        if (is_control(p, i)) {
            controls++;
            shuffled += (double)p->by_chance[i];
        }
    }
    probe->accuracy = (double)right / (double)p->tested;
    probe->shuffled = shuffled / (double)controls; /* 0/0 is NaN */
    probe->answers = p->tested;
    probe->row = p->test;
    probe->read = p->read;
    probe->by_chance = p->by_chance;
    probe->certainty = p->certainty;
    probe->learnt = p->fitted;
    probe->learnt_row = p->fit;
    p->test = p->fit = NULL;
    p->read = NULL;
    p->certainty = p->by_chance = NULL;
    return IG_OK;
}

/* Fit and test, the rows being divided. `chosen`: λ is chosen. */
static ig_status measure_probe(ig_probe *probe, struct probe *p, const uint32_t *id,
                               bool chosen, uint64_t seed, ig_pool *pool,
                               ig_error *error)
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
        status = fit_weights(p, taken.ridge, pool, &taken.reason, error);
    if (!taken.reason && status == IG_OK)
        status = test_rows(p, pool, error);
    if (!taken.reason && status == IG_OK)
        status = fill_result(&taken, p, error);
    if (status == IG_OK)
        *probe = taken;
    else
        ig_probe_free(&taken);
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

static ig_status measure_parts(ig_probe *probe, const ig_rows *rows,
                               const uint16_t *lang, size_t languages,
                               const uint32_t *id, const ig_probe_parts *parts,
                               bool chosen, uint64_t seed, ig_pool *pool,
                               ig_progress *watch, ig_error *error)
{
    struct probe p = {.rows = rows,
                      .lang = lang,
                      .languages = languages,
                      .sets = 1 + parts->shuffles,
                      .raw = parts->raw,
                      .watch = watch,
                      .fitted = parts->fits,
                      .tested = parts->tests};
    ig_status status = IG_OK;

    *probe = (ig_probe){0};
    p.fit = copy_list(&p, parts->fit, parts->fits, &status, error);
    p.test = copy_list(&p, parts->test, parts->tests, &status, error);
    if (status == IG_OK)
        status = measure_probe(probe, &p, id, chosen, seed, pool, error);
    release(&p);
    return status;
}

ig_status ig_probe_measure_apart(ig_probe *probe, const ig_rows *rows,
                                 const uint16_t *lang, size_t languages,
                                 const uint32_t *id, const ig_probe_parts *parts,
                                 uint64_t seed, ig_pool *pool, ig_progress *watch,
                                 ig_error *error)
{
    return measure_parts(probe, rows, lang, languages, id, parts, true, seed, pool,
                         watch, error);
}

/* Fit and test on rows by the parity of their ids. */
static ig_status measure_halves(ig_probe *probe, const ig_rows *rows,
                                const uint16_t *lang, size_t languages,
                                const uint32_t *id, bool raw, uint64_t seed,
                                ig_pool *pool, ig_progress *watch, ig_error *error)
{
    ig_probe_parts parts;
    ig_status status = ig_probe_divide(&parts, rows->rows, lang, languages, id, error);

    *probe = (ig_probe){0};
    parts.shuffles = raw ? 0 : IG_PROBE_SHUFFLES;
    parts.raw = raw;
    if (status == IG_OK)
        status = measure_parts(probe, rows, lang, languages, id, &parts, false, seed,
                               pool, watch, error);
    ig_free((void *)parts.fit);
    ig_free((void *)parts.test);
    return status;
}

ig_status ig_probe_measure(ig_probe *probe, const ig_rows *rows, const uint16_t *lang,
                           size_t languages, const uint32_t *id, uint64_t seed,
                           ig_pool *pool, ig_progress *watch, ig_error *error)
{
    return measure_halves(probe, rows, lang, languages, id, false, seed, pool, watch,
                          error);
}

/* --- the groups ------------------------------------------------------------------- */

/* Whether the language of a tested row is read. */
static double right_of(const void *result, size_t item)
{
    return ((const ig_probe *)result)->certainty[item] > 0;
}

static double chance_of(const void *result, size_t item)
{
    return (double)((const ig_probe *)result)->by_chance[item];
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_probe *)result)->row[item];
}

static const ig_figure_line lines[] = {
    {"probe", .at = offsetof(ig_probe, accuracy),
     .chance_at = offsetof(ig_probe, majority),
     .column = {.value = {right_of}, .row = row_of}},
    {"probe_shuffled", .at = offsetof(ig_probe, shuffled),
     .column = {.value = {chance_of}, .row = row_of}},
    {"probe_raw", .at = offsetof(ig_probe, accuracy),
     .chance_at = offsetof(ig_probe, majority),
     .column = {.value = {right_of}, .row = row_of}},
};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_probe *p = result;

    ig_figures_add_lines(figures, lines, 1, p, p->tested, p->answers, p->reason);
    ig_figures_add_counts(figures, "probe_read", &p->confusion, false);
    ig_figures_add_lines(figures, lines + 1, 1, p, p->tested, p->answers, p->reason);
}

static void append_raw(const void *result, ig_figures *figures)
{
    const ig_probe *p = result;

    ig_figures_add_lines(figures, lines + 2, 1, p, p->tested, p->answers, p->reason);
}

static double group_work(const ig_measure_input *in)
{
    double d = (double)in->some->dims, all = (double)in->fits;

    if (in->fits)
        return 2 * all * d * d + 7 * d * d * d / 3 +
               (all + (double)in->some->rows) * 4 * d * (double)in->languages;
    return work_of_probe(in->some->rows, in->some->dims, in->languages);
}

/* On the rows that are not tested, where there are enough; else on half of those that
 * are measured. */
static ig_status take_rows(const ig_measure_input *in, bool raw, void *result,
                           ig_error *error)
{
    const uint32_t *row = in->fits ? in->row : in->some_row;
    ig_rows_pick pick = {in->source, row, in->fits ? in->base->rows : in->some->rows};
    ig_rows picked = row ? ig_rows_of_pick(&pick) : *in->source;
    const ig_rows *rows = raw ? &picked : in->fits ? in->base : in->some;
    const ig_probe_parts parts = {.fit = in->fit,
                                  .fits = in->fits,
                                  .test = in->some_base,
                                  .tests = in->some->rows,
                                  .shuffles = raw ? 0 : IG_PROBE_SHUFFLES,
                                  .raw = raw};
    ig_probe *probe = result;
    ig_status status =
        in->fits ? ig_probe_measure_apart(probe, rows, in->base_lang, in->languages,
                                          in->base_id, &parts, in->seed, in->pool,
                                          in->watch, error)
                 : measure_halves(probe, rows, in->lang, in->languages, in->id, raw,
                                  in->seed, in->pool, in->watch, error);

    for (size_t i = 0; row && i < probe->answers; i++)
        probe->row[i] = row[probe->row[i]];
    return status;
}

static ig_status take_unit(const ig_measure_input *in, void *result, ig_error *error)
{
    return take_rows(in, false, result, error);
}

static ig_status take_raw(const ig_measure_input *in, void *result, ig_error *error)
{
    return take_rows(in, true, result, error);
}

static void group_free(void *result)
{
    ig_probe_free(result);
}

const ig_measure_group ig_probe_group = {.name = "language probe",
                                         .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                         .work = group_work,
                                         .take = take_unit,
                                         .free = group_free,
                                         .append = group_append};

const ig_measure_group ig_raw_probe_group = {.name = "language probe of raw rows",
                                             .word = "probe_raw",
                                             .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                             .work = group_work,
                                             .take = take_raw,
                                             .free = group_free,
                                             .append = append_raw};
