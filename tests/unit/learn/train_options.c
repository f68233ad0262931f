/* The options of training: one table, and every place that reads it refuses alike. */
#include "learn/train_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "learn/objective.h"

static ig_error error;

static void test_every_default_can_be_typed(void **state)
{
    ig_train_options options = ig_train_defaults(), none = ig_train_defaults();
    const ig_train_option *o;

    (void)state;
    assert_int_equal(options.seed, 1);
    assert_int_equal(ig_train_resolve(&options, &none, &error), IG_OK);
    for (size_t i = 0; (o = ig_train_option_at(i)); i++) {
        char text[IG_SETTING_SIZE];

        assert_true(ig_setting_said(&o->field, &options));
        assert_int_equal(strtod(ig_setting_format(&o->field, &options, text), NULL) ==
                             strtod(o->usual ? o->usual : "1", NULL),
                         true);
        assert_ptr_equal(ig_train_option_named(o->field.name), o);
        assert_true(!o->method || !ig_setting_said(&o->field, &none));
        assert_int_equal(ig_setting_parse(&o->field, &none, "x", text, NULL), IG_OK);
    }
    assert_null(ig_train_option_named("pace"));
}

static void test_said_then_method_then_table(void **state)
{
    ig_train_options options = ig_train_defaults(), method = ig_train_defaults();

    (void)state;
    method.lr = 0.5;
    method.batch = 7;
    method.partner = IG_PARTNER_NEXT;
    options.batch = 9;
    options.patience = 0;
    assert_int_equal(ig_train_resolve(&options, &method, &error), IG_OK);
    assert_true(options.lr == 0.5);
    assert_int_equal(options.batch, 9);
    assert_int_equal(options.epochs, 100);
    assert_int_equal(options.patience, 0);
    assert_int_equal(options.partner, IG_PARTNER_NEXT);
    assert_int_equal(options.order, IG_ORDER_SHUFFLED);
}

/* The seed is that of the split, too, unless it has one of its own. */
static void test_split_seed(void **state)
{
    ig_train_options options = ig_train_defaults(), method = ig_train_defaults();

    (void)state;
    options.seed = 7;
    assert_int_equal(ig_train_resolve(&options, &method, &error), IG_OK);
    assert_int_equal(options.split_seed, 7);
    options = ig_train_defaults();
    options.seed = 7;
    options.split_seed = 0;
    assert_int_equal(ig_train_resolve(&options, &method, &error), IG_OK);
    assert_int_equal(options.split_seed, 0);
    assert_int_equal(options.seed, 7);
}

/* What a program fills in is held to the same limits as what is typed. */
static void test_values_out_of_range(void **state)
{
    const double lr[] = {0, -2, INFINITY, NAN};
    ig_train_options none = ig_train_defaults(), options;

    (void)state;
    for (size_t i = 0; i < sizeof lr / sizeof *lr; i++) {
        options = none;
        options.lr = lr[i];
        assert_int_equal(ig_train_resolve(&options, &none, &error), IG_VALUE);
        assert_non_null(strstr(error.message, "lr must be a number above 0, not '"));
    }
    options = none;
    options.valid = 1;
    assert_int_equal(ig_train_resolve(&options, &none, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "valid must be at least 0 and less than 1, not '1'");
}

static ig_status parse(ig_objective *objective, const char *line)
{
    char text[256];

    snprintf(text, sizeof text, "extractor residual\n%s\npull 1 m(x) m(y)\n", line);
    return ig_objective_parse(objective, "mine", "mine", text, strlen(text), &error);
}

static void test_lines_of_an_objective(void **state)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"lr 0", "mine:2:4: lr must be a number above 0, not '0'"},
        {"lr", "mine:2:3: lr must be a number above 0, not ''"},
        {"epochs 0", "mine:2:8: epochs must be a whole number from 1, not '0'"},
        {"partner none", "mine:2:9: partner must be random|next, not 'none'"},
        {"seed 3", "mine:2:1:"},
    };
    static const char right[] = "extractor residual\nepochs 3\nlr 0.1\nweight-decay 0\n"
                                "partner next\nnormalize yes\npull 1 m(x) m(y)\n";
    ig_objective objective;
    ig_builder text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(parse(&objective, wrong[i].line), IG_FORMAT);
        assert_memory_equal(error.message, wrong[i].says, strlen(wrong[i].says));
    }
    assert_int_equal(
        parse(&objective,
              "normalize yes\npartner next\nepochs 3\nlr 1e-1\nweight-decay 0"),
        IG_OK);
    assert_int_equal(objective.settings.normalize, 1);
    assert_int_equal(objective.settings.order, -1);
    ig_objective_format(&objective, &text);
    assert_string_equal(text.text, right);
    ig_builder_free(&text);
    ig_objective_free(&objective);
}

static void test_json(void **state)
{
    ig_train_options options = ig_train_defaults();
    char *text;

    (void)state;
    options.lr = 1e-3;
    options.weight_decay = 0;
    options.normalize = 0;
    options.partner = IG_PARTNER_NEXT;
    text = ig_json_format(ig_train_options_json(&options));
    assert_string_equal(text, "{\"lr\": 0.001, \"weight_decay\": 0.0, \"partner\": "
                              "\"next\", \"normalize\": false}\n");
    ig_free(text);
}

SUITE(train_options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_default_can_be_typed),
        cmocka_unit_test(test_said_then_method_then_table),
        cmocka_unit_test(test_split_seed),
        cmocka_unit_test(test_values_out_of_range),
        cmocka_unit_test(test_lines_of_an_objective),
        cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
