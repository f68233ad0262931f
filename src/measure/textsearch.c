/* Search in folded texts. */
#include "measure/textsearch.h"

#include <string.h>

#include "core/array.h"
#include "core/text.h"

struct ig_textsearch {
    const char **folded[2]; /* (n) with and without accents; equal: it is ASCII */
    ig_arena arena;
};

/* A folded copy in the arena, or NULL. */
static const char *fold(ig_arena *arena, const char *text, bool bare)
{
    char *folded = ig_text_fold(text, strlen(text), bare);
    const char *copy = folded ? ig_arena_text(arena, folded, strlen(folded)) : NULL;

    arena->failed |= !copy;
    ig_free(folded);
    return copy;
}

ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error)
{
    ig_textsearch *s = *search = ig_alloc(1, sizeof *s);
    bool stopped = false;

    if (!s)
        return ig_fail_memory(error, "the text index");
    for (int bare = 0; bare < 2; bare++)
        s->folded[bare] = ig_arena_array(&s->arena, n, sizeof(char *));
    for (size_t i = 0; i < n && !stopped && !s->arena.failed; i++) {
        const char *one = fold(&s->arena, text[i], false), *at = one;

        while (at && *at && (unsigned char)*at < 0x80)
            at++;
        s->folded[0][i] = one;
        s->folded[1][i] = at && !*at ? one : fold(&s->arena, text[i], true);
        stopped = stop && atomic_load_explicit(stop, memory_order_relaxed);
    }
    if (!stopped && !s->arena.failed)
        return IG_OK;
    ig_textsearch_delete(s);
    *search = NULL;
    return stopped ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                   : ig_fail_memory(error, "the text index");
}

void ig_textsearch_delete(ig_textsearch *search)
{
    if (search)
        ig_arena_free(&search->arena);
    ig_free(search);
}

ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error)
{
    char *bare = ig_text_fold(typed, strlen(typed), true);

    query->folded = ig_text_fold(typed, strlen(typed), false);
    query->bare = bare && query->folded && strcmp(bare, query->folded) == 0;
    ig_free(bare);
    return bare && query->folded ? IG_OK : ig_fail_memory(error, "a text query");
}

bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length)
{
    size_t size = strlen(text), at = 0, end = 0; /* end: of what is folded */
    char *folded = ig_text_fold(text, size, query->bare);
    const char *hit = folded && *query->folded ? strstr(folded, query->folded) : NULL;
    size_t first = hit ? (size_t)(hit - folded) : 0, last = first;

    for (last += hit ? strlen(query->folded) : 0; end < last && at < size;) {
        size_t bytes = ig_text_grapheme(text + at, size - at).source;
        char *one = ig_text_fold(text + at, bytes, query->bare);

        *start = end <= first ? at : *start;
        end += one ? strlen(one) : last;
        at += bytes;
        *length = at - *start;
        ig_free(one);
    }
    ig_free(folded);
    return hit;
}

bool ig_textsearch_matches(const ig_textsearch *s, const ig_textquery *query,
                           size_t row)
{
    return *query->folded && strstr(s->folded[query->bare][row], query->folded);
}
