/* Text search: folding, accents, rows among rows, the best one. */
#include "measure/textsearch.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"

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

/* The rows that match, as letters: "ad" for 0 and 3. */
static const char *found_by(const ig_textsearch *search, const char *typed)
{
    static char out[N + 1];
    ig_textquery query;
    size_t n = 0;

    assert_int_equal(ig_textquery_init(&query, typed, NULL), IG_OK);
    for (size_t i = 0; i < N; i++)
        if (ig_textsearch_matches(search, &query, i))
            out[n++] = (char)('a' + i);
    out[n] = '\0';
    ig_free(query.folded);
    return out;
}

static void check_found(const ig_textsearch *search, const char *typed,
                        const char *rows)
{
    assert_string_equal(found_by(search, typed), rows);
}

static ig_textsearch *open_texts(const char *const *texts, size_t n)
{
    ig_textsearch *search;

    assert_int_equal(ig_textsearch_new(&search, texts, n, NULL, NULL), IG_OK);
    return search;
}

static void test_folding(void **state)
{
    ig_textsearch *search = open_texts(text, N);

    check_found(search, "STRASSE", "b");
    check_found(search, "straße", "b");
    check_found(search, "真夜中", "g");
    check_found(search, "train of", "f");
    check_found(search, "Train", "adef");
    check_found(search, "plane", "");
    check_found(search, "", "");
    /* The end of one text and the start of the next are no match. */
    check_found(search, "midnight.die", "");
    ig_textsearch_delete(search);
}

static void test_accents(void **state)
{
    static const char *const of[N] = {"Wölfe",  "wolf", "WO\u0308LFE", "Zwölf Wolken",
                                      "ガラス", "esta", "está",        "Smørrebrød"};
    ig_textsearch *search = open_texts(of, N);

    check_found(search, "wolf", "abcd");
    check_found(search, "WÖLF", "acd");
    check_found(search, "wolfe", "ac");
    check_found(search, "カラス", "e");
    check_found(search, "esta", "fg");
    check_found(search, "está", "g");
    check_found(search, "smorre", "");
    ig_textsearch_delete(search);
}

/* Folding is cancelled, or runs out of memory. */
static void test_many(void **state)
{
    enum { MANY = 5000 };
    static char line[MANY][40];
    static const char *all[MANY];
    atomic_bool stop = true;
    ig_textsearch *search;

    for (int i = 0; i < MANY; i++) {
        snprintf(line[i], sizeof line[i], i % 2 ? "Zeile Nummer %d." : "Línea núm. %d.",
                 i);
        all[i] = line[i];
    }
    for (long n = 1; n < 40; n += 3) {
        ig_alloc_fail_at(n);
        assert_int_equal(ig_textsearch_new(&search, all, MANY, NULL, NULL), IG_NOMEM);
        assert_null(search);
    }
    ig_alloc_fail_at(0);
    assert_int_equal(ig_textsearch_new(&search, all, MANY, &stop, NULL),
                     IG_INTERRUPTED);
    assert_null(search);
}

/* Any text matches itself, with accents and without. The parentheses see to it that all
 * of it does. */
static void test_any_text(void **state)
{
    static const char *const piece[] = {"a",
                                        "E",
                                        "I",
                                        " plain words ",
                                        "a long way of plain text",
                                        "é",
                                        "\xcc\x81",
                                        "\xcc\xa7",
                                        "İ",
                                        "ß",
                                        "ﬁ",
                                        "\xc2\xad",
                                        "가",
                                        "\xe1\x84\x80\xe1\x85\xa1",
                                        "Σ",
                                        "ς",
                                        "ガ",
                                        "ｶﾞ",
                                        "كِتاب",
                                        "´",
                                        "\xff",
                                        "\xc3",
                                        "Å"};
    enum { TEXTS = 2000, PIECES = sizeof piece / sizeof *piece };
    static char line[TEXTS][512];
    static const char *all[TEXTS];
    ig_textsearch *search;
    ig_random random;

    ig_random_init(&random, 9, 0);
    for (size_t i = 0; i < TEXTS; i++) {
        size_t n = ig_random_below(&random, 12), used = 1;

        line[i][0] = '(';
        for (size_t k = 0; k < n; k++)
            used += (size_t)snprintf(line[i] + used, sizeof line[i] - used, "%s",
                                     piece[ig_random_below(&random, PIECES)]);
        snprintf(line[i] + used, sizeof line[i] - used, ")");
        all[i] = line[i];
    }
    search = open_texts(all, TEXTS);
    for (size_t i = 0; i < TEXTS; i++) {
        char *bare = ig_text_fold(all[i], strlen(all[i]), true);
        ig_textquery query;

        assert_int_equal(ig_textquery_init(&query, all[i], NULL), IG_OK);
        if (!ig_textsearch_matches(search, &query, i))
            fail_msg("%zu: %s", i, all[i]);
        ig_free(query.folded);
        assert_int_equal(ig_textquery_init(&query, bare, NULL), IG_OK);
        if (query.bare && !ig_textsearch_matches(search, &query, i))
            fail_msg("%zu without accents: %s", i, all[i]);
        ig_free(query.folded);
        ig_free(bare);
    }
    ig_textsearch_delete(search);
}

SUITE(textsearch, NULL, NULL, TEST(test_folding), TEST(test_accents), TEST(test_many),
      TEST(test_any_text))
