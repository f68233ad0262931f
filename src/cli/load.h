/* What commands work on: a set, its pairs, a pool of threads, a run to apply. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "base/pool.h"
#include "cli/options.h"
#include "data/pairs.h"
#include "data/scores.h"
#include "linear/image.h"
#include "runs/model.h"

/* A zeroed struct may be freed. Sources of its rows point into it: do not move it. */
typedef struct ig_loaded {
    ig_set *set;
    ig_pool *pool;
    ig_inputs inputs; /* every file that is read */
    size_t zero_rows; /* after ig_load_check */
    ig_pairs pairs;   /* after ig_load_pairs */
    ig_scores scores; /* after ig_load_scores; empty without --scores */
    uint64_t values;  /* with --run, after ig_load_with_run: ig_set_check_sum */
    bool has_model;   /* when there is --run */
    ig_model model;

    ig_rows originals;
    ig_space_rows space[IG_SPACES]; /* contexts of ig_load_space */
} ig_loaded;

/* Start the threads and open DATA; values are not looked at. IG_USAGE when what is to
 * be written, by any option, is a file or run that is read. */
ig_status ig_load_open(ig_loaded *loaded, const ig_options *options, ig_error *error);

/* The same for somebody who waits (or NULL); IG_INTERRUPTED when he no longer does. */
ig_status ig_load_open_for(const ig_reading *reading, ig_loaded *loaded,
                           const ig_options *options, ig_error *error);

/* Look at every value, and say on stderr, unless --quiet, what was kept and is worth
 * knowing: zero rows, empty texts, repeated ids, a sample. */
ig_status ig_load_check(ig_loaded *loaded, const ig_options *options, ig_error *error);

/* Pairs of the ids, or of --pairs. With `optional`, a set without any has none and that
 * is no error. */
ig_status ig_load_pairs(ig_loaded *loaded, const ig_options *options, bool optional,
                        ig_error *error);

/* Those of --pairs, and a note of lines that fit no rows. */
ig_status ig_load_given_pairs(ig_loaded *loaded, const ig_options *options,
                              ig_error *error);

/* The scores of --scores, when it is given. */
ig_status ig_load_scores(ig_loaded *loaded, const ig_options *options, ig_error *error);

/* The set, looked at, and the run of --run: ig_load_open, _check and _run. */
ig_status ig_load_with_run(ig_loaded *loaded, const ig_options *options,
                           ig_error *error);

/* Whether the row of --row is there: IG_OK or IG_VALUE. */
ig_status ig_load_row(const ig_loaded *loaded, const ig_options *options,
                      ig_error *error);

/* The rows of a space; false when there is none: no run, or its extractor has not that
 * space. `loaded` is what they read from. */
bool ig_load_space(ig_loaded *loaded, ig_space space, ig_rows *rows);

/* Whether the space is a linear image of the originals, which `loaded` holds. */
bool ig_load_image(const ig_loaded *loaded, ig_space space, ig_image *image);

/* 1/length of every row of a space of the run, kept beside it (runs/lengths.h).
 *   rows   in   those of ig_load_space
 *   scale  out  (N); ig_free. NULL: a length that is not told so, and IG_OK
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_load_scale(const ig_loaded *loaded, const ig_options *options,
                        ig_space space, const ig_rows *rows, float **scale,
                        ig_error *error);

void ig_load_free(ig_loaded *loaded);

#endif
