/* The terms of METHODS.md §3 that are functions of a row's dot products, and the table
 * of all kinds. */
#include "learn/terms.h"

#include <math.h>
#include <string.h>

#include "linear/kernels.h"

/* 1 − cos(A,B)   [seed eq.4-6] */
static void pull(const ig_row_dots *g, size_t d, double *value, ig_row_dots *slope)
{
    double c[IG_TERM_ROWS];

    (void)d;
    ig_kernels_best()->cosine(g->aa, g->bb, g->ab, IG_TERM_ROWS, IG_COS_EPS, c,
                              slope->aa, slope->bb, slope->ab);
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
    ig_kernels_best()->cosine(g->aa, g->bb, g->ab, IG_TERM_ROWS, IG_COS_EPS, value,
                              slope->aa, slope->bb, slope->ab);
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
    {.name = "pull", .operands = 2, .shape = "pull WEIGHT A B", .row = pull},
    {.name = "push", .operands = 2, .shape = "push WEIGHT A B", .row = push},
    {.name = "mse", .operands = 2, .shape = "mse WEIGHT A B", .row = mse},
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
