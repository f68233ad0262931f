/* The .npy format [numpy.lib.format]: parses untrusted headers and writes float arrays.
 * Arrays in files, and their conversion to float. */
#include "data/npy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels.h"
#include "core/memory.h"
#include "core/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files of floats are little-endian, as the machine must be");

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

const ig_type ig_types[] = {
    [IG_F2] = {"float16", 2, {"f2", "F16"}}, [IG_F4] = {"float32", 4, {"f4", "F32"}},
    [IG_F8] = {"float64", 8, {"f8", "F64"}}, [IG_BF2] = {"bfloat16", 2, {"-", "BF16"}},
    [IG_I1] = {"int8", 1, {"i1", "I8"}},     [IG_U1] = {"uint8", 1, {"u1", "U8"}},
    [IG_I4] = {"int32", 4, {"i4", "I32"}},   [IG_I8] = {"int64", 8, {"i8", "I64"}},
    [IG_UTF32] = {"text", 4, {"-", "-"}},    [IG_BYTES] = {"bytes", 1, {"-", "-"}}};

bool ig_dtype_find(const char *code, ig_dtype *dtype)
{
    for (int i = 0; i < IG_UTF32; i++)
        if (strcmp(code, ig_types[i].code[0]) == 0 ||
            strcmp(code, ig_types[i].code[1]) == 0) {
            *dtype = (ig_dtype)i;
            return true;
        }
    return false;
}

/* The value of a quoted key, or "". */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : "";
}

/* Set the type from "'<f4'". */
static ig_status read_dtype(ig_array *m, const char *name, const char *value,
                            ig_error *error)
{
    char text[40] = "structured";

    sscanf(value, "%*1['\"]%39[^'\"]", text);
    m->known = strchr("<=|", *text) && ig_dtype_find(text + 1, &m->dtype);
    m->width = ig_types[m->dtype].size;
    if (strchr("<=|", *text) && (text[1] == 'U' || text[1] == 'S') &&
        isdigit((unsigned char)text[2])) {
        m->dtype = text[1] == 'U' ? IG_UTF32 : IG_BYTES;
        m->width = strtoul(text + 2, NULL, 10) * ig_types[m->dtype].size;
        m->known = true;
    }
    if (m->known)
        return IG_OK;
    return ig_fail(
        error, IG_FORMAT,
        "%s: dtype '%s' is not supported (expected f2, f4, f8, i1 or u1; %s)", name,
        text,
        strcmp(text, "|O") == 0
            ? "np.array(array.tolist(), 'float32') makes numbers of objects"
            : "np.save(file, array.astype('float32')) writes other numbers");
}

/* Read the shape from "(2, 3)"; Python 2 wrote "(2L, 3L)". Returns the number of its
 * sides, or more than IG_ARRAY_DIMS: it is damaged. */
static size_t read_shape(size_t side[IG_ARRAY_DIMS], const char *text)
{
    size_t n = 0;
    char *end;

    if (*text != '(')
        return SIZE_MAX;
    for (text += 1 + strspn(text + 1, " "); *text != ')';
         text = end + strspn(end, "L, ")) {
        if (!isdigit((unsigned char)*text) || n == IG_ARRAY_DIMS)
            return SIZE_MAX;
        side[n++] = strtoull(text, &end, 10);
    }
    return n;
}

ig_status ig_array_shape(ig_array *m, const char *name, const size_t *side,
                         size_t dimensions, size_t size, ig_error *error)
{
    double bytes = (double)m->width; /* does not overflow */

    m->dimensions = dimensions;
    m->rows = side[dimensions > 1 ? dimensions - 2 : 0];
    m->dims = dimensions > 1 ? side[dimensions - 1] : 1;
    m->count = 1;
    for (size_t i = 0; i < dimensions; i++) {
        m->count *= side[i];
        ig_text_append(m->shape, sizeof m->shape, "%s%zu", i ? ", " : "", side[i]);
        bytes *= (double)side[i];
    }
    return bytes < (double)size || bytes > (double)size
               ? ig_fail(error, IG_FORMAT,
                         "%s: the header promises %.9g bytes of values, the file has "
                         "%zu",
                         name, bytes, size)
               : IG_OK;
}

ig_status ig_npy_parse(ig_array *m, const char *name, const unsigned char *bytes,
                       size_t present, size_t size, ig_error *error)
{
    enum { HEADER_SIZE = 4096 }; /* only structured types have longer ones */
    char text[HEADER_SIZE + 1] = "";
    const char *order;
    size_t length = 0, start = 12, side[IG_ARRAY_DIMS] = {0}, sides;
    ig_status status;

    if (present < start || memcmp(bytes, magic, sizeof magic) != 0)
        return ig_fail(
            error, IG_FORMAT,
            size ? "%s: is not a .npy file (it does not begin with \\x93NUMPY)"
                 : "%s: is empty",
            name);
    length = bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] == 1)
        start = 10;
    else
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (bytes[6] <= 3 && length <= present - start)
        memcpy(text, bytes + start, length < HEADER_SIZE ? length : HEADER_SIZE);
    order = find_value(text, "fortran_order");
    m->fortran = strncmp(order, "True", 4) == 0;
    sides = read_shape(side, find_value(text, "shape"));
    if (!*order || sides > IG_ARRAY_DIMS)
        return ig_fail(error, IG_FORMAT,
                       "%s: the .npy header is damaged (expected descr, fortran_order "
                       "and shape, in version 1.0 to 3.0)",
                       name);
    m->values = bytes + start + length;
    status = read_dtype(m, name, find_value(text, "descr"), error);
    return status == IG_OK
               ? ig_array_shape(m, name, side, sides, size - start - length, error)
               : status;
}

ig_status ig_npy_read(const char *path, size_t *rows, size_t *cols, float **values,
                      ig_error *error)
{
    ig_content content;
    ig_array m = {0};
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK)
        status =
            ig_npy_parse(&m, path, content.bytes, content.size, content.size, error);
    if (status == IG_OK && (m.dtype > IG_U1 || m.dimensions - 1 > 1))
        status = ig_fail(error, IG_SHAPE,
                         "%s: holds no floats of one or two dimensions", path);
    if (status == IG_OK && !(*values = ig_alloc(m.count, sizeof **values)))
        status = ig_fail_memory(error, path);
    if (status == IG_OK) {
        ig_array_rows(&m, 0, m.rows, m.dims, *values, m.dims);
        *rows = m.rows;
        *cols = m.dims;
    }
    ig_content_close(&content);
    return status;
}

void ig_npy_write_header(FILE *file, size_t rows, size_t cols)
{
    char header[128], shape[64];

    snprintf(shape, sizeof shape, cols ? "%zu, %zu" : "%zu,", rows, cols);
    snprintf(header, sizeof header,
             "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape);
    fwrite(magic, 1, sizeof magic, file);
    fwrite("\x01\0\x76\0", 1, 4, file); /* version 1.0, 118 bytes follow */
    fprintf(file, "%-117s\n", header);  /* values are at byte 128, aligned */
}

ig_array ig_array_of_floats(const float *values, size_t rows, size_t dims)
{
    return (ig_array){.dtype = IG_F4,
                      .width = sizeof *values,
                      .dimensions = 2,
                      .rows = rows,
                      .dims = dims,
                      .count = rows * dims,
                      .values = (const unsigned char *)values};
}

/* Convert `count` values, `step` bytes apart. */
static void convert(ig_dtype dtype, const unsigned char *from, size_t step,
                    size_t count, float *out)
{
    const unsigned char *end = from + count * step;
    uint32_t bits;
    double wide;

    for (; dtype == IG_F2 && from < end; from += step)
        ig_from_half((const void *)from, 1, out++);
    for (; dtype == IG_F4 && from < end; from += step)
        memcpy(out++, from, sizeof *out);
    for (; dtype == IG_F8 && from < end; from += step) {
        memcpy(&wide, from, sizeof wide);
        *out++ = (float)wide;
    }
    for (; dtype == IG_BF2 && from < end; from += step) {
        bits = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 24;
        memcpy(out++, &bits, sizeof bits);
    }
    for (; from < end; from += step) /* IG_I1, IG_U1 */
        *out++ = dtype == IG_I1 ? (signed char)*from : *from;
}

void ig_array_rows(const ig_array *v, size_t first, size_t count, size_t dims,
                   float *out, size_t stride)
{
    size_t size = v->width, step = v->fortran ? v->rows * size : size;

    for (size_t i = first; i < first + count; i++, out += stride) {
        const unsigned char *from = v->values + i * (v->fortran ? 1 : v->dims) * size;

        if (!v->fortran && v->dtype == IG_F4)
            memcpy(out, from, dims * sizeof *out);
        else if (!v->fortran && v->dtype == IG_F2)
            ig_from_half((const void *)from, dims, out);
        else
            convert(v->dtype, from, step, dims, out);
    }
}
