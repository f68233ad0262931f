/* The worker's measures of the weights shown: on a sample beside training, on
 * everything when there is time. Space by space, and for large sets measure by measure:
 * what the user asks for breaks a step off, and only that step is done anew. Moves of
 * the cursor are answered amid it (serve.c). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "worker/kept.h"
#include "worker/measuring.h"

/* Arithmetic of a sample's measures (some 50 ms on two cores; they take a tenth of the
 * time at most), of one step, and of what is measured in full without being asked. */
static const double SAMPLE_FLOPS = 1e10, STEP_FLOPS = 1e11, UNASKED_FLOPS = 4e12;

enum { LEAST_MEANINGS = 16, LEAST_ROWS = 1000, SHARE = 10 };

/* A step is told of while it lasts. */
static const double BETWEEN_TICKS = 0.2;

/* --- what is shared --------------------------------------------------------------- */

static void release_evaluated(ig_evaluated *e)
{
    if (!e || atomic_fetch_sub(&e->users, 1) > 1)
        return;
    ig_evaluation_free(&e->evaluation);
    ig_free(e);
}

static ig_evaluated *use(ig_evaluated *e)
{
    if (e)
        atomic_fetch_add(&e->users, 1);
    return e;
}

void ig_findings_release(ig_findings *f)
{
    if (!f || atomic_fetch_sub(&f->users, 1) > 1)
        return;
    for (int s = 0; s < IG_SPACES; s++)
        release_evaluated((ig_evaluated *)f->space[s]);
    for (int v = 0; v < IG_VALUES; v++)
        ig_free(f->value[v]);
    ig_free(f);
}

/* --- one set of measures ---------------------------------------------------------- */

static void drop_going(ig_measuring *m)
{
    for (int s = 0; s < IG_SPACES; s++) {
        release_evaluated(m->space[s]);
        m->space[s] = NULL;
    }
    m->going = false;
    m->work = m->all = m->spent = 0;
}

static void drop_portion(ig_measuring *m)
{
    drop_going(m);
    release_evaluated(m->original);
    m->original = NULL;
    ig_portion_free(&m->portion);
    ig_scores_free(&m->some);
    m->portioned = false;
}

void ig_measuring_delete(ig_measuring *m)
{
    if (!m)
        return;
    drop_portion(m);
    ig_pairs_free(&m->pairs);
    ig_findings_release(m->findings);
    ig_free(m);
}

static ig_measuring *measuring_of(ig_session *s)
{
    if (!s->measuring)
        s->measuring = ig_alloc(1, sizeof *s->measuring);
    return s->measuring;
}

void ig_session_scores(ig_session *s, const ig_scores *scores)
{
    ig_measuring *m = measuring_of(s);

    if (m)
        m->scores = scores;
}

/* Of a run that was read: its split, when it was trained on this very data. */
static const uint8_t *stored_held_out(ig_session *s, ig_kept *k)
{
    if (k->split_tried)
        return k->held_out;
    k->split_tried = true;
    k->held_out = ig_alloc(s->set->rows, 1);
    if (k->held_out &&
        ig_stored_split(k->stored, s->set, s->pairs->given ? s->pairs : NULL, true,
                        k->held_out, NULL) != IG_OK) {
        ig_free(k->held_out);
        k->held_out = NULL;
    }
    return k->held_out;
}

const uint8_t *ig_worker_held_out(ig_session *s, unsigned number)
{
    ig_kept *k = ig_kept_find(s, number);
    const ig_run *run = s->run && number == s->run_number ? s->run : k ? k->run : NULL;

    if (k && k->stored)
        return stored_held_out(s, k);
    return run && run->split.valid ? run->split.held_out : NULL;
}

/* Pairs of all languages, unless the user gave pairs of their own. */
const ig_pairs *ig_worker_pairs(ig_session *s)
{
    ig_measuring *m = measuring_of(s);

    if (!m || s->pairs->given || !s->set->has_ids)
        return s->pairs;
    if (!m->paired && ig_pairs_derive(&m->pairs, s->set, "all", NULL) != IG_OK)
        m->pairs = (ig_pairs){0};
    m->paired = true;
    return m->pairs.count ? &m->pairs : s->pairs;
}

ig_subject ig_worker_subject(const ig_session *s, const ig_portion *p,
                             const ig_scores *scores)
{
    return ig_subject_of(s->set, p, scores, s->now.seed);
}

static ig_subject subject_of(const ig_session *s, const ig_measuring *m)
{
    return ig_worker_subject(s, &m->portion,
                             m->scores && m->portion_run ? &m->some : m->scores);
}

static bool has_space(ig_session *s, ig_space space, const ig_findings_key *key)
{
    return space == IG_SPACE_ORIGINAL || (key->weights && ig_worker_rows(s, space));
}

/* The arithmetic of all spaces. */
static double work_of(ig_session *s, ig_measuring *m, const ig_findings_key *key)
{
    ig_subject subject = subject_of(s, m);
    double work = 0;

    for (int space = 0; space < IG_SPACES; space++)
        if (has_space(s, (ig_space)space, key) &&
            !(space == IG_SPACE_ORIGINAL && m->original))
            work += ig_evaluation_work(
                space == IG_SPACE_ORIGINAL ? &s->originals : &s->rows[space], &subject);
    return work;
}

static ig_status take_portion(ig_session *s, ig_measuring *m, unsigned run, size_t most,
                              ig_error *error)
{
    ig_status status;

    if (m->portioned && !m->thinned && m->portion_run == run && m->portion_most == most)
        return IG_OK;
    drop_portion(m);
    status = ig_portion_take(&m->portion, s->set, ig_worker_pairs(s),
                             run ? ig_worker_held_out(s, run) : NULL, most, s->now.seed,
                             error);
    if (status == IG_OK && run && m->scores)
        status = ig_scores_copy(&m->some, m->scores, error);
    if (status == IG_OK && run && m->scores)
        ig_scores_keep(&m->some, ig_worker_held_out(s, run));
    m->portioned = status == IG_OK;
    m->portion_run = run;
    m->portion_most = most;
    m->thinned = false;
    return status;
}

/* A sample of the next smaller size; false when it is as small as any may be. */
static bool take_less(ig_session *s, ig_measuring *m, double share, ig_status *status,
                      ig_error *error)
{
    double ids = (double)m->portion.meanings * share;
    double rows = (double)m->portion.rows * share;

    if (m->portion.meanings > LEAST_MEANINGS) {
        *status = take_portion(s, m, m->portion_run,
                               ids > LEAST_MEANINGS ? (size_t)ids : LEAST_MEANINGS,
                               error);
        return true;
    }
    if (m->portion.rows <= LEAST_ROWS)
        return false;
    /* Rows without pairs: of a set without ids, all of them. */
    *status = ig_portion_thin(
        &m->portion, rows > LEAST_ROWS ? (size_t)rows : LEAST_ROWS, s->now.seed, error);
    m->thinned = true;
    return true;
}

/* The portion for a key: everything, or as much as a sample may have. */
static ig_status choose_portion(ig_session *s, ig_measuring *m,
                                const ig_findings_key *key, ig_error *error)
{
    ig_status status;
    double work;

    /* The sample there is serves on, so that figures of one run can be compared. */
    if (!key->exact && m->portioned && m->portion_run == key->run &&
        (m->portion_most || m->thinned))
        return IG_OK;
    status = take_portion(s, m, key->run, 0, error);
    while (status == IG_OK && !key->exact && (work = work_of(s, m, key)) > SAMPLE_FLOPS)
        if (!take_less(s, m, fmin(0.9, sqrt(SAMPLE_FLOPS / work)), &status, error))
            break;
    return status;
}

/* --- steps ------------------------------------------------------------------------ */

static void tick(void *context, double done)
{
    ig_session *s = context;
    ig_measuring *m = s->measuring;

    m->work += done; /* for snapshots alone */
    if (ig_channel_arrived(&s->channel) == IG_ARRIVAL_ROW && !ig_worker_serve(s))
        ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    if (s->threaded && ig_clock_now() - s->shown_at >= BETWEEN_TICKS)
        ig_worker_publish(s);
    m->work -= done;
}

/* The measures of the next step: all that are left, or the first of them. */
static unsigned next_measures(const ig_rows *rows, ig_subject subject, unsigned left)
{
    subject.measures = left;
    return ig_evaluation_work(rows, &subject) <= STEP_FLOPS ? left : left & (0u - left);
}

static ig_status step(ig_session *s, ig_measuring *m, ig_error *error)
{
    const ig_rows *rows = m->space_now == IG_SPACE_ORIGINAL ? &s->originals
                                                            : &s->rows[m->space_now];
    ig_evaluated *of = m->space[m->space_now];
    ig_subject subject = subject_of(s, m);
    ig_watch watch = {.stop = &s->channel.cancel, .tick = tick, .context = s};
    double start = ig_clock_now();
    ig_evaluation part;
    ig_status status;

    subject.measures = next_measures(rows, subject, m->left);
    ig_channel_begin(&s->channel, IG_ARRIVAL_VIEW);
    status = ig_evaluation_take(&part, rows, &subject, s->pool, &watch, error);
    ig_channel_begin(&s->channel, IG_ARRIVAL_ROW);
    m->spent += ig_clock_now() - start;
    if (status != IG_OK)
        return status;
    ig_evaluation_join(&of->evaluation, &part);
    m->work += ig_evaluation_work(rows, &subject);
    m->left &= ~subject.measures;
    return IG_OK;
}

/* The next space that is to be measured; false: there is none. */
static bool next_space(ig_session *s, ig_measuring *m, ig_error *error, bool *failed)
{
    for (m->space_now++; m->space_now < IG_SPACES; m->space_now++) {
        ig_evaluated **of = &m->space[m->space_now];

        if (!has_space(s, (ig_space)m->space_now, &m->going_key))
            continue;
        if (m->space_now == IG_SPACE_ORIGINAL && m->original) {
            *of = use(m->original);
            continue;
        }
        *of = ig_alloc(1, sizeof **of);
        if (!*of) {
            ig_fail_memory(error, "the measures");
            *failed = true;
            return false;
        }
        atomic_init(&(*of)->users, 1);
        m->left = subject_of(s, m).measures;
        return true;
    }
    return false;
}

static ig_status conclude(ig_session *s, ig_measuring *m, ig_error *error)
{
    ig_findings *f = ig_alloc(1, sizeof *f);

    if (!f)
        return ig_fail_memory(error, "the measures");
    atomic_init(&f->users, 1);
    f->serial = ++m->serials;
    f->run = m->going_key.weights ? s->shown_run : 0;
    f->epoch = s->shown_epoch;
    f->held_out = m->going_key.run != 0;
    f->ids = m->portion.meanings;
    f->of_ids = m->portion.of_meanings;
    f->rows = m->portion.rows;
    f->of_rows = m->portion.of_rows;
    for (int space = 0; space < IG_SPACES; space++)
        f->space[space] = (const ig_evaluation *)use(m->space[space]);
    if (!m->original)
        m->original = use(m->space[IG_SPACE_ORIGINAL]);
    ig_row_values(f, s->set->rows);
    ig_findings_release(m->findings);
    m->findings = f;
    m->key = m->going_key;
    if (m->key.exact)
        m->exact_wanted = false;
    m->next = ig_clock_now() + SHARE * m->spent;
    drop_going(m);
    s->dirty = true;
    return IG_OK;
}

/* --- when ------------------------------------------------------------------------- */

static bool same_key(const ig_findings_key *a, const ig_findings_key *b)
{
    return a->weights == b->weights && a->run == b->run && a->exact == b->exact;
}

/* What findings are to be made of. Everything when asked for, or when there is nothing
 * else to do and it does not take too long. */
static ig_findings_key wanted_key(ig_session *s, ig_measuring *m, bool idle)
{
    ig_findings_key key = {.weights = s->shown_serial};

    if (!s->now.all_rows && ig_worker_held_out(s, s->shown_run))
        key.run = s->shown_run;
    key.exact = m->exact_wanted || (idle && m->ceased != key.weights + 1);
    return key;
}

void ig_worker_measure_exactly(ig_session *s)
{
    ig_measuring *m = measuring_of(s);

    if (m)
        m->exact_wanted = true;
}

void ig_worker_cancel_measuring(ig_session *s)
{
    ig_measuring *m = measuring_of(s);

    if (!m)
        return;
    m->ceased = s->shown_serial + 1;
    m->exact_wanted = false;
    drop_going(m);
    s->dirty = true;
}

/* Whether the newest findings will do. Exact ones are also what a sample would be, and
 * so are samples that lack nothing. */
static bool will_do(const ig_measuring *m, const ig_findings_key *key)
{
    const ig_findings *f = m->findings;

    if (!f || m->key.weights != key->weights || m->key.run != key->run)
        return false;
    return !key->exact || m->key.exact ||
           (f->ids == f->of_ids && f->rows == f->of_rows);
}

/* Begin with a key; false when it is not to be. */
static bool begin(ig_session *s, ig_measuring *m, ig_findings_key key, ig_error *error,
                  ig_status *status)
{
    drop_going(m);
    *status = choose_portion(s, m, &key, error);
    if (*status != IG_OK)
        return false;
    m->all = work_of(s, m, &key);
    if (key.exact && !m->exact_wanted && m->all > UNASKED_FLOPS) {
        m->ceased = key.weights + 1; /* too long to be done unasked */
        return false;
    }
    m->going = true;
    m->going_key = key;
    m->space_now = -1;
    m->left = 0;
    return true;
}

static ig_status go_on(ig_session *s, ig_measuring *m, ig_error *error)
{
    bool failed = false;

    while (m->left == 0)
        if (!next_space(s, m, error, &failed))
            return failed ? IG_NOMEM : conclude(s, m, error);
    return step(s, m, error);
}

bool ig_worker_findings(ig_session *s, bool idle)
{
    bool busy = ig_worker_training(s) && !ig_worker_paused(s);
    ig_measuring *m = measuring_of(s);
    ig_findings_key key;
    ig_status status = IG_OK;
    ig_error error;

    if (!m || !s->now.evaluation || s->main || (busy && !s->threaded))
        return false;
    if (s->shown_serial && s->shown_of != s->shown_run) {
        drop_going(m); /* a run without weights yet: those shown are another's */
        return false;
    }
    key = wanted_key(s, m, idle);
    if (will_do(m, &key))
        return false;
    if (m->going && m->going_key.exact && m->going_key.weights == key.weights &&
        m->going_key.run == key.run)
        key.exact = true; /* it goes on whenever there is time */
    if (!m->going && busy && !key.exact && m->findings && m->key.run == key.run &&
        ig_clock_now() < m->next)
        return false;
    if ((!m->going || !same_key(&key, &m->going_key)) &&
        !begin(s, m, key, &error, &status) && status == IG_OK)
        return true; /* another key next time */
    if (status == IG_OK)
        status = go_on(s, m, &error);
    if (status != IG_OK && status != IG_INTERRUPTED) {
        ig_worker_tell(s, true, "%s", error.message);
        drop_going(m);
        m->ceased = key.weights + 1;
        s->now.evaluation = false; /* until it is wanted anew */
    }
    return true;
}
