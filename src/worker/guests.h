/* Guests: sentences of no row, encoded while one looks on, beside all else. They stand
 * on the map of the weights shown, in its spaces, and have neighbours there; new
 * weights move both. */
#ifndef WORKER_GUESTS_H
#define WORKER_GUESTS_H

#include "encode/encoder.h"
#include "worker/neighbours.h"
#include "worker/shown.h"
#include "worker/snapshot.h"

/* --- encoding thread -------------------------------------------------------------- */

/* Sentences that are encoded one after another on a thread of their own, so that nobody
 * waits for an encoder. One other thread asks, cancels and takes the answers. */

typedef struct ig_encoding_thread ig_encoding_thread;

/* What was asked, and what came of it: the taker's, for ig_answer_free. */
typedef struct ig_answer {
    char *text;
    char *lang; /* "" : it was left open */
    ig_status status;
    ig_error error;
    float *vector; /* (dims), or NULL unless IG_OK */
    size_t dims;
} ig_answer;

void ig_answer_free(ig_answer *answer);

/* Start the thread; the encoder is opened for the first sentence, and anew after one
 * that failed. `answered` is called on the thread whenever there is an answer. The
 * options must outlive it. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_encoding_thread_new(ig_encoding_thread **thread,
                                 const ig_encoder_options *options,
                                 void (*answered)(void *context), void *context,
                                 ig_error *error);

/* Give up what is asked, and end the thread: within the time that its kind of encoder
 * takes to stop. NULL is accepted. */
void ig_encoding_thread_delete(ig_encoding_thread *thread);

/* Ask for one more sentence. IG_OK or IG_NOMEM. */
ig_status ig_encoding_thread_ask(ig_encoding_thread *thread, const char *text,
                                 const char *lang, ig_error *error);

/* The next answer; false: there is none now. */
bool ig_encoding_thread_take(ig_encoding_thread *thread, ig_answer *answer);

/* Sentences asked for whose answers are not taken. */
size_t ig_encoding_thread_waiting(ig_encoding_thread *thread);

/* Wait until all that was asked for is answered. */
void ig_encoding_thread_wait(ig_encoding_thread *thread);

/* Give up all that is not answered: the answers are IG_INTERRUPTED. */
void ig_encoding_thread_cancel(ig_encoding_thread *thread);

/* --- guests ----------------------------------------------------------------------- */

/* What of a guest was searched. */
typedef struct ig_guest_searched {
    bool original;        /* the original space, which stays as it is */
    unsigned long serial; /* under which weights the others; 0: not yet */
} ig_guest_searched;

/* A zeroed struct has none, and no encoder. */
typedef struct ig_guests {
    const ig_encoder_options *options; /* NULL: there is no encoder … */
    const char *why;                   /* … and why, or NULL */
    void (*answered)(void *context);   /* called on the encoder's thread when it has */
    void *context;                     /* encoded something */
    ig_encoding_thread *thread;        /* once it was begun */
    atomic_size_t places;              /* taken by guests and by what is asked */
    size_t count;
    ig_guest guest[IG_GUESTS_MAX]; /* as the screen sees them */
    ig_guest_searched searched[IG_GUESTS_MAX];
    float *vector[IG_GUESTS_MAX]; /* (d) of the set */
    bool told;                    /* which server was asked */
    unsigned last;                /* number given last */
    unsigned long serial;         /* grows with each that comes or goes */
} ig_guests;

/* Begin the encoder's thread, where there is an encoder. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_guests_begin(ig_guests *guests, ig_error *error);

/* Have a sentence encoded; on any thread, after ig_guests_begin. IG_OK: it will be
 * answered; IG_VALUE (no such language, too many guests), IG_USAGE (no encoder) or
 * IG_NOMEM. */
ig_status ig_guests_ask(ig_guests *guests, const ig_set *set, const char *text,
                        const char *lang, ig_error *error);

/* Sentences that are asked for and not answered; waiting for their answers; giving them
 * up. */
size_t ig_guests_waiting(const ig_guests *guests);
void ig_guests_wait(ig_guests *guests);
void ig_guests_give_up(ig_guests *guests);

/* Take an answer, and let the guest in; *number gets its own. A language that was not
 * said is that of the row nearest to it; of the vectors that --dims has narrowed, the
 * guest's is narrowed likewise. False: there is none now. *status: IG_OK, IG_SHAPE
 * (vectors of other dimensions), IG_INTERRUPTED, IG_NOMEM, or as the encoder says. */
bool ig_guests_answer(ig_guests *guests, const ig_set *set, ig_neighbourhood *hood,
                      unsigned *number, ig_status *status, ig_error *error);

/* Forget one, or give it a name; false: there is none of that number. */
bool ig_guests_forget(ig_guests *guests, unsigned number);
bool ig_guests_rename(ig_guests *guests, unsigned number, const char *name);

/* Write all guests as a set (data/set_writer.h): their original vectors, languages,
 * texts, and as ids their names or numbers. IG_OK, IG_VALUE (there are none) or as the
 * writer says. */
ig_status ig_guests_write(const ig_guests *guests, const ig_set *set, const char *path,
                          ig_error *error);

/* How many guests are not searched under the weights shown. */
size_t ig_guests_unsearched(const ig_guests *guests, const ig_shown *shown);

/* Find the nearest rows of the guest that waits longest, in each space, with their
 * margins where these take no more than a moment. In a large set the neighbourhood may
 * know older weights than those shown: then under these, unless `newest`. IG_OK,
 * IG_NOMEM or IG_INTERRUPTED. A pass over the rows for each space. */
ig_status ig_guests_search(ig_guests *guests, ig_neighbourhood *hood, bool newest,
                           ig_error *error);

/* How many guests have their neighbours in the original space. */
size_t ig_guests_found(const ig_guests *guests);

/* A guest's row of a space under some weights as a source of one row. The context and
 * the row it is made of must outlive it. False: there is no such space. */
typedef struct ig_guest_rows {
    ig_rows one;
    ig_space_rows context;
    uint16_t lang[IG_GUESTS_MAX];
} ig_guest_rows;
bool ig_guests_rows(const ig_guests *guests, size_t i, const ig_shown *shown,
                    ig_space space, ig_guest_rows *context, ig_rows *rows);

/* The same of all guests together. `vectors` (guests, d of the set) is room for what
 * they are made of. */
bool ig_guests_gather(const ig_guests *guests, const ig_shown *shown, ig_space space,
                      float *vectors, ig_guest_rows *context, ig_rows *rows);

void ig_guests_free(ig_guests *guests);

#endif
