/* Signals: the handler writes the number to a pipe. One that ends the program gives
 * it a second to do so: a terminal that takes nothing lets it wait in a write. */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

enum { GRACE = 1 /* second */, STATUS = 130 /* as when the loop ends by a signal */ };

static const int caught[IG_SIGNALS] = {SIGWINCH, SIGTSTP, SIGCONT,
                                       SIGINT,   SIGTERM, SIGHUP};

/* Where the handler writes: state of the whole process, as a handler has no argument.
 * −1 while nothing is caught. */
static volatile sig_atomic_t signal_fd = -1;
static struct termios settings; /* the terminal's settings before; set with signal_fd */

/* Too late: what the terminal has not taken is dropped, so that it takes what makes
 * it usual again (an unfinished sequence cancelled, mouse off, cursor on, main
 * screen). All of these functions may be called by a handler. */
static void give_up(int number)
{
    static const char reset[] = "\x18\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
                                "\x1b[?25h\x1b[m\x1b[?1049l";
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    (void)number;
    tcflush(STDOUT_FILENO, TCOFLUSH);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    if (write(STDOUT_FILENO, reset, sizeof reset - 1) < 0) {
        /* nothing more can be done */
    }
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    signal(SIGTTOU, SIG_IGN); /* from the background, too */
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    _exit(STATUS);
}

static void on_signal(int number)
{
    int error = errno, fd = signal_fd;
    unsigned char byte = (unsigned char)number;

    /* A write fails when the pipe is full, and then it holds what wakes the loop. */
    if (fd >= 0 && write(fd, &byte, 1) != 1)
        errno = error;
    if (number == SIGTERM || number == SIGHUP)
        alarm(GRACE);
    errno = error;
}

bool ig_signals_open(ig_signals *signals)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction late = {.sa_handler = give_up};

    if (pipe(signals->fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signals->fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(signals->fd[i], F_SETFL, O_NONBLOCK);
    }
    tcgetattr(STDIN_FILENO, &settings);
    signal_fd = signals->fd[1];
    sigemptyset(&late.sa_mask);
    sigaction(SIGALRM, &late, &signals->alarm_before);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < IG_SIGNALS; i++)
        sigaction(caught[i], &action, &signals->before[i]);
    return true;
}

void ig_signals_close(ig_signals *signals)
{
    for (int i = 0; i < IG_SIGNALS; i++)
        sigaction(caught[i], &signals->before[i], NULL);
    alarm(0);
    sigaction(SIGALRM, &signals->alarm_before, NULL);
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
