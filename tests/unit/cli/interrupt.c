/* Signals: what is busy and never asks ends all the same, by the signal that came. */
#include "cli/progress_meter.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

/* How a process ends that catches signals, gets one and never looks. */
static int ending(bool writes, int number, int times)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        ig_interrupt_catch(writes);
        for (int i = 0; i < times; i++)
            raise(number);
        if (!*ig_interrupt_flag())
            _exit(1);
        if (writes)
            _exit(7); /* it goes on, and writes */
        for (;;)
            pause();
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_what_loads_is_ended(void **state)
{
    static const int number[] = {SIGTERM, SIGINT, SIGHUP};

    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        int status = ending(false, number[i], 1);

        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), number[i]);
    }
}

static void test_what_writes_goes_on(void **state)
{
    int status = ending(true, SIGTERM, 1);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    status = ending(true, SIGTERM, 2);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

SUITE(interrupt, NULL, NULL, TEST(test_what_loads_is_ended),
      TEST(test_what_writes_goes_on))
