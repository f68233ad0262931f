/* Guests: sentences of no row, encoded while one looks on. They stand on the map of the
 * weights shown, in its spaces, and have neighbours there; new weights move both. */
#ifndef WORKER_GUESTS_H
#define WORKER_GUESTS_H

#include "encode/encoder.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* A zeroed struct has none, and no encoder. */
typedef struct ig_guests {
    const ig_encoder_options *options; /* NULL: there is no encoder … */
    const char *why;                   /* … and why, or NULL */
    ig_encoder *encoder;               /* once one was asked for */
    size_t count;
    ig_guest guest[IG_GUESTS_MAX]; /* as the screen sees them */
    float *vector[IG_GUESTS_MAX];  /* (d) of the set */
    unsigned last;                 /* number given last */
    unsigned long serial;          /* grows with each that comes or goes */
} ig_guests;

/* Encode a sentence and let it in; *number gets its own. A language that is not said
 * (lang "") is that of the row nearest to it. IG_OK, IG_VALUE (no such language, too
 * many guests), IG_USAGE (no encoder), IG_SHAPE (vectors of other dimensions),
 * IG_INTERRUPTED, IG_NOMEM, or as the encoder says. */
ig_status ig_guests_ask(ig_guests *guests, const ig_work *work, const char *text,
                        const char *lang, unsigned *number, ig_error *error);

/* Forget one; false: there is none of that number. */
bool ig_guests_forget(ig_guests *guests, unsigned number);

/* Find the nearest rows of all guests in each space of the weights shown. IG_OK,
 * IG_NOMEM or IG_INTERRUPTED. A pass over the rows for each guest and space. */
ig_status ig_guests_search(ig_guests *guests, const ig_work *work, ig_shown *shown,
                           ig_error *error);

/* How many guests have their neighbours in the original space. */
size_t ig_guests_found(const ig_guests *guests);

/* A guest's row of a space as a source of one row. The context and the row it is made
 * of must outlive it. False: there is no such space. */
typedef struct ig_guest_rows {
    ig_rows one;
    ig_space_rows context;
} ig_guest_rows;
bool ig_guests_rows(const ig_guests *guests, size_t i, ig_shown *shown, ig_space space,
                    ig_guest_rows *context, ig_rows *rows);

void ig_guests_free(ig_guests *guests);

#endif
