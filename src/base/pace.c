/* The way of working that is fastest here and now. */
#include "base/pace.h"

enum {
    TRIED = 6, /* stretches of a try: as many of each way */
    FIRST_PAUSE = 4,
    LONGEST_PAUSE = 128,
    LONGEST_LEFT_OUT = 30 /* while members are left out */
};

static const double MUCH = 0.15; /* waiting: another way is tried */

/* How many times as fast a way must be to be kept: leaving members out is a last
 * resort, having them back is not. */
static double enough(ig_pace_way from, ig_pace_way to)
{
    return to.members < from.members ? 1.1 : to.members > from.members ? 0.95 : 1.05;
}

void ig_pace_init(ig_pace *pace, size_t members)
{
    *pace = (ig_pace){
        .most = members, .way = {members, false}, .wait = 1, .pause = FIRST_PAUSE};
}

static bool of_other(const ig_pace *p)
{
    return p->trying && p->tried % 2 == 0;
}

ig_pace_way ig_pace_next(const ig_pace *p)
{
    return of_other(p) ? p->other : p->way;
}

static bool same(ig_pace_way a, ig_pace_way b)
{
    return a.members == b.members && a.fine == b.fine;
}

/* The next of the ways beside the one there is: a quarter fewer members, pieces of the
 * other size, a quarter more. False: there is none. */
static bool choose(ig_pace *p, bool waited)
{
    size_t step = p->way.members / 4 ? p->way.members / 4 : 1;

    for (int i = 0; i < 3; i++) {
        ig_pace_way w = p->way;

        switch (p->turn++ % 3) {
        case 0:
            if (waited && w.members > 1)
                w.members -= step;
            break;
        case 1:
            if (w.members > 1 && (waited || w.fine))
                w.fine = !w.fine;
            break;
        default:
            if (w.members < p->most)
                w.members = w.members + step < p->most ? w.members + step : p->most;
        }
        if (!same(w, p->way)) {
            p->other = w;
            return true;
        }
    }
    return false;
}

/* A try has ended. */
static void decide(ig_pace *p)
{
    p->trying = false;
    if (p->work[1] * p->seconds[0] >
        enough(p->way, p->other) * p->work[0] * p->seconds[1]) {
        p->way = p->other;
        p->turn--; /* one step more of the same kind may help, too */
        p->pause = FIRST_PAUSE;
        p->wait = 1;
        return;
    }
    p->pause = p->pause < LONGEST_PAUSE ? 2 * p->pause : LONGEST_PAUSE;
    p->wait = p->pause;
    if (p->way.members < p->most && p->wait > LONGEST_LEFT_OUT)
        p->wait = LONGEST_LEFT_OUT;
}

void ig_pace_tell(ig_pace *p, double work, double seconds, double waited)
{
    if (p->trying) {
        p->work[of_other(p)] += work;
        p->seconds[of_other(p)] += seconds;
        if (++p->tried == TRIED)
            decide(p);
        return;
    }
    if (p->wait > 0)
        p->wait--;
    p->trying = p->wait == 0 && choose(p, waited > MUCH);
    p->tried = 0;
    p->work[0] = p->work[1] = p->seconds[0] = p->seconds[1] = 0;
}
