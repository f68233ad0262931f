/* Search in texts: rows whose text contains what was typed, case-folded.
 *
 * Texts are folded once (core/text.h), those with accents also without; a query is
 * folded the same way, so that "STRASSE" finds "Straße" and width or composition do not
 * matter. Any thread may search. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

typedef struct ig_textsearch ig_textsearch;

/* An index of n texts, which must outlive it. IG_OK, IG_NOMEM or, when `stop` (or NULL)
 * is set, IG_INTERRUPTED. O(bytes). */
ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error);
void ig_textsearch_delete(ig_textsearch *search);

/* What was typed, folded. Accents count if one is typed: "wolf" finds "Wölfe", too. */
typedef struct ig_textquery {
    char *folded; /* empty: it matches nothing; ig_free it */
    bool bare;    /* accents of texts are passed over */
} ig_textquery;

/* IG_OK or IG_NOMEM. */
ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error);

/* Where a text matches first: *start and *length in bytes, of whole graphemes; false:
 * nowhere. O(text), with an allocation a grapheme: for texts that are shown. */
bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length);

/* Whether the text of a row contains the query. */
bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row);
