/* What control groups (version 2) grant, from files as a machine has them. */
#include "suite.h"

#include <sys/stat.h>

#include "core/pool.h"
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

/* The files of the other version count for nothing. */
static void test_container(void **state)
{
    ig_machine m;

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

SUITE(machine, scratch_enter, scratch_leave, TEST(test_container), TEST(test_threads))
