/* Products of all rows of one list with all rows of another, or of a list with itself,
 * by the tile: who is nearest to each row, and how many stand before a known one.
 *
 * Each tile of products serves the rows of both lists, so that both directions cost one
 * product, and of a list with itself only tiles on and above the diagonal are formed.
 * Products are floats; whoever they let through is looked at again by the kernels' dot,
 * so that results hold what double sums say. They do not depend on the number of
 * parts. Legend: d dims, n rows of a side, p probes of it, k nearest. */
#ifndef MEASURE_CROSS_H
#define MEASURE_CROSS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/watch.h"
#include "linear/kernels.h"
#include "linear/topk.h"
#include "measure/block.h"

enum { IG_CROSS_NEAR = 10 }; /* the most k can be */

/* Cosines closer than this are equal: what floats can tell apart. */
#define IG_COSINE_EQUAL 0x1p-23

typedef struct ig_neighbour {
    double cosine;
    uint32_t row; /* of the other side */
} ig_neighbour;

/* One list of rows. The block and the probes are for the caller to set before a run,
 * the rest is what the run finds, in storage of the ig_cross. */
typedef struct ig_cross_side {
    ig_block block;
    /* Row i asks how its probes first[i] … first[i + 1] − 1 rank; probe j is about row
     * truth[j] of the other side. NULL: there are none. */
    const uint32_t *first, *truth;

    double *cosine;     /* (p) with the truth */
    uint32_t *better;   /* (p) rows of the other side that are nearer than the truth */
    uint8_t *tied;      /* (p) whether any is just as near */
    size_t nears;       /* of a row: k, or all there are */
    ig_neighbour *near; /* (n, nears) best first; ties: the lower row */

    /* private: products are cosines less `base` */
    double *offset;    /* (n) <a', B>, as measure/block.h has it */
    float *shift;      /* (n) the same */
    float *high, *low; /* (n) between them, the first probe's comparison is in doubt */
    float *least;      /* (parts, n) what a product must reach to be kept */
    ig_scored *kept;   /* (parts, n, k + SPARE) */
    uint32_t *next;    /* (2, n) the next row identical to each; and room */
} ig_cross_side;

/* A zeroed struct may be freed. */
typedef struct ig_cross {
    ig_cross_side side[2]; /* a list with itself: the first alone */
    bool self;
    size_t dims, parts;
    size_t k; /* nearest wanted; at most what ig_cross_init was told */

    /* private */
    size_t most[2], most_probes; /* that there is room for */
    double base;                 /* <A, B> */
    double blur;                 /* how far a float product may be off */
    const ig_kernels *kernels;
    float *tile;        /* (parts, a tile) */
    atomic_size_t next; /* tile */
    bool ended;
} ig_cross;

/* Room for lists of at most `first` and `second` rows (0: lists with themselves only),
 * each with at most `probes` probes, to be run by `parts` threads at once.
 * IG_OK, IG_NOMEM, or IG_SHAPE: k is above IG_CROSS_NEAR. */
ig_status ig_cross_init(ig_cross *cross, size_t first, size_t second, size_t probes,
                        size_t dims, size_t k, size_t parts, ig_error *error);

void ig_cross_free(ig_cross *cross);

/* Do the work of one part; all parts call it, and `pool`, whose members they are, is
 * NULL when there is one part. When it returns, all have finished.
 *   member  in  of the pool, for the watch
 * Returns, to all parts alike, whether it came to its end; when it was stopped, what is
 * found means nothing. */
bool ig_cross_run(ig_cross *cross, size_t part, ig_pool *pool, ig_watch *watch,
                  size_t member);

/* What a run will count: 2·n·m·d, or n²·d of a list with itself. */
double ig_cross_work(size_t first, size_t second, bool self, size_t dims);

#endif
