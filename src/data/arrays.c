/* Vectors and columns of files of named arrays. */
#include "data/arrays.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "data/reader.h"

/* Upper bound of deflate's compression ratio (1032 by design). */
enum { MAX_RATIO = 1040 };

ig_status ig_arrays_add(ig_arrays *a, const char *name, size_t length,
                        const ig_array *array, ig_error *error)
{
    const char *path = a->source->path;
    const char *wanted = a->source->options->column[IG_COLUMN_VECTOR];
    char quoted[IG_QUOTE_SIZE];
    uint32_t number;
    ig_status status;

    if (!a->source->columns && wanted && length &&
        (strncmp(wanted, name, length) != 0 || wanted[length]))
        return IG_OK; /* another version */
    status = ig_array_grow(&a->array, &a->capacity, a->count + 1, sizeof *a->array,
                           path, error);
    if (status == IG_OK)
        status = ig_names_add(&a->names, name, length, &number, error);
    if (status != IG_OK)
        return status;
    if (number < a->count)
        return ig_fail(error, IG_FORMAT, "%s: has two arrays named %s", path,
                       ig_quote(quoted, name, length));
    a->array[a->count] = *array;
    a->array[a->count].name = a->names.name[number];
    a->count++;
    return IG_OK;
}

static ig_status fail_arrays(const ig_arrays *a, const char *what, ig_error *error)
{
    char list[IG_LIST_SIZE];

    return ig_fail(error, IG_FORMAT, "%s: %s (arrays: %s)", a->source->path, what,
                   a->count ? ig_quote_list(list, a->names.name, a->count) : "none");
}

static bool is_matrix(const ig_array *m)
{
    return m->known && m->npy.dimensions == 2 && m->npy.dtype != IG_UTF32 &&
           m->npy.dtype != IG_BYTES && m->npy.dtype != IG_I4 && m->npy.dtype != IG_I8;
}

static ig_array *find_array(const ig_arrays *a, const char *name)
{
    uint32_t number = ig_names_find(&a->names, name, strlen(name));

    return number == UINT32_MAX ? NULL : &a->array[number];
}

static ig_array *find_usual(const ig_arrays *a)
{
    static const char *const usual[] = {"embedding", "embeddings", "vectors", "vector",
                                        "meaning"};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        ig_array *m = find_array(a, usual[i]);

        if (m && is_matrix(m))
            return m;
    }
    return NULL;
}

static ig_status find_matrix(const ig_arrays *a, ig_array **matrix, ig_error *error)
{
    const char *wanted = a->source->options->column[IG_COLUMN_VECTOR];
    size_t matrices = 0;

    *matrix = find_array(a, "");
    if (*matrix) /* ig_vectors_of_npy says what is wrong with it */
        return IG_OK;
    *matrix = wanted ? find_array(a, wanted) : NULL;
    if (wanted && (!*matrix || !is_matrix(*matrix)))
        return fail_arrays(a,
                           *matrix ? "the array that --column vector names is no "
                                     "matrix of numbers"
                                   : "has not the array that --column vector names",
                           error);
    for (size_t i = 0; i < a->count && !wanted; i++)
        if (is_matrix(&a->array[i])) {
            *matrix = &a->array[i];
            matrices++;
        }
    if (matrices > 1 && find_usual(a)) {
        *matrix = find_usual(a);
        matrices = 1;
    }
    if (wanted || matrices == 1)
        return IG_OK;
    if (matrices == 0 && a->unread.message[0])
        return ig_fail(error, IG_FORMAT, "%s: %s", a->source->path, a->unread.message);
    return fail_arrays(a,
                       matrices ? "several matrices, --column vector=NAME says which"
                                : "no array has two dimensions (rows, dims)",
                       error);
}

/* Unpack an array in use; its header was checked against its size. */
static ig_status unpack(const ig_arrays *a, ig_array *m, ig_error *error)
{
    const char *path = a->source->path;
    bool whole;

    if (m->bytes)
        return IG_OK;
    if (m->size / MAX_RATIO > m->packed_size)
        return ig_fail(error, IG_FORMAT,
                       "%s: %s.npy cannot hold the %zu bytes that are promised in %zu "
                       "packed ones",
                       path, m->name, m->size, m->packed_size);
    m->block = ig_alloc(m->size + 1, 1); /* a byte more detects excess data */
    if (!m->block)
        return ig_fail_memory(error, path);
    m->bytes = m->block;
    if (ig_inflate(m->packed, m->packed_size, m->block, m->size + 1, m->crc, &whole) ==
            m->size &&
        whole)
        return IG_OK;
    return ig_fail(error, IG_FORMAT,
                   "%s: %s.npy is damaged: it does not unpack to its %zu bytes", path,
                   m->name, m->size);
}

/* --- columns ---------------------------------------------------------------------- */

static uint64_t read_bits(const ig_array *m, const unsigned char *at, size_t size)
{
    bool big = m->npy.swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    uint64_t bits = 0;

    for (size_t k = 0; k < size; k++)
        bits = bits << 8 | at[big ? k : size - 1 - k];
    return bits;
}

static size_t decode_utf32(const ig_array *m, const unsigned char *at, char *out)
{
    size_t used = 0;

    for (size_t k = 0; k < m->npy.item / 4; k++) {
        uint64_t code = read_bits(m, at + 4 * k, 4);
        size_t n = code <= 0x10ffff ? ig_text_encode((int32_t)code, out + used) : 0;

        if (code == 0)
            break;
        used += n ? n : ig_text_encode(0xfffd, out + used);
    }
    return used;
}

/* Value i as text, in `room` (large enough for any value) or in the file. */
static ig_field format_value(const ig_array *m, size_t i, char *room)
{
    const unsigned char *at = m->bytes + m->npy.offset + i * m->npy.item;
    uint64_t bits = m->npy.item <= 8 ? read_bits(m, at, m->npy.item) : 0;
    size_t length = m->npy.item;
    double value;

    switch (m->npy.dtype) {
    case IG_UTF32:
        return (ig_field){room, decode_utf32(m, at, room)};
    case IG_BYTES:
        while (length > 0 && at[length - 1] == '\0')
            length--;
        return (ig_field){(const char *)at, length};
    case IG_U1:
    case IG_I1:
    case IG_I4:
    case IG_I8:
        if (m->npy.dtype != IG_U1 && length < 8 && bits >> (8 * length - 1))
            bits |= UINT64_MAX << 8 * length;
        return (ig_field){room, (size_t)sprintf(room, "%lld", (long long)bits)};
    default:
        value = ig_vectors_value(&(ig_vectors){.values = m->bytes + m->npy.offset,
                                               .rows = m->npy.count,
                                               .dims = 1,
                                               .dtype = m->npy.dtype,
                                               .swapped = m->npy.swapped},
                                 i, 0);
        return (ig_field){room, (size_t)sprintf(room, "%.9g", value)};
    }
}

/* Choose the columns: arrays of a role, which must fit, and others with a value per
 * row. */
static ig_status find_columns(const ig_arrays *a, const ig_array *matrix,
                              ig_array **column, ig_field *name, size_t *count,
                              ig_error *error)
{
    const ig_dataset_options *options = a->source->options;
    size_t rows = matrix->npy.shape[0], role[IG_COLUMN_ID + 1];
    const char *vector = ig_column_name(options, IG_COLUMN_VECTOR);

    for (int k = 0; k <= IG_COLUMN_ID; k++)
        role[k] = ig_column_find(options, (ig_column_role)k, a->names.name, a->count);
    *count = 0;
    for (size_t i = 0; i < a->count; i++) {
        ig_array *m = &a->array[i];
        bool fits = m->npy.dimensions == 1 && m->npy.count == rows, named = false;

        for (int k = 0; k <= IG_COLUMN_ID; k++)
            named |= role[k] == i && m != matrix;
        if (named && !m->known)
            return ig_fail(error, IG_FORMAT,
                           "%s: the array %s holds no plain texts or numbers; "
                           "np.array(values, dtype=str) does",
                           a->source->path, m->name);
        if (named && !fits)
            return ig_fail(error, IG_SHAPE,
                           "%s: the array %s has %zu values, but %s has %zu rows",
                           a->source->path, m->name, m->npy.count, matrix->name, rows);
        if (m == matrix || !m->known || !fits || strcmp(m->name, vector) == 0 ||
            !ig_quote_is_text(m->name, strlen(m->name)))
            continue;
        column[*count] = m;
        name[(*count)++] = (ig_field){m->name, strlen(m->name)};
    }
    return IG_OK;
}

static ig_status read_rows(ig_reader *r, const ig_arrays *a, ig_array **column,
                           size_t count, size_t rows, ig_error *error)
{
    size_t longest = 0;
    ig_columns *c = a->source->columns;
    ig_status status = ig_columns_reserve(c, c->rows + rows, error);
    char *room;

    for (size_t k = 0; k < count && status == IG_OK; k++) {
        status = unpack(a, column[k], error);
        column[k]->used = true;
        longest = column[k]->npy.item > longest ? column[k]->npy.item : longest;
    }
    if (status != IG_OK)
        return status;
    room = ig_alloc(longest + 32, 1); /* a number takes up to 24 */
    if (!room)
        return ig_fail_memory(error, a->source->path);
    for (size_t i = 0; i < rows && status == IG_OK; i++) {
        ig_field lang = {0};

        if (r->lang != SIZE_MAX)
            lang = format_value(column[r->lang], i, room);
        status = ig_reader_row(r, 0, lang, error);
        for (size_t k = 0; k < count && status == IG_OK; k++)
            status = ig_reader_cell(r, 0, k, format_value(column[k], i, room), error);
    }
    ig_free(room);
    return status;
}

/* Append the rows, unless the file has no language, text or id: then it is a matrix
 * with a table, or the rows of LANG=FILE. */
static ig_status read_columns(const ig_arrays *a, const ig_array *matrix,
                              ig_error *error)
{
    const ig_source *s = a->source;
    ig_array **column = ig_alloc(a->count, sizeof(ig_array *));
    ig_field *name = ig_alloc(a->count, sizeof *name);
    ig_reader r = {.source = s, .kind = "array"};
    size_t count = 0;
    ig_status status = column && name ? IG_OK : ig_fail_memory(error, s->path);
    bool described = s->language != UINT32_MAX || s->options->lang;

    if (status == IG_OK)
        status = find_columns(a, matrix, column, name, &count, error);
    for (int k = 0; k <= IG_COLUMN_ID; k++)
        described |= ig_column_find(s->options, (ig_column_role)k, a->names.name,
                                    a->count) < a->count;
    if (status == IG_OK && described && count) {
        status =
            ig_reader_names(&r, &(ig_record){.count = count, .field = name}, error);
        if (status == IG_OK)
            status = read_rows(&r, a, column, count, matrix->npy.shape[0], error);
        status = ig_reader_end(&r, status, NULL, error);
    }
    IG_FREE(column, name);
    return status;
}

/* Name arrays that are neither the vectors nor a column. */
static ig_status remark_unused(const ig_arrays *a, const ig_array *matrix,
                               ig_error *error)
{
    bool version = a->source->options->column[IG_COLUMN_VECTOR]; /* of several */
    const char *name[16];
    char list[IG_LIST_SIZE];
    size_t n = 0;

    for (size_t i = 0; i < a->count && n < 16; i++)
        if (!a->array[i].used && &a->array[i] != matrix &&
            !(version && is_matrix(&a->array[i])))
            name[n++] = a->array[i].name;
    return n ? ig_columns_remark(a->source->columns, error, "not used: %s %s",
                                 n == 1 ? "array" : "arrays",
                                 ig_quote_list(list, name, n))
             : IG_OK;
}

/* --- files ------------------------------------------------------------------------ */

static void free_arrays(ig_arrays *a)
{
    for (size_t i = 0; i < a->count; i++)
        ig_free(a->array[i].block);
    ig_free(a->array);
    ig_names_free(&a->names);
}

ig_status ig_arrays_read(const ig_source *source, const ig_format *format,
                         ig_vectors *vectors, ig_error *error)
{
    ig_arrays a = {.source = source};
    ig_array *matrix = NULL;
    ig_status status = format->list(&a, error);

    if (status == IG_OK)
        status = find_matrix(&a, &matrix, error);
    if (status == IG_OK)
        status = unpack(&a, matrix, error);
    if (status == IG_OK)
        status = ig_vectors_of_npy(vectors, source->path, &matrix->npy, matrix->bytes,
                                   source->options->type, error);
    if (status == IG_OK && source->columns)
        status = read_columns(&a, matrix, error);
    if (status == IG_OK && source->columns)
        status = remark_unused(&a, matrix, error);
    /* The vectors own an unpacked block or the mapped file. */
    if (status == IG_OK && matrix->block) {
        vectors->content.block = matrix->block;
        matrix->block = NULL;
    } else if (status == IG_OK) {
        vectors->content = ig_content_move(source->content);
    }
    free_arrays(&a);
    return status;
}

ig_status ig_arrays_matrices(const ig_source *source, const ig_format *format,
                             ig_names *names, ig_error *error)
{
    ig_arrays a = {.source = source};
    ig_status status = format->list(&a, error);
    bool equal = status == IG_OK && !find_usual(&a);
    size_t rows = 0, matrices = 0;
    uint32_t number;

    for (size_t i = 0; i < a.count && equal; i++)
        if (is_matrix(&a.array[i])) {
            equal = !rows || a.array[i].npy.shape[0] == rows;
            rows = a.array[i].npy.shape[0];
            matrices++;
        }
    for (size_t i = 0; i < a.count && equal && matrices > 1 && status == IG_OK; i++)
        if (is_matrix(&a.array[i]))
            status = ig_names_add(names, a.array[i].name, strlen(a.array[i].name),
                                  &number, error);
    free_arrays(&a);
    return status;
}
