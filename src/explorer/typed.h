/* Typed sentences: encoded by a job, projected onto the map and searched for neighbours
 * under the weights shown. */
#ifndef EXPLORER_TYPED_H
#define EXPLORER_TYPED_H

#include "encode/encoder.h"
#include "explorer/job.h"
#include "explorer/results.h"
#include "measure/searcher.h"

/* A list of typed sentences; jobs work on copies by value. */
typedef struct ig_typed_list {
    size_t count;
    ig_typed typed_sentence[IG_TYPED_SENTENCES_MAX];
} ig_typed_list;

/* The sentence of a number, or NULL. */
const ig_typed *ig_typed_find(const ig_typed_list *list, unsigned number);

/* The row of a sentence in a space under some weights. The context must outlive it.
 * False: no such space. */
typedef struct ig_typed_rows {
    ig_rows originals;
    ig_space_rows context;
    uint16_t lang;
} ig_typed_rows;
bool ig_typed_row(const ig_typed *typed, const ig_shown *shown, ig_space space,
                  ig_typed_rows *context, ig_rows *row);

/* Zeroed: no sentences and no encoder. The job that encodes works on `encoding`,
 * `encoder`, `searcher` and `arena`, the one that searches on `searching`; all else
 * belongs to the screen thread. */
typedef struct ig_typed_sentences {
    const ig_encoder_options *options; /* NULL: no encoder … */
    const char *why;                   /* … the reason, or NULL */
    ig_typed_list list;
    unsigned last;        /* last number assigned */
    unsigned long serial; /* grows with each sentence added or deleted */
    ig_typed queue[IG_TYPED_SENTENCES_MAX]; /* (queued) text, and language if given */
    size_t queued;
    unsigned long answered; /* grows with each sentence that leaves the queue */
    bool server_shown;      /* the message has named the server */

    ig_typed encoding;
    ig_encoder *encoder;   /* opened for the first sentence */
    ig_searcher *searcher; /* of the original rows, to guess languages */
    ig_arena arena;        /* of the vectors */
    ig_typed_list searching;
} ig_typed_sentences;

/* Queue a sentence for encoding. IG_OK; IG_VALUE (no such language, too many
 * sentences) or IG_USAGE (no encoder). */
ig_status ig_typed_ask(ig_typed_sentences *typed_sentences, const ig_dataset *set,
                       const char *text, const char *lang, ig_error *error);

/* Delete a sentence; false: no such number. */
bool ig_typed_forget(ig_typed_sentences *typed_sentences, unsigned number);

/* Close the encoder and free everything. */
void ig_typed_free(ig_typed_sentences *typed_sentences);

#endif
