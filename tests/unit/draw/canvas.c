/* The canvas: cells, text in any script, frames, dots, lists, bars, legends, and the
 * canvas as text. */
#include <math.h>

#include "drawing.h"

#include "base/random.h"
#include "draw/axes.h"
#include "draw/bars.h"
#include "draw/list.h"

static const ig_style plain = {0, 0, 0};

static ig_canvas canvas_of(int rows, int cols)
{
    ig_canvas canvas;

    assert_int_equal(ig_canvas_init(&canvas, rows, cols, NULL), IG_OK);
    return canvas;
}

static void texts(void **state)
{
    ig_canvas c = canvas_of(9, 12);

    (void)state;
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
                     "\u25cc\u0301x\n"
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

    (void)state;
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

    (void)state;
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

    (void)state;
    for (int i = 0; i < 40; i++)
        strcat(text, "\u0301");
    assert_int_equal(ig_canvas_text(&c, 0, 0, 4, text, plain), 1);
    cell = ig_canvas_cell(&c, 0, 0);
    assert_int_equal(cell->length, 27);
    check_cells(&c);
    ig_canvas_free(&c);
}

static void frames(void **state)
{
    const unsigned sides = IG_EDGE_JOIN | IG_EDGE_TOP | IG_EDGE_LEFT | IG_EDGE_RIGHT;
    ig_canvas c = canvas_of(9, 30);

    (void)state;
    ig_frame_draw(&c, (ig_rect){0, 0, 9, 12}, IG_EDGE_ALL, "map", NULL, true);
    ig_frame_draw(&c, (ig_rect){0, 12, 3, 18}, sides, "loss 日本語", "2.1", false);
    ig_frame_draw(&c, (ig_rect){3, 12, 3, 9}, sides & ~(unsigned)IG_EDGE_RIGHT, "a",
                  NULL, false);
    ig_frame_draw(&c, (ig_rect){3, 21, 3, 9}, sides, "uniformity", "x", false);
    ig_frame_draw(&c, (ig_rect){6, 12, 3, 18}, sides | IG_EDGE_BOTTOM, NULL, NULL,
                  false);
    check_screen(&c, "┌ map ─────┐┌ loss 日本語 ───┐\n"
                     "│          ││                │\n"
                     "│          ││                │\n"
                     "│          │├ a ─────┬ unif… ┤\n"
                     "│          ││        │       │\n"
                     "│          ││        │       │\n"
                     "│          │├────────┴───────┤\n"
                     "│          ││                │\n"
                     "└──────────┘└────────────────┘\n");
    assert_int_equal(ig_canvas_cell(&c, 0, 0)->style.fg, IG_COLOUR_FOCUS);
    assert_int_equal(ig_canvas_cell(&c, 0, 12)->style.fg, IG_COLOUR_FRAME);
    c.glyphs = IG_ASCII;
    ig_canvas_clear(&c);
    ig_frame_draw(&c, (ig_rect){0, 0, 3, 12}, IG_EDGE_ALL, "a long title", NULL, true);
    ig_frame_draw(&c, (ig_rect){4, 0, 1, 1}, IG_EDGE_ALL, "t", "n", true);
    ig_frame_draw(&c, (ig_rect){4, 2, 2, 2}, IG_EDGE_ALL, "t", "n", true);
    ig_frame_draw(&c, (ig_rect){4, 6, 1, 6}, IG_EDGE_ALL, "t", "n", true);
    check_screen(&c, "+ a long ~ +\n"
                     "|          |\n"
                     "+----------+\n"
                     "\n"
                     "| ++  + t -+\n"
                     "  ++\n"
                     "\n"
                     "\n"
                     "\n");
    ig_canvas_free(&c);
}

static void dots(void **state)
{
    ig_canvas c = canvas_of(3, 12);
    ig_rect r = {0, 0, 3, 12};

    (void)state;
    ig_dots_line(&c, r, 0, 0, 23, 11, 0, '*', plain);
    ig_dots_line(&c, r, -1e9, 11, 1e9, 11, 2, '*', plain);
    ig_dots_line(&c, r, 22, -50, 22, 3, 0, '*', plain);
    ig_dots_line(&c, r, NAN, 0, 1, 1, 0, '*', plain);
    ig_dots_line(&c, r, -5, -5, 40, -5, 0, '*', plain);
    ig_dots_set(&c, r, -1, 0, '*', plain);
    ig_dots_set(&c, r, 24, 0, '*', plain);
    check_screen(&c, "⠉⠒⠤⣀       ⡇\n"
                     "    ⠉⠒⠤⣀\n"
                     "⣀ ⣀ ⣀ ⣀ ⣉⠒⣤⣀\n");
    c.glyphs = IG_BLOCKS;
    ig_canvas_clear(&c);
    ig_dots_line(&c, r, 0, 0, 23, 5, 0, '*', plain);
    check_screen(&c, "▀▚▄▖\n"
                     "   ▝▀▀▄▄▖\n"
                     "        ▝▀▚▄\n");
    c.glyphs = IG_ASCII;
    ig_canvas_clear(&c);
    ig_dots_line(&c, r, 0, 0, 11, 2, 0, '*', plain);
    check_screen(&c, "***\n"
                     "   ******\n"
                     "         ***\n");
    ig_canvas_free(&c);
}

static void wrapping(void **state)
{
    ig_canvas c = canvas_of(6, 12);

    (void)state;
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 3, 8}, 0,
                                    "The last train leaves at midnight.", plain),
                     6);
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){3, 0, 2, 7}, 0,
                                    "最終電車は真夜中に出ます。", plain),
                     5);
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){5, 0, 1, 6}, 1, "one\ntwo", plain),
                     2);
    check_screen(&c, "The last\n"
                     "train\n"
                     "leaves\n"
                     "最終電\n"
                     "車は真\n"
                     "two\n");
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 3, 0}, 0, "a", plain), 0);
    assert_int_equal(ig_canvas_wrap(&c, (ig_rect){0, 0, 9, 1}, 0, "日本", plain), 2);
    ig_canvas_free(&c);
}

struct rows {
    const char *const (*text)[3];
};

static void row_source(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const struct rows *rows = context;

    cell->text = rows->text[row][column];
    cell->length = strlen(cell->text);
    if (column == 1)
        cell->style = ig_style_of(ig_colour_language(row), 0);
}

static void lists(void **state)
{
    static const char *const text[6][3] = {
        {".83", "en", "The last train leaves at midnight."},
        {".8", "ja", "最終電車は真夜中に出ます。"},
        {".79", "ar", "يغادر القطار."},
        {".7", "de", "Der letzte Zug"},
        {".6", "zh", ""},
        {".5", "emoji", "👩\u200d👩\u200d👧 ok\n"}};
    static const ig_column column[3] = {{"cos", 3, IG_ALIGN_RIGHT},
                                        {NULL, 2, IG_ALIGN_LEFT},
                                        {"text", 0, IG_ALIGN_LEFT}};
    struct rows rows = {text};
    ig_list list = {column, 3, 6, 1, 0, true, true, row_source, &rows};
    ig_canvas c = canvas_of(5, 22);

    (void)state;
    ig_list_draw(&c, (ig_rect){0, 0, 5, 22}, &list);
    check_screen(&c, "cos    text\n"
                     ".83 en The last tra… █\n"
                     " .8 ja 最終電車は真… █\n"
                     ".79 ar يغادر القطار.\u200f\u200e\n"
                     " .7 de Der letzte Z…\n");
    assert_int_equal(ig_canvas_cell(&c, 2, 0)->style.bg, IG_COLOUR_SELECTION);
    assert_int_equal(ig_canvas_cell(&c, 2, 19)->style.bg, IG_COLOUR_SELECTION);
    assert_int_equal(ig_canvas_cell(&c, 1, 0)->style.bg, IG_COLOUR_DEFAULT);
    list.offset = ig_list_scroll(0, 5, 6, 4);
    assert_int_equal(list.offset, 2);
    ig_canvas_clear(&c);
    ig_list_draw(&c, (ig_rect){0, 0, 5, 22}, &list);
    check_screen(&c, "cos    text\n"
                     ".79 ar يغادر القطار.\u200f\u200e\n"
                     " .7 de Der letzte Z…\n"
                     " .6 zh               █\n"
                     " .5 e… 👩\u200d👩\u200d👧 ok␊        █\n");
    assert_int_equal(ig_list_at((ig_rect){0, 0, 5, 22}, &list, 0), IG_NO_LINE);
    assert_int_equal(ig_list_at((ig_rect){0, 0, 5, 22}, &list, 1), 2);
    assert_int_equal(ig_list_at((ig_rect){0, 0, 5, 22}, &list, 5), IG_NO_LINE);
    ig_canvas_free(&c);
}

/* The columns of a row that are reversed, from *first on; how many. */
static int reversed(const ig_canvas *c, int row, int *first)
{
    int n = 0;

    for (int col = c->cols - 1; col >= 0; col--)
        if (ig_canvas_cell(c, row, col)->style.attributes & IG_REVERSE) {
            *first = col;
            n++;
        }
    return n;
}

static void lit_source(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    static const size_t lit[] = {4, 22, 0}, length[] = {4, 4, 0};

    (void)column;
    cell->text = ((const char *const *)context)[row];
    cell->lit = lit[row];
    cell->lit_length = length[row];
}

/* A part stands out, and is seen however far behind it is. */
static void lit_lists(void **state)
{
    static const char *text[3] = {"The last train leaves at midnight.",
                                  "The last train leaves Wolfsburg late.", "plain"};
    static const ig_column column[1] = {{NULL, 0, IG_ALIGN_LEFT}};
    ig_list list = {.column = column,
                    .columns = 1,
                    .rows = 3,
                    .selected = 0,
                    .focused = true,
                    .source = lit_source,
                    .context = text};
    ig_canvas c = canvas_of(3, 20);
    int first = -1;

    (void)state;
    ig_list_draw(&c, (ig_rect){0, 0, 3, 20}, &list);
    check_screen(&c, "The last train leav…\n"
                     "…train leaves Wolfs…\n"
                     "plain\n");
    assert_int_equal(reversed(&c, 0, &first), 4);
    assert_int_equal(first, 4);
    assert_int_equal(ig_canvas_cell(&c, 0, 4)->style.bg, IG_COLOUR_SELECTION);
    assert_int_equal(reversed(&c, 1, &first), 4);
    assert_int_equal(first, 14);
    assert_int_equal(reversed(&c, 2, &first), 0);
    ig_canvas_free(&c);
}

static void lit_text(void **state)
{
    ig_canvas c = canvas_of(3, 9);
    int first = -1;

    (void)state;
    assert_int_equal(ig_canvas_wrap_lit(&c, (ig_rect){0, 1, 3, 8}, 0,
                                        "die 最終 Wölfe ab", plain, 4, 13),
                     2);
    check_screen(&c, " die 最終\n"
                     " Wölfe ab\n"
                     "\n");
    assert_int_equal(reversed(&c, 0, &first), 4);
    assert_int_equal(first, 5);
    assert_int_equal(reversed(&c, 1, &first), 5);
    assert_int_equal(first, 1);
    ig_canvas_free(&c);
}

static void scrolling(void **state)
{
    (void)state;
    assert_int_equal(ig_list_scroll(0, 3, 10, 4), 0);
    assert_int_equal(ig_list_scroll(0, 4, 10, 4), 1);
    assert_int_equal(ig_list_scroll(5, 2, 10, 4), 2);
    assert_int_equal(ig_list_scroll(9, IG_NO_LINE, 10, 4), 6);
    assert_int_equal(ig_list_scroll(3, 3, 4, 9), 0);
    assert_int_equal(ig_list_scroll(3, 3, 4, 0), 0);
}

static void bars(void **state)
{
    static const ig_legend_item item[] = {
        {"en", 'e', IG_COLOUR_LANGUAGE, true, false, false},
        {"de", 'd', IG_COLOUR_LANGUAGE + 1, false, false, false},
        {"日本", 'j', IG_COLOUR_LANGUAGE + 2, true, false, false},
        {"zh", 'z', IG_COLOUR_LANGUAGE + 3, true, false, false}};
    static const ig_legend_item headed[] = {
        {"topic", '\0', 0, false, true, false},
        {"en", 'e', IG_COLOUR_LANGUAGE, true, false, false},
        {"de", 'd', IG_COLOUR_LANGUAGE + 1, false, false, false},
        {"1 of 2", '\0', 0, false, true, false},
        {"zh", 'z', IG_COLOUR_LANGUAGE + 3, true, false, false}};
    ig_canvas c = canvas_of(7, 14);
    ig_rect legend = {4, 0, 2, 14};

    (void)state;
    for (int level = IG_BRAILLE; level <= IG_ASCII; level += IG_ASCII) {
        c.glyphs = (ig_glyphs)level;
        ig_canvas_clear(&c);
        ig_bar_draw(&c, 0, 0, 8, 0.55, plain);
        ig_bar_draw(&c, 1, 0, 8, NAN, plain);
        ig_bar_draw(&c, 2, 0, 8, 7, plain);
        ig_legend_draw(&c, legend, item, 4, 3);
        ig_legend_draw(&c, (ig_rect){6, 0, 1, 8}, item, 4, IG_NO_ITEM);
        check_screen(&c, level == 0 ? "████▍░░░\n"
                                      "░░░░░░░░\n"
                                      "████████\n"
                                      "\n"
                                      "■ en □ (de)\n"
                                      "■ 日本 ■ zh\n"
                                      "… 4 more\n"
                                    : "####....\n"
                                      "........\n"
                                      "########\n"
                                      "\n"
                                      "e en - (de)\n"
                                      "j 日本 z zh\n"
                                      "~ 4 more\n");
    }
    ig_canvas_clear(&c);
    c.glyphs = IG_BRAILLE;
    ig_legend_draw(&c, (ig_rect){0, 0, 1, 14}, headed, 5, IG_NO_ITEM);
    ig_legend_draw(&c, (ig_rect){1, 0, 2, 14}, headed, 5, IG_NO_ITEM);
    ig_legend_draw(&c, (ig_rect){3, 0, 0, 14}, headed, 5, IG_NO_ITEM);
    check_screen(&c, "topic … 3 more\n"
                     "topic ■ en\n"
                     "… 2 more\n\n\n\n\n");
    assert_int_equal(ig_legend_at(legend, headed, 5, 4, 1), IG_NO_ITEM);
    assert_int_equal(ig_legend_at(legend, headed, 5, 4, 6), 1);
    assert_int_equal(ig_legend_at(legend, headed, 5, 5, 8), IG_NO_ITEM);
    assert_int_equal(ig_legend_lines(14, item, 4), 2);
    assert_int_equal(ig_legend_lines(80, item, 4), 1);
    assert_int_equal(ig_legend_at(legend, item, 4, 4, 0), 0);
    assert_int_equal(ig_legend_at(legend, item, 4, 4, 4), IG_NO_ITEM);
    assert_int_equal(ig_legend_at(legend, item, 4, 4, 5), 1);
    assert_int_equal(ig_legend_at(legend, item, 4, 5, 0), 2);
    assert_int_equal(ig_legend_at(legend, item, 4, 6, 0), IG_NO_ITEM);
    ig_canvas_free(&c);
}

static void colours(void **state)
{
    static const struct {
        ig_depth depth;
        const char *expected;
    } cases[] = {
        {IG_DEPTH_256, "\x1b[0;38;5;74mab\x1b[0;1;38;5;224;48;5;24mc\x1b[0m\n"},
        {IG_DEPTH_16, "\x1b[0;94mab\x1b[0;1;91;44mc\x1b[0m\n"},
        {IG_DEPTH_8, "\x1b[0;36mab\x1b[0;1;31;44mc\x1b[0m\n"},
        {IG_DEPTH_NONE, "ab\x1b[0;1;4;7mc\x1b[0m\n"},
    };
    ig_canvas c = canvas_of(1, 6);

    (void)state;
    ig_canvas_text(&c, 0, 0, 2, "ab", ig_style_of(ig_colour_language(24), 0));
    ig_canvas_text(&c, 0, 2, 1, "c",
                   (ig_style){IG_COLOUR_BAD, IG_COLOUR_SELECTION, IG_BOLD});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;

        c.depth = cases[i].depth;
        text = ig_canvas_sgr(&c);
        assert_string_equal(text, cases[i].expected);
        ig_free(text);
    }
    ig_canvas_free(&c);
}

static void letters(void **state)
{
    static const char *const name[] = {"en", "es", "EE", "e", "日本", "de", "d"};
    char letter[7];

    (void)state;
    ig_palette_letters(name, 7, letter);
    assert_memory_equal(letter, "esabcdf", 7);
}

static void numbers(void **state)
{
    static const struct {
        double value;
        int columns;
        const char *expected;
    } cases[] = {{0.614, 4, "0.61"},  {-3.02, 5, "−3.02"},   {0, 4, "0.00"},
                 {0, 1, "0"},         {12.345, 4, "12.3"},   {12345, 5, "12345"},
                 {123456, 5, "123k"}, {123456, 6, "123.5k"}, {1.2e-9, 6, "1.2e−9"},
                 {0.0004, 5, "4e−4"}, {-0.5, 2, "#"},        {1e30, 5, "1e30"},
                 {-1e300, 3, "#"},    {INFINITY, 4, "inf"},  {NAN, 1, "–"},
                 {99.99, 3, "100"},   {1234567, 4, "1.2M"}};
    char out[IG_NUMBER_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(
            ig_number_format(out, cases[i].value, cases[i].columns, false),
            cases[i].expected);
    assert_string_equal(ig_number_format(out, -1.5, 6, true), "-1.500");
    assert_string_equal(ig_count_format(out, 4800), "4,800");
    assert_string_equal(ig_count_format(out, 999), "999");
    assert_string_equal(ig_count_format(out, 1234567), "1,234,567");
    assert_string_equal(ig_fixed_format(out, -2.5, 1, false), "−2.5");
    assert_string_equal(ig_fixed_format(out, -0.003, 2, false), "0.00");
    assert_string_equal(ig_fixed_format(out, -0.4, 0, true), "0");
    assert_string_equal(ig_number_format(out, -0.0, 6, true), "0.000");
}

/* Whatever the range and the rows: it holds what it held, and ticks are round, evenly
 * apart and on whole rows. */
static void rows_of_ticks(void)
{
    ig_random random;
    double tick[IG_AXES_TICKS];

    ig_random_init(&random, 3, 0);
    for (int turn = 0; turn < 2000; turn++) {
        int rows = 5 + (int)ig_random_below(&random, 40);
        double low = ig_random_normal(&random),
               high = low + exp(ig_random_normal(&random));
        double bottom = low, top = high, row, each;
        size_t n = ig_axes_rows(&bottom, &top, rows, 6, tick);

        assert_in_range(n, 2, 6);
        assert_true(bottom <= low + 1e-9 && top >= high - 1e-9);
        assert_true(low < 0 || bottom >= -1e-9);
        assert_true(top - bottom < 3 * (high - low));
        row = (top - bottom) / (rows - 1);
        each = (tick[1] - tick[0]) / row;
        assert_true(each > 1.5 && fabs(each - round(each)) < 1e-6);
        for (size_t i = 0; i < n; i++) {
            double place = (top - tick[i]) / row;

            assert_true(fabs(place - round(place)) < 1e-6);
            assert_true(i == 0 || fabs((tick[i] - tick[i - 1]) / row - each) < 1e-6);
        }
    }
    assert_int_equal(ig_axes_rows(&(double){2}, &(double){2}, 10, 6, tick), 0);
}

static void ticks(void **state)
{
    double tick[8];

    (void)state;
    assert_int_equal(ig_axes_ticks(0, 60, 4, tick), 4);
    assert_true(tick[0] == 0 && tick[3] == 60);
    assert_int_equal(ig_axes_ticks(-3.6, -1.1, 5, tick), 5);
    assert_true(fabs(tick[0] + 3.5) < 1e-9 && fabs(tick[4] + 1.5) < 1e-9);
    assert_int_equal(ig_axes_decimals(tick, 5), 1);
    assert_int_equal(ig_axes_ticks(2, 2, 5, tick), 1);
    assert_int_equal(ig_axes_ticks(3, 2, 5, tick), 0);
    rows_of_ticks();
    assert_int_equal(ig_axes_ticks(NAN, 2, 5, tick), 0);
    assert_int_equal(ig_axes_ticks(-INFINITY, 2, 5, tick), 0);
    assert_int_equal(ig_axes_ticks(0, 1, 0, tick), 0);
    for (int e = -300; e < 300; e += 7) {
        size_t count = ig_axes_ticks(-pow(10, e), 3 * pow(10, e), 6, tick);

        assert_in_range(count, 1, 6);
        for (size_t i = 1; i < count; i++)
            assert_true(tick[i] > tick[i - 1]);
    }
}

/* Random drawing, partly outside, in a clip: no cell outside it changes, every cell stays
 * whole. */
static void anywhere(void **state)
{
    static const char *const text[] = {"日本語 text", "שלום",    "👩\u200d👧\u0301x",
                                       "\x1b\xff",    "e\u0301", "한국어한국어한국어"};
    ig_random random;
    ig_canvas c = canvas_of(12, 24);

    (void)state;
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
        ig_canvas_wrap(&c, r, round % 3, t, plain);
        ig_dots_line(&c, r, 0, 0, 20, round % 50, 0, '*', plain);
        ig_bar_draw(&c, r.row, r.col, r.cols, 0.5, plain);
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

    (void)state;
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
    text = ig_canvas_plain(&c);
    assert_string_equal(text, "");
    ig_free(text);
    ig_canvas_free(&c);
    ig_canvas_free(&c);
    ig_canvas_free(NULL);
}

static void rectangles(void **state)
{
    ig_rect r = {2, 3, 10, 11}, part;
    int cols = 0;

    (void)state;
    for (int i = 0; i < 3; i++) {
        part = ig_rect_across(r, i, 3, 1);
        assert_int_equal(part.col, 3 + cols);
        cols += part.cols + 1;
    }
    assert_int_equal(cols, 12);
    part = ig_rect_down((ig_rect){0, 0, 1, 5}, 2, 3, 1);
    assert_true(ig_rect_empty(part) && part.row <= 1);
    part = ig_rect_clip(r, (ig_rect){0, 0, 2, 2});
    assert_true(ig_rect_empty(part) && part.rows == 0 && part.cols == 0);
    part = ig_rect_clip((ig_rect){-5, -5, 2147483647, 2147483647}, r);
    assert_memory_equal(&part, &r, sizeof r);
    part = ig_rect_inset(r, 20, 0, 0, 0);
    assert_true(part.rows == 0 && part.row == 12);
}

SUITE(canvas)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),         cmocka_unit_test(wide_halves),
        cmocka_unit_test(right_to_left), cmocka_unit_test(long_cluster),
        cmocka_unit_test(frames),        cmocka_unit_test(dots),
        cmocka_unit_test(wrapping),      cmocka_unit_test(lists),
        cmocka_unit_test(lit_lists),     cmocka_unit_test(lit_text),
        cmocka_unit_test(scrolling),     cmocka_unit_test(bars),
        cmocka_unit_test(colours),       cmocka_unit_test(letters),
        cmocka_unit_test(numbers),       cmocka_unit_test(ticks),
        cmocka_unit_test(anywhere),      cmocka_unit_test(resizing),
        cmocka_unit_test(rectangles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
