/* What of the machine this process may use: processors and memory, by the system and by
 * the control groups (cgroup v2 and v1) it is in. A container, a batch job or taskset
 * grants less than the machine has. Nothing is read from the environment. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stddef.h>

typedef struct ig_machine {
    size_t processors; /* of the machine, at least 1 */
    size_t affinity;   /* those this process may run on; 0: the system does not tell */
    double quota;      /* processors' time a control group grants; 0: without limit */
    double memory;     /* bytes of the machine; 0: the system does not tell */
    double limit;      /* bytes a control group grants; 0: without limit */
    double process; /* bytes that the limits of the process leave it (ulimit -v, -d); 0:
                       without limit */
    double space; /* of these, bytes of addresses, which mapped files take, too (ulimit
                       -v); 0: without limit */
    size_t share; /* of the processors, as one of several ranks; 0: alone. Not found
                     here */
} ig_machine;

/* What was found. `root` stands before the names of the files of control groups,
 * /proc/self/cgroup and those under /sys/fs/cgroup; "" but in tests. Takes a few files'
 * reading. */
ig_machine ig_machine_find(const char *root);

/* Processors granted: those this process may run on, and no more than the quota rounded
 * up. At least 1. */
size_t ig_machine_threads(const ig_machine *machine);

/* Mark the processors that this process may run on, a bit each, of the first 8·bytes;
 * none where the system does not tell. */
void ig_machine_mark(unsigned char *mask, size_t bytes);

/* Bytes granted: the least of these, or 0 when none is known. */
double ig_machine_memory(const ig_machine *machine);

#endif
