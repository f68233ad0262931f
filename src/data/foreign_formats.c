/* Formats that are recognised but not supported: name, signature, and the command that
 * converts them. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

enum { HEAD = 4096 }; /* bytes examined */

/* The command, of the converter if NULL; what follows the path. */
#define CONVERT      NULL, " set.npy"
#define TRUST        NULL, " set.npy --trust"
#define PICKLE       "a pickle (which can run any code)"
#define PROJECTOR    "a configuration of the TensorBoard projector"
#define BYTES(magic) magic, sizeof magic - 1

static const struct foreign {
    const char *name;
    const char *magic; /* the first bytes; '*': any */
    size_t size;
    const char *inside;          /* text in the first bytes, or NULL */
    const char *command, *after; /* command, path, after */
} foreign[] = {
    {"a Parquet file", BYTES("PAR1"), NULL, CONVERT},
    {"an Arrow or Feather file", BYTES("ARROW1"), NULL, CONVERT},
    {"a Feather file", BYTES("FEA1"), NULL, CONVERT},
    {"a stream of Arrow", BYTES("\xff\xff\xff\xff***\0"), NULL, CONVERT},
    {"an HDF5 file", BYTES("\x89HDF\r\n\x1a\n"), NULL, CONVERT},
    {"an SQLite database", BYTES("SQLite format 3"), NULL, CONVERT},
    {"fastText's binary file", BYTES("\xba\x16\x4f\x2f"), NULL, CONVERT},
    {"a FAISS index", BYTES("I******\0"), NULL, CONVERT},
    {PROJECTOR, BYTES("{"), "\"tensorPath\"", CONVERT},
    {PROJECTOR, BYTES("embeddings"), "tensor_", CONVERT},
    {"a file of torch.save", BYTES("PK\3\4"), "/data.pkl", CONVERT},
    {"a file of torch.save", BYTES("\x80\2\x8a\n\x6c\xfc\x9c\x46"), NULL, CONVERT},
    {PICKLE, BYTES("\x80\2"), NULL, TRUST},
    {PICKLE, BYTES("\x80\3"), NULL, TRUST},
    {PICKLE, BYTES("\x80\4"), NULL, TRUST},
    {PICKLE, BYTES("\x80\5"), NULL, TRUST},
    {"packed by zstd", BYTES("\x28\xb5\x2f\xfd"), NULL, "zstd -d", ""},
    {"packed by bzip2", BYTES("BZh"), NULL, "bunzip2 -k", ""},
    {"packed by xz", BYTES("\xfd\x37zXZ"), NULL, "unxz -k", ""},
};

/* "N d", a word, then binary data. */
static bool looks_as_word2vec(const unsigned char *bytes, size_t size)
{
    unsigned long rows, dims;
    char head[48];
    int used = 0;

    snprintf(head, sizeof head, "%.*s", (int)(size < HEAD ? size : HEAD), bytes);
    if (sscanf(head, "%lu %lu%n", &rows, &dims, &used) != 2 || head[used] != '\n')
        return false;
    for (size_t i = (size_t)used; i < size; i++)
        if (bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < ' '))
            return true;
    return false;
}

static bool matches(const struct foreign *f, const unsigned char *bytes, size_t size)
{
    size_t length = f->inside ? strlen(f->inside) : 0, i = 0;

    if (size < f->size)
        return false;
    for (size_t k = 0; k < f->size; k++)
        if (f->magic[k] != '*' && (unsigned char)f->magic[k] != bytes[k])
            return false;
    while (length && i + length <= size && memcmp(bytes + i, f->inside, length) != 0)
        i++;
    return i + length <= size;
}

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    static const struct foreign word2vec = {"word2vec's binary file", BYTES(""), NULL,
                                            CONVERT};

    size = size < HEAD ? size : HEAD;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (matches(&foreign[i], bytes, size))
            return &foreign[i];
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
