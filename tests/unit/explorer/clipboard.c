/* What is copied. */
#include "explorer/terminal.h"

#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/text.h"

/* RFC 4648 §10. */
static void test_base64(void **state)
{
    static const char *const coded[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                        "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    char out[9];

    for (size_t n = 0; n < sizeof coded / sizeof *coded; n++) {
        out[ig_text_base64("foobar", n, out)] = '\0';
        assert_string_equal(out, coded[n]);
    }
}

static void check_text(const char *text, const char *expected)
{
    char *shown = ig_terminal_plain(text);

    assert_non_null(shown);
    assert_string_equal(shown, expected);
    ig_free(shown);
}

static void test_controls_are_symbols(void **state)
{
    check_text("\x1b[31mred\a", "␛[31mred␇");
    check_text("a\tb", "a b");
    check_text("\xff", "\xef\xbf\xbd");
    check_text("\xe6\x97", "\xef\xbf\xbd\xef\xbf\xbd");
    /* Not in the output: a line feed, which a shell would take for an order. */
    for (int c = 1; c < 0x20; c++) {
        char text[] = {'x', (char)c, 'y', '\0'}, *shown = ig_terminal_plain(text);

        assert_non_null(shown);
        for (const char *s = shown; *s; s++)
            assert_true((unsigned char)*s >= 0x20);
        ig_free(shown);
    }
    for (int c = 0x80; c < 0xa0; c++) {
        char text[] = {(char)0xc2, (char)c, '\0'}, *shown = ig_terminal_plain(text);

        assert_non_null(shown);
        assert_string_not_equal(shown, text);
        ig_free(shown);
    }
    {
        char *shown = ig_terminal_plain("a\xe2\x80\xae"
                                        "b");

        assert_non_null(shown);
        assert_null(strstr(shown, "\xe2\x80\xae")); /* an override of direction */
        ig_free(shown);
    }
}

/* What a text is written with stays. */
static void test_texts_are_kept(void **state)
{
    static const char *const kept[] = {
        "",
        "The last train.",
        "می‌خواهم",              /* with a zero width non-joiner */
        "👩‍👩‍👧 ❤️",      /* joined, and with a selector */
        "اصطدمت‏ سيارتان", /* with a right-to-left mark */
        "e\xcc\x81\xcc\x82",
        "今天早上𠮷",
    };

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        check_text(kept[i], kept[i]);
}

SUITE(clipboard, NULL, NULL, TEST(test_base64), TEST(test_controls_are_symbols),
      TEST(test_texts_are_kept))
