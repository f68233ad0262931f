/* Affinity, control groups and sizes of the machine. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "base/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LINE_BYTES = PATH_BYTES + 256 };

/* --- control groups ---------------------------------------------------------------
 * /proc/self/cgroup has a line for each hierarchy, "NUMBER:CONTROLLERS:/PATH"; that of
 * version 2 has no controllers. A limit of any group above holds, too. Inside a
 * container the path may name groups that are not seen from there: what is not found is
 * passed over, and the root of the hierarchy is then the container's own group. */

/* What is looked for in a group's folder. */
typedef double read_limit(const char *folder);

/* The numbers in a file of one line, at most two ("max" is none); how many there were.
 */
static int read_numbers(const char *folder, const char *name, double out[2])
{
    char path[PATH_BYTES + 64], line[128];
    FILE *f;
    int n = 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "r");
    if (!f)
        return 0;
    if (fgets(line, sizeof line, f)) {
        char *at = line, *end;

        for (; n < 2; n++, at = end) {
            out[n] = strtod(at, &end);
            if (end == at)
                break;
        }
    }
    fclose(f);
    return n;
}

/* cpu.max: "200000 100000", microseconds granted in a period, or "max 100000". */
static double quota_of_v2(const char *folder)
{
    double n[2];

    return read_numbers(folder, "cpu.max", n) == 2 && n[0] > 0 && n[1] > 0 ? n[0] / n[1]
                                                                           : 0;
}

/* The quota is −1 where there is none. */
static double quota_of_v1(const char *folder)
{
    double quota[2], period[2];

    return read_numbers(folder, "cpu.cfs_quota_us", quota) &&
                   read_numbers(folder, "cpu.cfs_period_us", period) && quota[0] > 0 &&
                   period[0] > 0
               ? quota[0] / period[0]
               : 0;
}

static double memory_of_v2(const char *folder)
{
    double n[2];

    return read_numbers(folder, "memory.max", n) && n[0] > 0 ? n[0] : 0;
}

/* Where there is no limit it is nearly 2^63. */
static double memory_of_v1(const char *folder)
{
    double n[2];

    return read_numbers(folder, "memory.limit_in_bytes", n) && n[0] > 0 && n[0] < 1e18
               ? n[0]
               : 0;
}

/* The least limit of a group and all above it. */
static double least_above(const char *hierarchy, const char *group, read_limit *limit)
{
    char folder[2 * PATH_BYTES];
    double least = 0;

    snprintf(folder, sizeof folder, "%s%s", hierarchy, group);
    for (;;) {
        double found = limit(folder);
        char *cut = strrchr(folder, '/');

        if (found > 0 && (least == 0 || found < least))
            least = found;
        if (!cut || (size_t)(cut - folder) < strlen(hierarchy))
            return least;
        *cut = '\0';
    }
}

/* Whether a list "cpu,cpuacct" names a controller. */
static bool lists(const char *controllers, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = controllers; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
            return true;
    return false;
}

/* The least limit by a controller, in version 2 or 1, whichever serves it. */
static double least_limit(const char *root, const char *controller, read_limit *v2,
                          read_limit *v1)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    double least = 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        bool second = group && group == controllers + 1;
        double found;

        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (!second && !lists(controllers + 1, controller))
            continue;
        if (second)
            snprintf(path, sizeof path, "%s/sys/fs/cgroup", root);
        else
            snprintf(path, sizeof path, "%s/sys/fs/cgroup/%s", root, controller);
        found = least_above(path, group, second ? v2 : v1);
        if (found > 0 && (least == 0 || found < least))
            least = found;
    }
    if (f)
        fclose(f);
    return least;
}

/* --- the machine ------------------------------------------------------------------ */

enum { SETS = 16 }; /* cpu_set_t, of 1,024 processors each */

/* Processors that this process may run on; 0: the system does not tell. */
static size_t affinity(void)
{
#ifdef __linux__
    cpu_set_t set[SETS];

    memset(set, 0, sizeof set);
    if (sched_getaffinity(0, sizeof set, set) == 0)
        return (size_t)CPU_COUNT_S(sizeof set, set);
#endif
    return 0;
}

/* What a limit of the process leaves it, which has `used` pages; 0: there is none. */
static double left_of(int resource, unsigned long used)
{
    struct rlimit limit;
    double left;

    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    left = (double)limit.rlim_cur - (double)used * (double)sysconf(_SC_PAGESIZE);
    return left > 1 ? left : 1;
}

/* The lesser of what is left of addresses, *space, and of data. */
static double process_memory(double *space)
{
    unsigned long all = 0, data = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    double least;

    if (f && fscanf(f, "%lu %*u %*u %*u %*u %lu", &all, &data) != 2)
        all = data = 0;
    if (f)
        fclose(f);
    *space = least = left_of(RLIMIT_AS, all);
#ifdef RLIMIT_DATA
    double by_data = left_of(RLIMIT_DATA, data);

    if (by_data > 0 && (least == 0 || by_data < least))
        least = by_data;
#endif
    return least;
}

ig_machine ig_machine_find(const char *root)
{
    double space;
    ig_machine machine = {
        .affinity = affinity(),
        .quota = least_limit(root, "cpu", quota_of_v2, quota_of_v1),
        .limit = least_limit(root, "memory", memory_of_v2, memory_of_v1),
        .process = process_memory(&space),
    };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    machine.space = space;
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

void ig_machine_mark(unsigned char *mask, size_t bytes)
{
    memset(mask, 0, bytes);
#ifdef __linux__
    {
        cpu_set_t set[SETS];

        memset(set, 0, sizeof set);
        if (sched_getaffinity(0, sizeof set, set) != 0)
            return;
        for (size_t i = 0; i < 8 * bytes && i < 8 * sizeof set; i++)
            if (CPU_ISSET_S(i, sizeof set, set))
                mask[i / 8] |= (unsigned char)(1 << i % 8);
    }
#endif
}

double ig_machine_memory(const ig_machine *machine)
{
    const double granted[] = {machine->limit, machine->process};
    double memory = machine->memory;

    for (size_t i = 0; i < sizeof granted / sizeof *granted; i++)
        if (granted[i] > 0 && (memory == 0 || granted[i] < memory))
            memory = granted[i];
    return memory;
}
