/* Search in folded texts. The index is one block of folded texts, each ended by a zero
 * byte, and where each begins; and another of those that differ without accents. */
#include "search/textsearch.h"

#include <string.h>

#include "base/builder.h"
#include "base/memory.h"
#include "base/text.h"

struct ig_textsearch {
    const char *const *text; /* (n) as given */
    size_t n, added;
    size_t *start; /* (n) where each folded text begins in the block */
    ig_builder folded;
    size_t *bare_start; /* (n) SIZE_MAX: the folded text has no accents; NULL: none */
    ig_builder bare;
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

/* Keep a text without accents, beside the folded one. */
static bool add_bare(ig_textsearch *search, size_t row, const char *bare)
{
    if (!search->bare_start) {
        search->bare_start = ig_alloc(search->n, sizeof *search->bare_start);
        for (size_t i = 0; search->bare_start && i < search->n; i++)
            search->bare_start[i] = SIZE_MAX;
    }
    if (!search->bare_start)
        return false;
    search->bare_start[row] = search->bare.length;
    ig_builder_put(&search->bare, bare, strlen(bare) + 1);
    return !search->bare.failed;
}

static bool add_folded(ig_textsearch *search, size_t row, const char *text,
                       size_t length)
{
    char *folded = ig_text_fold(text, length);
    char *bare = ig_text_fold_bare(text, length);
    bool done = folded && bare;

    if (done) {
        ig_builder_put(&search->folded, folded, strlen(folded) + 1);
        done = strcmp(folded, bare) == 0 || add_bare(search, row, bare);
    }
    ig_free(folded);
    ig_free(bare);
    return done;
}

static bool add_text(ig_textsearch *search, size_t row, const char *text)
{
    size_t length = strlen(text);
    char *room;

    search->start[row] = search->folded.length;
    if (!is_ascii(text, length))
        return add_folded(search, row, text, length) && !search->folded.failed;
    room = ig_builder_room(&search->folded, length + 1);
    if (room)
        fold_ascii(room, text, length);
    return room != NULL;
}

ig_status ig_textsearch_begin(ig_textsearch **search, const char *const *text, size_t n,
                              ig_error *error)
{
    ig_textsearch *s = ig_alloc(1, sizeof *s);

    *search = NULL;
    if (!s)
        return ig_fail_memory(error, "the texts' index");
    *s = (ig_textsearch){.text = text, .n = n, .start = ig_alloc(n, sizeof *s->start)};
    if (!s->start) {
        ig_textsearch_delete(s);
        return ig_fail_memory(error, "the texts' index");
    }
    *search = s;
    return IG_OK;
}

ig_status ig_textsearch_add(ig_textsearch *search, size_t more, ig_error *error)
{
    for (; more > 0 && search->added < search->n; more--, search->added++)
        if (!add_text(search, search->added, search->text[search->added]))
            return ig_fail_memory(error, "the texts' index");
    return IG_OK;
}

bool ig_textsearch_is_whole(const ig_textsearch *search)
{
    return search->added == search->n;
}

ig_status ig_textsearch_new(ig_textsearch **search, const char *const *text, size_t n,
                            const atomic_bool *stop, ig_error *error)
{
    ig_status status = ig_textsearch_begin(search, text, n, error);

    while (status == IG_OK && !ig_textsearch_is_whole(*search))
        status = stop && atomic_load_explicit(stop, memory_order_relaxed)
                     ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                     : ig_textsearch_add(*search, 1, error);
    if (status != IG_OK) {
        ig_textsearch_delete(*search);
        *search = NULL;
    }
    return status;
}

void ig_textsearch_delete(ig_textsearch *search)
{
    if (!search)
        return;
    ig_free(search->start);
    ig_free(search->bare_start);
    ig_builder_free(&search->folded);
    ig_builder_free(&search->bare);
    ig_free(search);
}

bool ig_textsearch_has_accents(const ig_textsearch *search)
{
    return search->bare_start != NULL;
}

/* --- queries ---------------------------------------------------------------------- */

ig_status ig_textquery_init(ig_textquery *query, const char *typed, ig_accents accents,
                            ig_error *error)
{
    char *bare = ig_text_fold_bare(typed, strlen(typed));

    *query = (ig_textquery){.typed = typed};
    query->folded = ig_text_fold(typed, strlen(typed));
    if (!query->folded || !bare) {
        ig_free(bare);
        ig_textquery_free(query);
        return ig_fail_memory(error, "a text query");
    }
    query->length = strlen(query->folded);
    query->bare = accents == IG_ACCENTS_TYPED && strcmp(bare, query->folded) == 0;
    ig_free(bare);
    return IG_OK;
}

void ig_textquery_free(ig_textquery *query)
{
    if (!query)
        return;
    ig_free(query->folded);
    *query = (ig_textquery){0};
}

bool ig_textquery_covers(const ig_textquery *query, const ig_textquery *longer)
{
    return query->length && query->bare == longer->bare &&
           strncmp(query->folded, longer->folded, query->length) == 0;
}

/* Append what a grapheme folds to, and for each byte of that where the grapheme begins
 * in the text. */
static void add_grapheme(ig_builder *folded, ig_builder *from, const char *text,
                         size_t start, size_t length, bool bare)
{
    char ascii[2], *own = NULL;
    const char *add = ascii;

    if (length == 1 && (unsigned char)text[start] < 0x80)
        fold_ascii(ascii, text + start, 1);
    else
        add = own = bare ? ig_text_fold_bare(text + start, length)
                         : ig_text_fold(text + start, length);
    if (add)
        ig_builder_put(folded, add, strlen(add));
    for (size_t i = 0; add && i < strlen(add); i++)
        ig_builder_put(from, (const char *)&start, sizeof start);
    ig_free(own);
}

bool ig_textquery_find(const ig_textquery *query, const char *text, size_t *start,
                       size_t *length)
{
    ig_builder folded = {0}, from = {0};
    size_t whole = strlen(text), size, first, last;
    const char *found = NULL;

    for (size_t at = 0; at < whole; at += size) {
        size = ig_text_grapheme(text + at, whole - at).source;
        add_grapheme(&folded, &from, text, at, size, query->bare);
    }
    if (query->length && folded.text && !folded.failed && !from.failed)
        found = strstr(folded.text, query->folded);
    if (found) {
        size_t at = (size_t)(found - folded.text);

        memcpy(&first, from.text + at * sizeof first, sizeof first);
        memcpy(&last, from.text + (at + query->length - 1) * sizeof last, sizeof last);
        *start = first;
        *length = last - first + ig_text_grapheme(text + last, whole - last).source;
    }
    ig_builder_free(&folded);
    ig_builder_free(&from);
    return found != NULL;
}

/* --- rows ------------------------------------------------------------------------- */

/* The text of a row as a query sees it. */
static const char *text_of(const ig_textsearch *search, const ig_textquery *query,
                           size_t row)
{
    if (query->bare && search->bare_start && search->bare_start[row] != SIZE_MAX)
        return search->bare.text + search->bare_start[row];
    return search->folded.text + search->start[row];
}

bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row)
{
    return query->length > 0 && row < search->n &&
           strstr(text_of(search, query, row), query->folded) != NULL;
}

size_t ig_textsearch_all(const ig_textsearch *search, const ig_textquery *query,
                         const uint32_t *candidate, size_t candidates, uint32_t *row)
{
    size_t n = 0, most = candidate ? candidates : search->n;

    for (size_t i = 0; i < most; i++) {
        uint32_t at = candidate ? candidate[i] : (uint32_t)i;

        if (ig_textsearch_matches(search, query, at))
            row[n++] = at;
    }
    return n;
}

/* How well a row matches. */
enum { NOT, CONTAINS, FOLDED, EXACT, KINDS };

static int kind_of(const ig_textsearch *search, const ig_textquery *query, size_t row)
{
    if (!ig_textsearch_matches(search, query, row))
        return NOT;
    if (strcmp(search->text[row], query->typed) == 0)
        return EXACT;
    return strcmp(text_of(search, query, row), query->folded) == 0 ? FOLDED : CONTAINS;
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
