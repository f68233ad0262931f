/* What a terminal says of its background. */
#include "suite.h"

#include "tui/background.h"

static void answers(void **state)
{
    static const struct {
        const char *answer;
        ig_background background;
    } cases[] = {
        {"11;rgb:ffff/ffff/ffff", IG_BACKGROUND_LIGHT},
        {"11;rgb:0000/0000/0000", IG_BACKGROUND_DARK},
        {"11;rgb:fdfd/f6f6/e3e3", IG_BACKGROUND_LIGHT}, /* Solarized */
        {"11;rgb:0000/2b2b/3636", IG_BACKGROUND_DARK},
        {"11;rgb:1e/1e/2e", IG_BACKGROUND_DARK},
        {"11;rgb:f/f/f", IG_BACKGROUND_LIGHT},
        {"11;rgb:f00/0/0", IG_BACKGROUND_LIGHT}, /* black reads on red, a little */
        {"11;rgba:2828/2a2a/3636/ffff", IG_BACKGROUND_DARK},
        {"11;#eee", IG_BACKGROUND_LIGHT},
        {"11;#282c34", IG_BACKGROUND_DARK},
        {"11;#ffffffffffff", IG_BACKGROUND_LIGHT},
        {"10;rgb:ffff/ffff/ffff", IG_BACKGROUND_UNKNOWN}, /* of the foreground */
        {"11;?", IG_BACKGROUND_UNKNOWN},
        {"11;", IG_BACKGROUND_UNKNOWN},
        {"11;#", IG_BACKGROUND_UNKNOWN},
        {"11;#ff", IG_BACKGROUND_UNKNOWN},
        {"11;rgb:", IG_BACKGROUND_UNKNOWN},
        {"11;rgb:ff/ff", IG_BACKGROUND_UNKNOWN},
        {"11;rgb:ff-ff-ff", IG_BACKGROUND_UNKNOWN},
        {"11;rgb:xx/yy/zz", IG_BACKGROUND_UNKNOWN},
        {"", IG_BACKGROUND_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ig_background_of_answer(cases[i].answer), cases[i].background);
}

static void variable(void **state)
{
    (void)state;
    assert_int_equal(ig_background_of_variable("15;0"), IG_BACKGROUND_DARK);
    assert_int_equal(ig_background_of_variable("0;15"), IG_BACKGROUND_LIGHT);
    assert_int_equal(ig_background_of_variable("0;default;7"), IG_BACKGROUND_LIGHT);
    assert_int_equal(ig_background_of_variable("7;8"), IG_BACKGROUND_DARK);
    assert_int_equal(ig_background_of_variable("7;default"), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable("7;99"), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable("7;-1"), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable("7;0x"), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable("7"), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable(""), IG_BACKGROUND_UNKNOWN);
    assert_int_equal(ig_background_of_variable(NULL), IG_BACKGROUND_UNKNOWN);
}

static void asked(void **state)
{
    (void)state;
    assert_true(ig_background_may_ask("xterm-256color"));
    assert_true(ig_background_may_ask("screen"));
    assert_true(ig_background_may_ask("vte-256color"));
    assert_false(ig_background_may_ask("linux"));
    assert_false(ig_background_may_ask("vt100"));
    assert_false(ig_background_may_ask("dumb"));
    assert_false(ig_background_may_ask(""));
    assert_false(ig_background_may_ask(NULL));
}

SUITE(background)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(variable),
        cmocka_unit_test(asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
