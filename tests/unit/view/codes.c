/* Names in few columns: cut at the end, or in the middle where two would be alike. */
#include "view/axes.h"

#include <string.h>

#include "drawing.h"

static const char *const names[] = {"eng_Latn", "zho_Hans", "zho_Hant", "zul_Latn",
                                    "en",       "日本語の", "日本語で"};
enum { NAMES = sizeof names / sizeof *names };

static void check(size_t i, int columns, const char *expected)
{
    char out[IG_CODE_SIZE];

    assert_string_equal(ig_code_short(out, names, NAMES, i, columns), expected);
}

static void known(void **state)
{
    ig_canvas ascii = canvas_of(1, 4);
    char out[IG_CODE_SIZE];

    check(0, 8, "eng_Latn");
    check(0, 4, "eng_");
    check(1, 4, "zh…s");
    check(2, 4, "zh…t");
    check(2, 7, "zho_H…t");
    check(3, 3, "zul");
    check(4, 3, "en");
    check(1, 2, "zh"); /* no room to tell */
    check(5, 6, "日…の");
    ascii.glyphs = IG_ASCII;
    ig_canvas_text(&ascii, 0, 0, 4, ig_code_short(out, names, NAMES, 1, 4),
                   (ig_style){0});
    check_screen(&ascii, "zh~s\n");
    ig_canvas_free(&ascii);
}

SUITE(codes, NULL, NULL, TEST(known))
