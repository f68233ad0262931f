/* CPU affinity, control groups (cgroups) and machine sizes. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "core/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LINE_BYTES = PATH_BYTES + 256 };

/* --- control groups ---------------------------------------------------------------
 *
 * /proc/self/cgroup has a line "0::/PATH" for version 2. Limits of all parent groups
 * apply, too. In a container the path may name groups that are not visible: missing
 * files are skipped, and the root of the hierarchy is then the container's group. */

/* A limit of a group, from its file: bytes ("1073741824"), or processor time and its
 * period ("200000 100000"); 0: none ("max"). */
static double read_limit(const char *folder, const char *name)
{
    char path[2 * PATH_BYTES + 64];
    double amount = 0, period = 1;
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "r");
    if (f && fscanf(f, "%lf %lf", &amount, &period) < 1)
        amount = 0;
    if (f)
        fclose(f);
    return amount > 0 && period > 0 ? amount / period : 0;
}

/* The smaller of two limits; 0 means unlimited. */
static double lower_limit(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* The smallest limit of this process's group and its parents. */
static double find_limit(const char *root, const char *name)
{
    char path[PATH_BYTES], line[LINE_BYTES], folder[2 * PATH_BYTES];
    double least = 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        size_t hierarchy;

        if (strncmp(line, "0::", 3) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        hierarchy = (size_t)snprintf(folder, sizeof folder, "%s/sys/fs/cgroup", root);
        snprintf(folder + hierarchy, sizeof folder - hierarchy, "%s", line + 3);
        for (char *cut;; *cut = '\0') { /* up to the root of the hierarchy */
            least = lower_limit(read_limit(folder, name), least);
            cut = strrchr(folder, '/');
            if (!cut || (size_t)(cut - folder) < hierarchy)
                break;
        }
    }
    if (f)
        fclose(f);
    return least;
}

/* --- the machine ------------------------------------------------------------------ */

static size_t count_affinity(void)
{
#ifdef __linux__
    cpu_set_t set[16]; /* of 1,024 processors each */

    memset(set, 0, sizeof set);
    if (sched_getaffinity(0, sizeof set, set) == 0)
        return (size_t)CPU_COUNT_S(sizeof set, set);
#endif
    return 0;
}

/* What a resource limit leaves to this process, which uses `used` pages; 0:
 * unlimited. */
static double limit_left(int resource, unsigned long used)
{
    struct rlimit limit;
    double left;

    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    left = (double)limit.rlim_cur - (double)used * (double)sysconf(_SC_PAGESIZE);
    return left > 1 ? left : 1;
}

ig_machine ig_machine_find(const char *root)
{
    ig_machine machine = {
        .affinity = count_affinity(),
        .quota = find_limit(root, "cpu.max"),
        .limit = find_limit(root, "memory.max"),
    };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned long all = 0, data = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f && fscanf(f, "%lu %*u %*u %*u %*u %lu", &all, &data) != 2)
        all = data = 0;
    if (f)
        fclose(f);
    machine.process = limit_left(RLIMIT_AS, all);
#ifdef RLIMIT_DATA
    machine.process = lower_limit(limit_left(RLIMIT_DATA, data), machine.process);
#endif
    machine.processors = processors > 0 ? (size_t)processors : 1;
#ifdef _SC_PHYS_PAGES
    machine.memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#endif
    if (machine.memory < 0)
        machine.memory = 0;
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
