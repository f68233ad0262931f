/* How many members of a pool work together, and in pieces of which size, by what was
 * measured: where other programs keep the processors busy, members wait for one that
 * was put aside, and fewer of them, or smaller pieces, may be faster. On a quiet
 * machine all work, each on its whole share, and nothing is tried.
 *
 * A stretch of work is done one way and its speed is told; now and then, when members
 * waited long for one another or some are left out, the next stretch is done another
 * way, which is kept when it was faster. What is computed must not depend on it. */
#ifndef BASE_PACE_H
#define BASE_PACE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ig_pace_way {
    size_t members;
    bool fine; /* small pieces, taken as members come, instead of a share each */
} ig_pace_way;

typedef struct ig_pace {
    size_t most;     /* members of the pool */
    ig_pace_way way; /* the fastest known */
    double speed;    /* of it, lately; 0: not measured yet */
    ig_pace_way next;
    bool trying;    /* `next` is another way than `way` */
    unsigned turn;  /* which way is tried next */
    unsigned wait;  /* stretches until then */
    unsigned pause; /* and from one try in vain to the next */
} ig_pace;

/* All members, a share each. */
void ig_pace_init(ig_pace *pace, size_t members);

/* How the next stretch is to be done. */
ig_pace_way ig_pace_next(const ig_pace *pace);

/* What it came to.
 *   speed   in  work a second
 *   waited  in  share of the members' time in which they waited for one another, 0 … 1
 */
void ig_pace_tell(ig_pace *pace, double speed, double waited);

#endif
