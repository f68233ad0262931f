/* Watching long work. Progress on stderr: one line that is redrawn on a terminal, some
 * plain lines otherwise, nothing if quiet. A flag that Ctrl-C and SIGTERM set, so that
 * training can end after its batch and save its best epoch. */
#pragma once

#include <stdatomic.h>

#include "train/run.h"

/* From now on the first SIGINT, SIGTERM or SIGHUP sets the flag, for a command that
 * `writes` results then, and a second one of the same kind ends the program; of another
 * command the first does, after removing unfinished files. Ignored ones stay so. */
void ig_interrupt_catch(bool writes);

/* The exit status of an interrupted command: 128 + the number of the signal. */
int ig_interrupt_status(void);

/* The flag, also for work with a cancel flag (core/progress.h). */
const atomic_bool *ig_interrupt_flag(void);

typedef struct ig_progress_meter {
    bool quiet, terminal;
    const char *label; /* printed before the line, without log lines; or NULL */
    double started;    /* ig_clock_now */
    double drawn;      /* time of the last redraw, or of the start */
    double from;       /* share that was done when the clock started */
    bool shown;
} ig_progress_meter;

void ig_progress_meter_init(ig_progress_meter *progress, bool quiet);

/* Show progress, `share` from 0 to 1, or −1 if unknown: "measuring  40%  0:03 left". */
void ig_progress_meter_share(ig_progress_meter *p, const char *what, double share);

/* Clear the line. */
void ig_progress_meter_end(ig_progress_meter *progress);

/* Train until the run ends or is interrupted, with progress on stderr
 * unless `quiet`, preceded by `label` (or NULL). A run with checkpoints writes them to
 * `dir`; a failure is reported. IG_OK, IG_INTERRUPTED, or the error of the run. */
ig_status ig_train_loop(ig_run *run, const char *label, bool quiet, ig_dir *dir,
                        ig_error *error);
