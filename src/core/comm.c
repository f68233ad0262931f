/* The communicator over MPI, or its single-process stub. MPI errors abort the job with
 * MPI's own message (MPI_ERRORS_ARE_FATAL, the default): the other processes would wait
 * forever otherwise. */
#include "core/comm.h"

#include <limits.h>
#include <time.h>

#include "core/memory.h"

#ifdef IG_MPI
#include <mpi.h>
#endif

struct ig_comm {
    size_t process, processes, host_processes;
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

#ifndef IG_MPI
/* Without MPI every communicator is NULL. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

const char *ig_comm_library(void)
{
#ifdef IG_MPI
    return "MPI";
#else
    return NULL;
#endif
}

ig_status ig_comm_start(ig_comm **comm, ig_error *error)
{
    *comm = NULL;
#ifdef IG_MPI
    int given, process, processes, here;
    MPI_Comm host;
    ig_comm *c;

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
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &here);
    MPI_Comm_free(&host);
    c->process = (size_t)process;
    c->processes = (size_t)processes;
    c->host_processes = (size_t)here;
    *comm = c;
#endif
    return IG_OK;
}

void ig_comm_stop(ig_comm *c)
{
#ifdef IG_MPI
    const struct timespec nap = {.tv_nsec = 2000000};
    MPI_Request request;
    int done = 0;

    if (!c)
        return;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        nanosleep(&nap, NULL); /* MPI itself would take all processor time */
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

void ig_comm_broadcast(ig_comm *c, size_t from, void *bytes, size_t n)
{
#ifdef IG_MPI
    if (c && n > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, MPI_ERR_COUNT);
    else if (c)
        MPI_Bcast(bytes, (int)n, MPI_BYTE, (int)from, MPI_COMM_WORLD);
#endif
}

void ig_comm_sum(ig_comm *c, ig_comm_type type, void *value, size_t n)
{
#ifdef IG_MPI
    const MPI_Datatype of[] = {MPI_DOUBLE, MPI_FLOAT, MPI_UINT32_T, MPI_INT64_T};

    if (c && n > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, MPI_ERR_COUNT);
    else if (c)
        MPI_Allreduce(MPI_IN_PLACE, value, (int)n, of[type], MPI_SUM, MPI_COMM_WORLD);
#endif
}
