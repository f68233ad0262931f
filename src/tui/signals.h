/* Signals as bytes in a pipe, so that one poll waits for them and all else. */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum { IG_SIGNALS = 6 };

typedef struct ig_signals {
    int fd[2]; /* read end, to poll; write end */
    struct sigaction before[IG_SIGNALS], alarm_before;
} ig_signals;

/* Catch SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP; one at a time in a
 * process. A second after the last two the process ends if they are still caught:
 * the terminal (stdin, stdout) is made as it was. False (errno says why) when there
 * is no pipe. */
bool ig_signals_open(ig_signals *signals);

/* Give them back to what they did before. */
void ig_signals_close(ig_signals *signals);

/* The number of the next signal that came, or 0. */
int ig_signals_next(ig_signals *signals);

/* Stop the process group as Ctrl-Z does; returns when it is continued. */
void ig_signals_stop(void);

#endif
