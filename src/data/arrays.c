/* Vectors and columns of files of named arrays. */
#include "data/arrays.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"

ig_status ig_arrays_add(ig_arrays *a, const char *name, size_t length,
                        const ig_array *array, ig_error *error)
{
    char quoted[IG_QUOTE_SIZE];
    uint32_t number;
    ig_status status = ig_array_grow(&a->array, &a->capacity, a->count + 1,
                                     sizeof *a->array, a->path, error);

    if (status == IG_OK)
        status = ig_names_add(&a->names, name, length, &number, error);
    if (status != IG_OK)
        return status;
    if (number < a->count)
        return ig_fail(error, IG_FORMAT, "%s: has two arrays named %s", a->path,
                       ig_quote(quoted, name, length));
    a->array[a->count] = *array;
    a->array[a->count++].name = a->names.name[number];
    return IG_OK;
}

void ig_arrays_free(ig_arrays *a)
{
    for (size_t i = 0; i < a->count; i++)
        ig_free(a->array[i].block);
    ig_content_close(&a->content);
    ig_free(a->array);
    ig_names_free(&a->names);
    *a = (ig_arrays){0};
}

/* --- .npy ------------------------------------------------------------------------- */

/* One array, or those of the versions "0", "1", …: (versions, rows, dims). */
static ig_status list_npy(ig_arrays *a, ig_error *error)
{
    const ig_content *content = &a->content;
    ig_array m = {.bytes = content->bytes, .known = true};
    ig_status status = ig_npy_parse(&m.npy, a->path, content->bytes, content->size,
                                    content->size, error);
    size_t versions = m.npy.shape[0];
    char name[24];

    if (status != IG_OK || m.npy.dimensions != 3)
        return status == IG_OK ? ig_arrays_add(a, "", 0, &m, error) : status;
    if (m.npy.fortran)
        return ig_fail(error, IG_FORMAT,
                       "%s: versions are read in C order, this is in Fortran order; "
                       "np.ascontiguousarray mends it",
                       a->path);
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

/* --- the matrix ------------------------------------------------------------------- */

bool ig_array_is_matrix(const ig_array *m)
{
    return m->known && m->npy.dimensions == 2 && m->npy.dtype != IG_I4 &&
           m->npy.dtype != IG_I8 && m->npy.dtype < IG_UTF32;
}

/* The array that --column names, or that has the usual name; NULL: none. */
static ig_array *find_named(const ig_arrays *a, const ig_dataset_options *options)
{
    const char *wanted = options->column[IG_COLUMN_VECTOR];
    size_t i = wanted
                   ? ig_names_find(&a->names, wanted, strlen(wanted))
                   : ig_column_find(options, IG_COLUMN_VECTOR, a->names.name, a->count);

    return i < a->count ? &a->array[i] : NULL;
}

/* Count the matrices; *last is one, *equal whether all have as many rows. */
static size_t count_matrices(const ig_arrays *a, ig_array **last, bool *equal)
{
    size_t matrices = 0;

    *equal = true;
    for (size_t i = 0; i < a->count; i++)
        if (ig_array_is_matrix(&a->array[i])) {
            *equal &= !matrices++ || (*last)->npy.shape[0] == a->array[i].npy.shape[0];
            *last = &a->array[i];
        }
    return matrices;
}

size_t ig_arrays_matrices(const ig_arrays *a, const ig_dataset_options *options)
{
    const ig_array *named = find_named(a, options);
    ig_array *last = NULL;
    bool equal;
    size_t matrices = count_matrices(a, &last, &equal);

    return options->column[IG_COLUMN_VECTOR] || (named && ig_array_is_matrix(named)) ||
                   !equal
               ? 0
               : matrices;
}

bool ig_name_is_language(const char *name)
{
    size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    bool more = name[letters] == '-' || name[letters] == '_';

    return (letters == 2 && !name[letters]) ||
           ((letters == 2 || letters == 3) && more && strlen(name) <= letters + 5);
}

bool ig_arrays_are_languages(const ig_arrays *a, const ig_dataset_options *options)
{
    bool codes = !options->meta && ig_arrays_matrices(a, options) > 1;

    for (size_t i = 0; i < a->count && codes; i++)
        codes = !ig_array_is_matrix(&a->array[i]) ||
                ig_name_is_language(a->array[i].name);
    return codes;
}

static ig_status find_matrix(const ig_arrays *a, const ig_dataset_options *options,
                             ig_array **matrix, ig_error *error)
{
    const char *wanted = options->column[IG_COLUMN_VECTOR], *what;
    char list[IG_LIST_SIZE];
    size_t matrices;
    bool equal;

    *matrix = a->count == 1 && !*a->array->name ? a->array : find_named(a, options);
    if (*matrix && (!*(*matrix)->name || ig_array_is_matrix(*matrix)))
        return IG_OK; /* of a file of one array, ig_array_vectors says what is wrong */
    matrices = wanted ? 0 : count_matrices(a, matrix, &equal);
    if (matrices == 1)
        return IG_OK;
    if (!wanted && !matrices && a->unread.message[0])
        return ig_fail(error, IG_FORMAT, "%s: %s", a->path, a->unread.message);
    what = wanted && *matrix ? "the array that --column vector names is no matrix of "
                               "numbers"
           : wanted          ? "has not the array that --column vector names"
           : matrices        ? "several matrices, --column vector=NAME says which"
                             : "no array has two dimensions (rows, dims)";
    return ig_fail(error, IG_FORMAT, "%s: %s (arrays: %s)", a->path, what,
                   a->count ? ig_quote_list(list, a->names.name, a->count) : "none");
}

/* Unpack an array in use; its header was checked against its size. */
static ig_status unpack(const ig_arrays *a, ig_array *m, ig_error *error)
{
    enum { MAX_RATIO = 1040 }; /* upper bound of deflate's: 1032 by design */
    uint32_t crc = 0;

    if (m->bytes)
        return IG_OK;
    if (m->size / MAX_RATIO > m->packed_size)
        return ig_fail(error, IG_FORMAT,
                       "%s: %s.npy cannot hold the %zu bytes that are promised in %zu "
                       "packed ones",
                       a->path, m->name, m->size, m->packed_size);
    m->bytes = m->block = ig_alloc(m->size + 1, 1); /* one more detects excess data */
    if (!m->block)
        return ig_fail_memory(error, a->path);
    return ig_inflate(m->packed, m->packed_size, m->block, m->size + 1, &crc) ==
                       m->size &&
                   crc == m->crc
               ? IG_OK
               : ig_fail(error, IG_FORMAT,
                         "%s: %s.npy is damaged: it does not unpack to its %zu bytes",
                         a->path, m->name, m->size);
}

ig_status ig_array_vectors(ig_arrays *a, ig_array *m, const ig_dataset_options *options,
                           ig_vectors *v, ig_error *error)
{
    const ig_npy *npy = &m->npy;
    ig_status status;

    if (npy->dtype == IG_OPAQUE2 && options->type != IG_TYPE_BF16)
        return ig_fail(error, IG_FORMAT,
                       "%s: its values are two bytes of no type (V2 or u2); if they "
                       "are bfloat16, --type bf16 says so",
                       a->path);
    if (npy->dtype == IG_I4 || npy->dtype == IG_I8 || npy->dtype >= IG_UTF32)
        return ig_fail(
            error, IG_FORMAT,
            "%s: dtype '%s' is not supported (expected f2, f4, f8, i1 or u1)", a->path,
            ig_dtype_name(npy->dtype));
    if (npy->dimensions == 1)
        return ig_fail(error, IG_SHAPE,
                       "%s: has the shape (%zu,), not two dimensions (rows, dims)",
                       a->path, npy->shape[0]);
    if (npy->dimensions != 2)
        return ig_fail(error, IG_SHAPE, "%s: has %zu dimensions, not two (rows, dims)",
                       a->path, npy->dimensions);
    if (npy->count == 0)
        return ig_fail(error, IG_SHAPE, "%s: has the shape (%zu, %zu): no values",
                       a->path, npy->shape[0], npy->shape[1]);
    status = unpack(a, m, error);
    if (status != IG_OK)
        return status;
    *v = ig_vectors_of_npy(npy, m->bytes);
    v->dtype = npy->dtype == IG_OPAQUE2 ? IG_BF2 : npy->dtype;
    v->mapped = !m->block && a->content.mapping.size > 0;
    if (m->block) {
        v->content.block = m->block;
        m->block = NULL;
    } else if (!a->shared) {
        v->content = a->content;
        a->content = (ig_content){0};
    }
    return IG_OK;
}

/* --- columns ---------------------------------------------------------------------- */

static uint64_t read_bits(const unsigned char *at, size_t size, bool big)
{
    uint64_t bits = 0;

    for (size_t k = 0; k < size; k++)
        bits = bits << 8 | at[big ? k : size - 1 - k];
    return bits;
}

static size_t decode_utf32(const ig_npy *npy, const unsigned char *at, char *out)
{
    size_t used = 0;

    for (size_t k = 0; k < npy->item / 4; k++) {
        uint64_t code = read_bits(at + 4 * k, 4, npy->swapped);
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
    const ig_npy *npy = &m->npy;
    const unsigned char *at = m->bytes + npy->offset + i * npy->item;
    size_t length = npy->item;
    ig_vectors values = ig_vectors_of_npy(npy, m->bytes);
    uint64_t bits;

    switch (npy->dtype) {
    case IG_UTF32:
        return (ig_field){room, decode_utf32(npy, at, room)};
    case IG_BYTES:
        while (length > 0 && at[length - 1] == '\0')
            length--;
        return (ig_field){(const char *)at, length};
    case IG_U1:
    case IG_I1:
    case IG_I4:
    case IG_I8:
        bits = read_bits(at, length, npy->swapped);
        if (npy->dtype != IG_U1 && length < 8 && bits >> (8 * length - 1))
            bits |= UINT64_MAX << 8 * length;
        return (ig_field){room, (size_t)sprintf(room, "%lld", (long long)bits)};
    default:
        return (ig_field){
            room, (size_t)sprintf(room, "%.9g", ig_vectors_value(&values, i, 0))};
    }
}

static bool has_rows(const ig_array *m, size_t rows)
{
    return m->known && m->npy.dimensions == 1 && m->npy.count == rows;
}

/* Check that the arrays of the roles have a value per row; *described: there are
 * some. */
static ig_status check_roles(const ig_arrays *a, const ig_source *s,
                             const ig_array *matrix, bool *described, ig_error *error)
{
    size_t rows = matrix->npy.shape[0];

    for (int k = 0; k <= IG_COLUMN_ID; k++) {
        size_t i =
            ig_column_find(s->options, (ig_column_role)k, a->names.name, a->count);
        const ig_array *m = i < a->count ? &a->array[i] : matrix;

        *described |= i < a->count;
        if (m == matrix || has_rows(m, rows))
            continue;
        return m->known
                   ? ig_fail(error, IG_SHAPE,
                             "%s: the array %s has %zu values, but %s has %zu rows",
                             a->path, m->name, m->npy.count, matrix->name, rows)
                   : ig_fail(error, IG_FORMAT,
                             "%s: the array %s holds no plain texts or numbers; "
                             "np.array(values, dtype=str) does",
                             a->path, m->name);
    }
    return IG_OK;
}

static ig_status read_rows(ig_reader *r, const ig_arrays *a, size_t rows,
                           ig_error *error)
{
    size_t longest = 32; /* a number takes up to 24 */
    ig_status status = IG_OK;
    char *room;

    for (size_t k = 0; k < a->count && status == IG_OK; k++)
        if (a->array[k].used) {
            longest += a->array[k].npy.item;
            status = unpack(a, &a->array[k], error);
        }
    room = ig_alloc(longest, 1);
    if (status == IG_OK && !room)
        status = ig_fail_memory(error, a->path);
    for (size_t i = 0; i < rows && status == IG_OK; i++) {
        size_t column = 0;

        status = ig_reader_row(r, 0, error);
        for (size_t k = 0; k < a->count && status == IG_OK; k++)
            if (a->array[k].used)
                status = ig_reader_cell(r, 0, column++,
                                        format_value(&a->array[k], i, room), error);
    }
    ig_free(room);
    return status;
}

/* Append the rows from arrays with a value per row, unless the file has no language,
 * text or id: then it is a matrix with a table, or the rows of LANG=FILE. */
static ig_status read_columns(const ig_arrays *a, const ig_source *s,
                              const ig_array *matrix, ig_error *error)
{
    size_t rows = matrix->npy.shape[0], count = 0;
    ig_field *name = ig_alloc(a->count, sizeof *name);
    ig_reader r = {.source = s, .kind = "array"};
    bool described = s->language != UINT32_MAX || s->options->lang;
    ig_status status = name ? check_roles(a, s, matrix, &described, error)
                            : ig_fail_memory(error, s->path);

    for (size_t i = 0; i < a->count && described && status == IG_OK; i++) {
        ig_array *m = &a->array[i];

        m->used = m != matrix && has_rows(m, rows);
        if (m->used)
            name[count++] = (ig_field){m->name, strlen(m->name)};
    }
    if (status == IG_OK && count) {
        status =
            ig_reader_names(&r, &(ig_record){.count = count, .field = name}, error);
        if (status == IG_OK)
            status = read_rows(&r, a, rows, error);
        status = ig_reader_end(&r, status, NULL, error);
    }
    ig_free(name);
    return status;
}

/* Name arrays that are neither the vectors nor a column. */
static ig_status remark_unused(const ig_arrays *a, const ig_source *s,
                               const ig_array *matrix, ig_error *error)
{
    const char *name[16];
    char list[IG_LIST_SIZE];
    size_t n = 0;

    for (size_t i = 0; i < a->count && n < 16; i++)
        if (!a->array[i].used && &a->array[i] != matrix &&
            !(s->options->column[IG_COLUMN_VECTOR] && ig_array_is_matrix(&a->array[i])))
            name[n++] = a->array[i].name;
    return n ? ig_columns_remark(s->columns, error, "not used: %s %s",
                                 n == 1 ? "array" : "arrays",
                                 ig_quote_list(list, name, n))
             : IG_OK;
}

ig_status ig_arrays_read(ig_arrays *a, const ig_source *source, ig_vectors *vectors,
                         ig_error *error)
{
    ig_array *matrix = NULL;
    ig_status status = find_matrix(a, source->options, &matrix, error);

    if (status == IG_OK)
        status = ig_array_vectors(a, matrix, source->options, vectors, error);
    if (status == IG_OK && source->columns)
        status = read_columns(a, source, matrix, error);
    if (status == IG_OK && source->columns)
        status = remark_unused(a, source, matrix, error);
    return status;
}
