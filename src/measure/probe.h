/* The language probe: how well a linear classifier predicts the language from a space
 * (METHODS.md). Ridge regression to one-hot labels in closed form: with rows X (scaled
 * to length 1) and labels Y centred on the n fitting rows, W = (XᵀX/n + λI)⁻¹ XᵀY/n, λ
 * = 1e-3 · tr(XᵀX/n)/d; the largest score is the answer. Fitted on the rows of
 * even-numbered ids, tested on the odd-numbered ones. A second group probes rows as
 * they are. */
#ifndef MEASURE_PROBE_H
#define MEASURE_PROBE_H

#include "measure/measure_group.h"

enum { IG_PROBE_SHUFFLES = 20 };

/* A zeroed struct may be freed. */
typedef struct ig_probe {
    double accuracy; /* accuracy on the tested rows; NaN */
    double majority; /* share of the language with most rows among the tested ones */
    double shuffled; /* mean accuracy over IG_PROBE_SHUFFLES shuffles of the labels of
                        the fitting rows; NaN: none was asked for */
    double ridge;    /* λ as a share of the mean variance */
    size_t fitted, tested;        /* rows */
    ig_language_counts confusion; /* tested rows of a language by what they are read
                                     as; none when there is a reason */
    size_t answers;   /* one for each tested row, none when there is a reason */
    uint32_t *row;    /* (answers) the rows, ascending */
    uint16_t *read;   /* (answers) the language read; of equal scores the lower one */
    float *certainty; /* (answers) score of the row's own language less the best of the
                          others: > 0 when it is read, 0 when they are equal */
    float
        *by_chance; /* (answers) share of the shuffles by which it is read; NaN: of many
                         rows it is not tested; NULL: no shuffles */
    size_t learnt;  /* rows it was fitted on; none when there is a reason */
    uint32_t *learnt_row; /* (learnt) ascending */
    const char *reason; /* why figures are NaN ("only one language"), or NULL; static */
} ig_probe;

/* Fit and test on all rows of a source.
 *   lang   in   (N) < languages
 *   id     in   (N) numbers, or NULL: none. Rows without (IG_NO_ID,
 *               0xffffffff) are numbered by language, each from 0
 *   seed   in   of the shuffled labels
 *   watch  in   or NULL; its work is in flops
 *   probe  out  replaced; free it with ig_probe_free
 * IG_OK (also when figures are NaN: one language, nothing to fit or to test), IG_SHAPE
 * (language out of range), IG_NOMEM, IG_VALUE (not finite) or IG_INTERRUPTED; *probe is
 * empty unless IG_OK. n·d² + d³/3 flops for n fitting rows. */
ig_status ig_probe_measure(ig_probe *probe, const ig_rows *rows, const uint16_t *lang,
                           size_t languages, const uint32_t *id, uint64_t seed,
                           ig_pool *pool, ig_progress *watch, ig_error *error);

/* Which rows to fit on, and which to test. */
typedef struct ig_probe_parts {
    const uint32_t *fit, *test; /* (fits), (tests) rows, ascending */
    size_t fits, tests;
    size_t shuffles; /* of the labels */
    bool raw;        /* rows are taken as they are */
} ig_probe_parts;

/* Rows to fit and rows to test, by the parity of their ids.
 *   lang   in   (n) < languages
 *   id     in   (n) as for ig_probe_measure
 *   parts  out  its lists are the caller's, to be released with ig_free in any case
 * IG_OK, IG_SHAPE or IG_NOMEM. */
ig_status ig_probe_divide(ig_probe_parts *parts, size_t n, const uint16_t *lang,
                          size_t languages, const uint32_t *id, ig_error *error);

/* Fit on some rows and test on others, likewise. λ is that of 1e-6 … 1e-1, and of
 * further ones up to 1e4 while the greatest wins, which reads most of the rows of every
 * tenth id among the fitting ones when fitted on the rest. */
ig_status ig_probe_measure_apart(ig_probe *probe, const ig_rows *rows,
                                 const uint16_t *lang, size_t languages,
                                 const uint32_t *id, const ig_probe_parts *parts,
                                 uint64_t seed, ig_pool *pool, ig_progress *watch,
                                 ig_error *error);

/* Whether it was fitted on fewer than four rows per dimension and underestimates. */
static inline bool ig_probe_is_thin(const ig_probe *probe, size_t dims)
{
    return !probe->reason && probe->fitted && probe->fitted < 4 * dims;
}

void ig_probe_free(ig_probe *probe);

/* The same of rows as they are, whose length may tell the language. */
typedef ig_probe ig_raw_probe;

extern const ig_measure_group ig_probe_group, ig_raw_probe_group;

#endif
