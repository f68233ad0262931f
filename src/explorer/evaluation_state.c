/* The evaluation of the weights shown, of the run compared with it, and of all
 * versions. Their jobs share a lane, and so the rows that are measured. */
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
    EXACT_ONLY = IG_MEASURE_HIDDEN_PROBE,
    OF_VERSIONS = IG_MEASURE_GEOMETRY | IG_MEASURE_POOL | IG_MEASURE_RETRIEVAL |
                  IG_MEASURE_CKA | IG_MEASURE_PROBE | IG_MEASURE_SPACE_CKA
};

/* How much is measured. */
typedef enum extent {
    SAMPLE,    /* cheap enough during training */
    WHOLE,     /* everything, unless it would take minutes */
    EVERYTHING /* whatever it costs */
} extent;

static void delete_evaluation(void *evaluation)
{
    if (evaluation)
        ig_evaluation_free(evaluation);
    ig_free(evaluation);
}

/* Free a result, but the evaluation of the originals that another has too. */
static void delete_other(ig_shown_evaluation *f, const ig_shown_evaluation *kept)
{
    bool shared = f && kept && f->space[0] == kept->space[0];

    for (int s = shared; f && s < IG_SPACES; s++)
        delete_evaluation((void *)f->space[s]);
    if (f)
        ig_arena_free(&f->arena);
    ig_free(f);
}

static void delete_shown(void *evaluation)
{
    delete_other(evaluation, NULL);
}

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
    if (value == IG_VALUE_ALIGNMENT)
        return 2 - 2 * (double)found->cosine;
    if (value == IG_VALUE_RANK)
        return ig_retrieval_has_ranks(score) ? found->rank : (double)NAN;
    return score->candidates < 2 ? (double)NAN /* anything finds a single candidate */
           : found->tied         ? 0
                                 : 1.0 / found->rank;
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

static void put_row_values(ig_shown_evaluation *f, const ig_rows *originals)
{
    const ig_evaluation *language = f->space[IG_SPACE_LANGUAGE];
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING]
                                       ? f->space[IG_SPACE_MEANING]
                                       : f->space[IG_SPACE_ORIGINAL];
    size_t n = originals->rows, d = originals->dims;
    float *norm = new_values(f, IG_VALUE_NORM, n);
    float *row = ig_arena_array(&f->arena, d, sizeof *row);
    float *scratch = ig_arena_array(&f->arena, originals->scratch + 1, sizeof *scratch);

    put_means(f, IG_VALUE_ALIGNMENT, n, &meaning->retrieval);
    put_means(f, IG_VALUE_RANK, n, &meaning->retrieval);
    if (language)
        put_means(f, IG_VALUE_LEAK, n, &language->retrieval);
    if (meaning->multilingual_pool.found)
        put_pool_values(f, n, &meaning->multilingual_pool);
    for (size_t i = 0; !f->arena.failed && i < n; i++) {
        ig_rows_read(originals, NULL, i, 1, row, d, scratch);
        norm[i] = (float)ig_rows_length(row, d);
    }
}

/* --- the rows that are measured --------------------------------------------------- */

const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived)
{
    if (work->pairs->given || !work->set->has_ids)
        return work->pairs;
    if (ig_pairs_derive(derived, work->set, ig_pairing_usual(work->set), NULL) != IG_OK)
        *derived = (ig_pairs){0};
    return derived->count ? derived : work->pairs;
}

static bool is_sampled(const ig_evaluation_state *m)
{
    return m->limits.meanings || m->limits.rows;
}

static ig_evaluation_spec spec_of(const ig_job *job, bool exact)
{
    const ig_evaluation_state *m = &job->session->measures;
    size_t version = job->shown->version;
    ig_evaluation_spec spec =
        ig_evaluation_spec_of(job->work->set, &m->subset, job->view.seed);

    if (!exact)
        spec.measures &= ~(unsigned)EXACT_ONLY;
    if (is_sampled(m)) /* on so few rows a probe reads little */
        spec.measures &= ~(unsigned)IG_MEASURE_PROBE;
    if (job->result->view) {
        spec.intervals = exact && m->subset.rows <= INTERVAL_ROWS;
    } else { /* of a version */
        spec.measures &= (unsigned)OF_VERSIONS;
        spec.other = version ? &job->session->of[version - 1].originals : NULL;
    }
    return spec;
}

/* The evaluation of a space that the result before has, and a job need not make. */
static const ig_evaluation *kept_of(const ig_job *job, int space, bool exact)
{
    const ig_shown_evaluation *before = job->result->value;

    return space == IG_SPACE_ORIGINAL && before &&
                   before->subset == job->session->measures.subsets &&
                   before->version == job->shown->version &&
                   (!exact || before->space[0]->taken & (unsigned)EXACT_ONLY)
               ? before->space[0]
               : NULL;
}

static double work_of(const ig_job *job, bool exact)
{
    ig_evaluation_spec spec = spec_of(job, exact);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++) {
        const ig_rows *rows = ig_shown_rows(job->shown, (ig_space)space);

        if (rows && !kept_of(job, space, exact))
            work += ig_evaluation_work(rows, &spec);
    }
    return work;
}

static ig_status take_subset(ig_job *job, ig_subset_limits limits)
{
    ig_evaluation_state *m = &job->session->measures;

    ig_subset_free(&m->subset);
    m->subsets++;
    m->limits = limits;
    if (!m->measured)
        m->measured = ig_evaluation_pairs(job->work, &m->pairs);
    return ig_subset_take(&m->subset, job->work->set, m->measured, job->session->scores,
                          m->run ? m->held_out : NULL, limits, job->view.seed,
                          &job->error);
}

/* The largest sample whose measures take half of a cheap frame (a tenth of the time at
 * most). */
static ig_status take_sample(ig_job *job)
{
    const ig_evaluation_state *m = &job->session->measures;
    double work, most = job->work->cheap / 2;
    ig_status status = IG_OK;

    while (status == IG_OK && (work = work_of(job, false)) > most) {
        double share = fmin(0.9, sqrt(most / work));
        ig_subset_limits limits = m->limits;

        if (m->subset.meanings > MIN_MEANINGS)
            limits.meanings =
                (size_t)fmax(MIN_MEANINGS, (double)m->subset.meanings * share);
        else if (m->subset.rows > MIN_ROWS) /* without pairs, as in a set without ids */
            limits.rows = (size_t)fmax(MIN_ROWS, (double)m->subset.rows * share);
        else
            break;
        status = take_subset(job, limits);
    }
    return status;
}

/* All rows, or a sample: *exact says which. A sample is kept while it trains, so that
 * figures of one run can be compared.
 *   run  in  whose held-out ids, 0: all */
static ig_status choose_subset(ig_job *job, unsigned run, extent much, bool *exact)
{
    ig_evaluation_state *m = &job->session->measures;
    bool same = m->has_subset && m->run == run;
    ig_status status = IG_OK;

    *exact = much != SAMPLE;
    m->run = run;
    m->has_subset = false;
    if (!same || (*exact && is_sampled(m)))
        status = take_subset(job, (ig_subset_limits){0});
    if (status == IG_OK && much == WHOLE)
        *exact = work_of(job, true) <= UNASKED_FLOPS;
    if (status == IG_OK && !*exact && !is_sampled(m))
        status = take_sample(job);
    m->has_subset = status == IG_OK;
    return status;
}

/* --- measuring -------------------------------------------------------------------- */

/* Measure all spaces of what a job shows: space (IG_SPACES), NULL where there is none;
 * all NULL where only a request would measure more than the sample that is known. */
static ig_status measure_spaces(ig_job *job, unsigned run, extent much, bool *exact,
                                const ig_evaluation **space)
{
    const ig_shown_evaluation *before = job->result->value;
    ig_job_part part = {.job = job};
    ig_progress watch = {.stop = &job->cancel, .tick = ig_job_tick, .context = &part};
    const ig_rows *rows[IG_SPACES];
    ig_evaluation_spec spec;
    ig_evaluation *made;
    ig_status status = choose_subset(job, run, much, exact);

    if (status != IG_OK ||
        (much != SAMPLE && !*exact && before && before->weights == job->shown->serial))
        return status;
    spec = spec_of(job, *exact);
    part.each = 1 / fmax(1, work_of(job, *exact));
    for (int i = 0; i < IG_SPACES; i++)
        rows[i] = ig_shown_rows(job->shown, (ig_space)i);
    for (int i = 0; i < IG_SPACES && status == IG_OK; i++) {
        space[i] = kept_of(job, i, *exact);
        if (!rows[i] || space[i])
            continue;
        space[i] = made = ig_alloc(1, sizeof *made);
        if (!made)
            return ig_fail_memory(&job->error, "the measures");
        spec.part = i == IG_SPACE_MEANING && rows[IG_SPACE_LANGUAGE] ? rows : NULL;
        status = ig_evaluation_take(made, rows[i], &spec, job->work->pool, &watch,
                                    &job->error);
        part.done += ig_evaluation_work(rows[i], &spec) * part.each;
        watch.done = 0;
    }
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
    key->asked[2] = ig_shown_view(v->shown);
    key->weights = v->shown->serial;
    return true;
}

static bool prepare_evaluation(ig_session *s, ig_job *job)
{
    ig_evaluation_state *m = &s->measures;
    unsigned run = (unsigned)job->key.asked[0];

    if (!m->held_out)
        m->held_out = ig_alloc(s->work.set->rows, 1);
    if (run && m->held_out)
        memcpy(m->held_out, ig_training_held_out(s, run), s->work.set->rows);
    return m->held_out;
}

static ig_status make_evaluation(ig_job *job)
{
    ig_evaluation_state *m = &job->session->measures;
    extent much = job->key.asked[1] != job->result->made.asked[1]       ? EVERYTHING
                  : job->cause == IG_CAUSE_WHOLE || !job->session->live ? WHOLE
                                                                        : SAMPLE;
    ig_shown_evaluation *f = m->made = ig_alloc(1, sizeof *f);
    ig_status status = IG_NOMEM;

    if (f)
        status =
            measure_spaces(job, (unsigned)job->key.asked[0], much, &f->exact, f->space);
    job->made.sample = much == SAMPLE;
    if (status == IG_OK && f->space[0]) {
        f->serial = ++m->serials;
        f->version = job->shown->version;
        f->run = job->shown->run;
        f->epoch = job->shown->epoch;
        f->held_out = m->run != 0;
        f->ids = m->subset.meanings;
        f->of_ids = m->subset.of_meanings;
        f->rows = m->subset.rows;
        f->of_rows = m->subset.of_rows;
        f->weights = job->shown->serial;
        f->subset = m->subsets;
        put_row_values(f, ig_shown_rows(job->shown, IG_SPACE_ORIGINAL));
    }
    return !f || f->arena.failed ? ig_fail_memory(&job->error, "the measures") : status;
}

/* The newest result replaces the one before, of which it keeps the originals. */
static void finish_evaluation(ig_session *s, ig_job *job)
{
    ig_shown_evaluation *made = s->measures.made, *before = job->result->value;
    bool is_new = job->status == IG_OK && made->space[0];

    s->measures.made = NULL;
    job->result->value = is_new ? made : before;
    delete_other(is_new ? before : made, job->result->value);
    s->jobs.at_once |= is_new;
}

/* Each measure takes a tenth of the time. */
const ig_result_kind ig_evaluation_kind = {IG_LANE_MEASURES,
                                           .share = 0.1,
                                           .needs = IG_ASKS_EVALUATION,
                                           .key = evaluation_key,
                                           .prepare = prepare_evaluation,
                                           .make = make_evaluation,
                                           .finish = finish_evaluation,
                                           .free = delete_shown};

void ig_session_measure(ig_session *s)
{
    for (int i = 0; i < (s->compared_run ? 2 : 1); i++) {
        const ig_result *r = &s->result[IG_PRODUCT_EVALUATION + i];
        const ig_shown_evaluation *e = r->value;
        ig_view_state *v = r->view;

        v->asked += !(e && e->exact && e->weights == v->shown->serial);
    }
}

/* --- of all versions -----------------------------------------------------------------
 * Each version is measured once, from the one shown. */

/* Stepping does not cancel the version that is being measured. */
static bool versions_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    size_t at = s->version, n = 0;

    while (n++ < s->dataset.count && s->of[at].measured)
        at = (at + 1) % s->dataset.count;
    key->asked[0] = r->job ? r->job->key.asked[0] : at;
    return s->dataset.count > 1 && !s->of[key->asked[0]].measured;
}

static bool prepare_versions(ig_session *s, ig_job *job)
{
    size_t v = (size_t)job->key.asked[0];

    job->shown = ig_shown_new(&s->work, v, &s->of[v], 0, NULL, 0, 0);
    return job->shown;
}

static ig_status make_versions(ig_job *job)
{
    const ig_evaluation *space[IG_SPACES] = {NULL};
    bool exact;
    ig_status status = measure_spaces(job, 0, WHOLE, &exact, space);

    if (status == IG_OK)
        ig_job_report(job, (void *)space[0]);
    else
        delete_evaluation((void *)space[0]);
    return status;
}

static void finish_versions(ig_session *s, ig_job *job)
{
    ig_version_entry *f = &s->of[job->key.asked[0]];

    f->measured = job->status != IG_INTERRUPTED;
    if (job->status == IG_OK) {
        f->evaluation = job->result->value;
        job->result->value = NULL;
    }
    s->jobs.at_once = true;
}

const ig_result_kind ig_versions_kind = {IG_LANE_MEASURES,
                                         .idle = true,
                                         .needs = IG_ASKS_VERSIONS,
                                         .key = versions_key,
                                         .prepare = prepare_versions,
                                         .make = make_versions,
                                         .finish = finish_versions,
                                         .free = delete_evaluation};

void ig_evaluation_state_free(ig_session *s)
{
    ig_evaluation_state *m = &s->measures;

    for (size_t v = 0; v < s->dataset.count; v++)
        delete_evaluation(s->of[v].evaluation);
    ig_subset_free(&m->subset);
    ig_pairs_free(&m->pairs);
    ig_free(m->held_out);
}
