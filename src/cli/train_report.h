/* What a training came to, on stdout. */
#ifndef CLI_TRAIN_REPORT_H
#define CLI_TRAIN_REPORT_H

#include "cli/options.h"
#include "runs/run.h"

/* A summary in lines, or with --json the whole history with the figures of epochs.csv.
 * ended: IG_OK when it ended by itself. Returns an exit status. */
int ig_train_report(const ig_run *run, const ig_options *options, ig_status ended);

#endif
