/* Neighbours: what they are searched in, and the lists made of it. All of it belongs to
 * the worker.
 *
 * The rows of a small set are kept in memory under the weights shown. Those of a large
 * one are not, and new weights cost it a pass over all rows for their lengths, seconds
 * where a query takes milliseconds. So a large set's spaces are searched under weights
 * of their own, which follow those shown when there is time: a move of the cursor is
 * answered at once, if by an epoch that is not the last. */
#ifndef WORKER_NEAR_H
#define WORKER_NEAR_H

#include "worker/worker.h"

/* The meaning and language space of a large set under some weights. */
typedef struct ig_near_spaces {
    unsigned long serial; /* of the weights */
    unsigned run;
    size_t epoch;
    ig_extractor x; /* a copy */
    ig_rows_narrow narrow;
    ig_rows from; /* the originals, or their first columns */
    ig_space_rows context[IG_SPACES];
    ig_rows rows[IG_SPACES];
    ig_searcher *searcher[IG_SPACES]; /* NULL: there is no such space */
    bool quick[IG_SPACES];            /* a query takes no more than a pass or two */
} ig_near_spaces;

void ig_near_spaces_delete(ig_near_spaces *spaces);

/* Where to search a space: its rows and their searcher, and the weights they are of.
 * `searcher` NULL: there is no such space, or none that can be had at once. */
typedef struct ig_near_place {
    const ig_rows *rows;
    ig_searcher *searcher;
    unsigned long serial;
    size_t epoch;
    bool quick;
} ig_near_place;

/* The place of a space; `newest`: under the weights shown, whatever it takes. IG_OK,
 * IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_near_find_place(ig_session *session, ig_space space, bool newest,
                             ig_near_place *place, ig_error *error);

/* Whether all that a search at once needs is made, so that it can be had amid a task of
 * the pool; and that such searches run on the worker's thread alone, or no longer. */
bool ig_near_is_made(ig_session *session);
void ig_near_alone(ig_session *session, bool alone);

/* Forget what was made for other weights. */
void ig_near_forget(ig_session *session);

/* Rows of an id, and of a language, ascending: lists that are made once. False when
 * memory is short. */
bool ig_near_index(ig_session *session);
const uint32_t *ig_near_rows_of_id(const ig_session *session, uint32_t id, size_t *n);
const uint32_t *ig_near_rows_of_language(const ig_session *session, size_t language,
                                         size_t *n);

#endif
