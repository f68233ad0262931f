/* Who is nearest to each row of the lists of a pass over products: exact, for whoever
 * the float products let through is looked at again in double. Does not depend on the
 * number of parts. Legend: n rows of a side, k knn. */
#ifndef LINEAR_KNN_H
#define LINEAR_KNN_H

#include "base/lock.h"
#include "linear/products.h"

enum { IG_KNN_MOST = 10 }; /* the most k can be */

typedef struct ig_candidate {
    double cosine;
    uint32_t row; /* of the other side */
} ig_candidate;

enum { IG_KNN_ROOM = 32 };

/* Candidates of a row, in no order. */
typedef struct ig_knn_list {
    uint32_t count;
    float score[IG_KNN_ROOM]; /* float products, up to what all of a pass lack */
    uint32_t name[IG_KNN_ROOM];
} ig_knn_list;

/* Rows whose lists one part changes at a time. */
struct ig_knn_run {
    ig_lock lock;
    double blur; /* how far a score in them may be off */
};

typedef struct ig_knn_side {
    size_t k;              /* nearest rows of each: what was wanted, or all there are */
    ig_candidate *nearest; /* (n, k) best first; ties: the lower row */

    /* private */
    float *least;           /* (n) k rows have a cosine of as much, at least */
    ig_knn_list *list;      /* (n) whoever may be among the k nearest */
    struct ig_knn_run *run; /* (n / IG_TILE_ROWS + 1) who has as many rows in turn */
    uint32_t *next;         /* (2, n) the next row identical to each; and room */
} ig_knn_side;

/* A zeroed struct may be freed. */
typedef struct ig_knn {
    const ig_products *of;
    ig_knn_side side[2]; /* what a run finds; a list with itself: the first alone */
    size_t k;            /* wanted; at most what ig_knn_init was told */
    size_t most[2];      /* private: rows that there is room for */
} ig_knn;

/* Room for what `of` has room for. IG_OK, IG_NOMEM, or IG_SHAPE: k is above
 * IG_KNN_MOST. */
ig_status ig_knn_init(ig_knn *knn, const ig_products *of, size_t k, ig_error *error);

void ig_knn_free(ig_knn *knn);

/* The consumer that finds them. The lists need centres (linear/block.h). */
ig_consumer ig_knn_consumer(ig_knn *knn);

#endif
