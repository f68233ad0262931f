/* The input of a command: dataset, pairs, thread pool, run, encoder. */
#pragma once

#include "cli/options.h"
#include "core/pool.h"
#include "core/rows.h"
#include "data/pairs.h"
#include "data/versions.h"
#include "encode/origin.h"
#include "train/run.h"

/* A zeroed struct may be freed. Contains pointers into itself: do not copy. */
typedef struct ig_loaded {
    ig_versions versions; /* one, but for ig_load_open_versions */
    ig_dataset *set;      /* the first version, or that of ig_load_version */
    ig_pool *pool;
    ig_inputs inputs; /* all input files */
    size_t zero_rows; /* after ig_load_check */
    ig_pairs pairs;   /* after ig_load_pairs */
    ig_scores scores; /* after ig_load_pairs; empty without --scores */
    ig_run_info run;  /* of --run; else it has no extractor */

    ig_rows originals;
    ig_space_rows space[IG_SPACES]; /* contexts of ig_load_space */
} ig_loaded;

/* Start the threads and open all versions of DATA, without reading their values, with
 * progress and cancellation (`reading`, or NULL). IG_USAGE: an output is an input, too,
 * or has another ending; IG_IO: it cannot be written; IG_VALUE: there is no --row. */
ig_status ig_load_open_versions(const ig_reading *reading, ig_loaded *loaded,
                                const ig_options *options, ig_error *error);

/* Continue with a version: set and originals. */
void ig_load_version(ig_loaded *loaded, size_t version);

/* Reject values that are not finite; unless `quiet` note zero vectors and remarks. */
ig_status ig_load_check(ig_loaded *loaded, bool quiet, ig_error *error);

/* Both for commands that take one version; of several IG_USAGE. */
ig_status ig_load_open(ig_loaded *loaded, const ig_options *options, ig_error *error);

/* A dataset of --train or --test. A zeroed struct may be freed. */
typedef struct ig_other {
    ig_versions versions; /* owns … */
    ig_dataset *set;      /* … this one; NULL: DATA */
    ig_pairs pairs;
    ig_scores scores;
} ig_other;

/* Open it with the dims of DATA, check its values, and read scores of it; of a folder
 * of versions that with the name of the version of DATA. Its pairs are of ids: of a
 * --test as `eval` has them, of --train of --pairing, also of DATA if there is no
 * --train; there may be none, unless --pairing names them. */
ig_status ig_load_other(ig_other *other, ig_loaded *loaded, const ig_test *of,
                        const ig_options *options, ig_error *error);
void ig_load_other_free(ig_other *other);

/* Scores, and pairs of --pairs, or from ids: of --pairing, else `usual` (NULL: pivot).
 * With `none` a dataset without pairs is no error, and `none` says why. */
ig_status ig_load_pairs(ig_loaded *loaded, const ig_options *options, const char *usual,
                        ig_error *none, ig_error *error);

/* The extractor of --method (else seed) and, with weights of --set, its text (or NULL).
 * IG_USAGE: it has no such term. */
ig_status ig_load_objective(const ig_options *options, ig_extractor_kind *kind,
                            ig_builder *text, ig_error *error);

/* A run of the method, by the options of training, on `training`: pairs of ids of it or
 * of DATA; NULL, or of DATA with --pairs: on the loaded pairs. Notes options without an
 * effect. Fails as ig_run_new and ig_load_objective. */
ig_status ig_load_new_run(ig_run **run, const ig_loaded *loaded,
                          const ig_other *training, const ig_options *options,
                          ig_error *error);

/* ig_load_open, and the run of --run, if given; of several IG_USAGE. */
ig_status ig_load_with_run(ig_loaded *loaded, const ig_options *options,
                           ig_error *error);

/* Mark languages of an option (NULL: all) in (languages): IG_OK or IG_VALUE. */
ig_status ig_load_languages(const ig_dataset *set, const char *label, const char *codes,
                            uint8_t *in, ig_error *error);

/* What figures are of: "demo 04, 4,800 rows: runs/seed (seed), epoch 35". */
enum { IG_SOURCE = 320 };
const char *ig_load_source(const ig_loaded *loaded, size_t rows, char out[IG_SOURCE]);

/* The rows of a space, which refer to `loaded`; image: as a linear image of the
 * originals, without `of` if they are none. IG_USAGE: no run; IG_VALUE: not of it. */
ig_status ig_load_space(ig_loaded *loaded, ig_space space, ig_rows *rows,
                        ig_image *image, ig_error *error);

void ig_load_free(ig_loaded *loaded);

/* --- the encoder of sentences ----------------------------------------------------- */

/* The options of the command line, with the key of ISOGLOSS_API_KEY, the variables
 * named in headers, and the certificates of CURL_CA_BUNDLE, SSL_CERT_FILE,
 * REQUESTS_CA_BUNDLE and SSL_CERT_DIR. */
ig_encoder_options ig_encoder_said(const ig_options *options);

/* Read the encoder from the .json file of DATA's first argument (ig_origin_read). */
ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error);

/* The encoder for new sentences of DATA: that of --encoder, else the one named in
 * DATA's .json (`origin`, which the result points into); model and prefix default to
 * those of the dataset. The key is not sent to a server named in a file.
 * encoder->encoder is NULL if none is known. Returns as ig_origin_read. */
ig_status ig_encoder_of_dataset(ig_encoder_options *encoder, ig_origin *origin,
                                const ig_options *options, ig_error *error);
