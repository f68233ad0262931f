/* Formats that are recognised but not supported: name, signature, and the command that
 * converts them. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

enum { HEAD = 4096 }; /* bytes examined */

static const struct foreign {
    const char *name;
    const char *magic[9]; /* the first bytes, one of these */
    const char *inside;   /* text in the first bytes, or NULL */
    const char *command;  /* before the path, or NULL: that of the converter, … */
    const char *option;   /* … whose option this is, or NULL */
} foreign[] = {
    {"a Parquet file", {"PAR1"}, NULL, NULL, NULL},
    {"an Arrow or Feather file",
     {"ARROW1", "FEA1", "\xff\xff\xff\xff"},
     NULL,
     NULL,
     NULL},
    {"an HDF5 file", {"\x89HDF\r\n\x1a\n"}, NULL, NULL, NULL},
    {"an SQLite database", {"SQLite format 3"}, NULL, NULL, NULL},
    {"fastText's binary file", {"\xba\x16\x4f\x2f"}, NULL, NULL, NULL},
    {"a FAISS index",
     {"IxFI", "IxF2", "IxMp", "IxM2", "IwFl", "IwPQ", "IwSQ", "IHNf"},
     NULL,
     NULL,
     NULL},
    {"a configuration of the TensorBoard projector",
     {"{"},
     "\"tensorPath\"",
     NULL,
     NULL},
    {"a configuration of the TensorBoard projector",
     {"embeddings"},
     "tensor_",
     NULL,
     NULL},
    {"a file of torch.save", {"PK\3\4"}, "/data.pkl", NULL, NULL},
    {"a file of torch.save", {"\x80\2\x8a\n\x6c\xfc\x9c\x46"}, NULL, NULL, NULL},
    {"a pickle (which can run any code)",
     {"\x80\2", "\x80\3", "\x80\4", "\x80\5"},
     NULL,
     NULL,
     " --trust"},
    {"packed by zstd", {"\x28\xb5\x2f\xfd"}, NULL, "zstd -d", NULL},
    {"packed by bzip2", {"BZh"}, NULL, "bunzip2 -k", NULL},
    {"packed by xz", {"\xfd\x37zXZ"}, NULL, "unxz -k", NULL},
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

/* Whether the bytes begin with `text`. */
static bool begins_with(const unsigned char *bytes, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    static const struct foreign word2vec = {.name = "word2vec's binary file"};

    size = size < HEAD ? size : HEAD;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        for (const char *const *magic = foreign[i].magic; *magic; magic++) {
            const char *inside = foreign[i].inside;

            for (size_t at = 0; begins_with(bytes, size, *magic) && at < size; at++)
                if (!inside || begins_with(bytes + at, size - at, inside))
                    return &foreign[i];
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
    const char *converter = r->options->converter, *path = r->path;
    static const char what[] = "which isogloss does not read; convert it";

    path = strcmp(path, "-") == 0 ? "FILE" : path;
    if (f->command)
        ig_reader_fail(r, "is %s, %s: %s '%s'", f->name, what, f->command, path);
    else
        ig_reader_fail(r, "is %s, %s: python3 '%s' '%s' set.npy%s", f->name, what,
                       converter ? converter : "convert.py", path,
                       f->option ? f->option : "");
}

const ig_format ig_format_foreign = {.looks = looks_foreign, .read = refuse_foreign};
