/* The closed forms against the values of an independent double implementation
 * (tests/golden/baselines.csv), fitted to all rows of the demo set; what they promise of
 * any rows; what they refuse. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "training.h"

#include "core/blas.h"
#include "data/dataset.h"
#include "train/extractor.h"

static ig_status fit(struct world *w, const char *extractor, double valid)
{
    char text[64];
    ig_epoch epoch;
    ig_status status = IG_OK;

    snprintf(text, sizeof text, "extractor %s\n", extractor);
    world_plan(w, text, valid);
    world_train(w, NULL);
    while (status == IG_OK && !w->trainer->ending)
        status = ig_trainer_epoch(w->trainer, NULL, NULL, &epoch, &error);
    return status;
}

static const ig_extractor *fitted(const struct world *w)
{
    return &w->trainer->best;
}

static void open_demo(struct world *w)
{
    const char *const data[] = {"tests/golden/mixed.npy"};

    memset(w, 0, sizeof *w);
    ok(ig_dataset_open(&w->set, data, 1, NULL, &error));
    ok(ig_pairs_derive(&w->pairs, w->set, "pivot", &error));
    w->options = ig_train_defaults();
}

/* A space's rows, (N, width). */
static float *rows_of(const struct world *w, ig_space space)
{
    ig_rows originals = ig_rows_of_dataset(w->set);
    ig_space_rows context = {fitted(w), space, &originals, w->set->lang};
    ig_rows rows = ig_rows_of_space(&context);
    float *out = ig_alloc(rows.rows, rows.dims * sizeof *out);
    float *scratch = ig_alloc(rows.scratch, sizeof *scratch);

    ig_rows_read(&rows, NULL, 0, rows.rows, out, rows.dims, scratch);
    ig_free(scratch);
    return out;
}

static float largest_of(const float *a, size_t n)
{
    float largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(a[i]));
    return largest;
}

/* The entries of m(e) that the golden table has of a method, relative to the largest. */
static double worst_entry(const char *method, const float *m, size_t rows, size_t dims)
{
    FILE *f = fopen("tests/golden/baselines.csv", "r");
    double worst = 0, scale = largest_of(m, rows * dims);
    char line[128];
    size_t seen = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        size_t row, col, length = strlen(method);
        double value;

        if (strncmp(line, method, length) == 0 && line[length] == ',' &&
            sscanf(line + length, ",m[%zu][%zu],%lf", &row, &col, &value) == 3) {
            worst = fmax(worst, fabs(m[row * dims + col] - value) / scale);
            seen++;
        }
    }
    fclose(f);
    assert_int_equal(seen, 6);
    return worst;
}

static void entries_are_the_golden_ones(void **state)
{
    static const struct {
        const char *extractor, *method;
    } form[] = {{"identity", "baseline"},
                {"centre", "centre"},
                {"centre+whiten", "centre+whiten"},
                {"abtt", "abtt k=2"},
                {"abtt k=3", "abtt k=3"},
                {"lir", "lir k=1"},
                {"lir k=3", "lir k=3"},
                {"lsar", "lsar"},
                {"lsar k=7", "lsar"},
                {"leace", "leace"},
                {"procrustes", "procrustes"},
                {"inlp", "inlp n=4"},
                {"inlp k=4", "inlp n=4"}};
    struct world w;

    open_demo(&w);
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        float *m;

        ok(fit(&w, form[i].extractor, 0));
        m = rows_of(&w, IG_SPACE_MEANING);
        if (!(worst_entry(form[i].method, m, w.set->rows, w.set->dims) < 1e-5))
            fail_msg("%s: off by %g of the largest entry", form[i].extractor,
                     worst_entry(form[i].method, m, w.set->rows, w.set->dims));
        ig_free(m);
        world_forget(&w);
    }
    world_end(&w);
}

/* --- small planted sets ----------------------------------------------------------- */

enum { LANGUAGES = 4, IDS = 40, ROWS = LANGUAGES * IDS, DIMS = 12 };

static const char *const forms[] = {"centre", "centre+whiten", "abtt k=2",   "lir k=2",
                                    "lsar",   "leace",         "procrustes", "inlp k=2",
                                    "shift",  "random k=2"};
enum { FORMS = sizeof forms / sizeof *forms };

static float planted[ROWS][DIMS];

/* Each language has a place of its own and a scale; the last `lost` languages have ids
 * that no other has, so that they have no pairs. */
static void plant(struct world *w, size_t lost, const char *pivot)
{
    static char name[ROWS][16];
    const char *const code[LANGUAGES] = {pivot, "de", "fr", "ja"};
    const char *lang[ROWS], *id[ROWS];
    ig_random random;

    memset(w, 0, sizeof *w);
    ig_random_init(&random, 11, 0);
    for (int r = 0; r < ROWS; r++) {
        int k = r / IDS, own = (size_t)k >= LANGUAGES - lost;

        snprintf(name[r], sizeof name[0], "%d", own ? r : r % IDS);
        id[r] = name[r];
        lang[r] = code[k];
        for (int j = 0; j < DIMS; j++)
            planted[r][j] = (float)((1 + 0.2 * k) * ig_random_normal(&random)) +
                            (float)(3 * ((k + j) % LANGUAGES == 0) + 1);
    }
    ok(ig_dataset_of_rows(&w->set, "planted", planted[0], ROWS, DIMS, lang, NULL, id,
                          &error));
    ok(ig_pairs_derive(&w->pairs, w->set, "pivot", &error));
    w->options = ig_train_defaults();
}

/* What held-out rows are does not matter, nor what others of no pair are. */
static void held_out_rows_are_not_looked_at(void **state)
{
    for (size_t i = 0; i < FORMS; i++) {
        struct world w;
        ig_extractor before;

        plant(&w, 0, "en");
        ok(fit(&w, forms[i], 0.3));
        ok(ig_extractor_copy(&before, fitted(&w), &error));
        for (size_t r = 0; r < ROWS; r++)
            if (w.split.held_out[r])
                for (size_t j = 0; j < DIMS; j++)
                    planted[r][j] += (float)(r % 7);
        world_forget(&w);
        ok(fit(&w, forms[i], 0.3));
        assert_memory_equal(before.weights, fitted(&w)->weights,
                            before.size * sizeof(float));
        planted[w.pairs.left[w.split.pair[IG_SPLIT_TRAIN][0]]][0] += 1;
        world_forget(&w);
        ok(fit(&w, forms[i], 0.3));
        assert_memory_not_equal(before.weights, fitted(&w)->weights,
                                before.size * sizeof(float));
        ig_extractor_free(&before);
        world_end(&w);
    }
}

/* The mean of a language's rows in a space, (d). */
static void mean_of(const struct world *w, const float *m, size_t language, double *out)
{
    memset(out, 0, DIMS * sizeof *out);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0; j < DIMS && w->set->lang[r] == language; j++)
            out[j] += m[r * DIMS + j] / (double)IDS;
}

/* Where the languages' means stood apart they are one, but for forms that do not promise
 * it. */
static void means_of_languages_are_one(void **state)
{
    static const char *const promised[] = {"centre", "centre+whiten", "lsar",
                                           "leace",  "shift",         "procrustes"};

    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) {
        struct world w;
        double first[DIMS], other[DIMS];
        float *m;

        plant(&w, 0, "en");
        ok(fit(&w, promised[i], 0));
        m = rows_of(&w, IG_SPACE_MEANING);
        mean_of(&w, m, 0, first);
        for (size_t k = 1; k < LANGUAGES; k++) {
            mean_of(&w, m, k, other);
            for (size_t j = 0; j < DIMS; j++)
                if (fabs(first[j] - other[j]) > 1e-5)
                    fail_msg("%s: means %g and %g", promised[i], first[j], other[j]);
        }
        ig_free(m);
        world_end(&w);
    }
}

static bool at_once(void *context)
{
    return --*(int *)context < 0;
}

/* Broken off anywhere and asked again, it is as if it had not been. */
static void a_fit_is_broken_off_and_begun_again(void **state)
{
    for (size_t i = 0; i < FORMS; i++)
        for (int after = 0; after < 3; after++) {
            struct world w;
            ig_extractor whole;
            ig_epoch epoch;
            int left = after;

            plant(&w, 0, "en");
            ok(fit(&w, forms[i], 0.1));
            ok(ig_extractor_copy(&whole, fitted(&w), &error));
            ig_trainer_delete(w.trainer);
            ok(ig_trainer_new(&w.trainer, w.set, &w.pairs, &w.split, &w.objective,
                              &w.options, NULL, w.pool, &error));
            if (ig_trainer_epoch(w.trainer, at_once, &left, &epoch, &error) != IG_OK)
                ok(ig_trainer_epoch(w.trainer, NULL, NULL, &epoch, &error));
            assert_memory_equal(w.trainer->best.weights, whole.weights,
                                whole.size * sizeof(float));
            ig_extractor_free(&whole);
            world_end(&w);
        }
}

SUITE(closed, NULL, NULL, TEST(entries_are_the_golden_ones),
      TEST(held_out_rows_are_not_looked_at), TEST(means_of_languages_are_one),
      TEST(a_fit_is_broken_off_and_begun_again))
