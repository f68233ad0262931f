/* Jobs: which result is made next, and what cancels one. */
#include "explorer/job.h"

#include <sched.h>
#include <string.h>

#include "suite.h"

enum { RESULTS = 3 };

static double now;

static double read_clock(void)
{
    return now;
}

/* Stands for a session: what its results are and do. */
struct ig_session {
    ig_result_key key[RESULTS];
    bool wanted[RESULTS], samples[RESULTS];
    ig_result result[RESULTS];
    ig_jobs jobs;
    ig_view_request view;
    ig_cause cause[RESULTS];
    int made; /* number of the last one */
    bool endless;
};

static bool key_of(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    *key = s->key[r - s->result];
    return s->wanted[r - s->result];
}

/* Endless: until it is cancelled. */
static ig_status make(ig_job *job)
{
    ig_session *s = job->session;

    job->made.sample = job->cause != IG_CAUSE_WHOLE &&
                       s->samples[job->result - s->result];
    if (!s->endless)
        return IG_OK;
    ig_job_report(job, s);
    while (!atomic_load(&job->cancel))
        sched_yield();
    return ig_fail(&job->error, IG_INTERRUPTED, "interrupted");
}

static void drop(void *value)
{
    (void)value;
}

static void finish(ig_session *s, ig_job *job)
{
    s->made = (int)(job->result - s->result);
    s->cause[s->made] = job->cause;
}

static const ig_result_kind kinds[RESULTS] = {
    {IG_LANE_MAP, .key = key_of, .make = make, .finish = finish, .free = drop},
    {IG_LANE_MAP, .key = key_of, .make = make, .finish = finish},
    {IG_LANE_MAP, .key = key_of, .make = make, .finish = finish}};

static const ig_mapping none;
static const ig_dataset set = {.mapping = &none};
static const ig_work work = {.set = &set};

static void open_session(ig_session *s)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < RESULTS; i++) {
        s->result[i] = (ig_result){.kind = &kinds[i]};
        s->wanted[i] = true;
    }
    s->jobs.session = s;
    s->jobs.view = &s->view;
    s->jobs.clock = read_clock;
    s->jobs.result = s->result;
    s->jobs.results = RESULTS;
    assert_int_equal(ig_jobs_open(&s->jobs, &work, NULL), IG_OK);
}

/* The number of the result that is made, or -1. */
static int step(ig_session *s)
{
    bool begun = ig_jobs_begin(&s->jobs, false, false);

    ig_jobs_take(&s->jobs);
    return begun ? s->made : -1;
}

static void test_by_priority_of_what_changed(void **state)
{
    ig_session s;

    open_session(&s);
    s.samples[1] = s.samples[2] = true;
    for (int i = 0; i < RESULTS; i++)
        assert_int_equal(step(&s), i);
    assert_int_equal(step(&s), 1); /* then all of what was a sample */
    assert_int_equal(s.cause[1], IG_CAUSE_WHOLE);
    assert_int_equal(step(&s), 2);
    assert_int_equal(step(&s), -1);
    for (int i = 0; i < RESULTS; i++)
        s.key[i].weights++; /* other weights */
    s.key[1].asked[0]++;    /* what is asked for comes before all */
    assert_int_equal(step(&s), 1);
    assert_int_equal(s.cause[1], IG_CAUSE_ASKED);
    assert_int_equal(step(&s), 0);
    assert_int_equal(s.cause[0], IG_CAUSE_FOLLOW);
    s.wanted[2] = false;
    assert_int_equal(step(&s), 1);
    assert_int_equal(step(&s), -1);
    ig_jobs_close(&s.jobs);
}

/* A job ends when what it makes is no longer asked for, not when weights change, except
 * for one of everything. */
static void test_what_cancels_a_job(void **state)
{
    const ig_cause cause[] = {IG_CAUSE_ASKED, IG_CAUSE_WHOLE};
    ig_job *job;
    ig_session s;

    open_session(&s);
    s.endless = true;
    s.wanted[1] = s.wanted[2] = false;
    job = &s.jobs.lane[IG_LANE_MAP];
    s.jobs.threaded = true;
    for (int i = 0; i < 2; i++) {
        s.result[0].known = i;
        s.result[0].made = s.key[0];
        s.result[0].made.sample = true;
        assert_true(ig_jobs_begin(&s.jobs, false, false));
        assert_int_equal(job->cause, cause[i]);
        while (!ig_jobs_take(&s.jobs))
            sched_yield();
        assert_false(ig_jobs_begin(&s.jobs, false, false));
        assert_false(atomic_load(&job->cancel));
        s.key[0].weights++;
        ig_jobs_begin(&s.jobs, false, false);
        assert_int_equal(atomic_load(&job->cancel), cause[i] == IG_CAUSE_WHOLE);
        s.key[0].asked[0]++;
        ig_jobs_begin(&s.jobs, false, false);
        assert_true(atomic_load(&job->cancel));
        while (job->result)
            ig_jobs_take(&s.jobs);
    }
    assert_true(ig_jobs_begin(&s.jobs, false, false));
    ig_jobs_close(&s.jobs); /* amid a job */
}

SUITE(job, NULL, NULL, TEST(test_by_priority_of_what_changed),
      TEST(test_what_cancels_a_job))
