/* The map and the neighbours of a second run, beside those of the one shown: a session
 * of their own without runs and without a thread, which the worker drives. */
#include <math.h>
#include <string.h>

#include "worker/kept.h"
#include "worker/near.h"
#include "worker/worker.h"

const atomic_bool *ig_worker_cancel(const ig_session *s)
{
    return s->main ? &s->main->channel.cancel : &s->channel.cancel;
}

/* What was made for another run. */
static void forget(ig_session *b)
{
    ig_map_release(b->map);
    ig_neighbours_release(b->nearby);
    b->map = NULL;
    b->nearby = NULL;
    b->mapped = false;
    b->searched_row = IG_NO_ROW;
    ig_near_forget(b);
}

/* Tells weights apart: those of a run that is trained change with every epoch. */
static unsigned long weights_now(const ig_session *s, unsigned number)
{
    if (!s->run || number != s->run_number)
        return 1;
    return 2 * s->run->records + ig_worker_training(s);
}

static bool open_beside(ig_session *s)
{
    ig_error error;

    if (s->beside)
        return true;
    if (ig_session_new(&s->beside, s->set, s->pairs, s->pairing, s->pool, &error) !=
        IG_OK) {
        ig_worker_tell(s, true, "%s", error.message);
        return false;
    }
    s->beside->main = s;
    s->beside->checked = true;
    return true;
}

ig_session *ig_worker_beside(ig_session *s)
{
    unsigned number = s->now.compared;
    unsigned long weights = weights_now(s, number);
    bool looking = false;
    ig_extractor x;
    size_t epoch;
    ig_session *b;

    if (number == 0 || number == s->shown_run ||
        !ig_worker_weights(s, number, &looking, &x, &epoch) || !open_beside(s)) {
        s->dirty |= s->beside_run != 0;
        s->beside_run = 0;
        return NULL;
    }
    b = s->beside;
    b->now.space = s->now.space;
    b->now.unit = s->now.unit;
    memcpy(b->now.axis, s->now.axis, sizeof b->now.axis);
    if (!ig_request_same_languages(&b->now, &s->now))
        b->searched_row = IG_NO_ROW;
    b->now.to = s->now.to;
    memcpy(b->now.to_language, s->now.to_language, sizeof b->now.to_language);
    b->now.row = s->now.row;
    b->now.neighbours = s->now.neighbours;
    b->cheap = s->cheap;
    b->now.seed = s->now.seed;
    if (number != s->beside_run)
        forget(b);
    if (number != s->beside_run || weights != s->beside_shown) {
        if (!ig_worker_show(b, &x, epoch))
            ig_worker_tell(s, true, "out of memory for the weights beside");
        s->beside_run = number;
        s->beside_shown = weights;
        s->dirty = true;
    }
    return b;
}
