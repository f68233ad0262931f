/* Cancellation by signals: Ctrl-C and SIGTERM set a flag, so that training can end
 * after its batch and save its best epoch. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP sets the flag, for a command that
 * `writes` results then, and a second one of the same kind ends the program; of another
 * command the first one does, after removing unfinished files. Ignored signals (nohup)
 * stay ignored. */
void ig_interrupt_catch(bool writes);

/* The exit status of an interrupted command: 128 + the number of the signal. */
int ig_interrupt_status(void);

/* The flag, also for work with a cancel flag (core/progress.h). */
const atomic_bool *ig_interrupt_flag(void);
