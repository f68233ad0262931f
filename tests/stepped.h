/* For tests of a session: its jobs run one at a time on the test's thread, with a clock
 * that advances by a millisecond each time it is read. Nothing depends on how fast the
 * machine is. Included once by a test. */
#pragma once

#include <math.h>
#include <poll.h>

#include "explorer/session.h"

static double stepped_now;

static inline double stepped_clock(void)
{
    return stepped_now += 0.001;
}

/* From now on a session works as with a screen. */
static inline void drive(ig_session *session)
{
    session->live = true;
    session->jobs.clock = stepped_clock;
}

/* From now on a map of all rows is one that takes more than so many flops. */
static inline void make_large(ig_session *session, double cheap)
{
    session->work.cheap = cheap;
}

/* Update once. With threads, wait for the next report where there was nothing to do;
 * without, a session that has nothing more to do fails the test. */
static inline void step(ig_session *session)
{
    struct pollfd fd = {.fd = session->jobs.pipe[0], .events = POLLIN};
    double wait;

    if (ig_session_update(session))
        return;
    wait = ig_session_wait(session);
    if (session->jobs.threaded)
        poll(&fd, 1, wait < 0 ? -1 : (int)ceil(1000 * wait));
    else if (wait < 0)
        fail_msg("the session has nothing more to do");
}
