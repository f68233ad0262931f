/* Terms of METHODS.md §3 that are functions of a row's dot products, and the table of
 * all terms. */
#include "train/terms.h"

#include <math.h>
#include <string.h>

/* c = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), and its derivatives. */
static void cosine(const ig_row_dots *g, double *restrict c,
                   ig_row_dots *restrict slope)
{
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        double a = g->aa[i] + IG_COS_EPS, b = g->bb[i] + IG_COS_EPS;
        double inverse = 1.0 / sqrt(a * b);

        c[i] = g->ab[i] * inverse;
        slope->ab[i] = inverse;
        slope->aa[i] = -0.5 * c[i] / a;
        slope->bb[i] = -0.5 * c[i] / b;
    }
}

/* 1 − cos(A,B)   [seed eq.4-6] */
static void pull(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    double c[IG_TERM_ROWS];

    (void)d;
    cosine(g, c, slope);
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        value[i] = 1.0 - c[i];
        slope->aa[i] = -slope->aa[i];
        slope->bb[i] = -slope->bb[i];
        slope->ab[i] = -slope->ab[i];
    }
}

/* max(0, cos(A,B)); the gradient passes at exactly 0   [seed eq.4-6, oracle eq.6] */
static void push(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    (void)d;
    cosine(g, value, slope);
    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        double c = value[i], open = c < 0.0 || isnan(c) ? 0.0 : 1.0;

        value[i] = c < 0.0 ? 0.0 : c;
        slope->aa[i] = open ? slope->aa[i] : 0;
        slope->bb[i] = open ? slope->bb[i] : 0;
        slope->ab[i] = open ? slope->ab[i] : 0;
    }
}

/* Mean over the d elements of (A−B)²: (|A|² − 2<A,B> + |B|²) / d   [dream] */
static void mse(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    double n = (double)d;

    for (size_t i = 0; i < IG_TERM_ROWS; i++) {
        value[i] = (g->aa[i] - 2.0 * g->ab[i] + g->bb[i]) / n;
        slope->aa[i] = slope->bb[i] = 1.0 / n;
        slope->ab[i] = -2.0 / n;
    }
}

static const ig_term_kind kinds[] = {
    {.name = "pull",
     .operands = 2,
     .shape = "pull WEIGHT A B",
     .about = "mean of 1 − cos(A, B)",
     .row = pull},
    {.name = "push",
     .operands = 2,
     .shape = "push WEIGHT A B",
     .about = "mean of max(0, cos(A, B))",
     .row = push},
    {.name = "mse",
     .operands = 2,
     .shape = "mse WEIGHT A B",
     .about = "mean of (A − B)² over all elements",
     .row = mse},
};

const ig_term_kind *ig_term_at(size_t i)
{
    enum { ROWS = sizeof kinds / sizeof *kinds };

    return i < ROWS ? &kinds[i] : ig_batch_term_at(i - ROWS);
}

const ig_term_kind *ig_term_find(const char *name)
{
    const ig_term_kind *kind;

    for (size_t i = 0; (kind = ig_term_at(i)); i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}
