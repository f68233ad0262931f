/* What can be had amid a long task of the pool, that must not be broken off by every
 * move of the cursor: neighbours of another row, found by the worker's thread while the
 * other members go on. */
#include "worker/near.h"

bool ig_worker_serve(ig_session *s)
{
    if (!s->threaded || !ig_near_is_made(s) || !ig_channel_take_row(&s->channel))
        return false;
    s->now.row = s->channel.taken->row < s->set->rows ? s->channel.taken->row
                                                      : IG_NO_ROW;
    if (!ig_worker_row_is_stale(s))
        return true;
    ig_near_alone(s, true);
    ig_worker_search(s, false);
    ig_near_alone(s, false);
    ig_worker_publish(s);
    return true;
}
