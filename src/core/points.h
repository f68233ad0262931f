/* The rows of a scan over all pairs (core/similarity_blocks.h): normalised, ordered by
 * language, and centred by language. Rows are read from their source and converted on
 * the way; small sets are kept in converted form.
 *
 * For rows a = a' + A and b = b' + B of languages with centres A, B, the cosine is <a',
 * b'> + <a', B> + <A, b'> + <A, B>. For close rows <a', b'> is small, and so is its
 * float error: neighbours are distinguished even where their cosines differ by less
 * than the float resolution at 1.
 *
 * A place is the index of a row in this order. Legend: n rows, d dims. */
#ifndef CORE_POINTS_H
#define CORE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rows.h"

/* Rows up to this size in total are kept in converted form. */
#define IG_HELD_BYTES ((size_t)64 << 20)

/* A zeroed struct may be freed. */
typedef struct ig_points {
    size_t count, dims, languages;
    uint32_t *row;      /* (n) place to row of the source */
    uint32_t *name;     /* (n) place to index in the given list … */
    uint32_t *place;    /* (n) … and index to place */
    uint32_t *all;      /* (n) 0, 1, … */
    uint32_t *first;    /* (languages + 2) first place of each language */
    uint32_t *language; /* (n) */
    uint8_t *zero;      /* (n) 1: of length 0 */
    size_t zero_rows;
    size_t odd_rows;  /* rows that are not finite: if any, nothing else is valid */
    uint32_t *same;   /* (n) first place of an identical row; NULL: all differ */
    double *own;      /* (n) <row, centre of its language> */
    float *centre;    /* (languages, d) approximate mean of the nonzero rows; any
                        vector would do */
    double *distance; /* (languages) length of the centre */
    double *reach;    /* (languages) maximum length of a centred row */

    /* private */
    const ig_rows *source;
    float *held; /* (n, d), or NULL */
    ig_arena arena;
} ig_points;

/* Read the rows once.
 *   list  in  (n) rows of the source, which must outlive the points; NULL: all
 *   lang  in  (n) language of each, < languages; NULL: one language
 *   hold  in  maximum bytes to keep in converted form (IG_HELD_BYTES)
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_points_init(ig_points *points, const ig_rows *rows, const uint32_t *list,
                         size_t n, const uint16_t *lang, size_t languages, size_t hold,
                         ig_pool *pool, ig_progress *watch, ig_error *error);

void ig_points_free(ig_points *points);

/* Number of rows of a language. */
static inline size_t ig_points_rows(const ig_points *points, size_t lang)
{
    return points->first[lang + 1] - points->first[lang];
}

/* True if the rows of ascending places are contiguous in memory. */
static inline bool ig_points_lie(const ig_points *points, const uint32_t *place,
                                 size_t n)
{
    return points->held && n && place[n - 1] - place[0] == n - 1;
}

/* The centred rows of n ascending places, contiguous: in place, or copied to `buffer`
 * (n, d).
 *   scratch  in  the source's `scratch` floats */
const float *ig_points_view(const ig_points *points, const uint32_t *place, size_t n,
                            float *buffer, float *scratch);

/* Cosine of two rows by place, in double.
 *   buffer  in  (2, d) and the source's scratch; NULL where rows are held */
double ig_points_cosine(const ig_points *points, size_t i, size_t j, float *buffer);

#endif
