/* Files of one language: texts line by line, and word vectors. */
#ifndef DATA_LINES_H
#define DATA_LINES_H

#include "data/columns.h"
#include "data/vectors.h"

/* Give rows first … first+count−1 of the columns the lines of a file as texts. A byte
 * order mark and CRLF are accepted, and a last line without an end. IG_SHAPE when there
 * are more or fewer lines ("en.npy has 600 rows but en.txt has 599 lines"). */
ig_status ig_lines_read(const char *path, const char *vectors_path, ig_columns *c,
                        size_t first, size_t count, ig_error *error);

/* Word vectors as text in memory (word2vec, fastText, GloVe), `path` being its name in
 * messages: a word and its numbers a line, with or without a first line "N d". Appends
 * a row with the word as its text for each; words may hold spaces, numbers are the last
 * d fields. IG_OK, IG_IO, IG_FORMAT or IG_NOMEM. */
ig_status ig_words_parse(const char *path, const char *bytes, size_t size,
                         uint32_t language, ig_columns *c, ig_vectors *vectors,
                         ig_error *error);

#endif
