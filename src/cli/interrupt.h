/* Cancellation by signals: Ctrl-C and SIGTERM set a flag, so that training can end
 * after its batch and save its best epoch. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* How long the command may take to end after the signal. */
typedef enum ig_interrupt_grace {
    IG_INTERRUPT_SECOND, /* no result to save: killed after a second */
    IG_INTERRUPT_WRITES  /* unlimited, to save its results */
} ig_interrupt_grace;

/* From now on the first SIGINT, SIGTERM or SIGHUP only sets the flag; a second one of
 * the same kind ends the program. Ignored signals (nohup) stay ignored. */
void ig_interrupt_catch(ig_interrupt_grace grace);

/* Whether the flag is set. */
bool ig_interrupted(void);

/* The exit status of an interrupted command: 128 + the number of the signal. */
int ig_interrupt_status(void);

/* The flag itself, for work with a cancel flag (core/progress.h). */
const atomic_bool *ig_interrupt_flag(void);
