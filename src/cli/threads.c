/* The number of threads. */
#include "cli/threads.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[IG_THREAD_SOURCES] = {
    [IG_FROM_MACHINE] = "processors",     [IG_FROM_AFFINITY] = "affinity",
    [IG_FROM_QUOTA] = "cgroup quota",     [IG_FROM_SLURM] = "SLURM_CPUS_PER_TASK",
    [IG_FROM_OPENMP] = "OMP_NUM_THREADS", [IG_FROM_RANKS] = "share of the ranks here",
    [IG_FROM_OPTION] = "--threads",
};

const char *ig_thread_source_name(ig_thread_source source)
{
    return names[source];
}

/* The first number of a list, or 0. */
static size_t first_number(const char *text)
{
    char *end;
    unsigned long n;

    if (!text || *text < '0' || *text > '9')
        return 0;
    n = strtoul(text, &end, 10);
    return (*end == '\0' || *end == ',') && n <= 1 << 20 ? n : 0;
}

ig_threads ig_threads_choose(ig_machine machine, const char *slurm, const char *openmp,
                             size_t requested)
{
    ig_machine quota = {.processors = SIZE_MAX, .quota = machine.quota};
    ig_threads t = {
        .machine = machine,
        .limit = {[IG_FROM_MACHINE] = machine.processors,
                  [IG_FROM_AFFINITY] = machine.affinity,
                  [IG_FROM_QUOTA] = machine.quota > 0 ? ig_machine_threads(&quota) : 0,
                  [IG_FROM_SLURM] = first_number(slurm),
                  [IG_FROM_OPENMP] = first_number(openmp),
                  [IG_FROM_RANKS] = machine.share,
                  [IG_FROM_OPTION] = requested},
        .from = IG_FROM_MACHINE};

    for (int i = 0; i < IG_FROM_OPTION; i++)
        if (t.limit[i] && t.limit[i] < t.limit[t.from])
            t.from = (ig_thread_source)i;
    if (requested)
        t.from = IG_FROM_OPTION;
    t.count = t.limit[t.from];
    return t;
}

ig_threads ig_threads_granted(size_t requested, size_t share)
{
    ig_machine machine = ig_machine_find("");

    machine.share = share;
    return ig_threads_choose(machine, getenv("SLURM_CPUS_PER_TASK"),
                             getenv("OMP_NUM_THREADS"), requested);
}
