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
 * /proc/self/cgroup has one line per hierarchy, "NUMBER:CONTROLLERS:/PATH"; version 2
 * has no controllers. Limits of all parent groups apply, too. In a container the path
 * may name groups that are not visible: missing files are skipped, and the root of the
 * hierarchy is then the container's group. */

/* Read up to two numbers from a one-line file ("max" is not a number). Returns how
 * many. */
static int read_numbers(const char *folder, const char *name, double out[2])
{
    char path[PATH_BYTES + 64];
    FILE *f;
    int n;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "r");
    n = f ? fscanf(f, "%lf %lf", &out[0], &out[1]) : 0;
    if (f)
        fclose(f);
    return n > 0 ? n : 0;
}

/* A limit: its controller, and its file in each cgroup version. In version 2 the file
 * of the processor time ("200000 100000", microseconds a period, or "max 100000") has
 * its period, too. */
typedef struct limit_kind {
    const char *controller, *file[2], *period;
} limit_kind;

static const limit_kind cpu = {
    "cpu", {"cpu.cfs_quota_us", "cpu.max"}, "cpu.cfs_period_us"};
static const limit_kind memory = {
    "memory", {"memory.limit_in_bytes", "memory.max"}, NULL};

/* A limit of a group; 0: none, which in version 1 is −1 or nearly 2^63. */
static double read_limit(const char *folder, const limit_kind *kind, bool second)
{
    double n[2] = {0}, period[2] = {0};
    int read = read_numbers(folder, kind->file[second], n);

    if (!kind->period)
        period[0] = 1;
    else if (second)
        period[0] = read == 2 ? n[1] : 0;
    else
        read_numbers(folder, kind->period, period);
    return n[0] > 0 && n[0] < 1e18 && period[0] > 0 ? n[0] / period[0] : 0;
}

/* The smaller of two limits; 0 means unlimited. */
static double lower_limit(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* True if a list such as "cpu,cpuacct" contains a controller. */
static bool has_controller(const char *controllers, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = controllers; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
            return true;
    return false;
}

/* The smallest limit of this process's groups and their parents. */
static double find_limit(const char *root, const limit_kind *kind)
{
    char path[PATH_BYTES], line[LINE_BYTES], folder[2 * PATH_BYTES];
    double least = 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        bool second = group && group == controllers + 1;
        size_t hierarchy;

        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (!second && !has_controller(controllers + 1, kind->controller))
            continue;
        hierarchy = (size_t)snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%s",
                                     root, second ? "" : "/",
                                     second ? "" : kind->controller);
        snprintf(folder + hierarchy, sizeof folder - hierarchy, "%s", group);
        for (char *cut;; *cut = '\0') { /* from the group up to the root of the
                                           hierarchy */
            least = lower_limit(read_limit(folder, kind, second), least);
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
        .quota = find_limit(root, &cpu),
        .limit = find_limit(root, &memory),
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
