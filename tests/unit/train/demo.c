/* Training on the demo set separates it: held-out retrieval by meaning rises, by language
 * embeddings it falls. Run, split and measures together. */
#include "train/run.h"

#include <stdio.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "data/dataset.h"
#include "measured.h"

static ig_dataset *set;
static ig_pairs pairs;
static ig_pool *pool;
static ig_run *run;
static ig_error error;

static int train(void **state)
{
    const char *path = "data/demo.npy";
    ig_run_setup setup = {.method = "seed", .options = ig_train_defaults()};

    ig_blas_init();
    setup.options.lr = 1e-3;
    setup.options.epochs = 60;
    if (ig_pool_new(&pool, 2, &error) != IG_OK ||
        ig_dataset_open(&set, &path, 1, NULL, &error) != IG_OK ||
        ig_pairs_derive(&pairs, set, NULL, &error) != IG_OK)
        return -1;
    setup.set = set;
    setup.pairs = &pairs;
    setup.pool = pool;
    if (ig_run_new(&run, &setup, &error) != IG_OK)
        return -1;
    while (run->going)
        if (ig_run_epoch(run, NULL, NULL, &error) != IG_OK)
            return -1;
    return 0;
}

static int clean_up(void **state)
{
    ig_run_delete(run);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
    ig_pool_delete(pool);
    return 0;
}

/* Pairs of every two languages whose meaning is held out: the split is by meaning, so
 * that these are the validation pairs and what follows from them. */
static void held_out_pairs(ig_pairs *held)
{
    ig_pairs all;
    size_t count = 0;

    assert_int_equal(ig_pairs_derive(&all, set, "all", &error), IG_OK);
    for (size_t i = 0; i < all.count; i++)
        if (run->split.held_out[all.left[i]]) {
            all.left[count] = all.left[i];
            all.right[count++] = all.right[i];
        }
    all.count = count;
    *held = all;
}

/* Mean top-1 over ordered language pairs of some pairs in a space of the best epoch. */
static double top1(ig_space space, const uint32_t *left, const uint32_t *right,
                   size_t count)
{
    ig_rows originals = ig_rows_of_dataset(set);
    ig_space_rows context = {&run->trainer->best, space, &originals, set->lang};
    ig_rows rows = ig_rows_of_space(&context);
    ig_evaluation e;
    double value;

    assert_int_equal(
        measure_group(&e, IG_MEASURE_RETRIEVAL, &rows,
                      (ig_evaluation_spec){.pairs = {.lang = set->lang,
                                                     .languages = set->languages,
                                                     .left = left,
                                                     .right = right,
                                                     .pairs = count}},
                      pool, NULL),
        IG_OK);
    value = ig_figures_value(&e.figures, "top1");
    ig_evaluation_free(&e);
    return value;
}

static void check(const char *what, const uint32_t *left, const uint32_t *right,
                  size_t count)
{
    double original = top1(IG_SPACE_ORIGINAL, left, right, count);
    double meaning = top1(IG_SPACE_MEANING, left, right, count);
    double language = top1(IG_SPACE_LANGUAGE, left, right, count);

    print_message("%s, %zu pairs: original %.3f, meaning %.3f, language %.3f\n", what,
                  count, original, meaning, language);
    assert_true(original > 0.75 && original < 0.92);
    assert_true(meaning >= 0.93);
    assert_true(language < 0.35);
}

static void test_held_out_pairs(void **state)
{
    ig_pairs held;

    held_out_pairs(&held);
    assert_int_equal(held.count, 60 * 8 * 7 / 2);
    check("every two languages", held.left, held.right, held.count);
    ig_pairs_free(&held);
}

/* English with every other language, as it was trained. */
static void test_validation_pairs(void **state)
{
    size_t n = run->split.valid;
    uint32_t *left = ig_alloc(n, sizeof *left);
    uint32_t *right = ig_alloc(n, sizeof *right);

    for (size_t i = 0; i < n; i++) {
        left[i] = pairs.left[run->split.valid_pair[i]];
        right[i] = pairs.right[run->split.valid_pair[i]];
    }
    check("validation", left, right, n);
    ig_free(left);
    ig_free(right);
}

/* The live measures of the same pairs at the best epoch. The rows of this encoder are in a
 * narrow cone, so that alignment rises with the spread: only uniformity is checked. */
static void test_live_measures(void **state)
{
    const ig_run_record *best = ig_run_best(run);

    assert_int_equal(run->measured, run->split.valid);
    assert_true(best->geometry[IG_SPACE_MEANING].uniformity <
                best->geometry[IG_SPACE_ORIGINAL].uniformity - 1);
}

SUITE(demo, train, clean_up, TEST(test_held_out_pairs), TEST(test_validation_pairs),
      TEST(test_live_measures))
