/* Vectors in files, and their conversion to float. Legend: n rows, d dims. */
#include "data/vectors.h"

#include <string.h>

#include "core/kernels.h"
#include "core/memory.h"

/* Values byte-swapped or converted at a time, on the stack. */
enum { TILE = 256 };

const ig_raw_type ig_raw_types[IG_TYPES] = {[IG_TYPE_F32] = {IG_F4, "f32"},
                                            [IG_TYPE_F16] = {IG_F2, "f16"},
                                            [IG_TYPE_BF16] = {IG_BF2, "bf16"}};

static ig_vectors make_vectors(const ig_npy *npy, const unsigned char *bytes)
{
    return (ig_vectors){.values = bytes + npy->offset,
                        .rows = npy->shape[0],
                        .dims = npy->dimensions == 2 ? npy->shape[1] : 1,
                        .dtype = npy->dtype,
                        .swapped = npy->swapped,
                        .fortran = npy->fortran && npy->dimensions == 2};
}

ig_status ig_vectors_of_npy(ig_vectors *v, const char *path, const ig_npy *npy,
                            const unsigned char *bytes, int type, ig_error *error)
{
    ig_dtype dtype = npy->dtype;

    *v = (ig_vectors){0};
    if (dtype == IG_OPAQUE2 && type != IG_TYPE_BF16)
        return ig_fail(error, IG_FORMAT,
                       "%s: its values are two bytes of no type (V2 or u2); if they "
                       "are bfloat16, --type bf16 says so",
                       path);
    if (dtype == IG_I4 || dtype == IG_I8 || dtype == IG_UTF32 || dtype == IG_BYTES)
        return ig_fail(error, IG_FORMAT,
                       "%s: %s is not supported (expected f2, f4, f8, i1 or u1)", path,
                       dtype == IG_I4   ? "dtype 'i4'"
                       : dtype == IG_I8 ? "dtype 'i8'"
                                        : "an array of texts");
    if (npy->dimensions == 1)
        return ig_fail(error, IG_SHAPE,
                       "%s: has the shape (%zu,), not two dimensions (rows, dims)",
                       path, npy->shape[0]);
    if (npy->dimensions != 2)
        return ig_fail(error, IG_SHAPE, "%s: has %zu dimensions, not two (rows, dims)",
                       path, npy->dimensions);
    if (npy->count == 0)
        return ig_fail(error, IG_SHAPE, "%s: has the shape (%zu, %zu): no values", path,
                       npy->shape[0], npy->shape[1]);
    *v = make_vectors(npy, bytes);
    v->dtype = dtype == IG_OPAQUE2 ? IG_BF2 : dtype;
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

static void swap_bytes(const unsigned char *src, size_t size, size_t n,
                       unsigned char *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < size; k++)
            out[i * size + k] = src[i * size + size - 1 - k];
    }
}

/* Convert values of a type without a kernel, at any alignment. */
#define WIDEN(type, expression)                                                        \
    for (size_t i = 0; i < n; i++) {                                                   \
        type x;                                                                        \
        memcpy(&x, (const char *)src + i * sizeof x, sizeof x);                        \
        out[i] = (expression);                                                         \
    }                                                                                  \
    break

static float widen_bfloat(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Convert native values to float. The kernels accept any alignment. */
static void widen_native(ig_dtype dtype, const void *src, size_t n, float *out)
{
    switch (dtype) {
    case IG_F4:
        memcpy(out, src, n * sizeof *out);
        break;
    case IG_F2:
        ig_kernels_best()->from_half(src, n, out);
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

/* Convert n values from index `first` on, in file order, to float. */
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

        swap_bytes(src, size, m, turned);
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
        swap_bytes(src, size, 1, turned);
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
    ig_npy npy;
    ig_vectors v;
    ig_status status = ig_content_open(&content, path, NULL, error);

    if (status == IG_OK)
        status = ig_npy_parse(&npy, path, content.bytes, content.size, error);
    if (status == IG_OK &&
        (npy.dtype == IG_OPAQUE2 || npy.dtype == IG_UTF32 || npy.dtype == IG_BYTES))
        status = ig_fail(error, IG_FORMAT, "%s: holds no numbers", path);
    if (status == IG_OK && npy.dimensions != 1 && npy.dimensions != 2)
        status = ig_fail(error, IG_SHAPE, "%s: has %zu dimensions, not 1 or 2", path,
                         npy.dimensions);
    if (status == IG_OK && !(*values = ig_alloc(npy.count, sizeof **values)))
        status = ig_fail_memory(error, path);
    if (status == IG_OK) {
        v = make_vectors(&npy, content.bytes);
        if (npy.count)
            ig_vectors_rows(&v, 0, v.rows, v.dims, *values, v.dims);
        *rows = v.rows;
        *cols = v.dims;
    }
    ig_content_close(&content);
    return status;
}
