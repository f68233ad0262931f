/* Text: graphemes, widths, what may be shown, folding. */
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"

static ig_grapheme first(const char *text)
{
    return ig_text_grapheme(text, strlen(text));
}

/* One grapheme: the whole text, shown as it is. */
static void check_whole(const char *text, int width)
{
    ig_grapheme g = first(text);

    assert_int_equal(g.source, strlen(text));
    assert_int_equal(g.length, strlen(text));
    assert_int_equal(g.width, width);
    assert_memory_equal(g.bytes, text, g.length);
}

/* The first grapheme takes `source` bytes and is shown as `shown`, in `width` columns. */
static void check_shown(const char *text, size_t source, const char *shown, int width)
{
    ig_grapheme g = first(text);

    assert_int_equal(g.source, source);
    assert_int_equal(g.length, strlen(shown));
    assert_memory_equal(g.bytes, shown, g.length);
    assert_int_equal(g.width, width);
}

static void graphemes(void **state)
{
    check_whole("a", 1);
    check_whole("é", 1);
    check_whole("e\u0301", 1);
    check_whole("語", 2);
    check_whole("ｱ", 1);      /* halfwidth katakana */
    check_whole("\u3000", 2); /* ideographic space */
    check_whole("한", 2);
    check_whole("\u1112\u1161\u11ab", 2); /* the same in letters */
    check_whole("👩", 2);
    check_whole("👩\u200d👩\u200d👧", 2); /* a family, joined */
    check_whole("👍🏽", 2);        /* with a skin tone */
    check_whole("🇯🇵", 2);              /* two indicators, one flag */
    check_whole("कि", 2);              /* a spacing vowel sign */
    check_whole("מ", 1);
    check_whole("شّ", 1);
    check_shown("ab", 1, "a", 1);
    check_shown("語a", 3, "語", 2);
    check_shown("🇯🇵🇩🇪", 8, "🇯🇵", 2);
}

static void narrow_emoji(void **state)
{
    check_shown("❤\ufe0f", 6, "❤", 1);
    check_shown("1\ufe0f\u20e3x", 7, "1", 1);
}

static void controls(void **state)
{
    check_shown("\x1b[31m", 1, "␛", 1);
    check_shown("\n", 1, "␊", 1);
    check_shown("\r\n", 1, "␍", 1);
    check_shown("\t", 1, " ", 1);
    check_shown("\x7f", 1, "·", 1);
    check_shown("\xc2\x9b", 2, "·", 1); /* CSI in one character */
    check_shown("\u202e", 3, "·", 1);   /* right-to-left override */
    check_shown("\u2066", 3, "·", 1);   /* isolate */
    check_shown("\u200f", 3, "·", 1);
    check_shown("\ufeff", 3, "·", 1);
    check_shown("\u2028", 3, "·", 1);
    check_shown("\u00ad", 2, "·", 1);
    check_shown("\u00a0", 2, " ", 1);
    check_shown("\u0378", 2, "\ufffd", 1); /* not assigned */
    assert_int_equal(ig_text_grapheme("\0x", 2).source, 1);
    assert_memory_equal(ig_text_grapheme("\0x", 2).bytes, "␀", 3);
    check_shown("a\x1b", 1, "a", 1);
    check_shown("é\x1b", 2, "é", 1);
}

static void invalid(void **state)
{
    static const char *const bad[] = {"\xff",         "\x80",
                                      "\xc0\xaf",     "\xe0\x80\x80",
                                      "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xe8\xaa",     "\xf0\x9f\x91",
                                      "\xfe",         "\xc3"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_shown(bad[i], 1, "\ufffd", 1);
        assert_int_equal(ig_text_valid(bad[i], strlen(bad[i])), 0);
    }
    check_shown("é\xff", 2, "é", 1);
    assert_int_equal(ig_text_valid("語é\xffz", 7), 5);
    assert_int_equal(ig_text_valid("語é\U0001f469z", 10), 10);
    assert_int_equal(ig_text_valid("", 0), 0);
    assert_int_equal(ig_text_width("\xe8\xaa", 2), 2);
}

static void carrier(void **state)
{
    check_shown("\u0301a", 2, "\u25cc", 1);
    check_shown("\u0301\u0301a", 4, "\u25cc", 1);
}

static void fit(void **state)
{
    size_t used;

    assert_int_equal(ig_text_width("語ab", 5), 4);
    assert_int_equal(ig_text_fit("語語", 6, 3, &used), 3);
    assert_int_equal(used, 2);
    assert_int_equal(ig_text_fit("語語", 6, 4, &used), 6);
    assert_int_equal(used, 4);
    assert_int_equal(ig_text_fit("語", 3, 1, &used), 0);
    assert_int_equal(used, 0);
    assert_int_equal(ig_text_fit("e\u0301x", 4, 1, NULL), 3);
}

static bool rtl(const char *text)
{
    return ig_text_rtl(text, strlen(text));
}

static void direction(void **state)
{
    assert_true(rtl("مرحبا"));
    assert_true(rtl("12 שלום abc"));
    assert_false(rtl("abc שלום"));
    assert_false(rtl("12, 13"));
    assert_false(rtl("語 שלום"));
    assert_false(rtl(""));
    assert_true(first("م").rtl);
    assert_false(first("a").rtl);
}

static void check_fold(const char *text, const char *expected)
{
    char *folded = ig_text_fold(text, strlen(text), false);

    assert_non_null(folded);
    assert_string_equal(folded, expected);
    ig_free(folded);
}

static void folding(void **state)
{
    check_fold("Hello", "hello");
    check_fold("STRASSE", "strasse");
    check_fold("Straße", "strasse");
    check_fold("ÉCOLE", "école");
    check_fold("E\u0301cole", "école");
    check_fold("ＡＢ①ﬁ", "ab1fi");
    check_fold("ΣΊΣΥΦΟΣ", "σίσυφοσ");
    check_fold("ЁЛКА", "ёлка");
    check_fold("so\u00adft", "soft");
    check_fold("A\xffÉ", "a\ufffdé");
    check_fold("", "");
    ig_alloc_fail_at(1);
    assert_null(ig_text_fold("abc", 3, false));
    ig_alloc_fail_at(2);
    assert_null(ig_text_fold("é", 2, false));
    ig_alloc_fail_at(0);
}

/* Any bytes: every step moves on, shows valid UTF-8 without a control character, and
 * stays within the text. */
static void any_bytes(void **state)
{
    ig_random random;
    char text[64];

    ig_random_init(&random, 7, 0);
    for (int round = 0; round < 20000; round++) {
        size_t length = ig_random_below(&random, sizeof text) + 1, at = 0;
        bool high = ig_random_below(&random, 2);

        for (size_t i = 0; i < length; i++)
            text[i] =
                (char)((high ? 0x80 : 0) | ig_random_below(&random, high ? 128 : 256));
        while (at < length) {
            ig_grapheme g = ig_text_grapheme(text + at, length - at);

            assert_true(g.source >= 1 && g.source <= length - at);
            assert_true(g.width == 1 || g.width == 2);
            assert_int_equal(ig_text_valid(g.bytes, g.length), g.length);
            for (size_t i = 0; i < g.length; i++)
                assert_true((unsigned char)g.bytes[i] >= 0x20 && g.bytes[i] != 0x7f);
            at += g.source;
        }
    }
}

static void mending(void **state)
{
    char *text = ig_text_mend("a\xff\xe2\x82 €b\xc3", 10);

    assert_non_null(text);
    assert_string_equal(text, "a\ufffd\ufffd\ufffd €b\ufffd");
    ig_free(text);
    ig_alloc_fail_at(1);
    assert_null(ig_text_mend("a", 1));
}

SUITE(text, NULL, NULL, TEST(graphemes), TEST(narrow_emoji), TEST(controls),
      TEST(invalid), TEST(carrier), TEST(fit), TEST(direction), TEST(folding),
      TEST(any_bytes), TEST(mending))
