/* Search in folded texts. */
#include "measure/textsearch.h"

#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"

struct ig_textsearch {
    const char *const *text;     /* (n) as given */
    const char **folded, **bare; /* (n) bare: without accents; equal: it has none */
    size_t n;
    ig_arena arena;
};

/* A copy in the arena, which releases the text. */
static const char *keep_text(ig_arena *arena, char *text)
{
    const char *copy = text ? ig_arena_text(arena, text, strlen(text)) : NULL;

    arena->failed |= !copy;
    ig_free(text);
    return copy;
}

static bool is_ascii(const char *text)
{
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return !*text;
}

ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error)
{
    ig_textsearch s = {.text = text, .n = n};
    bool stopped = false;

    s.folded = ig_arena_array(&s.arena, n, sizeof *s.folded);
    s.bare = ig_arena_array(&s.arena, n, sizeof *s.bare);
    for (size_t i = 0; i < n && !stopped && !s.arena.failed; i++) {
        size_t length = strlen(text[i]);

        s.folded[i] = s.bare[i] =
            keep_text(&s.arena, ig_text_fold(text[i], length, false));
        if (s.folded[i] && !is_ascii(s.folded[i]))
            s.bare[i] = keep_text(&s.arena, ig_text_fold(text[i], length, true));
        stopped = stop && atomic_load_explicit(stop, memory_order_relaxed);
    }
    *search = stopped || s.arena.failed ? NULL : ig_alloc(1, sizeof s);
    if (*search) {
        **search = s;
        return IG_OK;
    }
    ig_arena_free(&s.arena);
    return stopped ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                   : ig_fail_memory(error, "the text index");
}

void ig_textsearch_delete(ig_textsearch *search)
{
    if (search)
        ig_arena_free(&search->arena);
    ig_free(search);
}

/* --- queries ---------------------------------------------------------------------- */

ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error)
{
    char *bare = ig_text_fold(typed, strlen(typed), true);

    *query = (ig_textquery){.typed = typed,
                            .folded = ig_text_fold(typed, strlen(typed), false)};
    if (bare && query->folded) {
        query->length = strlen(query->folded);
        query->bare = strcmp(bare, query->folded) == 0;
        ig_free(bare);
        return IG_OK;
    }
    ig_free(bare);
    ig_textquery_free(query);
    return ig_fail_memory(error, "a text query");
}

void ig_textquery_free(ig_textquery *query)
{
    ig_free(query->folded);
    *query = (ig_textquery){0};
}

bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length)
{
    size_t size = strlen(text), n = 0, first = 0;
    ig_arena arena = {0};
    /* Where each grapheme begins in the text, and in the folded text. */
    size_t *from = ig_arena_array(&arena, size + 1, sizeof *from);
    size_t *to = ig_arena_array(&arena, size + 1, sizeof *to);
    ig_builder folded = {0};
    const char *found = NULL;

    for (size_t at = 0; !arena.failed && at < size; at = from[++n]) {
        size_t bytes = ig_text_grapheme(text + at, size - at).source;
        char *one = ig_text_fold(text + at, bytes, query->bare);

        if (one)
            ig_builder_put(&folded, one, strlen(one));
        ig_free(one);
        from[n + 1] = at + bytes;
        to[n + 1] = folded.length;
    }
    if (query->length && folded.text && !folded.failed)
        found = strstr(folded.text, query->folded);
    if (found) {
        size_t at = (size_t)(found - folded.text), last;

        while (to[first + 1] <= at)
            first++;
        for (last = first + 1; to[last] < at + query->length;)
            last++;
        *start = from[first];
        *length = from[last] - from[first];
    }
    ig_builder_free(&folded);
    ig_arena_free(&arena);
    return found != NULL;
}

/* --- rows ------------------------------------------------------------------------- */

/* The text of a row as a query sees it. */
static const char *text_of(const ig_textsearch *s, const ig_textquery *query,
                           size_t row)
{
    return query->bare ? s->bare[row] : s->folded[row];
}

bool ig_textsearch_matches(const ig_textsearch *s, const ig_textquery *query,
                           size_t row)
{
    return query->length && strstr(text_of(s, query, row), query->folded);
}

size_t ig_textsearch_list(const ig_textsearch *s, const ig_textquery *query,
                          uint32_t *row)
{
    size_t n = 0;

    for (uint32_t i = 0; i < s->n; i++)
        if (ig_textsearch_matches(s, query, i))
            row[n++] = i;
    return n;
}

uint32_t ig_textsearch_best(const ig_textsearch *s, const ig_textquery *query,
                            size_t *others)
{
    enum { NONE, CONTAINS, FOLDED, EXACT };
    uint32_t row = IG_NO_TEXT;
    int best = NONE;

    *others = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        int kind = CONTAINS;

        if (!ig_textsearch_matches(s, query, i))
            continue;
        if (strcmp(s->text[i], query->typed) == 0)
            kind = EXACT;
        else if (strcmp(text_of(s, query, i), query->folded) == 0)
            kind = FOLDED;
        if (kind > best) {
            best = kind;
            row = i;
            *others = 0;
        } else if (kind == best) {
            ++*others;
        }
    }
    return row;
}
