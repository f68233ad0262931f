/* Vectors and columns of files of named arrays. */
#include "data/reader.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

/* Append an array. IG_NOMEM, or IG_FORMAT: the name occurs twice. */
static ig_status add_array(ig_arrays *a, const char *name, const ig_array *array,
                           ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];
    uint32_t number = ig_names_add(&a->names, name, strlen(name));
    ig_status status = ig_array_grow(&a->array, &a->capacity, a->count + 1,
                                     sizeof *a->array, a->path, error);

    if (status != IG_OK || a->names.texts.failed)
        return ig_fail_memory(error, a->path);
    if (number < a->count)
        return ig_fail(error, IG_FORMAT, "%s: has two arrays named %s", a->path,
                       ig_quote(quoted, name, strlen(name)));
    a->array[a->count] = *array;
    a->array[a->count++].name = a->names.name[number];
    return IG_OK;
}

void ig_arrays_free(ig_arrays *a)
{
    for (size_t i = 0; i < a->count; i++)
        ig_content_close(&a->array[i].content);
    ig_content_close(&a->content);
    ig_free(a->array);
    ig_names_free(&a->names);
    *a = (ig_arrays){0};
}

bool ig_array_is_matrix(const ig_array *m)
{
    return m->known && m->dimensions == 2 && m->dtype <= IG_U1 && m->count;
}

bool ig_name_is_language(const char *name)
{
    size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    bool more = name[letters] == '-' || name[letters] == '_';

    return (letters == 2 && !name[letters]) ||
           ((letters == 2 || letters == 3) && more && strlen(name) <= letters + 5);
}

/* The only array, that of --column vector or of a usual name, or the only matrix; NULL:
 * there is none, or several matrices. */
static ig_array *find_matrix(const ig_arrays *a, const ig_dataset_options *options)
{
    size_t i = ig_column_find(options, IG_COLUMN_VECTOR, a->names.name, a->count);
    ig_array *found = NULL;

    if (a->count == 1 || i < a->count)
        return &a->array[i < a->count ? i : 0];
    for (i = 0; i < a->count && !options->column[IG_COLUMN_VECTOR]; i++)
        if (ig_array_is_matrix(&a->array[i])) {
            if (found)
                return NULL;
            found = &a->array[i];
        }
    return found;
}

bool ig_arrays_are_languages(const ig_arrays *a, const ig_dataset_options *options)
{
    bool any = false;

    if (options->meta || options->column[IG_COLUMN_VECTOR] || find_matrix(a, options))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (ig_array_is_matrix(&a->array[i])) {
            if (!ig_name_is_language(a->array[i].name))
                return false;
            any = true;
        }
    return any;
}

/* Unpack an array in use; its header was checked against its size. */
static void unpack(ig_array *m, ig_reader *r)
{
    unsigned char *block;
    uint32_t crc = 0;

    if (m->values || r->status != IG_OK)
        return;
    m->content.block = block = ig_alloc(m->size + 1, 1); /* 1 more detects excess */
    if (!block)
        r->status = ig_fail_memory(r->error, r->path);
    else if (ig_inflate(m->packed, m->packed_size, block, m->size + 1, &crc) !=
                 m->size ||
             crc != m->crc)
        ig_reader_fail(r, "%s.npy is damaged: it does not unpack to its %zu bytes",
                       m->name, m->size);
    else
        m->values = block + m->size - m->count * m->width;
}

static size_t decode_utf32(const unsigned char *at, size_t length, char *out)
{
    size_t used = 0, n;
    int32_t code = 1;

    for (size_t i = 0; i < length / sizeof code; i++) {
        memcpy(&code, at + i * sizeof code, sizeof code);
        if (code == 0)
            break;
        n = code > 0 && code <= 0x10ffff ? ig_text_encode(code, out + used) : 0;
        used += n ? n : ig_text_encode(0xfffd, out + used);
    }
    return used;
}

/* Value i as text, in `room` (large enough for any value) or in the file. */
static ig_field format_value(const ig_array *m, size_t i, char *room)
{
    size_t length = m->width;
    const unsigned char *at = m->values + i * length;
    int64_t whole = 0;
    double real;
    float value;

    switch (m->dtype) {
    case IG_UTF32:
        return (ig_field){room, decode_utf32(at, length, room)};
    case IG_BYTES:
        while (length > 0 && at[length - 1] == '\0')
            length--;
        return (ig_field){(const char *)at, length};
    case IG_I4:
    case IG_I8:
        memset(&whole, length == 4 && at[3] & 0x80 ? 0xff : 0, sizeof whole);
        memcpy(&whole, at, length);
        return (ig_field){room, (size_t)sprintf(room, "%lld", (long long)whole)};
    case IG_F8:
        memcpy(&real, at, sizeof real);
        return (ig_field){room, (size_t)sprintf(room, "%.15g", real)};
    default:
        ig_array_rows(m, i, 1, 1, &value, 1);
        return (ig_field){room, (size_t)sprintf(room, "%.9g", (double)value)};
    }
}

static bool has_rows(const ig_array *m, size_t rows)
{
    return m->known && m->dimensions == 1 && m->count == rows;
}

/* Append the rows from arrays with a value per row, unless the file has no language,
 * text or id: then it is a matrix with a table, or the rows of LANG=FILE. */
static void read_columns(const ig_arrays *a, ig_reader *r, const ig_array *matrix)
{
    size_t rows = matrix->rows, longest = 32; /* number: ≤ 24 */
    bool described = r->language || r->options->lang;
    char *room;

    for (ig_column_role k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++) {
        size_t i = ig_column_find(r->options, k, a->names.name, a->count);

        described |= i < a->count;
        if (i < a->count && !has_rows(&a->array[i], rows))
            ig_reader_fail(r,
                           "the array %s is not a text or number for each of %zu rows; "
                           "of dtype object save np.array(values, dtype=str)",
                           a->array[i].name, rows);
    }
    for (size_t i = 0; i < a->count && described && r->status == IG_OK; i++) {
        ig_array *m = &a->array[i];

        if (!(m->used = m != matrix && has_rows(m, rows)))
            continue;
        ig_reader_name(r, (ig_field){m->name, strlen(m->name)});
        longest += m->width;
        unpack(m, r);
    }
    if (!r->names.count || r->status != IG_OK)
        return;
    ig_reader_resolve(r);
    room = ig_alloc(longest, 1);
    if (!room)
        r->status = ig_fail_memory(r->error, r->path);
    for (size_t i = 0; i < rows && r->status == IG_OK; i++) {
        size_t column = 0;

        ig_reader_row(r);
        for (size_t k = 0; k < a->count; k++)
            if (a->array[k].used)
                ig_reader_cell(r, column++, format_value(&a->array[k], i, room));
    }
    ig_free(room);
}

/* Name arrays that are neither the vectors, a column nor another language. */
static void remark_unused(const ig_arrays *a, ig_reader *r, const ig_array *matrix)
{
    char list[IG_LIST_SIZE] = "";

    for (size_t i = 0; i < a->count; i++)
        if (!a->array[i].used && &a->array[i] != matrix &&
            !(a->languages && ig_array_is_matrix(&a->array[i])))
            ig_text_append(list, sizeof list, "%s%s", *list ? ", " : "",
                           a->array[i].name);
    if (*list)
        ig_columns_remark(r->columns, "not used: %s", list);
}

void ig_arrays_read(ig_arrays *a, ig_reader *r)
{
    ig_array *m = find_matrix(a, r->options);
    ig_content *of;
    char list[IG_LIST_SIZE];

    r->kind = "array";
    r->has_vectors = false; /* in cells */
    if (!a->count)
        ig_reader_fail(r, "has no array of numpy (.npy)");
    else if (!m || !m->known)
        ig_reader_fail(r,
                       "--column vector=NAME says which array of DATA is the matrix "
                       "(rows, dims) of f2, f4, f8, bf16, i1 or u1; np.stack(array) "
                       "makes one of vectors that are objects (arrays: %s)",
                       ig_quote_list(list, a->names.name, a->count));
    else if (!ig_array_is_matrix(m))
        ig_reader_fail(r,
                       "shape (%s) of %s: expected (rows, dims) of f2, f4, f8, bf16, "
                       "i1 or u1; %s",
                       m->shape, ig_types[m->dtype].name,
                       !m->count          ? "it has no values"
                       : m->dtype > IG_I8 ? "encode makes vectors of texts"
                       : m->dtype > IG_U1 ? "array.astype('float32') has floats"
                       : m->rows == 1 || m->count == m->rows * m->dims
                           ? "array.reshape(rows, dims) is a matrix"
                           : "several are files of --versions");
    else
        unpack(m, r);
    if (r->status != IG_OK)
        return;
    of = m->content.block ? &m->content : &a->content; /* the content that it is in */
    r->vectors = *m;
    r->vectors.content = *of;
    *of = (ig_content){0};
    if (!r->columns)
        return;
    if (!a->languages)
        read_columns(a, r, m);
    remark_unused(a, r, m);
}

static ig_status list_npy(ig_arrays *a, ig_error *error)
{
    ig_array m = {0};
    ig_status status = ig_npy_parse(&m, a->path, a->content.bytes, a->content.size,
                                    a->content.size, error);

    return status == IG_OK ? add_array(a, "", &m, error) : status;
}

const ig_format ig_format_npy = {
    .ending = {".npy"}, .magic = "\x93NUMPY", .list = list_npy};

/* --- .npz ------------------------------------------------------------------------- *
 * Archives of numpy.savez and savez_compressed: members one after another, each behind
 * a header with its name and sizes [APPNOTE 4.3.7], which the directory at the end of
 * the archive repeats. Arrays in use are unpacked, a stored matrix is used in place. */

/* Signatures; offsets in the header of a member. */
enum { MEMBER = 0x04034b50, DIRECTORY = 0x02014b50, END = 0x06054b50 };
enum { FLAGS = 6, METHOD = 8, CRC = 14, PACKED_SIZE = 18, SIZE = 22 };
enum { NAME_LENGTH = 26, EXTRA_LENGTH = 28, HEADER = 30 };
enum { ENCRYPTED = 1, UNSIZED = 8 }; /* flags */
enum { DEFLATED = 8 };               /* method */
enum { WIDE = 1 };                   /* kind of extra field: sizes of 64 bits */
enum { TAIL = 22 };                  /* from END on; numpy adds no comment */
enum { HEAD = 2048 }; /* unpacked bytes to parse; numpy writes 128 before the values */

static uint64_t get(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

/* List the member at *at, and move *at behind it. A bad header matters only in use. */
static ig_status list_member(ig_arrays *a, size_t *at, ig_error *error)
{
    const unsigned char *head = a->content.bytes + *at, *extra, *bytes;
    size_t left = a->content.size - *at, length, start, method, present;
    unsigned char unpacked[HEAD];
    char name[128] = "";
    ig_array m = {0};
    ig_error why;

    if (left < HEADER + TAIL || get(head, 4) != MEMBER ||
        get(head + left - TAIL, 4) != END)
        goto damaged;
    method = get(head + METHOD, 2);
    if ((method && method != DEFLATED) || head[FLAGS] & (ENCRYPTED | UNSIZED))
        return ig_fail(error, IG_FORMAT,
                       "%s: is encrypted, packed other than by deflate, or was written "
                       "to a pipe; np.savez writes files that can be read",
                       a->path);
    length = get(head + NAME_LENGTH, 2);
    start = HEADER + length + get(head + EXTRA_LENGTH, 2);
    m.packed_size = get(head + PACKED_SIZE, 4);
    m.size = get(head + SIZE, 4);
    m.crc = (uint32_t)get(head + CRC, 4);
    m.packed = head + start;
    /* Sizes of 64 bits, which numpy writes for arrays of any size. */
    for (extra = head + HEADER + length; start <= left && extra + 20 <= m.packed;
         extra += 4 + get(extra + 2, 2))
        if (get(extra, 2) == WIDE) {
            m.size = get(extra + 4, 8);
            m.packed_size = get(extra + 12, 8);
        }
    if (start > left || m.packed_size > left - start || m.size > SIZE_MAX / 2 ||
        (!method && m.packed_size != m.size))
        goto damaged;
    *at += start + m.packed_size;
    if (length < 4 || length >= sizeof name ||
        memcmp(head + HEADER + length - 4, ".npy", 4) != 0)
        return IG_OK;
    memcpy(name, head + HEADER, length - 4);
    bytes = method ? unpacked : m.packed;
    present = method ? ig_inflate(m.packed, m.packed_size, unpacked, HEAD, NULL)
                     : m.size;
    m.known = ig_npy_parse(&m, name, bytes, present, m.size, &why) == IG_OK;
    if (!m.known && m.dimensions) /* its type can be read */
        return ig_fail(error, IG_FORMAT, "%s: array %s", a->path, why.message);
    m.values = method ? NULL : m.values;
    if (!method && ig_crc32(m.packed, m.size) != m.crc)
        goto damaged;
    return add_array(a, name, &m, error);
damaged:
    return ig_fail(error, IG_FORMAT, "%s: is a damaged or shortened .npz archive",
                   a->path);
}

static ig_status list_members(ig_arrays *a, ig_error *error)
{
    size_t at = 0, size = a->content.size;
    ig_status status = IG_OK;

    while (status == IG_OK &&
           (size - at < 4 || get(a->content.bytes + at, 4) != DIRECTORY))
        status = list_member(a, &at, error);
    return status;
}

const ig_format ig_format_npz = {
    .ending = {".npz"}, .magic = "PK\x03\x04", .list = list_members};

/* --- safetensors ------------------------------------------------------------------ *
 * A JSON header of named tensors, and their mapped values. */

enum { PREFIX = 8 }; /* bytes of the header length at the start */

/* Add a tensor of a file with `size` bytes of values from `bytes` on. */
static ig_status list_tensor(ig_arrays *a, const char *name, json_t *value,
                             const unsigned char *bytes, size_t size, ig_error *error)
{
    ig_array m = {0};
    char quoted[IG_QUOTE_SIZE], label[IG_ERROR_SIZE / 2];
    json_int_t begin = 0, end = 0;
    json_t *shape;
    ig_status status = IG_OK;
    size_t side[IG_ARRAY_DIMS] = {0};
    const char *type;

    ig_quote(quoted, name, strlen(name));
    if (json_unpack(value, "{s:s, s:o, s:[I, I]}", "dtype", &type, "shape", &shape,
                    "data_offsets", &begin, &end) != 0 ||
        json_array_size(shape) > IG_ARRAY_DIMS || begin < 0 || begin > end ||
        (size_t)end > size)
        return ig_fail(error, IG_FORMAT,
                       "%s: the header has no dtype, shape and data_offsets of the "
                       "tensor %s within the %zu bytes of values%s",
                       a->path, quoted, size,
                       end > (json_int_t)size ? "; the file is cut short" : "");
    m.values = bytes + begin;
    m.size = (size_t)(end - begin);
    m.known = ig_dtype_find(type, &m.dtype);
    m.width = ig_types[m.dtype].size;
    for (size_t i = 0; i < json_array_size(shape); i++) /* of another type: 0 */
        side[i] = (size_t)json_integer_value(json_array_get(shape, i));
    snprintf(label, sizeof label, "%s: tensor %s", a->path, quoted);
    if (m.known)
        status = ig_array_shape(&m, label, side, json_array_size(shape), m.size, error);
    return status == IG_OK ? add_array(a, name, &m, error) : status;
}

static ig_status list_tensors(ig_arrays *a, ig_error *error)
{
    const unsigned char *bytes = a->content.bytes;
    size_t size = a->content.size;
    uint64_t length = size < PREFIX ? UINT64_MAX : get(bytes, PREFIX);
    ig_status status = IG_OK;
    json_t *header = NULL, *value;
    json_error_t e = {.text = "it is cut short"};
    const char *name;

    if (size >= PREFIX && length <= size - PREFIX)
        header = json_loadb((const char *)bytes + PREFIX, length,
                            JSON_REJECT_DUPLICATES, &e);
    if (!header && json_error_code(&e) == json_error_out_of_memory)
        return ig_fail_memory(error, a->path);
    if (!header)
        return ig_fail(error, IG_FORMAT, "%s: its header is damaged: %s", a->path,
                       e.text);
    json_object_foreach (header, name, value)
        if (status == IG_OK && strcmp(name, "__metadata__") != 0)
            status = list_tensor(a, name, value, bytes + PREFIX + length,
                                 size - PREFIX - length, error);
    json_decref(header);
    return status;
}

const ig_format ig_format_safetensors = {.ending = {".safetensors"},
                                         .list = list_tensors};
