/* safetensors files: a JSON header of named tensors, and their mapped values. One
 * matrix holds the vectors; other tensors are ignored. */
#include <string.h>

#include "core/array.h"
#include "core/json.h"
#include "data/format.h"
#include "data/names.h"

/* Bytes of the header length at the start. */
enum { PREFIX = 8 };

static size_t read_header_length(const unsigned char *bytes)
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
           (bytes[PREFIX + 1] == '"' || bytes[PREFIX + 1] == '}' ||
            bytes[PREFIX + 1] == ' ') &&
           bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0 && bytes[7] == 0;
}

/* A tensor in the header. */
typedef struct tensor {
    const char *name;
    const char *type;
    const ig_json_value *shape;
    size_t begin, end; /* bytes after the header */
} tensor;

static bool read_tensor(tensor *t, const char *name, const ig_json_value *value)
{
    const ig_json_value *offsets = ig_json_get(value, "data_offsets");

    *t = (tensor){.name = name,
                  .type = ig_json_text_of(ig_json_get(value, "dtype"), NULL),
                  .shape = ig_json_get(value, "shape")};
    return t->type && ig_json_kind_of(t->shape) == IG_JSON_ARRAY &&
           ig_json_size(offsets) == 2 &&
           ig_json_count_of(ig_json_at(offsets, 0), &t->begin) &&
           ig_json_count_of(ig_json_at(offsets, 1), &t->end);
}

static bool parse_dtype(const char *type, ig_dtype *dtype)
{
    static const struct {
        const char *name;
        ig_dtype dtype;
    } known[] = {{"F16", IG_F2}, {"BF16", IG_BF2}, {"F32", IG_F4},
                 {"F64", IG_F8}, {"I8", IG_I1},    {"U8", IG_U1}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(type, known[i].name) == 0) {
            *dtype = known[i].dtype;
            return true;
        }
    return false;
}

/* Find the only matrix, or the one of --column vector=NAME. */
static ig_status find_matrix(const ig_source *source, const ig_json_value *root,
                             tensor *found, ig_error *error)
{
    const char *wanted = source->options->column[IG_COLUMN_VECTOR];
    const char *names[32], *key;
    char list[IG_LIST_SIZE];
    const ig_json_value *value;
    size_t all = 0, matrices = 0;
    void *at = NULL;

    while (ig_json_next(root, &at, &key, &value)) {
        tensor t;

        if (strcmp(key, "__metadata__") == 0)
            continue;
        if (!read_tensor(&t, key, value))
            return ig_fail(error, IG_FORMAT,
                           "%s: the header says no dtype, shape and data_offsets of "
                           "the tensor %s",
                           source->path, key);
        if (all < sizeof names / sizeof *names)
            names[all++] = key;
        if (wanted ? strcmp(key, wanted) != 0 : ig_json_size(t.shape) != 2)
            continue;
        matrices++;
        *found = t;
    }
    if (matrices == 1)
        return IG_OK;
    ig_quote_list(list, names, all);
    if (wanted)
        return ig_fail(error, IG_FORMAT, "%s: has no tensor %s; it has: %s",
                       source->path, wanted, list);
    if (matrices == 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: no tensor has two dimensions (rows, dims); it has: %s",
                       source->path, all ? list : "none at all");
    return ig_fail(error, IG_FORMAT,
                   "%s: %zu tensors have two dimensions, --column vector=NAME says "
                   "which: %s",
                   source->path, matrices, list);
}

/* Set the vectors to a matrix in `values`, (size) bytes after the header. */
static ig_status read_matrix(const ig_source *source, const tensor *t,
                             const unsigned char *values, size_t size,
                             ig_vectors *vectors, ig_error *error)
{
    size_t shape[2] = {0}, bytes;
    ig_dtype dtype;

    if (!parse_dtype(t->type, &dtype))
        return ig_fail(error, IG_FORMAT,
                       "%s: the tensor %s is of type %s, not F32, F16, BF16, F64, I8 "
                       "or U8",
                       source->path, t->name, t->type);
    if (ig_json_size(t->shape) != 2)
        return ig_fail(error, IG_SHAPE,
                       "%s: the tensor %s has %zu dimension%s, not two (rows, dims)",
                       source->path, t->name, ig_json_size(t->shape),
                       ig_json_size(t->shape) == 1 ? "" : "s");
    for (size_t k = 0; k < 2; k++)
        if (!ig_json_count_of(ig_json_at(t->shape, k), &shape[k]) || shape[k] == 0)
            return ig_fail(error, IG_SHAPE,
                           "%s: the shape of the tensor %s is not two whole numbers of "
                           "1 or more",
                           source->path, t->name);
    if (t->begin > t->end || t->end > size)
        return ig_fail(error, IG_FORMAT,
                       "%s: the tensor %s ends at byte %zu of the values, the file has "
                       "%zu",
                       source->path, t->name, t->end, size);
    bytes = t->end - t->begin;
    if (shape[0] > bytes || bytes / shape[0] / ig_dtype_size(dtype) != shape[1] ||
        bytes != shape[0] * shape[1] * ig_dtype_size(dtype))
        return ig_fail(error, IG_FORMAT,
                       "%s: the tensor %s is %zu × %zu of %s but has %zu bytes",
                       source->path, t->name, shape[0], shape[1], t->type, bytes);
    *vectors = (ig_vectors){.values = values + t->begin,
                            .rows = shape[0],
                            .dims = shape[1],
                            .dtype = dtype,
                            .swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    return IG_OK;
}

/* Parse the header, (*length) bytes after the prefix. */
static ig_status read_header(const ig_source *source, ig_json **header, size_t *length,
                             ig_error *error)
{
    const unsigned char *bytes = source->content->bytes;
    size_t size = source->content->size;

    *length = size < PREFIX ? SIZE_MAX : read_header_length(bytes);
    if (size < PREFIX || *length > size - PREFIX)
        return ig_fail(error, IG_FORMAT,
                       "%s: is cut short: its header is longer than the %zu bytes of "
                       "the file",
                       source->path, size);
    return ig_json_read(header, source->path, 1, (const char *)bytes + PREFIX, *length,
                        error);
}

static ig_status list_safetensors(const ig_source *source, ig_names *names,
                                  ig_error *error)
{
    ig_json *header = NULL;
    size_t length, rows = 0, count;
    ig_status status = read_header(source, &header, &length, error);
    bool equal = status == IG_OK;
    const ig_json_value *value;
    const char *key;
    uint32_t number;
    tensor t;

    for (int pass = 0; pass < 2 && equal; pass++)
        for (void *at = NULL; status == IG_OK &&
                              ig_json_next(ig_json_root(header), &at, &key, &value);) {
            if (strcmp(key, "__metadata__") == 0 || !read_tensor(&t, key, value) ||
                ig_json_size(t.shape) != 2 ||
                !ig_json_count_of(ig_json_at(t.shape, 0), &count))
                continue;
            equal &= !rows || count == rows;
            rows = count;
            if (pass)
                status = ig_names_add(names, key, strlen(key), &number, error);
        }
    ig_json_delete(header);
    return status;
}

static ig_status read_safetensors(const ig_source *source, ig_vectors *vectors,
                                  ig_error *error)
{
    const unsigned char *bytes = source->content->bytes;
    size_t size = source->content->size, length;
    ig_json *header = NULL;
    ig_status status = read_header(source, &header, &length, error);
    tensor matrix;

    if (status == IG_OK)
        status = find_matrix(source, ig_json_root(header), &matrix, error);
    if (status == IG_OK)
        status = read_matrix(source, &matrix, bytes + PREFIX + length,
                             size - PREFIX - length, vectors, error);
    if (status == IG_OK)
        vectors->content = ig_content_move(source->content);
    ig_json_delete(header);
    return status;
}

const ig_format ig_format_safetensors = {.ending = {".safetensors"},
                                         .looks = looks_as_safetensors,
                                         .alone = "set.safetensors with set.csv",
                                         .of_language = "LANG=vectors.safetensors",
                                         .matrices = list_safetensors,
                                         .read = read_safetensors};
