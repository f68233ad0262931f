/* State as bytes: a head of 16 bytes, the values, 8 bytes of checksum. */
#include "base/pack.h"

#include <stdint.h>
#include <string.h>

/* Grows with every change of what is packed. */
static const char HEAD[16] = "isogloss pack 2";

enum { SUM = sizeof(uint64_t) };

uint64_t ig_checksum(uint64_t sum, const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t word = 0;

    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * IG_CHECKSUM_PRIME;
        sum ^= sum >> 29; /* high bits count for low ones */
    }
    if (length == 0)
        return sum;
    word = 0;
    memcpy(&word, at, length);
    return (sum ^ word) * IG_CHECKSUM_PRIME;
}

static uint64_t checksum(const void *bytes, size_t length)
{
    return ig_checksum(IG_CHECKSUM_BEGIN, bytes, length);
}

void ig_pack_reset(ig_pack *p)
{
    p->bytes.length = 0;
    p->bytes.failed = p->failed = false;
}

static void take(ig_pack *p, void *value, size_t size)
{
    if (!p->reading) {
        ig_builder_put(&p->bytes, value, size);
        p->failed |= p->bytes.failed;
        return;
    }
    if (p->failed || size > p->file.size - SUM - p->at) {
        p->failed = true;
        memset(value, 0, size);
        return;
    }
    memcpy(value, p->file.bytes + p->at, size);
    p->at += size;
}

void ig_pack_count(ig_pack *p, size_t *value)
{
    uint64_t wide = *value;

    take(p, &wide, sizeof wide);
    *value = (size_t)wide;
}

void ig_pack_flag(ig_pack *p, bool *value)
{
    unsigned char byte = *value;

    take(p, &byte, 1);
    *value = byte != 0;
}

void ig_pack_double(ig_pack *p, double *value)
{
    take(p, value, sizeof *value);
}

void ig_pack_floats(ig_pack *p, float *values, size_t n)
{
    take(p, values, n * sizeof *values);
}

void ig_pack_text(ig_pack *p, ig_builder *text)
{
    size_t length = text->length;
    char *to;

    ig_pack_count(p, &length);
    if (!p->reading) {
        p->failed |= text->failed;
        take(p, text->text, length);
        return;
    }
    if (p->failed || length > p->file.size - SUM - p->at) {
        p->failed = true;
        return;
    }
    to = ig_builder_room(text, length);
    if (to)
        take(p, to, length);
    p->failed |= !to;
}

void ig_pack_agree(ig_pack *p, size_t value)
{
    size_t other = value;

    ig_pack_count(p, &other);
    p->failed |= other != value;
}

ig_status ig_pack_put(const ig_pack *p, FILE *file)
{
    uint64_t sum = checksum(p->bytes.text, p->bytes.length);

    fwrite(HEAD, 1, sizeof HEAD, file);
    fwrite(p->bytes.text, 1, p->bytes.length, file);
    fwrite(&sum, 1, sizeof sum, file);
    return IG_OK;
}

ig_status ig_pack_open(ig_pack *p, const char *path, ig_error *error)
{
    ig_status status;
    uint64_t sum;

    *p = (ig_pack){.reading = true, .at = sizeof HEAD};
    status = ig_mapping_open(&p->file, path, error);
    if (status != IG_OK)
        return status;
    if (p->file.size < sizeof HEAD + SUM ||
        memcmp(p->file.bytes, HEAD, sizeof HEAD) != 0) {
        status = ig_fail(error, IG_FORMAT,
                         "%s: is no file of this version, which begins '%s'", path,
                         HEAD);
    } else {
        memcpy(&sum, p->file.bytes + p->file.size - SUM, sizeof sum);
        if (sum !=
            checksum(p->file.bytes + sizeof HEAD, p->file.size - sizeof HEAD - SUM))
            status = ig_fail(error, IG_FORMAT,
                             "%s: is damaged: its checksum is not that of its bytes",
                             path);
    }
    if (status != IG_OK)
        ig_pack_free(p);
    return status;
}

void ig_pack_free(ig_pack *p)
{
    ig_builder_free(&p->bytes);
    ig_mapping_close(&p->file);
    *p = (ig_pack){0};
}
