/* Tiled scan of all pairs of rows of two lists, or of a list with itself. Rows are
 * converted as they are read (core/points.h), their products computed by cache-sized
 * tiles (one GEMM each), and each tile is offered to consumers: nearest rows, ranks,
 * sums. For a list with itself only tiles on and above the diagonal are computed.
 *
 * Threads claim tiles in any order; the consumers' results must not depend on it.
 * Legend: d dims, n rows of the first list, m of the other. */
#ifndef CORE_PRODUCTS_H
#define CORE_PRODUCTS_H

#include "core/error.h"
#include "core/kernels.h"
#include "core/points.h"
#include "core/pool.h"
#include "core/progress.h"

enum {
    IG_TILE_ROWS = 512, /* and columns */
    IG_TILE_COLS = 512,
    IG_TILES_KEPT = 8 /* maximum tiles kept for another run: 16 MB */
};

/* Cosines closer than this are ties: the resolution of floats. */
#define IG_COSINE_EQUAL 0x1p-23

/* Products of rows first[0] … of the first list with rows first[1] … of the other. */
typedef struct ig_tile {
    size_t number; /* < ig_similarity_blocks_tiles */
    size_t first[2], count[2];
    float *product[2]; /* (count[0], IG_TILE_COLS), and transposed, with a row for each
                          row of the other list, after ig_tile_face(tile, 1); the last
                          consumer of a run may overwrite them */
    float *most[2];    /* (count[0]), (count[1]) maximum of each of these rows */
    bool *turned;      /* product[1] and most[1] are filled */
    double base;       /* cosine = product + base */
    double blur;       /* error bound of a product */
    bool columns; /* products also serve the columns. False if only rows of the first
                     list have queries, and in diagonal tiles of a list with itself,
                     which have each pair twice. A row's product with itself is −∞ */
} ig_tile;

/* Whether a tile serves the rows of list `side`, as product[side] and most[side]. */
bool ig_tile_face(const ig_tile *tile, size_t side);

/* A consumer of the products. Each thread calls `begin` before all tiles and `end`
 * after them, each behind a barrier; both may be NULL. */
typedef struct ig_consumer {
    void (*begin)(void *context, size_t part);
    void (*take)(void *context, size_t part, const ig_tile *tile);
    void (*end)(void *context, size_t part);
    void *context;

    /* Merge the results of all processes where they divide the tiles
     * (ig_pair_pass_run): called after their last tile and before `end`, by one thread
     * of each. IG_OK or IG_NOMEM. NULL if there is nothing to merge. */
    ig_status (*unite)(void *context, ig_comm *team, ig_error *error);
} ig_consumer;

/* A list of rows, all of one language. */
typedef struct ig_places {
    const uint32_t *place; /* (count) ascending */
    size_t count, lang;
} ig_places;

/* For rows that are not points: rows first … first + n − 1 of the other list, n ≤
 * IG_TILE_COLS; *stride is set to their stride. */
typedef const float *ig_similarity_blocks_view(void *context, size_t part, size_t first,
                                               size_t n, size_t *stride);

/* The caller sets the lists before a run. A zeroed struct may be freed. */
typedef struct ig_similarity_blocks {
    const ig_points *points;         /* the rows of both lists; NULL: … */
    const float *row;                /* … rows of the first (n, d), and … */
    ig_similarity_blocks_view *view; /* … of the other; products are then not cosines */
    void *viewer;

    ig_places side[2];
    bool self;    /* both lists are the same: each product serves two rows */
    bool one_way; /* only rows of the first list have queries */
    bool within;  /* the other list includes the rows of the first, which are not
                     their own candidates */
    bool mixed;   /* lists of several languages, scanned by runs over two languages
                     each. For sizing consumers only, never run itself */
    const uint32_t *name, *by_name; /* (m) tie-breaking order, and the rows in this
                                       order; NULL: list order */
    size_t dims, parts;
    ig_comm *team; /* its processes divide the tiles, and the caller merges the
                      consumers' results; NULL: one process */
    bool unites;   /* … but merging is done after the run, by the caller */
    const ig_kernels *kernels;

    /* of a run */
    double base;      /* <A, B> of the centres */
    double blur;      /* error bound of a float product */
    ig_status status; /* IG_OK, IG_NOMEM or IG_INTERRUPTED */

    /* private */
    size_t most[2];    /* allocated rows */
    double *offset[2]; /* <a', B> (core/points.h) */
    float *shift[2];   /* the same in float */
    float *tile;       /* (parts, one tile) */
    float *kept;       /* (kept tiles) of a run, if they are few */
    size_t keeps;
    float *single; /* (parts, each) rows of exact cosines, if points hold none */
    float *window; /* converted rows of the first list … */
    float *panel;  /* (parts, each) … and of the other */
    const float *resident; /* rows of the first list from `top` to `bottom` */
    size_t top, bottom;
    atomic_size_t next; /* tile, or column of tiles */
} ig_similarity_blocks;

/* Allocate for lists of at most `first` and `second` rows (0: lists with themselves
 * only) and `parts` concurrent threads.
 *   points  in  or NULL; must outlive it
 * IG_OK or IG_NOMEM. */
ig_status ig_similarity_blocks_init(ig_similarity_blocks *products,
                                    const ig_points *points, size_t first,
                                    size_t second, size_t dims, size_t parts,
                                    ig_error *error);

void ig_similarity_blocks_free(ig_similarity_blocks *products);

/* Run one thread's share; all threads of `pool` call it (NULL: one thread). All have
 * finished when it returns.
 *   watch   in  or NULL; counts ig_similarity_blocks_work
 *   member  in  thread number, for the watch
 * Returns the same value to all threads: true on completion, else false with `status`.
 * The consumers' results are then invalid and `end` is not called. */
bool ig_similarity_blocks_run(ig_similarity_blocks *products,
                              const ig_consumer *consumer, size_t consumers,
                              size_t part, ig_pool *pool, ig_progress *watch,
                              size_t member);

/* Keep the products of runs of two lists of at most IG_TILES_KEPT tiles for repeated
 * runs. IG_OK or IG_NOMEM. */
ig_status ig_similarity_blocks_keep(ig_similarity_blocks *products, ig_error *error);

/* Offer the products of the previous run to other consumers, kept or recomputed. */
bool ig_similarity_blocks_run_again(ig_similarity_blocks *products,
                                    const ig_consumer *consumer, size_t consumers,
                                    size_t part, ig_pool *pool, ig_progress *watch,
                                    size_t member);

/* The work of a repeated run, 0 for lists small enough to be kept. */
double ig_similarity_blocks_work_again(size_t first, size_t second, size_t dims);

/* A run on all threads of a pool of `parts` threads. IG_OK, IG_NOMEM or
 * IG_INTERRUPTED. */
ig_status ig_similarity_blocks_run_pool(ig_similarity_blocks *products,
                                        const ig_consumer *consumer, size_t consumers,
                                        ig_pool *pool, ig_progress *watch,
                                        ig_error *error);

/* Number of tiles; a list with itself does not use all. */
size_t ig_similarity_blocks_tiles(const ig_similarity_blocks *products);

/* The work of a run: 2·n·m·d, or n²·d for a list with itself. */
double ig_similarity_blocks_work(size_t first, size_t second, bool self, size_t dims);

/* Number of lists that have queries. */
static inline size_t ig_similarity_blocks_asking(const ig_similarity_blocks *products)
{
    return products->self || products->one_way ? 1 : 2;
}

/* The list that contains the candidates of row i. */
static inline size_t ig_similarity_blocks_other(const ig_similarity_blocks *products,
                                                size_t side)
{
    return products->self ? side : !side;
}

/* Exact cosines in double of row `row` of list s with n rows of the other list, to
 * decide doubtful products. */
void ig_similarity_blocks_cosines(const ig_similarity_blocks *products, size_t part,
                                  size_t s, size_t row, const uint32_t *other, size_t n,
                                  double *cosine);

/* The cosine with one row; also valid before a run. */
double ig_similarity_blocks_cosine_at(const ig_similarity_blocks *products, size_t part,
                                      size_t s, size_t row, size_t other);

static inline double ig_similarity_blocks_cosine(const ig_similarity_blocks *products,
                                                 size_t part, size_t s, size_t row,
                                                 uint32_t other)
{
    double cosine;

    ig_similarity_blocks_cosines(products, part, s, row, &other, 1, &cosine);
    return cosine;
}

#endif
