/* Word vectors in the text format of word2vec, fastText and GloVe. */
#ifndef DATA_WORDS_H
#define DATA_WORDS_H

#include "data/columns.h"
#include "data/vectors.h"

/* Word vectors in memory, `path` being their name in messages: a word and its numbers a
 * line, with or without a first line "N d". Appends a row with the word as its text for
 * each; words may hold spaces, numbers are the last d fields. `reading` (or NULL)
 * is told how far it is. IG_OK, IG_IO, IG_FORMAT, IG_NOMEM or IG_INTERRUPTED. */
ig_status ig_words_parse(const char *path, const char *bytes, size_t size,
                         uint32_t language, ig_columns *c, ig_vectors *vectors,
                         const ig_reading *reading, ig_error *error);

#endif
