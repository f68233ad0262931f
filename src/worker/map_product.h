/* The map of the weights shown: exact PCA over all rows, or over a stated sample while
 * training. */
#ifndef WORKER_MAP_PRODUCT_H
#define WORKER_MAP_PRODUCT_H

#include "base/watch.h"
#include "map/projection.h"
#include "worker/guests.h"
#include "worker/map_turn.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* A struct with `work` and `shown` alone has none. */
typedef struct ig_map_product {
    const ig_work *work;
    ig_shown *shown;         /* of what */
    const ig_guests *guests; /* that are placed, too */
    ig_map *map;             /* the newest, or NULL */
    unsigned long maps;
    ig_projection projection;
    uint32_t *sample; /* (N) rows in a random order, once */

    /* How far a long map of all rows is. */
    ig_watch watch;          /* counts rows summed, then rows placed … */
    double to_sum, to_place; /* … of so many */
    bool long_map;           /* it takes longer than a frame … */
    double part;             /* … and so much is done, 0 … 1; 0: there is none */

    /* What the newest frame was placed by, for guests who come later. */
    bool framed;
    ig_shown frame;     /* its weights, where there may be guests */
    ig_projection axes; /* the two of it alone */
    ig_map_turn turn;   /* how it lies */
} ig_map_product;

/* Make the map that is looked at: of a sample where all rows would take longer than a
 * frame, each language with its share; state->map is replaced. It is turned onto the
 * one before, or where there is none onto `like` (or NULL).
 *   exact  in/out  all rows are asked for whatever they cost; whether it is their map
 * IG_OK, IG_INTERRUPTED, or an error. */
ig_status ig_map_product_make(ig_map_product *state, const ig_map *like, bool *exact,
                              ig_error *error);

/* Place the guests of now on the newest frame, whose points stay: what it costs does
 * not grow with the rows. False: it cannot be done, a frame is to be made. */
bool ig_map_product_admit(ig_map_product *state);

/* Forget the map of another run. */
void ig_map_product_forget(ig_map_product *state);

void ig_map_product_free(ig_map_product *state);

#endif
