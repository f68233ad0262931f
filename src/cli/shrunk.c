/* A handler of SIGBUS. */
#include "cli/shrunk.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/output.h"
#include "tui/signals.h"

/* "isogloss: NAME became shorter …", async-signal-safe. */
static void complain(const char *name)
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

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const char *name = ig_mapping_name(info->si_addr);

    (void)context;
    ig_signals_restore();
    ig_writers_remove_unfinished();
    if (!name) { /* no mapping: the usual end */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    complain(name);
    _exit(IG_EXIT_FAILED);
}

void ig_shrunk_catch(void)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
