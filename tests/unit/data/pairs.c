/* Pairs from ids and from tables, and the split that keeps meanings together. */
#include "suite.h"

#include "core/memory.h"
#include "data/pairs.h"
#include "scratch.h"

static float zeros[4096];

static ig_dataset *set_of(size_t n, const char *const *lang, const char *const *id)
{
    ig_dataset *set;

    assert_int_equal(ig_dataset_of_rows(&set, "mem", zeros, n, 1, lang, NULL, id, NULL),
                     IG_OK);
    return set;
}

/* "left-right/group …" */
static const char *spell(const ig_pairs *pairs)
{
    static char text[4096];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < pairs->count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u/%u",
                                 i ? " " : "", pairs->left[i], pairs->right[i],
                                 pairs->group[i]);
    return text;
}

static void check(const ig_dataset *set, const char *pairing, const char *expected,
                  size_t groups)
{
    ig_pairs pairs;
    ig_error error = {0};

    if (ig_pairs_derive(&pairs, set, pairing, &error) != IG_OK)
        fail_msg("%s", error.message);
    assert_string_equal(spell(&pairs), expected);
    assert_int_equal(pairs.groups, groups);
    ig_pairs_free(&pairs);
    assert_null(pairs.left);
}

/*                                   0     1     2     3     4     5     6     7 */
static const char *const lang[] = {"de", "en", "ja", "en", "ja", "en", "fr", "de"};
static const char *const id[] = {"a", "a", "a", "b", "b", "c", "", "b"};

static void test_derive(void **state)
{
    ig_dataset *set = set_of(8, lang, id);

    check(set, NULL, "1-0/0 1-2/0 3-7/1 3-4/1", 2);
    check(set, "pivot", "1-0/0 1-2/0 3-7/1 3-4/1", 2);
    check(set, "all", "0-1/0 0-2/0 1-2/0 7-3/1 7-4/1 3-4/1", 2);
    check(set, "ja-en", "2-1/0 4-3/1", 2);
    check(set, "de-ja,en-ja,de-ja", "0-2/0 1-2/0 7-4/1 3-4/1", 2);
    ig_dataset_free(set);
}

static void test_no_english(void **state)
{
    static const char *const langs[] = {"zh-Hans", "de", "ja", "de", "ja", "zh-Hans"};
    static const char *const ids[] = {"1", "1", "1", "2", "2", "3"};
    static const char *const english[] = {"de", "fr", "fr", "eng_Latn"};
    static const char *const same[] = {"1", "1", "2", "1"};
    ig_dataset *set = set_of(6, langs, ids);

    /* de, ja and zh have two rows each: the first one is the pivot. */
    check(set, NULL, "0-1/0 0-2/0", 1);
    check(set, "zh-Hans-ja", "0-2/0", 1);
    check(set, "ja-zh-Hans", "2-0/0", 1);
    ig_dataset_free(set);
    set = set_of(4, english, same);
    check(set, NULL, "3-0/0 3-1/0", 1);
    ig_dataset_free(set);
}

static void test_repeated(void **state)
{
    static const char *const langs[] = {"de", "en", "de", "en", "en"};
    static const char *const ids[] = {"1", "1", "1", "1", "2"};
    ig_dataset *set = set_of(5, langs, ids);

    check(set, NULL, "1-0/0 1-2/0 3-0/0 3-2/0", 1);
    ig_dataset_free(set);
}

static void test_read(void **state)
{
    ig_dataset *set = set_of(8, lang, NULL);
    ig_pairs pairs;

    scratch_text("p.csv", "note,right,left\nx,1,0\ny,5,4\nz,2,1\n,7,6\n");
    assert_int_equal(ig_pairs_read(&pairs, set, "p.csv", NULL), IG_OK);
    /* 0-1 and 1-2 share a row. */
    assert_string_equal(spell(&pairs), "0-1/0 4-5/1 1-2/0 6-7/2");
    assert_int_equal(pairs.groups, 3);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);

    /* Rows of one id are one meaning, whether the pairs say so or not. */
    set = set_of(8, lang, id);
    scratch_text("p.csv", "left,right\n0,1\n6,5\n2,1\n3,0\n");
    assert_int_equal(ig_pairs_read(&pairs, set, "p.csv", NULL), IG_OK);
    assert_string_equal(spell(&pairs), "0-1/0 6-5/1 2-1/0 3-0/0");
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

/* 200 ids in three languages. */
static ig_dataset *large_set(void)
{
    static const char *langs[600];
    static const char *ids[600];
    static char names[200][8];

    for (size_t i = 0; i < 600; i++) {
        snprintf(names[i % 200], sizeof names[0], "%zu", i % 200);
        langs[i] = i < 200 ? "en" : i < 400 ? "de" : "ja";
        ids[i] = names[i % 200];
    }
    return set_of(600, langs, ids);
}

static void test_split(void **state)
{
    ig_dataset *set = large_set();
    ig_pairs pairs;
    ig_split split, again;
    uint8_t held[200] = {0};
    size_t groups = 0;

    assert_int_equal(ig_pairs_derive(&pairs, set, "en-de", NULL), IG_OK);
    assert_int_equal(pairs.count, 200);
    assert_int_equal(ig_split_make(&split, set, &pairs, 0.1, 0, 1, NULL), IG_OK);
    assert_int_equal(split.valid, 20);
    assert_int_equal(split.train, 180);
    for (size_t i = 0; i < split.valid; i++) {
        assert_true(i == 0 ||
                    split.pair[IG_SPLIT_VALID][i] > split.pair[IG_SPLIT_VALID][i - 1]);
        held[pairs.group[split.pair[IG_SPLIT_VALID][i]]] = 1;
    }
    for (size_t i = 0; i < split.train; i++) {
        assert_true(i == 0 ||
                    split.pair[IG_SPLIT_TRAIN][i] > split.pair[IG_SPLIT_TRAIN][i - 1]);
        assert_false(held[pairs.group[split.pair[IG_SPLIT_TRAIN][i]]]);
    }
    /* All three rows of a held-out id are held out, the Japanese one too. */
    for (size_t i = 0; i < 600; i++)
        assert_int_equal(split.held_out[i], held[i % 200]);
    for (size_t i = 0; i < 200; i++)
        groups += held[i];
    assert_int_equal(groups, 20);

    assert_int_equal(ig_split_make(&again, set, &pairs, 0.1, 0, 1, NULL), IG_OK);
    assert_memory_equal(again.held_out, split.held_out, 600);
    ig_split_free(&again);
    assert_int_equal(ig_split_make(&again, set, &pairs, 0.1, 0, 2, NULL), IG_OK);
    assert_memory_not_equal(again.held_out, split.held_out, 600);
    ig_split_free(&again);
    ig_split_free(&split);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

SUITE(pairs, scratch_enter, scratch_leave, TEST(test_derive), TEST(test_no_english),
      TEST(test_repeated), TEST(test_read), TEST(test_split))
