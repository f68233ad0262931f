/* The language probe: ridge regression in closed form. One pass over the fitting rows
 * (their moments, and sums of the rows of each language), one system solved for the
 * true and the shuffled labels at once, and one pass for the scores of the tested rows.
 * If the fitting rows are not measured, λ is chosen on one tenth of them first. Legend:
 * n fitting rows, t tested rows, d dims, K languages, S sets of labels; W (SK, d): K
 * rows for the true labels, then K for each shuffle. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/random.h"
#include "data/dataset.h"
#include "measure/units.h"

enum { TILE = 256, LINE = 16, SHUFFLE_STREAM = 0x70726f62, SHUFFLES = 20 };

/* λ as a share of the mean variance: as it is, and what is tried where it is chosen. */
static const double RIDGE = 1e-3;
static const double RIDGES[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

static const double RIDGE_MOST = 1e4; /* … by factors of 10 while the greatest wins */

enum { TENTH = 10 };

/* Tested rows of each shuffle: of more an even sample. */
enum { CONTROLS = 4096 };

struct probe {
    const ig_measure_input *in;
    const ig_rows *rows;
    const uint16_t *lang; /* (N) */
    size_t languages;     /* K */
    const uint32_t *id;   /* (N) by which λ is chosen */
    size_t sets;          /* S */
    bool raw;             /* rows are not scaled */
    ig_probe_split of;    /* n, t */

    uint16_t *label;  /* (S, n) of the fitting rows: true, shuffled */
    size_t *count;    /* (K) fitting rows of each language */
    double *sum;      /* (SK, d) sums of the rows of each label */
    double *solved;   /* (SK, d) W */
    float *weight;    /* (SK, d) W */
    float *shift;     /* (d) the mean as floats */
    double *offset;   /* (SK) score of a row at the shift */
    uint16_t *read;   /* (t) languages read by true labels */
    float *by_chance; /* (t) share of the shuffles that read a row; NaN: not tested */
    float *certainty; /* (t) */
    float *buffer;    /* (members, room): a tile of rows, its scores, scratch */
    size_t room;
    ig_arena arena, kept; /* of these arrays; of those that the result keeps */
    atomic_size_t next;   /* tile of tested rows */
    atomic_bool infinite; /* a score is not finite */
};

/* Room, and the labels of the fitting rows: as many of each when shuffled. */
static ig_status prepare(struct probe *p, ig_error *error)
{
    size_t d = p->rows->dims, all = p->sets * p->languages, n = p->of.fits;
    size_t tests = p->of.tests;
    size_t floats = TILE * (d + all) + p->rows->scratch;
    ig_arena *a = &p->arena;
    uint32_t *order = ig_arena_array(a, n, sizeof *order);
    ig_random random;

    p->room = (floats + LINE - 1) / LINE * LINE;
    p->label = ig_arena_array(a, n, p->sets * sizeof *p->label);
    p->count = ig_arena_array(a, p->languages, sizeof *p->count);
    p->sum = ig_arena_array(a, all, d * sizeof *p->sum);
    p->solved = ig_arena_array(a, all, d * sizeof *p->solved);
    p->weight = ig_arena_array(a, all, d * sizeof *p->weight);
    p->shift = ig_arena_array(a, d, sizeof *p->shift);
    p->offset = ig_arena_array(a, all, sizeof *p->offset);
    p->buffer =
        ig_arena_array(a, ig_pool_threads(p->in->pool), p->room * sizeof *p->buffer);
    p->read = ig_arena_array(&p->kept, tests, sizeof *p->read);
    p->certainty = ig_arena_array(&p->kept, tests, sizeof *p->certainty);
    if (p->sets > 1)
        p->by_chance = ig_arena_array(&p->kept, tests, sizeof *p->by_chance);
    if (a->failed || p->kept.failed)
        return ig_fail_memory(error, "the language probe");
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        p->label[i] = p->lang[p->of.fit[i]];
        p->count[p->label[i]]++;
    }
    ig_random_init(&random, p->in->seed, SHUFFLE_STREAM);
    for (size_t s = 1; s < p->sets; s++) {
        ig_random_shuffle(&random, order, n);
        for (size_t i = 0; i < n; i++)
            p->label[s * n + i] = p->label[order[i]];
    }
    return IG_OK;
}

static void release(struct probe *p)
{
    ig_arena_free(&p->arena);
    ig_arena_free(&p->kept);
}

double ig_probe_majority(const uint32_t *row, size_t n, const uint16_t *lang,
                         size_t languages)
{
    size_t most = 0;

    for (size_t k = 0; k < languages; k++) {
        size_t count = 0;

        for (size_t i = 0; i < n; i++)
            count += lang[row[i]] == k;
        most = count > most ? count : most;
    }
    return (double)most / (double)n;
}

static const char *find_reason(const struct probe *p)
{
    bool fit[2] = {false, false}; /* a language, and another one */

    if (p->of.fits + p->of.tests == 0)
        return "no rows";
    if (p->of.fits == 0)
        return "no row has an even-numbered id to fit the probe on";
    if (p->of.tests == 0)
        return "no row has an odd-numbered id to test the probe on";
    for (size_t k = 0; k < p->languages; k++)
        if (p->count[k])
            fit[fit[0]] = true;
    if (fit[1])
        return NULL;
    for (size_t i = 0; i < p->of.tests; i++)
        if (p->lang[p->of.test[i]] != p->label[0])
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
                (s * p->languages + p->label[s * p->of.fits + sums->first + i]) * d;

            for (size_t j = first; j < last; j++)
                sum[j] += (double)row[j];
        }
}

static void sum_chunk(void *context, const ig_units *chunk, size_t first, ig_pool *pool)
{
    struct chunk_sums sums = {context, chunk, first};

    ig_parallel_for(pool, sums.p->rows->dims, LINE, sum_columns, &sums);
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

        p->offset[r] = (double)p->count[r % k] / (double)p->of.fits;
        for (size_t j = 0; j < d; j++) {
            p->weight[r * d + j] = (float)w[j];
            p->offset[r] += w[j] * ((double)p->shift[j] - mean[j]);
        }
    }
}

static ig_status solve_ridge(struct probe *p, const ig_moments *moments, double ridge,
                             ig_error *error)
{
    size_t d = p->rows->dims, k = p->languages;
    double n = (double)p->of.fits, trace, squares;
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
    if (status == IG_OK)
        take_weights(p, moments->mean);
    return status;
}

/* The moments of the fitting rows and the sums of each label; *reason is set when the
 * rows do not differ. */
static ig_status sum_up(struct probe *p, ig_moments *moments, const char **reason,
                        ig_error *error)
{
    size_t d = p->rows->dims;
    ig_rows rows = *p->rows;
    double trace, squares, square = 0;
    ig_status status = ig_moments_init(moments, d, error);

    rows.unit |= p->raw; /* nothing is scaled */
    if (status == IG_OK)
        status = ig_unit_moments(moments, &rows, p->of.fit, p->of.fits, sum_chunk, p,
                                 p->in->pool, p->in->watch, error);
    if (status != IG_OK)
        return status;
    ig_unit_spread(moments, &trace, &squares);
    for (size_t j = 0; p->raw && j < d; j++)
        square += moments->mean[j] * moments->mean[j];
    if (!(trace >= IG_SPREAD_MIN * (p->raw ? trace + square : 1)) || trace <= 0)
        *reason = "the rows do not differ";
    return IG_OK;
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

    return p->sets > 1 && share * (double)p->of.tests < CONTROLS;
}

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
        size_t own = p->lang[p->of.test[of[i]]], right = 0;
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

static void test_tile(struct probe *p, size_t first, size_t n, float *tile)
{
    static const float minus[2] = {1, -1};
    size_t d = p->rows->dims, k = p->languages;
    float *score = tile + TILE * d;

    ig_rows_gather(p->rows, p->of.test + first, n, tile, d, score + TILE * p->sets * k);
    if (!p->raw)
        ig_rows_unit(tile, d, tile, d, n, d);
    for (size_t i = 0; i < n; i++) {
        const float *v[2] = {tile + i * d, p->shift};

        ig_kernels_best()->combine(v, minus, 2, d, 0, tile + i * d);
    }
    score_tile(p, tile, n, 0, k, score);
    for (size_t i = 0; i < n; i++)
        if (!read_label(score + i * k, p->offset, k, p->lang[p->of.test[first + i]],
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
    while ((first = TILE * atomic_fetch_add(&p->next, 1)) < p->of.tests &&
           !ig_progress_cancelled(p->in->watch)) {
        size_t n = p->of.tests - first < TILE ? p->of.tests - first : TILE;

        test_tile(p, first, n, p->buffer + member * p->room);
        ig_progress_add(p->in->watch, (double)n * flops, member);
    }
}

static ig_status test_rows(struct probe *p, ig_error *error)
{
    atomic_store(&p->next, 0);
    ig_pool_run(p->in->pool, test_member, p);
    if (ig_progress_cancelled(p->in->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (atomic_load(&p->infinite))
        return ig_fail(error, IG_VALUE, "a value is not finite");
    return IG_OK;
}

/* --- choosing λ ------------------------------------------------------------------ */

/* Every tenth id is held back from the fitting rows; rows without one are counted. */
static ig_status hold_back(struct probe *q, const struct probe *p, ig_error *error)
{
    uint32_t *fit = ig_arena_array(&q->arena, p->of.fits, sizeof *fit);
    uint32_t *test = ig_arena_array(&q->arena, p->of.fits, sizeof *test);

    for (size_t i = 0; fit && test && i < p->of.fits; i++) {
        uint32_t row = p->of.fit[i];
        size_t number = p->id[row] != IG_NO_ID ? p->id[row] : i;

        if (number % TENTH == TENTH - 1)
            test[q->of.tests++] = row;
        else
            fit[q->of.fits++] = row;
    }
    q->of.fit = fit;
    q->of.test = test;
    return prepare(q, error);
}

/* Try a λ. Returns whether it reads more rows than any before, or (`also`) as many. */
static bool try_ridge(struct probe *q, const ig_moments *moments, double ridge,
                      bool also, size_t *most, ig_status *status, ig_error *error)
{
    size_t right = 0;

    *status = solve_ridge(q, moments, ridge, error);
    if (*status == IG_OK)
        *status = test_rows(q, error);
    for (size_t i = 0; i < q->of.tests && *status == IG_OK; i++)
        right += q->read[i] == q->lang[q->of.test[i]];
    if (*status != IG_OK || right + also <= *most)
        return false;
    *most = right;
    return true;
}

/* The λ with the best accuracy on one tenth of the fitting ids, fitted on the others;
 * of equal ones the greatest. RIDGE if that is impossible. */
static ig_status choose_ridge(const struct probe *p, double *ridge, ig_error *error)
{
    struct probe q = {.in = p->in,
                      .rows = p->rows,
                      .lang = p->lang,
                      .languages = p->languages,
                      .sets = 1,
                      .raw = p->raw};
    const size_t tried = sizeof RIDGES / sizeof *RIDGES;
    ig_moments moments = {0};
    size_t most = 0;
    const char *reason = NULL;
    ig_status status = hold_back(&q, p, error);
    double greatest = RIDGES[tried - 1];

    *ridge = RIDGE;
    if (status == IG_OK)
        reason = q.of.tests ? find_reason(&q) : "nothing to test";
    if (status == IG_OK && !reason)
        status = sum_up(&q, &moments, &reason, error);
    for (size_t i = tried; status == IG_OK && !reason && i-- > 0;)
        if (try_ridge(&q, &moments, RIDGES[i], false, &most, &status, error))
            *ridge = RIDGES[i];
    if (status == IG_VALUE) /* too little for rows that span few dimensions */
        status = IG_OK;
    while (status == IG_OK && most && *ridge >= greatest && greatest < RIDGE_MOST) {
        greatest *= 10;
        if (try_ridge(&q, &moments, greatest, true, &most, &status, error))
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
    size_t k = p->languages, right = 0, controls = 0, tests = p->of.tests;
    double shuffled = 0;

    probe->confusion.count =
        ig_arena_array(&p->kept, k, k * sizeof *probe->confusion.count);
    probe->row = ig_arena_array(&p->kept, tests, sizeof *probe->row);
    if (p->kept.failed)
        return ig_fail_memory(error, "the language probe");
    probe->confusion.languages = k;
    for (size_t i = 0; i < tests; i++) {
        uint32_t row = p->of.test[i];
        size_t own = p->lang[row];

        probe->row[i] = p->in->row ? p->in->row[row] : row;
        probe->confusion.count[own * k + p->read[i]]++;
        right += p->read[i] == own;
        if (is_control(p, i)) {
            controls++;
            shuffled += (double)p->by_chance[i];
        }
    }
    probe->accuracy = (double)right / (double)tests;
    probe->shuffled = shuffled / (double)controls; /* 0/0 is NaN */
    probe->answers = tests;
    probe->read = p->read;
    probe->by_chance = p->by_chance;
    probe->certainty = p->certainty;
    probe->arena = p->kept;
    p->kept = (ig_arena){0};
    return IG_OK;
}

static ig_status measure_probe(ig_probe *probe, struct probe *p, ig_error *error)
{
    ig_moments moments = {0};
    ig_status status = prepare(p, error);

    *probe = (ig_probe){
        .accuracy = (double)NAN,
        .majority = ig_probe_majority(p->of.test, p->of.tests, p->lang, p->languages),
        .shuffled = (double)NAN,
        .ridge = RIDGE,
        .fitted = p->of.fits,
        .tested = p->of.tests,
        .thin = p->of.fits < 4 * p->rows->dims};
    if (status == IG_OK)
        probe->reason = find_reason(p);
    if (!probe->reason && status == IG_OK && p->of.apart)
        status = choose_ridge(p, &probe->ridge, error);
    if (!probe->reason && status == IG_OK)
        status = sum_up(p, &moments, &probe->reason, error);
    if (!probe->reason && status == IG_OK)
        status = solve_ridge(p, &moments, probe->ridge, error);
    if (!probe->reason && status == IG_OK)
        status = test_rows(p, error);
    if (!probe->reason && status == IG_OK)
        status = fill_result(probe, p, error);
    ig_moments_free(&moments);
    release(p);
    return status;
}

ig_status ig_probe_labels(ig_probe *probe, const ig_measure_input *in,
                          const uint16_t *label, size_t labels, const uint32_t *id,
                          ig_probe_split split, ig_error *error)
{
    struct probe p = {.in = in,
                      .rows = in->base,
                      .lang = label,
                      .languages = labels,
                      .id = id,
                      .sets = 1,
                      .of = split};

    p.of.apart = true;
    return measure_probe(probe, &p, error);
}

/* --- the groups ------------------------------------------------------------------- */

/* Whether the language of a tested row is read. */
IG_ITEM(right_of, double, ig_probe, r->certainty[i] > 0)
IG_ITEM(chance_of, double, ig_probe, (double)r->by_chance[i])
IG_ITEM(row_of, uint32_t, ig_probe, r->row[i])

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

static void append_unit(const void *result, ig_figures *figures)
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

/* Half of the rows are fitted, half tested, unless the others are fitted. */
static double work_of_probe(const ig_measure_input *in)
{
    double d = (double)in->some->dims, all = (double)in->fits,
           k = (double)in->languages;
    double n = (double)in->some->rows;

    return in->fits ? 2 * all * d * d + 7 * d * d * d / 3 + (all + n) * 4 * d * k
                    : n / 2 * d * d + d * d * d / 3 + 4 * k * d * d + n / 2 * 4 * k * d;
}

static ig_status take_unit(const ig_measure_input *in, void *result, ig_error *error)
{
    struct probe p = {.in = in,
                      .rows = in->base,
                      .lang = in->base_lang,
                      .languages = in->languages,
                      .id = in->base_id,
                      .sets = 1 + SHUFFLES,
                      .of = in->split};

    return measure_probe(result, &p, error);
}

static ig_status take_raw(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_rows_pick pick = {in->source, in->row, in->base->rows};
    ig_rows rows = in->row ? ig_rows_of_pick(&pick) : *in->source;
    struct probe p = {.in = in,
                      .rows = &rows,
                      .lang = in->base_lang,
                      .languages = in->languages,
                      .id = in->base_id,
                      .sets = 1,
                      .raw = true,
                      .of = in->split};

    return measure_probe(result, &p, error);
}

const ig_measure_group ig_probe_group = {.name = "language probe",
                                         .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                         .work = work_of_probe,
                                         .take = take_unit,
                                         .free = ig_result_free,
                                         .append = append_unit};

const ig_measure_group ig_raw_probe_group = {.name = "language probe of raw rows",
                                             .word = "probe_raw",
                                             .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                             .work = work_of_probe,
                                             .take = take_raw,
                                             .free = ig_result_free,
                                             .append = append_raw};
