/* The way of working that is fastest here and now. */
#include "base/pace.h"

enum {
    FIRST_PAUSE = 4,
    LONGEST_PAUSE = 64,
    LONGEST_LEFT_OUT = 12 /* while members are left out */
};

static const double MUCH = 0.15;  /* waiting: another way is tried */
static const double RECENT = 0.3; /* weight of a stretch in the speed */

/* How many times as fast a way must be to be kept: leaving members out is a last
 * resort, having them back is not. */
static double enough(ig_pace_way from, ig_pace_way to)
{
    return to.members < from.members ? 1.1 : to.members > from.members ? 0.95 : 1.05;
}

void ig_pace_init(ig_pace *pace, size_t members)
{
    *pace = (ig_pace){.most = members,
                      .way = {members, false},
                      .next = {members, false},
                      .wait = 1,
                      .pause = FIRST_PAUSE};
}

ig_pace_way ig_pace_next(const ig_pace *pace)
{
    return pace->next;
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
            p->next = w;
            return true;
        }
    }
    return false;
}

void ig_pace_tell(ig_pace *p, double speed, double waited)
{
    if (p->trying && speed > enough(p->way, p->next) * p->speed) {
        p->way = p->next;
        p->speed = speed;
        p->turn--; /* one step more of the same kind may help, too */
        p->pause = FIRST_PAUSE;
        p->wait = 1;
    } else if (p->trying) {
        p->pause = p->pause < LONGEST_PAUSE ? 2 * p->pause : LONGEST_PAUSE;
        p->wait = p->pause;
        if (p->way.members < p->most && p->wait > LONGEST_LEFT_OUT)
            p->wait = LONGEST_LEFT_OUT;
    } else {
        p->speed = p->speed > 0 ? p->speed + RECENT * (speed - p->speed) : speed;
    }
    if (!p->trying && p->wait > 0)
        p->wait--;
    p->next = p->way;
    p->trying = p->wait == 0 && choose(p, waited > MUCH);
}
