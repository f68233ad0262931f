/* The cancel flag that signal handlers set. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"

static atomic_bool interrupted; /* lock-free: safe in a signal handler */
static volatile sig_atomic_t first;
static volatile sig_atomic_t grace_seconds; /* 0: unlimited */

static void note_signal(int number)
{
    atomic_store(&interrupted, true);
    first = number;
    alarm((unsigned)grace_seconds);
}

/* The grace period is over: end by the first signal, whose default action was restored
 * by SA_RESETHAND. */
static void end_by_signal(int number)
{
    (void)number;
    ig_writers_remove_unfinished();
    raise(first);
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigaction(number, &action, NULL);
}

void ig_interrupt_catch(ig_interrupt_grace grace)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    grace_seconds = grace == IG_INTERRUPT_SECOND;
    set_handler(SIGALRM, end_by_signal);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now;

        if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
            set_handler(signals[i], note_signal);
    }
}

bool ig_interrupted(void)
{
    return atomic_load(&interrupted);
}

int ig_interrupt_status(void)
{
    return 128 + (first ? first : SIGINT);
}

const atomic_bool *ig_interrupt_flag(void)
{
    return &interrupted;
}
