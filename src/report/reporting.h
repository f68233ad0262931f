/* Runs in the document of an evaluation (report/document.h): properties, curves,
 * objectives, and command lines that reproduce them; for `eval` and the report of the
 * explorer. */
#ifndef REPORT_REPORTING_H
#define REPORT_REPORTING_H

#include "report/document.h"
#include "train/run.h"

/* One run. */
typedef struct ig_reported {
    size_t number;               /* "1 seed" */
    const ig_run *run;           /* trained here, or NULL: read from a directory */
    const ig_run_info *info;     /* of the run */
    const ig_extractor *applied; /* of a run trained on another set: for this one, … */
    size_t unknown;              /* … so many of whose languages it does not know */
    const char *const *data;     /* (words) DATA and its options, as typed; or none */
    size_t words;
} ig_reported;

/* Add the run, which must outlive the document, to its runs; there must be room. Its
 * measures are to be taken. IG_OK or IG_NOMEM. */
ig_status ig_reporting_add(ig_document *document, const ig_reported *run,
                           ig_error *error);

#endif
