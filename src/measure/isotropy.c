/* IsoScore [Rudman et al. 2022], the spectrum of the covariance [struct §III.3], mean
 * cosine [Ethayarajh 2019], and the share of variance between languages. Legend: n rows
 * u of length 1 (or 0), x the same as they are, d dims, K languages. */
#include <math.h>
#include <stdio.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/moments.h"
#include "measure/evaluation.h"

/* ((Σλ)²/Σλ² − 1)/(d − 1) of the eigenvalues λ of the covariance, 0 beyond its dims,
 * and the λ as shares of their sum. */
static ig_status add_isoscore(const ig_moments *m, size_t d, ig_figures *figures,
                              ig_error *error)
{
    double sum = 0, squares = 0;
    double *value = ig_arena_array(&figures->brief, d, sizeof *value);
    const char *none;
    ig_status status;

    if (figures->brief.failed)
        return IG_OK;
    status = ig_eigen_symmetric(m->scatter, m->dims, m->dims, value, NULL, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d; i++) {
        value[i] = fmax(value[i], 0) / (double)m->rows; /* rounding makes some < 0 */
        sum += value[i];
        squares += value[i] * value[i];
    }
    none = d < 2                     ? "only one dimension"
           : !(sum >= IG_SPREAD_MIN) ? "the rows do not differ"
                                     : NULL;
    ig_figures_add(figures, "isoscore",
                   none ? (double)NAN : (sum * sum / squares - 1) / ((double)d - 1),
                   none)
        ->n = m->rows;
    for (size_t i = 0; i < d && !none; i++) {
        ig_figure *f = ig_figures_add(figures, "eigenvalue", value[i] / sum, NULL);
        char name[24];

        snprintf(name, sizeof name, "%zu", i + 1);
        f->n = m->rows;
        ig_figures_name_part(figures, f, name);
    }
    return IG_OK;
}

/* (|Σu|² − N)/(N(N − 1)) of the N rows that have a length. A row adds twice its mean
 * cosine with the others less the mean of all; of u·Σu, 1 is its own. */
static void add_mean_cosine(ig_chunk *c, const ig_moments *m, ig_figures *figures,
                            ig_figure *f)
{
    double all = (double)m->rows, n = all - (double)m->zero_rows, mean = 0;

    for (size_t j = 0; j < m->dims; j++)
        mean += all * m->mean[j] * all * m->mean[j];
    mean = (mean - n) / (n * (n - 1));
    while (ig_chunk_next(c))
        for (size_t i = 0; i < c->count; i++) {
            const float *u = c->row + i * c->d;
            double sum = 0;

            for (size_t j = 0; j < c->d; j++)
                sum += (double)u[j] * m->mean[j];
            f->item[0][c->first + i] =
                ig_max_abs(u, c->d) > 0 ? (float)(2 * (all * sum - 1) / (n - 1) - mean)
                                        : NAN;
        }
    f->items = n > 1 ? m->rows : 0;
    ig_figures_close(figures, f, "fewer than two rows have a length");
}

/* 1 − Σ|x − μ_l|² / Σ|x − μ|², μ_l the mean of the row's language, μ that of all.
 *   mean  in  (K + 1, d) zeros */
static void add_language_share(const ig_embeddings *e, ig_chunk *c, double *mean,
                               ig_figures *figures, ig_figure *f)
{
    size_t d = e->d, k = e->languages, with = 0;
    double squares = 0; /* mean |x|², which the items are relative to */

    while (ig_chunk_next(c))
        for (size_t i = 0; i < c->count * d; i++) {
            mean[e->lang[c->first + i / d] * d + i % d] += (double)c->row[i];
            mean[k * d + i % d] += (double)c->row[i];
            squares += (double)c->row[i] * (double)c->row[i] / (double)e->n;
        }
    for (size_t i = 0; i < (k + 1) * d; i++)
        mean[i] /= (double)(i < k * d ? e->first[i / d + 1] - e->first[i / d] : e->n);
    while (ig_chunk_next(c))
        for (size_t i = 0, at = c->first; i < c->count; i++, at++) {
            double total = 0, own = 0;

            for (size_t j = 0; j < d; j++) {
                total += pow((double)c->row[i * d + j] - mean[k * d + j], 2);
                own += pow((double)c->row[i * d + j] - mean[e->lang[at] * d + j], 2);
            }
            f->item[0][at] = (float)((total - own) / squares);
            f->item[1][at] = (float)(total / squares);
        }
    for (size_t l = 0; l < k; l++)
        with += e->first[l + 1] > e->first[l];
    if (with > 1)
        f->chance = (double)(with - 1) / (double)(e->n - 1);
    f->items = with > 1 ? e->n : 0;
    ig_figures_close(figures, f,
                     with < 2 ? "only one language" : "the rows do not differ");
}

static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    ig_rows rows = e->units;
    ig_moments moments = {0};
    ig_chunk unit, row = ig_chunk_of(e, &e->rows, NULL, e->n, a);
    double *mean = ig_arena_array(a, e->languages + 1, e->d * sizeof *mean);
    ig_figure *cosine = ig_figures_add_rows(figures, "mean_cosine", IG_MEAN, e);
    ig_figure *share = ig_figures_add_rows(figures, "language_share", IG_RATIO, e);
    ig_status status;

    rows.rows = e->n;
    status = ig_embeddings_span(e, &rows, 1, a);
    unit = ig_chunk_of(e, &rows, NULL, e->n, a);
    if (a->failed || figures->failed)
        return IG_OK;
    if (status == IG_OK)
        status = ig_moments_add(&moments, &rows, false, e->pool,
                                e->progress ? e->progress->stop : NULL, NULL, e->error);
    if (status == IG_OK)
        status = add_isoscore(&moments, e->d, figures, e->error);
    if (status == IG_OK) {
        add_mean_cosine(&unit, &moments, figures, cosine);
        add_language_share(e, &row, mean, figures, share);
    }
    ig_moments_free(&moments);
    return status;
}

const ig_measure_group ig_isotropy_group = {"isotropy", IG_NEEDS_ROWS,
                                            .measure = measure_rows};
