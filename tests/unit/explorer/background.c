/* What a terminal says of its background. */
#include "suite.h"

#include "explorer/background.h"
#include "view/palette.h"

static void answers(void **state)
{
    static const struct {
        const char *answer;
        int theme;
    } cases[] = {
        {"11;rgb:ffff/ffff/ffff", IG_THEME_LIGHT},
        {"11;rgb:0000/0000/0000", IG_THEME_DARK},
        {"11;rgb:fdfd/f6f6/e3e3", IG_THEME_LIGHT}, /* Solarized */
        {"11;rgb:0000/2b2b/3636", IG_THEME_DARK},
        {"11;rgb:1e/1e/2e", IG_THEME_DARK},
        {"11;rgb:f/f/f", IG_THEME_LIGHT},
        {"11;rgb:f00/0/0", IG_THEME_LIGHT}, /* black reads on red, a little */
        {"11;rgba:2828/2a2a/3636/ffff", IG_THEME_DARK},
        {"10;rgb:ffff/ffff/ffff", -1}, /* of the foreground */
        {"11;?", -1},
        {"11;", -1},
        {"11;#ffffff", -1},
        {"11;rgb:", -1},
        {"11;rgb:ff/ff", -1},
        {"11;rgb:ff-ff-ff", -1},
        {"11;rgb:xx/yy/zz", -1},
        {"", -1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ig_theme_of_answer(cases[i].answer), cases[i].theme);
}

static void variable(void **state)
{
    assert_int_equal(ig_theme_of_variable("15;0"), IG_THEME_DARK);
    assert_int_equal(ig_theme_of_variable("0;15"), IG_THEME_LIGHT);
    assert_int_equal(ig_theme_of_variable("0;default;7"), IG_THEME_LIGHT);
    assert_int_equal(ig_theme_of_variable("7;8"), IG_THEME_DARK);
    assert_int_equal(ig_theme_of_variable("7;default"), -1);
    assert_int_equal(ig_theme_of_variable("7;99"), -1);
    assert_int_equal(ig_theme_of_variable("7;-1"), -1);
    assert_int_equal(ig_theme_of_variable("7;0x"), -1);
    assert_int_equal(ig_theme_of_variable("7"), -1);
    assert_int_equal(ig_theme_of_variable(""), -1);
    assert_int_equal(ig_theme_of_variable(NULL), -1);
}

static void types(void **state)
{
    assert_true(ig_terminal_knows_osc("xterm-256color"));
    assert_true(ig_terminal_knows_osc("tmux-256color"));
    assert_true(ig_terminal_knows_osc("screen"));
    assert_true(ig_terminal_knows_osc("xterm-ghostty"));
    assert_false(ig_terminal_knows_osc("linux"));
    assert_false(ig_terminal_knows_osc("dumb"));
    assert_false(ig_terminal_knows_osc("vt100"));
    assert_false(ig_terminal_knows_osc(""));
    assert_false(ig_terminal_knows_osc(NULL));
}

SUITE(background, NULL, NULL, TEST(answers), TEST(variable), TEST(types))
