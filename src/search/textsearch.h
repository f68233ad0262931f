/* Search in texts: rows whose text contains what was typed, case-folded.
 *
 * The folded texts (base/text.h) are made once and lie in one block; a query is folded
 * the same way, so that "STRASSE" finds "Straße" and width or composition do not
 * matter. ASCII texts and queries take a shorter way with the same result. The index
 * never changes after it is built; any thread may search. */
#ifndef SEARCH_TEXTSEARCH_H
#define SEARCH_TEXTSEARCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { IG_NO_TEXT = 0xffffffffu };

typedef struct ig_textsearch ig_textsearch;

/* Index n texts, which must outlive it. IG_OK, IG_NOMEM or IG_INTERRUPTED. O(bytes). */
ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error);

void ig_textsearch_delete(ig_textsearch *search);

/* What was typed, folded. */
typedef struct ig_textquery {
    const char *typed; /* the caller's, as typed */
    char *folded;
    size_t length; /* bytes of `folded`; an empty query matches nothing */
} ig_textquery;

/* IG_OK or IG_NOMEM. `typed` must outlive the query. */
ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error);
void ig_textquery_free(ig_textquery *query);

/* True when the text of `row` contains the query, case-folded. */
bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row);

/* The next matching row after `from` (before it when `backward`), around the end and
 * back to `from` itself last; IG_NO_TEXT when there is none. For "as you type", start
 * one row before the cursor's so that the cursor stays when it still matches.
 *   from    in  0 … n−1, or IG_NO_TEXT: start before the first (after the last) row
 *   shown   in  (n) rows whose entry is 0 are passed over, or NULL */
uint32_t ig_textsearch_next(const ig_textsearch *search, const ig_textquery *query,
                            uint32_t from, bool backward, const uint8_t *shown);

/* Which of the matching rows a row is, from 1: the number of those up to it. *count
 * gets how many there are. */
size_t ig_textsearch_place(const ig_textsearch *search, const ig_textquery *query,
                           size_t row, const uint8_t *shown, size_t *count);

/* The row whose text matches best: equal to what was typed, else equal when folded,
 * else the first that contains it; the lowest row of the best kind. *others (optional)
 * gets how many more rows match as well as that. IG_NO_TEXT when none does. */
uint32_t ig_textsearch_best(const ig_textsearch *search, const ig_textquery *query,
                            size_t *others);

#endif
