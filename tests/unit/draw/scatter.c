/* The map: views, points in cells, names, and finding points. */
#include <math.h>

#include "drawing.h"

#include "base/random.h"
#include "draw/scatter.h"

enum { POINTS = 300 };

static const char *const names[] = {"en", "de", "ja"};
static const char letter[] = "edj";

/* Three discs of 100 points each, on spirals. */
struct discs {
    float x[POINTS], y[POINTS];
    uint16_t category[POINTS];
};

static ig_series discs_of(struct discs *d)
{
    static const double middle[3][2] = {{-4, 1}, {4, 2}, {1, -2}};

    for (int i = 0; i < POINTS; i++) {
        double r = sqrt(i / 3 / 100.0), angle = i / 3 * 2.39996;

        d->category[i] = (uint16_t)(i % 3);
        d->x[i] = (float)(middle[i % 3][0] + 2 * r * cos(angle));
        d->y[i] = (float)(middle[i % 3][1] + r * sin(angle));
    }
    return (ig_series){.x = d->x,
                       .y = d->y,
                       .stride = 1,
                       .count = POINTS,
                       .category = d->category,
                       .categories = 3,
                       .category_name = names,
                       .letter = letter,
                       .name = "all",
                       .labels = IG_LABELS_CATEGORIES};
}

static void draw(ig_canvas *canvas, ig_rect rect, ig_view view, const ig_series *series,
                 size_t n)
{
    ig_scatter scatter = {0};

    assert_int_equal(ig_scatter_draw(&scatter, canvas, rect, view, series, n, NULL),
                     IG_OK);
    ig_scatter_free(&scatter);
}

/* The language whose hue a cell has, in whatever shade. */
static int hue_of(const ig_canvas *c, int row, int col)
{
    return (ig_canvas_cell(c, row, col)->style.fg - IG_COLOUR_LANGUAGE) %
           IG_LANGUAGE_COLOURS;
}

static bool shows(const ig_canvas *canvas, const char *name)
{
    char *text = ig_canvas_plain(canvas);
    bool found = text && strstr(text, name);

    ig_free(text);
    return found;
}

static void levels(void **state)
{
    struct discs d;
    ig_series series = discs_of(&d);
    ig_view view = ig_view_fit(&series, 1, 0.05);
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 9, 40, NULL), IG_OK);
    draw(&c, ig_canvas_rect(&c), view, &series, 1);
    check_screen(&c, "                            ⡀⡠⡰⢠⢠⢢⠠⡀⡄\n"
                     "     ⡀⡀⡀⡀                 ⡘⢼⢘⡼⢠⡳⡕⢌⢎⢎⠲⡡⡂\n"
                     "  ⡄⡎⡎⢔⠇⡩⡎⣅⢃⢕⢔⠄             ⠡⠊⡎⢎⢎⠆⣣⢣⢃⠕⠊\n"
                     " ⠐⠡⡮⢰⢱⢑⢝⡰⣨⢸⢱⢱⠈                de⠈\n"
                     "    ⠑⠈⠊⠂⠃⠂⠃⠁          ja\n"
                     "       en            ⢀ ⢀\n"
                     "                 ⠠⡰⢰⢸⢨⢪⢒⠱⡸⡸⢠⢀\n"
                     "                 ⠺⢨⢎⡊⠕⣌⢪⢪⠪⡘⡌⠗\n"
                     "                  ⠈⠈⠂⠃⠑⠕⠘⠢⠃⠁⠁\n");
    c.glyphs = IG_BLOCKS;
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), view, &series, 1);
    check_screen(&c, "                            ▖▄▟▗▗▚▗▖▖\n"
                     "     ▖▖▖▖                 ▞▟▐▟▗█▛▟██▜▙▌\n"
                     "  ▖▛▛▟▌█▛▙▚█▟▖             ▚▀▛██▌▙▚▚▛▀\n"
                     " ▝▚█▐▜▜█▟▟▐▜▜▝                de▝\n"
                     "    ▀▝▀▘▘▘▘▘          ja\n"
                     "       en            ▗ ▗\n"
                     "                 ▗▟▐▐▐▜▜▜▟▟▗▗\n"
                     "                 ▜▐█▛▛▟▜▜▜▞▞▛\n"
                     "                  ▝▝▘▘▀▛▝▚▘▘▘\n");
    c.glyphs = IG_ASCII;
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), view, &series, 1);
    check_screen(&c, "                            ddddddddd\n"
                     "     eeee                 ddddddddddddd\n"
                     "  eeeeeeeeeeee             ddddddddddd\n"
                     " eeeeeeeeeeeee                ded\n"
                     "    eeeeeeee          ja\n"
                     "       en            j j\n"
                     "                 jjjjjjjjjjjj\n"
                     "                 jjjjjjjjjjjj\n"
                     "                  jjjjjjjjjjj\n");
    ig_canvas_free(&c);
}

/* Without colours, letters stand for the languages at every step. */
static void without_colours(void **state)
{
    struct discs d;
    ig_series series[2];
    bool shown[3] = {true, false, true}, second[3] = {false, true, false};
    ig_canvas c;

    (void)state;
    series[0] = series[1] = discs_of(&d);
    series[0].shown = shown;
    series[1].shown = second;
    series[1].labels = IG_LABELS_SERIES;
    assert_int_equal(ig_canvas_init(&c, 7, 30, NULL), IG_OK);
    c.depth = IG_DEPTH_NONE;
    draw(&c, ig_canvas_rect(&c), ig_view_fit(series, 2, 0.05), series, 2);
    check_screen(&c, "     en             DDDDDDDD\n"
                     " eeeeeeeee         DDDDDDDDDD\n"
                     " eeeeeeeeee         DDDDDDD\n"
                     "  eeeeeeee      ja     all\n"
                     "              jjjjjjj\n"
                     "            jjjjjjjjjj\n"
                     "              jjjjjjjj\n");
    ig_canvas_free(&c);
}

/* A large category does not hide a small one where that has more of its points. */
static void share(void **state)
{
    static const float x[] = {1, 1, 1, 7, 7, 7, 7, 7, 7, 1, 1}, y[11] = {0};
    static const uint16_t category[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
    ig_series series = {.x = x,
                        .y = y,
                        .stride = 1,
                        .count = 11,
                        .category = category,
                        .categories = 2};
    ig_view view = {0, 10, -1, 1};
    ig_scatter scatter = {0};
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 1, 10, NULL), IG_OK);
    assert_int_equal(
        ig_scatter_draw(&scatter, &c, ig_canvas_rect(&c), view, &series, 1, NULL),
        IG_OK);
    assert_int_equal(hue_of(&c, 0, 1), 1);
    assert_int_equal(hue_of(&c, 0, 7), 0);
    ig_scatter_free(&scatter);
    ig_canvas_free(&c);
}

/* The cell takes the colour of the largest share, the lower number when they are even. */
static void majority(void **state)
{
    static const float x[] = {1, 1, 1, 1, 1, 5, 5, NAN, 5, 5},
                       y[] = {1, 1, 1, 1, 1, 1, 1, 1, INFINITY, 9};
    static const uint16_t category[] = {0, 2, 2, 1, 1, 2, 0, 2, 2, 9};
    ig_series series = {.x = x,
                        .y = y,
                        .stride = 1,
                        .count = 10,
                        .category = category,
                        .categories = 3};
    ig_view view = {0, 10, 0, 2};
    ig_scatter scatter = {0};
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 1, 10, NULL), IG_OK);
    assert_int_equal(
        ig_scatter_draw(&scatter, &c, ig_canvas_rect(&c), view, &series, 1, NULL),
        IG_OK);
    check_screen(&c, " ⠄   ⠄\n");
    assert_int_equal(hue_of(&c, 0, 1), 1);
    assert_int_equal(hue_of(&c, 0, 5), 0);
    ig_scatter_free(&scatter);
    ig_canvas_free(&c);
}

static const ig_cell *drawn(ig_canvas *c, const ig_series *series, size_t n, int col)
{
    ig_canvas_clear(c);
    draw(c, ig_canvas_rect(c), (ig_view){0, 10, 0, 2}, series, n);
    return ig_canvas_cell(c, 0, col);
}

/* A category has the colour that its series gives it; points take it by their row. */
static void own_colours_of_sampled_rows(void **state)
{
    static const float x[] = {1, 5, 9}, y[] = {1, 1, 1};
    static const uint16_t category[] = {9, 9, 0, 9, 1, 9, 1};
    static const uint32_t row[] = {2, 4, 6};
    static const uint8_t colour[] = {IG_COLOUR_GOOD, IG_COLOUR_BAD};
    ig_series s = {.x = x,
                   .y = y,
                   .stride = 1,
                   .count = 3,
                   .category = category,
                   .categories = 2,
                   .row = row,
                   .colour = colour};
    ig_hit hit = {0, 0};
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 1, 10, NULL), IG_OK);
    assert_int_equal(drawn(&c, &s, 1, 1)->style.fg, IG_COLOUR_GOOD);
    assert_int_equal(drawn(&c, &s, 1, 5)->style.fg, IG_COLOUR_BAD);
    assert_true(ig_scatter_nearest((ig_view){0, 10, 0, 2}, ig_canvas_rect(&c), &s, 1, 0,
                                   8, &hit));
    assert_int_equal(hit.point, 2);
    ig_canvas_free(&c);
}

/* Where points are marked they keep their colour and all others are dim, under them in
 * a cell that both are in. */
static void marked_points_stand_out(void **state)
{
    static const float x[] = {1, 1, 5, 9}, y[] = {1, 1, 1, 1};
    static const uint16_t category[] = {0, 1, 0, 0, 1};
    static const uint32_t row[] = {0, 1, 3, 4};
    static const bool marked[] = {false, true, true, false, true};
    ig_series s[2] = {{.x = x,
                       .y = y,
                       .stride = 1,
                       .count = 4,
                       .category = category,
                       .categories = 2,
                       .row = row,
                       .letter = "ed",
                       .marked = marked}};
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 1, 10, NULL), IG_OK);
    assert_int_equal(drawn(&c, s, 1, 1)->style.fg, ig_colour_language(1));
    assert_int_equal(drawn(&c, s, 1, 5)->style.fg, IG_COLOUR_AWAY);
    assert_int_equal(drawn(&c, s, 1, 9)->style.fg, ig_colour_language(1));
    /* A series without marks is dim beside one that has them. */
    s[1] = s[0];
    s[1].marked = NULL;
    assert_int_equal(drawn(&c, s, 2, 1)->style.fg, ig_colour_language(1));
    drawn(&c, s + 1, 1, 5);
    assert_int_equal(hue_of(&c, 0, 5), 0);
    c.depth = IG_DEPTH_NONE;
    drawn(&c, s, 2, 1);
    check_screen(&c, " d   .   d\n");
    ig_canvas_free(&c);
}

/* 12 points of each of `categories` languages in every cell of columns first … last. */
struct crowd {
    float x[9000], y[9000];
    uint16_t category[9000];
    size_t count;
};

static void crowd(struct crowd *p, int first, int last, int language, int categories)
{
    for (int col = first; col <= last; col++)
        for (int row = 0; row < 4; row++)
            for (int k = 0; k < categories * 12; k++, p->count++) {
                p->x[p->count] = (float)(col + (k % 12) / 12.0 + 0.01);
                p->y[p->count] = (float)(row + (k % 11) / 11.0 + 0.01);
                p->category[p->count] = (uint16_t)(language + k % categories);
            }
}

static ig_series series_of_crowd(const struct crowd *p)
{
    return (ig_series){.x = p->x,
                       .y = p->y,
                       .stride = 1,
                       .count = p->count,
                       .category = p->category,
                       .categories = 4,
                       .letter = "abcd"};
}

/* Columns of one language have its full hue, columns of all of them none; of two of
 * four the hue is pale. */
static void the_more_languages_the_paler(void **state)
{
    static struct crowd p;
    ig_view view = {0, 20, 0, 4};
    ig_series s;
    ig_canvas c;
    int pale;

    (void)state;
    p.count = 0;
    crowd(&p, 0, 4, 2, 1);
    crowd(&p, 6, 10, 0, 2);
    crowd(&p, 12, 18, 0, 4);
    s = series_of_crowd(&p);
    assert_int_equal(ig_canvas_init(&c, 4, 20, NULL), IG_OK);
    draw(&c, ig_canvas_rect(&c), view, &s, 1);
    assert_int_equal(ig_canvas_cell(&c, 1, 2)->style.fg, ig_colour_language(2));
    pale = ig_canvas_cell(&c, 1, 8)->style.fg;
    assert_true(pale != IG_COLOUR_MIXED && hue_of(&c, 1, 8) < 2);
    assert_int_not_equal(pale, ig_colour_language((size_t)hue_of(&c, 1, 8)));
    assert_int_equal(ig_canvas_cell(&c, 1, 15)->style.fg, IG_COLOUR_MIXED);

    /* Without colours by letter; of a second series by another. */
    c.depth = IG_DEPTH_NONE;
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), view, &s, 1);
    assert_memory_equal(ig_canvas_cell(&c, 1, 2)->bytes, "c", 1);
    assert_memory_equal(ig_canvas_cell(&c, 1, 15)->bytes, "*", 1);
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), view, (ig_series[]){{.stride = 1, .categories = 1}, s},
         2);
    assert_memory_equal(ig_canvas_cell(&c, 1, 2)->bytes, "C", 1);
    assert_memory_equal(ig_canvas_cell(&c, 1, 15)->bytes, "#", 1);

    /* On a scale nothing is mixed. */
    c.depth = IG_DEPTH_256;
    s.steps = 4;
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), view, &s, 1);
    assert_int_not_equal(ig_canvas_cell(&c, 1, 15)->style.fg, IG_COLOUR_MIXED);
    ig_canvas_free(&c);
}

/* Two points of a cell, one above the other, have each its own colour; each half is as
 * mixed as its own points are. */
static void halves_have_their_own_colours(void **state)
{
    static struct crowd p;
    static float x[] = {1.5F, 1.5F, 3.5F, 5.5F, 7.5F, 7.5F};
    static float y[] = {1.75F, 1.25F, 1.75F, 1.25F, 1.75F, 1.25F};
    static uint16_t category[] = {0, 1, 1, 2, 3, 3};
    ig_series few = {.x = x,
                     .y = y,
                     .stride = 1,
                     .count = 6,
                     .category = category,
                     .categories = 4,
                     .letter = "abcd"};
    static const struct {
        int col;
        const char *glyph;
        int fg, bg;
    } cells[] = {
        {1, "▀", IG_COLOUR_LANGUAGE, IG_COLOUR_LANGUAGE + 1},
        {3, "▀", IG_COLOUR_LANGUAGE + 1, IG_COLOUR_DEFAULT},
        {5, "▄", IG_COLOUR_LANGUAGE + 2, IG_COLOUR_DEFAULT},
        {7, "█", IG_COLOUR_LANGUAGE + 3, IG_COLOUR_DEFAULT},
    };
    ig_series s;
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 4, 20, NULL), IG_OK);
    c.glyphs = IG_HALVES;
    draw(&c, ig_canvas_rect(&c), (ig_view){0, 20, 0, 4}, &few, 1);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        const ig_cell *cell = ig_canvas_cell(&c, 2, cells[i].col);

        assert_memory_equal(cell->bytes, cells[i].glyph, 3);
        assert_int_equal((cell->style.fg - cells[i].fg) % IG_LANGUAGE_COLOURS, 0);
        assert_int_equal(cell->style.bg == IG_COLOUR_DEFAULT,
                         cells[i].bg == IG_COLOUR_DEFAULT);
        if (cells[i].bg != IG_COLOUR_DEFAULT)
            assert_int_equal((cell->style.bg - cells[i].bg) % IG_LANGUAGE_COLOURS, 0);
    }

    /* Mixed above, one language below: what is mixed has the terminal's own colour,
       which only a foreground can be. */
    p.count = 0;
    crowd(&p, 6, 10, 1, 1);
    for (size_t i = 0; i < p.count; i++)
        p.y[i] = 1 + (p.y[i] - floorf(p.y[i])) * 0.45F;
    for (size_t i = 0, n = p.count; i < n; i++, p.count++) {
        p.x[p.count] = p.x[i];
        p.y[p.count] = p.y[i] + 0.5F;
        p.category[p.count] = (uint16_t)(i % 4);
    }
    s = series_of_crowd(&p);
    for (int turned = 0; turned < 2; turned++) {
        ig_canvas_clear(&c);
        draw(&c, ig_canvas_rect(&c), (ig_view){0, 20, 0, 4}, &s, 1);
        assert_memory_equal(ig_canvas_cell(&c, 2, 8)->bytes, turned ? "▄" : "▀", 3);
        assert_int_equal(ig_canvas_cell(&c, 2, 8)->style.fg, IG_COLOUR_MIXED);
        assert_int_equal(ig_canvas_cell(&c, 2, 8)->style.bg, ig_colour_language(1));
        for (size_t i = 0; i < p.count; i++)
            p.y[i] = 3 - p.y[i];
    }
    ig_canvas_free(&c);
}

/* The same points as a first and as a second series: in no cell the same glyph. */
static void series_never_look_alike(void **state)
{
    static struct crowd p;
    ig_view view = {0, 20, 0, 4};
    ig_series two[2] = {{.stride = 1, .categories = 1}}, turned[2];
    ig_canvas first, second;

    (void)state;
    p.count = 0;
    crowd(&p, 2, 4, 1, 1);
    crowd(&p, 6, 18, 0, 4);
    two[1] = series_of_crowd(&p);
    assert_int_equal(ig_canvas_init(&first, 4, 20, NULL), IG_OK);
    assert_int_equal(ig_canvas_init(&second, 4, 20, NULL), IG_OK);
    for (int glyphs = IG_BRAILLE; glyphs <= IG_ASCII; glyphs++)
        for (int part = 1; part <= 300; part += 299) { /* many points, and few */
            two[1].count = p.count / (size_t)part;
            first.glyphs = second.glyphs = (ig_glyphs)glyphs;
            ig_canvas_clear(&first);
            ig_canvas_clear(&second);
            turned[0] = two[1];
            turned[1] = two[0];
            draw(&first, ig_canvas_rect(&first), view, turned, 2);
            draw(&second, ig_canvas_rect(&second), view, two, 2);
            for (int cell = 0; cell < 80; cell++) {
                const ig_cell *a = ig_canvas_cell(&first, cell / 20, cell % 20);
                const ig_cell *b = ig_canvas_cell(&second, cell / 20, cell % 20);

                if (a->bytes[0] != ' ')
                    assert_true(a->length != b->length ||
                                memcmp(a->bytes, b->bytes, a->length) != 0);
            }
        }
    ig_canvas_free(&first);
    ig_canvas_free(&second);
}

/* A cell of a scale shows the median of its points, of two the higher one; what was not
 * measured shows where nothing else is. */
static void a_scale_shows_the_median(void **state)
{
    static const float x[] = {1, 1, 1, 1, 1, 3, 3, 5, 5, 5, 5, 7, 7},
                       y[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint16_t category[] = {0, 0, 1, 2, 2, 0, 2, 3, 3, 3, 1, 3, 3};
    static const uint8_t colour[] = {IG_COLOUR_SCALE, IG_COLOUR_SCALE + 1,
                                     IG_COLOUR_SCALE + 2, IG_COLOUR_DIM};
    ig_series s[2] = {{.x = x,
                       .y = y,
                       .stride = 1,
                       .count = 13,
                       .category = category,
                       .categories = 4,
                       .steps = 3,
                       .colour = colour}};
    static const float x2[] = {1, 1, 1}, y2[] = {1, 1, 1};
    static const uint16_t category2[] = {2, 2, 2};
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 1, 10, NULL), IG_OK);
    assert_int_equal(drawn(&c, s, 1, 1)->style.fg, IG_COLOUR_SCALE + 1);
    assert_int_equal(drawn(&c, s, 1, 3)->style.fg, IG_COLOUR_SCALE + 2);
    assert_int_equal(drawn(&c, s, 1, 5)->style.fg, IG_COLOUR_SCALE + 1);
    assert_int_equal(drawn(&c, s, 1, 5)->style.attributes, 0);
    assert_int_equal(drawn(&c, s, 1, 7)->style.fg, IG_COLOUR_DIM);
    assert_int_equal(drawn(&c, s, 1, 7)->style.attributes, IG_FAINT);
    s[1] = s[0];
    s[1].x = x2;
    s[1].y = y2;
    s[1].count = 3;
    s[1].category = category2;
    c.depth = IG_DEPTH_NONE;
    assert_int_equal(drawn(&c, s, 2, 1)->bytes[0], 'C'); /* of all series' points */
    ig_canvas_free(&c);
}

/* Names of categories that lie everywhere would stand where they do not belong. */
static void names_where_points_keep_together(void **state)
{
    struct discs d;
    ig_series series = discs_of(&d);
    uint16_t mixed[POINTS];
    ig_canvas c;

    (void)state;
    series.labels = IG_LABELS_COMPACT;
    assert_int_equal(ig_canvas_init(&c, 9, 40, NULL), IG_OK);
    draw(&c, ig_canvas_rect(&c), ig_view_fit(&series, 1, 0.05), &series, 1);
    assert_true(shows(&c, "en") && shows(&c, "de") && shows(&c, "ja"));
    for (int i = 0; i < POINTS; i++)
        mixed[i] = d.category[i] == 2 ? 2 : (uint16_t)(i / 3 % 2);
    series.category = mixed;
    ig_canvas_clear(&c);
    draw(&c, ig_canvas_rect(&c), ig_view_fit(&series, 1, 0.05), &series, 1);
    assert_true(!shows(&c, "en") && !shows(&c, "de") && shows(&c, "ja"));
    ig_canvas_free(&c);
}

/* However many there are: names cover an eighth of the map at most, or the points would
 * not be seen. */
static void names_leave_room(void **state)
{
    static char text[POINTS][16];
    static const char *many[POINTS];
    struct discs d;
    ig_series series = discs_of(&d);
    ig_canvas c;
    int covered = 0;

    (void)state;
    for (int i = 0; i < POINTS; i++) {
        snprintf(text[i], sizeof text[i], "l%03d", i);
        many[i] = text[i];
        d.category[i] = (uint16_t)i;
    }
    series.category_name = many;
    series.categories = POINTS;
    series.letter = NULL;
    assert_int_equal(ig_canvas_init(&c, 30, 80, NULL), IG_OK);
    c.depth = IG_DEPTH_256;
    draw(&c, ig_canvas_rect(&c), ig_view_fit(&series, 1, 0.05), &series, 1);
    for (int i = 0; i < 30 * 80; i++)
        covered += c.cell[i].bytes[0] >= '0' && c.cell[i].bytes[0] <= 'z';
    assert_true(shows(&c, "l000") && shows(&c, "l001") && !shows(&c, "l299"));
    assert_in_range(covered, 30, 30 * 80 / 8 + 3);
    ig_canvas_free(&c);
}

/* Beyond the palette a category has its letter; the names of many stand where they hide
 * no point, those of the largest first. */
static void many_categories(void **state)
{
    enum { MANY = 60 };
    static char letters[MANY + 1], text[MANY][8];
    static const char *name[MANY];
    static float x[MANY * 8], y[MANY * 8];
    static uint16_t category[MANY * 8];
    ig_series s = {.x = x,
                   .y = y,
                   .stride = 1,
                   .category = category,
                   .categories = MANY,
                   .category_name = name,
                   .letter = letters,
                   .labels = IG_LABELS_CATEGORIES};
    ig_canvas c;

    (void)state;
    for (uint16_t k = 0; k < MANY; k++) {
        snprintf(text[k], sizeof text[k], "g%u", k);
        name[k] = text[k];
        /* The last one is the largest. */
        for (int i = 0; i < (k == MANY - 1 ? 8 : 4); i++, s.count++) {
            category[s.count] = k;
            x[s.count] = (float)(k % 10 * 4) + (float)i * 0.3F;
            y[s.count] = (float)(k / 10) * 2;
        }
    }
    ig_palette_letters(name, MANY, letters);
    for (size_t k = 0; k < MANY; k++)
        for (size_t j = k % IG_LANGUAGE_COLOURS; j < k; j += IG_LANGUAGE_COLOURS)
            assert_true(letters[k] != letters[j] && letters[k] != '*');
    assert_int_equal(ig_canvas_init(&c, 30, 160, NULL), IG_OK);
    draw(&c, ig_canvas_rect(&c), (ig_view){-1, 40, -1, 11}, &s, 1);
    assert_true(shows(&c, "g59"));
    for (int row = 0, seen = 0; row < 30; row++) {
        for (int col = 0; col < 160; col++) {
            const ig_cell *cell = ig_canvas_cell(&c, row, col);

            seen += cell->length == 1 && cell->bytes[0] == letters[30] &&
                    cell->style.fg != IG_COLOUR_DEFAULT;
        }
        if (row == 29)
            assert_true(seen > 0);
    }
    ig_canvas_free(&c);
}

static void lines_and_marks(void **state)
{
    struct discs d;
    ig_series series = discs_of(&d);
    ig_view view = {-6, 6, -4, 4};
    ig_canvas c;
    ig_rect r = {1, 2, 7, 24};

    (void)state;
    series.labels = IG_LABELS_NONE;
    assert_int_equal(ig_canvas_init(&c, 9, 28, NULL), IG_OK);
    mark_all(&c);
    ig_canvas_fill(&c, r, ig_style_of(0, 0));
    ig_scatter_line(&c, r, view, -4, 1, 4, 2, ig_style_of(IG_COLOUR_LINK, 0));
    ig_scatter_line(&c, r, view, -4, 1, 1, -90, ig_style_of(IG_COLOUR_LINK, 0));
    draw(&c, r, view, &series, 1);
    ig_scatter_mark(&c, r, view, -4, 1, IG_GLYPH_CURSOR,
                    ig_style_of(IG_COLOUR_CURSOR, 0));
    ig_scatter_mark(&c, r, view, 40, 1, IG_GLYPH_CURSOR,
                    ig_style_of(IG_COLOUR_CURSOR, 0));
    check_outside(&c, r);
    check_screen(&c, "xxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
                     "xx                   ⡀⡀   xx\n"
                     "xx  ⡀⣀⣀⢀⡀        ⢀⣦⣿⣯⣻⣟⣽⣳⣖xx\n"
                     "xx⢶⣽⣯⢿◉⣿⢷⡷⠒⠒⠒⠉⠉⠉⠉⠁⠈⠛⠻⠛⠟⠹⠊⠁xx\n"
                     "xx ⠉⠚⠑⡟⠙⠊⠁                xx\n"
                     "xx    ⡇     ⡀⣤⡤⣦⣦⢤⣄⣀      xx\n"
                     "xx    ⡇     ⠻⣿⣿⣾⣷⢿⡺⠗      xx\n"
                     "xx    ⢣       ⠈ ⠁⠈        xx\n"
                     "xxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
    ig_canvas_free(&c);
}

static void views(void **state)
{
    static const float x[] = {3, NAN, 7, 3}, y[] = {5, 1, INFINITY, 5};
    static const uint16_t category[] = {0, 0, 0, 1};
    static const bool none[2] = {false, false};
    ig_series s = {
        .x = x, .y = y, .stride = 1, .count = 4, .category = category, .categories = 2};
    ig_view v = ig_view_fit(&s, 1, 0.05);
    int row, col;
    double px, py;

    (void)state;
    assert_true(v.xmin == 2.5 && v.xmax == 3.5 && v.ymin == 4.5 && v.ymax == 5.5);
    s.shown = none;
    v = ig_view_fit(&s, 1, 0.05);
    assert_true(v.xmin == -0.5 && v.xmax == 0.5);
    v = ig_view_fit(NULL, 0, 0.05);
    assert_true(v.xmin < v.xmax && v.ymin < v.ymax);
    v = (ig_view){0, 10, 0, 4};
    v = ig_view_zoom(v, 0.5, 10, 0);
    assert_true(v.xmin == 5 && v.xmax == 10 && v.ymin == 0 && v.ymax == 2);
    v = ig_view_pan(v, -1, 0.5);
    assert_true(v.xmin == 0 && v.xmax == 5 && v.ymin == 1 && v.ymax == 3);
    for (int i = 0; i < 2000; i++)
        v = ig_view_zoom(v, i < 1000 ? 0.5 : 3, 2, 2);
    assert_true(v.xmin < v.xmax && v.ymin < v.ymax && isfinite(v.xmax - v.xmin));
    v = (ig_view){0, 10, 0, 4};
    assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 10, 0, &row, &col));
    assert_true(row == 4 && col == 10);
    assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 0, 4, &row, &col));
    assert_true(row == 1 && col == 1);
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, NAN, 4, &row, &col));
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, 11, 4, &row, &col));
    assert_false(ig_view_cell(v, (ig_rect){1, 1, 0, 10}, 1, 1, &row, &col));
    for (int i = 0; i < 40; i++) {
        ig_view_point(v, (ig_rect){1, 1, 4, 10}, 1 + i / 10, 1 + i % 10, &px, &py);
        assert_true(ig_view_cell(v, (ig_rect){1, 1, 4, 10}, px, py, &row, &col));
        assert_true(row == 1 + i / 10 && col == 1 + i % 10);
    }
}

static void finding(void **state)
{
    static const float x[] = {1, 5, 5, 5.02f, 9, 5, 20}, y[] = {5, 5, 9, 5, 5, 1, 5};
    static const uint16_t category[] = {0, 0, 1, 0, 2, 2, 0};
    static const bool shown[] = {true, false, true};
    ig_series s = {
        .x = x, .y = y, .stride = 1, .count = 7, .category = category, .categories = 3};
    ig_view v = {0, 10, 0, 10};
    ig_rect r = {0, 0, 10, 20};
    ig_hit hit = {9, 9}, from = {0, 1};

    (void)state;
    assert_true(ig_scatter_nearest(v, r, &s, 1, 0, 10, &hit));
    assert_int_equal(hit.point, 2);
    assert_true(ig_scatter_toward(v, r, &s, 1, from, IG_UP, &hit));
    assert_int_equal(hit.point, 2);
    assert_true(ig_scatter_toward(v, r, &s, 1, from, IG_DOWN, &hit));
    assert_int_equal(hit.point, 5);
    assert_true(ig_scatter_toward(v, r, &s, 1, from, IG_LEFT, &hit));
    assert_int_equal(hit.point, 0);
    /* 3 is nearer but in the same cell; 6 is outside the view. */
    assert_true(ig_scatter_toward(v, r, &s, 1, from, IG_RIGHT, &hit));
    assert_int_equal(hit.point, 4);
    from.point = 4;
    assert_false(ig_scatter_toward(v, r, &s, 1, from, IG_RIGHT, &hit));
    s.shown = shown;
    assert_false(ig_scatter_toward(v, r, &s, 1, (ig_hit){0, 1}, IG_UP, &hit));
    assert_true(ig_scatter_nearest(v, r, &s, 1, 0, 10, &hit));
    assert_int_not_equal(hit.point, 2);
    s.count = 0;
    assert_false(ig_scatter_nearest(v, r, &s, 1, 0, 10, &hit));
}

/* How far point k lies from point i in a direction, sideways counting double, in cell
 * widths: INFINITY when it does not lie that way. *apart: in another cell. */
static double way(const struct discs *d, ig_view v, ig_rect r, size_t i, size_t k,
                  ig_direction direction, bool *apart)
{
    double across = r.cols / (v.xmax - v.xmin), down = 2 * r.rows / (v.ymax - v.ymin);
    double u[2] = {((double)d->x[i] - v.xmin) * across,
                   ((double)d->x[k] - v.xmin) * across};
    double w[2] = {(v.ymax - (double)d->y[i]) * down,
                   (v.ymax - (double)d->y[k]) * down};
    bool level = direction == IG_LEFT || direction == IG_RIGHT;
    double along = level ? u[1] - u[0] : w[1] - w[0];
    double aside = level ? w[1] - w[0] : u[1] - u[0];

    if (direction == IG_LEFT || direction == IG_UP)
        along = -along;
    *apart = floor(u[0]) != floor(u[1]) || floor(w[0] / 2) != floor(w[1] / 2);
    return along > 0 && fabs(aside) <= along ? along * along + 4 * aside * aside
                                             : INFINITY;
}

/* From any point, arrows lead to the nearest point that lies that way in another cell;
 * where there is none, in the same. */
static void walking(void **state)
{
    struct discs d;
    ig_series s = discs_of(&d);
    ig_view v = ig_view_fit(&s, 1, 0.05);
    ig_rect r = {0, 0, 20, 60};

    (void)state;
    for (size_t n = 0; n < 4 * POINTS; n++) {
        ig_direction direction = (ig_direction)(n % 4);
        double best[2] = {INFINITY, INFINITY};
        bool apart;
        ig_hit hit;

        for (size_t k = 0; k < POINTS; k++) {
            double far = way(&d, v, r, n / 4, k, direction, &apart);

            best[apart] = far < best[apart] ? far : best[apart];
        }
        if (!ig_scatter_toward(v, r, &s, 1, (ig_hit){0, n / 4}, direction, &hit)) {
            assert_true(isinf(best[0]) && isinf(best[1]));
            continue;
        }
        assert_true(way(&d, v, r, n / 4, hit.point, direction, &apart) ==
                    best[isfinite(best[1])]);
        assert_true(apart == isfinite(best[1]));
    }
}

/* Any size and any data, drawn beside other things: nothing outside the rectangle, nothing
 * allocated once the memory is there. */
static void anywhere(void **state)
{
    static float x[POINTS], y[POINTS];
    static uint16_t category[POINTS];
    ig_series s = {.x = x,
                   .y = y,
                   .stride = 1,
                   .count = POINTS,
                   .category = category,
                   .categories = 3,
                   .category_name = names,
                   .letter = letter,
                   .name = "日本語"};
    ig_scatter scatter = {0};
    ig_random random;
    ig_canvas c;

    (void)state;
    ig_random_init(&random, 5, 0);
    assert_int_equal(ig_canvas_init(&c, 20, 50, NULL), IG_OK);
    c.glyphs = IG_HALVES; /* what takes most */
    assert_int_equal(ig_scatter_draw(&scatter, &c, ig_canvas_rect(&c),
                                     (ig_view){0, 1, 0, 1}, &s, 1, NULL),
                     IG_OK);
    ig_alloc_fail_at(1);
    for (int round = 0; round < 600; round++) {
        int rows = (int)ig_random_below(&random, 16),
            cols = (int)ig_random_below(&random, 40);
        ig_rect r = {(int)ig_random_below(&random, (size_t)(21 - rows)),
                     (int)ig_random_below(&random, (size_t)(51 - cols)), rows, cols};

        for (int i = 0; i < POINTS; i++) {
            x[i] = (float)ig_random_normal(&random);
            y[i] = ig_random_below(&random, 30) ? (float)ig_random_normal(&random)
                                                : NAN;
            category[i] = (uint16_t)ig_random_below(&random, 4);
        }
        s.labels = (ig_labels)(round % 3);
        c.glyphs = (ig_glyphs)(round / 3 % IG_GLYPHS);
        mark_all(&c);
        assert_int_equal(
            ig_scatter_draw(&scatter, &c, r, (ig_view){-2, 2, -2, 2}, &s, 1, NULL),
            IG_OK);
        check_outside(&c, r);
        check_cells(&c);
    }
    ig_alloc_fail_at(0);
    ig_scatter_free(&scatter);
    ig_canvas_free(&c);
}

/* What a kept scatter draws after each of many small changes is what a new one does;
 * also where it is told whether points are the same, and does not look at them. */
static void kept_counts_are_those_of_now(void **state)
{
    struct discs d;
    ig_series series[2] = {discs_of(&d), {0}};
    bool shown[3] = {true, true, true}, mark[POINTS] = {false};
    uint32_t row[POINTS / 2];
    uint64_t changes = 1;
    ig_view view = ig_view_fit(series, 1, 0.05);
    ig_scatter kept = {0};
    ig_canvas old, new;
    ig_random random;

    (void)state;
    assert_int_equal(ig_canvas_init(&old, 12, 40, NULL), IG_OK);
    assert_int_equal(ig_canvas_init(&new, 12, 40, NULL), IG_OK);
    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < POINTS / 2; i++)
        row[i] = (uint32_t)(2 * i);
    series[0].shown = shown;
    for (int step = 0; step < 400; step++) {
        size_t i = ig_random_below(&random, POINTS), n = 1 + (step / 100) % 2;
        ig_rect rect = {0, 0, 10 + step / 50 % 3, 40 - step / 70 % 2};
        char *one, *other;

        unsigned change = (unsigned)ig_random_below(&random, 12);

        changes += change < 4 || change == 6 || change == 9;
        switch (change) {
        case 0:
            d.x[i] = -d.x[i];
            break;
        case 1: /* the map turned over */
            for (size_t k = 0; k < POINTS; k++)
                d.y[k] = -d.y[k];
            break;
        case 2:
            d.category[i] = (uint16_t)((d.category[i] + 1) % 3);
            break;
        case 3:
            shown[i % 3] = !shown[i % 3];
            break;
        case 4:
            mark[i] = !mark[i];
            break;
        case 5:
            series[0].marked = series[0].marked ? NULL : mark;
            break;
        case 6:
            series[0].row = series[0].row ? NULL : row;
            series[0].count = series[0].row ? POINTS / 2 : POINTS;
            break;
        case 7:
            view = ig_view_zoom(view, step % 2 ? 0.7 : 1 / 0.7, d.x[i], d.y[i]);
            break;
        case 8:
            old.glyphs = new.glyphs = (ig_glyphs)(step % IG_GLYPHS);
            break;
        case 9:
            series[0].count -= series[0].count > 100;
            break;
        default: /* the same again */
            break;
        }
        series[0].same = step < 200 ? 0 : 2 * changes;
        series[1] = series[0];
        series[1].same += series[0].same > 0;
        series[1].x = d.y;
        series[1].y = d.x;
        ig_canvas_clear(&old);
        ig_canvas_clear(&new);
        assert_int_equal(ig_scatter_draw(&kept, &old, rect, view, series, n, NULL),
                         IG_OK);
        draw(&new, rect, view, series, n);
        one = ig_canvas_sgr(&old);
        other = ig_canvas_sgr(&new);
        assert_string_equal(one, other);
        ig_free(one);
        ig_free(other);
    }
    ig_scatter_free(&kept);
    ig_canvas_free(&old);
    ig_canvas_free(&new);
}

static void short_of_memory(void **state)
{
    struct discs d;
    ig_series s = discs_of(&d);
    ig_view view = ig_view_fit(&s, 1, 0.05);
    ig_canvas c;

    (void)state;
    assert_int_equal(ig_canvas_init(&c, 5, 20, NULL), IG_OK);
    for (long n = 1; n <= 3; n++) {
        ig_scatter scatter = {0};

        ig_alloc_fail_at(n);
        assert_int_equal(
            ig_scatter_draw(&scatter, &c, ig_canvas_rect(&c), view, &s, 1, NULL),
            IG_NOMEM);
        ig_alloc_fail_at(0);
        check_screen(&c, "\n\n\n\n\n");
        assert_int_equal(
            ig_scatter_draw(&scatter, &c, (ig_rect){0, 0, 0, 5}, view, &s, 1, NULL),
            IG_OK);
        ig_scatter_free(&scatter);
    }
    ig_canvas_free(&c);
}

SUITE(scatter)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),
        cmocka_unit_test(without_colours),
        cmocka_unit_test(share),
        cmocka_unit_test(majority),
        cmocka_unit_test(own_colours_of_sampled_rows),
        cmocka_unit_test(marked_points_stand_out),
        cmocka_unit_test(the_more_languages_the_paler),
        cmocka_unit_test(halves_have_their_own_colours),
        cmocka_unit_test(series_never_look_alike),
        cmocka_unit_test(a_scale_shows_the_median),
        cmocka_unit_test(names_where_points_keep_together),
        cmocka_unit_test(names_leave_room),
        cmocka_unit_test(many_categories),
        cmocka_unit_test(lines_and_marks),
        cmocka_unit_test(views),
        cmocka_unit_test(finding),
        cmocka_unit_test(walking),
        cmocka_unit_test(anywhere),
        cmocka_unit_test(kept_counts_are_those_of_now),
        cmocka_unit_test(short_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
