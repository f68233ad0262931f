/* Subsets of a set: everything, what is held out, samples. */
#include "suite.h"

#include "core/memory.h"
#include "data/pairs.h"

/* Ids a … d in three languages, d in one alone, and a row without an id. */
static const char *const lang[] = {"en", "en", "en", "de", "de", "ja", "en", "de"};
static const char *const id[] = {"a", "b", "c", "a", "b", "a", "d", ""};
enum { ROWS = 8 };
static const float zeros[ROWS];

static ig_dataset *set;
static ig_subset p;
static ig_pairs pairs; /* a: en-de en-ja de-ja, b: en-de */

static int open_set(void **state)
{
    return ig_dataset_of_rows(&set, "mem", zeros, ROWS, 1, lang, NULL, id, NULL) ==
                       IG_OK &&
                   ig_pairs_derive(&pairs, set, "all", NULL) == IG_OK &&
                   pairs.count == 4
               ? 0
               : -1;
}

static int close_set(void **state)
{
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
    return 0;
}

static ig_status take(const uint8_t *only, size_t meanings, size_t rows, uint64_t seed)
{
    return ig_subset_take(&p, set, &pairs, NULL, only,
                          (ig_subset_limits){meanings, rows}, seed, NULL);
}

static void everything(void **state)
{
    assert_int_equal(take(NULL, 0, 0, 1), IG_OK);
    assert_null(p.row);
    assert_int_equal(p.rows, ROWS);
    assert_int_equal(p.pairs, 4);
    assert_int_equal(p.meanings, 2);
    assert_int_equal(p.of_meanings, 2);
    ig_subset_free(&p);
    assert_int_equal(take(NULL, 5, 0, 1), IG_OK);
    assert_null(p.row); /* not a sample */
    ig_subset_free(&p);
}

static void marked_rows(void **state)
{
    static const uint8_t only[ROWS] = {0, 1, 1, 0, 1, 0, 0, 1};

    assert_int_equal(take(only, 0, 0, 1), IG_OK);
    assert_int_equal(p.pairs, 1);
    assert_int_equal(p.left[0], 1);
    assert_int_equal(p.right[0], 4);
    assert_int_equal(p.rows, 4); /* those without pairs too */
    assert_int_equal(p.row[0], 1);
    assert_int_equal(p.row[3], 7);
    assert_int_equal(p.of_meanings, 1);
    ig_subset_free(&p);
}

/* Rows alone: every one may be drawn, pairs stay. */
static void thinned(void **state)
{
    static const uint8_t only[ROWS] = {0, 1, 1, 0, 1, 0, 0, 1};
    size_t seen[ROWS] = {0};

    for (uint64_t seed = 0; seed < 80; seed++) {
        assert_int_equal(take(seed % 2 ? only : NULL, 0, 3, seed), IG_OK);
        assert_int_equal(p.rows, 3);
        assert_int_equal(p.of_rows, seed % 2 ? 4 : ROWS);
        assert_int_equal(p.pairs, seed % 2 ? 1 : 4);
        assert_int_equal(p.meanings, p.of_meanings);
        for (size_t i = 0; i < 3; i++) {
            assert_true(i == 0 || p.row[i - 1] < p.row[i]);
            assert_true(seed % 2 == 0 || only[p.row[i]]);
            seen[p.row[i]] += seed % 2 == 0;
        }
        ig_subset_free(&p);
    }
    for (size_t i = 0; i < ROWS; i++)
        assert_true(seen[i]);
}

static void samples(void **state)
{
    size_t seen[2] = {0, 0};

    for (uint64_t seed = 0; seed < 40; seed++) {
        assert_int_equal(take(NULL, 1, 0, seed), IG_OK);
        assert_int_equal(p.meanings, 1);
        assert_int_equal(p.of_meanings, 2);
        assert_true(p.pairs == 1 || p.pairs == 3);
        assert_int_equal(p.rows, p.pairs == 1 ? 2 : 3); /* of these pairs alone */
        for (size_t i = 0; i < p.pairs; i++)
            assert_int_equal(p.group[i], p.group[0]);
        seen[p.pairs == 1]++;
        ig_subset_free(&p);
    }
    assert_true(seen[0] > 5 && seen[1] > 5);
}

SUITE(subset, open_set, close_set, TEST(everything), TEST(marked_rows), TEST(thinned),
      TEST(samples))
