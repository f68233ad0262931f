/* CPU affinity, control groups (cgroups) and machine sizes. */
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

/* The smaller of two limits; 0 means unlimited. */
static double lower_limit(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* A limit from its file: bytes ("1073741824"), or processor time and its period
 * ("200000 100000"); 0: none ("max"). */
static double read_limit(const char *path)
{
    double amount = 0, period = 1;
    FILE *f = fopen(path, "r");

    if (f && fscanf(f, "%lf %lf", &amount, &period) < 1)
        amount = 0;
    if (f)
        fclose(f);
    return amount > 0 && period > 0 ? amount / period : 0;
}

/* The smallest limit of this process's group, "0::/GROUP" in /proc/self/cgroup, and its
 * parents. In a container the group's files may be at the root; missing ones are
 * skipped. */
static double find_limit(const char *root, const char *name)
{
    char path[3 * PATH_BYTES], line[PATH_BYTES], group[PATH_BYTES] = "", *cut = group;
    double least = 0;
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
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/%s", root, group, name);
        least = lower_limit(read_limit(path), least);
        cut = strrchr(group, '/');
        if (cut)
            *cut = '\0';
    }
    return least;
}

/* Bytes that a limit leaves to this process, which uses `pages`; 0: unlimited. */
static double limit_left(int resource, unsigned long pages)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return fmax(1,
                (double)limit.rlim_cur - (double)pages * (double)sysconf(_SC_PAGESIZE));
}

ig_machine ig_machine_find(const char *root)
{
    ig_machine machine = {
        .quota = find_limit(root, "cpu.max"),
        .limit = find_limit(root, "memory.max"),
        .processors = (size_t)fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN)),
    };
    unsigned long all = 0, data = 0;
    FILE *f = fopen("/proc/self/statm", "r");
#ifdef __linux__
    cpu_set_t set[16] = {0}; /* of 1,024 processors each */

    if (sched_getaffinity(0, sizeof set, set) == 0)
        machine.affinity = (size_t)CPU_COUNT_S(sizeof set, set);
#endif
    if (f && fscanf(f, "%lu %*u %*u %*u %*u %lu", &all, &data) != 2)
        all = data = 0;
    if (f)
        fclose(f);
    machine.process =
        lower_limit(limit_left(RLIMIT_AS, all), limit_left(RLIMIT_DATA, data));
#ifdef _SC_PHYS_PAGES
    machine.memory =
        fmax(0, (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
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

double ig_machine_memory(const ig_machine *machine)
{
    return lower_limit(machine->limit, lower_limit(machine->process, machine->memory));
}
