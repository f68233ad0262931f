/* Products: what the worker makes of a run and a request, such as the map or the
 * neighbours. Each has a key made of its inputs; it is stale when the key is another
 * than that of what was made last. The scheduler chooses the most urgent stale product,
 * and knows none of them by name. */
#ifndef WORKER_SCHEDULER_H
#define WORKER_SCHEDULER_H

#include "base/error.h"
#include "worker/channel.h"

enum { IG_KEY_ASKED = 6, IG_KEY_FOLLOWS = 3 };

/* Of what a product is made. */
typedef struct ig_product_key {
    uint64_t asked[IG_KEY_ASKED];     /* what the user looks at */
    uint64_t follows[IG_KEY_FOLLOWS]; /* what changes by itself, as the weights do */
    bool whole;                       /* all of it, not a sample */
} ig_product_key;

/* Why a product is to be made. */
typedef enum ig_cause {
    IG_CAUSE_NONE,   /* it is not stale */
    IG_CAUSE_ASKED,  /* the user looks at something else */
    IG_CAUSE_REST,   /* a part of it is left over */
    IG_CAUSE_FOLLOW, /* something changed by itself */
    IG_CAUSE_WHOLE,  /* a sample was made, and there is time for all */
    IG_CAUSES
} ig_cause;

typedef struct ig_product ig_product;

/* A kind of product: a row of a table. The context is the session's. */
typedef struct ig_product_kind {
    const char *name;

    /* The key that it should have now; false: it is not asked for. */
    bool (*key)(void *context, const ig_product *product, ig_product_key *key);

    /* Make it, or a step of it: ig_product_made says that there is something new, and
     * `more` that something is left. IG_OK, IG_INTERRUPTED (cancelled), or an error. */
    ig_status (*make)(void *context, ig_product *product, const ig_product_key *key,
                      ig_cause cause, ig_error *error);

    ig_arrival cancelled_by; /* and by all that is greater */
    double share;  /* of the time that it may take beside training when it follows */
    bool restarts; /* what is left of it means nothing once what it follows changed */
    int urgency[IG_CAUSES]; /* the greatest comes first; 0: that of its beginning */
} ig_product_kind;

struct ig_product {
    const ig_product_kind *kind;
    void *view; /* which of several it belongs to; or NULL */

    ig_product_key made;         /* of what there is … */
    bool known;                  /* … or failed; false: nothing yet */
    unsigned long times;         /* made */
    bool more;                   /* something is left of it … */
    ig_product_key under;        /* … of this key */
    bool short_memory;           /* it failed for that */
    char failure[IG_ERROR_SIZE]; /* why what was last tried came to nothing, or "" */
    ig_cause began;              /* why what is under way was begun */
    double spent, next;          /* seconds on that; clock: no other before */
};

/* A product that is to be made. */
typedef struct ig_scheduled {
    ig_product *product; /* NULL: none */
    ig_product_key key;
    ig_cause cause;
    int urgency;
} ig_scheduled;

/* The most urgent one; of equals the first.
 *   now  in  clock, or INFINITY: nothing is held back to leave time for training */
ig_scheduled ig_scheduler_choose(ig_product *product, size_t n, void *context,
                                 double now);

/* Make it; `clock` tells the time that it takes. IG_OK, IG_INTERRUPTED, or an error
 * (not NULL), after which it is not tried again until its key changes, or
 * ig_scheduler_retry. */
ig_status ig_scheduler_make(const ig_scheduled *choice, void *context,
                            ig_channel *channel, double (*clock)(void),
                            ig_error *error);

/* Nothing waits for its share of the time any longer. */
void ig_scheduler_hurry(ig_product *product, size_t n);

/* Try again what failed because memory was short. */
void ig_scheduler_retry(ig_product *product, size_t n);

/* What there is now is of this key. */
void ig_product_made(ig_product *product, const ig_product_key *key);

/* Of this key there is nothing to be had: why is kept until it is tried again. */
void ig_product_failed(ig_product *product, const ig_product_key *key,
                       const ig_error *error);

#endif
