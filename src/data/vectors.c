/* Vectors as they lie in a file, and their widening to floats. Legend: n rows, d dims.
 * */
#include "data/vectors.h"

#include <string.h>

#include "base/memory.h"
#include "linear/kernels.h"

/* Values that are turned around or widened at once, on the stack. */
enum { TILE = 256 };

/* Whether vectors may be of that type; what is known to be bfloat16 becomes it. */
static bool is_vector_type(ig_dtype *dtype, int type)
{
    if (*dtype == IG_OPAQUE2 && type == IG_TYPE_BF16)
        *dtype = IG_BF2;
    switch (*dtype) {
    case IG_F2:
    case IG_F4:
    case IG_F8:
    case IG_BF2:
    case IG_I1:
    case IG_U1:
        return true;
    default:
        return false;
    }
}

/* What stands in place of floats. */
static const char *type_name(ig_dtype dtype)
{
    return dtype == IG_I4   ? "dtype 'i4'"
           : dtype == IG_I8 ? "dtype 'i8'"
                            : "an array of texts";
}

ig_status ig_vectors_of_npy(ig_vectors *v, const char *path, const ig_npy *header,
                            const unsigned char *bytes, int type, ig_error *error)
{
    ig_npy npy = *header;
    ig_status status = IG_OK;

    *v = (ig_vectors){0};
    if (!is_vector_type(&npy.dtype, type))
        status = npy.dtype == IG_OPAQUE2
                     ? ig_fail(error, IG_FORMAT,
                               "%s: its values are two bytes of no type (V2 or u2); if "
                               "they are bfloat16, --type bf16 says so",
                               path)
                     : ig_fail(error, IG_FORMAT,
                               "%s: %s is none that is read: f2, f4, f8, i1, u1", path,
                               type_name(npy.dtype));
    else if (npy.dimensions == 1)
        status = ig_fail(error, IG_SHAPE,
                         "%s: has the shape (%zu,), not two dimensions (rows, dims)",
                         path, npy.shape[0]);
    else if (npy.dimensions != 2)
        status = ig_fail(error, IG_SHAPE,
                         "%s: has %zu dimensions, not two (rows, dims)", path,
                         npy.dimensions);
    else if (npy.count == 0)
        status = ig_fail(error, IG_SHAPE, "%s: has the shape (%zu, %zu): no values",
                         path, npy.shape[0], npy.shape[1]);
    if (status != IG_OK)
        return status;
    v->values = bytes + npy.offset;
    v->rows = npy.shape[0];
    v->dims = npy.shape[1];
    v->dtype = npy.dtype;
    v->swapped = npy.swapped;
    v->fortran = npy.fortran;
    return IG_OK;
}

ig_status ig_vectors_take_npy(ig_vectors *v, const char *path, ig_content *content,
                              int type, ig_error *error)
{
    ig_npy npy;
    ig_status status = ig_npy_parse(&npy, path, content->bytes, content->size, error);

    *v = (ig_vectors){0};
    if (status == IG_OK)
        status = ig_vectors_of_npy(v, path, &npy, content->bytes, type, error);
    if (status == IG_OK)
        v->content = ig_content_move(content);
    return status;
}

ig_status ig_vectors_open_npy(ig_vectors *v, const char *path, ig_error *error)
{
    ig_content content;
    ig_status status = ig_content_open(&content, path, error);

    *v = (ig_vectors){0};
    if (status == IG_OK)
        status = ig_vectors_take_npy(v, path, &content, IG_TYPE_F32, error);
    ig_content_close(&content);
    return status;
}

ig_status ig_vectors_take_raw(ig_vectors *v, const char *path, ig_content *content,
                              size_t dims, int type, ig_error *error)
{
    static const struct {
        ig_dtype dtype;
        const char *name;
    } types[] = {[IG_TYPE_F32] = {IG_F4, "f32"},
                 [IG_TYPE_F16] = {IG_F2, "f16"},
                 [IG_TYPE_BF16] = {IG_BF2, "bf16"}};
    size_t size = ig_dtype_size(types[type].dtype);

    *v = (ig_vectors){0};
    if (dims == 0 || dims > SIZE_MAX / 16)
        return ig_fail(error, IG_VALUE, "%s: --dim %zu is no number of floats a row",
                       path, dims);
    if (content->size == 0 || content->size % (dims * size) != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: its %zu bytes are not whole rows of %zu (--dim %zu, %s)",
                       path, content->size, dims * size, dims, types[type].name);
    v->values = content->bytes;
    v->dims = dims;
    v->rows = content->size / (dims * size);
    v->dtype = types[type].dtype;
    /* Headerless files are little-endian wherever they were written. */
    v->swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    v->content = ig_content_move(content);
    return IG_OK;
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

/* n ≤ TILE values of `size` bytes from src, each turned around. */
static void turn(const unsigned char *src, size_t size, size_t n, unsigned char *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < size; k++)
            out[i * size + k] = src[i * size + size - 1 - k];
    }
}

/* Native values to floats. The kernels need no alignment. */
static void widen_native(ig_dtype dtype, const void *src, size_t n, float *out)
{
    switch (dtype) {
    case IG_F4:
        memcpy(out, src, n * sizeof *out);
        return;
    case IG_F2:
        ig_kernels_best()->from_half(src, n, out);
        return;
    case IG_F8:
        ig_kernels_best()->from_double(src, n, out);
        return;
    case IG_BF2:
        for (size_t i = 0; i < n; i++) {
            uint16_t half;
            uint32_t bits;

            memcpy(&half, (const char *)src + i * sizeof half, sizeof half);
            bits = (uint32_t)half << 16;
            memcpy(&out[i], &bits, sizeof bits);
        }
        return;
    case IG_I1:
        for (size_t i = 0; i < n; i++)
            out[i] = ((const signed char *)src)[i];
        return;
    case IG_U1:
        for (size_t i = 0; i < n; i++)
            out[i] = ((const unsigned char *)src)[i];
        return;
    case IG_OPAQUE2:
    case IG_UTF32:
    case IG_BYTES:
        return; /* no numbers: refused before */
    case IG_I4:
        for (size_t i = 0; i < n; i++) {
            int32_t x;

            memcpy(&x, (const char *)src + i * sizeof x, sizeof x);
            out[i] = (float)x;
        }
        return;
    case IG_I8:
        for (size_t i = 0; i < n; i++) {
            int64_t x;

            memcpy(&x, (const char *)src + i * sizeof x, sizeof x);
            out[i] = (float)x;
        }
        return;
    }
}

/* n values from number `first` on, in file order, to floats. */
static void widen(const ig_vectors *v, size_t first, size_t n, float *out)
{
    size_t size = ig_dtype_size(v->dtype);
    const unsigned char *src = v->values + first * size;
    _Alignas(8) unsigned char turned[TILE * 8];

    if (!v->swapped) {
        widen_native(v->dtype, src, n, out);
        return;
    }
    while (n > 0) {
        size_t m = n < TILE ? n : TILE;

        turn(src, size, m, turned);
        widen_native(v->dtype, turned, m, out);
        src += m * size;
        out += m;
        n -= m;
    }
}

void ig_vectors_rows(const ig_vectors *v, size_t first, size_t count, size_t dims,
                     float *out, size_t stride)
{
    float column[TILE];

    if (!v->fortran && dims == v->dims && dims == stride) {
        widen(v, first * dims, count * dims, out);
        return;
    }
    if (!v->fortran) {
        for (size_t i = 0; i < count; i++)
            widen(v, (first + i) * v->dims, dims, out + i * stride);
        return;
    }
    for (size_t i = 0; i < count; i += TILE) {
        size_t m = count - i < TILE ? count - i : TILE;

        for (size_t j = 0; j < dims; j++) {
            widen(v, j * v->rows + first + i, m, column);
            for (size_t k = 0; k < m; k++)
                out[(i + k) * stride + j] = column[k];
        }
    }
}

double ig_vectors_value(const ig_vectors *v, size_t row, size_t column)
{
    size_t size = ig_dtype_size(v->dtype);
    size_t number = v->fortran ? column * v->rows + row : row * v->dims + column;
    const unsigned char *src = v->values + number * size;
    unsigned char turned[8];
    double value;
    float rounded;

    if (v->dtype != IG_F8) {
        widen(v, number, 1, &rounded);
        return (double)rounded;
    }
    if (v->swapped)
        turn(src, size, 1, turned);
    memcpy(&value, v->swapped ? turned : src, sizeof value);
    return value;
}

const float *ig_vectors_direct(const ig_vectors *v)
{
    if (v->dtype != IG_F4 || v->swapped || v->fortran ||
        (uintptr_t)v->values % _Alignof(float) != 0)
        return NULL;
    return (const float *)(const void *)v->values;
}

ig_status ig_vectors_read_npy(const char *path, size_t *rows, size_t *cols,
                              float **values, ig_error *error)
{
    ig_content content;
    ig_vectors v = {0};
    ig_npy npy;
    float *out = NULL;
    ig_status status = ig_content_open(&content, path, error);

    if (status != IG_OK)
        return status;
    status = ig_npy_parse(&npy, path, content.bytes, content.size, error);
    if (status == IG_OK &&
        (npy.dtype == IG_OPAQUE2 || npy.dtype == IG_UTF32 || npy.dtype == IG_BYTES))
        status = ig_fail(error, IG_FORMAT, "%s: holds no numbers", path);
    if (status == IG_OK && npy.dimensions != 1 && npy.dimensions != 2)
        status = ig_fail(error, IG_SHAPE, "%s: has %zu dimensions, not 1 or 2", path,
                         npy.dimensions);
    if (status == IG_OK) {
        v.values = content.bytes + npy.offset;
        v.rows = npy.shape[0];
        v.dims = npy.dimensions == 2 ? npy.shape[1] : 1;
        v.dtype = npy.dtype;
        v.swapped = npy.swapped;
        v.fortran = npy.fortran && npy.dimensions == 2;
        out = ig_alloc(npy.count, sizeof *out);
        if (!out)
            status = ig_fail_memory(error, path);
    }
    if (status == IG_OK) {
        if (npy.count)
            ig_vectors_rows(&v, 0, v.rows, v.dims, out, v.dims);
        *rows = v.rows;
        *cols = v.dims;
        *values = out;
    }
    ig_content_close(&content);
    return status;
}
