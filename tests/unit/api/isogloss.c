/* The public interface as a program of others uses it: a set of its own rows, training
 * with settings, spaces, figures, search, maps; what is refused, and short memory. */
#include <isogloss.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "scratch.h"

enum { MEANINGS = 60, LANGUAGES = 3, N = MEANINGS * LANGUAGES, D = 8 };

static float rows[N * D];
static const char *language[N], *text[N], *id[N];
static char names[MEANINGS][8];
static isogloss_error error;

/* Each language lies elsewhere; within it, meanings lie alike. */
static int make_rows(void **state)
{
    static const char *const codes[] = {"en", "de", "ja"};
    float meaning[MEANINGS][D];
    ig_random random;

    if (scratch_enter(state) != 0)
        return -1;
    ig_random_init(&random, 1, 0);
    for (size_t i = 0; i < MEANINGS * D; i++)
        meaning[i / D][i % D] = (float)ig_random_normal(&random);
    for (size_t i = 0; i < N; i++) {
        size_t l = i % LANGUAGES, m = i / LANGUAGES;

        language[i] = codes[l];
        snprintf(names[m], sizeof names[m], "%zu", m);
        text[i] = id[i] = names[m];
        for (size_t j = 0; j < D; j++)
            rows[i * D + j] = meaning[m][j] + (j == l ? 6 : 0) +
                              (float)(0.3 * ig_random_normal(&random));
    }
    return 0;
}

static isogloss_set *open_rows(void)
{
    const isogloss_setting how[] = {{"threads", "2"}, {NULL, NULL}};
    isogloss_set *set;

    assert_int_equal(isogloss_set_of_rows(&set, rows, N, D, language, text, id, how,
                                          NULL, NULL, &error),
                     ISOGLOSS_OK);
    return set;
}

static void test_sets(void **state)
{
    isogloss_set *set = open_rows();
    float out[2 * D];

    (void)state;
    assert_int_equal(isogloss_set_rows(set), N);
    assert_int_equal(isogloss_set_dims(set), D);
    assert_string_equal(isogloss_set_language(set, 4), "de");
    assert_string_equal(isogloss_set_text(set, 4), "1");
    assert_string_equal(isogloss_set_id(set, 4), "1");
    assert_int_equal(isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 7, 2, out, &error),
                     ISOGLOSS_OK);
    assert_memory_equal(out, rows + 7 * D, sizeof out);
    isogloss_set_free(set);
}

/* Files that say things by other names, or not at all. */
static void test_version(void **state)
{
    char number[32];

    (void)state;
    snprintf(number, sizeof number, "%d.%d.%d", ISOGLOSS_VERSION_NUMBER / 10000,
             ISOGLOSS_VERSION_NUMBER / 100 % 100, ISOGLOSS_VERSION_NUMBER % 100);
    assert_string_equal(number, ISOGLOSS_VERSION);
    assert_string_equal(isogloss_version(), ISOGLOSS_VERSION);
}

static void test_names(void **state)
{
    static const char file[] = "names.jsonl";
    const isogloss_setting named[] = {
        {"column", "lang=language"}, {"column", "vector=v"}, {NULL, NULL}};
    const isogloss_setting spoken[] = {{"lang", "fr"}, {"column", "vector=v"}, {0}};
    const isogloss_setting odd[] = {{"column", "tongue=x"}, {NULL, NULL}};
    const char *data[] = {file};
    isogloss_set *set;

    (void)state;
    scratch_text(file, "{\"language\": \"en\", \"text\": \"one\", \"v\": [1, 2]}\n");
    assert_int_equal(isogloss_set_open(&set, data, 1, named, NULL, NULL, &error),
                     ISOGLOSS_OK);
    assert_string_equal(isogloss_set_language(set, 0), "en");
    assert_string_equal(isogloss_set_text(set, 0), "one");
    isogloss_set_free(set);
    assert_int_equal(isogloss_set_open(&set, data, 1, spoken, NULL, NULL, &error),
                     ISOGLOSS_OK);
    assert_string_equal(isogloss_set_language(set, 0), "fr");
    isogloss_set_free(set);
    assert_int_equal(isogloss_set_open(&set, data, 1, odd, NULL, NULL, &error),
                     ISOGLOSS_USAGE);
    assert_string_equal(error.message, "column must be lang=NAME, text=NAME, id=NAME, "
                                       "vector=NAME, x=NAME or y=NAME, not 'tongue=x'");
}

/* What is wrong is said in a sentence, and no handle is made. */
static void test_refused(void **state)
{
    const isogloss_setting odd[] = {{"treads", "2"}, {NULL, NULL}};
    const isogloss_setting bad[] = {{"lr", "-1"}, {NULL, NULL}};
    const isogloss_setting elsewhere[] = {{"lr", "1"}, {NULL, NULL}};
    const char *missing[] = {"no-such-file.npy"};
    const uint32_t beyond = N;
    isogloss_set *none, *set = open_rows();
    isogloss_trainer *trainer;
    isogloss_extractor *x;
    isogloss_neighbour best[1];
    size_t found;
    float out[D];

    (void)state;
    assert_int_equal(isogloss_set_open(&none, missing, 1, NULL, NULL, NULL, &error),
                     ISOGLOSS_IO);
    assert_null(none);
    assert_non_null(strstr(error.message, "no-such-file.npy"));
    assert_int_equal(isogloss_set_open(&none, missing, 1, odd, NULL, NULL, &error),
                     ISOGLOSS_USAGE);
    assert_string_equal(error.message, "treads cannot be set here");
    assert_int_equal(isogloss_set_open(&none, missing, 1, elsewhere, NULL, NULL, NULL),
                     ISOGLOSS_USAGE);
    assert_int_equal(isogloss_trainer_new(&trainer, set, "seed", bad, &error),
                     ISOGLOSS_USAGE);
    assert_null(trainer);
    assert_int_equal(isogloss_trainer_new(&trainer, set, "sed", NULL, &error),
                     ISOGLOSS_USAGE);
    assert_int_equal(isogloss_extractor_open(&x, set, "no-such-run", &error),
                     ISOGLOSS_IO);
    assert_null(x);
    assert_int_equal(isogloss_apply(set, NULL, ISOGLOSS_MEANING, 0, 1, out, &error),
                     ISOGLOSS_VALUE);
    assert_int_equal(isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, N, 1, out, &error),
                     ISOGLOSS_SHAPE);
    assert_int_equal(isogloss_space_dims(set, NULL, ISOGLOSS_LANGUAGE), 0);
    assert_int_equal(isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &beyond, 1, NULL, 1,
                                     best, &found, &error),
                     ISOGLOSS_SHAPE);
    isogloss_set_free(set);
}

static isogloss_extractor *train(const isogloss_set *set, const char *method)
{
    const isogloss_setting how[] = {
        {"epochs", "20"}, {"batch", "16"}, {"lr", "1e-2"}, {"seed", "3"}, {NULL, NULL}};
    isogloss_trainer *trainer;
    isogloss_extractor *x;
    isogloss_epoch epoch;
    size_t next = 0;

    assert_int_equal(isogloss_trainer_new(&trainer, set, method, how, &error),
                     ISOGLOSS_OK);
    assert_int_equal(isogloss_trainer_best(trainer, &x, &error), ISOGLOSS_VALUE);
    while (isogloss_trainer_going(trainer)) {
        assert_int_equal(isogloss_trainer_epoch(trainer, &epoch, &error), ISOGLOSS_OK);
        assert_int_equal(epoch.number, next++);
    }
    assert_int_equal(isogloss_trainer_epoch(trainer, NULL, &error), ISOGLOSS_VALUE);
    assert_int_equal(isogloss_trainer_best(trainer, &x, &error), ISOGLOSS_OK);
    isogloss_trainer_free(trainer);
    return x;
}

static double top1(const isogloss_set *set, const isogloss_extractor *x,
                   isogloss_space space)
{
    isogloss_evaluation *e;
    const char *reason = "";
    double value;

    assert_int_equal(isogloss_evaluate(&e, set, x, space, NULL, &error), ISOGLOSS_OK);
    assert_true(isnan(isogloss_figure(e, "pearson", &reason)));
    assert_non_null(reason);
    assert_true(isnan(isogloss_figure(e, "no such figure", &reason)));
    value = isogloss_figure(e, "top1", &reason);
    assert_null(reason);
    isogloss_evaluation_free(e);
    return value;
}

static void check_split(const isogloss_set *set, const isogloss_extractor *x,
                        const char *split, isogloss_status want, double *figure)
{
    const isogloss_setting how[] = {{"split", split}, {NULL, NULL}};
    isogloss_evaluation *e;

    assert_int_equal(isogloss_evaluate(&e, set, x, ISOGLOSS_ORIGINAL, how, &error),
                     want);
    if (want == ISOGLOSS_OK)
        *figure = isogloss_figure(e, "alignment", NULL);
    isogloss_evaluation_free(e);
}

/* The alignment of the rows whose ids a run lists. */
static double alignment_of_listed(const char *path)
{
    static float some[N * D];
    static const char *lang[N], *number[N];
    char line[64];
    size_t n = 0;
    isogloss_set *set;
    double figure;
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        for (size_t i = 0; i < N; i++) {
            if (strtoul(line, NULL, 10) != i / LANGUAGES || line[0] > '9')
                continue;
            memcpy(some + n * D, rows + i * D, D * sizeof *some);
            lang[n] = language[i];
            number[n++] = id[i];
        }
    fclose(file);
    assert_int_equal(isogloss_set_of_rows(&set, some, n, D, lang, NULL, number, NULL,
                                          NULL, NULL, &error),
                     ISOGLOSS_OK);
    check_split(set, NULL, "all", ISOGLOSS_OK, &figure);
    isogloss_set_free(set);
    return figure;
}

/* What an extractor was not trained on is measured by itself: the ids that its run lists,
 * by the trainer's extractor and by one that was opened. */
static void test_split(void **state)
{
    const isogloss_setting how[] = {
        {"epochs", "1"}, {"valid", ".2"}, {"pairing", "all"}, {NULL, NULL}};
    isogloss_set *set = open_rows(), *other = open_rows();
    isogloss_trainer *trainer;
    isogloss_extractor *x, *opened;
    double all, train, valid, again;

    (void)state;
    assert_int_equal(isogloss_trainer_new(&trainer, set, "seed", how, &error),
                     ISOGLOSS_OK);
    while (isogloss_trainer_going(trainer))
        assert_int_equal(isogloss_trainer_epoch(trainer, NULL, &error), ISOGLOSS_OK);
    assert_int_equal(isogloss_trainer_best(trainer, &x, &error), ISOGLOSS_OK);
    assert_int_equal(isogloss_trainer_save(trainer, "split", &error), ISOGLOSS_OK);
    assert_int_equal(isogloss_extractor_open(&opened, other, "split", &error),
                     ISOGLOSS_OK);
    check_split(set, x, "all", ISOGLOSS_OK, &all);
    check_split(set, x, "train", ISOGLOSS_OK, &train);
    check_split(set, x, "valid", ISOGLOSS_OK, &valid);
    check_split(other, opened, "valid", ISOGLOSS_OK, &again);
    assert_true(fabs(valid - alignment_of_listed("split/valid.csv")) < 1e-9);
    assert_true(fabs(valid - again) < 1e-12);
    assert_true(valid != train && valid != all && train != all);
    check_split(set, x, "holdout", ISOGLOSS_VALUE, NULL);
    check_split(other, opened, "holdout", ISOGLOSS_VALUE, NULL);
    check_split(other, x, "valid", ISOGLOSS_VALUE, NULL);
    check_split(set, NULL, "valid", ISOGLOSS_USAGE, NULL);
    check_split(set, x, "test", ISOGLOSS_USAGE, NULL);
    isogloss_extractor_free(x);
    isogloss_extractor_free(opened);
    isogloss_trainer_free(trainer);
    isogloss_set_free(set);
    isogloss_set_free(other);
}

/* Numbers that cannot be are refused before anything is read. */
static void test_sizes(void **state)
{
    enum { MANY = 4 };
    const size_t huge[MANY] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 8};
    isogloss_set *set = open_rows(), *none;
    const uint32_t row = 0;
    isogloss_neighbour best;
    size_t found = 9;
    float out[D] = {7};

    (void)state;
    for (int space = -1; space <= 3; space += 4) {
        assert_int_equal(isogloss_space_dims(set, NULL, (isogloss_space)space), 0);
        assert_int_equal(
            isogloss_apply(set, NULL, (isogloss_space)space, 0, 1, out, &error),
            ISOGLOSS_USAGE);
        assert_int_equal(isogloss_search(set, NULL, (isogloss_space)space, &row, 1,
                                         NULL, 1, &best, &found, &error),
                         ISOGLOSS_USAGE);
        assert_int_equal(isogloss_project(set, NULL, (isogloss_space)space, 1, true,
                                          out, NULL, &error),
                         ISOGLOSS_USAGE);
    }
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(isogloss_set_of_rows(&none, rows, huge[i], D, language, text,
                                              id, NULL, NULL, NULL, &error),
                         ISOGLOSS_SHAPE);
        assert_int_equal(isogloss_set_of_rows(&none, rows, N, huge[i], language, text,
                                              id, NULL, NULL, NULL, &error),
                         ISOGLOSS_SHAPE);
        assert_int_equal(
            isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 1, huge[i], out, &error),
            ISOGLOSS_SHAPE);
        assert_int_equal(isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &row, 1, NULL,
                                         huge[i], &best, &found, &error),
                         ISOGLOSS_SHAPE);
        assert_int_equal(isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &row, huge[i],
                                         NULL, 3, &best, &found, &error),
                         ISOGLOSS_SHAPE);
        assert_int_equal(isogloss_search_vectors(set, NULL, ISOGLOSS_ORIGINAL, rows,
                                                 NULL, huge[i], NULL, 3, &best, &found,
                                                 &error),
                         ISOGLOSS_SHAPE);
        assert_int_equal(isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, huge[i], true,
                                          out, NULL, &error),
                         ISOGLOSS_VALUE);
    }
    assert_true(found == 9 && out[0] == 7);
    isogloss_set_free(set);
}

/* Meanings are found across languages, and language embeddings tell nothing of them. */
static void test_training(void **state)
{
    isogloss_set *set = open_rows();
    isogloss_extractor *x = train(set, "seed"), *centre = train(set, "centre");
    float e[D], m[D], l[D];

    (void)state;
    assert_int_equal(isogloss_space_dims(set, x, ISOGLOSS_LANGUAGE), D);
    isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 5, 1, e, NULL);
    isogloss_apply(set, x, ISOGLOSS_MEANING, 5, 1, m, NULL);
    isogloss_apply(set, x, ISOGLOSS_LANGUAGE, 5, 1, l, NULL);
    for (size_t j = 0; j < D; j++)
        assert_true(fabsf(e[j] - m[j] - l[j]) < 1e-5f);
    assert_true(top1(set, x, ISOGLOSS_MEANING) > top1(set, NULL, ISOGLOSS_ORIGINAL));
    assert_true(top1(set, x, ISOGLOSS_LANGUAGE) < top1(set, x, ISOGLOSS_MEANING));
    assert_true(top1(set, centre, ISOGLOSS_MEANING) > 0.9);
    isogloss_extractor_free(x);
    isogloss_extractor_free(centre);
    isogloss_set_free(set);
}

/* A vector that is a row's finds what the row finds, and the row itself. */
static void check_vectors(const isogloss_set *set, const isogloss_extractor *x,
                          const uint32_t row[2])
{
    static float vector[2 * D];
    const char *const of[] = {language[row[0]], language[row[1]]}, *const odd[] = {
                                                                       "xx"};
    isogloss_neighbour best[2 * 4], own[2 * 4];
    size_t found[2];

    for (size_t i = 0; i < 2; i++)
        memcpy(vector + i * D, rows + row[i] * D, sizeof *vector * D);
    for (int said = 0; said < 2; said++)
        for (int space = 0; space < 3; space++) {
            const isogloss_extractor *by = space ? x : NULL;

            assert_int_equal(isogloss_search_vectors(set, by, (isogloss_space)space,
                                                     vector, said ? of : NULL, 2, NULL,
                                                     4, best, found, &error),
                             ISOGLOSS_OK);
            assert_int_equal(isogloss_search(set, by, (isogloss_space)space, row, 2,
                                             NULL, 3, own, found, &error),
                             ISOGLOSS_OK);
            for (size_t i = 0; i < 2 && space < 2; i++) {
                assert_int_equal(best[4 * i].row, row[i]);
                assert_true(fabs(best[4 * i].cosine - 1) < 1e-5);
                for (size_t j = 0; j < 3; j++)
                    assert_int_equal(best[4 * i + j + 1].row, own[3 * i + j].row);
            }
        }
    assert_int_equal(isogloss_search_vectors(set, x, ISOGLOSS_MEANING, vector, odd, 1,
                                             NULL, 4, best, found, &error),
                     ISOGLOSS_VALUE);
    vector[3] = NAN;
    assert_int_equal(isogloss_search_vectors(set, x, ISOGLOSS_MEANING, vector, NULL, 1,
                                             NULL, 4, best, found, &error),
                     ISOGLOSS_VALUE);
    assert_string_equal(error.message, "number 3 of vector 0 is not finite");
}

static void test_search_and_map(void **state)
{
    static float out[N * 2];
    isogloss_set *set = open_rows();
    isogloss_extractor *x = train(set, "centre");
    const uint32_t row[2] = {0, 30};
    isogloss_neighbour best[2 * 4];
    size_t found[2];
    double share[2];

    (void)state;
    assert_int_equal(
        isogloss_search(set, x, ISOGLOSS_MEANING, row, 2, "ja", 4, best, found, &error),
        ISOGLOSS_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(found[i], 4);
        assert_int_equal(best[4 * i].row, row[i] + 2); /* its translation */
        assert_true(best[4 * i].cosine >= best[4 * i + 1].cosine);
        assert_string_equal(isogloss_set_language(set, best[4 * i + 3].row), "ja");
    }
    assert_int_equal(
        isogloss_search(set, x, ISOGLOSS_MEANING, row, 1, "xx", 4, best, found, &error),
        ISOGLOSS_VALUE);
    check_vectors(set, x, row);
    for (int unit = 0; unit < 2; unit++) {
        assert_int_equal(
            isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, 2, unit, out, share, &error),
            ISOGLOSS_OK);
        assert_true(share[0] >= share[1] && share[0] + share[1] <= 1);
        assert_true(share[1] > 0 && isfinite(out[2 * N - 1]));
    }
    assert_int_equal(
        isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, D + 1, false, out, share, NULL),
        ISOGLOSS_VALUE);
    isogloss_extractor_free(x);
    isogloss_set_free(set);
}

static void test_figures(void **state)
{
    size_t figures = 0;
    const char *key;

    (void)state;
    for (; (key = isogloss_figure_key(figures)) != NULL; figures++)
        assert_non_null(isogloss_figure_about(key));
    assert_true(figures > 10);
    assert_null(isogloss_figure_about("no such figure"));
}

static isogloss_evaluation *with_intervals(const isogloss_set *set,
                                           const isogloss_extractor *x,
                                           isogloss_space space, const char *seed)
{
    const isogloss_setting how[] = {{"ci", "yes"}, {"seed", seed}, {NULL, NULL}};
    isogloss_evaluation *e;

    assert_int_equal(isogloss_evaluate(&e, set, x, space, how, &error), ISOGLOSS_OK);
    return e;
}

/* Figures lie in their intervals; what differs stands, and a space differs from itself
 * in nothing. What was not drawn alike is refused. */
static void test_intervals(void **state)
{
    isogloss_set *set = open_rows();
    isogloss_extractor *x = train(set, "centre");
    isogloss_evaluation *before = with_intervals(set, NULL, ISOGLOSS_ORIGINAL, "1");
    isogloss_evaluation *after = with_intervals(set, x, ISOGLOSS_MEANING, "1");
    isogloss_evaluation *other = with_intervals(set, x, ISOGLOSS_MEANING, "2"), *plain;
    isogloss_difference d = {.value = 7};
    double low, high;
    const char *key;

    (void)state;
    for (size_t i = 0; (key = isogloss_figure_key(i)) != NULL; i++) {
        double value = isogloss_figure(after, key, NULL);
        bool there = isogloss_interval(after, key, &low, &high);

        assert_true(there == !isnan(value));
        assert_true(there ? low <= value + 1e-6 && value <= high + 1e-6 : isnan(low));
    }
    assert_int_equal(isogloss_compare(before, after, "relative_alignment", &d, &error),
                     ISOGLOSS_OK);
    assert_true(d.significant && d.high < 0);
    assert_true(d.low <= d.value && d.value <= d.high);
    assert_true(isnan(d.p));
    assert_int_equal(isogloss_compare(before, after, "top1", &d, &error), ISOGLOSS_OK);
    assert_true(d.parts > 0 && d.more + d.less <= d.parts);
    assert_int_equal(isogloss_compare(after, after, "top1", &d, &error), ISOGLOSS_OK);
    assert_true(d.value == 0 && !d.significant && d.more + d.less == 0);

    d.value = 7;
    assert_int_equal(isogloss_evaluate(&plain, set, x, ISOGLOSS_MEANING, NULL, &error),
                     ISOGLOSS_OK);
    assert_false(isogloss_interval(plain, "top1", &low, &high));
    assert_int_equal(isogloss_compare(before, plain, "top1", &d, &error),
                     ISOGLOSS_USAGE);
    assert_int_equal(isogloss_compare(before, after, "top2", &d, &error),
                     ISOGLOSS_USAGE);
    assert_int_equal(isogloss_compare(before, other, "top1", &d, &error),
                     ISOGLOSS_VALUE);
    assert_int_equal(isogloss_compare(before, after, "pearson", &d, &error),
                     ISOGLOSS_VALUE);
    assert_true(d.value == 7);
    isogloss_evaluation_free(before);
    isogloss_evaluation_free(after);
    isogloss_evaluation_free(other);
    isogloss_evaluation_free(plain);
    isogloss_extractor_free(x);
    isogloss_set_free(set);
}

/* A sample estimates some figures, with an interval. */
static void test_sample(void **state)
{
    const isogloss_setting how[] = {{"sample", "20"}, {NULL, NULL}};
    isogloss_set *set = open_rows();
    isogloss_evaluation *e, *all;
    const char *why = NULL;
    double low, high;

    (void)state;
    assert_int_equal(isogloss_evaluate(&e, set, NULL, ISOGLOSS_ORIGINAL, how, &error),
                     ISOGLOSS_OK);
    assert_int_equal(
        isogloss_evaluate(&all, set, NULL, ISOGLOSS_ORIGINAL, NULL, &error),
        ISOGLOSS_OK);
    assert_true(isogloss_interval(e, "uniformity", &low, &high));
    assert_true(isogloss_figure(all, "uniformity", NULL) > 2 * low - high &&
                isogloss_figure(all, "uniformity", NULL) < 2 * high - low);
    assert_false(isogloss_interval(all, "uniformity", &low, &high));
    assert_true(isnan(isogloss_figure(e, "xsim", &why)));
    assert_non_null(why);
    isogloss_evaluation_free(e);
    isogloss_evaluation_free(all);
    isogloss_set_free(set);
}

/* Whatever allocation fails, it is told and nothing is lost. */
static void test_memory(void **state)
{
    isogloss_status status = ISOGLOSS_NOMEM;

    (void)state;
    for (long n = 1; status != ISOGLOSS_OK; n++) {
        const isogloss_setting how[] = {{"threads", "1"}, {NULL, NULL}};
        const uint32_t row = 3;
        isogloss_set *set;
        isogloss_evaluation *e = NULL;
        isogloss_neighbour best[2];
        size_t found;

        ig_alloc_fail_at(n);
        status = isogloss_set_of_rows(&set, rows, N, D, language, text, id, how, NULL,
                                      NULL, NULL);
        if (status == ISOGLOSS_OK)
            status = isogloss_evaluate(&e, set, NULL, ISOGLOSS_ORIGINAL, NULL, NULL);
        if (status == ISOGLOSS_OK)
            status = isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &row, 1, "en", 2,
                                     best, &found, NULL);
        ig_alloc_fail_at(0);
        assert_true(status == ISOGLOSS_OK || status == ISOGLOSS_NOMEM);
        isogloss_evaluation_free(e);
        isogloss_set_free(set);
    }
}

SUITE(isogloss)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),           cmocka_unit_test(test_names),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_training),
        cmocka_unit_test(test_search_and_map), cmocka_unit_test(test_figures),
        cmocka_unit_test(test_intervals),      cmocka_unit_test(test_sample),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_split),
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_version),
    };

    return cmocka_run_group_tests(tests, make_rows, scratch_leave);
}
