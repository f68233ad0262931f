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

/* --- the header, a Python dictionary with three keys ------------------------------ */

/* Only structured types have longer headers. */
enum { HEADER_SIZE = 4096, DTYPE_SIZE = 41 };

static ig_status fail_header(const char *name, const char *what, ig_error *error)
{
    return ig_fail(error, IG_FORMAT, "%s: %s in the .npy header", name, what);
}

/* The value of a quoted key, or NULL. */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strstr(text, key), *after = at ? at + strlen(key) : NULL;

    if (!at || at == text || !strchr("'\"", at[-1]) || *after != at[-1])
        return NULL;
    after += 1 + strspn(after + 1, " ");
    return *after == ':' ? after + 1 + strspn(after + 1, " ") : NULL;
}

static ig_status read_descr(ig_npy *npy, const char *name, const char *value,
                            ig_error *error)
{
    static const struct {
        char code[3];
        ig_dtype dtype;
    } codes[] = {{"f2", IG_F2}, {"f4", IG_F4},      {"f8", IG_F8},
                 {"i1", IG_I1}, {"u1", IG_U1},      {"i4", IG_I4},
                 {"i8", IG_I8}, {"V2", IG_OPAQUE2}, {"u2", IG_OPAQUE2}};
    char text[DTYPE_SIZE];
    size_t characters;
    bool wide;

    if (sscanf(value, "%*['\"]%40[^'\"]", text) != 1)
        return fail_header(name, "a structured or unreadable dtype", error);
    npy->swapped = (*text == '<' && host_is_big) || (*text == '>' && !host_is_big);
    for (size_t i = 0; strchr("<>=|", *text) && i < sizeof codes / sizeof *codes; i++)
        if (strcmp(text + 1, codes[i].code) == 0) {
            npy->dtype = codes[i].dtype;
            npy->item = ig_dtype_size(npy->dtype);
            return IG_OK;
        }
    wide = text[1] == 'U';
    if ((wide || text[1] == 'S') &&
        ig_number_size(text + 2, strlen(text + 2), &characters) &&
        characters <= SIZE_MAX / 64) {
        npy->dtype = wide ? IG_UTF32 : IG_BYTES;
        npy->item = wide ? 4 * characters : characters;
        return IG_OK;
    }
    return ig_fail(error, IG_FORMAT,
                   "%s: dtype '%s' is not supported (expected f2, f4, f8, i1 or u1)",
                   name, text);
}

static ig_status read_shape(ig_npy *npy, const char *name, const char *at,
                            ig_error *error)
{
    static const char malformed[] = "a shape that is not a tuple of numbers";
    static const char large[] = "a shape too large for this machine";

    if (*at != '(')
        return fail_header(name, "no shape (rows, dims)", error);
    npy->count = 1;
    for (at += 1 + strspn(at + 1, " "); *at != ')'; at += strspn(at, " ")) {
        size_t digits = strspn(at, "0123456789"), size;

        if (!digits)
            return fail_header(name, malformed, error);
        if (npy->dimensions == IG_NPY_DIMS)
            return fail_header(name, "a shape of more than 8 dimensions", error);
        if (!ig_number_size(at, digits, &size) || size > SIZE_MAX / 8 ||
            (size && npy->count > SIZE_MAX / 16 / size))
            return fail_header(name, large, error);
        npy->shape[npy->dimensions++] = size;
        npy->count *= size;
        at += digits;
        at += *at == 'L'; /* numpy under Python 2 wrote long integers */
        at += strspn(at, " ");
        if (*at != ',' && *at != ')')
            return fail_header(name, malformed, error);
        at += *at == ',';
    }
    return npy->item && npy->count > SIZE_MAX / npy->item
               ? fail_header(name, large, error)
               : IG_OK;
}

static ig_status read_header(ig_npy *npy, const char *name, const char *text,
                             ig_error *error)
{
    const char *descr = find_value(text, "descr"), *shape = find_value(text, "shape");
    const char *order = find_value(text, "fortran_order");
    ig_status status;

    if (!descr || !order || !shape)
        return fail_header(name, "descr, fortran_order or shape is missing", error);
    status = read_descr(npy, name, descr, error);
    if (status != IG_OK)
        return status;
    npy->fortran = strncmp(order, "True", 4) == 0;
    if (!npy->fortran && strncmp(order, "False", 5) != 0)
        return fail_header(name, "fortran_order is neither True nor False", error);
    return read_shape(npy, name, shape, error);
}

ig_status ig_npy_parse(ig_npy *npy, const char *name, const unsigned char *bytes,
                       size_t size, ig_error *error)
{
    char text[HEADER_SIZE + 1] = "";
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
    memcpy(text, bytes + start, length < HEADER_SIZE ? length : HEADER_SIZE);
    status = read_header(npy, name, text, error);
    if (status != IG_OK)
        return status;
    npy->offset = start + length;
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

ig_status ig_npy_write_header(FILE *file, ig_dtype dtype, size_t rows, size_t cols,
                              ig_error *error)
{
    char header[192], shape[64];
    size_t length, padded;

    if (cols)
        snprintf(shape, sizeof shape, "%zu, %zu", rows, cols);
    else
        snprintf(shape, sizeof shape, "%zu,", rows);
    snprintf(header + 10, sizeof header - 10,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
             dtype == IG_F2 ? "<f2" : "<f4", shape);
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
    return check_written(file, fwrite(header, 1, padded, file), padded, error);
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
