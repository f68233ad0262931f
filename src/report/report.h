/* The report: what runs on a set came to, in one file that opens anywhere: tables of
 * all measures, curves and maps as SVG, and every option and seed needed to repeat
 * it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdatomic.h>

#include "data/pairs.h"
#include "learn/extractor.h"
#include "measure/evaluation.h"
#include "report/page.h"

/* The curves of one run: epoch i at [i]; NaN leaves a gap. */
typedef struct ig_report_curves {
    size_t epochs; /* the state before training included; 0: no history */
    size_t best;
    const double *train, *valid, *alignment, *uniformity; /* (epochs) each */
} ig_report_curves;

/* One run. */
typedef struct ig_report_run {
    const char *name;        /* "1 seed" */
    const ig_property *fact; /* (facts) options, seed, how it ended */
    size_t facts;
    const char *objective; /* its text, or NULL */
    ig_report_curves curves;
    const ig_extractor *extractor;         /* of the best epoch: for its map; or NULL */
    const ig_evaluation *space[IG_SPACES]; /* meaning and language; NULL: has none */
} ig_report_run;

/* All of it; nothing is owned. */
typedef struct ig_report {
    const char *title;
    const char *version; /* of the program */
    const char *command; /* a command line that repeats it, or NULL */
    const ig_set *set;
    const char *measured;    /* "all 4,800 rows, 16,800 pairs" */
    const ig_property *fact; /* (facts) of the data and the machine */
    size_t facts;
    const ig_evaluation *original;
    const ig_report_run *run; /* (runs) */
    size_t runs;
    const atomic_bool *stop; /* when it turns true, nothing is written; or NULL */
} ig_report;

/* Whether a path's ending is one of a report: .html, .htm. */
bool ig_report_writes(const char *path);

/* Whether a report may be written there: IG_OK, or IG_USAGE for another ending. Of .md
 * it says why there is no such form: what shows Markdown refuses pictures that are part
 * of the file. */
ig_status ig_report_check(const char *path, ig_error *error);

/* Write it, complete or not at all. IG_OK, IG_USAGE (another ending), IG_IO, IG_NOMEM
 * or IG_INTERRUPTED. Maps take some 2·N·d² flops a space. */
ig_status ig_report_write(const ig_report *report, const char *path, ig_pool *pool,
                          ig_error *error);

#endif
