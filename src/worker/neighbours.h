/* The neighbours of the row under the cursor, searched in every space, over the
 * languages that are asked for (its own too, if not said otherwise: that neighbours
 * turn from it into translations is what is looked for).
 *
 * What can be had within a frame is had at once. What takes longer follows, a space or
 * the margins of a space at a time: each makes a new ig_neighbours out of the last.
 *
 * The rows of a small set are kept in memory under the weights shown. Those of a large
 * one are not, and new weights cost it a pass over all rows for their lengths, seconds
 * where a query takes milliseconds. So a large set's spaces are searched under weights
 * of their own, which follow those shown when there is time: a move of the cursor is
 * answered at once, if by an epoch that is not the last. */
#ifndef WORKER_NEIGHBOURS_H
#define WORKER_NEIGHBOURS_H

#include "search/searcher.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* A struct with `work` and `shown` alone has none. */
typedef struct ig_neighbourhood {
    const ig_work *work;
    ig_shown *shown;      /* under whose weights */
    ig_neighbours *found; /* the newest, or NULL */
    unsigned long serials;
    bool without_original; /* a comparison: they are the same for all runs */
    ig_searcher *searcher[IG_SPACES];
    unsigned long searched[IG_SPACES]; /* serial of the weights it knows */
    unsigned long layout[IG_SPACES];   /* of the rows it was made for */
    unsigned long failed;              /* serial of one that cannot be completed */
    double *mean[IG_SPACES];           /* (languages) near(row) [margin] */
    uint8_t *to;                       /* (languages) the filter */
    struct ig_large_spaces *large;     /* a large set's spaces, or NULL */
} ig_neighbourhood;

/* Find the neighbours of the row looked at; `found` is replaced. What takes no longer
 * than a frame may, or (`newest`) all, under the weights shown. IG_OK, IG_INTERRUPTED
 * or IG_NOMEM. */
ig_status ig_neighbourhood_search(ig_neighbourhood *hood, bool newest, ig_error *error);

/* Where a space is searched: its rows and their searcher, under which weights. */
typedef struct ig_search_place {
    const ig_rows *rows;
    ig_searcher *searcher; /* NULL: there is no such space, or none at once */
    const ig_extractor *x; /* that makes the rows; of the originals the one shown */
    unsigned long serial;  /* of the weights … */
    size_t epoch;
    bool quick; /* a query takes no more than a pass or two */
} ig_search_place;

/* The place of a space, for queries that are no rows: as its own search finds it, or
 * (`newest`) made under the weights shown, which may take seconds. It holds until the
 * neighbourhood searches again. IG_OK, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_neighbourhood_place(ig_neighbourhood *hood, ig_space space, bool newest,
                                 ig_search_place *place, ig_error *error);

/* What was left out of them: whether there is something, and one more of it. */
bool ig_neighbourhood_has_rest(const ig_neighbourhood *hood);
ig_status ig_neighbourhood_go_on(ig_neighbourhood *hood, ig_error *error);

/* Whether all that a search at once needs is made, so that it can be had amid a task of
 * the pool; and that searches run on the worker's thread alone, or no longer. */
bool ig_neighbourhood_is_ready(const ig_neighbourhood *hood);
void ig_neighbourhood_alone(ig_neighbourhood *hood, bool alone);

/* Forget what was found and made for another run. */
void ig_neighbourhood_forget(ig_neighbourhood *hood);

void ig_neighbourhood_free(ig_neighbourhood *hood);

#endif
