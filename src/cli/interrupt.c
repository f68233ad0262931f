/* The one flag that a signal handler may set. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static atomic_bool interrupted; /* lock-free, and so a handler may set it */
static volatile sig_atomic_t first;
static volatile sig_atomic_t patience; /* seconds; 0: without end */
static const char *_Atomic words;      /* said when a signal comes, or NULL */

static void note_signal(int number)
{
    const char *said = atomic_load(&words);

    atomic_store(&interrupted, true);
    first = number;
    alarm((unsigned)patience);
    if (said && write(STDERR_FILENO, said, strlen(said)) < 0)
        return; /* nobody hears it */
}

/* It takes too long: end by the signal that came, whose own action is back in place. */
static void give_up(int number)
{
    (void)number;
    ig_writers_remove_unfinished();
    raise(first);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigaction(number, &action, NULL);
}

void ig_interrupt_catch(ig_interrupt_grace grace)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    patience = grace == IG_INTERRUPT_SECOND;
    handle(SIGALRM, give_up);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction now;

        if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
            handle(signals[i], note_signal);
    }
}

void ig_interrupt_ranks(const char *said, unsigned seconds)
{
    atomic_store(&words, said);
    patience = (sig_atomic_t)seconds;
    if (seconds == 0)
        alarm(0);
}

void ig_interrupt(void)
{
    atomic_store(&interrupted, true);
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
