/* Search in texts: rows whose text contains what was typed, case-folded.
 *
 * Texts are folded once (core/text.h), those with accents also without; a query is
 * folded the same way, so that "STRASSE" finds "Straße" and width or composition do not
 * matter. Any thread may search. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define IG_NO_TEXT UINT32_MAX

typedef struct ig_textsearch ig_textsearch;

/* An index of n texts, which must outlive it. IG_OK, IG_NOMEM or, when `stop` (or NULL)
 * is set, IG_INTERRUPTED. O(bytes). */
ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error);
void ig_textsearch_delete(ig_textsearch *search);

/* What was typed, folded. Accents count if one is typed: "wolf" finds "Wölfe", "wölf"
 * does not find "wolf". */
typedef struct ig_textquery {
    const char *typed; /* the caller's, which must outlive the query */
    char *folded;      /* empty: it matches nothing */
    bool bare;         /* accents of texts are passed over */
} ig_textquery;

/* IG_OK or IG_NOMEM. */
ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error);
void ig_textquery_free(ig_textquery *query);

/* Where a text matches first: *start and *length in bytes, of whole graphemes; false:
 * nowhere. O(text), with an allocation a grapheme: for texts that are shown. */
bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length);

/* Whether the text of a row contains the query. */
bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row);

/* The row whose text matches best: equal to what was typed, else equal when folded,
 * else the first that contains it; the lowest of the best kind, or IG_NO_TEXT.
 *   others  out  how many more rows match as well */
uint32_t ig_textsearch_best(const ig_textsearch *search, const ig_textquery *query,
                            size_t *others);
