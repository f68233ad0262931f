/* A matrix is a non-owning view of row-major floats, passed by value. */
#ifndef LINEAR_MATRIX_H
#define LINEAR_MATRIX_H

#include <stddef.h>

typedef struct ig_matrix {
    float *a; /* element (i, j) is a[i * stride + j] */
    size_t rows;
    size_t cols;
    size_t stride; /* floats between the starts of consecutive rows, ≥ cols */
} ig_matrix;

static inline ig_matrix ig_matrix_of(float *a, size_t rows, size_t cols)
{
    return (ig_matrix){a, rows, cols, cols};
}

static inline float *ig_matrix_row(ig_matrix m, size_t i)
{
    return m.a + i * m.stride;
}

/* Rows first … first+count−1 of m, as a view. */
static inline ig_matrix ig_matrix_rows(ig_matrix m, size_t first, size_t count)
{
    return (ig_matrix){m.a + first * m.stride, count, m.cols, m.stride};
}

/* Columns first … first+count−1 of m, as a view. */
static inline ig_matrix ig_matrix_cols(ig_matrix m, size_t first, size_t count)
{
    return (ig_matrix){m.a + first, m.rows, count, m.stride};
}

#endif
