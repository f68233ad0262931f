/* Search in texts: rows whose text contains what was typed, case-folded.
 *
 * The folded texts (core/text.h) are made once, in parts; a query is folded the same
 * way, so that "STRASSE" finds "Straße" and width or composition do not matter. Those
 * that have accents are there once more without, for queries that pass over them. ASCII
 * texts and queries take a shorter way with the same result. A part that is whole never
 * changes: any thread may search those there are, while one thread adds more. */
#ifndef MEASURE_TEXTSEARCH_H
#define MEASURE_TEXTSEARCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define IG_NO_TEXT UINT32_MAX

typedef struct ig_textsearch ig_textsearch;

/* Index n texts, which must outlive it. IG_OK, IG_NOMEM or IG_INTERRUPTED. O(bytes). */
ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error);

/* The same incrementally: begin with an empty index of n texts and add some at a time;
 * adding may be repeated after IG_NOMEM. The caller owns the index in any case. IG_OK
 * or IG_NOMEM. */
enum { IG_TEXTSEARCH_PART = 16384 }; /* texts */
ig_status ig_textsearch_begin(ig_textsearch **search, const char *const *text, size_t n,
                              ig_error *error);
ig_status ig_textsearch_add(ig_textsearch *search, size_t more, ig_error *error);

/* How many of the texts, from the first on, are in whole parts, and can be searched. */
size_t ig_textsearch_ready(const ig_textsearch *search);
bool ig_textsearch_is_whole(const ig_textsearch *search);

void ig_textsearch_delete(ig_textsearch *search);

typedef enum ig_accents {
    IG_ACCENTS_COUNT, /* "wolf" does not find "Wölfe" */
    IG_ACCENTS_TYPED  /* it does; they count where one is typed: "wölf", not "wolf" */
} ig_accents;

/* What was typed, folded. */
typedef struct ig_textquery {
    const char *typed; /* the caller's, as typed */
    char *folded;
    size_t length; /* bytes of `folded`; an empty query matches nothing */
    bool bare;     /* accents of texts are passed over */
} ig_textquery;

/* IG_OK or IG_NOMEM. `typed` must outlive the query. */
ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_accents accents,
                            ig_error *error);
void ig_textquery_free(ig_textquery *query);

/* Where a text matches for the first time: *start and *length in bytes, of whole
 * graphemes; false: nowhere. O(text), with an allocation for each grapheme that is not
 * ASCII: for texts that are shown. */
bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length);

/* Whether all that `longer` finds is found by `query`, so that it need be looked for
 * among that alone. */
bool ig_textquery_covers(const ig_textquery *query, const ig_textquery *longer);

/* The matching rows, ascending, of `candidate` (ascending, all ready; may be `row`), or
 * of the rows first … last − 1, which are ready; row[] has room for all. Returns the
 * number of matches. O(bytes). */
size_t ig_textsearch_among(const ig_textsearch *search, const ig_textquery *query,
                           const uint32_t *candidate, size_t candidates, uint32_t *row);
size_t ig_textsearch_range(const ig_textsearch *search, const ig_textquery *query,
                           size_t first, size_t last, uint32_t *row);

/* True when the text of `row` contains the query. */
bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row);

/* The row whose text matches best: equal to what was typed, else equal when folded,
 * else the first that contains it; the lowest row of the best kind. *others (optional)
 * gets how many more rows match as well as that. IG_NO_TEXT when none does. */
uint32_t ig_textsearch_best(const ig_textsearch *search, const ig_textquery *query,
                            size_t *others);

#endif
