/* Runs told as a report (report/report.h): their facts, curves and objectives, and the
 * command lines that train them anew; for `eval --report` and the explorer. */
#ifndef RUNS_REPORTING_H
#define RUNS_REPORTING_H

#include "report/facts.h"
#include "report/report.h"
#include "runs/run.h"
#include "runs/stored.h"

/* One run with the measures of its best epoch. */
typedef struct ig_reported {
    size_t number;           /* "1 seed" */
    const ig_run *run;       /* trained here, or … */
    const ig_stored *stored; /* … read from a directory */
    size_t strangers;        /* languages of the set that a `centre` run did not know */
    const ig_evaluation *meaning, *language; /* NULL: it has no such space */
} ig_reported;

/* A report being gathered. A zeroed struct may be freed. */
typedef struct ig_reporting {
    const ig_set *set;
    const char *const *data; /* (words) DATA and its options, as typed; or none */
    size_t words;
    const ig_evaluation *original;
    ig_facts facts; /* of the data and the machine: more may be added */
    size_t runs, capacity;
    ig_report_run *run;   /* (runs) */
    struct ig_told *told; /* (runs) private: what the runs point to */
    const char *command;  /* lines, or NULL */
} ig_reporting;

/* Begin a report on a set; what is given must outlive it. */
void ig_reporting_init(ig_reporting *reporting, const ig_set *set,
                       const char *const *data, size_t words,
                       const ig_evaluation *original);

/* Add a run. IG_OK or IG_NOMEM. */
ig_status ig_reporting_add(ig_reporting *reporting, const ig_reported *run,
                           ig_error *error);

/* Add a line to the commands that repeat it (NULL: memory was short). */
void ig_reporting_line(ig_reporting *reporting, const char *line);

/* Write it, as ig_report_write.
 *   measured  in  "all 4,800 rows, 16,800 pairs"
 *   stop      in  or NULL */
ig_status ig_reporting_write(ig_reporting *reporting, const char *measured,
                             const char *path, ig_pool *pool, const atomic_bool *stop,
                             ig_error *error);

void ig_reporting_free(ig_reporting *reporting);

#endif
