/* Tables: the same records and the same error, however the bytes are cut. */
#define SEEDS                                                                          \
    SEED("lang,id,text\nen,1,\"a \"\"b\"\"\"\nde,1,c\n"),                              \
        SEED("\xef\xbb\xbf"                                                            \
             "a,b\r\n\"x\r\ny\",2\r\n\r\n3,4"),                                        \
        SEED("a\rb\r\"c\nd\"\r")

#include "data/table.h"
#include "seeds.h"

/* What was read, as a number. */
typedef struct digest {
    uint64_t hash;
    ig_status status;
    ig_error error;
} digest;

static void fold(digest *d, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < size; i++)
        d->hash = (d->hash ^ p[i]) * 0x100000001b3u;
    d->hash = (d->hash ^ size) * 0x100000001b3u;
}

static ig_status take(void *context, const ig_record *record, ig_error *error)
{
    digest *d = context;

    (void)error;
    fold(d, &record->line, sizeof record->line);
    for (size_t i = 0; i < record->count; i++)
        fold(d, record->field[i].bytes, record->field[i].length);
    return IG_OK;
}

static digest read_chunks(const uint8_t *data, size_t size, size_t chunk)
{
    digest d = {0};
    ig_table *table;

    must(ig_table_new(&table, "t", ',', true, take, &d, &d.error) == IG_OK);
    for (size_t i = 0; i < size && d.status == IG_OK; i += chunk)
        d.status = ig_table_feed(table, (const char *)data + i,
                                 size - i < chunk ? size - i : chunk, &d.error);
    if (d.status == IG_OK)
        d.status = ig_table_finish(table, &d.error);
    ig_table_delete(table);
    return d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t chunks[] = {1, 2, 7, 64};
    digest whole = read_chunks(data, size, size ? size : 1);

    for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
        digest cut = read_chunks(data, size, chunks[k]);

        must(cut.status == whole.status && cut.hash == whole.hash);
        must(strcmp(cut.error.message, whole.error.message) == 0);
    }
    return 0;
}
