/* isogloss: multilingual sentence embeddings, split into meaning and language.
 *
 * The library opens datasets of vectors with their sentences, trains, applies,
 * evaluates and saves extractors, searches and projects, with the code of the program.
 * It never prints, exits, reads the environment or installs a signal handler. Its only
 * global effect: OpenBLAS is set to run in the calling thread.
 *
 * A function that can fail returns a status and takes an isogloss_error or NULL; on
 * failure outputs are NULL or untouched. Handles are thread-safe; calls on the handles
 * of one dataset are serialised. A handle must not outlive the handle it was made from,
 * and must not be freed while a call uses it. Returned pointers belong to their handle.
 * Functions check their handles: NULL, a freed or another one, or one that was made
 * before a fork, is ISOGLOSS_USAGE. Functions without a status return 0, NULL, NaN or
 * false, but read what was made before a fork.
 *
 * NULL is allowed for error, settings, extractor and progress, for pointers to 0 values,
 * and where "or NULL" is documented; for other arguments it is ISOGLOSS_USAGE. In an
 * array of texts NULL is an empty text. Link with
 *
 *     cc program.c $(pkg-config --cflags --libs isogloss)
 *
 * Legend: N rows of a dataset, d dimensions, k neighbours or components. */
#ifndef ISOGLOSS_H
#define ISOGLOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ISOGLOSS_API __attribute__((visibility("default")))
#else
#define ISOGLOSS_API
#endif

/* The version of this header; isogloss_version returns that of the library. Before 1.0
 * a new minor version can change signatures, and is part of the soname
 * (libisogloss.so.0.MINOR). `make docs` sets it in all other files. */
#define ISOGLOSS_VERSION        "0.3.0"
#define ISOGLOSS_VERSION_NUMBER 300 /* 10000 major + 100 minor + patch */

/* "MAJOR.MINOR.PATCH" */
ISOGLOSS_API const char *isogloss_version(void);

/* Free a handle of any type. NULL is accepted; in a forked child it does nothing. */
ISOGLOSS_API void isogloss_free(void *handle);

/* --- errors and settings ---------------------------------------------------------- */

typedef enum isogloss_status {
    ISOGLOSS_OK = 0,
    ISOGLOSS_NOMEM,      /* an allocation failed */
    ISOGLOSS_IO,         /* opening, reading or writing failed */
    ISOGLOSS_FORMAT,     /* invalid file content */
    ISOGLOSS_SHAPE,      /* sizes do not match */
    ISOGLOSS_VALUE,      /* a value out of range, or not finite */
    ISOGLOSS_USAGE,      /* unknown setting, method or name */
    ISOGLOSS_DIVERGED,   /* the training loss became non-finite */
    ISOGLOSS_INTERRUPTED /* cancelled by the caller */
} isogloss_status;

typedef struct isogloss_error {
    isogloss_status status;
    char message[1024]; /* UTF-8: what failed, the value, the rule or the fix */
} isogloss_error;

/* A setting as text: {"lr", "1e-4"}. Lists end with {NULL, NULL}; NULL is an empty
 * list. Keys have the names of the program's options; each function documents them. */
typedef struct isogloss_setting {
    const char *key, *value;
} isogloss_setting;

/* Progress callback of the calls on a dataset and its handles, called by the calling
 * thread before the work begins and then between its steps, at most every 50 ms. Return
 * true to cancel: the call ends with ISOGLOSS_INTERRUPTED.
 *   share  in  fraction of the work done, 0 … 1; negative: unknown
 * It must not call functions of the same dataset (ISOGLOSS_USAGE). */
typedef bool isogloss_progress(void *context, double share);

/* --- datasets --------------------------------------------------------------------- */

/* Vectors with languages, texts, and ids that translations share. A file above 64 MB is
 * mapped: if it was written since, calls end with ISOGLOSS_IO; if it is cut during a
 * call, the process gets SIGBUS. */
typedef struct isogloss_dataset isogloss_dataset;

/* Open a dataset from n arguments in the forms of the program's DATA: a .npy with a
 * table next to it, one table, LANG=vectors,texts, …
 * Settings: meta, vectors, delimiter, dims, threads; lang, the
 * language of rows without one; column, repeatable, the name of a column, key or array:
 * "lang=language", also of text, id, vector.
 *   progress  in  for this and all later calls on the dataset, or NULL */
ISOGLOSS_API isogloss_status isogloss_dataset_open(isogloss_dataset **set,
                                                   const char *const *data, size_t n,
                                                   const isogloss_setting *settings,
                                                   isogloss_progress *progress,
                                                   void *context,
                                                   isogloss_error *error);

/* A dataset over the caller's array (n, d), which is not copied and must outlive it.
 *   language  in  (n) codes
 *   text, id  in  (n) or NULL
 *   progress  in  as above
 * Settings: threads. */
ISOGLOSS_API isogloss_status isogloss_dataset_of_rows(
    isogloss_dataset **set, const float *rows, size_t n, size_t d,
    const char *const *language, const char *const *text, const char *const *id,
    const isogloss_setting *settings, isogloss_progress *progress, void *context,
    isogloss_error *error);

ISOGLOSS_API size_t isogloss_dataset_rows(const isogloss_dataset *set); /* N */
ISOGLOSS_API size_t isogloss_dataset_dims(const isogloss_dataset *set); /* d */

/* Language code, text ("" if none) and id (NULL if none) of a row < N. */
ISOGLOSS_API const char *isogloss_dataset_language(const isogloss_dataset *set,
                                                   size_t row);
ISOGLOSS_API const char *isogloss_dataset_text(const isogloss_dataset *set, size_t row);
ISOGLOSS_API const char *isogloss_dataset_id(const isogloss_dataset *set, size_t row);

/* --- extractors ------------------------------------------------------------------- */

/* Maps embeddings to meaning and language embeddings. Functions on a space of a dataset
 * take one, or NULL for the original space. It applies to any dataset with its
 * dimensions; a method fitted by language rejects a language that it was not fitted on
 * (ISOGLOSS_VALUE). */
typedef struct isogloss_extractor isogloss_extractor;

typedef enum isogloss_space {
    ISOGLOSS_ORIGINAL,
    ISOGLOSS_MEANING,
    ISOGLOSS_LANGUAGE
} isogloss_space;

/* Read a run directory, for a dataset with the same dimensions. */
ISOGLOSS_API isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                                     const isogloss_dataset *set,
                                                     const char *directory,
                                                     isogloss_error *error);

/* Dimensions of a space; 0: the extractor lacks it. */
ISOGLOSS_API size_t isogloss_space_dims(const isogloss_dataset *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space);

/* Compute rows first … first + n − 1 of a space.
 *   out  out  (n, isogloss_space_dims); partially written if cancelled */
ISOGLOSS_API isogloss_status isogloss_apply(const isogloss_dataset *set,
                                            const isogloss_extractor *extractor,
                                            isogloss_space space, size_t first,
                                            size_t n, float *out,
                                            isogloss_error *error);

/* --- training --------------------------------------------------------------------- */

typedef struct isogloss_trainer isogloss_trainer;

/* Result of an epoch; number 0 is the state before training. NaN: none. */
typedef struct isogloss_epoch {
    size_t number;
    double train_loss, valid_loss;
    double live_alignment, live_uniformity; /* of the meaning space, by validation pairs
                                               of the run: not those of an evaluation */
    bool best;                              /* the lowest validation loss so far */
} isogloss_epoch;

/* Set up training on the pairs of a dataset.
 *   method  in  "seed", "oracle", … or the path of an objective
 * Settings: epochs, batch, lr, weight-decay, patience, valid, partner, order, keep,
 * normalize, strength, seed, split-seed, holdout; pairing, pairs, init. */
ISOGLOSS_API isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                                  const isogloss_dataset *set,
                                                  const char *method,
                                                  const isogloss_setting *settings,
                                                  isogloss_error *error);

/* Whether there is another epoch: false after the method, a limit or an error ended
 * training. */
ISOGLOSS_API bool isogloss_trainer_is_running(const isogloss_trainer *trainer);

/* Run the next epoch. A cancelled epoch is resumed by the next call.
 *   epoch  out  or NULL */
ISOGLOSS_API isogloss_status isogloss_trainer_epoch(isogloss_trainer *trainer,
                                                    isogloss_epoch *epoch,
                                                    isogloss_error *error);

/* A copy of the best epoch's extractor, independent of the trainer. */
ISOGLOSS_API isogloss_status isogloss_trainer_best(isogloss_trainer *trainer,
                                                   isogloss_extractor **extractor,
                                                   isogloss_error *error);

/* Save a run directory, for the program and isogloss_extractor_open; written completely
 * or not at all. An existing run is replaced. */
ISOGLOSS_API isogloss_status isogloss_trainer_save(isogloss_trainer *trainer,
                                                   const char *directory,
                                                   isogloss_error *error);

/* --- evaluation ------------------------------------------------------------------- */

typedef struct isogloss_evaluation isogloss_evaluation;

/* Compute all measures of a space.
 * Settings: pairing (default: all, of more than 100 languages pivot), pairs, scores, seed; split: "train", "valid" or
 * "holdout" for the ids of that part of the extractor's training, in any space
 * (default: "all"; after training with `pairs` it needs the same `pairs`); ci: "yes"
 * for intervals; sample: number of query rows in all-pairs measures, of ids drawn by
 * the seed (not with ci). */
ISOGLOSS_API isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                               const isogloss_dataset *set,
                                               const isogloss_extractor *extractor,
                                               isogloss_space space,
                                               const isogloss_setting *settings,
                                               isogloss_error *error);

/* Key of measure i ("alignment", "top1", …), NULL past the last; and its definition in
 * a sentence. */
ISOGLOSS_API const char *isogloss_figure_key(size_t i);
ISOGLOSS_API const char *isogloss_figure_about(const char *key);

/* One row of an evaluation, in the order of the measures: a figure of all rows, of
 * languages, or of a part (a group of scored pairs) in `from`. Texts belong to the
 * evaluation. */
typedef struct isogloss_figure_row {
    const char *measure; /* its key: "pool_translation" … */
    const char *label;   /* … and as in tables: "multilingual top-1"; NULL: unknown */
    const char *from, *to; /* language codes, NULL: all */
    size_t n;              /* number of queries, rows or pairs */
    double value;          /* NaN: see `reason` */
    double chance;         /* value by guessing; NaN: unknown */
    double low, high;      /* 95% interval, with {"ci", "yes"} or "sample": from 1,000
                              bootstrap draws of ids (correlations: of pairs with rows
                              in common); NaN: none */
    const char *reason;    /* why the value is NaN; what it leaves out, or why there is
                              no interval; or NULL */
} isogloss_figure_row;

/* Row i of an evaluation; false past the last or for a NULL row, *row unchanged. */
ISOGLOSS_API bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                                     isogloss_figure_row *row);

/* The figure of all rows by its key; NaN if it cannot be computed.
 *   row  out  its row, or NULL */
ISOGLOSS_API double isogloss_figure(const isogloss_evaluation *evaluation,
                                    const char *key, isogloss_figure_row *row);

/* A difference in one figure. */
typedef struct isogloss_difference {
    double value;     /* mean of the second group − mean of the first */
    double low, high; /* 95%: t, variance over paired draws and over seeds */
    bool significant; /* p < 0.05, and it is not rounded to 0. Groups of one: it does
                         not include the variance of seeds */
} isogloss_difference;

/* Compare two groups of evaluations of one dataset by one figure: one each, or those of
 * runs that differ by their training seed. All need {"ci", "yes"} and the same
 * settings; extractors and spaces can differ. ISOGLOSS_USAGE: unknown figure;
 * ISOGLOSS_VALUE: different rows, pairs or seeds of draws, or a figure that is missing
 * or has no interval; ISOGLOSS_NOMEM. */
ISOGLOSS_API isogloss_status isogloss_compare(const isogloss_evaluation *const *first,
                                              size_t firsts,
                                              const isogloss_evaluation *const *second,
                                              size_t seconds, const char *key,
                                              isogloss_difference *difference,
                                              isogloss_error *error);

/* --- search and projection -------------------------------------------------------- */

typedef struct isogloss_neighbour {
    uint32_t row;
    float cosine;
} isogloss_neighbour;

/* The k nearest rows by cosine of each of n rows of a space, by exact search.
 *   row       in   (n) query rows, < N; not their own neighbours
 *   language  in   code of the language to search in, or NULL: all
 *   out       out  (n, k) best first, ties by row
 *   found     out  (n) number of neighbours, ≤ k */
ISOGLOSS_API isogloss_status isogloss_search(const isogloss_dataset *set,
                                             const isogloss_extractor *extractor,
                                             isogloss_space space, const uint32_t *row,
                                             size_t n, const char *language, size_t k,
                                             isogloss_neighbour *out, size_t *found,
                                             isogloss_error *error);

/* The same for n vectors, which are mapped into the space.
 *   vector  in   (n, d) in the original space, finite
 *   of      in   (n) language codes, which extractors that depend on the language need;
 *                or NULL */
ISOGLOSS_API isogloss_status isogloss_search_vectors(
    const isogloss_dataset *set, const isogloss_extractor *extractor,
    isogloss_space space, const float *vector, const char *const *of, size_t n,
    const char *language, size_t k, isogloss_neighbour *out, size_t *found,
    isogloss_error *error);

/* Exact principal components of all rows of a space.
 *   k      in   components, ≤ the space's dimensions
 *   unit   in   scale each row to length 1 first
 *   out    out  (N, k) coordinates; partially written if cancelled
 *   share  out  (k) explained variance ratios, or NULL */
ISOGLOSS_API isogloss_status isogloss_project(const isogloss_dataset *set,
                                              const isogloss_extractor *extractor,
                                              isogloss_space space, size_t k, bool unit,
                                              float *out, double *share,
                                              isogloss_error *error);

#ifdef __cplusplus
}
#endif

#endif
