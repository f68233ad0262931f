/* What findings say of rows: figures of their translations, as the map colours them. */
#include <math.h>

#include "worker/measuring.h"

/* NaN: the direction says nothing of it. */
typedef double row_value(const ig_retrieval_score *score, const ig_found *found);

static double alignment_of(const ig_retrieval_score *score, const ig_found *f)
{
    (void)score;
    return 2 - 2 * (double)f->cosine;
}

/* Ranks that are taken back (measure/ties.h) are none of rows either. */
static double rank_of(const ig_retrieval_score *score, const ig_found *f)
{
    return isnan(score->top1) ? NAN : (double)f->rank;
}

/* Where all candidates tie, nothing is found; one alone is found by anything. */
static double leak_of(const ig_retrieval_score *score, const ig_found *f)
{
    return score->candidates < 2 ? NAN : f->tied ? 0 : 1 / (double)f->rank;
}

static void add_values(const ig_retrieval *r, size_t direction, row_value *value,
                       double *sum, uint32_t *count)
{
    const ig_retrieval_score *score = &r->score[direction];

    for (size_t i = score->first; i < score->first + score->pairs; i++) {
        double one = value(score, &r->found[i]);

        if (isnan(one))
            continue;
        sum[r->found[i].query] += one;
        count[r->found[i].query]++;
    }
}

/* The mean over a row's translations. */
static float *values_of(size_t n, const ig_evaluation *e, row_value *value)
{
    float *out = e ? ig_alloc(n, sizeof *out) : NULL;
    double *sum = out ? ig_alloc(n, sizeof *sum) : NULL;
    uint32_t *count = sum ? ig_alloc(n, sizeof *count) : NULL;

    for (size_t i = 0; count && i < e->retrieval.count; i++)
        add_values(&e->retrieval, i, value, sum, count);
    for (size_t i = 0; count && i < n; i++)
        out[i] = count[i] ? (float)(sum[i] / count[i]) : NAN;
    if (!count) {
        ig_free(out);
        out = NULL;
    }
    ig_free(sum);
    ig_free(count);
    return out;
}

void ig_row_values(ig_findings *f, size_t rows)
{
    const ig_evaluation *meaning = f->space[IG_SPACE_MEANING];

    if (!meaning)
        meaning = f->space[IG_SPACE_ORIGINAL];
    f->value[IG_VALUE_ALIGNMENT] = values_of(rows, meaning, alignment_of);
    f->value[IG_VALUE_RANK] = values_of(rows, meaning, rank_of);
    f->value[IG_VALUE_LEAK] = values_of(rows, f->space[IG_SPACE_LANGUAGE], leak_of);
}
