/* Search in folded texts. The index is one block of folded texts, each ended by a zero
 * byte, and where each begins. */
#include "search/textsearch.h"

#include <string.h>

#include "base/builder.h"
#include "base/memory.h"
#include "base/text.h"

struct ig_textsearch {
    const char *const *text; /* (n) as given */
    size_t n;
    size_t *start; /* (n) where each folded text begins in the block */
    ig_builder folded;
};

static bool is_ascii(const char *text, size_t length)
{
    unsigned char any = 0;

    for (size_t i = 0; i < length; i++)
        any |= (unsigned char)text[i];
    return any < 0x80;
}

/* Folding of ASCII: what ig_text_fold does to it, without its tables. */
static void fold_ascii(char *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    out[length] = '\0';
}

static bool add_text(ig_textsearch *search, size_t row, const char *text)
{
    size_t length = strlen(text);

    search->start[row] = search->folded.length;
    if (is_ascii(text, length)) {
        char *room = ig_builder_room(&search->folded, length + 1);

        if (room)
            fold_ascii(room, text, length);
    } else {
        char *folded = ig_text_fold(text, length);

        if (folded)
            ig_builder_put(&search->folded, folded, strlen(folded) + 1);
        search->folded.failed |= !folded;
        ig_free(folded);
    }
    return !search->folded.failed;
}

ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error)
{
    ig_textsearch *s = ig_alloc(1, sizeof *s);

    *search = NULL;
    if (!s)
        return ig_fail_memory(error, "the texts' index");
    s->text = text;
    s->n = n;
    s->start = ig_alloc(n, sizeof *s->start);
    for (size_t i = 0; i < n; i++) {
        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
            ig_textsearch_delete(s);
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
        }
        if (!s->start || !add_text(s, i, text[i])) {
            ig_textsearch_delete(s);
            return ig_fail_memory(error, "the texts' index");
        }
    }
    *search = s;
    return IG_OK;
}

void ig_textsearch_delete(ig_textsearch *search)
{
    if (!search)
        return;
    ig_free(search->start);
    ig_builder_free(&search->folded);
    ig_free(search);
}

ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_error *error)
{
    *query = (ig_textquery){.typed = typed};
    query->folded = ig_text_fold(typed, strlen(typed));
    if (!query->folded)
        return ig_fail_memory(error, "a text query");
    query->length = strlen(query->folded);
    return IG_OK;
}

void ig_textquery_free(ig_textquery *query)
{
    if (!query)
        return;
    ig_free(query->folded);
    *query = (ig_textquery){0};
}

bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row)
{
    return query->length > 0 && row < search->n &&
           strstr(search->folded.text + search->start[row], query->folded) != NULL;
}

static bool matches_shown(const ig_textsearch *search, const ig_textquery *query,
                          size_t row, const uint8_t *shown)
{
    return (!shown || shown[row]) && ig_textsearch_matches(search, query, row);
}

uint32_t ig_textsearch_next(const ig_textsearch *search, const ig_textquery *query,
                            uint32_t from, bool backward, const uint8_t *shown)
{
    size_t n = search->n, at;

    if (n == 0 || query->length == 0)
        return IG_NO_TEXT;
    at = from < n ? from : backward ? 0 : n - 1;
    for (size_t step = 0; step < n; step++) {
        if (backward)
            at = at == 0 ? n - 1 : at - 1;
        else
            at = at + 1 == n ? 0 : at + 1;
        if (matches_shown(search, query, at, shown))
            return (uint32_t)at;
    }
    return IG_NO_TEXT;
}

size_t ig_textsearch_place(const ig_textsearch *search, const ig_textquery *query,
                           size_t row, const uint8_t *shown, size_t *count)
{
    size_t place = 0;

    *count = 0;
    for (size_t i = 0; i < search->n; i++) {
        *count += matches_shown(search, query, i, shown);
        if (i == row)
            place = *count;
    }
    return place;
}

/* How well a row matches. */
enum { NOT, CONTAINS, FOLDED, EXACT, KINDS };

static int kind_of(const ig_textsearch *search, const ig_textquery *query, size_t row)
{
    if (!ig_textsearch_matches(search, query, row))
        return NOT;
    if (strcmp(search->text[row], query->typed) == 0)
        return EXACT;
    return strcmp(search->folded.text + search->start[row], query->folded) == 0
               ? FOLDED
               : CONTAINS;
}

uint32_t ig_textsearch_best(const ig_textsearch *search, const ig_textquery *query,
                            size_t *others)
{
    uint32_t first[KINDS] = {0};
    size_t count[KINDS] = {0};
    int kind = EXACT;

    for (size_t i = 0; i < search->n; i++) {
        int is = kind_of(search, query, i);

        if (count[is]++ == 0)
            first[is] = (uint32_t)i;
    }
    while (kind > NOT && count[kind] == 0)
        kind--;
    if (others)
        *others = kind > NOT ? count[kind] - 1 : 0;
    return kind > NOT ? first[kind] : IG_NO_TEXT;
}
