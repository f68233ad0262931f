/* Probes: rows to learn from, ridge regression to one-hot labels, and the language
 * probes, which are cross-fitted. Legend in probe.h; S sets of labels, the true ones
 * and shuffles. */
#include "measure/probe.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/random.h"

enum {
    ROWS_MOST = 65536, /* to learn from */
    SHUFFLES = 20,
    CONTROLS = 4096, /* rows that the shuffles read: of more an even sample */
    TENTH = 10,
    POWER_LEAST = -6,
    POWER_EDGE = -1, /* λ is greater only while the greatest wins */
    POWER_MOST = 4,
    SPLIT_STREAM = 0x68616c66,
    SHUFFLE_STREAM = 0x70726f62
};

/* λ as a share of the mean variance where it cannot be chosen. */
static const double RIDGE = 1e-3;

static const char PROBE[] = "a probe";

struct probe {
    ig_probe_task *task;
    ig_rows rows;
    size_t n, kept, tests; /* rows to learn from; of which the first do when λ is
                                   chosen; rows to test */
    size_t d, sets;        /* S */
    uint32_t *fit, *test;  /* (n), (tests) places */
    uint32_t *order;       /* (n) the first, shuffled */
    uint16_t *label;       /* (S, n) */
    ig_chunk chunk;        /* what is read at a time */
    ig_matrix z;           /* (IG_CHUNK, d + 1) */
    ig_moments moments;    /* of the rows so far … */
    double *share, *sum;   /* (K), (SK, d) and of their labels */
    double *weight;        /* (SK, d) */
    ig_probe_model model;
    ig_arena arena;
};

ig_status ig_probe_init(ig_probe_task *task, ig_arena *arena, ig_error *error)
{
    const ig_embeddings *e = task->e;
    uint32_t *order = ig_arena_array(arena, e->meanings, sizeof *order);
    ig_random random;

    task->label = ig_arena_array(arena, e->all, sizeof *task->label);
    task->role = ig_arena_array(arena, e->all, sizeof *task->role);
    task->number = ig_arena_array(arena, e->all, sizeof *task->number);
    task->read = ig_arena_array(arena, e->n, sizeof *task->read);
    task->certainty = ig_arena_array(arena, e->n, sizeof *task->certainty);
    if (arena->failed)
        return ig_fail_memory(error, PROBE);
    for (size_t m = 0; m < e->meanings; m++)
        order[m] = (uint32_t)m;
    ig_random_init(&random, task->e->spec->seed, SPLIT_STREAM);
    ig_random_shuffle(&random, order, e->meanings);
    for (uint32_t i = 0; i < e->all; i++) {
        task->label[i] = e->lang[i];
        task->number[i] = i < e->n               ? order[e->meaning[i]]
                          : e->id[i] == IG_NO_ID ? 2 * i
                                                 : 2 * e->id[i];
    }
    return IG_OK;
}

/* --- rows ------------------------------------------------------------------------- */

/* List the rows to learn from, those that choose λ last, and the others. */
static void list_rows(struct probe *p)
{
    const ig_probe_task *task = p->task;
    size_t fits = 0;

    for (int held = 0; held < 2; held++) {
        p->kept = fits;
        for (uint32_t i = 0; i < task->e->all; i++)
            if (task->role[i] == IG_PROBE_FIT &&
                (task->number[i] / 2 % TENTH == TENTH - 1) == held)
                p->fit[fits++] = i;
    }
    for (uint32_t i = 0; i < task->e->n; i++)
        if (task->role[i] == IG_PROBE_TEST)
            p->test[p->tests++] = i;
    p->n = fits < ROWS_MOST ? fits : ROWS_MOST;
    for (size_t i = 0; i < p->n; i++)
        p->fit[i] = p->fit[i * fits / p->n];
    if (fits)
        p->kept = (p->kept * p->n + fits - 1) / fits;
}

static void draw_labels(struct probe *p)
{
    ig_random random;

    memcpy(p->order, p->fit, p->n * sizeof *p->order);
    ig_random_init(&random, p->task->e->spec->seed, SHUFFLE_STREAM);
    for (size_t s = 0; s < p->sets; s++) {
        if (s)
            ig_random_shuffle(&random, p->order, p->n);
        for (size_t i = 0; i < p->n; i++)
            p->label[s * p->n + i] = p->task->label[p->order[i]];
    }
}

static bool differ(const uint16_t *label, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (label[i] != label[0])
            return true;
    return false;
}

static void sum_labels(void *context, size_t member, size_t first, size_t last)
{
    const struct probe *p = context;
    const ig_chunk *c = &p->chunk;
    const uint16_t *label = p->label + (c->list - p->fit) + c->first;

    (void)member;
    for (size_t s = first; s < last; s++)
        for (size_t i = 0; i < c->count; i++) {
            double *sum = p->sum + (s * p->task->labels + label[s * p->n + i]) * p->d;

            for (size_t j = 0; j < p->d; j++)
                sum[j] += (double)c->row[i * p->d + j];
        }
}

/* Add rows first … last − 1 to the moments and the sums of labels. */
static ig_status add_rows(struct probe *p, size_t first, size_t last, ig_error *error)
{
    const ig_embeddings *e = p->task->e;
    ig_rows_pick pick = {&p->rows, p->fit + first, last - first};
    ig_rows rows = ig_rows_of_pick(&pick);
    ig_status status = ig_moments_add(&p->moments, &rows, false, e->pool,
                                      e->progress ? e->progress->stop : NULL, NULL,
                                      error);

    p->chunk.list = p->fit + first;
    p->chunk.n = last - first;
    while (status == IG_OK && ig_chunk_next(&p->chunk))
        ig_parallel_for(e->pool, p->sets, 1, sum_labels, p);
    memset(p->share, 0, p->task->labels * sizeof *p->share);
    for (size_t i = 0; i < last; i++)
        p->share[p->label[i]] += 1 / (double)last;
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

void ig_probe_score(ig_probe_model *model, ig_matrix z, size_t set, ig_pool *pool)
{
    ig_matrix score = ig_matrix_rows(model->score, 0, z.rows), hidden = model->hidden;
    size_t units = model->v.cols;

    if (units) {
        hidden.rows = z.rows;
        ig_gemm_pool(pool, false, false, 1, z, model->v, 0,
                     ig_matrix_cols(hidden, 0, units));
        for (size_t i = 0; i < z.rows; i++) {
            float *h = ig_matrix_row(hidden, i);

            for (size_t j = 0; j < units; j++)
                h[j] = h[j] > 0 ? h[j] : 0;
            h[units] = 1;
        }
        z = hidden;
    }
    ig_gemm_pool(pool, false, false, 1, z,
                 ig_matrix_cols(model->w, set * score.cols, score.cols), 0, score);
}

/* The label of the largest of K scores; *lead gets that of `own` less the largest of
 * the others. */
static uint16_t read_label(const float *score, size_t k, size_t own, float *lead)
{
    float best = -INFINITY, other = -INFINITY;
    size_t label = 0;

    for (size_t j = 0; j < k; j++) {
        if (score[j] > best) {
            best = score[j];
            label = j;
        }
        if (j != own)
            other = fmaxf(other, score[j]);
    }
    *lead = score[own] - other;
    return (uint16_t)label;
}

/* Read rows by a set of labels. Returns how many are right. */
static size_t read_rows(struct probe *p, const uint32_t *list, size_t n, size_t set,
                        bool keep)
{
    ig_probe_task *task = p->task;
    ig_chunk *c = &p->chunk;
    size_t right = 0;

    c->list = list;
    c->n = n;
    while (ig_chunk_next(c)) {
        for (size_t i = 0; i < c->count; i++) {
            float *z = ig_matrix_row(p->z, i);

            for (size_t j = 0; j < p->d; j++)
                z[j] = (float)((double)c->row[i * p->d + j] - p->model.mean[j]);
            z[p->d] = 1;
        }
        ig_probe_score(&p->model, ig_matrix_rows(p->z, 0, c->count), set,
                       task->e->pool);
        for (size_t i = 0; i < c->count; i++) {
            uint32_t row = list[c->first + i];
            float lead;
            uint16_t label = read_label(ig_matrix_row(p->model.score, i), task->labels,
                                        task->label[row], &lead);

            right += label == task->label[row];
            if (keep) {
                task->read[row] = label;
                task->certainty[row] = lead;
            }
        }
    }
    return right;
}

/* --- learning --------------------------------------------------------------------- */

/* W of the first sets by the rows so far. */
static ig_status solve(struct probe *p, size_t sets, double ridge, ig_error *error)
{
    size_t d = p->d, k = p->task->labels;
    double n = (double)p->moments.rows;
    ig_status status;

    for (size_t r = 0; r < sets * k; r++)
        for (size_t j = 0; j < d; j++)
            p->weight[r * d + j] = p->sum[r * d + j] / n -
                                   p->share[r % k] * p->moments.mean[j];
    status = ig_ridge(p->moments.scatter, d, n, ridge, p->weight, sets * k, error);
    for (size_t r = 0; r < sets * k && status == IG_OK; r++) {
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(p->model.w, j)[r] = (float)p->weight[r * d + j];
        ig_matrix_row(p->model.w, d)[r] = (float)p->share[r % k];
    }
    return status;
}

/* The λ that reads most of the last rows when fitted on the first. */
static double choose_ridge(struct probe *p)
{
    size_t most = 0, right;
    int best = POWER_EDGE;

    for (int power = POWER_LEAST; power <= POWER_MOST; power++) {
        if (power > POWER_EDGE && best < power - 1)
            break;
        /* Too small a λ cannot be solved where rows span few dimensions. */
        if (solve(p, 1, pow(10, power), NULL) != IG_OK)
            continue;
        right = read_rows(p, p->fit + p->kept, p->n - p->kept, 0, false);
        if (right > most) {
            most = right;
            best = power;
        }
    }
    return most ? pow(10, best) : RIDGE;
}

/* Fit the model, or find the reason why that is impossible. */
static ig_status fit_model(struct probe *p, ig_error *error)
{
    const ig_moments *m = &p->moments;
    double ridge = RIDGE, spread = 0, square = 0;
    ig_status status = add_rows(p, 0, p->kept, error);

    p->model.mean = m->mean;
    if (status == IG_OK && !p->task->hidden && p->kept < p->n &&
        differ(p->label, p->kept))
        ridge = choose_ridge(p);
    if (status == IG_OK)
        status = add_rows(p, p->kept, p->n, error);
    for (size_t j = 0; j < p->d; j++) {
        spread += m->scatter[j * p->d + j] / (double)p->n;
        square += m->mean[j] * m->mean[j];
    }
    if (status != IG_OK)
        return status;
    if (!(spread > 0 && spread >= IG_SPREAD_MIN * (spread + square))) {
        p->task->reason = "the rows do not differ";
        return IG_OK;
    }
    if (!p->task->hidden)
        return solve(p, p->sets, ridge, error);
    if (p->n < p->d) {
        p->task->reason = "fewer rows to learn from than dimensions";
        return IG_OK;
    }
    p->chunk.list = p->fit;
    p->chunk.n = p->n;
    return ig_probe_train(&p->model, &p->chunk, m, p->task->label, p->task->labels,
                          p->task->e->spec->seed, &p->arena, error);
}

/* Read the rows to test, and by shuffles some. */
static void read_tested(struct probe *p)
{
    size_t n = p->tests < CONTROLS ? p->tests : CONTROLS;

    read_rows(p, p->test, p->tests, 0, true);
    for (size_t i = 0; i < n; i++)
        p->test[i] = p->test[i * p->tests / n];
    for (size_t s = 1; s < p->sets; s++) {
        p->task->right += read_rows(p, p->test, n, s, false);
        p->task->control += n;
    }
}

ig_status ig_probe_learn(ig_probe_task *task, ig_error *error)
{
    const ig_embeddings *e = task->e;
    size_t sets = 1 + task->shuffles, all = sets * task->labels, d = e->d;
    struct probe p = {
        .task = task, .rows = task->raw ? e->rows : e->units, .d = d, .sets = sets};
    ig_arena *a = &p.arena;
    ig_status status = ig_moments_init(&p.moments, d, error);

    p.fit = ig_arena_array(a, e->all, sizeof *p.fit);
    p.test = ig_arena_array(a, e->n, sizeof *p.test);
    p.order = ig_arena_array(a, ROWS_MOST, sizeof *p.order);
    p.label = ig_arena_array(a, ROWS_MOST, sets * sizeof *p.label);
    p.chunk = ig_chunk_of(&p.rows, NULL, IG_CHUNK, e->pool, e->progress, a);
    p.z = ig_arena_matrix(a, IG_CHUNK, d + 1);
    p.share = ig_arena_array(a, task->labels, sizeof *p.share);
    p.sum = ig_arena_array(a, all, d * sizeof *p.sum);
    p.weight = ig_arena_array(a, all, d * sizeof *p.weight);
    p.model.w = ig_arena_matrix(a, d + 1, all);
    p.model.score = ig_arena_matrix(a, IG_CHUNK, task->labels);
    if (status == IG_OK)
        status = ig_chunk_status(a, e->progress, PROBE, error);
    if (status == IG_OK) {
        list_rows(&p);
        draw_labels(&p);
        task->fitted = p.n;
        task->reason = p.n + p.tests == 0         ? "no rows"
                       : p.n == 0 || p.tests == 0 ? "only one meaning"
                       : differ(p.label, p.n)     ? NULL
                                                  : "only one language to learn from";
    }
    if (status == IG_OK && !task->reason)
        status = fit_model(&p, error);
    if (status == IG_OK && !task->reason)
        read_tested(&p);
    if (status == IG_OK)
        status = ig_chunk_status(a, e->progress, PROBE, error);
    ig_moments_free(&p.moments);
    ig_arena_free(a);
    return status;
}

/* --- the language ----------------------------------------------------------------- */

/* Append the share of all measured rows that are read; chance is the share of the
 * largest language. */
static ig_status append_share(const ig_probe_task *task, const char *measure,
                              ig_figures *figures, ig_error *error)
{
    const ig_embeddings *e = task->e;
    ig_figure *f = ig_figures_add_items(figures, measure, IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_MEAN, e->n, NULL);
    uint32_t most = 0;

    if (!f)
        return ig_fail_memory(error, PROBE);
    for (size_t i = 0; i < e->n; i++) {
        f->unit[i] = e->meaning[i];
        f->item[0][i] = task->read[i] == task->label[i];
    }
    for (size_t l = 0; l < e->languages; l++)
        most = e->first[l + 1] - e->first[l] > most ? e->first[l + 1] - e->first[l]
                                                    : most;
    f->items = task->reason ? 0 : e->n;
    f->n = e->n;
    f->chance = (double)most / (double)e->n;
    ig_figures_close(figures, f, task->reason);
    return IG_OK;
}

/* Read each half of the rows by the probe of the other, or with `rest` all by a probe
 * of those that are not measured, if there are enough. Append what is read.
 *   arena  in  of the arrays of the task */
static ig_status measure_language(ig_probe_task *task, bool rest, const char *measure,
                                  ig_arena *arena, ig_figures *figures, ig_error *error)
{
    const ig_embeddings *e = task->e;
    ig_status status;

    if (rest && !e->rest)
        return IG_OK;
    task->labels = e->languages;
    status = ig_probe_init(task, arena, error);
    for (uint32_t half = 0; half < (rest ? 1 : 2) && status == IG_OK; half++) {
        for (size_t i = 0; i < e->n; i++)
            task->role[i] = rest || task->number[i] % 2 != half ? IG_PROBE_TEST
                                                                : IG_PROBE_FIT;
        for (size_t i = e->n; i < e->all; i++)
            task->role[i] = rest ? IG_PROBE_FIT : IG_PROBE_IGNORE;
        status = ig_probe_learn(task, error);
        if (task->reason)
            break;
    }
    return status == IG_OK ? append_share(task, measure, figures, error) : status;
}

/* Shares of each language's rows that are read as each, and what the shuffles read. */
static ig_status append_details(const ig_probe_task *task, ig_figures *figures,
                                ig_error *error)
{
    const ig_embeddings *e = task->e;
    size_t k = e->languages;
    size_t *count = ig_arena_array(&figures->brief, k, k * sizeof *count);

    if (!count)
        return ig_fail_memory(error, PROBE);
    for (size_t i = 0; i < e->n && !task->reason; i++)
        count[e->lang[i] * k + task->read[i]]++;
    ig_figures_add_counts(figures, "probe_read", count, k, false);
    ig_figures_add(figures, "probe_shuffled",
                   task->reason ? (double)NAN
                                : (double)task->right / (double)task->control,
                   task->reason)
        ->n = e->n;
    return IG_OK;
}

static ig_status measure_linear(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    static const char *const measure[] = {"probe_raw", "probe_fitted",
                                          "probe_raw_fitted"};
    ig_probe *probe = &out->probe;
    ig_probe_task task = {.e = e, .shuffles = SHUFFLES};
    ig_status status =
        measure_language(&task, false, "probe", &probe->arena, &out->figures, error);

    probe->row = ig_arena_array(&probe->arena, e->n, sizeof *probe->row);
    if (status == IG_OK && probe->arena.failed)
        return ig_fail_memory(error, PROBE);
    if (status == IG_OK) {
        memcpy(probe->row, e->row, e->n * sizeof *probe->row);
        probe->reason = task.reason;
        probe->fitted = task.fitted;
        probe->few = task.fitted < 4 * e->d;
        probe->answers = task.reason ? 0 : e->n;
        probe->read = task.read;
        probe->certainty = task.certainty;
        status = append_details(&task, &out->figures, error);
    }
    for (int m = 0; m < 3 && status == IG_OK; m++) {
        task = (ig_probe_task){.e = e, .raw = m != 1};
        status = measure_language(&task, m > 0, measure[m], &out->figures.brief,
                                  &out->figures, error);
    }
    return status;
}

static ig_status measure_hidden(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    static const char *const measure[] = {"probe_hidden", "probe_hidden_fitted"};
    ig_status status = IG_OK;

    for (int rest = 0; rest < 2 && status == IG_OK; rest++) {
        ig_probe_task task = {.e = e, .hidden = true};

        status = measure_language(&task, rest, measure[rest], &out->figures.brief,
                                  &out->figures, error);
    }
    return status;
}

const ig_measure_group ig_probe_group = {
    .word = "probe", .needs = IG_NEEDS_ROWS | IG_NEEDS_REST, .measure = measure_linear};

const ig_measure_group ig_hidden_probe_group = {.word = "hidden_probe",
                                                .needs = IG_NEEDS_ROWS | IG_NEEDS_REST,
                                                .measure = measure_hidden};
