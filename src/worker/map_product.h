/* The map of the weights shown: exact PCA over all rows, or over a stated sample while
 * training. */
#ifndef WORKER_MAP_PRODUCT_H
#define WORKER_MAP_PRODUCT_H

#include "base/watch.h"
#include "map/bearing.h"
#include "map/projection.h"
#include "worker/guests.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* --- map turn --------------------------------------------------------------------- */

/* How the frames of a map lie: each is turned onto the one before, so that points glide
 * and never flip, and towards where the original embeddings have its languages. Many
 * small turns may leave the axis with most variance upright: when training has ended,
 * the map is laid down as it lies when the run is opened. */

/* Zeroed: no frame yet. */
typedef struct ig_map_turn {
    double q[4];        /* how the newest frame was turned: row := row q */
    ig_bearing bearing; /* of the languages, once, … */
    bool has_bearing;   /* … when it was sought */
    bool settle;        /* the next frame may be laid down */
} ig_map_turn;

/* Turn a frame, its guests included, and set map->share and map->turned.
 *   before  in      the frame it follows, or NULL; one of another view does not count.
 *                   Either of them may be of a sample of the other's rows
 *   share   in      (2) of the variance along x and y as they are
 * IG_OK, IG_NOMEM, or what reading the original rows said. */
ig_status ig_map_turn_frame(ig_map_turn *turn, const ig_work *work,
                            const ig_map *before, ig_map *map, const double share[2],
                            ig_error *error);

/* Turn n more points, (n, 2), as the newest frame was. */
void ig_map_turn_points(const ig_map_turn *turn, float *xy, size_t n);

void ig_map_turn_free(ig_map_turn *turn);

/* --- map product ------------------------------------------------------------------ */

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
