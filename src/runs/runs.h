/* The run list: all runs there are at a time, those trained here and those read from
 * directories, by numbers that are never used again. */
#ifndef RUNS_RUNS_H
#define RUNS_RUNS_H

#include <stdatomic.h>

#include "runs/run.h"
#include "runs/run_directory.h"

/* The curves of a run: values of epoch i at value[i]; shared by count. */
enum {
    IG_CURVE_TRAIN,
    IG_CURVE_VALID,
    IG_CURVE_ALIGNMENT, /* of the meanings */
    IG_CURVE_UNIFORMITY,
    IG_RUN_CURVES
};
typedef struct ig_run_curves {
    size_t records;
    atomic_int users; /* private */
    double value[][IG_RUN_CURVES];
} ig_run_curves;

void ig_run_curves_release(ig_run_curves *curves);

/* What is known of a run of either kind; all points into it. */
typedef struct ig_run_summary {
    const char *method, *ending;
    const ig_train_options *options; /* resolved */
    size_t dims;                     /* of its vectors; 0: not known */
    size_t records, best;
    const ig_run_record *record;   /* (records) */
    const ig_extractor *extractor; /* of the best epoch; NULL: there are no weights */
} ig_run_summary;

ig_run_summary ig_run_summarise(const ig_run *run, const ig_stored *stored);

typedef struct ig_run_entry {
    unsigned number;   /* from 1, in the order of their coming */
    ig_run *run;       /* trained here, or NULL: */
    ig_stored *stored; /* read from a directory */
    bool stopped;      /* by hand */
    bool saved;
    char *path;            /* where it was written last, or NULL */
    ig_run_curves *curves; /* as far as they were asked for */
    uint8_t *held_out;     /* (rows) of one that was read, once looked for; or NULL */
    bool split_tried;
} ig_run_entry;

/* A zeroed struct is empty. */
typedef struct ig_runs {
    ig_run_entry **entry; /* (count) by ascending numbers */
    size_t count, capacity;
    unsigned numbers; /* handed out */
} ig_runs;

void ig_runs_free(ig_runs *runs);

/* Take in a run, of which one is NULL; it is the list's from then on. The new entry, or
 * NULL when memory is short. */
ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_stored *stored);

/* Read a run directory as one more. IG_OK or a status of ig_stored_read. */
ig_status ig_runs_load(ig_runs *runs, const char *path, const ig_set *set,
                       bool any_dims, ig_error *error);

/* The run of that number, or NULL. */
ig_run_entry *ig_runs_find(const ig_runs *runs, unsigned number);

/* Forget a run. */
void ig_runs_remove(ig_runs *runs, ig_run_entry *entry);

/* Weights of past epochs get so many bytes for all runs together: the oldest runs lose
 * theirs first. */
void ig_runs_thin(ig_runs *runs, size_t bytes);

/* Whether it will go on if it is let. */
bool ig_run_entry_going(const ig_run_entry *entry);

/* Whether it is written, or there is nothing to write. */
bool ig_run_entry_saved(const ig_run_entry *entry);

/* The weights that are to be seen of it: of the epoch *epoch when *looking and they are
 * kept (*looking: whether they are), else the newest, and of a run that is over the
 * best. *x is not a copy. False when there are none. */
bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch);

/* Its curves, one use of which is the caller's; NULL when memory is short. */
const ig_run_curves *ig_run_entry_curves(ig_run_entry *entry);

/* The rows of the set that it held out, or NULL: none that are known.
 *   given  in  pairs of a file that the set came with, or NULL (ig_stored_split) */
const uint8_t *ig_run_entry_held_out(ig_run_entry *entry, const ig_set *set,
                                     const ig_pairs *given);

#endif
