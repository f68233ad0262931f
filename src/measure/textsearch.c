/* Search in folded texts. */
#include "measure/textsearch.h"

#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"

struct ig_textsearch {
    const char *const *text;     /* (n) as given */
    const char **folded, **bare; /* (n) bare: without accents; equal: it has none */
    size_t n, done;
    atomic_bool whole;
    ig_arena arena;
};

ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            ig_error *error)
{
    ig_arena arena = {0};
    ig_textsearch *s = ig_alloc(1, sizeof *s);
    const char **folded = ig_arena_array(&arena, n, sizeof *folded);
    const char **bare = ig_arena_array(&arena, n, sizeof *bare);

    *search = s;
    if (!s || arena.failed) {
        ig_arena_free(&arena);
        ig_free(s);
        *search = NULL;
        return ig_fail_memory(error, "the text index");
    }
    *s = (ig_textsearch){
        .text = text, .folded = folded, .bare = bare, .n = n, .arena = arena};
    return IG_OK;
}

void ig_textsearch_delete(ig_textsearch *search)
{
    if (search)
        ig_arena_free(&search->arena);
    ig_free(search);
}

/* A copy in the arena, which releases the text; or NULL. */
static const char *keep_text(ig_textsearch *s, char *text)
{
    const char *copy = text ? ig_arena_text(&s->arena, text, strlen(text)) : NULL;

    ig_free(text);
    return copy;
}

ig_status ig_textsearch_fold(ig_textsearch *s, const atomic_bool *stop, ig_error *error)
{
    enum { STEP = 4096 }; /* some 10 ms */

    for (; s->done < s->n; s->done++) {
        const char *text = s->text[s->done], *folded, *bare;
        size_t length = strlen(text);

        if (s->done % STEP == 0 && stop && atomic_load(stop))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
        folded = bare = keep_text(s, ig_text_fold(text, length, false));
        for (size_t i = 0; folded && folded[i]; i++)
            if ((unsigned char)folded[i] >= 0x80) {
                bare = keep_text(s, ig_text_fold(text, length, true));
                break;
            }
        if (!folded || !bare)
            return ig_fail_memory(error, "the text index");
        s->folded[s->done] = folded;
        s->bare[s->done] = bare;
    }
    atomic_store(&s->whole, true);
    return IG_OK;
}

bool ig_textsearch_is_whole(const ig_textsearch *s)
{
    return atomic_load(&s->whole);
}

/* --- queries ---------------------------------------------------------------------- */

ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error)
{
    char *bare = ig_text_fold(typed, strlen(typed), true);
    char *folded = ig_text_fold(typed, strlen(typed), false);
    bool done = bare && folded;

    *query = (ig_textquery){.typed = typed};
    if (done) {
        query->folded = folded;
        query->length = strlen(folded);
        query->bare = strcmp(bare, folded) == 0;
    } else {
        ig_free(folded);
    }
    ig_free(bare);
    return done ? IG_OK : ig_fail_memory(error, "a text query");
}

void ig_textquery_free(ig_textquery *query)
{
    ig_free(query->folded);
    *query = (ig_textquery){0};
}

bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length)
{
    size_t size = strlen(text), n = 0, first = 0, last;
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
        size_t at = (size_t)(found - folded.text);

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
    enum { CONTAINS, FOLDED, EXACT, KINDS };
    uint32_t first[KINDS];
    size_t count[KINDS] = {0};

    for (uint32_t i = 0; i < s->n; i++) {
        int kind = CONTAINS;

        if (strcmp(s->text[i], query->typed) == 0)
            kind = EXACT;
        else if (strcmp(text_of(s, query, i), query->folded) == 0)
            kind = FOLDED;
        if (ig_textsearch_matches(s, query, i) && count[kind]++ == 0)
            first[kind] = i;
    }
    for (int kind = EXACT; kind >= CONTAINS; kind--)
        if (count[kind]) {
            *others = count[kind] - 1;
            return first[kind];
        }
    *others = 0;
    return IG_NO_TEXT;
}
