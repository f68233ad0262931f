/* A team where there is no MPI: always NULL, one rank. */
#include "base/team.h"

const char *ig_team_library(void)
{
    return NULL;
}

ig_status ig_team_start(ig_team **team, ig_error *error)
{
    (void)error;
    *team = NULL;
    return IG_OK;
}

void ig_team_leave(ig_team *team)
{
    (void)team;
}

void ig_team_abort(ig_team *team, int status)
{
    (void)team;
    (void)status;
}

size_t ig_team_rank(const ig_team *team)
{
    (void)team;
    return 0;
}

size_t ig_team_ranks(const ig_team *team)
{
    (void)team;
    return 1;
}

size_t ig_team_host_ranks(const ig_team *team)
{
    (void)team;
    return 1;
}

const char *ig_team_host(const ig_team *team, size_t rank)
{
    (void)team;
    (void)rank;
    return "";
}

bool ig_team_speaks(const ig_team *team)
{
    (void)team;
    return true;
}

void ig_team_share(const ig_team *team, size_t rank, size_t count, size_t grain,
                   size_t *first, size_t *last)
{
    (void)team;
    (void)grain;
    *first = rank ? count : 0;
    *last = count;
}

void ig_team_sum(ig_team *team, double *value, size_t n)
{
    (void)team;
    (void)value;
    (void)n;
}

void ig_team_sum_floats(ig_team *team, float *value, size_t n)
{
    (void)team;
    (void)value;
    (void)n;
}

void ig_team_largest(ig_team *team, double *value, size_t n)
{
    ig_team_sum(team, value, n);
}

void ig_team_sum32(ig_team *team, uint32_t *value, size_t n)
{
    (void)team;
    (void)value;
    (void)n;
}

void ig_team_sum64(ig_team *team, int64_t *value, size_t n)
{
    (void)team;
    (void)value;
    (void)n;
}

void ig_team_join_bits(ig_team *team, uint8_t *bits, size_t n)
{
    (void)team;
    (void)bits;
    (void)n;
}

bool ig_team_any(ig_team *team, bool said)
{
    (void)team;
    return said;
}

void ig_team_give(ig_team *team, size_t from, void *bytes, size_t n)
{
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}

void ig_team_collect_shares(ig_team *team, void *items, size_t count, size_t grain,
                            size_t size)
{
    (void)team;
    (void)items;
    (void)count;
    (void)grain;
    (void)size;
}

ig_status ig_team_agree(ig_team *team, ig_status status, ig_error *error)
{
    (void)team;
    (void)error;
    return status;
}

bool ig_team_meet(ig_team *team, double seconds)
{
    (void)team;
    (void)seconds;
    return true;
}

void ig_team_send(ig_team *team, size_t to, const void *bytes, size_t n)
{
    (void)team;
    (void)to;
    (void)bytes;
    (void)n;
}

void ig_team_take(ig_team *team, size_t from, void *bytes, size_t n)
{
    (void)team;
    (void)from;
    (void)bytes;
    (void)n;
}
