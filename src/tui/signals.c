/* Signals: the handler writes the number to a pipe, nothing else. */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static const int caught[IG_SIGNALS] = {SIGWINCH, SIGTSTP, SIGCONT,
                                       SIGINT,   SIGTERM, SIGHUP};

/* Where the handler writes: state of the whole process, as a handler has no argument.
 * −1 while nothing is caught. */
static volatile sig_atomic_t signal_fd = -1;

static void on_signal(int number)
{
    int error = errno, fd = signal_fd;
    unsigned char byte = (unsigned char)number;

    /* A write fails when the pipe is full, and then it holds what wakes the loop. */
    if (fd >= 0 && write(fd, &byte, 1) != 1)
        errno = error;
    errno = error;
}

bool ig_signals_open(ig_signals *signals)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    if (pipe(signals->fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signals->fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(signals->fd[i], F_SETFL, O_NONBLOCK);
    }
    signal_fd = signals->fd[1];
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < IG_SIGNALS; i++)
        sigaction(caught[i], &action, &signals->before[i]);
    return true;
}

void ig_signals_close(ig_signals *signals)
{
    for (int i = 0; i < IG_SIGNALS; i++)
        sigaction(caught[i], &signals->before[i], NULL);
    signal_fd = -1;
    close(signals->fd[0]);
    close(signals->fd[1]);
}

int ig_signals_next(ig_signals *signals)
{
    unsigned char number;

    return read(signals->fd[0], &number, 1) == 1 ? number : 0;
}

void ig_signals_stop(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;

    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, &ours);
    kill(0, SIGTSTP); /* the whole job: `make demo` waits above us */
    sigaction(SIGTSTP, &ours, NULL);
}
