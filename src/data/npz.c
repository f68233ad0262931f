/* .npz archives of numpy.savez and savez_compressed: one matrix holds the vectors;
 * arrays with one value per row are languages, texts, ids and labels, by name. A stored
 * matrix is mapped. All headers are read, but only arrays in use are decompressed. */
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "data/format.h"
#include "data/names.h"
#include "data/zip.h"

/* An array of the archive. */
typedef struct member {
    char name[128]; /* without .npy */
    ig_npy npy;
    bool known;          /* the header is readable */
    bool used;           /* it is the matrix, or a column … */
    ig_column_role role; /* … of this role; IG_COLUMN_ROLES: a label … */
    size_t label;        /* … with this number */
    ig_zip_member packed;
    const unsigned char *bytes; /* of the .npy file if used, else NULL */
    void *block;                /* owner of the decompressed bytes, or NULL */
} member;

typedef struct archive {
    const ig_source *source;
    ig_zip zip;
    ig_names names; /* member names, in order */
    member *member;
    size_t count, capacity;
    member *matrix, *lang; /* lang may be NULL */
    member **column;       /* (columns) texts, ids and labels */
    size_t columns;
    ig_error unread; /* error of the first unreadable array */
    ig_error *error;
} archive;

static ig_status fail_names(const archive *a, const char *what)
{
    char list[IG_LIST_SIZE];

    return ig_fail(a->error, IG_FORMAT, "%s: %s (arrays: %s)", a->source->path, what,
                   a->count ? ig_quote_list(list, a->names.name, a->count) : "none");
}

static member *find_member(const archive *a, const char *name)
{
    uint32_t number = ig_names_find(&a->names, name, strlen(name));

    return number == UINT32_MAX ? NULL : &a->member[number];
}

/* Read the header of an array without decompressing its values. An unreadable array
 * only matters if it is used. */
static ig_status read_header(archive *a, member *m)
{
    enum { HEADER = 2048 }; /* numpy writes 128 bytes */
    unsigned char head[HEADER];
    ig_error why;
    size_t got = ig_zip_head(&m->packed, head, sizeof head);
    size_t start = got > 6 && head[6] > 1 ? 12 : 10;

    if (m->packed.size < 10)
        return ig_fail(a->error, IG_FORMAT, "%s: the array %s is cut short",
                       a->source->path, m->name);
    if (got < start)
        return ig_fail(a->error, IG_FORMAT, "%s: the array %s is damaged",
                       a->source->path, m->name);
    if (start + (head[8] | (size_t)head[9] << 8) <= got &&
        (start == 10 || (head[10] == 0 && head[11] == 0)))
        m->known = ig_npy_parse(&m->npy, m->name, head, m->packed.size, &why) == IG_OK;
    else
        ig_fail(&why, IG_FORMAT, "%s: the .npy header is too long", m->name);
    if (!m->known && !a->unread.message[0])
        a->unread = why;
    return IG_OK;
}

static ig_status add_member(archive *a, const ig_zip_member *in)
{
    char *ending = strrchr(in->name, '.');
    size_t length = ending ? (size_t)(ending - in->name) : 0;
    member *m;
    uint32_t number;
    ig_status status;

    if (!ending || strcmp(ending, ".npy") != 0)
        return IG_OK;
    status = ig_array_grow(&a->member, &a->capacity, a->count + 1, sizeof *a->member,
                           a->source->path, a->error);
    if (status == IG_OK)
        status = ig_names_add(&a->names, in->name, length, &number, a->error);
    if (status != IG_OK)
        return status;
    m = &a->member[a->count];
    *m = (member){.packed = *in};
    memcpy(m->name, in->name, length);
    if (number < a->count)
        return ig_fail(a->error, IG_FORMAT, "%s: has two arrays named %s",
                       a->source->path, m->name);
    a->count++;
    return read_header(a, m);
}

/* Decompress an array in use; its header was checked against its size. */
static ig_status unpack_member(const archive *a, member *m)
{
    return m->bytes
               ? IG_OK
               : ig_zip_unpack(&a->zip, &m->packed, &m->bytes, &m->block, a->error);
}

static bool is_matrix(const member *m)
{
    return m->known && m->npy.dimensions == 2 && m->npy.dtype != IG_UTF32 &&
           m->npy.dtype != IG_BYTES;
}

static member *find_usual(const archive *a)
{
    static const char *const usual[] = {"embedding", "embeddings", "vectors", "vector",
                                        "meaning"};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        member *m = find_member(a, usual[i]);

        if (m && is_matrix(m))
            return m;
    }
    return NULL;
}

/* Find the vectors: --column vector=NAME, else the only matrix, else one with a default
 * name. */
static ig_status find_matrix(archive *a)
{
    const char *wanted = a->source->options->column[IG_COLUMN_VECTOR];
    size_t matrices = 0;

    if (wanted) {
        a->matrix = find_member(a, wanted);
        if (!a->matrix || !is_matrix(a->matrix))
            return fail_names(a, a->matrix ? "the array that --column vector names is "
                                             "no matrix of numbers"
                                           : "has not the array that --column vector "
                                             "names");
        return IG_OK;
    }
    for (size_t i = 0; i < a->count; i++)
        if (is_matrix(&a->member[i])) {
            a->matrix = &a->member[i];
            matrices++;
        }
    if (matrices > 1 && find_usual(a)) {
        a->matrix = find_usual(a);
        matrices = 1;
    }
    if (matrices == 0 && a->unread.message[0])
        return ig_fail(a->error, IG_FORMAT, "%s: %s", a->source->path,
                       a->unread.message);
    if (matrices == 0)
        return fail_names(a, "no array has two dimensions (rows, dims)");
    return matrices == 1 ? IG_OK
                         : fail_names(a, "several matrices, --column vector=NAME says "
                                         "which");
}

/* --- values as texts -------------------------------------------------------------- */

static const unsigned char *get_value(const member *m, size_t i)
{
    return m->bytes + m->npy.offset + i * m->npy.item;
}

static uint64_t read_bits(const member *m, const unsigned char *at, size_t size)
{
    bool big = m->npy.swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    uint64_t bits = 0;

    for (size_t k = 0; k < size; k++)
        bits = bits << 8 | at[big ? k : size - 1 - k];
    return bits;
}

static size_t decode_utf32(const member *m, size_t i, char *out)
{
    size_t used = 0;

    for (size_t k = 0; k < m->npy.item / 4; k++) {
        uint64_t code = read_bits(m, get_value(m, i) + 4 * k, 4);
        size_t n;

        if (code == 0)
            break;
        n = code <= 0x10ffff ? ig_text_encode((int32_t)code, out + used) : 0;
        used += n ? n : ig_text_encode(0xfffd, out + used);
    }
    return used;
}

/* Value i as text: *text points into `room` (large enough for any value) or into the
 * file. Returns its length. */
static size_t format_value(const member *m, size_t i, char *room, const char **text)
{
    const char *bytes = (const char *)get_value(m, i);
    size_t length = m->npy.item;
    ig_vectors one = {.values = m->bytes + m->npy.offset,
                      .rows = m->npy.count,
                      .dims = 1,
                      .dtype = m->npy.dtype,
                      .swapped = m->npy.swapped};

    *text = room;
    switch (m->npy.dtype) {
    case IG_UTF32:
        return decode_utf32(m, i, room);
    case IG_BYTES:
        while (length > 0 && bytes[length - 1] == '\0')
            length--;
        *text = bytes;
        return length;
    case IG_U1:
        return (size_t)sprintf(room, "%u", (unsigned)read_bits(m, get_value(m, i), 1));
    case IG_I1:
        return (size_t)sprintf(room, "%d",
                               (int)(int8_t)read_bits(m, get_value(m, i), 1));
    case IG_I4:
        return (size_t)sprintf(room, "%ld",
                               (long)(int32_t)read_bits(m, get_value(m, i), 4));
    case IG_I8:
        return (size_t)sprintf(room, "%lld",
                               (long long)read_bits(m, get_value(m, i), 8));
    default:
        return (size_t)sprintf(room, "%.9g", ig_vectors_value(&one, i, 0));
    }
}

/* --- columns ---------------------------------------------------------------------- */

static ig_status find_column(archive *a, ig_column_role role)
{
    size_t rows = a->matrix->npy.shape[0];
    size_t i = ig_columns_find(a->source->columns, a->source->options, role,
                               a->names.name, a->count);
    member *m = i < a->count ? &a->member[i] : NULL;

    if (!m || m == a->matrix)
        return a->source->options->column[role]
                   ? fail_names(a, "has not the array that --column names")
                   : IG_OK;
    if (!m->known)
        return ig_fail(a->error, IG_FORMAT,
                       "%s: the array %s holds no plain texts or numbers; "
                       "np.array(values, dtype=str) does",
                       a->source->path, m->name);
    if (m->npy.dimensions != 1 || m->npy.count != rows)
        return ig_fail(a->error, IG_SHAPE,
                       "%s: the array %s has %zu values, but %s has %zu rows",
                       a->source->path, m->name, m->npy.count, a->matrix->name, rows);
    m->used = true;
    m->role = role;
    if (role == IG_COLUMN_LANG)
        a->lang = m;
    else
        a->column[a->columns++] = m;
    return unpack_member(a, m);
}

/* Add an array as a label, if it has one value per row and a printable name. */
static ig_status add_label(archive *a, member *m)
{
    const char *vector = ig_column_name(a->source->options, IG_COLUMN_VECTOR);
    ig_status status;

    if (m->used || !m->known || m->npy.dimensions != 1 ||
        m->npy.count != a->matrix->npy.shape[0] || strcmp(m->name, vector) == 0 ||
        !ig_quote_is_text(m->name, strlen(m->name)))
        return IG_OK;
    m->role = IG_COLUMN_ROLES;
    a->column[a->columns++] = m;
    status = ig_columns_add_label(a->source->columns, m->name, strlen(m->name),
                                  &m->label, a->error);
    return status == IG_OK ? unpack_member(a, m) : status;
}

static ig_status set_value(const archive *a, const member *m, size_t i, char *room)
{
    ig_columns *c = a->source->columns;
    const char *text;
    size_t length = format_value(m, i, room, &text);

    if (m->role == IG_COLUMN_TEXT)
        return ig_columns_text(c, text, length, a->error);
    if (!ig_quote_is_text(text, length))
        return ig_fail(a->error, IG_FORMAT, "%s: value %zu of %s is not valid UTF-8",
                       a->source->path, i, m->name);
    return m->role == IG_COLUMN_ID
               ? ig_columns_id(c, text, length, a->error)
               : ig_columns_label(c, m->label, text, length, a->error);
}

/* Append row i with its language: from the array, LANG=FILE or --lang. */
static ig_status append_row(const archive *a, size_t i, char *room)
{
    ig_columns *c = a->source->columns;
    uint32_t language = a->source->language;
    const char *text = a->source->options->lang;
    size_t length = text ? strlen(text) : 0;
    ig_status status = IG_OK;

    if (language == UINT32_MAX) {
        if (a->lang)
            length = format_value(a->lang, i, room, &text);
        if (length == 0 || !ig_quote_is_text(text, length))
            return ig_fail(a->error, IG_FORMAT, "%s: value %zu of %s is %s",
                           a->source->path, i, a->lang ? a->lang->name : "--lang",
                           length ? "not valid UTF-8" : "empty");
        status = ig_columns_language(c, text, length, &language, a->error);
    }
    return status == IG_OK ? ig_columns_append(c, language, a->error) : status;
}

static ig_status add_rows(const archive *a)
{
    size_t rows = a->matrix->npy.shape[0], longest = a->lang ? a->lang->npy.item : 0;
    ig_status status = ig_columns_reserve(a->source->columns,
                                          a->source->columns->rows + rows, a->error);
    char *room;

    for (size_t k = 0; k < a->columns; k++)
        longest = a->column[k]->npy.item > longest ? a->column[k]->npy.item : longest;
    room = ig_alloc(longest + 32, 1); /* a number takes up to 24 */
    if (!room)
        return ig_fail_memory(a->error, a->source->path);
    for (size_t i = 0; i < rows && status == IG_OK; i++) {
        status = append_row(a, i, room);
        for (size_t k = 0; k < a->columns && status == IG_OK; k++)
            status = set_value(a, a->column[k], i, room);
    }
    ig_free(room);
    return status;
}

/* Select the column arrays and append the rows; none if the archive has no language,
 * text or id. */
static ig_status read_columns(archive *a)
{
    ig_status status = IG_OK;

    a->matrix->used = true;
    a->column = ig_alloc(a->count, sizeof(member *));
    if (!a->column)
        return ig_fail_memory(a->error, a->source->path);
    for (int role = IG_COLUMN_LANG; role <= IG_COLUMN_ID && status == IG_OK; role++)
        status = find_column(a, (ig_column_role)role);
    if (status != IG_OK)
        return status;
    if (!a->lang && !a->source->options->lang && a->source->language == UINT32_MAX)
        return a->columns ? fail_names(a, "no array lang; --lang CODE or --column "
                                          "lang=NAME says what language the rows are")
                          : IG_OK;
    for (size_t i = 0; i < a->count && status == IG_OK; i++)
        status = add_label(a, &a->member[i]);
    /* Without columns, open.c numbers the rows of LANG=FILE. */
    if (status == IG_OK && (a->columns > 0 || a->source->language == UINT32_MAX))
        status = add_rows(a);
    return status;
}

static ig_status read_members(archive *a)
{
    const ig_content *content = a->source->content;
    bool any = true;
    ig_status status =
        ig_zip_open(&a->zip, a->source->path, content->bytes, content->size, a->error);

    while (status == IG_OK && any) {
        ig_zip_member in;

        status = ig_zip_next(&a->zip, &in, &any, a->error);
        if (status == IG_OK && any)
            status = add_member(a, &in);
    }
    return status;
}

/* The matrices, if there are several of equal rows and none has a default name. */
static ig_status list_npz(const ig_source *source, ig_names *names, ig_error *error)
{
    archive a = {.source = source, .error = error};
    ig_status status = read_members(&a);
    size_t rows = 0;
    bool equal = status == IG_OK && !find_usual(&a);
    uint32_t number;

    for (size_t i = 0; i < a.count && equal; i++)
        if (is_matrix(&a.member[i])) {
            equal = !rows || a.member[i].npy.shape[0] == rows;
            rows = a.member[i].npy.shape[0];
        }
    for (size_t i = 0; i < a.count && equal && status == IG_OK; i++)
        if (is_matrix(&a.member[i]))
            status = ig_names_add(names, a.member[i].name, strlen(a.member[i].name),
                                  &number, error);
    ig_free(a.member);
    ig_names_free(&a.names);
    return status;
}

static ig_status read_all(archive *a, ig_vectors *vectors)
{
    ig_status status = read_members(a);

    if (status == IG_OK)
        status = find_matrix(a);
    if (status == IG_OK)
        status = unpack_member(a, a->matrix);
    if (status == IG_OK)
        status = ig_vectors_of_npy(vectors, a->source->path, &a->matrix->npy,
                                   a->matrix->bytes, a->source->options->type,
                                   a->error);
    return status == IG_OK ? read_columns(a) : status;
}

static ig_status read_npz(const ig_source *source, ig_vectors *vectors, ig_error *error)
{
    archive a = {.source = source, .error = error};
    ig_status status = read_all(&a, vectors);

    /* The vectors own a decompressed block or the mapped file. */
    if (status == IG_OK && a.matrix->block) {
        vectors->content.block = a.matrix->block;
        a.matrix->block = NULL;
    } else if (status == IG_OK) {
        vectors->content = ig_content_move(source->content);
    }
    for (size_t i = 0; i < a.count; i++)
        ig_free(a.member[i].block);
    IG_FREE(a.member, a.column);
    ig_names_free(&a.names);
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .matrices = list_npz,
                                 .read = read_npz};

/* --- .npy and headerless floats --------------------------------------------------- */

/* Restrict an array (versions, rows, dims) to one version: that of --column
 * vector=NUMBER. */
static ig_status choose_version(ig_npy *npy, const ig_source *source, ig_error *error)
{
    const char *wanted = source->options->column[IG_COLUMN_VECTOR];
    size_t number = 0, versions = npy->shape[0];
    bool known = wanted && *wanted;

    for (const char *digit = wanted; known && *digit; digit++) {
        known = *digit >= '0' && *digit <= '9' && number < versions;
        number = 10 * number + (size_t)(*digit - '0');
    }
    if (!known || number >= versions)
        return ig_fail(error, IG_SHAPE,
                       "%s: has %zu versions (versions, rows, dims), 0 to %zu%s%s",
                       source->path, versions, versions - 1,
                       wanted ? ", not " : "; --only NUMBER chooses one",
                       wanted ? wanted : "");
    if (npy->fortran)
        return ig_fail(error, IG_FORMAT,
                       "%s: versions are read in C order, this is in Fortran order; "
                       "np.ascontiguousarray mends it",
                       source->path);
    npy->count /= versions;
    npy->offset += number * npy->count * npy->item;
    npy->dimensions = 2;
    npy->shape[0] = npy->shape[1];
    npy->shape[1] = npy->shape[2];
    return IG_OK;
}

/* "0", "1", …: the versions of an array of three dimensions. */
static ig_status list_npy(const ig_source *source, ig_names *names, ig_error *error)
{
    char name[24];
    uint32_t number;
    ig_npy npy;
    ig_status status = ig_npy_parse(&npy, source->path, source->content->bytes,
                                    source->content->size, error);

    for (size_t i = 0; status == IG_OK && npy.dimensions == 3 && i < npy.shape[0]; i++)
        status =
            ig_names_add(names, name, (size_t)sprintf(name, "%zu", i), &number, error);
    return status;
}

static ig_status read_npy(const ig_source *source, ig_vectors *v, ig_error *error)
{
    ig_content *content = source->content;
    ig_npy npy;
    ig_status status =
        ig_npy_parse(&npy, source->path, content->bytes, content->size, error);

    if (status == IG_OK && npy.dimensions == 3)
        status = choose_version(&npy, source, error);
    if (status == IG_OK)
        status = ig_vectors_of_npy(v, source->path, &npy, content->bytes,
                                   source->options->type, error);
    if (status == IG_OK)
        v->content = ig_content_move(content);
    return status;
}

const ig_format ig_format_npy = {.ending = {".npy"},
                                 .magic = "\x93NUMPY",
                                 .alone = "set.npy with set.csv",
                                 .of_language = "LANG=vectors.npy,texts.txt",
                                 .matrices = list_npy,
                                 .read = read_npy};

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
