/* The cancel flag that signal handlers set. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "core/file.h"

static atomic_bool interrupted; /* lock-free: safe in a signal handler */
static volatile sig_atomic_t first;

static void note_signal(int number)
{
    atomic_store(&interrupted, true);
    first = number;
}

/* End by the signal, whose default action SA_RESETHAND restored. */
static void end_by_signal(int number)
{
    ig_writers_remove_unfinished();
    raise(number);
}

void ig_interrupt_catch(bool writes)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, action = {.sa_handler = writes ? note_signal : end_by_signal,
                                    .sa_flags = SA_RESTART | (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

int ig_interrupt_status(void)
{
    return 128 + (first ? first : SIGINT);
}

const atomic_bool *ig_interrupt_flag(void)
{
    return &interrupted;
}
