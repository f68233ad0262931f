/* Words of texts: tokens, class-based TF-IDF, log-odds. */
#include "measure/distinctive_words.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

enum { WORD_BYTES = 96 /* longer words are cut */ };

void ig_corpus_free(ig_corpus *w)
{
    IG_FREE(w->punctuation, w->token, w->first);
    ig_names_free(&w->term);
    *w = (ig_corpus){0};
}

static ig_status add_token(ig_corpus *w, const char *text, size_t length,
                           bool punctuation, ig_error *error)
{
    uint32_t term;
    ig_status status = ig_array_grow(&w->token, &w->capacity[0], w->tokens + 1,
                                     sizeof *w->token, "the words", error);

    if (status == IG_OK)
        status = ig_array_grow(&w->punctuation, &w->capacity[2], w->term.count + 1,
                               sizeof *w->punctuation, "the words", error);
    if (status == IG_OK)
        status = ig_names_add(&w->term, text, length, &term, error);
    if (status != IG_OK)
        return status;
    w->punctuation[term] = punctuation;
    w->token[w->tokens++] = term;
    return IG_OK;
}

/* --- texts ------------------------------------------------------------------------ */

/* A run of letters being read. */
struct run {
    char word[WORD_BYTES]; /* in lower case; of pairs the last character */
    size_t length;
    bool pairs; /* of Chinese or Japanese characters, … */
    size_t characters;
};

static ig_status end_run(ig_corpus *w, struct run *run, ig_error *error)
{
    ig_status status = IG_OK;

    if (run->length && (!run->pairs || run->characters == 1))
        status = add_token(w, run->word, run->length, false, error);
    *run = (struct run){0};
    return status;
}

static ig_status add_letter(ig_corpus *w, struct run *run, int32_t c, bool pairs,
                            ig_error *error)
{
    char bytes[4];
    size_t n = ig_text_encode(ig_text_lower(c), bytes);
    ig_status status = IG_OK;

    if (run->length && run->pairs != pairs)
        status = end_run(w, run, error);
    run->pairs = pairs;
    if (run->length + n > sizeof run->word)
        return status;
    memcpy(run->word + run->length, bytes, n);
    run->length += n;
    run->characters++;
    if (pairs && run->characters > 1 && status == IG_OK) {
        status = add_token(w, run->word, run->length, false, error);
        memcpy(run->word, bytes, n);
        run->length = n;
    }
    return status;
}

/* An apostrophe between letters is part of a word (MidLetter of UAX #29): "don't". */
static bool is_inside(const struct run *run, int32_t c, const char *after,
                      size_t length)
{
    size_t bytes;

    return run->length && !run->pairs && (c == '\'' || c == 0x2019) && length &&
           ig_text_classify(ig_text_decode(after, length, &bytes)) == IG_TEXT_LETTER;
}

ig_status ig_corpus_add(ig_corpus *w, const char *text, ig_error *error)
{
    size_t length = strlen(text), bytes;
    struct run run = {0};
    ig_status status = ig_array_grow(&w->first, &w->capacity[1], w->texts + 2,
                                     sizeof *w->first, "the words", error);

    for (size_t at = 0; at < length && status == IG_OK; at += bytes) {
        int32_t c = ig_text_decode(text + at, length - at, &bytes);
        ig_text_class class = ig_text_classify(c);

        if (is_inside(&run, c, text + at + bytes, length - at - bytes))
            class = IG_TEXT_LETTER;
        if (class == IG_TEXT_LETTER || class == IG_TEXT_UNSPACED)
            status = add_letter(w, &run, c, class == IG_TEXT_UNSPACED, error);
        else
            status = end_run(w, &run, error);
        if (class == IG_TEXT_PUNCTUATION && status == IG_OK)
            status = add_token(w, text + at, bytes, true, error);
    }
    if (status == IG_OK)
        status = end_run(w, &run, error);
    if (status == IG_OK)
        w->first[++w->texts] = w->tokens;
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

static double sum_of(const uint32_t *count, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += count[i];
    return sum;
}

void ig_corpus_tfidf(const uint32_t *in, const uint32_t *all, size_t terms,
                     size_t classes, double *score)
{
    double tokens = sum_of(in, terms);
    double mean = sum_of(all, terms) / (double)(classes ? classes : 1);

    for (size_t t = 0; t < terms; t++)
        score[t] = in[t] ? sqrt(in[t] / tokens) * log((mean + 1) / (all[t] + 0.5)) : 0;
}

void ig_corpus_log_odds(const uint32_t *in, const uint32_t *all, size_t terms,
                        double *z)
{
    const double prior = IG_CORPUS_PRIOR;
    double n = sum_of(in, terms), total = sum_of(all, terms), rest = total - n;

    for (size_t t = 0; t < terms; t++) {
        double alpha = total > 0 ? prior * all[t] / total : 0, y = in[t] + alpha;
        double other = (double)all[t] - in[t] + alpha;
        double delta = log(y / (n + prior - y)) - log(other / (rest + prior - other));

        z[t] = all[t] && n > 0 && rest > 0 && all[t] < total
                   ? delta / sqrt(1 / y + 1 / other)
                   : 0;
    }
}

double ig_corpus_significant(size_t terms)
{
    double low = 0, high = 40, p = 0.05 / (double)(terms ? terms : 1);

    for (int i = 0; i < 60; i++) {
        double z = (low + high) / 2;

        *(erfc(z / sqrt(2)) > p ? &low : &high) = z;
    }
    return high;
}
