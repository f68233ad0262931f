/* Serialised state: a 16-byte header, the values, an 8-byte checksum. */
#include "core/serial.h"

#include <stdint.h>
#include <string.h>

/* Incremented with every change of the content. */
static const char HEAD[16] = "isogloss pack 3";

enum { SUM = sizeof(uint64_t) };

uint64_t ig_checksum(uint64_t sum, const void *bytes, size_t length)
{
    const char *at = bytes;
    uint64_t word = 0;

    for (; length >= sizeof word; length -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * IG_CHECKSUM_PRIME;
        sum ^= sum >> 29; /* mix high bits into low ones */
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

void ig_serial_reset(ig_serial *p)
{
    p->bytes.length = 0;
    p->bytes.failed = p->failed = false;
}

void ig_serial_bytes(ig_serial *p, void *bytes, size_t n)
{
    if (!p->reading) {
        ig_builder_put(&p->bytes, bytes, n);
        p->failed |= p->bytes.failed;
    } else if (p->failed || n > p->file.size - SUM - p->at) {
        p->failed = true;
        memset(bytes, 0, n);
    } else {
        memcpy(bytes, p->file.bytes + p->at, n);
        p->at += n;
    }
}

void ig_serial_count(ig_serial *p, size_t *value)
{
    uint64_t wide = *value;

    ig_serial_bytes(p, &wide, sizeof wide);
    *value = (size_t)wide;
}

void ig_serial_flag(ig_serial *p, bool *value)
{
    unsigned char byte = *value;

    ig_serial_bytes(p, &byte, 1);
    *value = byte != 0;
}

void ig_serial_double(ig_serial *p, double *value)
{
    ig_serial_bytes(p, value, sizeof *value);
}

void ig_serial_agree(ig_serial *p, size_t value)
{
    size_t other = value;

    ig_serial_count(p, &other);
    p->failed |= other != value;
}

ig_status ig_serial_put(const ig_serial *p, FILE *file)
{
    uint64_t sum = checksum(p->bytes.text, p->bytes.length);

    fwrite(HEAD, 1, sizeof HEAD, file);
    fwrite(p->bytes.text, 1, p->bytes.length, file);
    fwrite(&sum, 1, sizeof sum, file);
    return IG_OK;
}

ig_status ig_serial_open(ig_serial *p, const char *path, ig_error *error)
{
    ig_status status;
    uint64_t sum;

    *p = (ig_serial){.reading = true, .at = sizeof HEAD};
    status = ig_mapping_open(&p->file, path, error);
    if (status != IG_OK)
        return status;
    if (p->file.size < sizeof HEAD + SUM ||
        memcmp(p->file.bytes, HEAD, sizeof HEAD) != 0) {
        status = ig_fail(error, IG_FORMAT,
                         "%s: not a file of this version (expected header '%s')", path,
                         HEAD);
    } else {
        memcpy(&sum, p->file.bytes + p->file.size - SUM, sizeof sum);
        if (sum !=
            checksum(p->file.bytes + sizeof HEAD, p->file.size - sizeof HEAD - SUM))
            status =
                ig_fail(error, IG_FORMAT, "%s: is damaged (checksum mismatch)", path);
    }
    if (status != IG_OK)
        ig_serial_free(p);
    return status;
}

void ig_serial_free(ig_serial *p)
{
    ig_builder_free(&p->bytes);
    ig_mapping_close(&p->file);
    *p = (ig_serial){0};
}
