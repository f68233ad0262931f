/* The run list: runs trained in this session and runs read from directories. Numbers
 * are never reused. */
#ifndef RUNS_RUNS_H
#define RUNS_RUNS_H

#include "train/run.h"

typedef struct ig_run_entry {
    unsigned number;   /* from 1, in order of addition */
    size_t version;    /* of the dataset (data/versions.h), by number */
    ig_run *run;       /* trained here, or NULL */
    ig_run_info *info; /* of the run, or read from a directory */
    bool stopped;      /* by the user */
    bool saved;
    char *path;        /* last saved to, or NULL */
    uint8_t *held_out; /* (rows) of a run that was read, once computed; or NULL */
    bool split_tried;  /* it is known, or unknown for good */
} ig_run_entry;

/* A zeroed struct is empty. */
typedef struct ig_runs {
    ig_run_entry **entry; /* (count) by ascending numbers */
    size_t count, capacity;
    unsigned numbers; /* last number used */
} ig_runs;

void ig_runs_free(ig_runs *runs);

/* Add a run (one of the two is NULL) and take ownership. Returns the entry, or NULL on
 * out of memory. */
ig_run_entry *ig_runs_add(ig_runs *runs, ig_run *run, ig_run_info *info);

/* Replace what was read. */
void ig_run_entry_replace(ig_run_entry *entry, ig_run_info *info);

/* Run with that number, or NULL. */
ig_run_entry *ig_runs_find(const ig_runs *runs, unsigned number);

/* Remove and free a run. */
void ig_runs_remove(ig_runs *runs, ig_run_entry *entry);

/* Limit the weights of past epochs of all runs to `bytes`; the oldest runs lose theirs
 * first. */
void ig_runs_thin(ig_runs *runs, size_t bytes);

/* Whether the run can continue training. */
bool ig_run_entry_going(const ig_run_entry *entry);

/* Why the run ended; "" while it continues. */
const char *ig_run_entry_ending(const ig_run_entry *entry);

/* Whether the run is saved, or has nothing to save. */
bool ig_run_entry_saved(const ig_run_entry *entry);

/* Weights to display: of epoch *epoch if *looking and they are kept (*looking: whether
 * they are), else the newest; of a finished run the best. *x is not a copy. False if
 * there are none. */
bool ig_run_entry_weights(const ig_run_entry *entry, bool *looking, ig_extractor *x,
                          size_t *epoch);

/* Held-out rows of the run, or NULL if unknown.
 *   given  in  pairs from a file loaded with the dataset, or NULL */
const uint8_t *ig_run_entry_held_out(ig_run_entry *entry, const ig_dataset *set,
                                     const ig_pairs *given);

#endif
