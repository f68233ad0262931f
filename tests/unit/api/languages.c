/* Extractors applied to datasets that they were not fitted on: languages in another
 * order, fewer, more. What comes out is what the command line computes for the same run
 * and dataset; a language that the extractor does not know is refused. */
#include <math.h>
#include <string.h>

#include "data/dataset.h"
#include "train/run.h"

#include "api.h"

enum { MOST = MEANINGS * (LANGUAGES + 1) /* rows */ };

/* One of each form; the others where there is time. */
static const char *const METHODS[] = {"centre", "centre+whiten", "lir",   "procrustes",
                                      "leace",  "seed",          "dream", "baseline",
                                      "abtt",   "lsar",          "inlp",  "structure"};

static const char *const FITTED[] = {"en", "de", "ja", NULL};
static const char *const REORDERED[] = {"ja", "en", "de", NULL};
static const char *const FEWER[] = {"ja", "de", NULL};
static const char *const MORE[] = {"fr", "ja", "en", "de", NULL};

/* Rows of a dataset with these languages, in this order. */
typedef struct dataset {
    float rows[MOST * D];
    const char *language[MOST], *id[MOST];
    size_t n;
    isogloss_dataset *set;
} dataset;

static void open_dataset(dataset *data, const char *const *codes, uint64_t seed)
{
    static char names[MEANINGS][8];
    ig_random random;

    data->n = 0;
    ig_random_init(&random, seed, 0);
    for (size_t i = 0; i < MEANINGS; i++)
        for (size_t l = 0; codes[l]; l++) {
            snprintf(names[i], sizeof names[i], "%zu", i);
            data->id[data->n] = names[i];
            data->language[data->n] = codes[l];
            for (size_t j = 0; j < D; j++)
                data->rows[data->n * D + j] =
                    (float)(ig_random_normal(&random) + sin((double)(i * D + j)) * 3 +
                            (double)(codes[l][j % 2] - 'a') * (double)(j + 1) / 20);
            data->n++;
        }
    assert_ok(isogloss_dataset_of_rows(&data->set, data->rows, data->n, D,
                                       data->language, NULL, data->id, two_threads,
                                       NULL, NULL, &error));
}

/* What the commands compute: the run, adapted to the dataset. */
static void read_as_command(const dataset *data, ig_space space, float *out)
{
    ig_dataset *set;
    ig_run_info run;
    ig_rows originals, mapped;
    ig_space_rows context;
    float *scratch;

    assert_int_equal(ig_dataset_of_rows(&set, "rows", data->rows, data->n, D,
                                        data->language, NULL, data->id, NULL),
                     IG_OK);
    assert_int_equal(ig_run_read(&run, "run", set, 0, -1, NULL), IG_OK);
    originals = ig_rows_of_dataset(set);
    context = (ig_space_rows){run.extractor, space, &originals, set->lang};
    mapped = ig_rows_of_space(&context);
    scratch = calloc(mapped.scratch + 64, sizeof *scratch);
    assert_non_null(scratch);
    for (size_t i = 0; i < data->n; i++)
        ig_rows_read(&mapped, NULL, i, 1, out + i * mapped.dims, mapped.dims, scratch);
    free(scratch);
    ig_run_info_free(&run);
    ig_dataset_free(set);
}

static void compare(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(a[i] - b[i]) < 1e-4f))
            fail_msg("number %zu: %g instead of %g", i, (double)a[i], (double)b[i]);
}

static void check_rows(const dataset *data, const isogloss_extractor *x)
{
    static float out[MOST * D], want[MOST * D];

    for (int space = ISOGLOSS_MEANING; space <= ISOGLOSS_LANGUAGE; space++) {
        size_t dims = isogloss_space_dims(data->set, x, (isogloss_space)space);

        if (dims == 0)
            continue;
        assert_ok(isogloss_apply(data->set, x, (isogloss_space)space, 0, data->n, out,
                                 &error));
        read_as_command(data, (ig_space)space, want);
        compare(out, want, data->n * dims);
    }
}

/* Searching, measuring and projecting read the same rows: a dataset whose rows are those
 * of the space gives the same. */
static void check_uses(const dataset *data, const isogloss_extractor *x)
{
    static float meaning[MOST * D], vector[D], map[2][MOST * 2];
    size_t dims = isogloss_space_dims(data->set, x, ISOGLOSS_MEANING), found;
    const uint32_t row = 3;
    isogloss_dataset *of;
    isogloss_evaluation *e[2];
    isogloss_neighbour best[2][4];

    isogloss_apply(data->set, x, ISOGLOSS_MEANING, 0, data->n, meaning, NULL);
    assert_ok(isogloss_dataset_of_rows(&of, meaning, data->n, dims, data->language,
                                       NULL, data->id, NULL, NULL, NULL, &error));
    for (int k = 0; k < 2; k++) {
        const isogloss_dataset *set = k ? of : data->set;
        const isogloss_extractor *by = k ? NULL : x;
        isogloss_space space = k ? ISOGLOSS_ORIGINAL : ISOGLOSS_MEANING;

        assert_ok(isogloss_evaluate(&e[k], set, by, space, NULL, &error));
        assert_ok(
            isogloss_search(set, by, space, &row, 1, NULL, 4, best[k], &found, &error));
        assert_ok(isogloss_project(set, by, space, 2, false, map[k], NULL, &error));
    }
    assert_true(fabs(isogloss_figure(e[0], "top1", NULL) -
                     isogloss_figure(e[1], "top1", NULL)) < 1e-9);
    for (size_t j = 0; j < 4; j++)
        assert_int_equal(best[0][j].row, best[1][j].row);
    for (size_t i = 0; i < 2 * data->n; i++)
        assert_true(fabsf(fabsf(map[0][i]) - fabsf(map[1][i])) < 1e-2f);
    memcpy(vector, data->rows + row * D, sizeof vector);
    assert_ok(isogloss_search_vectors(data->set, x, ISOGLOSS_MEANING, vector,
                                      &data->language[row], 1, NULL, 1, best[0], &found,
                                      &error));
    assert_int_equal(best[0][0].row, row);
    isogloss_free(e[0]);
    isogloss_free(e[1]);
    isogloss_free(of);
}

/* A language that the extractor was not fitted on, where it goes by languages. */
static void check_unknown(const dataset *data, const isogloss_extractor *x,
                          const char *method)
{
    static float out[MOST * D];
    const uint32_t row = 0;
    isogloss_evaluation *e;
    isogloss_neighbour best[1];
    size_t found;

    if (!strstr("centre+whiten lir procrustes", method)) {
        check_rows(data, x);
        return;
    }
    out[0] = 7;
    assert_fails(
        VALUE, isogloss_apply(data->set, x, ISOGLOSS_MEANING, 0, data->n, out, &error));
    assert_non_null(strstr(error.message, "was not fitted on"));
    assert_true(out[0] == 7);
    assert_fails(VALUE,
                 isogloss_evaluate(&e, data->set, x, ISOGLOSS_MEANING, NULL, &error));
    assert_fails(VALUE, isogloss_search(data->set, x, ISOGLOSS_MEANING, &row, 1, NULL,
                                        1, best, &found, &error));
    assert_fails(VALUE,
                 isogloss_search_vectors(data->set, x, ISOGLOSS_MEANING, data->rows,
                                         NULL, 1, NULL, 1, best, &found, &error));
    assert_fails(VALUE, isogloss_project(data->set, x, ISOGLOSS_MEANING, 2, false, out,
                                         NULL, &error));
}

static void test_other_datasets(void **state)
{
    const isogloss_setting how[] = {{"epochs", "2"}, {"batch", "16"}, {NULL, NULL}};
    static dataset fitted, reordered, fewer, more;

    open_dataset(&fitted, FITTED, 1);
    open_dataset(&reordered, REORDERED, 2);
    open_dataset(&fewer, FEWER, 3);
    open_dataset(&more, MORE, 4);
    for (size_t m = 0; m < (thorough() ? 12 : 7); m++) {
        isogloss_extractor *own = fit(fitted.set, METHODS[m], how, "run"), *read;

        /* The trainer's, and one that was opened for a dataset with fewer languages. */
        assert_ok(isogloss_extractor_open(&read, fewer.set, "run", &error));
        for (int k = 0; k < 2; k++) {
            const isogloss_extractor *x = k ? read : own;

            check_rows(&fitted, x);
            check_rows(&reordered, x);
            check_rows(&fewer, x);
            check_unknown(&more, x, METHODS[m]);
        }
        check_uses(&reordered, own);
        check_uses(&fewer, own);
        isogloss_free(own);
        isogloss_free(read);
    }
    isogloss_free(fitted.set);
    isogloss_free(reordered.set);
    isogloss_free(fewer.set);
    isogloss_free(more.set);
}

SUITE(languages, scratch_enter, scratch_leave, TEST(test_other_datasets))
