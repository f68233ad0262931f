/* The public interface as a program of others uses it: a set of its own rows, training
 * with settings, spaces, figures, search, maps; what is refused. */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api.h"

static const isogloss_setting usual[] = {
    {"epochs", "20"}, {"batch", "16"}, {"lr", "1e-2"}, {"seed", "3"}, {NULL, NULL}};

static void test_sets(void **state)
{
    isogloss_dataset *set = open_rows();
    float out[2 * D];

    assert_int_equal(isogloss_dataset_rows(set), N);
    assert_int_equal(isogloss_dataset_dims(set), D);
    assert_string_equal(isogloss_dataset_language(set, 4), "de");
    assert_string_equal(isogloss_dataset_text(set, 4), "1");
    assert_string_equal(isogloss_dataset_id(set, 4), "1");
    assert_ok(isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 7, 2, out, &error));
    assert_memory_equal(out, rows + 7 * D, sizeof out);
    isogloss_free(set);
}

/* What is wrong is said in a sentence, and no handle is made. */
static void test_refused(void **state)
{
    const isogloss_setting odd[] = {{"treads", "2"}, {NULL, NULL}};
    const isogloss_setting bad[] = {{"lr", "-1"}, {NULL, NULL}};
    const isogloss_setting elsewhere[] = {{"lr", "1"}, {NULL, NULL}};
    const char *missing[] = {"no-such-file.npy"};
    const uint32_t beyond = N;
    isogloss_dataset *none, *set = open_rows();
    isogloss_trainer *trainer;
    isogloss_extractor *x;
    isogloss_neighbour best[1];
    size_t found;
    float out[D];

    assert_fails(IO,
                 isogloss_dataset_open(&none, missing, 1, NULL, NULL, NULL, &error));
    assert_null(none);
    assert_non_null(strstr(error.message, "no-such-file.npy"));
    assert_fails(USAGE,
                 isogloss_dataset_open(&none, missing, 1, odd, NULL, NULL, &error));
    assert_string_equal(error.message,
                        "unknown setting 'treads'; isogloss.h lists them");
    assert_fails(
        USAGE, isogloss_dataset_open(&none, missing, 1, elsewhere, NULL, NULL, &error));
    assert_non_null(strstr(error.message, "unknown setting 'lr'"));
    assert_fails(USAGE, isogloss_trainer_new(&trainer, set, "seed", bad, &error));
    assert_null(trainer);
    assert_fails(USAGE, isogloss_trainer_new(&trainer, set, "sed", NULL, &error));
    assert_fails(IO, isogloss_extractor_open(&x, set, "no-such-run", &error));
    assert_null(x);
    assert_fails(VALUE, isogloss_apply(set, NULL, ISOGLOSS_MEANING, 0, 1, out, &error));
    assert_fails(SHAPE,
                 isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, N, 1, out, &error));
    assert_int_equal(isogloss_space_dims(set, NULL, ISOGLOSS_LANGUAGE), 0);
    assert_fails(SHAPE, isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &beyond, 1, NULL,
                                        1, best, &found, &error));
    isogloss_free(set);
}

static double top1(const isogloss_dataset *set, const isogloss_extractor *x,
                   isogloss_space space)
{
    isogloss_evaluation *e;
    isogloss_figure_row row;
    double value;

    assert_ok(isogloss_evaluate(&e, set, x, space, NULL, &error));
    assert_true(isnan(isogloss_figure(e, "pearson", &row)));
    assert_non_null(strstr(row.reason, "needs scores"));
    assert_string_equal(row.label, "Pearson, pooled");
    assert_true(isnan(isogloss_figure(e, "first_translation", &row)));
    assert_string_equal(row.reason, "only of languages or parts");
    assert_true(isnan(isogloss_figure(e, "no such figure", &row)));
    assert_string_equal(row.reason, "unknown figure");
    value = isogloss_figure(e, "top1", &row);
    assert_true(!row.reason || strstr(row.reason, "by a tie"));
    assert_true(row.value == value && row.n == N * (LANGUAGES - 1) && !row.from);
    isogloss_free(e);
    return value;
}

static void check_split(const isogloss_dataset *set, const isogloss_extractor *x,
                        const char *split, isogloss_status want, double *figure)
{
    const isogloss_setting how[] = {{"split", split}, {NULL, NULL}};
    isogloss_evaluation *e;

    assert_int_equal(isogloss_evaluate(&e, set, x, ISOGLOSS_ORIGINAL, how, &error),
                     want);
    if (want == ISOGLOSS_OK)
        *figure = isogloss_figure(e, "alignment", NULL);
    isogloss_free(e);
}

/* The alignment of the rows whose ids a run lists. */
static double alignment_of_listed(const char *path)
{
    static float some[N * D];
    static const char *lang[N], *number[N];
    char line[64];
    size_t n = 0;
    isogloss_dataset *set;
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
    assert_ok(isogloss_dataset_of_rows(&set, some, n, D, lang, NULL, number, NULL, NULL,
                                       NULL, &error));
    check_split(set, NULL, "all", ISOGLOSS_OK, &figure);
    isogloss_free(set);
    return figure;
}

/* What an extractor was not trained on is measured by itself: the ids that its run lists,
 * by the trainer's extractor and by one that was opened. */
static void test_split(void **state)
{
    const isogloss_setting how[] = {
        {"epochs", "1"}, {"valid", ".2"}, {"pairing", "all"}, {NULL, NULL}};
    isogloss_dataset *set = open_rows(), *other = open_rows();
    isogloss_extractor *x = fit(set, "seed", how, "split"), *opened;
    double all, train, valid, again;

    assert_ok(isogloss_extractor_open(&opened, other, "split", &error));
    check_split(set, x, "all", ISOGLOSS_OK, &all);
    check_split(set, x, "train", ISOGLOSS_OK, &train);
    check_split(set, x, "valid", ISOGLOSS_OK, &valid);
    check_split(other, opened, "valid", ISOGLOSS_OK, &again);
    assert_true(fabs(valid - alignment_of_listed("split/valid.csv")) < 1e-9);
    assert_true(fabs(valid - again) < 1e-12);
    assert_true(valid != train && valid != all && train != all);
    check_split(set, x, "holdout", ISOGLOSS_VALUE, NULL);
    check_split(other, opened, "holdout", ISOGLOSS_VALUE, NULL);
    check_split(other, x, "valid", ISOGLOSS_OK, &again);
    assert_true(fabs(valid - again) < 1e-9);
    check_split(set, NULL, "valid", ISOGLOSS_USAGE, NULL);
    check_split(set, x, "test", ISOGLOSS_USAGE, NULL);
    isogloss_free(x);
    isogloss_free(opened);
    isogloss_free(set);
    isogloss_free(other);
}

/* Numbers that cannot be are refused before anything is read. */
static void test_sizes(void **state)
{
    enum { MANY = 4 };
    const size_t huge[MANY] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 8};
    isogloss_dataset *set = open_rows(), *none;
    const uint32_t row = 0;
    isogloss_neighbour best;
    size_t found = 9;
    float out[D] = {7};

    for (int space = -1; space <= 3; space += 4) {
        assert_int_equal(isogloss_space_dims(set, NULL, (isogloss_space)space), 0);
        assert_fails(
            USAGE, isogloss_apply(set, NULL, (isogloss_space)space, 0, 1, out, &error));
        assert_fails(USAGE, isogloss_search(set, NULL, (isogloss_space)space, &row, 1,
                                            NULL, 1, &best, &found, &error));
        assert_fails(USAGE, isogloss_project(set, NULL, (isogloss_space)space, 1, true,
                                             out, NULL, &error));
    }
    for (size_t i = 0; i < MANY; i++) {
        assert_fails(SHAPE,
                     isogloss_dataset_of_rows(&none, rows, huge[i], D, language, text,
                                              id, NULL, NULL, NULL, &error));
        assert_fails(SHAPE,
                     isogloss_dataset_of_rows(&none, rows, N, huge[i], language, text,
                                              id, NULL, NULL, NULL, &error));
        assert_fails(SHAPE, isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 1, huge[i],
                                           out, &error));
        assert_fails(SHAPE, isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &row, 1, NULL,
                                            huge[i], &best, &found, &error));
        assert_fails(SHAPE, isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &row, huge[i],
                                            NULL, 3, &best, &found, &error));
        assert_fails(SHAPE,
                     isogloss_search_vectors(set, NULL, ISOGLOSS_ORIGINAL, rows, NULL,
                                             huge[i], NULL, 3, &best, &found, &error));
        assert_fails(VALUE, isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, huge[i],
                                             true, out, NULL, &error));
    }
    assert_true(found == 9 && out[0] == 7);
    isogloss_free(set);
}

/* Meanings are found across languages, but not by language embeddings. */
static void test_training(void **state)
{
    isogloss_dataset *set = open_rows();
    isogloss_extractor *x = fit(set, "seed", usual, NULL),
                       *centre = fit(set, "centre", usual, NULL);
    float e[D], m[D], l[D];

    assert_int_equal(isogloss_space_dims(set, x, ISOGLOSS_LANGUAGE), D);
    isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 5, 1, e, NULL);
    isogloss_apply(set, x, ISOGLOSS_MEANING, 5, 1, m, NULL);
    isogloss_apply(set, x, ISOGLOSS_LANGUAGE, 5, 1, l, NULL);
    for (size_t j = 0; j < D; j++)
        assert_true(fabsf(e[j] - m[j] - l[j]) < 1e-5f);
    assert_true(top1(set, x, ISOGLOSS_MEANING) > top1(set, NULL, ISOGLOSS_ORIGINAL));
    assert_true(top1(set, x, ISOGLOSS_LANGUAGE) < top1(set, x, ISOGLOSS_MEANING));
    assert_true(top1(set, centre, ISOGLOSS_MEANING) > 0.9);
    isogloss_free(x);
    isogloss_free(centre);
    isogloss_free(set);
}

/* A vector that is a row's finds what the row finds, and the row itself. */
static void check_vectors(const isogloss_dataset *set, const isogloss_extractor *x,
                          const uint32_t row[2])
{
    static float vector[2 * D];
    const char *const of[] = {language[row[0]], language[row[1]]}, *const odd[] = {
                                                                       "xx"};
    isogloss_neighbour best[2 * 4], own[2 * 4];
    size_t found[2];

    for (size_t i = 0; i < 2; i++)
        memcpy(vector + i * D, rows + row[i] * D, sizeof *vector * D);
    for (int space = 0; space < 3; space++) {
        const isogloss_extractor *by = space ? x : NULL;

        assert_ok(isogloss_search_vectors(set, by, (isogloss_space)space, vector,
                                          space ? of : NULL, 2, NULL, 4, best, found,
                                          &error));
        assert_ok(isogloss_search(set, by, (isogloss_space)space, row, 2, NULL, 3, own,
                                  found, &error));
        for (size_t i = 0; i < 2 && space < 2; i++) {
            assert_int_equal(best[4 * i].row, row[i]);
            assert_true(fabs(best[4 * i].cosine - 1) < 1e-5);
            for (size_t j = 0; j < 3; j++)
                assert_int_equal(best[4 * i + j + 1].row, own[3 * i + j].row);
        }
    }
    assert_fails(VALUE, isogloss_search_vectors(set, x, ISOGLOSS_MEANING, vector, odd,
                                                1, NULL, 4, best, found, &error));
    assert_fails(USAGE, isogloss_search_vectors(set, x, ISOGLOSS_MEANING, vector, NULL,
                                                1, NULL, 4, best, found, &error));
    vector[3] = NAN;
    assert_fails(VALUE, isogloss_search_vectors(set, x, ISOGLOSS_MEANING, vector, NULL,
                                                1, NULL, 4, best, found, &error));
    assert_string_equal(error.message, "number 3 of vector 0 is not finite");
}

static void test_search_and_map(void **state)
{
    static float out[N * 2];
    isogloss_dataset *set = open_rows();
    isogloss_extractor *x = fit(set, "centre", usual, NULL);
    const uint32_t row[2] = {0, 30};
    isogloss_neighbour best[2 * 4];
    size_t found[2];
    double share[2];

    assert_ok(isogloss_search(set, x, ISOGLOSS_MEANING, row, 2, "ja", 4, best, found,
                              &error));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(found[i], 4);
        assert_int_equal(best[4 * i].row, row[i] + 2); /* its translation */
        assert_true(best[4 * i].cosine >= best[4 * i + 1].cosine);
        assert_string_equal(isogloss_dataset_language(set, best[4 * i + 3].row), "ja");
    }
    assert_fails(VALUE, isogloss_search(set, x, ISOGLOSS_MEANING, row, 1, "xx", 4, best,
                                        found, &error));
    check_vectors(set, x, row);
    for (int unit = 0; unit < 2; unit++) {
        assert_ok(isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, 2, unit, out, share,
                                   &error));
        assert_true(share[0] >= share[1] && share[0] + share[1] <= 1);
        assert_true(share[1] > 0 && isfinite(out[2 * N - 1]));
    }
    assert_fails(VALUE, isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, D + 1, false,
                                         out, share, NULL));
    isogloss_free(x);
    isogloss_free(set);
}

static void test_figures(void **state)
{
    size_t figures = 0;
    const char *key;

    for (; (key = isogloss_figure_key(figures)) != NULL; figures++)
        assert_non_null(isogloss_figure_about(key));
    assert_true(figures > 10);
    assert_null(isogloss_figure_about("no such figure"));
}

static isogloss_evaluation *with_intervals(const isogloss_dataset *set,
                                           const isogloss_extractor *x,
                                           isogloss_space space, const char *seed)
{
    const isogloss_setting how[] = {{"ci", "yes"}, {"seed", seed}, {NULL, NULL}};
    isogloss_evaluation *e;

    assert_ok(isogloss_evaluate(&e, set, x, space, how, &error));
    return e;
}

/* Figures are within their intervals; what differs is significant, and a space differs from
 * itself in nothing. Other draws are refused. */
static void test_intervals(void **state)
{
    isogloss_dataset *set = open_rows();
    isogloss_extractor *x = fit(set, "centre", usual, NULL);
    const isogloss_evaluation *before =
        with_intervals(set, NULL, ISOGLOSS_ORIGINAL, "1");
    const isogloss_evaluation *after = with_intervals(set, x, ISOGLOSS_MEANING, "1");
    const isogloss_evaluation *other = with_intervals(set, x, ISOGLOSS_MEANING, "2");
    const isogloss_evaluation *seeds[] = {after, before, other};
    isogloss_evaluation *e;
    const isogloss_evaluation *plain;
    isogloss_difference d = {.value = 7}, one;
    isogloss_figure_row row;
    const char *key;
    size_t with = 0;

    for (size_t i = 0; (key = isogloss_figure_key(i)) != NULL; i++) {
        double value = isogloss_figure(after, key, &row);
        bool there = !isnan(row.low);

        with += there; /* some measures have none */
        assert_true(!there || !isnan(value));
        assert_true(!there || (row.low <= value + 1e-6 && value <= row.high + 1e-6));
    }
    assert_true(with > 20);
    assert_ok(
        isogloss_compare(&before, 1, &after, 1, "relative_alignment", &d, &error));
    assert_true(d.significant && d.high < 0);
    assert_true(d.low <= d.value && d.value <= d.high);
    assert_ok(isogloss_compare(&before, 1, &after, 1, "top1", &one, &error));
    assert_ok(isogloss_compare(&after, 1, &after, 1, "top1", &d, &error));
    assert_true(d.value == 0 && !d.significant);

    /* A group has the mean of its evaluations, and the variance between them. */
    assert_ok(isogloss_compare(&before, 1, seeds, 2, "top1", &d, &error));
    assert_true(fabs(d.value - one.value / 2) < 1e-12);
    assert_true(d.high - d.low > one.high - one.low);

    d.value = 7;
    assert_ok(isogloss_evaluate(&e, set, x, ISOGLOSS_MEANING, NULL, &error));
    plain = e;
    isogloss_figure(plain, "top1", &row);
    assert_true(isnan(row.low) && isnan(row.high));
    assert_fails(VALUE, isogloss_compare(&before, 1, &plain, 1, "top1", &d, &error));
    assert_fails(USAGE, isogloss_compare(&before, 1, &after, 1, "top2", &d, &error));
    assert_fails(USAGE, isogloss_compare(&before, 1, seeds, 0, "top1", &d, &error));
    assert_fails(VALUE, isogloss_compare(&before, 1, &other, 1, "top1", &d, &error));
    assert_fails(VALUE, isogloss_compare(&before, 1, seeds, 3, "top1", &d, &error));
    assert_fails(VALUE, isogloss_compare(&before, 1, &after, 1, "pearson", &d, &error));
    assert_true(d.value == 7);
    isogloss_free((void *)before);
    isogloss_free((void *)after);
    isogloss_free((void *)other);
    isogloss_free(e);
    isogloss_free(x);
    isogloss_free(set);
}

/* Every status function of a NULL handle, and of one of another type, says what makes
 * such a handle; the others return nothing. */
static void test_handles(void **state)
{
    isogloss_dataset *set = open_rows(), *odd;
    isogloss_extractor *x = fit(set, "centre", usual, NULL), *none;
    isogloss_trainer *trainer;
    isogloss_evaluation *e;
    const isogloss_evaluation *no = NULL;
    isogloss_figure_row row;
    isogloss_neighbour best;
    isogloss_difference d;
    const uint32_t query = 0;
    size_t found;
    float out[D];

#define REFUSED(names, call)                                                           \
    do {                                                                               \
        error.message[0] = '\0';                                                       \
        assert_fails(USAGE, call);                                                     \
        assert_non_null(strstr(error.message, names));                                 \
    } while (0)
    for (int k = 0; k < 2; k++) {
        odd = k ? (isogloss_dataset *)x : NULL;
        row.n = 7;
        REFUSED("isogloss_dataset_open or isogloss_dataset_of_rows",
                isogloss_apply(odd, NULL, ISOGLOSS_ORIGINAL, 0, 1, out, &error));
        REFUSED("_of_rows", isogloss_extractor_open(&none, odd, "run", &error));
        REFUSED("_of_rows", isogloss_trainer_new(&trainer, odd, "seed", NULL, &error));
        REFUSED("_of_rows",
                isogloss_evaluate(&e, odd, NULL, ISOGLOSS_ORIGINAL, NULL, &error));
        REFUSED("_of_rows", isogloss_search(odd, NULL, ISOGLOSS_ORIGINAL, &query, 1,
                                            NULL, 1, &best, &found, &error));
        REFUSED("_of_rows",
                isogloss_search_vectors(odd, NULL, ISOGLOSS_ORIGINAL, rows, NULL, 1,
                                        NULL, 1, &best, &found, &error));
        REFUSED("_of_rows", isogloss_project(odd, NULL, ISOGLOSS_ORIGINAL, 1, true, out,
                                             NULL, &error));
        REFUSED("isogloss_trainer_new",
                isogloss_trainer_epoch((isogloss_trainer *)odd, NULL, &error));
        REFUSED("isogloss_trainer_new",
                isogloss_trainer_best((isogloss_trainer *)odd, &none, &error));
        REFUSED("isogloss_trainer_new",
                isogloss_trainer_save((isogloss_trainer *)odd, "run", &error));
        no = (isogloss_evaluation *)odd;
        REFUSED("isogloss_evaluate",
                isogloss_compare(&no, 1, &no, 1, "top1", &d, &error));
        assert_int_equal(isogloss_dataset_rows(odd) + isogloss_dataset_dims(odd), 0);
        assert_null(isogloss_dataset_language(odd, 0));
        assert_null(isogloss_dataset_text(odd, 0));
        assert_null(isogloss_dataset_id(odd, 0));
        assert_int_equal(isogloss_space_dims(odd, NULL, ISOGLOSS_ORIGINAL), 0);
        assert_false(isogloss_trainer_is_running((isogloss_trainer *)odd));
        assert_true(!isogloss_figure_at(no, 0, &row) && row.n == 7);
        assert_true(isnan(isogloss_figure(no, "top1", &row)));
        assert_string_equal(row.reason, "no evaluation");
    }
    REFUSED("isogloss_extractor_open",
            isogloss_apply(set, (isogloss_extractor *)set, ISOGLOSS_MEANING, 0, 1, out,
                           &error));
    assert_null(isogloss_dataset_text(set, N));
    isogloss_free(NULL);
    isogloss_free(x);
    isogloss_free(set);
}

/* Every pointer of every function that is not "or NULL", as NULL: an error, no crash. */
static void test_null(void **state)
{
    isogloss_dataset *set = open_rows(), *none = NULL;
    isogloss_extractor *x = fit(set, "centre", usual, NULL), *no;
    isogloss_trainer *t, *other;
    isogloss_evaluation *e;
    const isogloss_evaluation *one;
    isogloss_neighbour best;
    isogloss_difference d;
    const char *const nothing[] = {NULL};
    const char *code[N];
    const uint32_t query = 0;
    size_t found;

    assert_ok(isogloss_trainer_new(&t, set, "centre", NULL, &error));
    assert_ok(isogloss_evaluate(&e, set, NULL, ISOGLOSS_ORIGINAL, NULL, &error));
    one = e;
    memcpy(code, language, sizeof code);
    code[3] = NULL;
    REFUSED("set && data",
            isogloss_dataset_open(NULL, nothing, 1, NULL, NULL, NULL, &error));
    REFUSED("set && data",
            isogloss_dataset_open(&none, NULL, 1, NULL, NULL, NULL, &error));
    assert_fails(IO,
                 isogloss_dataset_open(&none, nothing, 1, NULL, NULL, NULL, &error));
    REFUSED("set && rows", isogloss_dataset_of_rows(NULL, rows, N, D, language, NULL,
                                                    NULL, NULL, NULL, NULL, &error));
    REFUSED("set && rows", isogloss_dataset_of_rows(&none, NULL, N, D, language, NULL,
                                                    NULL, NULL, NULL, NULL, &error));
    REFUSED("language", isogloss_dataset_of_rows(&none, rows, N, D, NULL, NULL, NULL,
                                                 NULL, NULL, NULL, &error));
    assert_fails(FORMAT, isogloss_dataset_of_rows(&none, rows, N, D, code, code, code,
                                                  NULL, NULL, NULL, &error));
    assert_non_null(strstr(error.message, "row 3"));
    assert_ok(isogloss_dataset_of_rows(&none, rows, N, D, language, code, code, NULL,
                                       NULL, NULL, &error));
    assert_string_equal(isogloss_dataset_text(none, 3), "");
    assert_null(isogloss_dataset_id(none, 3));
    REFUSED("directory", isogloss_extractor_open(&no, set, NULL, &error));
    REFUSED("extractor", isogloss_extractor_open(NULL, set, "run", &error));
    REFUSED("out", isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 0, 1, NULL, &error));
    assert_ok(isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 0, 0, NULL, &error));
    REFUSED("trainer", isogloss_trainer_new(NULL, set, "seed", NULL, &error));
    REFUSED("method", isogloss_trainer_new(&other, set, NULL, NULL, &error));
    REFUSED("extractor", isogloss_trainer_best(t, NULL, &error));
    REFUSED("directory", isogloss_trainer_save(t, NULL, &error));
    REFUSED("*directory", isogloss_trainer_save(t, "", &error));
    REFUSED("evaluation",
            isogloss_evaluate(NULL, set, NULL, ISOGLOSS_ORIGINAL, NULL, &error));
    REFUSED("isogloss_evaluate",
            isogloss_compare(NULL, 1, &one, 1, "top1", &d, &error));
    REFUSED("second", isogloss_compare(&one, 1, NULL, 1, "top1", &d, &error));
    REFUSED("key", isogloss_compare(&one, 1, &one, 1, NULL, &d, &error));
    REFUSED("difference", isogloss_compare(&one, 1, &one, 1, "top1", NULL, &error));
    REFUSED("row", isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, NULL, 1, NULL, 1,
                                   &best, &found, &error));
    REFUSED("out", isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &query, 1, NULL, 1,
                                   NULL, &found, &error));
    REFUSED("found", isogloss_search(set, NULL, ISOGLOSS_ORIGINAL, &query, 1, NULL, 1,
                                     &best, NULL, &error));
    REFUSED("vector", isogloss_search_vectors(set, NULL, ISOGLOSS_ORIGINAL, NULL, NULL,
                                              1, NULL, 1, &best, &found, &error));
    assert_fails(VALUE, isogloss_search_vectors(set, x, ISOGLOSS_MEANING, rows, nothing,
                                                1, NULL, 1, &best, &found, &error));
    REFUSED("out", isogloss_project(set, NULL, ISOGLOSS_ORIGINAL, 1, true, NULL, NULL,
                                    &error));
    assert_false(isogloss_figure_at(e, 0, NULL));
    assert_true(isnan(isogloss_figure(e, NULL, NULL)));
    assert_null(isogloss_figure_about(NULL));
    isogloss_free(none);
    isogloss_free(e);
    isogloss_free(t);
    isogloss_free(x);
    isogloss_free(set);
}

/* A forked child can look at its parent's handles, but a call is refused, and freeing
 * does nothing. */
static void test_fork(void **state)
{
    isogloss_dataset *set = open_rows();
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        float out[D];
        bool refused =
            isogloss_apply(set, NULL, ISOGLOSS_ORIGINAL, 0, 1, out, &error) ==
                ISOGLOSS_USAGE &&
            strstr(error.message, "made before a fork): call isogloss_datas");

        isogloss_free(set);
        _exit(refused && isogloss_dataset_rows(set) == N ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    isogloss_free(set);
}

SUITE(isogloss, make_rows, scratch_leave, TEST(test_sets), TEST(test_refused),
      TEST(test_training), TEST(test_search_and_map), TEST(test_figures),
      TEST(test_intervals), TEST(test_split), TEST(test_sizes), TEST(test_handles),
      TEST(test_null), TEST(test_fork))
