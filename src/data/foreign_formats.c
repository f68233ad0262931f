/* Formats that are known and not read: each refusal names the lines of Python that
 * convert such a file. A pickle can run any code, and is not for a viewer to open. */
#include <string.h>

#include "data/format.h"

/* What a file is, and the Python around its path that makes x of it. */
static ig_status refuse(const ig_source *source, const char *what, const char *before,
                        const char *after, ig_error *error)
{
    return ig_fail(error, IG_FORMAT,
                   "%s: is %s, which is not read; Python converts it: %s'%s'%s; "
                   "numpy.save('set.npy', numpy.asarray(x, 'float32'))",
                   source->path, what, before, source->path, after);
}

static ig_status refuse_pickle(const ig_source *source, ig_vectors *vectors,
                               ig_error *error)
{
    (void)vectors;
    return refuse(source, "a pickle", "import numpy, pickle; x = pickle.load(open(",
                  ", 'rb'))", error);
}

/* Protocols 2 to 5 begin with their number. */
static bool looks_as_pickle(const unsigned char *bytes, size_t size,
                            const ig_set_options *options)
{
    (void)options;
    return size > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

const ig_format ig_format_pickle = {
    .refused = true, .looks = looks_as_pickle, .read = refuse_pickle};

static ig_status refuse_torch(const ig_source *source, ig_vectors *vectors,
                              ig_error *error)
{
    (void)vectors;
    return refuse(source, "a file of PyTorch, a pickle in an archive",
                  "import numpy, torch; x = torch.load(",
                  ", map_location='cpu').float()", error);
}

/* A zip archive whose first member is NAME/data.pkl. */
static bool looks_as_torch(const unsigned char *bytes, size_t size,
                           const ig_set_options *options)
{
    static const char member[] = "/data.pkl";
    size_t most = size < 256 ? size : 256;

    (void)options;
    if (size < 30 || memcmp(bytes, "PK\x03\x04", 4) != 0)
        return false;
    for (size_t i = 30; i + sizeof member - 1 <= most; i++)
        if (memcmp(bytes + i, member, sizeof member - 1) == 0)
            return true;
    return false;
}

const ig_format ig_format_torch = {
    .refused = true, .looks = looks_as_torch, .read = refuse_torch};

static ig_status refuse_hdf5(const ig_source *source, ig_vectors *vectors,
                             ig_error *error)
{
    (void)vectors;
    return refuse(source, "an HDF5 file", "import h5py, numpy; x = h5py.File(",
                  ")['NAME'][:]", error);
}

const ig_format ig_format_hdf5 = {
    .refused = true, .magic = "\x89HDF\r\n\x1a\n", .read = refuse_hdf5};

static ig_status refuse_parquet(const ig_source *source, ig_vectors *vectors,
                                ig_error *error)
{
    (void)vectors;
    return ig_fail(
        error, IG_FORMAT,
        "%s: is a Parquet file, which is not read; Python converts it: import "
        "pandas; x = pandas.read_parquet('%s'); x.to_json('set.jsonl', "
        "orient='records', lines=True, force_ascii=False)",
        source->path, source->path);
}

const ig_format ig_format_parquet = {
    .refused = true, .magic = "PAR1", .read = refuse_parquet};
