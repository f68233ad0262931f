/* What control groups (version 2) grant, from files as a machine has them. */
#include "core/machine.h"

#include <sys/stat.h>

#include "suite.h"

#include "scratch.h"

static void folders(const char *path)
{
    char part[512];

    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/') {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            mkdir(part, 0777);
        }
}

static void file(const char *path, const char *text)
{
    folders(path);
    scratch_text(path, text);
}

static void test_version_two(void **state)
{
    ig_machine m;

    file("v2/proc/self/cgroup", "0::/system.slice/job_7/step_0\n");
    file("v2/sys/fs/cgroup/cpu.stat", "");
    file("v2/sys/fs/cgroup/system.slice/job_7/step_0/cpu.max", "max 100000\n");
    file("v2/sys/fs/cgroup/system.slice/job_7/cpu.max", "350000 100000\n");
    file("v2/sys/fs/cgroup/system.slice/cpu.max", "800000 100000\n");
    m = ig_machine_find("v2");
    assert_float_equal(m.quota, 3.5, 0); /* a group above limits it, too */
}

/* In a container the path is that of the machine, and the group's own files are at the
 * root of what is seen. A line of version 1 counts for nothing. */
static void test_container(void **state)
{
    ig_machine m;

    file("in/proc/self/cgroup", "3:cpu,cpuacct:/docker/0123\n0::/docker/0123\n");
    file("in/sys/fs/cgroup/cpu.max", "50000 100000\n");
    file("in/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "10000\n");
    m = ig_machine_find("in");
    assert_float_equal(m.quota, 0.5, 0);
    assert_int_equal(ig_machine_threads(&m), 1);
}

static void test_threads(void **state)
{
    assert_int_equal(ig_machine_threads(&(ig_machine){.processors = 16}), 16);
    assert_int_equal(ig_machine_threads(&(ig_machine){.processors = 16, .affinity = 3}),
                     3);
    assert_int_equal(ig_machine_threads(
                         &(ig_machine){.processors = 16, .affinity = 3, .quota = 1.5}),
                     2);
    assert_int_equal(ig_machine_threads(&(ig_machine){.processors = 16, .quota = 400}),
                     16);
    assert_int_equal(ig_machine_threads(&(ig_machine){0}), 1);
}

SUITE(machine, scratch_enter, scratch_leave, TEST(test_version_two),
      TEST(test_container), TEST(test_threads))
