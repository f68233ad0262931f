/* Training a run to its end without a screen: what `train` and `sweep` share. */
#ifndef CLI_TRAIN_LOOP_H
#define CLI_TRAIN_LOOP_H

#include "runs/run.h"

/* Train until the run ends or the user interrupts (cli/interrupt.h), with progress on
 * stderr unless `quiet`; `label` stands before it, or NULL. IG_OK, IG_INTERRUPTED, or
 * why it failed. */
ig_status ig_train_loop(ig_run *run, const char *label, bool quiet, ig_error *error);

#endif
