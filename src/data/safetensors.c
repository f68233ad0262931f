/* safetensors files: a JSON header of named tensors, and their mapped values. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "data/arrays.h"

/* Bytes of the header length at the start. */
enum { PREFIX = 8 };

static size_t read_length(const unsigned char *bytes)
{
    uint64_t length = 0;

    for (size_t k = PREFIX; k-- > 0;)
        length = length << 8 | bytes[k];
    return (size_t)length;
}

/* A plausible header length followed by a JSON object. */
static bool looks_as_safetensors(const unsigned char *bytes, size_t size,
                                 const ig_dataset_options *options)
{
    (void)options;
    return size > PREFIX + 1 && bytes[PREFIX] == '{' &&
           strchr("\"} ", bytes[PREFIX + 1]) && read_length(bytes) <= UINT32_MAX;
}

static bool read_size(const json_t *value, size_t *size)
{
    *size = (size_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 &&
           *size <= SIZE_MAX / 16;
}

/* Type and shape of a tensor; its values are bytes begin … end − 1 behind the
 * header. */
static ig_status read_tensor(ig_arrays *a, ig_array *m, const char *name,
                             const json_t *value, size_t size, size_t range[2],
                             ig_error *error)
{
    static const struct {
        const char *name;
        ig_dtype dtype;
    } types[] = {{"F16", IG_F2}, {"BF16", IG_BF2}, {"F32", IG_F4}, {"F64", IG_F8},
                 {"I8", IG_I1},  {"U8", IG_U1},    {"I32", IG_I4}, {"I64", IG_I8}};
    const char *type = json_string_value(json_object_get(value, "dtype"));
    const json_t *shape = json_object_get(value, "shape"),
                 *offsets = json_object_get(value, "data_offsets");
    const char *path = a->source->path;
    ig_npy *npy = &m->npy;

    if (!type || !json_is_array(shape) ||
        !read_size(json_array_get(offsets, 0), &range[0]) ||
        !read_size(json_array_get(offsets, 1), &range[1]))
        return ig_fail(error, IG_FORMAT,
                       "%s: the header says no dtype, shape and data_offsets of the "
                       "tensor %s",
                       path, name);
    if (range[0] > range[1] || range[1] > size)
        return ig_fail(
            error, IG_FORMAT,
            "%s: the tensor %s ends at byte %zu of the values, the file has %zu", path,
            name, range[1], size);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0) {
            npy->dtype = types[i].dtype;
            npy->item = ig_dtype_size(npy->dtype);
        }
    npy->swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    npy->dimensions = json_array_size(shape);
    npy->offset = range[0];
    npy->count = 1;
    m->known = npy->item && npy->dimensions <= IG_NPY_DIMS;
    if (!m->known || npy->dtype == IG_I4 || npy->dtype == IG_I8)
        ig_fail(a->unread.message[0] ? NULL : &a->unread, IG_FORMAT,
                "the tensor %s is of type %s, not F32, F16, BF16, F64, I8 or U8", name,
                type);
    for (size_t k = 0; k < npy->dimensions && m->known; k++) {
        if (!read_size(json_array_get(shape, k), &npy->shape[k]))
            return ig_fail(error, IG_SHAPE,
                           "%s: the shape of the tensor %s is not of whole numbers",
                           path, name);
        npy->count = npy->shape[k] && npy->count > size / npy->shape[k]
                         ? SIZE_MAX / 16
                         : npy->count * npy->shape[k];
    }
    if (m->known && npy->count * npy->item != range[1] - range[0]) {
        size_t d = npy->dimensions;

        return ig_fail(error, IG_FORMAT,
                       "%s: the tensor %s is %zu × %zu of %s but has %zu bytes", path,
                       name, d ? npy->shape[0] : 1, d == 2 ? npy->shape[1] : 1, type,
                       range[1] - range[0]);
    }
    return IG_OK;
}

static int by_begin(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static ig_status list_values(ig_arrays *a, const json_t *header,
                             const unsigned char *values, size_t size, ig_error *error)
{
    size_t n = json_object_size(header), count = 0;
    size_t(*range)[2] = ig_alloc(n, sizeof *range);
    ig_status status = range ? IG_OK : ig_fail_memory(error, a->source->path);
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)header, key, value)
    {
        ig_array m = {.bytes = values};

        if (status != IG_OK || strcmp(key, "__metadata__") == 0)
            continue;
        status = read_tensor(a, &m, key, value, size, range[count++], error);
        if (status == IG_OK)
            status = ig_arrays_add(a, key, strlen(key), &m, error);
    }
    if (status == IG_OK)
        qsort(range, count, sizeof *range, by_begin);
    for (size_t i = 1; i < count && status == IG_OK; i++)
        if (range[i][0] < range[i - 1][1])
            status = ig_fail(error, IG_FORMAT, "%s: its tensors overlap at byte %zu",
                             a->source->path, range[i][0]);
    ig_free(range);
    return status;
}

static ig_status list_tensors(ig_arrays *a, ig_error *error)
{
    const unsigned char *bytes = a->source->content->bytes;
    size_t size = a->source->content->size;
    size_t length = size < PREFIX ? SIZE_MAX : read_length(bytes);
    const char *path = a->source->path;
    json_error_t e;
    json_t *header;
    ig_status status;

    if (size < PREFIX || length > size - PREFIX)
        return ig_fail(error, IG_FORMAT,
                       "%s: is cut short: its header is longer than the %zu bytes of "
                       "the file",
                       path, size);
    header =
        json_loadb((const char *)bytes + PREFIX, length, JSON_REJECT_DUPLICATES, &e);
    if (!header && json_error_code(&e) == json_error_out_of_memory)
        return ig_fail_memory(error, path);
    if (!header)
        return ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", path, e.line,
                       e.column, e.text);
    status =
        list_values(a, header, bytes + PREFIX + length, size - PREFIX - length, error);
    json_decref(header);
    return status;
}

const ig_format ig_format_safetensors = {.ending = {".safetensors"},
                                         .looks = looks_as_safetensors,
                                         .alone = "set.safetensors with set.csv",
                                         .of_language = "LANG=vectors.safetensors",
                                         .list = list_tensors};
