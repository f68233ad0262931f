/* Paired differences. Draw b of two evaluations of one subject drew the same meanings,
 * so the difference of its figures is a draw of the difference. */
#include "measure/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double LEVEL = 0.05;

/* --- distributions ---------------------------------------------------------------- */

/* log of C(n, k) / 2ⁿ. */
static double log_binomial(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
           (double)n * log(2);
}

double ig_mcnemar(size_t only_one, size_t only_other)
{
    size_t n = only_one + only_other;
    size_t least = only_one < only_other ? only_one : only_other;
    double p = 0;

    for (size_t k = 0; k <= least; k++)
        p += exp(log_binomial(n, k));
    return fmin(2 * p, 1);
}

/* The continued fraction of the incomplete beta function (Lentz; DLMF 8.17.22). */
static double beta_fraction(double a, double b, double x)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;

    d = 1 / (fabs(d) < least ? least : d);
    h = d;
    for (int m = 1; m <= 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;

        for (int k = 0; k < 2; k++) {
            double term = k ? odd : even;

            d = 1 + term * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + term / c;
            c = fabs(c) < least ? least : c;
            step *= d * c;
        }
        h *= step;
        if (fabs(step - 1) < 1e-15)
            break;
    }
    return h;
}

/* I_x(a, b). */
static double incomplete_beta(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1)
        return x >= 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double ig_williams(double r12, double r13, double r23, size_t n)
{
    double k = 1 - r12 * r12 - r13 * r13 - r23 * r23 + 2 * r12 * r13 * r23;
    double mean = (r12 + r13) / 2, f = (double)n - 3, below, t2;

    if (n < 4 || isnan(k))
        return (double)NAN;
    if (r12 == r13)
        return 1;
    below = 2 * k * ((double)n - 1) / f + mean * mean * pow(1 - r23, 3);
    if (!(below > 0))
        return (double)NAN;
    t2 = (r12 - r13) * (r12 - r13) * ((double)n - 1) * (1 + r23) / below;
    return incomplete_beta(f / 2, 0.5, f / (f + t2));
}

void ig_holm(double *p, size_t n)
{
    size_t left = 0;
    double most = 0;

    for (size_t i = 0; i < n; i++)
        left += !isnan(p[i]);
    /* The least of those that are left, again and again, equal ones together. What is
     * corrected is kept as a negative number until the end. */
    while (left) {
        double least = INFINITY;
        size_t equal = 0;

        for (size_t i = 0; i < n; i++)
            if (p[i] >= 0 && p[i] < least)
                least = p[i];
        most = fmax(most, fmin(1, least * (double)left));
        for (size_t i = 0; i < n; i++)
            if (p[i] == least) {
                p[i] = -1 - most;
                equal++;
            }
        left -= equal;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] < 0)
            p[i] = -1 - p[i];
}

/* One of the two evaluations: the parts of a figure, and what their items are of. */
struct side {
    const void *result;
    ig_figure *part; /* (parts) */
    size_t parts;
};

/* --- parts ------------------------------------------------------------------------ */

/* p of each part, and which way it goes: > 0 where the second is greater. */
struct parts {
    double *p, *sign; /* (count) */
    size_t count;
};

static ig_status parts_init(struct parts *parts, size_t count, ig_error *error)
{
    *parts = (struct parts){ig_alloc(count, sizeof(double)),
                            ig_alloc(count, sizeof(double)), count};
    return parts->p && parts->sign ? IG_OK : ig_fail_memory(error, "the differences");
}

static void conclude(ig_difference *d, struct parts *parts)
{
    ig_holm(parts->p, parts->count);
    for (size_t i = 0; i < parts->count; i++) {
        d->parts += !isnan(parts->p[i]);
        d->more += parts->p[i] < LEVEL && parts->sign[i] > 0;
        d->less += parts->p[i] < LEVEL && parts->sign[i] < 0;
    }
    ig_free(parts->p);
    ig_free(parts->sign);
}

/* McNemar's test of a figure of the retrieval in each direction. */
static ig_status test_directions(ig_difference *d, const struct side sides[2],
                                 ig_error *error)
{
    struct parts parts;
    ig_status status = parts_init(&parts, sides[0].parts, error);

    for (size_t s = 0; s < sides[0].parts && status == IG_OK; s++) {
        const ig_figure *a = &sides[0].part[s], *b = &sides[1].part[s];
        double (*value)(const void *, size_t) = a->column->value[0];
        size_t only[2] = {0, 0};

        for (size_t i = a->first; i < a->first + a->items; i++) {
            only[0] += value(sides[0].result, i) > value(sides[1].result, i);
            only[1] += value(sides[0].result, i) < value(sides[1].result, i);
        }
        parts.p[s] = isnan(a->value) || isnan(b->value) ? (double)NAN
                                                        : ig_mcnemar(only[0], only[1]);
        parts.sign[s] = (double)only[1] - (double)only[0];
    }
    conclude(d, &parts);
    return status;
}

/* Williams' test of the pairs that a correlation is of, in both. */
static ig_status test_pairs(const ig_figure *a, const struct side sides[2], double *p,
                            double *sign, ig_error *error)
{
    double (*correlate)(const double *, const double *, size_t) =
        a->column->how == IG_OF_SPEARMAN ? ig_spearman : ig_pearson;
    double *room = ig_alloc(3 * a->items, sizeof *room), *x = room;
    double *y = room + a->items, *gold = y + a->items, one, other;
    size_t n = 0;

    if (!room)
        return ig_fail_memory(error, "the differences");
    for (size_t i = a->first; i < a->first + a->items; i++) {
        x[n] = a->column->value[0](sides[0].result, i);
        y[n] = a->column->value[0](sides[1].result, i);
        gold[n] = a->column->value[1](sides[0].result, i);
        n += !isnan(x[n]);
    }
    one = correlate(gold, x, n);
    other = correlate(gold, y, n);
    *sign = other - one;
    *p = ig_williams(one, other, correlate(x, y, n), n);
    ig_free(room);
    return IG_OK;
}

static ig_status test_kinds(ig_difference *d, const struct side sides[2],
                            ig_error *error)
{
    struct parts parts;
    ig_status status = parts_init(&parts, sides[0].parts, error);

    for (size_t k = 0; k < sides[0].parts && status == IG_OK; k++)
        status =
            test_pairs(&sides[0].part[k], sides, &parts.p[k], &parts.sign[k], error);
    conclude(d, &parts);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

/* The interval of the paired draws. */
static ig_interval interval_of(const ig_figure *a, const ig_figure *b, double *scratch)
{
    for (size_t i = 0; i < IG_DRAWS; i++)
        scratch[i] = (double)b->draw[i] - (double)a->draw[i];
    return ig_interval_of(scratch, IG_DRAWS);
}

/* A figure with its parts: those of a measure, behind one another, that are made of
 * items, and not of the whole. */
static struct side side_of(const ig_evaluation *e, const ig_figure *whole)
{
    const ig_figures *f = &e->figures;
    const char *parts = whole->column ? whole->column->parts : NULL;
    const ig_measure *measure = parts ? ig_measure_named(parts) : whole->measure;
    struct side side = {
        .result = ig_evaluation_result(e, ig_family_at((size_t)measure->family))};

    for (size_t i = 0; i < f->count; i++) {
        const ig_figure *row = &f->row[i];

        if (row->measure != measure || ig_figure_is_whole(row) || !row->column ||
            row->column->how >= IG_OF_PARTS)
            continue;
        if (side.parts == 0 &&
            (side.part = ig_alloc(f->count - i, sizeof *row)) == NULL)
            return side;
        side.part[side.parts++] = *row;
    }
    return side;
}

/* Whether the parts are of the same items. */
static bool same_parts(const struct side sides[2])
{
    if (sides[0].parts != sides[1].parts || sides[0].parts == 0)
        return false;
    for (size_t s = 0; s < sides[0].parts; s++) {
        const ig_figure *a = &sides[0].part[s], *b = &sides[1].part[s];

        if (a->items != b->items || a->lang[0] != b->lang[0] ||
            a->lang[1] != b->lang[1])
            return false;
        for (size_t i = a->first; a->column->row && i < a->first + a->items; i++)
            if (a->column->row(sides[0].result, i) !=
                b->column->row(sides[1].result, i))
                return false;
    }
    return true;
}

static ig_status test(ig_difference *d, const ig_evaluation *a, const ig_evaluation *b,
                      const ig_figure *x, const ig_figure *y, ig_error *error)
{
    struct side sides[2] = {side_of(a, x), side_of(b, y)};
    bool same = same_parts(sides);
    const ig_items *part = same ? sides[0].part->column : NULL;
    ig_status status = IG_OK;
    double sign;

    if (x->column->how == IG_OF_PARTS && part && part->binary)
        status = test_directions(d, sides, error);
    else if (x->column->how == IG_OF_PARTS && part && part->how >= IG_OF_PEARSON)
        status = test_kinds(d, sides, error);
    else if ((x->column->how == IG_OF_PEARSON || x->column->how == IG_OF_SPEARMAN) &&
             x->items == y->items)
        status = test_pairs(x, sides, &d->p, &sign, error);
    ig_free(sides[0].part);
    ig_free(sides[1].part);
    return status;
}

ig_status ig_difference_take(ig_difference *out, const ig_measure *measure,
                             const ig_evaluation *first, const ig_evaluation *second,
                             ig_error *error)
{
    const ig_figure *a = ig_figures_whole(&first->figures, measure->name);
    const ig_figure *b = ig_figures_whole(&second->figures, measure->name);
    double *scratch = ig_alloc(IG_DRAWS, sizeof *scratch);
    ig_status status = scratch ? IG_OK : ig_fail_memory(error, "the differences");

    *out = (ig_difference){.measure = measure,
                           .value = a && b ? b->value - a->value : (double)NAN,
                           .interval = IG_NO_INTERVAL,
                           .p = (double)NAN};
    if (status == IG_OK && a && b && a->draw && b->draw)
        out->interval = interval_of(a, b, scratch);
    out->significant = out->interval.low > 0 || out->interval.high < 0;
    if (status == IG_OK && ig_interval_is(out->interval))
        status = test(out, first, second, a, b, error);
    ig_free(scratch);
    return status;
}

ig_status ig_differences_take(ig_difference *out, size_t *count,
                              const ig_evaluation *first, const ig_evaluation *second,
                              ig_error *error)
{
    const ig_measure *measure;
    ig_status status = IG_OK;

    *count = 0;
    for (size_t i = 0; status == IG_OK && (measure = ig_measure_at(i)) != NULL; i++) {
        status = ig_difference_take(&out[*count], measure, first, second, error);
        if (status == IG_OK)
            *count += ig_interval_is(out[*count].interval);
    }
    return status;
}
