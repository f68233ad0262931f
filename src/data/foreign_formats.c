/* Formats that are recognised but not supported: name, signature, and the command that
 * converts them. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "data/reader.h"

enum { HEAD = 4096 }; /* bytes examined */

static bool has_text(const unsigned char *bytes, size_t size, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, length) == 0)
            return true;
    return false;
}

static bool begins_with(const unsigned char *bytes, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

static uint32_t little32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

/* A zip archive whose first member is NAME/data.pkl, or the pickle magic number of
 * PyTorch before 1.6. */
static bool looks_as_torch(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20") ||
           (begins_with(bytes, size, "PK\x03\x04") &&
            has_text(bytes, size < 256 ? size : 256, "/data.pkl"));
}

/* Pickle protocols 2 to 5 begin with their number. */
static bool looks_as_pickle(const unsigned char *bytes, size_t size)
{
    return size > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

/* Arrow IPC stream: continuation marker and schema size. */
static bool looks_as_arrow(const unsigned char *bytes, size_t size)
{
    return size >= 16 && begins_with(bytes, size, "\xff\xff\xff\xff") &&
           little32(bytes + 4) % 8 == 0 && little32(bytes + 4) - 8 < 1 << 24;
}

/* Four letters for the index type, then its dimensions. */
static bool looks_as_faiss(const unsigned char *bytes, size_t size)
{
    static const char *const kinds[] = {"Ix", "Iw", "Iv", "IH", "IN", "IL"};

    if (size < 16 || little32(bytes + 4) - 1 >= 1 << 20)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (begins_with(bytes, 2, kinds[i]) && bytes[2] > ' ' && bytes[2] < 127 &&
            bytes[3] > ' ' && bytes[3] < 127)
            return true;
    return false;
}

/* "N d", a word, then binary data. */
static bool looks_as_word2vec(const unsigned char *bytes, size_t size)
{
    size_t i = 0, numbers = 0;

    while (i < size && numbers < 2 && bytes[i] >= '0' && bytes[i] <= '9') {
        while (i < size && bytes[i] >= '0' && bytes[i] <= '9')
            i++;
        if (i < size && bytes[i] == (numbers == 0 ? ' ' : '\n'))
            numbers++;
        i++;
    }
    for (; numbers == 2 && i < size; i++)
        if (bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < ' '))
            return true;
    return false;
}

/* Projector configuration: JSON or protocol buffer text. */
static bool looks_as_projector(const unsigned char *bytes, size_t size)
{
    if (begins_with(bytes, size, "{"))
        return has_text(bytes, size, "\"embeddings\"") &&
               has_text(bytes, size, "\"tensorPath\"");
    return begins_with(bytes, size, "embeddings") &&
           (has_text(bytes, size, "tensor_path:") ||
            has_text(bytes, size, "tensor_name:"));
}

/* The command, of the converter if NULL; what follows the path. */
#define CONVERT NULL, " set.npy"
#define TRUST   NULL, " set.npy --trust"

static const struct foreign {
    const char *name, *magic; /* NULL: use `looks` */
    bool (*looks)(const unsigned char *bytes, size_t size);
    const char *command, *after; /* command, path, after */
} foreign[] = {
    {"a Parquet file", "PAR1", NULL, CONVERT},
    {"an Arrow or Feather file", "ARROW1", NULL, CONVERT},
    {"a Feather file", "FEA1", NULL, CONVERT},
    {"a stream of Arrow", NULL, looks_as_arrow, CONVERT},
    {"an HDF5 file", "\x89HDF\r\n\x1a\n", NULL, CONVERT},
    {"an SQLite database", "SQLite format 3", NULL, CONVERT},
    {"fastText's binary file", "\xba\x16\x4f\x2f", NULL, CONVERT},
    {"word2vec's binary file", NULL, looks_as_word2vec, CONVERT},
    {"a FAISS index", NULL, looks_as_faiss, CONVERT},
    {"a configuration of the TensorBoard projector", NULL, looks_as_projector, CONVERT},
    {"a file of torch.save", NULL, looks_as_torch, CONVERT},
    {"a pickle (which can run any code)", NULL, looks_as_pickle, TRUST},
    {"packed by zstd", "\x28\xb5\x2f\xfd", NULL, "zstd -d", ""},
    {"packed by bzip2", "BZh", NULL, "bunzip2 -k", ""},
    {"packed by xz", "\xfd\x37zXZ", NULL, "unxz -k", ""},
};

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    size = size < HEAD ? size : HEAD;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (foreign[i].magic ? begins_with(bytes, size, foreign[i].magic)
                             : foreign[i].looks(bytes, size))
            return &foreign[i];
    return NULL;
}

static ig_status fail_foreign(const char *path, const struct foreign *f,
                              const char *converter, ig_error *error)
{
    char python[IG_ERROR_SIZE / 2];

    snprintf(python, sizeof python, "python3 '%s'",
             converter ? converter : "convert.py");
    return ig_fail(error, IG_FORMAT,
                   "%s: is %s, which isogloss does not read; convert it: %s '%s'%s",
                   path, f->name, f->command ? f->command : python,
                   strcmp(path, "-") == 0 ? "FILE" : path, f->after);
}

static bool looks_foreign(const unsigned char *bytes, size_t size,
                          const ig_dataset_options *options)
{
    (void)options;
    return find_foreign(bytes, size) != NULL;
}

static ig_status refuse_foreign(const ig_source *source, ig_vectors *vectors,
                                ig_error *error)
{
    (void)vectors;
    return fail_foreign(source->path,
                        find_foreign(source->content->bytes, source->content->size),
                        source->options->converter, error);
}

const ig_format ig_format_foreign = {
    .refused = true, .looks = looks_foreign, .read = refuse_foreign};

ig_status ig_foreign_folder(const char *path, const ig_dataset_options *options,
                            ig_error *error)
{
    static const struct foreign dataset = {"a Hugging Face dataset", NULL, NULL,
                                           CONVERT};
    static const char *const files[] = {"dataset_info.json", "dataset_dict.json"};
    struct stat info;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *file = ig_path_join(path, files[i]);
        bool found = file && stat(file, &info) == 0;

        ig_free(file);
        if (found)
            return fail_foreign(path, &dataset, options->converter, error);
    }
    return IG_OK;
}
