/* .npz archives, as numpy.savez and savez_compressed write them: one matrix is the
 * vectors; arrays of one value a row are languages, texts, ids and labels by their
 * names. A matrix that is stored is mapped where it is. Of every array the header is
 * read, and only those that are used are unpacked. */
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "data/format.h"
#include "data/quote.h"
#include "data/zip.h"

/* An array of the archive. */
typedef struct member {
    char name[128]; /* without .npy */
    ig_npy npy;
    bool known; /* the header could be read */
    ig_zip_member packed;
    const unsigned char *bytes; /* of its file, when it is used; else NULL */
    void *block;                /* that holds them, or NULL */
} member;

typedef struct archive {
    const ig_source *source;
    ig_zip zip;
    ig_names names; /* of the members, in their order */
    member *member;
    size_t count, capacity;
    member *matrix;
    ig_error *error;
} archive;

static ig_status fail_names(const archive *a, const char *what)
{
    char list[IG_LIST_SIZE];

    return ig_fail(a->error, IG_FORMAT, "%s: %s (arrays: %s)", a->source->path, what,
                   a->count ? ig_quote_list(list, a->names.name, a->count) : "none");
}

static member *find(const archive *a, const char *name)
{
    uint32_t number = ig_names_find(&a->names, name, strlen(name));

    return number == UINT32_MAX ? NULL : &a->member[number];
}

/* Read the header of an array, whose values stay packed. What cannot be read matters
 * only when it is asked for. */
static ig_status read_header(const archive *a, member *m)
{
    enum { HEADER = 2048 }; /* numpy writes 128 bytes for what is read here */
    unsigned char head[HEADER];
    size_t got = ig_zip_head(&m->packed, head, sizeof head);
    size_t start = got > 6 && head[6] > 1 ? 12 : 10;

    if (m->packed.size < 10)
        return ig_fail(a->error, IG_FORMAT, "%s: the array %s is cut short",
                       a->source->path, m->name);
    if (got < start)
        return ig_fail(a->error, IG_FORMAT, "%s: the array %s is damaged",
                       a->source->path, m->name);
    m->known = start + (head[8] | (size_t)head[9] << 8) <= got &&
               (start == 10 || (head[10] == 0 && head[11] == 0)) &&
               ig_npy_parse(&m->npy, m->name, head, m->packed.size, NULL) == IG_OK;
    return IG_OK;
}

/* Take the next member of the archive, when it is an array. */
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

/* The values of an array that is used. Its size is what its header promises, for the
 * header was checked against it. */
static ig_status unpack(const archive *a, member *m)
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

/* The vectors: what --column vector= names, else the one matrix, else the one of a
 * usual name. */
static ig_status find_matrix(archive *a)
{
    static const char *const usual[] = {"embedding", "embeddings", "vectors", "vector",
                                        "meaning"};
    const char *wanted = a->source->options->column[IG_COLUMN_VECTOR];
    size_t matrices = 0;

    if (wanted) {
        a->matrix = find(a, wanted);
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
    for (size_t i = 0; matrices > 1 && i < sizeof usual / sizeof *usual; i++) {
        member *m = find(a, usual[i]);

        if (m && is_matrix(m)) {
            a->matrix = m;
            matrices = 1;
        }
    }
    if (matrices == 0)
        return fail_names(a, "no array has two dimensions (rows, dims)");
    return matrices == 1 ? IG_OK
                         : fail_names(a, "several matrices, --column vector=NAME says "
                                         "which");
}

/* --- values as texts -------------------------------------------------------------- */

static uint64_t bits_of(const member *m, size_t i, size_t size)
{
    const unsigned char *at = m->bytes + m->npy.offset + i * m->npy.item;
    bool big = m->npy.swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    uint64_t bits = 0;

    for (size_t k = 0; k < size; k++)
        bits = bits << 8 | at[big ? k : size - 1 - k];
    return bits;
}

/* The code points of a value of <U, up to the zeros that fill it, as UTF-8. */
static size_t decode_utf32(const member *m, size_t i, char *out)
{
    const unsigned char *start = m->bytes + m->npy.offset + i * m->npy.item;
    size_t count = m->npy.item / 4, used = 0;
    bool big = m->npy.swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

    for (size_t k = 0; k < count; k++) {
        const unsigned char *c = start + 4 * k;
        uint32_t code = big ? (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 |
                                  (uint32_t)c[2] << 8 | c[3]
                            : (uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 |
                                  (uint32_t)c[1] << 8 | c[0];
        size_t n;

        if (code == 0)
            break;
        n = code <= 0x10ffff ? ig_text_encode((int32_t)code, out + used) : 0;
        used += n ? n : ig_text_encode(0xfffd, out + used);
    }
    return used;
}

/* Value i as a text in `room`, which has place for any value; *text points to it, or
 * into the file. */
static size_t text_of(const member *m, size_t i, char *room, const char **text)
{
    const char *bytes = (const char *)m->bytes + m->npy.offset + i * m->npy.item;
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
        return (size_t)sprintf(room, "%u", (unsigned)bits_of(m, i, 1));
    case IG_I1:
        return (size_t)sprintf(room, "%d", (int)(int8_t)bits_of(m, i, 1));
    case IG_I4:
        return (size_t)sprintf(room, "%ld", (long)(int32_t)bits_of(m, i, 4));
    case IG_I8:
        return (size_t)sprintf(room, "%lld", (long long)bits_of(m, i, 8));
    default:
        return (size_t)sprintf(room, "%.9g", ig_vectors_value(&one, i, 0));
    }
}

/* --- columns ---------------------------------------------------------------------- */

/* An array that is a column of the set. */
typedef struct used_array {
    member *from;
    ig_column_role role; /* IG_COLUMN_ROLES: a label */
    size_t label;
} used_array;

/* The array that is a column, when it has a value for each row; or NULL. */
static ig_status find_column(const archive *a, ig_column_role role, member **found)
{
    size_t rows = a->matrix->npy.shape[0];
    size_t i = ig_columns_find(a->source->columns, a->source->options, role,
                               a->names.name, a->count);
    member *m = i < a->count ? &a->member[i] : NULL;
    const char *name = m ? m->name : NULL;

    *found = NULL;
    if (!m || m == a->matrix)
        return a->source->options->column[role]
                   ? fail_names(a, "has not the array that --column names")
                   : IG_OK;
    if (!m->known)
        return ig_fail(a->error, IG_FORMAT,
                       "%s: the array %s holds no plain texts or numbers; "
                       "np.array(values, dtype=str) does",
                       a->source->path, name);
    if (m->npy.dimensions != 1 || m->npy.count != rows)
        return ig_fail(a->error, IG_SHAPE,
                       "%s: the array %s has %zu values, but %s has %zu rows",
                       a->source->path, name, m->npy.count, a->matrix->name, rows);
    *found = m;
    return unpack(a, m);
}

/* One value of an array to the last row. */
static ig_status put_value(const archive *a, const used_array *column, size_t i,
                           char *room)
{
    ig_columns *c = a->source->columns;
    const char *text;
    size_t length = text_of(column->from, i, room, &text);

    if (column->role == IG_COLUMN_TEXT)
        return ig_columns_text(c, text, length, a->error);
    if (!ig_quote_is_text(text, length))
        return ig_fail(a->error, IG_FORMAT, "%s: value %zu of %s is not valid UTF-8",
                       a->source->path, i, column->from->name);
    return column->role == IG_COLUMN_ID
               ? ig_columns_id(c, text, length, a->error)
               : ig_columns_label(c, column->label, text, length, a->error);
}

/* Append row i with its language: of the array, of LANG=FILE, of --lang. */
static ig_status append_row(const archive *a, const member *lang, size_t i, char *room)
{
    ig_columns *c = a->source->columns;
    uint32_t language = a->source->language;
    const char *text = a->source->options->lang;
    size_t length = text ? strlen(text) : 0;
    ig_status status = IG_OK;

    if (language == UINT32_MAX) {
        if (lang)
            length = text_of(lang, i, room, &text);
        if (length == 0 || !ig_quote_is_text(text, length))
            return ig_fail(a->error, IG_FORMAT, "%s: value %zu of %s is %s",
                           a->source->path, i, lang ? lang->name : "--lang",
                           length ? "not valid UTF-8" : "empty");
        status = ig_columns_language(c, text, length, &language, a->error);
    }
    return status == IG_OK ? ig_columns_append(c, language, a->error) : status;
}

/* All rows, with the columns. */
static ig_status add_rows(const archive *a, const member *lang,
                          const used_array *column, size_t columns)
{
    size_t rows = a->matrix->npy.shape[0], most = lang ? lang->npy.item : 0;
    ig_status status = ig_columns_reserve(a->source->columns,
                                          a->source->columns->rows + rows, a->error);
    char *room;

    for (size_t k = 0; k < columns; k++)
        most = column[k].from->npy.item > most ? column[k].from->npy.item : most;
    room = ig_alloc(most + 32, 1); /* a number takes up to 24 */
    if (!room)
        return ig_fail_memory(a->error, a->source->path);
    for (size_t i = 0; i < rows && status == IG_OK; i++) {
        status = append_row(a, lang, i, room);
        for (size_t k = 0; k < columns && status == IG_OK; k++)
            status = put_value(a, &column[k], i, room);
    }
    ig_free(room);
    return status;
}

/* Whether an array may be a label: one value a row, and no text, id or language. */
static bool is_label(const archive *a, const used_array *column, size_t columns,
                     const member *lang, const member *m)
{
    if (!m->known || m->npy.dimensions != 1 ||
        m->npy.count != a->matrix->npy.shape[0] ||
        !ig_quote_is_text(m->name, strlen(m->name)))
        return false;
    for (size_t k = 0; k < columns; k++)
        if (m == column[k].from)
            return false;
    return m != lang &&
           strcmp(m->name, ig_column_name(a->source->options, IG_COLUMN_VECTOR)) != 0;
}

/* Choose the arrays that are columns, and append the rows; none where the archive does
 * not say whose language they are, and has no texts or ids either. */
static ig_status take_columns(const archive *a)
{
    used_array *column = ig_alloc(a->count + 2, sizeof *column);
    member *found, *lang = NULL;
    size_t columns = 0, taken;
    bool says_language;
    ig_status status = column ? IG_OK : ig_fail_memory(a->error, a->source->path);

    if (status == IG_OK)
        status = find_column(a, IG_COLUMN_LANG, &lang);
    for (int role = IG_COLUMN_TEXT; role <= IG_COLUMN_ID && status == IG_OK; role++) {
        status = find_column(a, (ig_column_role)role, &found);
        if (status == IG_OK && found)
            column[columns++] = (used_array){found, (ig_column_role)role, 0};
    }
    taken = columns;
    says_language = lang || a->source->options->lang ||
                    a->source->language != UINT32_MAX;
    if (status == IG_OK && !says_language && columns > 0)
        status = fail_names(a, "no array lang; --lang CODE or --column lang=NAME says "
                               "what language the rows are");
    for (size_t i = 0; i < a->count && status == IG_OK && says_language; i++) {
        if (!is_label(a, column, taken, lang, &a->member[i]))
            continue;
        column[columns] = (used_array){&a->member[i], IG_COLUMN_ROLES, 0};
        status = ig_columns_add_label(a->source->columns, a->member[i].name,
                                      strlen(a->member[i].name), &column[columns].label,
                                      a->error);
        if (status == IG_OK)
            status = unpack(a, &a->member[i]);
        columns++;
    }
    /* Rows of a language alone are numbered by whoever opens it. */
    if (status == IG_OK && says_language &&
        (columns > 0 || a->source->language == UINT32_MAX))
        status = add_rows(a, lang, column, columns);
    ig_free(column);
    return status;
}

static ig_status read_all(archive *a, ig_vectors *vectors)
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
    if (status == IG_OK)
        status = find_matrix(a);
    if (status == IG_OK)
        status = unpack(a, a->matrix);
    if (status == IG_OK)
        status = ig_vectors_of_npy(vectors, a->source->path, &a->matrix->npy,
                                   a->matrix->bytes, a->source->options->type,
                                   a->error);
    return status == IG_OK ? take_columns(a) : status;
}

static ig_status read_npz(const ig_source *source, ig_vectors *vectors, ig_error *error)
{
    archive a = {.source = source, .error = error};
    ig_status status = read_all(&a, vectors);

    /* The file stays with what is mapped in it, a block with what was unpacked. */
    if (status == IG_OK && a.matrix->block) {
        vectors->content.block = a.matrix->block;
        a.matrix->block = NULL;
    } else if (status == IG_OK) {
        vectors->content = ig_content_move(source->content);
    }
    for (size_t i = 0; i < a.count; i++)
        ig_free(a.member[i].block);
    ig_free(a.member);
    ig_names_free(&a.names);
    return status;
}

const ig_format ig_format_npz = {.ending = {".npz"},
                                 .magic = "PK\x03\x04",
                                 .alone = "set.npz",
                                 .of_language = "LANG=vectors.npz",
                                 .read = read_npz};
