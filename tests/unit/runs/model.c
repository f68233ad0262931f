/* Models: runs applied to another set than they were trained on. */
#include "runs/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "suite.h"

#include "base/memory.h"
#include "runs/run.h"
#include "scratch.h"

/* The mean of en is (2, 0), that of de (0, 4). */
static const float rows[4][2] = {{1, 0}, {3, 0}, {0, 2}, {0, 6}};
static const char *const known[] = {"en", "en", "de", "de"};
static const char *const other[] = {"en", "ja", "ja", "en"};

static ig_set *open_set(const char *const *lang)
{
    ig_set *set;

    assert_int_equal(ig_set_of_rows(&set, "mem", rows[0], 4, 2, lang, NULL, NULL, NULL),
                     IG_OK);
    return set;
}

static void train_with(const char *method, const char *path, bool normalize)
{
    ig_pairs none = {0};
    ig_set *set = open_set(known);
    ig_run_setup setup = {
        .set = set, .pairs = &none, .method = method, .options = ig_train_defaults()};
    ig_run *run;

    setup.options.normalize = normalize;
    assert_int_equal(ig_run_new(&run, &setup, NULL), IG_OK);
    while (ig_run_going(run))
        assert_int_equal(ig_run_epoch(run, NULL, NULL, NULL), IG_OK);
    assert_int_equal(ig_run_write(run, path, NULL), IG_OK);
    ig_run_delete(run);
    ig_set_free(set);
}

static void train(const char *method, const char *path)
{
    train_with(method, path, false);
}

/* centre: the run's mean for en, that of the rows at hand for ja (methods.md §2). */
static void test_a_language_that_centre_does_not_know(void **state)
{
    ig_set *set = open_set(other);
    ig_model model;

    (void)state;
    train("centre", "centre");
    assert_int_equal(ig_model_read(&model, "centre", set, NULL), IG_OK);
    assert_int_equal(model.strangers, 1);
    assert_int_equal(model.extractor.languages, 2);
    assert_true(model.extractor.weights[0] == 2 && model.extractor.weights[1] == 0);
    assert_true(model.extractor.weights[2] == 1.5F);
    assert_true(model.extractor.weights[3] == 1);
    ig_model_free(&model);
    ig_set_free(set);
}

static void test_languages_in_another_order(void **state)
{
    static const char *const turned[] = {"de", "de", "en", "en"};
    ig_set *set = open_set(turned);
    ig_model model;

    (void)state;
    train("centre", "centre");
    assert_int_equal(ig_model_read(&model, "centre", set, NULL), IG_OK);
    assert_int_equal(model.strangers, 0);
    assert_true(model.extractor.weights[0] == 0 && model.extractor.weights[1] == 4);
    assert_true(model.extractor.weights[2] == 2 && model.extractor.weights[3] == 0);
    ig_model_free(&model);
    ig_set_free(set);
}

/* Memory that is short is an error, never a run without its run.json: its rows would not
 * be scaled, and nobody would know. */
static void test_the_model_or_no_memory(void **state)
{
    ig_set *set = open_set(known);
    ig_model model;
    int read = 0;

    (void)state;
    train_with("centre", "scaled", true);
    for (long n = 1; read < 3; n++) {
        ig_status status;

        ig_alloc_fail_at(n);
        status = ig_model_read(&model, "scaled", set, NULL);
        ig_alloc_fail_at(0);
        if (status == IG_OK) {
            assert_true(model.extractor.normalize);
            assert_int_equal(model.extractor.kind, IG_CENTRE);
            ig_model_free(&model);
            read++; /* n is beyond all that it allocates */
        } else {
            assert_int_equal(status, IG_NOMEM);
        }
    }
    ig_set_free(set);
}

/* A named pipe is no run.json, and nobody waits for what it may say. */
static void test_a_pipe_is_no_run(void **state)
{
    ig_set *set = open_set(known);
    ig_model model;
    ig_error error;

    (void)state;
    train("centre", "piped");
    assert_int_equal(remove("piped/run.json"), 0);
    assert_int_equal(mkfifo("piped/run.json", 0600), 0);
    assert_int_equal(ig_model_read(&model, "piped", set, &error), IG_IO);
    assert_string_equal(error.message, "piped/run.json: is not a regular file");
    ig_set_free(set);
}

SUITE(model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_language_that_centre_does_not_know),
        cmocka_unit_test(test_languages_in_another_order),
        cmocka_unit_test(test_the_model_or_no_memory),
        cmocka_unit_test(test_a_pipe_is_no_run),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
