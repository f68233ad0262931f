/* CPU affinity, control groups (cgroups) and process limits. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "core/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The smallest quota, "200000 100000" or "max 100000" in cpu.max, of this process's
 * group, "0::/GROUP" in /proc/self/cgroup, and its parents; 0: none. In a container the
 * group's files may be at the root; missing ones are skipped. */
static double find_quota(const char *root)
{
    char path[3 * PATH_BYTES], line[PATH_BYTES], group[PATH_BYTES] = "", *cut = group;
    double least = INFINITY, amount, period;
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::", 3) == 0)
            snprintf(group, sizeof group, "%.*s", (int)strcspn(line + 3, "\n"),
                     line + 3);
    if (f)
        fclose(f);
    while (cut) {
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/cpu.max", root, group);
        f = fopen(path, "r");
        if (f && fscanf(f, "%lf %lf", &amount, &period) == 2 && amount > 0 &&
            period > 0)
            least = fmin(least, amount / period);
        if (f)
            fclose(f);
        cut = strrchr(group, '/');
        if (cut)
            *cut = '\0';
    }
    return isfinite(least) ? least : 0;
}

ig_machine ig_machine_find(const char *root)
{
    ig_machine machine = {
        .quota = find_quota(root),
        .processors = (size_t)fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN)),
    };
#ifdef __linux__
    cpu_set_t set[16] = {0}; /* of 1,024 processors each */

    if (sched_getaffinity(0, sizeof set, set) == 0)
        machine.affinity = (size_t)CPU_COUNT_S(sizeof set, set);
#endif
    return machine;
}

size_t ig_machine_threads(const ig_machine *machine)
{
    size_t threads = machine->affinity ? machine->affinity : machine->processors;

    if (machine->quota > 0 && ceil(machine->quota) < (double)threads)
        threads = (size_t)ceil(machine->quota);
    return threads ? threads : 1;
}

bool ig_machine_limits_memory(void)
{
    struct rlimit space, data;

    return getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
           (space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY);
}
