/* Axes with a meaning: what is read and refused, directions that are known, components
 * orthogonal to them, any number of threads. */
#include "view/map_axis.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "pooled.h"

enum { N = 3000, D = 9, LANGUAGES = 3 };

static const char *const code[LANGUAGES] = {"en", "de", "ja"};
static float cloud[N * D];
static const char *lang[N];
static ig_dataset *set;

/* Languages by turns, each about a place of its own, with a spread of its own along
 * every dimension. */
static void make_set(void)
{
    ig_random random;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N; i++) {
        lang[i] = code[i % LANGUAGES];
        for (size_t j = 0; j < D; j++)
            cloud[i * D + j] =
                (float)(1 + 2 * (double)(j % LANGUAGES == i % LANGUAGES) +
                        (double)(j + 1) * 0.2 * ig_random_normal(&random));
    }
    assert_int_equal(
        ig_dataset_of_rows(&set, "three", cloud, N, D, lang, NULL, NULL, NULL), IG_OK);
}

static int start(void **state)
{
    pool_start(state);
    make_set();
    return 0;
}

static int end(void **state)
{
    ig_dataset_free(set);
    return pool_end(state);
}

/* --- words ------------------------------------------------------------------------ */

static void reads(const char *text, const char *written, const char *plain)
{
    ig_map_axis axis;
    char out[IG_MAP_AXIS_SIZE];
    ig_error error = {0};

    if (ig_map_axis_parse(&axis, text, set, &error) != IG_OK)
        fail_msg("%s: %s", text, error.message);
    assert_string_equal(ig_map_axis_format(out, &axis, set, "→"), written);
    assert_string_equal(ig_map_axis_format(out, &axis, set, "to"), plain);
}

static void refuses(const char *text, const char *why)
{
    ig_map_axis axis = {.kind = 77};
    ig_error error = {0};

    assert_int_equal(ig_map_axis_parse(&axis, text, set, &error), IG_VALUE);
    if (!strstr(error.message, why))
        fail_msg("'%s' is refused: %s", text, error.message);
    assert_int_equal(axis.kind, 77);
}

static void test_words(void **state)
{
    static const char *const refused[][2] = {
        {"", "needs FROM TO"},
        {"en de ja", "got 'en de ja'"},
        {"en topic=x", "'topic=x' is not a language"},
        {"en 3000", "no row 3000 (three has rows 0 to 2999)"},
        {"en en", "both ends of the axis are en"},
        {"7 #7", "both ends of the axis are #7"},
        {"probe 7", "a probe needs a language"}};

    reads("  \"en\"   #12 ", "en → #12", "en to #12");
    reads("0 2999", "#0 → #2999", "#0 to #2999");
    reads("probe de", "probe de", "probe de");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        refuses(refused[i][0], refused[i][1]);
    set->language_rows[2] = 0;
    refuses("en ja", "three has no rows of the language ja");
    set->language_rows[2] = N;
    refuses("probe ja", "a probe needs other rows");
    set->language_rows[2] = N / LANGUAGES;
}

/* --- directions ------------------------------------------------------------------- */

/* A map of some spaces through which axes are laid, as the program makes it. */
static ig_status lay(ig_projection *map, const char *text, const ig_map_source *space,
                     const ig_rows *const *all, size_t spaces, bool unit, ig_pool *with,
                     ig_error *error)
{
    ig_map_axis axis;

    assert_int_equal(ig_map_axis_parse(&axis, text, set, NULL), IG_OK);
    return ig_map_axis_add(map, &axis, set, all, spaces, 0, unit, with, NULL, error);
}

static void ok(ig_status status)
{
    assert_int_equal(status, IG_OK);
}

/* The mean of a language the plain way. */
static void plain_mean(const float *row, const char *language, bool unit, double *mean)
{
    double count = 0;

    memset(mean, 0, D * sizeof *mean);
    for (size_t i = 0; i < N; i++) {
        double length = unit ? ig_rows_length(row + i * D, D) : 1;

        if (language && strcmp(lang[i], language) != 0)
            continue;
        count++;
        for (size_t j = 0; j < D; j++)
            mean[j] += (double)row[i * D + j] / length;
    }
    for (size_t j = 0; j < D; j++)
        mean[j] /= count;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += a[j] * b[j];
    return sum;
}

/* The components are those of rows from which the axis was taken out. */
static void test_orthogonal(void **state)
{
    static float without[N * D];
    ig_rows rows = ig_rows_of_dataset(set);
    const ig_rows *const all[] = {&rows};
    ig_map_source space = {.rows = rows}, plain = {0};
    ig_projection map = {0}, other = {0};
    double whole;

    ok(ig_projection_fit(&other, &space, 1, 2, false, pool, NULL, NULL));
    whole = other.pca.variance[0] / other.pca.ratio[0];
    ok(ig_projection_sum(&map, &space, 1, false, pool, NULL, NULL));
    ok(lay(&map, "ja en", &space, all, 1, false, pool, NULL));
    ok(ig_projection_solve(&map, 3, NULL));
    for (size_t i = 0; i < N; i++) {
        double along = 0;

        for (size_t j = 0; j < D; j++)
            along += map.line[j] * (double)cloud[i * D + j];
        for (size_t j = 0; j < D; j++)
            without[i * D + j] =
                (float)((double)cloud[i * D + j] - along * map.line[j]);
    }
    plain.rows = ig_rows_of_matrix(ig_matrix_of(without, N, D));
    ok(ig_projection_fit(&other, &plain, 1, 3, false, pool, NULL, NULL));
    for (size_t i = 0; i < 3; i++) {
        const double *p = map.pca.component + i * D;

        assert_near_to(dot(p, map.line), 0, 1e-12);
        assert_near_to(dot(p, p), 1, 1e-12);
        assert_near_to(fabs(dot(p, other.pca.component + i * D)), 1, 1e-5);
        assert_near_to(map.pca.variance[i], other.pca.variance[i], 1e-4);
        assert_near_to(ig_projection_share(&map, 1 + i), other.pca.variance[i] / whole,
                       1e-5);
    }
    assert_near_to(ig_projection_share(&map, 0) * whole +
                       other.pca.variance[0] / other.pca.ratio[0],
                   whole, 1e-4);
    /* The next map has none. */
    ok(ig_projection_fit(&map, &space, 1, 2, false, pool, NULL, NULL));
    assert_int_equal(map.custom, 0);
    ig_projection_free(&map);
    ig_projection_free(&other);
}

/* What a ridge regression reads: (S/n + λI) a has the direction of the difference. */
static void test_probe(void **state)
{
    ig_rows rows = ig_rows_of_dataset(set);
    const ig_rows *const all[] = {&rows};
    ig_map_source space = {.rows = rows};
    ig_projection map = {0};

    for (int unit = 0; unit < 2; unit++) {
        double mean[D], de[D], difference[D], back[D], trace = 0;
        double n = N;

        ok(ig_projection_sum(&map, &space, 1, unit, pool, NULL, NULL));
        for (size_t j = 0; j < D; j++)
            trace += map.all.scatter[j * D + j] / n;
        ok(lay(&map, "probe de", &space, all, 1, unit, pool, NULL));
        plain_mean(cloud, NULL, unit, mean);
        plain_mean(cloud, "de", unit, de);
        for (size_t i = 0; i < D; i++) {
            difference[i] = de[i] - mean[i];
            back[i] = dot(map.all.scatter + i * D, map.line) / n +
                      1e-3 * trace / D * map.line[i];
        }
        assert_near_to(dot(back, difference) /
                           sqrt(dot(back, back) * dot(difference, difference)),
                       1, 1e-6);
        assert_near_to(dot(map.line, map.line), 1, 1e-12);
        assert_near_to(map.offset[0], unit ? 0 : dot(map.line, mean), 1e-6);
    }
    ig_projection_free(&map);
}

SUITE(map_axis, start, end, TEST(test_words), TEST(test_orthogonal), TEST(test_probe))
