/* Signals as bytes in a pipe, so that one poll waits for them and all else; and the
 * terminal as it was, whatever ends the program. */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

enum { IG_SIGNALS = 65 /* more than the highest number of one */ };

typedef struct ig_signals {
    int fd[2];                  /* read end, to poll; write end */
    volatile sig_atomic_t lent; /* another program has the terminal */
    struct termios settings;    /* the terminal's, before */
    bool caught[IG_SIGNALS];    /* by number */
    struct sigaction before[IG_SIGNALS];
} ig_signals;

/* Catch, one at a time in a process and until ig_signals_close:
 *   SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP, which ig_signals_next
 *     returns. A second after the last two the process ends.
 *   all other signals that end a process and are not ignored: it ends by the same one.
 *     Of SIGBUS only if nobody else has a handler for it.
 * However it ends, the terminal (stdin, stdout) is made as it was. `signals` must stay
 * where it is. False (errno says why) when there is no pipe. */
bool ig_signals_open(ig_signals *signals);

/* Give them back to what they did before. */
void ig_signals_close(ig_signals *signals);

/* The number of the next signal that came, or 0. */
int ig_signals_next(ig_signals *signals);

/* SIGTERM or SIGHUP, when that came, or 0. */
int ig_signals_ended(void);

/* Stop the process group as Ctrl-Z does; returns when it is continued. */
void ig_signals_stop(void);

/* Make the terminal as it was, if it is in use: for a handler of a signal that is about
 * to end the process. Calls only what a handler may call. */
void ig_signals_restore(void);

#endif
