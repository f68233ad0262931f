/* How the frames of a map lie: each is turned onto the one before, so that points glide
 * and never flip, and towards where the original embeddings have its languages. Many
 * small turns may leave the axis with most variance upright: when training has ended,
 * the map is laid down as it lies when the run is opened. */
#ifndef WORKER_MAP_TURN_H
#define WORKER_MAP_TURN_H

#include "map/bearing.h"
#include "worker/snapshot.h"
#include "worker/work.h"

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

#endif
