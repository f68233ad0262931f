/* Words of texts: tokens and log-odds. */
#include "measure/distinctive_words.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { WORD_BYTES = 96 /* longer words are cut */ };

void ig_corpus_free(ig_corpus *w)
{
    IG_FREE(w->token, w->first);
    ig_names_free(&w->term);
    *w = (ig_corpus){0};
}

/* Where memory is short the terms have failed. */
static void add_token(ig_corpus *w, const char *text, size_t length)
{
    uint32_t term = ig_names_add(&w->term, text, length);

    w->term.texts.failed |= ig_array_grow(&w->token, &w->capacity[0], w->tokens + 1,
                                          sizeof *w->token, "", NULL) != IG_OK;
    if (!w->term.texts.failed)
        w->token[w->tokens++] = term;
}

ig_status ig_corpus_add(ig_corpus *w, const char *text, ig_error *error)
{
    size_t length = strlen(text), n = 0, bytes, next_bytes; /* n: of the word so far */
    char word[WORD_BYTES];
    ig_text_class before, class = IG_TEXT_OTHER, after;
    int32_t c, next;

    for (size_t at = 0; at < length; at += bytes) {
        before = class;
        class = ig_text_classify(text + at, length - at, &c, &bytes);
        after = ig_text_classify(text + at + bytes, length - at - bytes, &next,
                                 &next_bytes);
        /* An apostrophe between letters is part of a word (MidLetter of UAX #29). */
        if (n && (c == '\'' || c == 0x2019) && after == IG_TEXT_LETTER)
            class = IG_TEXT_LETTER;
        if (class == IG_TEXT_LETTER && n + 4 <= WORD_BYTES)
            n += ig_text_encode(c, word + n);
        if (n && (class != IG_TEXT_LETTER || at + bytes == length)) {
            add_token(w, word, n);
            n = 0;
        }
        if (class == IG_TEXT_UNSPACED && after == class)
            add_token(w, text + at, bytes + next_bytes);
        else if (class == IG_TEXT_UNSPACED && before != class)
            add_token(w, text + at, bytes);
    }
    if (w->term.texts.failed || ig_array_grow(&w->first, &w->capacity[1], w->texts + 2,
                                              sizeof *w->first, "", NULL) != IG_OK)
        return ig_fail_memory(error, "the words");
    w->first[++w->texts] = w->tokens;
    return IG_OK;
}

/* --- scores ----------------------------------------------------------------------- */

void ig_corpus_log_odds(const uint32_t *in, const uint32_t *all, size_t terms,
                        double *z)
{
    const double prior = IG_CORPUS_PRIOR;
    double n = 0, total = 0;

    for (size_t t = 0; t < terms; t++) {
        n += in[t];
        total += all[t];
    }
    for (size_t t = 0; t < terms; t++) {
        double alpha = total > 0 ? prior * all[t] / total : 0, y = in[t] + alpha;
        double other = (double)all[t] - in[t] + alpha;
        double delta = log(y / (n + prior - y)) -
                       log(other / (total - n + prior - other));

        z[t] = all[t] && n > 0 && n < total && all[t] < total
                   ? delta / sqrt(1 / y + 1 / other)
                   : 0;
    }
}
