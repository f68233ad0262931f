/* Runs read from a directory and applied to another set than they were trained on. */
#include "train/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "scratch.h"

enum { IDS = 30, COUNT = 3 * IDS, WIDTH = 10 };

static float wide[COUNT][WIDTH];

static ig_dataset *open_wide(const char *const language[3])
{
    static char name[IDS][8];
    const char *lang[COUNT], *id[COUNT];
    ig_random random;
    ig_dataset *set;

    ig_random_init(&random, 3, 0);
    for (int r = 0; r < COUNT; r++) {
        snprintf(name[r % IDS], sizeof name[0], "%d", r % IDS);
        id[r] = name[r % IDS];
        lang[r] = language[r / IDS];
        for (int j = 0; j < WIDTH; j++)
            wide[r][j] = (float)ig_random_normal(&random) + (float)(r / IDS * (j % 3));
    }
    assert_int_equal(
        ig_dataset_of_rows(&set, "wide", wide[0], COUNT, WIDTH, lang, NULL, id, NULL),
        IG_OK);
    return set;
}

/* The meaning of a row under an extractor as if it were of that language. */
static void meaning_of(const ig_extractor *x, uint16_t language, size_t row, float *out)
{
    ig_rows originals = ig_rows_of_matrix(ig_matrix_of(wide[row], 1, WIDTH));
    ig_space_rows context = {x, IG_SPACE_MEANING, &originals, &language};
    ig_rows source = ig_rows_of_space(&context);
    float *scratch = ig_alloc(source.scratch, sizeof *scratch);

    ig_rows_read(&source, NULL, 0, 1, out, WIDTH, scratch);
    ig_free(scratch);
}

static ig_run *train_wide(const ig_dataset *set, const ig_pairs *pairs,
                          const char *method)
{
    ig_run_setup setup = {
        .set = set, .pairs = pairs, .method = method, .options = ig_train_defaults()};
    ig_run *run;

    assert_int_equal(ig_run_new(&run, &setup, NULL), IG_OK);
    while (run->going)
        assert_int_equal(ig_run_epoch(run, NULL, NULL, NULL), IG_OK);
    return run;
}

/* Stored, and read for a set that has the languages in another order, one that the run
 * did not know among them. */
static void test_closed_forms_are_read_back(void **state)
{
    static const char *const method[] = {
        "centre",     "centre+whiten", "abtt",        "lir",   "lsar",  "leace",
        "procrustes", "inlp",          "k.objective", "shift", "random"};
    static const char *const here[] = {"en", "de", "fr"};
    static const char *const there[] = {"ja", "fr", "en"};
    FILE *f = fopen("k.objective", "w");

    fputs("extractor lir k=3\n", f);
    fclose(f);
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        ig_dataset *first = open_wide(here), *second = open_wide(there);
        const ig_extractor *fitted;
        ig_pairs pairs;
        ig_run_info same, other;
        ig_run *run;
        float a[WIDTH], b[WIDTH], lost[2][WIDTH];

        assert_int_equal(ig_pairs_derive(&pairs, first, NULL, NULL), IG_OK);
        run = train_wide(first, &pairs, method[i]);
        fitted = &run->trainer->best;
        assert_int_equal(ig_run_write(run, "closed", NULL), IG_OK);
        assert_int_equal(ig_run_read(&same, "closed", first, 0, -1, NULL), IG_OK);
        assert_int_equal(same.extractor->size, fitted->size);
        assert_memory_equal(same.extractor->weights, fitted->weights,
                            fitted->size * sizeof(float));
        assert_int_equal(ig_run_read(&other, "closed", second, 0, -1, NULL), IG_OK);
        assert_int_equal(other.unknown, ig_form_of(fitted->kind)->unknown ? 1 : 0);
        for (size_t row = 0; row < COUNT; row++) {
            meaning_of(fitted, 2, row, a); /* fr */
            meaning_of(other.extractor, 1, row, b);
            assert_memory_equal(a, b, sizeof a);
            meaning_of(fitted, 0, row, a); /* en */
            meaning_of(other.extractor, 2, row, b);
            assert_memory_equal(a, b, sizeof a);
        }
        meaning_of(other.extractor, 0, 0, lost[0]); /* ja */
        for (size_t j = 0; j < WIDTH; j++)
            assert_true(isfinite(lost[0][j]));
        meaning_of(fitted, 2, 0, lost[1]); /* fr */
        assert_int_equal(memcmp(lost[0], lost[1], sizeof a) != 0,
                         ig_form_of(fitted->kind)->unknown != NULL);
        ig_run_info_free(&same);
        ig_run_info_free(&other);
        ig_run_delete(run);
        ig_pairs_free(&pairs);
        ig_dataset_free(first);
        ig_dataset_free(second);
    }
}

/* m = W e + b for all: those weights are a residual's to start from. */
static void test_an_erasure_is_where_training_may_begin(void **state)
{
    static const char *const here[] = {"en", "de", "fr"};
    ig_dataset *set = open_wide(here);
    ig_pairs pairs;
    ig_run_setup setup = {.set = set,
                          .pairs = &pairs,
                          .method = "seed",
                          .init = "closed",
                          .options = ig_train_defaults()};
    ig_run *run, *seed;

    assert_int_equal(ig_pairs_derive(&pairs, set, NULL, NULL), IG_OK);
    run = train_wide(set, &pairs, "leace");
    assert_int_equal(ig_run_write(run, "closed", NULL), IG_OK);
    assert_int_equal(ig_run_new(&seed, &setup, NULL), IG_OK);
    assert_memory_equal(seed->trainer->now.weights, run->trainer->now.weights,
                        (WIDTH * WIDTH + WIDTH) * sizeof(float));
    ig_run_delete(seed);
    ig_run_delete(run);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

SUITE(model, scratch_enter, scratch_leave, TEST(test_closed_forms_are_read_back),
      TEST(test_an_erasure_is_where_training_may_begin))
