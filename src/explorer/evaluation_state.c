/* The evaluation of the weights shown. */
#include "explorer/session.h"

#include <math.h>
#include <string.h>

/* Arithmetic of an exact evaluation without a request. */
static const double UNASKED_FLOPS = 4e12;

enum {
    MIN_MEANINGS = 16, /* of a sample … */
    MIN_ROWS = 1000,   /* … without pairs */
    /* Maximum rows for intervals without a request: some 0.1 s a space. */
    INTERVAL_ROWS = 40000,
    /* Too slow for a sample: a probe that is trained by steps. */
    EXACT_ONLY = IG_MEASURE_HIDDEN_PROBE
};

/* How much is measured. */
typedef enum extent {
    SAMPLE,    /* cheap enough during training */
    WHOLE,     /* everything, unless it would take minutes */
    EVERYTHING /* whatever it costs */
} extent;

/* --- values of rows --------------------------------------------------------------- */

static float *new_values(ig_shown_evaluation *f, ig_value value, size_t n)
{
    float *out = f->value[value] = ig_arena_array(&f->arena, n, sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = NAN;
    return out;
}

/* A value of a query; NaN: undefined in this direction. */
static double value_of(ig_value value, const ig_retrieval_score *score,
                       const ig_query_result *found)
{
    switch (value) {
    case IG_VALUE_ALIGNMENT:
        return 2 - 2 * (double)found->cosine;
    case IG_VALUE_RANK:
        return ig_retrieval_has_ranks(score) ? found->rank : (double)NAN;
    default: /* IG_VALUE_LEAK: a single candidate is found by anything */
        return score->candidates < 2 ? (double)NAN
               : found->tied         ? 0
                                     : 1.0 / found->rank;
    }
}

/* The means over the translations of each row. */
static void put_means(ig_shown_evaluation *f, ig_value value, size_t n,
                      const ig_retrieval *r)
{
    float *out = new_values(f, value, n);
    double *sum = ig_arena_array(&f->arena, n, sizeof *sum);
    uint32_t *count = ig_arena_array(&f->arena, n, sizeof *count);

    for (size_t s = 0; !f->arena.failed && s < r->count; s++)
        for (size_t i = 0; i < r->score[s].pairs; i++) {
            const ig_query_result *found = &r->found[r->score[s].first + i];
            double one = value_of(value, &r->score[s], found);

            if (isnan(one))
                continue;
            sum[found->query] += one;
            out[found->query] = (float)(sum[found->query] / ++count[found->query]);
        }
}

/* What each row is among its ten nearest. */
static void put_pool_values(ig_shown_evaluation *f, size_t n,
                            const ig_multilingual_pool *pool)
{
    float *purity = new_values(f, IG_VALUE_PURITY, n);
    float *hubness = new_values(f, IG_VALUE_HUBNESS, n);
    float *density = new_values(f, IG_VALUE_DENSITY, n);

    for (size_t i = 0; !f->arena.failed && i < pool->rows; i++) {
        const ig_pool_row *row = &pool->found[i];

        purity[row->row] = row->purity;
        hubness[row->row] = (float)row->hub;
        density[row->row] = row->density;
    }
}

/* Lengths of the original vectors. */
static void put_norms(ig_shown_evaluation *f, const ig_rows *rows)
{
    float *out = new_values(f, IG_VALUE_NORM, rows->rows);
    ig_arena arena = {0};
    float *tile = ig_arena_array(&arena, IG_ROWS_TILE * rows->dims, sizeof *tile);
    float *scratch = ig_arena_array(&arena, rows->scratch + 1, sizeof *scratch);

    f->arena.failed |= arena.failed;
    for (size_t i = 0; !f->arena.failed && i < rows->rows; i += IG_ROWS_TILE) {
        size_t left = rows->rows - i, count = left < IG_ROWS_TILE ? left : IG_ROWS_TILE;
        size_t stride;
        const float *row = ig_rows_view(rows, i, count, tile, scratch, &stride);

        for (size_t k = 0; k < count; k++)
            out[i + k] = (float)ig_rows_length(row + k * stride, rows->dims);
    }
    ig_arena_free(&arena);
}

static void put_row_values(const ig_job *job, ig_shown_evaluation *f)
{
    const ig_evaluation *language = f->space[IG_SPACE_LANGUAGE];
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING]
                                       ? f->space[IG_SPACE_MEANING]
                                       : f->space[IG_SPACE_ORIGINAL];
    size_t n = job->work->set->rows;

    put_means(f, IG_VALUE_ALIGNMENT, n, &meaning->retrieval);
    put_means(f, IG_VALUE_RANK, n, &meaning->retrieval);
    if (language)
        put_means(f, IG_VALUE_LEAK, n, &language->retrieval);
    if (meaning->multilingual_pool.found)
        put_pool_values(f, n, &meaning->multilingual_pool);
    put_norms(f, ig_shown_rows(job->shown, IG_SPACE_ORIGINAL));
}

/* --- what is measured ------------------------------------------------------------- */

static void drop_original(ig_evaluation_state *m)
{
    ig_shared_evaluation_release(m->original);
    m->original = NULL;
}

const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived)
{
    if (work->pairs->given || !work->set->has_ids)
        return work->pairs;
    if (ig_pairs_derive(derived, work->set, ig_pairing_usual(work->set), NULL) != IG_OK)
        *derived = (ig_pairs){0};
    return derived->count ? derived : work->pairs;
}

static ig_evaluation_spec spec_of(const ig_evaluation_state *m, const ig_job *job,
                                  bool exact)
{
    ig_evaluation_spec spec =
        ig_evaluation_spec_of(job->work->set, &m->subset, job->view.seed);

    if (!exact)
        spec.measures &= ~(unsigned)EXACT_ONLY;
    if (m->limits.meanings || m->limits.rows) /* on so few rows a probe reads little */
        spec.measures &= ~(unsigned)IG_MEASURE_PROBE;
    if (m->only)
        spec.measures &= m->only;
    spec.other = m->other;
    spec.intervals = !m->only && exact && m->subset.rows <= INTERVAL_ROWS;
    return spec;
}

static double work_of(const ig_evaluation_state *m, const ig_job *job, bool exact)
{
    ig_evaluation_spec spec = spec_of(m, job, exact);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++) {
        const ig_rows *rows = ig_shown_rows(job->shown, (ig_space)space);

        if (rows && !(space == IG_SPACE_ORIGINAL && m->original))
            work += ig_evaluation_work(rows, &spec);
    }
    return work;
}

static ig_status take_subset(ig_evaluation_state *m, const ig_job *job,
                             ig_subset_limits limits, ig_error *error)
{
    const ig_session *s = job->session;

    drop_original(m);
    ig_subset_free(&m->subset);
    m->limits = limits;
    if (!m->measured)
        m->measured = ig_evaluation_pairs(job->work, &m->pairs);
    return ig_subset_take(&m->subset, job->work->set, m->measured,
                          m->only ? NULL : s->scores, m->run ? m->held_out : NULL,
                          limits, job->view.seed, error);
}

/* The largest sample whose measures take half of a cheap frame (a tenth of the time at
 * most). */
static ig_status take_sample(ig_evaluation_state *m, const ig_job *job, ig_error *error)
{
    double work, most = job->work->cheap / 2;
    ig_status status = IG_OK;

    while (status == IG_OK && (work = work_of(m, job, false)) > most) {
        double share = fmin(0.9, sqrt(most / work));
        ig_subset_limits limits = m->limits;

        if (m->subset.meanings > MIN_MEANINGS)
            limits.meanings =
                (size_t)fmax(MIN_MEANINGS, (double)m->subset.meanings * share);
        else if (m->subset.rows > MIN_ROWS) /* without pairs, as in a set without ids */
            limits.rows = (size_t)fmax(MIN_ROWS, (double)m->subset.rows * share);
        else
            break;
        status = take_subset(m, job, limits, error);
    }
    return status;
}

/* All rows, or a sample: *exact says which. A sample is kept while it trains, so that
 * figures of one run can be compared. */
static ig_status choose_subset(ig_evaluation_state *m, ig_job *job, extent much,
                               bool *exact)
{
    bool sampled = m->limits.meanings || m->limits.rows;
    bool same = m->has_subset && m->subset_run == m->run;
    ig_status status = IG_OK;

    if (m->version != job->shown->version)
        drop_original(m);
    m->version = job->shown->version;
    *exact = much != SAMPLE;
    if (!same || (sampled && *exact))
        status = take_subset(m, job, (ig_subset_limits){0}, &job->error);
    if (status == IG_OK && much == WHOLE)
        *exact = work_of(m, job, true) <= UNASKED_FLOPS;
    if (status == IG_OK && !*exact && !(same && sampled))
        status = take_sample(m, job, &job->error);
    m->has_subset = status == IG_OK;
    m->subset_run = m->run;
    if (*exact && m->original &&
        !(m->original->evaluation.taken & (unsigned)EXACT_ONLY))
        drop_original(m);
    return status;
}

/* --- measuring -------------------------------------------------------------------- */

static ig_status measure_space(ig_evaluation_state *m, ig_job_part *part,
                               ig_space space, bool exact, ig_shared_evaluation **out)
{
    ig_job *job = part->job;
    const ig_rows *rows[IG_SPACES];
    ig_evaluation_spec spec = spec_of(m, job, exact);
    ig_progress watch = {.stop = &job->cancel, .tick = ig_job_tick, .context = part};
    ig_status status;

    for (int i = 0; i < IG_SPACES; i++)
        rows[i] = ig_shown_rows(job->shown, (ig_space)i);
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
        return ig_fail_memory(&job->error, "the measures");
    atomic_init(&(*out)->users, 1);
    status = ig_evaluation_take(&(*out)->evaluation, rows[space], &spec,
                                job->work->pool, &watch, &job->error);
    part->done += ig_evaluation_work(rows[space], &spec) * part->each;
    return status;
}

/* --- of the view ---------------------------------------------------------------------
 * Of the run that is shown, and on the same rows of the one compared. Weights of one
 * run are never measured in the name of another that has none yet; and where nobody
 * looks on, not while they change. */

static bool evaluation_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_state *v = r->view;
    bool main = v == &s->main;

    if ((!s->live && ig_session_training(s)) || !ig_session_sees(s, r) ||
        (!main && !v->shown->weights) ||
        (v->shown->weights && v->shown->run != (main ? s->shown_run : s->compared_run)))
        return false;
    if (!s->view.all_rows && ig_training_held_out(s, s->shown_run))
        key->asked[0] = s->shown_run;
    key->asked[1] = v->asked;
    key->asked[2] = v->shown->version;
    key->follows[0] = v->shown->serial;
    key->whole = true;
    return true;
}

static bool prepare_evaluation(ig_session *s, ig_job *job)
{
    ig_evaluation_state *m = &((ig_view_state *)job->result->view)->evaluation;
    size_t rows = s->work.set->rows;

    m->run = (unsigned)job->key.asked[0];
    if (!m->held_out)
        m->held_out = ig_alloc(rows, 1);
    if (m->run && m->held_out)
        memcpy(m->held_out, ig_training_held_out(s, m->run), rows);
    return m->held_out;
}

static ig_shown_evaluation *new_evaluation(ig_evaluation_state *m, const ig_job *job,
                                           bool exact, ig_shared_evaluation *const *of)
{
    ig_shown_evaluation *f = ig_alloc(1, sizeof *f);

    if (!f)
        return NULL;
    *f = (ig_shown_evaluation){.serial = ++m->serials,
                               .version = job->shown->version,
                               .run = job->shown->run,
                               .epoch = job->shown->epoch,
                               .held_out = m->run != 0,
                               .ids = m->subset.meanings,
                               .of_ids = m->subset.of_meanings,
                               .rows = m->subset.rows,
                               .of_rows = m->subset.of_rows,
                               .weights = job->shown->serial,
                               .exact = exact};
    for (int i = 0; i < IG_SPACES; i++)
        f->space[i] = (const ig_evaluation *)ig_shared_evaluation_use(of[i]);
    put_row_values(job, f);
    if (!f->arena.failed)
        return f;
    ig_shown_evaluation_delete(f);
    return NULL;
}

static ig_status make_evaluation(ig_job *job)
{
    ig_evaluation_state *m = &((ig_view_state *)job->result->view)->evaluation;
    const ig_shown_evaluation *newest = job->result->value;
    extent much = job->key.asked[1] != job->before.asked[1]             ? EVERYTHING
                  : job->cause == IG_CAUSE_WHOLE || !job->session->live ? WHOLE
                                                                        : SAMPLE;
    ig_shared_evaluation *space[IG_SPACES] = {NULL};
    ig_job_part part = {.job = job};
    ig_shown_evaluation *made = NULL;
    bool exact;
    ig_status status = choose_subset(m, job, much, &exact);

    job->made.whole = much != SAMPLE;
    if (status == IG_OK && job->made.whole && !exact && newest &&
        newest->weights == job->shown->serial)
        return IG_OK; /* more is measured only on request */
    if (status == IG_OK)
        part.each = 1 / fmax(1, work_of(m, job, exact));
    for (int i = 0; i < IG_SPACES && status == IG_OK; i++)
        status = measure_space(m, &part, (ig_space)i, exact, &space[i]);
    if (status == IG_OK && !(made = new_evaluation(m, job, exact, space)))
        status = ig_fail_memory(&job->error, "the measures");
    if (status == IG_OK) {
        ig_job_report(job, made);
        drop_original(m);
        m->original = ig_shared_evaluation_use(space[IG_SPACE_ORIGINAL]);
    }
    for (int i = 0; i < IG_SPACES; i++)
        ig_shared_evaluation_release(space[i]);
    return status;
}

/* Each measure takes a tenth of the time. */
const ig_result_kind ig_evaluation_kind = {IG_LANE_MEASURES,
                                           IG_PRIORITY_FOLLOW,
                                           .share = 0.1,
                                           .needs = IG_ASKS_EVALUATION,
                                           .key = evaluation_key,
                                           .prepare = prepare_evaluation,
                                           .make = make_evaluation,
                                           .free = ig_shown_evaluation_delete};

void ig_session_measure(ig_session *s)
{
    for (int i = 0; i < (s->compared_run ? 2 : 1); i++) {
        const ig_result *r = &s->result[IG_PRODUCT_EVALUATION + i];
        const ig_shown_evaluation *e = r->value;
        ig_view_state *v = r->view;

        v->asked += !(e && e->exact && e->weights == v->shown->serial);
    }
}

void ig_session_cancel_measures(ig_session *s)
{
    for (int i = 0; i < 2; i++) {
        ig_result *r = &s->result[IG_PRODUCT_EVALUATION + i];
        ig_view_state *v = r->view;

        v->asked = r->known ? (unsigned)r->made.asked[1] : 0;
        r->made.whole = true;
        if (r->job)
            atomic_store(&r->job->cancel, true);
    }
}

/* --- of all versions -----------------------------------------------------------------
 * Each version is measured once, from the one shown. */

/* The version to measure next, or `versions`: all are measured. */
static size_t next_version(const ig_session *s)
{
    for (size_t i = 0; i < s->versions; i++) {
        size_t v = (s->version + i) % s->versions;

        if (!s->figures[v].tried)
            return v;
    }
    return s->versions;
}

/* Stepping does not cancel the version that is being measured. */
static bool versions_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    key->asked[0] = r->job ? r->job->key.asked[0] : next_version(s);
    return s->versions > 1 && key->asked[0] < s->versions;
}

static bool prepare_versions(ig_session *s, ig_job *job)
{
    size_t v = (size_t)job->key.asked[0];

    job->shown = ig_shown_new(&s->work, v, &s->of[v], 0, NULL, 0, 0);
    return job->shown;
}

static ig_status make_versions(ig_job *job)
{
    ig_session *s = job->session;
    ig_evaluation_state *m = &s->version_measures;
    size_t v = job->shown->version;
    ig_job_part part = {.job = job};
    bool exact;
    ig_status status = choose_subset(m, job, WHOLE, &exact);

    if (status != IG_OK)
        return status;
    m->other = v ? &s->of[v - 1].originals : NULL;
    part.each = 1 / fmax(1, work_of(m, job, exact));
    return measure_space(m, &part, IG_SPACE_ORIGINAL, exact, &s->figured);
}

static void finish_versions(ig_session *s, ig_job *job)
{
    ig_version_figures *f = &s->figures[job->key.asked[0]];

    f->tried = job->status != IG_INTERRUPTED;
    if (job->status == IG_OK)
        f->evaluation = (const ig_evaluation *)s->figured;
    else
        ig_shared_evaluation_release(s->figured);
    s->figured = NULL;
    s->jobs.at_once = true;
}

const ig_result_kind ig_versions_kind = {IG_LANE_MEASURES,
                                         IG_PRIORITY_IDLE,
                                         .needs = IG_ASKS_VERSIONS,
                                         .key = versions_key,
                                         .prepare = prepare_versions,
                                         .make = make_versions,
                                         .finish = finish_versions};

/* --- freeing ---------------------------------------------------------------------- */

void ig_evaluation_state_free(ig_evaluation_state *m)
{
    drop_original(m);
    ig_subset_free(&m->subset);
    ig_pairs_free(&m->pairs);
    ig_free(m->held_out);
}

ig_shared_evaluation *ig_shared_evaluation_use(ig_shared_evaluation *e)
{
    if (e)
        atomic_fetch_add(&e->users, 1);
    return e;
}

void ig_shared_evaluation_release(ig_shared_evaluation *e)
{
    if (!e || atomic_fetch_sub(&e->users, 1) > 1)
        return;
    ig_evaluation_free(&e->evaluation);
    ig_free(e);
}

void ig_shown_evaluation_delete(void *value)
{
    ig_shown_evaluation *f = value;

    for (int s = 0; f && s < IG_SPACES; s++)
        ig_shared_evaluation_release((ig_shared_evaluation *)f->space[s]);
    if (f)
        ig_arena_free(&f->arena);
    ig_free(f);
}
