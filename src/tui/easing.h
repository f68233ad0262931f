/* Points on their way from where they were drawn to where they are now: epochs that
 * follow one another, and spaces that change, are seen to move. It is of the screen
 * alone: what is asked, hit and written is where the points are. */
#ifndef TUI_EASING_H
#define TUI_EASING_H

#include "draw/scatter.h"
#include "worker/snapshot.h"

enum { IG_EASED_MOST = 20000 /* points: more take too long a frame */ };

/* A zeroed struct is at rest and has seen no map. */
typedef struct ig_easing {
    float *last;   /* (rows, 2) a series: of the newest map, … */
    float *from;   /* … where they come from … */
    float *drawn;  /* … and where they are meanwhile */
    uint32_t *row; /* (rows) that they are of, where they are a sample of all */
    size_t last_capacity, from_capacity, drawn_capacity, row_capacity;
    size_t rows, series;
    bool sampled;
    ig_space of[2];
    unsigned long serial;
    double begun, span; /* seconds; span 0: they are there */
} ig_easing;

void ig_easing_free(ig_easing *easing);

/* Take another map. Where it has the same rows as the one before, and `span` is not 0,
 * its points set out from where they are drawn at `now`, in the view `before`, as they
 * stand there in the view `after`. A series that was not there sets out from the one of
 * its space or the first. */
void ig_easing_take(ig_easing *easing, const ig_map *map, const ig_view *before,
                    const ig_view *after, double now, double span);

/* Whether points are on their way, and letting them be there. */
bool ig_easing_moves(const ig_easing *easing);
void ig_easing_rest(ig_easing *easing);

/* Move them to where they are at `now`; true: they have just arrived. O(points). */
bool ig_easing_move(ig_easing *easing, double now);

/* Where a series of the newest map is drawn, (rows, 2): its own place once it is
 * there. */
const float *ig_easing_xy(const ig_easing *easing, const ig_map *map, size_t series);

#endif
