/* Choosing the next result, and the threads that compute it. */
#include "explorer/scheduler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/pool.h"

/* Minimum seconds between two starts of a result that follows the weights. */
static const double BETWEEN = 0.09;

static bool same_asked(const ig_result_key *a, const ig_result_key *b)
{
    return memcmp(a->asked, b->asked, sizeof a->asked) == 0;
}

static bool same_follows(const ig_result_key *a, const ig_result_key *b)
{
    return memcmp(a->follows, b->follows, sizeof a->follows) == 0;
}

static ig_cause find_cause(const ig_result *p, const ig_result_key *key)
{
    if (!p->known || !same_asked(&p->made, key))
        return IG_CAUSE_ASKED;
    if (!same_follows(&p->made, key))
        return IG_CAUSE_FOLLOW;
    return key->whole && !p->made.whole ? IG_CAUSE_WHOLE : IG_CAUSE_NONE;
}

ig_scheduled ig_scheduler_choose(ig_result *product, size_t n, ig_lane_id lane,
                                 void *context, double now)
{
    ig_scheduled best = {0};

    for (size_t i = 0; i < n; i++) {
        ig_scheduled one = {.product = &product[i]};

        if (product[i].kind->lane != lane ||
            !product[i].kind->key(
                &(ig_job){.context = context, .result = &product[i], .key = &one.key}))
            continue;
        one.cause = find_cause(&product[i], &one.key);
        one.priority = one.cause == IG_CAUSE_ASKED    ? product[i].kind->asked
                       : one.cause == IG_CAUSE_FOLLOW ? IG_PRIORITY_FOLLOW
                       : one.cause == IG_CAUSE_WHOLE  ? IG_PRIORITY_IDLE
                                                      : IG_PRIORITY_NONE;
        if (one.priority > best.priority &&
            !(one.priority == IG_PRIORITY_FOLLOW && now < product[i].next))
            best = one;
    }
    return best;
}

void ig_scheduler_hurry(ig_result *product, size_t n)
{
    for (size_t i = 0; i < n; i++)
        product[i].next = 0;
}

void ig_scheduler_retry(ig_result *product, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        product[i].known = product[i].known && !product[i].short_memory;
        product[i].short_memory = false;
    }
}

/* --- lanes ------------------------------------------------------------------------ */

void ig_lane_init(ig_lane *l, const ig_work *work, void *context, ig_channel *channel)
{
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    l->work = *work;
    l->work.request = &l->request;
    l->work.cancel = &l->cancel;
    l->work.permille = &l->permille;
    l->request = *work->request;
    l->context = context;
    l->channel = channel;
}

static void run_job(ig_lane *l)
{
    const ig_scheduled *job = &l->job;

    l->made = job->key;
    l->status = job->product->kind->make(
        &(ig_job){l->context, job->product, &l->made, job->cause, &l->error});
}

static void *run_lane(void *argument)
{
    ig_lane *l = argument;

    ig_priority_lower();
    pthread_mutex_lock(&l->lock);
    while (!l->ending) {
        if (!l->posted) {
            pthread_cond_wait(&l->wake, &l->lock);
            continue;
        }
        l->posted = false;
        pthread_mutex_unlock(&l->lock);
        run_job(l);
        pthread_mutex_lock(&l->lock);
        l->done = true;
        ig_channel_wake(l->channel);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

int ig_lane_start(ig_lane *l)
{
    int failed = ig_thread_start(&l->thread, run_lane, l);

    l->threaded = failed == 0;
    return failed;
}

void ig_lane_end(ig_lane *l)
{
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    atomic_store(&l->cancel, true);
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
    if (l->threaded)
        pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
}

void ig_lane_post(ig_lane *l, const ig_scheduled *job, const ig_view_request *request,
                  double now)
{
    const ig_result_kind *kind = job->product->kind;

    l->job = *job;
    l->known = job->product->known;
    l->before = l->known ? job->product->made : (ig_result_key){0};
    l->request = *request;
    l->start = now;
    atomic_store(&l->cancel, false);
    atomic_store(&l->permille, 0);
    job->product->failure[0] = '\0';
    if (kind->prepare &&
        !kind->prepare(&(ig_job){.context = l->context, .result = job->product})) {
        l->status = ig_fail_memory(&l->error, "a job");
        l->made = job->key;
        l->done = true;
        ig_channel_wake(l->channel);
    } else if (!l->threaded) {
        run_job(l);
        l->done = true;
    } else {
        pthread_mutex_lock(&l->lock);
        l->posted = true;
        pthread_cond_signal(&l->wake);
        pthread_mutex_unlock(&l->lock);
    }
}

void ig_lane_announce(void *lane)
{
    ig_lane *l = lane;

    atomic_store(&l->partial, true);
    if (l->threaded)
        ig_channel_wake(l->channel);
}

void ig_lane_review(ig_lane *l)
{
    const ig_scheduled *job = &l->job;
    ig_result_key now = {0};

    if (job->product &&
        (!job->product->kind->key(
             &(ig_job){.context = l->context, .result = job->product, .key = &now}) ||
         !same_asked(&job->key, &now) ||
         (job->cause == IG_CAUSE_WHOLE &&
          !(now.whole && same_follows(&job->key, &now)))))
        atomic_store(&l->cancel, true);
}

bool ig_lane_take(ig_lane *l, double now, ig_result **made)
{
    ig_result *p = l->job.product;
    double share = p ? p->kind->share : 0;
    bool done;

    pthread_mutex_lock(&l->lock);
    done = l->done;
    l->done = false;
    pthread_mutex_unlock(&l->lock);
    *made = NULL;
    if (!done)
        return false;
    l->job.product = NULL;
    atomic_store(&l->permille, 0);
    /* Wait until the time taken is `share` of the time passed. */
    if (share > 0)
        p->next = fmax(l->start + BETWEEN, now + (now - l->start) * (1 / share - 1));
    if (p->kind->finish)
        p->kind->finish(&(ig_job){.context = l->context, .result = p});
    if (l->status == IG_INTERRUPTED)
        return true;
    p->made = l->made;
    p->known = true;
    p->short_memory = l->status == IG_NOMEM;
    if (l->status != IG_OK) {
        p->made = l->job.key;
        p->made.whole = true;
        snprintf(p->failure, sizeof p->failure, "%s", l->error.message);
    }
    *made = p;
    return true;
}
