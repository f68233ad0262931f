/* Sentences that are encoded one after another on a thread of their own, so that nobody
 * waits for an encoder. One other thread asks, cancels and takes the answers. */
#ifndef WORKER_ENCODING_THREAD_H
#define WORKER_ENCODING_THREAD_H

#include "encode/encoder.h"

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

#endif
