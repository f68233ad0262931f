/* .npy headers, and rows widened from what they promise. */
#define SEEDS                                                                          \
    SEED("\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', 'fortran_order': False, 'shape': " \
         "(1, 2)}abcdefgh"),                                                           \
        SEED("\x93NUMPY\x02\x00\x39\x00\x00\x00{'descr': '>f2', 'fortran_order': "     \
             "True, "                                                                  \
             "'shape': (2, 2)}abcdefgh"),                                              \
        SEED("\x93NUMPY\x03\x00\x39\x00\x00\x00{'descr': '<f8', 'fortran_order': "     \
             "True, "                                                                  \
             "'shape': (1, 1)}abcdefgh")

#include "base/memory.h"
#include "data/vectors.h"
#include "seeds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_vectors v = {0};
    ig_error error;
    ig_npy npy;
    float *out;

    if (ig_npy_parse(&npy, "x.npy", data, size, &error) != IG_OK)
        return 0;
    must(npy.offset + npy.count * npy.item == size);
    if (npy.dtype == IG_UTF32 || npy.dtype == IG_BYTES || npy.dtype == IG_OPAQUE2)
        return 0; /* no vectors */
    must(npy.item == ig_dtype_size(npy.dtype));
    if (npy.dimensions != 2 || npy.count == 0)
        return 0;
    v.values = data + npy.offset;
    v.rows = npy.shape[0];
    v.dims = npy.shape[1];
    v.dtype = npy.dtype;
    v.swapped = npy.swapped;
    v.fortran = npy.fortran;
    out = ig_alloc(npy.count, sizeof *out);
    must(out != NULL);
    ig_vectors_rows(&v, 0, v.rows, v.dims, out, v.dims);
    ig_vectors_rows(&v, v.rows - 1, 1, v.dims, out, v.dims);
    ig_free(out);
    return 0;
}
