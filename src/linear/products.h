/* All products of the rows of one list with those of another, or of a list with itself,
 * by the tile: the one engine behind nearest rows, ranks, searches of many queries and
 * sums over all pairs.
 *
 * A tile of products is formed where it stays near the core, and every consumer of the
 * pass takes from it what it needs: one product serves them all, and the rows of both
 * lists. Of a list with itself only tiles on and above the diagonal are formed. The
 * parts of a team take tiles as they come; what consumers find must not depend on who
 * took which. Legend: d dims, n rows of the first list, m of the other. */
#ifndef LINEAR_PRODUCTS_H
#define LINEAR_PRODUCTS_H

#include "base/error.h"
#include "base/pool.h"
#include "base/watch.h"
#include "linear/block.h"
#include "linear/kernels.h"

enum {
    IG_TILE_ROWS = 512,
    IG_TILE_COLS = 512,
    IG_TILE_BAND = 64, /* rows */
    IG_TILE_BANDS = IG_TILE_ROWS / IG_TILE_BAND,
    IG_TILES_KEPT = 8,        /* that are kept for another run at most: 8 MB */
    IG_SQUARE_BYTES = 1 << 28 /* rows of both lists that are used before others: where
                                 they do not lie in memory, they are read this seldom */
};

/* Cosines closer than this are equal: what floats can tell apart. */
#define IG_COSINE_EQUAL 0x1p-23

/* Products of rows first[0] … of the first list with rows first[1] … of the other,
 * which may be the first. */
typedef struct ig_tile {
    size_t number; /* among ig_products_tiles */
    size_t first[2], count[2];
    float *product; /* (count[0], IG_TILE_COLS); a consumer may overwrite it when it is
                       the last of its pass */
    const float *most; /* (count[0]) the greatest of each row … */
    const float *top;  /* (IG_TILE_BANDS, IG_TILE_COLS) … and of each column, among
                          IG_TILE_BAND rows each: bands that have rows */
    double base;       /* what makes a cosine of a product */
    double blur;       /* how far a product may be off */
    bool columns; /* the products are those of the columns, too. Not so where some rows
                       alone ask, and in the squares on the diagonal of a list with
                       itself, where each pair stands twice. There a row's product with
                       itself is −∞ */
} ig_tile;

/* What is done with the products. Each part calls begin once before all tiles and end
 * once after them, when all parts have come so far; both may be NULL. */
typedef struct ig_consumer {
    void (*begin)(void *context, size_t part);
    void (*take)(void *context, size_t part, const ig_tile *tile);
    void (*end)(void *context, size_t part);
    void *context;

    /* Where ranks take tiles each (ig_pair_pass_run), after their last and before
     * `end`, by one thread of each: what all of them have taken, to all. IG_OK or
     * IG_NOMEM. NULL where there is nothing of that kind. */
    ig_status (*unite)(void *context, ig_team *team, ig_error *error);
} ig_consumer;

/* Rows first … first + n − 1 of the other list, n ≤ IG_TILE_COLS, for a list that does
 * not lie in memory; *stride gets their distance. */
typedef const float *ig_products_view(void *context, size_t part, size_t first,
                                      size_t n, size_t *stride);

/* The lists are for the caller to set before a run. A zeroed struct may be freed. */
typedef struct ig_products {
    ig_block side[2]; /* products are cosines less `base`; a list without a centre is
                         multiplied as it lies (then so must be the other). With itself:
                         the first alone */
    bool self;
    size_t asked; /* the first rows of the first list that ask alone: tiles are of these
                     and all of the other (or of the list itself), and serve their rows
                     (ig_tile.columns is false); 0: all rows of both ask */
    /* Of a list whose rows lie about several centres, which a pass over blocks of it
     * shows to consumers by their numbers in the list (ig_products_show): the block of
     * each row, the blocks, and in offset[0] what each row has with its own centre.
     * NULL: side[0] has one centre. */
    const uint32_t *block_of;
    const ig_block *block;
    const uint32_t *name, *by_name; /* (n) what orders rows that are equally near, 0 …
                             n − 1, and the rows by it; NULL: their numbers */

    ig_products_view *view; /* of side[1], in place of its rows; or NULL */
    void *viewer;
    size_t dims, parts;
    size_t span;   /* tiles come by squares of so many by so many, IG_SQUARE_BYTES of
                    rows */
    ig_team *team; /* its ranks take tiles in turn, and the caller brings together what
                      consumers found; NULL: this one takes all */
    bool unites;   /* … but not here: that is done after the tiles (`unite`) */
    const ig_kernels *kernels;

    /* of a run */
    double base; /* <A, B> of the centres */
    double blur; /* how far a float product may be off */

    /* private */
    size_t most[2];    /* that there is room for */
    double *offset[2]; /* <a', B>, as linear/block.h has it */
    float *shift[2];   /* the same */
    float *tile;       /* (parts, a tile) */
    float *kept;       /* (keeps, a tile) those of a run, where they are so few */
    size_t keeps;
    atomic_size_t next; /* tile, or column of tiles where there is a view */
    bool ended;
    ig_status united; /* IG_NOMEM: the run had no room to unite, and has not ended */
} ig_products;

/* Room for lists of at most `first` and `second` rows (0: lists with themselves only),
 * to be run by `parts` threads at once. IG_OK or IG_NOMEM. */
ig_status ig_products_init(ig_products *products, size_t first, size_t second,
                           size_t dims, size_t parts, ig_error *error);

void ig_products_free(ig_products *products);

/* Do the work of one part; all parts call it, and `pool`, whose members they are, is
 * NULL when there is one part. When it returns, all have finished.
 *   watch   in  or NULL; it counts ig_products_work
 *   member  in  of the pool, for the watch
 * Returns, to all parts alike, whether it came to its end; when it was stopped, what
 * consumers found means nothing, and their `end` is not called. */
bool ig_products_run(ig_products *products, const ig_consumer *consumer,
                     size_t consumers, size_t part, ig_pool *pool, ig_watch *watch,
                     size_t member);

/* Keep the products of runs of two lists, where that takes no more than IG_TILES_KEPT
 * tiles, for runs that follow. IG_OK or IG_NOMEM. */
ig_status ig_products_keep(ig_products *products, ig_error *error);

/* The products of the run before, to other consumers: as they were kept, or formed
 * anew. */
bool ig_products_run_again(ig_products *products, const ig_consumer *consumer,
                           size_t consumers, size_t part, ig_pool *pool,
                           ig_watch *watch, size_t member);

/* The work of such a run of two lists that are kept where they are so small. */
double ig_products_work_again(size_t first, size_t second, size_t dims);

/* A run by all members of a pool, whose number is `parts`. */
bool ig_products_run_pool(ig_products *products, const ig_consumer *consumer,
                          size_t consumers, ig_pool *pool, ig_watch *watch);

/* Numbers of tiles: those of a list with itself are not all used. */
size_t ig_products_tiles(const ig_products *products);

/* What a run will count: 2·n·m·d, or n²·d of a list with itself of which all rows
 * ask. */
double ig_products_work(size_t first, size_t second, bool self, size_t dims);

/* How many lists have rows that ask. */
static inline size_t ig_products_asking(const ig_products *products)
{
    return products->self || products->asked ? 1 : 2;
}

/* A list of `rows` rows whose tiles come from passes over blocks of it, by `parts`
 * threads: what consumers are made for, who then take tiles by its numbers. There is
 * nothing to run and nothing to free. */
ig_products ig_products_show(size_t rows, size_t dims, size_t parts);

/* The same of rows about several centres. */
double ig_products_cosine_of_blocks(const ig_products *products, size_t i, size_t j);

/* The cosine of a row of the first list with one of the other, in double: what decides
 * where products are in doubt. */
static inline double ig_products_cosine(const ig_products *products, size_t i, size_t j)
{
    const ig_block *a = &products->side[0], *b = &products->side[!products->self];
    size_t d = products->dims, other = !products->self;

    if ((a->zero && a->zero[i]) || (b->zero && b->zero[j]))
        return 0;
    if (products->block)
        return ig_products_cosine_of_blocks(products, i, j);
    return products->base + (products->offset[0][i] + products->offset[other][j]) +
           products->kernels->dot(ig_block_single(a) + i * d,
                                  ig_block_single(b) + j * d, d);
}

#endif
