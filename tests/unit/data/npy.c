/* The .npy format: every type, order and byte order, and headers that are wrong. */
#include "suite.h"

#include <math.h>

#include "core/kernels.h"
#include "core/memory.h"
#include "data/npy.h"
#include "data/reader.h"
#include "scratch.h"

enum { ROWS = 300, DIMS = 5 };

/* The value at (i, j), exact in every type. */
static double value_at(size_t i, size_t j)
{
    return ((double)i - 150) * 4 + (double)j * 0.5;
}

/* A number ≤ 2^11 with few digits as IEEE half bits. */
static uint16_t half_of(double x)
{
    int exponent;
    double fraction = frexp(fabs(x), &exponent);
    uint16_t sign = signbit(x) ? 0x8000 : 0;

    if (x == 0)
        return sign;
    return (uint16_t)(sign | (exponent + 14) << 10 |
                      ((unsigned)(fraction * 2048) & 1023));
}

/* One value as `size` bytes of a float type. */
static void encode(double x, size_t size, unsigned char *out)
{
    float f = (float)x;
    uint64_t bits = 0;
    uint32_t word;

    if (size == 2) {
        bits = half_of(x);
    } else if (size == 4) {
        memcpy(&word, &f, sizeof word);
        bits = word;
    } else {
        memcpy(&bits, &x, sizeof bits);
    }
    for (size_t k = 0; k < size; k++)
        out[k] = (unsigned char)(bits >> 8 * k);
}

static void write_matrix(const char *name, char endian, size_t size, bool fortran)
{
    static unsigned char values[ROWS * DIMS * 8];
    char text[128];

    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < DIMS; j++)
            encode(value_at(i, j), size,
                   values + (fortran ? j * ROWS + i : i * DIMS + j) * size);
    }
    snprintf(text, sizeof text,
             "{'descr': '%cf%zu', 'fortran_order': %s, 'shape': (%d, %d), }\n", endian,
             size, fortran ? "True" : "False", ROWS, DIMS);
    scratch_npy(name, text, values, (size_t)ROWS * DIMS * size);
}

static ig_status open_npy(ig_array *v, const char *path, ig_error *error)
{
    extern const ig_format ig_format_npy;
    const ig_dataset_options options = {0};
    ig_arrays file = {.path = path};
    ig_reader r = {.path = path, .options = &options, .error = error};

    r.status = ig_content_open(&file.content, path, NULL, error);
    if (r.status == IG_OK)
        r.status = ig_format_npy.list(&file, error);
    if (r.status == IG_OK)
        ig_arrays_read(&file, &r);
    ig_arrays_free(&file);
    *v = r.vectors;
    return ig_reader_end(&r);
}

static void check_matrix(const char *name)
{
    ig_array v;
    ig_error error;
    float out[ROWS * 7];
    float *all;
    size_t rows, cols;

    assert_int_equal(open_npy(&v, name, &error), IG_OK);
    assert_int_equal(v.rows, ROWS);
    assert_int_equal(v.dims, DIMS);
    for (size_t dims = 1; dims <= DIMS; dims += 2) {
        for (size_t k = 0; k < ROWS * 7; k++)
            out[k] = -1;
        ig_array_rows(&v, 3, ROWS - 3, dims, out, 7);
        for (size_t i = 0; i < ROWS - 3; i++) {
            for (size_t j = 0; j < 7; j++)
                assert_true(out[i * 7 + j] ==
                            (j < dims ? (float)value_at(i + 3, j) : -1));
        }
    }
    ig_content_close(&v.content);

    assert_int_equal(ig_npy_read(name, &rows, &cols, &all, &error), IG_OK);
    assert_int_equal(rows, ROWS);
    assert_int_equal(cols, DIMS);
    for (size_t i = 0; i < ROWS * DIMS; i++)
        assert_true(all[i] == (float)value_at(i / DIMS, i % DIMS));
    ig_free(all);
}

static void test_types(void **state)
{
    for (const char *endian = "<=|"; *endian; endian++)
        for (size_t size = 2; size <= 8; size *= 2) {
            write_matrix("m.npy", *endian, size, false);
            check_matrix("m.npy");
            write_matrix("m.npy", *endian, size, true);
            check_matrix("m.npy");
        }
}

static void test_versions(void **state)
{
    /* Python writes the keys in this order; nothing says that others do, or how. */
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }   \n",
        "{\"shape\": (1L, 2L), \"fortran_order\": False, \"descr\": \"<f4\"}",
        "{'descr':'<f4','fortran_order':False,'shape':(1,2)}\n",
        "  { 'shape' : ( 1 , 2 , ) , 'descr' : '<f4' , 'fortran_order' : False , }",
    };
    static const float values[] = {1.5f, -2};

    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        for (unsigned char version = 1; version <= 3; version++) {
            unsigned char bytes[256] = {0x93, 'N', 'U', 'M', 'P', 'Y', version, 0};
            size_t length = strlen(headers[h]);
            size_t start = version == 1 ? 10 : 12;
            ig_array npy = {0};

            bytes[8] = (unsigned char)length;
            memcpy(bytes + start, headers[h], length);
            memcpy(bytes + start + length, values, sizeof values);
            assert_int_equal(ig_npy_parse(&npy, "v.npy", bytes, sizeof bytes,
                                          start + length + sizeof values, NULL),
                             IG_OK);
            assert_int_equal(npy.dtype, IG_F4);
            assert_int_equal(npy.dimensions, 2);
            assert_int_equal(npy.rows, 1);
            assert_int_equal(npy.dims, 2);
            assert_int_equal(npy.count, 2);
            assert_ptr_equal(npy.values, bytes + start + length);
        }
    }
}

#define HEADER(descr, order, shape)                                                    \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

#define DAMAGED                                                                        \
    "x.npy: the .npy header is damaged (expected descr, fortran_order and shape, in "  \
    "version 1.0 to 3.0)"

static void check_bytes(const char *bytes, size_t size, const char *message)
{
    ig_error error;
    ig_array npy = {0};

    assert_int_equal(
        ig_npy_parse(&npy, "x.npy", (const unsigned char *)bytes, size, size, &error),
        IG_FORMAT);
    assert_string_equal(error.message, message);
}

static void test_truncated(void **state)
{
    static const char not_npy[] =
        "x.npy: is not a .npy file (it does not begin with \\x93NUMPY)";
    FILE *file;
    char bytes[512];
    size_t size;
    static const float values[6] = {1, 2, 3, 4, 5, 6};

    check_bytes("", 0, "x.npy: is empty");
    check_bytes("\x93NUMP", 5, not_npy);
    check_bytes("PK\x03\x04 a zip", 10, not_npy);
    check_bytes("\x93NUMPY\x01\x00", 8, not_npy);
    check_bytes("\x93NUMPY\x04\x00\x04\x00{}{}", 14, DAMAGED);
    check_bytes("\x93NUMPY\x01\x00\xff\xff{}", 12, DAMAGED);
    check_bytes("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, DAMAGED);

    /* A good file cut at every length is refused, and never read past its end. */
    file = fopen("good.npy", "wb");
    assert_non_null(file);
    ig_npy_write_header(file, 2, 3);
    fwrite(values, sizeof *values, 6, file);
    fclose(file);
    file = fopen("good.npy", "rb");
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(size, 128 + sizeof values);
    for (size_t n = 0; n <= size; n++) {
        unsigned char *copy = malloc(n ? n : 1);
        ig_array npy = {0};

        memcpy(copy, bytes, n);
        assert_int_equal(ig_npy_parse(&npy, "x.npy", copy, n, n, NULL),
                         n == size ? IG_OK : IG_FORMAT);
        free(copy);
    }
}

static void test_round_trip(void **state)
{
    static const float values[] = {1, -0.0f, 1e-40f, 3.4e38f, 5, 6, 7, 8};
    size_t rows, cols;
    float *out;
    FILE *file;
    ig_array v;

    /* As numpy writes them, at a multiple of 64. */
    file = fopen("r.npy", "wb");
    ig_npy_write_header(file, 2, 4);
    fwrite(values, sizeof *values, 8, file);
    fclose(file);
    assert_int_equal(open_npy(&v, "r.npy", NULL), IG_OK);
    assert_int_equal((uintptr_t)v.values % 64, 0);
    assert_memory_equal(v.values, values, sizeof values);
    ig_content_close(&v.content);

    file = fopen("r.npy", "wb");
    ig_npy_write_header(file, 8, 0);
    fwrite(values, sizeof *values, 8, file);
    fclose(file);
    assert_int_equal(ig_npy_read("r.npy", &rows, &cols, &out, NULL), IG_OK);
    assert_int_equal(rows, 8);
    assert_int_equal(cols, 1);
    assert_memory_equal(out, values, sizeof values);
    ig_free(out);
}

SUITE(npy, scratch_enter, scratch_leave, TEST(test_types), TEST(test_versions),
      TEST(test_truncated), TEST(test_round_trip))
