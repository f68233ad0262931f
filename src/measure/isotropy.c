/* IsoScore and the spectrum of the covariance [struct §III.3]. Legend: N rows, d dims,
 * λ the eigenvalues. */
#include "measure/isotropy.h"

#include <math.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "measure/unit_moments.h"

void ig_isotropy_free(ig_isotropy *isotropy)
{
    if (!isotropy)
        return;
    ig_free(isotropy->eigenvalue);
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

ig_status ig_isotropy_measure(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_watch *watch, ig_error *error)
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

/* --- the family ------------------------------------------------------------------ */

static const ig_measure_entry entries[] = {
    {.family = &ig_isotropy_family,
     .key = "isoscore",
     .name = "IsoScore",
     .brief = "IsoScore",
     .about = "How evenly variance is spread over all directions: 0 a line, 1 a ball.",
     .source = "struct §III.3",
     .decimals = 3,
     .better = {1, 1, 0},
     .at = offsetof(ig_isotropy, isoscore)},
};

static double family_work(const ig_measure_input *in)
{
    return ig_isotropy_work(in->some->rows, in->some->dims);
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    return ig_isotropy_measure(result, in->some, in->pool, in->watch, error);
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
                                      .reason_at = offsetof(ig_isotropy, reason),
                                      .entry = entries,
                                      .entries = sizeof entries / sizeof *entries};
