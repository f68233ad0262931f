/* IsoScore and the spectrum of the covariance [struct §III.3], the mean cosine
 * [Ethayarajh 2019], and the share of variance between languages. Legend: n rows u of
 * length 1 (or 0), x the same as they are, d dims, K languages. */
#include <math.h>
#include <stdio.h>

#include "core/blas.h"
#include "core/moments.h"
#include "measure/chunk.h"
#include "measure/measure_group.h"

/* ((Σλ)²/Σλ² − 1)/(d − 1) of the eigenvalues λ of the covariance, from its trace and
 * Frobenius norm; and the λ as shares of their sum. */
static ig_status add_isoscore(const ig_moments *m, ig_figures *figures, ig_error *error)
{
    size_t d = m->dims;
    double n = (double)m->rows, trace = 0, squares = 0, sum = 0;
    double *value = ig_arena_array(&figures->brief, d, sizeof *value);
    const char *none;
    ig_figure *f;
    ig_status status;
    char name[24];

    for (size_t i = 0; i < d * d; i++) {
        trace += i % (d + 1) ? 0 : m->scatter[i] / n;
        squares += m->scatter[i] / n * (m->scatter[i] / n);
    }
    none = d < 2                       ? "only one dimension"
           : !(trace >= IG_SPREAD_MIN) ? "the rows do not differ"
                                       : NULL;
    ig_figures_add(figures, "isoscore",
                   none ? (double)NAN : (trace * trace / squares - 1) / ((double)d - 1),
                   none)
        ->n = m->rows;
    if (none)
        return IG_OK;
    if (!value)
        return ig_fail_memory(error, "a spectrum");
    status = ig_eigen_symmetric(m->scatter, d, d, value, NULL, error);
    for (size_t i = 0; i < d; i++)
        sum += fmax(value[i], 0); /* rounding makes some negative */
    for (size_t i = 0; i < d && status == IG_OK; i++) {
        snprintf(name, sizeof name, "%zu", i + 1);
        f = ig_figures_add(figures, "eigenvalue", fmax(value[i], 0) / sum, NULL);
        f->n = m->rows;
        ig_figures_name_part(figures, f, name);
    }
    return status;
}

/* (|Σu|² − N)/(N(N − 1)) of the N rows that have a length. A row adds twice its mean
 * cosine with the others less the mean of all; of u·Σu, 1 is its own. */
static ig_status add_mean_cosine(const ig_embeddings *e, const ig_moments *m,
                                 ig_figures *figures, ig_error *error)
{
    double all = (double)m->rows, n = all - (double)m->zero_rows, mean = 0;
    ig_chunk c =
        ig_chunk_of(&e->units, NULL, m->rows, e->pool, e->progress, &figures->brief);
    ig_figure *f = ig_figures_add_items(figures, "mean_cosine", IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_MEAN, m->rows, NULL);

    if (!f || figures->brief.failed)
        return ig_fail_memory(error, "the mean cosine");
    for (size_t j = 0; j < m->dims; j++)
        mean += all * m->mean[j] * all * m->mean[j];
    mean = (mean - n) / (n * (n - 1));
    while (ig_chunk_next(&c))
        for (size_t i = 0; i < c.count; i++) {
            const float *u = c.row + i * c.d;
            double sum = 0, length = 0;

            for (size_t j = 0; j < c.d; j++) {
                sum += (double)u[j] * m->mean[j];
                length += (double)u[j] * (double)u[j];
            }
            f->unit[c.first + i] = e->meaning[c.first + i];
            f->item[0][c.first + i] =
                length > 0 ? (float)(2 * (all * sum - 1) / (n - 1) - mean) : NAN;
        }
    f->n = m->rows;
    f->items = n > 1 ? m->rows : 0;
    ig_figures_close(figures, f, "fewer than two rows have a length");
    return IG_OK;
}

/* --- languages -------------------------------------------------------------------- */

static double squared_distance(const float *x, const double *mean, size_t d)
{
    double sum = 0;

    for (size_t j = 0; j < d; j++)
        sum += ((double)x[j] - mean[j]) * ((double)x[j] - mean[j]);
    return sum;
}

/* 1 − Σ|x − μ_l|² / Σ|x − μ|², μ_l the mean of the row's language, μ that of all. */
static ig_status add_language_share(const ig_embeddings *e, ig_figures *figures,
                                    ig_error *error)
{
    size_t d = e->d, k = e->languages, with = 0;
    ig_arena *a = &figures->brief;
    ig_chunk c = ig_chunk_of(&e->rows, NULL, e->n, e->pool, e->progress, a);
    double *mean = ig_arena_array(a, k + 1, d * sizeof *mean); /* μ_l, then μ */
    double squares = 0; /* mean |x|², which the items are relative to */
    ig_figure *f = ig_figures_add_items(figures, "language_share", IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, IG_RATIO, e->n, NULL);

    if (!f || a->failed)
        return ig_fail_memory(error, "the variance of languages");
    while (ig_chunk_next(&c))
        for (size_t i = 0; i < c.count * d; i++) {
            mean[e->lang[c.first + i / d] * d + i % d] += (double)c.row[i];
            mean[k * d + i % d] += (double)c.row[i];
            squares += (double)c.row[i] * (double)c.row[i] / (double)e->n;
        }
    for (size_t i = 0; i < (k + 1) * d; i++)
        mean[i] /= (double)(i < k * d ? e->first[i / d + 1] - e->first[i / d] : e->n);
    while (ig_chunk_next(&c))
        for (size_t i = 0; i < c.count; i++) {
            const float *x = c.row + i * d;
            size_t at = c.first + i;
            double total = squared_distance(x, mean + k * d, d);

            f->item[0][at] =
                (float)((total - squared_distance(x, mean + e->lang[at] * d, d)) /
                        squares);
            f->item[1][at] = (float)(total / squares);
            f->unit[at] = e->meaning[at];
        }
    for (size_t l = 0; l < k; l++)
        with += e->first[l + 1] > e->first[l];
    if (with > 1)
        f->chance = (double)(with - 1) / (double)(e->n - 1);
    f->n = e->n;
    f->items = with > 1 ? e->n : 0;
    ig_figures_close(figures, f,
                     with < 2 ? "only one language" : "the rows do not differ");
    return IG_OK;
}

/* --- the group -------------------------------------------------------------------- */

static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out,
                              ig_error *error)
{
    ig_rows rows = e->units;
    ig_moments moments = {0};
    ig_status status = ig_moments_init(&moments, e->d, error);

    rows.rows = e->n;
    if (status == IG_OK)
        status = ig_moments_add(&moments, &rows, false, e->pool,
                                e->progress ? e->progress->stop : NULL, NULL, error);
    if (status == IG_OK)
        status = add_isoscore(&moments, &out->figures, error);
    if (status == IG_OK)
        status = add_mean_cosine(e, &moments, &out->figures, error);
    if (status == IG_OK)
        status = add_language_share(e, &out->figures, error);
    ig_moments_free(&moments);
    return status == IG_OK
               ? ig_chunk_status(&out->figures.brief, e->progress, "isotropy", error)
               : status;
}

const ig_measure_group ig_isotropy_group = {
    .word = "isotropy", .needs = IG_NEEDS_ROWS, .measure = measure_rows};
