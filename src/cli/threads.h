/* How many threads a call of the program uses, and why. The library looks at the
 * machine (base/machine.h); what the environment says is read here. */
#ifndef CLI_THREADS_H
#define CLI_THREADS_H

#include "base/machine.h"

/* Where a count can come from, in the order in which they are told. */
typedef enum ig_thread_source {
    IG_FROM_MACHINE,  /* its processors */
    IG_FROM_AFFINITY, /* processors this process may run on */
    IG_FROM_QUOTA,    /* time a control group grants, rounded up */
    IG_FROM_SLURM,    /* SLURM_CPUS_PER_TASK */
    IG_FROM_OPENMP,   /* OMP_NUM_THREADS */
    IG_FROM_RANKS,    /* its share of what the ranks of a machine were granted */
    IG_FROM_OPTION,   /* --threads, which is taken at its word */
    IG_THREAD_SOURCES
} ig_thread_source;

typedef struct ig_threads {
    ig_machine machine;
    size_t said[IG_THREAD_SOURCES]; /* what each says; 0: nothing */
    size_t count;                   /* the least of them, or the option's */
    ig_thread_source from;          /* the first that says so */
} ig_threads;

/* The count from what was found.
 *   slurm, openmp  in  the values of these variables, or NULL; what is no number from
 *                      1 on says nothing, of "4,2" the first counts
 *   asked          in  by --threads, or 0 */
ig_threads ig_threads_choose(ig_machine machine, const char *slurm, const char *openmp,
                             size_t asked);

/* The same for this process; `share`: processors that fall to it as one of several
 * ranks (cli/ranks.h), or 0. */
ig_threads ig_threads_granted(size_t asked, size_t share);

/* "affinity 2, SLURM_CPUS_PER_TASK 4": what was found, that which counts first; "" when
 * the machine's processors are all there is.
 *   out  out  (size) */
void ig_threads_format(const ig_threads *threads, char *out, size_t size);

/* What a source is called. */
const char *ig_thread_source_name(ig_thread_source source);

#endif
