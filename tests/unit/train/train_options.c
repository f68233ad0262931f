/* The options of training: one table. */
#include "train/train_options.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "train/objective.h"

static void test_every_default_can_be_typed(void **state)
{
    ig_train_options options = ig_train_defaults(), none = ig_train_defaults();
    const ig_train_option *o;

    assert_int_equal(options.seed, 1);
    ig_train_resolve(&options, &none);
    for (size_t i = 0; (o = ig_train_option_at(i)); i++) {
        char text[IG_SETTING_SIZE];
        const char *typed = ig_setting_format(&o->field, &options, text);

        assert_true(ig_setting_is_set(&o->field, &options));
        assert_true(strtod(typed, NULL) == strtod(o->usual ? o->usual : "1", NULL));
        assert_ptr_equal(ig_train_option_named(o->field.name), o);
        assert_true(!o->method || !ig_setting_is_set(&o->field, &none));
        assert_int_equal(ig_setting_parse(&o->field, &none, "x", typed, NULL), IG_OK);
    }
    assert_null(ig_train_option_named("pace"));
}

static void test_said_then_method_then_table(void **state)
{
    ig_train_options options = ig_train_defaults(), method = ig_train_defaults();

    method.lr = 0.5;
    method.batch = 7;
    method.partner = IG_PARTNER_NEXT;
    options.batch = 9;
    options.patience = 0;
    ig_train_resolve(&options, &method);
    assert_true(options.lr == 0.5);
    assert_int_equal(options.batch, 9);
    assert_int_equal(options.epochs, 100);
    assert_int_equal(options.patience, 0);
    assert_int_equal(options.partner, IG_PARTNER_NEXT);
    assert_int_equal(options.order, IG_ORDER_SHUFFLED);
}

SUITE(train_options, NULL, NULL, TEST(test_every_default_can_be_typed),
      TEST(test_said_then_method_then_table))
