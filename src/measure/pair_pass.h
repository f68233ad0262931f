/* One pass over all pairs of rows, for every family of measures that looks at them:
 * products are formed once, by blocks of two languages, and each tile of them is handed
 * to whoever asked while it is near the core.
 *
 * Rows lie by language, and within one in the order in which they were given; a place
 * is that of a row among them. Consumers of the pass (linear/products.h) are made for
 * `shown`, a list of all rows with itself, and take tiles by places. One handler may
 * have the products of two languages by themselves, too, as retrieval has. Blocks are
 * independent of each other, and nothing depends on their order or on who takes which:
 *
 *     for each block of rows, for each block of candidates → consumers
 *
 * Where a sample of the rows asks (ig_pair_pass_init_sample), all rows are candidates,
 * and tiles serve their rows alone: those that ask lie first within their language.
 * Jobs are then of a language that asks and one that is asked, in this order.
 *
 * Legend: n rows, d dims. */
#ifndef MEASURE_PAIR_PASS_H
#define MEASURE_PAIR_PASS_H

#include "linear/products.h"
#include "measure/units.h"

enum { IG_PAIR_PASS_CONSUMERS = 8 };

/* Who has the products of two languages by themselves. A job is a pair of languages
 * (ordered, where a sample asks), or a language with itself; those with itself come
 * before all others. */
typedef struct ig_pair_pass_handler {
    void *context;
    size_t jobs;

    /* Languages of a job, lang[0] ≤ lang[1] unless ordered, and its work in flops.
     * Returns whether it takes the products of all rows of both: then those of the pass
     * serve it. */
    bool (*tell)(const void *context, size_t job, size_t lang[2], double *work);

    /* Room for any of some jobs, to be done by `parts` threads at once with `products`.
     * IG_OK or IG_NOMEM; *workspace is for `free` in any case. */
    ig_status (*init)(void *context, const size_t *job, size_t jobs,
                      ig_products *products, size_t parts, void **workspace,
                      ig_error *error);
    void (*free)(void *workspace);

    /* Do a job: all parts call it, as ig_products_run has it.
     *   also  in  gets the tiles, too; or NULL
     * Returns whether it came to its end. */
    bool (*run)(void *workspace, size_t job, const ig_consumer *also, size_t part,
                ig_pool *pool, ig_watch *watch, size_t member);

    /* Whether all jobs so far had what they wrote. IG_OK or IG_IO. */
    ig_status (*check)(const void *workspace, ig_error *error);

    /* What a rank has found in a job, to all of its team. */
    void (*give)(void *context, size_t job, ig_team *team, size_t rank);
} ig_pair_pass_handler;

/* A zeroed struct may be freed. Do not move it once it is begun: consumers point to
 * `shown`. */
typedef struct ig_pair_pass {
    size_t rows, languages;
    uint32_t *first; /* (languages + 2) places of each language */
    uint32_t *name;  /* (n) number in the list given, by place … */
    uint32_t *place; /* (n) … and the other way round */
    uint32_t *asks;  /* (languages) rows of each that ask, its first ones; NULL: all
                        rows ask, both ways */
    uint32_t *drawn; /* (languages) of them those of the sample, the first of all */
    ig_units units; /* (n) by place, less the centre of their language. Where a value is
                        not finite (odd_rows), there is no pass to run */
    ig_block *block; /* (languages) */
    ig_products shown;

    /* for whoever takes part to set before the run */
    ig_consumer consumer[IG_PAIR_PASS_CONSUMERS]; /* of `shown` */
    size_t consumers;
    ig_pair_pass_handler handler; /* jobs 0: there is none */

    /* private */
    uint32_t *language; /* (n) of a place */
    double *offset;     /* (n) <row, the centre of its language> */
    uint32_t *same;     /* (n) as linear/block.h has it */
    uint32_t *order[2]; /* (n) with `asks`: by place, what place within the language a
                           row would have by its number in the list; and the other way
                           round: order[1][first + j] is the j-th by number */
} ig_pair_pass;

/* Read the rows of a pass, scaled to length 1.
 *   list  in  (n) rows of the source; NULL: all
 *   lang  in  (n) of the list, < languages; NULL: they are of one
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. n·d floats in memory. */
ig_status ig_pair_pass_init(ig_pair_pass *pass, const ig_rows *rows,
                            const uint32_t *list, size_t n, const uint16_t *lang,
                            size_t languages, ig_pool *pool, ig_watch *watch,
                            ig_error *error);

/* The same where some rows ask, or the rows do not fit into memory.
 *   asks       in  (n) of the list, IG_ASKS_…, 0: does not; NULL: all ask
 *   directory  in  that of a file for the n·d floats; NULL: they lie in memory
 * IG_IO, too: the directory refuses it. */
enum {
    IG_ASKS_DRAWN = 1, /* it is of the sample */
    IG_ASKS_BESIDE     /* it asks a handler, whose job a sample says too little of */
};
ig_status ig_pair_pass_init_sample(ig_pair_pass *pass, const ig_rows *rows,
                                   const uint32_t *list, size_t n, const uint16_t *lang,
                                   size_t languages, const uint8_t *asks,
                                   const char *directory, ig_pool *pool,
                                   ig_watch *watch, ig_error *error);

/* Whether the row of a place is of the sample; where all rows ask, any. */
bool ig_pair_pass_asks(const ig_pair_pass *pass, size_t place);

void ig_pair_pass_free(ig_pair_pass *pass);

/* How many tiles consumers will get at most: their numbers are below it. */
size_t ig_pair_pass_tiles(const ig_pair_pass *pass);

/* Rows of a language. */
static inline size_t ig_pair_pass_rows(const ig_pair_pass *pass, size_t lang)
{
    return pass->first[lang + 1] - pass->first[lang];
}

/* The work of a run, in flops; 0 where memory is short. */
double ig_pair_pass_work(const ig_pair_pass *pass);

/* Go over all pairs of languages that anybody wants: all of them, where there are
 * consumers. IG_OK, IG_NOMEM or IG_INTERRUPTED. n²·d flops at most, and what the
 * handler's jobs need beyond the products; the watch counts it. The same bytes whatever
 * the number of pool members. Where the pool has a team, its ranks take pairs of
 * languages each, or the tiles of one in turn where it is large, and all have what was
 * found. */
ig_status ig_pair_pass_run(ig_pair_pass *pass, ig_pool *pool, ig_watch *watch,
                           ig_error *error);

#endif
