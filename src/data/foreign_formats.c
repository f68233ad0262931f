/* Formats that are recognised but not supported: name, signature, and the command that
 * converts them. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

enum { HEAD = 4096 }; /* bytes examined */

/* The command, of the converter if NULL; what follows the path. */
#define CONVERT   NULL, " set.npy"
#define PICKLE    "a pickle (which can run any code)"
#define TRUST     NULL, " set.npy --trust"
#define FAISS     "a FAISS index"
#define PROJECTOR "a configuration of the TensorBoard projector"
#define TORCH     "a file of torch.save"

static const struct foreign {
    const char *name;
    const char *magic;           /* the first bytes */
    const char *inside;          /* text in the first bytes, or NULL */
    const char *command, *after; /* command, path, after */
} foreign[] = {
    {"a Parquet file", "PAR1", NULL, CONVERT},
    {"an Arrow or Feather file", "ARROW1", NULL, CONVERT},
    {"a Feather file", "FEA1", NULL, CONVERT},
    {"a stream of Arrow", "\xff\xff\xff\xff", NULL, CONVERT},
    {"an HDF5 file", "\x89HDF\r\n\x1a\n", NULL, CONVERT},
    {"an SQLite database", "SQLite format 3", NULL, CONVERT},
    {"fastText's binary file", "\xba\x16\x4f\x2f", NULL, CONVERT},
    {FAISS, "IxFI", NULL, CONVERT},
    {FAISS, "IxF2", NULL, CONVERT},
    {FAISS, "IxMp", NULL, CONVERT},
    {FAISS, "IxM2", NULL, CONVERT},
    {FAISS, "IwFl", NULL, CONVERT},
    {FAISS, "IwPQ", NULL, CONVERT},
    {FAISS, "IwSQ", NULL, CONVERT},
    {FAISS, "IHNf", NULL, CONVERT},
    {PROJECTOR, "{", "\"tensorPath\"", CONVERT},
    {PROJECTOR, "embeddings", "tensor_", CONVERT},
    {TORCH, "PK\3\4", "/data.pkl", CONVERT},
    {TORCH, "\x80\2\x8a\n\x6c\xfc\x9c\x46", NULL, CONVERT},
    {PICKLE, "\x80\2", NULL, TRUST},
    {PICKLE, "\x80\3", NULL, TRUST},
    {PICKLE, "\x80\4", NULL, TRUST},
    {PICKLE, "\x80\5", NULL, TRUST},
    {"packed by zstd", "\x28\xb5\x2f\xfd", NULL, "zstd -d", ""},
    {"packed by bzip2", "BZh", NULL, "bunzip2 -k", ""},
    {"packed by xz", "\xfd\x37zXZ", NULL, "unxz -k", ""},
};

/* "N d", a word, then binary data. */
static bool looks_as_word2vec(const unsigned char *bytes, size_t size)
{
    unsigned long rows, dims;
    char head[48];
    int used = 0;

    snprintf(head, sizeof head, "%.*s", (int)size, bytes);
    if (sscanf(head, "%lu %lu%n", &rows, &dims, &used) != 2 || head[used] != '\n')
        return false;
    for (size_t i = (size_t)used; i < size; i++)
        if (bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < ' '))
            return true;
    return false;
}

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    static const struct foreign word2vec = {"word2vec's binary file", "", NULL,
                                            CONVERT};

    size = size < HEAD ? size : HEAD;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const struct foreign *f = &foreign[i];
        size_t magic = strlen(f->magic), inside = f->inside ? strlen(f->inside) : 0;

        if (size < magic || memcmp(bytes, f->magic, magic) != 0)
            continue;
        for (size_t at = 0; at + inside <= size; at++)
            if (!inside || memcmp(bytes + at, f->inside, inside) == 0)
                return f;
    }
    return looks_as_word2vec(bytes, size) ? &word2vec : NULL;
}

static bool looks_foreign(const unsigned char *bytes, size_t size,
                          const ig_dataset_options *options)
{
    (void)options;
    return find_foreign(bytes, size) != NULL;
}

static void refuse_foreign(ig_reader *r)
{
    const struct foreign *f = find_foreign(r->content->bytes, r->content->size);
    const char *converter = r->options->converter;
    char python[IG_ERROR_SIZE / 2];

    snprintf(python, sizeof python, "python3 '%s'",
             converter ? converter : "convert.py");
    ig_reader_fail(r, 0, "is %s, which isogloss does not read; convert it: %s '%s'%s",
                   f->name, f->command ? f->command : python,
                   strcmp(r->path, "-") == 0 ? "FILE" : r->path, f->after);
}

const ig_format ig_format_foreign = {.looks = looks_foreign, .read = refuse_foreign};
