/* Starting and ending the processes of an MPI job. */
#include "cli/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/pool.h"

/* Environment variables of launchers: Open MPI, Hydra (MPICH), PMIx and Slurm. Those in
 * `sizes` contain the number of processes. */
static const char *const launched[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK",
                                       "PMIX_RANK"};
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                    "SLURM_STEP_NUM_TASKS"};

/* How long another process than the root waits for the root to fail in the same way, or
 * to end what it writes. */
static const struct timespec GRACE = {.tv_sec = 3};

static bool was_launched(void)
{
    for (size_t i = 0; i < sizeof launched / sizeof *launched; i++)
        if (getenv(launched[i]))
            return true;
    return false;
}

static unsigned long launched_size(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);

        if (size)
            return strtoul(size, NULL, 10);
    }
    return 1;
}

/* Discard standard output and standard error; ig_last_complaint has the message. */
static ig_status silence(ig_ranks *ranks, ig_error *error)
{
    ranks->stderr_copy = dup(STDERR_FILENO);
    if (ranks->stderr_copy < 0 || !freopen("/dev/null", "w", stdout) ||
        dup2(fileno(stdout), STDERR_FILENO) < 0)
        return ig_fail(error, IG_IO, "cannot redirect standard error");
    return IG_OK;
}

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
    ig_status status;

    *ranks = (ig_ranks){0};
    if (!ig_comm_library() && launched_size() > 1)
        return ig_fail(
            error, IG_IO,
            "this isogloss was built without MPI (make MPI=1): %lu copies of "
            "it would do the same work and write the same files",
            launched_size());
    if (!was_launched() && launched_size() > 1)
        return ig_fail(
            error, IG_IO,
            "srun started %lu tasks without MPI: use srun --mpi=pmix, or the type "
            "that %s was built for (srun --mpi=list)",
            launched_size(), ig_comm_library());
    if (!was_launched())
        return IG_OK;
    status = ig_comm_start(&ranks->team, error);
    if (status == IG_OK && !ig_comm_is_root(ranks->team))
        status = silence(ranks, error);
    if (status == IG_OK && ranks->team)
        ranks->share = find_share(ranks->team);
    return status;
}

bool ig_ranks_allow(const ig_ranks *ranks, const ig_command_entry *command)
{
    if (!ranks->team || !command->draws)
        return true;
    ig_complain("%s runs as one process, without mpirun, not as %zu",
                *command->word ? command->word : "the explorer",
                ig_comm_processes(ranks->team));
    return false;
}

int ig_ranks_end(ig_ranks *ranks, int code)
{
    bool root = ig_comm_is_root(ranks->team);

    if (!ranks->team)
        return code;
    if (code != IG_EXIT_OK) {
        if (!root) {
            nanosleep(&GRACE, NULL);
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
