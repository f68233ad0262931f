/* Paired differences. Draw b of two evaluations of one subject drew the same meanings,
 * so the difference of its figures is a draw of the difference. */
#include "measure/differences.h"

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
static ig_status test_directions(ig_difference *d, const ig_retrieval *a,
                                 const ig_retrieval *b, ig_error *error)
{
    double (*value)(const void *, size_t) = d->entry->value;
    struct parts parts;
    ig_status status = parts_init(&parts, a->count, error);

    for (size_t s = 0; s < a->count && status == IG_OK; s++) {
        size_t only[2] = {0, 0}, end = a->score[s].first + a->score[s].pairs;

        for (size_t i = a->score[s].first; i < end; i++) {
            only[0] += value(a, i) > value(b, i);
            only[1] += value(a, i) < value(b, i);
        }
        parts.p[s] = isnan(ig_measure_of_pair(d->entry, &a->score[s])) ||
                             isnan(ig_measure_of_pair(d->entry, &b->score[s]))
                         ? (double)NAN
                         : ig_mcnemar(only[0], only[1]);
        parts.sign[s] = (double)only[1] - (double)only[0];
    }
    conclude(d, &parts);
    return status;
}

/* Williams' test of pairs from … of both. */
static double test_pairs(const ig_measure_entry *entry, const ig_similarity *a,
                         const ig_similarity *b, size_t from, size_t n, double *sign)
{
    double (*correlate)(const double *, const double *, size_t) =
        entry->correlation == IG_SPEARMAN ? ig_spearman : ig_pearson;
    const double *gold = a->score + from;
    double one = correlate(gold, a->cosine + from, n);
    double other = correlate(gold, b->cosine + from, n);

    *sign = other - one;
    return ig_williams(one, other, correlate(a->cosine + from, b->cosine + from, n), n);
}

static ig_status test_kinds(ig_difference *d, const ig_similarity *a,
                            const ig_similarity *b, ig_error *error)
{
    struct parts parts;
    ig_status status = parts_init(&parts, a->kinds, error);

    for (size_t k = 0, from = 0; k < a->kinds && status == IG_OK;
         from += a->by_pair[k++].pairs)
        parts.p[k] =
            test_pairs(d->entry, a, b, from, a->by_pair[k].pairs, &parts.sign[k]);
    conclude(d, &parts);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

/* The interval of the paired draws. */
static ig_interval interval_of(const ig_evaluation *a, const ig_evaluation *b,
                               size_t place, double *scratch)
{
    const float *x = a->intervals.draw + place * IG_DRAWS;
    const float *y = b->intervals.draw + place * IG_DRAWS;

    for (size_t i = 0; i < IG_DRAWS; i++)
        scratch[i] = (double)y[i] - (double)x[i];
    return ig_interval_of(scratch, IG_DRAWS);
}

/* Whether the same was asked of both. */
static bool same_queries(const ig_retrieval *a, const ig_retrieval *b)
{
    if (a->count != b->count || a->queries != b->queries)
        return false;
    for (size_t i = 0; i < a->queries; i++)
        if (a->found[i].query != b->found[i].query ||
            a->found[i].truth != b->found[i].truth)
            return false;
    return true;
}

/* Williams' test of the pairs that a correlation is of. */
static ig_status test_some(ig_difference *d, const ig_similarity *a,
                           const ig_similarity *b, ig_error *error)
{
    size_t n = a->all.pairs, count = 0;
    double *room = ig_alloc(3 * n, sizeof *room), sign;
    ig_similarity some[2] = {{.cosine = room, .score = room + 2 * n},
                             {.cosine = room + n}};

    if (!room)
        return ig_fail_memory(error, "the differences");
    for (size_t i = 0; i < n; i++)
        if (!d->entry->value || !isnan(d->entry->value(a, i))) {
            some[0].cosine[count] = a->cosine[i];
            some[1].cosine[count] = b->cosine[i];
            some[0].score[count++] = a->score[i];
        }
    d->p = test_pairs(d->entry, &some[0], &some[1], 0, count, &sign);
    ig_free(room);
    return IG_OK;
}

static ig_status test(ig_difference *d, const ig_evaluation *a, const ig_evaluation *b,
                      ig_error *error)
{
    const ig_similarity *s[2] = {&a->similarity, &b->similarity};

    if (d->entry->yes_no && same_queries(&a->retrieval, &b->retrieval))
        return test_directions(d, &a->retrieval, &b->retrieval, error);
    if (!d->entry->correlation || s[0]->all.pairs != s[1]->all.pairs ||
        s[0]->kinds != s[1]->kinds)
        return IG_OK;
    if (!d->entry->pooled)
        return test_kinds(d, s[0], s[1], error);
    return test_some(d, s[0], s[1], error);
}

ig_status ig_difference_take(ig_difference *out, const ig_measure_entry *entry,
                             const ig_evaluation *first, const ig_evaluation *second,
                             ig_error *error)
{
    double *scratch = ig_alloc(IG_DRAWS, sizeof *scratch);
    ig_status status = scratch ? IG_OK : ig_fail_memory(error, "the differences");

    *out = (ig_difference){.entry = entry,
                           .value = ig_measure_read(entry, second) -
                                    ig_measure_read(entry, first),
                           .interval = IG_NO_INTERVAL,
                           .p = (double)NAN};
    if (status == IG_OK && first->intervals.draws && second->intervals.draws)
        out->interval = interval_of(first, second, ig_measure_place(entry), scratch);
    out->stands = out->interval.low > 0 || out->interval.high < 0;
    if (status == IG_OK && ig_interval_is(out->interval))
        status = test(out, first, second, error);
    ig_free(scratch);
    return status;
}

ig_status ig_differences_take(ig_difference *out, size_t *count,
                              const ig_evaluation *first, const ig_evaluation *second,
                              ig_error *error)
{
    const ig_measure_entry *entry;
    ig_status status = IG_OK;

    *count = 0;
    for (size_t i = 0; status == IG_OK && (entry = ig_measure_at(i)) != NULL; i++) {
        status = ig_difference_take(&out[*count], entry, first, second, error);
        if (status == IG_OK)
            *count += ig_interval_is(out[*count].interval);
    }
    return status;
}
