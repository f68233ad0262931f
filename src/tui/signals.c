/* Signals: a handler writes the number to a pipe, or makes the terminal usual and lets
 * the signal end the program. One that asks the program to end gives it a second to do
 * so: a terminal that takes nothing lets it wait in a write. */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

enum { GRACE = 1 /* second */ };

/* What the handlers work with: state of the whole process, as a handler has no
 * argument. NULL while nothing is caught. */
static ig_signals *volatile now;

static volatile sig_atomic_t ended; /* SIGTERM or SIGHUP came: the alarm is ours */

int ig_signals_ended(void)
{
    return ended;
}

/* What the terminal has not taken is dropped, so that it takes what makes it usual
 * again: an unfinished sequence cancelled, mouse off, keys as usual, cursor on, main
 * screen. */
void ig_signals_restore(void)
{
    static const char reset[] = "\x18\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
                                "\x1b[?1l\x1b>\x1b[?25h\x1b[m\x1b[?1049l";
    const ig_signals *signals = now;
    int flags;

    if (!signals || signals->lent)
        return;
    flags = fcntl(STDOUT_FILENO, F_GETFL);
    tcflush(STDOUT_FILENO, TCOFLUSH);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    if (write(STDOUT_FILENO, reset, sizeof reset - 1) < 0) {
        /* nothing more can be done */
    }
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    signal(SIGTTOU, SIG_IGN); /* from the background, too */
    tcsetattr(STDIN_FILENO, TCSANOW, &signals->settings);
}

/* The signal does what it did before it was caught: mostly it ends the process, as soon
 * as the handler returns. */
static void on_end(int number)
{
    const ig_signals *signals = now;

    ig_signals_restore();
    ig_writers_remove_unfinished();
    if (number == SIGALRM && ended)
        _exit(128 + ended); /* too late */
    if (signals)
        sigaction(number, &signals->before[number], NULL);
    else
        signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number)
{
    int error = errno;
    ig_signals *signals = now;
    unsigned char byte = (unsigned char)number;

    if (signals && (number == SIGTERM || number == SIGHUP)) {
        ended = number;
        alarm(GRACE);
    }
    /* The last: the loop that it wakes may close the pipe. A write fails when the
     * pipe is full, and then it holds what wakes the loop. */
    if (signals && write(signals->fd[1], &byte, 1) != 1)
        errno = error;
    errno = error;
}

/* What is done with a signal; SIG_DFL: it is left alone. */
static void (*handler_of(int number, const struct sigaction *before))(int)
{
    switch (number) {
    case SIGWINCH:
    case SIGTSTP:
    case SIGCONT:
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        return on_signal;
    case SIGKILL:
    case SIGSTOP: /* cannot be caught */
    case SIGTTIN:
    case SIGTTOU:
    case SIGCHLD:
    case SIGURG: /* end nothing */
        return SIG_DFL;
    case SIGBUS:
        return before->sa_handler == SIG_DFL ? on_end : SIG_DFL;
    default:
        return before->sa_handler == SIG_IGN ? SIG_DFL : on_end;
    }
}

static void catch (ig_signals *signals, int number)
{
    struct sigaction *before = &signals->before[number], action = {0};

    if (sigaction(number, NULL, before) != 0)
        return; /* there is no such signal, or it is not ours */
    action.sa_handler = handler_of(number, before);
    action.sa_flags = action.sa_handler == on_signal ? SA_RESTART : 0;
    sigemptyset(&action.sa_mask);
    signals->caught[number] = action.sa_handler != SIG_DFL &&
                              sigaction(number, &action, NULL) == 0;
}

bool ig_signals_open(ig_signals *signals)
{
    *signals = (ig_signals){0};
    if (pipe(signals->fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signals->fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(signals->fd[i], F_SETFL, O_NONBLOCK);
    }
    tcgetattr(STDIN_FILENO, &signals->settings);
    now = signals;
    /* curses ends the program when its memory is short. */
    atexit(ig_signals_restore);
    for (int number = 1; number < IG_SIGNALS; number++)
        catch (signals, number);
    return true;
}

void ig_signals_close(ig_signals *signals)
{
    alarm(0);
    for (int number = 1; number < IG_SIGNALS; number++)
        if (signals->caught[number])
            sigaction(number, &signals->before[number], NULL);
    now = NULL;
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
