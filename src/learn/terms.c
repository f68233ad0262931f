/* The terms of METHODS.md §3 that are functions of a row's dot products, and the table
 * of all kinds. */
#include "learn/terms.h"

#include <math.h>
#include <string.h>

/* cos and its derivatives: ∂c/∂ab = 1/√(..), ∂c/∂aa = −c / 2(aa+ε). */
static double cosine(ig_row_dots g, ig_row_dots *slope)
{
    double a = g.aa + IG_COS_EPS;
    double b = g.bb + IG_COS_EPS;
    double inverse = 1.0 / sqrt(a * b);
    double c = g.ab * inverse;

    slope->ab = inverse;
    slope->aa = -0.5 * c / a;
    slope->bb = -0.5 * c / b;
    return c;
}

/* 1 − cos(A,B)   [seed eq.4-6] */
static double pull(ig_row_dots g, size_t d, ig_row_dots *slope)
{
    double c = cosine(g, slope);

    (void)d;
    *slope = (ig_row_dots){-slope->aa, -slope->bb, -slope->ab};
    return 1.0 - c;
}

/* max(0, cos(A,B)); the gradient passes at exactly 0   [seed eq.4-6, oracle eq.6] */
static double push(ig_row_dots g, size_t d, ig_row_dots *slope)
{
    double c = cosine(g, slope);

    (void)d;
    if (c >= 0.0)
        return c;
    *slope = (ig_row_dots){0, 0, 0};
    return isnan(c) ? c : 0.0;
}

/* Mean over the d elements of (A−B)²: (|A|² − 2<A,B> + |B|²) / d   [dream] */
static double mse(ig_row_dots g, size_t d, ig_row_dots *slope)
{
    double n = (double)d;

    *slope = (ig_row_dots){1.0 / n, 1.0 / n, -2.0 / n};
    return (g.aa - 2.0 * g.ab + g.bb) / n;
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
