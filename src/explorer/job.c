/* Lanes, what they report, and which result is made next. */
#include "explorer/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"

/* Minimum seconds between two starts of a result that follows the weights. */
static const double BETWEEN = 0.09;

/* From a lane to the screen thread. A pipe takes so few bytes whole. */
struct post {
    ig_job *job;
    void *value; /* reported; NULL: the job is over */
};

/* --- lanes ------------------------------------------------------------------------ */

void ig_job_report(ig_job *job, void *value)
{
    struct post post = {job, value};

    if (write(job->post, &post, sizeof post) != sizeof post)
        abort(); /* a job reports a few values: the pipe is never full */
}

void ig_job_tick(void *part, double units)
{
    const ig_job_part *p = part;

    atomic_store(&p->job->permille, (int)(1000 * fmin(1, p->done + units * p->each)));
}

/* Rows are read but in the lanes of files and of the encoder. */
static void *run_job(void *context)
{
    ig_job *job = context;
    const ig_result_kind *kind = job->result->kind;
    const ig_dataset *set = job->shown ? job->shown->of->set : job->work->set;

    job->made = job->key;
    if (job->status == IG_OK && kind->lane != IG_LANE_FILES &&
        kind->lane != IG_LANE_ENCODE)
        job->status = ig_mapping_check(set->mapping, &job->error);
    if (job->status == IG_OK)
        job->status = kind->make(job);
    ig_job_report(job, NULL);
    return NULL;
}

ig_status ig_jobs_open(ig_jobs *j, const ig_work *work, ig_error *error)
{
    j->wait = -1;
    j->pipe[0] = j->pipe[1] = -1;
    if (pipe(j->pipe) != 0 || fcntl(j->pipe[0], F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(j->pipe[1], F_SETFD, FD_CLOEXEC) != 0 ||
        fcntl(j->pipe[0], F_SETFL, O_NONBLOCK) != 0)
        return ig_fail(error, IG_IO, "cannot make a pipe: %s", strerror(errno));
    for (int i = 0; i < IG_LANES; i++) {
        j->lane[i].session = j->session;
        j->lane[i].post = j->pipe[1];
        j->lane[i].work = work;
    }
    return IG_OK;
}

void ig_jobs_close(ig_jobs *j)
{
    struct pollfd posts = {.fd = j->pipe[0], .events = POLLIN};

    for (int i = 0; i < IG_LANES; i++)
        atomic_store(&j->lane[i].cancel, true); /* so that all end at the same time */
    for (int i = 0; i < IG_LANES; i++)
        while (j->lane[i].result)
            if (!ig_jobs_take(j))
                poll(&posts, 1, -1);
    for (int i = 0; i < 2; i++)
        if (j->pipe[i] >= 0)
            close(j->pipe[i]);
    for (size_t i = 0; i < j->results; i++)
        if (j->result[i].kind->free)
            j->result[i].kind->free(j->result[i].value);
    j->pipe[0] = j->pipe[1] = -1;
    j->results = 0;
}

/* --- results ---------------------------------------------------------------------- */

static void take_job(ig_jobs *j, ig_job *job)
{
    ig_result *r = job->result;
    const ig_result_kind *kind = r->kind;
    double now = j->clock();

    if (job->threaded)
        pthread_join(job->thread, NULL);
    /* Wait until the time taken is `share` of the time passed. */
    if (kind->share > 0)
        r->next = fmax(job->start + BETWEEN,
                       now + (now - job->start) * (1 / kind->share - 1));
    if (job->status != IG_INTERRUPTED && !kind->repeats) {
        r->made = job->status == IG_OK ? job->made : job->key;
        r->known = true;
    }
    if (job->status != IG_OK && job->status != IG_INTERRUPTED) {
        snprintf(r->failure, IG_ERROR_SIZE, "%s", job->error.message);
        j->failed = job->error;
    }
    if (kind->finish)
        kind->finish(j->session, job);
    ig_shown_release(job->shown);
    job->shown = NULL;
    job->result = NULL;
    r->job = NULL;
    j->changed = true;
    j->at_once |= job->cause == IG_CAUSE_ASKED && !kind->repeats;
}

bool ig_jobs_take(ig_jobs *j)
{
    struct post post;
    bool taken = false;

    while (read(j->pipe[0], &post, sizeof post) == sizeof post) {
        taken = true;
        if (!post.value) {
            take_job(j, post.job);
            continue;
        }
        post.job->result->kind->free(post.job->result->value);
        post.job->result->value = post.value;
        j->changed = j->at_once = true;
    }
    return taken;
}

/* --- the next job ----------------------------------------------------------------- */

/* Cancel the job of a lane if it is outdated; else, of an idle lane, the most urgent
 * result that it could make, or NULL: with the key and the cause of its job. */
static ig_result *choose_result(ig_jobs *j, ig_job *job, bool busy, bool share)
{
    ig_result *best = NULL;
    double now = j->clock();

    for (ig_result *r = j->result; r < j->result + j->results; r++) {
        ig_result_key key = {0};
        ig_cause cause = r->made.sample ? IG_CAUSE_WHOLE : IG_CAUSE_NONE;
        bool wanted;

        if (&j->lane[r->kind->lane] != job)
            continue;
        wanted = (j->view->asks & r->kind->needs) == r->kind->needs &&
                 (!r->kind->key || r->kind->key(j->session, r, &key));
        if (r->job &&
            (!wanted || memcmp(job->key.asked, key.asked, sizeof key.asked) ||
             (job->cause == IG_CAUSE_WHOLE && job->key.weights != key.weights)))
            atomic_store(&job->cancel, true);
        if (!wanted || job->result)
            continue;
        if (!r->known || memcmp(r->made.asked, key.asked, sizeof key.asked) != 0)
            cause = r->kind->idle ? IG_CAUSE_WHOLE : IG_CAUSE_ASKED;
        else if (r->made.weights != key.weights)
            cause = IG_CAUSE_FOLLOW;
        if (cause >= (best ? job->cause : IG_CAUSE_NONE) ||
            (cause == IG_CAUSE_WHOLE && busy))
            continue;
        if (r->next > now &&
            (r->kind->repeats || (share && cause == IG_CAUSE_FOLLOW))) {
            j->wait = j->wait < 0 ? r->next - now : fmin(j->wait, r->next - now);
            continue;
        }
        best = r;
        job->key = key;
        job->cause = cause;
    }
    return best;
}

static void start_job(ig_jobs *j, ig_job *job, ig_result *r)
{
    job->result = r;
    job->view = *j->view;
    if (r->shown)
        ig_shown_hold(&job->shown, *r->shown);
    job->start = j->clock();
    atomic_store(&job->cancel, false);
    atomic_store(&job->permille, 0);
    r->job = job;
    r->failure[0] = '\0';
    job->status = IG_OK;
    if (r->kind->prepare)
        r->kind->prepare(j->session, job);
    job->threaded = j->threaded && ig_thread_start(&job->thread, run_job, job) == 0;
    if (!job->threaded)
        run_job(job);
}

bool ig_jobs_begin(ig_jobs *j, bool busy, bool share)
{
    bool begun = false;

    j->wait = -1;
    for (int i = 0; i < IG_LANES && (j->threaded || !begun); i++) {
        ig_result *r = choose_result(j, &j->lane[i], busy, share);

        if (r)
            start_job(j, &j->lane[i], r);
        begun |= r != NULL;
    }
    return begun;
}
