/* .npz archives of numpy.savez and savez_compressed, .npy files, and headerless floats.
 * All headers of an archive are read, but only arrays in use are unpacked; a stored
 * matrix is mapped. */
#include <stdio.h>
#include <string.h>

#include "data/arrays.h"

/* Read the header of an array without unpacking its values. An unreadable array only
 * matters if it is used. */
static ig_status read_header(ig_arrays *a, ig_array *m, const char *name,
                             ig_error *error)
{
    enum { HEADER = 2048 }; /* numpy writes 128 bytes */
    unsigned char head[HEADER];
    ig_error why;
    size_t got = ig_zip_head(&m->packed, head, sizeof head);
    size_t start = got > 6 && head[6] > 1 ? 12 : 10;

    if (m->packed.size < 10 || got < start)
        return ig_fail(error, IG_FORMAT, "%s: the array %s is %s", a->source->path,
                       name, m->packed.size < 10 ? "cut short" : "damaged");
    if (start + (head[8] | (size_t)head[9] << 8) <= got &&
        (start == 10 || (head[10] == 0 && head[11] == 0)))
        m->known = ig_npy_parse(&m->npy, name, head, m->packed.size, &why) == IG_OK;
    else
        ig_fail(&why, IG_FORMAT, "%s: the .npy header is too long", name);
    if (!m->known && !a->unread.message[0])
        a->unread = why;
    return IG_OK;
}

static ig_status list_members(ig_arrays *a, ig_error *error)
{
    const ig_content *content = a->source->content;
    bool any = true;
    ig_status status =
        ig_zip_open(&a->zip, a->source->path, content->bytes, content->size, error);

    while (status == IG_OK && any) {
        ig_array m = {0};
        char name[sizeof m.packed.name];
        size_t length;

        status = ig_zip_next(&a->zip, &m.packed, &any, error);
        length = status == IG_OK && any ? strlen(m.packed.name) : 0;
        if (length < 4 || strcmp(m.packed.name + length - 4, ".npy") != 0)
            continue;
        memcpy(name, m.packed.name, sizeof name);
        name[length - 4] = '\0';
        status = read_header(a, &m, name, error);
        if (status == IG_OK)
            status = ig_arrays_add(a, name, length - 4, &m, error);
    }
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .list = list_members};

/* --- .npy and headerless floats --------------------------------------------------- */

/* One array, or those of the versions "0", "1", …: (versions, rows, dims). */
static ig_status list_npy(ig_arrays *a, ig_error *error)
{
    const ig_content *content = a->source->content;
    ig_array m = {.bytes = content->bytes, .known = true};
    ig_status status =
        ig_npy_parse(&m.npy, a->source->path, content->bytes, content->size, error);
    size_t versions = m.npy.shape[0];
    char name[24];

    if (status != IG_OK || m.npy.dimensions != 3)
        return status == IG_OK ? ig_arrays_add(a, "", 0, &m, error) : status;
    if (m.npy.fortran)
        return ig_fail(error, IG_FORMAT,
                       "%s: versions are read in C order, this is in Fortran order; "
                       "np.ascontiguousarray mends it",
                       a->source->path);
    m.npy.dimensions = 2;
    m.npy.count = m.npy.shape[1] * m.npy.shape[2];
    memmove(m.npy.shape, m.npy.shape + 1, 2 * sizeof *m.npy.shape);
    for (size_t i = 0; status == IG_OK && i < versions; i++) {
        status = ig_arrays_add(a, name, (size_t)sprintf(name, "%zu", i), &m, error);
        m.npy.offset += m.npy.count * m.npy.item;
    }
    return status;
}

const ig_format ig_format_npy = {.ending = {".npy"},
                                 .magic = "\x93NUMPY",
                                 .alone = "set.npy with set.csv",
                                 .of_language = "LANG=vectors.npy,texts.txt",
                                 .list = list_npy};

static bool has_raw_dim(const ig_dataset_options *options)
{
    return options->raw_dim > 0;
}

static ig_status read_raw(const ig_source *source, ig_vectors *v, ig_error *error)
{
    const ig_raw_type *type = &ig_raw_types[source->options->type];
    size_t size = source->content->size, dims = source->options->raw_dim, row;

    row = dims * ig_dtype_size(type->dtype);
    if (dims > SIZE_MAX / 16)
        return ig_fail(error, IG_VALUE, "%s: --dim %zu is no number of floats a row",
                       source->path, dims);
    if (size == 0 || size % row != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: its %zu bytes are not whole rows of %zu (--dim %zu, %s)",
                       source->path, size, row, dims, type->name);
    /* Headerless files are always little-endian. */
    *v = (ig_vectors){.values = source->content->bytes,
                      .rows = size / row,
                      .dims = dims,
                      .dtype = type->dtype,
                      .swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    v->content = ig_content_move(source->content);
    return IG_OK;
}

const ig_format ig_format_raw = {.alone = "vectors.raw with --dim N and --meta FILE",
                                 .of_language = "LANG=vectors.raw",
                                 .applies = has_raw_dim,
                                 .read = read_raw};
