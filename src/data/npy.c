/* The .npy format [numpy.lib.format]: parses untrusted headers and writes float arrays.
 * Rejects non-numeric types. */
#include "data/npy.h"

#include <stdint.h>
#include <string.h>

#include "core/memory.h"
#include "data/number.h"

enum { MAGIC_SIZE = 6, WRITE_TILE = 4096 };
static const unsigned char magic[MAGIC_SIZE] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const bool host_is_big = true;
#else
static const bool host_is_big = false;
#endif

static const struct {
    const char *name;
    size_t size; /* per number; 1 for texts, sized by the header */
} types[] = {[IG_F2] = {"float16", 2},        [IG_F4] = {"float32", 4},
             [IG_F8] = {"float64", 8},        [IG_BF2] = {"bfloat16", 2},
             [IG_I1] = {"int8", 1},           [IG_U1] = {"uint8", 1},
             [IG_I4] = {"int32", 4},          [IG_I8] = {"int64", 8},
             [IG_OPAQUE2] = {"two bytes", 2}, [IG_UTF32] = {"text", 1},
             [IG_BYTES] = {"bytes", 1}};

const char *ig_dtype_name(ig_dtype dtype)
{
    return types[dtype].name;
}

size_t ig_dtype_size(ig_dtype dtype)
{
    return types[dtype].size;
}

/* Parser of the header: a Python dictionary literal with three keys. */
typedef struct reader {
    const char *name; /* of the file */
    const char *at;
    const char *end;
    ig_npy *npy;
    ig_error *error;
    bool has_descr, has_order, has_shape;
} reader;

static ig_status fail_header(const reader *r, const char *what)
{
    return ig_fail(r->error, IG_FORMAT, "%s: %s in the .npy header", r->name, what);
}

static void skip_space(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
        r->at++;
}

/* Consume `c` if it is the next token. */
static bool skip_char(reader *r, char c)
{
    skip_space(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* Consume a word such as True if it is the next token. */
static bool skip_word(reader *r, const char *word)
{
    size_t length = strlen(word);

    skip_space(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Parse a quoted string without escapes; *length: its bytes. NULL if there is none. */
static const char *read_string(reader *r, size_t *length)
{
    const char *close;
    const char *text;

    skip_space(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return NULL;
    text = r->at + 1;
    close = memchr(text, *r->at, (size_t)(r->end - text));
    if (!close)
        return NULL;
    *length = (size_t)(close - text);
    r->at = close + 1;
    return text;
}

static void set_type(reader *r, ig_dtype dtype, size_t item, char order)
{
    r->npy->dtype = dtype;
    r->npy->item = item;
    r->npy->swapped = (order == '<' && host_is_big) || (order == '>' && !host_is_big);
    r->has_descr = true;
}

static ig_status read_descr(reader *r)
{
    static const struct {
        char code[3];
        ig_dtype dtype;
    } codes[] = {{"f2", IG_F2}, {"f4", IG_F4},      {"f8", IG_F8},
                 {"i1", IG_I1}, {"u1", IG_U1},      {"i4", IG_I4},
                 {"i8", IG_I8}, {"V2", IG_OPAQUE2}, {"u2", IG_OPAQUE2}};
    size_t length, characters;
    const char *text = read_string(r, &length);

    if (!text)
        return fail_header(r, "a structured or unreadable dtype");
    for (size_t i = 0; length == 3 && i < sizeof codes / sizeof *codes; i++) {
        if (memcmp(text + 1, codes[i].code, 2) != 0 || !strchr("<>=|", text[0]))
            continue;
        set_type(r, codes[i].dtype, ig_dtype_size(codes[i].dtype), text[0]);
        return IG_OK;
    }
    if (length > 2 && (text[1] == 'U' || text[1] == 'S') &&
        ig_number_size(text + 2, length - 2, &characters) &&
        characters <= SIZE_MAX / 64) {
        set_type(r, text[1] == 'U' ? IG_UTF32 : IG_BYTES,
                 text[1] == 'U' ? 4 * characters : characters, text[0]);
        return IG_OK;
    }
    if (length > 40)
        length = 40;
    return ig_fail(r->error, IG_FORMAT,
                   "%s: dtype '%.*s' is none that is read: f2, f4, f8, i1, u1", r->name,
                   (int)length, text);
}

static ig_status read_order(reader *r)
{
    r->npy->fortran = skip_word(r, "True");
    if (!r->npy->fortran && !skip_word(r, "False"))
        return fail_header(r, "fortran_order is neither True nor False");
    r->has_order = true;
    return IG_OK;
}

static ig_status read_shape(reader *r)
{
    ig_npy *npy = r->npy;

    if (!skip_char(r, '('))
        return fail_header(r, "no shape (rows, dims)");
    npy->dimensions = 0;
    npy->count = 1;
    while (!skip_char(r, ')')) {
        size_t size = 0;
        const char *first;

        skip_space(r);
        first = r->at;
        for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
            if (size > SIZE_MAX / 16)
                return fail_header(r, "a shape too large for this machine");
            size = size * 10 + (size_t)(*r->at - '0');
        }
        if (r->at == first)
            return fail_header(r, "a shape that is not a tuple of numbers");
        skip_char(r, 'L'); /* numpy under Python 2 wrote long integers */
        if (npy->dimensions == IG_NPY_DIMS)
            return fail_header(r, "a shape of more than 8 dimensions");
        if (size && npy->count > SIZE_MAX / 16 / size)
            return fail_header(r, "a shape too large for this machine");
        npy->shape[npy->dimensions++] = size;
        npy->count *= size;
        if (!skip_char(r, ',') && (r->at == r->end || *r->at != ')'))
            return fail_header(r, "a shape that is not a tuple of numbers");
    }
    r->has_shape = true;
    return IG_OK;
}

static ig_status read_dictionary(reader *r)
{
    if (!skip_char(r, '{'))
        return fail_header(r, "no dictionary");
    while (!skip_char(r, '}')) {
        ig_status status;
        size_t length;
        const char *key = read_string(r, &length);

        if (!key || !skip_char(r, ':'))
            return fail_header(r, "no 'key': value");
        if (length == 5 && memcmp(key, "descr", 5) == 0)
            status = read_descr(r);
        else if (length == 13 && memcmp(key, "fortran_order", 13) == 0)
            status = read_order(r);
        else if (length == 5 && memcmp(key, "shape", 5) == 0)
            status = read_shape(r);
        else
            status = fail_header(r, "an unknown key");
        if (status != IG_OK)
            return status;
        skip_space(r);
        if (!skip_char(r, ',') && (r->at == r->end || *r->at != '}'))
            return fail_header(r, "no closing brace");
    }
    skip_space(r);
    if (r->at != r->end && *r->at != '\0')
        return fail_header(r, "something after the closing brace");
    if (!r->has_descr || !r->has_order || !r->has_shape)
        return fail_header(r, "descr, fortran_order or shape is missing");
    return IG_OK;
}

ig_status ig_npy_parse(ig_npy *npy, const char *name, const unsigned char *bytes,
                       size_t size, ig_error *error)
{
    reader r = {.name = name, .npy = npy, .error = error};
    size_t length, start, needed, present;
    ig_status status;

    *npy = (ig_npy){0};
    if (size < MAGIC_SIZE || memcmp(bytes, magic, MAGIC_SIZE) != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: is not a .npy file (it does not begin with \\x93NUMPY)",
                       name);
    if (size < 10)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header needs 10 bytes or more, the file has %zu",
                       name, size);
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: .npy version %d.%d is not 1.0, 2.0 or 3.0", name, bytes[6],
                       bytes[7]);
    start = bytes[6] == 1 ? 10 : 12;
    length = bytes[8] | (size_t)bytes[9] << 8;
    if (start == 12 && size >= 12)
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (size < start || length > size - start)
        return ig_fail(
            error, IG_FORMAT,
            "%s: the .npy header says it is %zu bytes long, the file has %zu "
            "after its start",
            name, length, size > start ? size - start : 0);
    r.at = (const char *)bytes + start;
    r.end = r.at + length;
    status = read_dictionary(&r);
    if (status != IG_OK)
        return status;
    npy->offset = start + length;
    if (npy->item && npy->count > SIZE_MAX / npy->item)
        return fail_header(&r, "a shape too large for this machine");
    needed = npy->count * npy->item;
    present = size - npy->offset;
    if (needed != present)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header promises %zu bytes of values, the file has "
                       "%zu",
                       name, needed, present);
    return IG_OK;
}

static ig_status check_written(FILE *file, size_t done, size_t wanted, ig_error *error)
{
    if (done == wanted && !ferror(file))
        return IG_OK;
    return ig_fail(error, IG_IO, "the array could not be written in full");
}

size_t ig_npy_header(char header[IG_NPY_HEADER], const char *type, size_t rows,
                     size_t cols)
{
    char shape[64];
    size_t length, padded;

    if (cols)
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, cols);
    else
        snprintf(shape, sizeof shape, "(%zu,)", rows);
    snprintf(header + 10, IG_NPY_HEADER - 10,
             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    /* Pad with spaces and a newline so that values are 64-byte aligned. */
    length = 10 + strlen(header + 10);
    padded = (length + 1 + 63) / 64 * 64;
    memset(header + length, ' ', padded - length);
    header[padded - 1] = '\n';
    memcpy(header, magic, MAGIC_SIZE);
    header[6] = 1;
    header[7] = 0;
    header[8] = (char)((padded - 10) & 0xff);
    header[9] = (char)((padded - 10) >> 8);
    return padded;
}

void ig_npy_to_little(float *values, size_t count)
{
    unsigned char *byte = (unsigned char *)values;

    for (size_t i = 0; i < count && host_is_big; i++, byte += 4) {
        unsigned char first = byte[0], second = byte[1];

        byte[0] = byte[3];
        byte[1] = byte[2];
        byte[2] = second;
        byte[3] = first;
    }
}

ig_status ig_npy_write_header(FILE *file, ig_dtype dtype, size_t rows, size_t cols,
                              ig_error *error)
{
    char header[IG_NPY_HEADER];
    size_t size = ig_npy_header(header, dtype == IG_F2 ? "<f2" : "<f4", rows, cols);

    return check_written(file, fwrite(header, 1, size, file), size, error);
}

/* --- float16 ---------------------------------------------------------------------- */

/* Round to the nearest float16, ties to even. */
static uint16_t round_to_half(float value)
{
    uint32_t bits, sign, magnitude, kept, rest, middle;
    int shift;

    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 16 & 0x8000;
    magnitude = bits & 0x7fffffff;
    if (magnitude < 0x33000000) /* below half of the smallest float16: 2^-25 */
        return (uint16_t)sign;
    if (magnitude < 0x38800000) { /* subnormal below 2^-14 */
        shift = 126 - (int)(magnitude >> 23);
        magnitude = (magnitude & 0x7fffff) | 0x800000;
    } else {
        shift = 13;
        magnitude -= 112u << 23;
    }
    kept = magnitude >> shift;
    rest = magnitude & ((1u << shift) - 1);
    middle = 1u << (shift - 1);
    if (rest > middle || (rest == middle && (kept & 1)))
        kept++;
    return (uint16_t)(sign | kept);
}

size_t ig_npy_too_large(const float *values, size_t count)
{
    size_t i = 0;

    /* 65520: halfway between the largest float16, 65504, and the next step. */
    while (i < count && values[i] > -65520.0f && values[i] < 65520.0f)
        i++;
    return i;
}

ig_status ig_npy_write_values(FILE *file, const float *values, size_t count,
                              ig_dtype dtype, ig_error *error)
{
    unsigned char tile[WRITE_TILE], *end;
    size_t done = 0;

    if (dtype == IG_F4 && !host_is_big)
        return check_written(file, fwrite(values, sizeof *values, count, file), count,
                             error);
    while (done < count) {
        for (end = tile; end < tile + WRITE_TILE && done < count; done++) {
            uint32_t bits;

            if (dtype == IG_F2)
                bits = round_to_half(values[done]);
            else
                memcpy(&bits, &values[done], sizeof bits);
            for (size_t k = 0; k < types[dtype].size; k++)
                *end++ = (unsigned char)(bits >> 8 * k);
        }
        if (fwrite(tile, 1, (size_t)(end - tile), file) != (size_t)(end - tile))
            break;
    }
    return check_written(file, done, count, error);
}

ig_status ig_npy_write(FILE *file, const float *values, size_t rows, size_t cols,
                       size_t stride, ig_error *error)
{
    ig_status status = ig_npy_write_header(file, IG_F4, rows, cols, error);
    size_t n = cols ? cols : rows;

    for (size_t i = 0; i < (cols ? rows : 1) && status == IG_OK; i++)
        status = ig_npy_write_values(file, values + i * stride, n, IG_F4, error);
    return status;
}
