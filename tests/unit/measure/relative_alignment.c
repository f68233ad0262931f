/* Relative alignment: what is known beforehand, a plain computation, and what cannot be
 * had. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "measured.h"

#include "core/memory.h"
#include "core/random.h"

enum { MEANINGS = 40, LANGUAGES = 3, N = MEANINGS * LANGUAGES, D = 12, PAIRS = 120 };

static float row[N][D];
static uint16_t lang[N];
static uint32_t left[PAIRS], right[PAIRS];

/* Row m · LANGUAGES + l is meaning m in language l; `noise` beside its meaning's. */
static void plant(double noise)
{
    ig_random random;

    ig_random_init(&random, 3, 1);
    for (size_t m = 0; m < MEANINGS; m++) {
        double meaning[D];

        for (size_t j = 0; j < D; j++)
            meaning[j] = ig_random_normal(&random);
        for (size_t l = 0; l < LANGUAGES; l++)
            for (size_t j = 0; j < D; j++)
                row[m * LANGUAGES + l][j] =
                    (float)(meaning[j] + noise * ig_random_normal(&random));
    }
    for (size_t i = 0; i < N; i++)
        lang[i] = (uint16_t)(i % LANGUAGES);
    for (size_t p = 0; p < PAIRS; p++) { /* 0-1, 0-2, 1-2 of each meaning */
        size_t m = p / 3, k = p % 3;

        left[p] = (uint32_t)(m * LANGUAGES + (k == 2));
        right[p] = (uint32_t)(m * LANGUAGES + (k == 0 ? 1 : 2));
    }
}

/* The figure, without its items. */
static ig_figure measure(size_t pairs)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&row[0][0], N, D));
    ig_evaluation_spec spec = {.pairs = {.lang = lang,
                                         .languages = LANGUAGES,
                                         .left = left,
                                         .right = right,
                                         .pairs = pairs},
                               .intervals = true};
    ig_evaluation e;
    ig_figure f;

    assert_int_equal(
        measure_group(&e, IG_MEASURE_RELATIVE_ALIGNMENT, &rows, spec, NULL, NULL),
        IG_OK);
    f = *ig_figures_whole(&e.figures, "relative_alignment");
    assert_int_equal(f.items, f.reason ? 0 : pairs);
    ig_evaluation_free(&e);
    return f;
}

static double apart(size_t a, size_t b)
{
    double aa = 0, bb = 0, ab = 0;

    for (size_t j = 0; j < D; j++) {
        aa += (double)row[a][j] * (double)row[a][j];
        bb += (double)row[b][j] * (double)row[b][j];
        ab += (double)row[a][j] * (double)row[b][j];
    }
    if (aa == 0 || bb == 0)
        return (aa > 0) + (bb > 0);
    return 2 - 2 * ab / sqrt(aa * bb);
}

static bool is_pair(size_t a, size_t b, size_t pairs)
{
    for (size_t p = 0; p < pairs; p++)
        if (left[p] == a && right[p] == b)
            return true;
    return false;
}

/* By every two rows of two languages that occur in their pairs. */
static double plainly(size_t pairs)
{
    double near = 0, far = 0;

    for (size_t x = 0; x < LANGUAGES; x++)
        for (size_t y = x + 1; y < LANGUAGES; y++) {
            bool here[N] = {false};
            double sum = 0;
            size_t others = 0, own = 0;

            for (size_t p = 0; p < pairs; p++)
                if (lang[left[p]] == x && lang[right[p]] == y) {
                    here[left[p]] = here[right[p]] = true;
                    near += apart(left[p], right[p]);
                    own++;
                }
            for (size_t a = 0; a < N; a++)
                for (size_t b = 0; b < N; b++)
                    if (here[a] && here[b] && lang[a] == x && lang[b] == y &&
                        !is_pair(a, b, pairs)) {
                        sum += apart(a, b);
                        others++;
                    }
            far += own ? (double)own * sum / (double)others : 0;
        }
    return near / far;
}

static void test_plain(void **state)
{
    ig_figure r;

    plant(0.7);
    memset(row[5], 0, sizeof row[5]); /* a zero vector */
    for (size_t pairs = 6; pairs <= PAIRS; pairs += 19) {
        r = measure(pairs);
        assert_near_to(r.value, plainly(pairs), 1e-6);
        assert_int_equal(r.n, pairs);
        assert_null(r.reason);
    }
}

/* Translations that are the same are 0, unrelated ones 1; and a space that shrinks
 * towards a point stays as good or bad as it was. */
static void test_ends(void **state)
{
    double before;

    plant(0);
    assert_near_to(measure(PAIRS).value, 0, 1e-6);
    plant(1000);
    assert_near_to(measure(PAIRS).value, 1, 0.05);
    plant(0.5);
    before = measure(PAIRS).value;
    assert_true(before > 0.1 && before < 0.5);
    for (size_t i = 0; i < N; i++)
        row[i][0] += 100; /* cosines of all rows near 1 */
    assert_true(apart(0, 1) < 1e-2);
    assert_true(measure(PAIRS).value > 0.1 && measure(PAIRS).value < 0.5);
}

static void test_reasons(void **state)
{
    ig_figure r;

    plant(0.5);
    r = measure(0);
    assert_true(isnan(r.value) && r.chance == 1);
    assert_string_equal(r.reason, "no pairs of different languages");
    r = measure(1);
    assert_true(isnan(r.value));
    assert_string_equal(r.reason, "all rows of two languages are pairs: no baseline");
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            row[i][j] = 1;
    r = measure(PAIRS);
    assert_true(isnan(r.value));
    assert_string_equal(r.reason, "the rows do not differ");
    row[7][3] = NAN;
    assert_string_equal(measure(PAIRS).reason, "a value is not finite");
}

SUITE(relative_alignment, NULL, NULL, TEST(test_plain), TEST(test_ends),
      TEST(test_reasons))
