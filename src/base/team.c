/* What is made of a team's calls, whatever is behind them. */
#include "base/team.h"

#include <string.h>

#include "base/memory.h"

void ig_team_rows(const ig_team *team, size_t count, size_t grain, size_t *first,
                  size_t *last)
{
    *first = 0;
    *last = count;
    if (!ig_team_is_dealt(team))
        ig_team_share(team, ig_team_rank(team), count, grain, first, last);
}

/* Where each rank's bytes begin. */
static void find_starts(ig_team *team, size_t n, size_t *start)
{
    size_t ranks = ig_team_ranks(team), rank = ig_team_rank(team);

    memset(start, 0, (ranks + 1) * sizeof *start);
    start[rank + 1] = n;
    ig_team_collect_shares(team, start + 1, ranks, 1, sizeof *start);
    for (size_t r = 0; r < ranks; r++)
        start[r + 1] += start[r];
}

ig_status ig_team_join(ig_team *team, const void *own, size_t n, void **all,
                       size_t *start, ig_error *error)
{
    ig_status status = IG_OK;

    find_starts(team, n, start);
    *all = ig_alloc(start[ig_team_ranks(team)], 1);
    if (!*all)
        status = ig_fail_memory(error, "what the ranks tell");
    status = ig_team_agree(team, status, error);
    if (status != IG_OK) {
        ig_free(*all);
        *all = NULL;
        return status;
    }
    if (n)
        memcpy((char *)*all + start[ig_team_rank(team)], own, n);
    ig_team_collect(team, *all, start);
    return IG_OK;
}

ig_status ig_team_bring(ig_team *team, const void *own, size_t n, void **all,
                        ig_error *error)
{
    size_t ranks = ig_team_ranks(team);
    size_t *start = ig_alloc(ranks + 1, sizeof *start);
    ig_status status = start ? IG_OK : ig_fail_memory(error, "what the ranks tell");

    *all = NULL;
    status = ig_team_agree(team, status, error);
    if (status == IG_OK) {
        find_starts(team, n, start);
        if (ig_team_speaks(team) && !(*all = ig_alloc(start[ranks], 1)))
            status = ig_fail_memory(error, "what the ranks tell");
        status = ig_team_agree(team, status, error);
    }
    if (status == IG_OK && !ig_team_speaks(team))
        ig_team_send(team, 0, own, n);
    if (status == IG_OK && ig_team_speaks(team) && n)
        memcpy(*all, own, n);
    for (size_t r = 1; status == IG_OK && ig_team_speaks(team) && r < ranks; r++)
        ig_team_take(team, r, (char *)*all + start[r], start[r + 1] - start[r]);
    if (status != IG_OK) {
        ig_free(*all);
        *all = NULL;
    }
    ig_free(start);
    return status;
}

uint64_t ig_team_total(ig_team *team, uint64_t count, uint64_t *before)
{
    uint64_t sum = 0;

    ig_team_turn_begin(team, &sum, sizeof sum);
    if (before)
        *before = sum;
    sum += count;
    ig_team_turn_end(team, &sum, sizeof sum);
    return sum;
}

void ig_team_turn_begin(ig_team *team, void *bytes, size_t n)
{
    if (ig_team_rank(team))
        ig_team_take(team, ig_team_rank(team) - 1, bytes, n);
}

void ig_team_turn_end(ig_team *team, void *bytes, size_t n)
{
    size_t last = ig_team_ranks(team) - 1;

    if (ig_team_rank(team) < last)
        ig_team_send(team, ig_team_rank(team) + 1, bytes, n);
    ig_team_give(team, last, bytes, n);
}

ig_status ig_team_exchange(ig_team *team, const void *out, const size_t *out_start,
                           void **in, size_t *in_start, ig_error *error)
{
    size_t ranks = ig_team_ranks(team), rank = ig_team_rank(team);
    size_t *size = ig_alloc(ranks * ranks, sizeof *size); /* (from, to) */
    ig_status status = size ? IG_OK : ig_fail_memory(error, "what the ranks tell");

    *in = NULL;
    status = ig_team_agree(team, status, error);
    if (status != IG_OK) {
        ig_free(size);
        return status;
    }
    for (size_t r = 0; r < ranks; r++)
        size[rank * ranks + r] = out_start[r + 1] - out_start[r];
    ig_team_collect_shares(team, size, ranks, 1, ranks * sizeof *size);
    in_start[0] = 0;
    for (size_t r = 0; r < ranks; r++)
        in_start[r + 1] = in_start[r] + size[r * ranks + rank];
    ig_free(size);
    *in = ig_alloc(in_start[ranks], 1);
    if (!*in)
        status = ig_fail_memory(error, "what the ranks tell");
    status = ig_team_agree(team, status, error);
    if (status != IG_OK) {
        ig_free(*in);
        *in = NULL;
        return status;
    }
    if (out_start[rank + 1] > out_start[rank])
        memcpy((char *)*in + in_start[rank], (const char *)out + out_start[rank],
               out_start[rank + 1] - out_start[rank]);
    for (size_t s = 1; s < ranks; s++) {
        size_t to = (rank + s) % ranks, from = (rank + ranks - s) % ranks;

        ig_team_swap(team, to, (const char *)out + out_start[to],
                     out_start[to + 1] - out_start[to], from,
                     (char *)*in + in_start[from], in_start[from + 1] - in_start[from]);
    }
    return IG_OK;
}
