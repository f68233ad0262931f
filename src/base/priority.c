/* Priorities of threads. */
#include "base/priority.h"

#ifdef __linux__
#include <sys/resource.h>

/* A third of the weight: each step of niceness is a factor of 1.25. */
enum { NICENESS = 5 };

void ig_priority_lower(void)
{
    /* POSIX has one priority a process; to Linux who is 0 is the calling thread. A
     * refusal leaves what was. */
    if (getpriority(PRIO_PROCESS, 0) < NICENESS)
        setpriority(PRIO_PROCESS, 0, NICENESS);
}
#else
void ig_priority_lower(void)
{
}
#endif
