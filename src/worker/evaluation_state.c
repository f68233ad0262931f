/* The evaluation of the weights shown, step by step. */
#include "worker/evaluation_state.h"

#include <math.h>

#include "measure/bootstrap.h"

/* Arithmetic of a sample's measures (some 50 ms on two cores; they take a tenth of the
 * time at most), of one step, and of what is measured in full without being asked. */
static const double SAMPLE_FLOPS = 1e10, STEP_FLOPS = 1e11, UNASKED_FLOPS = 4e12;

enum { LEAST_MEANINGS = 16, LEAST_ROWS = 1000 };

/* Rows of which intervals are drawn unasked: some 0.1 s a space. */
enum { INTERVAL_ROWS = 40000 };

/* --- values of rows --------------------------------------------------------------- */

/* NaN: the direction says nothing of it. */
typedef double row_value(const ig_retrieval_score *score, const ig_found *found);

static double alignment_of(const ig_retrieval_score *score, const ig_found *f)
{
    (void)score;
    return 2 - 2 * (double)f->cosine;
}

/* Ranks that are taken back (measure/ties.h) are none of rows either. */
static double rank_of(const ig_retrieval_score *score, const ig_found *f)
{
    return isnan(score->top1) ? NAN : (double)f->rank;
}

/* Where all candidates tie, nothing is found; one alone is found by anything. */
static double leak_of(const ig_retrieval_score *score, const ig_found *f)
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
    ig_free(sum);
    ig_free(count);
    return out;
}

static void put_row_values(ig_shown_evaluation *f, size_t rows)
{
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING];

    if (!meaning)
        meaning = f->space[IG_SPACE_ORIGINAL];
    f->value[IG_VALUE_ALIGNMENT] = values_of(rows, meaning, alignment_of);
    f->value[IG_VALUE_RANK] = values_of(rows, meaning, rank_of);
    f->value[IG_VALUE_LEAK] = values_of(rows, f->space[IG_SPACE_LANGUAGE], leak_of);
}

/* --- one set of measures ---------------------------------------------------------- */

static void drop_going(ig_evaluation_state *m)
{
    for (int s = 0; s < IG_SPACES; s++) {
        ig_shared_evaluation_release(m->space[s]);
        m->space[s] = NULL;
    }
    m->going = false;
    m->done = m->all = 0;
}

static void drop_subset(ig_evaluation_state *m)
{
    drop_going(m);
    ig_shared_evaluation_release(m->original);
    m->original = NULL;
    ig_subset_free(&m->subset);
    ig_scores_free(&m->some);
    m->has_subset = false;
}

const ig_pairs *ig_evaluation_state_pairs(ig_evaluation_state *m)
{
    const ig_work *work = m->work;

    if (work->pairs->given || !work->set->has_ids)
        return work->pairs;
    if (!m->paired && ig_pairs_derive(&m->pairs, work->set, "all", NULL) != IG_OK)
        m->pairs = (ig_pairs){0};
    m->paired = true;
    return m->pairs.count ? &m->pairs : work->pairs;
}

/* What is too dear for a sample: a probe that is trained by steps. */
enum { EXACT_ONLY = IG_MEASURE_HIDDEN_PROBE };

static ig_subject subject_of(const ig_evaluation_state *m, bool exact)
{
    ig_subject subject = ig_subject_of(
        m->work->set, &m->subset, m->scores && m->subset_run ? &m->some : m->scores,
        m->work->request->seed);

    if (!exact)
        subject.measures &= ~(unsigned)EXACT_ONLY;
    subject.intervals = exact && m->subset.rows <= INTERVAL_ROWS;
    return subject;
}

/* The rows of a space, or NULL: it is not measured. */
static const ig_rows *rows_of(const ig_evaluation_state *m, ig_space space,
                              const ig_evaluation_key *key)
{
    return space == IG_SPACE_ORIGINAL || key->weights ? ig_shown_rows(m->shown, space)
                                                      : NULL;
}

/* The arithmetic of all spaces. */
static double work_of(ig_evaluation_state *m, const ig_evaluation_key *key)
{
    ig_subject subject = subject_of(m, key->exact);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++) {
        const ig_rows *rows = rows_of(m, (ig_space)space, key);

        if (rows && !(space == IG_SPACE_ORIGINAL && m->original))
            work += ig_evaluation_work(rows, &subject);
    }
    return work;
}

static ig_status take_subset(ig_evaluation_state *m, unsigned run,
                             const uint8_t *held_out, size_t most, ig_error *error)
{
    ig_status status;

    if (m->has_subset && !m->thinned && m->subset_run == run && m->subset_most == most)
        return IG_OK;
    drop_subset(m);
    status = ig_subset_take(&m->subset, m->work->set, ig_evaluation_state_pairs(m),
                            held_out, most, m->work->request->seed, error);
    if (status == IG_OK && run && m->scores)
        status = ig_scores_copy(&m->some, m->scores, error);
    if (status == IG_OK && run && m->scores)
        ig_scores_keep(&m->some, held_out);
    m->has_subset = status == IG_OK;
    m->subset_run = run;
    m->subset_most = most;
    m->thinned = false;
    return status;
}

/* A sample of the next smaller size; false when it is as small as any may be. */
static bool take_less(ig_evaluation_state *m, const uint8_t *held_out, double share,
                      ig_status *status, ig_error *error)
{
    double ids = (double)m->subset.meanings * share;
    double rows = (double)m->subset.rows * share;

    if (m->subset.meanings > LEAST_MEANINGS) {
        *status = take_subset(m, m->subset_run, held_out,
                              ids > LEAST_MEANINGS ? (size_t)ids : LEAST_MEANINGS,
                              error);
        return true;
    }
    if (m->subset.rows <= LEAST_ROWS)
        return false;
    /* Rows without pairs: of a set without ids, all of them. */
    *status = ig_subset_thin(&m->subset, rows > LEAST_ROWS ? (size_t)rows : LEAST_ROWS,
                             m->work->request->seed, error);
    m->thinned = true;
    return true;
}

/* The subset for a key: everything, or as much as a sample may have. */
static ig_status choose_subset(ig_evaluation_state *m, const ig_evaluation_key *key,
                               const uint8_t *held_out, ig_error *error)
{
    ig_status status;
    double work;

    /* The sample there is serves on, so that figures of one run can be compared. */
    if (!key->exact && m->has_subset && m->subset_run == key->run &&
        (m->subset_most || m->thinned))
        return IG_OK;
    status = take_subset(m, key->run, held_out, 0, error);
    while (status == IG_OK && !key->exact && (work = work_of(m, key)) > SAMPLE_FLOPS)
        if (!take_less(m, held_out, fmin(0.9, sqrt(SAMPLE_FLOPS / work)), &status,
                       error))
            break;
    return status;
}

/* --- steps ------------------------------------------------------------------------ */

static void tick(void *context, double done)
{
    ig_evaluation_state *m = context;

    m->done += done; /* as far as it is told of meanwhile */
    m->work->attend(m->work->session, ig_evaluation_state_part(m));
    m->done -= done;
}

/* The measures of the next step: all that are left, or the first of them. */
static unsigned next_measures(const ig_rows *rows, ig_subject subject, unsigned left)
{
    subject.measures = left;
    return ig_evaluation_work(rows, &subject) <= STEP_FLOPS ? left : left & (0u - left);
}

static ig_status step(ig_evaluation_state *m, ig_error *error)
{
    const ig_rows *rows = rows_of(m, (ig_space)m->space_now, &m->going_key);
    ig_shared_evaluation *of = m->space[m->space_now];
    ig_subject subject = subject_of(m, m->going_key.exact);
    ig_watch watch = {.stop = m->work->cancel, .tick = tick, .context = m};
    const ig_rows *parts[IG_SPACES];
    ig_evaluation part;
    ig_status status;

    for (int i = 0; i < IG_SPACES; i++)
        parts[i] = rows_of(m, (ig_space)i, &m->going_key);
    if (m->space_now == IG_SPACE_MEANING && parts[IG_SPACE_MEANING] &&
        parts[IG_SPACE_LANGUAGE])
        subject.part = parts;
    subject.measures = next_measures(rows, subject, m->left);
    status = ig_evaluation_take(&part, rows, &subject, m->work->pool, &watch, error);
    if (status != IG_OK)
        return status;
    ig_evaluation_join(&of->evaluation, &part);
    m->done += ig_evaluation_work(rows, &subject);
    m->left &= ~subject.measures;
    return IG_OK;
}

/* The next space that is to be measured; *found: there is one. */
static ig_status next_space(ig_evaluation_state *m, bool *found, ig_error *error)
{
    *found = false;
    for (m->space_now++; m->space_now < IG_SPACES; m->space_now++) {
        ig_shared_evaluation **of = &m->space[m->space_now];

        if (!rows_of(m, (ig_space)m->space_now, &m->going_key))
            continue;
        if (m->space_now == IG_SPACE_ORIGINAL && m->original) {
            *of = ig_shared_evaluation_use(m->original);
            continue;
        }
        *of = ig_alloc(1, sizeof **of);
        if (!*of)
            return ig_fail_memory(error, "the measures");
        atomic_init(&(*of)->users, 1);
        m->left = subject_of(m, m->going_key.exact).measures;
        *found = true;
        break;
    }
    return IG_OK;
}

/* Intervals of what was measured exactly, drawn alike in all spaces. There are none
 * where they would take long or memory is short. */
static void take_intervals(ig_evaluation_state *m)
{
    const ig_rows *rows = rows_of(m, IG_SPACE_ORIGINAL, &m->going_key);
    ig_subject subject = subject_of(m, true);
    ig_resampling resampling;

    if (!m->going_key.exact || m->subset.rows > INTERVAL_ROWS ||
        ig_resampling_init(&resampling, rows->rows, &subject, subject.seed,
                           m->work->pool, NULL) != IG_OK)
        return;
    /* Others may read the original's already. */
    for (int space = 0; space < IG_SPACES; space++)
        if (m->space[space] && m->space[space] != m->original)
            ig_bootstrap_take(&m->space[space]->evaluation, &resampling, m->work->pool,
                              NULL);
    ig_resampling_free(&resampling);
}

static ig_status conclude(ig_evaluation_state *m, ig_error *error)
{
    ig_shown_evaluation *f = ig_alloc(1, sizeof *f);

    if (!f)
        return ig_fail_memory(error, "the measures");
    take_intervals(m);
    atomic_init(&f->users, 1);
    f->serial = ++m->serials;
    f->run = m->going_key.weights ? m->shown->run : 0;
    f->epoch = m->shown->epoch;
    f->held_out = m->going_key.run != 0;
    f->ids = m->subset.meanings;
    f->of_ids = m->subset.of_meanings;
    f->rows = m->subset.rows;
    f->of_rows = m->subset.of_rows;
    for (int space = 0; space < IG_SPACES; space++)
        f->space[space] =
            (const ig_evaluation *)ig_shared_evaluation_use(m->space[space]);
    if (!m->original)
        m->original = ig_shared_evaluation_use(m->space[IG_SPACE_ORIGINAL]);
    put_row_values(f, m->work->set->rows);
    ig_shown_evaluation_release(m->evaluation);
    m->evaluation = f;
    m->key = m->going_key;
    if (m->key.exact)
        m->answered = m->asked;
    drop_going(m);
    return IG_OK;
}

static ig_status begin(ig_evaluation_state *m, const ig_evaluation_key *key,
                       const uint8_t *held_out, ig_error *error)
{
    ig_status status;

    drop_going(m);
    status = choose_subset(m, key, held_out, error);
    if (status != IG_OK)
        return status;
    if (key->exact && m->original &&
        !(m->original->evaluation.taken & (unsigned)EXACT_ONLY)) {
        ig_shared_evaluation_release(m->original);
        m->original = NULL;
    }
    m->all = work_of(m, key);
    if (key->exact && m->asked == m->answered && m->all > UNASKED_FLOPS) {
        m->given_up = key->weights + 1; /* too long to be done unasked */
        return IG_OK;
    }
    m->going = true;
    m->going_key = *key;
    m->space_now = -1;
    m->left = 0;
    return IG_OK;
}

static ig_status go_on(ig_evaluation_state *m, bool *made, ig_error *error)
{
    while (m->left == 0) {
        bool found;
        ig_status status = next_space(m, &found, error);

        if (status == IG_OK && !found) {
            status = conclude(m, error);
            *made = status == IG_OK;
        }
        if (status != IG_OK || !found)
            return status;
    }
    return step(m, error);
}

/* --- from outside ----------------------------------------------------------------- */

static bool same_key(const ig_evaluation_key *a, const ig_evaluation_key *b)
{
    return a->weights == b->weights && a->run == b->run && a->exact == b->exact;
}

bool ig_evaluation_state_is_whole(const ig_evaluation_state *m)
{
    const ig_shown_evaluation *f = m->evaluation;

    return f && m->key.exact;
}

/* Nothing is asked for when it is there. */
void ig_evaluation_state_ask(ig_evaluation_state *m)
{
    if (!ig_evaluation_state_is_whole(m) || m->key.weights != m->shown->serial)
        m->asked++;
}

ig_status ig_evaluation_state_step(ig_evaluation_state *m, const ig_evaluation_key *key,
                                   const uint8_t *held_out, bool *made, ig_error *error)
{
    ig_status status = IG_OK;

    *made = false;
    if (!m->going || !same_key(key, &m->going_key))
        status = begin(m, key, held_out, error);
    if (status == IG_OK && m->going)
        status = go_on(m, made, error);
    if (status != IG_OK && status != IG_INTERRUPTED)
        drop_going(m);
    return status;
}

void ig_evaluation_state_cancel(ig_evaluation_state *m)
{
    m->given_up = m->shown->serial + 1;
    m->asked = m->answered;
    drop_going(m);
}

double ig_evaluation_state_part(const ig_evaluation_state *m)
{
    return m->all > 0 ? fmin(1, m->done / m->all) : 0;
}

void ig_evaluation_state_free(ig_evaluation_state *m)
{
    drop_subset(m);
    ig_pairs_free(&m->pairs);
    ig_shown_evaluation_release(m->evaluation);
}
