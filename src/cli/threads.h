/* The number of threads, and its source. The library examines the machine
 * (core/pool.h); environment variables are read here. */
#pragma once

#include "core/pool.h"

/* Sources of the count. */
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

typedef struct ig_threads {
    ig_machine machine;
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

/* The name of a source. */
const char *ig_thread_source_name(ig_thread_source source);
