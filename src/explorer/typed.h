/* Typed sentences: encoded by a job, projected onto the map and searched for neighbours
 * under the weights shown. */
#ifndef WORKER_TYPED_SENTENCES_H
#define WORKER_TYPED_SENTENCES_H

#include "encode/encoder.h"
#include "explorer/neighbours.h"
#include "explorer/results.h"
#include "explorer/shown.h"

/* A list of typed sentences; jobs work on copies. Zeroed: empty. */
typedef struct ig_typed_list {
    size_t count;
    ig_typed typed_sentence[IG_TYPED_SENTENCES_MAX];
    unsigned long
        searched[IG_TYPED_SENTENCES_MAX]; /* serial of the weights + 1; 0: not yet */
    float *vector; /* (IG_TYPED_SENTENCES_MAX, d of the set) or NULL */
} ig_typed_list;

/* False: out of memory. */
bool ig_typed_list_copy(ig_typed_list *to, const ig_typed_list *from, size_t dims);
void ig_typed_list_free(ig_typed_list *list);

/* Search the nearest rows, in each space, of the sentences not yet searched under the
 * current weights.
 *   newest  in  as ig_neighbourhood_prepare
 * IG_OK; IG_NOMEM or IG_INTERRUPTED after searching some. */
ig_status ig_typed_list_search(ig_typed_list *list, ig_neighbourhood *hood, bool newest,
                               ig_error *error);

/* Merge the search results of a copy. */
void ig_typed_list_merge(ig_typed_list *list, const ig_typed_list *copy);

/* Rows of sentences first … first+count−1 in a space under some weights. The context
 * must outlive the rows. False: no such space. */
typedef struct ig_typed_rows {
    ig_rows originals;
    ig_space_rows context;
    uint16_t lang[IG_TYPED_SENTENCES_MAX];
} ig_typed_rows;
bool ig_typed_list_rows(const ig_typed_list *list, size_t first, size_t count,
                        const ig_shown *shown, ig_space space, ig_typed_rows *context,
                        ig_rows *rows);

/* --- encoding --------------------------------------------------------------------- */

/* Zeroed: no sentences and no encoder. The job that encodes works on queue[0],
 * `encoder`, `searcher` and `answer`; all else belongs to the session thread. */
typedef struct ig_typed_sentences {
    const ig_encoder_options *options; /* NULL: no encoder … */
    const char *why;                   /* … the reason, or NULL */
    ig_typed_list list;
    unsigned last;        /* last number assigned */
    unsigned long serial; /* grows with each sentence added or deleted */
    bool server_shown;    /* the message has named the server */

    ig_typed queue[IG_TYPED_SENTENCES_MAX]; /* (queued) text, and language if given */
    size_t queued;
    unsigned long answered; /* grows with each sentence that leaves the queue */

    ig_encoder *encoder;   /* opened for the first sentence */
    ig_searcher *searcher; /* of the original rows, to guess languages */
    float *answer;         /* (dims) vector of queue[0] */
} ig_typed_sentences;

/* Queue a sentence for encoding. IG_OK; IG_VALUE (no such language, too many
 * sentences) or IG_USAGE (no encoder). */
ig_status ig_typed_ask(ig_typed_sentences *typed_sentences, const ig_dataset *set,
                       const char *text, const char *lang, ig_error *error);

/* Encode the first of the queue. Without a given language it takes that of its nearest
 * row; --dims truncates its vector like those of the dataset. IG_OK, IG_SHAPE (other
 * dimensions), IG_INTERRUPTED, IG_NOMEM, or the encoder's error.
 *   cancel  in  outlives the encoder */
ig_status ig_typed_encode(ig_typed_sentences *typed_sentences, const ig_work *work,
                          const atomic_bool *cancel, ig_error *error);

/* Remove the first of the queue; append it if `encoded`. IG_OK or IG_NOMEM. */
ig_status ig_typed_take(ig_typed_sentences *typed_sentences, size_t dims, bool encoded,
                        ig_error *error);

/* Delete a sentence; false: no such number. */
bool ig_typed_forget(ig_typed_sentences *typed_sentences, unsigned number, size_t dims);

/* Close the encoder and free everything. */
void ig_typed_free(ig_typed_sentences *typed_sentences);

#endif
