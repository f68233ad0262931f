/* The evaluation of the weights shown. */
#include "explorer/evaluation_state.h"

#include <math.h>
#include <string.h>

/* Arithmetic of an exact evaluation without a request. */
static const double UNASKED_FLOPS = 4e12;

enum { MIN_MEANINGS = 16, MIN_ROWS = 1000 };

/* Maximum rows for intervals without a request: some 0.1 s a space. */
enum { INTERVAL_ROWS = 40000 };

/* --- values of rows --------------------------------------------------------------- */

/* A value of a query; NaN: undefined in this direction. */
typedef double row_value(const ig_retrieval_score *score, const ig_query_result *found);

static double alignment_of(const ig_retrieval_score *score, const ig_query_result *f)
{
    (void)score;
    return 2 - 2 * (double)f->cosine;
}

/* NaN where the ranks of the direction are undefined. */
static double rank_of(const ig_retrieval_score *score, const ig_query_result *f)
{
    return ig_retrieval_has_ranks(score) ? (double)f->rank : (double)NAN;
}

/* 0 where all candidates tie; NaN for a single candidate, which anything finds. */
static double leak_of(const ig_retrieval_score *score, const ig_query_result *f)
{
    return score->candidates < 2 ? NAN : f->tied ? 0 : 1 / (double)f->rank;
}

static void add_values(const ig_retrieval *r, size_t direction, row_value *value,
                       double *sum, uint32_t *count)
{
    const ig_retrieval_score *score = &r->score[direction];

    for (size_t i = score->first; i < score->first + score->pairs; i++) {
        double one = value(score, &r->found[i]);

        if (isnan(one))
            continue;
        sum[r->found[i].query] += one;
        count[r->found[i].query]++;
    }
}

/* The mean over a row's translations. */
static float *values_of(size_t n, const ig_evaluation *e, row_value *value)
{
    float *out = e ? ig_alloc(n, sizeof *out) : NULL;
    double *sum = out ? ig_alloc(n, sizeof *sum) : NULL;
    uint32_t *count = sum ? ig_alloc(n, sizeof *count) : NULL;

    for (size_t i = 0; count && i < e->retrieval.count; i++)
        add_values(&e->retrieval, i, value, sum, count);
    for (size_t i = 0; count && i < n; i++)
        out[i] = count[i] ? (float)(sum[i] / count[i]) : NAN;
    if (!count) {
        ig_free(out);
        out = NULL;
    }
    IG_FREE(sum, count);
    return out;
}

/* What each row is among its ten nearest. */
static float *pool_values(size_t n, const ig_multilingual_pool *pool, ig_value value)
{
    float *out = pool->found ? ig_alloc(n, sizeof *out) : NULL;

    for (size_t i = 0; out && i < n; i++)
        out[i] = NAN;
    for (size_t i = 0; out && i < pool->rows; i++) {
        const ig_pool_row *row = &pool->found[i];

        out[row->row] = value == IG_VALUE_HUBNESS   ? (float)row->hub
                        : value == IG_VALUE_DENSITY ? row->density
                                                    : row->purity;
    }
    return out;
}

/* Lengths of the original vectors, computed once for a version. */
static float *norms_of(ig_evaluation_state *m)
{
    const ig_rows *rows = ig_shown_rows(m->shown, IG_SPACE_ORIGINAL);
    size_t n = m->work->set->rows;
    float *out = ig_alloc(n, sizeof *out);
    float *tile = ig_alloc(IG_ROWS_TILE * rows->dims, sizeof *tile);
    float *scratch = ig_alloc(rows->scratch + 1, sizeof *scratch);
    bool known = m->norm && m->norm_version == m->shown->version;

    if (!m->norm)
        m->norm = ig_alloc(n, sizeof *m->norm);
    for (size_t i = 0; tile && scratch && m->norm && !known && i < n;
         i += IG_ROWS_TILE) {
        size_t count = n - i < IG_ROWS_TILE ? n - i : IG_ROWS_TILE, stride;
        const float *row = ig_rows_view(rows, i, count, tile, scratch, &stride);

        for (size_t k = 0; k < count; k++)
            m->norm[i + k] = (float)ig_rows_length(row + k * stride, rows->dims);
    }
    m->norm_version = m->shown->version;
    if (out && m->norm && tile && scratch) {
        memcpy(out, m->norm, n * sizeof *out);
    } else {
        ig_free(out);
        ig_free(m->norm);
        out = m->norm = NULL;
    }
    ig_free(tile);
    ig_free(scratch);
    return out;
}

static void put_row_values(ig_evaluation_state *m, ig_shown_evaluation *f)
{
    size_t rows = m->work->set->rows;
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING];

    if (!meaning)
        meaning = f->space[IG_SPACE_ORIGINAL];
    f->value[IG_VALUE_ALIGNMENT] = values_of(rows, meaning, alignment_of);
    f->value[IG_VALUE_RANK] = values_of(rows, meaning, rank_of);
    f->value[IG_VALUE_LEAK] = values_of(rows, f->space[IG_SPACE_LANGUAGE], leak_of);
    for (int i = IG_VALUE_PURITY; meaning && i <= IG_VALUE_DENSITY; i++)
        f->value[i] = pool_values(rows, &meaning->multilingual_pool, (ig_value)i);
    f->value[IG_VALUE_NORM] = norms_of(m);
}

/* --- what is measured ------------------------------------------------------------- */

static void drop_original(ig_evaluation_state *m)
{
    ig_shared_evaluation_release(m->original);
    m->original = NULL;
}

static void drop_subset(ig_evaluation_state *m)
{
    drop_original(m);
    ig_subset_free(&m->subset);
    m->has_subset = false;
}

const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived)
{
    if (work->pairs->given || !work->set->has_ids)
        return work->pairs;
    if (ig_pairs_derive(derived, work->set, "all", NULL) != IG_OK)
        *derived = (ig_pairs){0};
    return derived->count ? derived : work->pairs;
}

/* Too slow for a sample: a probe that is trained by steps. */
enum { EXACT_ONLY = IG_MEASURE_HIDDEN_PROBE };

static bool is_sample(const ig_evaluation_state *m)
{
    return m->limits.meanings || m->limits.rows;
}

static ig_evaluation_spec spec_of(const ig_evaluation_state *m, bool exact)
{
    ig_evaluation_spec spec =
        ig_evaluation_spec_of(m->work->set, &m->subset, m->work->view->seed);

    if (!exact)
        spec.measures &= ~(unsigned)EXACT_ONLY;
    if (is_sample(m)) /* fitted on so few rows, it reads too little */
        spec.measures &= ~(unsigned)IG_MEASURE_PROBE;
    if (m->only)
        spec.measures &= m->only;
    spec.intervals = !m->only && exact && m->subset.rows <= INTERVAL_ROWS;
    return spec;
}

static double work_of(const ig_evaluation_state *m, bool exact)
{
    ig_evaluation_spec spec = spec_of(m, exact);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++) {
        const ig_rows *rows = ig_shown_rows(m->shown, (ig_space)space);

        if (rows && !(space == IG_SPACE_ORIGINAL && m->original))
            work += ig_evaluation_work(rows, &spec);
    }
    return work;
}

static ig_status take_subset(ig_evaluation_state *m, ig_subset_limits limits,
                             ig_error *error)
{
    const uint8_t *held_out = m->run ? m->held_out : NULL;
    ig_status status;

    if (m->has_subset && m->subset_run == m->run &&
        m->limits.meanings == limits.meanings && m->limits.rows == limits.rows)
        return IG_OK;
    drop_subset(m);
    if (!m->measured)
        m->measured = ig_evaluation_pairs(m->work, &m->pairs);
    status = ig_subset_take(&m->subset, m->work->set, m->measured, m->scores, held_out,
                            limits, m->work->view->seed, error);
    m->has_subset = status == IG_OK;
    m->subset_run = m->run;
    m->limits = limits;
    return status;
}

/* Take a smaller sample; false: it has the minimum size. */
static bool take_less(ig_evaluation_state *m, double share, ig_status *status,
                      ig_error *error)
{
    ig_subset_limits limits = m->limits;

    if (m->subset.meanings > MIN_MEANINGS)
        limits.meanings =
            (size_t)fmax(MIN_MEANINGS, (double)m->subset.meanings * share);
    else if (m->subset.rows > MIN_ROWS) /* without pairs, as in a set without ids */
        limits.rows = (size_t)fmax(MIN_ROWS, (double)m->subset.rows * share);
    else
        return false;
    *status = take_subset(m, limits, error);
    return true;
}

/* The largest sample whose measures take half of a cheap frame (a tenth of the time at
 * most). An existing one is kept, so that figures of one run can be compared. */
static ig_status take_sample(ig_evaluation_state *m, ig_error *error)
{
    ig_status status;
    double work, most = m->work->cheap / 2;

    if (m->has_subset && m->subset_run == m->run && is_sample(m))
        return IG_OK;
    status = take_subset(m, (ig_subset_limits){0}, error);
    while (status == IG_OK && (work = work_of(m, false)) > most)
        if (!take_less(m, fmin(0.9, sqrt(most / work)), &status, error))
            break;
    return status;
}

/* Everything, or a sample: *exact says which. */
static ig_status choose_subset(ig_evaluation_state *m, ig_extent extent, bool *exact,
                               ig_error *error)
{
    ig_status status;

    if (m->version != m->shown->version)
        drop_original(m);
    m->version = m->shown->version;
    *exact = extent != IG_EXTENT_SAMPLE;
    if (!*exact)
        return take_sample(m, error);
    status = take_subset(m, (ig_subset_limits){0}, error);
    if (status == IG_OK && extent == IG_EXTENT_WHOLE &&
        work_of(m, true) > UNASKED_FLOPS) {
        *exact = false;
        return take_sample(m, error);
    }
    if (status == IG_OK && m->original &&
        !(m->original->evaluation.taken & (unsigned)EXACT_ONLY))
        drop_original(m);
    return status;
}

/* --- measuring -------------------------------------------------------------------- */

static void report_progress(void *context, double done)
{
    ig_evaluation_state *m = context;

    if (m->all > 0)
        ig_work_progress(m->work, fmin(1, (m->done + done) / m->all));
}

static ig_status measure_space(ig_evaluation_state *m, ig_space space, bool exact,
                               ig_shared_evaluation **out, ig_error *error)
{
    const ig_rows *rows[IG_SPACES];
    ig_evaluation_spec spec = spec_of(m, exact);
    ig_progress watch = {
        .stop = m->work->cancel, .tick = report_progress, .context = m};
    ig_status status;

    for (int i = 0; i < IG_SPACES; i++)
        rows[i] = ig_shown_rows(m->shown, (ig_space)i);
    if (!rows[space])
        return IG_OK;
    if (space == IG_SPACE_ORIGINAL && m->original) {
        *out = ig_shared_evaluation_use(m->original);
        return IG_OK;
    }
    if (space == IG_SPACE_MEANING && rows[IG_SPACE_LANGUAGE])
        spec.part = rows;
    *out = ig_alloc(1, sizeof **out);
    if (!*out)
        return ig_fail_memory(error, "the measures");
    atomic_init(&(*out)->users, 1);
    status = ig_evaluation_take(&(*out)->evaluation, rows[space], &spec, m->work->pool,
                                &watch, error);
    m->done += ig_evaluation_work(rows[space], &spec);
    return status;
}

static ig_shown_evaluation *new_evaluation(ig_evaluation_state *m, bool exact,
                                           ig_shared_evaluation *const space[IG_SPACES])
{
    ig_shown_evaluation *f = ig_alloc(1, sizeof *f);

    if (!f)
        return NULL;
    *f = (ig_shown_evaluation){.serial = ++m->serials,
                               .version = m->shown->version,
                               .run = m->shown->run,
                               .epoch = m->shown->epoch,
                               .held_out = m->run != 0,
                               .ids = m->subset.meanings,
                               .of_ids = m->subset.of_meanings,
                               .rows = m->subset.rows,
                               .of_rows = m->subset.of_rows,
                               .weights = m->shown->serial,
                               .exact = exact};
    atomic_init(&f->users, 1);
    for (int i = 0; i < IG_SPACES; i++)
        f->space[i] = (const ig_evaluation *)ig_shared_evaluation_use(space[i]);
    if (!m->original)
        m->original = ig_shared_evaluation_use(space[IG_SPACE_ORIGINAL]);
    put_row_values(m, f);
    return f;
}

ig_status ig_evaluation_state_make(ig_evaluation_state *m,
                                   const ig_shown_evaluation *newest, ig_extent extent,
                                   bool *whole, ig_shown_evaluation **made,
                                   ig_error *error)
{
    ig_shared_evaluation *space[IG_SPACES] = {NULL};
    bool exact;
    ig_status status = choose_subset(m, extent, &exact, error);

    *whole = extent != IG_EXTENT_SAMPLE;
    if (status == IG_OK && *whole && !exact && newest &&
        newest->weights == m->shown->serial)
        return IG_OK; /* more is measured only on request */
    m->done = 0;
    m->all = status == IG_OK ? work_of(m, exact) : 0;
    for (int i = 0; i < IG_SPACES && status == IG_OK; i++)
        status = measure_space(m, (ig_space)i, exact, &space[i], error);
    if (status == IG_OK && !(*made = new_evaluation(m, exact, space)))
        status = ig_fail_memory(error, "the measures");
    for (int i = 0; i < IG_SPACES; i++)
        ig_shared_evaluation_release(space[i]);
    return status;
}

ig_status ig_version_figures_make(ig_evaluation_state *m, const ig_version_rows *of,
                                  size_t versions, ig_version_figures *figures,
                                  ig_error *error)
{
    size_t v = m->shown->version;
    const ig_rows *other[] = {v ? &of[v - 1].originals : NULL,
                              &of[versions - 1].originals};
    ig_progress watch = {.stop = m->work->cancel};
    ig_version_figures made = *figures;
    ig_shared_evaluation *evaluation = (ig_shared_evaluation *)figures->evaluation;
    bool exact;
    ig_status status = choose_subset(m, IG_EXTENT_WHOLE, &exact, error);

    m->done = 0;
    m->all = status == IG_OK ? work_of(m, exact) : 0;
    if (status == IG_OK && !evaluation)
        status = measure_space(m, IG_SPACE_ORIGINAL, exact, &evaluation, error);
    for (int i = 0; i < 2 && status == IG_OK; i++) {
        ig_evaluation_spec spec = {.row = m->subset.row, .rows = m->subset.rows};
        ig_evaluation e;

        spec.measures = IG_MEASURE_SPACE_CKA;
        spec.other = other[i];
        status = ig_evaluation_take(&e, &of[v].originals, &spec, m->work->pool, &watch,
                                    error);
        *(i ? &made.cka_last : &made.cka_before) =
            ig_figures_value(&e.figures, "cka_run");
        ig_evaluation_free(&e);
    }
    made.evaluation = (const ig_evaluation *)evaluation;
    if (status == IG_OK)
        *figures = made;
    else if (!figures->evaluation)
        ig_shared_evaluation_release(evaluation);
    return status;
}

void ig_evaluation_state_free(ig_evaluation_state *m)
{
    drop_subset(m);
    ig_pairs_free(&m->pairs);
    ig_shown_release(m->shown);
    ig_free(m->held_out);
    ig_free(m->norm);
}
