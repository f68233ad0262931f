/* eval --report FILE: what was measured, kept in one file. */
#ifndef CLI_EVAL_REPORT_H
#define CLI_EVAL_REPORT_H

#include "cli/evaluated.h"

/* Whether options->report can be written: its ending (IG_USAGE), its folder (IG_IO);
 * before anything is measured in vain. */
ig_status ig_eval_report_check(const ig_options *options, ig_error *error);

/* Write it. As ig_report_write. */
ig_status ig_eval_report(const ig_evaluated *evaluated, ig_error *error);

#endif
