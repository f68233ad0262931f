/* Starting and ending the processes of an MPI job. */
#include "cli/ranks.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/output.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/pool.h"

/* How long another process than the root waits for the root to fail in the same way, or
 * to end what it writes. */
enum { GRACE = 3 }; /* seconds */

/* Processors of this process: its affinity if the launcher bound each process, else an
 * equal share; at most its share of the cgroup quota. */
static size_t find_share(const ig_comm *comm)
{
    ig_machine machine = ig_machine_find("");
    size_t here = ig_comm_host_processes(comm);
    size_t granted = machine.affinity ? machine.affinity : machine.processors;
    size_t share = granted * here <= machine.processors ? granted : granted / here;
    double time = machine.quota / (double)here;

    if (time > 0 && time < (double)share)
        share = (size_t)time;
    return share ? share : 1;
}

ig_status ig_ranks_begin(ig_ranks *ranks, ig_error *error)
{
    /* Variables of launchers: Open MPI, Hydra (MPICH), PMIx and Slurm. */
    const char *ompi = getenv("OMPI_COMM_WORLD_SIZE"), *pmi = getenv("PMI_SIZE");
    const char *slurm = getenv("SLURM_STEP_NUM_TASKS");
    const char *size = ompi ? ompi : pmi ? pmi : slurm ? slurm : "1";
    unsigned long tasks = strtoul(size, NULL, 10);
    bool launched = ompi || pmi || getenv("PMI_RANK") || getenv("PMIX_RANK");
    ig_status status;

    *ranks = (ig_ranks){0};
    if (!ig_comm_library() && tasks > 1)
        return ig_fail(
            error, IG_IO,
            "this isogloss was built without MPI (make MPI=1): %lu copies of "
            "it would do the same work and write the same files",
            tasks);
    if (!launched && tasks > 1)
        return ig_fail(
            error, IG_IO,
            "srun started %lu tasks without MPI: use srun --mpi=pmix, or the type "
            "that %s was built for (srun --mpi=list)",
            tasks, ig_comm_library());
    if (!launched)
        return IG_OK;
    status = ig_comm_start(&ranks->team, error);
    if (status == IG_OK && !ig_comm_is_root(ranks->team)) {
        /* Nothing is printed; ig_last_complaint has the message. */
        ranks->stderr_copy = dup(STDERR_FILENO);
        if (ranks->stderr_copy < 0 || !freopen("/dev/null", "w", stdout) ||
            dup2(fileno(stdout), STDERR_FILENO) < 0)
            status = ig_fail(error, IG_IO, "cannot redirect standard error");
    }
    if (status == IG_OK && ranks->team)
        ranks->share = find_share(ranks->team);
    return status;
}

int ig_ranks_end(ig_ranks *ranks, int code)
{
    bool root = ig_comm_is_root(ranks->team);

    if (!ranks->team)
        return code;
    if (code != IG_EXIT_OK) {
        if (!root) {
            sleep(GRACE);
            dup2(ranks->stderr_copy, STDERR_FILENO);
            ig_complain("rank %zu: %s", ig_comm_process(ranks->team),
                        ig_last_complaint());
        }
        ig_writers_remove_unfinished();
        ig_comm_abort(ranks->team, code);
    }
    ig_comm_stop(ranks->team);
    return IG_EXIT_OK;
}
