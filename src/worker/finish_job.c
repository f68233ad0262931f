/* The end of a run: its best epoch measured on all pairs there are to measure, told of
 * while it takes long. */
#include "base/clock.h"
#include "worker/worker.h"

static const double BETWEEN_TICKS = 0.2;

static void tick(void *context, double done)
{
    ig_session *s = context;
    double work = ig_run_finish_work(s->run);

    if (!s->threaded || ig_clock_now() - s->shown_at < BETWEEN_TICKS)
        return;
    s->reported_part = work > 0 ? done / work : 0;
    ig_worker_publish(s);
}

ig_status ig_worker_finish(ig_session *s, ig_error *error)
{
    ig_watch watch = {.stop = &s->channel.cancel, .tick = tick, .context = s};
    ig_status status;

    s->reporting = true;
    s->reported_part = 0;
    status = ig_run_finish(s->run, &watch, error);
    s->reporting = false;
    return status;
}
