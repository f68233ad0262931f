/* For tests of a session: it is driven a step at a time on the test's thread, as the
 * worker's thread would, with a clock that goes on by a millisecond each time it is looked
 * at. Nothing depends on how fast the machine is. Included once by a test. */
#ifndef TESTS_STEPPED_H
#define TESTS_STEPPED_H

#include "explorer/state.h"

static double stepped_now;

static inline double stepped_clock(void)
{
    return stepped_now += 0.001;
}

/* From now on a session works as if somebody looked on. */
static inline void drive(ig_session *session)
{
    session->live = true;
    session->clock = stepped_clock;
}

/* From now on a map of all rows is one that takes more than so many flops. */
static inline void make_large(ig_session *session, double cheap)
{
    session->work.cheap = cheap;
    for (int i = 0; i < IG_LANES; i++)
        session->lane[i].work.cheap = cheap;
}

/* Do a step; a session that has nothing more to do, nor to tell, fails the test. */
static inline void step(ig_session *session)
{
    if (ig_session_step(session) < 0 && !atomic_load(&session->channel.published))
        fail_msg("the session has nothing more to do");
}

#endif
