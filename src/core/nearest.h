/* The nearest rows of a query, and the rank of a known one, from the faces of a scan
 * (core/scan.h): floats select, doubles decide. Independent of the order of faces. */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include "core/scan.h"

enum { IG_NEAR_MAX = 10, IG_NEAR_ROOM = 20 };

typedef struct ig_candidate {
    double cosine;
    uint32_t row; /* place */
} ig_candidate;

/* Rows that can be among the k nearest, k ≤ IG_NEAR_MAX, one of each set of identical
 * rows of a language. A zeroed list is empty. */
typedef struct ig_near {
    uint32_t count;
    float blur;                /* error bound of the scores */
    float score[IG_NEAR_ROOM]; /* descending */
    uint32_t row[IG_NEAR_ROOM];
} ig_near;

/* Offer the rows of a face to the list of its query i.
 *   product  in  (n) those of the face, or −∞ for a row that is left out
 *   most     in  their maximum
 *   base     in  that all scores of the list lack to cosines, about */
void ig_near_offer(ig_near *near, size_t k, const ig_face *face, size_t i,
                   const float *product, float most, double base);

/* Add another list of the same query. */
void ig_near_join(ig_near *near, const ig_scan *scan, const ig_near *other);

/* Insert a row into a list of at most so many, best first; ties: the lower row
 * (ig_scan_init). False: it comes after all of a full list. */
bool ig_candidate_insert(ig_candidate *near, size_t *count, size_t most,
                         ig_candidate item, const ig_scan *scan);

/* The k nearest rows of a query with their exact cosines, best first, and how many.
 *   counts  in  whether a row that was not offered counts, with `context`; NULL: all do
 *   out     out (k) */
size_t ig_near_take(const ig_near *near, size_t k, const ig_scan *scan, uint32_t query,
                    bool (*counts)(const void *context, uint32_t row),
                    const void *context, ig_candidate *out);

/* How many rows of a face are nearer to its query i than a target, the nearest of some
 * with this cosine; *tied: another row is as near.
 *   product, most  in  as above
 *   target         in  (targets) places, ascending, of which `best` is nearest */
uint32_t ig_face_nearer(const ig_face *face, size_t i, const float *product, float most,
                        double cosine, uint32_t best, const uint32_t *target,
                        size_t targets, bool *tied);

#endif
