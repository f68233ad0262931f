/* A rank's share of a batch, and the sums over ranks. */
#include "learn/rank_share.h"

#include <string.h>

#include "learn/gather.h"
#include "learn/layers.h"

size_t ig_rank_whole(const ig_pass *s, size_t at)
{
    const ig_trainer *t = s->trainer;
    size_t left = s->count - at;
    size_t full = s->train || !s->short_last ? t->batch_size : t->largest;

    return left < full ? left : full;
}

size_t ig_rank_share(const ig_pass *s, size_t whole, size_t *from)
{
    const ig_team *team = s->trainer->team;
    size_t last;

    ig_team_share(team, ig_team_rank(team), whole, 1, from, &last);
    return last - *from;
}

size_t ig_rank_partners(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    ig_random *random = s->next_partner ? NULL : &s->random;
    size_t alone;

    if (!t->team)
        return ig_partner_draw(&t->partners, b, random);
    for (size_t i = 0; i < b->whole; i++) {
        uint32_t pair = s->list[s->at + i];

        t->lang[i] = t->set->lang[t->pairs->left[pair]];
        t->lang[b->whole + i] = t->set->lang[t->pairs->right[pair]];
    }
    alone = ig_partner_draw_share(&t->partners, b, t->lang, s->from, random, t->ghost);
    for (size_t i = 0; i < b->ghosts[0] + b->ghosts[1]; i++)
        b->meaning[b->size + i] =
            t->pairs->group[s->list[s->at + t->ghost[i] % b->whole]];
    return alone;
}

void ig_rank_sum(ig_trainer *t, size_t offset, size_t n)
{
    ig_team_sum_begin(t->team, t->gradient + offset, n);
    ig_team_sum_end(t->team);
}

static bool going(void *context)
{
    return ig_team_sum_going(context);
}

/* Rows of the next batch, while the gradients of this one are summed: a member's slice
 * of this rank's own, of which the batch does not need its present ones any more.
 * `alone`: this is the thread that lets the sum go on. */
static void gather_next(ig_pass *s, size_t member, size_t members, bool alone)
{
    ig_trainer *t = s->trainer;
    size_t at = s->at + t->batch.whole, from, first, last;
    size_t size = ig_rank_share(s, ig_rank_whole(s, at), &from);

    ig_pool_slice(2 * size, 16, member, members, &first, &last);
    ig_gather_own(s, s->list + at + from, size, first, last, alone ? going : NULL,
                  t->team);
    if (member == 0)
        s->gathered = 2 * size;
}

void ig_rank_step(ig_pass *s, bool finite, size_t member, size_t members)
{
    ig_trainer *t = s->trainer;
    size_t n = t->now.size, first, last;

    if (t->now.classifier >= 0 && !ig_layers_use_classifier(t, IG_TRAINS_CLASSIFIER))
        n = (size_t)t->now.classifier;
    ig_pool_barrier(t->pool);
    if (member == 0 && !finite) /* this rank's part; the others learn it afterwards */
        memset(t->gradient, 0, n * sizeof *t->gradient);
    if (member == 0)
        ig_team_sum_begin(t->team, t->gradient, n);
    /* The sum goes on while member 0 asks for it. */
    if (members == 1)
        gather_next(s, 0, 1, true);
    else if (member > 0)
        gather_next(s, member - 1, members - 1, false);
    if (member == 0)
        ig_team_sum_end(t->team);
    ig_pool_barrier(t->pool);
    ig_pool_slice(n, 1024, member, members, &first, &last);
    ig_layers_adam(t, first, last - first);
}

void ig_rank_close(ig_trainer *t, double *loss, double value[IG_PLAN_TERMS])
{
    ig_team_sum(t->team, loss, 1);
    ig_team_sum(t->team, value, t->plan.terms);
}
