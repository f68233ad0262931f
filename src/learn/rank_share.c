/* A rank's share of a batch, and the sums over ranks. */
#include "learn/rank_share.h"

#include <string.h>

#include "base/memory.h"
#include "learn/gather.h"
#include "learn/layers.h"

/* --- pairs that were dealt -------------------------------------------------------- */

ig_status ig_rank_count_pairs(ig_trainer *t, ig_error *error)
{
    size_t own[2] = {t->split->train, t->split->valid};
    size_t ranks = ig_team_ranks(t->team);
    ig_status status = IG_OK;

    t->dealt = t->set->whole.team != NULL;
    memcpy(t->all, own, sizeof own);
    if (!t->dealt)
        return IG_OK;
    t->of_pass = ig_alloc(ranks, sizeof *t->of_pass);
    for (size_t k = 0; k < 2; k++)
        t->of_rank[k] = ig_alloc(ranks, sizeof *t->of_rank[k]);
    if (!t->of_pass || !t->of_rank[0] || !t->of_rank[1])
        status = ig_fail_memory(error, "the trainer");
    else if (t->objective->extractor < IG_RESIDUAL)
        status =
            ig_fail(error, IG_VALUE,
                    "%s is fitted to all rows at once, and not by ranks with files "
                    "of their own",
                    t->objective->name);
    status = ig_team_agree(t->team, status, error);
    for (size_t k = 0; k < 2 && status == IG_OK; k++) {
        t->of_rank[k][ig_team_rank(t->team)] = own[k];
        ig_team_collect_shares(t->team, t->of_rank[k], ranks, 1, sizeof own[k]);
        t->all[k] = 0;
        for (size_t r = 0; r < ranks; r++)
            t->all[k] += t->of_rank[k][r];
    }
    return status;
}

size_t ig_rank_largest(const ig_trainer *t)
{
    size_t ranks = ig_team_ranks(t->team), most = 0;

    if (!t->dealt)
        return (t->largest + ranks - 1) / ranks;
    for (size_t k = 0; k < 2; k++) {
        double own = (double)t->of_rank[k][ig_team_rank(t->team)];
        double part = t->all[k] ? own / (double)t->all[k] : 0;
        size_t share = (size_t)((double)(t->largest + ranks) * part) + 3;

        most = share > most ? share : most;
    }
    return most;
}

size_t ig_rank_deal(ig_trainer *t, bool valid, size_t some)
{
    size_t sum = 0;

    for (size_t r = 0; r < ig_team_ranks(t->team); r++) {
        size_t n = t->of_rank[valid][r];

        if (some < t->all[valid])
            n = (size_t)((double)n / (double)t->all[valid] * (double)some);
        t->of_pass[r] = n;
        sum += n;
    }
    return sum;
}

uint64_t ig_rank_stream(const ig_trainer *t, uint64_t stream)
{
    return stream + (t->dealt ? (uint64_t)ig_team_rank(t->team) << 40 : 0);
}

/* --- a batch ---------------------------------------------------------------------- */

/* How many pairs a rank has given when `at` of all have been taken: its part of them.
 * Ranks round at different places, so that the sum is about `at`. */
static size_t given(const ig_pass *s, size_t rank, size_t at)
{
    const ig_trainer *t = s->trainer;
    double ranks = (double)ig_team_ranks(t->team), n = (double)t->of_pass[rank];
    size_t part;

    if (at == 0 || at >= s->count)
        return at ? t->of_pass[rank] : 0;
    part = (size_t)((double)at / (double)s->count * n + ((double)rank + 0.5) / ranks);
    return part < t->of_pass[rank] ? part : t->of_pass[rank];
}

size_t ig_rank_before(const ig_pass *s, size_t at)
{
    return s->trainer->dealt ? given(s, ig_team_rank(s->trainer->team), at) : at;
}

ig_rank_share ig_rank_share_at(const ig_pass *s, size_t at)
{
    const ig_trainer *t = s->trainer;
    size_t ranks = ig_team_ranks(t->team), rank = ig_team_rank(t->team), last;
    size_t left = s->count - at;
    size_t full = s->train || !s->short_last ? t->batch_size : t->largest;
    ig_rank_share out = {.window = left < full ? left : full};

    if (!t->dealt) {
        out.whole = out.window;
        ig_team_share(t->team, rank, out.whole, 1, &out.from, &last);
        out.size = last - out.from;
        out.from += at;
        return out;
    }
    if (s->short_last && left < full + ranks) /* no batch of none */
        out.window = left;
    for (size_t r = 0; r < ranks; r++)
        out.whole += given(s, r, at + out.window) - given(s, r, at);
    out.from = given(s, rank, at);
    out.size = given(s, rank, at + out.window) - out.from;
    return out;
}

size_t ig_rank_partners(ig_pass *s)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    ig_random *random = s->next_partner ? NULL : &s->random;
    size_t alone;

    if (!t->team || t->dealt)
        return ig_partner_draw(&t->partners, b, random);
    for (size_t i = 0; i < b->whole; i++) {
        uint32_t pair = s->list[s->at + i];

        t->lang[i] = t->set->lang[t->pairs->left[pair]];
        t->lang[b->whole + i] = t->set->lang[t->pairs->right[pair]];
    }
    alone = ig_partner_draw_share(&t->partners, b, t->lang, s->from - s->at, random,
                                  t->ghost);
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

/* Rows of the next batch, while the gradients of this one are summed: this rank's own,
 * of which the batch does not need its present ones any more. The calling thread lets
 * the sum go on. */
static void next_rows(void *context, size_t member, size_t first, size_t last)
{
    ig_pass *s = context;
    ig_rank_share next = ig_rank_share_at(s, s->at + s->window);

    ig_gather_own(s, s->list + next.from, next.size, first, last,
                  member == 0 ? going : NULL, s->trainer->team);
}

static void adam_piece(void *context, size_t member, size_t first, size_t last)
{
    (void)member;
    ig_layers_adam(context, first, last - first);
}

void ig_rank_step(ig_pass *s, bool finite)
{
    ig_trainer *t = s->trainer;
    size_t n = t->now.size, rows = 2 * ig_rank_share_at(s, s->at + s->window).size;

    if (t->now.classifier >= 0 && !ig_layers_use_classifier(t, IG_TRAINS_CLASSIFIER))
        n = (size_t)t->now.classifier;
    if (!finite) /* this rank's part; the others learn it afterwards */
        memset(t->gradient, 0, n * sizeof *t->gradient);
    ig_team_sum_begin(t->team, t->gradient, n);
    ig_pool_hand_out(t->pool, rows, 16, next_rows, s);
    s->gathered = rows;
    ig_team_sum_end(t->team);
    ig_pool_hand_out(t->pool, n, 1024, adam_piece, t);
}

void ig_rank_close(ig_trainer *t, double *loss, double value[IG_PLAN_TERMS])
{
    ig_team_sum(t->team, loss, 1);
    ig_team_sum(t->team, value, t->plan.terms);
}
