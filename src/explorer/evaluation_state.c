/* The evaluation of the weights shown, of the run compared with it, and of all
 * versions. Their jobs share a lane, and so the rows that are measured. */
#include "explorer/session.h"

#include <math.h>
#include <string.h>

/* Of an exact evaluation without a request: not minutes. */
static const double UNASKED_FLOPS = 4e12;

enum {
    MIN_MEANINGS = 16, /* of a sample … */
    MIN_ROWS = 1000,   /* … without pairs */
    /* Too slow for a sample: a probe that is trained by steps. */
    EXACT_ONLY = IG_MEASURE_HIDDEN_PROBE,
    OF_VERSIONS = IG_MEASURE_GEOMETRY | IG_MEASURE_POOL | IG_MEASURE_RETRIEVAL |
                  IG_MEASURE_CKA | IG_MEASURE_PROBE | IG_MEASURE_SPACE_CKA
};

static void delete_shown(void *evaluation)
{
    ig_shown_evaluation *f = evaluation;

    for (int space = 0; f && space < IG_SPACES; space++)
        ig_evaluation_free((ig_evaluation *)f->space[space]);
    if (f)
        ig_arena_free(&f->arena);
    ig_free(f);
}

/* --- values of rows --------------------------------------------------------------- */

static float *new_values(ig_shown_evaluation *f, ig_value value, size_t n)
{
    float *out = f->value[value] = ig_arena_array(&f->arena, n, sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = NAN;
    return out;
}

/* The means over the translations of each row, without what is undefined in a
 * direction: anything finds a single candidate. */
static void put_means(ig_shown_evaluation *f, ig_value value, size_t n,
                      const ig_retrieval *r)
{
    float *out = new_values(f, value, n);
    double *sum = ig_arena_array(&f->arena, n, sizeof *sum);
    uint32_t *count = ig_arena_array(&f->arena, n, sizeof *count);

    for (size_t s = 0; !f->arena.failed && s < r->count; s++) {
        const ig_retrieval_score *score = &r->score[s];
        bool counts = value == IG_VALUE_ALIGNMENT ||
                      (value == IG_VALUE_RANK ? !score->reason : score->candidates > 1);

        for (size_t i = 0; counts && i < score->pairs; i++) {
            const ig_query_result *found = &r->found[score->first + i];

            sum[found->query] += value == IG_VALUE_ALIGNMENT
                                     ? 2 - 2 * (double)found->cosine
                                 : value == IG_VALUE_RANK ? found->rank
                                 : found->tied            ? 0
                                                          : 1.0 / found->rank;
            out[found->query] = (float)(sum[found->query] / ++count[found->query]);
        }
    }
}

static void put_row_values(ig_shown_evaluation *f, const ig_rows *originals)
{
    const ig_evaluation *language = f->space[IG_SPACE_LANGUAGE];
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING]
                                       ? f->space[IG_SPACE_MEANING]
                                       : f->space[IG_SPACE_ORIGINAL];
    const ig_multilingual_pool *pool = &meaning->multilingual_pool;
    size_t n = originals->rows, d = originals->dims;
    float *row = ig_arena_array(&f->arena, d, sizeof *row);
    float *scratch = ig_arena_array(&f->arena, originals->scratch + 1, sizeof *scratch);

    put_means(f, IG_VALUE_ALIGNMENT, n, &meaning->retrieval);
    put_means(f, IG_VALUE_RANK, n, &meaning->retrieval);
    if (language)
        put_means(f, IG_VALUE_LEAK, n, &language->retrieval);
    for (int value = IG_VALUE_PURITY; value < IG_VALUES; value++)
        if (value == IG_VALUE_NORM || pool->found)
            new_values(f, (ig_value)value, n);
    for (size_t i = 0; !f->arena.failed && pool->found && i < pool->rows; i++) {
        const ig_pool_row *one = &pool->found[i];

        f->value[IG_VALUE_PURITY][one->row] = one->purity;
        f->value[IG_VALUE_HUBNESS][one->row] = (float)one->hub;
        f->value[IG_VALUE_DENSITY][one->row] = one->density;
    }
    for (size_t i = 0; !f->arena.failed && i < n; i++) {
        ig_rows_read(originals, NULL, i, 1, row, d, scratch);
        f->value[IG_VALUE_NORM][i] = (float)ig_rows_length(row, d);
    }
}

/* --- the rows that are measured --------------------------------------------------- */

const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived)
{
    const ig_dataset *set = work->set;

    if (!work->pairs->given && set->ids && !derived->count)
        ig_pairs_derive(derived, set, ig_pairing_usual(set), NULL);
    return derived->count ? derived : work->pairs;
}

static bool is_sampled(const ig_subset *s)
{
    return s->meanings < s->of_meanings || s->rows < s->of_rows;
}

static ig_evaluation_spec spec_of(const ig_job *job, bool exact)
{
    const ig_evaluation_state *m = &job->session->measures;
    size_t version = job->shown->version;
    ig_evaluation_spec spec =
        ig_evaluation_spec_of(job->work->set, &m->subset, job->view.seed);

    if (!exact)
        spec.measures &= ~(unsigned)EXACT_ONLY;
    if (is_sampled(&m->subset)) /* on so few rows a probe reads little */
        spec.measures &= ~(unsigned)IG_MEASURE_PROBE;
    if (job->result->view) {
        spec.intervals = exact;
    } else { /* of a version */
        spec.measures &= (unsigned)OF_VERSIONS;
        spec.other = version ? &job->session->of[version - 1].originals : NULL;
    }
    return spec;
}

static double work_of(const ig_job *job, bool exact)
{
    ig_evaluation_spec spec = spec_of(job, exact);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++) {
        const ig_rows *rows = ig_shown_rows(job->shown, (ig_space)space);

        if (rows)
            work += ig_evaluation_work(rows, &spec);
    }
    return work;
}

static ig_status take_subset(ig_job *job, ig_subset_limits limits)
{
    ig_evaluation_state *m = &job->session->measures;

    ig_subset_free(&m->subset);
    return ig_subset_take(&m->subset, job->work->set,
                          ig_evaluation_pairs(job->work, &m->pairs),
                          job->session->setup.scores, m->run ? m->held_out : NULL,
                          limits, job->view.seed, &job->error);
}

/* Take all rows, or the largest sample whose measures take half of a cheap frame (a
 * tenth of the time at most): *exact says which. A sample is kept while it trains, so
 * that figures of one run can be compared.
 *   run   in  whose held-out ids, 0: all
 *   flops in  that all rows may take, 0: a sample */
static ig_status choose_rows(ig_job *job, unsigned run, double flops, bool *exact)
{
    ig_evaluation_state *m = &job->session->measures;
    bool keep = m->subset.rows && m->run == run &&
                (flops <= 0 || !is_sampled(&m->subset));
    double work, most = job->work->cheap / 2;
    ig_subset_limits limits = {0};
    ig_status status = IG_OK;

    m->run = run;
    if (!keep)
        status = take_subset(job, limits);
    *exact = status == IG_OK && flops > 0 && work_of(job, true) <= flops;
    keep = *exact || is_sampled(&m->subset);
    while (!keep && status == IG_OK && (work = work_of(job, false)) > most) {
        double share = fmin(0.9, sqrt(most / work));

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

/* Measure all spaces of what a job shows. Its rows are computed as those of commands:
 * kept ones were read in other tiles and round differently, by which probes differ. */
static ig_status measure_spaces(ig_job *job, bool exact, ig_shown_evaluation *f)
{
    ig_job_part part = {.job = job, .each = 1 / fmax(1, work_of(job, exact))};
    ig_progress watch = {.stop = &job->cancel, .tick = ig_job_tick, .context = &part};
    ig_evaluation_spec spec = spec_of(job, exact);
    ig_status status = IG_OK;

    for (int i = 0; i < IG_SPACES && status == IG_OK; i++) {
        const ig_rows *rows = ig_shown_rows(job->shown, (ig_space)i);
        ig_evaluation *made;

        if (!rows)
            continue;
        if (i != IG_SPACE_ORIGINAL)
            rows = &job->shown->computed.rows[i];
        f->space[i] = made = ig_arena_array(&f->arena, 1, sizeof *made);
        if (!made)
            return ig_fail_memory(&job->error, "the measures");
        spec.part = i == IG_SPACE_MEANING ? job->shown->computed.part : NULL;
        status =
            ig_evaluation_take(made, rows, &spec, job->work->pool, &watch, &job->error);
        part.done += ig_evaluation_work(rows, &spec) * part.each;
        watch.done = 0;
    }
    return status;
}

static ig_status make_evaluation(ig_job *job)
{
    const ig_evaluation_state *m = &job->session->measures;
    ig_shown_evaluation *f = ig_alloc(1, sizeof *f);
    const ig_shown_evaluation *before = job->result->value;
    bool of_view = job->result->view, exact;
    double flops = job->key.asked[1] != job->result->made.asked[1] ? INFINITY
                   : job->cause == IG_CAUSE_WHOLE || !job->session->live || !of_view
                       ? UNASKED_FLOPS
                       : 0;
    ig_status status;

    if (!f)
        return ig_fail_memory(&job->error, "the measures");
    status = choose_rows(job, (unsigned)job->key.asked[0], flops, &exact);
    *f = (ig_shown_evaluation){.serial = before ? before->serial + 1 : 1,
                               .by = ig_shown_made(job->shown),
                               .held_out = m->run != 0,
                               .trained = -1,
                               .ids = m->subset.meanings,
                               .of_ids = m->subset.of_meanings,
                               .rows = m->subset.rows,
                               .of_rows = m->subset.of_rows};
    if (status == IG_OK)
        status = measure_spaces(job, exact, f);
    if (status == IG_OK && of_view)
        put_row_values(f, ig_shown_rows(job->shown, IG_SPACE_ORIGINAL));
    if (f->arena.failed)
        status = ig_fail_memory(&job->error, "the measures");
    job->made.sample = flops <= 0;
    if (status == IG_OK)
        ig_job_report(job, f);
    else
        delete_shown(f);
    return status;
}

/* --- of the view ---------------------------------------------------------------------
 * Of the run that is shown, and on the same rows of the one compared; never weights of
 * one run for another, nor, without a screen, weights that still change. */

static bool evaluation_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_state *v = r->view;
    bool main = v == &s->main;

    if ((!s->live && ig_session_training(s)) || !(main || s->compares) ||
        (v->shown->run && v->shown->run != (main ? s->shown_run : s->compared_run)))
        return false;
    if (!s->view.all_rows && ig_training_rows(s, s->shown_run, true))
        key->asked[0] = s->shown_run;
    key->asked[1] = v->asked;
    key->asked[2] = ig_shown_view(v->shown);
    key->weights = v->shown->serial;
    return true;
}

static void prepare_evaluation(ig_session *s, ig_job *job)
{
    ig_evaluation_state *m = &s->measures;
    unsigned run = (unsigned)job->key.asked[0];

    if (run)
        memcpy(m->held_out, ig_training_rows(s, run, true), s->work.set->rows);
}

/* Each measure takes a tenth of the time. */
const ig_result_kind ig_evaluation_kind = {IG_LANE_MEASURES,
                                           .share = 0.1,
                                           .needs = IG_ASKS_EVALUATION,
                                           .key = evaluation_key,
                                           .prepare = prepare_evaluation,
                                           .make = make_evaluation,
                                           .free = delete_shown};

/* --- of all versions -----------------------------------------------------------------
 * Each version is measured once, from the one shown. */

/* Stepping does not cancel the version that is being measured. */
static bool versions_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    size_t at = s->version, n = 0;

    while (n++ < s->dataset.count && s->of[at].measured)
        at = (at + 1) % s->dataset.count;
    key->asked[2] = r->job ? r->job->key.asked[2] : at;
    return s->dataset.count > 1 && !s->of[key->asked[2]].measured;
}

static void prepare_versions(ig_session *s, ig_job *job)
{
    size_t v = (size_t)job->key.asked[2];

    job->shown = ig_shown_new(&s->work, v, &s->of[v], 0, NULL, 0, 0);
    if (!job->shown)
        job->status = ig_fail_memory(&job->error, "a version");
}

static void finish_versions(ig_session *s, ig_job *job)
{
    ig_version_entry *f = &s->of[job->key.asked[2]];

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
                                         .make = make_evaluation,
                                         .finish = finish_versions,
                                         .free = delete_shown};
