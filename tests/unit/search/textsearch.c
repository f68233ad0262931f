/* Text search: folding, both directions around the end, hidden rows, the best match. */
#include "search/textsearch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"

static const char *const text[] = {
    "The last train leaves at midnight.", /* 0 */
    "Die Straße ist lang.",               /* 1 */
    "",                                   /* 2 */
    "train",                              /* 3 */
    "TRAIN",                              /* 4 */
    "Ⓣrain of thought",                   /* 5: NFKC makes it a t */
    "最終列車は真夜中に出る",             /* 6 */
    "a trai n",                           /* 7 */
};
enum { N = sizeof text / sizeof *text };

static uint32_t next(const ig_textsearch *search, const char *typed, uint32_t from,
                     bool backward, const uint8_t *shown)
{
    ig_textquery query;
    uint32_t row;

    assert_int_equal(ig_textquery_init(&query, typed, NULL), IG_OK);
    row = ig_textsearch_next(search, &query, from, backward, shown);
    ig_textquery_free(&query);
    return row;
}

static uint32_t best(const ig_textsearch *search, const char *typed, size_t *others)
{
    ig_textquery query;
    uint32_t row;

    assert_int_equal(ig_textquery_init(&query, typed, NULL), IG_OK);
    row = ig_textsearch_best(search, &query, others);
    ig_textquery_free(&query);
    return row;
}

static ig_textsearch *open_texts(void)
{
    ig_textsearch *search;

    assert_int_equal(ig_textsearch_new(&search, text, N, NULL, NULL), IG_OK);
    return search;
}

static void test_folding(void **state)
{
    ig_textsearch *search = open_texts();

    (void)state;
    assert_int_equal(next(search, "STRASSE", IG_NO_TEXT, false, NULL), 1);
    assert_int_equal(next(search, "straße", IG_NO_TEXT, false, NULL), 1);
    assert_int_equal(next(search, "真夜中", IG_NO_TEXT, false, NULL), 6);
    assert_int_equal(next(search, "train of", IG_NO_TEXT, false, NULL), 5);
    assert_int_equal(next(search, "plane", IG_NO_TEXT, false, NULL), IG_NO_TEXT);
    assert_int_equal(next(search, "", IG_NO_TEXT, false, NULL), IG_NO_TEXT);
    /* The end of one text and the start of the next are no match. */
    assert_int_equal(next(search, "midnight.die", IG_NO_TEXT, false, NULL), IG_NO_TEXT);
    ig_textsearch_delete(search);
}

static void test_directions(void **state)
{
    ig_textsearch *search = open_texts();

    (void)state;
    assert_int_equal(next(search, "Train", IG_NO_TEXT, false, NULL), 0);
    assert_int_equal(next(search, "Train", 0, false, NULL), 3);
    assert_int_equal(next(search, "Train", 5, false, NULL), 0);
    assert_int_equal(next(search, "Train", IG_NO_TEXT, true, NULL), 5);
    assert_int_equal(next(search, "Train", 0, true, NULL), 5);
    assert_int_equal(next(search, "Train", 4, true, NULL), 3);
    /* The only match finds itself again. */
    assert_int_equal(next(search, "midnight", 0, false, NULL), 0);
    assert_int_equal(next(search, "midnight", 0, true, NULL), 0);
    ig_textsearch_delete(search);
}

static void test_shown(void **state)
{
    const uint8_t shown[N] = {1, 1, 1, 0, 0, 1, 1, 1};
    ig_textsearch *search = open_texts();
    ig_textquery query;

    (void)state;
    assert_int_equal(next(search, "train", 0, false, shown), 5);
    assert_int_equal(ig_textquery_init(&query, "train", NULL), IG_OK);
    assert_true(ig_textsearch_matches(search, &query, 4));
    assert_false(ig_textsearch_matches(search, &query, 7));
    assert_false(ig_textsearch_matches(search, &query, N));
    ig_textquery_free(&query);
    ig_textsearch_delete(search);
}

static void test_best(void **state)
{
    ig_textsearch *search = open_texts();
    size_t others = 99;

    (void)state;
    assert_int_equal(best(search, "TRAIN", &others), 4); /* exact */
    assert_int_equal(others, 0);
    assert_int_equal(best(search, "Train", &others), 3); /* equal when folded */
    assert_int_equal(others, 1);
    assert_int_equal(best(search, "rain", &others), 0); /* contained */
    assert_int_equal(others, 3);
    assert_int_equal(best(search, "zug", &others), IG_NO_TEXT);
    assert_int_equal(others, 0);
    assert_int_equal(best(search, "", NULL), IG_NO_TEXT);
    ig_textsearch_delete(search);
}

/* More text than the first block holds, and no memory for it. */
static void test_many(void **state)
{
    enum { MANY = 2000 };
    static char line[MANY][40];
    static const char *all[MANY];
    atomic_bool stop = true;
    ig_textsearch *search;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(line[i], sizeof line[i], i % 2 ? "Zeile Nummer %d." : "Línea núm. %d.",
                 i);
        all[i] = line[i];
    }
    assert_int_equal(ig_textsearch_new(&search, all, MANY, NULL, NULL), IG_OK);
    assert_int_equal(best(search, "LÍNEA NÚM. 1998.", NULL), 1998);
    assert_int_equal(next(search, "nummer 1999", IG_NO_TEXT, true, NULL), 1999);
    ig_textsearch_delete(search);
    assert_int_equal(ig_textsearch_new(&search, all, MANY, &stop, NULL),
                     IG_INTERRUPTED);
    assert_null(search);
    for (long n = 1; n < 40; n += 3) {
        ig_alloc_fail_at(n);
        assert_int_equal(ig_textsearch_new(&search, all, MANY, NULL, NULL), IG_NOMEM);
        assert_null(search);
    }
    ig_alloc_fail_at(0);
    assert_int_equal(ig_textsearch_new(&search, all, 0, NULL, NULL), IG_OK);
    assert_int_equal(next(search, "a", IG_NO_TEXT, false, NULL), IG_NO_TEXT);
    ig_textsearch_delete(search);
}

static void test_place(void **state)
{
    static const uint8_t shown[N] = {0, 1, 1, 1, 1, 0, 1, 1};
    ig_textsearch *search = open_texts();
    ig_textquery query;
    size_t count;

    (void)state;
    assert_int_equal(ig_textquery_init(&query, "train", NULL), IG_OK);
    assert_int_equal(ig_textsearch_place(search, &query, 0, NULL, &count), 1);
    assert_int_equal(count, 4);
    assert_int_equal(ig_textsearch_place(search, &query, 4, NULL, &count), 3);
    assert_int_equal(ig_textsearch_place(search, &query, 5, NULL, &count), 4);
    assert_int_equal(ig_textsearch_place(search, &query, 4, shown, &count), 2);
    assert_int_equal(count, 2);
    ig_textquery_free(&query);
    ig_textsearch_delete(search);
}

SUITE(textsearch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folding), cmocka_unit_test(test_directions),
        cmocka_unit_test(test_shown),   cmocka_unit_test(test_best),
        cmocka_unit_test(test_many),    cmocka_unit_test(test_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
