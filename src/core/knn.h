/* Exact k nearest rows for each row of the lists of a scan: candidates selected by
 * float products are re-scored in double. Independent of the number of parts. Legend: n
 * rows of a side, k nearest rows. */
#ifndef LINEAR_KNN_H
#define LINEAR_KNN_H

#include "core/lock.h"
#include "core/similarity_blocks.h"

enum { IG_KNN_MAX = 10 }; /* maximum k */

typedef struct ig_candidate {
    double cosine;
    uint32_t row; /* of the other side */
} ig_candidate;

enum { IG_KNN_ROOM = 32 };

/* Unordered candidates of a row. */
typedef struct ig_knn_list {
    uint32_t count;
    float score[IG_KNN_ROOM]; /* float products, up to the base of the scan */
    uint32_t name[IG_KNN_ROOM];
} ig_knn_list;

/* Rows whose lists are locked together. */
struct ig_knn_run {
    ig_lock lock;
    double blur; /* error bound of their scores */
};

typedef struct ig_knn_side {
    size_t k;              /* min(k wanted, number of candidates) */
    ig_candidate *nearest; /* (n, k) best first; ties: lower row first */

    /* private */
    float *least;           /* (n) a lower bound of the k-th cosine */
    ig_knn_list *list;      /* (n) candidates for the k nearest */
    struct ig_knn_run *run; /* (n / IG_TILE_ROWS + 1) locks */
    uint32_t *next;         /* (n) next identical row of this list … */
    uint32_t *head;         /* … and the first, by representative; or NULL */
} ig_knn_side;

/* A zeroed struct may be freed. */
typedef struct ig_knn {
    const ig_similarity_blocks *of;
    ig_knn_side side[2]; /* results; a list with itself uses side[0] only */
    size_t k;            /* at most the k of ig_knn_init */
    size_t most[2];      /* private: allocated rows, … */
    ig_arena arena;      /* … and what they take */
} ig_knn;

/* Allocate for the rows of `of`. IG_OK, IG_NOMEM, or IG_SHAPE when k > IG_KNN_MAX. */
ig_status ig_knn_init(ig_knn *knn, const ig_similarity_blocks *of, size_t k,
                      ig_error *error);

void ig_knn_free(ig_knn *knn);

/* The consumer that collects the nearest rows. */
ig_consumer ig_knn_consumer(ig_knn *knn);

#endif
