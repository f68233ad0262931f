/* Kernels of the BLAS, the number of threads, the processes of an MPI job. */
#include "cli/machine.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "core/blas.h"
#include "core/kernels.h"

/* --- the BLAS --------------------------------------------------------------------- */

/* MARK is set when CORE or THREADS was. */
static const char CORE[] = "OPENBLAS_CORETYPE", THREADS[] = "OPENBLAS_NUM_THREADS";
static const char MARK[] = "ISOGLOSS_CORE_REPLACED";

void ig_core_choose(char **argv)
{
    const char *given = getenv(THREADS), *now = ig_blas_core();
    bool core, threads;
    char path[PATH_MAX] = "";

    if (getenv(MARK)) { /* processes that are started from here have all threads */
        if (given && strcmp(given, "1") == 0)
            unsetenv(THREADS);
        return;
    }
    /* The processor has AVX-512 and the chosen core lacks it. */
    core = !getenv(CORE) && strcmp(ig_kernels_isa(), "avx512") == 0 &&
           strstr(ig_blas_config(), "DYNAMIC_ARCH") && strcmp(now, "SkylakeX") != 0 &&
           strcmp(now, "Cooperlake") != 0 && strcmp(now, "SapphireRapids") != 0;
    /* OpenBLAS starts a thread per processor, which are unused here. Each reserves
     * 128 MB; under a memory limit (ulimit -v, -d) OpenBLAS retries it forever. */
    threads = !given && strstr(ig_blas_config(), "OpenBLAS") &&
              ig_machine_limits_memory();
    if ((!core && !threads) || setenv(MARK, "yes", 1) ||
        (core && setenv(CORE, "SkylakeX", 1)) || (threads && setenv(THREADS, "1", 1)))
        return;
    /* With /proc/self/exe the process would be named "exe". */
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0 ||
        access(path, X_OK) != 0)
        strcpy(path, "/proc/self/exe");
    execv(path, argv); /* if it fails, OpenBLAS stays as it is */
}

/* --- threads ---------------------------------------------------------------------- */

/* The first number of a list, or 0. */
static size_t first_number(const char *text)
{
    unsigned long n = 0;
    char end = ',';

    return text && sscanf(text, "%8lu%c", &n, &end) > 0 && end == ',' && n <= 1 << 20
               ? n
               : 0;
}

ig_threads ig_threads_choose(ig_machine machine, const char *slurm, const char *openmp,
                             size_t requested)
{
    enum { LAST = IG_THREAD_SOURCES - 1, MOST = 1024 };
    size_t quota = machine.quota > 0 ? (size_t)ceil(machine.quota) : 0, from = 0;
    ig_threads t = {.source = {{"processors", machine.processors},
                               {"affinity", machine.affinity},
                               {"cgroup quota", quota},
                               {"SLURM_CPUS_PER_TASK", first_number(slurm)},
                               {"OMP_NUM_THREADS", first_number(openmp)},
                               {"share of the ranks here", machine.share},
                               {"--threads", requested < MOST ? requested : MOST}}};

    for (size_t i = 0; i < LAST; i++)
        if (t.source[i].limit && t.source[i].limit < t.source[from].limit)
            from = i;
    from = requested ? LAST : from;
    t.count = t.source[from].limit;
    t.from = t.source[from].name;
    return t;
}

ig_threads ig_threads_granted(size_t requested, size_t share)
{
    ig_machine machine = ig_machine_find("");

    machine.share = share;
    return ig_threads_choose(machine, getenv("SLURM_CPUS_PER_TASK"),
                             getenv("OMP_NUM_THREADS"), requested);
}

/* --- processes -------------------------------------------------------------------- */

/* How long other processes wait for the root to fail, too, or to end its output. */
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
        return ig_fail(error, IG_IO,
                       "this isogloss was built without MPI (make MPI=1): %lu copies "
                       "of it would do the same work and write the same files",
                       tasks);
    if (!launched && tasks > 1)
        return ig_fail(error, IG_IO,
                       "srun started %lu tasks without MPI: use srun --mpi=pmix, or "
                       "the type that %s was built for (srun --mpi=list)",
                       tasks, ig_comm_library());
    if (!launched)
        return IG_OK;
    status = ig_comm_start(&ranks->team, error);
    if (status == IG_OK && !ig_comm_is_root(ranks->team)) {
        ranks->stderr_copy = dup(STDERR_FILENO);
        if (ranks->stderr_copy < 0 || !freopen("/dev/null", "w", stdout) ||
            dup2(fileno(stdout), STDERR_FILENO) < 0)
            status = ig_fail(error, IG_IO, "cannot redirect standard error");
    }
    if (status == IG_OK && ranks->team)
        ranks->share = find_share(ranks->team);
    return status;
}

int ig_ranks_end(ig_ranks *ranks, int code, const ig_error *error)
{
    if (!ranks->team)
        return code;
    if (code != EXIT_SUCCESS) {
        if (!ig_comm_is_root(ranks->team)) {
            sleep(GRACE);
            dup2(ranks->stderr_copy, STDERR_FILENO);
            ig_complain("rank %zu: %s", ig_comm_process(ranks->team), error->message);
        }
        ig_writers_remove_unfinished();
        ig_comm_abort(ranks->team, code);
    }
    ig_comm_stop(ranks->team);
    return EXIT_SUCCESS;
}
