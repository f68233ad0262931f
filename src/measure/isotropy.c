/* IsoScore and the spectrum of the covariance [struct §III.3]. Legend: N rows, d dims,
 * λ the eigenvalues. */
#include "measure/isotropy.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "linear/kernels.h"
#include "measure/unit_moments.h"

enum { CHUNK = 4096 }; /* rows that are centred at once */

void ig_isotropy_free(ig_isotropy *isotropy)
{
    if (!isotropy)
        return;
    ig_free(isotropy->eigenvalue);
    ig_item_values_free(&isotropy->items);
    *isotropy = (ig_isotropy){0};
}

double ig_isotropy_work(size_t rows, size_t dims)
{
    double n = (double)rows, d = (double)dims;

    return n * d * d + 4.0 / 3 * d * d * d;
}

/* Eigenvalues as shares of their sum; those that rounding made negative are 0. */
static ig_status take_spectrum(ig_isotropy *isotropy, const ig_moments *moments,
                               ig_error *error)
{
    size_t d = moments->dims;
    double sum = 0, *value = ig_alloc(d, sizeof *value);
    ig_status status;

    isotropy->eigenvalue = value;
    if (!value)
        return ig_fail_memory(error, "a spectrum");
    status = ig_eigen_symmetric(moments->scatter, d, d, value, NULL, error);
    for (size_t i = 0; i < d; i++) {
        value[i] = value[i] > 0 ? value[i] : 0;
        sum += value[i];
    }
    for (size_t i = 0; i < d; i++)
        value[i] /= sum;
    return status;
}

/* What rows add: z = x − μ adds |z|² to tr C = Σλ, and zᵀCz to ‖C‖² = Σλ², twice which
 * less ‖C‖² is what the latter gains to first order. */
static ig_status keep_rows(ig_isotropy *isotropy, const ig_rows *rows,
                           const ig_moments *m, double squares, ig_pool *pool,
                           ig_watch *watch, ig_error *error)
{
    size_t d = rows->dims, n = rows->rows;
    ig_matrix c = ig_matrix_of(ig_alloc(d, d * sizeof *c.a), d, d);
    ig_matrix image = ig_matrix_of(ig_alloc(CHUNK, d * sizeof *image.a), CHUNK, d);
    ig_status status = ig_item_values_init(&isotropy->items, n, 2, error);

    if (status == IG_OK && (!c.a || !image.a))
        status = ig_fail_memory(error, "the intervals of IsoScore");
    for (size_t i = 0; status == IG_OK && i < d * d; i++)
        c.a[i] = (float)(m->scatter[i] / (double)m->rows);
    for (size_t first = 0; status == IG_OK && first < n; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        ig_matrix some = ig_matrix_rows(image, 0, count);
        ig_units u = {0};

        status = ig_units_init_chunk(&u, rows, NULL, first, count, pool, watch, error);
        for (size_t i = 0; status == IG_OK && i < count * d; i++)
            u.unit[i] = (float)((double)u.unit[i] - m->mean[i % d]);
        if (status == IG_OK)
            status = ig_gemm_pool(pool, false, false, 1, ig_matrix_of(u.unit, count, d),
                                  c, 0, some);
        for (size_t i = 0; status == IG_OK && i < count; i++) {
            double *value = isotropy->items.value + 2 * (first + i);
            const float *z = u.unit + i * d;

            isotropy->items.row[first + i] = (uint32_t)(first + i);
            value[0] = ig_kernels_best()->dot(z, z, d);
            value[1] = 2 * ig_kernels_best()->dot(z, ig_matrix_row(some, i), d) -
                       squares;
        }
        ig_units_free(&u);
    }
    ig_free(c.a);
    ig_free(image.a);
    return status;
}

static ig_status measure(ig_isotropy *isotropy, const ig_rows *rows, bool keep,
                         ig_pool *pool, ig_watch *watch, ig_error *error)
{
    double d = (double)rows->dims, trace, squares;
    ig_isotropy taken = {
        .isoscore = (double)NAN, .rows = rows->rows, .dims = rows->dims};
    ig_moments moments = {0};
    ig_status status = IG_OK;

    *isotropy = (ig_isotropy){0};
    if (rows->rows < 2)
        taken.reason = rows->rows ? "only one row" : "no rows";
    else if (rows->dims < 2)
        taken.reason = "only one dimension";
    if (taken.reason) {
        *isotropy = taken;
        return IG_OK;
    }
    status = ig_moments_init(&moments, rows->dims, error);
    if (status == IG_OK)
        status = ig_unit_moments(&moments, rows, NULL, rows->rows, NULL, NULL, pool,
                                 watch, error);
    if (status != IG_OK)
        goto done;
    ig_unit_spread(&moments, &trace, &squares);
    if (trace < IG_SPREAD_LEAST) {
        taken.reason = "the rows do not differ";
    } else {
        taken.isoscore = (trace * trace / squares - 1) / (d - 1);
        status = take_spectrum(&taken, &moments, error);
        if (status == IG_OK && keep)
            status = keep_rows(&taken, rows, &moments, squares, pool, watch, error);
    }
    ig_watch_add(watch, 4.0 / 3 * d * d * d, 0);
done:
    ig_moments_free(&moments);
    if (status == IG_OK)
        *isotropy = taken;
    else
        ig_isotropy_free(&taken);
    return status;
}

ig_status ig_isotropy_measure(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_watch *watch, ig_error *error)
{
    return measure(isotropy, rows, false, pool, watch, error);
}

/* --- what it is made of ----------------------------------------------------------- */

static double variance_of(const void *result, size_t item)
{
    return ((const ig_isotropy *)result)->items.value[2 * item];
}

static double square_of(const void *result, size_t item)
{
    return ((const ig_isotropy *)result)->items.value[2 * item + 1];
}

static double score_of(const void *result, const double *mean)
{
    double d = (double)((const ig_isotropy *)result)->dims;

    double score = (mean[0] * mean[0] / mean[1] - 1) / (d - 1);

    /* To first order it may leave what is possible, of a handful of rows. */
    return mean[1] > 0 ? fmin(fmax(score, 0), 1) : (double)NAN;
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_isotropy *)result)->items.row[item];
}

/* --- the family ------------------------------------------------------------------- */

static const ig_figure_line line = {
    "isoscore", .at = offsetof(ig_isotropy, isoscore),
    .column = {.value = {variance_of, square_of}, .row = row_of, .follows = score_of}};

static void family_append(const void *result, ig_figures *figures)
{
    const ig_isotropy *isotropy = result;
    char number[24];

    ig_figures_add_lines(figures, &line, 1, isotropy, isotropy->rows,
                         isotropy->items.count, isotropy->reason);
    for (size_t i = 0; isotropy->eigenvalue && i < isotropy->dims; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        ig_figures_add_part(figures, "eigenvalue", number, isotropy->eigenvalue[i],
                            NULL)
            ->n = isotropy->rows;
    }
}

static double family_work(const ig_measure_input *in)
{
    return ig_isotropy_work(in->some->rows, in->some->dims) * (in->intervals ? 3 : 1);
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_isotropy *isotropy = result;
    ig_status status =
        measure(isotropy, in->some, in->intervals, in->pool, in->watch, error);

    ig_item_values_rename(&isotropy->items, in->some_row);
    return status;
}

static void family_free(void *result)
{
    ig_isotropy_free(result);
}

const ig_family ig_isotropy_family = {.name = "isotropy",
                                      .needs = IG_NEEDS_ROWS,
                                      .work = family_work,
                                      .take = family_take,
                                      .free = family_free,
                                      .append = family_append};
