/* The table of options; what they do is in tests/commands. */
#include "cli/options.h"

#include <string.h>

#include "suite.h"

static void test_table(void **state)
{
    const ig_option *option, *other;

    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        assert_ptr_equal(
            ig_option_named(option->field.name, strlen(option->field.name)), option);
        assert_true(option->commands != 0);
        assert_true((option->field.value == NULL) ==
                    (option->field.kind == IG_KIND_FLAG));
        for (size_t j = 0; (other = ig_option_at(j)) != NULL && option->letter; j++)
            assert_true(i == j || other->letter != option->letter);
    }
}

SUITE(options, NULL, NULL, TEST(test_table))
