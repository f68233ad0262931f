/* Resources granted to this process: containers, batch jobs and taskset grant less than
 * the machine has. Reads no environment variables. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ig_machine {
    size_t processors; /* of the machine, at least 1 */
    size_t affinity;   /* processors this process may run on; 0: unknown */
    double quota;      /* of processors, from control groups (v2); 0: unlimited */
    size_t share;      /* of several MPI processes, set by cli/threads.h; 0: single */
} ig_machine;

/* Detect the resources. `root` is a prefix of /proc and /sys; "" except in tests. */
ig_machine ig_machine_find(const char *root);

/* Processors granted: the affinity, capped by the quota rounded up. At least 1. */
size_t ig_machine_threads(const ig_machine *machine);

/* Whether the memory of the process is limited (ulimit -v, -d). */
bool ig_machine_limits_memory(void);

#endif
