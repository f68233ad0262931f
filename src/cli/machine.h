/* What is used of the machine: the kernels of the BLAS and the number of threads. The
 * library examines it (core/pool.h); environment variables are read here. */
#pragma once

#include "core/pool.h"

/* Re-execute the program, once, with the environment that OpenBLAS, which selects its
 * kernels when it is loaded, needs: OPENBLAS_CORETYPE if the processor has AVX-512 and
 * the selected core lacks it, OPENBLAS_NUM_THREADS if the memory of the process is
 * limited. Values set by the user are kept. Call it first in main, because all code
 * before it runs twice. */
void ig_core_choose(char **argv);

/* The core that OpenBLAS had selected before it was replaced, or NULL. */
const char *ig_core_replaced(void);

/* Sources of the number of threads, and their names. */
typedef enum ig_thread_source {
    IG_FROM_MACHINE,  /* number of processors */
    IG_FROM_AFFINITY, /* affinity mask of this process */
    IG_FROM_QUOTA,    /* cgroup CPU quota, rounded up */
    IG_FROM_SLURM,    /* SLURM_CPUS_PER_TASK */
    IG_FROM_OPENMP,   /* OMP_NUM_THREADS */
    IG_FROM_RANKS,    /* share of this process among those of the machine */
    IG_FROM_OPTION,   /* --threads; always honoured */
    IG_THREAD_SOURCES
} ig_thread_source;
extern const char *const ig_thread_sources[IG_THREAD_SOURCES];

typedef struct ig_threads {
    size_t limit[IG_THREAD_SOURCES]; /* of each source; 0: none */
    size_t count;                    /* the minimum, or that of --threads */
    ig_thread_source from;           /* the source of `count` */
} ig_threads;

/* Choose the count.
 *   slurm, openmp  in  values of these variables, or NULL; of "4,2" the first number
 *                      counts, invalid values are ignored
 *   requested      in  --threads, or 0 */
ig_threads ig_threads_choose(ig_machine machine, const char *slurm, const char *openmp,
                             size_t requested);

/* The same for this process.
 *   share  in  its processors among several processes (cli/ranks.h), or 0 */
ig_threads ig_threads_granted(size_t requested, size_t share);
