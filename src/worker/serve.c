/* What can be had amid a long task of the pool, that must not be broken off by every
 * move of the cursor: neighbours of another row, found by the worker's thread while the
 * other members go on. */
#include <string.h>

#include "worker/near.h"

/* Whether nothing but another row is wanted; if so it is taken over. (Bytes between the
 * fields may differ: then more is wanted.) */
static bool take_row(ig_session *s)
{
    ig_want want;
    bool same;

    pthread_mutex_lock(&s->lock);
    want = s->want;
    want.row = s->now.row;
    same = !s->ending && memcmp(&want, &s->now, sizeof want) == 0;
    if (same) {
        s->now.row = s->want.row < s->set->rows ? s->want.row : IG_NO_ROW;
        s->seen = s->wants;
        atomic_store(&s->urgent, false);
    }
    pthread_mutex_unlock(&s->lock);
    return same;
}

bool ig_worker_serve(ig_session *s)
{
    if (!s->threaded || !ig_near_is_made(s) || !take_row(s))
        return false;
    if (!ig_worker_row_is_stale(s))
        return true;
    ig_near_alone(s, true);
    ig_worker_search(s, false);
    ig_near_alone(s, false);
    ig_worker_publish(s);
    return true;
}
