/* Search in folded texts. The index is made of parts: each has one block of folded
 * texts, each ended by a zero byte, and where each begins; and another of those that
 * differ without accents. A part that is whole never moves. */
#include "measure/textsearch.h"

#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/text.h"

enum { PART = IG_TEXTSEARCH_PART };

/* The texts from PART · its number on. */
struct part {
    size_t texts;
    size_t *start; /* (texts) where each folded text begins in the block */
    ig_builder folded;
    size_t *bare_start; /* (texts) SIZE_MAX: it has no accents; NULL: none has */
    ig_builder bare;
};

struct ig_textsearch {
    const char *const *text; /* (n) as given */
    size_t n, added;
    atomic_size_t ready; /* texts of whole parts */
    size_t parts;
    struct part *part; /* (parts) */
};

static bool is_ascii(const char *text, size_t length)
{
    unsigned char any = 0;

    for (size_t i = 0; i < length; i++)
        any |= (unsigned char)text[i];
    return any < 0x80;
}

/* Folding of ASCII: what ig_text_fold does to it, without its tables. */
static void lower_ascii(char *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
}

static void fold_ascii(char *out, const char *text, size_t length)
{
    lower_ascii(out, text, length);
    out[length] = '\0';
}

/* Folding of a stretch: by its tables, with its accents and without. */
static bool add_stretch(struct part *part, const char *text, size_t length)
{
    char *folded = ig_text_fold(text, length);
    char *bare = ig_text_fold_bare(text, length);
    bool done = folded && bare;

    if (done) {
        ig_builder_put(&part->folded, folded, strlen(folded));
        ig_builder_put(&part->bare, bare, strlen(bare));
    }
    IG_FREE(folded, bare);
    return done;
}

static void add_ascii(ig_builder *to, const char *text, size_t length)
{
    char *room = ig_builder_room(to, length);

    if (room)
        lower_ascii(room, text, length);
}

static bool is_high(char c)
{
    return (unsigned char)c >= 0x80;
}

/* Both forms of a text in which some is not ASCII: the stretches that are not go by the
 * tables, with the letter before them, which marks may join, and with short gaps. */
static bool add_both(struct part *part, const char *text, size_t length)
{
    enum { GAP = 16 };
    size_t at = 0;

    while (at < length) {
        size_t high = at, begin, end;

        while (high < length && !is_high(text[high]))
            high++;
        begin = high == length || high == at ? high : high - 1;
        add_ascii(&part->folded, text + at, begin - at);
        add_ascii(&part->bare, text + at, begin - at);
        end = high;
        for (size_t i = high; i < length && i < end + GAP; i++)
            if (is_high(text[i]))
                end = i + 1;
        if (end > begin && !add_stretch(part, text + begin, end - begin))
            return false;
        at = end;
    }
    ig_builder_put(&part->folded, "", 1);
    ig_builder_put(&part->bare, "", 1);
    return !part->folded.failed && !part->bare.failed;
}

static bool begin_bare(struct part *part)
{
    if (part->bare_start)
        return true;
    part->bare_start = ig_alloc(part->texts, sizeof *part->bare_start);
    for (size_t k = 0; part->bare_start && k < part->texts; k++)
        part->bare_start[k] = SIZE_MAX;
    return part->bare_start != NULL;
}

/* Keep a text, and where it has accents without these, too. */
static bool add_folded(struct part *part, size_t i, const char *text, size_t length)
{
    size_t folded = part->folded.length, bare = part->bare.length;

    if (!add_both(part, text, length))
        return false;
    if (strcmp(part->folded.text + folded, part->bare.text + bare) == 0) {
        part->bare.length = bare;
        return true;
    }
    if (!begin_bare(part))
        return false;
    part->bare_start[i] = bare;
    return true;
}

static bool add_text(struct part *part, size_t i, const char *text)
{
    size_t length = strlen(text);
    char *room;

    if (!part->start)
        part->start = ig_alloc(part->texts, sizeof *part->start);
    if (!part->start)
        return false;
    part->start[i] = part->folded.length;
    if (!is_ascii(text, length))
        return add_folded(part, i, text, length);
    room = ig_builder_room(&part->folded, length + 1);
    if (room)
        fold_ascii(room, text, length);
    return room != NULL;
}

static void drop_part(struct part *part)
{
    IG_FREE(part->start, part->bare_start);
    ig_builder_free(&part->folded);
    ig_builder_free(&part->bare);
    *part = (struct part){0};
}

ig_status ig_textsearch_begin(ig_textsearch **search, const char *const *text, size_t n,
                              ig_error *error)
{
    ig_textsearch *s = ig_alloc(1, sizeof *s);

    *search = NULL;
    if (!s)
        return ig_fail_memory(error, "the text index");
    s->text = text;
    s->n = n;
    atomic_init(&s->ready, 0);
    s->parts = n / PART + 1;
    s->part = ig_alloc(s->parts, sizeof *s->part);
    if (!s->part) {
        ig_textsearch_delete(s);
        return ig_fail_memory(error, "the text index");
    }
    *search = s;
    return IG_OK;
}

ig_status ig_textsearch_add(ig_textsearch *search, size_t more, ig_error *error)
{
    for (; more > 0 && search->added < search->n; more--) {
        struct part *part = &search->part[search->added / PART];
        size_t first = search->added - search->added % PART;

        part->texts = search->n - first < PART ? search->n - first : PART;
        if (!add_text(part, search->added % PART, search->text[search->added])) {
            drop_part(part); /* it is begun anew */
            search->added = first;
            return ig_fail_memory(error, "the text index");
        }
        search->added++;
        if (search->added % PART != 0 && search->added < search->n)
            continue;
        atomic_store(&search->ready, search->added);
    }
    return IG_OK;
}

size_t ig_textsearch_ready(const ig_textsearch *search)
{
    return atomic_load(&search->ready);
}

bool ig_textsearch_is_whole(const ig_textsearch *search)
{
    return ig_textsearch_ready(search) == search->n;
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
    for (size_t i = 0; search->part && i < search->parts; i++)
        drop_part(&search->part[i]);
    IG_FREE(search->part, search);
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

/* The text of a row, of a whole part, as a query sees it. */
static const char *text_of(const ig_textsearch *search, const ig_textquery *query,
                           size_t row)
{
    const struct part *part = &search->part[row / PART];
    size_t i = row % PART;

    if (query->bare && part->bare_start && part->bare_start[i] != SIZE_MAX)
        return part->bare.text + part->bare_start[i];
    return part->folded.text + part->start[i];
}

static bool contains(const ig_textsearch *search, const ig_textquery *query, size_t row)
{
    return strstr(text_of(search, query, row), query->folded) != NULL;
}

bool ig_textsearch_matches(const ig_textsearch *search, const ig_textquery *query,
                           size_t row)
{
    return query->length > 0 && row < ig_textsearch_ready(search) &&
           contains(search, query, row);
}

size_t ig_textsearch_among(const ig_textsearch *search, const ig_textquery *query,
                           const uint32_t *candidate, size_t candidates, uint32_t *row)
{
    size_t n = 0;

    for (size_t i = 0; query->length && i < candidates; i++)
        if (contains(search, query, candidate[i]))
            row[n++] = candidate[i];
    return n;
}

size_t ig_textsearch_range(const ig_textsearch *search, const ig_textquery *query,
                           size_t first, size_t last, uint32_t *row)
{
    size_t n = 0;

    for (size_t i = first; query->length && i < last; i++)
        if (contains(search, query, i))
            row[n++] = (uint32_t)i;
    return n;
}

/* Match quality of a row. */
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

    for (size_t i = 0; i < ig_textsearch_ready(search); i++) {
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
