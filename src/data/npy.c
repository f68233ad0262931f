/* The .npy format [numpy.lib.format]: parses untrusted headers and writes float arrays.
 * Vectors in files, and their conversion to float. */
#include "data/npy.h"

#include <string.h>

#include "core/kernels.h"
#include "core/memory.h"
#include "data/number.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files of floats are little-endian, as the machine must be");

enum { MAGIC_SIZE = 6 };
static const unsigned char magic[MAGIC_SIZE] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static const struct {
    const char *name;
    size_t size;         /* per number; 1 for texts, sized by the header */
    const char *code[2]; /* of numpy and safetensors */
} types[] = {[IG_F2] = {"float16", 2, {"f2", "F16"}},
             [IG_F4] = {"float32", 4, {"f4", "F32"}},
             [IG_F8] = {"float64", 8, {"f8", "F64"}},
             [IG_BF2] = {"bfloat16", 2, {"", "BF16"}},
             [IG_I1] = {"int8", 1, {"i1", "I8"}},
             [IG_U1] = {"uint8", 1, {"u1", "U8"}},
             [IG_I4] = {"int32", 4, {"i4", "I32"}},
             [IG_I8] = {"int64", 8, {"i8", "I64"}},
             [IG_OPAQUE2] = {"two bytes", 2, {"V2", "u2"}},
             [IG_UTF32] = {"text", 1, {"", ""}},
             [IG_BYTES] = {"bytes", 1, {"", ""}}};

const char *ig_dtype_name(ig_dtype dtype)
{
    return types[dtype].name;
}

size_t ig_dtype_size(ig_dtype dtype)
{
    return types[dtype].size;
}

bool ig_dtype_find(const char *code, ig_dtype *dtype)
{
    for (size_t i = 0; *code && i < sizeof types / sizeof *types; i++)
        for (size_t k = 0; k < 2; k++)
            if (strcmp(code, types[i].code[k]) == 0) {
                *dtype = (ig_dtype)i;
                return true;
            }
    return false;
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
    char text[DTYPE_SIZE];
    size_t characters;

    if (sscanf(value, "%*['\"]%40[^'\"]", text) != 1)
        return fail_header(name, "a structured or unreadable dtype", error);
    npy->swapped = *text == '>';
    if (strchr("<>=|", *text) && ig_dtype_find(text + 1, &npy->dtype)) {
        npy->item = ig_dtype_size(npy->dtype);
        return IG_OK;
    }
    if ((text[1] == 'U' || text[1] == 'S') &&
        ig_number_size(text + 2, strlen(text + 2), &characters) &&
        characters <= SIZE_MAX / 64) {
        npy->dtype = text[1] == 'U' ? IG_UTF32 : IG_BYTES;
        npy->item = text[1] == 'U' ? 4 * characters : characters;
        return IG_OK;
    }
    if (strcmp(text, "|O") == 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: holds Python objects; np.stack(array) makes numbers of "
                       "vectors, np.array(list, dtype=str) texts",
                       name);
    return ig_fail(error, IG_FORMAT,
                   "%s: dtype '%s' is not supported (expected f2, f4, f8, i1 or u1)",
                   name, text);
}

static ig_status read_shape(ig_npy *npy, const char *name, const char *at,
                            ig_error *error)
{
    static const char malformed[] = "a shape that is not a tuple of numbers";

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
            return fail_header(name, "a shape too large for this machine", error);
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
               ? fail_header(name, "a shape too large for this machine", error)
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
                       size_t present, size_t size, ig_error *error)
{
    char text[HEADER_SIZE + 1] = "";
    size_t length, start;
    ig_status status;

    *npy = (ig_npy){0};
    if (present < MAGIC_SIZE || memcmp(bytes, magic, MAGIC_SIZE) != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: is not a .npy file (it does not begin with \\x93NUMPY)",
                       name);
    if (present < 12)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header needs 12 bytes or more, the file has %zu",
                       name, size);
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: .npy version %d.%d is not 1.0, 2.0 or 3.0", name, bytes[6],
                       bytes[7]);
    start = bytes[6] == 1 ? 10 : 12;
    length = bytes[8] | (size_t)bytes[9] << 8;
    if (start == 12)
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > present - start)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header says it is %zu bytes long, the file has "
                       "%zu after its start",
                       name, length, size - start);
    memcpy(text, bytes + start, length < HEADER_SIZE ? length : HEADER_SIZE);
    status = read_header(npy, name, text, error);
    npy->offset = start + length;
    if (status == IG_OK && npy->count * npy->item != size - npy->offset)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header promises %zu bytes of values, the file has "
                       "%zu",
                       name, npy->count * npy->item, size - npy->offset);
    return status;
}

ig_status ig_npy_read(const char *path, size_t *rows, size_t *cols, float **values,
                      ig_error *error)
{
    ig_content content;
    ig_npy npy;
    ig_vectors v;
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK)
        status =
            ig_npy_parse(&npy, path, content.bytes, content.size, content.size, error);
    if (status == IG_OK && npy.dtype >= IG_OPAQUE2)
        status = ig_fail(error, IG_FORMAT, "%s: holds no numbers", path);
    if (status == IG_OK && npy.dimensions != 1 && npy.dimensions != 2)
        status = ig_fail(error, IG_SHAPE, "%s: has %zu dimensions, not 1 or 2", path,
                         npy.dimensions);
    if (status == IG_OK && !(*values = ig_alloc(npy.count, sizeof **values)))
        status = ig_fail_memory(error, path);
    if (status == IG_OK) {
        v = ig_vectors_of_npy(&npy, content.bytes);
        ig_vectors_rows(&v, 0, v.rows, v.dims, *values, v.dims);
        *rows = v.rows;
        *cols = v.dims;
    }
    ig_content_close(&content);
    return status;
}

/* --- writing ---------------------------------------------------------------------- */

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
             "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }",
             types[dtype].code[0], shape);
    /* Pad with spaces and a newline so that values are 64-byte aligned. */
    length = 10 + strlen(header + 10);
    padded = (length + 1 + 63) / 64 * 64;
    memset(header + length, ' ', padded - length);
    header[padded - 1] = '\n';
    memcpy(header, magic, MAGIC_SIZE);
    header[6] = 1;
    header[7] = 0;
    header[8] = (char)(padded - 10); /* at most 182 */
    header[9] = 0;
    return check_written(file, fwrite(header, 1, padded, file), padded, error);
}

/* Round to the nearest float16, ties to even. */
static uint16_t round_to_half(float value)
{
    float magnitude = value < 0 ? -value : value, rounded;
    uint32_t bits, sign;

    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 16 & 0x8000;
    if (magnitude < 0x1p-14f) { /* subnormal: steps of 2^-24, as of floats at 0.5 */
        rounded = magnitude + 0.5f;
        memcpy(&bits, &rounded, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3f000000));
    }
    bits = (bits & 0x7fffffff) - (112u << 23); /* the exponent of a half */
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | bits >> 13);
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
    enum { TILE = 2048 };
    uint16_t half[TILE];
    size_t done = 0, n;

    if (dtype == IG_F4)
        done = fwrite(values, sizeof *values, count, file);
    for (; dtype == IG_F2 && done < count; done += n) {
        n = count - done < TILE ? count - done : TILE;
        for (size_t k = 0; k < n; k++)
            half[k] = round_to_half(values[done + k]);
        if (fwrite(half, sizeof *half, n, file) != n)
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

/* --- vectors ---------------------------------------------------------------------- */

ig_vectors ig_vectors_of_npy(const ig_npy *npy, const unsigned char *bytes)
{
    return (ig_vectors){.values = bytes + npy->offset,
                        .rows = npy->shape[0],
                        .dims = npy->dimensions == 2 ? npy->shape[1] : 1,
                        .dtype = npy->dtype,
                        .swapped = npy->swapped,
                        .fortran = npy->fortran && npy->dimensions == 2};
}

ig_vectors ig_vectors_of_block(float *block, size_t rows, size_t dims)
{
    return (ig_vectors){.values = (const unsigned char *)block,
                        .rows = rows,
                        .dims = dims,
                        .dtype = IG_F4,
                        .content = {.block = block}};
}

void ig_vectors_free(ig_vectors *v)
{
    ig_content_close(&v->content);
    *v = (ig_vectors){0};
}

static float widen_bfloat(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Convert values of a type without a kernel, at any alignment. */
#define WIDEN(type, expression)                                                        \
    for (size_t i = 0; i < n; i++) {                                                   \
        type x;                                                                        \
        memcpy(&x, src + i * sizeof x, sizeof x);                                      \
        out[i] = (expression);                                                         \
    }                                                                                  \
    break

/* Convert native values to float. The kernels accept any alignment. */
static void widen(ig_dtype dtype, const unsigned char *src, size_t n, float *out)
{
    switch (dtype) {
    case IG_F4:
        memcpy(out, src, n * sizeof *out);
        break;
    case IG_F2:
        ig_kernels_best()->from_half((const void *)src, n, out);
        break;
    case IG_F8:
        WIDEN(double, (float)x);
    case IG_BF2:
        WIDEN(uint16_t, widen_bfloat(x));
    case IG_I1:
        WIDEN(signed char, (float)x);
    case IG_U1:
        WIDEN(unsigned char, (float)x);
    case IG_I4:
        WIDEN(int32_t, (float)x);
    case IG_I8:
        WIDEN(int64_t, (float)x);
    case IG_OPAQUE2:
    case IG_UTF32:
    case IG_BYTES:
        break; /* not numeric: rejected earlier */
    }
}

double ig_vectors_value(const ig_vectors *v, size_t row, size_t column)
{
    size_t size = ig_dtype_size(v->dtype);
    size_t number = v->fortran ? column * v->rows + row : row * v->dims + column;
    const unsigned char *at = v->values + number * size;
    unsigned char native[8] = {0};
    double value;
    float rounded;

    for (size_t k = 0; k < size; k++)
        native[k] = at[v->swapped ? size - 1 - k : k];
    if (v->dtype == IG_F8) {
        memcpy(&value, native, sizeof value);
        return value;
    }
    widen(v->dtype, native, 1, &rounded);
    return (double)rounded;
}

void ig_vectors_rows(const ig_vectors *v, size_t first, size_t count, size_t dims,
                     float *out, size_t stride)
{
    size_t size = ig_dtype_size(v->dtype);
    bool plain = !v->swapped && !v->fortran;

    if (plain && dims == v->dims && dims == stride) {
        widen(v->dtype, v->values + first * dims * size, count * dims, out);
        return;
    }
    for (size_t i = 0; i < count; i++, out += stride) {
        if (plain)
            widen(v->dtype, v->values + (first + i) * v->dims * size, dims, out);
        for (size_t j = 0; !plain && j < dims; j++)
            out[j] = (float)ig_vectors_value(v, first + i, j);
    }
}
