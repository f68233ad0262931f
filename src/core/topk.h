/* The k largest of a stream of scores, in a fixed heap; ties go to the lower row. */
#ifndef LINEAR_TOPK_H
#define LINEAR_TOPK_H

#include <stddef.h>
#include <stdint.h>

typedef struct ig_scored {
    float score;
    uint32_t row;
} ig_scored;

typedef struct ig_topk {
    ig_scored *items; /* (k) caller's storage */
    size_t k;
    size_t count; /* ≤ k */
} ig_topk;

/* Empty `top`, keeping at most k items in the caller's storage. */
void ig_topk_init(ig_topk *top, ig_scored *storage, size_t k);

/* Offer a score; NaN is ignored. O(log k), O(1) when it does not qualify. */
void ig_topk_offer(ig_topk *top, float score, uint32_t row);

/* Offer n scores of rows first, first+1, … */
void ig_topk_offer_run(ig_topk *top, const float *scores, size_t n, uint32_t first);

/* Sort the items, best first. No further offers are allowed. */
void ig_topk_sort(ig_topk *top);

#endif
