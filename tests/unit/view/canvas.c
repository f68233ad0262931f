/* The canvas: cells, text in any script, and the canvas as text. */
#include <math.h>

#include "drawing.h"

#include "core/random.h"
#include "view/axes.h"
#include "view/legend.h"

static const ig_style plain = {0, 0, 0};

static void texts(void **state)
{
    ig_canvas c = canvas_of(9, 12);

    assert_int_equal(ig_canvas_text(&c, 0, 0, 12, "plain", plain), 5);
    assert_int_equal(ig_canvas_text(&c, 1, 1, 6, "cut here", plain), 6);
    assert_int_equal(ig_canvas_text(&c, 2, 0, 7, "日本語字", plain), 7);
    assert_int_equal(ig_canvas_text(&c, 3, 0, 6, "日本語字", plain), 5);
    assert_int_equal(ig_canvas_text(&c, 4, 0, 12, "e\u0301te\u0301 \x1b[2J", plain), 8);
    assert_int_equal(ig_canvas_text(&c, 5, 0, 12, "\u0301x", plain), 2);
    assert_int_equal(ig_canvas_text(&c, 6, 0, 12, "👩\u200d👩\u200d👧|🇯🇵|", plain), 6);
    assert_int_equal(ig_canvas_text(&c, 7, 0, 3, "abc", plain), 3);
    assert_int_equal(ig_canvas_text(&c, 7, 5, 0, "abc", plain), 0);
    assert_int_equal(ig_canvas_text(&c, 7, 5, 1, "abc", plain), 1);
    assert_int_equal(ig_canvas_text(&c, 8, 0, 12, "", plain), 0);
    check_screen(&c, "plain\n"
                     " cut h…\n"
                     "日本語…\n"
                     "日本…\n"
                     "e\u0301te\u0301 ␛[2J\n"
                     "\u25ccx\n"
                     "👩\u200d👩\u200d👧|🇯🇵|\n"
                     "abc  …\n"
                     "\n");
    ig_canvas_free(&c);
}

/* Half of a wide character is never seen: at the canvas' edges, at the clip, and when one
 * is written over another. */
static void wide_halves(void **state)
{
    ig_canvas c = canvas_of(6, 5);
    ig_rect before;

    ig_canvas_text(&c, 0, -1, 9, "日本語", plain);
    ig_canvas_text(&c, 1, 2, 9, "日本語", plain);
    ig_canvas_text(&c, 2, 0, 5, "日本", plain);
    ig_canvas_put(&c, 2, 1, "x", plain);
    ig_canvas_text(&c, 3, 0, 5, "日本", plain);
    ig_canvas_text(&c, 3, 1, 5, "語", plain);
    ig_canvas_text(&c, 4, 0, 5, "日本", plain);
    before = ig_canvas_clip(&c, (ig_rect){4, 1, 1, 2});
    ig_canvas_text(&c, 4, 0, 5, "語語", plain);
    c.clip = before;
    ig_canvas_text(&c, 5, 4, 1, "日", plain);
    check_screen(&c, " 本語\n"
                     "  日\n"
                     " x本\n"
                     " 語\n"
                     "\n"
                     "    …\n");
    ig_canvas_free(&c);
}

/* A right-to-left text closes with RLM and LRM, also when it is cut. */
static void right_to_left(void **state)
{
    ig_canvas c = canvas_of(3, 20);

    ig_canvas_text(&c, 0, 0, 10, "שלום.", plain);
    ig_canvas_text(&c, 0, 8, 5, "│ 12", plain);
    ig_canvas_text(&c, 1, 0, 4, "مرحبا", plain);
    ig_canvas_text(&c, 2, 0, 20, "abc שלום", plain);
    check_screen(&c, "שלום.\u200f\u200e   │ 12\n"
                     "مرح…\u200f\u200e\n"
                     "abc שלום\n");
    ig_canvas_free(&c);
}

static void long_cluster(void **state)
{
    ig_canvas c = canvas_of(1, 4);
    char text[100] = "e";
    const ig_cell *cell;

    for (int i = 0; i < 40; i++)
        strcat(text, "\u0301");
    assert_int_equal(ig_canvas_text(&c, 0, 0, 4, text, plain), 1);
    cell = ig_canvas_cell(&c, 0, 0);
    assert_int_equal(cell->length, 27);
    check_cells(&c);
    ig_canvas_free(&c);
}

static void wrapping(void **state)
{
    ig_canvas c = canvas_of(6, 12);

    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 3, 8},
                                    "The last train leaves at midnight.", plain),
                     6);
    assert_int_equal(
        ig_canvas_wrap(&c, (ig_rect){3, 0, 2, 7}, "最終電車は真夜中に出ます。", plain),
        5);
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){5, 0, 1, 6}, "one\ntwo", plain), 2);
    check_screen(&c, "The last\n"
                     "train\n"
                     "leaves…\n"
                     "最終電\n"
                     "車は真…\n"
                     "one…\n");
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 3, 0}, "a", plain), 0);
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 9, 1}, "日本", plain), 2);
    ig_canvas_free(&c);
}

static void colours(void **state)
{
    static const struct {
        ig_depth depth;
        const char *expected;
    } cases[] = {
        {IG_DEPTH_256, "\x1b[0;38;5;27mab\x1b[0;1;38;5;224;48;5;24mc\x1b[0m\n"},
        {IG_DEPTH_16, "\x1b[0;94mab\x1b[0;1;91;44mc\x1b[0m\n"},
        {IG_DEPTH_8, "\x1b[0;36mab\x1b[0;1;31;44mc\x1b[0m\n"},
        {IG_DEPTH_NONE, "ab\x1b[0;1;4;7mc\x1b[0m\n"},
    };
    ig_canvas c = canvas_of(1, 6);

    ig_canvas_text(&c, 0, 0, 2, "ab", ig_style_of(ig_colour_language(24), 0));
    ig_canvas_text(&c, 0, 2, 1, "c",
                   (ig_style){IG_COLOUR_BAD, IG_COLOUR_SELECTION, IG_BOLD});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;

        c.depth = cases[i].depth;
        text = ig_canvas_format(&c, true);
        assert_string_equal(text, cases[i].expected);
        ig_free(text);
    }
    ig_canvas_free(&c);
}

static void letters(void **state)
{
    static const char *const name[] = {"en", "es", "EE", "e", "日本", "de", "d"};
    ig_colour_group group[7];

    ig_colour_groups_set(group, name, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(group[i].letter, "esabcdf"[i]);
}

/* Random drawing, partly outside, in a clip: no cell outside it changes, every cell stays
 * whole. */
static void anywhere(void **state)
{
    static const char *const text[] = {"日本語 text", "שלום",    "👩\u200d👧\u0301x",
                                       "\x1b\xff",    "e\u0301", "한국어한국어한국어"};
    ig_random random;
    ig_canvas c = canvas_of(12, 24);

    ig_random_init(&random, 3, 0);
    for (int round = 0; round < 4000; round++) {
        ig_rect clip = {(int)ig_random_below(&random, 16) - 2,
                        (int)ig_random_below(&random, 30) - 3,
                        (int)ig_random_below(&random, 10),
                        (int)ig_random_below(&random, 20)};
        ig_rect r = {(int)ig_random_below(&random, 20) - 4,
                     (int)ig_random_below(&random, 40) - 8,
                     (int)ig_random_below(&random, 10) - 1,
                     (int)ig_random_below(&random, 20) - 1};
        const char *t = text[ig_random_below(&random, 6)];

        c.glyphs = (ig_glyphs)ig_random_below(&random, IG_GLYPHS);
        mark_all(&c);
        ig_canvas_clip(&c, clip);
        for (int i = 0; i < 4; i++) {
            int row = (int)ig_random_below(&random, 16) - 2;
            int col = (int)ig_random_below(&random, 40) - 8;

            ig_canvas_text(&c, row, col, (int)ig_random_below(&random, 20) - 1, t,
                           plain);
        }
        ig_frame_draw(&c, r, (unsigned)ig_random_below(&random, 32), t, t, round & 1);
        ig_canvas_wrap(&c, r, t, plain);
        ig_dots_line(&c, r, 0, 0, 20, round % 50, 0, '*', plain);
        ig_canvas_highlight(&c, r, IG_COLOUR_SELECTION, IG_BOLD);
        check_outside(&c, clip);
        check_cells(&c);
        c.clip = ig_canvas_rect(&c);
    }
    ig_canvas_free(&c);
}

static void resizing(void **state)
{
    ig_canvas c = canvas_of(4, 4);
    ig_error error;
    char *text;

    ig_canvas_text(&c, 0, 0, 4, "abcd", plain);
    ig_alloc_fail_at(1);
    assert_int_equal(ig_canvas_resize(&c, 40, 40, &error), IG_NOMEM);
    ig_alloc_fail_at(0);
    assert_int_equal(c.rows, 4);
    assert_int_equal(ig_canvas_resize(&c, 2, 3, NULL), IG_OK);
    check_screen(&c, "\n\n");
    assert_int_equal(ig_canvas_resize(&c, -1, 3, NULL), IG_OK);
    ig_canvas_text(&c, 0, 0, 4, "abcd", plain);
    assert_null(ig_canvas_cell(&c, 0, 0));
    text = ig_canvas_format(&c, false);
    assert_string_equal(text, "");
    ig_free(text);
    ig_canvas_free(&c);
    ig_canvas_free(&c);
    ig_canvas_free(NULL);
}

SUITE(canvas, NULL, NULL, TEST(texts), TEST(wide_halves), TEST(right_to_left),
      TEST(long_cluster), TEST(wrapping), TEST(colours), TEST(letters), TEST(anywhere),
      TEST(resizing))
