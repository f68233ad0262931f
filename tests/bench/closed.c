/* The closed forms fitted to 100,000 × 768 in 8 languages, beside the covariance of the
 * same rows, which is the least that any of them needs. */
#include <stdio.h>

#include "bench.h"
#include "core/memory.h"
#include "core/moments.h"
#include "data/dataset.h"
#include "train/trainer.h"

enum { ROWS = 100000, DIMS = 768, LANGUAGES = 8, EACH = ROWS / LANGUAGES };

struct fit {
    ig_rows rows;
    ig_trainer trainer;
    ig_moments moments;
};

static void covariance(void *context)
{
    struct fit *f = context;

    ig_moments_free(&f->moments);
    if (ig_moments_add(&f->moments, &f->rows, false, bench_pool(), NULL, NULL, NULL) !=
        IG_OK)
        bench_fail("no covariance");
}

static void closed(void *context)
{
    struct fit *f = context;
    ig_error error;

    if (ig_closed_fit(&f->trainer, NULL, NULL, &error) != IG_OK)
        bench_fail(error.message);
}

/* Language k has rows k·EACH and on; its i-th row is a pair with the first language's. */
void bench_closed(void)
{
    enum { PAIRS = ROWS - EACH };
    static const char *const code[LANGUAGES] = {"en", "de", "fr", "ja",
                                                "ru", "tr", "sw", "zh"};
    float *row = bench_rows((size_t)ROWS * DIMS);
    const char **lang = ig_alloc(ROWS, sizeof *lang);
    uint32_t *of = ig_alloc(3 * (size_t)PAIRS, sizeof *of);
    struct fit f = {.rows = ig_rows_of_matrix(ig_matrix_of(row, ROWS, DIMS))};
    ig_pairs pairs = {.count = PAIRS, .left = of, .right = of + PAIRS};
    ig_split split = {.train = PAIRS, .train_pair = of + 2 * PAIRS};
    ig_extractor *x = &f.trainer.now;
    ig_dataset *set;
    double floor;

    if (!lang || !of)
        bench_fail("out of memory");
    for (size_t i = 0; i < ROWS; i++) {
        lang[i] = code[i / EACH];
        row[i * DIMS + i / EACH] += 2;
    }
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs.left[i] = i + EACH;
        pairs.right[i] = i % EACH;
        split.train_pair[i] = i;
    }
    if (ig_dataset_of_rows(&set, "bench", row, ROWS, DIMS, lang, NULL, NULL, NULL) !=
        IG_OK)
        bench_fail("no dataset");
    f.trainer = (ig_trainer){.set = set,
                             .pairs = &pairs,
                             .split = &split,
                             .objective = &(ig_objective){.k = 0},
                             .pool = bench_pool()};
    floor = bench_best(3, covariance, &f);
    for (int k = 0; k < IG_RESIDUAL; k++) {
        char what[64];

        *x = (ig_extractor){
            .kind = (ig_extractor_kind)k, .dims = DIMS, .languages = LANGUAGES};
        if (!ig_form_of(x->kind)->fit)
            continue;
        if (ig_extractor_init(x, NULL) != IG_OK)
            bench_fail("out of memory");
        snprintf(what, sizeof what, "fit %s to %d x %d", ig_form_of(x->kind)->name,
                 ROWS, DIMS);
        bench_line(what, bench_best(2, closed, &f), "covariance", floor);
        ig_extractor_free(x);
    }
    ig_moments_free(&f.moments);
    ig_dataset_free(set);
    IG_FREE(lang, of, row);
}
