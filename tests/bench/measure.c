/* The measures beside the products that they are made of. Rows are planted: a meaning,
 * a language and some noise, so that translations are found as often as in life. */
#include <stdio.h>

#include "bench.h"
#include "core/memory.h"
#include "measure/evaluation.h"

/* Rows by language, every two languages paired. */
struct set {
    ig_rows rows;
    uint16_t *lang;
    uint32_t *meaning, *left, *right, *group;
    size_t languages, each, pairs;
};

static void plant(struct set *set, size_t languages, size_t each, size_t d)
{
    size_t n = languages * each, at = 0;
    float *a = bench_rows(n * d), *meaning = bench_rows((each + 1) * d);

    *set = (struct set){.rows = ig_rows_of_matrix(ig_matrix_of(a, n, d)),
                        .languages = languages,
                        .each = each,
                        .pairs = languages * (languages - 1) / 2 * each};
    set->lang = ig_alloc(n, sizeof *set->lang);
    set->meaning = ig_alloc(n, sizeof *set->meaning);
    set->left = ig_alloc(set->pairs, sizeof *set->left);
    set->right = ig_alloc(set->pairs, sizeof *set->right);
    set->group = ig_alloc(set->pairs, sizeof *set->group);
    if (!set->lang || !set->meaning || !set->left || !set->right || !set->group)
        bench_fail("out of memory");
    for (size_t i = 0; i < n; i++) {
        set->lang[i] = (uint16_t)(i / each);
        set->meaning[i] = (uint32_t)(i % each);
        for (size_t j = 0; j < d; j++)
            a[i * d + j] = 0.3f * meaning[i % each * d + j] + a[i * d + j] +
                           0.5f * meaning[(each - i / each) * d + j];
    }
    for (size_t i = 0; i < languages; i++)
        for (size_t k = i + 1; k < languages; k++)
            for (size_t m = 0; m < each; m++, at++) {
                set->left[at] = (uint32_t)(i * each + m);
                set->right[at] = (uint32_t)(k * each + m);
                set->group[at] = (uint32_t)m;
            }
    ig_free(meaning);
}

static void uproot(struct set *set)
{
    ig_free((void *)set->rows.direct);
    ig_free(set->lang);
    ig_free(set->meaning);
    ig_free(set->left);
    ig_free(set->right);
    ig_free(set->group);
}

static ig_evaluation_spec spec_of(const struct set *set, unsigned measures)
{
    return (ig_evaluation_spec){.measures = measures,
                                .id = set->meaning,
                                .pairs = {.lang = set->lang,
                                          .languages = set->languages,
                                          .left = set->left,
                                          .right = set->right,
                                          .group = set->group,
                                          .pairs = set->pairs},
                                .seed = 1};
}

static void evaluate(const struct set *set, unsigned measures)
{
    ig_evaluation_spec spec = spec_of(set, measures);
    ig_evaluation e;

    if (ig_evaluation_take(&e, &set->rows, &spec, bench_pool(), NULL, NULL) != IG_OK)
        bench_fail("a measure failed");
    ig_evaluation_free(&e);
}

static void retrieval(void *context)
{
    evaluate(context, IG_MEASURE_RETRIEVAL);
}

static void multilingual_pool(void *context)
{
    evaluate(context, IG_MEASURE_POOL);
}

/* Fitted on the even ids, tested on the odd ones. */
static void hidden_probe(void *context)
{
    evaluate(context, IG_MEASURE_HIDDEN_PROBE);
}

/* One measure of one set, beside its products. */
static void line(const char *what, size_t languages, size_t each, size_t d,
                 void (*measure)(void *), int runs)
{
    double rate = bench_gemm_rate(1024, 1024, d), n = (double)(languages * each);
    double work = n * n * (double)d;
    struct set set;

    plant(&set, languages, each, d);
    if (measure == retrieval) {
        ig_evaluation_spec spec = spec_of(&set, IG_MEASURE_RETRIEVAL);

        work = ig_evaluation_work(&set.rows, &spec);
    }
    bench_line(what, bench_best(runs, measure, &set), "products", work / rate);
    uproot(&set);
}

void bench_measure(void)
{
    line("retrieval: 56 ordered pairs of 600 rows, d 256", 8, 600, 256, retrieval, 10);
    line("retrieval: 4,000 pairs both ways, d 256", 2, 4000, 256, retrieval, 5);
    line("retrieval: 15 languages of 2,000 rows, d 1024", 15, 2000, 1024, retrieval, 3);
    line("multilingual pool: 15 languages of 1,012 rows, d 256", 15, 1012, 256,
         multilingual_pool, 5);
    line("hidden probe of 16,000 rows, d 256", 8, 2000, 256, hidden_probe, 2);
    line("multilingual pool: 26,670 rows, d 256", 14, 1905, 256, multilingual_pool, 3);
}
