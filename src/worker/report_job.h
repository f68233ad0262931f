/* The report of all runs: every one with weights, measured in full at its best epoch,
 * and written. One job, which goes on until it is cancelled. */
#ifndef WORKER_REPORT_JOB_H
#define WORKER_REPORT_JOB_H

#include "worker/state.h"

/* Measure, write, and tell what became of it. */
void ig_report_job(ig_session *session, const char *path);

#endif
