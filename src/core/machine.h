/* Resources available to this process, from the system and its control groups
 * (cgroup v2). Containers, batch jobs and taskset grant less than the machine has.
 * Reads no environment variables. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ig_machine {
    size_t processors; /* of the machine, at least 1 */
    size_t affinity;   /* processors this process may run on; 0: unknown */
    double quota;      /* processors granted by a cgroup quota; 0: unlimited */
    size_t share;      /* processors for one of several MPI processes; 0: single
                       process. Not set here */
} ig_machine;

/* Detect the resources. `root` is a prefix of /proc/self/cgroup and the files under
 * /sys/fs/cgroup; "" except in tests. Reads a few files. */
ig_machine ig_machine_find(const char *root);

/* Processors granted: the affinity, capped by the quota rounded up. At least 1. */
size_t ig_machine_threads(const ig_machine *machine);

/* Whether the memory of the process is limited (ulimit -v, -d). */
bool ig_machine_limits_memory(void);

#endif
