/* The one flag that a signal handler may set. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static atomic_bool interrupted; /* lock-free, and so a handler may set it */

static void note_signal(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

void ig_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now, action = {.sa_handler = note_signal};

        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            continue;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART | SA_RESETHAND;
        sigaction(signals[i], &action, NULL);
    }
}

bool ig_interrupted(void)
{
    return atomic_load(&interrupted);
}

const atomic_bool *ig_interrupt_flag(void)
{
    return &interrupted;
}
