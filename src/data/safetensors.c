/* safetensors files: a JSON header of named tensors, and their mapped values. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "data/arrays.h"

/* Bytes of the header length at the start. */
enum { PREFIX = 8 };

static uint64_t read_length(const unsigned char *bytes)
{
    uint64_t length;

    memcpy(&length, bytes, PREFIX);
    return length;
}

/* A plausible header length followed by a JSON object. */
static bool looks_as_safetensors(const unsigned char *bytes, size_t size,
                                 const ig_dataset_options *options)
{
    (void)options;
    return size > PREFIX + 1 && bytes[PREFIX] == '{' &&
           strchr("\"} ", bytes[PREFIX + 1]) && read_length(bytes) <= UINT32_MAX;
}

/* Read type and shape of a tensor.
 *   size   in   bytes of all values
 *   range  out  its first byte, and the one behind it */
static ig_status read_tensor(const ig_arrays *a, ig_array *m, const char *name,
                             json_t *value, size_t size, json_int_t range[2],
                             ig_error *error)
{
    const char *type;
    json_t *shape, *side;
    ig_npy *npy = &m->npy;
    size_t i;

    if (json_unpack(value, "{s:s, s:o, s:[I, I]}", "dtype", &type, "shape", &shape,
                    "data_offsets", &range[0], &range[1]) != 0 ||
        json_array_size(shape) > IG_NPY_DIMS || range[0] < 0 || range[0] > range[1] ||
        (size_t)range[1] > size)
        return ig_fail(error, IG_FORMAT,
                       "%s: the header has no dtype, shape and data_offsets of the "
                       "tensor %s within the %zu bytes of values",
                       a->path, name, size);
    m->known = ig_dtype_find(type, &npy->dtype);
    npy->item = m->known ? ig_dtype_size(npy->dtype) : 0;
    npy->offset = (size_t)range[0];
    npy->dimensions = json_array_size(shape);
    json_array_foreach (shape, i, side)
        npy->shape[i] = (size_t)json_integer_value(side); /* of another type: 0 */
    if (m->known && !ig_npy_fits(npy, (size_t)(range[1] - range[0])))
        return ig_fail(error, IG_FORMAT,
                       "%s: the shape of the tensor %s promises %.9g bytes of %s, it "
                       "has %zu",
                       a->path, name, npy->bytes, type, (size_t)(range[1] - range[0]));
    return IG_OK;
}

static int compare_ranges(const void *a, const void *b)
{
    const json_int_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static ig_status list_values(ig_arrays *a, json_t *header, size_t start,
                             ig_error *error)
{
    size_t count = 0, size = a->content.size - start;
    json_int_t(*range)[2] = ig_alloc(json_object_size(header), sizeof *range);
    ig_status status = range ? IG_OK : ig_fail_memory(error, a->path);
    const char *key;
    json_t *value;

    json_object_foreach (header, key, value) {
        ig_array m = {.bytes = a->content.bytes + start};

        if (status != IG_OK || strcmp(key, "__metadata__") == 0)
            continue;
        status = read_tensor(a, &m, key, value, size, range[count++], error);
        if (status == IG_OK)
            status = ig_arrays_add(a, key, &m, error);
    }
    if (status == IG_OK)
        qsort(range, count, sizeof *range, compare_ranges);
    for (size_t i = 1; i < count && status == IG_OK; i++)
        if (range[i][0] < range[i - 1][1])
            status = ig_fail(error, IG_FORMAT, "%s: its tensors overlap at byte %lld",
                             a->path, (long long)range[i][0]);
    ig_free(range);
    return status;
}

static ig_status list_tensors(ig_arrays *a, ig_error *error)
{
    const char *bytes = (const char *)a->content.bytes;
    size_t size = a->content.size;
    uint64_t length = size < PREFIX ? UINT64_MAX : read_length(a->content.bytes);
    json_error_t e;
    json_t *header;
    ig_status status;

    if (size < PREFIX || length > size - PREFIX)
        return ig_fail(error, IG_FORMAT,
                       "%s: is cut short: its header is longer than the %zu bytes of "
                       "the file",
                       a->path, size);
    header = json_loadb(bytes + PREFIX, length, JSON_REJECT_DUPLICATES, &e);
    if (!header && json_error_code(&e) == json_error_out_of_memory)
        return ig_fail_memory(error, a->path);
    if (!header)
        return ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", a->path, e.line,
                       e.column, e.text);
    status = list_values(a, header, PREFIX + (size_t)length, error);
    json_decref(header);
    return status;
}

const ig_format ig_format_safetensors = {.ending = {".safetensors"},
                                         .looks = looks_as_safetensors,
                                         .alone = "set.safetensors with set.csv",
                                         .of_language = "LANG=vectors.safetensors",
                                         .list = list_tensors};
