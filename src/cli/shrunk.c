/* Files that become shorter: what a handler of SIGBUS may do about it. */
#include "cli/shrunk.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "tui/signals.h"

static _Atomic(const char *) shrunk; /* name of the file */
static atomic_bool asks;
static atomic_int asked_by;

/* "isogloss: NAME became shorter …" by what a signal handler may call. */
static void tell(const char *name)
{
    static const char before[] = "isogloss: ",
                      after[] = " became shorter while it was read\n";
    char text[512];
    size_t n = sizeof before - 1;

    memcpy(text, before, n);
    for (; *name && n < sizeof text - sizeof after; name++)
        text[n++] = (unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name;
    memcpy(text + n, after, sizeof after - 1);
    n += sizeof after - 1;
    if (write(STDERR_FILENO, text, n) < 0)
        _exit(IG_EXIT_FAILED);
}

static void note(int number, siginfo_t *info, void *context)
{
    const char *name = ig_mapping_mend(info->si_addr), *none = NULL;
    int error = errno;

    (void)context;
    if (!name) {
        ig_signals_restore();
        signal(number, SIG_DFL);
        raise(number); /* not ours: it ends the process */
    } else if (!atomic_load(&asks)) {
        ig_writers_remove_unfinished();
        tell(name);
        _exit(IG_EXIT_FAILED);
    } else if (atomic_compare_exchange_strong(&shrunk, &none, name)) {
        ig_interrupt();
        if (atomic_load(&asked_by))
            kill(getpid(), atomic_load(&asked_by));
    }
    errno = error;
}

void ig_shrunk_catch(void)
{
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

void ig_shrunk_ask(int signal)
{
    atomic_store(&asked_by, signal);
    atomic_store(&asks, true);
}

const char *ig_shrunk_file(void)
{
    const char *name = atomic_load(&shrunk);

    return name ? name : ig_mapping_cut();
}
