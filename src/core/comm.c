/* The communicator over MPI, or its single-process stub. MPI errors abort the job with
 * MPI's own message (MPI_ERRORS_ARE_FATAL, the default): the other processes would wait
 * forever otherwise. */
#include "core/comm.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/progress.h"

#ifdef IG_MPI
#include <mpi.h>
#endif

struct ig_comm {
    size_t process, processes, host_processes;
#ifdef IG_MPI
    char host[MPI_MAX_PROCESSOR_NAME + 1];
    MPI_Comm all;
    MPI_Comm end; /* for ig_comm_barrier, which interrupts any other call */
#endif
};

size_t ig_comm_process(const ig_comm *c)
{
    return c ? c->process : 0;
}

size_t ig_comm_processes(const ig_comm *c)
{
    return c ? c->processes : 1;
}

size_t ig_comm_host_processes(const ig_comm *c)
{
    return c ? c->host_processes : 1;
}

bool ig_comm_is_root(const ig_comm *c)
{
    return ig_comm_process(c) == 0;
}

#ifdef IG_MPI
/* MPI counts are ints. */
static int count_of(size_t n)
{
    if (n > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, MPI_ERR_COUNT);
    return (int)n;
}

#else
/* Without MPI every communicator is NULL. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

const char *ig_comm_host(const ig_comm *c)
{
#ifdef IG_MPI
    if (c)
        return c->host;
#endif
    return "";
}

const char *ig_comm_library(void)
{
#if !defined(IG_MPI)
    return NULL;
#elif defined(OPEN_MPI)
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

ig_status ig_comm_start(ig_comm **comm, ig_error *error)
{
#ifdef IG_MPI
    int given, process, processes, length;
    MPI_Comm here;
    ig_comm *c;

    *comm = NULL;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return ig_fail(error, IG_IO, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes == 1) {
        MPI_Finalize();
        return IG_OK;
    }
    if (given < MPI_THREAD_FUNNELED)
        return ig_fail(error, IG_IO, "%s was built without threads", ig_comm_library());
    c = ig_alloc(1, sizeof *c);
    if (!c)
        return ig_fail_memory(error, "the processes");
    c->process = (size_t)process;
    c->processes = (size_t)processes;
    MPI_Comm_dup(MPI_COMM_WORLD, &c->all);
    MPI_Comm_dup(MPI_COMM_WORLD, &c->end);
    MPI_Get_processor_name(c->host, &length);
    MPI_Comm_split_type(c->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &processes);
    MPI_Comm_free(&here);
    c->host_processes = (size_t)processes;
    *comm = c;
#else
    *comm = NULL;
#endif
    return IG_OK;
}

void ig_comm_stop(ig_comm *c)
{
#ifdef IG_MPI
    if (!c)
        return;
    ig_free(c);
    MPI_Finalize();
#endif
}

void ig_comm_abort(ig_comm *c, int status)
{
#ifdef IG_MPI
    if (c)
        MPI_Abort(MPI_COMM_WORLD, status);
#endif
}

bool ig_comm_barrier(ig_comm *c, double seconds)
{
#ifdef IG_MPI
    const struct timespec nap = {.tv_nsec = 2000000};
    double until = ig_clock_now() + seconds;
    MPI_Request request;
    int done = 0;

    if (!c)
        return true;
    MPI_Ibarrier(c->end, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        if (ig_clock_now() > until)
            return false;
        nanosleep(&nap, NULL);
    }
    /* Later calls use a clean communicator: pending messages cannot reach it. */
    c->all = c->end;
#endif
    return true;
}

/* --- collective ------------------------------------------------------------------- */

void ig_comm_broadcast(ig_comm *c, size_t from, void *bytes, size_t n)
{
#ifdef IG_MPI
    if (c)
        MPI_Bcast(bytes, count_of(n), MPI_BYTE, (int)from, c->all);
#endif
}

void ig_comm_sum(ig_comm *c, ig_comm_type type, void *value, size_t n)
{
#ifdef IG_MPI
    const MPI_Datatype of[] = {MPI_DOUBLE, MPI_FLOAT, MPI_UINT32_T, MPI_INT64_T};

    if (c)
        MPI_Allreduce(MPI_IN_PLACE, value, count_of(n), of[type], MPI_SUM, c->all);
#endif
}

bool ig_comm_any(ig_comm *c, bool value)
{
    double count = value;

    ig_comm_sum(c, IG_COMM_DOUBLE, &count, 1);
    return count > 0;
}

ig_status ig_comm_agree(ig_comm *c, ig_status status, ig_error *error)
{
    size_t first = 0;
    ig_error own = {.status = status};

    if (!c)
        return status;
    if (!ig_comm_any(c, status != IG_OK))
        return IG_OK;
    while (!ig_comm_any(c, first == c->process && status != IG_OK))
        first++;
    if (status != IG_OK && error && first == 0)
        own = *error;
    else if (status != IG_OK && error)
        ig_fail(&own, status, "rank %zu on %s: %s", first, ig_comm_host(c),
                error->message);
    own.status = status;
    ig_comm_broadcast(c, first, &own, sizeof own);
    return ig_fail(error, own.status, "%s", own.message);
}
