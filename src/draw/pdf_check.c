/* The table of a PDF's objects against the objects. */
#include "draw/pdf_check.h"

#include <stdio.h>
#include <string.h>

enum { ENTRY = 20 /* bytes of an entry of the table */ };

/* A place in a file, which is no string. */
typedef struct reader {
    const char *bytes;
    size_t size, at;
} reader;

/* Pass over a word; false when it is not there. */
static bool take_word(reader *r, const char *word)
{
    size_t length = strlen(word);

    if (r->size - r->at < length || memcmp(r->bytes + r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Pass over a number; false when there is none, or none that is a place. */
static bool take_number(reader *r, size_t *number)
{
    size_t begin = r->at;

    for (*number = 0; r->at < r->size; r->at++) {
        char c = r->bytes[r->at];

        if (c < '0' || c > '9' || *number > r->size)
            break;
        *number = *number * 10 + (size_t)(c - '0');
    }
    return r->at > begin;
}

/* The last place of a word, searched from the end. */
static bool find_last(reader *r, const char *word)
{
    size_t length = strlen(word);

    for (size_t at = r->size < length ? 0 : r->size - length + 1; at-- > 0;)
        if (memcmp(r->bytes + at, word, length) == 0) {
            r->at = at;
            return true;
        }
    return false;
}

/* Whether the object `number` begins at `at`. */
static bool begins(const reader *file, size_t at, size_t number)
{
    char head[40];
    reader r = {file->bytes, file->size, at};

    snprintf(head, sizeof head, "%zu 0 obj", number);
    return at < file->size && take_word(&r, head);
}

static bool has_all(reader *r)
{
    size_t first, count, at;

    if (!take_number(r, &first) || !take_word(r, " ") || !take_number(r, &count) ||
        !take_word(r, "\n") || count > (r->size - r->at) / ENTRY)
        return false;
    for (size_t i = 0; i < count; i++) {
        reader entry = {r->bytes, r->size, r->at + i * ENTRY};
        bool used = entry.bytes[entry.at + 17] == 'n';

        if (used && (!take_number(&entry, &at) || !begins(r, at, first + i)))
            return false;
    }
    return true;
}

bool ig_pdf_is_whole(const char *bytes, size_t size)
{
    reader r = {bytes, size, 0};
    size_t at;

    if (!find_last(&r, "startxref\n") || !take_word(&r, "startxref\n") ||
        !take_number(&r, &at) || !take_word(&r, "\n%%EOF") || at >= size)
        return false;
    r.at = at;
    return !take_word(&r, "xref\n") || has_all(&r);
}
