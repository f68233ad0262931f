/* IsoScore and the spectrum of the covariance [struct §III.3], the mean cosine
 * [Ethayarajh 2019], and the share of variance between languages. Legend: N rows, d
 * dims, K languages, λ the eigenvalues. */
#include <math.h>
#include <stdio.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "measure/results.h"
#include "measure/units.h"

enum { CHUNK = 4096 }; /* rows that are centred at once */

/* Of a row its mean cosine with the others; |x − μ_l|² and |x − μ|² of rows x as they
 * are, μ their mean, μ_l that of a language. */
struct ig_isotropy_item {
    uint32_t row; /* of the source */
    float cosine, within, total;
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
static void take_cosine(ig_isotropy *isotropy, const ig_moments *m, size_t zeros)
{
    double all = (double)m->rows, n = all - (double)zeros, square = 0;

    for (size_t j = 0; j < m->dims; j++)
        square += all * m->mean[j] * all * m->mean[j];
    if (n > 1)
        isotropy->mean_cosine = (square - n) / (n * (n - 1));
    else
        isotropy->no_cosine = "fewer than two rows have a length";
}

/* --- single rows ------------------------------------------------------------------ */

/* What rows add to the mean cosine: twice the mean cosine of each with the others, less
 * the mean of all. */
static ig_status keep_rows(ig_isotropy *isotropy, const ig_rows *rows,
                           const ig_moments *m, ig_pool *pool, ig_progress *watch,
                           ig_error *error)
{
    size_t d = rows->dims, n = rows->rows;
    double lengths = 0;
    ig_status status = IG_OK;

    for (size_t first = 0; status == IG_OK && first < n; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        ig_units u = {0};

        status = ig_units_init(&u, rows, NULL, first, count, pool, watch, error);
        for (size_t i = 0; status == IG_OK && i < count; i++) {
            double sum = 0;

            for (size_t j = 0; j < d; j++)
                sum += (double)u.unit[i * d + j] * m->mean[j];
            isotropy->item[first + i].cosine = u.zero[i] ? NAN : (float)sum;
            lengths += !u.zero[i];
        }
        ig_units_free(&u);
    }
    /* u·Σu, of which 1 is its own. */
    for (size_t i = 0; i < n; i++) {
        double own = isotropy->item[i].cosine;

        isotropy->item[i].cosine =
            (float)(2 * ((double)n * own - 1) / (lengths - 1) - isotropy->mean_cosine);
    }
    return status;
}

static ig_status measure_rows(ig_isotropy *isotropy, const ig_rows *rows, ig_pool *pool,
                              ig_progress *watch, ig_error *error)
{
    double d = (double)rows->dims, trace, squares;
    ig_moments moments = {0};
    ig_status status = ig_moments_init(&moments, rows->dims, error);

    if (status == IG_OK)
        status = ig_unit_moments(&moments, rows, NULL, rows->rows, NULL, NULL, pool,
                                 watch, error);
    if (status != IG_OK)
        goto done;
    ig_unit_spread(&moments, &trace, &squares);
    take_cosine(isotropy, &moments, moments.zero_rows);
    if (rows->dims < 2) {
        isotropy->reason = "only one dimension";
    } else if (trace < IG_SPREAD_MIN) {
        isotropy->reason = "the rows do not differ";
    } else {
        isotropy->isoscore = (trace * trace / squares - 1) / (d - 1);
        status = take_spectrum(isotropy, &moments, error);
    }
    if (status == IG_OK && isotropy->item)
        status = keep_rows(isotropy, rows, &moments, pool, watch, error);
    ig_progress_add(watch, 4.0 / 3 * d * d * d, 0);
done:
    ig_moments_free(&moments);
    return status;
}

/* --- languages -------------------------------------------------------------------- */

/* Room for the rows as they are, a tile at a time. */
struct raw {
    const ig_measure_input *in;
    float *tile, *scratch;
    size_t each;    /* floats of scratch of a thread */
    double *mean;   /* (K + 1, d) of the languages, and of all */
    size_t *number; /* (K) rows of each */
    ig_arena arena;
};

static void read_tile(const struct raw *r, size_t first, size_t count)
{
    ig_rows_share(r->in->raw, r->in->some_base + first, 0, count, r->in->pool, r->tile,
                  r->scratch, r->each);
}

static double distance(const float *x, const double *mean, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j++)
        sum += ((double)x[j] - mean[j]) * ((double)x[j] - mean[j]);
    return sum;
}

static void average_languages(struct raw *r)
{
    const ig_measure_input *in = r->in;
    size_t n = in->some->rows, d = in->some->dims, k = in->languages, count;
    double *all = r->mean + k * d;

    for (size_t first = 0; first < n; first += count) {
        count = n - first < IG_ROWS_TILE ? n - first : IG_ROWS_TILE;
        read_tile(r, first, count);
        for (size_t i = 0; i < count; i++) {
            double *mean = r->mean + in->lang[first + i] * d;

            for (size_t j = 0; j < d; j++)
                mean[j] += (double)r->tile[i * d + j];
            r->number[in->lang[first + i]]++;
        }
    }
    for (size_t l = 0; l < k; l++)
        for (size_t j = 0; j < d && r->number[l]; j++) {
            all[j] += r->mean[l * d + j] / (double)n;
            r->mean[l * d + j] /= (double)r->number[l];
        }
}

static void divide_variance(ig_isotropy *isotropy, const struct raw *r)
{
    const ig_measure_input *in = r->in;
    size_t n = in->some->rows, d = in->some->dims, k = in->languages, count;
    double within = 0, total = 0;

    for (size_t first = 0; first < n; first += count) {
        count = n - first < IG_ROWS_TILE ? n - first : IG_ROWS_TILE;
        read_tile(r, first, count);
        for (size_t i = 0; i < count; i++) {
            const float *x = r->tile + i * d;
            double own[2] = {distance(x, r->mean + in->lang[first + i] * d, d),
                             distance(x, r->mean + k * d, d)};

            within += own[0];
            total += own[1];
            if (isotropy->item) {
                isotropy->item[first + i].within = (float)own[0];
                isotropy->item[first + i].total = (float)own[1];
            }
        }
    }
    if (total > 0)
        isotropy->language_share = 1 - within / total;
    else
        isotropy->no_share = "the rows do not differ";
}

static ig_status measure_share(ig_isotropy *isotropy, const ig_measure_input *in,
                               ig_error *error)
{
    size_t d = in->some->dims, k = in->languages, with = 0;
    struct raw r = {.in = in, .each = (in->raw->scratch + 15) / 16 * 16};
    ig_status status = IG_OK;

    r.tile = ig_arena_array(&r.arena, IG_ROWS_TILE, d * sizeof *r.tile);
    r.scratch =
        ig_arena_array(&r.arena, ig_pool_threads(in->pool), r.each * sizeof *r.scratch);
    r.mean = ig_arena_array(&r.arena, k + 1, d * sizeof *r.mean);
    r.number = ig_arena_array(&r.arena, k, sizeof *r.number);
    if (!r.arena.failed) {
        average_languages(&r);
        for (size_t l = 0; l < k; l++)
            with += r.number[l] > 0;
        isotropy->share_chance = (double)(with - 1) / (double)(in->some->rows - 1);
        if (with < 2)
            isotropy->no_share = "only one language";
        else
            divide_variance(isotropy, &r);
    } else {
        status = ig_fail_memory(error, "the variance of languages");
    }
    ig_arena_free(&r.arena);
    return status;
}

/* --- items ------------------------------------------------------------------------ */

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

/* --- the group -------------------------------------------------------------------- */

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
    ig_isotropy *isotropy = result;
    size_t n = in->some->rows;
    ig_status status;

    *isotropy = (ig_isotropy){.isoscore = (double)NAN,
                              .mean_cosine = (double)NAN,
                              .language_share = (double)NAN,
                              .share_chance = (double)NAN,
                              .rows = n,
                              .dims = in->some->dims};
    if (n < 2) {
        isotropy->reason = isotropy->no_cosine = isotropy->no_share = n ? "only one row"
                                                                        : "no rows";
        return IG_OK;
    }
    if (in->intervals) {
        isotropy->item = ig_arena_array(&isotropy->arena, n, sizeof *isotropy->item);
        if (!isotropy->item)
            return ig_fail_memory(error, "the intervals of isotropy");
    }
    for (size_t i = 0; isotropy->item && i < n; i++)
        isotropy->item[i].row = in->some_row ? in->some_row[i] : (uint32_t)i;
    status = measure_rows(isotropy, in->some, in->pool, in->watch, error);
    if (status == IG_OK)
        status = measure_share(isotropy, in, error);
    return status;
}

IG_GROUP(isotropy, "isotropy", IG_NEEDS_ROWS, .free = ig_result_free);
