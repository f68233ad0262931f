/* A team over MPI. Ranks without an answer would wait for ever, so that what MPI itself
 * cannot do ends the job with its own sentence (MPI_ERRORS_ARE_FATAL, the default).
 * Counts of MPI are ints: blocks are sent in pieces of at most PIECE items. */
#include "base/team.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"

enum { PIECE = 1 << 28, HOST_SIZE = 64, TAG = 7 };

struct ig_team {
    MPI_Comm all;
    MPI_Comm end; /* of ig_team_meet: ranks may come there from anywhere */
    size_t rank, ranks, host_ranks;
    char *host; /* (ranks, HOST_SIZE) */
};

const char *ig_team_library(void)
{
#if defined(OPEN_MPI)
#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
    return "Open MPI " TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." TEXT(
        OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
    return "MPICH " MPICH_VERSION;
#else
    return "MPI";
#endif
}

/* Names of machines, and how many ranks this one has. */
static ig_status find_hosts(ig_team *t, ig_error *error)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
    char own[HOST_SIZE];
    int length = 0;

    t->host = ig_alloc(t->ranks, HOST_SIZE);
    if (!t->host)
        return ig_fail_memory(error, "the ranks");
    MPI_Get_processor_name(name, &length);
    snprintf(own, sizeof own, "%.*s", HOST_SIZE - 1, name);
    MPI_Allgather(own, HOST_SIZE, MPI_CHAR, t->host, HOST_SIZE, MPI_CHAR, t->all);
    for (size_t r = 0; r < t->ranks; r++)
        t->host_ranks += strcmp(ig_team_host(t, r), own) == 0;
    return IG_OK;
}

ig_status ig_team_start(ig_team **out, ig_error *error)
{
    ig_team *t;
    int given, rank, ranks;
    ig_status status;

    *out = NULL;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return ig_fail(error, IG_IO, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) {
        MPI_Finalize();
        return IG_OK;
    }
    if (given < MPI_THREAD_FUNNELED)
        return ig_fail(error, IG_IO, "%s was built without threads", ig_team_library());
    t = ig_alloc(1, sizeof *t);
    if (!t)
        return ig_fail_memory(error, "the ranks");
    t->rank = (size_t)rank;
    t->ranks = (size_t)ranks;
    MPI_Comm_dup(MPI_COMM_WORLD, &t->all);
    MPI_Comm_dup(MPI_COMM_WORLD, &t->end);
    status = find_hosts(t, error);
    if (status != IG_OK) {
        ig_free(t);
        return status;
    }
    *out = t;
    return IG_OK;
}

void ig_team_leave(ig_team *t)
{
    if (!t)
        return;
    ig_free(t->host);
    ig_free(t);
    MPI_Finalize();
}

void ig_team_abort(ig_team *t, int status)
{
    if (t)
        MPI_Abort(MPI_COMM_WORLD, status);
}

size_t ig_team_rank(const ig_team *t)
{
    return t ? t->rank : 0;
}

size_t ig_team_ranks(const ig_team *t)
{
    return t ? t->ranks : 1;
}

size_t ig_team_host_ranks(const ig_team *t)
{
    return t ? t->host_ranks : 1;
}

const char *ig_team_host(const ig_team *t, size_t rank)
{
    return t ? t->host + rank * HOST_SIZE : "";
}

bool ig_team_speaks(const ig_team *t)
{
    return !t || t->rank == 0;
}

void ig_team_share(const ig_team *t, size_t rank, size_t count, size_t grain,
                   size_t *first, size_t *last)
{
    size_t grains = count / grain + (count % grain != 0);
    size_t ranks = ig_team_ranks(t), each = grains / ranks, more = grains % ranks;
    size_t low = (rank * each + (rank < more ? rank : more)) * grain;
    size_t high = low + (each + (rank < more)) * grain;

    *first = low < count ? low : count;
    *last = high < count ? high : count;
}

/* --- collective ------------------------------------------------------------------- */

/* Items of `size` bytes. */
static void reduce(ig_team *t, void *value, size_t n, size_t size, MPI_Datatype type,
                   MPI_Op how)
{
    for (size_t at = 0; t && at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;

        MPI_Allreduce(MPI_IN_PLACE, (char *)value + at * size, (int)piece, type, how,
                      t->all);
    }
}

void ig_team_sum(ig_team *t, double *value, size_t n)
{
    reduce(t, value, n, sizeof *value, MPI_DOUBLE, MPI_SUM);
}

void ig_team_sum_floats(ig_team *t, float *value, size_t n)
{
    reduce(t, value, n, sizeof *value, MPI_FLOAT, MPI_SUM);
}

void ig_team_largest(ig_team *t, double *value, size_t n)
{
    reduce(t, value, n, sizeof *value, MPI_DOUBLE, MPI_MAX);
}

void ig_team_sum32(ig_team *t, uint32_t *value, size_t n)
{
    reduce(t, value, n, sizeof *value, MPI_UINT32_T, MPI_SUM);
}

void ig_team_sum64(ig_team *t, int64_t *value, size_t n)
{
    reduce(t, value, n, sizeof *value, MPI_INT64_T, MPI_SUM);
}

void ig_team_join_bits(ig_team *t, uint8_t *bits, size_t n)
{
    reduce(t, bits, n, sizeof *bits, MPI_UINT8_T, MPI_BOR);
}

bool ig_team_any(ig_team *t, bool said)
{
    double any = said;

    ig_team_largest(t, &any, 1);
    return any > 0;
}

void ig_team_give(ig_team *t, size_t from, void *bytes, size_t n)
{
    for (size_t at = 0; t && at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;

        MPI_Bcast((char *)bytes + at, (int)piece, MPI_BYTE, (int)from, t->all);
    }
}

void ig_team_collect_shares(ig_team *t, void *items, size_t count, size_t grain,
                            size_t size)
{
    for (size_t r = 0; t && r < t->ranks; r++) {
        size_t first, last;

        ig_team_share(t, r, count, grain, &first, &last);
        ig_team_give(t, r, (char *)items + first * size, (last - first) * size);
    }
}

ig_status ig_team_agree(ig_team *t, ig_status status, ig_error *error)
{
    double first;
    ig_error told = {.status = status};

    if (!t)
        return status;
    /* The largest of ranks − rank is that of the first that failed. */
    first = status == IG_OK ? 0 : (double)(t->ranks - t->rank);
    ig_team_largest(t, &first, 1);
    if (first == 0)
        return IG_OK;
    if (status != IG_OK && error)
        told = *error;
    told.status = status;
    ig_team_give(t, t->ranks - (size_t)first, &told, sizeof told);
    if (first == (double)t->ranks)
        return ig_fail(error, told.status, "%s", told.message);
    return ig_fail(error, told.status, "rank %zu on %s: %s", t->ranks - (size_t)first,
                   ig_team_host(t, t->ranks - (size_t)first), told.message);
}

bool ig_team_meet(ig_team *t, double seconds)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    double until = ig_clock_now() + seconds;
    MPI_Request request;
    int done = 0;

    if (!t)
        return true;
    MPI_Ibarrier(t->end, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        if (ig_clock_now() > until)
            return false;
        nanosleep(&nap, NULL);
    }
    /* What was under way elsewhere does not reach what follows. */
    t->all = t->end;
    return true;
}

/* --- from one to one -------------------------------------------------------------- */

void ig_team_send(ig_team *t, size_t to, const void *bytes, size_t n)
{
    for (size_t at = 0; t && at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;

        MPI_Send((const char *)bytes + at, (int)piece, MPI_BYTE, (int)to, TAG, t->all);
    }
}

void ig_team_take(ig_team *t, size_t from, void *bytes, size_t n)
{
    for (size_t at = 0; t && at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;

        MPI_Recv((char *)bytes + at, (int)piece, MPI_BYTE, (int)from, TAG, t->all,
                 MPI_STATUS_IGNORE);
    }
}
