/* Formats of vectors without a table of their own: .npy files, and floats without a
 * header. */
#include "data/format.h"

static ig_status read_npy(const ig_source *source, ig_vectors *vectors, ig_error *error)
{
    return ig_vectors_take_npy(vectors, source->path, source->content,
                               source->options->type, error);
}

const ig_format ig_format_npy = {.ending = {".npy"},
                                 .magic = "\x93NUMPY",
                                 .alone = "set.npy with set.csv beside it",
                                 .of_language = "LANG=vectors.npy,texts.txt",
                                 .read = read_npy};

static bool has_raw_dim(const ig_set_options *options)
{
    return options->raw_dim > 0;
}

static ig_status read_raw(const ig_source *source, ig_vectors *vectors, ig_error *error)
{
    return ig_vectors_take_raw(vectors, source->path, source->content,
                               source->options->raw_dim, source->options->type, error);
}

const ig_format ig_format_raw = {.alone = "vectors.raw with --dim N and --meta FILE",
                                 .of_language = "LANG=vectors.raw",
                                 .applies = has_raw_dim,
                                 .read = read_raw};
