/* How many members of a pool work together, and in pieces of which size, by what was
 * measured: where other programs keep the processors busy, members wait for one that
 * was put aside, and fewer of them, or smaller pieces, may be faster. On a quiet
 * machine all work, each on its whole share, and nothing is tried.
 *
 * A stretch of work is done one way and how fast it went is told; now and then, when
 * members waited long for one another or some are left out, stretches of another way
 * and of this one are done in turn, and the other one is kept when it was faster:
 * beside other programs one stretch says little, and so does one of another time. What
 * is computed must not depend on it. */
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
    ig_pace_way other;
    bool trying;       /* `other`, in turn with `way` */
    unsigned tried;    /* stretches of both so far */
    double work[2];    /* done in them: the way's, the other's, */
    double seconds[2]; /* and how long they took */
    unsigned turn;     /* which way is tried next */
    unsigned wait;     /* stretches until then */
    unsigned pause;    /* and from one try in vain to the next */
} ig_pace;

/* All members, a share each. */
void ig_pace_init(ig_pace *pace, size_t members);

/* How the next stretch is to be done. */
ig_pace_way ig_pace_next(const ig_pace *pace);

/* What it came to.
 *   work    in  done in it
 *   seconds in  how long it took, > 0
 *   waited  in  share of the members' time in which they waited for one another, 0 … 1
 */
void ig_pace_tell(ig_pace *pace, double work, double seconds, double waited);

#endif
