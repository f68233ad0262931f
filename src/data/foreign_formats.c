/* Formats that are recognised but not supported: the error names the converter. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

static const struct foreign {
    const char *name, *inside; /* inside: text in the first bytes, or NULL */
    const char *magic[9];      /* the first bytes, one of these */
    const char *option;        /* of the converter, or NULL */
} foreign[] = {
    {"a Parquet file", NULL, {"PAR1"}, NULL},
    {"an Arrow or Feather file", NULL, {"ARROW1", "FEA1", "\xff\xff\xff\xff"}, NULL},
    {"an HDF5 file", NULL, {"\x89HDF\r\n\x1a\n"}, NULL},
    {"an SQLite database", NULL, {"SQLite format 3"}, NULL},
    {"fastText's binary file", NULL, {"\xba\x16\x4f\x2f"}, NULL},
    {"a FAISS index",
     NULL,
     {"IxFI", "IxF2", "IxMp", "IxM2", "IwFl", "IwPQ", "IwSQ", "IHNf"},
     NULL},
    {"a configuration of the TensorBoard projector", "\"tensorPath\"", {"{"}, NULL},
    {"a file of torch.save", "/data.pkl", {"PK\3\4"}, NULL},
    {"a file of torch.save", NULL, {"\x80\2\x8a\n\x6c\xfc\x9c\x46"}, NULL},
    {"a pickle (which can run any code)", NULL, {"\x80\2", "\x80\4"}, " --trust"},
    {"a pickle (which can run any code)", NULL, {"\x80\3", "\x80\5"}, " --trust"},
};

/* "N d", a word, then binary data. */
static bool looks_as_word2vec(const char *head, size_t size)
{
    int used = 0;

    if (sscanf(head, "%*u %*u%n", &used) == EOF || !used || head[used] != '\n')
        return false;
    for (size_t i = (size_t)used; i < size; i++)
        if ((unsigned char)head[i] < '\t' || (head[i] > '\r' && head[i] < ' '))
            return true;
    return false;
}

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    static const struct foreign word2vec = {.name = "word2vec's binary file"};
    char head[4097] = "";

    size = size < sizeof head ? size : sizeof head - 1;
    memcpy(head, bytes, size);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        for (const char *const *magic = foreign[i].magic; *magic; magic++) {
            const char *inside = foreign[i].inside ? foreign[i].inside : "";

            for (size_t at = 0; memcmp(head, *magic, strlen(*magic)) == 0 && at < size;
                 at++)
                if (strncmp(head + at, inside, strlen(inside)) == 0)
                    return &foreign[i];
        }
    return looks_as_word2vec(head, size) ? &word2vec : NULL;
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

    ig_reader_fail(r,
                   "is %s, which isogloss does not read; convert it: python3 '%s' '%s' "
                   "set.npy%s",
                   f->name, converter ? converter : "convert.py",
                   strcmp(path, "-") ? path : "FILE", f->option ? f->option : "");
}

const ig_format ig_format_foreign = {
    .looks = looks_foreign, .serves = {true, true}, .read = refuse_foreign};
