/* What is used of the machine: kernels of the BLAS, number of threads, processes of an
 * MPI job. The library examines it (core/pool.h), variables are read here. */
#pragma once

#include "core/comm.h"
#include "core/pool.h"

/* Re-execute the program, once, with the environment that OpenBLAS, which selects its
 * kernels when it is loaded, needs: OPENBLAS_CORETYPE if the processor has AVX-512 and
 * the selected core lacks it, OPENBLAS_NUM_THREADS if the memory of the process is
 * limited. Values set by the user stay. Call it first: what is before it runs twice. */
void ig_core_choose(char **argv);

enum { IG_THREAD_SOURCES = 7 };

typedef struct ig_threads {
    struct {
        const char *name; /* "processors" is the first, "--threads" the last */
        size_t limit;     /* 0: none */
    } source[IG_THREAD_SOURCES];
    size_t count;     /* the minimum, or that of --threads */
    const char *from; /* name of its source */
} ig_threads;

/* Choose the count.
 *   slurm, openmp  in  values of these variables, or NULL; of "4,2" the first number
 *                      counts, invalid values are ignored
 *   requested      in  --threads, or 0 */
ig_threads ig_threads_choose(ig_machine machine, const char *slurm, const char *openmp,
                             size_t requested);

/* The same for this process, with `share` processors among several processes, or 0. */
ig_threads ig_threads_granted(size_t requested, size_t share);

/* A process of an MPI job; zeroed: a single process. Only the root process prints and
 * writes files; another one prints only an error that no other process had. */
typedef struct ig_ranks {
    ig_comm *team;   /* NULL: single process */
    size_t share;    /* processors of this process; 0: single process */
    int stderr_copy; /* the original standard error of a silenced process */
} ig_ranks;

/* Initialise MPI if mpirun, mpiexec or srun started this process, and silence it unless
 * it is the root. IG_OK, IG_NOMEM, or IG_IO: built without MPI, or that fails. */
ig_status ig_ranks_begin(ig_ranks *ranks, ig_error *error);

/* End this process after all others have ended; but abort the job with the exit status
 * of a command that failed here: the others could wait for this process. Another one
 * than the root prints its error first. Returns the exit status of the process. */
int ig_ranks_end(ig_ranks *ranks, int code, const ig_error *error);
