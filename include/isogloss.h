/* isogloss: sentence embeddings of many languages, split into meaning and language.
 *
 * The library opens sets of vectors with their sentences, trains extractors by methods
 * that are data, applies, measures and saves them, searches and makes maps: what the
 * program shows, by the same code. It never prints, exits, reads the environment or
 * installs a signal handler, and holds nothing outside its handles (but that BLAS is
 * held to the threads that call it).
 *
 * A function that can fail returns a status and takes an isogloss_error, which may be
 * NULL; on failure outputs are NULL or untouched. Any thread may use a handle: calls on
 * the handles of one set wait for one another. What a handle was made from must outlive
 * it, and a handle is freed when no call uses it any more. Pointers that functions
 * return belong to their handle.
 *
 * No argument may be NULL but those of which it is said: error, settings, extractor,
 * progress, and what has "or NULL" with it. Link with
 *
 *     cc program.c $(pkg-config --cflags --libs isogloss)
 *
 * Legend: N rows of a set, d its dimensions, k how many are wanted. */
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
 * a new minor number may change signatures: the soname carries it (libisogloss.so.0.2),
 * so that a program loads the library it was built for, or none. */
#define ISOGLOSS_VERSION "0.2.0"
#define ISOGLOSS_VERSION_NUMBER 200 /* 10000 major + 100 minor + patch */

/* "0.2.0" */
ISOGLOSS_API const char *isogloss_version(void);

/* --- errors and settings ---------------------------------------------------------- */

typedef enum isogloss_status {
    ISOGLOSS_OK = 0,
    ISOGLOSS_NOMEM,      /* an allocation failed */
    ISOGLOSS_IO,         /* the system refused to open, read or write */
    ISOGLOSS_FORMAT,     /* the bytes are not what their format says */
    ISOGLOSS_SHAPE,      /* two sizes that must agree do not */
    ISOGLOSS_VALUE,      /* a value outside its range, or not finite */
    ISOGLOSS_USAGE,      /* a setting, method or name that does not exist */
    ISOGLOSS_DIVERGED,   /* training met a loss that is not finite */
    ISOGLOSS_INTERRUPTED /* the caller asked to stop */
} isogloss_status;

typedef struct isogloss_error {
    isogloss_status status;
    char message
        [1024]; /* one UTF-8 sentence that names the thing, the value, the rule */
} isogloss_error;

/* What may be set, as text: {"lr", "1e-4"}. Lists end with {NULL, NULL}; NULL is an
 * empty list. A key is given to the functions that name it, and called as the options
 * of the program are. */
typedef struct isogloss_setting {
    const char *key, *value;
} isogloss_setting;

/* Asked by the calling thread while a call on a set, or on a handle made from it, is
 * under way: once before the work begins, then about every 50 ms. True cancels the call,
 * which then ends with ISOGLOSS_INTERRUPTED, mostly within some milliseconds.
 *   share  in  of the work that is done, 0 … 1; negative: not known
 * It may not call functions of that set (ISOGLOSS_USAGE). The work is done on a thread
 * of the library, with signals blocked. */
typedef bool isogloss_progress(void *context, double share);

/* --- sets ------------------------------------------------------------------------- */

/* Rows of vectors, each with a language, a text and an id that translations share. */
typedef struct isogloss_set isogloss_set;

/* Open n files as one set, in any way that the program's DATA arguments have: a .npy
 * with a table beside it, one table, LANG=vectors,texts, …
 * Settings: meta, vectors, delimiter, dims, limit, seed, dim, type, threads; lang, the
 * language of rows that say none; column, once for each, what a column, key or array is
 * called: "lang=language", or of text, id, vector.
 *   progress  in  asked during this call and all later ones on the set, or NULL */
ISOGLOSS_API isogloss_status isogloss_set_open(isogloss_set **set,
                                               const char *const *data, size_t n,
                                               const isogloss_setting *settings,
                                               isogloss_progress *progress,
                                               void *context, isogloss_error *error);

/* A set over rows (n, d) of the caller's, which must outlive it.
 *   language  in  (n) codes
 *   text, id  in  (n) or NULL
 *   progress  in  as above
 * Settings: threads. */
ISOGLOSS_API isogloss_status
isogloss_set_of_rows(isogloss_set **set, const float *rows, size_t n, size_t d,
                     const char *const *language, const char *const *text,
                     const char *const *id, const isogloss_setting *settings,
                     isogloss_progress *progress, void *context, isogloss_error *error);

/* NULL is accepted, as by all that free. */
ISOGLOSS_API void isogloss_set_free(isogloss_set *set);

ISOGLOSS_API size_t isogloss_set_rows(const isogloss_set *set); /* N */
ISOGLOSS_API size_t isogloss_set_dims(const isogloss_set *set); /* d */

/* Of a row < N: its language's code, its text ("": it has none), its id (NULL: none). */
ISOGLOSS_API const char *isogloss_set_language(const isogloss_set *set, size_t row);
ISOGLOSS_API const char *isogloss_set_text(const isogloss_set *set, size_t row);
ISOGLOSS_API const char *isogloss_set_id(const isogloss_set *set, size_t row);

/* --- extractors ------------------------------------------------------------------- */

/* What takes an embedding apart. Functions that work on a space of a set take one, and
 * NULL for the original space. It may be applied to any set of its dimensions; a method
 * that is fitted by language refuses a set with rows of a language that it was not
 * fitted on (ISOGLOSS_VALUE, naming it). */
typedef struct isogloss_extractor isogloss_extractor;

typedef enum isogloss_space {
    ISOGLOSS_ORIGINAL,
    ISOGLOSS_MEANING,
    ISOGLOSS_LANGUAGE
} isogloss_space;

/* Read a run directory, or weights, to be applied to a set of its size. */
ISOGLOSS_API isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                                     const isogloss_set *set,
                                                     const char *directory,
                                                     isogloss_error *error);

ISOGLOSS_API void isogloss_extractor_free(isogloss_extractor *extractor);

/* Dimensions of the rows of a space; 0: the extractor has it not. */
ISOGLOSS_API size_t isogloss_space_dims(const isogloss_set *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space);

/* Rows first … first + n − 1 of a space.
 *   out  out  (n, isogloss_space_dims); a call that is cancelled has written some of
 *             the rows */
ISOGLOSS_API isogloss_status isogloss_apply(const isogloss_set *set,
                                            const isogloss_extractor *extractor,
                                            isogloss_space space, size_t first,
                                            size_t n, float *out,
                                            isogloss_error *error);

/* --- training --------------------------------------------------------------------- */

typedef struct isogloss_trainer isogloss_trainer;

/* What an epoch was; number 0 is the state before training. NaN: there is none. */
typedef struct isogloss_epoch {
    size_t number;
    double train_loss, valid_loss;
    double alignment, uniformity; /* of the meanings, on some held-out pairs */
    bool best;                    /* the lowest validation loss so far */
} isogloss_epoch;

/* Get ready to train on the pairs of a set.
 *   method  in  "seed", "oracle", … or the path of an objective
 * Settings: epochs, batch, lr, weight-decay, patience, valid, partner, order, normalize,
 * seed, split-seed, holdout; pairing, pairs, init. */
ISOGLOSS_API isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                                  const isogloss_set *set,
                                                  const char *method,
                                                  const isogloss_setting *settings,
                                                  isogloss_error *error);

ISOGLOSS_API void isogloss_trainer_free(isogloss_trainer *trainer);

/* Whether there is another epoch: false once the method, a limit or a failure ended
 * it. */
ISOGLOSS_API bool isogloss_trainer_going(const isogloss_trainer *trainer);

/* Run the next one. Cancelled, it is suspended: the next call resumes it.
 *   epoch  out  or NULL */
ISOGLOSS_API isogloss_status isogloss_trainer_epoch(isogloss_trainer *trainer,
                                                    isogloss_epoch *epoch,
                                                    isogloss_error *error);

/* A copy of the best epoch's extractor; it needs the set, not the trainer. */
ISOGLOSS_API isogloss_status isogloss_trainer_best(isogloss_trainer *trainer,
                                                   isogloss_extractor **extractor,
                                                   isogloss_error *error);

/* Write a run directory, which the program and isogloss_extractor_open read; complete
 * or absent. An earlier run there is replaced. */
ISOGLOSS_API isogloss_status isogloss_trainer_save(isogloss_trainer *trainer,
                                                   const char *directory,
                                                   isogloss_error *error);

/* --- evaluation ------------------------------------------------------------------- */

typedef struct isogloss_evaluation isogloss_evaluation;

/* Measure a space of the rows and pairs of a set.
 * Settings: pairing (default: all), pairs, scores, seed; split: "train", "valid" or
 * "holdout" for the ids of that part of the extractor's training, whatever the space
 * (default: "all"); ci: "yes" for intervals;
 * sample: so many rows ask, of whole ids drawn by the seed, in what looks at all pairs of
 * rows (not with ci). */
ISOGLOSS_API isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                               const isogloss_set *set,
                                               const isogloss_extractor *extractor,
                                               isogloss_space space,
                                               const isogloss_setting *settings,
                                               isogloss_error *error);

ISOGLOSS_API void isogloss_evaluation_free(isogloss_evaluation *evaluation);

/* Number i of the table of measures: its key ("alignment", "top1", …) and a
 * sentence on what it says; NULL past the last. */
ISOGLOSS_API const char *isogloss_figure_key(size_t i);
ISOGLOSS_API const char *isogloss_figure_about(const char *key);

/* A figure by its key; NaN where it cannot be had, and *reason (or NULL) then gets why. */
ISOGLOSS_API double isogloss_figure(const isogloss_evaluation *evaluation,
                                    const char *key, const char **reason);

/* One row of an evaluation, in the order of the table of measures: a figure of all rows,
 * of languages, or of a part (a kind of scored pairs) in `from`. Texts are the
 * evaluation's. */
typedef struct isogloss_figure_row {
    const char *measure;   /* its key */
    const char *from, *to; /* codes of languages, NULL: all */
    size_t n;              /* queries, rows or pairs that count */
    double value;          /* NaN: it cannot be computed, for `reason` */
    double chance;         /* what guessing gives; NaN: not known */
    double low, high;      /* its 95% interval; NaN: there is none */
    const char *reason;    /* NULL unless the value is NaN */
} isogloss_figure_row;

/* Row i of an evaluation; false past the last, *row unchanged. */
ISOGLOSS_API bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                                     isogloss_figure_row *row);

/* The 95% interval of a figure, of an evaluation with {"ci", "yes"} or a "sample": 1,000
 * draws of the meanings with replacement, of the scored pairs for correlations.
 *   low, high  out  NaN where there is none
 * Whether there is one. */
ISOGLOSS_API bool isogloss_interval(const isogloss_evaluation *evaluation,
                                    const char *key, double *low, double *high);

/* What two evaluations differ by in one figure. */
typedef struct isogloss_difference {
    double value;      /* the second less the first */
    double low, high;  /* 95%, of draws that are paired */
    bool significant;  /* 0 is not between them */
    double p;          /* of correlations over all scored pairs: Williams' test; NaN */
    size_t parts;      /* language pairs, or kinds of scored pairs, that were tested
                         (McNemar's exact test of top1, top5, xsim; Williams'); 0 … */
    size_t more, less; /* … and where the second is greater, smaller, with p < 0.05
                          after Holm's correction */
} isogloss_difference;

/* Compare two evaluations of one set by one figure: taken with {"ci", "yes"} and the
 * same settings, of whatever extractors and spaces. ISOGLOSS_USAGE: there is no such
 * figure, or one has no intervals; ISOGLOSS_VALUE: they are not of the same rows, pairs
 * and seed, or one lacks the figure; ISOGLOSS_NOMEM. */
ISOGLOSS_API isogloss_status isogloss_compare(const isogloss_evaluation *first,
                                              const isogloss_evaluation *second,
                                              const char *key,
                                              isogloss_difference *difference,
                                              isogloss_error *error);

/* --- search and maps -------------------------------------------------------------- */

typedef struct isogloss_neighbour {
    uint32_t row;
    float cosine;
} isogloss_neighbour;

/* The k nearest rows by cosine of each of n rows of a space, all rows looked at.
 *   row       in   (n) the rows that ask, < N; none is its own neighbour
 *   language  in   code of the language to search in, or NULL: all
 *   out       out  (n, k) best first, ties by row
 *   found     out  (n) how many there are, ≤ k */
ISOGLOSS_API isogloss_status isogloss_search(const isogloss_set *set,
                                             const isogloss_extractor *extractor,
                                             isogloss_space space, const uint32_t *row,
                                             size_t n, const char *language, size_t k,
                                             isogloss_neighbour *out, size_t *found,
                                             isogloss_error *error);

/* The same of n vectors that are rows of no set: they are taken into the space as rows
 * of it would be.
 *   vector  in   (n, d) of the original space, finite
 *   of      in   (n) codes of their languages, which some extractors go by; or NULL: each
 *                has that of the row nearest to it in the original space */
ISOGLOSS_API isogloss_status isogloss_search_vectors(
    const isogloss_set *set, const isogloss_extractor *extractor, isogloss_space space,
    const float *vector, const char *const *of, size_t n, const char *language,
    size_t k, isogloss_neighbour *out, size_t *found, isogloss_error *error);

/* Exact principal components of all rows of a space.
 *   k      in   components, ≤ the space's dimensions
 *   unit   in   scale each row to length 1 first
 *   out    out  (N, k) coordinates
 *   share  out  (k) of the variance along each, or NULL */
ISOGLOSS_API isogloss_status isogloss_project(const isogloss_set *set,
                                              const isogloss_extractor *extractor,
                                              isogloss_space space, size_t k, bool unit,
                                              float *out, double *share,
                                              isogloss_error *error);

#ifdef __cplusplus
}
#endif

#endif
