/* IsoScore and the spectrum of the covariance [struct §III.3], the mean cosine
 * [Ethayarajh 2019], and the share of variance between languages. Legend: N rows, d
 * dims, K languages, λ the eigenvalues. */
#include <math.h>
#include <stdio.h>

#include "core/blas.h"
#include "measure/results.h"
#include "measure/units.h"

/* Of a row its mean cosine with the others; |x − μ_l|² and |x − μ|² of rows x as they
 * are, μ their mean, μ_l that of a language. */
struct ig_isotropy_item {
    uint32_t row; /* of the source */
    float cosine, within, total;
};

/* What the passes over rows need, and sum. */
struct pass {
    const ig_measure_input *in;
    ig_isotropy *isotropy;
    const double *unit_mean; /* (d) of rows of length 1 */
    double *mean;            /* (K + 1, d) of the languages, and of all */
    size_t *number;          /* (K) rows of each */
    double within, total;
};

/* --- all rows together ------------------------------------------------------------ */

/* Eigenvalues as shares of their sum; those that rounding made negative are 0. */
static ig_status take_spectrum(ig_isotropy *isotropy, const ig_moments *moments,
                               ig_error *error)
{
    size_t d = moments->dims;
    double sum = 0, *value = ig_arena_array(&isotropy->arena, d, sizeof *value);
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

/* (|Σu|² − n)/(n(n − 1)) of the n rows that have a length. */
static void take_cosine(ig_isotropy *isotropy, const ig_moments *m)
{
    double all = (double)m->rows, n = all - (double)m->zero_rows, square = 0;

    for (size_t j = 0; j < m->dims; j++)
        square += all * m->mean[j] * all * m->mean[j];
    if (n > 1)
        isotropy->mean_cosine = (square - n) / (n * (n - 1));
    else
        isotropy->no_cosine = "fewer than two rows have a length";
}

/* What rows add to the mean cosine: twice the mean cosine of each with the others, less
 * the mean of all; u·Σu, of which 1 is its own. */
static ig_status keep_cosines(void *context, const ig_units *u, size_t first,
                              ig_pool *pool)
{
    struct pass *p = context;
    ig_isotropy *isotropy = p->isotropy;
    double n = (double)isotropy->rows, lengths = p->total;

    (void)pool;
    for (size_t i = 0; i < u->count; i++) {
        double sum = 0;

        for (size_t j = 0; j < u->dims; j++)
            sum += (double)u->unit[i * u->dims + j] * p->unit_mean[j];
        isotropy->item[first + i].cosine =
            u->zero[i]
                ? NAN
                : (float)(2 * (n * sum - 1) / (lengths - 1) - isotropy->mean_cosine);
    }
    return IG_OK;
}

static ig_status measure_rows(struct pass *p, ig_error *error)
{
    const ig_measure_input *in = p->in;
    ig_isotropy *isotropy = p->isotropy;
    double d = (double)in->some->dims, trace, squares;
    ig_moments moments = {0};
    ig_status status = ig_moments_init(&moments, in->some->dims, error);

    if (status == IG_OK)
        status = ig_unit_moments(&moments, in->some, NULL, in->some->rows, NULL, NULL,
                                 in->pool, in->watch, error);
    if (status != IG_OK)
        goto done;
    ig_unit_spread(&moments, &trace, &squares);
    take_cosine(isotropy, &moments);
    if (in->some->dims < 2) {
        isotropy->reason = "only one dimension";
    } else if (trace < IG_SPREAD_MIN) {
        isotropy->reason = "the rows do not differ";
    } else {
        isotropy->isoscore = (trace * trace / squares - 1) / (d - 1);
        status = take_spectrum(isotropy, &moments, error);
    }
    p->unit_mean = moments.mean;
    p->total = (double)(moments.rows - moments.zero_rows);
    if (status == IG_OK && isotropy->item)
        status = ig_units_each(in->some, NULL, in->some->rows, keep_cosines, p,
                               in->pool, in->watch, error);
    ig_progress_add(in->watch, 4.0 / 3 * d * d * d, 0);
done:
    ig_moments_free(&moments);
    return status;
}

/* --- languages -------------------------------------------------------------------- */

static ig_status add_means(void *context, const ig_units *u, size_t first,
                           ig_pool *pool)
{
    struct pass *p = context;

    (void)pool;
    for (size_t i = 0; i < u->count; i++) {
        size_t lang = p->in->lang[first + i];

        p->number[lang]++;
        for (size_t j = 0; j < u->dims; j++)
            p->mean[lang * u->dims + j] += (double)u->unit[i * u->dims + j];
    }
    return IG_OK;
}

static double distance(const float *x, const double *mean, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j++)
        sum += ((double)x[j] - mean[j]) * ((double)x[j] - mean[j]);
    return sum;
}

static ig_status add_distances(void *context, const ig_units *u, size_t first,
                               ig_pool *pool)
{
    struct pass *p = context;
    size_t d = u->dims;

    (void)pool;
    for (size_t i = 0; i < u->count; i++) {
        const float *x = u->unit + i * d;
        double within = distance(x, p->mean + p->in->lang[first + i] * d, d);
        double total = distance(x, p->mean + p->in->languages * d, d);

        p->within += within;
        p->total += total;
        if (p->isotropy->item) {
            p->isotropy->item[first + i].within = (float)within;
            p->isotropy->item[first + i].total = (float)total;
        }
    }
    return IG_OK;
}

static ig_status measure_share(struct pass *p, ig_arena *arena, ig_error *error)
{
    const ig_measure_input *in = p->in;
    ig_isotropy *isotropy = p->isotropy;
    size_t d = in->some->dims, n = in->some->rows, k = in->languages, with = 0;
    ig_rows raw = ig_units_raw(in->raw);
    ig_status status;

    p->mean = ig_arena_array(arena, k + 1, d * sizeof *p->mean);
    p->number = ig_arena_array(arena, k, sizeof *p->number);
    if (arena->failed)
        return ig_fail_memory(error, "the variance of languages");
    status =
        ig_units_each(&raw, in->some_base, n, add_means, p, in->pool, in->watch, error);
    for (size_t l = 0; l < k; l++) {
        with += p->number[l] > 0;
        for (size_t j = 0; j < d && p->number[l]; j++) {
            p->mean[k * d + j] += p->mean[l * d + j] / (double)n;
            p->mean[l * d + j] /= (double)p->number[l];
        }
    }
    isotropy->share_chance = (double)(with - 1) / (double)(n - 1);
    p->total = 0;
    if (status == IG_OK && with > 1)
        status = ig_units_each(&raw, in->some_base, n, add_distances, p, in->pool,
                               in->watch, error);
    if (with < 2)
        isotropy->no_share = "only one language";
    else if (p->total > 0)
        isotropy->language_share = 1 - p->within / p->total;
    else
        isotropy->no_share = "the rows do not differ";
    return status;
}

/* --- the group -------------------------------------------------------------------- */

#define VALUE(field) IG_ITEM(field##_of, double, ig_isotropy, r->item[i].field)

VALUE(cosine)
VALUE(within)
VALUE(total)
IG_ITEM(row_of, uint32_t, ig_isotropy, r->item[i].row)

static double share_of(const void *result, const double *mean)
{
    (void)result;
    return mean[1] > 0 ? 1 - mean[0] / mean[1] : (double)NAN;
}

static const ig_figure_line lines[] = {
    {"isoscore", .at = offsetof(ig_isotropy, isoscore),
     .reason_at = offsetof(ig_isotropy, reason)},
    {"mean_cosine", .at = offsetof(ig_isotropy, mean_cosine),
     .reason_at = offsetof(ig_isotropy, no_cosine),
     .column = {.value = {cosine_of}, .row = row_of}},
    {"language_share", .at = offsetof(ig_isotropy, language_share),
     .chance_at = offsetof(ig_isotropy, share_chance),
     .reason_at = offsetof(ig_isotropy, no_share),
     .column = {.value = {within_of, total_of}, .row = row_of, .follows = share_of}},
};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_isotropy *isotropy = result;
    char number[24];

    ig_figures_add_lines(figures, lines, sizeof lines / sizeof *lines, isotropy,
                         isotropy->rows, isotropy->item ? isotropy->rows : 0, NULL);
    for (size_t i = 0; isotropy->eigenvalue && i < isotropy->dims; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        ig_figures_add_part(figures, "eigenvalue", number, isotropy->eigenvalue[i],
                            NULL)
            ->n = isotropy->rows;
    }
}

static double group_work(const ig_measure_input *in)
{
    double n = (double)in->some->rows, d = (double)in->some->dims;

    return (n * d * d + 4.0 / 3 * d * d * d) * (in->intervals ? 3 : 1);
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const double none = (double)NAN;
    ig_isotropy *isotropy = result;
    size_t n = in->some->rows;
    struct pass pass = {.in = in, .isotropy = isotropy};
    ig_arena arena = {0};
    ig_status status;

    *isotropy = (ig_isotropy){.isoscore = none,
                              .mean_cosine = none,
                              .language_share = none,
                              .share_chance = none,
                              .rows = n,
                              .dims = in->some->dims};
    if (n < 2) {
        isotropy->reason = isotropy->no_cosine = isotropy->no_share = n ? "only one row"
                                                                        : "no rows";
        return IG_OK;
    }
    if (in->intervals)
        isotropy->item = ig_arena_array(&isotropy->arena, n, sizeof *isotropy->item);
    if (isotropy->arena.failed)
        return ig_fail_memory(error, "the intervals of isotropy");
    for (size_t i = 0; isotropy->item && i < n; i++)
        isotropy->item[i].row = in->some_row ? in->some_row[i] : (uint32_t)i;
    status = measure_rows(&pass, error);
    if (status == IG_OK)
        status = measure_share(&pass, &arena, error);
    ig_arena_free(&arena);
    return status;
}

IG_GROUP(isotropy, "isotropy", IG_NEEDS_ROWS, .free = ig_result_free);
