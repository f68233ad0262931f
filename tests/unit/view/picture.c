/* Pictures: each format is what it says, odd data does no harm, files are whole or
 * untouched. */
#include "view/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#include "core/file.h"
#include "core/memory.h"
#include "core/pool.h"
#include "view/palette.h"

enum { ROWS = 30000 };

static float xy[ROWS][2];
static uint16_t of[ROWS];
static const ig_colour_group groups[] = {
    {"en", NULL, IG_COLOUR_LANGUAGE, 'e', true},
    {"de", NULL, IG_COLOUR_LANGUAGE + 1, 'd', true},
    {"\xE6\x97\xA5\xE6\x9C\xAC", NULL, IG_COLOUR_LANGUAGE + 2, 'a', true},
    {"a\x1B[31m", NULL, IG_COLOUR_LANGUAGE + 3, 'b', true}};
static char path[] = "/tmp/isogloss-picture-XXXXXX";
static ig_error error;

static int set_up(void **state)
{
    int fd = mkstemp(path);

    for (size_t i = 0; i < ROWS; i++) {
        of[i] = (uint16_t)(i % 4);
        xy[i][0] = (float)(i % 173) / 100 - 1;
        xy[i][1] = (float)(i % 97) / 100 + (float)of[i];
    }
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
    return unlink(path);
}

static ig_scatter picture_of(size_t rows, size_t series)
{
    return (ig_scatter){.title = "a map",
                        .x_label = "PC1 60%",
                        .y_label = "PC2 40%",
                        .group = groups,
                        .groups = 4,
                        .of = of,
                        .count = rows,
                        .series = series,
                        .of_series = {{.name = "meaning", .xy = xy[0]},
                                      {.name = "language", .xy = xy[0]}}};
}

/* Write, and look at what the file begins with and how long it is. */
static size_t written(const ig_scatter *picture, ig_picture_format format,
                      const char *head)
{
    ig_mapping file;
    size_t size;

    assert_int_equal(ig_picture_write(picture, format, path, &error), IG_OK);
    assert_int_equal(ig_mapping_open(&file, path, &error), IG_OK);
    assert_true(file.size > strlen(head));
    assert_memory_equal(file.bytes, head, strlen(head));
    size = file.size;
    ig_mapping_close(&file);
    return size;
}

static bool has_text(const char *text)
{
    ig_mapping file;
    bool found = false;

    assert_int_equal(ig_mapping_open(&file, path, &error), IG_OK);
    for (size_t i = 0; i + strlen(text) <= file.size; i++)
        found |= memcmp(file.bytes + i, text, strlen(text)) == 0;
    ig_mapping_close(&file);
    return found;
}

static void test_formats(void **state)
{
    for (size_t series = 1; series <= 2; series++) {
        ig_scatter picture = picture_of(500, series);

        written(&picture, IG_PDF, "%PDF-1");
        written(&picture, IG_PNG, "\x89PNG\r\n");
        written(&picture, IG_SVG, "<?xml");
        assert_true(has_text("</svg>"));
    }
}

static void test_very_many_points_become_an_image(void **state)
{
    ig_scatter many = picture_of(ROWS, 1);

    assert_true(written(&many, IG_SVG, "<?xml") < 4000000);
    assert_true(has_text("data:image/png"));
}

static void test_odd_data(void **state)
{
    ig_scatter picture = picture_of(4, 2);
    float odd[4][2] = {{NAN, 0}, {INFINITY, 1}, {3, 3}, {3, 3}};

    picture.of_series[0].xy = picture.of_series[1].xy = odd[0];
    picture.title = NULL;
    written(&picture, IG_PNG, "\x89PNG");
    odd[2][0] = odd[3][1] = NAN; /* nothing is left */
    written(&picture, IG_PNG, "\x89PNG");
    picture.count = 0;
    written(&picture, IG_PNG, "\x89PNG");
    picture.groups = 0;
    written(&picture, IG_PDF, "%PDF");
}

static void test_errors(void **state)
{
    ig_scatter picture = picture_of(10, 1);

    assert_int_equal(ig_picture_write(&picture, IG_PNG, "/nowhere/x.png", &error),
                     IG_IO);
    assert_string_equal(error.message, "/nowhere/x.png: No such file or directory");
    if (access("/dev/full", W_OK) == 0)
        for (int f = IG_SVG; f <= IG_PNG; f++)
            assert_int_equal(
                ig_picture_write(&picture, (ig_picture_format)f, "/dev/full", &error),
                IG_IO);
}

/* What the two threads of a pool draw at once. */
struct drawing {
    ig_scatter picture;
    char *svg[2];
};

static void draw_one(void *context, size_t member, size_t first, size_t last)
{
    struct drawing *d = context;
    size_t size;

    (void)member;
    for (; first < last; first++)
        ig_picture_svg(&d->picture, &d->svg[first], &size, NULL);
}

/* Threads may draw at the same time, as a report and a map that is written do. Cairo is
 * not watched by ThreadSanitizer as our own code is, but its locks are. */
static void test_two_threads(void **state)
{
    struct drawing d = {.picture = picture_of(200, 2)};
    ig_pool *pool;

    assert_int_equal(ig_pool_new(&pool, 2, NULL), IG_OK);
    for (int round = 0; round < 5; round++) {
        ig_parallel_for(pool, 2, 1, draw_one, &d);
        for (int i = 0; i < 2; i++) {
            assert_non_null(d.svg[i]);
            assert_memory_equal(d.svg[i], "<?xml", 5);
            assert_non_null(strstr(d.svg[i], "</svg>"));
            free(d.svg[i]);
        }
    }
    ig_pool_delete(pool);
}

SUITE(picture, set_up, tear_down, TEST(test_formats),
      TEST(test_very_many_points_become_an_image), TEST(test_two_threads),
      TEST(test_odd_data), TEST(test_errors))
