/* Formats that are recognised but not supported: the error names the converter. */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <string.h>

#include "data/reader.h"

static const struct foreign {
    const char *magic, *name;
    const char *inside; /* also in the first bytes, or NULL */
    const char *option; /* of the converter, or NULL */
} foreign[] = {
    {"PAR1", "a Parquet file", NULL, NULL},
    {"ARROW1", "an Arrow or Feather file", NULL, NULL},
    {"FEA1", "an Arrow or Feather file", NULL, NULL},
    {"\xff\xff\xff\xff", "an Arrow or Feather file", NULL, NULL},
    {"\x89HDF\r\n\x1a\n", "an HDF5 file", NULL, NULL},
    {"SQLite format 3", "an SQLite database", NULL, NULL},
    {"\xba\x16\x4f\x2f", "fastText's binary file", NULL, NULL},
    {"IxF", "a FAISS index", NULL, NULL},
    {"IxM", "a FAISS index", NULL, NULL},
    {"IwFl", "a FAISS index", NULL, NULL},
    {"IwPQ", "a FAISS index", NULL, NULL},
    {"IwSQ", "a FAISS index", NULL, NULL},
    {"IHNf", "a FAISS index", NULL, NULL},
    {"{", "a configuration of the TensorBoard projector", "\"tensorPath\"", NULL},
    {"PK\3\4", "a file of torch.save", "/data.pkl", NULL},
    {"\x80\2\x8a\n\x6c\xfc\x9c\x46", "a file of torch.save", NULL, NULL},
    {"\x80", "a pickle (which can run any code)", NULL, " --trust"},
};

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    const char *inside;

    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        inside = foreign[i].inside;
        if (size >= strlen(foreign[i].magic) &&
            memcmp(bytes, foreign[i].magic, strlen(foreign[i].magic)) == 0 &&
            (!inside ||
             memmem(bytes, size < 4096 ? size : 4096, inside, strlen(inside))))
            return &foreign[i];
    }
    return NULL;
}

static bool looks_foreign(const unsigned char *bytes, size_t size,
                          const ig_dataset_options *options)
{
    size_t i = 0, most = size < 4096 ? size : 4096;

    (void)options;
    while (i < most && (isdigit(bytes[i]) || bytes[i] == ' '))
        i++;
    /* Binary word2vec: "N d", then floats. A header of safetensors may begin like a
     * pickle. */
    return (i && i < most && bytes[i] == '\n' && memchr(bytes + i, 0, most - i)) ||
           (find_foreign(bytes, size) && (size < 9 || bytes[8] != '{'));
}

static void refuse_foreign(ig_reader *r)
{
    const struct foreign *f = find_foreign(r->content->bytes, r->content->size);
    const char *converter = r->options->converter, *path = r->path;

    ig_reader_fail(r,
                   "is %s, which isogloss does not read; convert it: python3 '%s' '%s' "
                   "set.npy%s",
                   f ? f->name : "a binary file like word2vec's",
                   converter ? converter : "convert.py",
                   strcmp(path, "-") ? path : "FILE", f && f->option ? f->option : "");
}

const ig_format ig_format_foreign = {
    .looks = looks_foreign, .serves = {true, true}, .read = refuse_foreign};
