/* safetensors files: a JSON header of named tensors, and their mapped values. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
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

/* Add a tensor of a file with `size` bytes of values from `bytes` on; its own are
 * *from … *to − 1. */
static ig_status list_tensor(ig_arrays *a, const char *name, json_t *value,
                             const unsigned char *bytes, size_t size, uint64_t *from,
                             uint64_t *to, ig_error *error)
{
    ig_array m = {.bytes = bytes};
    char quoted[IG_QUOTE_SIZE], label[IG_ERROR_SIZE / 2];
    json_int_t begin, end;
    json_t *shape, *side;
    ig_status status = IG_OK;
    const char *type;
    size_t i;

    ig_quote(quoted, name, strlen(name));
    if (json_unpack(value, "{s:s, s:o, s:[I, I]}", "dtype", &type, "shape", &shape,
                    "data_offsets", &begin, &end) != 0 ||
        json_array_size(shape) > IG_NPY_DIMS || begin < 0 || begin > end ||
        (size_t)end > size)
        return ig_fail(error, IG_FORMAT,
                       "%s: the header has no dtype, shape and data_offsets of the "
                       "tensor %s within the %zu bytes of values",
                       a->path, quoted, size);
    m.known = ig_dtype_find(type, &m.npy.dtype);
    m.npy.item = m.known ? ig_types[m.npy.dtype].size : 0;
    m.npy.offset = (size_t)begin;
    m.npy.dimensions = json_array_size(shape);
    json_array_foreach (shape, i, side)
        m.npy.shape[i] = (size_t)json_integer_value(side); /* of another type: 0 */
    *from = (uint64_t)begin;
    *to = (uint64_t)end;
    snprintf(label, sizeof label, "%s: tensor %s", a->path, quoted);
    if (m.known)
        status = ig_npy_measure(&m.npy, label, (size_t)(end - begin), error);
    return status == IG_OK ? ig_arrays_add(a, name, &m, error) : status;
}

static ig_status list_tensors(ig_arrays *a, ig_error *error)
{
    const unsigned char *bytes = a->content.bytes;
    size_t size = a->content.size, count = 0;
    uint64_t length = size < PREFIX ? UINT64_MAX : read_length(bytes);
    ig_status status = IG_OK;
    uint64_t *from, *to;
    json_t *header, *value;
    json_error_t e;
    const char *name;

    if (size < PREFIX || length > size - PREFIX)
        return ig_fail(error, IG_FORMAT,
                       "%s: is cut short: its header is longer than the %zu bytes of "
                       "the file",
                       a->path, size);
    header =
        json_loadb((const char *)bytes + PREFIX, length, JSON_REJECT_DUPLICATES, &e);
    if (!header && json_error_code(&e) == json_error_out_of_memory)
        return ig_fail_memory(error, a->path);
    if (!header)
        return ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", a->path, e.line,
                       e.column, e.text);
    size -= PREFIX + (size_t)length;
    from = ig_alloc(json_object_size(header), sizeof *from);
    to = ig_alloc(json_object_size(header), sizeof *to);
    if (!from || !to)
        status = ig_fail_memory(error, a->path);
    json_object_foreach (header, name, value) {
        if (status != IG_OK || strcmp(name, "__metadata__") == 0)
            continue;
        status = list_tensor(a, name, value, bytes + PREFIX + length, size,
                             &from[count], &to[count], error);
        count++;
    }
    if (status == IG_OK) {
        ig_array_sort64(from, count);
        ig_array_sort64(to, count);
    }
    for (size_t i = 1; i < count && status == IG_OK; i++)
        if (from[i] < to[i - 1])
            status = ig_fail(error, IG_FORMAT, "%s: its tensors overlap at byte %zu",
                             a->path, (size_t)from[i]);
    IG_FREE(from, to);
    json_decref(header);
    return status;
}

const ig_format ig_format_safetensors = {
    .ending = {".safetensors"},
    .looks = looks_as_safetensors,
    .example = {"set.safetensors with set.csv", "LANG=vectors.safetensors"},
    .list = list_tensors};
