/* The language probe: ridge regression to one-hot labels. One pass over the fitting
 * rows (their moments, and the sums of the rows of each label), one system for the true
 * and the shuffled labels at once, and one product for the scores of the tested rows.
 * Legend: n fitting rows, t tested rows, d dims, K labels, S sets of labels, the true
 * ones and shuffles; W (SK, d): K rows for each set. */
#include "measure/probe.h"

#include <math.h>

#include "core/blas.h"
#include "core/random.h"
#include "measure/units.h"

enum {
    CHUNK = 4 * IG_ROWS_TILE, /* rows that are scored together */
    SHUFFLES = 20,
    SHUFFLE_STREAM = 0x70726f62,
    CONTROLS = 4096, /* tested rows of each shuffle: of more an even sample */
    TENTH = 10       /* of the ids choose λ */
};

/* λ as a share of the mean variance, unless it is chosen. */
static const double RIDGE = 1e-3;

/* --- what probes share ------------------------------------------------------------ */

static const char *find_reason(const ig_probe_split *of, const uint16_t *label)
{
    if (of->fits + of->tests == 0)
        return "no rows";
    if (of->fits == 0)
        return "no row has an even-numbered id to fit the probe on";
    if (of->tests == 0)
        return "no row has an odd-numbered id to test the probe on";
    for (size_t i = 1; i < of->fits; i++)
        if (label[of->fit[i]] != label[of->fit[0]])
            return NULL;
    for (size_t i = 0; i < of->tests && !of->apart; i++)
        if (label[of->test[i]] != label[of->fit[0]])
            return "the rows with even-numbered ids have only one language";
    return of->apart ? "only one language to fit on" : "only one language";
}

static double majority_of(const ig_probe_task *task, ig_arena *arena)
{
    const ig_probe_split *of = &task->split;
    size_t *count = ig_arena_array(arena, task->labels, sizeof *count), most = 0;

    for (size_t i = 0; count && i < of->tests; i++) {
        size_t n = ++count[task->label[of->test[i]]];

        most = n > most ? n : most;
    }
    return (double)most / (double)of->tests;
}

static ig_status make_room(ig_probe *probe, const ig_measure_input *in,
                           const ig_probe_task *task, ig_error *error)
{
    size_t n = task->split.tests, k = task->labels;
    ig_arena *a = &probe->arena;

    probe->row = ig_arena_array(a, n, sizeof *probe->row);
    probe->read = ig_arena_array(a, n, sizeof *probe->read);
    probe->certainty = ig_arena_array(a, n, sizeof *probe->certainty);
    probe->confusion.count = ig_arena_array(a, k, k * sizeof *probe->confusion.count);
    if (a->failed)
        return ig_fail_memory(error, "a probe");
    for (size_t i = 0; i < n; i++) {
        uint32_t row = task->split.test[i];

        probe->row[i] = in->row[row];
    }
    probe->answers = n;
    probe->confusion.languages = k;
    return IG_OK;
}

bool ig_probe_read(const float *score, const double *offset, size_t k, size_t own,
                   uint16_t *label, float *lead)
{
    double best = -INFINITY, other = -INFINITY, ours = 0;

    for (size_t j = 0; j < k; j++) {
        double value = (double)score[j] + (offset ? offset[j] : 0);

        if (!isfinite(value))
            return false;
        if (value > best) {
            best = value;
            *label = (uint16_t)j;
        }
        if (j == own)
            ours = value;
        else if (value > other)
            other = value;
    }
    *lead = (float)(ours - other);
    return true;
}

ig_status ig_probe_run(ig_probe *probe, const ig_measure_input *in,
                       const ig_probe_task *task, ig_probe_fit *fit,
                       ig_probe_reader *reader, void *state, ig_error *error)
{
    const ig_probe_split *of = &task->split;
    size_t right = 0;
    ig_arena arena = {0};
    double majority = majority_of(task, &arena);
    ig_status status;

    *probe = (ig_probe){.accuracy = (double)NAN,
                        .majority = majority,
                        .shuffled = (double)NAN,
                        .ridge = RIDGE,
                        .fitted = of->fits,
                        .tested = of->tests,
                        .thin = of->fits < 4 * in->base->dims,
                        .reason = find_reason(of, task->label),
                        .arena = arena};
    if (arena.failed)
        return ig_fail_memory(error, "a probe");
    if (probe->reason)
        return IG_OK;
    status = fit(state, &probe->reason, error);
    if (status != IG_OK || probe->reason)
        return status;
    status = make_room(probe, in, task, error);
    if (status == IG_OK)
        status =
            reader(state, of->test, of->tests, probe->read, probe->certainty, error);
    for (size_t i = 0; i < of->tests && status == IG_OK; i++) {
        size_t own = task->label[of->test[i]];

        probe->confusion.count[own * task->labels + probe->read[i]]++;
        right += probe->read[i] == own;
    }
    probe->accuracy = (double)right / (double)of->tests;
    return status;
}

IG_ITEM(right_of, double, ig_probe, r->certainty[i] > 0)
IG_ITEM(chance_of, double, ig_probe, (double)r->by_chance[i])
IG_ITEM(row_of, uint32_t, ig_probe, r->row[i])

static const ig_items right_items = {.value = {right_of}, .row = row_of},
                      chance_items = {.value = {chance_of}, .row = row_of};

static ig_figure *append_one(const ig_probe *probe, const char *measure, double value,
                             const ig_items *column, ig_figures *figures)
{
    ig_figure *row = ig_figures_add(figures, measure, value, probe->reason);

    row->n = probe->tested;
    row->column = column;
    row->items = probe->answers;
    return row;
}

void ig_probe_append(const ig_probe *probe, const char *measure, ig_figures *figures)
{
    append_one(probe, measure, probe->accuracy, &right_items, figures)->chance =
        probe->majority;
}

/* --- fitting ---------------------------------------------------------------------- */

struct probe {
    const ig_measure_input *in;
    const ig_probe_task *task;
    ig_rows rows;
    size_t sets;          /* S */
    size_t first, tested; /* sets that read rows */
    double ridge;         /* λ */
    ig_moments moments;
    uint16_t *label; /* (S, n) true, shuffled */
    double *share;   /* (K) of the fitting rows */
    double *sum, *w; /* (SK, d) sums of the rows of each label; W */
    float *weight;   /* (SK, d) W */
    float *score;    /* (CHUNK, K) */
    ig_arena arena;
};

static void close_probe(struct probe *p)
{
    ig_moments_free(&p->moments);
    ig_arena_free(&p->arena);
}

/* Sum some columns of the rows of each label: in the order of the rows, however many
 * threads there are. */
struct chunk_sums {
    const struct probe *p;
    const ig_units *chunk;
    size_t first;
};

static void sum_columns(void *context, size_t member, size_t first, size_t last)
{
    const struct chunk_sums *sums = context;
    const struct probe *p = sums->p;
    size_t d = p->rows.dims, n = p->task->split.fits;

    (void)member;
    for (size_t i = 0; i < sums->chunk->count; i++)
        for (size_t s = 0; s < p->sets; s++) {
            const float *row = sums->chunk->unit + i * d;
            size_t label = p->label[s * n + sums->first + i];
            double *sum = p->sum + (s * p->task->labels + label) * d;

            for (size_t j = first; j < last; j++)
                sum[j] += (double)row[j];
        }
}

static ig_status sum_chunk(void *context, const ig_units *chunk, size_t first,
                           ig_pool *pool)
{
    struct chunk_sums sums = {context, chunk, first};

    ig_parallel_for(pool, chunk->dims, 16, sum_columns, &sums);
    return IG_OK;
}

static void draw_labels(struct probe *p, uint32_t *order)
{
    const ig_probe_task *task = p->task;
    size_t n = task->split.fits;
    ig_random random;

    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
        p->label[i] = task->label[task->split.fit[i]];
        p->share[p->label[i]] += 1 / (double)n;
    }
    ig_random_init(&random, p->in->seed, SHUFFLE_STREAM);
    for (size_t s = 1; s < p->sets; s++) {
        ig_random_shuffle(&random, order, n);
        for (size_t i = 0; i < n; i++)
            p->label[s * n + i] = p->label[order[i]];
    }
}

/* Moments and sums of the fitting rows. *reason is set when the rows do not differ. */
static ig_status sum_up(struct probe *p, const char **reason, ig_error *error)
{
    const ig_measure_input *in = p->in;
    const ig_probe_task *task = p->task;
    size_t d = in->base->dims, k = task->labels, n = task->split.fits;
    ig_arena *a = &p->arena;
    double trace, squares, square = 0;
    uint32_t *order = ig_arena_array(a, n, sizeof *order);
    ig_status status;

    p->rows = task->raw ? ig_units_raw(in->raw) : *in->base;
    p->sets = 1 + task->shuffles;
    p->tested = 1;
    p->label = ig_arena_array(a, n, p->sets * sizeof *p->label);
    p->share = ig_arena_array(a, k, sizeof *p->share);
    p->sum = ig_arena_array(a, p->sets * k, d * sizeof *p->sum);
    p->w = ig_arena_array(a, p->sets * k, d * sizeof *p->w);
    p->weight = ig_arena_array(a, p->sets * k, d * sizeof *p->weight);
    p->score = ig_arena_array(a, CHUNK, k * sizeof *p->score);
    if (a->failed)
        return ig_fail_memory(error, "a probe");
    draw_labels(p, order);
    status = ig_moments_init(&p->moments, d, error);
    if (status == IG_OK)
        status = ig_unit_moments(&p->moments, &p->rows, task->split.fit, n, sum_chunk,
                                 p, in->pool, in->watch, error);
    if (status != IG_OK)
        return status;
    ig_unit_spread(&p->moments, &trace, &squares);
    for (size_t j = 0; task->raw && j < d; j++)
        square += p->moments.mean[j] * p->moments.mean[j];
    if (!(trace >= IG_SPREAD_MIN * (task->raw ? trace + square : 1)) || trace <= 0)
        *reason = "the rows do not differ";
    return IG_OK;
}

static ig_status solve_probe(struct probe *p, double ridge, ig_error *error)
{
    size_t d = p->rows.dims, k = p->task->labels;
    double n = (double)p->task->split.fits;
    ig_status status;

    for (size_t r = 0; r < p->sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->w[r * d + j] = p->sum[r * d + j] / n -
                              p->share[r % k] * p->moments.mean[j];
    status = ig_ridge(p->moments.scatter, d, n, ridge, p->w, p->sets * k, error);
    for (size_t i = 0; status == IG_OK && i < p->sets * k * d; i++)
        p->weight[i] = (float)p->w[i];
    return status;
}

/* Read the labels of n rows by each of the sets that are tested.
 *   read, lead  out  (sets, n); lead may be NULL */
static ig_status read_rows(void *state, const uint32_t *list, size_t n, uint16_t *read,
                           float *lead, ig_error *error)
{
    const struct probe *p = state;
    size_t d = p->rows.dims, k = p->task->labels;
    ig_status status = IG_OK;
    ig_pool *pool = p->in->pool;

    for (size_t first = 0, count; first < n && status == IG_OK; first += count) {
        ig_units u = {0};
        float unused;

        count = n - first < CHUNK ? n - first : CHUNK;
        status = ig_units_centre(&u, &p->rows, list, first, count, p->moments.mean,
                                 pool, p->in->watch, error);
        for (size_t s = 0; s < p->tested && status == IG_OK; s++) {
            ig_gemm_pool(pool, false, true, 1, ig_matrix_of(u.unit, count, d),
                         ig_matrix_of(p->weight + (p->first + s) * k * d, k, d), 0,
                         ig_matrix_of(p->score, count, k));
            for (size_t i = 0; i < count && status == IG_OK; i++) {
                size_t at = s * n + first + i;

                if (!ig_probe_read(p->score + i * k, p->share, k,
                                   p->task->label[list[first + i]], &read[at],
                                   lead ? &lead[at] : &unused))
                    status = ig_fail(error, IG_VALUE, "a value is not finite");
            }
        }
        ig_progress_add(p->in->watch,
                        2 * (double)count * (double)(p->tested * k) * (double)d, 0);
        ig_units_free(&u);
    }
    return status;
}

/* --- choosing λ ------------------------------------------------------------------- */

/* Every tenth id is held back from the fitting rows; rows without one are counted. */
static ig_probe_task hold_back(const ig_probe_task *task, ig_arena *arena)
{
    const ig_probe_split *of = &task->split;
    uint32_t *fit = ig_arena_array(arena, of->fits, sizeof *fit);
    uint32_t *test = ig_arena_array(arena, of->fits, sizeof *test);
    ig_probe_task part = *task;

    part.shuffles = 0;
    part.split = (ig_probe_split){.fit = fit, .test = test, .apart = true};
    for (size_t i = 0; fit && test && i < of->fits; i++) {
        uint32_t row = of->fit[i];
        size_t number = task->id[row] != IG_NO_ID ? task->id[row] : i;

        if (number % TENTH == TENTH - 1)
            test[part.split.tests++] = row;
        else
            fit[part.split.fits++] = row;
    }
    return part;
}

/* The λ with the best accuracy on one tenth of the fitting ids, fitted on the others;
 * of equal ones the greatest. RIDGE if that is impossible. */
static ig_status choose_ridge(const ig_measure_input *in, const ig_probe_task *task,
                              double *ridge, ig_error *error)
{
    /* Powers of 10: the last five while the greatest so far wins. */
    static const int power[] = {-1, -2, -3, -4, -5, -6, 0, 1, 2, 3, 4};
    enum { POWERS = sizeof power / sizeof *power, UP = 6 };
    struct probe p = {.in = in};
    ig_probe_task part = hold_back(task, &p.arena);
    size_t tests = part.split.tests, most = 0, right;
    uint16_t *read = ig_arena_array(&p.arena, tests, sizeof *read);
    const char *reason = find_reason(&part.split, part.label);
    int best = power[UP];
    ig_status status = IG_OK;

    p.task = &part;
    if (p.arena.failed)
        status = ig_fail_memory(error, "a probe");
    else if (!reason)
        status = sum_up(&p, &reason, error);
    for (size_t i = 0; i < POWERS && !reason && status == IG_OK; i++) {
        if (i >= UP && best != power[i] - 1)
            break;
        status = solve_probe(&p, pow(10, power[i]), error);
        if (status == IG_OK)
            status = read_rows(&p, part.split.test, tests, read, NULL, error);
        right = 0;
        for (size_t t = 0; t < tests && status == IG_OK; t++)
            right += read[t] == part.label[part.split.test[t]];
        if (status == IG_VALUE) /* too little for rows that span few dimensions */
            status = IG_OK;
        if (right > most || (i >= UP && right == most)) {
            most = right;
            best = power[i];
        }
    }
    if (most)
        *ridge = pow(10, best);
    close_probe(&p);
    return status;
}

/* --- the measure ------------------------------------------------------------------ */

/* Whether the shuffles are tested on row i of n: of many an even sample, whatever the
 * order of the languages. */
static bool is_control(size_t i, size_t n)
{
    return (double)((uint32_t)i * 2654435769u) / 4294967296.0 * (double)n < CONTROLS;
}

/* The share of the shuffles that read a row; NaN: it is not tested. */
static ig_status read_shuffles(ig_probe *probe, struct probe *p, ig_error *error)
{
    const ig_probe_split *of = &p->task->split;
    size_t n = 0, tests = of->tests, shuffles = p->task->shuffles;
    uint32_t *list = ig_arena_array(&p->arena, tests, sizeof *list);
    uint16_t *read;
    double sum = 0;
    ig_status status;

    for (size_t i = 0; i < tests && list; i++)
        if (is_control(i, tests))
            list[n++] = of->test[i];
    read = ig_arena_array(&p->arena, n, shuffles * sizeof *read);
    probe->by_chance = ig_arena_array(&probe->arena, tests, sizeof *probe->by_chance);
    if (p->arena.failed || probe->arena.failed)
        return ig_fail_memory(error, "a probe");
    p->first = 1;
    p->tested = shuffles;
    status = read_rows(p, list, n, read, NULL, error);
    for (size_t i = 0, at = 0; i < tests && status == IG_OK; i++) {
        size_t right = 0;

        probe->by_chance[i] = NAN;
        if (!is_control(i, tests))
            continue;
        for (size_t s = 0; s < shuffles; s++)
            right += read[s * n + at] == p->task->label[of->test[i]];
        probe->by_chance[i] = (float)right / (float)shuffles;
        sum += (double)probe->by_chance[i];
        at++;
    }
    probe->shuffled = sum / (double)n;
    return status;
}

static ig_status fit_linear(void *state, const char **reason, ig_error *error)
{
    struct probe *p = state;
    ig_status status = IG_OK;

    if (p->task->split.apart)
        status = choose_ridge(p->in, p->task, &p->ridge, error);
    if (status == IG_OK)
        status = sum_up(p, reason, error);
    return status == IG_OK && !*reason ? solve_probe(p, p->ridge, error) : status;
}

ig_status ig_probe_take(ig_probe *probe, const ig_measure_input *in,
                        const ig_probe_task *task, ig_error *error)
{
    struct probe p = {.in = in, .task = task, .ridge = RIDGE};
    ig_status status = ig_probe_run(probe, in, task, fit_linear, read_rows, &p, error);

    probe->ridge = p.ridge;
    if (status == IG_OK && !probe->reason && task->shuffles)
        status = read_shuffles(probe, &p, error);
    close_probe(&p);
    return status;
}

/* --- the groups ------------------------------------------------------------------- */

static ig_status take_language(const ig_measure_input *in, ig_probe *probe, bool raw,
                               ig_error *error)
{
    ig_probe_task task = {.label = in->base_lang,
                          .labels = in->languages,
                          .id = in->base_id,
                          .split = in->split,
                          .shuffles = raw ? 0 : SHUFFLES,
                          .raw = raw};

    return ig_probe_take(probe, in, &task, error);
}

static ig_status take_unit(const ig_measure_input *in, void *result, ig_error *error)
{
    return take_language(in, result, false, error);
}

static ig_status take_raw(const ig_measure_input *in, void *result, ig_error *error)
{
    return take_language(in, result, true, error);
}

static void append_unit(const void *result, ig_figures *figures)
{
    const ig_probe *p = result;

    ig_probe_append(p, "probe", figures);
    ig_figures_add_counts(figures, "probe_read", &p->confusion, false);
    append_one(p, "probe_shuffled", p->shuffled, &chance_items, figures);
}

static void append_raw(const void *result, ig_figures *figures)
{
    ig_probe_append(result, "probe_raw", figures);
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
